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

// Estimate is a number with an interval that holds the true one, at a level
// that its maker knows. Lo and Hi are NaN where there is no interval.
type Estimate struct {
	Value, Lo, Hi float64
}

// Versus compares two samples that are not paired. Differences are second less
// first, in the unit of the values.
type Versus struct {
	A, B   Summary
	Mean   TTestResult       // of the means, by Welch's test
	Median Estimate          // difference of the medians
	P99    Estimate          // difference of the 99th percentiles; no interval below 100 values
	Ranks  MannWhitneyResult // Super: the probability that a value of the first is the larger
	KS     KSResult
	EffA   float64 // independent values that the first is worth, see [EffectiveN]
	EffB   float64 // and the second
}

// leastP99 is the number of values from which a 99th percentile gets an
// interval: below it, hardly a value lies beyond.
const leastP99 = 100

// Compare compares b with a. Each sample needs two values. The intervals of the
// medians and percentiles are bootstrapped with the given number of draws from
// src, see [QuantileDifference]. All intervals and tests take the values of a
// sample for independent of each other; EffA and EffB tell how far from it they
// are, for values in the order in which they came about.
func Compare(a, b []float64, level float64, draws int, src rand.Source) (Versus, error) {
	var v Versus
	var err error
	if v.Mean, err = TTest(a, b, level); err != nil {
		return Versus{}, err
	}
	if v.A, err = Summarize(a); err != nil {
		return Versus{}, err
	}
	if v.B, err = Summarize(b); err != nil {
		return Versus{}, err
	}
	if v.Median, err = QuantileDifference(a, b, 0.5, level, draws, src); err != nil {
		return Versus{}, err
	}
	v.P99 = Estimate{v.B.P99 - v.A.P99, math.NaN(), math.NaN()}
	if min(len(a), len(b)) >= leastP99 {
		if v.P99, err = QuantileDifference(a, b, 0.99, level, draws, src); err != nil {
			return Versus{}, err
		}
	}
	if v.Ranks, err = MannWhitney(a, b); err != nil {
		return Versus{}, err
	}
	if v.KS, err = KolmogorovSmirnov(a, b); err != nil {
		return Versus{}, err
	}
	if v.EffA, err = EffectiveN(a); err != nil {
		return Versus{}, err
	}
	v.EffB, err = EffectiveN(b)
	return v, err
}

// QuantileDifference returns the difference of the p-quantiles of two
// independent samples, second less first, with its percentile bootstrap
// interval.
//
// A sample need not be redrawn to know a quantile of the redrawn one: that is
// the value whose place is an order statistic of as many uniform places, and
// those are beta distributed. A draw so takes constant time, and samples of
// millions are no more work than their sorting.
func QuantileDifference(a, b []float64, p, level float64, draws int, src rand.Source) (Estimate, error) {
	const op = "quantile difference"
	for _, xs := range [][]float64{a, b} {
		if err := check(op, xs, 1); err != nil {
			return Estimate{}, err
		}
	}
	if err := checkFraction(p); err != nil {
		return Estimate{}, err
	}
	if err := checkDraws(op, draws, level); err != nil {
		return Estimate{}, err
	}
	if src == nil {
		return Estimate{}, errors.New(op + ": no random source: want the caller's own stream")
	}
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	diffs := make([]float64, draws)
	for i := range diffs {
		diffs[i] = redrawnQuantile(b, p, src) - redrawnQuantile(a, p, src)
	}
	slices.Sort(diffs)
	if err := finite(op, floats.Max(diffs)-floats.Min(diffs)); err != nil {
		return Estimate{}, err
	}
	tail := (1 - level) / 2
	return Estimate{
		Value: quantileSorted(b, p) - quantileSorted(a, p),
		Lo:    quantileSorted(diffs, tail), Hi: quantileSorted(diffs, 1-tail),
	}, nil
}

// redrawnQuantile draws the p-quantile of a sample that is redrawn with
// replacement from a sorted one.
func redrawnQuantile(sorted []float64, p float64, src rand.Source) float64 {
	n := len(sorted)
	h := float64(n-1) * p
	i := int(h)
	at := func(u float64) float64 { return sorted[min(n-1, int(u*float64(n)))] }
	// Of n uniform places, the one of rank i+1, and the next above it: the least
	// of the n-i-1 that lie beyond.
	u := distuv.Beta{Alpha: float64(i + 1), Beta: float64(n - i), Src: src}.Rand()
	x := at(u)
	if f := h - float64(i); f > 0 && i < n-1 {
		v := rand.New(src).Float64()
		next := u + (1-u)*(1-math.Pow(v, 1/float64(n-i-1)))
		return lerp(x, at(next), f)
	}
	return x
}

// checkDraws refuses too few draws to put one into each tail.
func checkDraws(op string, n int, level float64) error {
	if err := checkLevel(op, level); err != nil {
		return err
	}
	// The slack keeps 2/(1-0.9) = 20.000000000000004 from asking for 21.
	if least := math.Ceil(2/(1-level) - 1e-6); float64(n) < least {
		return fmt.Errorf("%s: %d draws: a level of %v needs at least %.0f", op, n, level, least)
	}
	return nil
}
