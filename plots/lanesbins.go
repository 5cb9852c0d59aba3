package plots

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

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

// A columns are the pixel columns that a stretch of time is cut into.
type columns struct {
	lo, hi      float64
	edges       []vg.Length
	first, last vg.Length
	perNs       float64
}

func newColumns(lo, hi float64, edges []vg.Length) columns {
	first, last := edges[0], edges[len(edges)-1]
	return columns{lo, hi, edges, first, last, float64(last-first) / (hi - lo)}
}

func (g *columns) len() int { return len(g.edges) - 1 }

// time returns the time at which column k begins.
func (g *columns) time(k int) float64 { return g.lo + float64(g.edges[k]-g.first)/g.perNs }

// find returns the column that holds time t, given that it is not before column
// from: a guess is corrected by its neighbours, because the first column may be
// narrower than the others.
func (g *columns) find(t float64, from int) int {
	last := g.len() - 1
	k := max(from, min(last, int(float64(last+1)*(t-g.lo)/(g.hi-g.lo))-1))
	for k < last && g.time(k+1) <= t {
		k++
	}
	for k > from && g.time(k) > t {
		k--
	}
	return k
}

// look returns the look of a segment.
func look(s *Segment, rank map[int]int) int {
	if s.State == Ran {
		return rank[s.Task]
	}
	return looks[s.State]
}

// wholly returns the levels of a column of n steps that one look fills.
func wholly(look, n int) levels {
	var lv levels
	lv[look] = uint8(n)
	if look == sleepLook {
		lv[look] = 1
	}
	return lv
}

// binLane sums the segments of one lane into the columns between the edges,
// which span the time from lo to hi, and returns the runs that are not idle.
// Segments are in order and do not overlap, so each column is finished before
// the next begins.
func binLane(segs []Segment, rank map[int]int, lo, hi float64, edges []vg.Length, n int) []run {
	g := newColumns(lo, hi, edges)
	cols := g.len()
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
	start, end := lo, g.time(1)
	var sum sums
	busy, small := false, false
	flush := func() {
		if busy && small {
			emit(col, col+1, quantise(sum, end-start, n))
		} else if busy {
			emit(col, col+1, dominant(sum, end-start, n))
		}
		if busy {
			sum, busy, small = sums{}, false, false
		}
	}
	seek := func(k int) {
		col = k
		start, end = g.time(k), g.time(k+1)
	}
	for i := range segs {
		s := &segs[i]
		a, b := max(float64(s.Start), lo), min(float64(s.End), hi)
		if b <= a {
			continue
		}
		r := look(s, rank)
		if a >= end && col < cols-1 {
			flush()
			seek(g.find(a, col+1))
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
			for k < cols-1 && g.time(k+1) <= b {
				k++
			}
			if k > from {
				emit(from, k, wholly(r, n))
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

// binBand is binLane for several lanes that share a row: a column shows the
// shares of their time in it.
func binBand(lanes []Lane, rank map[int]int, lo, hi float64, edges []vg.Length, n int) []run {
	g := newColumns(lo, hi, edges)
	cols := g.len()
	all := make([]sums, cols)
	for _, l := range lanes {
		col := 0
		for i := range l.Segments {
			s := &l.Segments[i]
			a, b := max(float64(s.Start), lo), min(float64(s.End), hi)
			if b <= a {
				continue
			}
			r := look(s, rank)
			if col < cols-1 && a >= g.time(col+1) {
				col = g.find(a, col+1)
			}
			for {
				end := g.time(col + 1)
				all[col][r] += min(b, end) - max(a, g.time(col))
				if b <= end || col == cols-1 {
					break
				}
				col++
			}
		}
	}
	var runs []run
	for k := range all {
		if all[k] == (sums{}) {
			continue
		}
		lv := quantise(all[k], (g.time(k+1)-g.time(k))*float64(len(lanes)), n)
		if m := len(runs) - 1; m >= 0 && runs[m].to == k && runs[m].levels == lv {
			runs[m].to++
			continue
		}
		runs = append(runs, run{k, k + 1, lv})
	}
	return runs
}

// dominant gives a column in which long segments only begin or end to the one
// that has most of it, or leaves it blank if it is more than half idle: ends
// are rounded to pixels.
func dominant(sum sums, width float64, n int) levels {
	var lv levels
	best, busy := 0, 0.0
	for i, v := range sum[:sleepLook] {
		busy += v
		if v > sum[best] {
			best = i
		}
	}
	if busy >= width/2 {
		lv[best] = uint8(n)
	} else if sum[sleepLook] > 0 {
		lv[sleepLook] = 1
	}
	return lv
}

// quantise shares n steps among the times in one column that is width long.
// The number of steps in all is the busy part of the column, rounded, but at
// least one if it was busy at all. They are dealt by largest remainder, ties to
// the lower number.
func quantise(sum sums, width float64, n int) levels {
	var lv levels
	var busy float64
	for _, v := range sum[:sleepLook] {
		busy += v
	}
	if busy == 0 {
		// A line through columns in which little happened would hide it.
		if sum[sleepLook] > 0 {
			lv[sleepLook] = 1
		}
		return lv
	}
	steps := min(n, max(1, int(busy/width*float64(n)+0.5)))
	type part struct {
		i    int
		rest float64
	}
	var parts [sleepLook]part
	m, left := 0, steps
	for i, v := range sum[:sleepLook] {
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
