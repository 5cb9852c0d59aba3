package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"schedrepl/engine/table"
)

// A Lane is one row of a timeline: a CPU, or a task.
type Lane struct {
	Name string
	// Segments are the stretches of time in which something ran, waited or
	// slept. They may come in any order but must not overlap.
	Segments []Segment
	// Marks are instants, such as wakeups.
	Marks []Mark
}

// A Segment is a stretch of time [Start, End) in ns.
type Segment struct {
	Start, End int64
	// Task is what the segment is coloured by: all segments with one Task look
	// alike, in every lane. In the lanes of a TaskTimeline it is a CPU.
	Task int
	// Name is the name of Task in the legend. The first one that is not empty
	// counts; without any, it is "task" and the number.
	Name string
	// State says what the stretch is; only Ran has a colour by Task.
	State State
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

// maxRows is the most rows of one lane each, and maxBands the most rows that
// several lanes share, whose shares need more height to be read.
const (
	maxRows  = 64
	maxBands = 32
)

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
// More than 64 lanes are drawn in bands, at most 32 rows of 2, 4, 8 ... lanes
// each, whose columns show the shares of all their time; the label of the axis
// then says how many lanes a row is. Its Data has every segment in view, by lane.
//
// XRange cuts out a window, in ns; with it, lanes in which nothing happens are
// an empty figure that says so. It is an error if there is no lane, or neither a
// segment nor XRange, a segment ends before it starts, or two segments of a lane
// overlap. A segment of no length is left out.
func Timeline(lanes []Lane, o Options) (*Figure, error) {
	return timeline(lanes, o, timelineWords{lane: "lane", task: "task", many: "tasks", none: "nothing ran here"})
}

// TaskTimeline draws what each task did, a lane for each: in colour where it
// ran, by the CPU, which is the Task of the segment; pale and hatched where it
// was Waiting for one; a thin line where it was Asleep. So a wait is seen where
// it begins and ends. Otherwise it is as Timeline; the CPUs that have a colour have
// it in the order of their numbers.
func TaskTimeline(lanes []Lane, o Options) (*Figure, error) {
	if len(lanes) == 0 && o.XRange != [2]float64{} {
		lanes = make([]Lane, 1)
	}
	// The CPUs with most time have a colour, in the order of their numbers.
	uses := usesOf(lanes, math.Inf(-1), math.Inf(1))
	if len(o.First) == 0 {
		slices.SortFunc(uses, func(a, b use) int { return cmp.Or(cmp.Compare(b.time, a.time), cmp.Compare(a.task, b.task)) })
		uses = uses[:min(len(uses), cmp.Or(o.TopTasks, defaultTopTasks))]
		slices.SortFunc(uses, func(a, b use) int { return cmp.Compare(a.task, b.task) })
		for _, u := range uses {
			o.First = append(o.First, u.name)
		}
	}
	return timeline(lanes, o, timelineWords{lane: "task", task: "cpu", many: "CPUs", none: "no task lived here", states: true})
}

// timelineWords are what differs between the timelines of CPUs and of tasks.
type timelineWords struct {
	lane, task string // the columns of the data
	many       string // what is coloured
	none       string // what an empty figure says
	states     bool   // the states are always in the legend
}

func timeline(lanes []Lane, o Options, words timelineWords) (*Figure, error) {
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
	f.x = timeAxis(o, r.lo, r.hi)
	if o.XRange != [2]float64{} {
		f.x = timeAxis(o, o.XRange[0], o.XRange[1])
	} else if !(r.lo < r.hi) {
		return nil, fmt.Errorf("timeline: no data: give at least one segment that is longer than 0 ns")
	}
	bands, rows, per := bandLanes(sorted, names)
	f.y = categories(clean(o.YLabel), rows)
	if per > 1 && f.y.label == "" {
		f.y.label = fmt.Sprintf("%d %s in each row", per, manyOf(names))
	}

	top := o.TopTasks
	if top == 0 {
		top = defaultTopTasks
	}
	top = max(top, len(o.First))
	rank, tasks := rankTasks(sorted, f.x.lo, f.x.hi, top, o.First, words.many)
	kinds, marks, err := markKinds(lanes)
	if err != nil {
		return nil, err
	}
	states, empty := stateLegend(sorted, f.x.lo, f.x.hi, words.states)
	f.legend = slices.Concat(tasks, states, marks)
	f.data = func() *table.Table { return lanesTable(sorted, names, f.x.lo, f.x.hi, words) }

	tp := timelinePlot{lanes: bands, rank: rank, legend: tasks, kinds: kinds, moments: f.newMoments(o.Moments, f.x.lo, f.x.hi)}
	if empty {
		tp.note, f.legend = words.none, marks
	}
	each := 1.6 * f.th.text
	if len(kinds) > 0 {
		each = 2.1 * f.th.text
	}
	// Up to 24 lanes get the height of their name; more share the same page.
	f.body = max(each*vg.Length(min(len(rows), 24))+3*f.th.text, minBody*f.th.text)
	f.marks = func(th theme, dpi int) []plot.Plotter {
		p := tp
		p.th, p.dpi = th, dpi
		return []plot.Plotter{p}
	}
	return f.finish(o)
}

// timeAxis returns the x axis of a figure over time. There is no mark between
// two nanoseconds.
func timeAxis(o Options, lo, hi float64) axis {
	a := axis{label: clean(o.XLabel), unit: "ns", lo: lo, hi: hi, whole: hi-lo < 1000}
	if a.label == "" {
		a.label = "time"
	}
	return a
}

// perBand returns how many of n lanes share a row: 1, or the least power of two
// that leaves no more than most rows.
func perBand(n, most int) int {
	per := 1
	for n > maxRows && (n+per-1)/per > most {
		per *= 2
	}
	return per
}

// bandLanes puts lanes into rows.
func bandLanes(lanes []Lane, names []string) (bands []band, rows []string, per int) {
	per = perBand(len(lanes), maxBands)
	for i := 0; i < len(lanes); i += per {
		end := min(i+per, len(lanes))
		bands = append(bands, band{lanes[i:end]})
		rows = append(rows, bandName(names[i], names[end-1]))
	}
	return bands, rows, per
}

// manyOf returns what several rows are called.
func manyOf(names []string) string {
	for _, s := range names {
		if head, _ := cutNumber(s); head != "CPU " {
			return "lanes"
		}
	}
	return "CPUs"
}

// stateLegend returns the part of the legend about states, those that are in
// view or all but Unknown, and whether nothing at all is in view.
func stateLegend(lanes []Lane, lo, hi float64, all bool) (legend []entry, empty bool) {
	var seen [numStates]bool
	for _, l := range lanes {
		for i := range l.Segments {
			if s := &l.Segments[i]; float64(s.Start) < hi && float64(s.End) > lo {
				seen[s.State] = true
			}
		}
	}
	for _, e := range []struct {
		State
		entry
	}{
		{Waiting, entry{name: "waiting for a CPU", swatch: waitSwatch}},
		{Asleep, entry{name: "asleep", swatch: sleepSwatch}},
		{Unknown, entry{name: "not recorded", swatch: unknownSwatch}},
	} {
		if seen[e.State] || all && e.State != Unknown {
			legend = append(legend, e.entry)
		}
	}
	return legend, seen == [numStates]bool{}
}

// sortLanes returns the lanes with their segments in order of time and those
// of no length left out, and the range of time. The input is not changed.
func sortLanes(lanes []Lane, names []string) ([]Lane, span, error) {
	r := newSpan()
	out := make([]Lane, len(lanes))
	for i, l := range lanes {
		inOrder, drop := true, false
		for k, s := range l.Segments {
			if s.End < s.Start {
				return nil, r, fmt.Errorf("timeline: lane %q: segment %d ends at %d ns, before its start at %d ns: give start and end in order",
					names[i], k, s.End, s.Start)
			}
			if s.State >= numStates {
				return nil, r, fmt.Errorf("timeline: lane %q: segment %d has the state %d: use Ran, Waiting, Asleep or Unknown", names[i], k, s.State)
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
	}
	return out, r, nil
}

// use is how long a task ran.
type use struct {
	task int
	name string
	time float64
}

// usesOf returns how long each task that ran was running between lo and hi, in
// the order of appearance.
func usesOf(lanes []Lane, lo, hi float64) []use {
	at := map[int]int{} // task to place in uses
	var uses []use
	for _, l := range lanes {
		for i := range l.Segments {
			s := &l.Segments[i]
			if s.State != Ran {
				continue
			}
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
	return uses
}

// rankTasks numbers the tasks that ran in view, those named in first before the
// others, then by their time, most first, ties by Task, and returns the number
// of each and the legend. Tasks from top on have the number top; many is what
// the legend calls them.
func rankTasks(lanes []Lane, lo, hi float64, top int, first []string, many string) (map[int]int, []entry) {
	uses := usesOf(lanes, lo, hi)
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
		legend = append(legend, entry{name: fmt.Sprintf("other (%s %s)", thousands(n), many), swatch: restSwatch})
		if n == 1 {
			legend[top].name = "other (1 " + strings.TrimSuffix(many, "s") + ")"
		}
	}
	return rank, legend
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
