package sched

import (
	"schedrepl/engine/event"
	"schedrepl/engine/trace"
)

// EnqueueKind says why a task is put on a run queue.
type EnqueueKind uint8

// Enqueue kinds.
const (
	// EnqueuePlain: it comes from another queue, or is new-born; its virtual
	// time is relative to the minimum of the queue that it left.
	EnqueuePlain EnqueueKind = iota
	// EnqueueWakeup: it wakes from sleep.
	EnqueueWakeup
)

// Verdict is the outcome of a preemption test: the rule that decided and the
// two numbers that it compared.
type Verdict struct {
	Preempt bool
	Reason  trace.Reason
	A, B    int64
}

// Class is one scheduling class, with the hook names of the kernel's
// struct sched_class. The core calls the hooks with the run queue of cpu up to
// date (Host.Sync has been called) and never for a task of another class. A
// class keeps its own state in slices by task and CPU number.
type Class interface {
	// Name is the class's name in lower case.
	Name() string

	// Enqueue puts t on cpu's run queue. The core calls it at wakeup, fork,
	// migration and after a change of weight, class or group; t is not queued.
	Enqueue(cpu int, t TaskID, kind EnqueueKind)
	// Dequeue takes t off; sleep tells a task that blocks or exits from one
	// that will be enqueued again at once. t may be the current task.
	Dequeue(cpu int, t TaskID, sleep bool)
	// PickTask chooses the task to run next, makes it current in the class's
	// own state, and says by which rule; NoTask if it has none. No task is
	// current when it is called. v is the task's virtual time.
	PickTask(cpu int) (t TaskID, v int64, how trace.Pick)
	// SetNext makes t current without a pick: after a change to a running
	// task that PutPrev preceded.
	SetNext(cpu int, t TaskID)
	// PutPrev makes t, the current task, an ordinary queued one again; if it
	// was dequeued before it just stops being current. It returns the task's
	// virtual time.
	PutPrev(cpu int, t TaskID) int64
	// WakeupPreempt tests whether t, just enqueued on cpu, preempts the
	// current task, which is of the same class. fork tells a new-born.
	WakeupPreempt(cpu int, t TaskID, fork bool) Verdict
	// Tick is called at each tick of cpu that is simulated, for the current
	// task.
	Tick(cpu int, t TaskID)
	// Ticked tells that n ticks, the first at first and then one a period,
	// have passed and would have done nothing but accounting.
	Ticked(cpu int, t TaskID, first event.Time, n int64)
	// NextTick returns the earliest tick, not before next, at which Tick
	// could do more than accounting if nothing else happens, or Never. It may
	// be too early, never too late.
	NextTick(cpu int, t TaskID, next event.Time) event.Time
	// UpdateCurr brings the run time of the current task up to date.
	UpdateCurr(cpu int)

	// TaskNew gives t the class's state when it is created or joins the
	// class; TaskDead takes it away.
	TaskNew(t TaskID)
	TaskDead(t TaskID)
	// TaskFork initialises t, which is being forked on cpu.
	TaskFork(cpu int, t TaskID)
	// Waking is called at the very start of a wakeup, before a CPU is chosen.
	// It returns the virtual time with which the task slept.
	Waking(t TaskID) int64
	// SelectCPU chooses the CPU for a wakeup (fork false) or a new-born; this
	// is the CPU that executes.
	SelectCPU(t TaskID, this int, fork bool) (int, trace.Pick)
	// SetTaskCPU attaches t, which is not queued, to the run queue of cpu
	// within task group g.
	SetTaskCPU(t TaskID, cpu int, g GroupID)
	// MoveGroup moves t to group g on its own CPU; queued tells whether it was
	// queued when the move began.
	MoveGroup(t TaskID, g GroupID, queued bool)
	// Reweight gives t, which is not queued, the weight of its nice value and
	// policy.
	Reweight(t TaskID)
	// Yield prepares the current task for giving up cpu; the core calls
	// schedule next.
	Yield(cpu int, t TaskID)

	// Runtime returns the run time of t, Virtual its virtual time (0 if the
	// class has none).
	Runtime(t TaskID) event.Time
	Virtual(t TaskID) int64
}

// GroupHolder is the ability of a class that schedules task groups.
type GroupHolder interface {
	// GroupNew gives the class's state to group g, whose parent has it.
	GroupNew(g, parent GroupID, shares int64)
	// GroupDead takes it away; no task is in it.
	GroupDead(g GroupID)
	// GroupShares sets the shares of g, already checked.
	GroupShares(g GroupID, shares int64)
}

// Loader is the ability of a class that can tell the load of a CPU.
type Loader interface {
	// Load returns the sum of the weights at the root level of cpu.
	Load(cpu int) int64
}

// Checker is the ability of a class to check its own invariants.
type Checker interface {
	// Check returns an error that names the first broken invariant.
	Check() error
}

// Cloner is the ability to be copied for a clone of the machine.
type Cloner interface {
	// CloneFor returns an independent copy that works for core.
	CloneFor(core *Core) Class
}

// Never is a time that no event reaches.
const Never = event.Never

// Host is what the core asks of whoever runs it.
type Host interface {
	// Sync brings the ticks of cpu that were skipped up to date. The core
	// calls it before it touches a run queue.
	Sync(cpu int)
	// Kick tells that cpu, which is not the one executing, has to reschedule:
	// an interrupt is to be sent.
	Kick(cpu int)
	// Touched tells that the run queue of cpu changed, so that its next
	// interesting tick may have changed.
	Touched(cpu int)
	// Charge spends d on cpu for reason.
	Charge(cpu int, d event.Time, reason trace.Reason)
}
