package engine_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"schedrepl/engine"
	"schedrepl/engine/metrics"
	"schedrepl/engine/sched"
	"schedrepl/engine/trace"
	"schedrepl/engine/workload"
)

var (
	oneSeed  = flag.Uint64("seed", 0, "run the random tests with this seed only")
	numSeeds = flag.Int("seeds", 0, "run each random test with that many seeds")
)

// seeds calls f for the seeds of a random test, or for the one that -seed
// gives.
func seeds(t *testing.T, n int, f func(t *testing.T, seed uint64)) {
	t.Helper()
	if *oneSeed != 0 {
		f(t, *oneSeed)
		return
	}
	if *numSeeds > 0 {
		n = *numSeeds
	}
	for seed := uint64(1); seed <= uint64(n) && !t.Failed(); seed++ {
		f(t, seed)
	}
}

// A tick that cannot matter is not simulated. Whether all ticks are or only
// those that matter, the records are the same to the byte, and so are the
// machines afterwards.
func TestSkippedTicks(t *testing.T) {
	seeds(t, 1000, func(t *testing.T, seed uint64) {
		s := randomScenario(seed)
		if why := tickModesDiffer(s); why != "" {
			kind, _, _ := strings.Cut(why, " ")
			small := shrink(s, 6000, func(c *scenario) bool { return strings.HasPrefix(tickModesDiffer(c), kind) })
			t.Errorf("seed %d (replay: go test ./engine -run TestSkippedTicks -seed %d)\n%s\nshrunk to:\n%v\n%s",
				seed, seed, why, small, tickModesDiffer(small))
		}
	})
}

// bothModes sets up and runs a machine with and without skipping, and fails if
// they differ.
func bothModes(t *testing.T, cpus int, setUp func(b *box)) {
	t.Helper()
	var b [2]*box
	for i := range b {
		b[i] = newBox(t, cpus, func(c *engine.Config) { c.AllTicks = i == 1 })
		setUp(b[i])
	}
	if d := firstDifference(b[0].Machine, b[1].Machine); d != "" {
		t.Errorf("skipping against all ticks: %s", d)
	}
}

// A CPU whose turn at an instant is over has had the tick of that instant,
// even if a CPU with a lower number gets another turn and wakes a task there.
func TestSkippedTickIsOver(t *testing.T) {
	bothModes(t, 3, func(b *box) {
		back, there := b.sem(), b.sem()
		b.spawn("poster", on(2), run(20*ms), workload.SemPost{Obj: back})
		b.spawn("relay", on(0), workload.SemWait{Obj: back}, workload.SemPost{Obj: there})
		b.spawn("hog", on(1), hog)
		s := on(1)
		s.Policy = sched.Batch // so that it does not preempt by waking
		b.spawn("w", s, workload.SemWait{Obj: there}, run(ms))
		b.until(30 * ms)
		if got, want := b.switches(1, 10*ms), "21ms w, 22ms hog"; got != want {
			t.Errorf("the wakee waits for the next tick:\n got %s\nwant %s", got, want)
		}
	})
}

// A timer that is armed for another CPU, before the tick of the instant there,
// precedes each later tick that it meets.
func TestSkippedTickKeepsOrder(t *testing.T) {
	bothModes(t, 2, func(b *box) {
		b.spawn("hog", on(1), hog)
		b.spawn("hog", on(1), hog)
		b.at(20*ms, func() { b.must(b.Interrupts(1, "net", fixed(ms), fixed(10*us))) })
		b.until(40 * ms)
	})
}

