package sched

import (
	"fmt"

	"schedrepl/engine/cpumask"
	"schedrepl/engine/event"
	"schedrepl/engine/trace"
)

// ForkSpec says what a new task is like where it does not inherit. Its zero
// value is a child process that inherits everything.
type ForkSpec struct {
	// Parent is the task that forks, NoTask for one that the machine starts.
	Parent TaskID
	// Thread makes a thread of the parent's process.
	Thread bool
	// Comm is the name's index, -1 to inherit the parent's.
	Comm int32
	// Set gives nice, policy, group and CPUs instead of inheriting them.
	Set     bool
	Nice    int
	Policy  Policy
	Cgroup  GroupID
	Allowed cpumask.Set // nil: all CPUs
	// Start are the CPUs for the first placement only; nil: as Allowed.
	Start   cpumask.Set
	Kthread bool
}

// Fork makes a task in the context of the CPU that executes and gives it its
// first wakeup (kernel/sched/core.c: sched_fork, wake_up_new_task). The new
// task is placed against the run queue of the executing CPU, even when it
// lands elsewhere.
func (c *Core) Fork(s ForkSpec) (TaskID, error) {
	if s.Thread && s.Parent == NoTask {
		return NoTask, fmt.Errorf("fork: a thread needs a parent task")
	}
	if s.Set {
		if err := checkNice(s.Nice); err != nil {
			return NoTask, fmt.Errorf("fork: %w", err)
		}
		if s.Policy != Normal && s.Policy != Batch && s.Policy != Idle {
			return NoTask, fmt.Errorf("fork: EINVAL: policy %d: this build knows OTHER, BATCH and IDLE", s.Policy)
		}
		for _, m := range []cpumask.Set{s.Allowed, s.Start} {
			if err := c.checkMask(m); err != nil {
				return NoTask, fmt.Errorf("fork: %w", err)
			}
		}
	}
	t := c.newTask()
	tk := &c.Tasks[t]
	pid := c.nextPID
	c.nextPID++
	*tk = Task{
		PID: pid, TGID: pid, State: trace.NewTask, Only: -1, sibling: NoTask, Kthread: s.Kthread,
		Class: c.classIndex("fair"), CPU: int32(c.This), Born: c.Now, Since: c.Now,
	}
	parentPID := int32(0)
	if s.Parent != NoTask {
		p := &c.Tasks[s.Parent]
		parentPID = p.PID
		tk.Nice, tk.Policy, tk.Cgroup = p.Nice, p.Policy, p.Cgroup
		tk.Mask, tk.Only, tk.Comm = p.Mask, p.Only, p.Comm
	}
	if s.Set {
		tk.Nice, tk.Policy, tk.Cgroup = int8(s.Nice), s.Policy, s.Cgroup
		tk.Mask, tk.Only = c.mask(s.Allowed)
	}
	if s.Comm >= 0 {
		tk.Comm = s.Comm
	}
	c.comms = append(Room(c.comms), tk.Comm)
	c.byPID = append(Room(c.byPID), t)
	c.joinProcess(t, s)
	c.groups[tk.Cgroup].tasks++

	cl := c.classes[tk.Class]
	cl.TaskNew(t)
	c.host.Sync(c.This)
	c.CPUs[c.This].Clock = c.Now
	c.setCPU(t, c.This)
	cl.TaskFork(c.This, t)
	thread := int64(0)
	if s.Thread {
		thread = 1
	}
	c.Emit(trace.Record{Kind: trace.KindFork, CPU: int16(c.This), Task: pid, Other: parentPID, A: thread})
	if c.Costs.Fork > 0 {
		c.host.Charge(c.This, event.Time(c.Costs.Fork), trace.ChargeFork)
	}
	if s.Start != nil {
		allowed, only := tk.Mask, tk.Only
		tk.Mask, tk.Only = c.mask(s.Start)
		c.wakeNew(t)
		tk = &c.Tasks[t]
		tk.Mask, tk.Only = allowed, only
		if !c.Allowed(t, int(tk.CPU)) {
			c.leaveCPU(t)
		}
	} else {
		c.wakeNew(t)
	}
	return t, nil
}

// newTask returns a free slot.
func (c *Core) newTask() TaskID {
	if n := len(c.freeTasks); n > 0 {
		t := c.freeTasks[n-1]
		c.freeTasks = c.freeTasks[:n-1]
		return t
	}
	c.Tasks = append(Room(c.Tasks), Task{})
	return TaskID(len(c.Tasks) - 1)
}

