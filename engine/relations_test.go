package engine_test

import (
	"fmt"
	"io"
	"testing"

	"schedrepl/engine"
	"schedrepl/engine/cost"
	"schedrepl/engine/event"
	"schedrepl/engine/sched"
	"schedrepl/engine/trace"
	"schedrepl/engine/workload"
)

// fromInside makes all ops of a scenario come from controls, so that runs can
// be cut anywhere, and drops what would end the run with an error.
func fromInside(seed uint64) *scenario {
	s := randomScenario(seed)
	for i := range s.ops {
		s.ops[i].between = false
	}
	return s
}

// One long run is the same as many short ones, wherever they are cut.
func TestRunInPieces(t *testing.T) {
	seeds(t, 150, func(t *testing.T, seed uint64) {
		s := fromInside(seed)
		whole, err := s.start(nil)
		if err != nil {
			t.Fatal(err)
		}
		wholeErr := whole.run()
		for _, allTicks := range []bool{false, true} {
			parts, err := s.start(func(c *engine.Config) { c.AllTicks = allTicks })
			if err != nil {
				t.Fatal(err)
			}
			d := newDraws(seed + 1)
			err = nil
			for now := event.Time(0); now < s.end && err == nil; {
				now += s.end / 10
				if d.chance(50) { // at a tick
					period := event.Time(1e9 / int64(s.cfg.HZ))
					now = (now/period + 1) * period
				}
				now = min(now, s.end)
				err = parts.m.RunUntil(now)
			}
			if fmt.Sprint(err) != fmt.Sprint(wholeErr) {
				t.Fatalf("seed %d, all ticks %v: errors %v in one run, %v in pieces", seed, allTicks, wholeErr, err)
			}
			if diff := firstDifference(whole.m, parts.m); diff != "" {
				t.Fatalf("seed %d, all ticks %v: one run against ten: %s", seed, allTicks, diff)
			}
			if x, y := queues(whole.m, s.cpus), queues(parts.m, s.cpus); x != y {
				t.Fatalf("seed %d, all ticks %v: one run against ten:\n%s\n%s", seed, allTicks, x, y)
			}
		}
	})
}

