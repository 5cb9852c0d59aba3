package plots

import (
	"errors"
	"fmt"
	"math"
	"sort"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"schedrepl/engine/stats"
	"schedrepl/engine/table"
)

// Binned is a named sample that was counted by bins.
type Binned struct {
	Name string
	// Unit is the unit of the edges of the bins, as in Series.
	Unit string
	stats.Hist
}

// size returns the number of values counted.
func (b Binned) size() int {
	n := b.Under + b.Over
	for _, k := range b.Counts {
		n += k
	}
	return n
}

// Hist draws how many values of each series lie in each bin, or with Share
// which part of the series. One series is drawn as bars; several as outlines
// over one another, or with Beside as bars side by side. With LogX the bins
// grow by a constant factor. With LogY an empty bin ends at the bottom.
//
// All series share the bins. With the zero Bins, there are 10 to 60 of a round
// width: near what Freedman and Diaconis advise ("On the histogram as a density
// estimator", 1981: 2 IQR n^-1/3) for the series that wants the widest. A few
// whole numbers that are no times have a bin each. With XRange the bins cover
// it, and the values outside count in the shares but are not drawn.
//
// The errors are those of CDF; LogX takes Clip likewise.
func Hist(series []Series, o Options) (*Figure, error) {
	if err := o.check("hist"); err != nil {
		return nil, err
	}
	samples, names, err := sortSeries("hist", series, maxLines, o.LogX, o.Clip, clipAdvice)
	if err != nil {
		return nil, err
	}
	r := newSpan()
	for _, s := range samples {
		r.addSorted(s.xs)
	}
	if r.lo > r.hi {
		return nil, errors.New("hist: no value is above zero: nothing can be drawn on a logarithmic axis; use LogX=false")
	}
	if o.XRange != [2]float64{} {
		r.lo, r.hi = o.XRange[0], o.XRange[1]
	}
	_, isTime := timeFactor(series[0].Unit)
	edges := edgesFor(samples, r, o, isTime)
	var all []Binned
	for i, s := range samples {
		b := Binned{Name: names[i], Unit: series[i].Unit, Hist: stats.Hist{Edges: edges}}
		at := func(e float64) int { return sort.SearchFloat64s(s.xs, e) }
		last := len(edges) - 1
		first := at(edges[0])
		b.Under = s.left + first
		for k := 1; k <= last; k++ {
			next := at(edges[k])
			if k == last {
				next = at(math.Nextafter(edges[k], math.Inf(1)))
			}
			b.Counts = append(b.Counts, next-first)
			first = next
		}
		b.Over = len(s.xs) - first
		b.Name = s.leftOf(b.Name)
		all = append(all, b)
	}
	return HistOf(all, o)
}

