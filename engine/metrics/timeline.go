package metrics

import (
	"schedrepl/engine/event"
	"schedrepl/engine/trace"
)

// Segment is a stretch in which one task ran on a CPU: PID 0 is idle, -1 a
// CPU of which a log that forgot its beginning tells nothing.
type Segment struct {
	Start, End event.Time
	PID        int32
}

// Timeline returns what each of ncpu CPUs ran, clipped to the window. The
// segments of a CPU cover the window without a gap, in order; those of length
// 0 are left out.
func Timeline(src Source, w Window, ncpu int) [][]Segment {
	k := newTracker(src, nil)
	out := make([][]Segment, ncpu)
	add := func(i int, until event.Time) {
		c := k.cpu(i)
		if w.clip(c.since, until) > 0 && i < ncpu {
			out[i] = append(out[i], Segment{Start: max(c.since, w.Since), End: until, PID: c.cur})
		}
	}
	end := walk(src, w, func(r *trace.Record) {
		if r.Kind == trace.KindSwitch {
			k.settle(r)
			add(int(r.CPU), r.Time)
			c := k.cpu(int(r.CPU))
			c.cur, c.since = r.Other, r.Time
		}
	})
	for i := range ncpu {
		add(i, end)
	}
	return out
}

// Step is the value of a series from At on, until the next step.
type Step struct {
	At event.Time
	N  int
}

// RunQueues returns, for each of ncpu CPUs, the number of runnable tasks over
// time, the running one included (Linux: nr_running). The first step is at
// Since, or where a log that forgot its beginning becomes whole; of several
// values in one instant only the last is kept. Tasks that wait from there on and
// have no record in the window are missing.
func RunQueues(src Source, w Window, ncpu int) [][]Step {
	k := newSeededTracker(src, w.Until, nil)
	w.Since = max(w.Since, k.start)
	n := make([]int, ncpu)
	out := make([][]Step, ncpu)
	k.each(func(_ int32, t *task) {
		if (t.phase == waiting || t.phase == running) && t.cpu >= 0 && int(t.cpu) < ncpu {
			n[t.cpu]++
		}
	})
	add := func(cpu int16, by int, now event.Time) {
		i := int(cpu)
		if i < 0 || i >= ncpu {
			return
		}
		n[i] += by
		if now <= w.Since {
			return
		}
		if len(out[i]) == 0 {
			out[i] = append(out[i], Step{w.Since, n[i] - by})
		}
		if last := len(out[i]) - 1; out[i][last].At == now {
			out[i][last].N = n[i]
		} else {
			out[i] = append(out[i], Step{now, n[i]})
		}
		// A switch takes one task off and puts another on: what changes
		// nothing in the end is no step.
		if last := len(out[i]) - 1; last > 0 && out[i][last].N == out[i][last-1].N {
			out[i] = out[i][:last]
		}
	}
	runnable := func(p phase) bool { return p == waiting || p == running }
	walk(src, w, func(r *trace.Record) {
		if r.Kind == trace.KindMigrate {
			if t := k.task(r.Task); runnable(t.phase) {
				add(t.cpu, -1, r.Time)
				add(int16(r.B), +1, r.Time)
			}
		}
		changes := k.step(r)
		for i := range changes {
			c := &changes[i]
			was, is := runnable(c.from), runnable(c.to)
			if was && is && c.cpu == c.task.cpu {
				continue
			}
			if was {
				add(c.cpu, -1, r.Time)
			}
			if is {
				add(c.task.cpu, +1, r.Time)
			}
		}
	})
	for i := range out {
		if len(out[i]) == 0 {
			out[i] = append(out[i], Step{w.Since, n[i]})
		}
	}
	return out
}
