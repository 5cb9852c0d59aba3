package cgroup

import (
	"fmt"

	"schedrepl/engine/cpumask"
	"schedrepl/engine/kernel"
	"schedrepl/engine/sched"
)

// fake is a machine that keeps what it is told and refuses what the real one
// would.
type fake struct {
	groups []fakeGroup
	tasks  map[int32]*fakeTask
	calls  []string
}

type fakeGroup struct {
	parent sched.GroupID
	name   string
	shares int64
	live   bool
}

type fakeTask struct {
	tgid    int32
	group   sched.GroupID
	cpus    cpumask.Set
	runtime int64
}

func newFake(cpus int) (*fake, *Tree) {
	f := &fake{groups: []fakeGroup{{parent: sched.NoGroup, name: "/", shares: kernel.NiceZero, live: true}}, tasks: map[int32]*fakeTask{}}
	return f, New(f, cpus)
}

func (f *fake) logf(format string, args ...any) {
	f.calls = append(f.calls, fmt.Sprintf(format, args...))
}

func (f *fake) NewGroup(parent sched.GroupID, name string) (sched.GroupID, error) {
	if !f.groups[parent].live {
		return sched.NoGroup, fmt.Errorf("parent %d is gone", parent)
	}
	f.groups = append(f.groups, fakeGroup{parent: parent, name: name, shares: kernel.NiceZero, live: true})
	f.logf("new %s in %s", name, f.groups[parent].name)
	return sched.GroupID(len(f.groups) - 1), nil
}

func (f *fake) FreeGroup(g sched.GroupID) error {
	for _, t := range f.tasks {
		if t.group == g {
			return fmt.Errorf("group %d has tasks", g)
		}
	}
	for _, c := range f.groups {
		if c.live && c.parent == g {
			return fmt.Errorf("group %d has children", g)
		}
	}
	f.groups[g].live = false
	f.logf("free %s", f.groups[g].name)
	return nil
}

func (f *fake) SetShares(g sched.GroupID, shares int64) error {
	if g == sched.RootGroup || !f.groups[g].live {
		return fmt.Errorf("group %d has no shares", g)
	}
	f.groups[g].shares = shares
	f.logf("shares %s %d", f.groups[g].name, shares)
	return nil
}

func (f *fake) Attach(pid int32, g sched.GroupID) error {
	if f.tasks[pid] == nil || !f.groups[g].live {
		return fmt.Errorf("no task %d or no group %d", pid, g)
	}
	f.tasks[pid].group = g
	f.logf("attach %d %s", pid, f.groups[g].name)
	return nil
}

func (f *fake) SetAffinity(pid int32, cpus cpumask.Set) error {
	if f.tasks[pid] == nil || cpus != nil && cpus.Empty() {
		return fmt.Errorf("no task %d or no CPUs", pid)
	}
	f.tasks[pid].cpus = cpus
	f.logf("cpus %d %s", pid, maskText(cpus))
	return nil
}

func maskText(cpus cpumask.Set) string {
	if cpus == nil {
		return "all"
	}
	return cpus.String()
}

func (f *fake) Runtime(pid int32) int64 { return f.tasks[pid].runtime }

// fork forks a task of parent, 0 for none, into process tgid, as the machine
// does.
func (f *fake) fork(t *Tree, pid, tgid, parent int32) {
	task := &fakeTask{tgid: tgid}
	ptgid := int32(0)
	if p := f.tasks[parent]; p != nil {
		task.group, task.cpus, ptgid = p.group, p.cpus, p.tgid
	}
	f.tasks[pid] = task
	t.Fork(Forked{PID: pid, TGID: tgid, Parent: parent, ParentTGID: ptgid, Group: task.group, CPUs: task.cpus})
}

func (f *fake) exit(t *Tree, pid int32) {
	t.Exit(pid, f.tasks[pid].tgid)
	delete(f.tasks, pid)
}

// take returns the calls since the last take.
func (f *fake) take() []string {
	c := f.calls
	f.calls = nil
	return c
}
