package procfs

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"schedrepl/engine/cgroup"
	"schedrepl/engine/cost"
	"schedrepl/engine/cpumask"
	"schedrepl/engine/event"
	"schedrepl/engine/kernel"
	"schedrepl/engine/sched"
	"schedrepl/engine/topology"
	"schedrepl/engine/trace"
)

// fake is a machine without tasks that notes what it is told.
type fake struct {
	core  *sched.Core
	calls []string
}

func (f *fake) Core() *sched.Core           { return f.core }
func (f *fake) SetAutogroupEnabled(on bool) { f.calls = append(f.calls, fmt.Sprint("autogroup ", on)) }
func (f *fake) SetAutogroupNice(pid int32, nice int) error {
	f.calls = append(f.calls, fmt.Sprint("nice ", pid, " ", nice))
	return nil
}
func (f *fake) SetTunable(name string, v int64) error {
	f.calls = append(f.calls, fmt.Sprint(name, " ", v))
	return nil
}
func (f *fake) SetFeature(word string) error {
	k := f.core.Kernel
	if err := k.SetFeature(word); err != nil {
		return err
	}
	f.calls = append(f.calls, "feature "+word)
	return nil
}

func (f *fake) Sync(int)                             {}
func (f *fake) Kick(int)                             {}
func (f *fake) Touched(int)                          {}
func (f *fake) Charge(int, event.Time, trace.Reason) {}

func newFS(t testing.TB, version, topo string) (*fake, *FS) {
	t.Helper()
	k, _, err := kernel.Lookup(version)
	if err != nil {
		t.Fatal(err)
	}
	layout, err := topology.Parse(topo)
	if err != nil {
		t.Fatal(err)
	}
	f := &fake{}
	f.core = sched.New(layout, k, cost.None(), 1000, f)
	return f, New(f, cgroup.New(nil, layout.NumCPU()), "preempt=none")
}

// TestWrite is the table of what each file takes: the call that it makes, or
// the errno without any.
func TestWrite(t *testing.T) {
	const sys = "/proc/sys/kernel/sched_"
	for _, w := range []struct{ path, text, want string }{
		{sys + "latency_ns", "100000", "latency 100000"},
		{sys + "latency_ns", "0x1000000\n", "latency 16777216"},
		{sys + "latency_ns", "1000000000", "latency 1000000000"},
		{sys + "latency_ns", "99999", "EINVAL: /proc/sys/kernel/sched_latency_ns: 99999 ns is outside 100µs to 1s"},
		{sys + "latency_ns", "1000000001", "EINVAL"},
		{sys + "latency_ns", "6 7", "EINVAL"},
		{sys + "min_granularity_ns", "750000", "min_granularity 750000"},
		{sys + "min_granularity_ns", "99999", "EINVAL"},
		{sys + "wakeup_granularity_ns", "0", "wakeup_granularity 0"},
		{sys + "wakeup_granularity_ns", "-1", "EINVAL"},
		{sys + "migration_cost", "0", "migration_cost 0"},
		{sys + "shares_window", "10000000", "shares_window 10000000"},
		{sys + "shares_window", "1", "EINVAL"},
		{sys + "tunable_scaling", "2", "tunable_scaling 2"},
		{sys + "tunable_scaling", "3", "EINVAL: /proc/sys/kernel/sched_tunable_scaling: 3 is outside 0 to 2"},
		{sys + "child_runs_first", "1", "child_runs_first 1"},
		{sys + "child_runs_first", "-1", "EINVAL"},
		{sys + "autogroup_enabled", "0\n", "autogroup false"},
		{sys + "autogroup_enabled", "1", "autogroup true"},
		{sys + "autogroup_enabled", "yes", "EINVAL"},
		{"/sys/kernel/debug/sched_features", "NO_START_DEBIT\n", "feature NO_START_DEBIT"},
		{"/sys/kernel/debug/sched/features", "NEXT_BUDDY", "feature NEXT_BUDDY"},
		{"/sys/kernel/debug/sched_features", "WAKEUP_PREEMPT", "EINVAL"}, // gone by 3.3
		{"/sys/kernel/debug/sched_features", "NO_NO_HRTICK", "EINVAL"},
		{"/sys/kernel/debug/sched_features", "HRTICK", "EOPNOTSUPP"},
		{"/proc/cmdline", "x", "EACCES"},
		{"/proc/sys/kernel", "x", "EISDIR"},
		{"/sys/fs/cgroup", "x", "EISDIR"},
		{"/proc/sys/kernel/nope", "x", "ENOENT"},
	} {
		f, fs := newFS(t, "3.3", "1n1l4c1t")
		err := fs.Write(w.path, w.text)
		got := strings.Join(f.calls, "; ")
		if err != nil {
			var e *cgroup.Error
			if !errors.As(err, &e) || got != "" {
				t.Errorf("write %s %q: %T, after %q", w.path, w.text, err, got)
			}
			if got = err.Error(); !strings.HasPrefix(got, w.want+": ") && got != w.want {
				t.Errorf("write %s %q: %s, want %s", w.path, w.text, got, w.want)
			}
			continue
		}
		if got != w.want {
			t.Errorf("write %s %q: called %q, want %q", w.path, w.text, got, w.want)
		}
	}
}

