package plots

import (
	"fmt"
	"math"

	"schedrepl/engine/stats"
)

// strip returns n values drawn evenly from [lo, hi).
func strip(seed uint64, n int, lo, hi float64) []float64 {
	r := noise(seed)
	v := make([]float64, n)
	for i := range v {
		v[i] = lo + (hi-lo)*r.Float64()
	}
	return v
}

// twoModes returns latencies of which a third are ten times as long.
func twoModes(seed uint64, n int) []float64 {
	v := latencies(seed, n, 30e3)
	for i := range v {
		v[i] = math.Pow(v[i]/30e3, 0.4) * 30e3
		if i%3 == 0 {
			v[i] *= 10
		}
	}
	return v
}

func boxSeries() []Series {
	s := append(cdfSeries(), Series{Name: "two modes", Values: twoModes(9, 4000), Unit: "ns"})
	return append(s, Series{Name: "three runs", Values: []float64{20e3, 31e3, 90e3}, Unit: "ns"},
		Series{Name: "constant", Values: []float64{5e4, 5e4, 5e4, 5e4, 5e4, 5e4}, Unit: "ns"})
}

// clouds returns points whose y grows with x.
func clouds(n int) []XY {
	var out []XY
	for k, name := range []string{"CFS", "EEVDF", "SCHED_RR"} {
		r := noise(uint64(40 + k))
		s := XY{Name: name, XUnit: "", YUnit: "ns"}
		for range n {
			x := 1 + 63*r.Float64()
			s.X = append(s.X, x)
			s.Y = append(s.Y, (2+float64(k))*1e5*x*math.Exp(0.35*r.NormFloat64()))
		}
		out = append(out, s)
	}
	return out
}

// pairs returns run times of the same seeds, most of which fall.
func pairs(n int) Pairs {
	r := noise(50)
	p := Pairs{Variants: []string{"before", "after"}, Values: make([][]float64, 2), Unit: "ns"}
	for range n {
		a := 90e6 * math.Exp(0.25*r.NormFloat64())
		p.Values[0] = append(p.Values[0], a)
		p.Values[1] = append(p.Values[1], a*(0.85+0.15*r.NormFloat64()))
	}
	return p
}

func differences() BarData {
	return BarData{
		Categories: []string{"mean latency", "p99 latency", "p99.9 latency", "run time of make", "context switches"},
		Unit:       "%",
		Series: []BarSeries{{
			Values: []float64{-12.1, -31.5, 4, 0.8, math.NaN()},
			Lo:     []float64{-14.6, -44, -21, -0.4, math.NaN()},
			Hi:     []float64{-9.2, -18, 29, 1.9, math.NaN()},
		}},
	}
}

