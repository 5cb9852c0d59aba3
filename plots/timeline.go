package plots

import (
	"cmp"
	"fmt"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// A Lane is one row of a timeline: a CPU, or a task.
type Lane struct {
	Name string
	// Segments are the stretches of time in which something ran. They may come
	// in any order but must not overlap.
	Segments []Segment
	// Marks are instants, such as wakeups.
	Marks []Mark
}

// A Segment is a stretch of time [Start, End) in ns.
type Segment struct {
	Start, End int64
	// Task is what the segment is coloured by: all segments with one Task look
	// alike, in every lane.
	Task int
	// Name is the name of Task in the legend. The first one that is not empty
	// counts; without any, it is "task" and the number.
	Name string
}

// A Mark is an instant in ns that deserves a glyph, such as a wakeup or a
// migration.
type Mark struct {
	At int64
	// Kind names the glyph in the legend. A figure holds up to five kinds.
	Kind string
}

const (
	defaultTopTasks = 7
	maxTopTasks     = 14
	maxMarkKinds    = 5
)

// markShape is the marker of mark kind i: pointing down to the lane first.
func markShape(i int) int { return [maxMarkKinds]int{4, 3, 5, 1, 6}[i] }

// Timeline draws who ran when, the first lane at the top.
//
// The TopTasks tasks with most time in view have a colour with a hatch; the
// others are grey. Time is cut into the pixel columns of the figure. In a
// column that one task filled, its colour fills the lane. Where several tasks,
// or a task and idleness, share a column, their colours are stacked from the
// bottom in the order of the legend, each as high as its share of that column
// (in up to eight steps; a column that was busy at all shows at least one). So
// the height of colour in a lane is how busy it was, the largest colour is the
// task that dominated, and blank is idle. The ends of segments longer than two
// columns are rounded to whole columns. A segment wide enough carries the name
// of its task. The cost of drawing grows with the
// pixels, not with the segments, once these have been read.
//
// It is an error if there is no lane or no segment, a segment ends before it
// starts, or two segments of a lane overlap. A segment of no length is left
// out. XRange cuts out a window, in ns.
func Timeline(lanes []Lane, o Options) (*Figure, error) {
	f, err := newFigure("timeline", o)
	if err != nil {
		return nil, err
	}
	if len(lanes) == 0 {
		return nil, fmt.Errorf("timeline: no data: give at least one lane")
	}
	names := make([]string, len(lanes))
	for i, l := range lanes {
		names[i] = l.Name
	}
	if names, err = checkNames("timeline", "lane", names); err != nil {
		return nil, err
	}
	sorted, r, err := sortLanes(lanes, names)
	if err != nil {
		return nil, err
	}
	f.x = axis{label: clean(o.XLabel), unit: "ns", lo: r.lo, hi: r.hi}
	if f.x.label == "" {
		f.x.label = "time"
	}
	if o.XRange != [2]float64{} {
		f.x.lo, f.x.hi = o.XRange[0], o.XRange[1]
	}
	f.y = categories(clean(o.YLabel), names)

	top := o.TopTasks
	if top == 0 {
		top = defaultTopTasks
	}
	top = max(top, len(o.First))
	rank, legend, err := rankTasks(sorted, f.x.lo, f.x.hi, top, o.First)
	if err != nil {
		return nil, err
	}
	kinds, marks, err := markKinds(lanes)
	if err != nil {
		return nil, err
	}
	f.legend = append(legend, marks...)

	tp := timelinePlot{lanes: sorted, rank: rank, legend: legend, kinds: kinds}
	each := 1.6 * f.th.text
	if len(kinds) > 0 {
		each = 2.1 * f.th.text
	}
	// Up to 24 lanes get the height of their name; more share the same page.
	f.body = max(each*vg.Length(min(len(lanes), 24))+3*f.th.text, minBody*f.th.text)
	f.marks = func(th theme, dpi int) []plot.Plotter {
		p := tp
		p.th, p.dpi = th, dpi
		return []plot.Plotter{p}
	}
	return f.finish(o)
}

// sortLanes returns the lanes with their segments in order of time and those
// of no length left out, and the range of time. The input is not changed.
func sortLanes(lanes []Lane, names []string) ([]Lane, span, error) {
	r := newSpan()
	out := make([]Lane, len(lanes))
	total := 0
	for i, l := range lanes {
		inOrder, drop := true, false
		for k, s := range l.Segments {
			if s.End < s.Start {
				return nil, r, fmt.Errorf("timeline: lane %q: segment %d ends at %d ns, before its start at %d ns: give start and end in order",
					names[i], k, s.End, s.Start)
			}
			inOrder = inOrder && (k == 0 || s.Start >= l.Segments[k-1].Start)
			drop = drop || s.End == s.Start
		}
		out[i] = l
		if !inOrder || drop {
			segs := slices.DeleteFunc(slices.Clone(l.Segments), func(s Segment) bool { return s.End == s.Start })
			slices.SortStableFunc(segs, func(a, b Segment) int { return cmp.Compare(a.Start, b.Start) })
			out[i].Segments = segs
		}
		segs := out[i].Segments
		for k := 1; k < len(segs); k++ {
			if segs[k].Start < segs[k-1].End {
				return nil, r, fmt.Errorf("timeline: lane %q: the segment from %d to %d ns overlaps that from %d to %d ns: a lane shows one thing at a time",
					names[i], segs[k].Start, segs[k].End, segs[k-1].Start, segs[k-1].End)
			}
		}
		if len(segs) > 0 {
			r.add(float64(segs[0].Start))
			r.add(float64(segs[len(segs)-1].End))
		}
		for _, m := range l.Marks {
			r.add(float64(m.At))
		}
		total += len(segs)
	}
	if total == 0 {
		return nil, r, fmt.Errorf("timeline: no data: give at least one segment that is longer than 0 ns")
	}
	return out, r, nil
}

// rankTasks numbers the tasks, those named in first before the others, then by
// their time in view, most first, ties by Task, and returns the number of each and the legend. Tasks from top on have
// the number top.
func rankTasks(lanes []Lane, lo, hi float64, top int, first []string) (map[int]int, []entry, error) {
	type use struct {
		task int
		name string
		time float64
	}
	at := map[int]int{} // task to place in uses
	var uses []use
	for _, l := range lanes {
		for _, s := range l.Segments {
			k, ok := at[s.Task]
			if !ok {
				k = len(uses)
				at[s.Task] = k
				uses = append(uses, use{task: s.Task})
			}
			if uses[k].name == "" {
				uses[k].name = clean(s.Name)
			}
			uses[k].time += max(0, min(float64(s.End), hi)-max(float64(s.Start), lo))
		}
	}
	place := func(u use) int {
		if i := slices.Index(first, u.name); i >= 0 {
			return i
		}
		return len(first)
	}
	slices.SortFunc(uses, func(a, b use) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(b.time, a.time), cmp.Compare(a.task, b.task))
	})
	uses = slices.DeleteFunc(uses, func(u use) bool { return u.time == 0 })
	if len(uses) == 0 {
		return nil, nil, fmt.Errorf("timeline: no segment lies between %s and %s: move XRange, which is in ns",
			formatTime(lo), formatTime(hi))
	}
	rank := map[int]int{}
	var legend []entry
	for i, u := range uses {
		rank[u.task] = min(i, top)
		if i < top {
			if u.name == "" {
				u.name = fmt.Sprintf("task %d", u.task)
			}
			legend = append(legend, entry{name: u.name, swatch: fillSwatch, i: i})
		}
	}
	if n := len(uses) - top; n > 0 {
		legend = append(legend, entry{name: fmt.Sprintf("other (%d tasks)", n), swatch: restSwatch})
		if n == 1 {
			legend[top].name = "other (1 task)"
		}
	}
	return rank, legend, nil
}

// markKinds numbers the kinds of marks in the order of lanes and marks, and
// returns their part of the legend.
func markKinds(lanes []Lane) (map[string]int, []entry, error) {
	kinds := map[string]int{}
	var legend []entry
	for _, l := range lanes {
		for _, m := range l.Marks {
			if _, ok := kinds[m.Kind]; ok {
				continue
			}
			if len(kinds) == maxMarkKinds {
				return nil, nil, fmt.Errorf("timeline: mark kind %q is one too many: give at most %d kinds", m.Kind, maxMarkKinds)
			}
			name := clean(m.Kind)
			if name == "" {
				name = "mark"
			}
			legend = append(legend, entry{name: name, swatch: markSwatch, i: len(kinds)})
			kinds[m.Kind] = len(kinds)
		}
	}
	return kinds, legend, nil
}
