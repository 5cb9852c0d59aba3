// Package cgroup is the tree of control groups, version 2, as text files below
// /sys/fs/cgroup: directories to make and remove, cgroup.* to move processes
// and to enable controllers, cpu.* for the shares of task groups, cpuset.* for
// the CPUs that tasks may use. It knows which process is in which directory
// and turns what is written into a few calls on a Machine.
//
// Names, texts, limits and errors are those of Linux (Documentation/
// admin-guide/cgroup-v2.rst), as seen by root. Unlike there, any kernel
// version has the tree; there are no threaded groups, so that a group with
// processes can enable no controller for its children at all (up to 4.13 Linux
// was as strict); and the mask that a task asked for survives a cpuset, which
// Linux learnt in 6.2.
package cgroup

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"schedrepl/engine/cpumask"
	"schedrepl/engine/kernel"
	"schedrepl/engine/sched"
)

// Mount is where the tree is mounted.
const Mount = "/sys/fs/cgroup"

// Machine is what a tree acts on.
type Machine interface {
	// NewGroup makes a task group with 1024 shares; FreeGroup takes away one
	// that has no tasks and no child groups.
	NewGroup(parent sched.GroupID, name string) (sched.GroupID, error)
	FreeGroup(g sched.GroupID) error
	// SetShares sets the shares of a task group.
	SetShares(g sched.GroupID, shares int64) error
	// Attach moves one thread to a task group.
	Attach(pid int32, g sched.GroupID) error
	// SetAffinity sets the CPUs that one thread may use; nil is all.
	SetAffinity(pid int32, cpus cpumask.Set) error
	// Runtime returns the CPU time of one thread so far, in ns.
	Runtime(pid int32) int64
}

// Version is a version of the cgroup interface.
type Version uint8

// V2 is the unified tree.
const V2 Version = 2

// ParseVersion reads "v2". It refuses "v1", whose hierarchies are another set
// of files.
func ParseVersion(word string) (Version, error) {
	switch word {
	case "v2":
		return V2, nil
	case "v1":
		return 0, fmt.Errorf("cgroup: \"v1\": the cpu and cpuset hierarchies of version 1 are not part of this build; take \"v2\", whose cpu.weight of 100 is 1024 cpu.shares")
	}
	return 0, fmt.Errorf("cgroup: %q is no version of control groups; take \"v2\"", word)
}

// none is the index of no directory.
const none int32 = -1

// root is the index of the root directory.
const root int32 = 0

// dir is one control group.
type dir struct {
	path     string  // below the mount: "/" or "/web/api"
	parent   int32   // none for the root, and for a free slot
	children []int32 // by name
	control  set     // what it enables for its children
	procs    int32   // live processes in it, not below it
	used     int64   // ns of CPU time by threads that have left it

	// group is its own task group, NoGroup while it has no cpu controller;
	// shares are those of the group.
	group  sched.GroupID
	shares int64

	// cpus are the CPUs asked for, empty for none; effective those that its
	// tasks may use.
	cpus, effective cpumask.Set
}

// Tree is the control groups of one machine.
type Tree struct {
	machine Machine
	all     cpumask.Set // the machine's CPUs
	dirs    []dir
	free    []int32
	members members
	// acting is set while the tree itself changes masks.
	acting bool
}

// New returns the tree of a machine with n CPUs: the root alone. It must be
// told of the tasks that are there, and of forks and exits from then on.
func New(m Machine, n int) *Tree {
	all := cpumask.All(n)
	return &Tree{machine: m, all: all, dirs: []dir{{
		path: "/", parent: none, group: sched.RootGroup, shares: kernel.NiceZero, effective: all,
	}}}
}

// Clone returns an independent copy that acts on another machine, whose
// processes and task groups have the same numbers.
func (t *Tree) Clone(m Machine) *Tree {
	c := *t
	c.machine = m
	c.dirs = slices.Clone(t.dirs)
	for i := range c.dirs {
		c.dirs[i].children = slices.Clone(c.dirs[i].children)
	}
	c.free = slices.Clone(t.free)
	c.members = t.members.clone()
	return &c
}

// name returns the last part of a directory's path.
func (d *dir) name() string { return path.Base(d.path) }

// full returns the whole path of a file in directory i.
func (t *Tree) full(i int32, file string) string { return path.Join(Mount, t.dirs[i].path, file) }

// split returns the path below the mount, cleaned: it takes both whole paths
// and ones that begin at the mount.
func split(p string) string {
	p = path.Clean("/" + p)
	if p == Mount || strings.HasPrefix(p, Mount+"/") {
		p = path.Clean("/" + strings.TrimPrefix(p, Mount))
	}
	return p
}

// find returns the directory of a path below the mount, none if there is none.
func (t *Tree) find(p string) int32 {
	at := root
	for part := range strings.SplitSeq(p, "/") {
		if part == "" {
			continue
		}
		i, ok := t.child(at, part)
		if !ok {
			return none
		}
		at = t.dirs[at].children[i]
	}
	return at
}

// child finds a child by name: its place among the children, or where it would
// be.
func (t *Tree) child(d int32, name string) (int, bool) {
	return slices.BinarySearchFunc(t.dirs[d].children, name, func(c int32, name string) int {
		return strings.Compare(t.dirs[c].name(), name)
	})
}

