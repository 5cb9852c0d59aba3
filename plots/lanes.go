package plots

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A timelinePlot draws the lanes of a timeline, a pixel column at a time.
type timelinePlot struct {
	lanes   []band
	rank    map[int]int // task to its number in the legend
	legend  []entry
	kinds   map[string]int // kind of mark to its number
	moments moments
	note    string // stands in the middle if nothing else does
	th      theme
	dpi     int
}

// A band is one row of a timeline: a lane, or several that share it.
type band struct {
	parts []Lane // segments in order of time
}

// maxLevels is the number of steps into which the height of a lane is cut.
const maxLevels = 8

// A levels counts, for one pixel column, the steps that belong to each look.
// Sleep takes no steps: it is 1 where nothing but sleep was.
type levels [numLooks]uint8

// A sums holds, for one pixel column, the time of each look.
type sums [numLooks]float64

// A run is a stretch of pixel columns that look alike.
type run struct {
	from, to int // columns
	levels
}

// Plot draws lane by lane: the fills of one colour as one path, then the
// hatches, names and marks.
func (p timelinePlot) Plot(c draw.Canvas, plt *plot.Plot) {
	trX, trY := plt.Transforms(&c)
	edges := pixelEdges(c.Min.X, c.Max.X, p.dpi)
	st := p.th.style(0.9 * p.th.text)
	// crossed tells whether the line of a moment runs through [a, b].
	crossed := func(a, b vg.Length) bool {
		return slices.ContainsFunc(p.moments.at, func(m Moment) bool {
			x := trX(float64(m.At))
			return x > a && x < b
		})
	}
	for i, b := range p.lanes {
		mid := float64(len(p.lanes) - 1 - i)
		bottom, top := trY(mid-0.42), trY(mid+0.42)
		full := top
		if len(p.kinds) > 0 {
			full = bottom + (top-bottom)*0.72
		}
		n := int(float64((full-bottom)/vg.Inch) * float64(p.dpi) / 2)
		n = min(max(n, 2), maxLevels)
		var runs []run
		if len(b.parts) == 1 {
			runs = binLane(b.parts[0].Segments, p.rank, plt.X.Min, plt.X.Max, edges, n)
		} else {
			runs = binBand(b.parts, p.rank, plt.X.Min, plt.X.Max, edges, n)
		}
		p.fill(c, st, runs, edges, bottom, full, n, crossed)
		c.StrokeLine2(solid(gridGrey, p.th.hair), c.Min.X, bottom, c.Max.X, bottom)
		var marks []Mark
		for _, l := range b.parts {
			marks = append(marks, l.Marks...)
		}
		p.instants(c, marks, trX, full, top, plt.X.Min, plt.X.Max)
	}
	p.moments.draw(c, p.th, trX)
	if p.note != "" {
		st := p.th.style(p.th.text)
		putBoxed(c, st, vg.Point{X: (c.Min.X + c.Max.X) / 2, Y: (c.Min.Y + c.Max.Y) / 2}, p.note)
	}
}

// putBoxed writes one line of text, centred on pt, on a white ground.
func putBoxed(c draw.Canvas, st draw.TextStyle, pt vg.Point, s string) {
	s = elide(st, s, c.Max.X-c.Min.X-st.Font.Size)
	w, h := st.Width(s)/2+0.4*st.Font.Size, 0.75*st.Font.Size
	fillRect(c, color.White, vg.Rectangle{Min: vg.Point{X: pt.X - w, Y: pt.Y - h}, Max: vg.Point{X: pt.X + w, Y: pt.Y + h}})
	put(c, st, pt, 0.5, s)
}

// maxRects bounds the rectangles of one path: the rasteriser of PNGs searches all
// that lie on a line of pixels for each that it adds.
const maxRects = 40

