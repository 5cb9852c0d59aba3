package sched

import (
	"schedrepl/engine/event"
	"schedrepl/engine/trace"
)

// TaskID is the slot of a task: dense, and used again after its task has
// exited. The process id of a task is never used again.
type TaskID int32

// NoTask stands for the idle task of a CPU, and for no task at all.
const NoTask TaskID = -1

// GroupID is the number of a task group: dense, 0 for the root group, and used
// again after its group has gone.
type GroupID int32

// RootGroup is the group that all others descend from.
const RootGroup GroupID = 0

// NoGroup stands for no group.
const NoGroup GroupID = -1

// Policy is a scheduling policy, with Linux's numbers.
type Policy uint8

// Scheduling policies that the classes in place know.
const (
	Normal Policy = 0
	Batch  Policy = 3
	Idle   Policy = 5
)

// String returns the policy's name without SCHED_; Normal is OTHER.
func (p Policy) String() string {
	switch p {
	case Normal:
		return "OTHER"
	case Batch:
		return "BATCH"
	case Idle:
		return "IDLE"
	}
	return "unknown"
}

// Task is what the core knows of a task. What a class needs beyond it, the
// class keeps.
type Task struct {
	// What nearly every event looks at comes first, so that it lies in one
	// cache line: a machine of 100,000 tasks is bound by how many it touches.

	// Since is when it last became runnable without running, or was switched
	// in, whichever is later.
	Since event.Time
	// RunDelay is how long it has waited on run queues, up to Since.
	RunDelay event.Time
	PID      int32
	CPU      int32 // where it is queued, or was last
	State    trace.State
	Policy   Policy
	Class    uint8
	Nice     int8
	Queued   bool   // on a run queue, running or not
	Waking   bool   // between the start of a wakeup and its enqueue
	Signal   Signal // waits until the task is next current
	Stopper  bool   // it is its CPU's stopper

	Only  int32 // the only CPU it may use, or -1
	Mask  int32 // index of the set of CPUs that it may use; 0 for all
	Group GroupID
	// Cgroup is the group of its cpu cgroup; with autogroup Group may differ.
	Cgroup        GroupID
	NVCSw, NIVCSw uint32
	Migrations    int32
	TGID          int32
	Proc          int32 // its process
	Comm          int32 // index of its name
	// sibling is the next younger thread of its process.
	sibling TaskID
	Kthread bool
	Born    event.Time
	_       uint64 // to a multiple of half a cache line
}

// Signal is a signal that the model acts on.
type Signal uint8

// Signals.
const (
	NoSignal Signal = iota
	SigStop
	SigTerm
	SigKill
)

// Process is what the threads of a process share.
type Process struct {
	PID int32 // of its first thread
	SID int32 // session
	// Parent is the process id of the parent, 1 for init.
	Parent  int32
	Threads int32
	// Zombies counts exited children that nobody has waited for, Children
	// those that live.
	Zombies, Children int32
	// Autogroup is the index of its autogroup, -1 for none.
	Autogroup int32
	// parentSlot is where the parent's process is, as long as that lives.
	parentSlot int32
	// first is the oldest live thread; Task.sibling leads to the others.
	first TaskID
}
