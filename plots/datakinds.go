package plots

import (
	"fmt"
	"math"
	"sort"

	"schedrepl/engine/table"
)

// dataPoints bounds the points of one distribution in the data of a figure: a
// few for each pixel column of the widest figure.
const dataPoints = 4096

// data lists corners of empirical distributions: at each value, the exact
// fraction of the sample at or below it, or above it. Where several values share
// a 4,096th of the axis, the last one stands for them.
func cdfData(curves []ordered, names []string, unit string, x axis, ccdf bool) *table.Table {
	var name []string
	var value, part []float64
	for i, cv := range curves {
		for k := 0; k < len(cv.xs); {
			// The last value of this point of the axis, found by halving.
			cell := func(v float64) float64 { return math.Floor(x.norm(v) * dataPoints) }
			at := cv.xs[k]
			k += sort.Search(len(cv.xs)-k, func(j int) bool {
				v := cv.xs[k+j]
				return v != at && (len(cv.xs) <= dataPoints || cell(v) > cell(at))
			})
			y := float64(cv.left+k) / float64(cv.n)
			if ccdf {
				y = 1 - y
			}
			name, value, part = append(name, names[i]), append(value, cv.xs[k-1]), append(part, y)
		}
	}
	var d tidy
	d.text("series", name)
	d.number("value", unit, value)
	if ccdf {
		d.number("fraction_above", "", part)
	} else {
		d.number("fraction_at_or_below", "", part)
	}
	return d.table("cdf")
}

// data lists the bars: series, category, value, and the interval if any bar
// has one.
func (d BarData) data(kind string, cats, names []string) *table.Table {
	var name, cat []string
	var value, lo, hi []float64
	whiskers := false
	for k, s := range d.Series {
		for i, v := range s.Values {
			name, cat, value = append(name, names[k]), append(cat, cats[i]), append(value, v)
			l, h := math.NaN(), math.NaN()
			if s.Lo != nil {
				l, h, whiskers = s.Lo[i], s.Hi[i], true
			}
			lo, hi = append(lo, l), append(hi, h)
		}
	}
	var t tidy
	t.text("series", name)
	t.text("category", cat)
	t.number("value", d.Unit, value)
	if whiskers {
		t.number("lo", d.Unit, lo)
		t.number("hi", d.Unit, hi)
	}
	return t.table(kind)
}

// lineTable lists the points of lines, with the limits of the band if any line
// has one. All points are there, also those that share a pixel.
func lineTable(lines []XY, names []string) *table.Table {
	var name []string
	var x, y, lo, hi []float64
	band := false
	for i, l := range lines {
		for k := range l.X {
			name = append(name, names[i])
			x, y = append(x, l.X[k]), append(y, l.Y[k])
			a, b := math.NaN(), math.NaN()
			if l.Lo != nil {
				a, b, band = l.Lo[k], l.Hi[k], true
			}
			lo, hi = append(lo, a), append(hi, b)
		}
	}
	var d tidy
	d.text("line", name)
	d.number("x", lines[0].XUnit, x)
	d.number("y", lines[0].YUnit, y)
	if band {
		d.number("lo", lines[0].YUnit, lo)
		d.number("hi", lines[0].YUnit, hi)
	}
	return d.table("line")
}

// lanesTable lists the segments that lie in view, lane by lane and in order of
// time, and then the marks of the lane, whose start and end are one instant. It
// names the states if any segment has one but Ran.
func lanesTable(lanes []Lane, names []string, from, to float64, words timelineWords) *table.Table {
	called := map[int]string{}
	states := words.states
	for _, l := range lanes {
		for i := range l.Segments {
			s := &l.Segments[i]
			if called[s.Task] == "" {
				called[s.Task] = clean(s.Name)
			}
			states = states || s.State != Ran
		}
	}
	var lane, task, state, mark []string
	var start, end []float64
	marks := false
	add := func(i int, t, s, m string, a, b int64) {
		if float64(b) < from || float64(a) > to {
			return
		}
		lane, task, state, mark = append(lane, names[i]), append(task, t), append(state, s), append(mark, m)
		start, end = append(start, float64(a)), append(end, float64(b))
		marks = marks || m != ""
	}
	for i, l := range lanes {
		for k := range l.Segments {
			s := &l.Segments[k]
			t := called[s.Task]
			if t == "" && s.State == Ran {
				t = fmt.Sprintf("task %d", s.Task)
			}
			add(i, t, stateNames[s.State], "", s.Start, s.End)
		}
		for _, m := range l.Marks {
			kind := clean(m.Kind)
			if kind == "" {
				kind = "mark"
			}
			add(i, "", "", kind, m.At, m.At)
		}
	}
	var d tidy
	d.text(words.lane, lane)
	d.text(words.task, task)
	if states {
		d.text("state", state)
	}
	if marks {
		d.text("mark", mark)
	}
	d.number("start", "ns", start)
	d.number("end", "ns", end)
	return d.table("timeline")
}

// data lists the cells of a matrix, row by row.
func (m Matrix) data(rows, cols []string) *table.Table {
	var row, col []string
	var value []float64
	for i, vs := range m.Values {
		for j, v := range vs {
			row, col, value = append(row, rows[i]), append(col, cols[j]), append(value, v)
		}
	}
	var d tidy
	d.text("row", row)
	d.text("col", col)
	d.number("value", m.Unit, value)
	return d.table("heat")
}
