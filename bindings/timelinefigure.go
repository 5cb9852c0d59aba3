package bindings

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"schedrepl/engine/metrics"
	"schedrepl/plots"
)

func timelineFigure(c *Call, o plots.Options) (*plots.Figure, error) {
	o.TopTasks = c.Int("tasks")
	o.First = ArgList[string](c, "first")
	switch src := c.Value("source").(type) {
	case *machine:
		cpus, err := chosenCPUs(c, src.numCPU())
		if err != nil {
			return nil, err
		}
		s, err := src.stretch(c)
		if err != nil {
			return nil, err
		}
		if o.XRange == [2]float64{} {
			o.XRange = [2]float64{float64(s.from), float64(s.to)}
		}
		o.Moments = src.moments(c)
		if c.Str("by") == "task" {
			return src.taskTimeline(c, s, o)
		}
		if c.Has("only") || c.Int("rows") != 24 {
			return nil, errors.New("only and rows are for by = \"task\"")
		}
		return plots.Timeline(cpuLanes(metrics.Timeline(s.src, s.w, src.numCPU()), s, cpus, src.comm), o)
	case *starlark.Dict:
		for _, name := range []string{"since", "until", "cpus", "only"} {
			if c.Has(name) {
				return nil, fmt.Errorf("%s is for a machine: choose among the rows yourself", name)
			}
		}
		if c.Bool("marks") || c.Str("by") != "cpu" {
			return nil, errors.New("marks and by are for a machine, not for rows")
		}
		lanes, err := scriptLanes(src)
		if err != nil {
			return nil, err
		}
		return plots.Timeline(lanes, o)
	default:
		return nil, fmt.Errorf("source must be a machine, or a dict of rows, not %s", describe(src))
	}
}

// cpuLanes makes the rows of a timeline of some CPUs.
func cpuLanes(ran [][]metrics.Segment, s stretch, cpus []int, comm func(pid int32) string) []plots.Lane {
	seen := map[int32]bool{}
	var pids []int32
	for _, cpu := range cpus {
		for i := range ran[cpu] {
			if pid := ran[cpu][i].PID; pid > 0 && !seen[pid] {
				seen[pid] = true
				pids = append(pids, pid)
			}
		}
	}
	name := taskNames(pids, comm)
	var out []plots.Lane
	for _, cpu := range cpus {
		l := plots.Lane{Name: fmt.Sprintf("CPU %d", cpu)}
		if s.lost() {
			l.Segments = append(l.Segments, plots.Segment{Start: int64(s.from), End: int64(s.kept), State: plots.Unknown})
		}
		for _, g := range ran[cpu] {
			switch seg := (plots.Segment{Start: int64(g.Start), End: int64(g.End)}); {
			case g.PID > 0:
				seg.Task, seg.Name = int(g.PID), name[g.PID]
				l.Segments = append(l.Segments, seg)
			case g.PID < 0:
				seg.State = plots.Unknown
				l.Segments = append(l.Segments, seg)
			}
		}
		out = append(out, l)
	}
	return out
}

// taskTimeline draws what the tasks did that ran and waited most.
func (ma *machine) taskTimeline(c *Call, s stretch, o plots.Options) (*plots.Figure, error) {
	rows := c.Int("rows")
	if rows < 1 || rows > 64 {
		return nil, fmt.Errorf("rows must be 1 to 64, not %d", rows)
	}
	if c.Has("cpus") {
		return nil, errors.New("cpus is for by = \"cpu\"; choose tasks with only")
	}
	tasks, err := ma.selected(c, "only")
	if err != nil {
		return nil, err
	}
	pids, all := busiest(metrics.PerTask(s.src, s.w, tasks), rows)
	if all == 0 && c.Has("only") {
		return nil, errors.New("only: none of these tasks lived in that time")
	}
	if o.YLabel == "" && all > len(pids) {
		o.YLabel = fmt.Sprintf("%d busiest of %d tasks", len(pids), all)
	}
	name := taskNames(pids, ma.comm)
	var lanes []plots.Lane
	for _, l := range metrics.Lives(s.src, s.w, metrics.Of(pids...)) {
		lanes = append(lanes, plots.Lane{Name: name[l.PID], Segments: lifeSegments(l)})
	}
	return plots.TaskTimeline(lanes, o)
}

// busiest are the pids of the tasks that ran and waited most, in order of pid,
// and how many tasks there are.
func busiest(stats []metrics.TaskStat, most int) (pids []int32, all int) {
	wanted := map[int32]int64{}
	for _, t := range stats {
		if _, seen := wanted[t.PID]; !seen {
			pids = append(pids, t.PID)
		}
		wanted[t.PID] += int64(t.Running + t.Waiting)
	}
	all = len(pids)
	slices.SortFunc(pids, func(a, b int32) int {
		return cmp.Or(cmp.Compare(wanted[b], wanted[a]), cmp.Compare(a, b))
	})
	pids = pids[:min(most, all)]
	slices.Sort(pids)
	return pids, all
}

// lifeSegments are what a task did, as a figure shows it.
func lifeSegments(l metrics.Life) []plots.Segment {
	var out []plots.Segment
	for _, s := range l.Spans {
		seg := plots.Segment{Start: int64(s.Start), End: int64(s.End), State: plots.Asleep}
		switch s.Doing {
		case metrics.OnCPU:
			seg.State = plots.Ran
		case metrics.Runnable:
			seg.State = plots.Waiting
		case metrics.Untold:
			seg.State = plots.Unknown
		}
		if s.CPU >= 0 && (seg.State == plots.Ran || seg.State == plots.Waiting) {
			seg.Task, seg.Name = int(s.CPU), fmt.Sprintf("CPU %d", s.CPU)
		}
		out = append(out, seg)
	}
	return out
}

// scriptLanes reads lanes that a script gives: for each name a list of
// (task, start, end).
func scriptLanes(d *starlark.Dict) ([]plots.Lane, error) {
	number := map[string]int{}
	var out []plots.Lane
	for _, kv := range d.Items() {
		name, ok := starlark.AsString(kv[0])
		if !ok {
			return nil, fmt.Errorf("lanes must have names for keys, not %s", describe(kv[0]))
		}
		seq, ok := kv[1].(starlark.Iterable)
		if !ok {
			return nil, fmt.Errorf("lane %s must be a list of (task, start, end), not %s", name, describe(kv[1]))
		}
		l := plots.Lane{Name: name}
		i := 0
		for e := range starlark.Elements(seq) {
			var t starlark.Indexable
			if t, ok = e.(starlark.Indexable); ok {
				ok = t.Len() == 3
			}
			if !ok {
				return nil, fmt.Errorf("lane %s must be a list of (task, start, end), not %s in place %d", name, describe(e), i)
			}
			task, isName := starlark.AsString(t.Index(0))
			start, err := toDuration(t.Index(1))
			if err == nil {
				var end Duration
				if end, err = toDuration(t.Index(2)); err == nil && isName {
					if number[task] == 0 {
						number[task] = len(number) + 1
					}
					l.Segments = append(l.Segments, plots.Segment{Start: int64(start), End: int64(end), Task: number[task], Name: task})
				}
			}
			if err == ErrType || !isName {
				return nil, fmt.Errorf("lane %s must be a list of (task, start, end) with a name and two durations, not %v in place %d", name, e, i)
			}
			if err != nil {
				return nil, fmt.Errorf("lane %s: a time %w (in place %d)", name, err, i)
			}
			i++
		}
		out = append(out, l)
	}
	return out, nil
}
