package stats

import "math"

// WilcoxonResult is the outcome of [Wilcoxon].
type WilcoxonResult struct {
	N     int     // differences
	Zeros int     // differences of exactly 0, which are left out
	Ties  bool    // some of the others are of one size
	V     float64 // sum of the ranks of the positive differences
	P     float64 // two-sided
	Exact bool    // P is exact, not that of the normal approximation
}

// exactSigned is the number of differences up to which [Wilcoxon] counts all
// arrangements of signs; R's wilcox.test has the same bound for its default.
const exactSigned = 50

// Wilcoxon tests by signed ranks whether differences are symmetric around 0
// (Wilcoxon, Individual comparisons by ranking methods, 1945). Differences of 0
// are left out, equal sizes share their ranks. Up to 50 differences that are
// left, P counts all arrangements of signs, with the ranks as they are, so it is
// exact with ties too; beyond, it is that of the normal approximation with
// corrections for ties and continuity. If no difference is left, P is 1.
func Wilcoxon(diffs []float64) (WilcoxonResult, error) {
	if err := check("wilcoxon", diffs, 1); err != nil {
		return WilcoxonResult{}, err
	}
	res := WilcoxonResult{N: len(diffs)}
	rs := make([]ranked, 0, len(diffs))
	for _, d := range diffs {
		if d == 0 {
			res.Zeros++
			continue
		}
		rs = append(rs, ranked{x: math.Abs(d), first: d > 0})
	}
	ties := rank(rs)
	res.Ties = ties > 0
	twice := 0
	for _, r := range rs {
		if r.first {
			twice += r.twice
		}
	}
	res.V = float64(twice) / 2
	if len(rs) <= exactSigned {
		res.Exact = true
		res.P = tails(signedCounts(rs), twice)
		return res, nil
	}
	res.P = signedNormal(res.V, float64(len(rs)), ties)
	return res, nil
}

// signedCounts is, for each value of twice V, in how many arrangements of signs
// it comes up.
func signedCounts(rs []ranked) []float64 {
	sum := 0
	for _, r := range rs {
		sum += r.twice
	}
	counts := make([]float64, sum+1)
	counts[0] = 1
	top := 0
	for _, r := range rs {
		top += r.twice
		for v := top; v >= r.twice; v-- {
			counts[v] += counts[v-r.twice]
		}
	}
	return counts
}

// signedNormal is the two-sided p of V among n differences by the normal
// approximation, with the continuity correction of half a rank.
func signedNormal(v, n, ties float64) float64 {
	d := v - n*(n+1)/4
	sd := math.Sqrt(n*(n+1)*(2*n+1)/24 - ties/48)
	return normalTails(max(0, math.Abs(d)-0.5) / sd)
}
