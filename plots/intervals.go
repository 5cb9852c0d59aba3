package plots

import (
	"errors"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"schedrepl/engine/table"
)

// Intervals draws a row for each category and in it, for each series, a mark
// at the value with a bar from Lo to Hi: what is known of a number, such as the
// difference between two variants. The first category is at the top. The axis
// need not begin at zero; with ZeroLine it holds zero and a line there, and an
// interval on one side of it is a difference that shows.
//
// With ValueLabels the numbers stand at the right of each row, beyond the axes,
// as "1.2 (0.9 to 1.6)", if there is room. YLabel, YRange and LogY are those of the values, as for
// Bar. It is an error if there is no category or series, more than seven
// series, lengths differ, a number is infinite, all are NaN, an interval is
// upside down, or a number is at or below zero with LogY.
func Intervals(d BarData, o Options) (*Figure, error) {
	f, err := newFigure("intervals", o)
	if err != nil {
		return nil, err
	}
	if o.ZeroLine && o.LogY {
		return nil, errors.New("intervals: a logarithmic axis has no zero: use LogY=false or ZeroLine=false")
	}
	cats, names, err := d.check("intervals", maxClouds, o)
	if err != nil {
		return nil, err
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
	if o.ZeroLine {
		r.add(0)
	}
	val := axis{label: clean(o.YLabel), unit: clean(d.Unit), log: o.LogY}
	if val.label == "" {
		val.label = "value"
	}
	if o.ZeroLine && r.lo == 0 && o.YRange == [2]float64{} {
		r.lo = -0.05 * r.hi // the line does not lie on the edge
	}
	if o.ZeroLine && r.hi == 0 && o.YRange == [2]float64{} {
		r.hi = -0.05 * r.lo
	}
	val.fit(r.lo, r.hi, o.YRange)
	f.x, f.y = val, categories(clean(o.XLabel), cats)
	f.legend = lineLegend(pointSwatch, names)
	f.data = func() *table.Table { return d.data("intervals", cats, names) }

	th := f.th
	rows := vg.Length(len(cats))
	each := 0.6*th.text + vg.Length(len(d.Series))*1.2*th.text
	f.body = max(minBody*th.text, min(each*rows, 7.5*vg.Inch), 3*rows*vg.Length(len(d.Series))) + 3*th.text
	p := intervalPlot{BarData: d, zero: o.ZeroLine, labels: o.ValueLabels}
	p.val = val
	if o.ValueLabels {
		f.side, f.writeSide = p.sideroom, p.writeSide
	}
	f.marks = func(th theme, _ int) []plot.Plotter {
		q := p
		q.th = th
		return []plot.Plotter{q}
	}
	return f.finish(o)
}

// An intervalPlot draws all rows.
type intervalPlot struct {
	BarData
	zero, labels bool
	val          axis
	th           theme
}

// label writes the numbers of one row, "n/a" if there are none.
func (p intervalPlot) label(a axis, s BarSeries, i int) string {
	if s.Lo == nil || math.IsNaN(s.Lo[i]) || math.IsNaN(s.Hi[i]) || math.IsNaN(s.Values[i]) {
		return a.valueLabel(s.Values[i])
	}
	return a.valueLabel(s.Values[i]) + " (" + a.valueLabel(s.Lo[i]) + " to " + a.valueLabel(s.Hi[i]) + ")"
}

// widest returns the width of the widest label.
func (p intervalPlot) widest(th theme, a axis) vg.Length {
	st := th.style(th.text)
	var w vg.Length
	for _, s := range p.Series {
		for i := range s.Values {
			w = max(w, st.Width(p.label(a, s, i)))
		}
	}
	return w
}

// sideroom returns the width of the column of labels at the right of the axes,
// where these with their names are w wide and the rows h high: none if the labels
// do not fit, or leave too little beside names of the greatest width.
func (p intervalPlot) sideroom(th theme, w, h vg.Length) vg.Length {
	each := 0.8 * h / vg.Length(len(p.Categories)*len(p.Series))
	side := p.widest(th, p.val) + 0.6*th.text
	if !p.labels || each < 0.95*th.text || 0.66*w-side < minBody*th.text {
		return 0
	}
	return side
}

// writeSide writes the labels at the right of the area c between the axes.
func (p intervalPlot) writeSide(c draw.Canvas, plt *plot.Plot, th theme, side vg.Length) {
	st := th.style(th.text)
	for k, b := range p.Series {
		for i, v := range b.Values {
			if !math.IsNaN(v) {
				_, mid := p.row(c, plt, k, i)
				put(c, st, vg.Point{X: c.Max.X + side, Y: mid}, 1, p.label(p.val, b, i))
			}
		}
	}
}

// row returns the height and the middle of the row of series k in category i.
func (p intervalPlot) row(c draw.Canvas, plt *plot.Plot, k, i int) (each, mid vg.Length) {
	trX, trY := plt.Transforms(&c)
	slot, half := sideways{true, trX, trY, plt.X.Min, plt.X.Max, len(p.Categories)}.slotOf(i, 0.8)
	each = 2 * half / vg.Length(len(p.Series))
	return each, slot + half - each*(vg.Length(k)+0.5)
}

// Plot draws the line at zero, the bars, and the marks over them.
func (p intervalPlot) Plot(c draw.Canvas, plt *plot.Plot) {
	trX, trY := plt.Transforms(&c)
	s := sideways{true, trX, trY, plt.X.Min, plt.X.Max, len(p.Categories)}
	st := p.th.style(p.th.text)
	if p.zero && s.inside(0) {
		c.StrokeLine2(solid(ink, 1.4*p.th.thin), trX(0), c.Min.Y, trX(0), c.Max.Y)
	}
	for k, b := range p.Series {
		for i, v := range b.Values {
			each, mid := p.row(c, plt, k, i)
			tick := min(0.35*each, 0.3*p.th.text)
			if b.Lo != nil && !math.IsNaN(b.Lo[i]) && !math.IsNaN(b.Hi[i]) && b.Lo[i] <= s.hi && b.Hi[i] >= s.lo {
				from, to := trX(s.clamp(b.Lo[i])), trX(s.clamp(b.Hi[i]))
				lines := [][]vg.Point{{{X: from, Y: mid}, {X: to, Y: mid}}}
				if s.inside(b.Lo[i]) {
					lines = append(lines, s.bar(from, mid, tick))
				}
				if s.inside(b.Hi[i]) {
					lines = append(lines, s.bar(to, mid, tick))
				}
				strokeAll(c, solid(lineColour(k), p.th.line), lines)
			}
			if !math.IsNaN(v) && s.inside(v) {
				drawMarker(c, k, lineColour(k), vg.Point{X: trX(v), Y: mid}, p.th.marker)
			}
			if math.IsNaN(v) {
				put(c, st, vg.Point{X: (c.Min.X + c.Max.X) / 2, Y: mid}, 0.5, "n/a")
			}
		}
	}
}
