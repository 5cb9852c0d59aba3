package plots

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"schedrepl/engine/stats"
	"schedrepl/engine/table"
)

const (
	// fewValues is the size of a sample below which a box says less than its
	// values, which are drawn instead.
	fewValues = 5
	// maxOutliers bounds the points beyond one whisker.
	maxOutliers = 40
	// boxWidth is the part of a category that a box or violin fills.
	boxWidth = 0.62
)

// Box draws a box for each series (Tukey, "Exploratory Data Analysis", 1977):
// from the lower to the upper quartile with a bar at the median, whiskers to
// the farthest values within one and a half boxes' lengths, and a ring for each
// value beyond. The quartiles are those of package stats (type 7). Under each
// name stands the size of the sample. A sample of less than five values is drawn
// as its values, with a bar at the median.
//
// Of more than 40 values beyond one whisker, the farthest and evenly many of the
// ordered others are drawn, so that the rings are as dense as the values; the
// legend then says so. Rings that many are set off sideways, which means
// nothing.
//
// Boxes stand upright if the names fit below them and lie level otherwise; see
// Orient. Whichever way, YLabel, YRange and LogY are those of the values. It is
// an error if there is no series, a series is empty, a value is NaN or infinite,
// or a value is at or below zero with LogY.
func Box(series []Series, o Options) (*Figure, error) {
	f, b, err := newSpread("box", series, o)
	if err != nil {
		return nil, err
	}
	boxes := make([]box, len(b.samples))
	thinned := 0
	for i, s := range b.samples {
		boxes[i] = tukey(s.xs)
		thinned = max(thinned, boxes[i].every)
	}
	if thinned > 1 {
		f.legend = []entry{{name: fmt.Sprintf("one ring for up to %d values", thinned), swatch: noSwatch}}
	}
	names := b.names
	f.data = func() *table.Table { return boxTable(boxes, names, series[0].Unit) }
	f.marks = func(th theme, _ int) []plot.Plotter {
		return []plot.Plotter{boxPlot{b.with(th), boxes}}
	}
	return f.finish(o)
}

// A spreadPlot is what boxes and violins have in common.
type spreadPlot struct {
	samples []ordered
	names   []string
	level   bool
	th      theme
}

func (b spreadPlot) with(th theme) spreadPlot {
	b.th = th
	return b
}

// newSpread starts a figure of one shape for each series over an axis of
// values.
func newSpread(kind string, series []Series, o Options) (*Figure, spreadPlot, error) {
	var b spreadPlot
	f, err := newFigure(kind, o)
	if err != nil {
		return nil, b, err
	}
	if b.samples, b.names, err = sortSeries(kind, series, 1<<30, o.LogY, false, dropAdvice); err != nil {
		return nil, b, err
	}
	r := newSpan()
	cat := categories(clean(o.XLabel), b.names)
	for _, s := range b.samples {
		r.addSorted(s.xs)
		cat.notes = append(cat.notes, "n "+thousands(s.n))
	}
	val := axis{label: clean(o.YLabel), unit: clean(series[0].Unit), log: o.LogY}
	if val.label == "" {
		val.label = "value"
	}
	val.fit(r.lo, r.hi, o.YRange)

	th, n := f.th, len(b.names)
	inner := f.w - 6*th.text
	const least = 5 // points for a box
	slot := boxWidth * inner / vg.Length(n)
	b.level = o.Orient == OrientLevel ||
		o.Orient == OrientAuto && !(cat.namesFit(th.style(th.text), inner) && slot >= 1.5*least)
	if !b.level && slot < least {
		return nil, b, fmt.Errorf("%s: %d series are too many to stand side by side: use OrientLevel, or give at most %d", kind, n, int(boxWidth*inner/least))
	}
	f.x, f.y = cat, val
	if b.level {
		f.x, f.y = val, cat
		f.body = max(minBody*th.text, min(2.5*th.text*vg.Length(n), 7.5*vg.Inch), least/boxWidth*vg.Length(n)) + 3*th.text
		if f.body > 20*vg.Inch {
			return nil, b, fmt.Errorf("%s: %d series are too many for one figure: give at most %d", kind, n, int(math.Floor(20*72*boxWidth))/least)
		}
	}
	return f, b, nil
}

// sideways returns how to place shapes on a canvas.
func (b spreadPlot) sideways(c *draw.Canvas, plt *plot.Plot) sideways {
	trX, trY := plt.Transforms(c)
	if b.level {
		return sideways{true, trX, trY, plt.X.Min, plt.X.Max, len(b.names)}
	}
	return sideways{false, trY, trX, plt.Y.Min, plt.Y.Max, len(b.names)}
}

// thousands writes a count with commas.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// A box is what is drawn of one sample.
type box struct {
	n       int
	q       [3]float64 // quartiles
	lo, hi  float64    // ends of the whiskers
	below   []float64  // rings below and above, in ascending order
	above   []float64
	outside int       // values beyond the whiskers, drawn or not
	every   int       // one in so many of them is drawn; 1 is all
	values  []float64 // of a small sample, instead of all but the median
}

