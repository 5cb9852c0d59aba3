package cgroup

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"schedrepl/engine/cpumask"
	"schedrepl/engine/sched"
)

// step is one operation: "mkdir P", "rmdir P", "read P", "ls P", "write P
// TEXT", "fork PID TGID PARENT", "exit PID", "affinity PID CPUS", "run PID NS".
// want is what it gives: the text read, or the start of the error, or with
// calls: before it, what the machine was told.
type step struct{ op, want string }

func run(t *testing.T, f *fake, tree *Tree, steps []step) {
	t.Helper()
	for _, s := range steps {
		f.take()
		got, err := do(f, tree, s.op)
		if err != nil {
			got = err.Error()
		}
		if want, ok := strings.CutPrefix(s.want, "calls: "); ok {
			if err != nil {
				t.Fatalf("%s: %v", s.op, err)
			}
			s.want, got = want, strings.Join(f.take(), "; ")
		}
		if err != nil && s.want != "" {
			if !strings.HasPrefix(got, s.want) {
				t.Fatalf("%s: error %q, want %q", s.op, got, s.want)
			}
			if calls := f.take(); len(calls) > 0 {
				t.Fatalf("%s: refused, but %q was done", s.op, calls)
			}
			continue
		}
		if got != s.want {
			t.Fatalf("%s: got %q, want %q", s.op, got, s.want)
		}
	}
}

func do(f *fake, tree *Tree, op string) (string, error) {
	verb, rest, _ := strings.Cut(op, " ")
	p, text, _ := strings.Cut(rest, " ")
	var a, b, c int32
	if verb == "fork" || verb == "exit" || verb == "affinity" || verb == "run" {
		fmt.Sscan(rest, &a, &b, &c)
	}
	switch verb {
	case "mkdir":
		return "", tree.Mkdir(p)
	case "rmdir":
		return "", tree.Rmdir(p)
	case "read":
		return tree.Read(p)
	case "write":
		return "", tree.Write(p, text)
	case "ls":
		names, err := tree.List(p)
		return strings.Join(names, " "), err
	case "fork":
		f.fork(tree, a, b, c)
	case "exit":
		f.exit(tree, a)
	case "run":
		f.tasks[a].runtime += int64(b)
	case "affinity":
		var cpus cpumask.Set
		if text != "all" {
			cpus = cpumask.MustParse(text)
		}
		return "", tree.SetAffinity(a, f.tasks[a].tgid, cpus)
	default:
		panic("unknown step " + op)
	}
	return "", nil
}

func TestDirectories(t *testing.T) {
	f, tree := newFake(4)
	run(t, f, tree, []step{
		{"ls /", "cgroup.controllers cgroup.procs cgroup.stat cgroup.subtree_control cgroup.threads cpuset.cpus.effective"},
		{"mkdir /web", ""},
		{"mkdir /sys/fs/cgroup/web/api/", ""},
		{"mkdir /batch", ""},
		{"mkdir /web", "EEXIST: /sys/fs/cgroup/web: "},
		{"mkdir /", "EEXIST"},
		{"mkdir /cgroup.procs", "EEXIST"},
		{"mkdir /wep/x", `ENOENT: /sys/fs/cgroup/wep: there is no "wep"; did you mean web?`},
		{"mkdir /cgroup.procs/x", "ENOTDIR: /sys/fs/cgroup/cgroup.procs/x: "},
		{"mkdir /" + strings.Repeat("a", 256), "ENAMETOOLONG"},
		{"mkdir /a\nb", "EINVAL"},
		{"ls /web", "api cgroup.controllers cgroup.events cgroup.procs cgroup.stat cgroup.subtree_control cgroup.threads cgroup.type cpu.stat"},
		{"ls /web/cgroup.type", "ENOTDIR"},
		{"ls /nope", "ENOENT"},
		{"read /cgroup.stat", "nr_descendants 3\nnr_dying_descendants 0\n"},
		{"read /web", "EISDIR"},
		{"read /web/cgroup.type", "domain\n"},
		{"write /web/cgroup.type threaded", "EOPNOTSUPP"},
		{"write /web/cgroup.type domain", "EINVAL"},
		{"write /web/cgroup.events 1", "EACCES"},
		{"write /web x", "EISDIR"},
		{"read /web/cgroup.proc", "ENOENT: /sys/fs/cgroup/web/cgroup.proc: there is no \"cgroup.proc\"; did you mean cgroup.procs?"},
		{"read /cgroup.type", "ENOENT: /sys/fs/cgroup/cgroup.type: the root directory has no cgroup.type"},
		{"rmdir /web", "EBUSY: /sys/fs/cgroup/web: it has child directories: api"},
		{"rmdir /web/api", ""},
		{"rmdir /web/../web", ""},
		{"rmdir /web", "ENOENT"},
		{"rmdir /cgroup.procs", "ENOTDIR"},
		{"rmdir /", "EBUSY"},
		{"mkdir /new", ""}, // in a slot that was freed
		{"ls /new", "cgroup.controllers cgroup.events cgroup.procs cgroup.stat cgroup.subtree_control cgroup.threads cgroup.type cpu.stat"},
	})
}

