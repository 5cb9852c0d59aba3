package engine_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"schedrepl/engine"
	"schedrepl/engine/cpumask"
	"schedrepl/engine/event"
	"schedrepl/engine/sched"
	"schedrepl/engine/trace"
	"schedrepl/engine/workload"
)

// fork makes a child with the given steps.
func fork(comm string, steps ...workload.Step) workload.Fork {
	return workload.Fork{Prog: compile(steps), Comm: comm}
}

// thread makes a thread of the same process.
func thread(comm string, steps ...workload.Step) workload.Fork {
	f := fork(comm, steps...)
	f.Thread = true
	return f
}

// exits writes who exited when: "1ms a, 3ms b".
func (b *box) exits() string {
	var out []string
	b.Log().Each(func(r *trace.Record) bool {
		if r.Kind == trace.KindExit {
			out = append(out, fmt.Sprintf("%v %s", r.Time, b.Core().Comm(r.Task)))
		}
		return true
	})
	return strings.Join(out, ", ")
}

func (b *box) wantExits(want string) {
	b.t.Helper()
	if got := b.exits(); got != want {
		b.t.Errorf("exits:\n got %s\nwant %s", got, want)
	}
}

// wantGone fails unless a process id names nobody any more.
func (b *box) wantGone(pid int32) {
	b.t.Helper()
	err := b.SetNice(pid, 5)
	if err == nil || !strings.Contains(err.Error(), "ESRCH") {
		b.t.Errorf("nice of task %d that is gone: %v, want ESRCH", pid, err)
	}
}

// wantError fails unless err says all of the words.
func wantError(t *testing.T, what string, err error, words ...string) {
	t.Helper()
	for _, w := range words {
		if err == nil || !strings.Contains(err.Error(), w) {
			t.Errorf("%s: error %v, want one with %q", what, err, w)
			return
		}
	}
}

// A parent waits for its children one at a time, each on a CPU of its own. A
// child that has exited meanwhile is a zombie until it is waited for.
func TestWait(t *testing.T) {
	for _, c := range []struct {
		name string
		wait []workload.Step
		ends string
	}{
		{"one", []workload.Step{workload.Wait{}}, "2ms c2, 3ms parent, 5ms c5, 8ms c8"},
		{"each", []workload.Step{workload.Wait{}, workload.Wait{}, workload.Wait{}}, "2ms c2, 5ms c5, 8ms c8, 9ms parent"},
		{"all", []workload.Step{workload.WaitAll{}}, "2ms c2, 5ms c5, 8ms c8, 9ms parent"},
		{"all of none", []workload.Step{workload.WaitAll{}, workload.WaitAll{}, workload.Wait{}}, "2ms c2, 5ms c5, 8ms c8, 9ms parent"},
		{"a zombie", []workload.Step{sleep(3 * ms), workload.Wait{}}, "2ms c2, 4ms parent, 5ms c5, 8ms c8"},
		{"zombies", []workload.Step{sleep(6 * ms), workload.Wait{}, workload.Wait{}}, "2ms c2, 5ms c5, 7ms parent, 8ms c8"},
		{"the rest", []workload.Step{sleep(6 * ms), workload.WaitAll{}, workload.Wait{}}, "2ms c2, 5ms c5, 8ms c8, 9ms parent"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBox(t, 4, nil)
			steps := []workload.Step{fork("c2", run(2*ms)), fork("c5", run(5*ms)), fork("c8", run(8*ms))}
			steps = append(append(steps, c.wait...), run(ms))
			b.spawn("parent", engine.Spawn{}, steps...)
			b.until(20 * ms)
			b.wantExits(c.ends)
			for i := range b.Core().Procs {
				if p := b.Core().Procs[i]; p.PID != 0 {
					t.Errorf("process %d is left after all", p.PID)
				}
			}
		})
	}
}

