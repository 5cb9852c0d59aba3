package plots

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"schedrepl/engine/table"
)

const (
	// maxClouds is the number of series of points that have a shape of their
	// own.
	maxClouds = numMarkers
	// maxPoints is the number of points of one series up to which each has its
	// marker.
	maxPoints = 1500
	// cloudMarkers is how many points of a longer series have a marker.
	cloudMarkers = 60
)

// Scatter draws the points of each series, in a shape and colour of its own.
// X need not be sorted; Lo and Hi must be nil. A point whose X or Y is NaN is
// left out. With Fit there is a line of least squares through each series,
// straight on the axes as drawn: with LogX and LogY it is a power law. The
// legend tells its r².
//
// Of a series of more than 1,500 points, the ground is tinted where points lie,
// the darker the more (by powers of two), and evenly many of them, in the order
// given, have a marker. So the size of the figure is bounded by its area.
//
// It is an error if there is no series or more than seven, a series has no
// point, lengths differ, a number is infinite, a number is at or below zero on a
// logarithmic axis, or Fit is asked of points that all have one X.
func Scatter(series []XY, o Options) (*Figure, error) {
	f, err := newFigure("scatter", o)
	if err != nil {
		return nil, err
	}
	if len(series) == 0 {
		return nil, fmt.Errorf("scatter: no data: give at least one series")
	}
	if len(series) > maxClouds {
		return nil, fmt.Errorf("scatter: %d series cannot be told apart: give at most %d, or a figure for each", len(series), maxClouds)
	}
	names := make([]string, len(series))
	for i, s := range series {
		names[i] = s.Name
	}
	if names, err = checkNames("scatter", "series", names); err != nil {
		return nil, err
	}
	f.x = axis{label: clean(o.XLabel), unit: clean(series[0].XUnit), log: o.LogX}
	f.y = axis{label: clean(o.YLabel), unit: clean(series[0].YUnit), log: o.LogY}
	plain := names
	names = append([]string(nil), names...)
	clouds := make([]cloud, len(series))
	xr, yr := newSpan(), newSpan()
	for i, s := range series {
		if s.XUnit != series[0].XUnit || s.YUnit != series[0].YUnit {
			return nil, fmt.Errorf("scatter: %q has the units %q and %q but %q has %q and %q: give all in one unit",
				names[i], s.XUnit, s.YUnit, names[0], series[0].XUnit, series[0].YUnit)
		}
		if clouds[i], err = newCloud(names[i], s, o); err != nil {
			return nil, err
		}
		if o.Fit {
			l, err := fitLine(names[i], clouds[i], o)
			if err != nil {
				return nil, err
			}
			clouds[i].fit = &l
			names[i] = clean(fmt.Sprintf("%s (fit, r² %.2f)", names[i], l.r2))
		}
		for k := range clouds[i].x {
			xr.add(clouds[i].x[k])
			yr.add(clouds[i].y[k])
		}
	}
	f.x.fit(xr.lo, xr.hi, o.XRange)
	f.y.fit(yr.lo, yr.hi, o.YRange)
	f.legend = lineLegend(pointSwatch, names)
	if o.Fit {
		f.legend = lineLegend(lineSwatch, names)
	}
	f.data = func() *table.Table { return scatterTable(clouds, plain, series[0].XUnit, series[0].YUnit) }
	f.marks = func(th theme, _ int) []plot.Plotter {
		return []plot.Plotter{cloudPlot{clouds, th}}
	}
	return f.finish(o)
}

// A cloud is the points of one series, without those that are NaN.
type cloud struct {
	x, y []float64
	fit  *fitted
}

