package bindings

import (
	"fmt"
	"time"

	"go.starlark.net/starlark"

	"schedrepl/engine/event"
	"schedrepl/engine/metrics"
	"schedrepl/engine/trace"
)

// sampleMeasure is the entry of a measure that takes tasks and gives samples.
func sampleMeasure(name, doc, example string, measure func(metrics.Source, metrics.Window, metrics.Tasks) metrics.Samples) Builtin {
	return measureMethod(Builtin{
		Name: name, Params: []Param{taskParam("None")}, Result: "samples", Doc: doc, Example: example,
	}, func(c *Call, ma *machine, src metrics.Source, w metrics.Window) (starlark.Value, error) {
		tasks, err := ma.selected(c, "tasks")
		if err != nil {
			return nil, err
		}
		return newSamples(measure(src, w, tasks)), nil
	})
}

// grid says when the ticks of the machine come and what the kernel's own work
// costs there.
func (ma *machine) grid() metrics.Grid {
	cfg := ma.m.Config()
	return metrics.Grid{
		Period:     time.Duration(ma.m.Core().Period),
		Offset:     func(cpu int) time.Duration { return time.Duration(ma.m.TickOffset(cpu)) },
		TickCost:   cfg.Costs.Tick,
		SwitchCost: cfg.Costs.Switch,
	}
}