// The zombies of a parent that lives are counted, and taken by its waits.
func TestZombies(t *testing.T) {
	b := newBox(t, 4, nil)
	pid := b.spawn("parent", engine.Spawn{}, fork("c", run(ms)), fork("c", run(ms)), fork("d", run(9*ms)),
		sleep(4*ms), workload.Wait{}, sleep(2*ms), workload.Wait{}, sleep(8*ms))
	for _, c := range []struct {
		at              event.Time
		zombies, living int32
	}{{0, 0, 3}, {3 * ms, 2, 1}, {5 * ms, 1, 1}, {7 * ms, 0, 1}, {10 * ms, 1, 0}} {
		b.until(c.at)
		p := b.Core().Process(b.Core().Find(pid))
		if p.Zombies != c.zombies || p.Children != c.living {
			t.Errorf("at %v: %d zombies and %d children, want %d and %d", c.at, p.Zombies, p.Children, c.zombies, c.living)
		}
	}
}

// Threads share a process, which ends with its last thread; only then is the
// parent told.
func TestThreads(t *testing.T) {
	b := newBox(t, 4, nil)
	leader := fork("leader", thread("t", run(7*ms)), thread("t", run(3*ms)), run(ms))
	b.spawn("parent", engine.Spawn{}, leader, workload.Wait{}, run(ms))
	b.until(2 * ms)
	core := b.Core()
	var tgid int32
	threads := 0
	for i := range core.Tasks {
		if tk := &core.Tasks[i]; tk.PID != 0 && core.Comm(tk.PID) == "t" {
			threads++
			tgid = tk.TGID
			if p := core.Process(sched.TaskID(i)); p.Threads != 2 || core.NextThread(core.NextThread(p.FirstThread())) != sched.NoTask {
				t.Errorf("after its leader's exit the process has %d threads, want 2", p.Threads)
			}
		}
	}
	if threads != 2 || core.Comm(tgid) != "leader" || core.Find(tgid) != sched.NoTask {
		t.Errorf("%d threads of process %d (%s), want 2 of the leader's, which is gone", threads, tgid, core.Comm(tgid))
	}
	b.until(20 * ms)
	b.wantExits("1ms leader, 3ms t, 7ms t, 8ms parent")
}

// Each waiting thread is told of an exit: one takes the child, the others see
// that none is left.
func TestWaitingThreads(t *testing.T) {
	b := newBox(t, 4, nil)
	b.spawn("p", engine.Spawn{}, fork("c", run(2*ms)), thread("t", workload.Wait{}, run(ms)), workload.Wait{}, run(2*ms))
	b.until(20 * ms)
	b.wantExits("2ms c, 3ms t, 4ms p")

	// Both children exit before the threads, which a hog keeps waiting, run.
	b = newBox(t, 3, nil)
	low, high := on(0), on(0)
	low.Nice, high.Nice = 19, -20
	pid := b.spawn("p", low, sleep(ms), thread("t", workload.Wait{}), workload.Wait{})
	for cpu := 1; cpu <= 2; cpu++ {
		c := on(cpu)
		c.Parent = pid
		b.spawn("c", c, run(event.Time(cpu)*100*us+2*ms))
	}
	b.until(2 * ms)
	b.spawn("hog", high, run(20*ms))
	b.until(60 * ms)
	if n := len(strings.Split(b.exits(), ", ")); n != 5 {
		t.Errorf("two children exited, and one of two threads waits for ever; exits: %s", b.exits())
	}
}

