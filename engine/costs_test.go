package engine_test

import (
	"fmt"
	"testing"
	"time"

	"schedrepl/engine"
	"schedrepl/engine/cost"
	"schedrepl/engine/cpumask"
	"schedrepl/engine/event"
	"schedrepl/engine/sched"
	"schedrepl/engine/trace"
	"schedrepl/engine/workload"
)

// ends returns when a task exited.
func (b *box) ends(pid int32) (at event.Time) {
	b.t.Helper()
	at = event.Never
	b.Log().Each(func(r *trace.Record) bool {
		if r.Kind == trace.KindExit && r.Task == pid {
			at = r.Time
		}
		return at == event.Never
	})
	if at == event.Never {
		b.t.Fatalf("task %d has not ended at %v", pid, b.Now())
	}
	return at
}

// A burst is delayed by exactly what the ticks during it cost: it ends at the
// first moment E by which, with the ticks up to E taken off, its work is done.
func TestTickCost(t *testing.T) {
	d := newDraws(7)
	for range 300 {
		hz := choose(d, 100, 250, 1000)
		period := event.Time(1e9 / hz)
		work, c := event.Time(1+d.Int64N(int64(20*period))), event.Time(d.Int64N(int64(period)))
		if d.chance(30) {
			c = event.Time(d.n(2000))
		}
		if d.chance(30) { // ends on a tick, or nearly
			work = period*event.Time(1+d.n(9)) - c*event.Time(d.n(9)) + event.Time(d.n(3)-1)
			work = max(work, 1)
		}
		var got [2]event.Time
		for i := range got {
			b := newBox(t, 1, func(cfg *engine.Config) {
				cfg.HZ, cfg.AllTicks = hz, i == 1
				cfg.Costs.Tick = time.Duration(c)
			})
			pid := b.spawn("t", engine.Spawn{}, run(work))
			b.must(b.RunUntil(1_000_000 * ms))
			got[i] = b.ends(pid)
			if ran := b.ran(pid); ran != got[i] {
				t.Fatalf("it ran %v until %v", ran, got[i])
			}
		}
		want := work
		if want >= period {
			want += c * ((work-period)/(period-c) + 1)
		}
		if got[0] != want || got[1] != want {
			t.Fatalf("%v of work at %d Hz, %v a tick: ends at %v, with all ticks simulated at %v, want %v", work, hz, c, got[0], got[1], want)
		}
	}
}

// A tick is paid for once, also where a timer of the same instant wakes a task
// on a CPU with a lower number, which wakes another on this one.
func TestTickCostOnce(t *testing.T) {
	for _, allTicks := range []bool{false, true} {
		b := newBox(t, 2, func(c *engine.Config) { c.AllTicks, c.Costs.Tick = allTicks, 100*time.Microsecond })
		o := b.sem()
		far := b.spawn("s", on(1), sleep(20*ms), workload.SemPost{Obj: o})
		b.until(0) // so that its timer is armed for the tick at 20 ms
		b.spawn("hog", on(1), run(30*ms))
		s := on(1)
		s.Policy = sched.Batch
		b.spawn("w", s, workload.SemWait{Obj: o}, run(ms))
		b.until(19 * ms)
		b.must(b.SetAffinity(far, cpumask.Of(0)))
		b.until(100 * ms)
		last := event.Time(0)
		b.Log().Each(func(r *trace.Record) bool {
			if r.Kind == trace.KindExit {
				last = r.Time
			}
			return true
		})
		if want := 31*ms + last/ms*100*us; last != want {
			t.Errorf("all ticks %v: 31 ms of work end at %v, with %d ticks of 0.1 ms that is %v", allTicks, last, last/ms, want)
		}
	}
}

