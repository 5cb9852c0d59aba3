package bindings

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"go.starlark.net/starlark"

	"schedrepl/engine/cpumask"
	"schedrepl/engine/metrics"
	"schedrepl/engine/sched"
	"schedrepl/engine/table"
	"schedrepl/engine/trace"
)

// tableOf is the entry of a measure that takes tasks and gives a table.
func tableOf(name, doc, example string, measure func(c *Call, ma *machine, src metrics.Source, w metrics.Window, tasks metrics.Tasks) (*table.Table, error), params ...Param) Builtin {
	return measureMethod(Builtin{
		Name: name, Params: append([]Param{taskParam("None")}, params...), Result: "table", Doc: doc, Example: example,
	}, func(c *Call, ma *machine, src metrics.Source, w metrics.Window) (starlark.Value, error) {
		tasks, err := ma.selected(c, "tasks")
		if err != nil {
			return nil, err
		}
		t, err := measure(c, ma, src, w, tasks)
		if err != nil {
			return nil, err
		}
		return newTable(t), nil
	})
}

func tallyTable() Table {
	return Table{Builtins: []Builtin{
		tableOf("shares", "Tells how much CPU time each task had, the idle time included where all tasks are asked for.",
			"m.run(1 * sec)\nprint(m.shares(cpu = 0))\nprint(m.shares(\"w*\", by = \"comm\"))", sharesImpl,
			Param{Name: "cpu", Type: "int | None", Default: "None", Doc: "One CPU; None for all."},
			Param{Name: "by", Type: "string", Default: `"task"`, Choices: []string{"task", "comm", "group"}, KwOnly: true, Doc: "What a row is: a task, all tasks with one name, or all in one task group."}),
		tableOf("migrations", "Lists the moves of tasks to other CPUs.",
			"m.at(10 * ms, lambda m: hog.sched_setaffinity(\"3\"))\nm.run(1 * sec)\nprint(m.migrations())",
			func(_ *Call, ma *machine, src metrics.Source, w metrics.Window, tasks metrics.Tasks) (*table.Table, error) {
				return metrics.MigrationsTable(metrics.Migrations(src, w, tasks), ma.comm), nil
			}),
		tableOf("migration_matrix", "Counts the moves of tasks by the CPU that they left, a row each, and the one that they went to, a column each.",
			"m.at(10 * ms, lambda m: hog.sched_setaffinity(\"3\"))\nm.run(1 * sec)\nprint(m.migration_matrix())",
			func(_ *Call, ma *machine, src metrics.Source, w metrics.Window, tasks metrics.Tasks) (*table.Table, error) {
				return metrics.MigrationMatrixTable(metrics.MigrationMatrix(metrics.Migrations(src, w, tasks), ma.numCPU())), nil
			}),
		tableOf("switches", "Counts the context switches by why they happened, the state of the task that left, and the rule that chose the next.",
			"web.sched_setaffinity(\"0\")\nm.run(1 * sec)\nprint(m.switches(hog))",
			func(_ *Call, _ *machine, src metrics.Source, w metrics.Window, tasks metrics.Tasks) (*table.Table, error) {
				return metrics.SwitchesTable(metrics.Switches(src, w, tasks)), nil
			}),
		tableOf("waits_by_cause", "Adds up the waits of tasks by the decision that began them.",
			"web.sched_setaffinity(\"0\")\nm.run(1 * sec)\nprint(m.waits_by_cause(hog))",
			func(_ *Call, _ *machine, src metrics.Source, w metrics.Window, tasks metrics.Tasks) (*table.Table, error) {
				return metrics.WaitsByCauseTable(metrics.WaitsByCause(src, w, tasks)), nil
			}),
		tableOf("blame", "Splits the time that tasks waited by what began the wait and by who ran meanwhile.",
			"web.sched_setaffinity(\"0\")\nm.run(1 * sec)\nprint(m.blame(hog))",
			func(_ *Call, ma *machine, src metrics.Source, w metrics.Window, tasks metrics.Tasks) (*table.Table, error) {
				return metrics.BlameTable(metrics.BlameWaits(src, w, tasks), ma.comm), nil
			}),
		tableOf("tasks", "Tells for each task how long it ran, waited and slept, and counts its switches, wakeups and moves. Tasks that have exited are there too.",
			"m.run(1 * sec)\nprint(m.tasks())",
			func(_ *Call, ma *machine, src metrics.Source, w metrics.Window, tasks metrics.Tasks) (*table.Table, error) {
				return metrics.PerTaskTable(metrics.PerTask(src, w, tasks), ma.comm), nil
			}),
		measureMethod(Builtin{
			Name: "cpus", Result: "table",
			Doc:     "Tells for each CPU how long it was busy, counts its switches and the tasks that came and left, and shows what runs and waits there now.",
			Example: "m.run(1 * sec)\nprint(m.cpus())",
		}, func(_ *Call, ma *machine, src metrics.Source, w metrics.Window) (starlark.Value, error) {
			return newTable(ma.cpuRows(src, w)), nil
		}),
		measureMethod(Builtin{
			Name: "groups", Result: "table",
			Doc: "Tells for each task group, of control groups and autogroups, its shares, the tasks that are scheduled in it now, and the CPU time in the window " +
				"of those and of the tasks that exited in it.",
			Example: "m.cgroup(\"/build\").attach(hog)\nm.run(1 * sec)\nprint(m.groups())",
		}, func(_ *Call, ma *machine, src metrics.Source, w metrics.Window) (starlark.Value, error) {
			return newTable(ma.groupRows(src, w)), nil
		}),
		measureMethod(Builtin{
			Name: "timeline", Result: "table",
			Doc:     "Lists what each CPU ran, from when to when; pid 0 is idle.",
			Example: "m.run(30 * ms)\nprint(m.timeline(since = 10 * ms).head(3))",
		}, func(_ *Call, ma *machine, src metrics.Source, w metrics.Window) (starlark.Value, error) {
			t := table.MustNew("timeline",
				table.Column{Name: "cpu", Kind: table.Int}, table.Column{Name: "start", Kind: table.Duration, Unit: "s", Digits: 6},
				table.Column{Name: "end", Kind: table.Duration, Unit: "s", Digits: 6}, table.Column{Name: "pid", Kind: table.Int},
				table.Column{Name: "comm", Kind: table.String})
			for cpu, segs := range metrics.Timeline(src, w, ma.numCPU()) {
				for _, s := range segs {
					mustAppend(t, cpu, time.Duration(s.Start), time.Duration(s.End), int(s.PID), ma.whoRan(s.PID))
				}
			}
			return newTable(t), nil
		}),
	}}
}

