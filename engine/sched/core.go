// Package sched is the core of the scheduler: tasks, run queues, task groups,
// autogroup, and the one pick loop over the scheduling classes. It knows no
// class by name, no control file and no workload; it takes time in and hands
// decisions out as trace records.
package sched

import (
	"fmt"

	"schedrepl/engine/cost"
	"schedrepl/engine/cpumask"
	"schedrepl/engine/event"
	"schedrepl/engine/kernel"
	"schedrepl/engine/topology"
	"schedrepl/engine/trace"
)

// CPU is what the core keeps for each CPU.
type CPU struct {
	// Clock is the present as of the last time that the run queue took it: at
	// ticks, enqueues, dequeues, yields, forks, and in schedule.
	Clock     event.Time
	Curr      TaskID
	NrRunning int32 // runnable tasks of all classes, the current one included
	// nr counts them by class.
	nr          [maxClasses]int32
	NeedResched bool
	// Why is the reason of the request, or of the current task's leaving.
	Why trace.Reason
	// stopWork is what the CPU's stopper has to move.
	stopWork []stopJob
	stopper  TaskID
}

// maxClasses is how many classes a machine can have.
const maxClasses = 6

// Core is the state of one machine's scheduler.
type Core struct {
	// Now is the present; the host sets it.
	Now event.Time
	// This is the CPU that executes, in whose context calls are made.
	This int

	Kernel kernel.Profile
	Costs  cost.Table
	Topo   *topology.Topology
	// HZ is ticks per second; Period is the time between two.
	HZ     int
	Period event.Time

	// NoReasons leaves the records of requests to reschedule out of the trace:
	// those that tell no change of state, only why one is to come.
	NoReasons bool

	CPUs  []CPU
	Tasks []Task
	Procs []Process

	classes  []Class
	host     Host
	recorder *trace.Recorder
	sinks    []trace.Sink
	switches uint64

	freeTasks []TaskID
	freeProcs []int32
	byPID     []TaskID // by process id; NoTask for those that have gone
	nextPID   int32
	masks     []cpumask.Set // interned; 0 stands for all CPUs
	maskIdx   map[string]int32

	groups     []Group
	freeGroups []GroupID
	autogroups []Autogroup
	freeAuto   []int32
	// AutogroupOn is sched_autogroup_enabled.
	AutogroupOn bool
	nextAuto    int32

	names   []string
	nameIdx map[string]int32
	comms   []int32 // by process id

	idle    cpumask.Set // CPUs that run their idle task
	holders []GroupHolder
	loader  Loader
}

// New returns a core with all CPUs idle. The classes come in order, highest
// first; the last one is that of the idle task.
func New(topo *topology.Topology, k kernel.Profile, c cost.Table, hz int, host Host) *Core {
	n := topo.NumCPU()
	core := &Core{
		Kernel: k, Costs: c, Topo: topo, HZ: hz,
		Period:      event.Time(1e9 / int64(hz)),
		CPUs:        make([]CPU, n),
		host:        host,
		byPID:       []TaskID{NoTask, NoTask},
		masks:       []cpumask.Set{cpumask.All(n)},
		maskIdx:     map[string]int32{},
		nextPID:     2,
		AutogroupOn: k.Switches.Autogroup,
		nameIdx:     map[string]int32{},
		idle:        cpumask.All(n),
		recorder:    trace.NewRecorder(-1),
	}
	for i := range core.CPUs {
		core.CPUs[i].Curr = NoTask
		core.CPUs[i].stopper = NoTask
	}
	core.comms = []int32{core.Intern("swapper"), core.Intern("init")}
	core.groups = []Group{{Parent: NoGroup, Shares: kernel.NiceZero, Name: "/", live: true}}
	return core
}