// Interrupts that cost time push the end of a burst out; they pile up when
// they come faster than they are done with.
func TestInterruptCost(t *testing.T) {
	for _, c := range []struct{ gap, cost, work, want event.Time }{
		{ms, 100 * us, 500 * us, 500 * us},
		{ms, 100 * us, 5 * ms, 5500 * us},
		{ms, 100 * us, 900 * us, 900 * us},
		{ms, 100 * us, ms, 1100 * us},
		{ms, 900 * us, ms, 1900 * us},
		{ms, 500 * us, 10 * ms, 19500 * us},
	} {
		b := newBox(t, 1, nil)
		b.must(b.Interrupts(0, "net", fixed(c.gap), fixed(c.cost)))
		pid := b.spawn("t", engine.Spawn{}, run(c.work))
		b.until(100 * ms)
		if got := b.ends(pid); got != c.want {
			t.Errorf("%v of work, %v each %v: ends at %v, want %v", c.work, c.cost, c.gap, got, c.want)
		}
	}
	b := newBox(t, 1, nil)
	b.must(b.Interrupts(0, "storm", fixed(100*us), fixed(150*us)))
	pid := b.spawn("t", engine.Spawn{}, run(ms))
	b.until(100 * ms)
	if b.task(pid).State != trace.Running || b.ran(pid) != 100*ms {
		t.Errorf("in a storm of interrupts the task is %c and ran %v, want to be stuck on the CPU", b.task(pid).State, b.ran(pid))
	}
}

// Each call costs the executing CPU what the table says, and the current task
// there loses exactly that.
func TestCallCosts(t *testing.T) {
	table := cost.Table{
		Fork: 11 * time.Microsecond, Exec: 13 * time.Microsecond, MoveSame: 17 * time.Microsecond,
		MoveBase: 19 * time.Microsecond, MoveLevel: 23 * time.Microsecond, GroupNew: 29 * time.Microsecond,
		GroupNewCPU: 31 * time.Microsecond, SharesCPU: 37 * time.Microsecond, Wakeup: 41 * time.Microsecond,
		WakeupLevel: 43 * time.Microsecond,
	}
	const cpus = 4
	type scene struct {
		*box
		g, deep sched.GroupID
		other   int32 // a hog on CPU 1, in /g/deep
		sleeper int32 // blocked on o, on CPU 1, in /g/deep
		o       workload.ObjID
	}
	for _, c := range []struct {
		name string
		call func(s *scene) error
		why  trace.Reason
		want event.Time
		skip bool // with the patch that skips moves that change nothing
	}{
		{"fork", func(s *scene) error { s.spawn("x", on(2), hog); return nil }, trace.ChargeFork, 11 * us, false},
		{"exec", func(s *scene) error { return s.Exec(s.other, "x") }, trace.ChargeExec, 13 * us, false},
		{"move between depths 2 and 0", func(s *scene) error { return s.Attach(s.other, sched.RootGroup) }, trace.ChargeGroupMove, (19 + 2*23) * us, false},
		{"move between depths 2 and 1", func(s *scene) error { return s.Attach(s.other, s.g) }, trace.ChargeGroupMove, (19 + 3*23) * us, false},
		{"move to the same group", func(s *scene) error { return s.Attach(s.other, s.deep) }, trace.ChargeGroupMove, (19 + 4*23) * us, false},
		{"move to the same group, skipped", func(s *scene) error { return s.Attach(s.other, s.deep) }, trace.ChargeGroupMove, 17 * us, true},
		{"new group", func(s *scene) error { _, err := s.NewGroup(s.g, "/x"); return err }, trace.ChargeGroupNew, (29 + cpus*31) * us, false},
		{"shares at depth 1", func(s *scene) error { return s.SetShares(s.g, 100) }, trace.ChargeShares, cpus * 37 * us, false},
		{"shares at depth 2", func(s *scene) error { return s.SetShares(s.deep, 100) }, trace.ChargeShares, 2 * cpus * 37 * us, false},
		{"wakeup at depth 2", func(s *scene) error { s.PostSem(s.o); return nil }, trace.ChargeWakeup, (41 + 2*43) * us, false},
	} {
		b := newBox(t, cpus, func(cfg *engine.Config) {
			if c.skip {
				cfg.Kernel = profile(t, "3.3", "move-task-skip-unchanged")
			}
			cfg.Costs = table
		})
		s := &scene{box: b, o: b.sem()}
		s.g = b.group(sched.RootGroup, "/g", 1024)
		s.deep = b.group(s.g, "/g/deep", 1024)
		spec := on(1)
		spec.Group = s.deep
		s.sleeper = b.spawn("s", spec, workload.SemWait{Obj: s.o}, hog)
		s.other = b.spawn("other", spec, hog)
		b.until(10 * ms)
		pid := b.spawn("t", on(0), run(5*ms))
		b.until(12 * ms) // the charges of setting up are over
		ends := func(act bool) event.Time {
			if act {
				b.at(13*ms, func() { b.must(c.call(s)) })
			}
			b.until(60 * ms)
			return b.ends(pid)
		}
		got := ends(true)
		// The set-up charged for its own calls at 10 ms: one fork.
		if want := 10*ms + 5*ms + 11*us + c.want; got != want {
			t.Errorf("%s: a burst on the calling CPU ends at %v, want %v", c.name, got, want)
		}
		charged := event.Time(0)
		b.Log().Each(func(r *trace.Record) bool {
			if r.Kind == trace.KindCharge && r.Time == 13*ms {
				charged += event.Time(r.A)
				if r.Reason != c.why || r.CPU != 0 || r.Task != pid {
					t.Errorf("%s: charged for %v on CPU %d to task %d, want %v on CPU 0 to task %d", c.name, r.Reason, r.CPU, r.Task, c.why, pid)
				}
			}
			return true
		})
		if charged != c.want {
			t.Errorf("%s: charged %v, want %v", c.name, charged, c.want)
		}
	}
}

