package stats

import (
	"fmt"
	"math"
	"slices"
)

// Quantile returns the p-quantile of xs, with p a fraction from 0 to 1.
//
// The definition is Hyndman and Fan's type 7, the default of R, NumPy and
// spreadsheets: with the values sorted as x[0..n-1] and h = (n-1)*p, the result
// is x[floor(h)] plus the fraction of h times the step to the next value. So
// p = 0 is the minimum, p = 1 the maximum, and p = 0.5 the usual median.
func Quantile(xs []float64, p float64) (float64, error) {
	qs, err := Quantiles(xs, p)
	if err != nil {
		return 0, err
	}
	return qs[0], nil
}

// Quantiles returns one quantile for each of ps, in the order of ps, and sorts
// the sample once. The definition is that of [Quantile].
func Quantiles(xs []float64, ps ...float64) ([]float64, error) {
	if err := check("quantile", xs, 1); err != nil {
		return nil, err
	}
	for _, p := range ps {
		if err := checkFraction(p); err != nil {
			return nil, err
		}
	}
	sorted := slices.Clone(xs)
	slices.Sort(sorted)
	qs := make([]float64, len(ps))
	for i, p := range ps {
		qs[i] = quantileSorted(sorted, p)
	}
	return qs, nil
}

// QuantileSorted is [Quantile] for a sample that the caller keeps in ascending
// order; it takes constant time beyond a look at the two ends. A sample whose
// ends are not finite or not in order is an error; order inside is the caller's
// promise.
func QuantileSorted(sorted []float64, p float64) (float64, error) {
	if len(sorted) == 0 {
		return 0, check("quantile", sorted, 1)
	}
	if err := checkFraction(p); err != nil {
		return 0, err
	}
	lo, hi := sorted[0], sorted[len(sorted)-1]
	if !(lo <= hi) || math.IsInf(lo, 0) || math.IsInf(hi, 0) {
		return 0, fmt.Errorf("quantile: the sample runs from %v to %v: want finite values in ascending order", lo, hi)
	}
	return quantileSorted(sorted, p), nil
}

// quantileSorted is type 7 on a checked, ascending sample.
func quantileSorted(sorted []float64, p float64) float64 {
	h := float64(len(sorted)-1) * p
	i := int(math.Floor(h))
	if i >= len(sorted)-1 {
		return sorted[len(sorted)-1]
	}
	return lerp(sorted[i], sorted[i+1], h-float64(i))
}

// lerp goes the fraction f of the way from a to b, for a <= b. It never leaves
// [a, b], and is exact when the two are equal.
func lerp(a, b, f float64) float64 {
	d := b - a
	if math.IsInf(d, 0) { // the step itself does not fit
		return float64(a*(1-f)) + float64(b*f)
	}
	return min(a+float64(d*f), b)
}

// checkFraction refuses a p outside 0 to 1. The commonest mistake is a percent.
func checkFraction(p float64) error {
	if p >= 0 && p <= 1 {
		return nil
	}
	if p > 1 && p <= 100 {
		return fmt.Errorf("quantile: p is %v: want a fraction from 0 to 1, here %v", p, p/100)
	}
	return fmt.Errorf("quantile: p is %v: want a fraction from 0 to 1", p)
}
