package plots

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	"schedrepl/engine/stats"
)

// TestSpreadErrors wants a clear error for each input that the figures about
// distributions and comparisons cannot draw.
func TestSpreadErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	one := func(v ...float64) []Series { return []Series{{Name: "a", Values: v}} }
	hist := func(o Options, v ...float64) error { _, err := Hist(one(v...), o); return err }
	binned := func(o Options, b ...Binned) error { _, err := HistOf(b, o); return err }
	bins := func(edges []float64, counts ...int) Binned {
		return Binned{Name: "a", Hist: stats.Hist{Edges: edges, Counts: counts}}
	}
	box := func(o Options, v ...float64) error { _, err := Box(one(v...), o); return err }
	violin := func(o Options, v ...float64) error { _, err := Violin(one(v...), o); return err }
	scatter := func(o Options, x, y []float64) error {
		_, err := Scatter([]XY{{Name: "a", X: x, Y: y}}, o)
		return err
	}
	many := func(n int) []Series {
		out := make([]Series, n)
		for i := range out {
			out[i].Values = []float64{1, 2}
		}
		return out
	}
	intervals := func(o Options, v, lo, hi float64) error {
		_, err := Intervals(BarData{Categories: []string{"a"}, Series: []BarSeries{{Values: []float64{v}, Lo: []float64{lo}, Hi: []float64{hi}}}}, o)
		return err
	}
	paired := func(o Options, v ...[]float64) error {
		_, err := Paired(Pairs{Variants: []string{"a", "b", "c"}[:len(v)], Values: v}, o)
		return err
	}
	_, manyBoxes := Box(many(100), Options{Orient: OrientUpright})
	_, tooManyBoxes := Box(many(1000), Options{})
	_, manyHists := Hist(many(43), Options{})
	_, manyClouds := Scatter(make([]XY, 8), Options{})
	_, crowded := Hist(many(40), Options{Beside: true, Bins: 100})
	for _, c := range []struct {
		err  error
		want string
	}{
		{hist(Options{}), `hist: series "a": no data`},
		{hist(Options{}, 1, nan), `hist: series "a": value 1 is NaN`},
		{hist(Options{LogX: true}, 0), `value 0 is 0, which a logarithmic axis cannot show: use LogX=false, or Clip=true`},
		{hist(Options{LogX: true, Clip: true}, -1), "hist: no value is above zero"},
		{hist(Options{Bins: 501}, 1), "hist: option Bins is 501: use 1 to 500"},
		{hist(Options{Bins: -1}, 1), "option Bins is -1"},
		{hist(Options{XRange: [2]float64{5, 9}}, 1, 2), "hist: no data: no value lies in a bin"},
		{manyHists, "43 series cannot be told apart: give at most 42"},
		{crowded, "4000 bars are too many to stand side by side: use Beside=false"},
		{binned(Options{}), "hist: no data"},
		{binned(Options{}, bins(nil)), "give at least one bin"},
		{binned(Options{}, bins([]float64{0, 1}, 1, 2)), "2 edges for 2 bins: give 3"},
		{binned(Options{}, bins([]float64{1, 1}, 2)), "edge 1 is 1, not above the one before, 1"},
		{binned(Options{}, bins([]float64{0, inf}, 2)), "edge 1 is +Inf"},
		{binned(Options{}, bins([]float64{0, 1}, -2)), "bin 0 holds -2 values"},
		{binned(Options{LogX: true}, bins([]float64{0, 1}, 2)), "edge 0 is 0, which a logarithmic axis cannot show"},
		{binned(Options{}, bins([]float64{0, 1}, 0)), "no data: no value lies in a bin"},
		{box(Options{}), `box: series "a": no data`},
		{box(Options{}, inf), "box: series \"a\": value 0 is +Inf"},
		{box(Options{LogY: true}, 1, 0), "value 1 is 0, which a logarithmic axis cannot show: use LogY=false, or leave it out"},
		{box(Options{LogX: true}, 1), "box: option LogX has no meaning here"},
		{manyBoxes, "100 series are too many to stand side by side: use OrientLevel"},
		{tooManyBoxes, "1000 series are too many for one figure: give at most"},
		{violin(Options{}), `violin: series "a": no data`},
		{violin(Options{LogY: true}, -1), "value 0 is -1, which a logarithmic axis cannot show"},
		{scatter(Options{}, nil, nil), `scatter: "a": no data`},
		{scatter(Options{}, []float64{1}, nil), "1 x but 0 y"},
		{scatter(Options{}, []float64{nan}, []float64{1}), "no data: give at least one point"},
		{scatter(Options{}, []float64{inf}, []float64{1}), "x 0 is +Inf"},
		{scatter(Options{LogY: true}, []float64{1}, []float64{-1}), "y 0 is -1, which a logarithmic axis cannot show: use LogY=false"},
		{scatter(Options{Fit: true}, []float64{2, 2}, []float64{1, 5}), "no line fits, as all 2 points have the x 2: use Fit=false"},
		{manyClouds, "8 series cannot be told apart: give at most 7"},
		{intervals(Options{}, 1, 2, 1), "intervals: series \"\", category \"a\": lo is 2, above hi, 1"},
		{intervals(Options{}, nan, nan, nan), "intervals: no data: all values are NaN"},
		{intervals(Options{LogY: true}, 1, 0, 2), "lo is 0, which a logarithmic axis cannot show"},
		{intervals(Options{LogY: true, ZeroLine: true}, 1, 1, 2), "a logarithmic axis has no zero"},
		{paired(Options{}, []float64{1}), "paired: 1 variants: give 2 to 12"},
		{paired(Options{}, []float64{1}, []float64{1, 2}), `variant "b" has 2 values but "a" has 1`},
		{paired(Options{}, nil, nil), `variant "a": no data`},
		{paired(Options{}, []float64{nan}, []float64{1}), "value 0 is NaN"},
		{paired(Options{LogY: true}, []float64{0}, []float64{1}), "value 0 is 0, which a logarithmic axis cannot show"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("got error %v, want one with %q", c.err, c.want)
		}
	}
}

