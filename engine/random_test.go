package engine_test

import (
	"fmt"
	"testing"
	"time"

	"schedrepl/engine"
	"schedrepl/engine/cost"
	"schedrepl/engine/event"
	"schedrepl/engine/kernel"
	"schedrepl/engine/metrics"
	"schedrepl/engine/sched"
	"schedrepl/engine/trace"
	"schedrepl/engine/workload"
)

// Thousands of random calls on machines of 1 to 64 CPUs, with every invariant
// checked after each, and the books balanced at the end. The machine is made
// twice: the second run must equal the first to the byte.
func TestRandomOperations(t *testing.T) {
	seeds(t, 1, func(t *testing.T, seed uint64) {
		for i, cpus := range []int{1, 2, 4, 9, 64} {
			for _, free := range []bool{true, false} {
				id := seed*100 + uint64(i)
				first, err := randomOperations(id, cpus, 1000, free)
				if err != nil {
					t.Fatalf("seed %d, %d CPUs, free %v (replay: go test ./engine -run TestRandomOperations -seed %d): %v",
						seed, cpus, free, seed, err)
				}
				if again, err := randomOperations(id, cpus, 1000, free); err != nil || again != first {
					t.Fatalf("seed %d, %d CPUs, free %v: digest %s at first, then %s, %v", seed, cpus, free, first, again, err)
				}
			}
		}
	})
}

// operations is a machine that random calls are made on.
type operations struct {
	*world
	d       *draws
	period  time.Duration
	handles []engine.Handle
	free    bool // nothing costs time
	seen    int  // records of a kind that a watch was told of
}

// randomOperations makes n random calls on one machine and returns its digest.
func randomOperations(seed uint64, cpus, n int, free bool) (digest string, err error) {
	o := &operations{d: newDraws(seed), free: free}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	s := &scenario{seed: seed, cpus: cpus, sems: 3}
	s.cfg = engine.Config{
		Kernel: o.d.variant(choose(o.d, kernel.Profiles()...)), HZ: choose(o.d, 100, 250, 1000), SkewTick: o.d.chance(50),
		Preempt: choose(o.d, engine.PreemptNone, engine.PreemptVoluntary, engine.PreemptFull), Costs: cost.None(),
	}
	o.period = time.Second / time.Duration(s.cfg.HZ)
	if !free {
		s.cfg.Costs = o.d.costs(o.period)
	}
	if o.world, err = s.start(nil); err != nil {
		return "", err
	}
	for i := range n {
		what := o.step()
		if err := o.m.Check(); err != nil {
			return "", fmt.Errorf("operation %d (%s) at %v: %w", i, what, o.m.Now(), err)
		}
	}
	return o.m.Digest(), o.balance()
}

// step makes one random call and says which.
func (o *operations) step() string {
	d, m := o.d, o.m
	switch d.n(8) {
	case 0, 1:
		if o.live() < 2*o.s.cpus+20 {
			spec := op{kind: "spawn", y: int64(d.n(1000)), task: o.finite()}
			if d.chance(30) {
				spec.n = int64(1 + d.n(1000))
			}
			o.do(spec)
			return "spawn"
		}
	case 2:
		c := d.change(o.period)
		if o.free && c.kind == "irq" {
			c.kind = "post"
		}
		o.do(c)
		return c.kind
	case 3:
		return o.control()
	}
	limit := m.Now() + event.Time(d.Int64N(int64(2*o.period)))
	switch {
	case d.chance(20):
		limit = (m.Now()/event.Time(o.period) + 1) * event.Time(o.period)
	case d.chance(5):
		limit = m.Now()
	}
	stops := -1
	if d.chance(10) {
		stops = d.n(20)
	}
	_, err := m.RunWhile(limit, func() bool { stops--; return stops == 0 })
	if err != nil {
		o.answers = append(o.answers, err.Error())
	}
	return fmt.Sprintf("run to %v", limit)
}

// live counts the tasks there are.
func (o *operations) live() (n int) {
	for _, t := range o.m.Core().Tasks {
		if t.PID != 0 {
			n++
		}
	}
	return n
}

// control sets something up that acts later, or takes such a thing back.
func (o *operations) control() string {
	d, m := o.d, o.m
	c := d.change(o.period)
	if o.free && c.kind == "irq" {
		c.kind = "post"
	}
	var h engine.Handle
	var err error
	switch d.n(5) {
	case 0, 1:
		h, err = m.At(m.Now()+event.Time(d.span(o.period)), func() error { o.do(c); return nil })
	case 2:
		h, err = m.Every(event.Time(d.span(o.period))+1_000_000, func() error { o.do(c); return nil })
	case 3:
		if len(o.handles) > 0 {
			m.Cancel(o.handles[d.n(len(o.handles))])
		}
		return "cancel"
	case 4:
		h = m.On(choose(d, trace.KindSwitch, trace.KindExit), func(trace.Record) error { o.seen++; return nil })
		if d.chance(80) {
			m.Cancel(h)
		}
	}
	if err != nil {
		o.answers = append(o.answers, err.Error())
	}
	o.handles = append(o.handles, h)
	return "control: " + c.kind
}

