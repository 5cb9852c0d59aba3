// Package event is simulated time and the queue that orders what happens in it.
//
// An instant is a Time, nanoseconds since the machine booted. Things that will
// happen are dense integer ids: the owner of the queue decides what an id means
// (a CPU's tick, a task's sleep timer) and keeps that in slices of its own, so
// that the queue holds no pointers and can be copied, listed and hashed.
package event

import (
	"math"
	"strconv"
	"time"
)

// Time is an instant in nanoseconds since the machine booted. The zero value is
// the boot itself. A span between two instants is a time.Duration.
type Time int64

// Never is later than every instant that a machine can reach.
const Never Time = math.MaxInt64

// Add returns the instant d after t, or before it when d is negative.
func (t Time) Add(d time.Duration) Time { return t + Time(d) }

// Sub returns the span from u to t, negative when t is earlier.
func (t Time) Sub(u Time) time.Duration { return time.Duration(t - u) }

// Before reports whether t is earlier than u.
func (t Time) Before(u Time) bool { return t < u }

// After reports whether t is later than u.
func (t Time) After(u Time) bool { return t > u }

// String writes the instant exactly, in the largest of s, ms, us and ns in
// which its magnitude is at least one: "0s", "250ns", "1.5us", "4ms", "12.000001s".
// Unlike time.Duration it never splits into minutes and hours, so that instants
// of one trace stay comparable by eye, and it spells microseconds in ASCII.
func (t Time) String() string {
	switch t {
	case 0:
		return "0s"
	case Never:
		return "never"
	}
	var buf [32]byte
	b := buf[:0]
	n := uint64(t)
	if t < 0 {
		b = append(b, '-')
		n = -n
	}
	digits, unit := 9, "s"
	switch {
	case n < 1e3:
		digits, unit = 0, "ns"
	case n < 1e6:
		digits, unit = 3, "us"
	case n < 1e9:
		digits, unit = 6, "ms"
	}
	scale := uint64(1)
	for range digits {
		scale *= 10
	}
	b = strconv.AppendUint(b, n/scale, 10)
	if frac := n % scale; frac != 0 {
		b = append(b, '.')
		start := len(b)
		// The added scale is a leading one that keeps the zeros after the point.
		b = strconv.AppendUint(b, scale+frac, 10)
		b = append(b[:start], b[start+1:]...)
		for b[len(b)-1] == '0' {
			b = b[:len(b)-1]
		}
	}
	return string(append(b, unit...))
}

// Periods returns how many whole periods fit into d; both are positive. Short
// spans, which are nearly all, are divided in 32 bits, which takes a CPU a
// fraction of the time.
func Periods(d, period Time) int64 {
	if uint64(d)>>32 == 0 && uint64(period)>>32 == 0 {
		return int64(uint32(d) / uint32(period))
	}
	return int64(d / period)
}