// pidOfTask is the process id of a "task" argument.
func (ma *machine) pidOfTask(c *Call, name string) (int32, error) {
	t := Arg[*task](c, name)
	if err := ma.owns(t); err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	if t.pid == 0 {
		_, err := t.live()
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	return t.pid, nil
}

// spanIndex is the number of a span's name in the records. To ask must not make
// a name known to the machine.
func (ma *machine) spanIndex(src metrics.Source, name string) (int32, error) {
	core := ma.m.Core()
	found := int32(-1)
	seen := map[int64]bool{}
	var names []string
	src.Each(func(r *trace.Record) bool {
		if (r.Kind == trace.KindBegin || r.Kind == trace.KindEnd) && !seen[r.A] {
			seen[r.A] = true
			n := core.Name(int32(r.A))
			if n == name {
				found = int32(r.A)
			}
			names = append(names, n)
		}
		return found < 0
	})
	switch {
	case found >= 0:
		return found, nil
	case len(names) == 0:
		return 0, fmt.Errorf("there is no span %s: no task has begun one; write work.begin(%q) and work.end(%q) into a program", quoteShort(name), name, name)
	}
	return 0, fmt.Errorf("there is no span %s%s; there are %s", quoteShort(name), didYouMean(name, names), quoteList(names))
}

func measureTable() Table {
	return Table{
		Kinds: []Kind{
			{Name: "moment", Phrase: "a mark, or a time since boot as 5 * sec", Convert: toMoment},
			{Name: "tasks", Phrase: "a task, a list of tasks, a pattern of names or a control group", Convert: toSelection},
		},
		Builtins: []Builtin{
			sampleMeasure("latency", "Measures, for each wakeup, the time until the task was switched in. What the switch itself costs comes after it; a span (work.begin, work.end) has it.",
				"m.run(1 * sec)\nprint(m.latency(web).max < 50 * ms)  # True", metrics.Latency),
			sampleMeasure("waits", "Measures every stretch in which a task could run but was kept off the CPU. Those that have not ended are counted by pending.",
				"m.run(1 * sec)\nprint(m.waits([hog, web]).n > 0)  # True", metrics.Waits),
			sampleMeasure("pending", "Measures the waits that have not ended at the end of the window, up to there: a task that starves shows here.",
				"m.run(1 * sec)\nprint(m.pending(hog).n)  # 0", metrics.Pending),
			sampleMeasure("slices", "Measures every stretch in which a task ran, from switch to switch.",
				"m.run(1 * sec)\nprint(round(m.slices(\"w*\").p(50), 1 * ms))  # 2ms", metrics.Slices),
			measureMethod(Builtin{
				Name: "response", Result: "samples",
				Params: []Param{{Name: "span", Type: "string", Doc: "The name of the span."}, taskParam("None")},
				Doc:    "Measures the spans that tasks have begun and ended with work.begin and work.end.",
				Example: "m.spawn(\"srv\", work.loop([work.sleep(9 * ms), work.begin(\"req\"), work.run(1 * ms), work.end(\"req\")]))\n" +
					"m.run(1 * sec)\nprint(m.response(\"req\").min >= 1 * ms)  # True",
			}, func(c *Call, ma *machine, src metrics.Source, w metrics.Window) (starlark.Value, error) {
				tasks, err := ma.selected(c, "tasks")
				if err != nil {
					return nil, err
				}
				span, err := ma.spanIndex(src, c.Str("span"))
				if err != nil {
					return nil, err
				}
				return newSamples(metrics.Response(src, w, tasks, span)), nil
			}),
			measureMethod(Builtin{
				Name: "perturbations", Result: "samples",
				Params: []Param{{Name: "task", Type: "task", Doc: "A task that never sleeps."}},
				Doc: "Measures the gaps that a program finds which reads the cycle counter in a loop: every stretch in which the task could have run and did not, " +
					"be it for other tasks, ticks, interrupts or the kernel's own work.",
				Example: "m.run(1 * sec)\nprint(m.perturbations(hog).n > 200)  # True",
			}, func(c *Call, ma *machine, src metrics.Source, w metrics.Window) (starlark.Value, error) {
				pid, err := ma.pidOfTask(c, "task")
				if err != nil {
					return nil, err
				}
				return newSamples(metrics.Perturbations(src, w, pid, ma.grid())), nil
			}),
			measureMethod(Builtin{
				Name: "perturbation_rows", Result: "table",
				Params: []Param{
					{Name: "task", Type: "task", Doc: "A task that never sleeps."},
					{Name: "threshold", Type: "duration", Default: "5 * ms", Doc: "Perturbations longer than this are counted apart."},
					{Name: "interval", Type: "duration", Default: "1 * sec", Doc: "How long a row is."},
				},
				Doc:     "Tells the perturbations of a task as a program prints them that measures its own: a row for each second.",
				Example: "m.run(3 * sec)\nprint(m.perturbation_rows(hog, threshold = 5 * ms))",
			}, func(c *Call, ma *machine, src metrics.Source, w metrics.Window) (starlark.Value, error) {
				pid, err := ma.pidOfTask(c, "task")
				if err != nil {
					return nil, err
				}
				rows, err := metrics.PerturbedRows(src, w, pid, ma.grid(), c.Duration("interval"), c.Duration("threshold"))
				if err != nil {
					return nil, err
				}
				return newTable(metrics.PerturbedTable(rows, c.Duration("threshold"))), nil
			}),
			measureMethod(Builtin{
				Name: "counters", Result: "counters", Params: []Param{taskParam("None")},
				Doc:     "Counts events by the names that perf stat has for them.",
				Example: "m.run(1 * sec)\nc = m.counters(web)\nprint(c[\"sched:sched_wakeup_new\"])  # 1",
			}, func(c *Call, ma *machine, src metrics.Source, w metrics.Window) (starlark.Value, error) {
				tasks, err := ma.selected(c, "tasks")
				if err != nil {
					return nil, err
				}
				return newCounters(metrics.Counters(src, w, tasks)), nil
			}),
		},
	}
}

// busyTime is the time that is not idle, and known, in a CPU's timeline.
func busyTime(segs []metrics.Segment) (busy, known time.Duration) {
	for _, s := range segs {
		d := s.End.Sub(s.Start)
		if s.PID >= 0 {
			known += d
		}
		if s.PID > 0 {
			busy += d
		}
	}
	return busy, known
}

// within reports whether a record made at a moment belongs to a window.
func within(w metrics.Window, at event.Time) bool { return at >= w.Since && at < w.Until }
