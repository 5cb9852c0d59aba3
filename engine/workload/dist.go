package workload

import (
	"math"
	"slices"
	"time"

	"schedrepl/engine/rng"
)

// MaxDraw is the largest value that a distribution can have as a parameter or
// yield, in nanoseconds: 146 years. What a heavy tail draws beyond it is clamped to
// it, so that no sum of an instant and a draw overflows.
const MaxDraw = 1 << 62

// Dist is a distribution of lengths in nanoseconds, or of counts. It is a plain
// value that may be copied. A draw is computed as a float, rounded once to the
// nearest integer, and is never negative nor above MaxDraw.
//
// The constructors take any parameters; Validate says what is wrong with them, and
// Compile calls it for each step. The zero Dist is not set: it yields 0, and steps
// that need a value refuse it.
type Dist struct {
	kind  kind
	count bool
	a, b  int64   // Parameters that are lengths, or counts.
	x     float64 // The parameter that is a pure number: p, sigma or alpha.
	table []int64 // The values of an empirical distribution; never written.
}

type kind uint8

const (
	unset kind = iota
	constant
	uniform
	exponential
	normal
	lognormal
	pareto
	bimodal
	empirical
)

// Constant always yields d.
func Constant(d time.Duration) Dist { return Dist{kind: constant, a: int64(d)} }

// Count always yields n, as a count.
func Count(n int64) Dist { return Dist{kind: constant, count: true, a: n} }

// Uniform yields every length from lo to hi with the same probability. As a count
// both ends are included.
func Uniform(lo, hi time.Duration) Dist {
	return Dist{kind: uniform, a: int64(lo), b: int64(hi)}
}

// Exponential yields the gaps of a Poisson process of the given mean gap.
func Exponential(mean time.Duration) Dist { return Dist{kind: exponential, a: int64(mean)} }

// Normal is the normal distribution of the given mean and standard deviation,
// truncated at 0: what comes out negative is drawn again. Where std is not small
// against mean this raises the mean, and Mean tells by how much.
func Normal(mean, std time.Duration) Dist {
	return Dist{kind: normal, a: int64(mean), b: int64(std)}
}

// Lognormal yields lengths whose logarithm is normal: half of them are below
// median, and sigma is the standard deviation of the natural logarithm, so that 16%
// lie above median*exp(sigma). The mean is median*exp(sigma*sigma/2).
func Lognormal(median time.Duration, sigma float64) Dist {
	return Dist{kind: lognormal, a: int64(median), x: sigma}
}

// Pareto yields lengths from xm upwards; a length above x has the probability
// (xm/x)**alpha. With alpha of 1 or less there is no finite mean.
func Pareto(xm time.Duration, alpha float64) Dist {
	return Dist{kind: pareto, a: int64(xm), x: alpha}
}

// Bimodal yields a with probability p, else b.
func Bimodal(p float64, a, b time.Duration) Dist {
	return Dist{kind: bimodal, a: int64(a), b: int64(b), x: p}
}

// Empirical yields each of the given values with the same probability. It keeps a
// copy of them.
func Empirical(values []time.Duration) Dist {
	d := Dist{kind: empirical, table: make([]int64, len(values))}
	for i, v := range values {
		d.table[i] = int64(v)
	}
	return d
}

// AsCount returns d as a distribution of counts, its parameters being plain
// numbers: it prints without units, and a uniform one yields integers only.
func (d Dist) AsCount() Dist {
	d.count = true
	return d
}

// IsSet reports whether d was made by a constructor.
func (d Dist) IsSet() bool { return d.kind != unset }

// Fixed returns the value of d, and whether d always yields it.
func (d Dist) Fixed() (v int64, ok bool) {
	switch d.kind {
	case unset:
		return 0, true
	case constant:
		return d.a, true
	}
	return 0, false
}

// Draw yields a value in nanoseconds, or a count. A constant draws nothing from s, a
// normal and a lognormal two numbers (a normal again two for each negative value),
// the others one. d must be valid.
func (d *Dist) Draw(s *rng.Stream) int64 {
	switch d.kind {
	case constant:
		return d.a
	case uniform:
		if d.count {
			return d.a + s.Int64N(d.b-d.a+1)
		}
		// The product is rounded by itself, so that no fused multiply-add makes the
		// draw differ from one architecture to the next; so below.
		return round(float64(d.a) + float64(float64(d.b-d.a)*s.Float64()))
	case exponential:
		return round(float64(d.a) * s.Exp())
	case normal:
		for {
			if v := float64(d.a) + float64(float64(d.b)*s.Norm()); v >= 0 {
				return round(v)
			}
		}
	case lognormal:
		return round(float64(d.a) * math.Exp(d.x*s.Norm()))
	case pareto:
		// The logarithm of a Pareto number is exponential.
		return round(float64(d.a) * math.Exp(s.Exp()/d.x))
	case bimodal:
		if s.Float64() < d.x {
			return d.a
		}
		return d.b
	case empirical:
		return d.table[s.Int64N(int64(len(d.table)))]
	}
	return 0
}

// round turns a number that is not negative into the nearest integer, the even one
// of two, at most MaxDraw.
func round(v float64) int64 {
	if !(v < MaxDraw) {
		return MaxDraw
	}
	return int64(math.RoundToEven(v))
}

// Mean returns the expected value in nanoseconds, or of the count, before rounding
// and clamping. It is +Inf for a Pareto distribution with alpha of 1 or less.
func (d Dist) Mean() float64 {
	a, b := float64(d.a), float64(d.b)
	switch d.kind {
	case constant, exponential:
		return a
	case uniform:
		return a + (b-a)/2
	case normal:
		if d.b == 0 {
			return a
		}
		z := a / b
		density := math.Exp(-z*z/2) / math.Sqrt(2*math.Pi)
		kept := math.Erfc(-z/math.Sqrt2) / 2
		return a + b*density/kept
	case lognormal:
		return a * math.Exp(d.x*d.x/2)
	case pareto:
		if d.x <= 1 {
			return math.Inf(1)
		}
		return a * d.x / (d.x - 1)
	case bimodal:
		return d.x*a + (1-d.x)*b
	case empirical:
		sum := 0.0
		for _, v := range d.table {
			sum += float64(v)
		}
		return sum / float64(len(d.table))
	}
	return 0
}

// nonzero reports whether d can yield anything but 0.
func (d Dist) nonzero() bool {
	switch d.kind {
	case unset:
		return false
	case empirical:
		return slices.ContainsFunc(d.table, func(v int64) bool { return v != 0 })
	case bimodal:
		return d.a != 0 && d.x > 0 || d.b != 0 && d.x < 1
	}
	return d.a != 0 || d.b != 0
}
