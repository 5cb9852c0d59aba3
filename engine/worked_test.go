package engine_test

import (
	"fmt"
	"math"
	"testing"

	"schedrepl/engine"
	"schedrepl/engine/event"
	"schedrepl/engine/kernel"
	"schedrepl/engine/sched"
	"schedrepl/engine/trace"
	"schedrepl/engine/workload"
)

// The tests TestTn hold examples that were worked out apart from this program,
// by hand or with a few lines of integer arithmetic, on a whole machine. The
// arithmetic itself is held by the tests of the fair class.

// T4: cpu.weight to shares and back.
func TestT4Weights(t *testing.T) {
	for w, shares := range map[int64]int64{1: 10, 2: 20, 10: 102, 50: 512, 100: 1024, 1000: 10240, 10000: 102400} {
		if got := kernel.SharesOfWeight(w); got != shares {
			t.Errorf("weight %d is %d shares, want %d", w, got, shares)
		}
		if got := kernel.WeightOfShares(shares); got != w {
			t.Errorf("%d shares are weight %d, want %d", shares, got, w)
		}
	}
	for shares, w := range map[int64]int64{335: 33, 262144: 10000, 2: 1} {
		if got := kernel.WeightOfShares(shares); got != w {
			t.Errorf("%d shares are weight %d, want %d", shares, got, w)
		}
	}
}

// T5: how the shares of a group are split between two CPUs once its loads are
// steady, and that the first task of an idle group finds all of them.
func TestT5SharesSplit(t *testing.T) {
	for _, version := range []string{"2.6.36", "2.6.38", "3.3"} {
		for _, c := range []struct{ hogs, weight [2]int64 }{
			{[2]int64{1, 1}, [2]int64{512, 512}},
			{[2]int64{3, 1}, [2]int64{768, 256}},
			{[2]int64{1, 0}, [2]int64{1024, -1}},
		} {
			b := newBox(t, 2, func(cfg *engine.Config) { cfg.Kernel = profile(t, version) })
			g := b.group(sched.RootGroup, "/g", 1024)
			for cpu := range 2 {
				for range c.hogs[cpu] {
					s := on(cpu)
					s.Group = g
					b.spawn("hog", s, hog)
				}
				b.spawn("beside", on(cpu), hog)
			}
			b.until(2000 * ms)
			for cpu, want := range c.weight {
				if got := b.Fair().GroupWeight(g, cpu); want >= 0 && math.Abs(float64(got-want)) > 20 {
					t.Errorf("%s: %v hogs: the group weighs %d on CPU %d, want %d", version, c.hogs, got, cpu, want)
				}
			}
		}
	}
}

// T6: three hogs of nice 0, 0 and 5.
func TestT6Shares(t *testing.T) {
	for _, version := range []string{"2.6.36", "2.6.38", "3.3"} {
		b := newBox(t, 1, func(c *engine.Config) { c.Kernel = profile(t, version) })
		var pids []int32
		for _, nice := range []int{0, 0, 5} {
			pids = append(pids, b.spawn("hog", engine.Spawn{Nice: nice}, hog))
		}
		b.until(100 * ms)
		for i, want := range []float64{.4297, .4297, .1406} {
			wantShare(t, fmt.Sprintf("%s: hog %d", version, i), b.share(7000*ms, pids[i]), want)
		}
	}
}

