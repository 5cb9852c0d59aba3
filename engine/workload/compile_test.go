package workload

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func mustCompile(t testing.TB, steps ...Step) *Program {
	t.Helper()
	p, err := Compile(steps)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// nest wraps a step into n repeats.
func nest(n int, s Step) Step {
	for range n {
		s = Repeat{Count(2), []Step{s}}
	}
	return s
}

func TestCompileErrors(t *testing.T) {
	child := mustCompile(t)
	run := Run{For: Constant(ms)}
	for _, tt := range []struct {
		name  string
		steps []Step
		want  string
	}{
		{"the only step", []Step{Run{For: Constant(-5 * ms)}},
			"run: length: dist.constant: value is -5ms; it must be 0 or more"},
		{"one of several", []Step{run, Sleep{Normal(ms, -1)}},
			"[1].sleep: length: dist.normal: std is -1ns; it must be 0 or more"},
		{"deep down", []Step{Loop{[]Step{Repeat{Count(2), []Step{run, run, Run{For: Exponential(-1)}}}}}},
			"loop[0].repeat[2].run: length: dist.exponential: mean is -1ns; it must be 0 or more"},
		{"in a branch", []Step{run, Choose{nil, [][]Step{{}, {run, Nice{20}}}}},
			"[1].choose[1][1].nice: nice value is 20; it must be from -20 to 19"},
		{"after a branch", []Step{run, Choose{nil, [][]Step{{run}}}, Nice{-21}},
			"[2].nice: nice value is -21; it must be from -20 to 19"},
		{"no step", []Step{Loop{[]Step{run, nil}}}, "loop[1].nil: there is no step; give one"},
		{"empty loop", []Step{Loop{}}, "loop: the body is empty; put at least one step into it"},
		{"empty repeat", []Step{Loop{[]Step{Repeat{Count: Count(3)}}}},
			"loop[0].repeat: the body is empty; put at least one step into it"},
		{"no count", []Step{Repeat{Body: []Step{run}}},
			"repeat: there is no count; give how often to run the body"},
		{"negative count", []Step{Repeat{Count(-1), []Step{run}}},
			"repeat: count: dist.constant: value is -1; it must be 0 or more"},
		{"too deep", []Step{nest(17, run)},
			strings.Repeat("repeat[0].", 16) + "repeat: it lies inside 16 other repeats; at most 16 can be nested"},
		{"too deep by a fork", []Step{nest(16, Fork{Prog: child, Count: Count(2)})},
			strings.Repeat("repeat[0].", 16) + "fork: it lies inside 16 other repeats; at most 16 can be nested"},
		{"behind a loop", []Step{Loop{[]Step{run}}, run},
			"[1].run: it can never be reached, for the step before it never ends; remove one of them"},
		{"behind an exit", []Step{Loop{[]Step{Exit{}, run}}},
			"loop[1].run: it can never be reached, for the step before it never ends; remove one of them"},
		{"behind a choice of ends", []Step{Choose{[]float64{1, 2, 0}, [][]Step{{Exit{}}, {RunForever{}}, {}}}, run},
			"[1].run: it can never be reached, for the step before it never ends; remove one of them"},
		{"resched in user mode", []Step{Run{For: Constant(ms), Resched: us}},
			"run: resched is 1us but the time is not spent in the kernel; set kernel as well"},
		{"negative resched", []Step{Run{For: Constant(ms), Kernel: true, Resched: -us}},
			"run: resched is -1us; it must be 0 or more"},
		{"no period", []Step{Loop{[]Step{Timer{}}}},
			"loop[0].timer: period is 0s; it must be positive and at most 4611686018.427387904s"},
		{"no child", []Step{Fork{Comm: "cc1"}}, "fork: there is no program for the child; give one"},
		{"bad number of children", []Step{Fork{Prog: child, Count: Count(-1)}},
			"fork: count: dist.constant: value is -1; it must be 0 or more"},
		{"no object", []Step{SemWait{-1}}, "sem_wait: object -1 does not exist; objects are numbered from 0"},
		{"no name", []Step{Begin{}}, "begin: the name is empty; a span needs one"},
		{"no function", []Step{Call{-1}}, "call: function number is -1; it must be 0 or more"},
		{"no branch", []Step{Choose{}}, "choose: there is nothing to choose from; give at least one body"},
		{"weights missing", []Step{Choose{[]float64{1}, [][]Step{{run}, {run}}}},
			"choose: there are 1 weights for 2 bodies; give as many"},
		{"bad weight", []Step{Choose{[]float64{1, math.NaN()}, [][]Step{{run}, {run}}}},
			"choose: weight 1 is NaN; it must be a number, 0 or more"},
		{"no weight", []Step{Choose{[]float64{0, 0}, [][]Step{{run}, {run}}}},
			"choose: the weights sum to 0; at least one must be positive and the sum finite"},
		{"not a user op", []Step{Do{Op: OpFork, Label: "lock"}}, "lock: op is 5; it must be from 64 to 255"},
	} {
		if _, err := Compile(tt.steps); err == nil || err.Error() != tt.want {
			t.Errorf("%s:\n got %v\nwant %s", tt.name, err, tt.want)
		}
	}
}

func TestTimeless(t *testing.T) {
	child := mustCompile(t)
	run, nap := Run{For: Constant(ms)}, Sleep{Constant(0)}
	for _, tt := range []struct {
		name string
		body []Step
		want bool
	}{
		{"posts and yields", []Step{SemPost{0}, Yield{}, Begin{Name: "x"}, End{Name: "x"}, Setsid{}, Nice{1}}, true},
		{"zero lengths", []Step{Run{For: Constant(0)}, nap, Run{For: Uniform(0, 0)}, Sleep{Bimodal(1, 0, 5)}}, true},
		{"a run", []Step{Yield{}, run}, false},
		{"a random sleep", []Step{Sleep{Exponential(1)}}, false},
		{"a wait", []Step{SemWait{0}}, false},
		{"a repeat of nothing", []Step{Repeat{Count(0), []Step{run}}}, true},
		{"a repeat", []Step{Repeat{Uniform(0, 1), []Step{run}}}, false},
		{"a branch", []Step{Choose{nil, [][]Step{{Yield{}}, {run}}}}, false},
		{"an impossible branch", []Step{Choose{[]float64{1, 0}, [][]Step{{Yield{}}, {run}}}}, true},
		{"forks", []Step{Fork{Prog: child}}, true},
		{"a call", []Step{Call{0}}, false},
		{"a quick do", []Step{Do{Op: OpUser}}, true},
		{"a slow do", []Step{Do{Op: OpUser, Takes: true}}, false},
	} {
		p := mustCompile(t, Yield{}, Loop{tt.body})
		var want []string
		if tt.want {
			want = []string{"[1].loop"}
		}
		if got := p.Timeless(); !slices.Equal(got, want) {
			t.Errorf("%s: timeless loops %q, want %q", tt.name, got, want)
		}
	}
}

// TestReachable shows that what may end is not taken for what does.
func TestReachable(t *testing.T) {
	run := Run{For: Constant(ms)}
	mustCompile(t, Choose{nil, [][]Step{{Exit{}}, {}}}, run)
	mustCompile(t, Choose{nil, [][]Step{{}, {Exit{}}}}, run)
	mustCompile(t, Repeat{Uniform(0, 3), []Step{run, Exit{}}}, run)
	mustCompile(t, nest(16, run), run)
}

func TestListing(t *testing.T) {
	child := mustCompile(t, Run{For: Constant(ms)})
	p := mustCompile(t,
		Setsid{},
		Fork{Prog: child, Comm: "cc1", Count: Count(3)},
		Fork{Prog: child, Comm: "io", Thread: true},
		Loop{[]Step{
			Timer{10 * ms},
			Begin{Name: "frame", AtRelease: true},
			Run{For: Normal(2*ms, 100*us), Kernel: true, Resched: 50 * us},
			Choose{[]float64{3, 1}, [][]Step{{SemPost{0}}, {SemWait{1}, Nice{-5}}}},
			End{"frame"},
			Repeat{Uniform(1, 3), []Step{Sleep{Exponential(ms)}, Yield{}}},
			Do{Op: OpUser, Label: "lock", N: 4, D: Constant(us)},
			Call{2},
			Choose{nil, [][]Step{{}, {Begin{Name: "frame"}, Exit{1}}}},
			WaitAll{},
		}},
	)
	want := `
  0  setsid
  1  repeat 3, then 4
  2  fork process "cc1"
  3  again from 2
  4  fork thread "io"
  5  timer 10ms
  6  begin "frame" at release
  7  run normal(2ms, 100us) in the kernel, cond_resched every 50us
  8  choose 0.75: 9, 0.25: 11
  9  sem_post 0
 10  jump to 13
 11  sem_wait 1
 12  nice -5
 13  end "frame"
 14  repeat uniform(1, 3), then 18
 15  sleep exponential(1ms)
 16  yield
 17  again from 15
 18  lock 1us, 4
 19  call 2
 20  choose 0.5: 21, 0.5: 22
 21  jump to 24
 22  begin "frame"
 23  exit 1
 24  wait_all
 25  jump to 5
 26  exit at the end
`
	if got := "\n" + p.String(); got != want {
		t.Errorf("listing:%s\nwant:%s", got, want)
	}
	if got := p.LoopTo(); got != 3 {
		t.Errorf("LoopTo() = %d, want 3", got)
	}
	if got := p.MaxObj(); got != 1 {
		t.Errorf("MaxObj() = %d, want 1", got)
	}
	if forever := mustCompile(t, RunForever{}).String(); !strings.Contains(forever, "run forever") {
		t.Error(forever)
	}
}

func TestLoopFrom(t *testing.T) {
	steps := []Step{Setsid{}, Run{For: Constant(ms)}, Yield{}}
	for k := range steps {
		p := mustCompile(t, LoopFrom(steps, k)...)
		if got := p.LoopTo(); got != k {
			t.Errorf("LoopTo() = %d, want %d", got, k)
		}
		if got := len(p.Steps()); got != k+1 {
			t.Errorf("%d steps, want %d", got, k+1)
		}
	}
	if got := mustCompile(t, steps...).LoopTo(); got != -1 {
		t.Errorf("a program that ends loops to %d, want -1", got)
	}
	defer func() {
		if recover() == nil {
			t.Error("a loop without steps did not panic")
		}
	}()
	LoopFrom(steps, 3)
}
