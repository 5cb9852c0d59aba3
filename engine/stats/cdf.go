package stats

import "slices"

// CDF returns the empirical distribution of xs as the corners of its staircase:
// the distinct values x in ascending order, and for each the share p of the
// sample that is at most x. p rises strictly and ends at exactly 1. The two
// slices have equal length, at most len(xs).
func CDF(xs []float64) (x, p []float64, err error) {
	if err := check("cdf", xs, 1); err != nil {
		return nil, nil, err
	}
	x = slices.Clone(xs)
	slices.Sort(x)
	n := len(x)
	p = make([]float64, 0, n)
	k := 0 // corners so far
	for i, v := range x {
		if i+1 < n && x[i+1] == v {
			continue // the corner is at the last of equal values
		}
		x[k] = v
		p = append(p, float64(i+1)/float64(n))
		k++
	}
	return x[:k:k], p, nil
}
