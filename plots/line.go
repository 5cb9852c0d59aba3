package plots

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"schedrepl/engine/table"
)

// An XY is a named line through points.
type XY struct {
	Name string
	// X and Y are the points. They have one length, and X never decreases. A Y
	// that is NaN is a gap in the line.
	X, Y []float64
	// Lo and Hi, if not nil, are the limits of a band around the line and have
	// the length of X. A NaN is a gap in the band.
	Lo, Hi []float64
	// XUnit and YUnit are the units; "ns", "us", "ms" and "s" are times, whose
	// axis is drawn in its natural unit. All lines of a figure must agree.
	XUnit, YUnit string
}

// Line draws lines, each with its band if it has one. Up to 40 points have a
// marker each; longer lines have some markers along them. With Step a line
// keeps its value until the next x.
//
// Lines may be long: of the points in one pixel column, the first, the lowest,
// the highest and the last are drawn. It is an error if there is no line, a
// line has no finite point, lengths differ, X decreases, a number is infinite,
// or a number is at or below zero on a logarithmic axis.
func Line(lines []XY, o Options) (*Figure, error) {
	f, err := newFigure("line", o)
	if err != nil {
		return nil, err
	}
	if len(lines) == 0 {
		return nil, fmt.Errorf("line: no data: give at least one line")
	}
	if len(lines) > maxLines {
		return nil, fmt.Errorf("line: %d lines cannot be told apart: give at most %d", len(lines), maxLines)
	}
	names := make([]string, len(lines))
	for i, l := range lines {
		names[i] = l.Name
	}
	if names, err = checkNames("line", "line", names); err != nil {
		return nil, err
	}
	xr, yr := newSpan(), newSpan()
	for i, l := range lines {
		if l.XUnit != lines[0].XUnit || l.YUnit != lines[0].YUnit {
			return nil, fmt.Errorf("line: %q has the units %q and %q but %q has %q and %q: give all in one unit",
				names[i], l.XUnit, l.YUnit, names[0], lines[0].XUnit, lines[0].YUnit)
		}
		if err := l.check(names[i], o); err != nil {
			return nil, err
		}
		for k := range l.X {
			if !math.IsNaN(l.Y[k]) {
				xr.add(l.X[k])
				yr.add(l.Y[k])
			}
			if l.Lo != nil {
				xr.add(l.X[k])
				yr.add(l.Lo[k])
				yr.add(l.Hi[k])
			}
		}
	}

	f.x = axis{label: clean(o.XLabel), unit: clean(lines[0].XUnit), log: o.LogX}
	f.y = axis{label: clean(o.YLabel), unit: clean(lines[0].YUnit), log: o.LogY}
	f.x.fit(xr.lo, xr.hi, o.XRange)
	if o.XRange == [2]float64{} && !o.LogX && xr.hi > xr.lo {
		f.x.lo, f.x.hi = xr.lo, xr.hi // a time series fills its axis
	}
	f.y.fit(yr.lo, yr.hi, o.YRange)
	f.legend = lineLegend(lineSwatch, names)
	f.data = func() *table.Table { return lineTable(lines, names) }
	f.marks = func(th theme, dpi int) []plot.Plotter {
		var out []plot.Plotter
		for i, l := range lines {
			out = append(out, bandPlot{l, i, o.Step, dpi})
		}
		for i, l := range lines {
			out = append(out, linePlot{l, i, len(lines), o.Step, th, dpi})
		}
		return out
	}
	return f.finish(o)
}

// A span is the range of the numbers added to it; NaN does not count.
type span struct{ lo, hi float64 }

func newSpan() span { return span{math.Inf(1), math.Inf(-1)} }

func (s *span) add(v float64) {
	if !math.IsNaN(v) {
		s.lo, s.hi = min(s.lo, v), max(s.hi, v)
	}
}

// check finds what cannot be drawn in one line.
func (l XY) check(name string, o Options) error {
	if len(l.X) != len(l.Y) {
		return fmt.Errorf("line: %q has %d x but %d y: give as many", name, len(l.X), len(l.Y))
	}
	if (l.Lo == nil) != (l.Hi == nil) || l.Lo != nil && (len(l.Lo) != len(l.X) || len(l.Hi) != len(l.X)) {
		return fmt.Errorf("line: %q has %d x, %d lo and %d hi: give lo and hi for each x, or neither", name, len(l.X), len(l.Lo), len(l.Hi))
	}
	points := 0
	for i, x := range l.X {
		if undrawable(x, o.LogX) {
			return fmt.Errorf("line: %q: x %d is %g: give finite numbers within 1e100", name, i, x)
		}
		if i > 0 && x < l.X[i-1] {
			return fmt.Errorf("line: %q: x %d is %g, below the one before, %g: sort the points by x", name, i, x, l.X[i-1])
		}
		if o.LogX && x <= 0 {
			return fmt.Errorf("line: %q: x %d is %g, which a logarithmic axis cannot show: use LogX=false or leave it out", name, i, x)
		}
		ys := []float64{l.Y[i]}
		if l.Lo != nil {
			ys = append(ys, l.Lo[i], l.Hi[i])
		}
		for k, y := range ys {
			what := [...]string{"y", "lo", "hi"}[k]
			if !math.IsNaN(y) && undrawable(y, o.LogY) {
				return fmt.Errorf("line: %q: %s %d is %g: give finite numbers within 1e100, or NaN for a gap", name, what, i, y)
			}
			if o.LogY && y <= 0 {
				return fmt.Errorf("line: %q: %s %d is %g, which a logarithmic axis cannot show: use LogY=false, or NaN for a gap", name, what, i, y)
			}
		}
		if l.Lo != nil && l.Lo[i] > l.Hi[i] {
			return fmt.Errorf("line: %q: lo %d is %g, above hi, %g: swap them", name, i, l.Lo[i], l.Hi[i])
		}
		if !math.IsNaN(l.Y[i]) {
			points++
		}
	}
	if points == 0 {
		return fmt.Errorf("line: %q: no data: give at least one point whose y is a number", name)
	}
	return nil
}

