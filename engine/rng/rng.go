// Package rng grows named random streams from one seed.
//
// A machine has one Seed. Whoever needs chance derives a seed of its own by name
// and number, seed.Named("arrival").Numbered(task), and draws from a Stream on
// it. A draw is a hash of the stream's key and a counter, so what one stream
// yields does not depend on when others draw or whether they exist: to add a
// task does not move another's draws.
//
// The numbers are part of the reproducibility contract: the same seed, names and
// counters yield the same Uint64, Int64N and Float64 on every platform and in
// every version, and a test holds them. Exp and Norm pass through the logarithm
// and cosine of package math, which may differ in the last bit from one processor
// architecture to another. All serve simulation, not secrecy.
package rng

import (
	"math"
	"math/bits"
)

// Seed is a point in a tree of seeds from which others, and streams, are grown.
// Any number will do, 0 as well.
type Seed uint64

// Constants of splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom
// number generators", 2014; mixer of Stafford, variant 13).
const (
	golden = 0x9e3779b97f4a7c15
	mixA   = 0xbf58476d1ce4e5b9
	mixB   = 0x94d049bb133111eb
)

// mix is the finaliser of splitmix64, a bijection in which each bit of the
// argument moves each bit of the result with probability close to one half.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * mixA
	x = (x ^ x>>27) * mixB
	return x ^ x>>31
}

// FNV-1a, 64 bits (Fowler, Noll and Vo), turns a name into a number.
const (
	fnvOffset = 0xcbf29ce484222325
	fnvPrime  = 0x100000001b3
)

// The ways to derive are kept apart by a constant each, so that a name, a number
// and a stream on the same seed do not meet but by a chance of 2^-64.
const (
	byName   = 0x6e616d65
	byNumber = 0x6e756d62
	byStream = 0x73747265
)

// Named returns the seed of the given name below s.
func (s Seed) Named(name string) Seed {
	h := uint64(fnvOffset)
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * fnvPrime
	}
	return s.derive(byName, h)
}

// Numbered returns the seed of the given number below s.
func (s Seed) Numbered(n uint64) Seed { return s.derive(byNumber, n) }

// derive mixes twice: the way makes s a key, which is then hashed with x.
func (s Seed) derive(way, x uint64) Seed {
	return Seed(mix(mix(uint64(s)+way*golden) ^ mix(x+golden)))
}

// Stream is an endless row of draws. It is a value of two words without
// pointers: a copy goes on by itself from where the original was. It satisfies
// math/rand/v2's Source, so distributions from elsewhere can draw from it.
type Stream struct {
	key uint64
	n   uint64 // Draws so far.
}

// NewStream returns the stream of s at its start.
func NewStream(s Seed) Stream { return Stream{key: uint64(s.derive(byStream, 0))} }

// Uint64 returns 64 uniform bits and steps the counter by one.
func (s *Stream) Uint64() uint64 {
	s.n++
	return mix(s.key + s.n*golden)
}

// Float64 returns a uniform number of the open interval from 0 to 1: an odd
// multiple of 2^-53, so that its logarithm and that of its complement are finite
// and its mean is exactly one half. One draw.
func (s *Stream) Float64() float64 {
	return float64(s.Uint64()>>12<<1|1) * 0x1p-53
}

// Int64N returns a uniform integer from 0 to n-1 without bias. It takes one draw,
// seldom more. It panics if n is not positive.
func (s *Stream) Int64N(n int64) int64 {
	if n <= 0 {
		panic("sched: rng: Int64N of a bound that is not positive")
	}
	// Lemire 2019, "Fast random integer generation in an interval": the upper word
	// of draw*n is uniform once the lower words of the surplus are rejected.
	bound := uint64(n)
	hi, lo := bits.Mul64(s.Uint64(), bound)
	if lo < bound {
		for surplus := -bound % bound; lo < surplus; {
			hi, lo = bits.Mul64(s.Uint64(), bound)
		}
	}
	return int64(hi)
}

// Exp returns an exponential number of mean 1, always positive, by inversion of
// one draw, so that a draw more or less never shifts what follows.
func (s *Stream) Exp() float64 { return -math.Log(s.Float64()) }

// Norm returns a normal number of mean 0 and variance 1 by the cosine half of
// Box and Muller's method. It always takes two draws and keeps nothing back.
func (s *Stream) Norm() float64 {
	r := math.Sqrt(2 * s.Exp())
	return r * math.Cos(2*math.Pi*s.Float64())
}
