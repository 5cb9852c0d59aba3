// Package metrics folds the records of a run into measures: samples such as
// wakeup latency, tables such as CPU shares, and series for figures.
//
// Every measure reads the records once, from the first one kept, so that the
// state of each task and CPU is right where the window begins. CPUs start idle
// at time 0. Nothing is remembered between calls, and the same records give
// the same result to the byte.
//
// Two rules say what a [Window] [Since, Until) contains:
//
//   - A record, and a sample such as a latency, a wait or a slice, belongs to
//     the window in which it ends. Its length is its whole length, even when
//     it began before Since.
//   - Time that is added up (CPU shares, time per state) and series for
//     figures are clipped to the window.
//
// A log that forgot its oldest records (one with a Start method that does not
// return 0) is read from there: what a task did before its first record is
// unknown, and an interval whose beginning is unknown gives no sample.
package metrics

import (
	"time"

	"schedrepl/engine/event"
	"schedrepl/engine/trace"
)

// Source is a sequence of records in order of time. *trace.Log is one.
type Source interface {
	// Each calls f for each record, oldest first, until f returns false. f
	// does not keep the pointer.
	Each(f func(r *trace.Record) bool)
}

// Window is the stretch of simulated time that a measure looks at. Since
// belongs to it, Until does not.
type Window struct {
	Since, Until event.Time
	// Now is how far the run has come: intervals that are still open are cut
	// there if Until is later. When it is earlier than the last record, the
	// time of that record is taken.
	Now event.Time
}

// From returns the window that holds everything from since to the end of what
// is recorded, the records of the instant now included.
func From(since, now event.Time) Window {
	return Window{Since: since, Until: event.Never, Now: now}
}

// holds reports whether something that happened at t is in the window.
func (w Window) holds(t event.Time) bool { return t >= w.Since && t < w.Until }

// clip returns how much of the interval from a to b lies after Since. The
// caller bounds b by the end of the walk.
func (w Window) clip(a, b event.Time) time.Duration {
	a = max(a, w.Since)
	if b <= a {
		return 0
	}
	return b.Sub(a)
}

// walk calls visit for each record before the end of the window, those before
// its beginning included, and returns the moment at which intervals that are
// still open are cut.
func walk(src Source, w Window, visit func(r *trace.Record)) event.Time {
	last, cut := w.Now, false
	src.Each(func(r *trace.Record) bool {
		if r.Time >= w.Until {
			cut = true
			return false
		}
		last = max(last, r.Time)
		visit(r)
		return true
	})
	if cut {
		return w.Until
	}
	return min(w.Until, last)
}

// start returns the moment after which a source misses no record.
func start(src Source) event.Time {
	if s, ok := src.(interface{ Start() event.Time }); ok {
		return s.Start()
	}
	return 0
}
