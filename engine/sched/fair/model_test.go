package fair

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"schedrepl/engine/event"
	"schedrepl/engine/kernel"
	"schedrepl/engine/sched"
	"schedrepl/engine/trace"
)

// The scaled product against exact arithmetic: it is d*weight/W but for the
// rounding of the inverse and of the two shifts.
func TestScaleExact(t *testing.T) {
	classes := map[string]*Class{"2.6.36": newRig(t, "2.6.36", 1, 1000).c, "3.3": newRig(t, "3.3", 1, 1000).c}
	rapid.Check(t, func(t *rapid.T) {
		version := rapid.SampledFrom([]string{"2.6.36", "3.3"}).Draw(t, "version")
		c := classes[version]
		d := rapid.Int64Range(0, 1_000_000_000).Draw(t, "d")
		weight := rapid.Int64Range(2, 88761).Draw(t, "weight")
		load := rapid.Int64Range(max(weight, 1000), 400_000).Draw(t, "load")
		got := c.scale(d, weight, c.inverse(load))

		inv := big.NewInt(1 << 32 / load)
		if version == "2.6.36" {
			inv = big.NewInt(1 + (1<<32-load/2)/(load+1))
		}
		x := new(big.Int).Mul(big.NewInt(d), big.NewInt(weight))
		half := func(n uint) { x.Rsh(x.Add(x, big.NewInt(1<<(n-1))), n) }
		if x.Cmp(big.NewInt(1<<32)) > 0 {
			half(16)
			x.Mul(x, inv)
			half(16)
		} else {
			x.Mul(x, inv)
			half(32)
		}
		if x.Int64() != got {
			t.Fatalf("%s: %d ns * %d / %d is %d, want %d", version, d, weight, load, got, x.Int64())
		}
		// The inverse is off by one in 2^32/load at most, the first shift by half
		// of one in d*weight/2^16.
		exact := float64(d) * float64(weight) / float64(load)
		if e := float64(got) - exact; e > exact*1.2e-3+1 || e < -exact*1.2e-3-1 {
			t.Fatalf("%s: %d ns * %d / %d is %d, exactly %.1f", version, d, weight, load, got, exact)
		}
	})
}

// crowd draws a CPU with nested groups and tasks of all weights, one running
// for a while already. It returns the running task.
func crowd(t *rapid.T) (*rig, sched.TaskID) {
	version := rapid.SampledFrom([]string{"2.6.36", "2.6.38", "3.3"}).Draw(t, "version")
	cpus := rapid.SampledFrom([]int{1, 2, 8}).Draw(t, "cpus")
	r := newRig(t, version, cpus, rapid.SampledFrom([]int{100, 250, 1000}).Draw(t, "hz"))
	if rapid.Bool().Draw(t, "unsigned") {
		r.c.sw.UnsignedTickTest = true
	}
	groups := []sched.GroupID{sched.RootGroup}
	for range rapid.IntRange(0, 3).Draw(t, "groups") {
		g := r.core.NewGroup(rapid.SampledFrom(groups).Draw(t, "parent"), "/g")
		if err := r.core.SetShares(g, rapid.Int64Range(2, 5000).Draw(t, "shares")); err != nil {
			t.Fatal(err)
		}
		groups = append(groups, g)
	}
	for range rapid.IntRange(1, 12).Draw(t, "tasks") {
		task := r.fork(rapid.IntRange(-20, 19).Draw(t, "nice"), rapid.SampledFrom(groups).Draw(t, "group"))
		r.pin()
		r.setV(task, rapid.Int64Range(-2*ms, 40*ms).Draw(t, "v"))
	}
	// Group entities get a place too, so that each level has a choice.
	for i := range r.c.ent {
		if e := &r.c.ent[i]; e.my != none && e.on {
			q := &r.c.q[e.q]
			r.c.arena.Remove(&q.tree, int32(i))
			e.v = rapid.Int64Range(-2*ms, 40*ms).Draw(t, "group v")
			r.c.arena.Insert(&q.tree, int32(i), e.v, e.v)
		}
	}
	r.core.Now += event.Time(rapid.Int64Range(0, 20*ms).Draw(t, "before"))
	r.core.Schedule(0)
	curr := r.core.Curr(0)
	if cpus > 1 {
		for i := range r.c.q {
			if q := &r.c.q[i]; q.owner != none && q.cpu == 0 {
				q.win.unacc = event.Time(rapid.Int64Range(0, 12*ms).Draw(t, "unacc"))
			}
		}
	}
	return r, curr
}