// tickModesDiffer runs a scenario with and without skipping and says in what
// the two differ.
func tickModesDiffer(s *scenario) (why string) {
	defer func() {
		if r := recover(); r != nil {
			why = fmt.Sprintf("panic: %v", r)
		}
	}()
	var w [2]*world
	var errs [2]error
	for i := range w {
		var err error
		if w[i], err = s.start(func(c *engine.Config) { c.AllTicks = i == 1 }); err != nil {
			return err.Error()
		}
		errs[i] = w[i].run()
	}
	a, b := w[0], w[1]
	if d := firstDifference(a.m, b.m); d != "" {
		return "records, skipping against all ticks: " + d
	}
	if fmt.Sprint(errs[0]) != fmt.Sprint(errs[1]) {
		return fmt.Sprintf("errors, skipping against all ticks:\n%v\n%v", errs[0], errs[1])
	}
	// A control may have made a session before the program does.
	if errs[0] != nil && !strings.Contains(errs[0].Error(), "setsid: EPERM") {
		return "run: " + errs[0].Error()
	}
	if x, y := strings.Join(a.answers, "\n"), strings.Join(b.answers, "\n"); x != y {
		return fmt.Sprintf("answers, skipping against all ticks:\n%s\n\n%s", x, y)
	}
	for pid := int32(2); pid <= a.m.Core().MaxPID(); pid++ {
		if x, y := account(a.m, pid), account(b.m, pid); x != y {
			return fmt.Sprintf("task %d at the end, skipping against all ticks:\n%s\n%s", pid, x, y)
		}
	}
	if x, y := queues(a.m, s.cpus), queues(b.m, s.cpus); x != y {
		return fmt.Sprintf("queues at the end, skipping against all ticks:\n%s\n%s", x, y)
	}
	for _, w := range w {
		if err := w.m.Check(); err != nil {
			return err.Error()
		}
	}
	if err := metrics.Invariants(a.m.Log(), s.cpus, a.m.Now()); err != nil {
		return err.Error()
	}
	return ""
}

// queues is what a machine's run queues of the fair class are, as a text.
func queues(m *engine.Machine, cpus int) string {
	var b strings.Builder
	for g := range sched.GroupID(m.Core().NumGroups()) {
		if _, ok := m.Core().Group(g); !ok {
			continue
		}
		for cpu := range cpus {
			fmt.Fprintf(&b, "group %d CPU %d: min %d weight %d; ", g, cpu, m.Fair().MinVruntime(g, cpu), m.Fair().GroupWeight(g, cpu))
		}
	}
	return b.String()
}

// account is what a task's numbers are, as a text.
func account(m *engine.Machine, pid int32) string {
	core := m.Core()
	id := core.Find(pid)
	if id < 0 {
		return "gone"
	}
	tk := core.Tasks[id]
	return fmt.Sprintf("%c on CPU %d ran %d waited %d virtual %d switches %d %d migrations %d",
		tk.State, tk.CPU, core.Runtime(id), tk.RunDelay, core.Virtual(id), tk.NVCSw, tk.NIVCSw, tk.Migrations)
}

// records returns the records that a machine keeps, as text, one a line.
func records(m *engine.Machine) []string {
	var b strings.Builder
	text := trace.NewText(&b, names{m})
	m.Log().Each(func(r *trace.Record) bool { text.Record(r); return true })
	_ = text.Flush() // a Builder does not fail
	return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
}

// names gives a machine's names to the text form of its trace.
type names struct{ m *engine.Machine }

func (n names) Comm(pid int32) string   { return n.m.Core().Comm(pid) }
func (n names) Group(id int32) string   { return fmt.Sprint(id) }
func (n names) Name(index int32) string { return n.m.Core().Name(index) }

// firstDifference compares the records of two machines; it returns "" if they
// are equal, digest included.
func firstDifference(a, b *engine.Machine) string {
	if a.Digest() == b.Digest() {
		return ""
	}
	x, y := records(a), records(b)
	for i := range max(len(x), len(y)) {
		p, q := "(end)", "(end)"
		if i < len(x) {
			p = x[i]
		}
		if i < len(y) {
			q = y[i]
		}
		if p != q {
			from := max(0, i-6)
			return fmt.Sprintf("record %d differs\n  %s\nbefore it:\n    %s", i, p+"\n  "+q, strings.Join(x[from:min(i, len(x))], "\n    "))
		}
	}
	return fmt.Sprintf("digests %s and %s differ, the texts do not", a.Digest(), b.Digest())
}