// A child outlives its parent, and nobody waits for it.
func TestOrphan(t *testing.T) {
	b := newBox(t, 2, nil)
	b.spawn("parent", engine.Spawn{}, fork("child", run(5*ms), fork("grandchild", run(ms)), workload.Wait{}, run(ms)), run(ms))
	b.until(2 * ms)
	n := 0
	for i := range b.Core().Procs {
		if b.Core().Procs[i].PID != 0 {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d processes after the parent's exit, want the child only", n)
	}
	b.until(20 * ms)
	b.wantExits("1ms parent, 6ms grandchild, 7ms child")
}

// A task can be killed in each of its states; what it held or waited for goes
// on without it.
func TestKill(t *testing.T) {
	for _, c := range []struct {
		name  string
		at    event.Time
		steps []workload.Step
	}{
		{"running", 5 * ms, []workload.Step{hog}},
		{"new", 0, []workload.Step{hog}},
		{"sleeping", 5 * ms, []workload.Step{sleep(100 * ms), hog}},
		{"waits for a semaphore", 5 * ms, []workload.Step{workload.SemWait{}, hog}},
		{"waits for a child", 5 * ms, []workload.Step{fork("c", sleep(20*ms)), workload.Wait{}, hog}},
	} {
		for _, stopped := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s stopped %v", c.name, stopped), func(t *testing.T) {
				b := newBox(t, 1, nil)
				o := b.sem()
				pid := b.spawn("victim", engine.Spawn{}, c.steps...)
				if stopped && c.at > 0 {
					b.at(c.at-ms, func() { b.must(b.Kill(pid, "STOP")) })
				}
				b.until(c.at)
				if stopped && c.at > 0 && b.task(pid).State != trace.Stopped {
					t.Fatalf("it is %c after STOP", b.task(pid).State)
				}
				b.must(b.Kill(pid, "KILL"))
				b.must(b.Kill(pid, "TERM")) // one more is no error
				b.until(c.at + ms)
				b.wantGone(pid)
				// Whoever comes next in the queue of the semaphore is served.
				next := b.spawn("next", engine.Spawn{}, workload.SemWait{Obj: o}, run(ms))
				b.until(c.at + 5*ms)
				if b.task(next).State != trace.Sleeping {
					t.Errorf("the semaphore let a task pass without a post")
				}
				b.PostSem(o)
				b.until(200 * ms)
				b.wantGone(next)
			})
		}
	}
	t.Run("waits to run", func(t *testing.T) {
		b := newBox(t, 1, nil)
		b.spawn("hog", engine.Spawn{Nice: -20}, hog)
		pid := b.spawn("victim", engine.Spawn{Nice: 19}, hog)
		b.until(2 * ms)
		before := b.ran(pid)
		b.must(b.Kill(pid, "KILL"))
		b.until(400 * ms)
		b.wantGone(pid)
		if b.ran(pid) != before {
			t.Errorf("it ran for %v after the signal", b.ran(pid)-before)
		}
	})
}

// Stopping a sleeper keeps its deadline: it sleeps on after CONT, and goes on
// at once if the deadline has passed.
func TestStopSleeper(t *testing.T) {
	for _, c := range []struct{ stop, cont, runs event.Time }{
		{5 * ms, 10 * ms, 20 * ms},
		{5 * ms, 20 * ms, 20 * ms},
		{5 * ms, 30 * ms, 30 * ms},
		{20 * ms, 30 * ms, 30 * ms},
		{19 * ms, 19 * ms, 20 * ms},
	} {
		b := newBox(t, 1, nil)
		pid := b.spawn("s", engine.Spawn{}, sleep(20*ms), run(ms))
		b.at(c.stop, func() { b.must(b.Kill(pid, "STOP")) })
		b.at(c.cont, func() { b.must(b.Kill(pid, "CONT")) })
		b.until(50 * ms)
		if want := fmt.Sprintf("%v s", c.runs+ms); b.exits() != want {
			t.Errorf("STOP at %v and CONT at %v: exits %s, want %s", c.stop, c.cont, b.exits(), want)
		}
	}
}

// A stopped task stays so, whatever comes for it meanwhile, until CONT.
func TestStoppedStays(t *testing.T) {
	for _, c := range []struct {
		name  string
		steps []workload.Step
	}{
		{"timer", []workload.Step{sleep(20 * ms)}},
		{"post", []workload.Step{workload.SemWait{}}},
		{"child", []workload.Step{fork("c", sleep(20*ms)), workload.Wait{}}},
		{"all children", []workload.Step{fork("c", sleep(20*ms)), workload.WaitAll{}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBox(t, 1, nil)
			o := b.sem()
			pid := b.spawn("s", engine.Spawn{}, append(c.steps, run(ms))...)
			b.at(10*ms, func() { b.must(b.Kill(pid, "STOP")) })
			b.at(20*ms, func() { b.PostSem(o) })
			b.until(25 * ms)
			if b.task(pid).State != trace.Stopped {
				t.Errorf("at 25 ms it is %c, want T", b.task(pid).State)
			}
			b.at(40*ms, func() { b.must(b.Kill(pid, "CONT")) })
			b.until(50 * ms)
			if got := b.exits(); !strings.HasSuffix(got, "41ms s") {
				t.Errorf("exits %s, want it to go on at 40 ms", got)
			}
		})
	}
}

