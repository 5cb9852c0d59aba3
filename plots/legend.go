package plots

import (
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A swatch is what an entry of a legend shows beside its name.
type swatch int

const (
	lineSwatch  swatch = iota // line i with its marker
	fillSwatch                // fill i with its hatch
	restSwatch                // the grey of "other"
	markSwatch                // instant mark i
	pointSwatch               // marker i
	pairSwatch                // line i of a figure of pairs
	noSwatch                  // none: the entry is a remark
)

// An entry is one row of a legend. It is comparable, so that the panels of a
// grid can share one legend.
type entry struct {
	name   string
	swatch swatch
	i      int
}

// A legend lays out its entries row by row, in as many columns as the strip
// holds. A name too long for the strip is elided.
type legend struct {
	entries []entry
	names   []string    // elided
	at      []vg.Length // left edge of each column
	width   vg.Length   // of all columns
	height  vg.Length
}

func (th theme) swatchWidth() vg.Length { return 2.4 * th.text }

// layout arranges entries on a strip of the given width, in at most most
// columns.
func (th theme) layout(entries []entry, width vg.Length, most int) legend {
	l := legend{entries: entries}
	if len(entries) == 0 {
		return l
	}
	st := th.style(th.text)
	lead, gap := th.swatchWidth()+0.5*th.text, 1.2*th.text
	if !slices.ContainsFunc(entries, func(e entry) bool { return e.swatch != noSwatch }) {
		lead = 0
	}
	for _, e := range entries {
		l.names = append(l.names, e.name)
	}
	l.names = elideAll(st, l.names, width-lead)
	for cols := min(len(entries), most); cols >= 1; cols-- {
		rows := (len(entries) + cols - 1) / cols
		if even := (len(entries) + rows - 1) / rows; even < cols {
			continue // the last row would be nearly empty
		}
		wide := make([]vg.Length, cols)
		for i, s := range l.names {
			wide[i%cols] = max(wide[i%cols], st.Width(s))
		}
		l.at, l.width = nil, 0
		for _, w := range wide {
			l.at = append(l.at, l.width)
			l.width += lead + w + gap
		}
		l.width -= gap
		l.height = leading(th.text) * vg.Length(rows)
		if l.width <= width {
			break
		}
	}
	return l
}

// layoutRight arranges entries below each other on the right of a figure whose
// parts have the given width.
func (th theme) layoutRight(entries []entry, width vg.Length) legend {
	return th.layout(entries, 0.38*width, 1)
}

// draw writes the legend, row by row, with its upper left corner at pt.
func (l legend) draw(c draw.Canvas, th theme, pt vg.Point) {
	st := th.style(th.text)
	h := leading(th.text)
	for i, e := range l.entries {
		x := pt.X + l.at[i%len(l.at)]
		y := pt.Y - h*(vg.Length(i/len(l.at))+0.5)
		th.swatch(c, e, vg.Rectangle{
			Min: vg.Point{X: x, Y: y - 0.36*th.text},
			Max: vg.Point{X: x + th.swatchWidth(), Y: y + 0.36*th.text},
		})
		if e.swatch != noSwatch {
			x += th.swatchWidth() + 0.5*th.text
		}
		put(c, st, vg.Point{X: x, Y: y}, 0, l.names[i])
	}
}

func (th theme) swatch(c draw.Canvas, e entry, r vg.Rectangle) {
	mid := vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: (r.Min.Y + r.Max.Y) / 2}
	switch e.swatch {
	case lineSwatch:
		c.StrokeLine2(th.lineStyle(e.i), r.Min.X, mid.Y, r.Max.X, mid.Y)
		drawMarker(c, e.i, lineColour(e.i), mid, th.marker)
	case fillSwatch:
		th.hatchedRect(c, e.i, r)
	case restSwatch:
		fillRect(c, restGrey, r)
		th.edge(c, r)
	case pointSwatch:
		drawMarker(c, e.i, lineColour(e.i), mid, 1.2*th.marker)
	case pairSwatch:
		c.StrokeLine2(th.pairStyle(e.i), r.Min.X, mid.Y, r.Max.X, mid.Y)
		if e.i == pairMedian {
			drawMarker(c, 3, okabeBlack, mid, 1.4*th.marker)
		}
	case markSwatch:
		drawMarker(c, markShape(e.i), ink, mid, th.marker)
	default:
		th.stateSwatch(c, e.swatch, r)
	}
}