// T7: a group with one hog beside one with eight, equal shares.
func TestT7Groups(t *testing.T) {
	for _, version := range []string{"2.6.36", "2.6.38", "3.3"} {
		b := newBox(t, 1, func(c *engine.Config) { c.Kernel = profile(t, version) })
		g1, g2 := b.group(sched.RootGroup, "/g1", 1024), b.group(sched.RootGroup, "/g2", 1024)
		lone := b.spawn("lone", engine.Spawn{Group: g1}, hog)
		var crowd []int32
		for range 8 {
			crowd = append(crowd, b.spawn("crowd", engine.Spawn{Group: g2}, hog))
		}
		b.until(100 * ms)
		wantShare(t, version+": the lone hog", b.share(5000*ms, lone), .5)
		for _, pid := range crowd {
			wantShare(t, version+": one of eight", b.share(2000*ms, pid), .0625)
		}

		// The same on four CPUs, six of the eight elsewhere: what is left of
		// the group's weight on CPU 0 is a quarter.
		b = newBox(t, 4, func(c *engine.Config) { c.Kernel = profile(t, version) })
		g1, g2 = b.group(sched.RootGroup, "/g1", 1024), b.group(sched.RootGroup, "/g2", 1024)
		s := on(0)
		s.Group = g1
		lone = b.spawn("lone", s, hog)
		for i := range 8 {
			s := on(i / 2)
			s.Group = g2
			b.spawn("crowd", s, hog)
		}
		b.until(1000 * ms)
		if got := b.Fair().GroupWeight(g2, 0); math.Abs(float64(got-256)) > 8 {
			t.Errorf("%s: the crowd weighs %d on CPU 0, want 256", version, got)
		}
		wantShare(t, version+": the lone hog on four CPUs", b.share(5000*ms, lone), .8)
	}
}

// T9: schedules to the tick. All start level, for nobody is made to wait at
// fork. Up to 2.6.38 half of 24 ms is a little less than 12 ms, so that a tick at
// 12 ms ends a slice; in 3.3 it is 12 ms, and the slice lasts a tick longer.
// (2.6.36 without its unsigned comparison, which starts slices anew.)
func TestT9Golden(t *testing.T) {
	hogs := func(n ...int) []int { return n }
	for _, c := range []struct {
		version  string
		cpus, hz int
		nice     []int
		end      event.Time
		want     string
	}{
		{"", 8, 1000, hogs(0, 0, 5), 60 * ms, "0s h0, 11ms h1, 22ms h2, 26ms h0, 37ms h1, 48ms h2, 52ms h0"},
		{"", 8, 250, hogs(0, 0, 5), 60 * ms, "0s h0, 12ms h1, 24ms h2, 28ms h0, 40ms h1, 52ms h2, 56ms h0"},
		{"", 1, 1000, hogs(0, 0, 5), 15 * ms, "0s h0, 3ms h1, 6ms h2, 7ms h0, 10ms h1, 13ms h2, 14ms h0"},
		{"2.6.36", 8, 250, hogs(0, 0), 40 * ms, "0s h0, 12ms h1, 24ms h0, 36ms h1"},
		{"2.6.38", 8, 1000, hogs(0, 0), 40 * ms, "0s h0, 12ms h1, 24ms h0, 36ms h1"},
		{"3.3", 8, 250, hogs(0, 0), 40 * ms, "0s h0, 16ms h1, 32ms h0"},
		{"3.3", 8, 1000, hogs(0, 0), 40 * ms, "0s h0, 13ms h1, 26ms h0, 39ms h1"},
		{"", 8, 1000, hogs(0, 0, 0, 0, 0, 0, 0, 0, 0, 0), 34 * ms,
			"0s h0, 3ms h1, 6ms h2, 9ms h3, 12ms h4, 15ms h5, 18ms h6, 21ms h7, 24ms h8, 27ms h9, 30ms h0, 33ms h1"},
	} {
		for _, version := range []string{"2.6.36", "2.6.38", "3.3"} {
			if c.version != "" && c.version != version {
				continue
			}
			k, err := profile(t, version).With([]string{"NO_tick-unsigned-compare"}, []string{"NO_START_DEBIT"}, nil)
			if err != nil {
				t.Fatal(err)
			}
			b := newBox(t, c.cpus, func(cfg *engine.Config) { cfg.Kernel, cfg.HZ = k, c.hz })
			for i, nice := range c.nice {
				s := on(0)
				s.Nice = nice
				b.spawn(fmt.Sprint("h", i), s, hog)
			}
			b.until(c.end)
			if got := b.switches(0, 0); got != c.want {
				t.Errorf("%s, %d CPUs, %d Hz, nice %v:\n got %s\nwant %s", version, c.cpus, c.hz, c.nice, got, c.want)
			}
		}
	}
}

