package workload

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"pgregory.net/rapid"

	"schedrepl/engine/event"
	"schedrepl/engine/rng"
)

func start(t testing.TB, it *Interp, slot int32, steps ...Step) {
	t.Helper()
	if err := it.Start(slot, mustCompile(t, steps...), rng.Seed(1).Numbered(uint64(slot))); err != nil {
		t.Fatal(err)
	}
}

// next returns the next action of a task, told over the remains of another.
func next(it *Interp, slot int32, now event.Time) Action {
	a := Action{MightSleep: true, Kernel: true, Task: 77, N: 77, D: 77, Until: 77, Since: 77, Resched: 77}
	it.Next(slot, now, &a)
	return a
}

func TestMightSleep(t *testing.T) {
	var it Interp
	start(t, &it, 0, Run{For: Constant(ms), Kernel: true, Resched: us, MightSleep: true}, Run{For: Constant(ms), Kernel: true, Resched: us})
	for _, want := range []bool{true, false} {
		if a := next(&it, 0, 0); a.MightSleep != want {
			t.Errorf("%v: MightSleep is %v, want %v", a, a.MightSleep, want)
		}
	}
}

// follow returns the next n actions of a task that is alone: time passes by what it
// runs and sleeps, and nothing else.
func follow(it *Interp, slot int32, now event.Time, n int) (text []string) {
	for range n {
		a := next(it, slot, now)
		text = append(text, a.String())
		switch a.Op {
		case OpRun:
			now = later(now, a.D)
		case OpSleepUntil:
			now = a.Until
		}
	}
	return text
}

func TestNext(t *testing.T) {
	child := mustCompile(t)
	run := func(d time.Duration) Step { return Run{For: Constant(d)} }
	for _, tt := range []struct {
		name  string
		steps []Step
		want  string
	}{
		{"nothing", nil, "exit 0; exit 0"},
		{"to the end", []Step{run(ms), Sleep{Constant(2 * ms)}, Run{For: Constant(us), Kernel: true, Resched: 100}},
			"run 1ms; sleep_until 13ms; run 1us in the kernel, cond_resched every 100ns; exit 0; exit 0"},
		{"exit stays", []Step{Exit{3}}, "exit 3; exit 3"},
		{"for ever", []Step{RunForever{}}, "run forever"},
		{"loop", []Step{Yield{}, Loop{[]Step{run(1), run(2)}}}, "yield; run 1ns; run 2ns; run 1ns; run 2ns; run 1ns"},
		{"repeats in repeats", []Step{Repeat{Count(2), []Step{run(1), Repeat{Count(3), []Step{run(2)}}, Repeat{Count(0), []Step{run(9)}}}}},
			"run 1ns; run 2ns; run 2ns; run 2ns; run 1ns; run 2ns; run 2ns; run 2ns; exit 0"},
		{"sure choice", []Step{Choose{[]float64{0, 1, 0}, [][]Step{{run(1)}, {run(2)}, {run(3)}}}, run(4)}, "run 2ns; run 4ns; exit 0"},
		{"empty choice", []Step{Choose{[]float64{0, 1, 0}, [][]Step{{run(1)}, {}, {run(3)}}}, run(4)}, "run 4ns; exit 0"},
		{"system calls", []Step{Setsid{}, Nice{-3}, Wait{}, WaitAll{}, Yield{}, Call{7}}, "setsid; nice -3; wait; wait_all; yield; call 7; exit 0"},
		{"forks", []Step{Fork{Prog: child, Comm: "a"}, Fork{Prog: child, Comm: "b", Count: Count(2)}}, `fork "a"; fork "b"; fork "b"; exit 0`},
		{"own steps", []Step{Do{Op: OpUser + 1, D: Constant(ms), N: 9}}, "op65 9, 1ms; exit 0"},
		// Started at 10 ms; the first period is counted from the first step, not from
		// the timer.
		{"timer", []Step{run(3 * ms), Timer{10 * ms}, run(1 * ms), Timer{10 * ms}, Timer{5 * ms}},
			"run 3ms; sleep_until 20ms; run 1ms; sleep_until 30ms; sleep_until 35ms; exit 0"},
		{"timer first", []Step{Timer{10 * ms}, run(3 * ms), Timer{10 * ms}}, "sleep_until 20ms; run 3ms; sleep_until 30ms; exit 0"},
		{"timer at its release", []Step{run(10 * ms), Timer{10 * ms}, run(1), Timer{10 * ms}}, "run 10ms; run 1ns; sleep_until 30ms; exit 0"},
		{"timer missed", []Step{run(15 * ms), Loop{[]Step{Timer{10 * ms}, run(1 * ms)}}},
			"run 15ms; run 1ms; sleep_until 30ms; run 1ms; sleep_until 40ms"},
		{"timers caught up", []Step{run(35 * ms), Loop{[]Step{Timer{10 * ms}, run(1 * ms)}}},
			"run 35ms; run 1ms; run 1ms; run 1ms; sleep_until 50ms"},
		{"span", []Step{Begin{Name: "a"}, run(ms), Begin{Name: "b"}, run(ms), End{"a"}, End{"b"}, End{"a"}},
			"begin 0 since 10ms; run 1ms; begin 1 since 11ms; run 1ms; end 0 since 10ms, 2ms; end 1 since 11ms, 1ms; end_unmatched 0; exit 0"},
		{"unmatched", []Step{End{"a"}}, "end_unmatched 0; exit 0"},
		{"span begun anew", []Step{Begin{Name: "a"}, run(ms), Begin{Name: "a"}, run(ms), End{"a"}, End{"a"}},
			"begin 0 since 10ms; run 1ms; begin 0 since 11ms; run 1ms; end 0 since 11ms, 1ms; end_unmatched 0; exit 0"},
		{"span at release", []Step{Begin{Name: "a", AtRelease: true}, run(25 * ms), Timer{10 * ms}, Begin{Name: "a", AtRelease: true}, End{"a"}},
			"begin 0 since 10ms; run 25ms; begin 0 since 20ms; end 0 since 20ms, 15ms; exit 0"},
		{"span at a sleep's end", []Step{Sleep{Constant(5 * ms)}, run(ms), Begin{Name: "a", AtRelease: true}},
			"sleep_until 15ms; run 1ms; begin 0 since 15ms; exit 0"},
		{"loops on the spot", []Step{Loop{[]Step{Run{For: Constant(1)}, Repeat{Count(MaxJumps), []Step{Choose{nil, [][]Step{{}}}}}}}},
			"run 1ns; runaway; runaway"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var it Interp
			start(t, &it, 0, tt.steps...)
			n := strings.Count(tt.want, ";") + 1
			if got := strings.Join(follow(&it, 0, event.Time(10*ms), n), "; "); got != tt.want {
				t.Errorf("\n got %s\nwant %s", got, tt.want)
			}
		})
	}
}