func TestControllers(t *testing.T) {
	f, tree := newFake(4)
	run(t, f, tree, []step{
		{"read /cgroup.controllers", "cpuset cpu\n"},
		{"read /cgroup.subtree_control", ""},
		{"mkdir /a", ""},
		{"mkdir /a/b", ""},
		{"fork 2 2 0", ""},
		{"write /a/b/cgroup.procs 2", "calls: "},
		{"read /a/cpu.weight", `ENOENT: /sys/fs/cgroup/a/cpu.weight: the controller of cpu.weight is not enabled here; write "+cpu" to /sys/fs/cgroup/cgroup.subtree_control first`},
		{"write /a/cgroup.subtree_control +cpu", `ENOENT: /sys/fs/cgroup/a/cgroup.subtree_control: controller cpu is not available here; write "+cpu" to /sys/fs/cgroup/cgroup.subtree_control first`},
		{"write /cgroup.subtree_control cpu", "EINVAL"},
		{"write /cgroup.subtree_control +memory", "EINVAL"},
		{"write /cgroup.subtree_control +cpu +pids", "EINVAL"},
		{"read /cgroup.subtree_control", ""},
		{"write /cgroup.subtree_control +cpu", "calls: new /a in /; attach 2 /a"},
		{"write /cgroup.subtree_control +cpu", "calls: "},
		{"read /cgroup.subtree_control", "cpu\n"},
		{"read /a/cgroup.controllers", "cpu\n"},
		{"read /a/cpu.weight", "100\n"},
		{"write /a/cpu.weight 300", "calls: shares /a 3072"},
		{"write /a/cgroup.subtree_control +cpuset", "ENOENT"},
		{"write /a/cgroup.subtree_control -cpuset", "calls: "},
		{"write /a/cgroup.subtree_control +cpu", "calls: new /a/b in /a; attach 2 /a/b"},
		{"write /cgroup.subtree_control -cpu", "EBUSY: /sys/fs/cgroup/cgroup.subtree_control: /sys/fs/cgroup/a enables"},
		{"mkdir /a/c", "calls: new /a/c in /a"},
		{"write /a/b/cgroup.subtree_control +cpu", "EBUSY: /sys/fs/cgroup/a/b/cgroup.subtree_control: 1 processes live in this directory itself"},
		{"write /a/cgroup.procs 2", "EBUSY: /sys/fs/cgroup/a/cgroup.procs: this directory enables controllers"},
		{"write /a/cgroup.subtree_control -cpu", "calls: attach 2 /a; free /a/b; free /a/c"},
		{"write /cgroup.subtree_control -cpu +cpuset", "calls: attach 2 /; free /a"},
		{"write /cgroup.subtree_control +cpu -cpu", "calls: "},
		{"write /cgroup.subtree_control +cpu", "calls: new /a in /; attach 2 /a"},
		{"read /cgroup.subtree_control", "cpuset cpu\n"},
		{"read /a/cpu.weight", "100\n"}, // the old weight went with the old group
	})
}

