// Package procfs is /proc, /sys and debugfs of a machine as a table of text
// files, with the texts, limits and errors of Linux as root sees them. Paths
// below /sys/fs/cgroup go to the tree of control groups.
//
// A file has only the fields that the model knows, in Linux's format; where the
// format has a place for every field, the unknown ones are a constant that the
// reader of the file names. Reading never changes a run.
package procfs

import (
	"path"
	"slices"
	"strings"

	"schedrepl/engine/cgroup"
	"schedrepl/engine/sched"
)

// Machine is what writing to a file acts on.
type Machine interface {
	// Core gives read access to tasks, groups, kernel and topology.
	Core() *sched.Core
	// SetAutogroupEnabled sets sched_autogroup_enabled.
	SetAutogroupEnabled(on bool)
	// SetAutogroupNice sets the nice value of a task's autogroup.
	SetAutogroupNice(pid int32, nice int) error
	// SetTunable gives a tunable a value, by its name in kernel.Tunables.
	SetTunable(name string, value int64) error
	// SetFeature switches a feature by its word in sched_features.
	SetFeature(word string) error
}

// FS is the files of one machine.
type FS struct {
	machine Machine
	cgroups *cgroup.Tree
	cmdline string
}

// New returns the files of a machine that was booted with the command line
// given.
func New(m Machine, cgroups *cgroup.Tree, cmdline string) *FS {
	return &FS{machine: m, cgroups: cgroups, cmdline: cmdline}
}

// InCgroups reports whether a path is that of the tree of control groups or
// lies in it.
func InCgroups(p string) bool {
	p = path.Clean(p)
	return p == cgroup.Mount || strings.HasPrefix(p, cgroup.Mount+"/")
}

// Read returns the text of a file. It fails with ENOENT, ENOTDIR and EISDIR.
func (fs *FS) Read(p string) (string, error) {
	if InCgroups(p) {
		return fs.cgroups.Read(p)
	}
	f, on, err := fs.open(p)
	if err != nil {
		return "", err
	}
	return f.read(fs, on), nil
}

// Write writes text to a file. Besides the errors of Read it fails with EACCES
// for a file that is read-only, and as the file says for what is not allowed;
// nothing has changed then.
func (fs *FS) Write(p, text string) error {
	if InCgroups(p) {
		return fs.cgroups.Write(p, text)
	}
	f, on, err := fs.open(p)
	if err != nil {
		return err
	}
	if f.write == nil {
		return cgroup.Errorf("EACCES", p, "the file is read-only")
	}
	return f.write(fs, on, p, text)
}

// List returns the names in a directory: numbers in their order, then words in
// theirs. It fails with ENOENT and ENOTDIR.
func (fs *FS) List(p string) ([]string, error) {
	if InCgroups(p) {
		return fs.cgroups.List(p)
	}
	w, err := fs.walk(p)
	if err != nil {
		return nil, err
	}
	if w.file != nil {
		return nil, cgroup.Errorf("ENOTDIR", p, "it is a file; read it")
	}
	return fs.names(w), nil
}

// Mkdir makes a directory, in the tree of control groups only: EEXIST for one
// that is there, EPERM in /sys, ENOENT elsewhere.
func (fs *FS) Mkdir(p string) error {
	if InCgroups(p) {
		return fs.cgroups.Mkdir(p)
	}
	if _, err := fs.walk(p); err == nil {
		return cgroup.Errorf("EEXIST", p, "it is there already")
	}
	return elsewhere(p)
}

// Rmdir removes a directory of the tree of control groups: EPERM for others.
func (fs *FS) Rmdir(p string) error {
	if InCgroups(p) {
		return fs.cgroups.Rmdir(p)
	}
	if _, err := fs.walk(p); err != nil {
		return err
	}
	return cgroup.Errorf("EPERM", p, "directories can only be removed below %s", cgroup.Mount)
}

func elsewhere(p string) error {
	errno := "ENOENT"
	if strings.HasPrefix(path.Clean(p), "/sys/") {
		errno = "EPERM"
	}
	return cgroup.Errorf(errno, p, "directories can only be made below %s", cgroup.Mount)
}

// file is one file, or all those of one pattern: a path in which PID, TID and
// cpuN stand for the numbers that exist.
type file struct {
	pattern string
	parts   []string
	// lacks says why this machine has no such file, empty if it has; nil:
	// every machine has it.
	lacks func(fs *FS) string
	read  func(fs *FS, on object) string
	// write is nil for a read-only file; whole is the path, for errors.
	write func(fs *FS, on object, whole, text string) error
}

// object is what the numbers in a path stand for.
type object struct {
	task sched.TaskID
	cpu  int
}

// walked is how far a path was followed: the files that lie at its end or
// beyond, and what its numbers stand for. file is the one at its end, nil for
// a directory.
type walked struct {
	beyond []*file
	depth  int
	on     object
	file   *file
}

