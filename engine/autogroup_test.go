package engine_test

import (
	"fmt"
	"math"
	"testing"

	"schedrepl/engine"
	"schedrepl/engine/cpumask"
	"schedrepl/engine/event"
	"schedrepl/engine/kernel"
	"schedrepl/engine/sched"
	"schedrepl/engine/trace"
	"schedrepl/engine/workload"
)

// session starts a process that makes a session, forks n hogs in it and then
// sleeps. It returns the process ids of the hogs, once they run.
func (b *box) session(n int, nice int32) (leader int32, hogs []int32) {
	b.t.Helper()
	child := []workload.Step{hog}
	if nice != 0 {
		child = []workload.Step{workload.Nice{N: nice}, hog}
	}
	f := fork("hog", child...)
	f.Count = workload.Count(int64(n))
	leader = b.spawn("sh", engine.Spawn{}, workload.Setsid{}, f, sleep(1_000_000*ms))
	from := b.Core().MaxPID()
	b.until(b.Now() + ms)
	for pid := from + 1; pid <= b.Core().MaxPID(); pid++ {
		hogs = append(hogs, pid)
	}
	for len(hogs) < n { // the leader waited for the CPU
		b.until(b.Now() + ms)
		hogs = hogs[:0]
		for pid := from + 1; pid <= b.Core().MaxPID(); pid++ {
			hogs = append(hogs, pid)
		}
	}
	return leader, hogs
}

// share returns the share of the CPU time of a span that tasks got.
func (b *box) share(span event.Time, pids ...int32) float64 {
	b.t.Helper()
	before := b.ranAll(pids)
	b.until(b.Now() + span)
	return float64(b.ranAll(pids)-before) / float64(span)
}

func (b *box) ranAll(pids []int32) (sum event.Time) {
	for _, pid := range pids {
		sum += b.Core().Runtime(b.Core().Find(pid))
	}
	return sum
}

func wantShare(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 0.01 {
		t.Errorf("%s got %.4f of the CPU, want %.4f", what, got, want)
	}
}

// The reason for autogroup: a lone task beside ten of a make -j10 gets half of
// the CPU if each has a session, and an eleventh otherwise.
func TestAutogroupShares(t *testing.T) {
	for _, c := range []struct {
		kernel string
		patch  []string
		no     bool
		want   float64
	}{
		{"2.6.36", nil, false, 1. / 11},
		{"2.6.36", []string{"autogroup"}, false, 1. / 2},
		{"2.6.38", nil, false, 1. / 2},
		{"2.6.38", nil, true, 1. / 11},
		{"3.3", nil, false, 1. / 2},
		{"3.3", []string{"NO_autogroup"}, false, 1. / 11},
		{"3.3", nil, true, 1. / 11},
	} {
		b := newBox(t, 1, func(cfg *engine.Config) {
			cfg.Kernel = profile(t, c.kernel, c.patch...)
			cfg.NoAutogroup = c.no
		})
		_, _ = b.session(10, 0)
		_, one := b.session(1, 0)
		what := fmt.Sprintf("%s, patches %v, noautogroup %v: the lone task", c.kernel, c.patch, c.no)
		wantShare(t, what, b.share(2200*ms, one...), c.want)
	}
}

// Nice acts within a session only: between two sessions it has no effect
// while autogroup is on.
func TestAutogroupNiceGrid(t *testing.T) {
	for _, same := range []bool{true, false} {
		for _, nice := range []int32{0, 19} {
			for _, on := range []bool{true, false} {
				b := newBox(t, 1, func(c *engine.Config) { c.NoAutogroup = !on })
				var a, other int32
				if same {
					_, hogs := b.session(2, 0)
					a, other = hogs[0], hogs[1]
					b.must(b.SetNice(other, int(nice)))
				} else {
					_, h1 := b.session(1, 0)
					_, h2 := b.session(1, nice)
					a, other = h1[0], h2[0]
				}
				w, _ := kernel.NiceWeight(int(nice))
				want := float64(w) / float64(1024+w)
				if on && !same {
					want = 0.5
				}
				got := b.share(3000*ms, other)
				wantShare(t, fmt.Sprintf("same session %v, nice %d, autogroup %v: the task", same, nice, on), got, want)
				if sum := b.share(100*ms, a, other); sum != 1 {
					t.Errorf("both together got %.4f of the CPU", sum)
				}
			}
		}
	}
}

