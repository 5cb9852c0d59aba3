package plots

import (
	"math"
	"strings"
	"testing"
)

// TestErrors wants a clear error for each input that cannot be drawn.
func TestErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	one := func() *Figure {
		f, err := CDF([]Series{{Values: []float64{1}}}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	cdf := func(o Options, v ...float64) error { _, err := CDF([]Series{{Name: "a", Values: v}}, o); return err }
	line := func(o Options, l XY) error { _, err := Line([]XY{l}, o); return err }
	bar := func(o Options, d BarData) error { _, err := Bar(d, o); return err }
	tl := func(o Options, ls ...Lane) error { _, err := Timeline(ls, o); return err }
	heat := func(o Options, v [][]float64) error {
		_, err := Heat(Matrix{Values: v, Rows: cpuNames(len(v)), Cols: cpuNames(2)}, o)
		return err
	}
	grid := func(ps []*Figure, cols int, o Options) error { _, err := Grid(ps, cols, o); return err }
	seg := func(a, b int64) Lane { return Lane{Segments: []Segment{{Start: a, End: b}}} }

	for _, c := range []struct {
		err  error
		want string
	}{
		{cdf(Options{}), `cdf: series "a": no data`},
		{cdf(Options{}, 1, nan), `cdf: series "a": value 1 is NaN`},
		{cdf(Options{}, inf), `value 0 is +Inf`},
		{cdf(Options{}, 1e300), `value 0 is 1e+300: give finite numbers within 1e100`},
		{cdf(Options{LogX: true}, 1e-300), `value 0 is 1e-300: give finite numbers within 1e100`},
		{cdf(Options{LogX: true}, 1, -3), `value 1 is -3, which a logarithmic axis cannot show: use LogX=false, or Clip=true`},
		{cdf(Options{LogX: true, Clip: true}, -3), "cdf: no value is above zero"},
		{cdf(Options{Size: 9}, 1), "cdf: option Size 9 is unknown: use Column, Double or Slide"},
		{cdf(Options{Legend: 7}, 1), "option Legend 7"},
		{cdf(Options{Orient: -1}, 1), "option Orient -1"},
		{cdf(Options{DPI: 3}, 1), "option DPI is 3: use 50 to 1200"},
		{cdf(Options{Width: nan}, 1), "option Width is NaN inches"},
		{cdf(Options{Height: 1.2}, 1), ""},
		{cdf(Options{Height: 1.1}, 1), "option Height is 1.1 inches, but title, legend and axes need 1.2"},
		{cdf(Options{Height: 1, Title: strings.Repeat(long+" ", 3)}, 1), "option Height is 1 inches, but title, legend and axes need"},
		{cdf(Options{Width: 40, Height: 40, DPI: 1000}, 1), "too large an image"},
		{cdf(Options{XRange: [2]float64{2, 1}}, 1), "option XRange is [2, 1]: the first limit must be below the second"},
		{cdf(Options{XRange: [2]float64{0, nan}}, 1), "option XRange has the limit NaN"},
		{cdf(Options{XRange: [2]float64{0, 1}, LogX: true}, 1), "option XRange starts at 0 on a logarithmic axis"},
		{cdf(Options{Step: true}, 1), "cdf: option Step has no meaning here: it is for line"},
		{line(Options{CCDF: true}, XY{X: []float64{1}, Y: []float64{1}}), "line: option CCDF has no meaning here: it is for cdf"},
		{line(Options{}, XY{}), `line: "": no data`},
		{line(Options{}, XY{X: []float64{1}, Y: []float64{nan}}), "no data"},
		{line(Options{}, XY{X: []float64{1}}), "has 1 x but 0 y"},
		{line(Options{}, XY{X: []float64{1}, Y: []float64{1}, Lo: []float64{1}}), "1 lo and 0 hi"},
		{line(Options{}, XY{X: []float64{1}, Y: []float64{1}, Lo: []float64{2}, Hi: []float64{1}}), "lo 0 is 2, above hi, 1"},
		{line(Options{}, XY{X: []float64{1, 0}, Y: []float64{1, 1}}), "x 1 is 0, below the one before, 1: sort the points by x"},
		{line(Options{}, XY{X: []float64{nan}, Y: []float64{1}}), "x 0 is NaN"},
		{line(Options{}, XY{X: []float64{1}, Y: []float64{-inf}}), "y 0 is -Inf"},
		{line(Options{LogX: true}, XY{X: []float64{0}, Y: []float64{1}}), "x 0 is 0, which a logarithmic axis cannot show"},
		{line(Options{LogY: true}, XY{X: []float64{0}, Y: []float64{-1}}), "y 0 is -1, which a logarithmic axis cannot show"},
		{bar(Options{}, BarData{}), "bar: no data"},
		{bar(Options{}, BarData{Categories: []string{"a"}, Series: []BarSeries{{Values: []float64{nan}}}}), "bar: no data: all values are NaN"},
		{bar(Options{}, BarData{Categories: []string{"a", "a"}, Series: []BarSeries{{Values: []float64{1, 2}}}}), `category 2 has the same name as 1, "a"`},
		{bar(Options{}, BarData{Categories: []string{"a"}, Series: []BarSeries{{Values: []float64{1, 2}}}}), "2 values for 1 categories"},
		{bar(Options{}, BarData{Categories: []string{"a"}, Series: []BarSeries{{Values: []float64{inf}}}}), `category "a": value is +Inf`},
		{bar(Options{LogY: true}, BarData{Categories: []string{"a"}, Series: []BarSeries{{Values: []float64{0}}}}), "value is 0, which a logarithmic axis cannot show"},
		{bar(Options{}, BarData{Categories: []string{"a"}, Series: []BarSeries{{Values: []float64{1}, Lo: []float64{2}, Hi: []float64{1}}}}), "lo is 2, above hi, 1"},
		{bar(Options{Orient: OrientUpright}, BarData{Categories: cpuNames(500), Series: []BarSeries{{Values: make([]float64, 500)}}}), "too many to stand side by side"},
		{tl(Options{}), "timeline: no data"},
		{tl(Options{}, Lane{Name: "cpu0"}, Lane{Name: "cpu1"}), "timeline: no data: give at least one segment"},
		{tl(Options{}, seg(5, 4)), "segment 0 ends at 4 ns, before its start at 5 ns"},
		{tl(Options{}, Lane{Name: "cpu0", Segments: []Segment{{Start: 5, End: 9}, {Start: 1, End: 6}}}), `lane "cpu0": the segment from 5 to 9 ns overlaps that from 1 to 6 ns`},
		{tl(Options{XRange: [2]float64{2e3, 3e3}}, seg(1, 4)), ""},
		{tl(Options{}, Lane{Segments: []Segment{{Start: 1, End: 4, State: 9}}}), "segment 0 has the state 9: use Ran, Waiting, Asleep or Unknown"},
		{tl(Options{TopTasks: 15}, seg(1, 4)), "option TopTasks is 15: use 1 to 14"},
		{tl(Options{LogX: true}, seg(1, 4)), "timeline: option LogX has no meaning here"},
		{heat(Options{}, nil), "heat: no data"},
		{heat(Options{}, [][]float64{{nan, nan}}), "heat: no data: all values are NaN"},
		{heat(Options{}, [][]float64{{1, 2}, {1}}), "row 1 has 1 values, not 2"},
		{heat(Options{}, [][]float64{{1, inf}}), "row 0, column 1 is +Inf"},
		{heat(Options{}, [][]float64{{1, 2, 3}}), "1 row names and 2 column names for 1 rows and 3 columns"},
		{heat(Options{LogColour: true}, [][]float64{{0, -1}}), "heat: no value is above zero"},
		{grid(nil, 1, Options{}), "grid: no data"},
		{grid([]*Figure{nil}, 1, Options{}), "grid: panel 1 is nil"},
		{grid([]*Figure{one()}, 2, Options{}), "grid: 2 columns for 1 panels"},
		{grid([]*Figure{one(), one(), one(), one()}, 4, Options{}), "grid: 4 columns leave 0.8 inches for a panel: use at most 2 columns"},
		{grid([]*Figure{one(), one()}, 1, Options{Height: 1.5}), "grid: option Height is 1.5 inches"},
		{grid([]*Figure{one()}, 1, Options{XLabel: "x"}), "grid: option XLabel has no meaning here"},
	} {
		switch {
		case c.want == "" && c.err != nil:
			t.Errorf("got error %v, want none", c.err)
		case c.want != "" && (c.err == nil || !strings.Contains(c.err.Error(), c.want)):
			t.Errorf("got error %v, want one with %q", c.err, c.want)
		}
	}

	if _, err := CDF([]Series{{Name: "a", Values: []float64{1}, Unit: "ns"}, {Name: "b", Values: []float64{1}}}, Options{}); err == nil {
		t.Error("two units in one figure: no error")
	}
	g, err := Grid([]*Figure{one()}, 1, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := grid([]*Figure{g}, 1, Options{}); err == nil {
		t.Error("a grid in a grid: no error")
	}
}

// TestOddData draws what is odd but has a meaning, and wants a figure whose
// text is in place.
func TestOddData(t *testing.T) {
	nan := math.NaN()
	for name, draw := range map[string]func() (*Figure, error){
		"equal values": func() (*Figure, error) { return CDF([]Series{{Values: []float64{3, 3, 3}}}, Options{}) },
		"equal values on a log axis": func() (*Figure, error) {
			return CDF([]Series{{Values: []float64{3, 3, 3}, Unit: "us"}}, Options{LogX: true, LogY: true})
		},
		"zero":          func() (*Figure, error) { return CDF([]Series{{Values: []float64{0}}}, Options{}) },
		"tiny":          func() (*Figure, error) { return CDF([]Series{{Values: []float64{3e-300, 4e-300}}}, Options{}) },
		"small":         func() (*Figure, error) { return CDF([]Series{{Values: []float64{3e-90, 4e-90}}}, Options{}) },
		"huge":          func() (*Figure, error) { return CDF([]Series{{Values: []float64{-1e100, 1e100}}}, Options{}) },
		"wide log":      func() (*Figure, error) { return CDF([]Series{{Values: []float64{1e-100, 1e100}}}, Options{LogX: true}) },
		"close values":  func() (*Figure, error) { return CDF([]Series{{Values: []float64{1e9, 1e9 + 1}, Unit: "J"}}, Options{}) },
		"negative":      func() (*Figure, error) { return CDF([]Series{{Values: []float64{-5, -4}}}, Options{}) },
		"cut off":       func() (*Figure, error) { return CDF(cdfSeries()[1:2], Options{XRange: [2]float64{1e6, 2e6}}) },
		"cut off above": func() (*Figure, error) { return CDF(cdfSeries()[1:2], Options{YRange: [2]float64{0.9, 1}, LogX: true}) },
		"one point with gaps": func() (*Figure, error) {
			return Line([]XY{{X: []float64{1, 2, 3}, Y: []float64{nan, 2, nan}}}, Options{LogX: true, LogY: true})
		},
		"band without line": func() (*Figure, error) {
			return Line([]XY{{X: []float64{1, 2}, Y: []float64{1, nan}, Lo: []float64{nan, 1}, Hi: []float64{nan, 2}}}, Options{})
		},
		"all zero bars": func() (*Figure, error) {
			return Bar(BarData{Categories: []string{""}, Series: []BarSeries{{Values: []float64{0}}}}, Options{ValueLabels: true})
		},
		"cut bars": func() (*Figure, error) {
			return Bar(barData(true), Options{YRange: [2]float64{0, 1e6}, ValueLabels: true})
		},
		"many bars": func() (*Figure, error) {
			return Bar(BarData{Categories: cpuNames(128), Series: []BarSeries{{Values: make([]float64, 128)}}}, Options{})
		},
		"one nanosecond": func() (*Figure, error) {
			return Timeline([]Lane{{Segments: []Segment{{Start: 5, End: 6}}}}, Options{})
		},
		"late and short": func() (*Figure, error) {
			return Timeline([]Lane{{Segments: []Segment{{Start: 86400e9, End: 86400e9 + 50}}}}, Options{})
		},
		"before boot": func() (*Figure, error) {
			return Timeline([]Lane{{Segments: []Segment{{Start: -50, End: -20}, {Start: -70, End: -60}}}}, Options{})
		},
		"constant matrix": func() (*Figure, error) {
			return Heat(Matrix{Values: [][]float64{{-2, -2}}, Rows: []string{"a"}, Cols: []string{"b", "c"}}, Options{ValueLabels: true})
		},
		"zero matrix": func() (*Figure, error) {
			return Heat(Matrix{Values: [][]float64{{0}}, Rows: []string{""}, Cols: []string{""}}, Options{BlankZero: true})
		},
		"large matrix": func() (*Figure, error) {
			m := Matrix{Rows: cpuNames(1024), Cols: cpuNames(1024), Name: "migrations"}
			for range 1024 {
				m.Values = append(m.Values, make([]float64, 1024))
			}
			return Heat(m, Options{})
		},
	} {
		f, err := draw()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := fault(f); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