// tukey computes the box of an ordered sample.
func tukey(xs []float64) box {
	b := box{n: len(xs), every: 1}
	for i := range b.q {
		b.q[i] = quantile(xs, float64(i+1)/4)
	}
	if len(xs) < fewValues {
		b.values = xs
		b.lo, b.hi = xs[0], xs[len(xs)-1]
		return b
	}
	reach := 1.5 * (b.q[2] - b.q[0])
	i, j := 0, len(xs)
	for xs[i] < b.q[0]-reach {
		i++
	}
	for xs[j-1] > b.q[2]+reach {
		j--
	}
	// A whisker never ends inside the box, where an interpolated quartile lies
	// beyond all values near it.
	b.lo, b.hi = min(xs[i], b.q[0]), max(xs[j-1], b.q[2])
	b.outside = i + len(xs) - j
	var down, up int
	b.below, down = thinTail(xs[:i], 0)
	b.above, up = thinTail(xs[j:], len(xs)-j-1)
	b.every = max(down, up)
	return b
}

// thinTail returns at most about maxOutliers of an ordered sample, each of
// which stands for every values, and always the one at keep.
func thinTail(xs []float64, keep int) (out []float64, every int) {
	every = max(1, (len(xs)+maxOutliers-1)/maxOutliers)
	for i := range xs {
		if i%every == keep%every {
			out = append(out, xs[i])
		}
	}
	return out, every
}

// quantile is that of package stats for a sample that is known to be good.
func quantile(xs []float64, p float64) float64 {
	v, err := stats.QuantileSorted(xs, p)
	if err != nil {
		panic("sched: " + err.Error())
	}
	return v
}

// boxTable lists what is drawn of each series: ends, quartiles and outliers.
func boxTable(boxes []box, names []string, unit string) *table.Table {
	var name, mark []string
	var value []float64
	var n []int
	for i, b := range boxes {
		add := func(m string, vs ...float64) {
			for _, v := range vs {
				name, n, mark, value = append(name, names[i]), append(n, b.n), append(mark, m), append(value, v)
			}
		}
		if b.values != nil {
			add("median", b.q[1])
			add("value", b.values...)
			continue
		}
		add("whisker_lo", b.lo)
		add("q1", b.q[0])
		add("median", b.q[1])
		add("q3", b.q[2])
		add("whisker_hi", b.hi)
		add("outlier", b.below...)
		add("outlier", b.above...)
	}
	var d tidy
	d.text("series", name)
	d.count("n", n)
	d.text("mark", mark)
	d.number("value", unit, value)
	return d.table("box")
}

// A boxPlot draws all boxes.
type boxPlot struct {
	spreadPlot
	boxes []box
}

// Plot draws rings, then whiskers, then boxes.
func (p boxPlot) Plot(c draw.Canvas, plt *plot.Plot) {
	s := p.sideways(&c, plt)
	for i, b := range p.boxes {
		mid, half := s.slotOf(i, boxWidth)
		half = min(half, 2*p.th.text)
		if b.values != nil {
			p.th.median(c, s, b.q[1], mid, half)
			p.th.rings(c, s, b.values, mid, half/2, false)
			continue
		}
		p.th.rings(c, s, b.below, mid, half/2, len(b.below) > 8)
		p.th.rings(c, s, b.above, mid, half/2, len(b.above) > 8)
		p.th.whiskers(c, s, b.lo, b.q[0], mid, half/2)
		p.th.whiskers(c, s, b.hi, b.q[2], mid, half/2)
		if s.inside(b.q[0]) || s.inside(b.q[2]) || b.q[0] < s.lo && b.q[2] > s.hi {
			r := s.rect(s.along(s.clamp(b.q[0])), s.along(s.clamp(b.q[2])), mid, half)
			fillRect(c, paleBlue, r)
			p.th.edge(c, r)
		}
		p.th.median(c, s, b.q[1], mid, half)
	}
}

// whiskers draws a line from a value to the box, with a cap if the axis shows
// the value.
func (th theme) whiskers(c draw.Canvas, s sideways, end, box float64, mid, half vg.Length) {
	from, to := s.along(s.clamp(end)), s.along(s.clamp(box))
	lines := [][]vg.Point{{s.at(from, mid), s.at(to, mid)}}
	if s.inside(end) {
		lines = append(lines, s.bar(from, mid, half))
	}
	strokeAll(c, solid(ink, 1.4*th.thin), lines)
}

// median draws the bar at the median.
func (th theme) median(c draw.Canvas, s sideways, v float64, mid, half vg.Length) {
	if s.inside(v) {
		strokeAll(c, solid(okabeVermillion, 1.5*th.line), [][]vg.Point{s.bar(s.along(v), mid, half)})
	}
}

// rings draws values as rings. Where spread is set they are set off sideways
// by multiples of the golden ratio, which fill the width evenly in any order.
func (th theme) rings(c draw.Canvas, s sideways, values []float64, mid, half vg.Length, spread bool) {
	var path vg.Path
	const corners = 12
	r := 0.75 * th.marker
	if spread {
		r = min(max(half/3, 0.4*th.marker), r)
	}
	for k, v := range values {
		if !s.inside(v) {
			continue
		}
		off := 0.0
		if spread {
			_, off = math.Modf(float64(k) * math.Phi)
			off = 2*off - 1
		}
		at := s.at(s.along(v), mid+half*vg.Length(off))
		for j := range corners {
			a := 2 * math.Pi * float64(j) / corners
			q := vg.Point{X: at.X + r*vg.Length(math.Cos(a)), Y: at.Y + r*vg.Length(math.Sin(a))}
			if j == 0 {
				path.Move(q)
			} else {
				path.Line(q)
			}
		}
		path.Close()
	}
	if len(path) > 0 {
		c.SetLineStyle(solid(okabeBlue, th.thin))
		c.Stroke(path)
	}
}
