package plots

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"schedrepl/engine/table"
)

// A Figure is a finished figure, ready to be written. It is made by the function
// of its kind, such as CDF or Box, and does not change after that.
type Figure struct {
	kind   string
	th     theme
	dpi    int
	w, h   vg.Length // outer size
	body   vg.Length // wanted height of the axes and what is between them
	title  string
	place  Place
	legend []entry

	x, y axis
	// marks returns what is drawn between the axes, in drawing order.
	marks func(th theme, dpi int) []plot.Plotter
	// room, if set, widens the axes for labels that stand beside the data,
	// given the size of the area between the axes.
	room func(th theme, x, y axis, w, h vg.Length) (axis, axis)
	bar  *colourBar
	// side, if set, returns how wide a column of text at the right of the axes
	// is, given the width of both and the height; writeSide writes it.
	side      func(th theme, w, h vg.Length) vg.Length
	writeSide func(area draw.Canvas, plt *plot.Plot, th theme, side vg.Length)

	// head is the number of lines of small type that marks writes above the
	// axes.
	head int
	// data makes the table of the numbers drawn, when Data asks for it: see
	// tidy. It is set by every kind but grid.
	data func() *table.Table

	panels []*Figure // of a grid
	cols   int
}

// minBody is the least height, in type sizes, that axes need to be legible.
const minBody = 8

// newFigure starts a figure with the parts that all kinds share.
func newFigure(kind string, o Options) (*Figure, error) {
	if err := o.check(kind); err != nil {
		return nil, err
	}
	f := &Figure{kind: kind, th: themeFor(o.Size), title: clean(o.Title), place: o.Legend}
	f.w, f.body, f.dpi = f.th.width, f.th.body, f.th.dpi
	if o.Width != 0 {
		f.w = vg.Length(o.Width) * vg.Inch
	}
	if o.DPI != 0 {
		f.dpi = o.DPI
	}
	return f, nil
}

// finish sets the outer height once the content is known.
func (f *Figure) finish(o Options) (*Figure, error) {
	rest := f.heightWithout(f.th, f.w)
	least := f.leastBody(f.th, f.w)
	f.body = max(f.body, least)
	f.h = rest + f.body
	if o.Height != 0 {
		f.h = vg.Length(o.Height) * vg.Inch
		if need := rest + least; f.h < need {
			return nil, fmt.Errorf("%s: option Height is %g inches, but title, legend and axes need %.1f: give more, or 0 for the default",
				f.kind, o.Height, math.Ceil(float64(need/vg.Inch)*10)/10)
		}
	}
	if f.h > maxInches*vg.Inch || float64(f.w/vg.Inch)*float64(f.h/vg.Inch)*float64(f.dpi*f.dpi) > maxPixels {
		return nil, fmt.Errorf("%s: %.1f by %.1f inches at %d dots per inch is too large an image: draw less in one figure, or lower Width, Height or DPI",
			f.kind, f.w/vg.Inch, f.h/vg.Inch, f.dpi)
	}
	return f, nil
}

// leastBody returns the least height of the body on a figure of width w: that
// of legible axes, or of the legend beside them.
func (f *Figure) leastBody(th theme, w vg.Length) vg.Length {
	h := minBody * th.text
	if f.place == LegendRight {
		h = max(h, th.layoutRight(f.legend, w-2*th.gap).height)
	}
	return h
}

// Size returns the outer width and height in inches.
func (f *Figure) Size() (width, height float64) {
	return float64(f.w / vg.Inch), float64(f.h / vg.Inch)
}

// Kind returns the kind of the figure, one of Kinds.
func (f *Figure) Kind() string { return f.kind }

// Title returns what stands above the figure.
func (f *Figure) Title() string { return f.title }

// titleLines returns the title wrapped to a width.
func (f *Figure) titleLines(th theme, w vg.Length) []string {
	return wrap(th.style(th.title), f.title, w-2*th.gap, 3)
}

// heightWithout returns the height of all that is above and below the body.
func (f *Figure) heightWithout(th theme, w vg.Length) vg.Length {
	h := 2 * th.gap
	if n := len(f.titleLines(th, w)); n > 0 {
		h += vg.Length(n)*leading(th.title) + 0.75*th.gap
	}
	h += vg.Length(f.head) * leading(momentType*th.text)
	if f.place == LegendBelow && len(f.legend) > 0 {
		h += th.layout(f.legend, w-2*th.gap, len(f.legend)).height + th.gap
	}
	return h
}

