// Package trace holds the records that a machine emits, the reasons of its
// decisions, and the sinks that take them: a log to measure from, a digest to
// compare runs by, and a text form.
package trace

import "schedrepl/engine/event"

// Kind says what a Record tells of.
type Kind uint8

// The kinds of records. The comment behind each says what the fields hold;
// fields that are not named are zero. Task and Other are process ids unless
// said otherwise.
const (
	// KindSwitch: CPU stops running Task (0: idle) in State and runs Other
	// (0: idle). A and B are their vruntimes, 0 for idle. Reason says why
	// schedule ran, Pick how Other was chosen.
	KindSwitch Kind = iota + 1
	// KindWakeup: Task became runnable on CPU Other; CPU is the one that
	// executed the wakeup. A is its vruntime after placement, B before.
	// Reason is the outcome of the preemption test, Pick how the CPU was
	// chosen.
	KindWakeup
	// KindWakeupNew: as KindWakeup, for the first wakeup after fork.
	KindWakeupNew
	// KindMigrate: Task was moved from CPU A to CPU B. Pick says why.
	KindMigrate
	// KindFork: Other forked Task (Other 0: the machine started it). A is 1
	// for a thread of the same process.
	KindFork
	// KindExec: Task executed a new program; A is the index of its comm.
	KindExec
	// KindExit: Task exited; A is its exit code.
	KindExit
	// KindSetNice: Task's nice value became A (it was B).
	KindSetNice
	// KindSetPolicy: Task's policy became A (it was B).
	KindSetPolicy
	// KindSetAffinity: the CPUs that Task may use changed.
	KindSetAffinity
	// KindSetGroup: Task moved to task group A (from B).
	KindSetGroup
	// KindSetShares: the shares of task group Other became A (from B).
	KindSetShares
	// KindSetsid: Task became the leader of a new session; A is the task
	// group of its autogroup, -1 for none.
	KindSetsid
	// KindResched: a request to reschedule CPU, whose current task is Task.
	// Reason says which rule asked; A and B are the numbers compared (see
	// the Reason).
	KindResched
	// KindCharge: CPU spent A ns on behalf of the kernel, from now on, while
	// Task was current (0: idle); Reason says on what. Ticks and switches
	// are not recorded: their number follows from the other records.
	KindCharge
	// KindMark: a moment named by the script; A is the index of its name.
	KindMark
	// KindBegin and KindEnd bound a span: A is the index of its name, B the
	// moment it began.
	KindBegin
	KindEnd
	// KindState: Task changed State without a switch (stopped, continued).
	KindState
	kindEnd
)

var kindNames = [...]string{
	KindSwitch: "switch", KindWakeup: "wakeup", KindWakeupNew: "wakeup_new",
	KindMigrate: "migrate", KindFork: "fork", KindExec: "exec",
	KindExit: "exit", KindSetNice: "setnice", KindSetPolicy: "setpolicy",
	KindSetAffinity: "setaffinity", KindSetGroup: "setgroup",
	KindSetShares: "setshares", KindSetsid: "setsid",
	KindResched: "resched", KindCharge: "charge", KindMark: "mark",
	KindBegin: "begin", KindEnd: "end", KindState: "state",
}

// String returns the word that the text form of a trace uses.
func (k Kind) String() string {
	if int(k) < len(kindNames) && kindNames[k] != "" {
		return kindNames[k]
	}
	return "unknown"
}

// State is the state of a task as a letter of ps(1).
type State uint8

// Task states.
const (
	Running   State = 'R' // running, or runnable and waiting
	Sleeping  State = 'S' // asleep, waits for an event or a timer
	Stopped   State = 'T' // stopped by a signal
	Exited    State = 'X' // gone
	NewTask   State = 'N' // forked, not yet woken
	NoState   State = 0
	WaitState State = 'W' // between wakeup and enqueue
)

// Record is one thing that happened. It has no pointers and a fixed size of
// 40 bytes, so that a log of many millions costs the garbage collector
// nothing.
type Record struct {
	Time  event.Time
	A, B  int64
	Task  int32
	Other int32
	CPU   int16
	Kind  Kind
	State State
	// Reason names the rule that decided.
	Reason Reason
	// Pick names the rule that chose a task or a CPU.
	Pick Pick
	_    uint16
}

// Sink takes records in the order in which they happen. A sink must not keep
// the pointer, and nothing that it does can change the run.
type Sink interface {
	Record(r *Record)
}
