package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// MeanInterval returns the two-sided confidence interval of the mean of xs at
// the given level (0.95 for 95 %), by Student's t with n-1 degrees of freedom:
// mean +- t * std / sqrt(n). It is exact for independent values of a normal
// distribution and good for others once n is a few dozen; means over seeds are
// the intended use. It needs at least two values.
func MeanInterval(xs []float64, level float64) (lo, hi float64, err error) {
	const op = "mean interval"
	if err := check(op, xs, 2); err != nil {
		return 0, 0, err
	}
	if err := checkLevel(op, level); err != nil {
		return 0, 0, err
	}
	n := float64(len(xs))
	// The lower tail keeps its digits for levels near 1, where (1+level)/2 does not.
	t := -distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile((1 - level) / 2)
	m := mean(xs)
	half := t * std(xs) / math.Sqrt(n)
	lo, hi = m-half, m+half
	if err := finite(op, hi-lo); err != nil {
		return 0, 0, err
	}
	return lo, hi, nil
}