// insets are the distances from the edges of a figure to the area between its
// axes.
type insets struct{ left, right, bottom, top vg.Length }

func (a insets) union(b insets) insets {
	return insets{max(a.left, b.left), max(a.right, b.right), max(a.bottom, b.bottom), max(a.top, b.top)}
}

// draw draws the figure on c. The area between the axes keeps at least the
// given distances from the edges of c; the distances it took are returned. With
// dry set nothing is drawn.
func (f *Figure) draw(c draw.Canvas, th theme, dpi int, least insets, dry bool) insets {
	outer := c.Rectangle
	c = draw.Crop(c, th.gap, -th.gap, th.gap, -th.gap)
	if lines := f.titleLines(th, outer.Size().X); len(lines) > 0 {
		st := th.style(th.title)
		if !dry {
			putLines(c, st, (c.Min.X+c.Max.X)/2, c.Max.Y, lines)
		}
		c.Max.Y -= leading(th.title)*vg.Length(len(lines)) + 0.75*th.gap
	}
	size := c.Size()
	switch {
	case len(f.legend) == 0 || f.place == LegendNone:
	case f.place == LegendRight:
		l := th.layoutRight(f.legend, size.X)
		c.Max.X -= l.width
		if !dry {
			l.draw(c, th, vg.Point{X: c.Max.X, Y: c.Max.Y})
		}
		c.Max.X -= 1.5 * th.gap
	default:
		l := th.layout(f.legend, size.X, len(f.legend))
		if !dry {
			l.draw(c, th, vg.Point{X: c.Min.X + (size.X-l.width)/2, Y: c.Min.Y + l.height})
		}
		c.Min.Y += l.height + th.gap
	}
	if f.panels != nil {
		if !dry {
			f.drawPanels(c, th, dpi)
		}
		return insets{}
	}

	// The area between the axes depends on the tick labels and these on the
	// area. After two rounds the size that ticks are chosen for only shrinks,
	// so that in the end they fit.
	crop := c
	w, h := 0.8*c.Size().X, 0.75*c.Size().Y
	var p *page
	for round := range 10 {
		p = f.page(crop, th, dpi, w, h)
		got := p.insets(outer)
		if s := p.firstTickLeft(c.Min.X); s > 0 {
			least.left = max(least.left, got.left+s)
		}
		d := p.area.Size()
		settled := d.X >= w-0.1 && d.Y >= h-0.1 && least.union(got) == got
		if settled && round >= 2 {
			break
		}
		if w, h = min(w, d.X), min(h, d.Y); round < 2 {
			w, h = d.X, d.Y
		}
		crop = draw.Crop(crop, max(0, least.left-got.left), -max(0, least.right-got.right),
			max(0, least.bottom-got.bottom), -max(0, least.top-got.top))
	}
	if !dry {
		p.draw(th)
	}
	return p.insets(outer)
}

// A page is the body of a figure laid out on a canvas.
type page struct {
	f              *Figure
	c              draw.Canvas // plot with its tick labels
	plt            *plot.Plot
	area           draw.Canvas // between the axes
	xlines, ylines []string
	bottom, left   vg.Length // edges of the body, where the axis labels are
	bar            barLayout
	barLeft        vg.Length
	side           vg.Length
	xticks         []plot.Tick
}