// The tick that NextTick names is never later than the first one that does
// more than accounting.
func TestNextTickIsNeverLate(t *testing.T) {
	early, exact := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		r, curr := crowd(t)
		period := r.c.period
		next := (r.core.Now/period + 1) * period
		named := r.c.NextTick(0, curr, next)
		for i := range event.Time(400) {
			at := next + i*period
			r.core.Now = at
			before := weights(r)
			r.c.Tick(0, curr)
			matters := r.core.CPUs[0].NeedResched || weights(r) != before
			if matters {
				if named > at {
					t.Fatalf("the tick at %v asks for a reschedule (%v) or changes weights, NextTick named %v", at, r.core.CPUs[0].Why, named)
				}
				if named == at {
					exact++
				} else {
					early++
				}
				return
			}
		}
	})
	t.Logf("exact %d times, early %d times", exact, early)
	if exact < early {
		t.Errorf("NextTick named the right tick %d times only, one too early %d times", exact, early)
	}
}

// weights sums up what the share windows decide.
func weights(r *rig) (sum int64) {
	for i := range r.c.ent {
		if r.c.ent[i].my != none {
			sum = sum*31 + r.c.ent[i].w()
		}
	}
	return sum
}

// Skipped ticks are accounted for as if they had come one by one.
func TestTickedIsTicks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, curr := crowd(t)
		period := r.c.period
		first := (r.core.Now/period + event.Time(rapid.IntRange(0, 1).Draw(t, "skip"))) * period
		if first < r.core.Now {
			first += period
		}
		n := int64(rapid.IntRange(1, 30).Draw(t, "n"))
		other := r.c.CloneFor(r.core).(*Class)
		r.c.Ticked(0, curr, first, n)
		for i := range event.Time(n) {
			r.core.Now = first + i*period
			for e := other.entOf[curr]; e != none; e = other.ent[e].parent {
				other.account(&other.q[other.ent[e].q])
			}
		}
		for i := range r.c.ent {
			if a, b := r.c.ent[i], other.ent[i]; a != b {
				t.Fatalf("entity %d after %d ticks at once:\n%+v\none by one:\n%+v", i, n, a, b)
			}
		}
		for i := range r.c.q {
			if a, b := r.c.q[i], other.q[i]; a.min != b.min || a.win != b.win {
				t.Fatalf("queue %d after %d ticks at once: min %d, window %+v; one by one: %d, %+v", i, n, a.min, a.win, b.min, b.win)
			}
		}
	})
}

// The pick against a search through all entities.
func TestPickByBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, _ := crowd(t)
		c := r.c
		// Put the running task back and mark some entities.
		c.PutPrev(0, r.core.Curr(0))
		for qi := range c.q {
			q := &c.q[qi]
			if on := members(c, int32(qi)); len(on) > 0 {
				for _, mark := range []*int32{&q.next, &q.last, &q.skip} {
					*mark = none
					if rapid.IntRange(0, 2).Draw(t, "mark") > 0 {
						*mark = rapid.SampledFrom(on).Draw(t, "marked")
					}
				}
			}
		}
		want := none
		for qi := int32(0); ; qi = c.ent[want].my {
			want = bruteForce(c, qi)
			if c.ent[want].my == none {
				break
			}
		}
		if got, _, _ := c.PickTask(0); got != c.ent[want].task {
			t.Fatalf("picked task %d, a search finds %d", got, c.ent[want].task)
		}
		for i := c.entOf[c.ent[want].task]; i != none; i = c.ent[i].parent {
			e, q := &c.ent[i], &c.q[c.ent[i].q]
			if q.curr != i || e.execStart != r.core.Now || e.prevSum != e.sum {
				t.Fatalf("entity %d was picked but does not start anew: %+v", i, e)
			}
			if q.next == i || q.last == i || q.skip == i {
				t.Fatalf("entity %d was picked and is still marked", i)
			}
		}
		if err := c.Check(); err != nil {
			t.Fatal(err)
		}
	})
}

// members lists the entities in the tree of a queue, in its order.
func members(c *Class, qi int32) (out []int32) {
	for i := c.arena.First(&c.q[qi].tree); i != none; i = c.arena.Next(i) {
		out = append(out, i)
	}
	return out
}

