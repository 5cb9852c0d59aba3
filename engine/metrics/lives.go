package metrics

import (
	"cmp"
	"slices"
	"time"

	"schedrepl/engine/event"
	"schedrepl/engine/trace"
)

// Doing is what a task does over a stretch of time.
type Doing uint8

// What a task can do.
const (
	Untold   = Doing(unknown)  // nothing is known: a log forgot it
	Unborn   = Doing(fresh)    // forked, not yet woken
	Asleep   = Doing(sleeping) // blocked
	Runnable = Doing(waiting)  // waits for a CPU
	OnCPU    = Doing(running)
	Halted   = Doing(stopped) // stopped by a signal
)

func (d Doing) String() string { return phase(d).String() }

// Span is a stretch in which a task did one thing. CPU is where it ran or
// waited, at the end of the stretch, or had last done so; -1 if that is unknown.
type Span struct {
	Start, End event.Time
	Doing      Doing
	CPU        int16
}

// Life is what one task did, in order of time. Its spans follow each other
// without a gap from its fork, or the beginning of the window, to its exit, or
// the end of the window; there is a gap only where a pid was used again.
type Life struct {
	PID   int32
	Spans []Span
}

// Lives returns what each of the selected tasks did, clipped to the window, in
// the order of pids. Tasks that did not live in the window are left out, and so
// are spans of length 0. Where a log forgot its beginning, a task is untold
// about until the log becomes whole, as far as the window reaches back so far.
func Lives(src Source, w Window, tasks Tasks) []Life {
	k := newSeededTracker(src, w.Until, tasks)
	var out []Life
	add := func(pid int32, t *task, p phase, since, until event.Time, cpu int16) {
		if p == gone || p == unknown || !k.selected(pid, t) || w.clip(since, until) == 0 {
			return
		}
		if t.aux < 0 {
			t.aux = int32(len(out))
			out = append(out, Life{PID: pid})
			if since == k.start && w.Since < k.start {
				out[t.aux].Spans = append(out[t.aux].Spans, Span{w.Since, k.start, Untold, -1})
			}
		}
		l := &out[t.aux]
		since = max(since, w.Since)
		// Two phases that differ in their cause only are one span.
		if n := len(l.Spans) - 1; n >= 0 {
			if s := &l.Spans[n]; s.End == since && s.Doing == Doing(p) && s.CPU == cpu {
				s.End = until
				return
			}
		}
		l.Spans = append(l.Spans, Span{since, until, Doing(p), cpu})
	}
	end := walk(src, w, func(r *trace.Record) {
		changes := k.step(r)
		for i := range changes {
			c := &changes[i]
			add(c.pid, c.task, c.from, c.since, r.Time, c.cpu)
		}
	})
	k.each(func(pid int32, t *task) { add(pid, t, t.phase, t.since, end, t.cpu) })
	slices.SortFunc(out, func(a, b Life) int { return cmp.Compare(a.PID, b.PID) })
	return out
}

// Times adds up what a task did.
func (l Life) Times() (onCPU, runnable time.Duration) {
	for _, s := range l.Spans {
		switch s.Doing {
		case OnCPU:
			onCPU += s.End.Sub(s.Start)
		case Runnable:
			runnable += s.End.Sub(s.Start)
		}
	}
	return onCPU, runnable
}
