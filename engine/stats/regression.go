package stats

import (
	"fmt"
	"math"
)

// CorrelationResult is the outcome of [Correlation] and [RankCorrelation].
type CorrelationResult struct {
	N      int
	R      float64 // -1 to 1
	Lo, Hi float64 // interval of R; NaN for fewer than four pairs
	P      float64 // two-sided, of R being 0; NaN for two pairs
}

// Correlation returns Pearson's correlation of pairs: how close they lie to a
// straight line. The interval is by Fisher's transformation (1921), P by
// Student's t; both are meant for normal values. It needs two pairs, and is an
// error if one side does not vary.
func Correlation(xs, ys []float64, level float64) (CorrelationResult, error) {
	return correlation("correlation", xs, ys, level, 1)
}

// RankCorrelation returns Spearman's correlation, that of the ranks: how close
// the pairs lie to any rising line. The interval is Fisher's with the variance
// of Bonett and Wright (Sample size requirements for estimating Pearson, Kendall
// and Spearman correlations, 2000), P by Student's t; both are approximations
// that want ten pairs or more. Equal values share their ranks.
func RankCorrelation(xs, ys []float64, level float64) (CorrelationResult, error) {
	const op = "rank correlation"
	if err := samePairs(op, xs, ys, 2); err != nil {
		return CorrelationResult{}, err
	}
	rx, ry := midranks(xs), midranks(ys)
	r := pearson(rx, ry)
	return correlation(op, rx, ry, level, 1+r*r/2)
}

// midranks are the ranks of values, in their places.
func midranks(xs []float64) []float64 {
	x, p, _ := CDF(xs) // checked before
	n := float64(len(xs))
	rank := make(map[float64]float64, len(x))
	before := 0.0
	for i := range x {
		upto := math.Round(p[i] * n)
		rank[x[i]] = (before + 1 + upto) / 2
		before = upto
	}
	out := make([]float64, len(xs))
	for i, v := range xs {
		out[i] = rank[v]
	}
	return out
}

// correlation is Correlation with the variance of Fisher's transform taken
// times a factor.
func correlation(op string, xs, ys []float64, level, factor float64) (CorrelationResult, error) {
	if err := samePairs(op, xs, ys, 2); err != nil {
		return CorrelationResult{}, err
	}
	if err := checkLevel(op, level); err != nil {
		return CorrelationResult{}, err
	}
	c := CorrelationResult{N: len(xs), R: pearson(xs, ys), Lo: math.NaN(), Hi: math.NaN(), P: math.NaN()}
	if math.IsNaN(c.R) {
		return CorrelationResult{}, fmt.Errorf("%s: all values of one side are equal, or too large: want values that vary on both sides", op)
	}
	n := float64(c.N)
	if c.N > 2 {
		c.P = 0
		if rest := 1 - c.R*c.R; rest > 0 {
			c.P = studentTails(c.R*math.Sqrt((n-2)/rest), n-2)
		}
	}
	if c.N > 3 {
		z := math.Atanh(c.R) // infinite for 1, of which Tanh makes 1 again
		half := normalReach(level) * math.Sqrt(factor/(n-3))
		c.Lo, c.Hi = math.Tanh(z-half), math.Tanh(z+half)
	}
	return c, nil
}

// pearson is the correlation of a checked sample, NaN where one side does not
// vary. Deviations are scaled to keep the squares in range.
func pearson(xs, ys []float64) float64 {
	mx, my := mean(xs), mean(ys)
	scale := func(v []float64, m float64) (s float64) {
		for _, x := range v {
			s = max(s, math.Abs(x-m))
		}
		return s
	}
	kx, ky := scale(xs, mx), scale(ys, my)
	if kx == 0 || ky == 0 || std(xs) == 0 || std(ys) == 0 {
		return math.NaN()
	}
	var sxx, syy, sxy float64
	for i := range xs {
		dx, dy := (xs[i]-mx)/kx, (ys[i]-my)/ky
		sxx += dx * dx
		syy += dy * dy
		sxy += dx * dy
	}
	return max(-1, min(1, sxy/math.Sqrt(sxx*syy)))
}

// RegressionResult is the outcome of [Regression]. Intercept has the unit of y,
// Slope that of y over that of x.
type RegressionResult struct {
	N                           int
	Slope, SlopeLo, SlopeHi     float64
	Intercept, InterLo, InterHi float64
	R2                          float64 // share of the variance of y that the line explains, 0 to 1
	P                           float64 // two-sided, of the slope being 0; NaN for two points
	Std                         float64 // of what is left of y, with n-2 degrees of freedom
}

// Regression fits y = Intercept + Slope x by least squares. The intervals are by
// Student's t with n-2 degrees of freedom: they want independent, normal
// residuals of one spread, and are NaN for two points. The x must vary; of equal
// y, R2 is 1.
func Regression(xs, ys []float64, level float64) (RegressionResult, error) {
	const op = "regression"
	if err := samePairs(op, xs, ys, 2); err != nil {
		return RegressionResult{}, err
	}
	if err := checkLevel(op, level); err != nil {
		return RegressionResult{}, err
	}
	mx, my := mean(xs), mean(ys)
	var sxx, sxy, syy float64
	for i := range xs {
		dx, dy := xs[i]-mx, ys[i]-my
		sxx += dx * dx
		sxy += dx * dy
		syy += dy * dy
	}
	if std(xs) == 0 || sxx == 0 {
		return RegressionResult{}, fmt.Errorf("%s: all x are %v: want values that vary", op, xs[0])
	}
	r := RegressionResult{N: len(xs), Slope: sxy / sxx, P: math.NaN()}
	r.Intercept = my - r.Slope*mx
	if err := finite(op, r.Slope+r.Intercept+sxx+syy); err != nil {
		return RegressionResult{}, err
	}
	var rest float64
	for i := range xs {
		e := ys[i] - my - r.Slope*(xs[i]-mx)
		rest += e * e
	}
	r.R2 = 1
	if syy > 0 {
		r.R2 = max(0, 1-rest/syy)
	}
	n := float64(r.N)
	if r.N == 2 {
		r.SlopeLo, r.SlopeHi, r.InterLo, r.InterHi, r.Std = math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN()
		return r, nil
	}
	r.Std = math.Sqrt(rest / (n - 2))
	t := studentQuantile(n-2, level)
	seSlope := r.Std / math.Sqrt(sxx)
	seInter := r.Std * math.Sqrt(1/n+mx*mx/sxx)
	r.SlopeLo, r.SlopeHi = r.Slope-t*seSlope, r.Slope+t*seSlope
	r.InterLo, r.InterHi = r.Intercept-t*seInter, r.Intercept+t*seInter
	switch {
	case seSlope > 0:
		r.P = studentTails(r.Slope/seSlope, n-2)
	case r.Slope == 0:
		r.P = 1
	default:
		r.P = 0
	}
	return r, finite(op, t*(seSlope+seInter))
}
