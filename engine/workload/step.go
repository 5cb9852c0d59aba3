package workload

import (
	"fmt"
	"math"
	"time"
)

// Step is one entry of a program before it is compiled. The steps are the types of
// this package; Do is the one through which a machine adds its own.
type Step interface {
	// word is the step's name in scripts and in error paths.
	word() string
	// emit appends the step's code. It reports whether the step can take simulated
	// time, block, or end the program.
	emit(c *compiler) (takes bool, err error)
}

// ObjID names an object, such as a semaphore, of one Interp.
type ObjID int32

type (
	// Run uses the CPU for a while. What preemption takes away is run later.
	Run struct {
		For Dist
		// Kernel says that the time is spent inside a system call, where the
		// machine's preemption model decides about preemption.
		Kernel bool
		// Resched is the time between two calls of cond_resched() in the kernel; 0
		// for none. It needs Kernel.
		Resched time.Duration
		// MightSleep says that the calls are of might_sleep() instead, which give
		// way under the voluntary model only. It needs Resched.
		MightSleep bool
	}
	// RunForever uses the CPU and never stops.
	RunForever struct{}
	// Sleep arms a relative timer: the task sleeps until now + For.
	Sleep struct{ For Dist }
	// Timer waits for the next release of the task's periodic absolute timer. The
	// first release lies one period after the task's very first step, whichever step
	// that was; each Timer step moves it on by its Period. If the release is not in
	// the future the step does not sleep, and if it is in the past it counts as
	// missed: lost periods are caught up without pause.
	Timer struct{ Period time.Duration }
	// SemWait takes one from the semaphore, or blocks until a post hands it one;
	// waiters are served in the order of their arrival.
	SemWait struct{ Obj ObjID }
	// SemPost wakes the first waiter of the semaphore, or adds one to its count.
	SemPost struct{ Obj ObjID }
	// Fork makes Count children one after the other, each an action of its own. A
	// Count that is not set means one.
	Fork struct {
		Prog   *Program
		Comm   string
		Thread bool
		Count  Dist
	}
	// Wait waits for one child to exit; without children it goes on at once.
	Wait struct{}
	// WaitAll waits for all children to exit.
	WaitAll struct{}
	// Exit ends the task. A program that reaches its end exits with code 0.
	Exit struct{ Code int32 }
	// Setsid makes the task the leader of a new session.
	Setsid struct{}
	// Nice sets the task's nice value, -20 to 19.
	Nice struct{ N int32 }
	// Yield calls sched_yield.
	Yield struct{}
	// Begin opens a span under a name; to begin one that is open starts it anew. A
	// forked child inherits its parent's open spans.
	Begin struct {
		Name string
		// AtRelease lets the span begin when the timer of the task's last Timer or
		// Sleep step was to expire, not now, so that the delay of its wakeup counts.
		// Before the first such step it has no effect.
		AtRelease bool
	}
	// End closes the span of that name.
	End struct{ Name string }
	// Call asks the script's function Fn for the next steps.
	Call struct{ Fn int32 }
	// Do yields an action of the machine's own, Op being OpUser or above: a way to
	// add steps without another interpreter.
	Do struct {
		Op    Op
		Label string // The step's name in listings and errors.
		D     Dist   // Drawn into Action.D.
		N     int32  // Goes into Action.N.
		Takes bool   // Says that the step can take time or block.
	}
)

func (Run) word() string        { return "run" }
func (RunForever) word() string { return "run_forever" }
func (Sleep) word() string      { return "sleep" }
func (Timer) word() string      { return "timer" }
func (SemWait) word() string    { return "sem_wait" }
func (SemPost) word() string    { return "sem_post" }
func (Fork) word() string       { return "fork" }
func (Wait) word() string       { return "wait" }
func (WaitAll) word() string    { return "wait_all" }
func (Exit) word() string       { return "exit" }
func (Setsid) word() string     { return "setsid" }
func (Nice) word() string       { return "nice" }
func (Yield) word() string      { return "yield_" }
func (Begin) word() string      { return "begin" }
func (End) word() string        { return "end" }
func (Call) word() string       { return "call" }
func (s Do) word() string {
	if s.Label == "" {
		return "do"
	}
	return s.Label
}

