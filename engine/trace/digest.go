package trace

import (
	"fmt"
	"math/bits"
)

// Digest folds every record into 64 bits: two runs with the same digest took
// the same decisions at the same times. It is no cryptographic hash. The zero
// value is ready.
type Digest struct {
	h uint64
	n uint64
}

// mix folds one word into the hash (multiply, rotate, xor; odd constants from
// the golden ratio).
func mix(h, v uint64) uint64 {
	h ^= v * 0x9E3779B97F4A7C15
	return bits.RotateLeft64(h, 29)*0xBF58476D1CE4E5B9 + 0x94D049BB133111EB
}

// Record folds r in.
func (d *Digest) Record(r *Record) {
	h := mix(d.h, uint64(r.Time))
	h = mix(h, uint64(r.A))
	h = mix(h, uint64(r.B))
	h = mix(h, uint64(uint32(r.Task))|uint64(uint32(r.Other))<<32)
	h = mix(h, uint64(uint16(r.CPU))|uint64(r.Kind)<<16|uint64(r.State)<<24|uint64(r.Reason)<<32|uint64(r.Pick)<<40)
	d.h = h
	d.n++
}

// Count returns how many records were folded in.
func (d *Digest) Count() uint64 { return d.n }

// String returns the digest as 16 hexadecimal digits and the number of
// records.
func (d *Digest) String() string { return fmt.Sprintf("%016x-%d", mix(d.h, d.n), d.n) }
