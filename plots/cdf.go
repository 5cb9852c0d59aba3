package plots

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
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
	if len(series) == 0 {
		return nil, fmt.Errorf("cdf: no data: give at least one series")
	}
	if len(series) > maxLines {
		return nil, fmt.Errorf("cdf: %d series cannot be told apart: give at most %d", len(series), maxLines)
	}
	names := make([]string, len(series))
	for i, s := range series {
		names[i] = s.Name
	}
	if names, err = checkNames("cdf", "series", names); err != nil {
		return nil, err
	}

	var curves []cdfCurve
	lo, hi, most := math.Inf(1), math.Inf(-1), 0
	for i, s := range series {
		if s.Unit != series[0].Unit {
			return nil, fmt.Errorf("cdf: series %q is in %q but %q is in %q: give all in one unit",
				names[i], s.Unit, names[0], series[0].Unit)
		}
		cv, err := newCurve(names[i], s.Values, o)
		if err != nil {
			return nil, err
		}
		if cv.left > 0 {
			names[i] = clean(fmt.Sprintf("%s (%d at or below 0, left of axis)", names[i], cv.left))
		}
		if len(cv.xs) > 0 {
			lo, hi = min(lo, cv.xs[0]), max(hi, cv.xs[len(cv.xs)-1])
		}
		most = max(most, cv.n)
		curves = append(curves, cv)
	}
	if lo > hi {
		return nil, fmt.Errorf("cdf: no value is above zero: nothing can be drawn on a logarithmic axis; use LogX=false")
	}

	f.x = axis{label: clean(o.XLabel), unit: clean(series[0].Unit), log: o.LogX}
	if f.x.label == "" {
		f.x.label = "value"
	}
	f.x.fit(lo, hi, o.XRange)
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
	f.marks = func(th theme, dpi int) []plot.Plotter {
		var out []plot.Plotter
		for i, cv := range curves {
			out = append(out, cdfPlot{curve: cv, i: i, of: len(curves), ccdf: o.CCDF, log: o.LogY, th: th, dpi: dpi})
		}
		return out
	}
	return f.finish(o)
}

// A cdfCurve is a sample in ascending order.
type cdfCurve struct {
	xs   []float64 // those that the axis can show
	left int       // how many more lie left of a logarithmic axis
	n    int       // all
}

func newCurve(name string, values []float64, o Options) (cdfCurve, error) {
	if len(values) == 0 {
		return cdfCurve{}, fmt.Errorf("cdf: series %q: no data: give at least one value", name)
	}
	for i, v := range values {
		if undrawable(v, o.LogX) {
			return cdfCurve{}, fmt.Errorf("cdf: series %q: value %d is %g: give finite numbers within 1e100", name, i, v)
		}
		if o.LogX && v <= 0 && !o.Clip {
			return cdfCurve{}, fmt.Errorf("cdf: series %q: value %d is %g, which a logarithmic axis cannot show: use LogX=false, or Clip=true to leave it left of the axis",
				name, i, v)
		}
	}
	cv := cdfCurve{xs: slices.Clone(values), n: len(values)}
	slices.Sort(cv.xs)
	if o.LogX {
		for cv.left < cv.n && cv.xs[cv.left] <= 0 {
			cv.left++
		}
		cv.xs = cv.xs[cv.left:]
	}
	return cv, nil
}

// A cdfPlot draws one curve.
type cdfPlot struct {
	curve     cdfCurve
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