// joinProcess puts a new task into its parent's process, or into one of its
// own that inherits session and autogroup.
func (c *Core) joinProcess(t TaskID, s ForkSpec) {
	tk := &c.Tasks[t]
	if s.Thread {
		p := &c.Tasks[s.Parent]
		tk.TGID, tk.Proc = p.TGID, p.Proc
		pr := &c.Procs[p.Proc]
		pr.Threads++
		last := pr.first
		for c.Tasks[last].sibling != NoTask {
			last = c.Tasks[last].sibling
		}
		c.Tasks[last].sibling = t
		return
	}
	var i int32
	if n := len(c.freeProcs); n > 0 {
		i = c.freeProcs[n-1]
		c.freeProcs = c.freeProcs[:n-1]
	} else {
		c.Procs = append(Room(c.Procs), Process{})
		i = int32(len(c.Procs) - 1)
	}
	pr := Process{PID: tk.PID, SID: 1, Parent: 1, Threads: 1, Autogroup: NoAutogroup, parentSlot: -1, first: t}
	if s.Kthread {
		pr.SID, pr.Parent = 0, 0 // no session, and no parent that can be seen
	}
	if s.Parent != NoTask {
		par := &c.Procs[c.Tasks[s.Parent].Proc]
		pr.SID, pr.Parent, pr.Autogroup = par.SID, par.PID, par.Autogroup
		pr.parentSlot = c.Tasks[s.Parent].Proc
		par.Children++
	}
	c.Procs[i] = pr
	tk.Proc = i
	c.autogroupGet(pr.Autogroup)
}

// Exit makes the current task of cpu exit; the host calls Schedule and then
// Release next. It returns the process that may wait for it: nil if other
// threads of its own live on, or if the parent is gone.
func (c *Core) Exit(cpu int, code int64) (parent *Process) {
	t := c.CPUs[cpu].Curr
	tk := &c.Tasks[t]
	c.Block(cpu, trace.Exited)
	c.Emit(trace.Record{Kind: trace.KindExit, CPU: int16(cpu), Task: tk.PID, A: code})
	if c.Costs.Exit > 0 {
		c.host.Charge(cpu, event.Time(c.Costs.Exit), trace.ChargeExit)
	}
	pr := &c.Procs[tk.Proc]
	pr.Threads--
	if pr.first == t {
		pr.first = tk.sibling
	} else {
		prev := pr.first
		for c.Tasks[prev].sibling != t {
			prev = c.Tasks[prev].sibling
		}
		c.Tasks[prev].sibling = tk.sibling
	}
	if pr.Threads > 0 || pr.parentSlot < 0 {
		return nil
	}
	par := &c.Procs[pr.parentSlot]
	if par.PID != pr.Parent || par.Threads == 0 {
		return nil
	}
	par.Children--
	par.Zombies++
	return par
}

// Release frees the slot of a task that has exited and is off its CPU.
func (c *Core) Release(t TaskID) {
	tk := &c.Tasks[t]
	c.classes[tk.Class].TaskDead(t)
	c.byPID[tk.PID] = NoTask
	c.groups[tk.Cgroup].tasks--
	pr := &c.Procs[tk.Proc]
	if pr.Threads == 0 && pr.PID != 0 {
		c.autogroupPut(pr.Autogroup)
		*pr = Process{}
		c.freeProcs = append(c.freeProcs, tk.Proc)
	}
	c.dropStopJobs(t)
	*tk = Task{Only: -1, sibling: NoTask}
	c.freeTasks = append(c.freeTasks, t)
}

// Process returns the process of a task.
func (c *Core) Process(t TaskID) *Process { return &c.Procs[c.Tasks[t].Proc] }

// FirstThread returns the oldest live thread of a process, NoTask if none
// lives.
func (p *Process) FirstThread() TaskID { return p.first }

// NextThread returns the next younger live thread of t's process, NoTask after
// the last.
func (c *Core) NextThread(t TaskID) TaskID { return c.Tasks[t].sibling }

// Setsid makes the process of t the leader of a new session, with an autogroup
// of its own where the kernel has that. It fails with EPERM for a process that
// leads a session already.
func (c *Core) Setsid(t TaskID) error {
	tk := &c.Tasks[t]
	pr := &c.Procs[tk.Proc]
	if tk.Kthread {
		return fmt.Errorf("setsid: EPERM: task %d (%s) is a kernel thread", tk.PID, c.Comm(tk.PID))
	}
	if pr.SID == pr.PID {
		return fmt.Errorf("setsid: EPERM: process %d (%s) already leads session %d; only a process that leads none can make one",
			pr.PID, c.Comm(pr.PID), pr.SID)
	}
	pr.SID = pr.PID
	group := int64(-1)
	if c.Kernel.Switches.Autogroup {
		group = int64(c.autogroupCreate(tk.Proc))
	}
	c.Emit(trace.Record{Kind: trace.KindSetsid, CPU: int16(c.This), Task: tk.PID, A: group})
	return nil
}

// Exec gives t a new name, as execve does.
func (c *Core) Exec(t TaskID, comm int32) {
	tk := &c.Tasks[t]
	tk.Comm = comm
	c.comms[tk.PID] = comm
	c.Emit(trace.Record{Kind: trace.KindExec, CPU: int16(c.This), Task: tk.PID, A: int64(comm)})
	if c.Costs.Exec > 0 {
		c.host.Charge(c.This, event.Time(c.Costs.Exec), trace.ChargeExec)
	}
}
