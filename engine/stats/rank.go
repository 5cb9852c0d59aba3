package stats

import (
	"cmp"
	"slices"
)

// ranked is a value with the place it came from and its rank among all.
type ranked struct {
	x     float64
	first bool // from the first of two samples, or of positive sign
	twice int  // twice its midrank, which is a whole number
}

// rank sorts values and gives each its midrank, from 1 on: values that are
// equal share the mean of the ranks that they take up. It returns the sum of
// t^3 - t over the groups of t equal values, which the tie corrections of the
// normal approximations need, and is 0 if no two values are equal.
func rank(rs []ranked) (ties float64) {
	slices.SortFunc(rs, func(a, b ranked) int { return cmp.Compare(a.x, b.x) })
	for i := 0; i < len(rs); {
		j := i + 1
		for j < len(rs) && rs[j].x == rs[i].x {
			j++
		}
		for k := i; k < j; k++ {
			rs[k].twice = i + 1 + j // the ranks i+1 to j
		}
		t := float64(j - i)
		ties += t*t*t - t
		i = j
	}
	return ties
}

// tails is the probability of a value at least as far out as the observed one,
// on the nearer side twice, out of the counts of each value of a statistic.
func tails(counts []float64, at int) float64 {
	var below, above, all float64
	for i, c := range counts {
		all += c
		if i <= at {
			below += c
		}
		if i >= at {
			above += c
		}
	}
	return min(1, 2*min(below, above)/all)
}