// The cost of a switch delays the first instruction of the task that comes in;
// between threads of a process it is another.
func TestSwitchCost(t *testing.T) {
	costs := func(c *engine.Config) { c.Costs.Switch, c.Costs.SwitchThread = 100_000, 10_000 }
	b := newBox(t, 1, costs)
	pid := b.spawn("t", engine.Spawn{}, run(500*us), sleep(ms), run(500*us))
	b.until(10 * ms)
	if got := b.ends(pid); got != 2200*us {
		t.Errorf("two bursts of 0.5 ms with a sleep between end at %v, want 2.2ms", got)
	}
	if b.ran(pid) != 1200*us {
		t.Errorf("the task ran %v, want its work and two switches", b.ran(pid))
	}

	// A thread exits and its sibling comes in: no other address space.
	b = newBox(t, 1, costs)
	b.spawn("p", engine.Spawn{}, thread("t", run(ms)), run(500*us))
	b.until(10 * ms)
	b.wantExits("600us p, 1.61ms t")

	// The same between processes.
	b = newBox(t, 1, costs)
	b.spawn("p", engine.Spawn{}, fork("c", run(ms)), run(500*us))
	b.until(10 * ms)
	b.wantExits("600us p, 1.7ms c")
}

// A wakeup on another CPU takes effect there when the interrupt arrives; if
// the CPU is busy the interrupt costs it time as well.
func TestIPICost(t *testing.T) {
	for _, busy := range []bool{false, true} {
		b := newBox(t, 2, func(c *engine.Config) { c.Costs.IPI, c.Costs.IPIEntry = 2000, 500 })
		o := b.sem()
		hogPID := int32(0)
		if busy {
			s := on(1)
			s.Nice = 19
			hogPID = b.spawn("hog", s, run(50*ms))
		}
		w := b.spawn("w", on(1), workload.SemWait{Obj: o}, run(ms))
		b.spawn("poster", on(0), run(20300*us), workload.SemPost{Obj: o})
		b.until(100 * ms)
		want := 20300*us + 2000 + ms
		if busy {
			want += 500
		}
		if got := b.ends(w); got != want {
			t.Errorf("busy %v: the wakee ends at %v, want %v", busy, got, want)
		}
		if busy {
			// It started when its own interrupt came, and lost the wakee's
			// run; interrupts cost it twice 500 ns at most.
			if got, least := b.ends(hogPID), 51*ms+2000+500; got < least || got > least+ms {
				t.Errorf("the hog ends at %v, want %v or a little more", got, least)
			}
		}
	}
}