// edgesFor chooses the edges of the bins between the limits of r.
func edgesFor(samples []ordered, r span, o Options, isTime bool) []float64 {
	if r.hi-r.lo <= 1e-12*math.Max(math.Abs(r.lo), math.Abs(r.hi)) || r.hi-r.lo < 1/largest {
		// One bin around the only value, and empty ones beside it.
		if o.LogX {
			const f = 1.1
			return []float64{r.lo / (f * f * f), r.lo / f, r.lo * f, r.lo * f * f * f}
		}
		d := 0.05 * math.Abs(r.lo)
		if d < 1/largest || !isTime && r.lo == math.Trunc(r.lo) && math.Abs(r.lo) < 1e9 {
			d = 0.5
		}
		return []float64{r.lo - 3*d, r.lo - d, r.lo + d, r.lo + 3*d}
	}
	to, from := func(v float64) float64 { return v }, func(v float64) float64 { return v }
	if o.LogX {
		to, from = math.Log10, func(v float64) float64 { return math.Pow(10, v) }
	}
	lo, hi := to(r.lo), to(r.hi)
	if o.Bins > 0 || o.XRange != [2]float64{} && o.LogX {
		n := o.Bins
		if n == 0 {
			n = 30
		}
		edges := make([]float64, n+1)
		for i := range edges {
			edges[i] = from(lo + (hi-lo)*float64(i)/float64(n))
		}
		edges[0], edges[n] = r.lo, r.hi
		return edges
	}
	if !o.LogX && !isTime && hi-lo <= 60 && allWhole(samples) {
		var edges []float64
		for v := lo - 0.5; v <= hi+0.5; v++ {
			edges = append(edges, v)
		}
		return edges
	}
	want := 0.0 // the width that the advice gives, the widest of all series
	for _, s := range samples {
		if len(s.xs) > 0 {
			iqr := to(quantile(s.xs, 0.75)) - to(quantile(s.xs, 0.25))
			want = max(want, 2*iqr*math.Pow(float64(len(s.xs)), -1.0/3))
		}
	}
	want = min(max(want, (hi-lo)/50), (hi-lo)/10)
	m, e := niceStep(want)
	at := func(i float64) float64 { return i * float64(m) * math.Pow10(e) }
	if e < 0 {
		at = func(i float64) float64 { return i * float64(m) / math.Pow10(-e) }
	}
	if o.LogX {
		// A whole number of bins a decade, so that powers of ten are edges.
		per := math.Max(1, math.Round(1/want))
		if want > 1 {
			per = 1 / math.Ceil(want)
		}
		at = func(i float64) float64 { return math.Pow(10, i/per) }
	}
	width := at(1)
	if o.LogX {
		width = math.Log10(at(1))
	}
	first, last := math.Floor(lo/width+1e-9), math.Ceil(hi/width-1e-9)
	var edges []float64
	for i := first; i <= last; i++ {
		edges = append(edges, at(i))
	}
	// Rounding must not leave an end of the data outside.
	n := len(edges) - 1
	edges[0], edges[n] = min(edges[0], r.lo), max(edges[n], r.hi)
	if o.LogX {
		edges[0], edges[n] = max(edges[0], 1/largest), min(edges[n], largest)
	}
	return edges
}

func allWhole(samples []ordered) bool {
	for _, s := range samples {
		for _, x := range s.xs {
			if x != math.Trunc(x) {
				return false
			}
		}
	}
	return true
}

// HistOf is Hist for samples that were counted already. They may have bins of
// their own, unless Beside is set. It is an error if there is no sample or
// value, the edges do not ascend or do not match the counts, a count is
// negative, or an edge is at or below zero with LogX.
func HistOf(all []Binned, o Options) (*Figure, error) {
	f, err := newFigure("hist", o)
	if err != nil {
		return nil, err
	}
	names, err := checkBinned(all, o)
	if err != nil {
		return nil, err
	}
	h := histPlot{all: all, share: o.Share, beside: o.Beside && len(all) > 1, log: o.LogY}
	x, y := newSpan(), newSpan()
	smallest := math.Inf(1)
	for _, b := range all {
		x.addSorted(b.Edges)
		for k := range b.Counts {
			v := h.value(b, k)
			y.add(v)
			if v > 0 {
				smallest = min(smallest, v)
			}
		}
	}
	if y.hi <= 0 {
		return nil, errors.New("hist: no data: no value lies in a bin")
	}
	f.x = axis{label: clean(o.XLabel), unit: clean(all[0].Unit), log: o.LogX, lo: x.lo, hi: x.hi}
	if f.x.label == "" {
		f.x.label = "value"
	}
	if o.XRange != [2]float64{} {
		f.x.lo, f.x.hi = o.XRange[0], o.XRange[1]
	}
	f.y = axis{label: clean(o.YLabel), log: o.LogY, whole: !o.Share}
	if o.Share {
		f.y.unit = "%"
	}
	if f.y.label == "" {
		f.y.label = "count"
		if o.Share {
			f.y.label = "share"
		}
	}
	f.y.fit(0, y.hi, o.YRange)
	if o.LogY {
		f.y.fit(smallest, y.hi, o.YRange)
		if o.YRange == [2]float64{} {
			f.y.lo = min(f.y.lo, smallest/2)
		}
	} else if o.YRange == [2]float64{} {
		f.y.lo = 0
	}
	sw := lineSwatch
	if h.beside {
		sw = fillSwatch
		thick := (f.w - 6*f.th.text) / vg.Length(len(all[0].Counts)*len(all))
		if thick < 1 {
			return nil, fmt.Errorf("hist: %d bars are too many to stand side by side: use Beside=false, or give fewer bins", len(all[0].Counts)*len(all))
		}
	} else if len(all) == 1 {
		sw = fillSwatch
	}
	f.legend = lineLegend(sw, names)
	f.data = func() *table.Table { return h.table(names) }
	f.marks = func(th theme, _ int) []plot.Plotter {
		p := h
		p.th = th
		return []plot.Plotter{p}
	}
	return f.finish(o)
}

