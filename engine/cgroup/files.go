package cgroup

import (
	"path"
	"strings"
)

// file is one control file: whether the root lacks it, the controller that
// must be enabled for the directory (0: none), what reading gives, and what
// writing does (nil: read-only). whole is the path, for errors.
type file struct {
	name    string
	notRoot bool
	needs   set
	read    func(t *Tree, d int32) string
	write   func(t *Tree, d int32, whole, text string) error
}

// files is the table of all control files, by name.
var files = [...]file{
	{name: "cgroup.controllers", read: readControllers},
	{name: "cgroup.events", notRoot: true, read: readEvents},
	{name: "cgroup.procs", read: readProcs, write: writeProcs},
	{name: "cgroup.stat", read: readStat},
	{name: "cgroup.subtree_control", read: readSubtreeControl, write: writeSubtreeControl},
	{name: "cgroup.threads", read: readThreads, write: writeThreads},
	{name: "cgroup.type", notRoot: true, read: readType, write: writeType},
	{name: "cpu.stat", notRoot: true, read: readCPUStat},
	{name: "cpu.weight", notRoot: true, needs: cpu, read: readWeight, write: writeWeight},
	{name: "cpu.weight.nice", notRoot: true, needs: cpu, read: readNice, write: writeNice},
	{name: "cpuset.cpus", notRoot: true, needs: cpuset, read: readCPUs, write: writeCPUs},
	{name: "cpuset.cpus.effective", needs: cpuset, read: readEffective},
}

// present reports whether directory d has file f.
func (t *Tree) present(d int32, f *file) bool {
	return (d != root || !f.notRoot) && t.controllers(d)&f.needs == f.needs
}

// fileOf returns the file of a name in directory d, nil if it has none.
func (t *Tree) fileOf(d int32, name string) *file {
	for i := range files {
		if f := &files[i]; f.name == name && t.present(d, f) {
			return f
		}
	}
	return nil
}

// open finds a file by its path. It fails with ENOENT, ENOTDIR and EISDIR.
func (t *Tree) open(p string) (*file, int32, string, *Error) {
	p = split(p)
	whole := path.Join(Mount, p)
	if t.find(p) != none {
		return nil, none, whole, Errorf("EISDIR", whole, "it is a directory; list it, or name a file in it")
	}
	at, name, err := t.parentOf(p)
	if err != nil {
		return nil, none, whole, err
	}
	if f := t.fileOf(at, name); f != nil {
		return f, at, whole, nil
	}
	return nil, none, whole, t.absent(at, whole, name)
}

// absent explains why directory d has no file of a name.
func (t *Tree) absent(d int32, whole, name string) *Error {
	for i := range files {
		f := &files[i]
		switch {
		case f.name != name:
		case d == root && f.notRoot:
			return Errorf("ENOENT", whole, "the root directory has no %s", name)
		default:
			return Errorf("ENOENT", whole, "the controller of %s is not enabled here; write \"+%s\" to %s first",
				name, f.needs, t.full(t.dirs[d].parent, "cgroup.subtree_control"))
		}
	}
	return NoEntry(whole, name, t.names(d))
}

// Read returns the text of a file.
func (t *Tree) Read(p string) (string, error) {
	f, d, _, err := t.open(p)
	if err != nil {
		return "", err
	}
	return f.read(t, d), nil
}

// Write writes text to a file. What cannot be done whole is not begun.
func (t *Tree) Write(p, text string) error {
	f, d, whole, err := t.open(p)
	if err != nil {
		return err
	}
	if f.write == nil {
		return Errorf("EACCES", whole, "the file is read-only")
	}
	return f.write(t, d, whole, text)
}

// readStat counts the directories below. None is ever dying: what is removed
// is gone at once.
func readStat(t *Tree, d int32) string {
	n := 0
	for i := range t.dirs {
		if int32(i) != d && t.dirs[i].path != "" && t.below(int32(i), d) {
			n++
		}
	}
	return "nr_descendants " + itoa(int64(n)) + "\nnr_dying_descendants 0\n"
}

// readEvents tells whether processes live in the directory or below. Nothing
// can be frozen.
func readEvents(t *Tree, d int32) string {
	for i := range t.dirs {
		if t.dirs[i].procs > 0 && t.below(int32(i), d) {
			return "populated 1\nfrozen 0\n"
		}
	}
	return "populated 0\nfrozen 0\n"
}

func readType(*Tree, int32) string { return "domain\n" }

// writeType refuses threaded groups.
func writeType(_ *Tree, _ int32, whole, text string) error {
	if word := strings.TrimSpace(text); word != "threaded" {
		return Errorf("EINVAL", whole, "%s: only \"threaded\" can be written", quote(word))
	}
	return Errorf("EOPNOTSUPP", whole, "this build has no threaded groups")
}
