package engine

import (
	"fmt"
	"strings"

	"schedrepl/engine/cgroup"
	"schedrepl/engine/cpumask"
	"schedrepl/engine/kernel"
	"schedrepl/engine/procfs"
	"schedrepl/engine/sched"
	"schedrepl/engine/trace"
)

// files are the machine's control files: /proc, /sys and the control groups.
type files struct {
	fs   *procfs.FS
	tree *cgroup.Tree
	// watched is set from the first use of the control groups on: a sink then
	// tells the tree of forks, exits and masks. Until then all tasks are in
	// the root, and the files cost nothing.
	watched bool
	// starting is where the next task that is forked is to be, nil for the
	// directory of its parent.
	starting *placement
}

// placement is a directory for a new task and the CPUs that it asks for, nil
// for all.
type placement struct {
	dir   string
	asked cpumask.Set
}

// init makes the files of a machine that is assembled, or, with from not nil,
// those of a copy in the state of the original's.
func (f *files) init(m *Machine, from *files) {
	*f = files{}
	if from == nil {
		f.tree = cgroup.New(groupHost{m}, len(m.cpus))
	} else {
		f.tree = from.tree.Clone(groupHost{m})
	}
	f.fs = procfs.New(m, f.tree, m.cfg.cmdline())
	if from != nil && from.watched {
		f.watched = true
		m.core.AddSink(groupSink{m})
	}
}

// cmdline returns the words of a boot command line that say what the Config
// does.
func (c *Config) cmdline() string {
	var words []string
	if c.Preempt != PreemptVoluntary {
		words = append(words, "preempt="+c.Preempt.String())
	}
	if c.SkewTick {
		words = append(words, "skew_tick=1")
	}
	if c.NoAutogroup {
		words = append(words, "noautogroup")
	}
	return strings.Join(words, " ")
}

// ReadFile returns the text of a file of the machine: /proc, /sys, and the
// control groups below /sys/fs/cgroup. Reading changes nothing. Errors, here
// and in the calls below, are of type *cgroup.Error, which holds the errno.
func (m *Machine) ReadFile(path string) (string, error) {
	m.watchGroups(path)
	return m.files.fs.Read(path)
}

// WriteFile writes text to a file of the machine. What Linux refuses is
// refused with its errno, and nothing has changed then.
func (m *Machine) WriteFile(path, text string) error {
	m.watchGroups(path)
	return m.files.fs.Write(path, text)
}

// ListDir returns the names in a directory of the machine.
func (m *Machine) ListDir(path string) ([]string, error) {
	m.watchGroups(path)
	return m.files.fs.List(path)
}

// Mkdir makes a control group.
func (m *Machine) Mkdir(path string) error {
	m.watchGroups(path)
	return m.files.fs.Mkdir(path)
}

// Rmdir removes a control group that has neither processes nor children.
func (m *Machine) Rmdir(path string) error {
	m.watchGroups(path)
	return m.files.fs.Rmdir(path)
}

// CgroupOf returns the task group to which the tasks of a control group
// belong: its own where the cpu controller is enabled, else that of the
// nearest one above that has it. The path begins at the mount ("/build") or
// holds it. ok is false if there is no such directory.
func (m *Machine) CgroupOf(path string) (g sched.GroupID, ok bool) {
	return m.files.tree.GroupOf(path)
}

// CgroupPath returns the control group that a task is in, such as "/build";
// empty for a task that has exited or never was.
func (m *Machine) CgroupPath(pid int32) string {
	t := m.core.Find(pid)
	if t == sched.NoTask {
		return ""
	}
	return m.files.tree.PathOf(m.core.Tasks[t].TGID)
}

// SpawnIn starts a task as Spawn does, in a control group (clone3 with
// CLONE_INTO_CGROUP), whose task group takes the place of s.Group; "" is the
// group of its parent, which without a parent is the root. It may use those of
// s.CPUs that the group has. It fails with ENOENT for a group that does not
// exist, EBUSY for one that can have no processes, and EINVAL for CPUs of
// which the group has none.
func (m *Machine) SpawnIn(dir string, s Spawn) (int32, error) {
	if dir == "" {
		dir = "/"
		if s.Parent != 0 && m.core.Find(s.Parent) != sched.NoTask {
			dir = m.CgroupPath(s.Parent)
		}
	}
	if err := m.files.tree.CanHost(dir); err != nil {
		return 0, fmt.Errorf("spawn %s: %w", s.Comm, err)
	}
	if s.CPUs != nil {
		if err := m.checkCPUs(s.CPUs); err != nil {
			return 0, fmt.Errorf("spawn %s: %w", s.Comm, err)
		}
	}
	granted, err := m.files.tree.Grant(dir, s.CPUs)
	if err != nil {
		return 0, fmt.Errorf("spawn %s: %w", s.Comm, err)
	}
	if s.Start != nil && granted != nil {
		if s.Start = s.Start.And(granted); s.Start.Empty() {
			s.Start = nil
		}
	}
	m.files.starting = &placement{dir: dir, asked: s.CPUs}
	s.Group, _ = m.files.tree.GroupOf(dir)
	s.CPUs = granted
	pid, err := m.Spawn(s)
	m.files.starting = nil
	return pid, err
}

// checkCPUs fails for a mask that names no CPU of the machine.
func (m *Machine) checkCPUs(cpus cpumask.Set) error {
	if !cpus.Intersects(m.core.Topo.All()) {
		return fmt.Errorf("EINVAL: CPUs %q: the machine has only %s", cpus.String(), m.core.Topo.All())
	}
	return nil
}