// open finds the file of a path.
func (fs *FS) open(p string) (*file, object, error) {
	w, err := fs.walk(p)
	if err != nil {
		return nil, object{}, err
	}
	if w.file == nil {
		return nil, object{}, cgroup.Errorf("EISDIR", p, "it is a directory; list it, or name a file in it")
	}
	return w.file, w.on, nil
}

// walk follows a path to a file or directory.
func (fs *FS) walk(p string) (walked, error) {
	if !strings.HasPrefix(p, "/") {
		return walked{}, cgroup.Errorf("ENOENT", p, "a path begins with /, such as /proc/cmdline")
	}
	w := walked{on: object{task: sched.NoTask, cpu: -1}}
	for i := range table {
		w.beyond = append(w.beyond, &table[i])
	}
	for part := range strings.SplitSeq(path.Clean(p), "/") {
		if part == "" {
			continue
		}
		next := walked{depth: w.depth + 1, on: w.on}
		why := ""
		for _, f := range w.beyond {
			if len(f.parts) <= w.depth || !fs.matches(f.parts[w.depth], part, &next.on) {
				continue
			}
			if f.lacks != nil {
				if s := f.lacks(fs); s != "" {
					why = s
					continue
				}
			}
			next.beyond = append(next.beyond, f)
			if len(f.parts) == next.depth && f.read != nil {
				next.file = f
			}
		}
		switch {
		case len(next.beyond) > 0:
			w = next
		case w.file != nil:
			return walked{}, cgroup.Errorf("ENOTDIR", p, "%s is a file", w.file.pattern)
		case why != "":
			return walked{}, cgroup.Errorf("ENOENT", p, "%s", why)
		case number(part) > 0 && w.depth > 0 && slices.ContainsFunc(w.beyond, func(f *file) bool { return isTask(f.parts[w.depth]) }):
			return walked{}, cgroup.Errorf("ENOENT", p, "task %s has exited or never was", part)
		default:
			return walked{}, cgroup.NoEntry(p, part, fs.names(w))
		}
	}
	return w, nil
}

func isTask(pattern string) bool { return pattern == "PID" || pattern == "TID" }

// matches reports whether a part of a path is of a pattern, and notes what a
// number stands for.
func (fs *FS) matches(pattern, part string, on *object) bool {
	core := fs.machine.Core()
	switch pattern {
	case "PID":
		t := core.Find(number(part))
		if t == sched.NoTask {
			return false
		}
		on.task = t
	case "TID":
		t := core.Find(number(part))
		if t == sched.NoTask || core.Tasks[t].Proc != core.Tasks[on.task].Proc {
			return false
		}
		on.task = t
	case "cpuN":
		digits, ok := strings.CutPrefix(part, "cpu")
		n := int(number(digits))
		if digits == "0" {
			n = 0
		} else if n == 0 {
			return false
		}
		if !ok || n >= len(core.CPUs) {
			return false
		}
		on.cpu = n
	default:
		return part == pattern
	}
	return true
}

// number reads a positive number without leading zeros, 0 for anything else.
func number(text string) int32 {
	if text == "" || len(text) > 9 || text[0] == '0' {
		return 0
	}
	n := int32(0)
	for _, c := range []byte(text) {
		if c < '0' || c > '9' {
			return 0
		}
		n = n*10 + int32(c-'0')
	}
	return n
}

// names returns what is in the directory that was walked to.
func (fs *FS) names(w walked) []string {
	var numbers, words []string
	seen := ""
	for _, f := range w.beyond {
		if len(f.parts) <= w.depth || f.lacks != nil && f.lacks(fs) != "" {
			continue
		}
		switch part := f.parts[w.depth]; {
		case !isTask(part) && part != "cpuN":
			words = append(words, part)
		case seen != part:
			seen = part
			numbers = append(numbers, fs.expand(part, w.on)...)
		}
	}
	slices.Sort(words)
	return append(numbers, slices.Compact(words)...)
}

// expand returns the parts of paths that a pattern stands for, in order of
// their numbers.
func (fs *FS) expand(pattern string, on object) []string {
	core := fs.machine.Core()
	var out []string
	switch pattern {
	case "PID":
		for pid := int32(1); pid <= core.MaxPID(); pid++ {
			if t := core.Find(pid); t != sched.NoTask && core.Tasks[t].TGID == pid {
				out = append(out, itoa(pid))
			}
		}
	case "TID":
		for t := core.Process(on.task).FirstThread(); t != sched.NoTask; t = core.NextThread(t) {
			out = append(out, itoa(core.PID(t)))
		}
	case "cpuN":
		for n := range core.CPUs {
			out = append(out, "cpu"+itoa(n))
		}
	}
	return out
}
