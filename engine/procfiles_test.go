package engine_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"schedrepl/engine"
	"schedrepl/engine/cgroup"
	"schedrepl/engine/cost"
	"schedrepl/engine/cpumask"
	"schedrepl/engine/event"
	"schedrepl/engine/topology"
	"schedrepl/engine/trace"
	"schedrepl/engine/workload"
)

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