// SchedSetaffinity sets the CPUs that a task asks for, nil for all. It gets
// those of them that its control group has, now and whenever that changes;
// EINVAL if that is none. (SetAffinity sets a mask whatever the group says.)
func (m *Machine) SchedSetaffinity(pid int32, cpus cpumask.Set) error {
	t, err := m.find("sched_setaffinity", pid)
	if err != nil {
		return err
	}
	if cpus != nil {
		if err := m.checkCPUs(cpus); err != nil {
			return fmt.Errorf("sched_setaffinity: %w", err)
		}
		cpus = cpus.And(m.core.Topo.All())
	}
	return m.files.tree.SetAffinity(pid, m.core.Tasks[t].TGID, cpus)
}

// SetTunable sets a tunable of the fair class while the machine runs, by its
// name in kernel.Tunables, to a value that is not scaled any more. The other
// values in force stay as they are, so that a new scaling alone changes
// nothing (kernel/sched/fair.c: sched_proc_update_handler).
func (m *Machine) SetTunable(name string, value int64) error {
	return m.reconfigure(func(k *kernel.Profile) error {
		now := k.Tunables.Scaled(len(m.cpus))
		for _, t := range []struct {
			name  string
			value int64
		}{
			{"latency", int64(now.Latency)},
			{"min_granularity", int64(now.MinGranularity)},
			{"wakeup_granularity", int64(now.WakeupGranularity)},
			{name, value},
		} {
			if err := k.Tunables.Set(t.name, t.value); err != nil {
				return err
			}
		}
		return nil
	})
}

// SetFeature switches a scheduler feature while the machine runs, by its word
// in sched_features.
func (m *Machine) SetFeature(word string) error {
	return m.reconfigure(func(k *kernel.Profile) error { return k.SetFeature(word) })
}

// reconfigure changes the kernel's profile. Ticks that were skipped under the
// old one are accounted for first, those to come are worked out anew.
func (m *Machine) reconfigure(change func(k *kernel.Profile) error) error {
	k := m.core.Kernel
	if err := change(&k); err != nil {
		return err
	}
	m.outside()
	for cpu := range m.cpus {
		m.Sync(cpu)
	}
	m.core.Kernel = k
	m.fair.Configure()
	for cpu := range m.cpus {
		m.Touched(cpu)
	}
	m.settleOutside()
	return nil
}

// watchGroups tells the control groups of the tasks that there are, at the
// first use of a path among them, and sees to it that they are told of what
// comes.
func (m *Machine) watchGroups(path string) {
	if m.files.watched || !procfs.InCgroups(path) {
		return
	}
	m.files.watched = true
	for pid := int32(1); pid <= m.core.MaxPID(); pid++ {
		if t := m.core.Find(pid); t != sched.NoTask {
			m.files.tree.Fork(m.forked(t, 0))
		}
	}
	m.core.AddSink(groupSink{m})
}

// forked describes a task to the control groups.
func (m *Machine) forked(t sched.TaskID, parent int32) cgroup.Forked {
	tk := &m.core.Tasks[t]
	f := cgroup.Forked{
		PID: tk.PID, TGID: tk.TGID, Parent: parent, Group: tk.Cgroup,
		CPUs: m.mask(t), Fixed: tk.Kthread && tk.Only >= 0,
	}
	if p := m.core.Find(parent); p != sched.NoTask {
		f.ParentTGID = m.core.Tasks[p].TGID
	}
	return f
}

// mask returns the CPUs that a task may use, nil for all.
func (m *Machine) mask(t sched.TaskID) cpumask.Set {
	if m.core.Tasks[t].Mask == 0 {
		return nil
	}
	return m.core.AllowedMask(t)
}

// groupSink tells the control groups what they must know of the tasks. It
// changes nothing in the machine.
type groupSink struct{ m *Machine }

// Record takes forks, exits and changes of masks.
func (s groupSink) Record(r *trace.Record) {
	switch r.Kind {
	case trace.KindFork, trace.KindExit, trace.KindSetAffinity:
	default:
		return
	}
	m := s.m
	t := m.core.Find(r.Task)
	if t == sched.NoTask {
		return
	}
	switch r.Kind {
	case trace.KindFork:
		f := m.forked(t, r.Other)
		if p := m.files.starting; p != nil {
			f.Dir, f.Asked = p.dir, p.asked
			m.files.starting = nil
		}
		m.files.tree.Fork(f)
	case trace.KindExit:
		m.files.tree.Exit(r.Task, m.core.Tasks[t].TGID)
	case trace.KindSetAffinity:
		m.files.tree.Asked(r.Task, m.core.Tasks[t].TGID, m.mask(t))
	}
}

// groupHost is the machine as the control groups act on it.
type groupHost struct{ *Machine }

// SetAffinity sets the mask of a thread as it is.
func (h groupHost) SetAffinity(pid int32, cpus cpumask.Set) error {
	t, err := h.find("sched_setaffinity", pid)
	if err != nil {
		return err
	}
	defer h.settleOutside()
	return h.core.SetAffinity(t, cpus)
}

// Runtime returns the CPU time of a thread in ns.
func (h groupHost) Runtime(pid int32) int64 {
	t := h.core.Find(pid)
	if t == sched.NoTask {
		return 0
	}
	return int64(h.core.Runtime(t))
}
