// Package stats turns samples into the few numbers a reader compares: moments,
// quantiles, distributions, and intervals that say how far to trust them.
//
// A sample is a []float64 in any order; no function changes it. The package
// keeps no state and has no unit of its own: results carry the unit of the
// values that went in. Durations are passed as nanoseconds, which a float64
// holds exactly up to 2^53 ns (104 days).
//
// One rule for bad input holds everywhere. A sample that is too small is an
// error that wraps [ErrTooFew]; a NaN or an infinity in it is an error that
// names its position; a result that a float64 cannot hold is an error. Nothing
// panics and nothing is dropped in silence.
//
// There is one definition of a quantile, that of [Quantile], and every median,
// percentile and interval end in this package uses it.
package stats

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// ErrTooFew is wrapped by the error of every function that was given fewer
// values than its result needs. Most need one; [Std] and the intervals need two.
var ErrTooFew = errors.New("too few values")

// Summary describes a sample by its usual ten numbers. All but N have the unit
// of the sample.
type Summary struct {
	N    int
	Sum  float64
	Mean float64
	Std  float64 // sample standard deviation (divisor N-1); NaN when N is 1
	Min  float64
	P50  float64
	P90  float64
	P95  float64
	P99  float64
	Max  float64
}

// Summarize returns the summary of xs. It needs at least one value; with
// exactly one, Std is undefined and is NaN, the only NaN this package returns.
func Summarize(xs []float64) (Summary, error) {
	if err := check("summary", xs, 1); err != nil {
		return Summary{}, err
	}
	sorted := slices.Clone(xs)
	slices.Sort(sorted)
	s := Summary{
		N:    len(xs),
		Sum:  floats.SumCompensated(xs),
		Mean: mean(xs),
		Std:  std(xs),
		Min:  sorted[0],
		P50:  quantileSorted(sorted, 0.50),
		P90:  quantileSorted(sorted, 0.90),
		P95:  quantileSorted(sorted, 0.95),
		P99:  quantileSorted(sorted, 0.99),
		Max:  sorted[len(sorted)-1],
	}
	if err := finite("summary", s.Sum); err != nil {
		return Summary{}, err
	}
	if s.N > 1 {
		if err := finite("summary", s.Std); err != nil {
			return Summary{}, err
		}
	}
	return s, nil
}

// Sum returns the sum of xs with Neumaier's compensation, so that a long sample
// of small values beside a large one loses nothing that a float64 can hold.
func Sum(xs []float64) (float64, error) {
	if err := check("sum", xs, 1); err != nil {
		return 0, err
	}
	v := floats.SumCompensated(xs)
	return v, finite("sum", v)
}

// Mean returns the arithmetic mean of xs. It always lies between the least and
// the largest value.
func Mean(xs []float64) (float64, error) {
	if err := check("mean", xs, 1); err != nil {
		return 0, err
	}
	v := mean(xs)
	return v, finite("mean", v)
}

// Std returns the sample standard deviation of xs (divisor n-1). It needs at
// least two values and is exactly 0 when all are equal.
func Std(xs []float64) (float64, error) {
	if err := check("std", xs, 2); err != nil {
		return 0, err
	}
	v := std(xs)
	return v, finite("std", v)
}

// Min returns the least value of xs.
func Min(xs []float64) (float64, error) {
	if err := check("min", xs, 1); err != nil {
		return 0, err
	}
	return floats.Min(xs), nil
}

// Max returns the largest value of xs.
func Max(xs []float64) (float64, error) {
	if err := check("max", xs, 1); err != nil {
		return 0, err
	}
	return floats.Max(xs), nil
}

// mean is Mean for a checked sample. The compensated sum can still be one
// rounding away, so the result is held between the ends of the sample.
func mean(xs []float64) float64 {
	m := floats.SumCompensated(xs) / float64(len(xs))
	if math.IsInf(m, 0) || math.IsNaN(m) {
		return m
	}
	return min(max(m, floats.Min(xs)), floats.Max(xs))
}

// std is Std for a checked sample; for one value it is NaN. gonum's corrected
// two-pass variance can fall below 0 by a rounding when the values are all but
// equal, which would make a NaN of the root.
func std(xs []float64) float64 {
	if len(xs) < 2 {
		return math.NaN()
	}
	if floats.Min(xs) == floats.Max(xs) {
		return 0
	}
	v := stat.Variance(xs, nil)
	if math.IsNaN(v) {
		return math.Inf(1) // Inf-Inf inside the sums: the spread does not fit
	}
	return math.Sqrt(max(v, 0))
}

// check refuses a sample that has fewer than need values or a value that is not
// finite. op names the operation in the error.
func check(op string, xs []float64, need int) error {
	if len(xs) < need {
		return fmt.Errorf("%s: %w: have %d, need at least %d", op, ErrTooFew, len(xs), need)
	}
	for i, x := range xs {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("%s: value %d of %d is %v: only finite numbers can be used, leave missing values out",
				op, i, len(xs), x)
		}
	}
	return nil
}

// finite refuses a result that does not fit a float64.
func finite(op string, v float64) error {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Errorf("%s: the result overflows a float64: scale the values down", op)
	}
	return nil
}

// checkLevel refuses a confidence level outside the open interval from 0 to 1.
func checkLevel(op string, level float64) error {
	if !(level > 0 && level < 1) {
		return fmt.Errorf("%s: level is %v: want a fraction between 0 and 1, such as 0.95", op, level)
	}
	return nil
}
