package plots

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"schedrepl/engine/table"
)

// BarData is a table of numbers: one group of bars for each category, one bar
// of the group for each series.
type BarData struct {
	Categories []string
	Series     []BarSeries
	// Unit is the unit of the values; "ns", "us", "ms" and "s" are times, whose
	// axis is drawn in its natural unit.
	Unit string
}

// A BarSeries holds one value for each category.
type BarSeries struct {
	Name string
	// Values has the length of Categories. NaN is a missing bar, written n/a.
	Values []float64
	// Lo and Hi, if not nil, are the ends of an interval drawn as a whisker,
	// and have the length of Values. NaN is no whisker.
	Lo, Hi []float64
}

// Bar draws grouped bars from zero, or from the lower limit of a logarithmic
// axis. Bars stand upright if the names of the categories fit below them and
// lie level otherwise; see Orient. Whichever way they grow, XLabel names the
// categories, and YLabel, YRange and LogY are those of the values.
//
// It is an error if there is no category or series, lengths differ, a number
// is infinite, all are NaN, an interval is upside down, or a number is at or
// below zero with LogY.
func Bar(d BarData, o Options) (*Figure, error) {
	f, err := newFigure("bar", o)
	if err != nil {
		return nil, err
	}
	if err := o.checkBase("bar"); err != nil {
		return nil, err
	}
	cats, names, err := d.check("bar", maxFills, o)
	if err != nil {
		return nil, err
	}
	th := f.th
	n, bars := len(cats), len(cats)*len(d.Series)

	// Upright bars need room for the names and at least three points each.
	inner := f.w - 6*th.text
	level := o.Orient == OrientLevel ||
		o.Orient == OrientAuto && !(namesFit(th.style(th.text), cats, inner) && 0.8*inner/vg.Length(bars) >= 3)
	if thick := 0.8 * inner / vg.Length(bars); !level && thick < 0.5 {
		return nil, fmt.Errorf("bar: %d bars are too many to stand side by side: use OrientLevel, or give fewer", bars)
	}

	r := newSpan()
	for _, s := range d.Series {
		for i, v := range s.Values {
			r.add(v)
			if s.Lo != nil {
				r.add(s.Lo[i])
				r.add(s.Hi[i])
			}
		}
	}
	val := axis{label: clean(o.YLabel), unit: clean(d.Unit), log: o.LogY}
	cat := categories(clean(o.XLabel), cats)
	val.fit(r.lo, r.hi, o.YRange)
	if o.YRange == [2]float64{} {
		if o.LogY { // so that the smallest bar can be seen
			val.lo = min(val.lo, r.lo/2)
		} else {
			pad := 0.05 * (max(r.hi, 0) - min(r.lo, 0))
			val.lo, val.hi = min(r.lo-pad, 0), max(r.hi+pad, 0)
			if r.lo >= 0 {
				val.lo = 0
			}
			if r.hi <= 0 {
				val.hi = 0
			}
			if val.lo == val.hi {
				val.hi = 1
			}
			val.lo, val.hi = toTick(val.lo, val.hi)
		}
	}

	f.legend = lineLegend(fillSwatch, names)
	f.data = func() *table.Table { return d.data("bar", cats, names) }
	bp := barPlot{BarData: d, level: level, labels: o.ValueLabels, val: val}
	if o.ValueLabels && o.YRange == [2]float64{} {
		f.room = bp.headroom
	}
	f.x, f.y = cat, val
	if level {
		f.x, f.y = val, cat
		each := max(1.3*th.text, vg.Length(len(d.Series))*1.2*th.text)
		f.body = max(minBody*th.text, min(each*vg.Length(n), 7.5*vg.Inch), 2.5*vg.Length(bars)) + 3*th.text
	}
	f.marks = func(th theme, _ int) []plot.Plotter {
		b := bp
		b.th = th
		return []plot.Plotter{b}
	}
	return f.finish(o)
}

