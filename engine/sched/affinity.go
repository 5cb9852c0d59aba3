package sched

import (
	"fmt"

	"schedrepl/engine/cpumask"
	"schedrepl/engine/trace"
)

// stopJob is one move that a CPU's stopper has to make.
type stopJob struct {
	task TaskID
	dest int
}

// checkMask fails for a mask that names no CPU of the machine. nil is all.
func (c *Core) checkMask(m cpumask.Set) error {
	if m == nil {
		return nil
	}
	if m.And(cpumask.All(len(c.CPUs))).Empty() {
		return fmt.Errorf("EINVAL: CPUs %q: the machine has only 0-%d", m.String(), len(c.CPUs)-1)
	}
	return nil
}

// mask returns the two forms in which a task keeps its CPUs: the index of the
// set, each of which is kept once, and the only CPU if there is only one.
func (c *Core) mask(m cpumask.Set) (index, only int32) {
	if m == nil {
		return 0, -1
	}
	m = m.And(c.masks[0])
	only = -1
	if m.Count() == 1 {
		only = int32(m.First())
	}
	key := m.String()
	index, ok := c.maskIdx[key]
	if !ok {
		index = int32(len(c.masks))
		c.masks = append(c.masks, m.Clone())
		c.maskIdx[key] = index
	}
	return index, only
}

// SetAffinity sets the CPUs that a task may use (sched_setaffinity); nil is
// all. A task that is queued on a CPU that it may not use any more goes to the
// lowest one that it may: by way of that CPU's stopper if it runs, at once if
// it only waits. A sleeping one goes at its next wakeup.
func (c *Core) SetAffinity(t TaskID, m cpumask.Set) error {
	if err := c.checkMask(m); err != nil {
		return fmt.Errorf("sched_setaffinity: %w", err)
	}
	tk := &c.Tasks[t]
	tk.Mask, tk.Only = c.mask(m)
	c.Emit(trace.Record{Kind: trace.KindSetAffinity, CPU: int16(c.This), Task: tk.PID})
	if tk.Queued && !c.Allowed(t, int(tk.CPU)) {
		c.leaveCPU(t)
	}
	return nil
}

// leaveCPU makes a queued task leave a CPU that it may not use.
func (c *Core) leaveCPU(t TaskID) {
	tk := &c.Tasks[t]
	dest := c.masks[tk.Mask].First()
	cpu := int(tk.CPU)
	if c.CPUs[cpu].Curr != t {
		c.MoveQueued(t, dest, trace.CPUForced)
		return
	}
	c.Stop(cpu, t, dest)
}

// Stop gives the stopper of cpu a task to move to CPU dest and wakes it
// (kernel/stop_machine.c: stop_one_cpu).
func (c *Core) Stop(cpu int, t TaskID, dest int) {
	rq := &c.CPUs[cpu]
	rq.stopWork = append(rq.stopWork, stopJob{t, dest})
	if rq.stopper == NoTask {
		rq.stopper = c.newStopper(cpu)
	}
	c.wakeStopper(cpu)
}

// newStopper makes the stopper of a CPU: a bound kernel thread of the stop
// class, asleep.
func (c *Core) newStopper(cpu int) TaskID {
	t := c.newTask()
	pid := c.nextPID
	c.nextPID++
	comm := c.Intern(fmt.Sprintf("migration/%d", cpu))
	c.comms = append(c.comms, comm)
	c.byPID = append(c.byPID, t)
	c.Tasks[t] = Task{
		PID: pid, TGID: pid, State: trace.NewTask, Only: int32(cpu), CPU: int32(cpu), Comm: comm,
		Class: c.classIndex("stop"), sibling: NoTask, Kthread: true, Stopper: true, Born: c.Now, Since: c.Now,
	}
	c.joinProcess(t, ForkSpec{Parent: NoTask})
	c.groups[RootGroup].tasks++
	c.classes[c.Tasks[t].Class].TaskNew(t)
	c.Emit(trace.Record{Kind: trace.KindFork, CPU: int16(cpu), Task: pid})
	c.Tasks[t].State = trace.Sleeping
	return t
}

// wakeStopper makes the stopper of cpu runnable.
func (c *Core) wakeStopper(cpu int) {
	t := c.CPUs[cpu].stopper
	tk := &c.Tasks[t]
	if tk.Queued {
		return
	}
	c.host.Sync(cpu)
	c.enqueue(cpu, t, EnqueueWakeup)
	tk.State = trace.Running
	tk.Since = c.Now
	v := c.test(cpu, t, false)
	c.Emit(trace.Record{
		Kind: trace.KindWakeup, CPU: int16(c.This), Task: tk.PID, Other: int32(cpu),
		Reason: v.Reason, Pick: trace.CPUOnly,
	})
}

// IsStopper reports whether t is a stopper.
func (c *Core) IsStopper(t TaskID) bool {
	return t != NoTask && c.Tasks[t].Stopper
}

// RunStopper does the work of the stopper that is current on cpu, in no time;
// the host blocks it next.
func (c *Core) RunStopper(cpu int) {
	rq := &c.CPUs[cpu]
	for len(rq.stopWork) > 0 {
		j := rq.stopWork[0]
		rq.stopWork = rq.stopWork[1:]
		tk := &c.Tasks[j.task]
		if tk.PID == 0 || !tk.Queued || int(tk.CPU) != cpu || c.Allowed(j.task, cpu) {
			continue
		}
		if !c.Allowed(j.task, j.dest) {
			j.dest = c.masks[tk.Mask].First()
		}
		c.MoveQueued(j.task, j.dest, trace.CPUForced)
	}
}

// dropStopJobs forgets moves of a task that has gone.
func (c *Core) dropStopJobs(t TaskID) {
	for cpu := range c.CPUs {
		rq := &c.CPUs[cpu]
		for i := 0; i < len(rq.stopWork); i++ {
			if rq.stopWork[i].task == t {
				rq.stopWork = append(rq.stopWork[:i], rq.stopWork[i+1:]...)
				i--
			}
		}
	}
}