// page lays out the body on c, taking w and h for the size of the area between
// the axes when it chooses ticks.
func (f *Figure) page(c draw.Canvas, th theme, dpi int, w, h vg.Length) *page {
	st := th.style(th.text)
	x, y := f.x, f.y
	if f.room != nil {
		x, y = f.room(th, x, y, w, h)
	}
	p := &page{f: f, bottom: c.Min.Y, left: c.Min.X, plt: plot.New()}
	if f.bar != nil {
		p.bar = f.bar.layout(th, h)
		c.Max.X -= p.bar.width + 2*th.gap
		p.barLeft = c.Max.X + 2*th.gap
	}

	c.Max.Y -= vg.Length(f.head) * leading(momentType*th.text)
	if f.side != nil {
		p.side = f.side(th, c.Size().X, h)
		c.Max.X -= p.side
	}

	xt, xl := x.ticks(st, w, true)
	turned := false
	if x.names != nil {
		xt, turned = x.nameTicks(st, w, 0.32*c.Size().Y)
	}
	yt, yl := y.ticks(st, h, false)
	if y.names != nil {
		yt = y.sideTicks(st, h, 0.34*(c.Size().X+p.side))
	}
	p.xlines, p.ylines = wrap(st, clean(xl), w, 2), wrap(st, clean(yl), h, 2)
	if n := len(p.xlines); n > 0 {
		c.Min.Y += vg.Length(n)*leading(th.text) + th.gap/4
	}
	if n := len(p.ylines); n > 0 {
		c.Min.X += vg.Length(n)*leading(th.text) + th.gap/4
	}

	plt := p.plt
	plt.BackgroundColor = nil
	for _, a := range []struct {
		to    *plot.Axis
		from  axis
		ticks []plot.Tick
	}{{&plt.X, x, xt}, {&plt.Y, y, yt}} {
		xalign, yalign := a.to.Tick.Label.XAlign, a.to.Tick.Label.YAlign
		a.to.Tick.Label = st
		a.to.Label.TextStyle = st
		a.to.Tick.Label.XAlign, a.to.Tick.Label.YAlign = xalign, yalign
		a.to.Tick.Marker = plot.ConstantTicks(a.ticks)
		a.to.LineStyle = solid(ink, th.thin)
		a.to.Tick.LineStyle = solid(ink, th.thin)
		a.to.Tick.Length = 0.35 * th.text
		if a.from.names != nil {
			a.to.Tick.Length = 0.15 * th.text
			a.to.Tick.LineStyle.Color = color.Transparent
		}
		a.to.Padding = 0
		a.to.Min, a.to.Max = a.from.lo, a.from.hi
		if a.from.log {
			a.to.Scale = plot.LogScale{}
		}
	}
	if turned {
		plt.X.Tick.Label.Rotation = math.Pi / 2
		plt.X.Tick.Label.XAlign, plt.X.Tick.Label.YAlign = draw.XRight, draw.YCenter
	}
	grid := &plotter.Grid{}
	if !x.bare {
		grid.Vertical = solid(gridGrey, th.hair)
	}
	if !y.bare {
		grid.Horizontal = solid(gridGrey, th.hair)
	}
	plt.Add(grid)
	plt.Add(f.marks(th, dpi)...)
	p.c, p.xticks = c, xt
	p.area = plt.DataCanvas(c)
	return p
}

// insets returns how far the area between the axes is from the edges of outer.
func (p *page) insets(outer vg.Rectangle) insets {
	d := p.area
	return insets{d.Min.X - outer.Min.X, outer.Max.X - d.Max.X, d.Min.Y - outer.Min.Y, outer.Max.Y - d.Max.Y}
}

// firstTickLeft returns by how much the first label of the x axis sticks out
// to the left of x.
func (p *page) firstTickLeft(x vg.Length) vg.Length {
	var out vg.Length
	if p.plt.X.Tick.Label.Rotation != 0 {
		return 0
	}
	for _, t := range p.xticks {
		if t.Label != "" {
			at := p.area.X(p.plt.X.Norm(t.Value)) - p.plt.X.Tick.Label.Width(t.Label)/2
			out = max(out, x-at)
		}
	}
	return out
}

func (p *page) draw(th theme) {
	st := th.style(th.text)
	p.plt.Draw(p.c)
	if p.side > 0 {
		p.f.writeSide(p.area, p.plt, th, p.side)
	}
	if n := vg.Length(len(p.xlines)); n > 0 {
		putLines(p.c, st, (p.area.Min.X+p.area.Max.X)/2, p.bottom+n*leading(th.text), p.xlines)
	}
	for i, s := range p.ylines {
		putUp(p.c, st, vg.Point{
			X: p.left + leading(th.text)*(vg.Length(i)+0.5),
			Y: (p.area.Min.Y + p.area.Max.Y) / 2,
		}, s)
	}
	if p.f.bar != nil {
		p.f.bar.draw(p.c, th, p.bar, vg.Rectangle{
			Min: vg.Point{X: p.barLeft, Y: p.area.Min.Y},
			Max: vg.Point{X: p.barLeft + th.text, Y: p.area.Max.Y},
		})
	}
}