func TestWeights(t *testing.T) {
	f, tree := newFake(1)
	run(t, f, tree, []step{
		{"mkdir /a", ""},
		{"write /cgroup.subtree_control +cpu", "calls: new /a in /"},
		{"write /a/cpu.weight 1", "calls: shares /a 10"},
		{"read /a/cpu.weight", "1\n"},
		{"write /a/cpu.weight  10000\n", "calls: shares /a 102400"},
		{"read /a/cpu.weight", "10000\n"},
		{"write /a/cpu.weight 50", "calls: shares /a 512"},
		{"write /a/cpu.weight 0x64", "calls: shares /a 1024"},
		{"write /a/cpu.weight 0", `ERANGE: /sys/fs/cgroup/a/cpu.weight: "0" is outside 1 to 10000`},
		{"write /a/cpu.weight 10001", "ERANGE"},
		{"write /a/cpu.weight 99999999999999999999", "ERANGE"},
		{"write /a/cpu.weight ten", `EINVAL: /sys/fs/cgroup/a/cpu.weight: "ten" is not a whole number`},
		{"write /a/cpu.weight ", "EINVAL"},
		{"write /a/cpu.weight 1 2", "EINVAL"},
		{"write /a/cpu.weight.nice 5", "calls: shares /a 335"},
		{"read /a/cpu.weight.nice", "5\n"},
		{"read /a/cpu.weight", "33\n"},
		{"write /a/cpu.weight.nice -20", "calls: shares /a 88761"},
		{"read /a/cpu.weight", "8668\n"},
		{"write /a/cpu.weight.nice -21", "ERANGE"},
		{"write /a/cpu.weight.nice 20", "ERANGE"},
		{"write /a/cpu.weight 100", "calls: shares /a 1024"},
		{"read /a/cpu.weight.nice", "0\n"},
	})
}

func TestProcesses(t *testing.T) {
	f, tree := newFake(4)
	run(t, f, tree, []step{
		{"fork 2 2 0", ""},
		{"fork 3 2 2", ""}, // a thread of 2
		{"fork 4 4 2", ""}, // a child
		{"write /cgroup.subtree_control +cpu", "calls: "},
		{"mkdir /a", "calls: new /a in /"},
		{"mkdir /b", "calls: new /b in /"},
		{"read /a/cgroup.events", "populated 0\nfrozen 0\n"},
		{"write /a/cgroup.procs 3\n", "calls: attach 2 /a; attach 3 /a"}, // by a thread's id
		{"write /a/cgroup.procs 2", "calls: "},
		{"read /a/cgroup.procs", "2\n"},
		{"read /a/cgroup.threads", "2\n3\n"},
		{"read /cgroup.procs", "4\n"},
		{"read /a/cgroup.events", "populated 1\nfrozen 0\n"},
		{"rmdir /a", "EBUSY: /sys/fs/cgroup/a: 1 processes live in it"},
		{"fork 5 5 3", ""}, // children of both threads, with their children, inherit
		{"fork 6 6 5", ""},
		{"exit 5", ""},
		{"fork 7 7 6", ""},
		{"read /a/cgroup.procs", "2\n6\n7\n"},
		{"write /b/cgroup.procs 7", "calls: attach 7 /b"},
		{"exit 2", ""}, // thread 3 goes on
		{"read /a/cgroup.procs", "2\n6\n"},
		{"write /b/cgroup.procs 2", "calls: attach 3 /b"},
		{"write /b/cgroup.threads 3", "calls: "},
		{"write /a/cgroup.threads 3", "EOPNOTSUPP"},
		{"write /a/cgroup.procs 5", "ESRCH: /sys/fs/cgroup/a/cgroup.procs: process 5 has exited or never was"},
		{"write /a/cgroup.procs 0", "EINVAL"},
		{"write /a/cgroup.procs -3", "EINVAL"},
		{"write /a/cgroup.procs make", "EINVAL"},
		{"exit 3", ""},
		{"exit 6", ""},
		{"rmdir /a", "calls: free /a"},
		{"exit 7", ""},
		{"read /b/cgroup.events", "populated 0\nfrozen 0\n"},
	})
	if got := tree.PathOf(4); got != "/" {
		t.Errorf("process 4 is in %s", got)
	}
}