// A stop that has not acted when CONT comes never does; one that acted leaves
// a burst to be finished.
func TestStopAndContinue(t *testing.T) {
	b := newBox(t, 1, nil)
	b.spawn("hog", engine.Spawn{Nice: -20}, run(30*ms))
	pid := b.spawn("s", engine.Spawn{Nice: 19}, run(5*ms))
	b.until(ms)
	b.must(b.Kill(pid, "STOP"))
	b.must(b.Kill(pid, "CONT"))
	b.until(100 * ms)
	if n := b.count(trace.KindSwitch, trace.StoppedTask); n != 0 {
		t.Errorf("it stopped %d times", n)
	}
	b.wantGone(pid)

	b = newBox(t, 1, nil)
	pid = b.spawn("s", engine.Spawn{}, run(5*ms))
	b.at(2*ms, func() { b.must(b.Kill(pid, "STOP")) })
	b.at(3*ms, func() { b.must(b.Kill(pid, "STOP")) }) // nothing new
	b.at(7*ms, func() { b.must(b.Kill(pid, "CONT")) })
	b.at(8*ms, func() { b.must(b.Kill(pid, "CONT")) })
	b.until(20 * ms)
	b.wantSwitches(0, "0s s, 2ms idle, 7ms s, 10ms idle")
	if b.ran(pid) != 5*ms {
		t.Errorf("it ran %v, want its burst of 5 ms", b.ran(pid))
	}
}

func TestExec(t *testing.T) {
	b := newBox(t, 1, nil)
	pid := b.spawn("sh", engine.Spawn{}, fork("", run(2*ms)), run(2*ms))
	b.until(ms)
	b.must(b.Exec(pid, "cc1"))
	if got := b.Core().Comm(pid); got != "cc1" {
		t.Errorf("after exec it is called %q", got)
	}
	if got := b.Core().Comm(pid + 1); got != "sh" {
		t.Errorf("the child is called %q, want its parent's name at the fork", got)
	}
	b.until(10 * ms)
	if got := b.Core().Comm(pid); got != "cc1" {
		t.Errorf("after its exit it is called %q", got)
	}
	wantError(t, "exec of one that is gone", b.Exec(pid, "ls"), "ESRCH")
}

// A process that leads a session cannot make one, its child can.
func TestSetsidRefused(t *testing.T) {
	b := newBox(t, 1, nil)
	pid := b.spawn("sh", engine.Spawn{}, workload.Setsid{}, thread("t", sleep(100*ms)), fork("job", sleep(100*ms)), sleep(100*ms))
	b.until(ms)
	wantError(t, "second setsid", b.Setsid(pid), "EPERM", "sh")
	wantError(t, "setsid of a thread", b.Setsid(pid+1), "EPERM")
	b.must(b.Setsid(pid + 2))
	wantError(t, "second setsid of the child", b.Setsid(pid+2), "EPERM")

	b = newBox(t, 1, nil)
	b.spawn("sh", engine.Spawn{}, workload.Setsid{}, run(ms), workload.Setsid{}, run(ms))
	b.until(5 * ms)
	b.wantExits("2ms sh") // a program's second setsid fails, and it goes on
	if n := b.count(trace.KindSetsid, trace.ReasonNone); n != 1 {
		t.Errorf("%d sessions were made, want 1", n)
	}
}

// Slots are used again, process ids never.
func TestSlots(t *testing.T) {
	b := newBox(t, 1, nil)
	a := b.spawn("a", engine.Spawn{}, run(ms))
	slot := b.Core().Find(a)
	b.until(2 * ms)
	b.wantGone(a)
	c := b.spawn("c", engine.Spawn{Nice: 7}, sleep(ms), run(ms))
	if b.Core().Find(c) != slot || c == a {
		t.Errorf("task %d has slot %d, want slot %d of task %d", c, b.Core().Find(c), slot, a)
	}
	b.until(3 * ms)
	for what, err := range map[string]error{
		"kill": b.Kill(a, "KILL"), "nice": b.SetNice(a, 1), "policy": b.SetPolicy(a, sched.Batch), "setsid": b.Setsid(a),
		"affinity": b.SetAffinity(a, nil), "attach": b.Attach(a, sched.RootGroup), "autogroup": b.SetAutogroupNice(a, 1),
	} {
		wantError(t, what, err, "ESRCH")
	}
	if _, err := b.Spawn(engine.Spawn{Program: compile(nil), Parent: a}); err == nil || !strings.Contains(err.Error(), "ESRCH") {
		t.Errorf("spawn by a parent that is gone: %v", err)
	}
	if got := b.task(c).Nice; got != 7 {
		t.Errorf("calls for the old process id reached the new task: nice %d", got)
	}
	b.until(10 * ms)
	b.wantExits("1ms a, 4ms c")
}

