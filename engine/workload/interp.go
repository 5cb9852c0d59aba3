package workload

import (
	"fmt"
	"math"
	"time"

	"schedrepl/engine/event"
	"schedrepl/engine/rng"
)

// MaxJumps is how many instructions one call of Next carries out without meeting an
// action before it returns OpRunaway.
const MaxJumps = 4_000_000

// NoTask stands for the slot of no task.
const NoTask int32 = -1

// Interp holds where each task of one machine stands in its program, and the
// semaphores that tasks share. Tasks are numbered by slots, small dense integers
// that the machine hands out and may use again after Stop. The zero Interp is ready
// for use. To use a slot that runs no program, or two methods at once, is a bug of
// the caller; the former panics.
type Interp struct {
	tasks  []context
	sides  []side // Index 0 stands for none.
	free   []int32
	sems   []sem
	names  []string // Of spans, by id.
	byName map[string]int32
}

// context is one task, one cache line of 64 bytes.
type context struct {
	prog    *Program // Nil: the slot is free.
	stream  rng.Stream
	release event.Time // The release that the last Timer step waited for; at first the first step.
	expiry  event.Time // Expiry of the timer of the last Timer or Sleep; event.Never before.
	pc      int32      // The next instruction.
	side    int32      // Index into Interp.sides, 0 for none.
	sem     int32      // 1 + the semaphore in whose queue the task is, 0 for none.
	next    int32      // The waiter behind it there, or NoTask.
	missed  uint32
	started bool
}

// Grow makes room for slots 0 to n-1, so that Start need not.
func (it *Interp) Grow(n int) {
	if n <= len(it.tasks) {
		return
	}
	if n > cap(it.tasks) {
		size := max(n, cap(it.tasks)+cap(it.tasks)/8)
		it.tasks = append(make([]context, 0, size), it.tasks...)
	}
	it.tasks = it.tasks[:n]
}

// Start lets the free slot run the program from its first step, drawing from a new
// stream of seed. It fails if the program names an object that does not exist here.
func (it *Interp) Start(slot int32, p *Program, seed rng.Seed) error {
	if err := it.checkObjs(p); err != nil {
		return err
	}
	it.Grow(int(slot) + 1)
	c := &it.tasks[slot]
	if c.prog != nil {
		badSlot(slot, "runs a program already")
	}
	*c = context{prog: p, stream: rng.NewStream(seed), expiry: event.Never, next: NoTask}
	if p.depth > 0 {
		it.sideOf(c).reserve(p.depth)
	}
	return nil
}

// Stop frees the slot. A task that waits for a semaphore leaves its queue; one that
// was woken, but did not go on yet, takes what it was handed with it.
func (it *Interp) Stop(slot int32) {
	c := it.running(slot)
	if c.sem != 0 {
		it.sems[c.sem-1].remove(it.tasks, slot)
	}
	if c.side != 0 {
		it.sides[c.side].reset()
		it.free = append(it.free, c.side)
	}
	*c = context{}
}

// Push lets the task run p as a subroutine, in answer to OpCall, and go on after the
// call when p ends; a call that is the last step of pushed steps is left for good
// before its own answer runs, so that it may go on so for ever. An empty p changes
// nothing. It fails if p names an object that does not exist here, or when
// MaxNesting calls wait for each other.
func (it *Interp) Push(slot int32, p *Program) error {
	c := it.running(slot)
	if len(p.steps) == 0 {
		return nil
	}
	if err := it.checkObjs(p); err != nil {
		return err
	}
	s := it.sideOf(c)
	switch {
	case len(s.calls) > 0 && c.prog.code[c.pc].op == opEnd:
	case len(s.calls) == MaxNesting:
		return fmt.Errorf("call: %d calls wait for each other already; let a call be the last of the steps that a call returns", MaxNesting)
	default:
		s.calls = append(s.calls, frame{prog: c.prog, pc: c.pc, base: s.base})
		s.base += int32(c.prog.depth)
	}
	c.prog, c.pc = p, 0
	s.reserve(p.depth)
	return nil
}

// Running reports whether the slot runs a program.
func (it *Interp) Running(slot int32) bool {
	return slot >= 0 && int(slot) < len(it.tasks) && it.tasks[slot].prog != nil
}

// Missed returns how many releases were in the past when the task came to its Timer
// step.
func (it *Interp) Missed(slot int32) uint32 { return it.running(slot).missed }

// Waiting returns the semaphore that the task is blocked on, if any.
func (it *Interp) Waiting(slot int32) (ObjID, bool) {
	c := it.running(slot)
	return ObjID(c.sem - 1), c.sem != 0
}

// Where returns the text of the instruction that Next would carry out next, and its
// number in the program's listing.
func (it *Interp) Where(slot int32) (pc int, text string) {
	c := it.running(slot)
	return int(c.pc), c.prog.text(&c.prog.code[c.pc])
}

