package metrics

import (
	"schedrepl/engine/event"
	"schedrepl/engine/trace"
)

// newSeededTracker is newTracker for series over time. Of a source that forgot
// its beginning it reads the records one more time, ahead, to learn what each
// task and CPU did at the moment from which the records are whole: nothing
// changes without a record, so the first record about a task tells what it did
// until then. A task that was woken had slept; one that was switched in had
// waited on that CPU; one that was switched out had run there. What has no
// record at all stays unknown.
func newSeededTracker(src Source, until event.Time, tasks Tasks) *tracker {
	k := newTracker(src, tasks)
	if k.start == 0 {
		return k
	}
	// The tracker that looks ahead marks the tasks that it is done with.
	ahead := newTracker(src, nil)
	first := func(pid int32, p phase, cpu int16) {
		seen := ahead.task(pid)
		if pid == 0 || seen.aux >= 0 {
			return
		}
		seen.aux = 1
		t := k.task(pid)
		t.phase, t.since = p, k.start
		if t.cpu < 0 {
			t.cpu = cpu
		}
	}
	src.Each(func(r *trace.Record) bool {
		if r.Time >= until {
			return false
		}
		switch r.Kind {
		case trace.KindSwitch:
			first(r.Task, running, r.CPU)
			first(r.Other, waiting, r.CPU)
			if c := k.cpu(int(r.CPU)); c.cur < 0 {
				c.cur = r.Task
			}
		case trace.KindWakeup:
			// One who wakes itself was on its CPU: a later record tells.
			if r.Reason != trace.Self {
				first(r.Task, sleeping, int16(r.Other))
			}
		case trace.KindWakeupNew:
			first(r.Task, fresh, int16(r.Other))
		case trace.KindFork:
			first(r.Task, unknown, r.CPU) // it was not there before
		case trace.KindState:
			// One who is stopped may have slept or waited.
			if r.State == trace.Running {
				first(r.Task, stopped, r.CPU)
			} else {
				first(r.Task, unknown, r.CPU)
			}
		case trace.KindMigrate:
			// It tells where the task was, but not what it did.
			if t := k.task(r.Task); t.cpu < 0 && ahead.task(r.Task).aux < 0 {
				t.cpu = int16(r.A)
			}
		}
		return true
	})
	return k
}
