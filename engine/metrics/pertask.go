package metrics

import (
	"time"

	"schedrepl/engine/event"
	"schedrepl/engine/table"
	"schedrepl/engine/trace"
)

// TaskStat is what one task did inside a window.
type TaskStat struct {
	PID  int32
	Born event.Time // its fork, or its first record
	// Died is when it was gone, event.Never if that lies after the window.
	Died event.Time
	// Times per state. They add up to the part of the task's life that lies
	// in the window. A task that was forked and not yet woken counts as
	// sleeping.
	Running, Waiting, Sleeping, Stopped time.Duration
	MaxWait                             time.Duration // longest wait that ended in the window
	Slices                              int64         // times it was switched in
	// NVCSW and NIVCSW are the voluntary and involuntary switches as Linux
	// counts them: a switch is involuntary if it finds the task runnable, so
	// that sched_yield counts as involuntary.
	NVCSW, NIVCSW int64
	Wakeups       int64 // the first one after fork included
	Migrations    int64 // moves to another CPU
}

// PerTask returns the times and counts of the selected tasks that lived inside
// the window, in the order in which they were born. A pid that is used again
// after an exit is a new row.
func PerTask(src Source, w Window, tasks Tasks) []TaskStat {
	k := newTracker(src, tasks)
	var rows []TaskStat
	// spend adds the part of a phase that lies in the window to a row.
	spend := func(row int32, p phase, since, until event.Time) {
		if row < 0 {
			return
		}
		d := w.clip(since, until)
		switch p {
		case running:
			rows[row].Running += d
		case waiting:
			rows[row].Waiting += d
		case sleeping, fresh:
			rows[row].Sleeping += d
		case stopped:
			rows[row].Stopped += d
		}
	}
	end := walk(src, w, func(r *trace.Record) {
		in := r.Time >= w.Since
		changes := k.step(r)
		for i := range changes {
			c := &changes[i]
			if !k.selected(c.pid, c.task) {
				continue
			}
			if c.from == unknown || c.to == fresh {
				c.task.aux = int32(len(rows))
				rows = append(rows, TaskStat{PID: c.pid, Born: r.Time, Died: event.Never})
			}
			spend(c.task.aux, c.from, c.since, r.Time)
			t := &rows[c.task.aux]
			if c.to == gone {
				t.Died = r.Time
			}
			if !in {
				continue
			}
			if c.from == waiting {
				t.MaxWait = max(t.MaxWait, r.Time.Sub(c.since))
			}
			if c.to == running {
				t.Slices++
			}
			if r.Kind == trace.KindSwitch && c.pid == r.Task {
				if r.State == trace.Running {
					t.NIVCSW++
				} else {
					t.NVCSW++
				}
			}
		}
		if !in {
			return
		}
		switch r.Kind {
		case trace.KindMigrate:
			if t := k.task(r.Task); t.aux >= 0 && r.A != r.B {
				rows[t.aux].Migrations++
			}
		case trace.KindWakeup, trace.KindWakeupNew:
			if t := k.task(r.Task); t.aux >= 0 {
				rows[t.aux].Wakeups++
			}
		}
	})
	for i := range rows {
		t := k.task(rows[i].PID)
		if t.aux == int32(i) {
			spend(t.aux, t.phase, t.since, end)
		}
	}
	kept := rows[:0]
	for _, t := range rows {
		if t.Died >= w.Since {
			kept = append(kept, t)
		}
	}
	return kept
}

// PerTaskTable shows the rows of PerTask with the tasks' names as comm tells
// them. A task that lives has no time of death.
func PerTaskTable(rows []TaskStat, comm func(pid int32) string) *table.Table {
	t := table.MustNew("tasks",
		table.Column{Name: "pid", Kind: table.Int},
		table.Column{Name: "comm", Kind: table.String},
		table.Column{Name: "born", Kind: table.Duration, Unit: "s", Digits: 6},
		table.Column{Name: "died", Kind: table.Duration, Unit: "s", Digits: 6},
		table.Column{Name: "running", Kind: table.Duration},
		table.Column{Name: "waiting", Kind: table.Duration},
		table.Column{Name: "sleeping", Kind: table.Duration},
		table.Column{Name: "stopped", Kind: table.Duration},
		table.Column{Name: "max_wait", Kind: table.Duration},
		table.Column{Name: "slices", Kind: table.Int},
		table.Column{Name: "nvcsw", Kind: table.Int},
		table.Column{Name: "nivcsw", Kind: table.Int},
		table.Column{Name: "wakeups", Kind: table.Int},
		table.Column{Name: "migrations", Kind: table.Int})
	for _, s := range rows {
		var died any
		if s.Died != event.Never {
			died = instant(s.Died)
		}
		row(t, s.PID, name(s.PID, comm), instant(s.Born), died, s.Running, s.Waiting, s.Sleeping,
			s.Stopped, s.MaxWait, s.Slices, s.NVCSW, s.NIVCSW, s.Wakeups, s.Migrations)
	}
	return t
}
