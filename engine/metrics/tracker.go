package metrics

import (
	"schedrepl/engine/event"
	"schedrepl/engine/trace"
)

// phase is what a task is doing.
type phase uint8

const (
	unknown  phase = iota // nothing is known of it yet
	fresh                 // forked, not yet woken
	sleeping              // not runnable
	waiting               // runnable, not running
	running               // current on a CPU
	stopped               // stopped by a signal
	gone                  // exited
)

var phaseNames = [...]string{
	unknown: "unknown", fresh: "new", sleeping: "sleeping", waiting: "runnable",
	running: "running", stopped: "stopped", gone: "exited",
}

func (p phase) String() string { return phaseNames[p] }

// phaseOf returns the phase of a task that is off the CPU in state s.
func phaseOf(s trace.State) phase {
	switch s {
	case trace.Running:
		return waiting
	case trace.Sleeping, trace.WaitState:
		return sleeping
	case trace.Stopped:
		return stopped
	case trace.Exited:
		return gone
	case trace.NewTask:
		return fresh
	}
	return unknown
}

// task is what a tracker knows of one task.
type task struct {
	since event.Time // when phase began
	aux   int32      // for the fold's own use; -1 at first
	cpu   int16      // where it runs or waits, or did so last; -1 unknown
	phase phase
	cause Cause // what began phase
	known uint8 // 1 selected, 2 not selected, 0 not asked yet
}

// cpu is what a tracker knows of one CPU.
type cpu struct {
	since event.Time // when cur began
	cur   int32      // the running task, 0 idle, -1 unknown
}

// change is one task that left one phase for another.
type change struct {
	task     *task // its cpu, phase and since are already the new ones
	pid      int32
	from, to phase
	since    event.Time // when from began
	cause    Cause      // what began from
	cpu      int16      // where it was in from
}

// pageBits is the binary logarithm of the number of tasks on one page.
const pageBits = 8

// tracker follows the state of every task and CPU from record to record. It
// believes each record: when one contradicts what came before, the record
// wins. Invariants is the place where contradictions are found.
type tracker struct {
	cpus  []cpu
	pages []*[1 << pageBits]task
	tasks Tasks
	start event.Time
	out   [2]change
}

// newTracker returns a tracker for records that begin where src begins.
func newTracker(src Source, tasks Tasks) *tracker {
	return &tracker{tasks: tasks, start: start(src)}
}

// cpu returns the state of CPU i, which is made when it is first asked for.
func (k *tracker) cpu(i int) *cpu {
	for i >= len(k.cpus) {
		c := cpu{since: k.start}
		if k.start > 0 {
			c.cur = -1
		}
		k.cpus = append(k.cpus, c)
	}
	return &k.cpus[i]
}

// task returns the state of a task. The pointer stays good.
func (k *tracker) task(pid int32) *task {
	i := int(uint32(pid) >> pageBits)
	if i >= len(k.pages) || k.pages[i] == nil {
		k.addPage(i)
	}
	return &k.pages[i][pid&(1<<pageBits-1)]
}

func (k *tracker) addPage(i int) {
	for i >= len(k.pages) {
		k.pages = append(k.pages, nil)
	}
	p := new([1 << pageBits]task)
	for j := range p {
		p[j].aux, p[j].cpu = -1, -1
	}
	k.pages[i] = p
}

// selected reports whether the measure is about the task, and asks the
// caller's function once.
func (k *tracker) selected(pid int32, t *task) bool {
	if t.known == 0 {
		t.known = 2
		if k.tasks == nil || k.tasks(pid) {
			t.known = 1
		}
	}
	return t.known == 1
}

// each calls f for every task that was ever asked for, in the order of pids.
func (k *tracker) each(f func(pid int32, t *task)) {
	for i, p := range k.pages {
		if p == nil {
			continue
		}
		for j := range p {
			f(int32(i<<pageBits|j), &p[j])
		}
	}
}

// settle notes what a switch, not yet stepped over, tells of a CPU of which
// nothing was known: the task that it takes off ran there from the start.
func (k *tracker) settle(r *trace.Record) {
	if c := k.cpu(int(r.CPU)); c.cur < 0 {
		c.cur = r.Task
	}
}

// step takes one record and returns the tasks whose phase it changed, at most
// two. The slice is good until the next step.
func (k *tracker) step(r *trace.Record) []change {
	n := 0
	switch r.Kind {
	case trace.KindSwitch:
		c := k.cpu(int(r.CPU))
		if r.Task != 0 {
			n = k.move(n, r.Task, phaseOf(r.State), r.CPU, r)
		}
		if r.Other != 0 {
			n = k.move(n, r.Other, running, r.CPU, r)
		}
		c.cur, c.since = r.Other, r.Time
	case trace.KindWakeup, trace.KindWakeupNew:
		if p := k.task(r.Task).phase; p != running && p != waiting && r.Reason != trace.Self {
			n = k.move(n, r.Task, waiting, int16(r.Other), r)
		}
	case trace.KindMigrate:
		k.task(r.Task).cpu = int16(r.B)
	case trace.KindFork:
		n = k.move(n, r.Task, fresh, r.CPU, r)
	case trace.KindExit:
		// A task that runs is gone when it is switched out for good.
		if t := k.task(r.Task); t.phase != running && t.phase != unknown {
			n = k.move(n, r.Task, gone, t.cpu, r)
		}
	case trace.KindState:
		t := k.task(r.Task)
		to := phaseOf(r.State)
		if t.phase != running && to != unknown && to != t.phase {
			n = k.move(n, r.Task, to, t.cpu, r)
		}
	}
	return k.out[:n]
}

// move puts a task into a phase and notes the change.
func (k *tracker) move(n int, pid int32, to phase, cpu int16, r *trace.Record) int {
	t := k.task(pid)
	k.out[n] = change{task: t, pid: pid, from: t.phase, to: to, since: t.since, cause: t.cause, cpu: t.cpu}
	t.phase, t.since, t.cpu = to, r.Time, cpu
	t.cause = Cause{Kind: r.Kind, Reason: r.Reason, Pick: r.Pick}
	return n + 1
}
