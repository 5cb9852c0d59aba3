package cgroup

import (
	"path"
	"strings"

	"schedrepl/engine/kernel"
	"schedrepl/engine/sched"
)

// set is a set of controllers.
type set uint8

// The controllers.
const (
	cpuset set = 1 << iota
	cpu
)

// controllerNames are the controllers in Linux's order (SUBSYS of
// include/linux/cgroup_subsys.h).
var controllerNames = [...]struct {
	is   set
	name string
}{{cpuset, "cpuset"}, {cpu, "cpu"}}

func (s set) has(c set) bool { return s&c != 0 }

// String lists the controllers, with blanks between.
func (s set) String() string {
	var out []string
	for _, c := range controllerNames {
		if s.has(c.is) {
			out = append(out, c.name)
		}
	}
	return strings.Join(out, " ")
}

// line is String as a file shows it: no line at all for the empty set.
func (s set) line() string {
	if s == 0 {
		return ""
	}
	return s.String() + "\n"
}

// controllers are those available in directory d: all in the root, elsewhere
// those that the parent enables.
func (t *Tree) controllers(d int32) set {
	if d == root {
		return cpuset | cpu
	}
	return t.dirs[t.dirs[d].parent].control
}

func readControllers(t *Tree, d int32) string { return t.controllers(d).line() }

func readSubtreeControl(t *Tree, d int32) string { return t.dirs[d].control.line() }

// writeSubtreeControl enables and disables controllers for the children: words
// "+name" and "-name", of which a later one overrides an earlier one. It fails
// with EINVAL for other words, ENOENT for a controller that this directory
// does not have itself, EBUSY when a child still enables one that is to go,
// and EBUSY when a directory other than the root, with processes in it, is to
// enable one (kernel/cgroup/cgroup.c: cgroup_subtree_control_write).
func writeSubtreeControl(t *Tree, d int32, whole, text string) error {
	var on, off set
	for word := range strings.FieldsSeq(text) {
		c, err := controller(whole, word)
		if err != nil {
			return err
		}
		if word[0] == '+' {
			on, off = on|c, off&^c
		} else {
			on, off = on&^c, off|c
		}
	}
	on &^= t.dirs[d].control
	off &= t.dirs[d].control
	if lacks := on &^ t.controllers(d); lacks != 0 {
		return Errorf("ENOENT", whole, "controller %s is not available here; write \"+%s\" to %s first",
			lacks, controllerName(lacks), t.full(t.dirs[d].parent, "cgroup.subtree_control"))
	}
	for _, c := range t.dirs[d].children {
		if still := t.dirs[c].control & off; still != 0 {
			return Errorf("EBUSY", whole, "%s enables controller %s for its own children; disable it there first",
				path.Join(Mount, t.dirs[c].path), still)
		}
	}
	if on != 0 && d != root && t.dirs[d].procs > 0 {
		return Errorf("EBUSY", whole, "%d processes live in this directory itself; a directory other than the root has either processes or children with controllers; move the processes into a child first",
			t.dirs[d].procs)
	}
	t.dirs[d].control = t.dirs[d].control&^off | on
	if off.has(cpuset) {
		for _, c := range t.dirs[d].children {
			t.dirs[c].cpus = nil
		}
		t.refreshCPUs()
	}
	switch {
	case on.has(cpu):
		t.enableCPU(d)
	case off.has(cpu):
		return t.disableCPU(d, whole)
	}
	return nil
}

// controller reads a word such as "+cpu".
func controller(whole, word string) (set, *Error) {
	if word[0] != '+' && word[0] != '-' {
		return 0, Errorf("EINVAL", whole, "%s has no sign; write \"+%s\" to enable, \"-%s\" to disable",
			quote(word), strings.Trim(quote(word), `"`), strings.Trim(quote(word), `"`))
	}
	for _, c := range controllerNames {
		if c.name == word[1:] {
			return c.is, nil
		}
	}
	return 0, Errorf("EINVAL", whole, "%s: there is no such controller; there are cpuset and cpu", quote(word))
}

// controllerName returns the first controller of a set.
func controllerName(s set) string { return strings.Fields(s.String())[0] }

// enableCPU gives each child of d a task group of its own and moves the tasks
// there and below into it.
func (t *Tree) enableCPU(d int32) {
	above := t.groupOf(d)
	made := make([]sched.GroupID, 0, len(t.dirs[d].children))
	for _, c := range t.dirs[d].children {
		g, err := t.machine.NewGroup(above, t.dirs[c].path)
		if err != nil {
			panic("sched: cgroup: " + err.Error())
		}
		made = append(made, g)
	}
	for i, c := range t.dirs[d].children {
		t.dirs[c].group, t.dirs[c].shares = made[i], kernel.NiceZero
		t.attachBelow(c, made[i])
	}
}

// disableCPU moves the tasks of d's children and below into the group of d and
// takes the children's groups away, with their shares. It fails with EBUSY
// when a group has tasks that were attached to it without the tree.
func (t *Tree) disableCPU(d int32, whole string) error {
	above := t.groupOf(d)
	for _, c := range t.dirs[d].children {
		t.attachBelow(c, above)
	}
	for _, c := range t.dirs[d].children {
		g := t.dirs[c].group
		t.dirs[c].group = sched.NoGroup
		if err := t.machine.FreeGroup(g); err != nil {
			return Errorf("EBUSY", whole, "%v", err)
		}
	}
	return nil
}

// attachBelow moves all tasks of directory d and below to group g.
func (t *Tree) attachBelow(d int32, g sched.GroupID) {
	for i := range t.members.list {
		if m := &t.members.list[i]; m.live() && t.below(m.dir, d) {
			t.attach(m, g)
		}
	}
}
