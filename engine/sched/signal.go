package sched

import "schedrepl/engine/trace"

// Kill sends a signal to the process of t: to each of its threads. It acts when
// a thread is next current: a running one is rescheduled, a sleeping one is
// woken for it. SigTerm waits while a task is stopped, SigKill does not.
func (c *Core) Kill(t TaskID, s Signal) {
	for x := c.Procs[c.Tasks[t].Proc].first; x != NoTask; x = c.Tasks[x].sibling {
		c.signal(x, s)
	}
}

// signal sends a signal to one task.
func (c *Core) signal(t TaskID, s Signal) {
	tk := &c.Tasks[t]
	if tk.State == trace.Exited || tk.Signal > s {
		return
	}
	if tk.State == trace.Stopped && s == SigTerm {
		tk.Signal = s
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

// Continue makes the stopped threads of t's process runnable and takes back a
// stop that has not acted yet (SIGCONT).
func (c *Core) Continue(t TaskID) {
	for x := c.Procs[c.Tasks[t].Proc].first; x != NoTask; x = c.Tasks[x].sibling {
		tk := &c.Tasks[x]
		if tk.Signal == SigStop {
			tk.Signal = NoSignal
		}
		if tk.State == trace.Stopped {
			c.Wake(x)
		}
	}
}