// A hundred thousand short processes leave no more than their names behind.
func TestManyForks(t *testing.T) {
	b := newBox(t, 2, func(c *engine.Config) { c.LogLimit = -1; c.HZ = 100 })
	child := fork("c", workload.Setsid{}, run(10*us))
	b.spawn("parent", engine.Spawn{}, loop(workload.Fork{Prog: child.Prog, Comm: "c", Count: workload.Count(3)}, workload.WaitAll{}))
	var before, after runtime.MemStats
	b.must(b.RunUntil(10 * ms))
	runtime.GC()
	runtime.ReadMemStats(&before)
	for b.Core().MaxPID() < 100_000 {
		b.must(b.RunUntil(b.Now() + 50*ms))
	}
	b.must(b.Check())
	runtime.GC()
	runtime.ReadMemStats(&after)
	core := b.Core()
	if n := len(core.Tasks); n > 10 {
		t.Errorf("%d task slots for at most 4 tasks at a time", n)
	}
	if n := len(core.Procs); n > 10 {
		t.Errorf("%d process slots", n)
	}
	if n := core.NumGroups(); n > 10 {
		t.Errorf("%d task groups", n)
	}
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 6<<20 {
		t.Errorf("the heap grew by %d bytes", grown)
	}
}

// What a call refuses it refuses whole: the machine is as before, and runs on.
func TestRefusals(t *testing.T) {
	b := newBox(t, 2, nil)
	pid := b.spawn("a", engine.Spawn{}, hog)
	g := b.group(sched.RootGroup, "/g", 1024)
	busy := b.group(sched.RootGroup, "/busy", 1024)
	child := b.group(busy, "/busy/child", 1024)
	b.must(b.Attach(pid, child))
	b.until(ms)
	tasks := len(b.Core().Tasks)
	program := compile([]workload.Step{hog})
	spawn := func(s engine.Spawn) error {
		if s.Program == nil {
			s.Program = program
		}
		_, err := b.Spawn(s)
		return err
	}
	newGroup := func(parent sched.GroupID) error {
		_, err := b.NewGroup(parent, "/x")
		return err
	}
	b.must(b.FreeGroup(g))
	for _, c := range []struct {
		name string
		call func() error
		want string
	}{
		{"nice too low", func() error { return b.SetNice(pid, -21) }, "EINVAL"},
		{"nice too high", func() error { return b.SetNice(pid, 20) }, "EINVAL"},
		{"policy", func() error { return b.SetPolicy(pid, 77) }, "EINVAL"},
		{"no CPU", func() error { return b.SetAffinity(pid, cpumask.Of(7)) }, "EINVAL"},
		{"empty set of CPUs", func() error { return b.SetAffinity(pid, cpumask.Set{}) }, "EINVAL"},
		{"signal", func() error { return b.Kill(pid, "HUP") }, "EINVAL"},
		{"attach to a group that is gone", func() error { return b.Attach(pid, g) }, "ENOENT"},
		{"group below one that is gone", func() error { return newGroup(g) }, "ENOENT"},
		{"free a group twice", func() error { return b.FreeGroup(g) }, "ENOENT"},
		{"free a group with tasks", func() error { return b.FreeGroup(child) }, "EBUSY"},
		{"free a group with children", func() error { return b.FreeGroup(busy) }, "EBUSY"},
		{"free the root group", func() error { return b.FreeGroup(sched.RootGroup) }, ""},
		{"free no group", func() error { return b.FreeGroup(1000) }, "ENOENT"},
		{"shares of a group that is gone", func() error { return b.SetShares(g, 10) }, "ENOENT"},
		{"shares of the root group", func() error { return b.SetShares(sched.RootGroup, 10) }, "EINVAL"},
		{"autogroup nice outside a session", func() error { return b.SetAutogroupNice(pid, 1) }, "EINVAL"},
		{"spawn nice", func() error { return spawn(engine.Spawn{Nice: 20}) }, "EINVAL"},
		{"spawn policy", func() error { return spawn(engine.Spawn{Policy: 9}) }, "EINVAL"},
		{"spawn on no CPU", func() error { return spawn(engine.Spawn{CPUs: cpumask.Of(2)}) }, "EINVAL"},
		{"spawn that starts on no CPU", func() error { return spawn(engine.Spawn{Start: cpumask.Of(2)}) }, "EINVAL"},
		{"spawn in a group that is gone", func() error { return spawn(engine.Spawn{Group: g}) }, "ENOENT"},
		{"spawn with a semaphore that is not there", func() error {
			return spawn(engine.Spawn{Program: compile([]workload.Step{workload.SemWait{Obj: 3}})})
		}, "object 3"},
		{"run into the past", func() error { return b.RunUntil(0) }, "past"},
		{"at the past", func() error { _, err := b.At(0, nil); return err }, "past"},
		{"every 0", func() error { _, err := b.Every(0, nil); return err }, "longer than 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			defer func() {
				if r := recover(); r != nil {
					t.Errorf("panic: %v", r)
				}
			}()
			err := c.call()
			wantError(t, c.name, err, c.want)
			if err != nil && err.Error() != strings.TrimSpace(err.Error()) {
				t.Errorf("error %q", err)
			}
		})
	}
	if n := len(b.Core().Tasks); n != tasks {
		t.Errorf("there are %d tasks after calls that failed, want %d as before", n, tasks)
	}
	b.until(20 * ms)
	if b.ran(pid) != 20*ms {
		t.Errorf("the hog ran %v of 20 ms", b.ran(pid))
	}
}

