package trace

// Reason names the rule behind a decision. Each is documented with the
// numbers that a KindResched record carries for it.
type Reason uint8

// Reasons why schedule ran, why a reschedule was asked for, and how a
// preemption test ended.
const (
	ReasonNone Reason = iota

	// Why the outgoing task left the CPU by itself.
	Blocked     // it went to sleep or waits for an object
	ExitedTask  // it exited
	StoppedTask // it was stopped by a signal
	Yielded     // it called sched_yield

	// Why a reschedule was requested.
	SliceEnd       // tick: it ran longer than its slice; A ran, B slice (ns)
	BehindLeft     // tick: its vruntime is more than a slice ahead of the leftmost; A distance, B slice
	WakeupPreempt  // the wakee is behind by more than the wakeup granularity; A distance, B granularity
	IdlePolicy     // the current task has policy IDLE and the wakee has not
	HigherClass    // the other task's class comes first
	CPUIdle        // the CPU was idle
	NiceChange     // a nice change that asks for a reschedule; A new, B old nice
	PolicyChange   // a change of policy or class
	GroupMove      // a move to another task group
	AffinityChange // the task may not run on this CPU any more
	SignalPending  // a signal waits for the current task
	ChildRunsFirst // sched_child_runs_first swapped parent and child
	ForkPreempt    // the new child is behind by more than the wakeup granularity

	// How a preemption test ended without a request.
	NotBehind    // the wakee's vruntime is not behind that of the current task
	WithinGran   // it is behind, but within the wakeup granularity
	AlreadyAsked // the CPU was to be rescheduled anyway
	BatchWakee   // BATCH and IDLE tasks never preempt by waking
	LowerClass   // the current task's class comes first
	FeatureOff   // WAKEUP_PREEMPT is off
	Self         // the task woken is the current one

	// What time was charged for.
	ChargeInterrupt // an interrupt of a load
	ChargeTimer     // the interrupt of a timer
	ChargeWakeup    // waking a task
	ChargeIPI       // taking a reschedule interrupt
	ChargeFork      // fork
	ChargeExec      // execve
	ChargeExit      // exit
	ChargeGroupMove // moving a task between groups
	ChargeGroupNew  // making a task group
	ChargeShares    // setting a group's weight
	ChargeSyscall   // another system call
	reasonEnd
)

var reasonNames = [...]string{
	ReasonNone: "none", Blocked: "blocked", ExitedTask: "exited",
	StoppedTask: "stopped", Yielded: "yielded", SliceEnd: "slice-end",
	BehindLeft: "behind-leftmost", WakeupPreempt: "wakeup-preempt",
	IdlePolicy: "idle-policy", HigherClass: "higher-class",
	CPUIdle: "cpu-idle", NiceChange: "nice-change",
	PolicyChange: "policy-change", GroupMove: "group-move",
	AffinityChange: "affinity-change", SignalPending: "signal",
	ChildRunsFirst: "child-runs-first", ForkPreempt: "fork-preempt",
	NotBehind: "not-behind", WithinGran: "within-granularity",
	AlreadyAsked: "already-asked", BatchWakee: "batch-or-idle-wakee",
	LowerClass: "lower-class", FeatureOff: "feature-off", Self: "self",
	ChargeInterrupt: "interrupt", ChargeTimer: "timer",
	ChargeWakeup: "wakeup", ChargeIPI: "ipi", ChargeFork: "fork",
	ChargeExec: "exec", ChargeExit: "exit",
	ChargeGroupMove: "group-move-cost", ChargeGroupNew: "group-new",
	ChargeShares: "shares", ChargeSyscall: "syscall",
}

// String returns the reason's name in lower case with hyphens.
func (r Reason) String() string {
	if int(r) < len(reasonNames) {
		return reasonNames[r]
	}
	return "unknown"
}

// Pick names the rule that chose a task to run or a CPU to run on.
type Pick uint8

// How a task or a CPU was chosen.
const (
	PickNone Pick = iota

	// Tasks.
	PickLeftmost // least vruntime
	PickNext     // next buddy, within the wakeup granularity of the leftmost
	PickLast     // last buddy, likewise
	PickSecond   // the leftmost had just yielded
	PickIdle     // nothing is runnable
	PickClass    // by the rule of another class

	// CPUs.
	CPUOnly      // the only CPU that is allowed
	CPUPrev      // where it ran before
	CPUPrevIdle  // where it ran before, and idle
	CPUThisIdle  // the waking CPU, and idle
	CPUIdleOther // an idle CPU that is allowed
	CPULeastLoad // the least loaded CPU that is allowed
	CPUForced    // it may not stay where it was
)

var pickNames = [...]string{
	PickNone: "none", PickLeftmost: "leftmost", PickNext: "next-buddy",
	PickLast: "last-buddy", PickSecond: "second-after-yield",
	PickIdle: "idle", PickClass: "class", CPUOnly: "only-allowed",
	CPUPrev: "previous", CPUPrevIdle: "previous-idle",
	CPUThisIdle: "waker-idle", CPUIdleOther: "other-idle",
	CPULeastLoad: "least-load", CPUForced: "forced",
}

// String returns the pick's name in lower case with hyphens.
func (p Pick) String() string {
	if int(p) < len(pickNames) {
		return pickNames[p]
	}
	return "unknown"
}