// A linePlot draws one line and its markers.
type linePlot struct {
	XY
	i, of int
	step  bool
	th    theme
	dpi   int
}

// Plot draws the stretches between gaps.
func (p linePlot) Plot(c draw.Canvas, plt *plot.Plot) {
	trX, trY := plt.Transforms(&c)
	sty := p.th.lineStyle(p.i)
	var run []vg.Point
	flush := func() {
		for _, l := range c.ClipLinesXY(thinLine(run, vg.Inch/vg.Length(p.dpi))) {
			strokeLong(c, sty, l)
		}
		run = run[:0]
	}
	total := 0
	for k := range p.X {
		if math.IsNaN(p.Y[k]) {
			if p.step && len(run) > 0 { // the value held until the gap
				run = append(run, vg.Point{X: trX(p.X[k]), Y: run[len(run)-1].Y})
			}
			flush()
			continue
		}
		q := vg.Point{X: trX(p.X[k]), Y: trY(p.Y[k])}
		if p.step && len(run) > 0 {
			run = append(run, vg.Point{X: q.X, Y: run[len(run)-1].Y})
		}
		run = append(run, q)
		total++
	}
	flush()

	// Markers: all of a short line, else about eight along the axis, shifted
	// from line to line.
	const most, some = 40, 8
	width := c.Max.X - c.Min.X
	next := c.Min.X + width*vg.Length((float64(p.i)+0.5)/float64(p.of*some))
	for k := range p.X {
		if math.IsNaN(p.Y[k]) {
			continue
		}
		q := vg.Point{X: trX(p.X[k]), Y: trY(p.Y[k])}
		if total > most {
			if q.X < next {
				continue
			}
			for next <= q.X {
				next += width / some
			}
		}
		if c.Contains(q) {
			drawMarker(c, p.i, lineColour(p.i), q, p.th.marker)
		}
	}
}

// maxStroke bounds the points of one path of a long line. The rasteriser of PNGs
// searches all that lies on a line of pixels for each piece that it adds, so
// that the time for a line of much noise grows with the square of its points.
const maxStroke = 40

// strokeLong strokes a line, a long one in parts. Each part begins with the
// last stretch of the one before, so that the corner between them is drawn, and
// goes on with its dashes.
func strokeLong(c draw.Canvas, sty draw.LineStyle, pts []vg.Point) {
	if len(pts) <= 10*maxStroke {
		c.StrokeLines(sty, pts)
		return
	}
	var cycle vg.Length
	for _, d := range sty.Dashes {
		cycle += d
	}
	for i := 0; i+1 < len(pts); i += maxStroke {
		from := max(0, i-1)
		c.StrokeLines(sty, pts[from:min(i+maxStroke+1, len(pts))])
		for k := from; cycle > 0 && k < min(i+maxStroke-1, len(pts)-1); k++ {
			d := pts[k+1].Sub(pts[k])
			sty.DashOffs += vg.Length(math.Hypot(float64(d.X), float64(d.Y)))
		}
		if cycle > 0 {
			sty.DashOffs = vg.Length(math.Mod(float64(sty.DashOffs), float64(cycle)))
		}
	}
}

// thinLine drops points that change no pixel: of each column of width px it
// keeps the first, the lowest, the highest and the last. Short lines are left
// as they are.
func thinLine(pts []vg.Point, px vg.Length) []vg.Point {
	if len(pts) < 1000 {
		return pts
	}
	var out []vg.Point
	for i := 0; i < len(pts); {
		j, lo, hi := i, i, i
		for ; j < len(pts) && pts[j].X-pts[i].X < px; j++ {
			if pts[j].Y < pts[lo].Y {
				lo = j
			}
			if pts[j].Y > pts[hi].Y {
				hi = j
			}
		}
		last := -1
		for _, k := range []int{i, min(lo, hi), max(lo, hi), j - 1} {
			if k != last {
				out = append(out, pts[k])
				last = k
			}
		}
		i = j
	}
	return out
}

// A bandPlot fills between Lo and Hi of one line.
type bandPlot struct {
	XY
	i    int
	step bool
	dpi  int
}

// Plot fills the stretches between gaps.
func (p bandPlot) Plot(c draw.Canvas, plt *plot.Plot) {
	if p.Lo == nil {
		return
	}
	trX, trY := plt.Transforms(&c)
	var lo, hi []vg.Point
	flush := func() {
		px := vg.Inch / vg.Length(p.dpi)
		area := slices.Clone(thinLine(lo, px))
		back := slices.Clone(thinLine(hi, px))
		slices.Reverse(back)
		if area = append(area, back...); len(area) > 2 {
			c.FillPolygon(translucent(lineColour(p.i)), c.ClipPolygonXY(area))
		}
		lo, hi = lo[:0], hi[:0]
	}
	for k := range p.X {
		if math.IsNaN(p.Lo[k]) || math.IsNaN(p.Hi[k]) {
			flush()
			continue
		}
		x := trX(p.X[k])
		if p.step && len(lo) > 0 {
			lo = append(lo, vg.Point{X: x, Y: lo[len(lo)-1].Y})
			hi = append(hi, vg.Point{X: x, Y: hi[len(hi)-1].Y})
		}
		lo = append(lo, vg.Point{X: x, Y: trY(p.Lo[k])})
		hi = append(hi, vg.Point{X: x, Y: trY(p.Hi[k])})
	}
	flush()
}