// newCloud finds what cannot be drawn in one series.
func newCloud(name string, s XY, o Options) (cloud, error) {
	var c cloud
	if len(s.X) != len(s.Y) {
		return c, fmt.Errorf("scatter: %q has %d x but %d y: give as many", name, len(s.X), len(s.Y))
	}
	if s.Lo != nil || s.Hi != nil {
		return c, fmt.Errorf("scatter: %q has a band: points have none; use Line, or leave Lo and Hi nil", name)
	}
	for i := range s.X {
		if math.IsNaN(s.X[i]) || math.IsNaN(s.Y[i]) {
			continue
		}
		for k, v := range []float64{s.X[i], s.Y[i]} {
			what, opt, log := "x", "LogX", o.LogX
			if k == 1 {
				what, opt, log = "y", "LogY", o.LogY
			}
			if undrawable(v, log) {
				return c, fmt.Errorf("scatter: %q: %s %d is %g: give finite numbers within 1e100, or NaN to leave the point out", name, what, i, v)
			}
			if log && v <= 0 {
				return c, fmt.Errorf("scatter: %q: %s %d is %g, which a logarithmic axis cannot show: use %s=false or leave it out", name, what, i, v, opt)
			}
		}
		c.x, c.y = append(c.x, s.X[i]), append(c.y, s.Y[i])
	}
	if len(c.x) == 0 {
		return c, fmt.Errorf("scatter: %q: no data: give at least one point whose x and y are numbers", name)
	}
	return c, nil
}

// A fitted is a line y = a + b (x - x0), of logarithms where the axes are
// logarithmic.
type fitted struct {
	a, b, x0   float64
	r2         float64
	lo, hi     float64 // the x that the points span
	logX, logY bool
}

func (l fitted) at(x float64) float64 {
	if l.logX {
		x = math.Log(x)
	}
	y := l.a + l.b*(x-l.x0)
	if l.logY {
		return math.Exp(y)
	}
	return y
}

// fitLine returns the line of least squares. Sums are taken around the means,
// so that far-off values lose no digits.
func fitLine(name string, c cloud, o Options) (fitted, error) {
	to := func(v float64, log bool) float64 {
		if log {
			return math.Log(v)
		}
		return v
	}
	l := fitted{logX: o.LogX, logY: o.LogY}
	r := newSpan()
	n := float64(len(c.x))
	for i := range c.x {
		l.x0 += to(c.x[i], o.LogX) / n
		l.a += to(c.y[i], o.LogY) / n
		r.add(c.x[i])
	}
	l.lo, l.hi = r.lo, r.hi
	var xx, xy, yy float64
	for i := range c.x {
		dx, dy := to(c.x[i], o.LogX)-l.x0, to(c.y[i], o.LogY)-l.a
		xx += float64(dx * dx)
		xy += float64(dx * dy)
		yy += float64(dy * dy)
	}
	if l.lo == l.hi || xx == 0 {
		return l, fmt.Errorf("scatter: series %q: no line fits, as all %d points have the x %g: use Fit=false, or give points with different x", name, len(c.x), c.x[0])
	}
	l.b = xy / xx
	l.r2 = 1
	if yy > 0 {
		l.r2 = min(1, xy/xx*xy/yy)
	}
	return l, nil
}

// scatterTable lists the points, and the height of the fit at each if there is
// one.
func scatterTable(clouds []cloud, names []string, xunit, yunit string) *table.Table {
	var name []string
	var x, y, fit []float64
	for i, c := range clouds {
		for k := range c.x {
			name, x, y = append(name, names[i]), append(x, c.x[k]), append(y, c.y[k])
			if c.fit != nil {
				fit = append(fit, c.fit.at(c.x[k]))
			}
		}
	}
	var d tidy
	d.text("series", name)
	d.number("x", xunit, x)
	d.number("y", yunit, y)
	if fit != nil {
		d.number("fit", yunit, fit)
	}
	return d.table("scatter")
}

// A cloudPlot draws all series.
type cloudPlot struct {
	clouds []cloud
	th     theme
}

