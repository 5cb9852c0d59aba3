package sched

import (
	"schedrepl/engine/event"
	"schedrepl/engine/trace"
)

// enqueue puts t on cpu's run queue.
func (c *Core) enqueue(cpu int, t TaskID, kind EnqueueKind) {
	tk := &c.Tasks[t]
	rq := &c.CPUs[cpu]
	rq.Clock = c.Now
	c.classes[tk.Class].Enqueue(cpu, t, kind)
	tk.Queued = true
	rq.NrRunning++
	rq.nr[tk.Class]++
	c.host.Touched(cpu)
}

// dequeue takes t off its run queue, to be enqueued again at once.
func (c *Core) dequeue(t TaskID) {
	tk := &c.Tasks[t]
	c.CPUs[tk.CPU].Clock = c.Now
	c.classes[tk.Class].Dequeue(int(tk.CPU), t, false)
	tk.Queued = false
	c.CPUs[tk.CPU].NrRunning--
	c.CPUs[tk.CPU].nr[tk.Class]--
	c.host.Touched(int(tk.CPU))
}

// Wake makes a sleeping or stopped task runnable, in the context of the CPU
// that executes (kernel/sched/core.c: try_to_wake_up). It reports whether it
// did anything: a task that is runnable already, or gone, is left alone.
func (c *Core) Wake(t TaskID) bool {
	tk := &c.Tasks[t]
	if tk.Queued || tk.State == trace.Exited || tk.State == trace.NewTask {
		return false
	}
	this, prev := c.This, int(tk.CPU)
	cl := c.classes[tk.Class]
	c.host.Sync(prev)
	tk.State = trace.WaitState
	tk.Waking = true
	before := cl.Waking(t)
	cpu, how := c.choose(t, this, false)
	if cpu != prev {
		c.migrate(t, cpu, how)
		c.host.Sync(cpu)
	}
	c.enqueue(cpu, t, EnqueueWakeup)
	tk.Waking = false
	tk.State = trace.Running
	tk.Since = c.Now
	v := c.test(cpu, t, false)
	r := c.record(trace.KindWakeup, this)
	r.Task, r.Other, r.Reason, r.Pick = tk.PID, int32(cpu), v.Reason, how
	r.A, r.B = cl.Virtual(t), before
	c.tell(r)
	c.chargeWake(this, tk.Group)
	return true
}

// wakeNew is the first wakeup of a task that was forked
// (kernel/sched/core.c: wake_up_new_task).
func (c *Core) wakeNew(t TaskID) {
	tk := &c.Tasks[t]
	this := c.This
	cl := c.classes[tk.Class]
	cpu, how := c.choose(t, this, true)
	c.setCPU(t, cpu)
	c.host.Sync(cpu)
	before := cl.Virtual(t)
	c.enqueue(cpu, t, EnqueuePlain)
	tk.State = trace.Running
	tk.Since = c.Now
	v := c.test(cpu, t, true)
	c.Emit(trace.Record{
		Kind: trace.KindWakeupNew, CPU: int16(this), Task: tk.PID, Other: int32(cpu),
		A: cl.Virtual(t), B: before, Reason: v.Reason, Pick: how,
	})
}

// chargeWake charges the waking CPU for a wakeup into group g.
func (c *Core) chargeWake(cpu int, g GroupID) {
	d := c.Costs.Wakeup
	if c.Costs.WakeupLevel > 0 {
		d += c.Costs.WakeupLevel * timeDuration(c.depth(g))
	}
	if d > 0 {
		c.host.Charge(cpu, event.Time(d), trace.ChargeWakeup)
	}
}

// choose returns the CPU for a wakeup: the only one allowed, what the class
// says, and if that is not allowed the first that is.
func (c *Core) choose(t TaskID, this int, fork bool) (int, trace.Pick) {
	tk := &c.Tasks[t]
	if tk.Only >= 0 {
		return int(tk.Only), trace.CPUOnly
	}
	cpu, how := c.classes[tk.Class].SelectCPU(t, this, fork)
	if !c.Allowed(t, cpu) {
		return c.masks[tk.Mask].First(), trace.CPUForced
	}
	return cpu, how
}

// setCPU attaches t, which is not queued, to cpu. Up to 3.5 the kernel works
// out a task's group anew whenever it sets these pointers, so that a change of
// the autogroup switch takes effect here (autogroup_task_group).
func (c *Core) setCPU(t TaskID, cpu int) {
	tk := &c.Tasks[t]
	tk.CPU = int32(cpu)
	tk.Group = c.groupOf(t)
	c.classes[tk.Class].SetTaskCPU(t, cpu, tk.Group)
}

// migrate moves t, which is not queued, to another CPU and counts it.
func (c *Core) migrate(t TaskID, cpu int, how trace.Pick) {
	tk := &c.Tasks[t]
	from := tk.CPU
	c.setCPU(t, cpu)
	tk.Migrations++
	c.Emit(trace.Record{
		Kind: trace.KindMigrate, CPU: int16(c.This), Task: tk.PID,
		A: int64(from), B: int64(cpu), Pick: how,
	})
}

// MoveQueued moves a task that is queued but not running to another CPU, as
// balancing and changes of affinity do.
func (c *Core) MoveQueued(t TaskID, cpu int, how trace.Pick) {
	c.host.Sync(int(c.Tasks[t].CPU))
	c.dequeue(t)
	c.migrate(t, cpu, how)
	c.host.Sync(cpu)
	c.enqueue(cpu, t, EnqueuePlain)
	if v := c.test(cpu, t, false); v.Preempt && !c.NoReasons {
		c.Emit(trace.Record{
			Kind: trace.KindResched, CPU: int16(cpu), Task: c.PID(c.CPUs[cpu].Curr),
			Reason: v.Reason, A: v.A, B: v.B,
		})
	}
}
