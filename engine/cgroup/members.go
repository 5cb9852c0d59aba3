package cgroup

import (
	"slices"
	"strconv"
	"strings"

	"schedrepl/engine/cpumask"
	"schedrepl/engine/sched"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// member is a process and the directory that all its threads are in.
type member struct {
	pid int32 // of the process
	dir int32
	// fixed: a kernel thread that is bound to its CPU and cannot be moved
	// between directories.
	fixed   bool
	threads []thread // live ones, oldest first; none: the process is gone
}

func (m *member) live() bool { return len(m.threads) > 0 }

// thread is one thread with the CPUs that it asked for and those that it got,
// nil for all, and its CPU time when it came into its directory.
type thread struct {
	pid        int32
	asked, got cpumask.Set
	since      int64
}

// members are the processes by their ids. Ids only grow, so a new process
// comes last; one that is gone stays until as many are gone as live.
type members struct {
	list []member
	gone int
}

func (ms *members) clone() members {
	c := members{list: slices.Clone(ms.list), gone: ms.gone}
	for i := range c.list {
		c.list[i].threads = slices.Clone(c.list[i].threads)
	}
	return c
}

// find returns the live process of an id, nil if there is none.
func (ms *members) find(pid int32) *member {
	if i, ok := ms.search(pid); ok && ms.list[i].live() {
		return &ms.list[i]
	}
	return nil
}

func (ms *members) search(pid int32) (int, bool) {
	return slices.BinarySearchFunc(ms.list, pid, func(m member, pid int32) int { return int(m.pid) - int(pid) })
}

// add returns the process of an id, made if need be.
func (ms *members) add(pid int32) *member {
	i, ok := ms.search(pid)
	if !ok {
		ms.list = slices.Insert(ms.list, i, member{pid: pid})
	}
	return &ms.list[i]
}

// drop notes that a process is gone.
func (ms *members) drop() {
	if ms.gone++; ms.gone > 32 && ms.gone > len(ms.list)/2 {
		ms.list = slices.DeleteFunc(ms.list, func(m member) bool { return !m.live() })
		ms.gone = 0
	}
}

// Forked describes a new task.
type Forked struct {
	PID, TGID int32
	// Parent and ParentTGID are those of the task that forked it, 0 for one
	// that the machine started.
	Parent, ParentTGID int32
	// Group is the task group of its cpu cgroup.
	Group sched.GroupID
	// CPUs are the CPUs that it may use, nil for all.
	CPUs cpumask.Set
	// Fixed: it is a kernel thread that is bound to its CPU.
	Fixed bool
	// Dir is the directory that it is started in, empty to inherit; Asked are
	// then the CPUs that it asks for.
	Dir   string
	Asked cpumask.Set
}

// Fork tells the tree of a new task, before it first runs. A thread joins its
// process; a process inherits the directory of its parent, or if its task
// group is not the one there, gets the directory of that group.
func (t *Tree) Fork(f Forked) {
	m := t.members.find(f.TGID)
	if m == nil {
		d := root
		switch p := t.members.find(f.ParentTGID); {
		case f.Dir != "":
			d = max(t.find(split(f.Dir)), root)
		case p != nil:
			d = p.dir
		}
		if f.Dir == "" && t.groupOf(d) != f.Group {
			d = t.dirOfGroup(f.Group)
		}
		m = t.members.add(f.TGID)
		m.dir, m.fixed = d, f.Fixed
		t.dirs[d].procs++
	}
	th := thread{pid: f.PID, asked: f.CPUs, got: f.CPUs, since: t.machine.Runtime(f.PID)}
	switch p := t.thread(f.ParentTGID, f.Parent); {
	case f.Dir != "":
		th.asked = f.Asked
	case p != nil && same(p.got, f.CPUs):
		th.asked = p.asked
	}
	m.threads = append(m.threads, th)
}

// dirOfGroup returns the directory that owns a task group, the root if none
// does.
func (t *Tree) dirOfGroup(g sched.GroupID) int32 {
	for i := range t.dirs {
		if t.dirs[i].path != "" && t.dirs[i].group == g {
			return int32(i)
		}
	}
	return root
}

// thread returns a live thread, nil if there is none.
func (t *Tree) thread(tgid, pid int32) *thread {
	m := t.members.find(tgid)
	if m == nil {
		return nil
	}
	for i := range m.threads {
		if m.threads[i].pid == pid {
			return &m.threads[i]
		}
	}
	return nil
}

// Exit tells the tree that a thread exits; its CPU time is final.
func (t *Tree) Exit(pid, tgid int32) {
	m := t.members.find(tgid)
	if m == nil {
		return
	}
	i := slices.IndexFunc(m.threads, func(th thread) bool { return th.pid == pid })
	if i < 0 {
		return
	}
	d := &t.dirs[m.dir]
	d.used += t.machine.Runtime(pid) - m.threads[i].since
	m.threads = slices.Delete(m.threads, i, i+1)
	if !m.live() {
		d.procs--
		t.members.drop()
	}
}

// Asked tells the tree that a thread's mask was set without it.
func (t *Tree) Asked(pid, tgid int32, cpus cpumask.Set) {
	if th := t.thread(tgid, pid); th != nil && !t.acting {
		th.asked, th.got = cpus, cpus
	}
}

// PathOf returns the directory of a process, "/" for one of which the tree was
// never told.
func (t *Tree) PathOf(tgid int32) string {
	if m := t.members.find(tgid); m != nil {
		return t.dirs[m.dir].path
	}
	return "/"
}

// readProcs lists the processes in a directory by their ids.
func readProcs(t *Tree, d int32) string {
	var b strings.Builder
	for i := range t.members.list {
		if m := &t.members.list[i]; m.dir == d && m.live() {
			b.WriteString(itoa(int64(m.pid)) + "\n")
		}
	}
	return b.String()
}

// readThreads lists the threads in a directory, those of one process together.
func readThreads(t *Tree, d int32) string {
	var b strings.Builder
	for i := range t.members.list {
		if m := &t.members.list[i]; m.dir == d {
			for _, th := range m.threads {
				b.WriteString(itoa(int64(th.pid)) + "\n")
			}
		}
	}
	return b.String()
}

// target reads a process or thread id that was written and finds its process.
// It fails with EINVAL and ESRCH.
func (t *Tree) target(whole, text string) (*member, *Error) {
	v, errno := ParseInt(text)
	word := quote(strings.TrimSpace(text))
	switch {
	case errno != "" || v < 0:
		return nil, Errorf("EINVAL", whole, "%s is no process id", word)
	case v == 0:
		return nil, Errorf("EINVAL", whole, "0 stands for the process that writes, and a script is none; write a process id")
	}
	for i := range t.members.list {
		m := &t.members.list[i]
		for _, th := range m.threads {
			if int64(th.pid) == v || m.live() && int64(m.pid) == v {
				return m, nil
			}
		}
	}
	return nil, Errorf("ESRCH", whole, "process %d has exited or never was", v)
}

// writeProcs moves a process with all its threads into the directory. Besides
// EINVAL and ESRCH for what is no process it fails with EINVAL for a bound
// kernel thread and with EBUSY where children have controllers
// (kernel/cgroup/cgroup.c: cgroup_attach_permissions, cgroup_migrate_vet_dst).
func writeProcs(t *Tree, d int32, whole, text string) error {
	m, err := t.target(whole, text)
	if err != nil {
		return err
	}
	if m.fixed {
		return Errorf("EINVAL", whole, "process %d is a kernel thread bound to its CPU; it stays in the root", m.pid)
	}
	if err := t.hosts(d, whole); err != nil {
		return err
	}
	if m.dir != d {
		t.move(m, d)
	}
	return nil
}

// hosts fails with EBUSY if directory d may have no processes.
func (t *Tree) hosts(d int32, whole string) *Error {
	if c := t.dirs[d].control; d != root && c != 0 {
		return Errorf("EBUSY", whole, "this directory enables controllers for its children (%s), so that it can have no processes itself; move the process into a child", c)
	}
	return nil
}

// writeThreads would move one thread; without threaded groups all threads of a
// process are in one place (EOPNOTSUPP elsewhere).
func writeThreads(t *Tree, d int32, whole, text string) error {
	m, err := t.target(whole, text)
	if err != nil {
		return err
	}
	if m.dir != d {
		return Errorf("EOPNOTSUPP", whole, "threads of one process can only be in different directories of a threaded group, which this build does not have; write the process to cgroup.procs")
	}
	return nil
}

// move takes a process to directory d: its masks first, then its task group,
// in the order in which Linux asks the controllers.
func (t *Tree) move(m *member, d int32) {
	old := m.dir
	for i := range m.threads {
		th := &m.threads[i]
		now := t.machine.Runtime(th.pid)
		t.dirs[old].used += now - th.since
		th.since = now
	}
	t.dirs[old].procs--
	t.dirs[d].procs++
	m.dir = d
	t.confine(m)
	if g := t.groupOf(d); g != t.groupOf(old) {
		t.attach(m, g)
	}
}

// attach moves all threads of a process to a task group.
func (t *Tree) attach(m *member, g sched.GroupID) {
	for i := range m.threads {
		if err := t.machine.Attach(m.threads[i].pid, g); err != nil {
			panic("sched: cgroup: attach: " + err.Error())
		}
	}
}
