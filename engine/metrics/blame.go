package metrics

import (
	"cmp"
	"slices"
	"time"

	"schedrepl/engine/event"
	"schedrepl/engine/table"
	"schedrepl/engine/trace"
)

// Blame is how long tasks waited for one cause while one task ran.
type Blame struct {
	Cause  Cause
	Runner int32 // 0: the CPU was idle, -1: unknown (the log forgot its beginning)
	// Time is added up over the waiting tasks: two that wait for 1 ms give 2 ms.
	Time    time.Duration
	Percent float64 // of all waiting time
}

// BlameWaits splits the time that the selected tasks waited inside the window
// by what began the wait and by who ran meanwhile on the CPU on whose queue
// they were; the largest first, ties by cause and pid. Its sum is the waiting
// time of PerTask.
func BlameWaits(src Source, w Window, tasks Tasks) []Blame {
	k := newTracker(src, tasks)
	b := blamer{w: w, k: k, causes: make(map[Cause]int), cells: make(map[blameKey]int)}
	end := walk(src, w, func(r *trace.Record) {
		if r.Kind == trace.KindMigrate {
			t := k.task(r.Task)
			if t.phase == waiting && t.cpu != int16(r.B) && k.selected(r.Task, t) {
				b.count(t.cpu, r.Time, t.cause, -1)
				b.count(int16(r.B), r.Time, t.cause, +1)
			}
		}
		if r.Kind == trace.KindSwitch {
			k.settle(r)
			b.flush(r.CPU, r.Time)
		}
		changes := k.step(r)
		for i := range changes {
			c := &changes[i]
			if c.from != waiting && c.to != waiting || !k.selected(c.pid, c.task) {
				continue
			}
			if c.from == waiting {
				b.count(c.cpu, r.Time, c.cause, -1)
			}
			if c.to == waiting {
				b.count(c.task.cpu, r.Time, c.task.cause, +1)
			}
		}
	})
	for i := range b.cpus {
		b.flush(int16(i), end)
	}
	var sum time.Duration
	for _, r := range b.rows {
		sum += r.Time
	}
	for i := range b.rows {
		b.rows[i].Percent = percent(b.rows[i].Time, sum)
	}
	slices.SortFunc(b.rows, func(x, y Blame) int {
		return cmp.Or(cmp.Compare(y.Time, x.Time), x.Cause.compare(y.Cause), cmp.Compare(x.Runner, y.Runner))
	})
	return b.rows
}

// blameKey is a cause, by its index, and a runner.
type blameKey struct {
	cause  int
	runner int32
}

// blamer counts, for each CPU and cause, the tasks that wait.
type blamer struct {
	w      Window
	k      *tracker
	causes map[Cause]int
	names  []Cause
	cpus   []blameCPU
	cells  map[blameKey]int
	rows   []Blame
}

type blameCPU struct {
	since event.Time // up to here waits are accounted for
	total int
	n     []int // by the index of the cause
}

func (b *blamer) cpu(i int16) *blameCPU {
	for int(i) >= len(b.cpus) {
		b.cpus = append(b.cpus, blameCPU{})
	}
	return &b.cpus[i]
}

// count changes the number of tasks that wait on a CPU for a cause. In a log
// without its beginning the CPU can be unknown; nobody can be blamed then.
func (b *blamer) count(on int16, now event.Time, cause Cause, by int) {
	if on < 0 {
		return
	}
	b.flush(on, now)
	i, ok := b.causes[cause]
	if !ok {
		i = len(b.names)
		b.causes[cause] = i
		b.names = append(b.names, cause)
	}
	c := b.cpu(on)
	for i >= len(c.n) {
		c.n = append(c.n, 0)
	}
	c.n[i] += by
	c.total += by
}

// flush accounts for the waits on a CPU up to now.
func (b *blamer) flush(on int16, now event.Time) {
	c := b.cpu(on)
	d := b.w.clip(c.since, now)
	c.since = now
	if d == 0 || c.total == 0 {
		return
	}
	runner := b.k.cpu(int(on)).cur
	for i, n := range c.n {
		if n == 0 {
			continue
		}
		key := blameKey{i, runner}
		j, ok := b.cells[key]
		if !ok {
			j = len(b.rows)
			b.cells[key] = j
			b.rows = append(b.rows, Blame{Cause: b.names[i], Runner: runner})
		}
		b.rows[j].Time += time.Duration(n) * d
	}
}

// BlameTable shows the rows of BlameWaits.
func BlameTable(rows []Blame, comm func(pid int32) string) *table.Table {
	t := table.MustNew("waits by cause and runner",
		table.Column{Name: "began", Kind: table.String},
		table.Column{Name: "reason", Kind: table.String},
		table.Column{Name: "pick", Kind: table.String},
		table.Column{Name: "runner", Kind: table.Int},
		table.Column{Name: "comm", Kind: table.String},
		table.Column{Name: "time", Kind: table.Duration},
		table.Column{Name: "share", Unit: "%", Kind: table.Float, Digits: 2})
	for _, b := range rows {
		row(t, b.Cause.How(), b.Cause.Reason.String(), b.Cause.Pick.String(),
			b.Runner, name(b.Runner, comm), b.Time, b.Percent)
	}
	return t
}