// fill draws the runs of one lane between bottom and top. No name stands where
// it would be crossed.
func (p timelinePlot) fill(c draw.Canvas, st draw.TextStyle, runs []run, edges []vg.Length, bottom, top vg.Length, n int, crossed func(a, b vg.Length) bool) {
	var fills [sleepLook][]vg.Path
	var hatches [sleepLook][][]vg.Point
	var sleeps [][]vg.Point
	type name struct {
		s   string
		at  vg.Point
		num int
	}
	var names []name
	var called [maxTopTasks + 1]string
	var wide [maxTopTasks + 1]vg.Length
	for i, e := range p.legend {
		called[i] = shown(st, e.name)
		wide[i] = st.Width(called[i])
	}
	px := vg.Inch / vg.Length(p.dpi)
	for _, r := range runs {
		y, base := bottom, vg.Length(0)
		if r.levels[sleepLook] > 0 {
			sleeps = addSleep(sleeps, edges[r.from], edges[r.to], (bottom+top)/2)
		}
		for i, k := range r.levels[:sleepLook] {
			if k == 0 {
				continue
			}
			box := vg.Rectangle{
				Min: vg.Point{X: edges[r.from], Y: y},
				Max: vg.Point{X: edges[r.to], Y: y + (top-bottom)*vg.Length(k)/vg.Length(n)},
			}
			y = box.Max.Y
			if n := len(fills[i]); n == 0 || len(fills[i][n-1]) >= 5*maxRects {
				fills[i] = append(fills[i], nil)
			}
			rectPath(&fills[i][len(fills[i])-1], vg.Rectangle{
				Min: vg.Point{X: columnAt(edges, r.from, px), Y: base},
				Max: vg.Point{X: columnAt(edges, r.to, px), Y: base + vg.Length(k)},
			})
			base += vg.Length(k)
			if p.hatched(i) == nil || int(k) < n || box.Size().X < 0.8*p.th.hatch || top-bottom < 1.6*p.th.hatch {
				continue
			}
			// A name, where it fits, and the hatch around it.
			free := []vg.Rectangle{box}
			if i <= maxTopTasks {
				s, w := called[i], wide[i]
				mid := (box.Min.X + box.Max.X) / 2
				if box.Size().X >= w+0.6*p.th.text && top-bottom >= st.Font.Size && !crossed(mid-w/2, mid+w/2) {
					names = append(names, name{s, vg.Point{X: mid, Y: (bottom + top) / 2}, i})
					left, right := box, box
					left.Max.X, right.Min.X = mid-w/2-0.15*p.th.text, mid+w/2+0.15*p.th.text
					free = []vg.Rectangle{left, right}
				}
			}
			for _, b := range free {
				hatches[i] = append(hatches[i], p.hatched(i)(b)...)
			}
		}
	}
	strokeAll(c, p.th.sleepLine(), sleeps)
	for i, paths := range fills {
		if len(paths) == 0 {
			continue
		}
		fill, line := p.colours(i)
		// The path counts in columns and steps: short numbers make a small SVG.
		c.Push()
		c.Translate(vg.Point{X: edges[0] - columnAt(edges, 0, px)*px, Y: bottom})
		c.Scale(px.Points(), float64((top-bottom)/vg.Length(n)))
		c.SetColor(fill)
		for _, path := range paths {
			c.Fill(path)
		}
		c.Pop()
		strokeAll(c, solid(line, p.th.thin), hatches[i])
	}
	for _, t := range names {
		st.Color = contrast(fillColour(t.num))
		put(c, st, t.at, 0.5, t.s)
	}
}

// addSleep appends a level line, or draws the one before out if they touch.
func addSleep(lines [][]vg.Point, from, to, y vg.Length) [][]vg.Point {
	if k := len(lines) - 1; k >= 0 && lines[k][1].X >= from {
		lines[k][1].X = to
		return lines
	}
	return append(lines, []vg.Point{{X: from, Y: y}, {X: to, Y: y}})
}

// hatched returns how a look is hatched; nil for one that is not.
func (p timelinePlot) hatched(look int) func(vg.Rectangle) [][]vg.Point {
	h := fallingHatch
	switch {
	case look == unknownLook:
		h = crossHatch
	case look == waitLook:
	case p.legend[look].swatch != fillSwatch:
		return nil
	default:
		h = hatchFor(look)
	}
	return func(r vg.Rectangle) [][]vg.Point { return hatchLines(h, r, p.th.hatch) }
}

// colours returns the colours of a look and of its hatch.
func (p timelinePlot) colours(look int) (fill, line color.RGBA) {
	switch {
	case look == waitLook:
		return waitFill, okabeVermillion
	case look == unknownLook:
		return missGrey, restGrey
	case p.legend[look].swatch != fillSwatch:
		return restGrey, contrast(restGrey)
	}
	return fillColour(look), contrast(fillColour(look))
}

// instants draws the marks of a lane between bottom and top, one of each kind
// in a pixel column.
func (p timelinePlot) instants(c draw.Canvas, marks []Mark, trX func(float64) vg.Length, bottom, top vg.Length, lo, hi float64) {
	radius := min(p.th.marker, (top-bottom)/2)
	px := vg.Inch / vg.Length(p.dpi)
	type place struct{ kind, col int }
	seen := map[place]bool{}
	for _, m := range marks {
		t := float64(m.At)
		if t < lo || t > hi {
			continue
		}
		k := p.kinds[m.Kind]
		x := trX(t)
		at := place{k, int(x / px)}
		if seen[at] {
			continue
		}
		seen[at] = true
		drawMarker(c, markShape(k), ink, vg.Point{X: x, Y: (bottom + top) / 2}, radius)
	}
}
