package metrics

import (
	"fmt"
	"time"

	"schedrepl/engine/event"
	"schedrepl/engine/trace"
)

// Invariants checks that the records of a machine with ncpu CPUs, up to the
// moment end, tell a story that can be true:
//
//   - time never goes back, and no record is later than end;
//   - CPUs and pids are those of the machine: every task was forked before it
//     is named, and is not named after it was switched out for good;
//   - the switches of a CPU form a chain: each takes off what runs there;
//   - a task is in one place: it runs on one CPU, is switched in only while it
//     is runnable and only on the CPU on whose queue it is, is woken only
//     while it is not runnable (unless the record says that it is the task
//     that runs), and is moved only while it does not run;
//   - a task leaves a CPU in a state, and as exited only after its exit record;
//   - every switch has a reason and a pick, and idle is picked by the rule for
//     idle only;
//   - the times per state of a task add up to its life, busy and idle time of
//     a CPU to the wall time, and the run times of the tasks to the busy time.
//
// It returns an error that names the record, counted from 0, and the first
// fact that is broken. When the log forgot its beginning, the first record of
// a task or CPU is believed.
func Invariants(src Source, ncpu int, end event.Time) error {
	c := checker{
		k: newTracker(src, nil), ncpu: ncpu, now: start(src),
		idle: make([]time.Duration, ncpu), busy: make([]time.Duration, ncpu),
	}
	if end < c.now {
		return fmt.Errorf("invariants: the records begin at %v, after their end at %v", c.now, end)
	}
	var err error
	n := int64(0)
	src.Each(func(r *trace.Record) bool {
		if err = c.record(r, end); err != nil {
			err = fmt.Errorf("record %d at %v (%s on CPU %d): %w", n, r.Time, r.Kind, r.CPU, err)
			return false
		}
		n++
		return true
	})
	if err != nil {
		return err
	}
	return c.sums(end)
}

// checker is the fold behind Invariants.
type checker struct {
	k    *tracker
	ncpu int
	now  event.Time
	// idle and busy are the wall time of each CPU by what it did.
	idle, busy []time.Duration
	lives      []life
}

// life is the account of one task: the index of it is the task's aux.
type life struct {
	pid     int32
	born    event.Time
	died    event.Time
	parent  int32 // who forked it, 0 for the machine
	exiting bool
	spent   [gone + 1]time.Duration
}

// record checks one record against what is known, and takes it in.
func (c *checker) record(r *trace.Record, end event.Time) error {
	if r.Time < c.now {
		return fmt.Errorf("time goes back from %v", c.now)
	}
	if r.Time > end {
		return fmt.Errorf("it is later than the end at %v", end)
	}
	c.now = r.Time
	if r.CPU < 0 || int(r.CPU) >= c.ncpu {
		return fmt.Errorf("there is no such CPU: the machine has %d", c.ncpu)
	}
	if err := c.check(r); err != nil {
		return err
	}
	if r.Kind == trace.KindSwitch {
		cpu := c.k.cpu(int(r.CPU))
		c.turn(int(r.CPU), cpu.cur, r.Time.Sub(cpu.since))
	}
	changes := c.k.step(r)
	for i := range changes {
		c.account(&changes[i], r.Time)
	}
	if r.Kind == trace.KindFork {
		c.lives[c.k.task(r.Task).aux].parent = r.Other
	}
	return nil
}

// turn adds the time that a CPU gave to one task, or to none.
func (c *checker) turn(cpu int, cur int32, d time.Duration) {
	if cur == 0 {
		c.idle[cpu] += d
	} else {
		c.busy[cpu] += d
	}
}

// account adds a phase that ended to the life of its task.
func (c *checker) account(ch *change, now event.Time) {
	t := ch.task
	if t.aux < 0 || ch.to == fresh {
		t.aux = int32(len(c.lives))
		c.lives = append(c.lives, life{pid: ch.pid, born: now, died: event.Never})
		if ch.from == running {
			// A log without its beginning: it ran there all the time.
			c.lives[t.aux].born = ch.since
			c.lives[t.aux].spent[running] = now.Sub(ch.since)
		}
	} else {
		c.lives[t.aux].spent[ch.from] += now.Sub(ch.since)
	}
	if ch.to == gone {
		c.lives[t.aux].died = now
	}
}