// A run that ends early leaves the machine in the same state whether ticks are
// skipped or not.
func TestEarlyStop(t *testing.T) {
	stop := func(allTicks bool) string {
		b := newBox(t, 3, func(c *engine.Config) { c.AllTicks = allTicks; c.SkewTick = true })
		for cpu := range 3 {
			s := on(cpu)
			s.Nice = 3 + cpu
			b.spawn("hog", s, hog)
		}
		pid := b.spawn("s", on(1), sleep(33*ms+100*us), run(ms))
		n := 0
		b.On(trace.KindWakeup, func(trace.Record) error { n++; return nil })
		stopped, err := b.RunWhile(100*ms, func() bool { return n > 0 })
		if err != nil || !stopped {
			t.Fatalf("stopped %v, %v", stopped, err)
		}
		text := fmt.Sprint(b.Now())
		for p := int32(2); p <= pid; p++ {
			text += "\n" + account(b.Machine, p)
		}
		b.must(b.SetNice(2, 0))
		b.until(60 * ms)
		return text + "\n" + b.Digest()
	}
	if a, b := stop(false), stop(true); a != b {
		t.Errorf("skipping ticks:\n%s\nall ticks:\n%s", a, b)
	}
}

// The stopper of a CPU, made when a running task must leave it, takes no calls.
func TestStopperIsLeftAlone(t *testing.T) {
	b := newBox(t, 2, nil)
	pid := b.spawn("hog", on(0), hog)
	b.until(ms)
	b.must(b.SetAffinity(pid, cpumask.Of(1)))
	b.until(2 * ms)
	stopper := b.Core().MaxPID()
	if got := b.Core().Comm(stopper); got != "migration/0" {
		t.Fatalf("the newest task is %s, want migration/0", got)
	}
	for name, err := range map[string]error{
		"affinity": b.SetAffinity(stopper, cpumask.Of(1)),
		"nice":     b.SetNice(stopper, 5),
		"stop":     b.Kill(stopper, "STOP"),
	} {
		if err == nil || !strings.Contains(err.Error(), "EINVAL") {
			t.Errorf("%s of a stopper: error %v, want EINVAL", name, err)
		}
	}
}
