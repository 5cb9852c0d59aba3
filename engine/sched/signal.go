package sched

import "schedrepl/engine/trace"

// Kill sends a signal. SigStop and SigKill act when the task is next current:
// a running one is rescheduled, a sleeping one is woken for it. Continue
// makes a stopped task runnable.
func (c *Core) Kill(t TaskID, s Signal) {
	tk := &c.Tasks[t]
	if tk.State == trace.Exited || (tk.Signal == SigKill) {
		return
	}
	if tk.State == trace.Stopped && s == SigStop {
		return
	}
	tk.Signal = s
	if tk.Queued {
		cpu := int(tk.CPU)
		if c.CPUs[cpu].Curr == t {
			c.host.Sync(cpu)
			c.Resched(cpu, trace.SignalPending, 0, 0)
		}
		return
	}
	c.Wake(t)
}

// Continue makes a stopped task runnable and takes back a stop that has not
// acted yet (SIGCONT).
func (c *Core) Continue(t TaskID) {
	tk := &c.Tasks[t]
	if tk.Signal == SigStop {
		tk.Signal = NoSignal
	}
	if tk.State == trace.Stopped {
		c.Wake(t)
	}
}