// TestSpreadOddData draws what is odd but has a meaning, and wants a figure
// whose text is in place.
func TestSpreadOddData(t *testing.T) {
	one := func(v ...float64) []Series { return []Series{{Values: v, Unit: "ns"}} }
	draw := map[string]func() (*Figure, error){}
	for name, v := range map[string][]float64{
		"one value": {42}, "zero": {0}, "equal": {3e6, 3e6, 3e6, 3e6, 3e6, 3e6}, "negative": {-5, -4, -4, -3, -9, -1},
		"tiny": {3e-300, 4e-300, 5e-300, 4e-300, 3e-300}, "huge": {-1e100, 1e100, 0, 1, 2}, "close": {1e9, 1e9 + 1, 1e9, 1e9, 1e9, 1e9 + 1},
		"mostly equal": {5, 5, 5, 5, 5, 5, 5, 5, 5, 800}, "half": {1, 1, 1, 9, 9, 9},
	} {
		draw["hist of "+name] = func() (*Figure, error) { return Hist(one(v...), Options{}) }
		draw["box of "+name] = func() (*Figure, error) { return Box(one(v...), Options{}) }
		draw["level box of "+name] = func() (*Figure, error) { return Box(one(v...), Options{Orient: OrientLevel}) }
		draw["violin of "+name] = func() (*Figure, error) { return Violin(one(v...), Options{}) }
		draw["scatter of "+name] = func() (*Figure, error) { return Scatter([]XY{{X: v, Y: v}}, Options{}) }
		draw["pairs of "+name] = func() (*Figure, error) {
			return Paired(Pairs{Variants: []string{"a", "b"}, Values: [][]float64{v, v}}, Options{})
		}
		draw["interval of "+name] = func() (*Figure, error) {
			return Intervals(BarData{Categories: []string{long}, Series: []BarSeries{{Values: v[:1], Lo: []float64{slices.Min(v)}, Hi: []float64{slices.Max(v)}}}, Unit: "ns"},
				Options{ZeroLine: true, ValueLabels: true})
		}
		if name == "negative" || name == "zero" || name == "huge" || name == "tiny" {
			continue
		}
		draw["log hist of "+name] = func() (*Figure, error) { return Hist(one(v...), Options{LogX: true, LogY: true}) }
		draw["log box of "+name] = func() (*Figure, error) { return Box(one(v...), Options{LogY: true}) }
		draw["log violin of "+name] = func() (*Figure, error) { return Violin(one(v...), Options{LogY: true}) }
		draw["log scatter of "+name] = func() (*Figure, error) { return Scatter([]XY{{X: v, Y: v}}, Options{LogX: true, LogY: true}) }
	}
	wide := make([]float64, 3000)
	for i := range wide {
		wide[i] = math.Pow10(i%199 - 99)
	}
	draw["hist over 200 decades"] = func() (*Figure, error) { return Hist(one(wide...), Options{LogX: true}) }
	draw["box over 200 decades"] = func() (*Figure, error) { return Box(one(wide...), Options{LogY: true}) }
	draw["cut hist"] = func() (*Figure, error) { return Hist(cdfSeries(), Options{XRange: [2]float64{2e4, 7e4}, Share: true}) }
	draw["cut box"] = func() (*Figure, error) { return Box(cdfSeries(), Options{YRange: [2]float64{2e4, 7e4}}) }
	draw["cut violin"] = func() (*Figure, error) { return Violin(cdfSeries(), Options{YRange: [2]float64{2e4, 7e4}}) }
	draw["box quite outside"] = func() (*Figure, error) { return Box(cdfSeries(), Options{YRange: [2]float64{1e12, 2e12}}) }
	for name, make := range draw {
		f, err := make()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := fault(f); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if f.Data() == nil || f.Data().NumRows() == 0 {
			t.Errorf("%s: no data", name)
		}
	}
}