// Plot draws the tints of long series, then the markers, one of each series in
// turn so that no series covers another wholly, and the fits over all.
func (p cloudPlot) Plot(c draw.Canvas, plt *plot.Plot) {
	trX, trY := plt.Transforms(&c)
	rounds := 0
	every := make([]int, len(p.clouds))
	size := make([]vg.Length, len(p.clouds))
	for i, cl := range p.clouds {
		every[i], size[i] = 1, p.th.marker
		switch n := len(cl.x); {
		case n > maxPoints:
			cl.tint(c, trX, trY, 0.7*p.th.marker, lineColour(i))
			every[i] = (n + cloudMarkers - 1) / cloudMarkers
		case n > 200:
			size[i] *= 0.7
		}
		rounds = max(rounds, (len(cl.x)+every[i]-1)/every[i])
	}
	for k := range rounds {
		for i, cl := range p.clouds {
			if j := k * every[i]; j < len(cl.x) {
				if q := (vg.Point{X: trX(cl.x[j]), Y: trY(cl.y[j])}); c.Contains(q) {
					drawMarker(c, i, lineColour(i), q, size[i])
				}
			}
		}
	}
	for i, cl := range p.clouds {
		if cl.fit != nil {
			line := c.ClipLinesXY(cl.fit.line(plt, trX, trY))
			if len(cl.x) > maxPoints { // the line lies on a tint
				c.StrokeLines(solid(color.White, 2.2*p.th.line), line...)
			}
			c.StrokeLines(p.th.lineStyle(i), line...)
		}
	}
}

// line returns the part of a fit that lies over its points, in short pieces:
// an end may lie far outside.
func (l fitted) line(plt *plot.Plot, trX, trY func(float64) vg.Length) []vg.Point {
	const parts = 64
	from, to := max(l.lo, plt.X.Min), min(l.hi, plt.X.Max)
	var pts []vg.Point
	for k := 0; k <= parts && from < to; k++ {
		x := from + (to-from)*float64(k)/parts
		if l.logX {
			x = from * math.Pow(to/from, float64(k)/parts)
		}
		y := l.at(x)
		if l.logY {
			y = min(max(y, plt.Y.Min/10), plt.Y.Max*10)
		}
		pts = append(pts, vg.Point{X: trX(x), Y: trY(y)})
	}
	return pts
}

// tints is the number of strengths of the ground: 1, 2-3, 4-15, 16-255 and more
// points.
const tints = 5

// tint colours the cells of a raster of the given size in which points lie, in
// strips of one strength.
func (p cloud) tint(c draw.Canvas, trX, trY func(float64) vg.Length, cell vg.Length, col color.RGBA) {
	size := c.Size()
	cols, rows := int(size.X/cell)+1, int(size.Y/cell)+1
	count := make([]int32, cols*rows)
	for k := range p.x {
		q := vg.Point{X: trX(p.x[k]), Y: trY(p.y[k])}
		if c.Contains(q) {
			i, j := int((q.X-c.Min.X)/cell), int((q.Y-c.Min.Y)/cell)
			count[min(j, rows-1)*cols+min(i, cols-1)]++
		}
	}
	var paths [tints]vg.Path
	for j := range rows {
		for i := 0; i < cols; {
			s := strength(count[j*cols+i])
			k := i + 1
			for k < cols && strength(count[j*cols+k]) == s {
				k++
			}
			if s > 0 {
				r := vg.Rectangle{
					Min: vg.Point{X: c.Min.X + cell*vg.Length(i), Y: c.Min.Y + cell*vg.Length(j)},
					Max: vg.Point{X: c.Min.X + cell*vg.Length(k), Y: c.Min.Y + cell*vg.Length(j+1)},
				}
				r.Max.X, r.Max.Y = min(r.Max.X, c.Max.X), min(r.Max.Y, c.Max.Y)
				rectPath(&paths[s-1], r)
			}
			i = k
		}
	}
	for s, path := range paths {
		if len(path) > 0 {
			c.SetColor(color.NRGBA{col.R, col.G, col.B, [tints]uint8{0x38, 0x58, 0x80, 0xa8, 0xd0}[s]})
			c.Fill(path)
		}
	}
}

// strength returns which tint, from 1, a cell of n points has; 0 is none.
func strength(n int32) int {
	for s, least := range [tints]int32{1, 2, 4, 16, 256} {
		if n < least {
			return s
		}
	}
	return tints
}
