package stats

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"
)

// Bootstrap returns the two-sided percentile interval of a statistic of xs at
// the given level: the sample is redrawn n times with replacement, and the
// interval runs between the (1-level)/2 and (1+level)/2 quantiles of the
// statistic over those draws. It is the plain choice, and is too narrow for
// small or very skewed samples; [BootstrapBCa] corrects for some of that. By
// simulation, 95 % intervals of the mean of 30 values hold the truth in 94 % of
// the cases for normal values and in 87 % for log-normal ones of sigma 1, with
// BCa in 93 and 88 %; Student's t ([MeanInterval]) has 95 and 88 %.
//
// stat is called on a scratch slice that holds one redrawn sample and that it
// may reorder but not keep; it must return a finite number. n has to put at
// least one draw into each tail, so 40 or more for a level of 0.95; a thousand
// or more is usual. src is the caller's own stream and must not be nil; what is
// taken from it depends on n and len(xs) alone, never on stat.
func Bootstrap(xs []float64, stat func([]float64) float64, n int, level float64, src rand.Source) (lo, hi float64, err error) {
	draws, err := redraw("bootstrap", xs, stat, n, level, src)
	if err != nil {
		return 0, 0, err
	}
	tail := (1 - level) / 2
	return quantileSorted(draws, tail), quantileSorted(draws, 1-tail), nil
}

// BootstrapBCa is [Bootstrap] with Efron's correction for bias and for a spread
// that changes with the value (Better bootstrap confidence intervals, JASA 82,
// 1987). It takes the same arguments and the same draws, and calls stat another
// len(xs) times on the sample less one value, so it costs len(xs)^2 and suits
// samples of up to some ten thousand. It needs at least two values. For
// statistics that are not smooth, such as quantiles, prefer [Bootstrap].
func BootstrapBCa(xs []float64, stat func([]float64) float64, n int, level float64, src rand.Source) (lo, hi float64, err error) {
	const op = "bca bootstrap"
	if err := check(op, xs, 2); err != nil {
		return 0, 0, err
	}
	draws, err := redraw(op, xs, stat, n, level, src)
	if err != nil {
		return 0, 0, err
	}
	whole, err := call(op, stat, slices.Clone(xs))
	if err != nil {
		return 0, 0, err
	}
	accel, err := acceleration(op, xs, stat)
	if err != nil {
		return 0, 0, err
	}
	// The bias is where the statistic of the sample lies among the draws, as a
	// normal deviate; draws equal to it count half. A share of 0 or 1 would make
	// it infinite, so it is held half a draw away from the ends.
	below := 0.0
	for _, d := range draws {
		if d < whole {
			below++
		} else if d == whole {
			below += 0.5
		}
	}
	share := min(max(below, 0.5), float64(n)-0.5) / float64(n)
	bias := distuv.UnitNormal.Quantile(share)
	z := distuv.UnitNormal.Quantile((1 - level) / 2)
	return quantileSorted(draws, shifted(bias, accel, z)),
		quantileSorted(draws, shifted(bias, accel, -z)), nil
}

// shifted returns the quantile that BCa reads in place of the one at the normal
// deviate z.
func shifted(bias, accel, z float64) float64 {
	w := bias + z
	d := 1 - accel*w
	if d <= 0 { // beyond the pole of the correction: the far end
		if w > 0 {
			return 1
		}
		return 0
	}
	return distuv.UnitNormal.CDF(bias + w/d)
}

// acceleration estimates how fast the standard error of stat changes with its
// value, from the skewness of the statistic over the sample less one value.
func acceleration(op string, xs []float64, stat func([]float64) float64) (float64, error) {
	jack := make([]float64, len(xs))
	scratch := make([]float64, 0, len(xs))
	for i := range xs {
		scratch = append(append(scratch[:0], xs[:i]...), xs[i+1:]...)
		v, err := call(op, stat, scratch)
		if err != nil {
			return 0, err
		}
		jack[i] = v
	}
	center := mean(jack)
	// Scaling by the largest distance keeps the powers in range.
	scale := max(floats.Max(jack)-center, center-floats.Min(jack))
	if !(scale > 0) {
		return 0, nil // no value moves the statistic
	}
	var m2, m3 float64
	for _, v := range jack {
		d := (center - v) / scale
		m2 += d * d
		m3 += d * d * d
	}
	a := m3 / (6 * m2 * math.Sqrt(m2))
	return a, finite(op, a)
}

// redraw returns the statistic of n samples drawn with replacement from xs, in
// ascending order.
func redraw(op string, xs []float64, stat func([]float64) float64, n int, level float64, src rand.Source) ([]float64, error) {
	if err := check(op, xs, 1); err != nil {
		return nil, err
	}
	if err := checkLevel(op, level); err != nil {
		return nil, err
	}
	if stat == nil {
		return nil, errors.New(op + ": no statistic: want a function of a sample, such as that of MeanOf")
	}
	if src == nil {
		return nil, errors.New(op + ": no random source: want the caller's own stream")
	}
	if err := checkDraws(op, n, level); err != nil {
		return nil, err
	}
	r := rand.New(src)
	scratch := make([]float64, len(xs))
	draws := make([]float64, n)
	for i := range draws {
		for j := range scratch {
			scratch[j] = xs[r.IntN(len(xs))]
		}
		v, err := call(op, stat, scratch)
		if err != nil {
			return nil, err
		}
		draws[i] = v
	}
	slices.Sort(draws)
	return draws, nil
}

// call runs stat and refuses a result that is not finite.
func call(op string, stat func([]float64) float64, xs []float64) (float64, error) {
	v := stat(xs)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%s: the statistic of a redrawn sample is %v: want a finite number for every sample of these values", op, v)
	}
	return v, nil
}

// MeanOf is the mean as a statistic for [Bootstrap]. Of no values it is NaN.
func MeanOf(xs []float64) float64 {
	if len(xs) == 0 {
		return math.NaN()
	}
	return mean(xs)
}

// QuantileOf returns the p-quantile as a statistic for [Bootstrap]; the
// statistic sorts the slice it is given. Of no values, or with p outside 0 to 1,
// it is NaN.
func QuantileOf(p float64) func([]float64) float64 {
	return func(xs []float64) float64 {
		if len(xs) == 0 || checkFraction(p) != nil {
			return math.NaN()
		}
		slices.Sort(xs)
		return quantileSorted(xs, p)
	}
}
