package plots

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// numMarkers is the number of marker shapes.
const numMarkers = 7

// drawMarker draws marker shape i, of radius r, at p. Solid shapes have a white
// edge, so that they stay apart from the line they sit on.
func drawMarker(c draw.Canvas, i int, col color.Color, p vg.Point, r vg.Length) {
	var path vg.Path
	poly := func(n int, turn float64, k vg.Length) {
		for j := 0; j < n; j++ {
			a := turn + 2*math.Pi*float64(j)/float64(n)
			q := vg.Point{X: p.X + k*r*vg.Length(math.Cos(a)), Y: p.Y + k*r*vg.Length(math.Sin(a))}
			if j == 0 {
				path.Move(q)
			} else {
				path.Line(q)
			}
		}
		path.Close()
	}
	switch i % numMarkers {
	case 0: // disc, as a polygon: arcs differ between canvases
		poly(16, 0, 1)
	case 1: // square
		poly(4, math.Pi/4, 1.2)
	case 2: // triangle up
		poly(3, math.Pi/2, 1.35)
	case 3: // diamond
		poly(4, 0, 1.3)
	case 4: // triangle down
		poly(3, -math.Pi/2, 1.35)
	case 5, 6: // cross, plus
		turn := math.Pi / 4 * float64(i%numMarkers-4)
		for k := 0; k < 2; k++ {
			a := turn + math.Pi/2*float64(k)
			d := vg.Point{X: 1.2 * r * vg.Length(math.Cos(a)), Y: 1.2 * r * vg.Length(math.Sin(a))}
			path.Move(p.Sub(d))
			path.Line(p.Add(d))
		}
		c.SetLineStyle(solid(col, r*0.55))
		c.Stroke(path)
		return
	}
	c.SetColor(col)
	c.Fill(path)
	c.SetLineStyle(solid(color.White, r*0.2))
	c.Stroke(path)
}
