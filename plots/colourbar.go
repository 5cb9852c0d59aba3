package plots

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// shades is the number of steps of the colour scale.
const shades = 128

// shade returns step i of the colour scale: light yellow over green and blue to
// dark purple. Its lightness falls steadily, so that order can be read without
// seeing the hue. The anchors are ten evenly spaced colours of viridis
// (matplotlib, released under CC0), light end first.
func shade(i int) color.RGBA {
	anchors := [...]color.RGBA{
		{0xfd, 0xe7, 0x25, 0xff}, {0xb5, 0xde, 0x2b, 0xff}, {0x6e, 0xce, 0x58, 0xff},
		{0x35, 0xb7, 0x79, 0xff}, {0x1f, 0x9e, 0x89, 0xff}, {0x26, 0x82, 0x8e, 0xff},
		{0x31, 0x68, 0x8e, 0xff}, {0x3e, 0x49, 0x89, 0xff}, {0x48, 0x28, 0x78, 0xff},
		{0x44, 0x01, 0x54, 0xff},
	}
	// Whole numbers only: the same colour on every machine.
	pos := i * (len(anchors) - 1)
	k, rest := pos/(shades-1), pos%(shades-1)
	if k == len(anchors)-1 {
		return anchors[k]
	}
	mix := func(a, b uint8) uint8 {
		return uint8((int(a)*(shades-1-rest) + int(b)*rest + (shades-1)/2) / (shades - 1))
	}
	a, b := anchors[k], anchors[k+1]
	return color.RGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 0xff}
}

// A colourBar is the key of a colour scale, at the right of a figure.
type colourBar struct{ scale axis }

// A barLayout is a colour bar laid out for one height.
type barLayout struct {
	ticks  []plot.Tick
	lines  []string // label
	labels vg.Length
	width  vg.Length
}

// layout chooses ticks and label for a bar of the given height.
func (b *colourBar) layout(th theme, height vg.Length) barLayout {
	st := th.style(th.text)
	ticks, label := b.scale.ticks(st, height, false)
	l := barLayout{ticks: ticks, lines: wrap(st, label, height, 2)}
	for _, t := range ticks {
		l.labels = max(l.labels, st.Width(t.Label))
	}
	l.width = th.text + 0.6*th.text + l.labels
	if n := len(l.lines); n > 0 {
		l.width += 0.3*th.text + vg.Length(n)*leading(th.text)
	}
	return l
}

// draw draws the bar into r and what belongs to it at the right of r.
func (b *colourBar) draw(c draw.Canvas, th theme, l barLayout, r vg.Rectangle) {
	st := th.style(th.text)
	h := r.Size().Y
	// Each step reaches to the top, so that no seam shows between two.
	for i := range shades {
		y := r.Min.Y + h*vg.Length(i)/shades
		fillRect(c, shade(i), vg.Rectangle{Min: vg.Point{X: r.Min.X, Y: y}, Max: r.Max})
	}
	th.edge(c, r)
	for _, t := range l.ticks {
		if t.Label == "" {
			continue
		}
		y := r.Min.Y + h*vg.Length(b.scale.norm(t.Value))
		c.StrokeLine2(solid(ink, th.thin), r.Max.X, y, r.Max.X+0.25*th.text, y)
		put(c, st, vg.Point{X: r.Max.X + 0.5*th.text, Y: y}, 0, t.Label)
	}
	x := r.Max.X + 0.9*th.text + l.labels
	for i, s := range l.lines {
		putUp(c, st, vg.Point{X: x + leading(th.text)*(vg.Length(i)+0.5), Y: (r.Min.Y + r.Max.Y) / 2}, s)
	}
}
