package engine_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"schedrepl/engine"
	"schedrepl/engine/cgroup"
	"schedrepl/engine/cost"
	"schedrepl/engine/cpumask"
	"schedrepl/engine/event"
	"schedrepl/engine/sched"
	"schedrepl/engine/topology"
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

// TestFilesAutogroup: the nice value of an autogroup weighs the session as a
// whole.
func TestFilesAutogroup(t *testing.T) {
	b := newFileBox(t, 1, nil)
	x, y := b.spawn("x", engine.Spawn{}, hog), b.spawn("y", engine.Spawn{}, hog)
	file := func(pid int32) string { return fmt.Sprintf("/proc/%d/autogroup", pid) }
	if got := b.read(file(x)); got != "" {
		t.Errorf("autogroup of init's session: %q", got)
	}
	b.refused(file(x), "5", "EINVAL")
	b.must(b.Setsid(x))
	b.must(b.Setsid(y))
	if got := b.read(file(y)); got != "/autogroup-2 nice 0\n" {
		t.Errorf("autogroup: %q", got)
	}
	for _, text := range []string{"20", "-21", "", "x", "1 2"} {
		b.refused(file(x), text, "EINVAL")
	}
	b.write(file(x), "-5\n")
	if got := b.read(file(x)); got != "/autogroup-1 nice -5\n" {
		t.Errorf("autogroup: %q", got)
	}
	b.until(4000 * ms)
	wantPart(t, "nice -5 to 0", b.share(x, y, 0, 0), 3121./(3121+1024))

	old := newFileBox(t, 1, func(c *engine.Config) { c.Kernel = profile(t, "2.6.36") })
	pid := old.spawn("x", engine.Spawn{}, hog)
	for _, path := range []string{file(pid), "/proc/sys/kernel/sched_autogroup_enabled"} {
		_, err := old.ReadFile(path)
		old.isErrno(err, "ENOENT")
	}
	if names, err := old.ListDir(fmt.Sprintf("/proc/%d", pid)); err != nil || slices.Contains(names, "autogroup") {
		t.Errorf("2.6.36 lists %v, %v", names, err)
	}
}

// slices returns how long the tasks of CPU 0 ran at a stretch since a moment,
// without the first and last stretch.
func (b fileBox) slices(from event.Time) []event.Time {
	var at []event.Time
	b.Log().Each(func(r *trace.Record) bool {
		if r.Kind == trace.KindSwitch && r.CPU == 0 && r.Time >= from {
			at = append(at, r.Time)
		}
		return true
	})
	var out []event.Time
	for i := 1; i < len(at); i++ {
		out = append(out, at[i]-at[i-1])
	}
	return out
}

