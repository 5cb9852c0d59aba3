package cgroup

import (
	"fmt"

	"schedrepl/engine/cpumask"
)

func readCPUs(t *Tree, d int32) string { return t.dirs[d].cpus.String() + "\n" }

func readEffective(t *Tree, d int32) string { return t.dirs[d].effective.String() + "\n" }

// writeCPUs sets the CPUs asked for, empty for those of the parent. EINVAL for
// what is no list of CPUs and for CPUs that the machine does not have. CPUs
// that the parent does not grant are not an error: they count when it does
// (kernel/cgroup/cpuset.c: update_cpumask).
func writeCPUs(t *Tree, d int32, whole, text string) error {
	cpus, err := cpumask.Parse(text)
	if err != nil {
		return Errorf("EINVAL", whole, "%v", err)
	}
	if !cpus.Subset(t.all) {
		return Errorf("EINVAL", whole, "%q: CPU %d does not exist (machine has %s)", cpus.String(), cpus.Last(), t.all)
	}
	t.dirs[d].cpus = cpus
	t.refreshCPUs()
	return nil
}

// refreshCPUs works the effective CPUs of all directories out anew, from the
// root down, and then the mask of each task whose CPUs have changed. A
// directory gets those of its parent that it asks for, or if that is none,
// all of its parent's.
func (t *Tree) refreshCPUs() {
	t.effectiveBelow(root)
	for i := range t.members.list {
		if m := &t.members.list[i]; m.live() {
			t.confine(m)
		}
	}
}

func (t *Tree) effectiveBelow(d int32) {
	for _, c := range t.dirs[d].children {
		e := t.dirs[d].effective.And(t.dirs[c].cpus)
		if e.Empty() {
			e = t.dirs[d].effective
		}
		t.dirs[c].effective = e
		t.effectiveBelow(c)
	}
}

// granted returns the mask of a task that asked for some CPUs in directory d,
// nil for all: those asked for that the directory has, or if that is none, all
// that it has.
func (t *Tree) granted(d int32, asked cpumask.Set) cpumask.Set {
	e := t.dirs[d].effective
	if e.Equal(t.all) {
		return asked
	}
	if asked == nil {
		return e
	}
	if both := asked.And(e); !both.Empty() {
		return both
	}
	return e
}

// confine gives the threads of a process the CPUs of its directory.
func (t *Tree) confine(m *member) {
	if m.fixed {
		return
	}
	for i := range m.threads {
		th := &m.threads[i]
		if got := t.granted(m.dir, th.asked); !same(got, th.got) {
			th.got = got
			t.setMask(th.pid, got)
		}
	}
}

// setMask sets a mask that is known to be good.
func (t *Tree) setMask(pid int32, cpus cpumask.Set) {
	t.acting = true
	err := t.machine.SetAffinity(pid, cpus)
	t.acting = false
	if err != nil {
		panic("sched: cgroup: " + err.Error())
	}
}

// same reports whether two masks are equal; nil is all CPUs, not none.
func same(a, b cpumask.Set) bool { return (a == nil) == (b == nil) && a.Equal(b) }

// Grant returns the CPUs that a task gets which asks for some, nil for all, in
// a directory. It fails when the directory has none of them, as
// sched_setaffinity does (EINVAL), and when there is no such directory
// (ENOENT).
func (t *Tree) Grant(p string, asked cpumask.Set) (cpumask.Set, error) {
	d := t.find(split(p))
	if d == none {
		_, err := t.List(p)
		return nil, err
	}
	if e := t.dirs[d].effective; asked != nil && !asked.Intersects(e) {
		return nil, fmt.Errorf("EINVAL: CPUs %q: the task may use only %s", asked.String(), e)
	}
	return t.granted(d, asked), nil
}

// CanHost fails if a process cannot be in a directory: with ENOENT where there
// is none, and with EBUSY where children have controllers.
func (t *Tree) CanHost(p string) error {
	d := t.find(split(p))
	if d == none {
		_, err := t.List(p)
		return err
	}
	if err := t.hosts(d, t.full(d, "")); err != nil {
		return err
	}
	return nil
}

// SetAffinity is sched_setaffinity of a thread: it asks for CPUs, nil for all,
// and gets those of them that its directory has; EINVAL if that is none.
func (t *Tree) SetAffinity(pid, tgid int32, cpus cpumask.Set) error {
	th := t.thread(tgid, pid)
	if th == nil {
		return t.machine.SetAffinity(pid, cpus)
	}
	d := t.members.find(tgid).dir
	got, err := t.Grant(t.dirs[d].path, cpus)
	if err != nil {
		return fmt.Errorf("sched_setaffinity: %w", err)
	}
	th.asked, th.got = cpus.Clone(), got
	t.setMask(pid, got)
	return nil
}
