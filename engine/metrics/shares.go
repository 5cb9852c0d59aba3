package metrics

import (
	"cmp"
	"slices"
	"time"

	"schedrepl/engine/event"
	"schedrepl/engine/table"
	"schedrepl/engine/trace"
)

// Share is how much CPU time a task had. PID 0 is idle time; PID -1 is the
// time of CPUs of which a log that forgot its beginning tells nothing.
type Share struct {
	PID     int32
	Time    time.Duration
	Percent float64 // of the wall time of the CPUs looked at
}

// AllCPUs stands for every CPU of the machine where a CPU number is wanted.
const AllCPUs = -1

// Shares returns the CPU time that each selected task had inside the window,
// on one CPU or on AllCPUs of a machine with ncpu; most time first, ties by
// pid. Without a selection idle time is a row as well, and the rows add up to
// the wall time of the CPUs looked at.
func Shares(src Source, w Window, tasks Tasks, ncpu, oneCPU int) []Share {
	k := newTracker(src, tasks)
	rows := []Share{{PID: 0}}
	lost := time.Duration(0)
	add := func(pid int32, since, until event.Time) {
		d := w.clip(since, until)
		switch {
		case d == 0:
		case pid == 0:
			rows[0].Time += d
		case pid < 0:
			lost += d
		default:
			t := k.task(pid)
			if !k.selected(pid, t) {
				return
			}
			if t.aux < 0 {
				t.aux = int32(len(rows))
				rows = append(rows, Share{PID: pid})
			}
			rows[t.aux].Time += d
		}
	}
	end := walk(src, w, func(r *trace.Record) {
		if r.Kind == trace.KindSwitch && (oneCPU < 0 || int(r.CPU) == oneCPU) {
			k.settle(r)
			c := k.cpu(int(r.CPU))
			add(c.cur, c.since, r.Time)
			c.cur, c.since = r.Other, r.Time
		}
	})
	cpus := 0
	for i := range ncpu {
		if oneCPU < 0 || i == oneCPU {
			c := k.cpu(i)
			add(c.cur, c.since, end)
			cpus++
		}
	}
	if lost > 0 {
		rows = append(rows, Share{PID: -1, Time: lost})
	}
	if tasks != nil {
		rows = slices.DeleteFunc(rows, func(s Share) bool { return s.PID <= 0 })
	}
	wall := time.Duration(cpus) * w.clip(w.Since, end)
	for i := range rows {
		rows[i].Percent = percent(rows[i].Time, wall)
	}
	slices.SortFunc(rows, func(a, b Share) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.PID, b.PID))
	})
	return rows
}

// percent returns part of whole in percent, 0 of nothing.
func percent(part, whole time.Duration) float64 {
	if whole == 0 {
		return 0
	}
	return 100 * float64(part) / float64(whole)
}

// KeyShare is the CPU time of all tasks with one key: a comm, a group.
type KeyShare struct {
	Key     string
	Tasks   int
	Time    time.Duration
	Percent float64
}

// SharesBy adds up shares by a key of the task; most time first, ties by key.
// The key of idle time is "idle", that of unknown time "unknown"; both count
// no task.
func SharesBy(shares []Share, key func(pid int32) string) []KeyShare {
	type group struct {
		name string
		task bool
	}
	index := make(map[group]int)
	var rows []KeyShare
	for _, s := range shares {
		g := group{task: s.PID > 0}
		switch {
		case s.PID > 0:
			g.name = key(s.PID)
		case s.PID == 0:
			g.name = "idle"
		default:
			g.name = "unknown"
		}
		i, ok := index[g]
		if !ok {
			i = len(rows)
			index[g] = i
			rows = append(rows, KeyShare{Key: g.name})
		}
		rows[i].Time += s.Time
		rows[i].Percent += s.Percent
		if g.task {
			rows[i].Tasks++
		}
	}
	slices.SortStableFunc(rows, func(a, b KeyShare) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Key, b.Key))
	})
	return rows
}

// SharesTable shows shares with the tasks' names as comm tells them.
func SharesTable(rows []Share, comm func(pid int32) string) *table.Table {
	t := table.MustNew("shares",
		table.Column{Name: "pid", Kind: table.Int},
		table.Column{Name: "comm", Kind: table.String},
		table.Column{Name: "time", Kind: table.Duration},
		table.Column{Name: "share", Unit: "%", Kind: table.Float, Digits: 2})
	for _, s := range rows {
		row(t, s.PID, name(s.PID, comm), s.Time, s.Percent)
	}
	return t
}

// KeySharesTable shows shares that were added up by a key, under that key's
// name: "comm", "group".
func KeySharesTable(rows []KeyShare, by string) (*table.Table, error) {
	t, err := table.New("shares by "+by,
		table.Column{Name: by, Kind: table.String},
		table.Column{Name: "tasks", Kind: table.Int},
		table.Column{Name: "time", Kind: table.Duration},
		table.Column{Name: "share", Unit: "%", Kind: table.Float, Digits: 2})
	if err != nil {
		return nil, err
	}
	for _, s := range rows {
		row(t, s.Key, s.Tasks, s.Time, s.Percent)
	}
	return t, nil
}