// check applies the rule for the kind of record.
func (c *checker) check(r *trace.Record) error {
	switch r.Kind {
	case trace.KindSwitch:
		return c.checkSwitch(r)
	case trace.KindWakeup, trace.KindWakeupNew:
		return c.checkWakeup(r)
	case trace.KindMigrate:
		return c.checkMigrate(r)
	case trace.KindFork:
		return c.checkFork(r)
	case trace.KindExit:
		t, err := c.alive(r.Task)
		if err != nil {
			return err
		}
		if t.aux >= 0 {
			if c.lives[t.aux].exiting {
				return fmt.Errorf("task %d exits twice", r.Task)
			}
			c.lives[t.aux].exiting = true
		}
	case trace.KindResched, trace.KindCharge:
		if cur := c.k.cpu(int(r.CPU)).cur; cur >= 0 && cur != r.Task {
			return fmt.Errorf("it names %s as current, but %s runs", who(r.Task), who(cur))
		}
		if r.Kind == trace.KindCharge && r.A < 0 {
			return fmt.Errorf("a charge of %d ns is negative", r.A)
		}
	case trace.KindState, trace.KindExec, trace.KindSetNice, trace.KindSetPolicy,
		trace.KindSetAffinity, trace.KindSetGroup, trace.KindSetsid:
		_, err := c.alive(r.Task)
		return err
	case trace.KindSetShares, trace.KindMark, trace.KindBegin, trace.KindEnd:
	default:
		return fmt.Errorf("there is no kind %d", r.Kind)
	}
	return nil
}

// who names a task in an error.
func who(pid int32) string {
	if pid == 0 {
		return "idle"
	}
	return fmt.Sprintf("task %d", pid)
}

// alive returns a task that was forked and is not gone.
func (c *checker) alive(pid int32) (*task, error) {
	if pid <= 0 {
		return nil, fmt.Errorf("%d is no pid", pid)
	}
	t := c.k.task(pid)
	switch {
	case t.phase == gone:
		return nil, fmt.Errorf("task %d exited at %v", pid, t.since)
	case t.phase == unknown && c.k.start == 0:
		return nil, fmt.Errorf("task %d was never forked", pid)
	}
	return t, nil
}

func (c *checker) checkSwitch(r *trace.Record) error {
	cpu := c.k.cpu(int(r.CPU))
	switch {
	case r.Task == r.Other:
		return fmt.Errorf("%s is switched to itself", who(r.Task))
	case cpu.cur < 0:
		c.adopt(cpu, r)
	case cpu.cur != r.Task:
		return fmt.Errorf("it takes off %s, but %s runs there", who(r.Task), who(cpu.cur))
	}
	if r.Reason == trace.ReasonNone {
		return fmt.Errorf("a switch from %s to %s has no reason", who(r.Task), who(r.Other))
	}
	if r.Pick == trace.PickNone {
		return fmt.Errorf("a switch from %s to %s does not say how the next was picked", who(r.Task), who(r.Other))
	}
	if r.Pick == trace.PickIdle && r.Other != 0 {
		return fmt.Errorf("task %d was picked by the rule for idle", r.Other)
	}
	if r.Task != 0 {
		if err := c.checkOutgoing(r); err != nil {
			return err
		}
	}
	if r.Other != 0 {
		return c.checkIncoming(r)
	}
	return nil
}

// adopt believes the first switch of a CPU about what ran there.
func (c *checker) adopt(cpu *cpu, r *trace.Record) {
	cpu.cur = r.Task
	if r.Task > 0 {
		if t := c.k.task(r.Task); t.phase == unknown {
			t.phase, t.since, t.cpu = running, cpu.since, r.CPU
		}
	}
}

func (c *checker) checkOutgoing(r *trace.Record) error {
	t, err := c.alive(r.Task)
	if err != nil {
		return err
	}
	if t.phase != running || t.cpu != r.CPU {
		return fmt.Errorf("task %d is taken off, but it is %s on CPU %d", r.Task, t.phase, t.cpu)
	}
	switch r.State {
	case trace.Running, trace.Sleeping, trace.Stopped:
	case trace.Exited:
		if c.k.start == 0 && !c.lives[t.aux].exiting {
			return fmt.Errorf("task %d is gone without an exit record", r.Task)
		}
	default:
		return fmt.Errorf("task %d leaves the CPU in state %q: want R, S, T or X", r.Task, rune(r.State))
	}
	return nil
}