// Writing a nice value to /proc/PID/autogroup sets the shares of the session.
func TestAutogroupProcNice(t *testing.T) {
	for _, nice := range []int{19, 5, 0, -5} {
		b := newBox(t, 1, nil)
		_, h1 := b.session(3, 0)
		leader, h2 := b.session(2, 0)
		b.must(b.SetAutogroupNice(h2[0], nice))
		w, _ := kernel.NiceWeight(nice)
		ag := b.Core().AutogroupOf(b.Core().Find(leader))
		if g, _ := b.Core().Group(ag.Group); int(ag.Nice) != nice || g.Shares != w {
			t.Errorf("nice %d: the leader's autogroup has nice %d and %d shares, want %d", nice, ag.Nice, g.Shares, w)
		}
		if tk := b.task(h2[0]); tk.Nice != 0 {
			t.Errorf("nice %d of the session changed that of its task to %d", nice, tk.Nice)
		}
		wantShare(t, fmt.Sprintf("nice %d: the session", nice), b.share(3000*ms, h2...), float64(w)/float64(1024+w))
		wantError(t, "nice 20", b.SetAutogroupNice(h1[0], 20), "EINVAL")
		wantError(t, "nice -21", b.SetAutogroupNice(h1[0], -21), "EINVAL")
	}
}

// groups returns the group of each task.
func (b *box) groups(pids ...int32) (out []sched.GroupID) {
	b.t.Helper()
	for _, pid := range pids {
		out = append(out, b.task(pid).Group)
	}
	return out
}

func (b *box) wantGroups(what string, pids []int32, want ...sched.GroupID) {
	b.t.Helper()
	if got := b.groups(pids...); fmt.Sprint(got) != fmt.Sprint(want) {
		b.t.Errorf("%s: tasks %v are in groups %v, want %v", what, pids, got, want)
	}
}

// Turning the switch moves nobody. A task's group is worked out anew when it
// forks or is placed on another CPU, so tasks drift.
func TestAutogroupSwitch(t *testing.T) {
	b := newBox(t, 2, nil)
	pid := b.spawn("s", engine.Spawn{CPUs: cpumask.Of(0)}, workload.Setsid{},
		loop(run(ms), sleep(ms), fork("child", run(100*us), sleep(ms)), workload.WaitAll{}))
	b.until(20 * ms)
	g := b.task(pid).Group
	if g == sched.RootGroup {
		t.Fatal("the session has no group")
	}
	childGroup := func() (last sched.GroupID) {
		last = sched.NoGroup
		for i := range b.Core().Tasks {
			if tk := &b.Core().Tasks[i]; tk.PID > pid {
				last = tk.Group
			}
		}
		return last
	}
	toChild := func() {
		for n := 0; childGroup() != sched.NoGroup && n < 100; n++ {
			b.until(b.Now() + 100*us)
		}
		for n := 0; childGroup() == sched.NoGroup && n < 100; n++ {
			b.until(b.Now() + 100*us)
		}
	}
	b.SetAutogroupEnabled(false)
	b.until(30 * ms)
	b.wantGroups("off, still on its CPU", []int32{pid}, g)
	toChild()
	if got := childGroup(); got != sched.RootGroup {
		t.Errorf("off: a child forked since is in group %d", got)
	}
	b.must(b.SetAffinity(pid, cpumask.Of(1)))
	b.until(b.Now() + 10*ms)
	b.wantGroups("off, moved to CPU 1", []int32{pid}, sched.RootGroup)
	b.SetAutogroupEnabled(true)
	b.until(b.Now() + 10*ms)
	b.wantGroups("on again, still on its CPU", []int32{pid}, sched.RootGroup)
	toChild()
	if got := childGroup(); got != g {
		t.Errorf("on again: a child forked since is in group %d, want %d", got, g)
	}
	b.must(b.SetAffinity(pid, cpumask.Of(0)))
	b.until(b.Now() + 10*ms)
	b.wantGroups("on again, moved to CPU 0", []int32{pid}, g)

	// A session made while the switch is off has a group, which nobody is
	// moved to.
	b.SetAutogroupEnabled(false)
	moves := b.count(trace.KindSetGroup, 0)
	late := b.spawn("late", engine.Spawn{CPUs: cpumask.Of(0)}, workload.Setsid{}, loop(run(ms), sleep(ms)))
	b.until(b.Now() + 10*ms)
	b.wantGroups("made while off", []int32{late}, sched.RootGroup)
	if n := b.count(trace.KindSetGroup, 0); n != moves {
		t.Errorf("made while off: %d tasks were moved", n-moves)
	}
	ag := b.Core().AutogroupOf(b.Core().Find(late))
	if ag == nil || ag.Group == sched.RootGroup || ag.Group == g {
		t.Fatalf("made while off: the process refers to %+v", ag)
	}
	b.SetAutogroupEnabled(true)
	b.must(b.SetAffinity(late, cpumask.Of(1)))
	b.until(b.Now() + 10*ms)
	b.wantGroups("made while off, moved when on", []int32{late}, ag.Group)
}

