// Package stop is the scheduling class of the per-CPU stoppers: kernel threads
// that run before everything else, are never preempted, and move tasks from
// their CPU to others.
package stop

import (
	"schedrepl/engine/event"
	"schedrepl/engine/sched"
	"schedrepl/engine/trace"
)

// Class is the stop class: at most one runnable task a CPU.
type Class struct {
	core  *sched.Core
	queue []sched.TaskID // by CPU: its stopper while runnable
	start []event.Time   // by CPU: when it became current
	sum   []event.Time   // by CPU: run time
}

// New returns the stop class of a machine.
func New(core *sched.Core) *Class {
	n := len(core.CPUs)
	c := &Class{core: core, queue: make([]sched.TaskID, n), start: make([]event.Time, n), sum: make([]event.Time, n)}
	for i := range c.queue {
		c.queue[i] = sched.NoTask
	}
	return c
}

// Name is "stop".
func (c *Class) Name() string { return "stop" }

// Enqueue makes the stopper of cpu runnable.
func (c *Class) Enqueue(cpu int, t sched.TaskID, _ sched.EnqueueKind) { c.queue[cpu] = t }

// Dequeue makes it not runnable.
func (c *Class) Dequeue(cpu int, _ sched.TaskID, _ bool) {
	c.UpdateCurr(cpu)
	c.queue[cpu] = sched.NoTask
}

// PickTask returns the stopper if it is runnable.
func (c *Class) PickTask(cpu int) (sched.TaskID, int64, trace.Pick) {
	t := c.queue[cpu]
	if t != sched.NoTask {
		c.start[cpu] = c.core.Now
	}
	return t, 0, trace.PickClass
}

// SetNext makes t current.
func (c *Class) SetNext(cpu int, _ sched.TaskID) { c.start[cpu] = c.core.Now }

// PutPrev accounts the run time.
func (c *Class) PutPrev(cpu int, _ sched.TaskID) int64 {
	c.UpdateCurr(cpu)
	return 0
}

// UpdateCurr accounts the run time of a current stopper.
func (c *Class) UpdateCurr(cpu int) {
	if t := c.core.Curr(cpu); t != sched.NoTask && t == c.queue[cpu] {
		c.sum[cpu] += c.core.Now - c.start[cpu]
		c.start[cpu] = c.core.Now
	}
}

// WakeupPreempt never preempts: there is one stopper a CPU.
func (c *Class) WakeupPreempt(int, sched.TaskID, bool) sched.Verdict {
	return sched.Verdict{Reason: trace.Self}
}

// Tick does nothing: a stopper is never preempted.
func (c *Class) Tick(int, sched.TaskID) {}

// Ticked does nothing.
func (c *Class) Ticked(int, sched.TaskID, event.Time, int64) {}

// NextTick is never.
func (c *Class) NextTick(int, sched.TaskID, event.Time) event.Time { return sched.Never }

// TaskNew does nothing.
func (c *Class) TaskNew(sched.TaskID) {}

// TaskDead does nothing.
func (c *Class) TaskDead(sched.TaskID) {}

// TaskFork does nothing: stoppers do not fork.
func (c *Class) TaskFork(int, sched.TaskID) {}

// Waking does nothing.
func (c *Class) Waking(sched.TaskID) int64 { return 0 }

// SelectCPU is the stopper's own CPU.
func (c *Class) SelectCPU(t sched.TaskID, _ int, _ bool) (int, trace.Pick) {
	return int(c.core.Tasks[t].CPU), trace.CPUOnly
}

// SetTaskCPU does nothing: a stopper is bound.
func (c *Class) SetTaskCPU(sched.TaskID, int, sched.GroupID) {}

// MoveGroup does nothing: stoppers have no group.
func (c *Class) MoveGroup(sched.TaskID, sched.GroupID, bool) {}

// Reweight does nothing: stoppers have no weight.
func (c *Class) Reweight(sched.TaskID) {}

// Yield does nothing.
func (c *Class) Yield(int, sched.TaskID) {}

// Runtime returns the run time of a stopper.
func (c *Class) Runtime(t sched.TaskID) event.Time { return c.sum[c.core.Tasks[t].CPU] }

// Virtual is 0.
func (c *Class) Virtual(sched.TaskID) int64 { return 0 }

// CloneFor returns a copy that works for core.
func (c *Class) CloneFor(core *sched.Core) sched.Class {
	return &Class{
		core:  core,
		queue: append([]sched.TaskID(nil), c.queue...),
		start: append([]event.Time(nil), c.start...),
		sum:   append([]event.Time(nil), c.sum...),
	}
}