// running returns the context of a slot that runs a program.
func (it *Interp) running(slot int32) *context {
	c := &it.tasks[slot]
	if c.prog == nil {
		badSlot(slot, "runs no program")
	}
	return c
}

// badSlot is apart so that its callers can be inlined.
//
//go:noinline
func badSlot(slot int32, why string) {
	panic(fmt.Sprintf("sched: workload: slot %d %s", slot, why))
}

// Fits reports whether Start would take the program: an error if it names an
// object that does not exist here.
func (it *Interp) Fits(p *Program) error { return it.checkObjs(p) }

func (it *Interp) checkObjs(p *Program) error {
	if int(p.maxObj) < len(it.sems) {
		return nil
	}
	if len(it.sems) == 0 {
		return fmt.Errorf("program: object %d does not exist; this machine has none, make it there first", p.maxObj)
	}
	return fmt.Errorf("program: object %d does not exist; this machine has 0-%d", p.maxObj, len(it.sems)-1)
}

// Next goes on with the task at the instant now and sets a to the next action that
// the machine has to carry out. The instants of one task never decrease. a is the
// caller's, and of its fields only those that belong to its Op are set: to clear
// and copy all of them would take as long as the step itself.
func (it *Interp) Next(slot int32, now event.Time, a *Action) {
	pending := a.Pending
	c := it.running(slot)
	if !c.started {
		c.started, c.release = true, now
	}
	if c.sem != 0 {
		badSlot(slot, "still waits for a semaphore")
	}
	for range MaxJumps {
		in := &c.prog.code[c.pc]
		c.pc++
		switch in.op {
		case opJump:
			c.pc = in.a
		case opRepeat:
			n := c.value(in)
			if n == 0 {
				c.pc = in.a
				continue
			}
			s := &it.sides[c.side]
			s.counters[s.base+int32(in.level)] = n
		case opAgain:
			s := &it.sides[c.side]
			n := &s.counters[s.base+int32(in.level)]
			*n--
			if *n > 0 {
				c.pc = in.a
			}
		case opChoose:
			c.pc = c.prog.choices[in.a].draw(&c.stream)
		case opRun:
			a.Op, a.Kernel, a.MightSleep = OpRun, in.flag&runKernel != 0, in.flag&runMightSleep != 0
			a.D, a.Resched = c.value(in), in.e
			return
		case opSleep:
			c.expiry = later(now, c.value(in))
			a.Op, a.Until = OpSleepUntil, c.expiry
			return
		case opTimer:
			c.release = later(c.release, in.d)
			c.expiry = c.release
			if c.release > now {
				a.Op, a.Until = OpSleepUntil, c.release
				return
			}
			if c.release < now && c.missed < math.MaxUint32 {
				c.missed++
			}
		case opSemWait:
			s := &it.sems[in.a]
			if s.count == 0 {
				c.sem = in.a + 1
				s.push(it.tasks, slot)
				a.Op = OpBlock
				return
			}
			s.count--
		case opSemPost:
			if waiter := it.Post(ObjID(in.a)); waiter != NoTask || pending {
				a.Op, a.Task = OpWake, waiter
				return
			}
		case opFork:
			*a = Action{Op: OpFork, Child: &c.prog.children[in.a]}
			return
		case opBegin:
			it.begin(c, in, now, a)
			return
		case opEndSpan:
			it.end(c, in, now, a)
			return
		case opPlain:
			*a = Action{Op: Op(in.flag), N: in.a}
			return
		case opDo:
			*a = Action{Op: Op(in.flag), N: in.a, D: c.value(in)}
			return
		case opExit:
			c.pc-- // So that the task stays there.
			*a = Action{Op: OpExit, N: in.a}
			return
		case opEnd:
			if c.side == 0 || !it.sides[c.side].ret(c) {
				c.pc--
				*a = Action{Op: OpExit}
				return
			}
		}
	}
	*a = Action{Op: OpRunaway}
}

// value returns the length or count of an instruction, drawn if it varies.
func (c *context) value(in *instr) int64 {
	if in.dist == noDist {
		return in.d
	}
	return c.prog.dists[in.dist].Draw(&c.stream)
}

// draw returns the target of a branch, by its weight.
func (c *choice) draw(s *rng.Stream) int32 {
	x := s.Float64() * c.sums[len(c.sums)-1]
	i := 0
	for i < len(c.sums)-1 && x >= c.sums[i] {
		i++
	}
	return c.targets[i]
}

// later returns t + d, at most event.Never.
func later(t event.Time, d int64) event.Time {
	if u := t.Add(time.Duration(d)); u >= t {
		return u
	}
	return event.Never
}
