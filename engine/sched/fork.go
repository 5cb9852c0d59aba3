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
		if err := c.checkMask(s.Allowed); err != nil {
			return NoTask, fmt.Errorf("fork: %w", err)
		}
	}
	t := c.newTask()
	tk := &c.Tasks[t]
	pid := c.nextPID
	c.nextPID++
	*tk = Task{
		PID: pid, TGID: pid, State: trace.NewTask, Only: -1, Kthread: s.Kthread,
		Class: c.classIndex("fair"), CPU: int32(c.This), Born: c.Now, Since: c.Now,
	}
	parentPID := int32(0)
	if s.Parent != NoTask {
		p := &c.Tasks[s.Parent]
		parentPID = p.PID
		tk.Nice, tk.Policy, tk.Cgroup = p.Nice, p.Policy, p.Cgroup
		tk.Allowed, tk.Only, tk.Comm = p.Allowed, p.Only, p.Comm
	}
	if s.Set {
		tk.Nice, tk.Policy, tk.Cgroup = int8(s.Nice), s.Policy, s.Cgroup
		tk.Allowed, tk.Only = c.mask(s.Allowed)
	}
	if s.Comm >= 0 {
		tk.Comm = s.Comm
	}
	for int(pid) >= len(c.comms) {
		c.comms = append(c.comms, 0)
	}
	c.comms[pid] = tk.Comm
	c.byPID[pid] = t
	c.joinProcess(t, s)
	c.groups[tk.Cgroup].tasks++

	cl := c.classes[tk.Class]
	cl.TaskNew(t)
	c.host.Sync(c.This)
	c.setCPU(t, c.This)
	cl.TaskFork(c.This, t)
	thread := int64(0)
	if s.Thread {
		thread = 1
	}
	c.rec = trace.Record{Kind: trace.KindFork, CPU: int16(c.This), Task: pid, Other: parentPID, A: thread}
	c.emit()
	if c.Costs.Fork > 0 {
		c.host.Charge(c.This, event.Time(c.Costs.Fork), trace.ChargeFork)
	}
	if s.Start != nil {
		allowed, only := tk.Allowed, tk.Only
		tk.Allowed, tk.Only = c.mask(s.Start)
		c.wakeNew(t)
		tk = &c.Tasks[t]
		tk.Allowed, tk.Only = allowed, only
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
	c.Tasks = append(c.Tasks, Task{})
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
		pr.tasks = append(pr.tasks, t)
		return
	}
	var i int32
	if n := len(c.freeProcs); n > 0 {
		i = c.freeProcs[n-1]
		c.freeProcs = c.freeProcs[:n-1]
	} else {
		c.Procs = append(c.Procs, Process{})
		i = int32(len(c.Procs) - 1)
	}
	tasks := append(c.Procs[i].tasks[:0], t)
	pr := Process{PID: tk.PID, SID: 1, Parent: 1, Threads: 1, Autogroup: NoAutogroup, tasks: tasks}
	if s.Parent != NoTask {
		par := &c.Procs[c.Tasks[s.Parent].Proc]
		pr.SID, pr.Parent, pr.Autogroup = par.SID, par.PID, par.Autogroup
		par.Children++
	}
	c.Procs[i] = pr
	tk.Proc = i
	c.procByPID[pr.PID] = i
	c.autogroupGet(pr.Autogroup)
}

// Exit makes the current task of cpu exit; the host calls Schedule and then
// Release next. last tells that its process is gone, parent is the process id
// of who may wait for it.
func (c *Core) Exit(cpu int, code int64) (parent int32, last bool) {
	t := c.CPUs[cpu].Curr
	tk := &c.Tasks[t]
	c.Block(cpu, trace.Exited)
	c.rec = trace.Record{Kind: trace.KindExit, CPU: int16(cpu), Task: tk.PID, A: code}
	c.emit()
	if c.Costs.Exit > 0 {
		c.host.Charge(cpu, event.Time(c.Costs.Exit), trace.ChargeExit)
	}
	pr := &c.Procs[tk.Proc]
	pr.Threads--
	for i, x := range pr.tasks {
		if x == t {
			pr.tasks = append(pr.tasks[:i], pr.tasks[i+1:]...)
			break
		}
	}
	if pr.Threads > 0 {
		return 0, false
	}
	if i, ok := c.procByPID[pr.Parent]; ok {
		par := &c.Procs[i]
		par.Children--
		par.Zombies++
		return pr.Parent, true
	}
	return 0, true
}

// Release frees the slot of a task that has exited and is off its CPU.
func (c *Core) Release(t TaskID) {
	tk := &c.Tasks[t]
	c.classes[tk.Class].TaskDead(t)
	delete(c.byPID, tk.PID)
	c.groups[tk.Cgroup].tasks--
	pr := &c.Procs[tk.Proc]
	if pr.Threads == 0 && pr.PID != 0 {
		c.autogroupPut(pr.Autogroup)
		delete(c.procByPID, pr.PID)
		tasks := pr.tasks[:0]
		*pr = Process{tasks: tasks}
		c.freeProcs = append(c.freeProcs, tk.Proc)
	}
	c.dropStopJobs(t)
	*tk = Task{Only: -1}
	c.freeTasks = append(c.freeTasks, t)
}

// Process returns the process of a task.
func (c *Core) Process(t TaskID) *Process { return &c.Procs[c.Tasks[t].Proc] }

// ProcessByPID returns the process with a process id, nil if it is gone.
func (c *Core) ProcessByPID(pid int32) *Process {
	if i, ok := c.procByPID[pid]; ok {
		return &c.Procs[i]
	}
	return nil
}

// ThreadsOf returns the live threads of a process, oldest first. The caller
// must not change it.
func (p *Process) ThreadsOf() []TaskID { return p.tasks }

// Setsid makes the process of t the leader of a new session, with an autogroup
// of its own where the kernel has that. It fails with EPERM for a process that
// leads a session already.
func (c *Core) Setsid(t TaskID) error {
	tk := &c.Tasks[t]
	pr := &c.Procs[tk.Proc]
	if pr.SID == pr.PID {
		return fmt.Errorf("setsid: EPERM: process %d (%s) already leads session %d; only a process that leads none can make one",
			pr.PID, c.Comm(pr.PID), pr.SID)
	}
	pr.SID = pr.PID
	group := int64(-1)
	if c.Kernel.Switches.Autogroup {
		group = int64(c.autogroupCreate(tk.Proc))
	}
	c.rec = trace.Record{Kind: trace.KindSetsid, CPU: int16(c.This), Task: tk.PID, A: group}
	c.emit()
	return nil
}

// Exec gives t a new name, as execve does.
func (c *Core) Exec(t TaskID, comm int32) {
	tk := &c.Tasks[t]
	tk.Comm = comm
	c.comms[tk.PID] = comm
	c.rec = trace.Record{Kind: trace.KindExec, CPU: int16(c.This), Task: tk.PID, A: int64(comm)}
	c.emit()
	if c.Costs.Exec > 0 {
		c.host.Charge(c.This, event.Time(c.Costs.Exec), trace.ChargeExec)
	}
}