// The group lives as long as a process of the session, and its number is used
// again; the autogroup's id is not.
func TestAutogroupFreed(t *testing.T) {
	for _, off := range []bool{false, true} {
		b := newBox(t, 1, nil)
		leader := b.spawn("sh", engine.Spawn{}, workload.Setsid{}, fork("job", run(2*ms), sleep(20*ms), run(2*ms)), run(ms))
		b.until(3 * ms)
		ag := *b.Core().AutogroupOf(b.Core().Find(leader + 1))
		if off {
			b.SetAutogroupEnabled(false)
		}
		b.until(15 * ms)
		b.wantGone(leader)
		if _, ok := b.Core().Group(ag.Group); !ok {
			t.Errorf("switched off %v: the group went with the leader, though a process of the session lives", off)
		}
		b.until(40 * ms)
		b.wantGone(leader + 1)
		if _, ok := b.Core().Group(ag.Group); ok {
			t.Errorf("switched off %v: the group outlives its session", off)
		}
		b.SetAutogroupEnabled(true)
		next := b.spawn("sh", engine.Spawn{}, workload.Setsid{}, sleep(ms))
		b.until(b.Now() + 100*us)
		got := *b.Core().AutogroupOf(b.Core().Find(next))
		if got.Group != ag.Group || got.ID != ag.ID+1 {
			t.Errorf("the next session has group %d and id %d, want group %d again and id %d", got.Group, got.ID, ag.Group, ag.ID+1)
		}
	}
}

// A child that makes a session of its own leaves its parent's.
func TestAutogroupLeave(t *testing.T) {
	b := newBox(t, 1, nil)
	b.spawn("sh", engine.Spawn{}, workload.Setsid{}, fork("daemon", run(ms), workload.Setsid{}, sleep(100*ms)), sleep(100*ms))
	b.until(10 * ms)
	g := b.groups(2, 3)
	if g[0] == g[1] || g[0] == sched.RootGroup || g[1] == sched.RootGroup {
		t.Errorf("shell and daemon are in groups %v, want two of their own", g)
	}
	if p := b.Core().Process(b.Core().Find(3)); p.SID != 3 || p.Parent != 2 {
		t.Errorf("the daemon has session %d and parent %d, want 3 and 2", p.SID, p.Parent)
	}
}

// Where no autogroup comes: kernels without it, kernel threads, and tasks that
// a cpu cgroup holds already.
func TestAutogroupNone(t *testing.T) {
	b := newBox(t, 1, func(c *engine.Config) { c.Kernel = profile(t, "2.6.36") })
	b.spawn("sh", engine.Spawn{}, workload.Setsid{}, sleep(100*ms))
	b.until(ms)
	b.wantGroups("2.6.36", []int32{2}, sched.RootGroup)
	b.Log().Each(func(r *trace.Record) bool {
		if r.Kind == trace.KindSetsid && r.A != -1 {
			t.Errorf("2.6.36: setsid made group %d", r.A)
		}
		return true
	})
	wantError(t, "autogroup nice on 2.6.36", b.SetAutogroupNice(2, 1), "EINVAL")

	b = newBox(t, 1, nil)
	g := b.group(sched.RootGroup, "/user", 1024)
	leader := b.spawn("sh", engine.Spawn{Group: g}, workload.Setsid{}, fork("job", sleep(100*ms)), sleep(100*ms))
	b.until(ms)
	b.wantGroups("in a cgroup", []int32{leader, leader + 1}, g, g)
	if b.Core().AutogroupOf(b.Core().Find(leader)) == nil {
		t.Error("the session in a cgroup has no autogroup to come back to")
	}
	b.must(b.Attach(leader, sched.RootGroup))
	b.wantGroups("attached to the root", []int32{leader, leader + 1}, b.Core().AutogroupOf(b.Core().Find(leader)).Group, g)
	kt := b.spawn("kworker", engine.Spawn{Parent: leader, Kthread: true}, sleep(100*ms))
	b.until(2 * ms)
	b.wantGroups("a kernel thread", []int32{kt}, sched.RootGroup)
}
