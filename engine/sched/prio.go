package sched

import (
	"fmt"

	"schedrepl/engine/kernel"
	"schedrepl/engine/trace"
)

func checkNice(nice int) error {
	if nice < kernel.NiceMin || nice > kernel.NiceMax {
		return fmt.Errorf("EINVAL: nice %d is outside %d to %d", nice, kernel.NiceMin, kernel.NiceMax)
	}
	return nil
}

// SetNice changes a task's nice value (kernel/sched/core.c: set_user_nice of
// 2.6.36 to 4.15). A reschedule is asked for when nice went down, whether the
// task runs or waits, and when it went up while the task runs; there is no
// preemption test.
func (c *Core) SetNice(t TaskID, nice int) error {
	if err := checkNice(nice); err != nil {
		return fmt.Errorf("setpriority: %w", err)
	}
	tk := &c.Tasks[t]
	old := int(tk.Nice)
	c.Emit(trace.Record{Kind: trace.KindSetNice, CPU: int16(c.This), Task: tk.PID, A: int64(nice), B: int64(old)})
	if nice == old {
		return nil
	}
	cpu := int(tk.CPU)
	c.host.Sync(cpu)
	queued := tk.Queued
	if queued {
		c.dequeue(t)
	}
	tk.Nice = int8(nice)
	c.classes[tk.Class].Reweight(t)
	if queued {
		c.enqueue(cpu, t, EnqueuePlain)
		if nice < old || c.CPUs[cpu].Curr == t {
			c.Resched(cpu, trace.NiceChange, int64(nice), int64(old))
		}
	}
	return nil
}

// SetPolicy changes a task's policy within the fair class
// (kernel/sched/core.c: sched_setscheduler). A queued task is taken off and
// put on again; a running one is put and set, so that its slice starts anew.
func (c *Core) SetPolicy(t TaskID, p Policy) error {
	if p != Normal && p != Batch && p != Idle {
		return fmt.Errorf("sched_setscheduler: EINVAL: policy %d: this build knows OTHER, BATCH and IDLE", p)
	}
	tk := &c.Tasks[t]
	old := tk.Policy
	c.Emit(trace.Record{Kind: trace.KindSetPolicy, CPU: int16(c.This), Task: tk.PID, A: int64(p), B: int64(old)})
	if p == old {
		return nil
	}
	queued, runs := c.takeOff(t)
	tk.Policy = p
	c.classes[tk.Class].Reweight(t)
	c.putBack(t, queued, runs)
	return nil
}