// TestHistCounts compares the counts with those that one makes value by value,
// over bins that the figure chose.
func TestHistCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := rapid.Bool().Draw(t, "log")
		v := rapid.SliceOfN(rapid.Float64Range(0.001, 5000), 1, 60).Draw(t, "values")
		if rapid.Bool().Draw(t, "whole") {
			for i := range v {
				v[i] = math.Ceil(v[i])
			}
		}
		f, err := Hist([]Series{{Values: v}}, Options{LogX: log, Bins: rapid.IntRange(0, 40).Draw(t, "bins")})
		if err != nil {
			t.Fatal(err)
		}
		d := f.Data()
		sum := 0
		for i := range d.NumRows() {
			from, _ := d.Value(i, "from")
			to, _ := d.Value(i, "to")
			count, _ := d.Value(i, "count")
			want := 0
			for _, x := range v {
				if x >= from.(float64) && (x < to.(float64) || i == d.NumRows()-1 && x == to.(float64)) {
					want++
				}
			}
			if int(count.(int64)) != want {
				t.Fatalf("bin [%v, %v) holds %v, want %d", from, to, count, want)
			}
			sum += want
		}
		if sum != len(v) {
			t.Fatalf("%d of %d values lie in the %d bins", sum, len(v), d.NumRows())
		}
	})
}

// TestTukey compares boxes with hand-made ones.
func TestTukey(t *testing.T) {
	for _, c := range []struct {
		xs      []float64
		lo, hi  float64
		outside int
	}{
		{[]float64{1, 2, 3, 4, 5}, 1, 5, 0},
		{[]float64{1, 2, 3, 4, 90}, 1, 4, 1},
		{[]float64{-80, 1, 2, 3, 4, 5, 90}, 1, 5, 2},
		{[]float64{0, 0, 0, 0, 0, 0, 0, 7}, 0, 0, 1}, // no box: all others are outside
	} {
		b := tukey(c.xs)
		if b.lo != c.lo || b.hi != c.hi || b.outside != c.outside {
			t.Errorf("tukey(%v): whiskers %g and %g, %d outside; want %g, %g, %d", c.xs, b.lo, b.hi, b.outside, c.lo, c.hi, c.outside)
		}
	}
	// Thinning keeps the farthest value at either end, and the density.
	xs := make([]float64, 100000)
	for i := range xs {
		xs[i] = float64(i)
	}
	up, every := thinTail(xs, len(xs)-1)
	down, _ := thinTail(xs, 0)
	if up[len(up)-1] != 99999 || down[0] != 0 || len(up) > maxOutliers+1 || every != len(xs)/maxOutliers {
		t.Errorf("%d values from %g to %g, one in %d", len(up), down[0], up[len(up)-1], every)
	}
	for i := 1; i < len(up); i++ {
		if up[i]-up[i-1] != float64(every) {
			t.Errorf("gap of %g between values %d and %d, want %d", up[i]-up[i-1], i-1, i, every)
		}
	}
}

// TestDensity compares the estimate with the density that the values were
// drawn from, on a linear and a logarithmic axis.
func TestDensity(t *testing.T) {
	n := distuv.Normal{Mu: 4, Sigma: 0.5}
	for _, log := range []bool{false, true} {
		xs := make([]float64, 20001)
		for i := range xs {
			xs[i] = n.Quantile((float64(i) + 0.5) / float64(len(xs)))
			if log {
				xs[i] = math.Exp(xs[i])
			}
		}
		at, width := density(xs, log)
		peak := n.Prob(4)
		for i, x := range at {
			if log {
				x = math.Log(x)
			}
			if got, want := width[i], n.Prob(x)/peak; math.Abs(got-want) > 0.03 {
				t.Fatalf("log %v: density at %g is %g of the largest, want %g", log, x, got, want)
			}
		}
		if at[0] != xs[0] || at[len(at)-1] != xs[len(xs)-1] {
			t.Errorf("log %v: the shape runs from %g to %g, want %g to %g", log, at[0], at[len(at)-1], xs[0], xs[len(xs)-1])
		}
	}
	if at, _ := density([]float64{7, 7, 7, 7, 7}, false); at != nil {
		t.Error("equal values have a density")
	}
}

