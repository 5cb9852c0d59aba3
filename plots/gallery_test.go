package plots

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// A sample is one figure that the tests draw. Its name is that of its golden
// image.
type sample struct {
	name string
	make func() (*Figure, error)
}

// long is a name of 60 characters.
const long = "interactive-frontend-worker-of-the-checkout-service/thread-7"

// noise returns a seeded source, so that the figures are the same in each run.
func noise(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// latencies returns n values in ns around scale with a long tail.
func latencies(seed uint64, n int, scale float64) []float64 {
	r := noise(seed)
	v := make([]float64, n)
	for i := range v {
		v[i] = scale * math.Exp(0.8*r.NormFloat64())
	}
	return v
}

func cdfSeries() []Series {
	return []Series{
		{Name: "EEVDF", Values: latencies(1, 20000, 40e3), Unit: "ns"},
		{Name: "CFS", Values: latencies(2, 5000, 70e3), Unit: "ns"},
		{Name: "EEVDF, slice 0.1 ms", Values: latencies(3, 5000, 25e3), Unit: "ns"},
		{Name: "SCHED_RR", Values: latencies(4, 300, 160e3), Unit: "ns"},
	}
}

func barData(interval bool) BarData {
	d := BarData{Categories: []string{"hackbench", "schbench", "web server", "build"}, Unit: "ns"}
	for k, n := range []string{"6.6", "6.12", "6.12, no preempt"} {
		s := BarSeries{Name: n}
		for i := range d.Categories {
			v := float64(1+i)*3e5 + float64(k)*1.4e5
			s.Values = append(s.Values, v)
			if interval {
				s.Lo, s.Hi = append(s.Lo, v*0.9), append(s.Hi, v*1.15)
			}
		}
		d.Series = append(d.Series, s)
	}
	return d
}

func lineData(n int) []XY {
	var out []XY
	for k, name := range []string{"web", "batch", "idle class"} {
		l := XY{Name: name, XUnit: "ns", YUnit: "%"}
		r := noise(uint64(k + 10))
		for i := range n {
			y := 30*float64(k+1) + 6*math.Sin(float64(i)*9/float64(n)+float64(k)) + r.NormFloat64()
			l.X = append(l.X, float64(i)*2e9/float64(n-1))
			l.Y = append(l.Y, y)
			l.Lo, l.Hi = append(l.Lo, y-5), append(l.Hi, y+4)
		}
		if k == 2 {
			l.Lo, l.Hi = nil, nil
		}
		out = append(out, l)
	}
	return out
}

// lanes returns a timeline of segments of about mean ns on each CPU.
func lanes(cpus, each, tasks int, mean float64) []Lane {
	var out []Lane
	for cpu := range cpus {
		l := Lane{Name: fmt.Sprintf("cpu%d", cpu)}
		r := noise(uint64(100 + cpu))
		t := int64(0)
		for range each {
			t += int64(mean * 0.3 * r.ExpFloat64())
			d := int64(mean*r.ExpFloat64()) + 1
			k := min(r.IntN(tasks), r.IntN(tasks))
			l.Segments = append(l.Segments, Segment{Start: t, End: t + d, Task: k, Name: fmt.Sprintf("worker/%d", k)})
			t += d
		}
		out = append(out, l)
	}
	return out
}

func marked(ls []Lane) []Lane {
	for i := range ls {
		for k, s := range ls[i].Segments {
			kind := "wakeup"
			if k%5 == 3 {
				kind = "migration"
			}
			ls[i].Marks = append(ls[i].Marks, Mark{At: s.Start, Kind: kind})
		}
	}
	return ls
}

func cpuNames(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprint(i)
	}
	return out
}

// migrations returns a matrix of counts that fall with distance, in two nodes.
func migrations(n int) Matrix {
	m := Matrix{Rows: cpuNames(n), Cols: cpuNames(n), Name: "migrations"}
	r := noise(7)
	for i := range n {
		row := make([]float64, n)
		for j := range row {
			switch d := i - j; {
			case d == 0:
			case i*2/n == j*2/n:
				row[j] = math.Floor(400 / float64(d*d+1) * (0.5 + r.Float64()))
			case r.IntN(3) == 0:
				row[j] = float64(r.IntN(9))
			}
		}
		m.Values = append(m.Values, row)
	}
	return m
}