// T29: a task that is moved between groups while it sleeps. In 2.6.36 its
// virtual time, worth something in the old group only, is taken as it is: a
// task that comes from a group that ran for long waits until the new group has
// run as long. The patch of 2.6.37 takes the distance to the minimum along.
func TestT29GroupMove(t *testing.T) {
	for _, c := range []struct {
		version string
		patches []string
		starves bool
	}{
		{"2.6.36", nil, true},
		{"2.6.36", []string{"cgroup-move-vruntime"}, false},
		{"2.6.36", []string{"autogroup"}, true},
		{"2.6.36", []string{"autogroup", "cgroup-move-vruntime"}, false},
		{"2.6.38", nil, false},
		{"2.6.38", []string{"NO_cgroup-move-vruntime"}, true},
		{"3.3", nil, false},
		{"3.3", []string{"NO_cgroup-move-vruntime"}, true},
	} {
		b := newBox(t, 1, func(cfg *engine.Config) { cfg.Kernel = profile(t, c.version, c.patches...) })
		oldG, newG := b.group(sched.RootGroup, "/old", 1024), b.group(sched.RootGroup, "/new", 1024)
		oldHog := b.spawn("old", engine.Spawn{Group: oldG}, hog)
		s := b.spawn("s", engine.Spawn{Group: oldG}, loop(run(100*us), sleep(20*ms)))
		b.until(3000 * ms)
		b.must(b.Kill(oldHog, "KILL"))
		b.spawn("new", engine.Spawn{Group: newG}, hog)
		for b.task(s).State != trace.Sleeping || b.ran(s) == 0 {
			b.until(b.Now() + 50*us)
		}
		moved := b.Now()
		b.must(b.Attach(s, newG))
		var first event.Time
		b.until(moved + 5000*ms)
		b.Log().Each(func(r *trace.Record) bool {
			if r.Kind == trace.KindSwitch && r.Time > moved && r.Other == s {
				first = r.Time - moved
			}
			return first == 0
		})
		what := fmt.Sprintf("%s, patches %v: moved while asleep, it runs again after %v", c.version, c.patches, first)
		if c.starves && (first < 2500*ms || first > 3200*ms) {
			t.Errorf("%s, want about 3 s, as long as the old group had run", what)
		}
		if !c.starves && (first == 0 || first > 30*ms) {
			t.Errorf("%s, want at once when its sleep of 20 ms ends", what)
		}
	}
}

// T29 the other way: from a young group to an old one a sleeper loses its
// credit and a slice in 2.6.36, but does not starve.
func TestT29Back(t *testing.T) {
	delay := func(version string) (first event.Time) {
		b := newBox(t, 1, func(cfg *engine.Config) { cfg.Kernel = profile(t, version) })
		oldG, newG := b.group(sched.RootGroup, "/old", 1024), b.group(sched.RootGroup, "/new", 1024)
		b.spawn("hog", engine.Spawn{Group: oldG}, hog)
		b.until(3000 * ms)
		s := b.spawn("s", engine.Spawn{Group: newG}, run(100*us), sleep(20*ms), loop(run(100*us), sleep(1000*ms)))
		for b.task(s).State != trace.Sleeping {
			b.until(b.Now() + 50*us)
		}
		b.until(b.Now() + 19900*us) // just before it wakes
		b.must(b.Attach(s, oldG))
		b.until(3100 * ms)
		b.Log().Each(func(r *trace.Record) bool {
			switch {
			case r.Kind == trace.KindWakeup && r.Task == s:
				first = -r.Time
			case r.Kind == trace.KindSwitch && r.Other == s && first < 0:
				first += r.Time
				return false
			}
			return true
		})
		return first
	}
	if d := delay("2.6.36"); d < 2*ms || d > 8*ms {
		t.Errorf("2.6.36: the sleeper waits %v after its wakeup, want about a slice", d)
	}
	for _, version := range []string{"2.6.38", "3.3"} {
		if d := delay(version); d > ms {
			t.Errorf("%s: the sleeper waits %v after its wakeup, want no longer than to the next tick", version, d)
		}
	}
}