// check finds what cannot be drawn in a kind of figure that can tell most series
// apart, and returns the cleaned names of categories and series.
func (d BarData) check(kind string, most int, o Options) (cats, names []string, err error) {
	if len(d.Categories) == 0 || len(d.Series) == 0 {
		return nil, nil, fmt.Errorf("%s: no data: give at least one category and one series", kind)
	}
	if len(d.Series) > most {
		return nil, nil, fmt.Errorf("%s: %d series cannot be told apart: give at most %d", kind, len(d.Series), most)
	}
	if cats, err = checkNames(kind, "category", d.Categories); err != nil {
		return nil, nil, err
	}
	for _, s := range d.Series {
		names = append(names, s.Name)
	}
	if names, err = checkNames(kind, "series", names); err != nil {
		return nil, nil, err
	}
	numbers := 0
	for k, s := range d.Series {
		if len(s.Values) != len(cats) {
			return nil, nil, fmt.Errorf("%s: series %q has %d values for %d categories: give one for each, NaN where there is none", kind,
				names[k], len(s.Values), len(cats))
		}
		if (s.Lo == nil) != (s.Hi == nil) || s.Lo != nil && (len(s.Lo) != len(cats) || len(s.Hi) != len(cats)) {
			return nil, nil, fmt.Errorf("%s: series %q has %d lo and %d hi for %d values: give both for each value, or neither", kind,
				names[k], len(s.Lo), len(s.Hi), len(s.Values))
		}
		for i, v := range s.Values {
			all := []float64{v}
			if s.Lo != nil {
				all = append(all, s.Lo[i], s.Hi[i])
				if s.Lo[i] > s.Hi[i] {
					return nil, nil, fmt.Errorf("%s: series %q, category %q: lo is %g, above hi, %g: swap them", kind, names[k], cats[i], s.Lo[i], s.Hi[i])
				}
			}
			for j, x := range all {
				what := [...]string{"value", "lo", "hi"}[j]
				if !math.IsNaN(x) && undrawable(x, o.LogY) {
					return nil, nil, fmt.Errorf("%s: series %q, category %q: %s is %g: give finite numbers within 1e100, or NaN for none", kind, names[k], cats[i], what, x)
				}
				if o.LogY && x <= 0 {
					return nil, nil, fmt.Errorf("%s: series %q, category %q: %s is %g, which a logarithmic axis cannot show: use LogY=false, or NaN for none", kind,
						names[k], cats[i], what, x)
				}
			}
			if !math.IsNaN(v) {
				numbers++
			}
		}
	}
	if numbers == 0 {
		return nil, nil, fmt.Errorf("%s: no data: all values are NaN", kind)
	}
	return cats, names, nil
}

// A barPlot draws all bars.
type barPlot struct {
	BarData
	level  bool // bars grow to the right
	labels bool
	val    axis
	th     theme
}

// barWidth is the part of a category that its bars fill.
const barWidth = 0.8

// valueLabel returns what is written beside a value: three significant digits,
// or so many that values on an axis far from zero differ; those of a time in the
// unit of its axis, which the axis names.
func (a axis) valueLabel(v float64) string {
	if math.IsNaN(v) {
		return "n/a"
	}
	_, isTime := timeFactor(a.unit)
	switch s := a.scale(); {
	case a.log:
	case s.off != 0:
		digits := math.Pow10(2 - int(math.Floor(math.Log10((a.hi-a.lo)*s.mul))))
		return formatLong(math.Round(v*s.mul*digits)/digits) + s.suffix
	case isTime:
		return formatShort(round3(v * s.mul))
	}
	return a.format(round3(v))
}

func round3(v float64) float64 {
	if v == 0 {
		return 0
	}
	p := math.Pow10(2 - int(math.Floor(math.Log10(math.Abs(v)))))
	if math.IsInf(p, 0) || p == 0 {
		return v
	}
	return math.Round(v*p) / p
}

// end returns the farthest drawn value of a bar: its own or that of its
// whisker, on the side away from zero.
func (s BarSeries) end(i int) float64 {
	v := s.Values[i]
	if s.Hi == nil || math.IsNaN(s.Hi[i]) {
		return v
	}
	if v < 0 {
		return min(v, s.Lo[i])
	}
	return max(v, s.Hi[i])
}

// turned tells whether the labels of upright bars have to be turned to fit
// the width of a bar, given their axis and the width of the figure.
func (b barPlot) turned(th theme, val axis, w vg.Length) bool {
	if b.level {
		return false
	}
	st := th.style(th.text)
	slot := w / vg.Length(len(b.Categories)) * barWidth / vg.Length(len(b.Series))
	for _, s := range b.Series {
		for _, v := range s.Values {
			if st.Width(val.valueLabel(v))+0.2*th.text > slot {
				return true
			}
		}
	}
	return false
}

// headroom widens the axis of values so that the labels beyond the bars stay
// inside. Room at one end moves the bars at the other, and may change the unit
// of the labels, hence the rounds.
func (b barPlot) headroom(th theme, x, y axis, w, h vg.Length) (axis, axis) {
	a, length := &y, h
	if b.level {
		a, length = &x, w
	}
	for range 20 {
		up, down := b.overshoot(th, *a, length, b.turned(th, *a, w))
		if up <= 1e-6 && down <= 1e-6 {
			break
		}
		if a.log {
			a.hi *= math.Pow(a.hi/a.lo, up)
		} else {
			d := a.hi - a.lo
			a.hi += d * up
			a.lo -= d * down
		}
	}
	return x, y
}

// overshoot returns by which part of its length an axis has to grow at its
// upper and lower end for the labels there.
func (b barPlot) overshoot(th theme, a axis, length vg.Length, turned bool) (up, down float64) {
	st := th.style(th.text)
	for _, s := range b.Series {
		for i, v := range s.Values {
			if math.IsNaN(v) {
				continue
			}
			need := leading(th.text) + 0.3*th.text
			if b.level || turned {
				need = st.Width(a.valueLabel(v)) + 0.8*th.text
			}
			// More than this, and labels at both ends could not both fit.
			part := min(float64(need/length), 0.45)
			if at := a.norm(s.end(i)); v < 0 {
				down = max(down, (part-at)/(1-part))
			} else {
				up = max(up, (at+part-1)/(1-part))
			}
		}
	}
	return up, down
}