// TestTable: every file that is listed can be read, and ends its line.
func TestTable(t *testing.T) {
	for _, version := range []string{"2.6.36", "2.6.38", "3.3"} {
		_, fs := newFS(t, version, "2n1l2c2t")
		n := 0
		var walk func(p string)
		walk = func(p string) {
			names, err := fs.List(p)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range names {
				full := strings.TrimSuffix(p, "/") + "/" + name
				text, err := fs.Read(full)
				var e *cgroup.Error
				switch {
				case errors.As(err, &e) && e.Errno == "EISDIR":
					walk(full)
				case err != nil:
					t.Errorf("%s: %v", full, err)
				case text != "" && !strings.HasSuffix(text, "\n"):
					t.Errorf("%s: %q", full, text)
				default:
					n++
				}
			}
		}
		walk("/")
		if n < 50 {
			t.Errorf("%s: only %d files", version, n)
		}
		names, err := fs.List("/proc/sys/kernel")
		if has := slices.Contains(names, "sched_autogroup_enabled"); err != nil || has != (version != "2.6.36") {
			t.Errorf("%s lists %v, %v", version, names, err)
		}
	}
}

func TestHexMask(t *testing.T) {
	for _, m := range []struct {
		cpus string
		n    int
		want string
	}{
		{"0", 1, "1"}, {"0-3", 4, "f"}, {"1,3", 4, "a"}, {"4", 5, "10"}, {"0", 5, "01"}, {"31", 32, "80000000"},
		{"0", 33, "0,00000001"}, {"32", 33, "1,00000000"}, {"0-63", 64, "ffffffff,ffffffff"}, {"40,64", 70, "01,00000100,00000000"},
	} {
		if got := hexMask(cpumask.MustParse(m.cpus), m.n); got != m.want {
			t.Errorf("%s of %d: %s, want %s", m.cpus, m.n, got, m.want)
		}
	}
}

func TestNumber(t *testing.T) {
	for text, want := range map[string]int32{
		"1": 1, "42": 42, "999999999": 999999999, "": 0, "0": 0, "01": 0, "-1": 0, "1x": 0, "1000000000": 0, "99999999999999999999": 0,
	} {
		if got := number(text); got != want {
			t.Errorf("number(%q) = %d, want %d", text, got, want)
		}
	}
}

// FuzzPath follows any path: there is no panic, and a failure has an errno.
func FuzzPath(f *testing.F) {
	for _, p := range []string{"/", "", "//proc//", "/proc/1/stat", "/sys/../proc/sys", "/sys/devices/system/cpu/cpu3/topology/core_id", "/proc/\x00"} {
		f.Add(p)
	}
	_, fs := newFS(f, "3.3", "1n1l4c1t")
	f.Fuzz(func(t *testing.T, p string) {
		var e *cgroup.Error
		_, err := fs.Read(p)
		if err != nil && !errors.As(err, &e) {
			t.Errorf("read %q: %v", p, err)
		}
		isDir := err != nil && e.Errno == "EISDIR"
		if _, lerr := fs.List(p); (lerr == nil) != isDir {
			t.Errorf("reading %q gives %v, listing it %v", p, err, lerr)
		}
	})
}