// samples are the figures of the golden test: each shape of each kind, and the
// inputs that are hard to lay out.
func samples() []sample {
	return append(append(spreadSamples(), machineSamples()...), []sample{
		{"cdf_log", func() (*Figure, error) {
			return CDF(cdfSeries(), Options{Title: "Wakeup latency", XLabel: "latency", LogX: true})
		}},
		{"cdf_linear", func() (*Figure, error) {
			return CDF(cdfSeries()[:2], Options{XLabel: "wakeup latency"})
		}},
		{"ccdf_loglog", func() (*Figure, error) {
			return CDF(cdfSeries(), Options{XLabel: "latency", LogX: true, LogY: true, CCDF: true, Legend: LegendRight, Size: Double})
		}},
		{"cdf_clipped", func() (*Figure, error) {
			s := cdfSeries()[:2]
			for i := range 1000 {
				s[1].Values[i] = 0
			}
			return CDF(s, Options{LogX: true, Clip: true, XLabel: "latency"})
		}},
		{"cdf_long_names", func() (*Figure, error) {
			s := cdfSeries()
			for i := range s {
				s[i].Name = fmt.Sprintf("%s/%d", long, i)
			}
			return CDF(s, Options{
				Title:  "A title that is much too long for one line of a single column and so has to wrap to a second one",
				XLabel: "a label of an axis that is too long as well, and wraps to a second line",
				LogX:   true,
			})
		}},
		{"cdf_one_point", func() (*Figure, error) {
			return CDF([]Series{{Values: []float64{42}}}, Options{})
		}},
		{"bar_upright", func() (*Figure, error) {
			return Bar(barData(true), Options{Title: "Run time", YLabel: "run time"})
		}},
		{"bar_labels", func() (*Figure, error) {
			return Bar(barData(false), Options{YLabel: "run time", ValueLabels: true})
		}},
		{"bar_two_lines", func() (*Figure, error) {
			d := barData(false)
			d.Categories = []string{"kernel build", "database engine", "web server", "idle gpt"}
			return Bar(d, Options{XLabel: "benchmark", YLabel: "run time", Legend: LegendRight, Size: Double})
		}},
		{"bar_level", func() (*Figure, error) {
			d := barData(true)
			d.Categories = []string{long + "/a", long + "/b", "short", "a name of a few words that is long"}
			d.Series[1].Values[2] = math.NaN()
			return Bar(d, Options{YLabel: "run time", ValueLabels: true})
		}},
		{"bar_negative", func() (*Figure, error) {
			return Bar(BarData{
				Categories: []string{"web", "batch", "build"}, Unit: "%",
				Series: []BarSeries{{Values: []float64{4.2, -7.5, 1}, Lo: []float64{3, -9, 0}, Hi: []float64{5, -6, 2}}},
			}, Options{YLabel: "change", ValueLabels: true})
		}},
		{"bar_log", func() (*Figure, error) {
			return Bar(BarData{
				Categories: []string{"p50", "p90", "p99", "p99.9"}, Unit: "ns",
				Series: []BarSeries{
					{Name: "EEVDF", Values: []float64{4e3, 2e4, 3e5, 4e6}},
					{Name: "CFS", Values: []float64{6e3, 5e4, 9e5, 2e7}},
				},
			}, Options{YLabel: "latency", LogY: true, ValueLabels: true, Size: Double})
		}},
		{"line_band", func() (*Figure, error) {
			return Line(lineData(30), Options{Title: "CPU share", XLabel: "time", YLabel: "share"})
		}},
		{"line_step", func() (*Figure, error) {
			l := lineData(30)
			for i := 12; i < 16; i++ {
				l[0].Y[i], l[0].Lo[i] = math.NaN(), math.NaN()
			}
			return Line(l, Options{XLabel: "time", YLabel: "share", Step: true})
		}},
		{"line_many", func() (*Figure, error) {
			return Line(lineData(100000), Options{XLabel: "time", YLabel: "share", Title: "100,000 points a line"})
		}},
		{"line_slide", func() (*Figure, error) {
			return Line(lineData(12), Options{XLabel: "time", YLabel: "share", Size: Slide, Title: "CPU share", DPI: 80})
		}},
		{"line_offset", func() (*Figure, error) {
			return Line([]XY{{X: []float64{3600e9, 3600e9 + 800, 3600e9 + 1500}, Y: []float64{5e6, 5e6, 5e6}, XUnit: "ns"}},
				Options{XLabel: "time", YLabel: "events"})
		}},
		{"timeline_few", func() (*Figure, error) {
			return Timeline(marked(lanes(4, 12, 6, 3e6)), Options{Title: "Four CPUs"})
		}},
		{"timeline_many", func() (*Figure, error) {
			return Timeline(lanes(8, 4000, 30, 1e6), Options{TopTasks: 5})
		}},
		{"timeline_dense", func() (*Figure, error) {
			return Timeline(lanes(40, 120, 12, 1e6), Options{Size: Double, Legend: LegendRight})
		}},
		{"timeline_names", func() (*Figure, error) {
			ls := lanes(5, 9, 3, 2e6)
			for i := range ls {
				ls[i].Name = fmt.Sprintf("%s/%d", long, i)
				for k := range ls[i].Segments {
					ls[i].Segments[k].Name = fmt.Sprintf("%s/%d", long, ls[i].Segments[k].Task)
				}
			}
			return Timeline(ls, Options{XRange: [2]float64{2e6, 16e6}})
		}},
		{"heat_small", func() (*Figure, error) {
			return Heat(migrations(8), Options{Title: "Migrations", XLabel: "to CPU", YLabel: "from CPU", ValueLabels: true, BlankZero: true})
		}},
		{"heat_log", func() (*Figure, error) {
			m := migrations(64)
			m.Values[5][9] = math.NaN()
			return Heat(m, Options{XLabel: "to CPU", YLabel: "from CPU", LogColour: true})
		}},
		{"heat_names", func() (*Figure, error) {
			m := migrations(5)
			for i := range 5 {
				m.Rows[i] = fmt.Sprintf("%s/%d", long, i)
				m.Cols[i] = fmt.Sprintf("%s/%d", long, i)
			}
			m.Values[1][2] = math.NaN()
			return Heat(m, Options{ValueLabels: true})
		}},
		{"grid", func() (*Figure, error) {
			var ps []*Figure
			add := func(f *Figure, err error) error {
				ps = append(ps, f)
				return err
			}
			if err := add(CDF(cdfSeries(), Options{Title: "latency", XLabel: "latency", LogX: true})); err != nil {
				return nil, err
			}
			if err := add(Bar(barData(true), Options{Title: "run time", YLabel: "run time"})); err != nil {
				return nil, err
			}
			if err := add(Timeline(lanes(4, 30, 6, 3e6), Options{Title: "who ran where"})); err != nil {
				return nil, err
			}
			if err := add(Heat(migrations(16), Options{Title: "migrations", XLabel: "to CPU", YLabel: "from CPU"})); err != nil {
				return nil, err
			}
			return Grid(ps, 2, Options{Size: Double, Title: "Four views of one run"})
		}},
		{"grid_shared", func() (*Figure, error) {
			var ps []*Figure
			for i := range 3 {
				s := cdfSeries()[:3]
				for k := range s {
					s[k].Values = latencies(uint64(i*3+k), 500, 3e4*math.Pow(9, float64(i)))
				}
				f, err := CDF(s, Options{Title: []string{"idle", "half load", "full"}[i], XLabel: "latency"})
				if err != nil {
					return nil, err
				}
				ps = append(ps, f)
			}
			return Grid(ps, 3, Options{Size: Double})
		}},
	}...)
}