func (c *checker) checkIncoming(r *trace.Record) error {
	t, err := c.alive(r.Other)
	if err != nil {
		return err
	}
	switch {
	case t.phase == unknown:
		return nil
	case t.phase == running:
		return fmt.Errorf("task %d is switched in, but it runs on CPU %d since %v", r.Other, t.cpu, t.since)
	case t.phase != waiting:
		return fmt.Errorf("task %d is switched in, but it is %s since %v", r.Other, t.phase, t.since)
	case t.cpu >= 0 && t.cpu != r.CPU:
		return fmt.Errorf("task %d is switched in, but it waits on CPU %d", r.Other, t.cpu)
	}
	return nil
}

func (c *checker) checkWakeup(r *trace.Record) error {
	t, err := c.alive(r.Task)
	if err != nil {
		return err
	}
	if r.Other < 0 || int(r.Other) >= c.ncpu {
		return fmt.Errorf("task %d is woken on CPU %d: the machine has %d", r.Task, r.Other, c.ncpu)
	}
	switch t.phase {
	case waiting:
		return fmt.Errorf("task %d is woken, but it is runnable on CPU %d since %v", r.Task, t.cpu, t.since)
	case running:
		if r.Reason != trace.Self {
			return fmt.Errorf("task %d is woken, but it runs on CPU %d since %v", r.Task, t.cpu, t.since)
		}
	case fresh:
		// A thread that the machine keeps for itself, such as a stopper, is
		// forked at boot and waits until it is first needed.
		if r.Kind != trace.KindWakeupNew && c.lives[t.aux].parent != 0 {
			return fmt.Errorf("task %d is woken for the first time without saying so", r.Task)
		}
		return nil
	}
	if r.Kind == trace.KindWakeupNew && t.phase != unknown {
		return fmt.Errorf("task %d is woken for the first time again", r.Task)
	}
	return nil
}

func (c *checker) checkMigrate(r *trace.Record) error {
	t, err := c.alive(r.Task)
	if err != nil {
		return err
	}
	for _, n := range []int64{r.A, r.B} {
		if n < 0 || n >= int64(c.ncpu) {
			return fmt.Errorf("task %d moves from CPU %d to %d: the machine has %d", r.Task, r.A, r.B, c.ncpu)
		}
	}
	switch {
	case t.phase == running:
		return fmt.Errorf("task %d is moved, but it runs on CPU %d since %v", r.Task, t.cpu, t.since)
	case t.phase == waiting && t.cpu >= 0 && int64(t.cpu) != r.A:
		return fmt.Errorf("task %d is moved from CPU %d, but it waits on CPU %d", r.Task, r.A, t.cpu)
	}
	return nil
}

func (c *checker) checkFork(r *trace.Record) error {
	if r.Task <= 0 {
		return fmt.Errorf("%d is no pid for a child", r.Task)
	}
	if t := c.k.task(r.Task); t.phase != unknown && t.phase != gone {
		return fmt.Errorf("task %d is forked, but it exists", r.Task)
	}
	if r.Other == 0 {
		return nil
	}
	_, err := c.alive(r.Other)
	return err
}

// sums checks that nothing was lost: it closes what is open at the end and
// adds up.
func (c *checker) sums(end event.Time) error {
	var busy, run time.Duration
	wall := end.Sub(c.k.start)
	for i := range c.ncpu {
		cpu := c.k.cpu(i)
		if cpu.cur < 0 {
			continue
		}
		c.turn(i, cpu.cur, end.Sub(cpu.since))
		if c.busy[i]+c.idle[i] != wall {
			return fmt.Errorf("CPU %d: busy %v and idle %v do not add up to %v", i, c.busy[i], c.idle[i], wall)
		}
		busy += c.busy[i]
	}
	for i := range c.lives {
		l := &c.lives[i]
		until := min(l.died, end)
		t := c.k.task(l.pid)
		if t.aux == int32(i) && t.phase != gone {
			l.spent[t.phase] += end.Sub(t.since)
		}
		sum := l.spent[fresh] + l.spent[sleeping] + l.spent[waiting] + l.spent[running] + l.spent[stopped]
		if life := until.Sub(l.born); sum != life {
			return fmt.Errorf("task %d: running %v, waiting %v, sleeping %v, stopped %v and new %v do not add up to its life of %v",
				l.pid, l.spent[running], l.spent[waiting], l.spent[sleeping], l.spent[stopped], l.spent[fresh], life)
		}
		run += l.spent[running]
	}
	if run != busy {
		return fmt.Errorf("the tasks ran for %v, but the CPUs were busy for %v", run, busy)
	}
	return nil
}
