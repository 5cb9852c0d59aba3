package plots

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A timelinePlot draws the lanes of a timeline, a pixel column at a time.
type timelinePlot struct {
	lanes  []Lane      // segments in order of time
	rank   map[int]int // task to its number in the legend
	legend []entry
	kinds  map[string]int // kind of mark to its number
	th     theme
	dpi    int
}

// maxLevels is the number of steps into which the height of a lane is cut.
const maxLevels = 8

// A levels counts, for one pixel column, the steps that belong to each number
// of the legend, "other" last.
type levels [maxTopTasks + 1]uint8

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
	for i, l := range p.lanes {
		mid := float64(len(p.lanes) - 1 - i)
		bottom, top := trY(mid-0.42), trY(mid+0.42)
		full := top
		if len(p.kinds) > 0 {
			full = bottom + (top-bottom)*0.72
		}
		n := int(float64((full-bottom)/vg.Inch) * float64(p.dpi) / 2)
		n = min(max(n, 2), maxLevels)
		runs := binLane(l.Segments, p.rank, plt.X.Min, plt.X.Max, edges, n)
		p.fill(c, st, runs, edges, bottom, full, n)
		c.StrokeLine2(solid(gridGrey, p.th.hair), c.Min.X, bottom, c.Max.X, bottom)
		p.instants(c, l.Marks, trX, full, top, plt.X.Min, plt.X.Max)
	}
}

// pixelEdges returns the edges of the pixel columns from lo to hi. All but the
// first and last lie on the pixels of an image with that resolution, so that
// no column is blurred over two.
func pixelEdges(lo, hi vg.Length, dpi int) []vg.Length {
	px := vg.Inch / vg.Length(dpi)
	edges := []vg.Length{lo}
	for k := math.Floor(float64(lo/px)) + 1; vg.Length(k)*px < hi-px/100; k++ {
		if x := vg.Length(k) * px; x > lo+px/100 {
			edges = append(edges, x)
		}
	}
	return append(edges, hi)
}

// columnAt returns edge k counted in columns of width px, where edge 1 is at 1.
// All but the first and the last are whole numbers.
func columnAt(edges []vg.Length, k int, px vg.Length) vg.Length {
	if k > 0 && k < len(edges)-1 {
		return vg.Length(k)
	}
	return 1 + (edges[k]-edges[1])/px
}

// binLane sums the segments of one lane into the columns between the edges,
// which span the time from lo to hi, and returns the runs that are not idle.
// Segments are in order and do not overlap, so each column is finished before
// the next begins.
func binLane(segs []Segment, rank map[int]int, lo, hi float64, edges []vg.Length, n int) []run {
	first, last := edges[0], edges[len(edges)-1]
	cols := len(edges) - 1
	perNs := float64(last-first) / (hi - lo)
	timeOf := func(k int) float64 { return lo + float64(edges[k]-first)/perNs }

	var runs []run
	emit := func(from, to int, lv levels) {
		if lv == (levels{}) {
			return
		}
		if k := len(runs) - 1; k >= 0 && runs[k].to == from && runs[k].levels == lv {
			runs[k].to = to
			return
		}
		runs = append(runs, run{from, to, lv})
	}
	col := 0
	start, end := lo, timeOf(1)
	var sum [maxTopTasks + 1]float64
	busy, small := false, false
	flush := func() {
		if busy && small {
			emit(col, col+1, quantise(sum, end-start, n))
		} else if busy {
			emit(col, col+1, dominant(sum, end-start, n))
		}
		if busy {
			sum, busy, small = [maxTopTasks + 1]float64{}, false, false
		}
	}
	seek := func(k int) {
		col = k
		start, end = timeOf(k), timeOf(k+1)
	}
	for _, s := range segs {
		a, b := max(float64(s.Start), lo), min(float64(s.End), hi)
		if b <= a {
			continue
		}
		r := rank[s.Task]
		if a >= end && col < cols-1 {
			flush()
			// Guess the column and correct the guess by its neighbours: the
			// first column may be narrower than the others.
			k := max(col+1, min(cols-1, int(float64(cols)*(a-lo)/(hi-lo))-1))
			for k < cols-1 && timeOf(k+1) <= a {
				k++
			}
			for k > col+1 && timeOf(k) > a {
				k--
			}
			seek(k)
		}
		short := b-a < 2*(hi-lo)/float64(cols)
		for {
			sum[r] += min(b, end) - max(a, start)
			busy, small = true, small || short
			if b <= end || col == cols-1 {
				break
			}
			flush()
			k := col + 1
			from := k
			for k < cols-1 && timeOf(k+1) <= b {
				k++
			}
			if k > from {
				var whole levels
				whole[r] = uint8(n)
				emit(from, k, whole)
			}
			seek(k)
			if b <= start {
				break
			}
		}
	}
	flush()
	return runs
}