// TestFarFuture shows that sums beyond the last instant stay there.
func TestFarFuture(t *testing.T) {
	var it Interp
	start(t, &it, 0, Sleep{Constant(MaxDraw)}, Timer{MaxDraw}, Timer{MaxDraw})
	for i := range 3 {
		if a := next(&it, 0, MaxDraw); a.Op != OpSleepUntil || a.Until != event.Never {
			t.Errorf("action %d: %v, want a sleep until never", i, a)
		}
	}
}

func TestMissed(t *testing.T) {
	var it Interp
	start(t, &it, 0, Run{For: Constant(20 * ms)}, Timer{10 * ms}, Timer{10 * ms}, Timer{10 * ms}, Yield{})
	follow(&it, 0, 0, 3)
	// Releases were 10 (missed), 20 (just met) and 30 ms.
	if got := it.Missed(0); got != 1 {
		t.Errorf("%d releases missed, want 1", got)
	}
}

func TestChooseWeights(t *testing.T) {
	var it Interp
	weights := []float64{1, 0, 5, 4}
	bodies := make([][]Step, len(weights))
	for i := range bodies {
		bodies[i] = []Step{Nice{int32(i)}}
	}
	start(t, &it, 0, Loop{[]Step{Choose{weights, bodies}}})
	const n = 50_000
	seen := make([]float64, len(weights))
	for range n {
		seen[next(&it, 0, 0).N]++
	}
	for i, w := range weights {
		// Four standard deviations of a binomial number are below 450.
		if want := w / 10 * n; seen[i] < want-450 || seen[i] > want+450 || w == 0 && seen[i] > 0 {
			t.Errorf("branch %d came %.0f times, want about %.0f", i, seen[i], want)
		}
	}
}

