package workload

import (
	"fmt"
	"math"
	"strconv"

	"schedrepl/engine/event"
)

// Op says what the machine has to do for a task.
type Op uint8

// The actions, each with the fields of Action that it sets. After carrying one out
// the machine calls Next again once the task is to go on.
const (
	OpInvalid      Op = iota
	OpRun             // Run for D of CPU time (0 is possible, Forever too); Kernel, Resched, MightSleep.
	OpSleepUntil      // Sleep until Until, which is never before now.
	OpBlock           // Block until another task's OpWake, or Post, names this one.
	OpWake            // Wake Task, which is blocked on a semaphore; nobody if it is NoTask.
	OpFork            // Make a child as Child says.
	OpWait            // Wait until one child has exited; with no children go on.
	OpWaitAll         // Wait until all children have exited.
	OpExit            // Exit with code N. Next repeats it if asked again.
	OpSetsid          // Make a session.
	OpNice            // Set the nice value to N.
	OpYield           // Call sched_yield.
	OpBegin           // A span of the name N has begun at Since.
	OpEnd             // The span N that began at Since has ended now, after D.
	OpEndUnmatched    // A span N was to be ended but is not open; a slip in the program.
	OpCall            // Call the script's function N, Push what it returns.
	OpRunaway         // MaxJumps jumps have met no action: the program loops on the spot.

	// OpUser is the first of the numbers free for Do steps.
	OpUser Op = 64
)

var opNames = [...]string{
	OpInvalid: "invalid", OpRun: "run", OpSleepUntil: "sleep_until", OpBlock: "block", OpWake: "wake",
	OpFork: "fork", OpWait: "wait", OpWaitAll: "wait_all", OpExit: "exit", OpSetsid: "setsid",
	OpNice: "nice", OpYield: "yield", OpBegin: "begin", OpEnd: "end", OpEndUnmatched: "end_unmatched",
	OpCall: "call", OpRunaway: "runaway",
}

// String names the action as the steps of a script are named.
func (o Op) String() string {
	if int(o) < len(opNames) {
		return opNames[o]
	}
	return "op" + strconv.Itoa(int(o))
}

// Forever is the length D of a run that does not end.
const Forever = math.MaxInt64

// Action is one thing that the machine has to carry out for a task. Which fields
// mean something depends on Op; the others are zero.
type Action struct {
	// Pending is for the caller to set before Next: the CPU is to be rescheduled,
	// so that the task gives way after its next system call. A post that wakes
	// nobody is then an action too, an OpWake of NoTask.
	Pending    bool
	Op         Op
	MightSleep bool  // OpRun with Kernel: the calls are of might_sleep().
	Kernel     bool  // OpRun: the time is spent in the kernel, where preemption follows its model.
	Task       int32 // OpWake: the slot to wake.
	// N is the nice value, the exit code, the span's name (see Interp.Name), the
	// script function's number, or what a Do step gave.
	N       int32
	D       int64      // OpRun, OpEnd: a length in ns. Do: what its distribution drew.
	Until   event.Time // OpSleepUntil: the instant at which the sleep's timer expires.
	Since   event.Time // OpBegin, OpEnd: the instant at which the span began.
	Resched int64      // OpRun with Kernel: ns between cond_resched() calls, 0 for none.
	Child   *Child     // OpFork: what to make. Shared by all tasks; read only.
}

// Child says what a fork makes.
type Child struct {
	Prog   *Program
	Comm   string // The child's name; empty means that it keeps its parent's.
	Thread bool   // A thread of the same process instead of a process.
}

// String writes what is to be done, "run 2ms", "wake 3".
func (a Action) String() string {
	text := a.Op.String()
	switch a.Op {
	case OpRun:
		if a.D == Forever {
			return text + " forever"
		}
		text += " " + length(a.D)
		if a.Kernel {
			text += " in the kernel"
		}
		if a.Resched > 0 {
			text += ", cond_resched every " + length(a.Resched)
		}
	case OpSleepUntil:
		text += " " + a.Until.String()
	case OpWake:
		text += fmt.Sprintf(" %d", a.Task)
	case OpFork:
		text += fmt.Sprintf(" %q", a.Child.Comm)
	case OpExit, OpNice, OpCall, OpEndUnmatched:
		text += fmt.Sprintf(" %d", a.N)
	case OpBegin:
		text += fmt.Sprintf(" %d since %s", a.N, a.Since)
	case OpEnd:
		text += fmt.Sprintf(" %d since %s, %s", a.N, a.Since, length(a.D))
	default:
		if a.Op >= OpUser {
			text += fmt.Sprintf(" %d, %s", a.N, length(a.D))
		}
	}
	return text
}
