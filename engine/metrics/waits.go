package metrics

import (
	"cmp"
	"slices"
	"time"

	"schedrepl/engine/event"
	"schedrepl/engine/table"
	"schedrepl/engine/trace"
)

// CauseWaits adds up the waits that one cause began.
type CauseWaits struct {
	Cause    Cause
	Count    int64
	Sum, Max time.Duration
	Percent  float64 // of the sum over all causes
}

// WaitsByCause adds up the Waits of the window by what began them; the cause
// with the largest sum first, ties in the order of kinds, reasons and picks.
func WaitsByCause(src Source, w Window, tasks Tasks) []CauseWaits {
	k := newTracker(src, tasks)
	index := make(map[Cause]int)
	var rows []CauseWaits
	var sum time.Duration
	walk(src, w, func(r *trace.Record) {
		changes := k.step(r)
		if r.Time < w.Since {
			return
		}
		for j := range changes {
			c := &changes[j]
			if c.from != waiting || !k.selected(c.pid, c.task) {
				continue
			}
			i, ok := index[c.cause]
			if !ok {
				i = len(rows)
				index[c.cause] = i
				rows = append(rows, CauseWaits{Cause: c.cause})
			}
			d := r.Time.Sub(c.since)
			rows[i].Count++
			rows[i].Sum += d
			rows[i].Max = max(rows[i].Max, d)
			sum += d
		}
	})
	for i := range rows {
		rows[i].Percent = percent(rows[i].Sum, sum)
	}
	slices.SortFunc(rows, func(a, b CauseWaits) int {
		return cmp.Or(cmp.Compare(b.Sum, a.Sum), a.Cause.compare(b.Cause))
	})
	return rows
}

// WaitsByCauseTable shows the rows of WaitsByCause.
func WaitsByCauseTable(rows []CauseWaits) *table.Table {
	t := table.MustNew("waits by cause",
		table.Column{Name: "began", Kind: table.String},
		table.Column{Name: "reason", Kind: table.String},
		table.Column{Name: "pick", Kind: table.String},
		table.Column{Name: "count", Kind: table.Int},
		table.Column{Name: "sum", Kind: table.Duration},
		table.Column{Name: "mean", Kind: table.Duration},
		table.Column{Name: "max", Kind: table.Duration},
		table.Column{Name: "share", Unit: "%", Kind: table.Float, Digits: 2})
	for _, c := range rows {
		row(t, c.Cause.How(), c.Cause.Reason.String(), c.Cause.Pick.String(),
			c.Count, c.Sum, c.Sum/time.Duration(c.Count), c.Max, c.Percent)
	}
	return t
}

// Stretch is one wait with all that happened in it.
type Stretch struct {
	PID        int32
	Start, End event.Time
	Cause      Cause
	// Pieces cover the stretch without a gap, in order.
	Pieces []Piece
}

// Piece is the part of a wait in which one task ran on the CPU on whose queue
// the waiting task was.
type Piece struct {
	Start, End event.Time
	CPU        int16
	// Runner is the task that ran, 0 if the CPU was idle: it had not yet taken
	// the request to reschedule. It is -1 where a log that forgot its
	// beginning does not tell.
	Runner int32
	// Chosen is the switch that put Runner there: its reason, and the rule by
	// which it was picked. The zero Cause means that it has run (or the CPU has
	// idled) since the beginning of the records.
	Chosen Cause
}

// Stretches returns the waits of the window in full detail, in the order in
// which they ended. A wait has a piece for every switch on its CPU, so this
// is for few tasks or short windows; WaitsByCause and Blame add up instead.
func Stretches(src Source, w Window, tasks Tasks) []Stretch {
	k := newTracker(src, tasks)
	d := detail{k: k}
	walk(src, w, func(r *trace.Record) {
		d.before(r)
		changes := k.step(r)
		for i := range changes {
			d.change(&changes[i], r.Time, w)
		}
		d.after(r)
	})
	return d.out
}

// detail collects Stretches. Tasks that wait are listed by CPU.
type detail struct {
	k      *tracker
	queues []queue
	out    []Stretch
}

// queue is one CPU with the selected tasks that wait for it.
type queue struct {
	chosen Cause // how its present task was chosen
	open   []Stretch
}

// queue returns the queue of a CPU; that of CPU -1 holds the tasks of which a
// log without its beginning does not tell where they wait.
func (d *detail) queue(cpu int16) *queue {
	i := int(cpu) + 1
	for i >= len(d.queues) {
		d.queues = append(d.queues, queue{})
	}
	return &d.queues[i]
}

// before ends the pieces that a switch or a migration ends.
func (d *detail) before(r *trace.Record) {
	switch r.Kind {
	case trace.KindSwitch:
		d.k.settle(r)
		q := d.queue(r.CPU)
		for i := range q.open {
			d.piece(q, &q.open[i], r.CPU, r.Time)
		}
	case trace.KindMigrate:
		t := d.k.task(r.Task)
		if t.phase != waiting || t.cpu == int16(r.B) {
			return
		}
		from := d.queue(t.cpu)
		for i := range from.open {
			if from.open[i].PID == r.Task {
				s := from.open[i]
				d.piece(from, &s, t.cpu, r.Time)
				from.open = slices.Delete(from.open, i, i+1)
				to := d.queue(int16(r.B))
				to.open = append(to.open, s)
				return
			}
		}
	}
}

// piece adds to s what ran on a CPU since its last piece ended.
func (d *detail) piece(q *queue, s *Stretch, on int16, now event.Time) {
	from := s.Start
	if n := len(s.Pieces); n > 0 {
		from = s.Pieces[n-1].End
	}
	if now > from {
		runner := int32(-1)
		if on >= 0 {
			runner = d.k.cpu(int(on)).cur
		}
		s.Pieces = append(s.Pieces, Piece{Start: from, End: now, CPU: on, Runner: runner, Chosen: q.chosen})
	}
}

// change opens and closes stretches.
func (d *detail) change(c *change, now event.Time, w Window) {
	if c.from == waiting && d.k.selected(c.pid, c.task) {
		q := d.queue(c.cpu)
		for i := range q.open {
			if q.open[i].PID != c.pid {
				continue
			}
			s := q.open[i]
			s.End = now
			d.piece(q, &s, c.cpu, now)
			q.open = slices.Delete(q.open, i, i+1)
			if w.holds(now) {
				d.out = append(d.out, s)
			}
			break
		}
	}
	if c.to == waiting && d.k.selected(c.pid, c.task) {
		q := d.queue(c.task.cpu)
		q.open = append(q.open, Stretch{PID: c.pid, Start: now, Cause: c.task.cause})
	}
}

// after notes how the new running task was chosen.
func (d *detail) after(r *trace.Record) {
	if r.Kind == trace.KindSwitch {
		d.queue(r.CPU).chosen = Cause{Kind: r.Kind, Reason: r.Reason, Pick: r.Pick}
	}
}