// TestFit fits lines to points that lie on one.
func TestFit(t *testing.T) {
	for _, c := range []struct {
		logX, logY bool
		y          func(float64) float64
	}{
		{false, false, func(x float64) float64 { return 3 - 2*x }},
		{true, true, func(x float64) float64 { return 5 * x * x }},
		{false, true, func(x float64) float64 { return math.Exp(0.1 * x) }},
		{true, false, func(x float64) float64 { return 2 + math.Log(x) }},
	} {
		var cl cloud
		for x := 1.0; x < 20; x++ {
			cl.x, cl.y = append(cl.x, x), append(cl.y, c.y(x))
		}
		l, err := fitLine("a", cl, Options{LogX: c.logX, LogY: c.logY})
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range []float64{1, 7.5, 30} {
			if got, want := l.at(x), c.y(x); math.Abs(got-want) > 1e-9*math.Abs(want) || l.r2 < 1-1e-9 {
				t.Errorf("logX %v, logY %v: fit at %g is %g, want %g (r² %g)", c.logX, c.logY, x, got, want, l.r2)
			}
		}
	}
}

// TestMillionSamples draws a million values of each kind: neither the time nor
// the size of the file may grow with them without bound.
func TestMillionSamples(t *testing.T) {
	s := []Series{{Name: "a", Values: latencies(1, 1e6, 1e5), Unit: "ns"}}
	xy := XY{Name: "a", X: latencies(1, 1e5, 1), Y: latencies(2, 1e5, 1)}
	rows := func(f *Figure, err error, most int) (*Figure, error) {
		if err == nil && f.Data().NumRows() > most {
			t.Errorf("%s: the data have %d rows", f.kind, f.Data().NumRows())
		}
		return f, err
	}
	for kind, make := range map[string]func() (*Figure, error){
		"cdf":     func() (*Figure, error) { f, err := CDF(s, Options{LogX: true}); return rows(f, err, dataPoints) },
		"hist":    func() (*Figure, error) { f, err := Hist(s, Options{}); return rows(f, err, 60) },
		"box":     func() (*Figure, error) { f, err := Box(s, Options{}); return rows(f, err, 100) },
		"violin":  func() (*Figure, error) { f, err := Violin(s, Options{}); return rows(f, err, 300) },
		"scatter": func() (*Figure, error) { return Scatter([]XY{xy}, Options{LogX: true, LogY: true, Fit: true}) },
	} {
		start := time.Now()
		f, err := make()
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := f.Write(&b, "svg"); err != nil {
			t.Fatal(err)
		}
		took := time.Since(start)
		t.Logf("%s: %v, %d bytes", kind, took, b.Len())
		if b.Len() > 700e3 {
			t.Errorf("%s: the SVG has %d bytes", kind, b.Len())
		}
		if took > 20*time.Second {
			t.Errorf("%s took %v", kind, took)
		}
	}
}

// TestCJK draws names that the font lacks: as code points, which stay apart, and
// Missing tells.
func TestCJK(t *testing.T) {
	f, err := CDF([]Series{{Name: "任务一", Values: []float64{1}}, {Name: "任务二 µ", Values: []float64{2}}}, Options{Title: "🚀 fast"})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := f.Write(&b, "svg"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`>\u4efb\u52a1\u4e00<`, `>\u4efb\u52a1\u4e8c µ<`, `>\U0001f680 fast<`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the figure lacks %s", want)
		}
	}
	if got := f.Missing(); got != "🚀任务一二" {
		t.Errorf("missing %q", got)
	}
	if err := fault(f); err != nil {
		t.Error(err)
	}
	if name, _ := f.Data().Value(0, "series"); name != "任务一" {
		t.Errorf("the data name %q", name)
	}
	f, err = CDF(cdfSeries(), Options{Title: "Größe, µs, Ωμέγα, Ж, …"})
	if err != nil || f.Missing() != "" {
		t.Errorf("missing %q, %v", f.Missing(), err)
	}
}
