package bench

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"schedrepl/engine/event"
	"schedrepl/engine/sched"
)

// start builds a case or ends the test.
func start(t *testing.T, c *Case, s Setup) *Run {
	t.Helper()
	r, err := c.Start(s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// find returns the case with an id.
func find(t *testing.T, id string) *Case {
	t.Helper()
	for _, c := range Cases() {
		if c.ID() == id {
			return &c
		}
	}
	t.Fatalf("there is no case %s", id)
	return nil
}

// step runs a stretch or ends the test.
func step(t *testing.T, r *Run) Counts {
	t.Helper()
	before := r.Counts()
	if err := r.Step(); err != nil {
		t.Fatal(err)
	}
	return r.Counts().Sub(before)
}

// TestNames: cases can be told apart, say what they are, and are those that the
// goals speak of.
func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Cases() {
		if seen[c.ID()] {
			t.Errorf("%s is there twice", c.ID())
		}
		seen[c.ID()] = true
		if c.Doc == "" || strings.Contains(c.Doc, "\n") || strings.ContainsAny(c.Name, " ,") {
			t.Errorf("%s: name or doc %q will not do", c.ID(), c.Doc)
		}
		if (c.Sims > 0) != (c.Jobs > 0) || (c.Step > 0) == (c.Sims > 0) || c.Warm <= 0 {
			t.Errorf("%s: warm %v, step %v, sims %d, jobs %d", c.ID(), c.Warm, c.Step, c.Sims, c.Jobs)
		}
	}
	for _, c := range Curves() {
		if !seen[c.Of] || !seen[c.Over] || c.Of == c.Over {
			t.Errorf("curve %s: %s over %s", c.Name, c.Of, c.Over)
		}
	}
	for _, p := range SameDigest() {
		if !seen[p[0]] || !seen[p[1]] || p[0] == p[1] {
			t.Errorf("same digest: %s and %s", p[0], p[1])
		}
	}
}

// TestSame: a case decides the same each time that it is built, and whether all
// ticks are simulated or only those that matter. The case with the most tasks is
// left to those that are like it.
func TestSame(t *testing.T) {
	for _, c := range Cases() {
		if c.Tasks >= 100_000 || c.Jobs > 1 {
			continue
		}
		if c.Warm /= 4; c.Tasks >= 10_000 {
			c.Warm = 120 * time.Millisecond // not all have come round, but many
		}
		var digests [2]string
		for i := range digests {
			r := start(t, &c, Setup{AllTicks: i == 1})
			if got := int(r.m.Core().MaxPID()) - 1; got < c.Tasks {
				t.Errorf("%s has %d tasks", c.ID(), got)
			}
			var err error
			if digests[i], err = r.Warm(); err != nil {
				t.Fatal(err)
			}
			if err := r.m.Check(); err != nil {
				t.Errorf("%s: %v", c.ID(), err)
			}
		}
		if digests[0] != digests[1] {
			t.Errorf("%s: digest %s, and with all ticks %s", c.ID(), digests[0], digests[1])
		}
	}
}

// TestStretches: a stretch has as many switches as the suite says, unless
// nothing is to happen; then there are no events either.
func TestStretches(t *testing.T) {
	for _, c := range Cases() {
		if c.Sims > 0 || c.Tasks >= 10_000 {
			continue
		}
		r := start(t, &c, Setup{})
		if _, err := r.Warm(); err != nil {
			t.Fatal(err)
		}
		n := step(t, r)
		switch {
		case c.Goal.NoEvents:
			if n.Events+n.Switches+n.Records > 0 {
				t.Errorf("%s: %+v in a stretch, want nothing", c.ID(), n)
			}
		case n.Switches < 500 || n.Switches > 25_000:
			t.Errorf("%s: %d switches in a stretch", c.ID(), n.Switches)
		}
	}
}

// TestSeeds: the machines of a sweep are not all the same.
func TestSeeds(t *testing.T) {
	c := find(t, "sweep/j1 cpus=16 tasks=640")
	seen := map[string]bool{}
	for seed := uint64(1); seed <= 3; seed++ {
		digest, err := start(t, c, Setup{Seed: seed}).Warm()
		if err != nil || seen[digest] {
			t.Errorf("seed %d: digest %s, error %v", seed, digest, err)
		}
		seen[digest] = true
	}
}

// TestPeriodicLoad: the periodic tasks use 80 % of the machine.
func TestPeriodicLoad(t *testing.T) {
	c := find(t, "periodic/2560 cpus=64 tasks=2560")
	r := start(t, c, Setup{})
	used := func() (sum event.Time) {
		core := r.m.Core()
		for i := range core.Tasks {
			if core.Tasks[i].PID != 0 {
				sum += core.Runtime(sched.TaskID(i))
			}
		}
		return sum
	}
	if _, err := r.Warm(); err != nil {
		t.Fatal(err)
	}
	before, span := used(), 400*time.Millisecond
	if err := r.m.RunUntil(r.m.Now().Add(span)); err != nil {
		t.Fatal(err)
	}
	if load := float64(used()-before) / float64(span) / float64(c.CPUs); load < 0.78 || load > 0.82 {
		t.Errorf("the load is %.3f", load)
	}
}

// TestForks: the warm-up of the fork storm is a hundred thousand forks.
func TestForks(t *testing.T) {
	c := find(t, "forkstorm cpus=64 tasks=64")
	r := start(t, c, Setup{})
	if _, err := r.Warm(); err != nil {
		t.Fatal(err)
	}
	if n := r.m.Core().MaxPID(); n < 100_000 || n > 110_000 {
		t.Errorf("%d process ids are used", n)
	}
}

// TestGroupTree: the groups of cgroup-deep are four levels deep, and tasks sit
// only where there are no groups below.
func TestGroupTree(t *testing.T) {
	m, err := build(1, -1, func(b *builder) {
		leaves := groupTree(1000)(b)
		for _, g := range leaves {
			depth := 0
			for ; g != sched.RootGroup; depth++ {
				group, ok := b.m.Core().Group(g)
				if !ok {
					t.Fatalf("group %d is none", g)
				}
				g = group.Parent
			}
			if depth < 3 || depth > 4 {
				t.Errorf("a group with tasks lies at depth %d", depth)
			}
		}
		if len(leaves) < 742 || len(leaves) > 1000 {
			t.Errorf("%d groups have tasks", len(leaves))
		}
	})
	if err != nil || m == nil {
		t.Fatal(err)
	}
}

// heap is the live heap.
func heap(keepAlive any) float64 {
	runtime.GC()
	var ms runtime.MemStats
	runtime.ReadMemStats(&ms)
	runtime.KeepAlive(keepAlive)
	return float64(ms.HeapAlloc)
}

// TestMemory: 1,024 CPUs and 100,000 tasks fit into 64 MB of live heap, trace
// records aside.
func TestMemory(t *testing.T) {
	before := heap(nil)
	r := start(t, find(t, "periodic/1e5 cpus=1024 tasks=100000"), Setup{})
	used := heap(r) - before - float64(r.Counts().Kept)*float64(RecordBytes)
	t.Logf("%.1f MB", used/1e6)
	if used > 64e6 {
		t.Errorf("%.1f MB of live heap", used/1e6)
	}
}

// TestNoGrowth: a machine that runs on needs no more memory.
func TestNoGrowth(t *testing.T) {
	for _, id := range []string{
		"hogs/4perCPU cpus=64 tasks=256", "pipe cpus=64 tasks=128", "periodic/2560 cpus=64 tasks=2560",
	} {
		c := find(t, id)
		r := start(t, c, Setup{})
		if _, err := r.Warm(); err != nil {
			t.Fatal(err)
		}
		before := heap(r)
		for range 2 {
			step(t, r)
		}
		if after := heap(r); after > before+16<<10 {
			t.Errorf("%s: %.0f bytes of live heap, then %.0f", id, before, after)
		}
	}
}