// SetClasses gives the core its classes, highest first.
func (c *Core) SetClasses(classes ...Class) {
	c.classes = classes
	for _, cl := range classes {
		if h, ok := cl.(GroupHolder); ok {
			c.holders = append(c.holders, h)
		}
		if l, ok := cl.(Loader); ok {
			c.loader = l
		}
	}
}

// SetRecorder sets the machine's own recorder, which takes every record before
// the sinks do.
func (c *Core) SetRecorder(r *trace.Recorder) { c.recorder = r }

// Switches returns how many context switches there were so far.
func (c *Core) Switches() uint64 { return c.switches }

// AddSink adds a sink; records go to all sinks in the order of adding.
func (c *Core) AddSink(s trace.Sink) { c.sinks = append(c.sinks, s) }

// Room returns s with room for one more element. Where append would grow a
// slice by a quarter or more it grows it by a sixteenth, so that what is kept for
// each task stays small.
func Room[T any](s []T) []T {
	if len(s) < cap(s) {
		return s
	}
	return append(make([]T, 0, len(s)+len(s)/16+16), s...)
}

// record returns a new record of the present instant, to be filled in and then
// handed to tell. It lies in the log, for one that is made aside and copied
// would cost more than all else about it.
func (c *Core) record(k trace.Kind, cpu int) *trace.Record {
	r := c.recorder.Next()
	r.Time, r.Kind, r.CPU = c.Now, k, int16(cpu)
	return r
}

// tell hands a record that is filled in to the sinks.
func (c *Core) tell(r *trace.Record) {
	for _, s := range c.sinks {
		s.Record(r)
	}
}

// Emit records r, with the present as its time.
func (c *Core) Emit(r trace.Record) {
	to := c.recorder.Next()
	*to = r
	to.Time = c.Now
	c.tell(to)
}

// Intern returns the index of a name, the same for the same text.
func (c *Core) Intern(name string) int32 {
	if i, ok := c.nameIdx[name]; ok {
		return i
	}
	i := int32(len(c.names))
	c.names = append(c.names, name)
	c.nameIdx[name] = i
	return i
}

// Name returns an interned name.
func (c *Core) Name(i int32) string {
	if i < 0 || int(i) >= len(c.names) {
		return "?"
	}
	return c.names[i]
}

// Comm returns the name that the task with a process id has or last had.
func (c *Core) Comm(pid int32) string {
	if pid < 0 || int(pid) >= len(c.comms) {
		return "?"
	}
	return c.names[c.comms[pid]]
}

// MaxPID returns the highest process id given out so far.
func (c *Core) MaxPID() int32 { return c.nextPID - 1 }

// Find returns the task with a process id, NoTask if it has exited or never
// was.
func (c *Core) Find(pid int32) TaskID {
	if pid < 0 || int(pid) >= len(c.byPID) {
		return NoTask
	}
	return c.byPID[pid]
}

// PID returns the process id of a task, 0 for NoTask.
func (c *Core) PID(t TaskID) int32 {
	if t == NoTask {
		return 0
	}
	return c.Tasks[t].PID
}

// Curr returns the current task of a CPU, NoTask if it idles.
func (c *Core) Curr(cpu int) TaskID { return c.CPUs[cpu].Curr }

// ClassOf returns the class of a task.
func (c *Core) ClassOf(t TaskID) Class { return c.classes[c.Tasks[t].Class] }

// Runtime returns the CPU time of a task, up to now.
func (c *Core) Runtime(t TaskID) event.Time { return c.ClassOf(t).Runtime(t) }

// Virtual returns the virtual time of a task, 0 if its class has none.
func (c *Core) Virtual(t TaskID) int64 {
	if t == NoTask {
		return 0
	}
	return c.ClassOf(t).Virtual(t)
}

// classIndex returns the index of the class for a policy.
func (c *Core) classIndex(name string) uint8 {
	for i, cl := range c.classes {
		if cl.Name() == name {
			return uint8(i)
		}
	}
	panic("sched: no class " + name)
}