func TestCPUSets(t *testing.T) {
	f, tree := newFake(8)
	run(t, f, tree, []step{
		{"fork 2 2 0", ""},
		{"fork 3 3 0", ""},
		{"affinity 3 0,2", "calls: cpus 3 0,2"},
		{"mkdir /a", ""},
		{"mkdir /a/b", ""},
		{"write /a/b/cgroup.procs 2", "calls: "},
		{"write /a/b/cgroup.procs 3", "calls: "},
		{"write /cgroup.subtree_control +cpuset", "calls: "},
		{"write /a/cgroup.subtree_control +cpuset", "calls: "},
		{"read /cpuset.cpus.effective", "0-7\n"},
		{"read /a/b/cpuset.cpus", "\n"},
		{"read /a/b/cpuset.cpus.effective", "0-7\n"},
		{"write /a/cpuset.cpus 0-3", "calls: cpus 2 0-3"}, // 3 keeps 0,2
		{"read /a/b/cpuset.cpus.effective", "0-3\n"},
		{"write /a/b/cpuset.cpus 2-5\n", "calls: cpus 2 2-3; cpus 3 2"},
		{"read /a/b/cpuset.cpus", "2-5\n"},
		{"read /a/b/cpuset.cpus.effective", "2-3\n"},
		{"affinity 2 0-1", `sched_setaffinity: EINVAL: CPUs "0-1": the task may use only 2-3`},
		{"affinity 2 3,7", "calls: cpus 2 3"},
		{"fork 4 4 2", ""},
		{"write /a/cpuset.cpus 6-7", "calls: cpus 2 7; cpus 3 6-7; cpus 4 7"}, // b asks for none of them and gets all
		{"read /a/b/cpuset.cpus.effective", "6-7\n"},
		{"write /a/b/cpuset.cpus ", "calls: "},
		{"write /a/cpuset.cpus \n", "calls: cpus 2 3,7; cpus 3 0,2; cpus 4 3,7"},
		{"write /a/cpuset.cpus 0-8", `EINVAL: /sys/fs/cgroup/a/cpuset.cpus: "0-8": CPU 8 does not exist (machine has 0-7)`},
		{"write /a/cpuset.cpus 3-1", "EINVAL: /sys/fs/cgroup/a/cpuset.cpus: parse cpu list"},
		{"write /a/cpuset.cpus x", "EINVAL"},
		{"read /a/cpuset.cpus", "\n"},
		{"write /a/cpuset.cpus 1", "calls: cpus 2 1; cpus 3 1; cpus 4 1"},
		{"mkdir /c", ""},
		{"write /c/cgroup.procs 3", "calls: cpus 3 0,2"},
		{"affinity 4 all", "calls: cpus 4 1"},
		{"write /a/cgroup.subtree_control -cpuset", "calls: "},
		{"write /cgroup.subtree_control -cpuset", "calls: cpus 2 3,7; cpus 4 all"},
		{"write /cgroup.subtree_control +cpuset", "calls: "},
		{"read /a/cpuset.cpus", "\n"}, // what was asked for went with the controller
		{"read /a/cpuset.cpus.effective", "0-7\n"},
	})
}

