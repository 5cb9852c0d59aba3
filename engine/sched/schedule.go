package sched

import (
	"schedrepl/engine/event"
	"schedrepl/engine/trace"
)

// Schedule is the pick loop: it takes a current task that does not want to run
// any more off the queue, puts it back among its like otherwise, asks the
// classes in order, and switches (kernel/sched/core.c: __schedule). The host
// calls it when the CPU's request is to be honoured, or when the current task
// has blocked, yielded or exited; it knows then that the next interesting tick
// may have changed.
func (c *Core) Schedule(cpu int) {
	rq := &c.CPUs[cpu]
	prev := rq.Curr
	why := rq.Why
	state := trace.Running
	var from, to int64 // virtual times
	if prev != NoTask {
		t := &c.Tasks[prev]
		state = t.State
		rq.Clock = c.Now
		cl := c.classes[t.Class]
		if state != trace.Running {
			cl.Dequeue(cpu, prev, true)
			t.Queued = false
			rq.NrRunning--
			rq.nr[t.Class]--
		}
		from = cl.PutPrev(cpu, prev)
	}

	next, pick := NoTask, trace.PickIdle
	for i, cl := range c.classes {
		if rq.nr[i] == 0 {
			continue
		}
		if next, to, pick = cl.PickTask(cpu); next != NoTask {
			break
		}
	}
	rq.NeedResched = false
	rq.Why = trace.ReasonNone
	if next == prev {
		return
	}
	r := c.record(trace.KindSwitch, cpu)
	r.State, r.Reason, r.Pick = state, why, pick
	r.A, r.B = from, to
	if prev != NoTask {
		t := &c.Tasks[prev]
		r.Task = t.PID
		if state == trace.Running {
			t.NIVCSw++
		} else {
			t.NVCSw++
		}
		t.Since = c.Now
	} else {
		c.idle.Remove(cpu)
	}
	if next != NoTask {
		t := &c.Tasks[next]
		r.Other = t.PID
		t.RunDelay += c.Now - t.Since
		t.Since = c.Now
	} else {
		c.idle.Add(cpu)
	}
	rq.Curr = next
	c.switches++
	c.tell(r)
}

// Block makes the current task of cpu leave in state s; the host calls
// Schedule next.
func (c *Core) Block(cpu int, s trace.State) {
	rq := &c.CPUs[cpu]
	c.Tasks[rq.Curr].State = s
	switch s {
	case trace.Exited:
		rq.Why = trace.ExitedTask
	case trace.Stopped:
		rq.Why = trace.StoppedTask
	default:
		rq.Why = trace.Blocked
	}
}

// Yield is sched_yield of the current task of cpu; the host calls Schedule
// next.
func (c *Core) Yield(cpu int) {
	rq := &c.CPUs[cpu]
	rq.Clock = c.Now
	c.ClassOf(rq.Curr).Yield(cpu, rq.Curr)
	if !rq.NeedResched {
		rq.Why = trace.Yielded
	}
}

// Tick is one tick of a busy CPU.
func (c *Core) Tick(cpu int) {
	c.CPUs[cpu].Clock = c.Now
	if t := c.CPUs[cpu].Curr; t != NoTask {
		c.ClassOf(t).Tick(cpu, t)
	}
}

// Ticked tells the current task's class of n ticks that did nothing.
func (c *Core) Ticked(cpu int, first event.Time, n int64) {
	c.CPUs[cpu].Clock = first + event.Time(n-1)*c.Period
	if t := c.CPUs[cpu].Curr; t != NoTask {
		c.ClassOf(t).Ticked(cpu, t, first, n)
	}
}

// NextTick returns the earliest tick of cpu, not before next, that can do more
// than accounting.
func (c *Core) NextTick(cpu int, next event.Time) event.Time {
	t := c.CPUs[cpu].Curr
	if t == NoTask {
		return Never
	}
	return c.ClassOf(t).NextTick(cpu, t, next)
}

// test runs the preemption test for t, just enqueued on cpu, and asks for the
// reschedule if it preempts.
func (c *Core) test(cpu int, t TaskID, fork bool) Verdict {
	rq := &c.CPUs[cpu]
	v := Verdict{}
	switch {
	case rq.Curr == NoTask:
		v = Verdict{Preempt: true, Reason: trace.CPUIdle}
	case c.Tasks[rq.Curr].Class > c.Tasks[t].Class:
		v = Verdict{Preempt: true, Reason: trace.HigherClass}
	case c.Tasks[rq.Curr].Class < c.Tasks[t].Class:
		return Verdict{Reason: trace.LowerClass}
	default:
		v = c.ClassOf(t).WakeupPreempt(cpu, t, fork)
	}
	if v.Preempt {
		if rq.NeedResched {
			return Verdict{Reason: trace.AlreadyAsked}
		}
		c.request(cpu, v.Reason)
	}
	return v
}
