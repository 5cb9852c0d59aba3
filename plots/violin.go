package plots

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"schedrepl/engine/table"
)

// Violin draws for each series a shape as wide as the values are dense, with a
// thin box from the lower to the upper quartile and a bar at the median inside
// it. Under each name stands the size of the sample.
//
// The density is estimated with a Gaussian kernel whose width follows Silverman
// ("Density Estimation", 1986, eq. 3.31): 0.9 times the lesser of the standard
// deviation and the interquartile range over 1.34, times n to the power of -1/5.
// With LogY all of that is done on logarithms, so the shape is the density per
// factor. It ends at the least and the largest value. Each shape is scaled to
// one width: compare where series lie and how they are formed, not their areas.
// A sample whose values are all equal is a bar; one of less than five values
// shows these as rings.
//
// YLabel, YRange, LogY, Orient and the errors are those of Box.
func Violin(series []Series, o Options) (*Figure, error) {
	f, b, err := newSpread("violin", series, o)
	if err != nil {
		return nil, err
	}
	shapes := make([]violin, len(b.samples))
	for i, s := range b.samples {
		shapes[i] = shapeOf(s.xs, o.LogY)
	}
	names := b.names
	f.data = func() *table.Table { return violinTable(shapes, names, series[0].Unit) }
	f.marks = func(th theme, _ int) []plot.Plotter {
		return []plot.Plotter{violinPlot{b.with(th), shapes}}
	}
	return f.finish(o)
}

// A violin is what is drawn of one sample.
type violin struct {
	n      int
	q      [3]float64
	values []float64 // of a small sample
	// at are values in ascending order, and width the density there, from 0 to
	// 1. Both are nil if all values are equal.
	at, width []float64
}

func shapeOf(xs []float64, log bool) violin {
	v := violin{n: len(xs)}
	for i := range v.q {
		v.q[i] = quantile(xs, float64(i+1)/4)
	}
	if len(xs) < fewValues {
		v.values = xs
		return v
	}
	v.at, v.width = density(xs, log)
	return v
}

// densityPoints is the number of values at which a density is computed.
const densityPoints = 256

// density estimates the density of an ordered sample from its first value to
// its last, and scales it to a largest of 1. It returns nil if all values are
// equal. Values are first shared out between the two nearest points of a grid,
// so the cost is that of one pass and the grid squared.
func density(xs []float64, log bool) (at, width []float64) {
	to, from := func(v float64) float64 { return v }, func(v float64) float64 { return v }
	if log {
		to, from = math.Log, math.Exp
	}
	n := float64(len(xs))
	lo, hi := to(xs[0]), to(xs[len(xs)-1])
	step := (hi - lo) / (densityPoints - 1)
	if !(step > 1e-12*math.Max(math.Abs(lo), math.Abs(hi))) || step < 1/largest {
		return nil, nil
	}
	mass := make([]float64, densityPoints)
	mean, square := 0.0, 0.0 // of steps from lo
	for _, x := range xs {
		pos := (to(x) - lo) / step
		k := min(int(pos), densityPoints-2)
		mass[k] += 1 - (pos - float64(k))
		mass[k+1] += pos - float64(k)
		mean += pos / n
		square += pos * pos / n
	}
	// The width of the kernel in steps. Where more than half of the values are
	// equal, the quartiles tell nothing; and a kernel narrower than the grid
	// would miss values between its points.
	h := math.Sqrt(max(0, square-mean*mean))
	if iqr := (to(quantile(xs, 0.75)) - to(quantile(xs, 0.25))) / step / 1.34; iqr > 0 {
		h = min(h, iqr)
	}
	h = max(0.9*h*math.Pow(n, -0.2), 0.75)
	at, width = make([]float64, densityPoints), make([]float64, densityPoints)
	kernel := make([]float64, densityPoints)
	for d := range kernel {
		kernel[d] = math.Exp(-0.5 * float64(d) / h * float64(d) / h)
	}
	most := 0.0
	for i := range width {
		for k, m := range mass {
			d := i - k
			if d < 0 {
				d = -d
			}
			width[i] += float64(m * kernel[d])
		}
		at[i] = min(max(from(lo+float64(step*float64(i))), xs[0]), xs[len(xs)-1])
		most = max(most, width[i])
	}
	for i := range width {
		width[i] /= most
	}
	return at, width
}

// violinTable lists the shapes as pairs of value and width, and the quartiles.
func violinTable(shapes []violin, names []string, unit string) *table.Table {
	var name, mark []string
	var value, width []float64
	var n []int
	for i, v := range shapes {
		add := func(m string, x, w float64) {
			name, n, mark = append(name, names[i]), append(n, v.n), append(mark, m)
			value, width = append(value, x), append(width, w)
		}
		for k, x := range v.at {
			add("density", x, v.width[k])
		}
		for _, x := range v.values {
			add("value", x, math.NaN())
		}
		for k, m := range []string{"q1", "median", "q3"} {
			add(m, v.q[k], math.NaN())
		}
	}
	var d tidy
	d.text("series", name)
	d.count("n", n)
	d.text("mark", mark)
	d.number("value", unit, value)
	d.number("relative_density", "", width)
	return d.table("violin")
}

// A violinPlot draws all shapes.
type violinPlot struct {
	spreadPlot
	shapes []violin
}

// Plot draws each shape, and the quartiles in it.
func (p violinPlot) Plot(c draw.Canvas, plt *plot.Plot) {
	s := p.sideways(&c, plt)
	for i, v := range p.shapes {
		mid, half := s.slotOf(i, boxWidth*1.25)
		half = min(half, 4*p.th.text)
		if v.at == nil {
			p.th.median(c, s, v.q[1], mid, half*0.6)
			p.th.rings(c, s, v.values, mid, 0, false)
			continue
		}
		var side, other []vg.Point
		for k, x := range v.at {
			w := half * vg.Length(v.width[k])
			side = append(side, s.at(s.along(x), mid-w))
			other = append(other, s.at(s.along(x), mid+w))
		}
		for k := len(other) - 1; k >= 0; k-- {
			side = append(side, other[k])
		}
		if side = c.ClipPolygonXY(side); len(side) > 2 {
			c.FillPolygon(paleBlue, side)
			c.StrokeLines(solid(ink, p.th.thin), append(side, side[0]))
		}
		inner := 0.3 * p.th.text
		if s.inside(v.q[0]) || s.inside(v.q[2]) || v.q[0] < s.lo && v.q[2] > s.hi {
			fillRect(c, ink, s.rect(s.along(s.clamp(v.q[0])), s.along(s.clamp(v.q[2])), mid, inner/2))
		}
		if s.inside(v.q[1]) {
			bar := s.bar(s.along(v.q[1]), mid, 0.55*p.th.text)
			strokeAll(c, solid(color.White, 2.6*p.th.line), [][]vg.Point{bar})
			strokeAll(c, solid(okabeVermillion, 1.5*p.th.line), [][]vg.Point{bar})
		}
	}
}
