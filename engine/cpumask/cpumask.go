// Package cpumask is a set of CPU numbers and its text form, the cpulist "0-3,8"
// of Linux control files.
package cpumask

import (
	"iter"
	"math/bits"
)

// MaxCPUs is one more than the highest CPU number that a set can hold.
const MaxCPUs = 4096

const wordBits = 64

// Set is a set of CPU numbers from 0 to MaxCPUs-1, one bit each, lowest first.
// Nil is the empty set. Words beyond the end of the slice count as zero, so two
// slices of different length can be the same set: compare with Equal.
//
// Add, Remove and the Into methods change a set in place; all other methods
// leave their operands alone and return a set that shares nothing with them.
// A plain assignment shares the words: use Clone to keep a value.
type Set []uint64

// Of returns the set of the given CPUs. It panics if one cannot be held.
func Of(cpus ...int) Set {
	var s Set
	for _, c := range cpus {
		s.Add(c)
	}
	return s
}

// All returns the set of the CPUs 0 to n-1; empty if n is 0.
func All(n int) Set { return Range(0, n-1) }

// Range returns the set of the CPUs lo to hi, both included; empty if hi is below
// lo. It panics if one of its CPUs cannot be held.
func Range(lo, hi int) Set {
	if hi < lo {
		return nil
	}
	check(lo)
	check(hi)
	s := make(Set, hi/wordBits+1)
	for w := lo / wordBits; w < len(s); w++ {
		s[w] = ^uint64(0)
	}
	s[lo/wordBits] &= ^uint64(0) << (lo % wordBits)
	s[hi/wordBits] &= ^uint64(0) >> (wordBits - 1 - hi%wordBits)
	return s
}

func check(cpu int) {
	if uint(cpu) >= MaxCPUs {
		panic("sched: cpumask: " + noSuchCPU(cpu))
	}
}

// Clone returns a copy that shares nothing with s.
func (s Set) Clone() Set { return append(Set(nil), s...) }

// Has reports whether cpu is in s. Numbers that no set can hold are in none.
func (s Set) Has(cpu int) bool {
	w := uint(cpu) / wordBits
	return w < uint(len(s)) && s[w]>>(uint(cpu)%wordBits)&1 != 0
}

// Add puts cpu into s, which grows if it must. It panics if cpu cannot be held.
func (s *Set) Add(cpu int) {
	check(cpu)
	w := cpu / wordBits
	for len(*s) <= w {
		*s = append(*s, 0)
	}
	(*s)[w] |= 1 << (cpu % wordBits)
}

// Remove takes cpu out of s. It does nothing if cpu is not in s.
func (s Set) Remove(cpu int) {
	if w := uint(cpu) / wordBits; w < uint(len(s)) {
		s[w] &^= 1 << (uint(cpu) % wordBits)
	}
}

// And returns the CPUs that are in both s and t.
func (s Set) And(t Set) Set {
	r := s[:min(len(s), len(t))].Clone()
	for w := range r {
		r[w] &= t[w]
	}
	return r
}

// Or returns the CPUs that are in s, in t or in both.
func (s Set) Or(t Set) Set {
	if len(s) < len(t) {
		s, t = t, s
	}
	r := s.Clone()
	for w, bits := range t {
		r[w] |= bits
	}
	return r
}

// AndNot returns the CPUs that are in s but not in t.
func (s Set) AndNot(t Set) Set {
	r := s.Clone()
	for w := range min(len(r), len(t)) {
		r[w] &^= t[w]
	}
	return r
}

// AndInto sets *dst to the CPUs in both s and t, reusing its words: a loop that
// keeps dst allocates nothing. dst may be s or t itself.
func (s Set) AndInto(dst *Set, t Set) {
	n := min(len(s), len(t))
	r := *dst
	if cap(r) < n {
		r = make(Set, n)
	}
	r = r[:n]
	for w := range r {
		r[w] = s[w] & t[w]
	}
	*dst = r
}

// Equal reports whether s and t hold the same CPUs.
func (s Set) Equal(t Set) bool { return s.Subset(t) && t.Subset(s) }

// Subset reports whether each CPU of s is in t.
func (s Set) Subset(t Set) bool {
	for w, bits := range s {
		if w < len(t) {
			bits &^= t[w]
		}
		if bits != 0 {
			return false
		}
	}
	return true
}

// Intersects reports whether a CPU is in both s and t.
func (s Set) Intersects(t Set) bool {
	for w := range min(len(s), len(t)) {
		if s[w]&t[w] != 0 {
			return true
		}
	}
	return false
}

// Empty reports whether s holds no CPU.
func (s Set) Empty() bool {
	for _, bits := range s {
		if bits != 0 {
			return false
		}
	}
	return true
}

// Count returns the number of CPUs in s.
func (s Set) Count() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// First returns the lowest CPU of s, -1 if s is empty.
func (s Set) First() int { return s.from(0) }

// Last returns the highest CPU of s, -1 if s is empty.
func (s Set) Last() int {
	for w := len(s) - 1; w >= 0; w-- {
		if s[w] != 0 {
			return w*wordBits + bits.Len64(s[w]) - 1
		}
	}
	return -1
}

// Next returns the lowest CPU of s above after, -1 if there is none. Starting
// from -1 it walks the set in ascending order.
func (s Set) Next(after int) int { return s.from(max(after, -1) + 1) }

// NextWrap returns the lowest CPU of s above after, or if there is none the
// lowest of s, which may be after itself; -1 only if s is empty. It is the step
// of a round that starts anywhere.
func (s Set) NextWrap(after int) int {
	if cpu := s.Next(after); cpu >= 0 {
		return cpu
	}
	return s.First()
}

// from returns the lowest CPU of s that is at least lo, which is not negative.
func (s Set) from(lo int) int {
	w := lo / wordBits
	if w >= len(s) {
		return -1
	}
	rest := s[w] &^ (1<<(lo%wordBits) - 1)
	for rest == 0 {
		w++
		if w == len(s) {
			return -1
		}
		rest = s[w]
	}
	return w*wordBits + bits.TrailingZeros64(rest)
}

// CPUs ranges over the set in ascending order. A CPU that is removed before its
// turn does not come up.
func (s Set) CPUs() iter.Seq[int] {
	return func(yield func(int) bool) {
		for cpu := s.First(); cpu >= 0; cpu = s.Next(cpu) {
			if !yield(cpu) {
				return
			}
		}
	}
}
