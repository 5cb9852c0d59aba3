package stats

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestHistogram(t *testing.T) {
	h, err := Histogram([]float64{0, 1, 2, 2.5, 4, 4}, 4)
	if err != nil || !slices.Equal(h.Edges, []float64{0, 1, 2, 3, 4}) || !slices.Equal(h.Counts, []int{1, 1, 2, 2}) {
		t.Errorf("linear: %+v, %v", h, err)
	}
	h, err = Histogram([]float64{7, 7}, 2)
	if err != nil || !slices.Equal(h.Edges, []float64{6.5, 7, 7.5}) || !slices.Equal(h.Counts, []int{0, 2}) {
		t.Errorf("equal values: %+v, %v", h, err)
	}
	if h, err = Histogram([]float64{1e17, 1e17}, 5); err != nil {
		t.Errorf("large equal values: %+v, %v", h, err)
	}
	if h, err = Histogram([]float64{1, math.Nextafter(1, 2)}, 10); err == nil {
		t.Errorf("ten bins between neighbours: %+v", h)
	}
	for _, bins := range []int{-1, 0, maxBins + 1} {
		if _, err := Histogram([]float64{1, 2}, bins); err == nil {
			t.Errorf("%d bins accepted", bins)
		}
	}
}

func TestLogHistogram(t *testing.T) {
	h, err := LogHistogram([]float64{0, -5, 1, 5, 50, 500, 1000}, 3)
	if err != nil || h.Under != 2 || !slices.Equal(h.Counts, []int{2, 1, 2}) {
		t.Fatalf("log: %+v, %v", h, err)
	}
	for i, want := range []float64{1, 10, 100, 1000} {
		if !near(h.Edges[i], want, 1e-12) {
			t.Errorf("edge %d = %v, want %v", i, h.Edges[i], want)
		}
	}
	h, err = LogHistogram([]float64{8, 8}, 2)
	if err != nil || h.Edges[0] != 4 || h.Edges[2] != 16 || h.Counts[0]+h.Counts[1] != 2 {
		t.Errorf("equal values: %+v, %v", h, err)
	}
	if _, err := LogHistogram([]float64{0, -1}, 3); err == nil {
		t.Error("no positive value: no error")
	}
}

func TestHistogramOn(t *testing.T) {
	h, err := HistogramOn([]float64{-1, 0, 9, 10, 11, 12}, []float64{0, 1, 10})
	if err != nil || h.Under != 1 || h.Over != 2 || !slices.Equal(h.Counts, []int{1, 2}) {
		t.Errorf("%+v, %v", h, err)
	}
	for _, edges := range [][]float64{nil, {1}, {1, 1}, {2, 1}, {0, math.NaN()}, {0, math.Inf(1)}} {
		if _, err := HistogramOn([]float64{1}, edges); err == nil {
			t.Errorf("edges %v accepted", edges)
		}
	}
}

// Every value is counted once, in the bin whose edges enclose it.
func TestHistogramModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs := sample(1).Draw(t, "xs")
		bins := rapid.IntRange(1, 12).Draw(t, "bins")
		f := rapid.SampledFrom([]func([]float64, int) (Hist, error){Histogram, LogHistogram}).Draw(t, "f")
		h, err := f(xs, bins)
		if err != nil {
			return // too narrow for so many bins, or nothing positive
		}
		want := make([]int, bins)
		out := 0
		for _, x := range xs {
			in := false
			for i := range bins {
				if x >= h.Edges[i] && (x < h.Edges[i+1] || i == bins-1 && x == h.Edges[bins]) {
					want[i]++
					in = true
				}
			}
			if !in {
				out++
			}
		}
		if !slices.Equal(h.Counts, want) || h.Under != out || h.Over != 0 {
			t.Fatalf("%+v, want counts %v and %d under", h, want, out)
		}
	})
}
