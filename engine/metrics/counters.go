package metrics

import (
	"cmp"
	"slices"

	"schedrepl/engine/table"
	"schedrepl/engine/trace"
)

// Counter is an event and how often it happened.
type Counter struct {
	Name  string
	Count int64
}

// Counters counts events of the window by the names that perf stat knows them
// by, always all of them and in this order:
//
//	context-switches, sched:sched_switch   switches, of the task that left the
//	                                       CPU (idle counts only when all
//	                                       tasks are selected)
//	cpu-migrations                         moves to another CPU
//	sched:sched_migrate_task               all migrate records
//	sched:sched_waking, sched_wakeup       wakeups but the first after fork
//	sched:sched_wakeup_new                 first wakeups after fork
//	sched:sched_process_fork, _exec, _exit
//
// A model has no delay between the decision to wake a task and the wakeup, so
// waking and wakeup are one count.
func Counters(src Source, w Window, tasks Tasks) []Counter {
	k := newTracker(src, tasks)
	var kinds [256]int64
	var moves int64
	walk(src, w, func(r *trace.Record) {
		if r.Time < w.Since {
			return
		}
		if tasks != nil && (r.Task == 0 || !k.selected(r.Task, k.task(r.Task))) {
			return
		}
		kinds[r.Kind]++
		if r.Kind == trace.KindMigrate && r.A != r.B {
			moves++
		}
	})
	return []Counter{
		{"context-switches", kinds[trace.KindSwitch]},
		{"cpu-migrations", moves},
		{"sched:sched_switch", kinds[trace.KindSwitch]},
		{"sched:sched_migrate_task", kinds[trace.KindMigrate]},
		{"sched:sched_waking", kinds[trace.KindWakeup]},
		{"sched:sched_wakeup", kinds[trace.KindWakeup]},
		{"sched:sched_wakeup_new", kinds[trace.KindWakeupNew]},
		{"sched:sched_process_fork", kinds[trace.KindFork]},
		{"sched:sched_process_exec", kinds[trace.KindExec]},
		{"sched:sched_process_exit", kinds[trace.KindExit]},
	}
}

// CountersTable shows counters, those of other sources added by the caller
// included.
func CountersTable(rows []Counter) *table.Table {
	t := table.MustNew("counters",
		table.Column{Name: "event", Kind: table.String},
		table.Column{Name: "count", Kind: table.Int})
	for _, c := range rows {
		row(t, c.Name, c.Count)
	}
	return t
}

// SwitchCount is how often schedule ran for one reason, found the outgoing
// task in one state and chose the next by one rule.
type SwitchCount struct {
	Reason trace.Reason
	State  trace.State // of the outgoing task; NoState if it was idle
	Pick   trace.Pick
	Count  int64
}

// Switches counts the switches of the window by reason, state and pick; the
// most frequent first, ties in the order of these three. The selection is of
// the outgoing task; idle counts only when all tasks are selected.
func Switches(src Source, w Window, tasks Tasks) []SwitchCount {
	k := newTracker(src, tasks)
	type key struct {
		reason trace.Reason
		state  trace.State
		pick   trace.Pick
	}
	index := make(map[key]int)
	var rows []SwitchCount
	walk(src, w, func(r *trace.Record) {
		if r.Kind != trace.KindSwitch || r.Time < w.Since {
			return
		}
		if tasks != nil && (r.Task == 0 || !k.selected(r.Task, k.task(r.Task))) {
			return
		}
		e := key{r.Reason, r.State, r.Pick}
		if r.Task == 0 {
			e.state = trace.NoState
		}
		i, ok := index[e]
		if !ok {
			i = len(rows)
			index[e] = i
			rows = append(rows, SwitchCount{Reason: e.reason, State: e.state, Pick: e.pick})
		}
		rows[i].Count++
	})
	slices.SortFunc(rows, func(a, b SwitchCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Reason, b.Reason),
			cmp.Compare(a.State, b.State), cmp.Compare(a.Pick, b.Pick))
	})
	return rows
}

// SwitchesTable shows the rows of Switches.
func SwitchesTable(rows []SwitchCount) *table.Table {
	t := table.MustNew("switches",
		table.Column{Name: "reason", Kind: table.String},
		table.Column{Name: "state", Kind: table.String},
		table.Column{Name: "pick", Kind: table.String},
		table.Column{Name: "count", Kind: table.Int})
	for _, s := range rows {
		state := "idle"
		if s.State != trace.NoState {
			state = string(rune(s.State))
		}
		row(t, s.Reason.String(), state, s.Pick.String(), s.Count)
	}
	return t
}