// TestOwnStreams shows that a task draws the same whatever others do, and that what
// it draws depends on its seed.
func TestOwnStreams(t *testing.T) {
	p := mustCompile(t, Loop{[]Step{Run{For: Exponential(ms)}}})
	alone := func(seed rng.Seed) string {
		var it Interp
		it.Start(0, p, seed)
		return fmt.Sprint(follow(&it, 0, 0, 5))
	}
	var it Interp
	it.Start(3, p, 7)
	it.Start(1, p, 8)
	var got []string
	for range 5 {
		follow(&it, 1, 0, 3)
		got = append(got, follow(&it, 3, 0, 1)...)
	}
	if fmt.Sprint(got) != alone(7) {
		t.Errorf("draws %s beside another task, %s alone", got, alone(7))
	}
	if alone(7) == alone(8) {
		t.Errorf("seeds 7 and 8 draw alike: %s", alone(7))
	}
}

func TestInherit(t *testing.T) {
	var it Interp
	start(t, &it, 0, Begin{Name: "job"}, Yield{}, End{"job"})
	follow(&it, 0, 100, 2)
	start(t, &it, 1, End{"job"}, End{"job"})
	it.Inherit(1, 0)
	if got, want := fmt.Sprint(follow(&it, 1, 150, 2)), "[end 0 since 100ns, 50ns end_unmatched 0]"; got != want {
		t.Errorf("child: %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(follow(&it, 0, 170, 1)), "[end 0 since 100ns, 70ns]"; got != want {
		t.Errorf("parent: %s, want %s", got, want)
	}
	if got := it.Names(); !slices.Equal(got, []string{"job"}) || it.Name(0) != "job" {
		t.Errorf("names %q", got)
	}
}

// TestSideReuse shows that nothing of a task is left to the one that gets its slot
// and memory.
func TestSideReuse(t *testing.T) {
	var it Interp
	for range 3 {
		start(t, &it, 0, Begin{Name: "a"}, Repeat{Count(9), []Step{Yield{}}})
		if got, want := fmt.Sprint(follow(&it, 0, 0, 3)), "[begin 0 since 0s yield yield]"; got != want {
			t.Fatalf("%s, want %s", got, want)
		}
		it.Stop(0)
		start(t, &it, 0, Repeat{Count(1), []Step{End{"a"}}})
		if got, want := fmt.Sprint(follow(&it, 0, 0, 2)), "[end_unmatched 0 exit 0]"; got != want {
			t.Fatalf("%s, want %s", got, want)
		}
		it.Stop(0)
	}
	if len(it.sides) != 2 {
		t.Errorf("%d sides were made, want 1 besides that for none", len(it.sides)-1)
	}
	if it.Running(0) || it.Running(9) || it.Running(-1) {
		t.Error("a free slot runs")
	}
}

func TestPush(t *testing.T) {
	var it Interp
	push := func(steps ...Step) {
		t.Helper()
		if err := it.Push(0, mustCompile(t, steps...)); err != nil {
			t.Fatal(err)
		}
	}
	expect := func(want ...string) {
		t.Helper()
		if got := follow(&it, 0, 0, len(want)); !slices.Equal(got, want) {
			t.Fatalf("got %q, want %q", got, want)
		}
	}
	start(t, &it, 0, Repeat{Count(2), []Step{Call{1}, Nice{1}}})
	expect("call 1")
	push() // Nothing: goes on.
	expect("nice 1", "call 1")
	push(Repeat{Count(2), []Step{Repeat{Count(2), []Step{Nice{2}}}, Call{2}}})
	expect("nice 2", "nice 2", "call 2")
	push(Repeat{Count(3), []Step{Nice{3}}})
	expect("nice 3", "nice 3", "nice 3", "nice 2", "nice 2", "call 2", "nice 1", "exit 0", "exit 0")
}

// TestPushTail shows that a script can go on for ever by a call as its last step, and
// that calls inside each other are bounded.
func TestPushTail(t *testing.T) {
	var it Interp
	start(t, &it, 0, Call{}, Nice{5})
	tail := mustCompile(t, Nice{1}, Call{})
	for range 1000 {
		next(&it, 0, 0)
		if err := it.Push(0, tail); err != nil {
			t.Fatal(err)
		}
		if a := next(&it, 0, 0); a.N != 1 {
			t.Fatalf("%v, want nice 1", a)
		}
	}
	if got := follow(&it, 0, 0, 3); got[1] != "nice 5" {
		t.Errorf("after the last call: %q, want nice 5", got)
	}
	it.Stop(0)
	start(t, &it, 0, Loop{[]Step{Call{}}})
	var err error
	depth := 0
	for ; err == nil && depth < 100; depth++ {
		next(&it, 0, 0)
		err = it.Push(0, mustCompile(t, Call{}, Nice{1}))
	}
	want := "call: 16 calls wait for each other already; let a call be the last of the steps that a call returns"
	if err == nil || err.Error() != want || depth != MaxNesting+1 {
		t.Errorf("push %d: error %v, want %s", depth, err, want)
	}
}

func TestObjectErrors(t *testing.T) {
	var it Interp
	child := mustCompile(t, SemPost{2})
	parent := mustCompile(t, Fork{Prog: child})
	err := it.Start(0, parent, 1)
	if want := "program: object 2 does not exist; this machine has none, make it there first"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	it.NewSem(0)
	it.NewSem(0)
	if err := it.Start(0, parent, 1); err == nil || !strings.HasSuffix(err.Error(), "this machine has 0-1") {
		t.Errorf("error %v", err)
	}
	it.NewSem(0)
	if err := it.Start(0, parent, 1); err != nil {
		t.Error(err)
	}
	if _, err := it.NewSem(-1); err == nil || err.Error() != "semaphore: count is -1; it must be 0 or more" {
		t.Errorf("error %v", err)
	}
}

func TestMisusePanics(t *testing.T) {
	for name, f := range map[string]func(it *Interp){
		"start twice":           func(it *Interp) { start(t, it, 0, Yield{}) },
		"next in a free slot":   func(it *Interp) { next(it, 1, 0) },
		"stop of a free slot":   func(it *Interp) { it.Stop(1) },
		"next while it waits":   func(it *Interp) { next(it, 0, 0); next(it, 0, 0) },
		"inherit from nobody":   func(it *Interp) { it.Inherit(0, 1) },
		"question about nobody": func(it *Interp) { it.Missed(1) },
	} {
		func() {
			var it Interp
			it.NewSem(0)
			it.Grow(2)
			start(t, &it, 0, SemWait{0})
			defer func() {
				if text, _ := recover().(string); !strings.HasPrefix(text, "sched: workload: ") {
					t.Errorf("%s: panic %q", name, text)
				}
			}()
			f(&it)
		}()
	}
}

func TestContextSize(t *testing.T) {
	if n := unsafe.Sizeof(context{}); n > 64 {
		t.Errorf("a task takes %d bytes, want at most 64", n)
	}
}

// genSteps draws a tree of steps without chance, and flatten unrolls it.
func genSteps(t *rapid.T, depth int, next *int32) []Step {
	var steps []Step
	for range rapid.IntRange(1, 4).Draw(t, "length") {
		kind := 0
		if depth > 0 {
			kind = rapid.IntRange(0, 3).Draw(t, "kind")
		}
		switch kind {
		case 2:
			n := rapid.Int64Range(0, 3).Draw(t, "count")
			steps = append(steps, Repeat{Count(n), genSteps(t, depth-1, next)})
		case 3:
			weights, bodies := make([]float64, 3), make([][]Step, 3)
			for i := range bodies {
				if rapid.Bool().Draw(t, "filled") {
					bodies[i] = genSteps(t, depth-1, next)
				}
			}
			weights[rapid.IntRange(0, 2).Draw(t, "which")] = 2
			steps = append(steps, Choose{weights, bodies})
		default:
			*next++
			steps = append(steps, Do{Op: OpUser, N: *next})
		}
	}
	return steps
}

func flatten(steps []Step) (ns []int32) {
	for _, s := range steps {
		switch s := s.(type) {
		case Repeat:
			n, _ := s.Count.Fixed()
			for range n {
				ns = append(ns, flatten(s.Body)...)
			}
		case Choose:
			ns = append(ns, flatten(s.Bodies[slices.Index(s.Weights, 2)])...)
		case Do:
			ns = append(ns, s.N)
		}
	}
	return ns
}

// TestCompiledAgainstTree compares the compiled code of random programs with what a
// walk over their trees gives.
func TestCompiledAgainstTree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var made int32
		steps := genSteps(t, 4, &made)
		p, err := Compile(steps)
		if err != nil {
			t.Fatal(err)
		}
		var it Interp
		it.Start(0, p, 1)
		for i, n := range flatten(steps) {
			if a := next(&it, 0, 0); a.Op != OpUser || a.N != n {
				t.Fatalf("action %d is %v, want %d\n%s", i, a, n, p)
			}
		}
		if a := next(&it, 0, 0); a.Op != OpExit {
			t.Fatalf("%v at the end, want exit\n%s", a, p)
		}
	})
}
