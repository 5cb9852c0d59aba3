package plots

import (
	"cmp"
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"schedrepl/engine/table"
)

// Pairs are one number of each of several variants for the same seeds, in the
// same order: Values[v][s] is that of variant v and seed s.
type Pairs struct {
	Variants []string
	Values   [][]float64
	Unit     string
}

// maxPairs is the number of lines that Paired draws; evenly many of a longer
// list are drawn.
const maxPairs = 200

// Paired draws a line for each seed from variant to variant, so that one sees
// in how many of the pairs the number fell and by how much, which two separate
// distributions hide. A line that ends higher than it begins is solid, one that
// ends lower is dashed, and the legend counts them. The bold line joins the
// medians.
//
// Of more than 200 seeds, evenly many in the order of their change are drawn;
// the counts and medians are those of all. YLabel, YRange and LogY are those of
// the values. It is an error if there are less than two variants or more than
// twelve, no seed, lengths differ, a value is NaN or infinite, or a value is at
// or below zero with LogY.
func Paired(d Pairs, o Options) (*Figure, error) {
	f, err := newFigure("paired", o)
	if err != nil {
		return nil, err
	}
	names, r, err := d.check(o)
	if err != nil {
		return nil, err
	}
	f.x = categories(clean(o.XLabel), names)
	f.y = axis{label: clean(o.YLabel), unit: clean(d.Unit), log: o.LogY}
	if f.y.label == "" {
		f.y.label = "value"
	}
	f.y.fit(r.lo, r.hi, o.YRange)
	p := pairPlot{Pairs: d}
	last := len(names) - 1
	change := func(s int) float64 { return d.Values[last][s] - d.Values[0][s] }
	order := make([]int, len(d.Values[0]))
	var rose, fell, same int
	for s := range order {
		order[s] = s
		switch c := change(s); {
		case c > 0:
			rose++
		case c < 0:
			fell++
		default:
			same++
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(change(a), change(b)) })
	every := (len(order) + maxPairs - 1) / maxPairs
	for k := every / 2; k < len(order); k += every {
		p.shown = append(p.shown, order[k])
	}
	for _, v := range d.Values {
		sorted := slices.Clone(v)
		slices.Sort(sorted)
		p.medians = append(p.medians, quantile(sorted, 0.5))
	}
	for _, e := range []struct {
		n    int
		what string
		i    int
	}{{rose, "rose", pairRose}, {fell, "fell", pairFell}, {same, "equal", pairSame}} {
		if e.n > 0 {
			f.legend = append(f.legend, entry{name: e.what + " (" + thousands(e.n) + ")", swatch: pairSwatch, i: e.i})
		}
	}
	f.legend = append(f.legend, entry{name: "median", swatch: pairSwatch, i: pairMedian})
	if every > 1 {
		f.legend = append(f.legend, entry{name: fmt.Sprintf("1 in %d drawn", every), swatch: noSwatch})
	}
	f.data = func() *table.Table { return d.table(names) }
	f.marks = func(th theme, _ int) []plot.Plotter {
		q := p
		q.th = th
		return []plot.Plotter{q}
	}
	return f.finish(o)
}

// check finds what cannot be drawn, and returns the cleaned names and the range
// of the values.
func (d Pairs) check(o Options) ([]string, span, error) {
	r := newSpan()
	if len(d.Variants) < 2 || len(d.Variants) > 12 {
		return nil, r, fmt.Errorf("paired: %d variants: give 2 to 12", len(d.Variants))
	}
	if len(d.Values) != len(d.Variants) {
		return nil, r, fmt.Errorf("paired: %d lists of values for %d variants: give one for each", len(d.Values), len(d.Variants))
	}
	names, err := checkNames("paired", "variant", d.Variants)
	if err != nil {
		return nil, r, err
	}
	for i, vs := range d.Values {
		if len(vs) == 0 {
			return nil, r, fmt.Errorf("paired: variant %q: no data: give at least one value", names[i])
		}
		if len(vs) != len(d.Values[0]) {
			return nil, r, fmt.Errorf("paired: variant %q has %d values but %q has %d: give one for each seed, in one order",
				names[i], len(vs), names[0], len(d.Values[0]))
		}
		for k, v := range vs {
			if undrawable(v, o.LogY) {
				return nil, r, fmt.Errorf("paired: variant %q: value %d is %g: give finite numbers within 1e100", names[i], k, v)
			}
			if o.LogY && v <= 0 {
				return nil, r, fmt.Errorf("paired: variant %q: value %d is %g, which a logarithmic axis cannot show: %s", names[i], k, v, "use LogY=false, or leave the pair out")
			}
			r.add(v)
		}
	}
	return names, r, nil
}

// table lists the values: pair from 0, variant, value. All pairs are there,
// drawn or not.
func (d Pairs) table(names []string) *table.Table {
	var pair []int
	var variant []string
	var value []float64
	for s := range d.Values[0] {
		for i := range d.Values {
			pair, variant, value = append(pair, s), append(variant, names[i]), append(value, d.Values[i][s])
		}
	}
	var t tidy
	t.count("pair", pair)
	t.text("variant", variant)
	t.number("value", d.Unit, value)
	return t.table("paired")
}

// The lines of a figure of pairs.
const (
	pairRose = iota
	pairFell
	pairSame
	pairMedian
)

// pairStyle returns the style of one sort of line.
func (th theme) pairStyle(i int) draw.LineStyle {
	switch i {
	case pairRose:
		return solid(okabeVermillion, 0.7*th.line)
	case pairFell:
		return draw.LineStyle{Color: okabeBlue, Width: 0.7 * th.line, Dashes: []vg.Length{3.2 * th.line, 1.4 * th.line}}
	case pairSame:
		return draw.LineStyle{Color: restGrey, Width: 0.7 * th.line, Dashes: []vg.Length{th.line, th.line}}
	}
	return solid(okabeBlack, 2*th.line)
}

// A pairPlot draws the lines.
type pairPlot struct {
	Pairs
	shown   []int // numbers of the seeds drawn
	medians []float64
	th      theme
}

// Plot draws the lines of the seeds, a dot at each value of a few, and the
// medians over them.
func (p pairPlot) Plot(c draw.Canvas, plt *plot.Plot) {
	trX, trY := plt.Transforms(&c)
	line := func(value func(i int) float64) []vg.Point {
		var pts []vg.Point
		for i := range p.Values {
			pts = append(pts, vg.Point{X: trX(float64(i)), Y: trY(value(i))})
		}
		return pts
	}
	last := len(p.Values) - 1
	for _, s := range p.shown {
		kind := pairSame
		switch a, b := p.Values[0][s], p.Values[last][s]; {
		case b > a:
			kind = pairRose
		case b < a:
			kind = pairFell
		}
		sty := p.th.pairStyle(kind)
		pts := line(func(i int) float64 { return p.Values[i][s] })
		if len(p.shown) > 60 {
			sty.Width *= 0.6
		}
		c.StrokeLines(sty, c.ClipLinesXY(pts)...)
		for _, q := range pts {
			if len(p.shown) <= 60 && c.Contains(q) {
				drawMarker(c, 0, sty.Color, q, 0.6*p.th.marker)
			}
		}
	}
	pts := line(func(i int) float64 { return p.medians[i] })
	c.StrokeLines(solid(color.White, 3.4*p.th.line), c.ClipLinesXY(pts)...)
	c.StrokeLines(p.th.pairStyle(pairMedian), c.ClipLinesXY(pts)...)
	for _, q := range pts {
		if c.Contains(q) {
			drawMarker(c, 3, okabeBlack, q, 1.4*p.th.marker)
		}
	}
}
