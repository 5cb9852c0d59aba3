package engine_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"schedrepl/engine"
	"schedrepl/engine/cgroup"
	"schedrepl/engine/cost"
	"schedrepl/engine/cpumask"
	"schedrepl/engine/event"
	"schedrepl/engine/sched"
	"schedrepl/engine/trace"
	"schedrepl/engine/workload"
)

// cgroups is where the control groups are.
const cgroups = cgroup.Mount

// fileBox is a box with calls for its files.
type fileBox struct{ *box }

func newFileBox(t testing.TB, cpus int, change func(*engine.Config)) fileBox {
	t.Helper()
	return fileBox{newBox(t, cpus, change)}
}

func (b fileBox) write(path, text string) {
	b.t.Helper()
	b.must(b.WriteFile(path, text))
}

func (b fileBox) read(path string) string {
	b.t.Helper()
	text, err := b.ReadFile(path)
	b.must(err)
	return text
}

// refused checks that a write fails with an errno.
func (b fileBox) refused(path, text, errno string) {
	b.t.Helper()
	b.isErrno(b.WriteFile(path, text), errno)
}

func (b fileBox) isErrno(err error, errno string) {
	b.t.Helper()
	var e *cgroup.Error
	if !errors.As(err, &e) || e.Errno != errno || !strings.HasPrefix(e.Error(), errno+": ") {
		b.t.Errorf("error %v, want %s", err, errno)
	}
}

// share returns the part of the time since a moment that a task ran, of all
// that a and b ran.
func (b fileBox) share(x, y int32, x0, y0 event.Time) float64 {
	dx, dy := b.ran(x)-x0, b.ran(y)-y0
	return float64(dx) / float64(dx+dy)
}

// wantPart checks a share to a hundredth.
func wantPart(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 0.01 {
		t.Errorf("%s: %.3f, want %.3f", what, got, want)
	}
}

// TestFilesWeights: two groups with a hog each share a CPU by their weights, before
// and after the weights change.
func TestFilesWeights(t *testing.T) {
	b := newFileBox(t, 1, nil)
	b.write(cgroups+"/cgroup.subtree_control", "+cpu")
	b.must(b.Mkdir(cgroups + "/a"))
	b.must(b.Mkdir(cgroups + "/b"))
	x, y := b.spawn("x", engine.Spawn{}, hog), b.spawn("y", engine.Spawn{}, hog)
	b.write(cgroups+"/a/cgroup.procs", fmt.Sprint(x))
	b.write(cgroups+"/b/cgroup.procs", fmt.Sprint(y))
	b.write(cgroups+"/a/cpu.weight", "300")
	b.until(4000 * ms)
	wantPart(t, "300 to 100", b.share(x, y, 0, 0), 0.75)
	x0, y0 := b.ran(x), b.ran(y)
	b.at(4000*ms, func() {
		b.write(cgroups+"/a/cpu.weight", "100")
		b.write(cgroups+"/b/cpu.weight.nice", "-5")
	})
	b.until(8000 * ms)
	wantPart(t, "100 to nice -5", b.share(x, y, x0, y0), 1024./(1024+3121))
	// Without the controller both are in one group and equal.
	b.write(cgroups+"/cgroup.subtree_control", "-cpu")
	x0, y0 = b.ran(x), b.ran(y)
	b.until(12000 * ms)
	wantPart(t, "without controller", b.share(x, y, x0, y0), 0.5)
	for _, pid := range []int32{x, y} {
		if g := b.task(pid).Group; g != sched.RootGroup {
			t.Errorf("task %d is in group %d", pid, g)
		}
	}
}

// TestFilesNestedWeights: a group's share is divided below it.
func TestFilesNestedWeights(t *testing.T) {
	b := newFileBox(t, 1, nil)
	for _, dir := range []string{"/a", "/a/p", "/a/q", "/b"} {
		b.must(b.Mkdir(cgroups + dir))
	}
	hogs := map[string]int32{}
	for _, dir := range []string{"/a/p", "/a/q", "/b"} {
		pid, err := b.SpawnIn(dir, engine.Spawn{Comm: "hog", Program: compile([]workload.Step{hog})})
		b.must(err)
		hogs[dir] = pid
	}
	// The controllers come after the tasks: these move.
	b.write(cgroups+"/cgroup.subtree_control", "+cpu")
	b.write(cgroups+"/a/cgroup.subtree_control", "+cpu")
	b.write(cgroups+"/a/cpu.weight", "200")
	b.write(cgroups+"/a/p/cpu.weight", "50")
	b.until(9000 * ms)
	for dir, want := range map[string]float64{"/a/p": 2. / 9, "/a/q": 4. / 9, "/b": 3. / 9} {
		wantPart(t, dir, float64(b.ran(hogs[dir]))/float64(9000*ms), want)
		g, ok := b.CgroupOf(dir)
		if !ok || g != b.task(hogs[dir]).Group || b.Core().GroupName(g) != dir {
			t.Errorf("%s: group %d %s, its task's is %d", dir, g, b.Core().GroupName(g), b.task(hogs[dir]).Group)
		}
		if got := b.CgroupPath(hogs[dir]); got != dir {
			t.Errorf("task of %s is in %s", dir, got)
		}
		if got, want := b.read(fmt.Sprintf("/proc/%d/cgroup", hogs[dir])), "0::"+dir+"\n"; got != want {
			t.Errorf("/proc/PID/cgroup is %q, want %q", got, want)
		}
	}
}

