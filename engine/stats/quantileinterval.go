package stats

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// QuantileInterval returns an interval of the p-quantile that is sure at least
// at the given level whatever the distribution, by order statistics (Thompson,
// On confidence ranges for the median, 1936): the number of values below the
// quantile is binomial, so the interval runs from one value of the sample to
// another, chosen so that either side misses with probability (1-level)/2 at
// most. coverage is how sure it is, exactly so for a continuous distribution of
// independent values. Where the sample is too small to have such values, as 100
// for the 99th percentile, the error says how many it takes.
func QuantileInterval(xs []float64, p, level float64) (lo, hi, coverage float64, err error) {
	const op = "quantile interval"
	if err := check(op, xs, 1); err != nil {
		return 0, 0, 0, err
	}
	if err := checkLevel(op, level); err != nil {
		return 0, 0, 0, err
	}
	if err := checkFraction(p); err != nil {
		return 0, 0, 0, err
	}
	if p == 0 || p == 1 {
		return 0, 0, 0, fmt.Errorf("%s: the sample says nothing of what lies beyond its ends: want p between 0 and 1", op)
	}
	n := len(xs)
	tail := (1 - level) / 2
	below := distuv.Binomial{N: float64(n), P: p}
	// l values or fewer lie below the quantile with probability tail at most, so
	// that it lies above the value of rank l+1 but for that chance; and the same
	// from above with the mirrored count.
	l := lastWithin(below, n, tail)
	u := lastWithin(distuv.Binomial{N: float64(n), P: 1 - p}, n, tail)
	if l < 0 || u < 0 {
		need := math.Ceil(math.Log(tail) / math.Log(max(p, 1-p)) * (1 - 1e-12))
		return 0, 0, 0, fmt.Errorf("%s: %w: have %d, need at least %.0f for p = %v at a level of %v", op, ErrTooFew, n, need, p, level)
	}
	sorted := slices.Clone(xs)
	slices.Sort(sorted)
	coverage = 1 - below.CDF(float64(l)) - distuv.Binomial{N: float64(n), P: 1 - p}.CDF(float64(u))
	return sorted[l], sorted[n-1-u], coverage, nil
}

// lastWithin is the largest count from -1 to n-1 that is exceeded but with
// probability tail at most.
func lastWithin(b distuv.Binomial, n int, tail float64) int {
	lo, hi := -1, n // CDF(lo) <= tail < CDF(hi)
	for hi-lo > 1 {
		if mid := lo + (hi-lo)/2; b.CDF(float64(mid)) <= tail {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}