// A yield up to 2.6.38 leaves the choice to virtual time, but for BATCH tasks,
// which move behind everyone; later the yielder is passed over if the next is
// within the wakeup granularity of 1 ms.
func TestYieldByVersion(t *testing.T) {
	for _, c := range []struct {
		version string
		policy  sched.Policy
		ahead   event.Time // of the other task when the yielder yields at 0.5 ms of its own
		yields  bool
	}{
		{"2.6.36", sched.Normal, 900 * us, false},
		{"2.6.38", sched.Normal, 900 * us, false},
		{"3.3", sched.Normal, 900 * us, true},
		{"3.3", sched.Normal, 400 * us, true},
		{"2.6.36", sched.Normal, 400 * us, true},
		{"3.3", sched.Normal, 1500 * us, true},
		{"3.3", sched.Normal, 1500*us + 1, false},
		{"3.3", sched.Batch, 1500*us + 1, false},
		{"2.6.36", sched.Batch, 2500 * us, true},
		{"2.6.38", sched.Batch, 2500 * us, true},
	} {
		k, err := profile(t, c.version).With(nil, []string{"NO_START_DEBIT"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		b := newBox(t, 1, func(cfg *engine.Config) { cfg.Kernel, cfg.HZ = k, 100 })
		b.spawn("h", engine.Spawn{}, run(c.ahead), sleep(10*us), hog)
		b.spawn("y", engine.Spawn{Policy: c.policy}, run(500*us), workload.Yield{}, hog)
		b.until(c.ahead + 600*us)
		want := fmt.Sprintf("0s h, %v y", c.ahead)
		if c.yields {
			want += fmt.Sprintf(", %v h", c.ahead+500*us)
		}
		if got := b.switches(0, 0); got != want {
			t.Errorf("%s, %v, the other %v ahead:\n got %s\nwant %s", c.version, c.policy, c.ahead-500*us, got, want)
		}
	}
}

// A change of nice asks for a reschedule if the value went down, even of a task
// that only waits, and if it went up while the task runs. There is no test of
// virtual times: the leftmost runs next.
func TestNiceReschedules(t *testing.T) {
	for _, version := range []string{"2.6.36", "2.6.38", "3.3"} {
		for _, c := range []struct {
			who  string // runs or waits
			nice int
			want string
		}{
			{"runs", 5, "0s runs, 1.5ms waits"},
			{"runs", -5, "0s runs, 1.5ms waits"},
			{"runs", 0, "0s runs"},
			{"waits", -5, "0s runs, 1.5ms waits"},
			{"waits", 5, "0s runs"},
		} {
			k, err := profile(t, version).With(nil, []string{"NO_START_DEBIT"}, nil)
			if err != nil {
				t.Fatal(err)
			}
			b := newBox(t, 1, func(cfg *engine.Config) { cfg.Kernel, cfg.HZ = k, 100 })
			pids := map[string]int32{}
			for _, comm := range []string{"runs", "waits"} {
				pids[comm] = b.spawn(comm, engine.Spawn{}, hog)
			}
			b.at(1500*us, func() { b.must(b.SetNice(pids[c.who], c.nice)) })
			b.until(2 * ms)
			if got := b.switches(0, 0); got != c.want {
				t.Errorf("%s: the one that %s gets nice %d:\n got %s\nwant %s", version, c.who, c.nice, got, c.want)
			}
		}
	}
}
