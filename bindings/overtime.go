package bindings

import (
	"errors"
	"fmt"
	"time"

	"schedrepl/engine/event"
	"schedrepl/engine/metrics"
	"schedrepl/engine/table"
	"schedrepl/plots"
)

// stretch is the stretch of time of a machine that a figure shows.
type stretch struct {
	src      metrics.Source
	w        metrics.Window
	from, to event.Time
	kept     event.Time // From where on the records are kept.
}

// stretch reads since and until. Unlike window it takes a beginning whose
// records are no longer kept: the figure shows that part as unknown.
func (ma *machine) stretch(c *Call) (stretch, error) {
	var s stretch
	if err := ma.usable(); err != nil {
		return s, err
	}
	now := ma.m.Now()
	from, _, err := ma.instant("since", c.Value("since"))
	if err != nil {
		return s, err
	}
	to, given, err := ma.instant("until", c.Value("until"))
	if err != nil {
		return s, err
	}
	s.w = metrics.From(from, now)
	if given {
		s.w.Until = to
	} else {
		to = now
	}
	log := ma.m.Log()
	s.src, s.from, s.to, s.kept = log, from, to, log.Start()
	switch {
	case now == 0:
		return s, errors.New("the machine has not run yet: call m.run(...) before")
	case to < from:
		return s, fmt.Errorf("until lies before since: %v is earlier than %v", to, from)
	case to == from:
		return s, fmt.Errorf("since and until are one moment, %v: a figure over time needs a stretch of time", to)
	case s.kept >= to:
		return s, fmt.Errorf("the records are kept from %v on only, and the figure ends at %v: show a later stretch, or keep more with machine(records = ...)", s.kept, to)
	}
	return s, nil
}

// lost reports whether the stretch begins before the records that are kept.
func (s stretch) lost() bool { return s.kept > s.from }

// moments are the marks of the machine, if the script wants them drawn.
func (ma *machine) moments(c *Call) []plots.Moment {
	if !c.Bool("marks") {
		return nil
	}
	var out []plots.Moment
	for _, name := range ma.marks {
		if at, ok := ma.m.MarkTime(name); ok {
			out = append(out, plots.Moment{At: int64(at), Name: name})
		}
	}
	return out
}

// taskNames names tasks in figures: by their comm, with the pid behind it, as
// ftrace writes it, where several share one.
func taskNames(pids []int32, comm func(pid int32) string) map[int32]string {
	name, shared := map[int32]string{}, map[string]int{}
	for _, pid := range pids {
		name[pid] = comm(pid)
		shared[name[pid]]++
	}
	for _, pid := range pids {
		if n := name[pid]; shared[n] > 1 {
			name[pid] = fmt.Sprintf("%s-%d", n, pid)
		}
	}
	return name
}

// windowParam is the length of the windows of shares over time.
func windowParam() Param {
	return Param{Name: "window", Type: "duration | None", Default: "None", KwOnly: true, Doc: "How long a window is; the last one may be shorter. None cuts the time into 50 to 100 windows of a round length."}
}

// windowLength is the argument of windowParam: where it is missing, the least
// of 1, 2 and 5 times a power of ten that cuts the time into no more than 100.
func windowLength(c *Call, span Duration) Duration {
	if c.Has("window") {
		return Duration(c.Duration("window"))
	}
	for ten := Duration(1); ; ten *= 10 {
		for _, m := range []Duration{1, 2, 5} {
			if d := m * ten; (span+d-1)/d <= 100 {
				return d
			}
		}
	}
}

// overTimeTable has the measures of a machine over time.
func overTimeTable() Table {
	return Table{Builtins: []Builtin{
		tableOf("shares_over_time", "Tells how much CPU time each task had in each of many windows of time, the idle time included where all tasks are asked for: "+
			"the rows of a window then add up to 100 %. Tasks that had none in a window have no row there. plot.shares draws it.",
			"m.run(100 * ms)\nprint(m.shares_over_time(window = 25 * ms))\nprint(m.shares_over_time(\"w*\", window = 50 * ms, by = \"comm\"))",
			func(c *Call, ma *machine, src metrics.Source, w metrics.Window, tasks metrics.Tasks) (*table.Table, error) {
				ws, err := ma.sharesOver(c, src, w, tasks)
				if err != nil {
					return nil, err
				}
				switch c.Str("by") {
				case "comm":
					return metrics.KeySharesOverTable(ws, "comm", ma.comm)
				case "group":
					return metrics.KeySharesOverTable(ws, "group", ma.past.groupOf)
				}
				return metrics.SharesOverTable(ws, ma.comm), nil
			},
			windowParam(),
			Param{Name: "cpu", Type: "int | None", Default: "None", KwOnly: true, Doc: "One CPU; None for all."},
			Param{Name: "by", Type: "string", Default: `"task"`, Choices: []string{"task", "comm", "group"}, KwOnly: true, Doc: "What a row is: a task, all tasks with one name, or all in one task group."}),
	}}
}

// sharesOver reads the parameters window and cpu and measures.
func (ma *machine) sharesOver(c *Call, src metrics.Source, w metrics.Window, tasks metrics.Tasks) ([]metrics.ShareWindow, error) {
	cpu, err := ma.oneCPU(c)
	if err != nil {
		return nil, err
	}
	span := min(w.Until, ma.m.Now()).Sub(w.Since)
	step := windowLength(c, Duration(span))
	if step <= 0 {
		return nil, fmt.Errorf("window must be longer than 0, not %v", step)
	}
	ws, err := metrics.SharesOver(src, w, tasks, ma.numCPU(), cpu, time.Duration(step))
	if err != nil {
		return nil, fmt.Errorf("window: %v is too short for %v: it makes more than 100000 windows", step, Duration(span))
	}
	return ws, nil
}