func (s Run) emit(c *compiler) (bool, error) {
	if s.Resched < 0 {
		return false, fmt.Errorf("resched is %s; it must be 0 or more", length(int64(s.Resched)))
	}
	if s.Resched > 0 && !s.Kernel {
		return false, fmt.Errorf("resched is %s but the time is not spent in the kernel; set kernel as well", length(int64(s.Resched)))
	}
	if s.MightSleep && s.Resched == 0 {
		return false, fmt.Errorf("might_sleep is set but resched is not; give the time between two calls")
	}
	in := instr{op: opRun, e: int64(s.Resched)}
	if s.Kernel {
		in.flag = runKernel
	}
	if s.MightSleep {
		in.flag |= runMightSleep
	}
	return s.For.nonzero(), c.drawn(in, "length", s.For)
}

func (RunForever) emit(c *compiler) (bool, error) {
	c.stops = true
	c.add(instr{op: opRun, dist: noDist, d: Forever})
	return true, nil
}

func (s Sleep) emit(c *compiler) (bool, error) {
	return s.For.nonzero(), c.drawn(instr{op: opSleep}, "length", s.For)
}

func (s Timer) emit(c *compiler) (bool, error) {
	if s.Period <= 0 || s.Period > MaxDraw {
		return false, fmt.Errorf("period is %s; it must be positive and at most %s", length(int64(s.Period)), length(MaxDraw))
	}
	c.add(instr{op: opTimer, dist: noDist, d: int64(s.Period)})
	return true, nil
}

func (s SemWait) emit(c *compiler) (bool, error) {
	c.add(instr{op: opSemWait, dist: noDist, a: int32(s.Obj)})
	return true, c.useObj(s.Obj)
}

func (s SemPost) emit(c *compiler) (bool, error) {
	c.add(instr{op: opSemPost, dist: noDist, a: int32(s.Obj)})
	return false, c.useObj(s.Obj)
}

func (s Fork) emit(c *compiler) (bool, error) {
	if s.Prog == nil {
		return false, fmt.Errorf("there is no program for the child; give one")
	}
	c.p.maxObj = max(c.p.maxObj, s.Prog.maxObj)
	c.p.children = append(c.p.children, Child{Prog: s.Prog, Comm: s.Comm, Thread: s.Thread})
	in := instr{op: opFork, dist: noDist, a: int32(len(c.p.children) - 1)}
	if n, ok := s.Count.Fixed(); !s.Count.IsSet() || ok && n == 1 {
		c.add(in)
		return false, nil
	}
	return false, c.repeat(s.Count, func() error { c.add(in); return nil })
}

func (Wait) emit(c *compiler) (bool, error)    { return true, c.plain(OpWait, 0) }
func (WaitAll) emit(c *compiler) (bool, error) { return true, c.plain(OpWaitAll, 0) }
func (Setsid) emit(c *compiler) (bool, error)  { return false, c.plain(OpSetsid, 0) }
func (Yield) emit(c *compiler) (bool, error)   { return false, c.plain(OpYield, 0) }

func (s Exit) emit(c *compiler) (bool, error) {
	c.stops = true
	c.add(instr{op: opExit, dist: noDist, a: s.Code})
	return true, nil
}

func (s Nice) emit(c *compiler) (bool, error) {
	if s.N < -20 || s.N > 19 {
		return false, fmt.Errorf("nice value is %d; it must be from -20 to 19", s.N)
	}
	return false, c.plain(OpNice, s.N)
}

func (s Begin) emit(c *compiler) (bool, error) {
	in := instr{op: opBegin, dist: noDist}
	if s.AtRelease {
		in.flag = 1
	}
	return false, c.named(in, s.Name)
}

func (s End) emit(c *compiler) (bool, error) {
	return false, c.named(instr{op: opEndSpan, dist: noDist}, s.Name)
}

func (s Call) emit(c *compiler) (bool, error) {
	if s.Fn < 0 {
		return false, fmt.Errorf("function number is %d; it must be 0 or more", s.Fn)
	}
	return true, c.plain(OpCall, s.Fn)
}

func (s Do) emit(c *compiler) (bool, error) {
	if s.Op < OpUser {
		return false, fmt.Errorf("op is %d; it must be from %d to %d", s.Op, OpUser, math.MaxUint8)
	}
	c.p.labels = append(c.p.labels, s.word())
	in := instr{op: opDo, flag: uint8(s.Op), a: s.N, b: int32(len(c.p.labels) - 1)}
	return s.Takes, c.drawn(in, "d", s.D)
}