// dominant gives a column in which long segments only begin or end to the one
// that has most of it, or leaves it blank if it is more than half idle: ends
// are rounded to pixels.
func dominant(sum [maxTopTasks + 1]float64, width float64, n int) levels {
	var lv levels
	best, busy := 0, 0.0
	for i, v := range sum {
		busy += v
		if v > sum[best] {
			best = i
		}
	}
	if busy >= width/2 {
		lv[best] = uint8(n)
	}
	return lv
}

// quantise shares n steps among the times in one column that is width long.
// The number of steps in all is the busy part of the column, rounded, but at
// least one. They are dealt by largest remainder, ties to the lower number.
func quantise(sum [maxTopTasks + 1]float64, width float64, n int) levels {
	var lv levels
	var busy float64
	for _, v := range sum {
		busy += v
	}
	steps := min(n, max(1, int(busy/width*float64(n)+0.5)))
	type part struct {
		i    int
		rest float64
	}
	var parts [maxTopTasks + 1]part
	m, left := 0, steps
	for i, v := range sum {
		if v > 0 {
			q := v / busy * float64(steps)
			lv[i] = uint8(q)
			left -= int(lv[i])
			parts[m] = part{i, q - math.Floor(q)}
			m++
		}
	}
	slices.SortStableFunc(parts[:m], func(a, b part) int {
		switch {
		case a.rest > b.rest:
			return -1
		case a.rest < b.rest:
			return 1
		}
		return 0
	})
	for k := 0; k < left && m > 0; k++ {
		lv[parts[k%m].i]++
	}
	return lv
}

// fill draws the runs of one lane between bottom and top.
func (p timelinePlot) fill(c draw.Canvas, st draw.TextStyle, runs []run, edges []vg.Length, bottom, top vg.Length, n int) {
	var fills [maxTopTasks + 1]vg.Path
	var hatches [maxTopTasks + 1][][]vg.Point
	type name struct {
		s   string
		at  vg.Point
		num int
	}
	var names []name
	px := vg.Inch / vg.Length(p.dpi)
	for _, r := range runs {
		y, base := bottom, vg.Length(0)
		for i, k := range r.levels {
			if k == 0 {
				continue
			}
			box := vg.Rectangle{
				Min: vg.Point{X: edges[r.from], Y: y},
				Max: vg.Point{X: edges[r.to], Y: y + (top-bottom)*vg.Length(k)/vg.Length(n)},
			}
			y = box.Max.Y
			rectPath(&fills[i], vg.Rectangle{
				Min: vg.Point{X: columnAt(edges, r.from, px), Y: base},
				Max: vg.Point{X: columnAt(edges, r.to, px), Y: base + vg.Length(k)},
			})
			base += vg.Length(k)
			if p.legend[i].swatch != fillSwatch || int(k) < n || box.Size().X < 0.8*p.th.hatch || top-bottom < 1.6*p.th.hatch {
				continue
			}
			// A name, where it fits, and the hatch around it.
			s := p.legend[i].name
			w := st.Width(s)
			free := []vg.Rectangle{box}
			if box.Size().X >= w+0.6*p.th.text && top-bottom >= st.Font.Size {
				mid := (box.Min.X + box.Max.X) / 2
				names = append(names, name{s, vg.Point{X: mid, Y: (bottom + top) / 2}, i})
				left, right := box, box
				left.Max.X, right.Min.X = mid-w/2-0.15*p.th.text, mid+w/2+0.15*p.th.text
				free = []vg.Rectangle{left, right}
			}
			for _, b := range free {
				hatches[i] = append(hatches[i], hatchLines(hatchFor(i), b, p.th.hatch)...)
			}
		}
	}
	for i, path := range fills {
		if len(path) == 0 {
			continue
		}
		col := restGrey
		if p.legend[i].swatch == fillSwatch {
			col = fillColour(i)
		}
		// The path counts in columns and steps: short numbers make a small SVG.
		c.Push()
		c.Translate(vg.Point{X: edges[0] - columnAt(edges, 0, px)*px, Y: bottom})
		c.Scale(px.Points(), float64((top-bottom)/vg.Length(n)))
		c.SetColor(col)
		c.Fill(path)
		c.Pop()
		strokeAll(c, solid(contrast(col), p.th.thin), hatches[i])
	}
	for _, t := range names {
		st.Color = contrast(fillColour(t.num))
		put(c, st, t.at, 0.5, t.s)
	}
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