// On a CPU that never idles all time is accounted for: when the last task is
// done, the clock shows the work, the charges, the switches and the ticks.
func TestCostsAddUp(t *testing.T) {
	seeds(t, 200, func(t *testing.T, seed uint64) {
		d := newDraws(seed)
		hz := choose(d, 100, 250, 1000)
		period := time.Second / time.Duration(hz)
		costs := d.costs(period)
		costs.WaitForEvent = false
		costs.Tick = min(costs.Tick, period/2)
		b := newBox(t, 1, func(c *engine.Config) {
			c.HZ, c.Costs, c.Kernel = hz, costs, d.variant(profile(t, choose(d, "2.6.36", "2.6.38", "3.3")))
			c.Preempt = choose(d, engine.PreemptNone, engine.PreemptFull)
			c.AllTicks = d.chance(50)
		})
		o := b.sem()
		total := event.Time(0)
		burst := func() workload.Run {
			r := run(event.Time(d.span(period)))
			r.Kernel = d.chance(30)
			v, _ := r.For.Fixed()
			total += event.Time(v)
			return r
		}
		for i := range 1 + d.n(6) {
			var steps []workload.Step
			for range 1 + d.n(8) {
				switch d.n(6) {
				case 0:
					steps = append(steps, workload.Yield{})
				case 1:
					steps = append(steps, workload.SemPost{Obj: o}, workload.SemWait{Obj: o})
				case 2:
					f := fork("c", burst(), burst())
					f.Thread = d.chance(50)
					steps = append(steps, f)
				case 3:
					steps = append(steps, workload.Nice{N: int32(d.n(40) - 20)})
				}
				steps = append(steps, burst())
			}
			b.spawn(fmt.Sprint("t", i), engine.Spawn{Nice: d.n(10)}, steps...)
		}
		b.until(event.Time(1000 * period))
		var last, spent event.Time
		group := map[int32]int32{} // process by task
		b.Log().Each(func(r *trace.Record) bool {
			if r.Kind == trace.KindExit {
				last = r.Time
			}
			return true
		})
		var switches event.Time
		b.Log().Each(func(r *trace.Record) bool {
			switch {
			case r.Kind == trace.KindFork:
				group[r.Task] = r.Task
				if r.A == 1 {
					group[r.Task] = group[r.Other]
				}
			case r.Time >= last && r.Kind == trace.KindExit:
				return false
			case r.Kind == trace.KindCharge:
				spent += event.Time(r.A)
			case r.Kind == trace.KindSwitch && r.Other == 0:
				t.Fatalf("seed %d: the CPU idles at %v", seed, r.Time)
			case r.Kind == trace.KindSwitch:
				if group[r.Task] == group[r.Other] {
					switches += event.Time(costs.SwitchThread)
				} else {
					switches += event.Time(costs.Switch)
				}
			}
			return true
		})
		ticks := last / event.Time(period) * event.Time(costs.Tick)
		if want := total + spent + switches + ticks; last != want {
			t.Fatalf("seed %d (replay: go test ./engine -run TestCostsAddUp -seed %d): the last task ends at %v, want work %v + charges %v + switches %v + ticks %v = %v",
				seed, seed, last, total, spent, switches, ticks, want)
		}
	})
}

// A program that waits for the next event after a futile reschedule waits for
// a tick that costs time, too.
func TestWaitForEventWithCosts(t *testing.T) {
	b := newBox(t, 1, func(c *engine.Config) {
		c.Costs = cost.Recorder()
		c.Costs.Tick = 1000
	})
	pid := b.spawn("y", engine.Spawn{}, run(500*us), workload.Yield{}, run(ms), workload.Yield{}, run(ms))
	b.until(10 * ms)
	// It waits at 0.5 ms for the tick at 1 ms, and works from 1.001 to 2.002 ms,
	// with a tick between; so again from the tick at 3 ms on.
	if got := b.ends(pid); got != 4002*us {
		t.Errorf("it ends at %v, want 4.002ms", got)
	}
}