// checkBinned finds what cannot be drawn, and returns the cleaned names.
func checkBinned(all []Binned, o Options) ([]string, error) {
	if len(all) == 0 {
		return nil, errors.New("hist: no data: give at least one series")
	}
	if len(all) > maxLines {
		return nil, fmt.Errorf("hist: %d series cannot be told apart: give at most %d", len(all), maxLines)
	}
	names := make([]string, len(all))
	for i, b := range all {
		names[i] = b.Name
	}
	names, err := checkNames("hist", "series", names)
	if err != nil {
		return nil, err
	}
	if err := o.checkBase("hist"); err != nil {
		return nil, err
	}
	for i, b := range all {
		bins := len(b.Counts)
		switch {
		case b.Unit != all[0].Unit:
			return nil, fmt.Errorf("hist: series %q %s but %q %s: give all in one unit", names[i], inUnit(b.Unit), names[0], inUnit(all[0].Unit))
		case bins == 0:
			return nil, fmt.Errorf("hist: series %q: no data: give at least one bin", names[i])
		case bins > maxBins:
			return nil, fmt.Errorf("hist: series %q has %d bins: give at most %d", names[i], bins, maxBins)
		case len(b.Edges) != bins+1:
			return nil, fmt.Errorf("hist: series %q has %d edges for %d bins: give %d", names[i], len(b.Edges), bins, bins+1)
		case b.Under < 0 || b.Over < 0:
			return nil, fmt.Errorf("hist: series %q has %d values below its bins and %d above: give counts from 0 on", names[i], b.Under, b.Over)
		}
		for k, e := range b.Edges {
			switch {
			case undrawable(e, o.LogX):
				return nil, fmt.Errorf("hist: series %q: edge %d is %g: give finite numbers within 1e100", names[i], k, e)
			case o.LogX && e <= 0:
				return nil, fmt.Errorf("hist: series %q: edge %d is %g, which a logarithmic axis cannot show: use LogX=false, or count in bins above zero", names[i], k, e)
			case k > 0 && e <= b.Edges[k-1]:
				return nil, fmt.Errorf("hist: series %q: edge %d is %g, not above the one before, %g: give ascending edges", names[i], k, e, b.Edges[k-1])
			case k < bins && b.Counts[k] < 0:
				return nil, fmt.Errorf("hist: series %q: bin %d holds %d values: give counts from 0 on", names[i], k, b.Counts[k])
			case o.Beside && (bins != len(all[0].Counts) || e != all[0].Edges[k]):
				return nil, fmt.Errorf("hist: series %q has other bins than %q: use Beside=false, or count both in the same", names[i], names[0])
			}
		}
	}
	return names, nil
}

// A histPlot draws all series.
type histPlot struct {
	all           []Binned
	share, beside bool
	log           bool
	th            theme
}

// value returns the height of bin k.
func (p histPlot) value(b Binned, k int) float64 {
	v := float64(b.Counts[k])
	if p.share {
		return 100 * v / math.Max(1, float64(b.size()))
	}
	return v
}