// finite returns a task of fixed bursts that exits by itself unless a
// semaphore holds it for ever. Its name, and those of its children, is the
// work that it does in ns.
func (o *operations) finite() engine.Spawn {
	d := o.d
	p, work := d.fixed(o.period, 2)
	sp := engine.Spawn{Comm: fmt.Sprint(work), Program: p}
	if d.chance(50) {
		sp.Nice = d.n(40) - 20
	}
	sp.Policy = choose(d, sched.Normal, sched.Normal, sched.Normal, sched.Batch, sched.Idle)
	if d.chance(40) {
		sp.CPUs = maskOf(d.Int64N(1<<59), o.s.cpus)
	}
	return sp
}

// fixed returns a program of fixed bursts and the work that it does.
func (d *draws) fixed(period time.Duration, forks int) (*workload.Program, int64) {
	var steps []workload.Step
	var work int64
	for range 1 + d.n(6) {
		burst := d.span(period)
		work += int64(burst)
		run := workload.Run{For: workload.Constant(burst)}
		switch d.n(8) {
		case 0, 1:
			steps = append(steps, workload.Sleep{For: workload.Constant(d.span(period))})
		case 2:
			run.Kernel = true
			run.Resched = time.Duration(d.n(3)) * burst / 3
		case 3:
			steps = append(steps, workload.SemPost{Obj: workload.ObjID(d.n(3))})
			if d.chance(50) {
				steps = append(steps, workload.SemWait{Obj: workload.ObjID(d.n(3))})
			}
		case 4:
			steps = append(steps, workload.Yield{})
		case 5:
			n := int64(1 + d.n(3))
			steps = append(steps, workload.Repeat{Count: workload.Count(n), Body: []workload.Step{run, workload.Timer{Period: period}}})
			work += n * int64(burst)
		case 6:
			if forks > 0 {
				p, w := d.fixed(period, forks-1)
				steps = append(steps, workload.Fork{Prog: p, Comm: fmt.Sprint(w), Thread: d.chance(30)})
				if d.chance(50) {
					steps = append(steps, choose[workload.Step](d, workload.Wait{}, workload.WaitAll{}))
				}
			}
		}
		steps = append(steps, run)
	}
	return compile(steps), work
}

// balance checks that the records tell a story that can be true, that the
// machine's accounts are those of the records, and that tasks that came to
// their end did their work, and, where nothing costs time, no more.
func (o *operations) balance() error {
	m := o.m
	if err := metrics.Invariants(m.Log(), o.s.cpus, m.Now()); err != nil {
		return err
	}
	ran := runTimes(m, o.s.cpus)
	core := m.Core()
	var exits int
	var err error
	fail := func(format string, args ...any) {
		if err == nil {
			err = fmt.Errorf(format, args...)
		}
	}
	m.Log().Each(func(r *trace.Record) bool {
		if r.Kind != trace.KindExit || r.A != 0 {
			return true
		}
		exits++
		var work event.Time
		if _, e := fmt.Sscan(core.Comm(r.Task), &work); e != nil {
			return true // renamed by exec
		}
		if done := ran[r.Task]; done < work || o.free && done > work {
			fail("task %d did %d ns of its %d ns of work", r.Task, done, work)
		}
		return err == nil
	})
	for id := range core.Tasks {
		if pid := core.Tasks[id].PID; pid != 0 && core.Runtime(sched.TaskID(id)) != ran[pid] {
			fail("task %d ran %d ns by the records, %d by its own account", pid, ran[pid], core.Runtime(sched.TaskID(id)))
		}
	}
	if o.free && exits == 0 {
		fail("only %d tasks came to their end: the test tests nothing", exits)
	}
	return err
}

// runTimes adds up from the switches how long each task ran, by process id.
func runTimes(m *engine.Machine, cpus int) map[int32]event.Time {
	ran := map[int32]event.Time{}
	since := make([]event.Time, cpus)
	curr := make([]int32, cpus)
	m.Log().Each(func(r *trace.Record) bool {
		if r.Kind == trace.KindSwitch {
			ran[r.Task] += r.Time - since[r.CPU]
			since[r.CPU], curr[r.CPU] = r.Time, r.Other
		}
		return true
	})
	for cpu := range cpus {
		ran[curr[cpu]] += m.Now() - since[cpu]
	}
	return ran
}