// bruteForce chooses from a queue by the rule as written down.
func bruteForce(c *Class, qi int32) int32 {
	q := &c.q[qi]
	on := members(c, qi)
	left := on[0]
	near := func(i int32) bool {
		w, inv := c.ent[left].w(), c.ent[left].inv
		gran := c.wakeGran
		if w != kernel.NiceZero {
			gran = c.scale(gran, kernel.NiceZero, inv)
		}
		return c.ent[i].v-c.ent[left].v <= gran
	}
	choice := left
	order := []int32{q.last, q.next}
	if c.sw.Pick == kernel.PickNextThenLast {
		order = []int32{q.next, q.last}
	} else if q.skip == left && len(on) > 1 && near(on[1]) {
		choice = on[1]
	}
	for _, i := range order {
		if i != none && near(i) {
			choice = i
		}
	}
	return choice
}

// teller holds the virtual times that records tell against those of the tasks.
type teller struct {
	rapid *rapid.T
	core  *sched.Core
	last  trace.Record // of a wakeup
}

func (s *teller) Record(r *trace.Record) {
	virtual := func(pid int32) int64 { return s.core.Virtual(s.core.Find(pid)) }
	switch r.Kind {
	case trace.KindSwitch:
		if from, to := virtual(r.Task), virtual(r.Other); r.A != from || r.B != to {
			s.rapid.Fatalf("a switch tells the virtual times %d and %d, not %d and %d", r.A, r.B, from, to)
		}
	case trace.KindWakeup:
		if v := virtual(r.Task); r.A != v {
			s.rapid.Fatalf("a wakeup tells the virtual time %d, not %d", r.A, v)
		}
		s.last = *r
	}
}

// Random life on one CPU: whatever is done, the class's invariants hold, the
// minimum never goes back, and what tasks ran adds up to the time.
func TestClassInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, _ := crowd(t)
		core, c := r.core, r.c
		told := &teller{rapid: t, core: core}
		core.AddSink(told)
		start := core.Now
		tasks := make([]sched.TaskID, len(core.Tasks))
		for i := range tasks {
			tasks[i] = sched.TaskID(i)
		}
		var idle event.Time
		mins := map[int32]int64{}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			d := event.Time(rapid.Int64Range(0, 5*ms).Draw(t, "time"))
			core.Now += d
			curr := core.Curr(0)
			if curr == sched.NoTask {
				idle += d
			}
			task := rapid.SampledFrom(tasks).Draw(t, "task")
			g := sched.GroupID(rapid.IntRange(0, core.NumGroups()-1).Draw(t, "group"))
			switch rapid.IntRange(0, 9).Draw(t, "what") {
			case 0, 1:
				v := c.Virtual(task)
				if core.Wake(task) && told.last.B != v {
					t.Fatalf("the wakeup of task %d tells that it slept with %d, not %d", task, told.last.B, v)
				}
			case 2:
				if curr != sched.NoTask {
					core.Block(0, trace.Sleeping)
					core.Schedule(0)
				}
			case 3:
				if curr != sched.NoTask {
					core.Tick(0)
				}
			case 4:
				if curr != sched.NoTask {
					core.Yield(0)
					core.Schedule(0)
				}
			case 5:
				_ = core.SetNice(task, rapid.IntRange(-20, 19).Draw(t, "nice"))
			case 6:
				_ = core.SetPolicy(task, rapid.SampledFrom([]sched.Policy{sched.Normal, sched.Batch, sched.Idle}).Draw(t, "policy"))
			case 7:
				core.Attach(task, g)
			case 8:
				if g != sched.RootGroup {
					_ = core.SetShares(g, rapid.Int64Range(2, 5000).Draw(t, "shares"))
				}
			case 9:
				name := rapid.SampledFrom([]string{"latency", "min_granularity"}).Draw(t, "tunable")
				if err := core.Kernel.Tunables.Set(name, rapid.Int64Range(100_000, 50*ms).Draw(t, "ns")); err != nil {
					t.Fatal(err)
				}
				c.Configure()
			}
			if err := c.Check(); err != nil {
				t.Fatal(err)
			}
			for core.CPUs[0].NeedResched || core.Curr(0) == sched.NoTask && core.CPUs[0].NrRunning > 0 {
				core.Schedule(0)
			}
			if err := core.Check(); err != nil {
				t.Fatal(err)
			}
			core.NextTick(0, core.Now) // which keeps slices
			for qi := range c.q {
				if last, ok := mins[int32(qi)]; ok && c.q[qi].min < last {
					t.Fatalf("the minimum of queue %d went back from %d to %d", qi, last, c.q[qi].min)
				}
				mins[int32(qi)] = c.q[qi].min
			}
		}
		var ran event.Time
		for _, task := range tasks {
			ran += core.Runtime(task)
		}
		if wall := core.Now - start; ran+idle != wall {
			t.Fatalf("tasks ran %v and the CPU idled %v of %v", ran, idle, wall)
		}
	})
}