func TestCPUStat(t *testing.T) {
	f, tree := newFake(4)
	run(t, f, tree, []step{
		{"fork 2 2 0", ""},
		{"run 2 5000", ""},
		{"mkdir /a", ""},
		{"mkdir /a/b", ""},
		{"write /a/b/cgroup.procs 2", ""},
		{"run 2 7000", ""},
		{"read /a/b/cpu.stat", "usage_usec 7\n"}, // not the 5 before
		{"fork 3 3 2", ""},
		{"run 3 11999", ""},
		{"exit 3", ""},
		{"read /a/b/cpu.stat", "usage_usec 18\n"},
		{"write /a/cgroup.procs 2", ""},
		{"run 2 1001", ""},
		{"read /a/b/cpu.stat", "usage_usec 18\n"},
		{"read /a/cpu.stat", "usage_usec 20\n"},
		{"rmdir /a/b", ""},
		{"read /a/cpu.stat", "usage_usec 20\n"},
		{"read /cpu.stat", "ENOENT"},
		{"write /cgroup.subtree_control +cpu", ""},
		{"read /a/cpu.stat", "usage_usec 20\nnr_periods 0\nnr_throttled 0\nthrottled_usec 0\nnr_bursts 0\nburst_usec 0\n"},
	})
}

// TestFixed: a bound kernel thread stays in the root.
func TestFixed(t *testing.T) {
	f, tree := newFake(4)
	f.tasks[2] = &fakeTask{tgid: 2}
	tree.Fork(Forked{PID: 2, TGID: 2, Fixed: true})
	run(t, f, tree, []step{
		{"mkdir /a", ""},
		{"write /a/cgroup.procs 2", "EINVAL: /sys/fs/cgroup/a/cgroup.procs: process 2 is a kernel thread bound to its CPU"},
	})
}

// TestFork: where a process that is started in a directory, or with a task
// group of its own, ends up.
func TestFork(t *testing.T) {
	f, tree := newFake(4)
	run(t, f, tree, []step{
		{"mkdir /a", ""},
		{"mkdir /b", ""},
		{"write /cgroup.subtree_control +cpu +cpuset", ""},
		{"write /a/cpuset.cpus 0-1", ""},
		{"fork 2 2 0", ""},
	})
	group, ok := tree.GroupOf("/a")
	if !ok || group == sched.RootGroup {
		t.Fatalf("the group of /a is %d, %v", group, ok)
	}
	if _, ok := tree.GroupOf("/nope"); ok {
		t.Error("a directory that does not exist has a group")
	}
	// Its group tells where it is, not its parent.
	f.tasks[3] = &fakeTask{tgid: 3, group: group}
	tree.Fork(Forked{PID: 3, TGID: 3, Parent: 2, ParentTGID: 2, Group: group})
	if got := tree.PathOf(3); got != "/a" {
		t.Errorf("process 3 is in %s, want /a", got)
	}
	// In a directory by name, asking for 1-2 of which it may have 1.
	got, err := tree.Grant("/a", cpumask.Of(1, 2))
	if err != nil || !got.Equal(cpumask.Of(1)) {
		t.Fatalf("/a grants %v, %v", got, err)
	}
	f.tasks[4] = &fakeTask{tgid: 4, group: group, cpus: got}
	tree.Fork(Forked{PID: 4, TGID: 4, Group: group, CPUs: got, Dir: "/a", Asked: cpumask.Of(1, 2)})
	run(t, f, tree, []step{
		{"write /b/cgroup.procs 4", "calls: cpus 4 1-2; attach 4 /b"},
		{"read /a/cgroup.procs", "3\n"},
	})
	for _, dir := range []string{"/nope", "/a/b"} {
		if _, err := tree.Grant(dir, nil); !isErrno(err, "ENOENT") {
			t.Errorf("Grant(%s): %v", dir, err)
		}
		if err := tree.CanHost(dir); !isErrno(err, "ENOENT") {
			t.Errorf("CanHost(%s): %v", dir, err)
		}
	}
	if _, err := tree.Grant("/a", cpumask.Of(3)); err == nil {
		t.Error("/a grants a CPU that it does not have")
	}
	if err := tree.Write("/b/cgroup.procs", "2"); err != nil {
		t.Fatal(err)
	}
	if err := tree.CanHost("/a"); err != nil {
		t.Error(err)
	}
	run(t, f, tree, []step{{"mkdir /c", ""}, {"write /c/cgroup.subtree_control +cpu", ""}})
	if err := tree.CanHost("/c"); !isErrno(err, "EBUSY") {
		t.Errorf("CanHost(/c): %v", err)
	}
}

