package fair

import (
	"testing"

	"schedrepl/engine/kernel"
	"schedrepl/engine/sched"
	"schedrepl/engine/trace"
)

// The numbers of these tests were worked out by hand or with a few lines of
// integer arithmetic apart from this program.

// T1: virtual time of 1 ms by weight, rounded half up.
func TestT1VirtualTime(t *testing.T) {
	for _, version := range []string{"2.6.36", "2.6.38", "3.3"} {
		r := newRig(t, version, 1, 1000)
		for _, c := range []struct {
			nice int
			want int64
		}{{5, 3_056_716}, {-5, 328_100}, {0, 1_000_000}, {19, 68_266_667}, {-20, 11_537}} {
			w, inv := kernel.NiceWeight(c.nice)
			if got := r.c.vtime(ms, &entity{weight: int32(w), inv: inv}); got != c.want {
				t.Errorf("%s: 1 ms at nice %d is %d ns, want %d", version, c.nice, got, c.want)
			}
		}
		if got := r.c.vtime(ms, &entity{weight: kernel.IdleWeight, inv: kernel.IdleInverse}); got != 341_333_333 {
			t.Errorf("%s: 1 ms of a task of policy IDLE is %d ns, want 341333333", version, got)
		}
	}
}

// T2: the slice of one of two and one of three equal tasks of 24 ms.
func TestT2SliceRounding(t *testing.T) {
	for _, c := range []struct {
		version    string
		two, three int64
	}{{"2.6.36", 11_994_146, 7_997_395}, {"2.6.38", 11_994_146, 7_997_395}, {"3.3", 12_000_000, 7_999_998}} {
		r := newRig(t, c.version, 8, 1000)
		a := r.forks(2, 0, sched.RootGroup)[0]
		r.pin()
		if got := r.sliceOf(a); got != c.two {
			t.Errorf("%s: slice of one of two: %d ns, want %d", c.version, got, c.two)
		}
		r.fork(0, sched.RootGroup)
		r.pin()
		if got := r.sliceOf(a); got != c.three {
			t.Errorf("%s: slice of one of three: %d ns, want %d", c.version, got, c.three)
		}
	}
}

// T8: slices by nice value, of many, and in groups, on a machine of 8 CPUs.
func TestT8Slices(t *testing.T) {
	for _, c := range []struct {
		version              string
		nice0, nice5, ten    int64
		lone, crowded, alone int64
	}{
		{"2.6.36", 10_308_723, 3_372_492, 2_999_704, 11_982_440, 1_499_085, 23_976_585},
		{"3.3", 10_313_049, 3_373_907, 2_999_997, 12_000_000, 1_500_000, 24_000_000},
	} {
		r := newRig(t, c.version, 8, 1000)
		a, b, n := r.fork(0, 0), r.fork(0, 0), r.fork(5, 0)
		r.pin()
		if x, y, z := r.sliceOf(a), r.sliceOf(b), r.sliceOf(n); x != c.nice0 || y != c.nice0 || z != c.nice5 {
			t.Errorf("%s: slices %d, %d, %d, want %d, %d, %d", c.version, x, y, z, c.nice0, c.nice0, c.nice5)
		}

		r = newRig(t, c.version, 8, 1000)
		ten := r.forks(10, 0, sched.RootGroup)
		r.pin()
		if got := r.sliceOf(ten[9]); got != c.ten {
			t.Errorf("%s: slice of one of ten: %d, want %d", c.version, got, c.ten)
		}

		// Two groups of equal shares, with one task and with eight. The weights
		// are set, for how they come about on 8 CPUs is another matter.
		r = newRig(t, c.version, 8, 1000)
		g1, g2 := r.core.NewGroup(sched.RootGroup, "/g1"), r.core.NewGroup(sched.RootGroup, "/g2")
		lone := r.fork(0, g1)
		r.pin()
		crowd := r.forks(8, 0, g2)
		r.pin()
		for _, g := range []sched.GroupID{g1, g2} {
			r.c.setWeight(r.c.groups[g].eBase, 1024)
		}
		if got := r.sliceOf(lone); got != c.lone {
			t.Errorf("%s: slice of the lone task: %d, want %d", c.version, got, c.lone)
		}
		if got := r.sliceOf(crowd[0]); got != c.crowded {
			t.Errorf("%s: slice of one of eight: %d, want %d", c.version, got, c.crowded)
		}
		// Alone on its CPU a task has the whole latency.
		r = newRig(t, c.version, 8, 1000)
		if got := r.sliceOf(r.fork(0, 0)); got != c.alone {
			t.Errorf("%s: slice of one alone: %d, want %d", c.version, got, c.alone)
		}
	}
}

