package plots

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A hatch is the second coding of a filled shape, beside its colour.
type hatch int

// The hatches, in the order in which series take them.
const (
	plainHatch hatch = iota
	risingHatch
	fallingHatch
	levelHatch
	crossHatch
	uprightHatch
	gridHatch
	dotHatch
	numHatches
)

func hatchFor(i int) hatch { return hatch(i % int(numHatches)) }

// hatchLines returns the strokes of a hatch inside r. The lines lie on a
// pattern that is fixed on the canvas, not on r, so that the hatches of
// neighbouring shapes join.
func hatchLines(h hatch, r vg.Rectangle, step vg.Length) [][]vg.Point {
	var out [][]vg.Point
	if h == risingHatch || h == crossHatch {
		out = append(out, diagonals(r, step*math.Sqrt2, +1)...)
	}
	if h == fallingHatch || h == crossHatch {
		out = append(out, diagonals(r, step*math.Sqrt2, -1)...)
	}
	if h == levelHatch || h == gridHatch {
		for y := firstMultiple(r.Min.Y, step); y < r.Max.Y; y += step {
			out = append(out, []vg.Point{{X: r.Min.X, Y: y}, {X: r.Max.X, Y: y}})
		}
	}
	if h == uprightHatch || h == gridHatch {
		for x := firstMultiple(r.Min.X, step); x < r.Max.X; x += step {
			out = append(out, []vg.Point{{X: x, Y: r.Min.Y}, {X: x, Y: r.Max.Y}})
		}
	}
	if h == dotHatch {
		d := step / 4
		for y := firstMultiple(r.Min.Y+d, step); y < r.Max.Y-d; y += step {
			for x := firstMultiple(r.Min.X+d, step); x < r.Max.X-d; x += step {
				out = append(out, []vg.Point{{X: x - d/2, Y: y}, {X: x + d/2, Y: y}})
			}
		}
	}
	return out
}

func firstMultiple(v, step vg.Length) vg.Length {
	return step * vg.Length(math.Floor(float64(v/step))+1)
}

// diagonals returns the parts inside r of the lines y = slope*x + k*step for
// all integers k; slope is +1 or -1.
func diagonals(r vg.Rectangle, step, slope vg.Length) [][]vg.Point {
	lo := min(r.Min.Y-slope*r.Min.X, r.Min.Y-slope*r.Max.X)
	hi := max(r.Max.Y-slope*r.Min.X, r.Max.Y-slope*r.Max.X)
	var out [][]vg.Point
	for b := firstMultiple(lo, step); b < hi; b += step {
		x0, x1 := (r.Min.Y-b)/slope, (r.Max.Y-b)/slope
		if x0 > x1 {
			x0, x1 = x1, x0
		}
		x0, x1 = max(x0, r.Min.X), min(x1, r.Max.X)
		if x1-x0 > 0.1 {
			out = append(out, []vg.Point{{X: x0, Y: slope*x0 + b}, {X: x1, Y: slope*x1 + b}})
		}
	}
	return out
}

// strokeAll strokes many lines of one style as a single path, or as several if
// there are so many that the rasteriser of PNGs would be slow: see maxStroke.
func strokeAll(c draw.Canvas, sty draw.LineStyle, lines [][]vg.Point) {
	for len(lines) > 3*maxStroke {
		strokeAll(c, sty, lines[:maxStroke])
		lines = lines[maxStroke:]
	}
	if len(lines) == 0 {
		return
	}
	var p vg.Path
	for _, l := range lines {
		p.Move(l[0])
		for _, pt := range l[1:] {
			p.Line(pt)
		}
	}
	c.SetLineStyle(sty)
	c.Stroke(p)
}

// rectPath appends the outline of r to p.
func rectPath(p *vg.Path, r vg.Rectangle) {
	p.Move(r.Min)
	p.Line(vg.Point{X: r.Max.X, Y: r.Min.Y})
	p.Line(r.Max)
	p.Line(vg.Point{X: r.Min.X, Y: r.Max.Y})
	p.Close()
}

// fillRect fills r with one colour.
func fillRect(c draw.Canvas, col color.Color, r vg.Rectangle) {
	var p vg.Path
	rectPath(&p, r)
	c.SetColor(col)
	c.Fill(p)
}

// hatchedRect fills r with the colour and hatch of fill i, and edges it.
func (th theme) hatchedRect(c draw.Canvas, i int, r vg.Rectangle) {
	col := fillColour(i)
	fillRect(c, col, r)
	strokeAll(c, solid(contrast(col), th.thin), hatchLines(hatchFor(i), r, th.hatch))
	th.edge(c, r)
}

// edge strokes the outline of r.
func (th theme) edge(c draw.Canvas, r vg.Rectangle) {
	var p vg.Path
	rectPath(&p, r)
	c.SetLineStyle(solid(ink, th.thin))
	c.Stroke(p)
}
