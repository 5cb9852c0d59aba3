package stats

import (
	"math"
	"testing"
)

// The data are those of R's documentation: sleep (Cushny and Peebles, 1905, as
// used by Student in 1908; ?sleep, ?t.test), the examples of ?wilcox.test
// (Hollander and Wolfe, 1973), airquality (?wilcox.test) and cars (Ezekiel,
// 1930; ?cars). The expected numbers are those that R prints for them.
var (
	sleep1 = []float64{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0}
	sleep2 = []float64{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4}

	depressionX = []float64{1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30}
	depressionY = []float64{0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29}

	permeabilityX = []float64{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46}
	permeabilityY = []float64{1.15, 0.88, 0.90, 0.74, 1.21}

	ozoneMay = []float64{41, 36, 12, 18, 28, 23, 19, 8, 7, 16, 11, 14, 18, 14, 34, 6, 30, 11, 1, 11, 4, 32, 23, 45, 115, 37}
	ozoneAug = []float64{39, 9, 16, 78, 35, 66, 122, 89, 110, 44, 28, 65, 22, 59, 23, 31, 44, 21, 9, 45, 168, 73, 76, 118, 84, 85}

	carSpeed = []float64{4, 4, 7, 7, 8, 9, 10, 10, 10, 11, 11, 12, 12, 12, 12, 13, 13, 13, 13, 14, 14, 14, 14, 15, 15,
		15, 16, 16, 17, 17, 17, 18, 18, 18, 18, 19, 19, 19, 20, 20, 20, 20, 20, 22, 23, 24, 24, 24, 24, 25}
	carDist = []float64{2, 10, 4, 22, 16, 10, 18, 26, 34, 17, 28, 14, 20, 24, 28, 26, 34, 34, 46, 26, 36, 60, 80, 20, 26,
		54, 32, 40, 32, 40, 50, 42, 56, 76, 84, 36, 46, 68, 32, 48, 52, 56, 64, 66, 54, 70, 92, 93, 120, 85}
)

func minus(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range out {
		out[i] = a[i] - b[i]
	}
	return out
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestAgainstR(t *testing.T) {
	plain := PairOptions{Level: 0.95, Power: 0.8, Method: Student}
	pair := must(Pair(sleep1, sleep2, plain))
	welch := must(TTest(sleep1, sleep2, 0.95))
	signed := must(Wilcoxon(minus(depressionX, depressionY)))
	mw := must(MannWhitney(permeabilityX, permeabilityY))
	ozone := must(MannWhitney(ozoneMay, ozoneAug))
	line := must(Regression(carSpeed, carDist, 0.95))
	corr := must(Correlation(carSpeed, carDist, 0.95))
	rank := must(RankCorrelation(carSpeed, carDist, 0.95))
	// SciPy's documented ks_2samp data, as the documentation of the Rust crate rv
	// has it: exact p.
	ks := must(KolmogorovSmirnov(
		[]float64{0.95692026, 1.1348812, -0.76579239, -0.58065653, -0.05122393, 0.71598754, 1.39873528, 0.42790527, 1.84580764, 0.64228521},
		[]float64{0.6948678, -0.3741825, 0.36657279, 1.15834174, -0.32421706, -0.38499295, 1.44976991, 0.2504608, -0.53694774, 1.42221993}))
	for _, c := range []struct {
		name           string
		got, want, tol float64
	}{
		// t.test(extra ~ group, data = sleep, paired = TRUE), with the sign turned
		{"paired t", pair.T, 4.0621, 5e-5},
		{"paired p", pair.P, 0.002833, 5e-7},
		{"paired lo", pair.Lo, 0.7001142, 5e-8},
		{"paired hi", pair.Hi, 2.4598858, 5e-8},
		{"paired difference", pair.Diff, 1.58, 1e-12},
		// t.test(extra ~ group, data = sleep)
		{"welch t", welch.T, 1.8608, 5e-5},
		{"welch df", welch.DF, 17.776, 5e-4},
		{"welch p", welch.P, 0.07939, 5e-6},
		{"welch lo", welch.Lo, -0.2054832, 5e-8},
		{"welch hi", welch.Hi, 3.3654832, 5e-8},
		// wilcox.test(x, y, paired = TRUE, alternative = "greater"): V = 40, p = 0.01953
		{"signed ranks V", signed.V, 40, 0},
		{"signed ranks p", signed.P, 2 * 0.01953125, 1e-15},
		// wilcox.test(x, y, alternative = "g"): W = 35, p = 0.1272
		{"rank sum W", mw.U, 35, 0},
		{"rank sum p", mw.P, 2 * 0.1272, 1e-4},
		// wilcox.test(Ozone ~ Month, subset = Month %in% c(5, 8)): W = 127.5, p = 0.0001208
		{"ozone W", ozone.U, 127.5, 0},
		{"ozone p", ozone.P, 0.0001208, 5e-8},
		// summary(lm(dist ~ speed, cars)), confint
		{"slope", line.Slope, 3.9324, 5e-5},
		{"slope lo", line.SlopeLo, 3.096964, 5e-7},
		{"slope hi", line.SlopeHi, 4.767853, 5e-7},
		{"intercept", line.Intercept, -17.5791, 5e-5},
		{"intercept lo", line.InterLo, -31.167850, 5e-7},
		{"intercept hi", line.InterHi, -3.990340, 5e-7},
		{"R2", line.R2, 0.6511, 5e-5},
		{"residual", line.Std, 15.38, 5e-3},
		{"slope p", line.P, 1.49e-12, 5e-15},
		// cor.test(cars$speed, cars$dist)
		{"r", corr.R, 0.8068949, 5e-8},
		{"r lo", corr.Lo, 0.6816422, 5e-8},
		{"r hi", corr.Hi, 0.8862036, 5e-8},
		{"r p", corr.P, 1.49e-12, 5e-15},
		// cor.test(method = "spearman"): rho
		{"rho", rank.R, 0.8303568, 5e-8},
		{"ks D", ks.D, 0.3, 1e-15},
		{"ks p", ks.P, 0.7869297884777761, 1e-13},
		// pkolmogorov: the limit at Kolmogorov's 5 % and 1 % points (Smirnov, 1948)
		{"limit 1.36", kolmogorovTail(1.3581), 0.05, 5e-6},
		{"limit 1.63", kolmogorovTail(1.6276), 0.01, 2e-6},
		{"limit 0.5", kolmogorovTail(0.5), 0.963945, 5e-7},
		// power.t.test(n = 20, delta = 1, sd = 1): power = 0.8689528 (two-sample);
		// power.t.test(power = .90, delta = 1): n = 22.02110
		{"two-sample effect", must(effect("", math.Sqrt(2./20), 38, 0.95, 0.8689528)), 1, 1e-4},
		{"two-sample effect, 22", must(effect("", math.Sqrt(2./22.02110), 2*21.02110, 0.95, 0.9)), 1, 1e-5},
	} {
		if !(math.Abs(c.got-c.want) <= c.tol) {
			t.Errorf("%s is %v, want %v", c.name, c.got, c.want)
		}
	}
	if !mw.Exact || ozone.Exact || !ozone.Ties || !signed.Exact || !ks.Exact {
		t.Errorf("exact: %v %v %v %v", mw, ozone, signed, ks)
	}
}