// Plot draws the bars, then the whiskers and labels on top of them.
func (b barPlot) Plot(c draw.Canvas, plt *plot.Plot) {
	trX, trY := plt.Transforms(&c)
	along, across := trY, trX // of values, of categories
	lo, hi := plt.Y.Min, plt.Y.Max
	if b.level {
		along, across, lo, hi = trX, trY, plt.X.Min, plt.X.Max
	}
	base := along(min(max(0, lo), hi))
	if b.val.log {
		base = along(lo)
	}
	val := b.val
	val.lo, val.hi = lo, hi
	n := len(b.Categories)
	width := barWidth / float64(len(b.Series))
	turned := b.turned(b.th, val, c.Max.X-c.Min.X)
	st := b.th.style(b.th.text)
	for k, s := range b.Series {
		for i, v := range s.Values {
			pos := float64(i) - barWidth/2 + width*(float64(k)+0.5)
			if b.level {
				pos = float64(n-1-i) + barWidth/2 - width*(float64(k)+0.5)
			}
			mid := across(pos)
			half := (across(pos+width/2) - across(pos-width/2)) / 2
			end := base
			if !math.IsNaN(v) {
				r := b.rect(base, along(min(max(v, lo), hi)), mid, half)
				b.th.hatchedRect(c, k, r)
				end = along(min(max(s.end(i), lo), hi))
			}
			if s.Lo != nil && !math.IsNaN(s.Lo[i]) && !math.IsNaN(s.Hi[i]) && !math.IsNaN(v) {
				inside := func(v float64) bool { return v >= lo && v <= hi }
				b.whisker(c, along(min(max(s.Lo[i], lo), hi)), along(min(max(s.Hi[i], lo), hi)),
					inside(s.Lo[i]), inside(s.Hi[i]), mid, min(half*0.5, 0.35*b.th.text))
			}
			if roomy := 2*half >= 0.92*b.th.text; roomy && b.labels || math.IsNaN(v) {
				b.write(c, st, val.valueLabel(v), mid, end, v < 0, turned)
			}
		}
	}
	if lo < 0 { // the line that the bars stand on
		p, q := vg.Point{X: c.Min.X, Y: base}, vg.Point{X: c.Max.X, Y: base}
		if b.level {
			p, q = vg.Point{X: base, Y: c.Min.Y}, vg.Point{X: base, Y: c.Max.Y}
		}
		c.StrokeLines(solid(ink, b.th.thin), []vg.Point{p, q})
	}
}

// rect returns the rectangle from from to to along the values, and around mid
// across them.
func (b barPlot) rect(from, to, mid, half vg.Length) vg.Rectangle {
	if from > to {
		from, to = to, from
	}
	if b.level {
		return vg.Rectangle{Min: vg.Point{X: from, Y: mid - half}, Max: vg.Point{X: to, Y: mid + half}}
	}
	return vg.Rectangle{Min: vg.Point{X: mid - half, Y: from}, Max: vg.Point{X: mid + half, Y: to}}
}

// whisker draws an interval, black over white to show on any bar. An end that
// the axis cuts off has no cap.
func (b barPlot) whisker(c draw.Canvas, lo, hi vg.Length, capLo, capHi bool, mid, half vg.Length) {
	lines := [][]vg.Point{{{X: mid, Y: lo}, {X: mid, Y: hi}}}
	if capLo {
		lines = append(lines, []vg.Point{{X: mid - half, Y: lo}, {X: mid + half, Y: lo}})
	}
	if capHi {
		lines = append(lines, []vg.Point{{X: mid - half, Y: hi}, {X: mid + half, Y: hi}})
	}
	if b.level {
		for _, l := range lines {
			for i, p := range l {
				l[i] = vg.Point{X: p.Y, Y: p.X}
			}
		}
	}
	strokeAll(c, solid(contrast(okabeBlack), 3.6*b.th.thin), lines)
	strokeAll(c, solid(okabeBlack, 1.6*b.th.thin), lines)
}

// write puts a label beyond the end of a bar, if there is room for it.
func (b barPlot) write(c draw.Canvas, st draw.TextStyle, s string, mid, end vg.Length, down, turned bool) {
	size := vg.Point{X: st.Width(s), Y: 0.75 * b.th.text}
	if turned {
		size.X, size.Y = size.Y, size.X
	}
	gap := 0.35 * b.th.text
	at := vg.Point{X: mid, Y: end + gap + size.Y/2}
	switch {
	case b.level && down:
		at = vg.Point{X: end - gap - size.X/2, Y: mid}
	case b.level:
		at = vg.Point{X: end + gap + size.X/2, Y: mid}
	case down:
		at.Y = end - gap - size.Y/2
	}
	half := size.Scale(0.5)
	if lo, hi := at.Sub(half), at.Add(half); lo.X < c.Min.X || lo.Y < c.Min.Y || hi.X > c.Max.X || hi.Y > c.Max.Y {
		return
	}
	if turned {
		putUp(c, st, at, s)
	} else {
		put(c, st, at, 0.5, s)
	}
}