// T10: a sleeper is placed half a latency behind the minimum at most.
func TestT10SleeperCredit(t *testing.T) {
	for _, c := range []struct {
		cpus        int
		gentle      bool
		slept, want int64
	}{
		{8, true, 980 * ms, 988 * ms}, {8, true, 995 * ms, 995 * ms},
		{1, true, 980 * ms, 997 * ms}, {1, true, 998 * ms, 998 * ms},
		{2, true, 0, 994 * ms}, {4, true, 0, 991 * ms},
		{8, false, 900 * ms, 976 * ms}, {1, false, 900 * ms, 994 * ms},
	} {
		var words []string
		if !c.gentle {
			words = []string{"NO_GENTLE_FAIR_SLEEPERS"}
		}
		r := newRig(t, "3.3", c.cpus, 1000, words...)
		s := r.fork(0, 0)
		r.pin()
		r.core.Schedule(0)
		r.block()
		r.setV(s, c.slept)
		r.c.q[0].min = 1000 * ms
		r.core.Wake(s)
		if got := r.ent(s).v; got != c.want {
			t.Errorf("%d CPUs, %v: slept at %d ms, placed at %d, want %d", c.cpus, words, c.slept/ms, got, c.want)
		}
		r.check()
	}
}

// T11: a queued task that moves to another CPU keeps its distance to the
// minimum; a sleeper brings along what its old queue's minimum gained.
func TestT11Migration(t *testing.T) {
	for _, version := range []string{"2.6.36", "2.6.38", "3.3"} {
		r := newRig(t, version, 8, 1000)
		a := r.fork(0, 0)
		r.pin()
		r.setV(a, 503*ms)
		r.c.q[0].min, r.c.q[1].min = 500*ms, 2000*ms
		r.core.MoveQueued(a, 1, trace.CPUForced)
		if got := r.ent(a).v; got != 2003*ms {
			t.Errorf("%s: a queued task moved to %d, want 2003 ms", version, got)
		}

		r = newRig(t, version, 8, 1000)
		s, o := r.fork(0, 0), r.fork(0, 0)
		r.pin()
		r.core.Schedule(0)
		if r.core.Curr(0) != s {
			s, o = o, s
		}
		r.block()
		r.setV(s, 503*ms)
		r.c.q[0].min, r.c.q[1].min = 530*ms, 2000*ms
		r.ent(o).v = 530 * ms
		// CPU 1 is the only one that it may use.
		if err := r.core.SetAffinity(s, only(1)); err != nil {
			t.Fatal(err)
		}
		r.core.Wake(s)
		if got := r.ent(s).v; got != 1988*ms {
			t.Errorf("%s: a sleeper woken elsewhere is placed at %d, want 1988 ms", version, got)
		}
		r.check()
	}
}

// T12: the preemption test of a wakeup against the granularity of the wakee's
// weight: more than, not equal.
func TestT12WakeupGranularity(t *testing.T) {
	for _, c := range []struct {
		nice int
		gran int64
	}{{0, 4_000_000}, {-5, 1_312_400}, {4, 9_683_215}, {5, 12_226_866}, {19, 273_066_667}} {
		for _, version := range []string{"2.6.36", "3.3"} {
			r := newRig(t, version, 8, 1000)
			curr, p := r.fork(0, 0), r.fork(c.nice, 0)
			r.pin()
			r.setV(p, 2000*ms)
			r.core.Schedule(0)
			for _, d := range []int64{-ms, 0, 1, c.gran, c.gran + 1} {
				r.ent(curr).v = 1000 * ms
				r.setV(p, 1000*ms-d)
				v := r.c.WakeupPreempt(0, p, false)
				r.core.CPUs[0].NeedResched = false
				want := trace.WithinGran
				switch {
				case d <= 0:
					want = trace.NotBehind
				case d > c.gran:
					want = trace.WakeupPreempt
				}
				if v.Reason != want || v.Preempt != (want == trace.WakeupPreempt) || v.A != d || v.B != c.gran {
					t.Errorf("%s: wakee of nice %d, %d ns behind: %+v, want %v with granularity %d", version, c.nice, d, v, want, c.gran)
				}
			}
		}
	}
}

