package stats

import "math"

// MannWhitneyResult is the outcome of [MannWhitney].
type MannWhitneyResult struct {
	N, M  int     // values in the first and in the second sample
	U     float64 // pairs in which the first value is the larger, and half of the equal ones; R calls it W
	P     float64 // two-sided
	Super float64 // U / (N M): the probability that a value of the first is the larger, ties halved
	Ties  bool    // some values are equal
	Exact bool    // P is exact, not that of the normal approximation
}

// The numbers of values up to which [MannWhitney] counts all ways in which the
// ranks can fall: each sample below exactRanks without ties, as in R's
// wilcox.test, and both together up to exactTied with ties.
const (
	exactRanks = 50
	exactTied  = 40
)

// MannWhitney tests whether the values of one sample tend to be larger than
// those of another (Mann and Whitney, On a test of whether one of two random
// variables is stochastically larger than the other, 1947; also known as
// Wilcoxon's rank sum test). For small samples P counts all ways in which the
// ranks, shared ones included, can fall; beyond, it is that of the normal
// approximation with corrections for ties and continuity. If all values are
// equal, P is 1. The values of a sample must be independent of each other.
func MannWhitney(xs, ys []float64) (MannWhitneyResult, error) {
	const op = "mann-whitney"
	if err := check(op, xs, 1); err != nil {
		return MannWhitneyResult{}, err
	}
	if err := check(op, ys, 1); err != nil {
		return MannWhitneyResult{}, err
	}
	rs := make([]ranked, 0, len(xs)+len(ys))
	for _, x := range xs {
		rs = append(rs, ranked{x: x, first: true})
	}
	for _, y := range ys {
		rs = append(rs, ranked{x: y})
	}
	ties := rank(rs)
	twice := 0 // twice the rank sum of the first sample
	for _, r := range rs {
		if r.first {
			twice += r.twice
		}
	}
	n, m := len(xs), len(ys)
	least := n * (n + 1) // twice the least rank sum
	nm := float64(n) * float64(m)
	res := MannWhitneyResult{N: n, M: m, U: float64(twice-least) / 2, Ties: ties > 0}
	res.Super = res.U / nm
	switch {
	case ties == 0 && n < exactRanks && m < exactRanks:
		res.Exact = true
		res.P = tails(rankCounts(n, m), (twice-least)/2)
	case ties > 0 && n+m <= exactTied:
		res.Exact = true
		res.P = tails(tiedCounts(rs, n), twice)
	default:
		res.P = rankNormal(res.U, float64(n), float64(m), ties)
	}
	return res, nil
}

// rankCounts is, for each U from 0 to n m, in how many ways the ranks of n and
// m different values give it. The last value belongs to one of the samples:
// c(n, m, u) = c(n-1, m, u-m) + c(n, m-1, u).
func rankCounts(n, m int) []float64 {
	counts := make([][]float64, m+1) // of 0 to m values, and as many of the other sample as the loop has reached
	for j := range counts {
		counts[j] = make([]float64, n*m+1)
		counts[j][0] = 1
	}
	for i := 1; i <= n; i++ {
		clear(counts[0])
		counts[0][0] = 1
		for j := 1; j <= m; j++ {
			for u := i * j; u >= 0; u-- {
				c := counts[j-1][u]
				if u >= j {
					c += counts[j][u-j]
				}
				counts[j][u] = c
			}
		}
	}
	return counts[m]
}

// tiedCounts is, for each value of twice the rank sum of n out of the values,
// in how many ways n can be chosen that have it.
func tiedCounts(rs []ranked, n int) []float64 {
	sum := 0
	for _, r := range rs {
		sum += r.twice
	}
	counts := make([][]float64, n+1)
	for i := range counts {
		counts[i] = make([]float64, sum+1)
	}
	counts[0][0] = 1
	for _, r := range rs {
		for i := n; i > 0; i-- {
			for s := sum; s >= r.twice; s-- {
				counts[i][s] += counts[i-1][s-r.twice]
			}
		}
	}
	return counts[n]
}

// rankNormal is the two-sided p of U by the normal approximation, with the
// continuity correction of half a pair.
func rankNormal(u, n, m, ties float64) float64 {
	all := n + m
	variance := n * m / 12 * (all + 1 - ties/(all*(all-1)))
	if !(variance > 0) {
		return 1 // all values are equal
	}
	return normalTails(max(0, math.Abs(u-n*m/2)-0.5) / math.Sqrt(variance))
}