// TestFilesSysctls: values are scaled, limits are Linux's, and a new latency shows
// in the slices that follow.
func TestFilesSysctls(t *testing.T) {
	const sys = "/proc/sys/kernel/sched_"
	b := newFileBox(t, 4, nil)
	for name, want := range map[string]string{
		"latency_ns": "18000000\n", "min_granularity_ns": "2250000\n", "wakeup_granularity_ns": "3000000\n",
		"migration_cost": "500000\n", "shares_window": "10000000\n", "child_runs_first": "0\n",
		"tunable_scaling": "1\n", "autogroup_enabled": "1\n",
	} {
		if got := b.read(sys + name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	for _, w := range []struct{ name, text string }{
		{"latency_ns", "99999"}, {"latency_ns", "1000000001"}, {"latency_ns", "6ms"}, {"latency_ns", ""},
		{"min_granularity_ns", "0"}, {"wakeup_granularity_ns", "-1"}, {"wakeup_granularity_ns", "99999999999999999999"},
		{"tunable_scaling", "3"}, {"child_runs_first", "2"}, {"autogroup_enabled", "2"}, {"autogroup_enabled", "on"},
	} {
		b.refused(sys+w.name, w.text, "EINVAL")
	}
	b.spawn("x", on(0), hog)
	b.spawn("y", on(0), hog)
	b.until(200 * ms)
	for _, d := range b.slices(50 * ms) {
		if d < 9*ms || d > 10*ms {
			t.Fatalf("with 18 ms latency a slice of %v", d)
		}
	}
	// A new scaling alone changes nothing.
	b.write(sys+"tunable_scaling", "0")
	if got := b.read(sys+"tunable_scaling") + b.read(sys+"latency_ns") + b.read(sys+"min_granularity_ns"); got != "0\n18000000\n2250000\n" {
		t.Errorf("after a new scaling: %q", got)
	}
	b.at(200*ms, func() {
		b.write(sys+"latency_ns", " 8000000\n")
		b.write(sys+"min_granularity_ns", "4000000")
	})
	b.until(400 * ms)
	for _, d := range b.slices(230 * ms) {
		if d < 4*ms || d > 5*ms {
			t.Fatalf("with 8 ms latency a slice of %v", d)
		}
	}
	if got := b.read(sys + "latency_ns"); got != "8000000\n" {
		t.Errorf("latency %q", got)
	}
	b.write(sys+"autogroup_enabled", "0")
	b.write(sys+"child_runs_first", "1")
	if got := b.read(sys+"autogroup_enabled") + b.read(sys+"child_runs_first"); got != "0\n1\n" {
		t.Errorf("switches: %q", got)
	}
	if b.Core().AutogroupOn || !b.Core().Kernel.Tunables.ChildRunsFirst {
		t.Error("the switches had no effect")
	}
}

func TestFilesFeatures(t *testing.T) {
	b := newFileBox(t, 1, nil)
	const path = "/sys/kernel/debug/sched_features"
	if got := b.read(path); !strings.HasPrefix(got, "GENTLE_FAIR_SLEEPERS START_DEBIT ") || !strings.HasSuffix(got, " \n") {
		t.Errorf("features %q", got)
	}
	b.write(path, "NO_GENTLE_FAIR_SLEEPERS\n")
	b.write("/sys/kernel/debug/sched/features", "NEXT_BUDDY")
	if got := b.read(path); !strings.HasPrefix(got, "NO_GENTLE_FAIR_SLEEPERS START_DEBIT AFFINE_WAKEUPS NEXT_BUDDY ") {
		t.Errorf("features %q", got)
	}
	for _, word := range []string{"", "NO_", "gentle_fair_sleepers", "START_DEBIT NEXT_BUDDY", "EEVDF", "RUN_TO_PARITY"} {
		b.refused(path, word, "EINVAL")
	}
	b.refused(path, "HRTICK", "EOPNOTSUPP") // no part of the model
	b.write(path, "OWNER_SPIN")             // as it is
}

// TestFilesTasks: what /proc/PID tells of a task that ran, slept and forked.
func TestFilesTasks(t *testing.T) {
	b := newFileBox(t, 2, nil)
	b.until(50 * ms)
	child := compile([]workload.Step{hog})
	p := b.spawn("a long name of 25 letters", engine.Spawn{Nice: 5, CPUs: cpumask.Of(1)},
		workload.Setsid{}, workload.Fork{Prog: child, Comm: "hog"}, loop(run(10*ms), sleep(10*ms)))
	c := p + 1
	b.until(1055 * ms)
	files := func(pid int32, name string) string { return b.read(fmt.Sprintf("/proc/%d/%s", pid, name)) }
	for _, f := range []struct {
		pid        int32
		name, want string
	}{
		{p, "comm", "a long name of \n"},
		{c, "comm", "hog\n"},
		{c, "stat", "3 (hog) R 2 2 2 0 -1 0 0 0 0 0 " + fmt.Sprint(int64(b.ran(c)/(10*ms))) + " 0 0 0 25 5 1 0 5 " +
			strings.Repeat("0 ", 15) + "17 1 0 0" + strings.Repeat(" 0", 11) + "\n"},
		{c, "cgroup", "0::/\n"},
		{p, "autogroup", "/autogroup-1 nice 0\n"},
		{c, "task/3/comm", "hog\n"},
	} {
		if got := files(f.pid, f.name); got != f.want {
			t.Errorf("/proc/%d/%s: %q, want %q", f.pid, f.name, got, f.want)
		}
	}
	if n := len(strings.Fields(files(c, "stat"))); n != 52 {
		t.Errorf("stat has %d fields", n)
	}
	for _, pid := range []int32{p, c} {
		in := 0
		b.Log().Each(func(r *trace.Record) bool {
			if r.Kind == trace.KindSwitch && r.Other == pid {
				in++
			}
			return true
		})
		want := fmt.Sprintf("%d %d %d\n", int64(b.ran(pid)), int64(b.task(pid).RunDelay), in)
		if got := files(pid, "schedstat"); got != want || b.task(pid).RunDelay == 0 {
			t.Errorf("/proc/%d/schedstat: %q, want %q", pid, got, want)
		}
	}
	for _, want := range []string{"Name:\thog\nState:\tR (running)\nTgid:\t3\nPid:\t3\nPPid:\t2\n", "Threads:\t1\nCpus_allowed:\t2\nCpus_allowed_list:\t1\n"} {
		if text := files(c, "status"); !strings.Contains(text, want) {
			t.Errorf("status lacks %q:\n%s", want, text)
		}
	}
	text := files(c, "sched")
	for _, want := range []string{
		"hog (3, #threads: 1)\n" + strings.Repeat("-", 57) + "\nse.vruntime                        :",
		fmt.Sprintf("\nse.sum_exec_runtime                :%14d.%06d\n", b.ran(c)/ms, b.ran(c)%ms),
		fmt.Sprintf("\nnr_switches                        :%21d\n", uint64(b.task(c).NVCSw)+uint64(b.task(c).NIVCSw)),
		"\nse.load.weight                     :                  335\n",
		"\nprio                               :                  125\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("sched lacks %q:\n%s", want, text)
		}
	}
	if names, err := b.ListDir("/proc"); err != nil || strings.Join(names, " ") != "2 3 cmdline sys" {
		t.Errorf("/proc holds %q, %v", names, err)
	}
	b.refused(fmt.Sprintf("/proc/%d/comm", p), "x", "EINVAL")
	b.must(b.Kill(p, "KILL"))
	b.until(1200 * ms)
	_, err := b.ReadFile("/proc/2/stat")
	b.isErrno(err, "ENOENT")
	if got := files(c, "stat"); !strings.HasPrefix(got, "3 (hog) R 1 2 2 ") {
		t.Errorf("an orphan: %q", got)
	}
}

func TestFilesCPUs(t *testing.T) {
	topo, err := topology.Parse("2n1l2c2t")
	if err != nil {
		t.Fatal(err)
	}
	b := newFileBox(t, 8, func(c *engine.Config) {
		c.Topology, c.Preempt, c.SkewTick, c.NoAutogroup = topo, engine.PreemptFull, true, true
	})
	const dir = "/sys/devices/system/cpu"
	if got := b.read(dir+"/online") + b.read(dir+"/possible"); got != "0-7\n0-7\n" {
		t.Errorf("CPUs %q", got)
	}
	for cpu := range 8 {
		c := topo.CPU(cpu)
		want := fmt.Sprintf("%d\n%d\n%s\n%s\n", c.Core%2, c.Package, topo.CoreMask(cpu), topo.PackageMask(cpu))
		got := ""
		for _, name := range []string{"core_id", "physical_package_id", "thread_siblings_list", "core_siblings_list"} {
			got += b.read(fmt.Sprintf("%s/cpu%d/topology/%s", dir, cpu, name))
		}
		if got != want {
			t.Errorf("CPU %d: %q, want %q", cpu, got, want)
		}
	}
	if names, err := b.ListDir(dir); err != nil || strings.Join(names, " ") != "cpu0 cpu1 cpu2 cpu3 cpu4 cpu5 cpu6 cpu7 online possible present" {
		t.Errorf("%s holds %q, %v", dir, names, err)
	}
	if got := b.read("/proc/cmdline"); got != "preempt=full skew_tick=1 noautogroup\n" {
		t.Errorf("cmdline %q", got)
	}
	if got := b.read("/proc/sys/kernel/sched_autogroup_enabled"); got != "0\n" {
		t.Errorf("noautogroup: %q", got)
	}
}

// TestFilesErrors: paths that lead nowhere, with what the error suggests.
func TestFilesErrors(t *testing.T) {
	b := newFileBox(t, 2, nil)
	b.spawn("x", engine.Spawn{}, hog)
	for _, f := range []struct{ path, want string }{
		{"/proc/sys/kernel/sched_latency", `ENOENT: /proc/sys/kernel/sched_latency: there is no "sched_latency"; did you mean sched_latency_ns?`},
		{"/proc/2/atogroup", `did you mean autogroup?`},
		{"/proc/99/stat", "ENOENT: /proc/99/stat: task 99 has exited or never was"},
		{"/proc/2/task/3/stat", "ENOENT: "},
		{"/proc/02/stat", "ENOENT: "},
		{"/proc/2", "EISDIR: "},
		{"/", "EISDIR: "},
		{"/proc/cmdline/x", "ENOTDIR: "},
		{"/tmp/x", `ENOENT: /tmp/x: there is no "tmp"; there are proc, sys`},
		{"proc/cmdline", "ENOENT: proc/cmdline: a path begins with /"},
		{"", "ENOENT: "},
		{"/sys/devices/system/cpu/cpu2/topology/core_id", "ENOENT: "},
		{"/sys/devices/system/cpu/cpu01/topology/core_id", "ENOENT: "},
		{"/sys/devices/system/cpu/cpu/topology/core_id", "ENOENT: "},
		{"/sys/fs/cgroup/web/cpu.weight", "ENOENT: /sys/fs/cgroup/web: "},
		{"/sys/fs", "EISDIR: "},
	} {
		_, err := b.ReadFile(f.path)
		if err == nil || !strings.Contains(err.Error(), f.want) {
			t.Errorf("read %s: %v, want %s", f.path, err, f.want)
		}
		var e *cgroup.Error
		if !errors.As(err, &e) {
			t.Errorf("read %s: %T", f.path, err)
		}
	}
	for _, path := range []string{"/proc/cmdline", "/proc/2/stat", "/sys/devices/system/cpu/online", cgroups + "/cgroup.controllers"} {
		b.refused(path, "x", "EACCES")
	}
	b.isErrno(b.Mkdir("/proc/x"), "ENOENT")
	b.isErrno(b.Mkdir("/sys/kernel/x"), "EPERM")
	b.isErrno(b.Mkdir("/sys/kernel"), "EEXIST")
	b.isErrno(b.Rmdir("/sys/kernel"), "EPERM")
	b.isErrno(b.Rmdir("/nope"), "ENOENT")
	_, err := b.ListDir("/proc/cmdline")
	b.isErrno(err, "ENOTDIR")
	if names, err := b.ListDir("/sys/../sys/fs/"); err != nil || strings.Join(names, " ") != "cgroup" {
		t.Errorf("/sys/fs holds %q, %v", names, err)
	}
	if names, err := b.ListDir("/"); err != nil || strings.Join(names, " ") != "proc sys" {
		t.Errorf("/ holds %q, %v", names, err)
	}
}

// TestFilesReadingChangesNothing: a machine all of whose files are read, again and
// again, takes the same decisions as one that is left alone.
func TestFilesReadingChangesNothing(t *testing.T) {
	digest := func(look bool) string {
		b := newFileBox(t, 2, func(c *engine.Config) { c.Costs = cost.Default() })
		child := compile([]workload.Step{run(ms)})
		for i := range 4 {
			b.spawn(fmt.Sprint("t", i), engine.Spawn{}, workload.Setsid{}, loop(run(3*ms), workload.Fork{Prog: child}, sleep(ms)))
		}
		for at := 7 * ms; at < 200*ms; at += 7 * ms {
			b.until(at)
			if look {
				if n := b.readAll("/"); n < 60 {
					t.Fatalf("only %d files", n)
				}
			}
		}
		return b.Digest()
	}
	if a, b := digest(false), digest(true); a != b {
		t.Errorf("digest %s, with reading %s", a, b)
	}
}

// TestFilesSkippedTicks: what is written between and inside runs takes effect
// at the same moment whether each tick is simulated or only those that matter.
func TestFilesSkippedTicks(t *testing.T) {
	digest := func(all bool) string {
		b := newFileBox(t, 2, func(c *engine.Config) { c.Costs, c.AllTicks = cost.Default(), all })
		for i := range 5 {
			b.spawn(fmt.Sprint("t", i), engine.Spawn{}, hog)
		}
		for i := range 3 {
			b.spawn(fmt.Sprint("s", i), engine.Spawn{}, loop(run(event.Time(i+1)*ms), sleep(2*ms)))
		}
		b.write(cgroups+"/cgroup.subtree_control", "+cpu +cpuset")
		b.must(b.Mkdir(cgroups + "/a"))
		for i, w := range []struct{ path, text string }{
			{"/proc/sys/kernel/sched_latency_ns", "40000000"},
			{"/proc/sys/kernel/sched_min_granularity_ns", "200000"},
			{cgroups + "/a/cgroup.procs", "3"},
			{"/sys/kernel/debug/sched_features", "NO_GENTLE_FAIR_SLEEPERS"},
			{cgroups + "/a/cpu.weight", "1000"},
			{"/proc/sys/kernel/sched_latency_ns", "100000"},
			{cgroups + "/a/cgroup.procs", "7"},
			{cgroups + "/a/cpuset.cpus", "1"},
			{"/sys/kernel/debug/sched_features", "NEXT_BUDDY"},
			{cgroups + "/cgroup.subtree_control", "-cpu"},
			{"/proc/sys/kernel/sched_wakeup_granularity_ns", "0"},
		} {
			at := event.Time(i)*21*ms + 300*us
			if i%2 == 0 {
				b.until(at)
				b.write(w.path, w.text)
			} else {
				b.at(at, func() { b.write(w.path, w.text) })
			}
		}
		b.until(400 * ms)
		return b.Digest()
	}
	if a, b := digest(true), digest(false); a != b {
		t.Errorf("digest with all ticks %s, with skipped ones %s", a, b)
	}
}

// readAll reads all files below a directory and returns how many.
func (b fileBox) readAll(dir string) int {
	names, err := b.ListDir(dir)
	if err != nil {
		b.t.Fatal(err)
	}
	n := 0
	for _, name := range names {
		path := strings.TrimSuffix(dir, "/") + "/" + name
		text, err := b.ReadFile(path)
		switch {
		case err != nil:
			n += b.readAll(path)
		case text != "" && !strings.HasSuffix(text, "\n"):
			b.t.Errorf("%s: %q does not end its line", path, text)
		default:
			n++
		}
	}
	return n
}

// FuzzFiles writes any text to any file of a running machine: there is no
// panic, a refusal has an errno, and the machine runs on unharmed.
func FuzzFiles(f *testing.F) {
	for _, path := range []string{
		"/proc/sys/kernel/sched_latency_ns", "/proc/sys/kernel/sched_tunable_scaling", "/proc/sys/kernel/sched_autogroup_enabled",
		"/proc/2/autogroup", "/sys/kernel/debug/sched_features", cgroups + "/a/cpu.weight", cgroups + "/a/cpuset.cpus",
		cgroups + "/cgroup.subtree_control", cgroups + "/a/cgroup.procs", "/proc/2/task/2/stat", "/proc//2/../cmdline",
	} {
		for _, text := range []string{"", "1", "-5\n", "100000", "+cpu", "0-1", "NO_START_DEBIT", "\x00"} {
			f.Add(path, text)
		}
	}
	f.Fuzz(func(t *testing.T, path, text string) {
		b := newFileBox(t, 2, nil)
		b.write(cgroups+"/cgroup.subtree_control", "+cpu +cpuset")
		b.must(b.Mkdir(cgroups + "/a"))
		b.spawn("x", engine.Spawn{}, workload.Setsid{}, loop(run(ms), sleep(ms)))
		b.spawn("y", engine.Spawn{}, hog)
		b.until(5 * ms)
		var e *cgroup.Error
		if err := b.WriteFile(path, text); err != nil && !errors.As(err, &e) {
			t.Errorf("write %q %q: %T %v", path, text, err, err)
		}
		if _, err := b.ReadFile(path); err != nil && !errors.As(err, &e) {
			t.Errorf("read %q: %T %v", path, err, err)
		}
		if _, err := b.ListDir(path); err != nil && !errors.As(err, &e) {
			t.Errorf("list %q: %T %v", path, err, err)
		}
		b.until(40 * ms)
	})
}
