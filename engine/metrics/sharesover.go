package metrics

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"schedrepl/engine/event"
	"schedrepl/engine/table"
	"schedrepl/engine/trace"
)

// ShareWindow is who had the CPU time of one of several windows in a row.
type ShareWindow struct {
	Start, End event.Time
	Rows       []Share // as Shares orders them; tasks without time are left out
}

// maxShareWindows bounds the windows that SharesOver cuts a stretch into.
const maxShareWindows = 100_000

// SharesOver is Shares for each of the windows of length step into which the
// window w is cut; the last one may be shorter. The times are exact: each
// nanosecond of each CPU is in one row of one window. It reads the records once.
// A step below 1 ns, or one that makes more than 100,000 windows, is an error.
func SharesOver(src Source, w Window, tasks Tasks, ncpu, oneCPU int, step time.Duration) ([]ShareWindow, error) {
	if step <= 0 {
		return nil, fmt.Errorf("shares over time: the window must be longer than 0, not %v", step)
	}
	if all := min(w.Until, w.Now).Sub(w.Since); all/step >= maxShareWindows {
		return nil, fmt.Errorf("shares over time: %v cut into windows of %v are more than %d: give windows of %v or more",
			all, step, maxShareWindows, (all+maxShareWindows-1)/maxShareWindows)
	}
	f := sharesFold{k: newSeededTracker(src, w.Until, tasks), start: w.Since, step: step, all: tasks == nil}
	for i := range ncpu {
		if oneCPU < 0 || i == oneCPU {
			f.cpus = append(f.cpus, i)
			f.k.cpu(i) // none is made later, so that all begin where the log does
		}
	}
	end := walk(src, w, func(r *trace.Record) {
		if r.Kind != trace.KindSwitch || oneCPU >= 0 && int(r.CPU) != oneCPU {
			return
		}
		f.close(r.Time)
		f.k.settle(r)
		c := f.k.cpu(int(r.CPU))
		f.add(c, r.Time)
		c.cur = r.Other
	})
	f.close(end)
	f.cut(end)
	return f.out, nil
}

// sharesFold adds up the shares of one window after the other.
type sharesFold struct {
	k          *tracker
	cpus       []int
	all        bool       // no selection: idle and unknown time are rows
	start      event.Time // of the present window
	step       time.Duration
	idle, lost time.Duration
	rows       []Share
	out        []ShareWindow
}

// add notes what ran on a CPU up to a moment of the present window.
func (f *sharesFold) add(c *cpu, until event.Time) {
	since := max(c.since, f.start)
	c.since = until
	if until <= since {
		return
	}
	d := until.Sub(since)
	switch {
	case c.cur == 0:
		f.idle += d
	case c.cur < 0:
		f.lost += d
	default:
		t := f.k.task(c.cur)
		if !f.k.selected(c.cur, t) {
			return
		}
		if t.aux < 0 {
			t.aux = int32(len(f.rows))
			f.rows = append(f.rows, Share{PID: c.cur})
		}
		f.rows[t.aux].Time += d
	}
}

// close ends all windows that end at or before a moment.
func (f *sharesFold) close(now event.Time) {
	for now.Sub(f.start) >= f.step {
		f.cut(f.start.Add(f.step))
	}
}

// cut ends the present window and begins the next; nothing happens to one of
// length 0.
func (f *sharesFold) cut(end event.Time) {
	if end <= f.start {
		return
	}
	for _, i := range f.cpus {
		// What was before the log begins is lost.
		if f.start < f.k.start {
			f.lost += min(end, f.k.start).Sub(f.start)
		}
		if c := f.k.cpu(i); end > c.since {
			f.add(c, end)
		}
	}
	if f.all && f.idle > 0 {
		f.rows = append(f.rows, Share{PID: 0, Time: f.idle})
	}
	if f.all && f.lost > 0 {
		f.rows = append(f.rows, Share{PID: -1, Time: f.lost})
	}
	wall := time.Duration(len(f.cpus)) * end.Sub(f.start)
	for i := range f.rows {
		s := &f.rows[i]
		s.Percent = percent(s.Time, wall)
		if s.PID > 0 {
			f.k.task(s.PID).aux = -1
		}
	}
	slices.SortFunc(f.rows, func(a, b Share) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.PID, b.PID))
	})
	f.out = append(f.out, ShareWindow{Start: f.start, End: end, Rows: f.rows})
	f.start, f.rows, f.idle, f.lost = end, nil, 0, 0
}

// SharesOverTable shows shares over time with the tasks' names as comm tells
// them.
func SharesOverTable(ws []ShareWindow, comm func(pid int32) string) *table.Table {
	t := table.MustNew("shares over time",
		table.Column{Name: "start", Kind: table.Duration, Unit: "s", Digits: 6},
		table.Column{Name: "end", Kind: table.Duration, Unit: "s", Digits: 6},
		table.Column{Name: "pid", Kind: table.Int},
		table.Column{Name: "comm", Kind: table.String},
		table.Column{Name: "time", Kind: table.Duration},
		table.Column{Name: "share", Unit: "%", Kind: table.Float, Digits: 2})
	for _, w := range ws {
		for _, s := range w.Rows {
			row(t, instant(w.Start), instant(w.End), s.PID, name(s.PID, comm), s.Time, s.Percent)
		}
	}
	return t
}

// KeySharesOverTable shows shares over time added up by a key, under that key's
// name.
func KeySharesOverTable(ws []ShareWindow, by string, key func(pid int32) string) (*table.Table, error) {
	t, err := table.New("shares over time by "+by,
		table.Column{Name: "start", Kind: table.Duration, Unit: "s", Digits: 6},
		table.Column{Name: "end", Kind: table.Duration, Unit: "s", Digits: 6},
		table.Column{Name: by, Kind: table.String},
		table.Column{Name: "tasks", Kind: table.Int},
		table.Column{Name: "time", Kind: table.Duration},
		table.Column{Name: "share", Unit: "%", Kind: table.Float, Digits: 2})
	if err != nil {
		return nil, err
	}
	for _, w := range ws {
		for _, s := range SharesBy(w.Rows, key) {
			row(t, instant(w.Start), instant(w.End), s.Key, s.Tasks, s.Time, s.Percent)
		}
	}
	return t, nil
}
