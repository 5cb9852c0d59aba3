package metrics

import (
	"slices"
	"testing"

	"schedrepl/engine/event"
)

// What is counted is what is sampled: all at once, or in pieces that are merged.
func TestHistogramsCountSamples(t *testing.T) {
	src := day().rs
	all := From(0, 100)
	for _, c := range []struct {
		name    string
		samples func(Source, Window, Tasks) Samples
		counted func(Source, Window, Tasks) Histogram
	}{
		{"latency", Latency, LatencyHistogram},
		{"waits", Waits, WaitsHistogram},
		{"slices", Slices, SlicesHistogram},
	} {
		s := c.samples(src, all, nil)
		h := c.counted(src, all, nil)
		if s.Len() == 0 || h.Name != s.Name || h.Unit != s.Unit || h.H.N() != int64(s.Len()) {
			t.Errorf("%s: %+v counts %d of %v", c.name, h, h.H.N(), s)
			continue
		}
		sum := 0.0
		for _, x := range s.Values {
			sum += x
		}
		if got, err := h.H.Sum(); err != nil || got != sum {
			t.Errorf("%s: sum %v, %v; want %v", c.name, got, err, sum)
		}
		if hi, err := h.H.Max(); err != nil || hi != slices.Max(s.Values) {
			t.Errorf("%s: max %v, %v of %v", c.name, hi, err, s.Values)
		}
		for cut := range event.Time(102) {
			a := c.counted(src, Window{Since: 0, Until: cut, Now: cut}, nil)
			a.H.Merge(c.counted(src, From(cut, 100), nil).H)
			if a.H.N() != h.H.N() {
				t.Errorf("%s: cut at %d, %d of %d", c.name, cut, a.H.N(), h.H.N())
			}
		}
		if one := c.counted(src, all, Of(9)); one.H.N() != 0 {
			t.Errorf("%s of no task: %d", c.name, one.H.N())
		}
	}
}