// table lists the bins: series, from, to, count, share.
func (p histPlot) table(names []string) *table.Table {
	var name []string
	var from, to, share []float64
	var count []int
	for i, b := range p.all {
		for k, n := range b.Counts {
			name, count = append(name, names[i]), append(count, n)
			from, to = append(from, b.Edges[k]), append(to, b.Edges[k+1])
			share = append(share, 100*float64(n)/math.Max(1, float64(b.size())))
		}
	}
	var d tidy
	d.text("series", name)
	d.number("from", p.all[0].Unit, from)
	d.number("to", p.all[0].Unit, to)
	d.count("count", count)
	d.number("share", "%", share)
	return d.table("hist")
}

// Plot draws bars or outlines.
func (p histPlot) Plot(c draw.Canvas, plt *plot.Plot) {
	trX, trY := plt.Transforms(&c)
	x := func(v float64) vg.Length { return trX(min(max(v, plt.X.Min), plt.X.Max)) }
	y := func(v float64) vg.Length { return trY(min(max(v, plt.Y.Min), plt.Y.Max)) }
	if p.beside || len(p.all) == 1 {
		p.bars(c, x, y)
		return
	}
	outlines := make([][][]vg.Point, len(p.all))
	for i, b := range p.all {
		outlines[i] = p.outline(b, c.Min.Y, x, y)
		for _, pts := range outlines[i] {
			if len(p.all) <= 4 {
				c.FillPolygon(translucent(lineColour(i)), pts)
			}
		}
	}
	for i, b := range p.all {
		c.StrokeLines(p.th.lineStyle(i), outlines[i]...)
		p.markers(c, i, b, x, y)
	}
}

// outline returns the outline of each stretch of bins that are not empty, from
// the ground up and back: along the ground there is no line, where those of all
// series would cover each other.
func (p histPlot) outline(b Binned, ground vg.Length, x, y func(float64) vg.Length) [][]vg.Point {
	var out [][]vg.Point
	var pts []vg.Point
	for k, n := range b.Counts {
		if n == 0 {
			continue
		}
		left, right, top := x(b.Edges[k]), x(b.Edges[k+1]), y(p.value(b, k))
		if k == 0 || b.Counts[k-1] == 0 {
			pts = []vg.Point{{X: left, Y: ground}}
		}
		pts = append(pts, vg.Point{X: left, Y: top}, vg.Point{X: right, Y: top})
		if k == len(b.Counts)-1 || b.Counts[k+1] == 0 {
			out = append(out, append(pts, vg.Point{X: right, Y: ground}))
		}
	}
	return out
}

// markers puts markers on bins of one outline, at most six, those of the
// neighbours on other bins; empty bins have none.
func (p histPlot) markers(c draw.Canvas, i int, b Binned, x, y func(float64) vg.Length) {
	var filled []int
	for k, n := range b.Counts {
		if n > 0 {
			filled = append(filled, k)
		}
	}
	const most = 6
	every := max(1, len(filled)/most)
	for j := i % every; j < len(filled); j += every {
		k := filled[j]
		q := vg.Point{X: (x(b.Edges[k]) + x(b.Edges[k+1])) / 2, Y: y(p.value(b, k))}
		if x(b.Edges[k]) < x(b.Edges[k+1]) && q.Y > c.Min.Y {
			drawMarker(c, i, lineColour(i), q, p.th.marker)
		}
	}
}

// bars draws a bar for each series in each bin.
func (p histPlot) bars(c draw.Canvas, x, y func(float64) vg.Length) {
	for i, b := range p.all {
		for k := range b.Counts {
			left, right := x(b.Edges[k]), x(b.Edges[k+1])
			if p.beside {
				w := right - left
				pad := 0.08 * w
				each := (w - 2*pad) / vg.Length(len(p.all))
				left += pad + each*vg.Length(i)
				right = left + each
			}
			r := vg.Rectangle{Min: vg.Point{X: left, Y: c.Min.Y}, Max: vg.Point{X: right, Y: y(p.value(b, k))}}
			switch {
			case b.Counts[k] == 0 || r.Max.Y <= r.Min.Y || right <= left:
			case right-left < 2.5:
				fillRect(c, fillColour(i), r)
			default:
				p.th.hatchedRect(c, i, r)
			}
		}
	}
}
