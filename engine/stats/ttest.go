package stats

import (
	"fmt"
	"math"
)

// TTestResult is the outcome of [TTest]. MeanA to Hi have the unit of the
// values.
type TTestResult struct {
	N, M         int
	MeanA, MeanB float64
	Diff         float64 // MeanB - MeanA
	Lo, Hi       float64 // interval of Diff
	T, DF        float64 // NaN where neither sample has a spread
	P            float64 // two-sided; NaN where neither sample has a spread and the means differ
}

// TTest compares the means of two independent samples by Welch's test, which
// does not take the spreads for equal (Welch, 1947; degrees of freedom after
// Satterthwaite, 1946). The interval of the difference, second less first, is
// two-sided at the given level. Each sample needs two values. Of two samples
// without any spread there is no test: the interval is the difference alone, and
// P is 1 if it is 0 and NaN if not.
func TTest(a, b []float64, level float64) (TTestResult, error) {
	const op = "t-test"
	if err := check(op, a, 2); err != nil {
		return TTestResult{}, err
	}
	if err := check(op, b, 2); err != nil {
		return TTestResult{}, err
	}
	if err := checkLevel(op, level); err != nil {
		return TTestResult{}, err
	}
	r := TTestResult{N: len(a), M: len(b), MeanA: mean(a), MeanB: mean(b)}
	r.Diff = r.MeanB - r.MeanA
	n, m := float64(r.N), float64(r.M)
	sa, sb := std(a)/math.Sqrt(n), std(b)/math.Sqrt(m)
	se := math.Hypot(sa, sb)
	if err := finite(op, r.Diff+se); err != nil {
		return TTestResult{}, err
	}
	if constant(se, r.MeanA, r.MeanB) {
		r.Lo, r.Hi, r.T, r.DF, r.P = r.Diff, r.Diff, math.NaN(), math.NaN(), noSpread(r.Diff)
		return r, nil
	}
	// The shares keep the powers in range.
	wa, wb := sa/se, sb/se
	r.DF = 1 / (wa*wa*wa*wa/(n-1) + wb*wb*wb*wb/(m-1))
	half := studentQuantile(r.DF, level) * se
	r.Lo, r.Hi, r.T = r.Diff-half, r.Diff+half, r.Diff/se
	r.P = studentTails(r.T, r.DF)
	return r, finite(op, half)
}

// constant reports whether a standard error is no more than what rounding makes
// of equal values; R's t.test draws the line at the same place.
func constant(se, a, b float64) bool {
	return se <= 10*0x1p-52*max(math.Abs(a), math.Abs(b))
}

// noSpread is the p of a difference without any spread: there is nothing to
// measure it by, unless it is 0.
func noSpread(diff float64) float64 {
	if diff == 0 {
		return 1
	}
	return math.NaN()
}

// samePairs refuses two samples that cannot be pairs.
func samePairs(op string, a, b []float64, need int) error {
	if len(a) != len(b) {
		return fmt.Errorf("%s: %d values against %d: pairs have one value of each for every seed", op, len(a), len(b))
	}
	if err := check(op, a, need); err != nil {
		return err
	}
	return check(op, b, need)
}
