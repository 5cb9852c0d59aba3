package table

import (
	"math"
	"math/bits"
)

// wideInt is an integer of 128 bits.
type wideInt struct {
	hi int64
	lo uint64
}

func sumInts(xs []int64) (s wideInt) {
	for _, x := range xs {
		var carry uint64
		s.lo, carry = bits.Add64(s.lo, uint64(x), 0)
		s.hi += x>>63 + int64(carry)
	}
	return s
}

func (s wideInt) int64() (int64, bool) {
	return int64(s.lo), s.hi == int64(s.lo)>>63
}

// abs returns the magnitude and whether s is negative.
func (s wideInt) abs() (hi, lo uint64, negative bool) {
	if s.hi >= 0 {
		return uint64(s.hi), s.lo, false
	}
	lo, borrow := bits.Sub64(0, s.lo, 0)
	hi, _ = bits.Sub64(0, uint64(s.hi), borrow)
	return hi, lo, true
}

func (s wideInt) float64() float64 {
	if v, ok := s.int64(); ok {
		return float64(v)
	}
	hi, lo, negative := s.abs()
	f := float64(float64(hi)*(1<<64)) + float64(lo)
	if negative {
		return -f
	}
	return f
}

// div divides the sum of n integers of 64 bits by n, rounded half away from
// zero.
func (s wideInt) div(n uint64) int64 {
	hi, lo, negative := s.abs()
	q, r := bits.Div64(hi, lo, n) // hi < n, for none of the n is beyond 2^63
	if r >= n-r {
		q++
	}
	if negative {
		return -int64(q)
	}
	return int64(q)
}

// sumFloats adds with the rounding errors kept aside (Neumaier's variant of
// Kahan's sum). An infinity or NaN among the values, or a sum beyond float64,
// gives what plain addition gives.
func sumFloats(xs []float64) float64 {
	sum, lost := 0.0, 0.0
	for _, x := range xs {
		t := sum + x
		if math.Abs(sum) >= math.Abs(x) {
			lost += (sum - t) + x
		} else {
			lost += (x - t) + sum
		}
		sum = t
	}
	if math.IsInf(sum, 0) || sum != sum {
		return sum
	}
	return sum + lost
}

// meanFloats is the mean, also where the sum is beyond float64.
func meanFloats(xs []float64) float64 {
	n := float64(len(xs))
	mean := sumFloats(xs) / n
	if !math.IsInf(mean, 0) {
		return mean
	}
	mean = 0
	for _, x := range xs {
		mean += x / n
	}
	return mean
}

// stdFloats is the standard deviation of a sample of at least two: of the
// deviations from the mean, whose own sum, which would be 0 but for rounding,
// corrects it.
func stdFloats(xs []float64) float64 {
	mean := meanFloats(xs)
	sum, lost, squares, squaresLost := 0.0, 0.0, 0.0, 0.0
	for _, x := range xs {
		d := x - mean
		sum, lost = addTo(sum, lost, d)
		squares, squaresLost = addTo(squares, squaresLost, float64(d*d))
	}
	n := float64(len(xs))
	rest := sum + lost
	variance := (squares + squaresLost - rest*rest/n) / (n - 1)
	return math.Sqrt(max(variance, 0))
}

// addTo is a step of sumFloats, for finite numbers.
func addTo(sum, lost, x float64) (float64, float64) {
	t := sum + x
	if math.Abs(sum) >= math.Abs(x) {
		return t, lost + ((sum - t) + x)
	}
	return t, lost + ((x - t) + sum)
}

// stdInts is stdFloats of integers, taken relative to the first so that large
// ones close to each other lose nothing.
func stdInts(xs []int64) float64 {
	base := xs[0]
	ys := make([]float64, len(xs))
	for i, x := range xs {
		if d := x - base; (d < 0) == (x < base) {
			ys[i] = float64(d)
		} else { // the difference does not fit
			ys[i] = float64(x) - float64(base)
		}
	}
	return stdFloats(ys)
}

// rank returns the two places of n sorted values between which percentile q
// lies, and how far. It is Hyndman and Fan's type 7, the default of R, NumPy and
// spreadsheets.
func rank(n int, q float64) (lo, hi int, part float64) {
	h := float64(n-1) * (q / 100)
	lo = int(math.Floor(h))
	if lo >= n-1 {
		return n - 1, n - 1, 0
	}
	return lo, lo + 1, h - float64(lo)
}

// lerp goes the given part of the way from a to b, for a <= b.
func lerp(a, b, part float64) float64 {
	switch d := b - a; {
	case a == b || part == 0:
		return a
	case math.IsInf(a, 0) || math.IsInf(b, 0):
		return float64(a*(1-part)) + float64(b*part)
	case math.IsInf(d, 0):
		return float64(a*(1-part)) + float64(b*part)
	default:
		return min(a+float64(d*part), b)
	}
}

// between is lerp of integers, exact but for the product.
func between(a, b int64, part float64) int64 {
	if d := b - a; d >= 0 {
		return a + min(nearest(float64(d)*part), d)
	}
	return nearest(lerp(float64(a), float64(b), part))
}

// nearest rounds to the nearest int64, half away from zero.
func nearest(f float64) int64 {
	f = math.Round(f)
	switch {
	case f >= 1<<63:
		return math.MaxInt64
	case f < -1<<63:
		return math.MinInt64
	}
	return int64(f)
}