// parentOf returns the directory in which the last part of a path is to be
// found or made, and that part. It fails with ENOENT or ENOTDIR.
func (t *Tree) parentOf(p string) (int32, string, *Error) {
	at := root
	parts := strings.Split(strings.TrimPrefix(p, "/"), "/")
	for _, part := range parts[:len(parts)-1] {
		i, ok := t.child(at, part)
		if !ok {
			whole := t.full(at, part)
			if t.fileOf(at, part) != nil {
				return none, "", Errorf("ENOTDIR", path.Join(Mount, p), "%s is a file", whole)
			}
			return none, "", NoEntry(whole, part, t.childNames(at))
		}
		at = t.dirs[at].children[i]
	}
	return at, parts[len(parts)-1], nil
}

func (t *Tree) childNames(d int32) []string {
	var out []string
	for _, c := range t.dirs[d].children {
		out = append(out, t.dirs[c].name())
	}
	return out
}

// Mkdir makes a directory. It fails with EEXIST, ENOENT (its parent),
// ENAMETOOLONG and EINVAL (a name with a line end).
func (t *Tree) Mkdir(p string) error {
	p = split(p)
	whole := path.Join(Mount, p)
	if p == "/" {
		return Errorf("EEXIST", whole, "it is the root of the tree")
	}
	at, name, err := t.parentOf(p)
	if err != nil {
		return err
	}
	i, ok := t.child(at, name)
	switch {
	case ok:
		return Errorf("EEXIST", whole, "the directory is there already")
	case t.fileOf(at, name) != nil:
		return Errorf("EEXIST", whole, "there is a file of this name")
	case len(name) > 255:
		return Errorf("ENAMETOOLONG", whole, "the name has %d bytes; 255 are allowed", len(name))
	case strings.ContainsAny(name, "\n\x00"):
		return Errorf("EINVAL", whole, "a name may hold no line end and no zero byte")
	}
	d := dir{path: p, parent: at, group: sched.NoGroup, effective: t.dirs[at].effective}
	if t.dirs[at].control.has(cpu) {
		g, err := t.machine.NewGroup(t.groupOf(at), p)
		if err != nil {
			panic("sched: cgroup: " + err.Error())
		}
		d.group, d.shares = g, kernel.NiceZero
	}
	slot := int32(len(t.dirs))
	if n := len(t.free); n > 0 {
		slot = t.free[n-1]
		t.free = t.free[:n-1]
		t.dirs[slot] = d
	} else {
		t.dirs = append(t.dirs, d)
	}
	t.dirs[at].children = slices.Insert(t.dirs[at].children, i, slot)
	return nil
}

// Rmdir removes a directory. It fails with EBUSY while it has processes or
// child directories.
func (t *Tree) Rmdir(p string) error {
	p = split(p)
	whole := path.Join(Mount, p)
	if p == "/" {
		return Errorf("EBUSY", whole, "it is the root of the tree")
	}
	at, name, err := t.parentOf(p)
	if err != nil {
		return err
	}
	i, ok := t.child(at, name)
	if !ok {
		if t.fileOf(at, name) != nil {
			return Errorf("ENOTDIR", whole, "it is a file")
		}
		return NoEntry(whole, name, t.childNames(at))
	}
	slot := t.dirs[at].children[i]
	d := &t.dirs[slot]
	if len(d.children) > 0 {
		return Errorf("EBUSY", whole, "it has child directories: %s; remove them first", strings.Join(t.childNames(slot), ", "))
	}
	if d.procs > 0 {
		return Errorf("EBUSY", whole, "%d processes live in it; move them with cgroup.procs of another directory first", d.procs)
	}
	if d.group != sched.NoGroup {
		if err := t.machine.FreeGroup(d.group); err != nil {
			return Errorf("EBUSY", whole, "%v", err)
		}
	}
	t.dirs[at].used += d.used
	t.dirs[at].children = slices.Delete(t.dirs[at].children, i, i+1)
	*d = dir{parent: none, group: sched.NoGroup}
	t.free = append(t.free, slot)
	return nil
}

// List returns what is in a directory: its files and child directories, by
// name. It fails with ENOENT and ENOTDIR.
func (t *Tree) List(p string) ([]string, error) {
	p = split(p)
	d := t.find(p)
	if d == none {
		at, name, err := t.parentOf(p)
		if err != nil {
			return nil, err
		}
		if t.fileOf(at, name) != nil {
			return nil, Errorf("ENOTDIR", path.Join(Mount, p), "it is a file; read it")
		}
		return nil, NoEntry(path.Join(Mount, p), name, t.childNames(at))
	}
	return t.names(d), nil
}

// names lists the files and child directories of d by name.
func (t *Tree) names(d int32) []string {
	var out []string
	for i := range files {
		if f := &files[i]; t.present(d, f) {
			out = append(out, f.name)
		}
	}
	out = append(out, t.childNames(d)...)
	slices.Sort(out)
	return out
}

// Exists reports whether there is a directory at a path.
func (t *Tree) Exists(p string) bool { return t.find(split(p)) != none }

// GroupOf returns the task group to which the tasks of a directory belong: its
// own, or that of the nearest directory above that has one.
func (t *Tree) GroupOf(p string) (sched.GroupID, bool) {
	d := t.find(split(p))
	if d == none {
		return sched.NoGroup, false
	}
	return t.groupOf(d), true
}

func (t *Tree) groupOf(d int32) sched.GroupID {
	for t.dirs[d].group == sched.NoGroup {
		d = t.dirs[d].parent
	}
	return t.dirs[d].group
}

// below reports whether directory d is top or lies below it.
func (t *Tree) below(d, top int32) bool {
	for d != top && d != none {
		d = t.dirs[d].parent
	}
	return d == top
}