// ranOn returns how long a task ran on each CPU since a moment.
func (b fileBox) ranOn(pid int32, from event.Time) []event.Time {
	out := make([]event.Time, b.cpus)
	on, since := -1, event.Time(0)
	b.Log().Each(func(r *trace.Record) bool {
		if r.Kind == trace.KindSwitch {
			if r.Task == pid {
				out[on] += max(r.Time-max(since, from), 0)
				on = -1
			}
			if r.Other == pid {
				on, since = int(r.CPU), r.Time
			}
		}
		return true
	})
	if on >= 0 {
		out[on] += b.Now() - max(since, from)
	}
	return out
}

// TestFilesCPUSet: writing cpuset.cpus moves running and waiting hogs at once, each
// within what it asked for, and widening it gives them back what they asked
// for.
func TestFilesCPUSet(t *testing.T) {
	b := newFileBox(t, 4, nil)
	b.write(cgroups+"/cgroup.subtree_control", "+cpuset")
	b.must(b.Mkdir(cgroups + "/a"))
	var pids []int32
	for range 4 {
		pids = append(pids, b.spawn("hog", engine.Spawn{}, hog))
	}
	b.must(b.SchedSetaffinity(pids[3], cpumask.Of(0, 3)))
	b.until(10 * ms)
	for _, pid := range pids {
		b.write(cgroups+"/a/cgroup.procs", fmt.Sprint(pid))
	}
	b.at(20*ms, func() { b.write(cgroups+"/a/cpuset.cpus", "2-3") })
	b.until(20 * ms)
	b.until(100 * ms)
	for _, pid := range pids {
		on := b.ranOn(pid, 20*ms)
		if on[0]+on[1] > 0 {
			t.Errorf("task %d ran outside 2-3: %v", pid, on)
		}
		if on[2]+on[3] == 0 {
			t.Errorf("task %d did not run: %v", pid, on)
		}
	}
	if on := b.ranOn(pids[3], 20*ms); on[2] > 0 {
		t.Errorf("task %d ran on CPU 2, which it did not ask for: %v", pids[3], on)
	}
	if got := b.read(cgroups + "/a/cpuset.cpus.effective"); got != "2-3\n" {
		t.Errorf("effective %q", got)
	}
	allowed := func(pid int32) string {
		text := b.read(fmt.Sprintf("/proc/%d/status", pid))
		_, rest, _ := strings.Cut(text, "Cpus_allowed_list:\t")
		list, _, _ := strings.Cut(rest, "\n")
		return list
	}
	if got := allowed(pids[0]) + " " + allowed(pids[3]); got != "2-3 3" {
		t.Errorf("allowed %s, want 2-3 3", got)
	}
	if err := b.SchedSetaffinity(pids[0], cpumask.Of(0)); err == nil || !strings.Contains(err.Error(), "EINVAL") {
		t.Errorf("a CPU outside the cpuset: %v", err)
	}
	b.write(cgroups+"/a/cpuset.cpus", "")
	if got := allowed(pids[0]) + " " + allowed(pids[3]); got != "0-3 0,3" {
		t.Errorf("allowed after widening %s, want 0-3 0,3", got)
	}
	b.must(b.SchedSetaffinity(pids[0], nil))
	// A mask that was set past the group counts as what the task asked for.
	b.must(b.SetAffinity(pids[1], cpumask.Of(1, 2)))
	b.write(cgroups+"/a/cpuset.cpus", "0-1")
	b.write(cgroups+"/a/cpuset.cpus", "")
	if got := allowed(pids[1]); got != "1-2" {
		t.Errorf("allowed after SetAffinity %s, want 1-2", got)
	}
	b.until(200 * ms)
}