// Whoever watches changes nothing: with a log or without, with more sinks,
// callbacks and a poll function.
func TestObserversChangeNothing(t *testing.T) {
	seeds(t, 60, func(t *testing.T, seed uint64) {
		s := randomScenario(seed)
		digest := func(watched bool) string {
			w, err := s.start(func(c *engine.Config) {
				if !watched {
					c.LogLimit = -1
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			told := 0
			if watched {
				w.m.AddSink(trace.NewText(io.Discard, names{w.m}))
				w.m.SetPoll(func() error { told++; return nil })
				for _, k := range []trace.Kind{trace.KindSwitch, trace.KindWakeup, trace.KindResched} {
					w.m.On(k, func(trace.Record) error { told++; return nil })
				}
			} else if w.m.Log() != nil {
				t.Fatal("a machine without a log has one")
			}
			err = w.run()
			if watched && told == 0 {
				t.Fatal("nobody was told anything")
			}
			return fmt.Sprint(w.m.Digest(), err)
		}
		if a, b := digest(true), digest(false); a != b {
			t.Fatalf("seed %d: %s when watched, %s when not", seed, a, b)
		}
	})
}

// Only ratios of shares count, as far as slices decide: doubling all of them
// gives the same schedule. (The tick's other test compares virtual with real
// time, and so knows the size of a weight; with it only the ratios of what the
// groups get stay.)
func TestSharesScaled(t *testing.T) {
	for _, version := range []string{"2.6.36", "2.6.38", "3.3"} {
		for _, shares := range [][]int64{{1024, 1024}, {1024, 1024, 1024}, {5003, 3001}, {9001, 4099, 2053}} {
			schedule := func(factor int64) string {
				b := newBox(t, 1, func(c *engine.Config) { c.Kernel, c.HZ = profile(t, version), 250 })
				for i, n := range shares {
					g := b.group(sched.RootGroup, fmt.Sprintf("/g%d", i), n*factor)
					inner := b.group(g, "/inner", 1024)
					b.spawn(fmt.Sprintf("hog%d", i), engine.Spawn{Group: inner}, hog)
				}
				b.until(250 * ms) // roundings add up in time
				if n := b.count(trace.KindResched, trace.BehindLeft); n > 0 {
					t.Errorf("%s, shares %v times %d: the other test decided %d times", version, shares, factor, n)
				}
				return b.switches(0, 0)
			}
			want := schedule(1)
			for _, factor := range []int64{2, 4, 8} {
				if got := schedule(factor); got != want {
					t.Errorf("%s, shares %v times %d:\n got %.300s\nwant %.300s", version, shares, factor, got, want)
				}
			}
		}
	}
}

// randomTask is a task whose every step draws.
func randomTask(b *box, comm string, s engine.Spawn) int32 {
	b.t.Helper()
	return b.spawn(comm, s, loop(
		workload.Run{For: workload.Exponential(500_000)},
		workload.Sleep{For: workload.Uniform(0, 2_000_000)},
		workload.Fork{Prog: compile([]workload.Step{workload.Run{For: workload.Exponential(50_000)}}), Comm: comm + "-child"},
		workload.WaitAll{},
	))
}

// A task's draws are its own: they depend on the seed, its name and which one
// of that name it is, and not on who else there is.
func TestDrawsStay(t *testing.T) {
	type setUp struct {
		comm, neighbour string
		seed            uint64
	}
	schedule := func(s setUp) string {
		b := newBox(t, 2, func(c *engine.Config) {
			c.Seed, c.Costs, c.HZ = s.seed, cost.Default(), 250
			c.Costs.Fork = 0 // CPU 0 forks them all
		})
		if s.neighbour != "" {
			randomTask(b, s.neighbour, on(1))
		}
		b.until(10 * ms)
		randomTask(b, s.comm, on(0))
		if s.neighbour != "" {
			randomTask(b, s.neighbour, on(1))
		}
		b.until(200 * ms)
		return b.switches(0, 10*ms)
	}
	want := schedule(setUp{"a", "", 1})
	for _, c := range []struct {
		name string
		setUp
		same bool
	}{
		{"again", setUp{"a", "", 1}, true},
		{"with neighbours on another CPU", setUp{"a", "b", 1}, true},
		{"with neighbours of the same name before it", setUp{"a", "a", 1}, false},
		{"under another name", setUp{"c", "", 1}, false},
		{"with another seed", setUp{"a", "", 2}, false},
	} {
		if got := schedule(c.setUp); (got == want) != c.same {
			t.Errorf("%s: same schedule %v, want %v:\n%s\n%s", c.name, got == want, c.same, got, want)
		}
	}
}

// A name has no influence but through the draws: where nothing is drawn,
// renaming all tasks gives the same records.
func TestNamesChangeNothing(t *testing.T) {
	digest := func(prefix string) string {
		b := newBox(t, 2, nil)
		for i := range 4 {
			b.spawn(fmt.Sprint(prefix, i), engine.Spawn{Nice: i}, loop(run(event.Time(i+1)*300*us), sleep(ms), fork(prefix, run(50*us)), workload.Wait{}))
		}
		b.until(200 * ms)
		return b.Digest()
	}
	if a, b := digest("a"), digest("zz"); a != b {
		t.Errorf("digests %s and %s", a, b)
	}
}

// The number of a CPU has no influence on what happens there: tasks that are
// pinned find the same schedule when the CPUs change places.
func TestCPUsRenamed(t *testing.T) {
	const cpus = 5
	var want [cpus]string
	for turn := range cpus - 1 {
		b := newBox(t, cpus, func(c *engine.Config) { c.Costs = cost.Default() })
		place := func(i int) int { return 1 + (i+turn)%(cpus-1) } // CPU 0 forks, and is left alone
		for i := range 3 * (cpus - 1) {
			s := on(place(i % (cpus - 1)))
			s.Nice = i - 5
			b.spawn(fmt.Sprint("t", i), s, loop(run(event.Time(i+1)*200*us), sleep(event.Time(20-i)*150*us)))
		}
		b.until(100 * ms)
		for i := range cpus - 1 {
			got := b.switches(place(i), 0)
			if turn == 0 {
				want[i] = got
			} else if got != want[i] {
				t.Errorf("turned by %d: CPU %d:\n got %s\nwant %s", turn, place(i), got, want[i])
			}
		}
	}
}