// Allowed reports whether t may run on cpu.
func (c *Core) Allowed(t TaskID, cpu int) bool {
	tk := &c.Tasks[t]
	if tk.Only >= 0 {
		return int(tk.Only) == cpu
	}
	return tk.Mask == 0 || c.masks[tk.Mask].Has(cpu)
}

// AllowedMask returns the CPUs that t may use. The caller must not change it.
func (c *Core) AllowedMask(t TaskID) cpumask.Set { return c.masks[c.Tasks[t].Mask] }

// IdleCPUs returns the CPUs that run their idle task. The caller must not
// change it.
func (c *Core) IdleCPUs() cpumask.Set { return c.idle }

// Resched asks for a reschedule of cpu. A request that is already pending
// stands with its own reason. a and b are the numbers compared.
func (c *Core) Resched(cpu int, why trace.Reason, a, b int64) {
	rq := &c.CPUs[cpu]
	if rq.NeedResched {
		return
	}
	rq.NeedResched = true
	rq.Why = why
	if !c.NoReasons {
		r := c.record(trace.KindResched, cpu)
		r.Reason, r.Task, r.A, r.B = why, c.PID(rq.Curr), a, b
		c.tell(r)
	}
	if cpu != c.This {
		c.host.Kick(cpu)
	}
}

// request is Resched for tests whose outcome the record of a wakeup tells.
func (c *Core) request(cpu int, why trace.Reason) {
	rq := &c.CPUs[cpu]
	if rq.NeedResched {
		return
	}
	rq.NeedResched = true
	rq.Why = why
	if cpu != c.This {
		c.host.Kick(cpu)
	}
}

// Check returns an error that names the first broken invariant: each runnable
// task is in one place, counts agree, and each class's own checks hold.
func (c *Core) Check() error {
	n := make([]int32, len(c.CPUs))
	for i := range c.Tasks {
		t := &c.Tasks[i]
		if t.PID == 0 {
			continue
		}
		if t.Queued {
			n[t.CPU]++
		}
		runs := c.CPUs[t.CPU].Curr == TaskID(i)
		if runs && !t.Queued {
			return fmt.Errorf("sched: task %d is current on CPU %d but not queued", t.PID, t.CPU)
		}
		if t.Queued && t.State != trace.Running {
			return fmt.Errorf("sched: task %d is queued in state %c", t.PID, t.State)
		}
		if !t.Queued && t.State == trace.Running {
			return fmt.Errorf("sched: task %d is runnable but not queued", t.PID)
		}
		if t.Queued && !c.Allowed(TaskID(i), int(t.CPU)) && len(c.CPUs[t.CPU].stopWork) == 0 {
			return fmt.Errorf("sched: task %d is queued on CPU %d, which it may not use", t.PID, t.CPU)
		}
	}
	for cpu := range c.CPUs {
		rq := &c.CPUs[cpu]
		if rq.NrRunning != n[cpu] {
			return fmt.Errorf("sched: CPU %d counts %d runnable tasks, %d are queued", cpu, rq.NrRunning, n[cpu])
		}
		if rq.Curr != NoTask && int(c.Tasks[rq.Curr].CPU) != cpu {
			return fmt.Errorf("sched: task %d runs on CPU %d but belongs to CPU %d", c.PID(rq.Curr), cpu, c.Tasks[rq.Curr].CPU)
		}
		if (rq.Curr == NoTask) != c.idle.Has(cpu) {
			return fmt.Errorf("sched: CPU %d: the idle mask is wrong", cpu)
		}
		if rq.Curr == NoTask && rq.NrRunning > 0 && !rq.NeedResched {
			return fmt.Errorf("sched: CPU %d idles with %d runnable tasks and no request", cpu, rq.NrRunning)
		}
	}
	for _, cl := range c.classes {
		if ch, ok := cl.(Checker); ok {
			if err := ch.Check(); err != nil {
				return err
			}
		}
	}
	return nil
}
