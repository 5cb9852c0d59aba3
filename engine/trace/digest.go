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

// Odd constants: the golden ratio, and the multipliers of well-known 64-bit
// mixers. Each word of a record has its own, so that words cannot trade places.
const (
	mulA = 0x9E3779B97F4A7C15
	mulB = 0xBF58476D1CE4E5B9
	mulC = 0x94D049BB133111EB
	mulD = 0xFF51AFD7ED558CCD
	mulE = 0xC4CEB9FE1A85EC53
)

// mix folds one word into the hash (multiply, rotate, xor).
func mix(h, v uint64) uint64 {
	return bits.RotateLeft64(h^v, 29)*mulB + mulC
}

// Record folds r in. The words are first summed up with a multiplier each,
// which a CPU does side by side, and the sum is mixed into the hash once.
func (d *Digest) Record(r *Record) {
	ids := uint64(uint32(r.Task)) | uint64(uint32(r.Other))<<32
	small := uint64(uint16(r.CPU)) | uint64(r.Kind)<<16 | uint64(r.State)<<24 |
		uint64(r.Reason)<<32 | uint64(r.Pick)<<40
	v := uint64(r.Time)*mulA + uint64(r.A)*mulB + uint64(r.B)*mulC + ids*mulD + small*mulE
	d.h = mix(d.h, v^v>>32)
	d.n++
}

// Count returns how many records were folded in.
func (d *Digest) Count() uint64 { return d.n }

// String returns the digest as 16 hexadecimal digits and the number of
// records.
func (d *Digest) String() string { return fmt.Sprintf("%016x-%d", mix(d.h, d.n), d.n) }