// TestFilesThreads: writing to cgroup.procs moves all threads of a process; what
// they fork later, in the middle of a run, comes after them, and their CPU time
// is counted when they have gone.
func TestFilesThreads(t *testing.T) {
	b := newFileBox(t, 2, func(c *engine.Config) { c.Costs = cost.Default() })
	child := compile([]workload.Step{run(3 * ms)})
	worker := compile([]workload.Step{loop(run(2*ms), workload.Fork{Prog: child, Comm: "child"}, workload.Wait{}, sleep(ms))})
	p := b.spawn("p", engine.Spawn{},
		workload.Fork{Prog: worker, Comm: "w1", Thread: true}, workload.Fork{Prog: worker, Comm: "w2", Thread: true}, sleep(1000*ms))
	b.until(5 * ms)
	b.must(b.Mkdir(cgroups + "/a"))
	b.must(b.Mkdir(cgroups + "/a/b"))
	b.write(cgroups+"/a/b/cgroup.procs", fmt.Sprint(b.Core().MaxPID())) // none of p's own
	inside := b.read(cgroups + "/a/b/cgroup.procs")
	b.write(cgroups+"/a/b/cgroup.procs", fmt.Sprint(p+1)) // a thread stands for its process
	if got := b.read(cgroups + "/a/b/cgroup.threads"); !strings.HasPrefix(got, fmt.Sprintf("%d\n%d\n%d\n", p, p+1, p+2)) {
		t.Errorf("threads %q", got)
	}
	last := b.Core().MaxPID()
	before := runTimes(b.Machine, b.cpus)
	b.until(300 * ms)
	if b.Core().MaxPID() < last+20 {
		t.Fatalf("only %d children", b.Core().MaxPID()-last)
	}
	for pid := last + 1; pid <= b.Core().MaxPID(); pid++ {
		if b.Core().Find(pid) != sched.NoTask && b.CgroupPath(pid) != "/a/b" {
			t.Errorf("child %d is in %s", pid, b.CgroupPath(pid))
		}
	}
	var want event.Time
	for pid, ran := range runTimes(b.Machine, b.cpus) {
		if pid >= last+1 || pid >= p && pid <= p+2 || strings.Contains("\n"+inside, fmt.Sprintf("\n%d\n", pid)) {
			want += ran - before[pid]
		}
	}
	if got, want := b.read(cgroups+"/a/cpu.stat"), fmt.Sprintf("usage_usec %d\n", int64(want)/1000); got != want {
		t.Errorf("cpu.stat %q, want %q", got, want)
	}
	b.isErrno(b.Rmdir(cgroups+"/a/b"), "EBUSY")
	b.until(1500 * ms)
	b.must(b.Kill(p+1, "KILL"))
	b.must(b.Kill(p+2, "KILL"))
	b.until(2000 * ms)
	if got := b.read(cgroups + "/a/cgroup.events"); got != "populated 0\nfrozen 0\n" {
		t.Errorf("after all have gone: %q", got)
	}
	b.must(b.Rmdir(cgroups + "/a/b"))
	b.must(b.Rmdir(cgroups + "/a"))
}

// TestFilesSpawnIn: a task starts in its group, on the group's CPUs.
func TestFilesSpawnIn(t *testing.T) {
	b := newFileBox(t, 4, nil)
	b.write(cgroups+"/cgroup.subtree_control", "+cpu +cpuset")
	b.must(b.Mkdir(cgroups + "/a"))
	b.must(b.Mkdir(cgroups + "/b"))
	b.write(cgroups+"/a/cpuset.cpus", "1-2")
	spawn := func(dir string, s engine.Spawn) (int32, error) {
		s.Comm, s.Program = "hog", compile([]workload.Step{hog})
		return b.SpawnIn(dir, s)
	}
	x, err := spawn("/a", engine.Spawn{CPUs: cpumask.Of(2, 3), Start: cpumask.Of(0)})
	b.must(err)
	child, err := spawn("", engine.Spawn{Parent: x})
	b.must(err)
	b.until(50 * ms)
	for _, pid := range []int32{x, child} {
		if got := b.CgroupPath(pid); got != "/a" {
			t.Errorf("task %d is in %s", pid, got)
		}
		if on := b.ranOn(pid, 0); on[0]+on[3] > 0 {
			t.Errorf("task %d ran outside the group's CPUs: %v", pid, on)
		}
	}
	if on := b.ranOn(x, 0); on[2] != 50*ms {
		t.Errorf("task %d ran %v, want all the time on CPU 2", x, on)
	}
	b.write(cgroups+"/b/cgroup.procs", fmt.Sprint(x))
	if got := b.read(fmt.Sprintf("/proc/%d/status", x)); !strings.Contains(got, "Cpus_allowed:\tc\nCpus_allowed_list:\t2-3\n") {
		t.Errorf("status in /b: %s", got)
	}
	if _, err := spawn("/c", engine.Spawn{}); err == nil || !strings.HasPrefix(err.Error(), "spawn hog: ENOENT: ") {
		t.Errorf("spawn in a group that does not exist: %v", err)
	}
	if _, err := spawn("/a", engine.Spawn{CPUs: cpumask.Of(3)}); err == nil || !strings.HasPrefix(err.Error(), "spawn hog: EINVAL: ") {
		t.Errorf("spawn on CPUs that the group does not have: %v", err)
	}
	if _, err := spawn("/a", engine.Spawn{CPUs: cpumask.Of(9)}); err == nil || !strings.HasPrefix(err.Error(), "spawn hog: EINVAL: ") {
		t.Errorf("spawn on CPUs that do not exist: %v", err)
	}
	b.must(b.Mkdir(cgroups + "/a/x"))
	b.write(cgroups+"/b/cgroup.procs", fmt.Sprint(child))
	b.write(cgroups+"/a/cgroup.subtree_control", "+cpu")
	if _, err := spawn("/a", engine.Spawn{}); err == nil || !strings.HasPrefix(err.Error(), "spawn hog: EBUSY: ") {
		t.Errorf("spawn in a group that enables controllers: %v", err)
	}
}
