package stats

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/floats"
)

// maxBins bounds a histogram, so that a mistyped count is an error instead of a
// machine out of memory.
const maxBins = 1 << 20

// Hist counts a sample by bins. Bin i holds the values from Edges[i] up to but
// not including Edges[i+1]; the last bin holds its upper edge too.
//
// Under + Over + the sum of Counts is the size of the sample.
type Hist struct {
	Edges  []float64 // ascending, one more than there are bins
	Counts []int     // values in each bin
	Under  int       // values below the first edge, or not positive on a log axis
	Over   int       // values above the last edge
}

// Histogram counts xs in bins of equal width from the least value to the
// largest. When all values are equal, the bins span one unit around them.
func Histogram(xs []float64, bins int) (Hist, error) {
	if err := checkBins("histogram", xs, bins); err != nil {
		return Hist{}, err
	}
	lo, hi := floats.Min(xs), floats.Max(xs)
	if lo == hi {
		half := max(0.5, math.Abs(lo)*1e-9)
		lo, hi = lo-half, hi+half
	}
	edges := make([]float64, bins+1)
	for i := range edges {
		edges[i] = lerp(lo, hi, float64(i)/float64(bins))
	}
	edges[bins] = hi
	return HistogramOn(xs, edges)
}

// LogHistogram counts xs in bins whose edges grow by a constant factor, from
// the least positive value to the largest. Zero and negative values have no
// place on a log axis and are counted in Under; a sample without a positive
// value is an error. When all positive values are equal, the bins span a factor
// of two to either side.
func LogHistogram(xs []float64, bins int) (Hist, error) {
	if err := checkBins("log histogram", xs, bins); err != nil {
		return Hist{}, err
	}
	lo, hi := math.Inf(1), 0.0
	for _, x := range xs {
		if x > 0 {
			lo, hi = min(lo, x), max(hi, x)
		}
	}
	if hi == 0 {
		return Hist{}, fmt.Errorf("log histogram: none of the %d values is above 0: use a linear histogram", len(xs))
	}
	if lo == hi {
		lo, hi = max(lo/2, math.SmallestNonzeroFloat64), min(hi*2, math.MaxFloat64)
	}
	la, lb := math.Log(lo), math.Log(hi)
	edges := make([]float64, bins+1)
	for i := range edges {
		edges[i] = math.Exp(lerp(la, lb, float64(i)/float64(bins)))
	}
	edges[0], edges[bins] = lo, hi
	return HistogramOn(xs, edges)
}

// HistogramOn counts xs in the given bins, so that several samples can share
// one axis. edges holds at least two finite, strictly ascending values; the
// result keeps its own copy.
func HistogramOn(xs, edges []float64) (Hist, error) {
	if err := check("histogram", xs, 1); err != nil {
		return Hist{}, err
	}
	if len(edges) < 2 {
		return Hist{}, fmt.Errorf("histogram: %d bin edges: want at least 2", len(edges))
	}
	if err := check("histogram edges", edges, 2); err != nil {
		return Hist{}, err
	}
	bins := len(edges) - 1
	for i := range bins {
		if !(edges[i] < edges[i+1]) {
			return Hist{}, fmt.Errorf("histogram: bin %d of %d would run from %v to %v: want ascending edges, or fewer bins",
				i, bins, edges[i], edges[i+1])
		}
	}
	h := Hist{Edges: slices.Clone(edges), Counts: make([]int, bins)}
	for _, x := range xs {
		switch {
		case x < edges[0]:
			h.Under++
		case x > edges[bins]:
			h.Over++
		default:
			// The bin is one before the first edge that lies above x; at the
			// last edge there is none, and Search returns bins.
			above := sort.Search(bins, func(i int) bool { return edges[i] > x })
			h.Counts[above-1]++
		}
	}
	return h, nil
}

// checkBins refuses a bad sample or a bin count outside 1 to maxBins.
func checkBins(op string, xs []float64, bins int) error {
	if err := check(op, xs, 1); err != nil {
		return err
	}
	if bins < 1 || bins > maxBins {
		return fmt.Errorf("%s: %d bins: want 1 to %d", op, bins, maxBins)
	}
	return nil
}