func isErrno(err error, errno string) bool {
	var e *Error
	return errors.As(err, &e) && e.Errno == errno
}

// TestClone: a copy has the same contents and goes its own way.
func TestClone(t *testing.T) {
	f, tree := newFake(4)
	run(t, f, tree, []step{
		{"fork 2 2 0", ""}, {"fork 3 2 2", ""},
		{"mkdir /a", ""}, {"write /cgroup.subtree_control +cpu +cpuset", ""},
		{"write /a/cgroup.procs 2", ""}, {"write /a/cpu.weight 200", ""},
	})
	before := dump(tree)
	g := &fake{groups: slices.Clone(f.groups), tasks: map[int32]*fakeTask{}}
	for pid, x := range f.tasks {
		y := *x
		g.tasks[pid] = &y
	}
	other := tree.Clone(g)
	if got := dump(other); got != before {
		t.Fatalf("the copy differs:\n%s\nfrom\n%s", got, before)
	}
	run(t, g, other, []step{
		{"mkdir /b", ""}, {"write /b/cgroup.procs 2", ""}, {"exit 3", ""},
		{"rmdir /a", ""}, {"mkdir /c", ""}, {"write /c/cpuset.cpus 1", ""},
	})
	if got := dump(tree); got != before {
		t.Fatalf("changing the copy changed the original to\n%s\nfrom\n%s", got, before)
	}
	run(t, f, tree, []step{{"write /a/cpuset.cpus 2", "calls: cpus 2 2; cpus 3 2"}})
}

// dump returns the contents of all files.
func dump(t *Tree) string {
	var b strings.Builder
	var walk func(p string)
	walk = func(p string) {
		names, err := t.List(p)
		if err != nil {
			panic(err)
		}
		for _, n := range names {
			full := p + "/" + n
			if text, err := t.Read(full); err == nil {
				fmt.Fprintf(&b, "%s %q\n", full, text)
			} else {
				walk(full)
			}
		}
	}
	walk("")
	return b.String()
}

func TestParseVersion(t *testing.T) {
	if v, err := ParseVersion("v2"); v != V2 || err != nil {
		t.Errorf("v2: %v, %v", v, err)
	}
	for _, word := range []string{"v1", "", "2"} {
		if _, err := ParseVersion(word); err == nil || !strings.Contains(err.Error(), `"v2"`) {
			t.Errorf("%q: %v", word, err)
		}
	}
}

func TestParseInt(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, " 12\n": 12, "-5": -5, "+7": 7, "0x1f": 31, "010": 8, "-0x10": -16,
		"9223372036854775807": 1<<63 - 1, "-9223372036854775808": -1 << 63,
	} {
		if v, errno := ParseInt(text); v != want || errno != "" {
			t.Errorf("ParseInt(%q) = %d, %s; want %d", text, v, errno, want)
		}
	}
	for text, want := range map[string]string{
		"": "EINVAL", "x": "EINVAL", "1 2": "EINVAL", "0x": "EINVAL", "08": "EINVAL", "--1": "EINVAL",
		"+-1": "EINVAL", "1_0": "EINVAL", "1.5": "EINVAL", "9223372036854775808": "ERANGE",
	} {
		if _, errno := ParseInt(text); errno != want {
			t.Errorf("ParseInt(%q): %q, want %q", text, errno, want)
		}
	}
}
