package metrics

import (
	"cmp"
	"slices"

	"schedrepl/engine/event"
	"schedrepl/engine/stats"
	"schedrepl/engine/trace"
)

// Samples is a measure that was taken many times. The three slices have one
// length; samples are in the order in which they ended.
type Samples struct {
	Name   string
	Unit   string       // of Values: always "ns" here
	Values []float64    // each the length of an interval
	At     []event.Time // when the interval ended
	PID    []int32      // whose it is
}

// Len returns how many samples there are.
func (s *Samples) Len() int { return len(s.Values) }

// Summary returns the moments and quantiles of the values, in ns. It fails
// when there is no sample.
func (s *Samples) Summary() (stats.Summary, error) { return stats.Summarize(s.Values) }

// add appends the interval of a task from begin to end.
func (s *Samples) add(pid int32, begin, end event.Time) {
	s.Values = append(s.Values, float64(end-begin))
	s.At = append(s.At, end)
	s.PID = append(s.PID, pid)
}

// samples collects the phases of the selected tasks that end in the window
// and that keep wants.
func samples(name string, src Source, w Window, tasks Tasks, keep func(c *change) bool) Samples {
	s := Samples{Name: name, Unit: "ns"}
	phases(src, w, tasks, keep, s.add)
	return s
}

// Latency returns, for each wakeup (the first one after fork included), the
// time until the task was first switched in. A wakeup of a task that is
// running or waiting already has no latency, and neither has a task that is
// stopped or killed before it runs.
func Latency(src Source, w Window, tasks Tasks) Samples {
	return samples("latency", src, w, tasks, wokenUp)
}

// wokenUp, waited and ran tell what Latency, Waits and Slices measure.
func wokenUp(c *change) bool {
	return c.from == waiting && c.to == running &&
		(c.cause.Kind == trace.KindWakeup || c.cause.Kind == trace.KindWakeupNew)
}
func waited(c *change) bool { return c.from == waiting }
func ran(c *change) bool    { return c.from == running }

// Waits returns every stretch in which a task was runnable but did not run:
// after a wakeup, and after it was switched out while runnable. A stretch may
// also end because the task is stopped or killed. A move to another CPU does
// not end it.
func Waits(src Source, w Window, tasks Tasks) Samples {
	return samples("waits", src, w, tasks, waited)
}

// OffCPU returns the stretches in which a task that had been running was off
// the CPU though it never slept: the Waits that began with a switch.
func OffCPU(src Source, w Window, tasks Tasks) Samples {
	return samples("off_cpu", src, w, tasks, func(c *change) bool {
		return c.from == waiting && c.cause.Kind == trace.KindSwitch
	})
}

// Slices returns the stretches in which a task ran, from switch-in to
// switch-out.
func Slices(src Source, w Window, tasks Tasks) Samples {
	return samples("slices", src, w, tasks, ran)
}

// Response returns the lengths of the spans with the name of that index, each
// from its begin to its end record. A span that has not ended is not counted.
func Response(src Source, w Window, tasks Tasks, span int32) Samples {
	s := Samples{Name: "response", Unit: "ns"}
	spans(src, w, tasks, span, s.add)
	return s
}

// Pending returns the waits that have not ended when the window does, each
// with its length up to there: a task that starves shows here and nowhere in
// Waits. They are in the order in which they began, ties by pid.
func Pending(src Source, w Window, tasks Tasks) Samples {
	s := Samples{Name: "pending", Unit: "ns"}
	k := newTracker(src, tasks)
	end := walk(src, w, func(r *trace.Record) { k.step(r) })
	type open struct {
		pid   int32
		since event.Time
	}
	var waits []open
	k.each(func(pid int32, t *task) {
		if t.phase == waiting && k.selected(pid, t) {
			waits = append(waits, open{pid, t.since})
		}
	})
	slices.SortStableFunc(waits, func(a, b open) int { return cmp.Compare(a.since, b.since) })
	for _, o := range waits {
		s.add(o.pid, o.since, end)
	}
	return s
}