// whoRan is the name of what ran on a CPU.
func (ma *machine) whoRan(pid int32) string {
	switch {
	case pid == 0:
		return "idle"
	case pid < 0:
		return "unknown"
	}
	return ma.comm(pid)
}

func sharesImpl(c *Call, ma *machine, src metrics.Source, w metrics.Window, tasks metrics.Tasks) (*table.Table, error) {
	cpu := metrics.AllCPUs
	if c.Has("cpu") {
		if cpu = c.Int("cpu"); cpu < 0 || cpu >= ma.numCPU() {
			return nil, fmt.Errorf("cpu: CPU %d does not exist (machine has %s)", cpu, cpumask.All(ma.numCPU()))
		}
	}
	rows := metrics.Shares(src, w, tasks, ma.numCPU(), cpu)
	switch c.Str("by") {
	case "comm":
		return metrics.KeySharesTable(metrics.SharesBy(rows, ma.comm), "comm")
	case "group":
		return metrics.KeySharesTable(metrics.SharesBy(rows, ma.past.groupOf), "group")
	}
	return metrics.SharesTable(rows, ma.comm), nil
}

// cpuRows is the table of m.cpus.
func (ma *machine) cpuRows(src metrics.Source, w metrics.Window) *table.Table {
	n := ma.numCPU()
	switches, came, left := make([]int64, n), make([]int64, n), make([]int64, n)
	src.Each(func(r *trace.Record) bool {
		if r.Kind == trace.KindSwitch && within(w, r.Time) {
			switches[r.CPU]++
		}
		return true
	})
	for _, mv := range metrics.Migrations(src, w, nil) {
		left[mv.From]++
		came[mv.To]++
	}
	t := table.MustNew("CPUs",
		table.Column{Name: "cpu", Kind: table.Int}, table.Column{Name: "busy", Kind: table.Duration},
		table.Column{Name: "share", Unit: "%", Kind: table.Float, Digits: 2}, table.Column{Name: "switches", Kind: table.Int},
		table.Column{Name: "moved_in", Kind: table.Int}, table.Column{Name: "moved_out", Kind: table.Int},
		table.Column{Name: "running", Kind: table.String}, table.Column{Name: "nr_running", Kind: table.Int})
	core := ma.m.Core()
	for cpu, segs := range metrics.Timeline(src, w, ma.numCPU()) {
		busy, known := busyTime(segs)
		share := 0.0
		if known > 0 {
			share = 100 * float64(busy) / float64(known)
		}
		mustAppend(t, cpu, busy, share, switches[cpu], came[cpu], left[cpu],
			ma.whoRan(core.PID(core.Curr(cpu))), int(core.CPUs[cpu].NrRunning))
	}
	return t
}

// groupRows is the table of m.groups: the groups that are there, then those
// that have gone in which tasks of the window exited.
func (ma *machine) groupRows(src metrics.Source, w metrics.Window) *table.Table {
	core := ma.m.Core()
	used := map[string]metrics.KeyShare{}
	var gone []string
	for _, s := range metrics.SharesBy(metrics.Shares(src, w, func(pid int32) bool { return pid > 0 }, ma.numCPU(), metrics.AllCPUs), ma.past.groupOf) {
		used[s.Key] = s
		gone = append(gone, s.Key)
	}
	tasks := make([]int64, core.NumGroups())
	ma.liveTasks(func(_ sched.TaskID, t *sched.Task) { tasks[t.Group]++ })
	t := table.MustNew("task groups",
		table.Column{Name: "group", Kind: table.String}, table.Column{Name: "parent", Kind: table.String},
		table.Column{Name: "shares", Kind: table.Int}, table.Column{Name: "tasks", Kind: table.Int},
		table.Column{Name: "time", Kind: table.Duration}, table.Column{Name: "share", Unit: "%", Kind: table.Float, Digits: 2})
	for g := range core.NumGroups() {
		group, ok := core.Group(sched.GroupID(g))
		if !ok {
			continue
		}
		var parent, shares any = nil, nil
		if group.Parent != sched.NoGroup {
			parent, shares = core.GroupName(group.Parent), group.Shares
		}
		u := used[group.Name]
		mustAppend(t, group.Name, parent, shares, tasks[g], u.Time, u.Percent)
		gone = slices.DeleteFunc(gone, func(name string) bool { return name == group.Name })
	}
	slices.SortFunc(gone, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b)) })
	for _, name := range gone {
		mustAppend(t, name, nil, nil, 0, used[name].Time, used[name].Percent)
	}
	return t
}
