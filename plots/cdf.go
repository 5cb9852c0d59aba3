package plots

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"schedrepl/engine/table"
)

// A Series is a named sample, in any order.
type Series struct {
	Name   string
	Values []float64
	// Unit is the unit of Values. "ns", "us", "ms" and "s" are times, whose
	// axis is drawn in its natural unit; other units are written as they are.
	// All series of a figure must have one unit.
	Unit string
}

// CDF draws the empirical distribution of each series as a step curve: at x,
// the fraction of the sample at or below x, or with CCDF the fraction above x.
//
// Samples may be long: steps that fall into one pixel column are drawn as one.
// It is an error if there is no series, a series is empty, a value is NaN or
// infinite, or a value is at or below zero with LogX but without Clip. With
// LogY a curve ends at the bottom of the figure where its fraction becomes
// zero.
func CDF(series []Series, o Options) (*Figure, error) {
	f, err := newFigure("cdf", o)
	if err != nil {
		return nil, err
	}
	curves, names, err := sortSeries("cdf", series, maxLines, o.LogX, o.Clip, clipAdvice)
	if err != nil {
		return nil, err
	}
	plain, unit := slices.Clone(names), series[0].Unit
	r, most := newSpan(), 0
	for i, cv := range curves {
		names[i] = cv.leftOf(names[i])
		r.addSorted(cv.xs)
		most = max(most, cv.n)
	}
	if r.lo > r.hi {
		return nil, errors.New("cdf: no value is above zero: nothing can be drawn on a logarithmic axis; use LogX=false")
	}

	f.x = axis{label: clean(o.XLabel), unit: clean(series[0].Unit), log: o.LogX}
	if f.x.label == "" {
		f.x.label = "value"
	}
	f.x.fit(r.lo, r.hi, o.XRange)
	f.y = axis{label: clean(o.YLabel), log: o.LogY, lo: 0, hi: 1}
	if f.y.label == "" {
		f.y.label = "cumulative fraction"
		if o.CCDF {
			f.y.label = "fraction above"
		}
	}
	if o.LogY {
		f.y.lo = math.Pow10(int(math.Floor(math.Log10(1/float64(max(most, 2))) + 1e-9)))
	}
	if o.YRange != [2]float64{} {
		f.y.lo, f.y.hi = o.YRange[0], o.YRange[1]
	}
	f.legend = lineLegend(lineSwatch, names)
	f.data = func() *table.Table { return cdfData(curves, plain, unit, f.x, o.CCDF) }
	f.marks = func(th theme, dpi int) []plot.Plotter {
		var out []plot.Plotter
		for i, cv := range curves {
			out = append(out, cdfPlot{curve: cv, i: i, of: len(curves), ccdf: o.CCDF, log: o.LogY, th: th, dpi: dpi})
		}
		return out
	}
	return f.finish(o)
}

// A cdfPlot draws one curve.
type cdfPlot struct {
	curve     ordered
	i, of     int // number of this curve, and of all
	ccdf, log bool
	th        theme
	dpi       int
}

// Plot draws the steps. All values of one pixel column make one step, at the
// first of them.
func (p cdfPlot) Plot(c draw.Canvas, plt *plot.Plot) {
	trX, trY := plt.Transforms(&c)
	level := func(below int) vg.Length {
		y := float64(below) / float64(p.curve.n)
		if p.ccdf {
			y = 1 - y
		}
		if p.log {
			y = max(y, plt.Y.Min/2)
		}
		return trY(y)
	}
	px := vg.Inch / vg.Length(p.dpi)
	xs := p.curve.xs
	var pts, steps []vg.Point
	y := level(p.curve.left)
	if p.curve.left > 0 {
		pts = append(pts, vg.Point{X: c.Min.X, Y: y})
	}
	for i := 0; i < len(xs); {
		x := trX(xs[i])
		j := i + 1
		for j < len(xs) && trX(xs[j])-x < px {
			j++
		}
		to := level(p.curve.left + j)
		pts = append(pts, vg.Point{X: x, Y: y}, vg.Point{X: x, Y: to})
		steps = append(steps, vg.Point{X: x, Y: (y + to) / 2})
		y, i = to, j
	}
	c.StrokeLines(p.th.lineStyle(p.i), c.ClipLinesXY(pts)...)

	// Markers sit on steps near evenly spaced heights, shifted from curve to
	// curve so that those of neighbours do not cover each other.
	const each = 5
	next := 0
	for k := range each {
		goal := (float64(k) + (float64(p.i)+0.5)/float64(p.of)) / each
		at := c.Min.Y + (c.Max.Y-c.Min.Y)*vg.Length(goal)
		if p.ccdf {
			at = c.Max.Y - (c.Max.Y-c.Min.Y)*vg.Length(goal)
		}
		for next < len(steps) && (steps[next].Y < at) != p.ccdf {
			next++
		}
		if next == len(steps) {
			break
		}
		if c.Contains(steps[next]) {
			drawMarker(c, p.i, lineColour(p.i), steps[next], p.th.marker)
		}
		next++
	}
}