// T12, its consequence: a sleeper is 12 ms behind at most, so that one of nice
// 5 never preempts a task at the minimum, and one of nice 4 may.
func TestT12NiceSleepers(t *testing.T) {
	for nice, want := range map[int]trace.Reason{4: trace.WakeupPreempt, 5: trace.WithinGran} {
		r := newRig(t, "3.3", 8, 1000)
		s, curr := r.fork(nice, 0), r.fork(0, 0)
		r.pin()
		r.setV(s, -1000*ms)
		r.setV(curr, 1000*ms)
		r.core.Schedule(0)
		if r.core.Curr(0) != s {
			t.Fatal("the sleeper-to-be does not run first")
		}
		r.block()
		r.c.q[0].min = 1000 * ms
		if r.core.Curr(0) != curr {
			t.Fatal("the other task does not run")
		}
		if err := r.core.SetAffinity(s, only(0)); err != nil {
			t.Fatal(err)
		}
		r.core.Wake(s)
		if got := r.ent(s).v; got != 988*ms {
			t.Fatalf("the sleeper is placed at %d", got)
		}
		r.core.CPUs[0].NeedResched = false
		if v := r.c.WakeupPreempt(0, s, false); v.Reason != want {
			t.Errorf("a sleeper of nice %d: %v, want %v", nice, v.Reason, want)
		}
	}
}

// T13: a new-born starts one slice behind its parent, wherever it lands.
func TestT13Fork(t *testing.T) {
	for _, c := range []struct {
		version       string
		nice0, vnice5 int64
	}{{"2.6.36", 11_994_146, 18_070_721}, {"2.6.38", 11_994_146, 18_070_721}, {"3.3", 12_000_000, 18_084_024}} {
		for _, elsewhere := range []bool{false, true} {
			for _, nice := range []int{0, 5} {
				r := newRig(t, c.version, 8, 1000)
				parent := r.fork(0, 0)
				r.pin()
				r.setV(parent, 100*ms)
				r.core.Schedule(0)
				r.c.q[0].min, r.c.q[1].min = 100*ms, 7000*ms
				start := int64(100 * ms)
				cpu := 0
				if elsewhere {
					start, cpu = 7000*ms, 1
				}
				child, err := r.core.Fork(sched.ForkSpec{Parent: parent, Comm: -1, Set: true, Nice: nice, Start: only(cpu)})
				if err != nil {
					t.Fatal(err)
				}
				want := start + c.nice0
				if nice == 5 {
					want = start + c.vnice5
				}
				if got := r.ent(child).v; got != want {
					t.Errorf("%s, nice %d, on CPU %d: the child starts at %d, want %d", c.version, nice, cpu, got, want)
				}
				if !elsewhere && r.core.CPUs[0].NeedResched {
					t.Errorf("%s, nice %d: the child preempts its parent", c.version, nice)
				}
				if r.ent(child).sum != 0 {
					t.Errorf("a new-born has run %v", r.ent(child).sum)
				}
				r.check()
			}
		}
	}
}

// With child_runs_first the child takes the parent's place, and asks for the
// CPU.
func TestChildRunsFirst(t *testing.T) {
	r := newRig(t, "3.3", 1, 1000)
	parent := r.fork(0, 0)
	r.core.Schedule(0)
	r.c.childFirst = true
	v := r.c.q[0].min
	r.ent(parent).v = v
	child := r.fork(0, 0)
	if got := r.ent(child).v; got != v {
		t.Errorf("the child is at %d, want its parent's %d", got, v)
	}
	if got := r.ent(parent).v; got != r.c.q[0].min+3*ms {
		t.Errorf("the parent is at %d, want a slice of 3 ms behind the minimum %d", got, r.c.q[0].min)
	}
	if rq := r.core.CPUs[0]; !rq.NeedResched || rq.Why != trace.ChildRunsFirst {
		t.Errorf("request %v because of %v, want one of the child", rq.NeedResched, rq.Why)
	}
}