// spreadSamples are the samples of figures about distributions and
// comparisons.
func spreadSamples() []sample {
	return []sample{
		{"hist_one", func() (*Figure, error) {
			return Hist([]Series{{Values: twoModes(9, 4000), Unit: "ns"}}, Options{Title: "Wakeup latency", XLabel: "latency", LogX: true})
		}},
		{"hist_outlines", func() (*Figure, error) {
			return Hist(cdfSeries()[:3], Options{XLabel: "latency", LogX: true, Share: true})
		}},
		{"hist_many", func() (*Figure, error) {
			var s []Series
			for i := range 9 {
				s = append(s, Series{Name: fmt.Sprintf("variant %d", i), Values: latencies(uint64(i), 800, 2e4*math.Pow(1.6, float64(i))), Unit: "ns"})
			}
			return Hist(s, Options{XLabel: "latency", LogX: true, Size: Double})
		}},
		{"hist_beside", func() (*Figure, error) {
			s := []Series{{Name: "CFS", Values: strip(1, 300, 0, 90)}, {Name: "EEVDF", Values: strip(2, 500, 20, 70)}, {Name: "RR", Values: strip(3, 300, 40, 99)}}
			return Hist(s, Options{XLabel: "run queue", Beside: true, Bins: 10})
		}},
		{"hist_whole_log", func() (*Figure, error) {
			v := make([]float64, 5000)
			r := noise(4)
			for i := range v {
				v[i] = math.Floor(r.ExpFloat64() * 2)
			}
			return Hist([]Series{{Values: v}}, Options{XLabel: "tasks waiting", LogY: true})
		}},
		{"hist_equal", func() (*Figure, error) {
			return Hist([]Series{{Name: "a", Values: []float64{4e6, 4e6, 4e6}, Unit: "ns"}}, Options{})
		}},
		{"hist_binned", func() (*Figure, error) {
			return HistOf([]Binned{
				{Name: "mail", Unit: "ms", Hist: stats.Hist{Edges: []float64{0, 1, 2, 5, 10}, Counts: []int{3, 9, 4, 1}}},
				{Name: "model", Unit: "ms", Hist: stats.Hist{Edges: []float64{0, 2, 4, 6}, Counts: []int{7, 6, 2}}},
			}, Options{XLabel: "latency"})
		}},
		{"box_log", func() (*Figure, error) {
			return Box(boxSeries(), Options{Title: "Wakeup latency", YLabel: "latency", LogY: true, Size: Double})
		}},
		{"box_linear", func() (*Figure, error) {
			return Box(boxSeries()[:4], Options{YLabel: "latency", Title: "Wakeup latency"})
		}},
		{"box_long_names", func() (*Figure, error) {
			s := boxSeries()
			for i := range s {
				s[i].Name = fmt.Sprintf("%s/%d", long, i)
			}
			return Box(s, Options{YLabel: "latency", LogY: true})
		}},
		{"box_forty", func() (*Figure, error) {
			var s []Series
			for i := range 40 {
				s = append(s, Series{Name: fmt.Sprintf("CPU %d", i), Values: latencies(uint64(i), 300, 3e4+1e3*float64(i)), Unit: "ns"})
			}
			return Box(s, Options{YLabel: "latency", LogY: true})
		}},
		{"box_upright_forty", func() (*Figure, error) {
			var s []Series
			for i := range 40 {
				s = append(s, Series{Name: fmt.Sprintf("%d", i), Values: latencies(uint64(i), 3000, 3e4+1e3*float64(i)), Unit: "ns"})
			}
			return Box(s, Options{YLabel: "latency", XLabel: "CPU", LogY: true, Size: Double, Orient: OrientUpright})
		}},
		{"violin_log", func() (*Figure, error) {
			return Violin(boxSeries(), Options{Title: "Wakeup latency", YLabel: "latency", LogY: true, Size: Double})
		}},
		{"violin_linear", func() (*Figure, error) {
			return Violin(boxSeries()[2:5], Options{YLabel: "latency"})
		}},
		{"violin_level", func() (*Figure, error) {
			return Violin(boxSeries(), Options{YLabel: "latency", LogY: true, Orient: OrientLevel})
		}},
		{"scatter_few", func() (*Figure, error) {
			return Scatter(clouds(40), Options{Title: "Latency by load", XLabel: "tasks", YLabel: "latency", Fit: true})
		}},
		{"scatter_many", func() (*Figure, error) {
			return Scatter(clouds(100000)[:2], Options{XLabel: "tasks", YLabel: "latency", LogX: true, LogY: true, Fit: true})
		}},
		{"scatter_some", func() (*Figure, error) {
			return Scatter(clouds(1000), Options{XLabel: "tasks", YLabel: "latency", LogY: true, Size: Double, Legend: LegendRight})
		}},
		{"intervals_zero", func() (*Figure, error) {
			return Intervals(differences(), Options{Title: "Autogroup on against off", YLabel: "change", ZeroLine: true, ValueLabels: true})
		}},
		{"intervals_series", func() (*Figure, error) {
			d := barData(true)
			d.Categories[2] = long
			return Intervals(d, Options{YLabel: "run time"})
		}},
		{"paired_two", func() (*Figure, error) {
			return Paired(pairs(30), Options{Title: "Run time of 30 seeds", YLabel: "run time"})
		}},
		{"paired_many", func() (*Figure, error) {
			p := pairs(5000)
			p.Variants = append(p.Variants, "after, no preempt")
			p.Values = append(p.Values, p.Values[1])
			return Paired(p, Options{YLabel: "run time", LogY: true})
		}},
	}
}
