package engine

import (
	"fmt"

	"schedrepl/engine/cpumask"
	"schedrepl/engine/event"
	"schedrepl/engine/sched"
	"schedrepl/engine/trace"
	"schedrepl/engine/workload"
)

// Spawn says what a new task is like.
type Spawn struct {
	Comm    string
	Program *workload.Program
	Nice    int
	Policy  sched.Policy
	Group   sched.GroupID // cpu cgroup
	// CPUs are the CPUs that it may use, nil for all; Start those of its first
	// placement only, nil for the same.
	CPUs, Start cpumask.Set
	// Parent is the process id of the task that forks it, 0 for the machine
	// itself, on CPU 0.
	Parent  int32
	Kthread bool
}

// outside puts the call into the context of the CPU that is executing: the
// event's, or between runs CPU 0.
func (m *Machine) outside() {
	if !m.inside {
		m.core.This = 0
	}
}

// settleOutside makes what was asked for between runs take effect when the
// machine runs next.
func (m *Machine) settleOutside() {
	if m.inside {
		return
	}
	if m.core.CPUs[0].NeedResched {
		m.q.Arm(m.burstID(0), 0, event.Program, m.core.Now, m.core.Now)
	}
	m.retick()
	m.runWatches()
}

// Spawn starts a task and returns its process id. A task without a parent is
// forked by CPU 0 as it stands; one with a parent inherits what Spawn leaves
// at its zero value except nice, policy, group and CPUs, which are set.
func (m *Machine) Spawn(s Spawn) (int32, error) {
	m.outside()
	if s.Program == nil {
		return 0, fmt.Errorf("spawn %s: a program is missing", s.Comm)
	}
	if _, ok := m.core.Group(s.Group); !ok {
		return 0, fmt.Errorf("spawn %s: ENOENT: task group %d does not exist", s.Comm, s.Group)
	}
	if err := m.prog.Fits(s.Program); err != nil {
		return 0, fmt.Errorf("spawn %s: %w", s.Comm, err)
	}
	parent := sched.NoTask
	if s.Parent != 0 {
		if parent = m.core.Find(s.Parent); parent == sched.NoTask {
			return 0, fmt.Errorf("spawn %s: ESRCH: parent %d has exited or never was", s.Comm, s.Parent)
		}
	}
	t, err := m.core.Fork(sched.ForkSpec{
		Parent: parent, Comm: m.core.Intern(s.Comm), Set: true, Nice: s.Nice, Policy: s.Policy,
		Cgroup: s.Group, Allowed: s.CPUs, Start: s.Start, Kthread: s.Kthread,
	})
	if err != nil {
		return 0, fmt.Errorf("spawn %s: %w", s.Comm, err)
	}
	k := m.spawned[s.Comm]
	m.spawned[s.Comm]++
	seed := m.seed.Named("task").Named(s.Comm).Numbered(k)
	if err := m.start(t, s.Program, seed); err != nil {
		return 0, fmt.Errorf("spawn %s: %w", s.Comm, err)
	}
	m.settleOutside()
	return m.core.PID(t), nil
}

// find returns the task of a process id, or ESRCH; a stopper, which belongs to
// its CPU, cannot be called on.
func (m *Machine) find(what string, pid int32) (sched.TaskID, error) {
	m.outside()
	t := m.core.Find(pid)
	if t == sched.NoTask {
		return t, fmt.Errorf("%s: ESRCH: task %d has exited or never was", what, pid)
	}
	if m.core.IsStopper(t) {
		return t, fmt.Errorf("%s: EINVAL: task %d is %s, the stopper of a CPU, and cannot be changed", what, pid, m.core.Comm(pid))
	}
	return t, nil
}

// Setsid makes the process of a task the leader of a new session.
func (m *Machine) Setsid(pid int32) error {
	t, err := m.find("setsid", pid)
	if err != nil {
		return err
	}
	defer m.settleOutside()
	return m.core.Setsid(t)
}

// SetNice sets a task's nice value.
func (m *Machine) SetNice(pid int32, nice int) error {
	t, err := m.find("setpriority", pid)
	if err != nil {
		return err
	}
	defer m.settleOutside()
	return m.core.SetNice(t, nice)
}

// SetPolicy sets a task's policy.
func (m *Machine) SetPolicy(pid int32, p sched.Policy) error {
	t, err := m.find("sched_setscheduler", pid)
	if err != nil {
		return err
	}
	defer m.settleOutside()
	return m.core.SetPolicy(t, p)
}

// SetAffinity sets the CPUs that a task may use; nil is all.
func (m *Machine) SetAffinity(pid int32, cpus cpumask.Set) error {
	t, err := m.find("sched_setaffinity", pid)
	if err != nil {
		return err
	}
	if tk := &m.core.Tasks[t]; tk.Kthread && tk.Only >= 0 {
		return fmt.Errorf("sched_setaffinity: EINVAL: task %d (%s) is a kernel thread bound to CPU %d", pid, m.core.Comm(pid), tk.Only)
	}
	defer m.settleOutside()
	return m.core.SetAffinity(t, cpus)
}

// SetAutogroupNice sets the nice value of a task's autogroup.
func (m *Machine) SetAutogroupNice(pid int32, nice int) error {
	t, err := m.find("autogroup", pid)
	if err != nil {
		return err
	}
	defer m.settleOutside()
	return m.core.SetAutogroupNice(t, nice)
}

// Attach moves a task to the cpu cgroup whose task group is g.
func (m *Machine) Attach(pid int32, g sched.GroupID) error {
	t, err := m.find("attach", pid)
	if err != nil {
		return err
	}
	if _, ok := m.core.Group(g); !ok {
		return fmt.Errorf("attach: ENOENT: task group %d does not exist", g)
	}
	defer m.settleOutside()
	m.core.Attach(t, g)
	return nil
}

// NewGroup makes a task group below parent.
func (m *Machine) NewGroup(parent sched.GroupID, name string) (sched.GroupID, error) {
	m.outside()
	if _, ok := m.core.Group(parent); !ok {
		return sched.NoGroup, fmt.Errorf("mkdir: ENOENT: task group %d does not exist", parent)
	}
	defer m.settleOutside()
	return m.core.NewGroup(parent, name), nil
}

// FreeGroup removes a task group that has no tasks and no child groups.
func (m *Machine) FreeGroup(g sched.GroupID) error {
	m.outside()
	defer m.settleOutside()
	return m.core.FreeGroup(g)
}

// SetShares sets the shares of a task group.
func (m *Machine) SetShares(g sched.GroupID, shares int64) error {
	m.outside()
	defer m.settleOutside()
	return m.core.SetShares(g, shares)
}

// SetAutogroupEnabled sets sched_autogroup_enabled. Nothing is moved: a task's
// group is worked out anew when it is next placed on another CPU or forks.
func (m *Machine) SetAutogroupEnabled(on bool) { m.core.AutogroupOn = on }

// Kill sends STOP, CONT, KILL or TERM to a task.
func (m *Machine) Kill(pid int32, signal string) error {
	t, err := m.find("kill", pid)
	if err != nil {
		return err
	}
	defer m.settleOutside()
	if m.core.Tasks[t].Kthread {
		return nil // kernel threads ignore all signals
	}
	switch signal {
	case "STOP":
		m.core.Kill(t, sched.SigStop)
	case "CONT":
		m.core.Continue(t)
	case "TERM":
		m.core.Kill(t, sched.SigTerm)
	case "KILL":
		m.core.Kill(t, sched.SigKill)
	default:
		return fmt.Errorf("kill: EINVAL: signal %q: this build knows STOP, CONT, KILL and TERM", signal)
	}
	return nil
}

// Exec gives a task another name.
func (m *Machine) Exec(pid int32, comm string) error {
	t, err := m.find("execve", pid)
	if err != nil {
		return err
	}
	defer m.settleOutside()
	m.core.Exec(t, m.core.Intern(comm))
	return nil
}

// NewSem makes a counting semaphore.
func (m *Machine) NewSem(count int64) (workload.ObjID, error) { return m.prog.NewSem(count) }

// PostSem adds one to a semaphore, or wakes its first waiter, from outside.
func (m *Machine) PostSem(o workload.ObjID) {
	m.outside()
	if t := m.prog.Post(o); t != workload.NoTask {
		m.wake(sched.TaskID(t))
	}
	m.settleOutside()
}

// Mark names the present. It fails if the name is taken.
func (m *Machine) Mark(name string) error {
	if at, ok := m.marks[name]; ok {
		return fmt.Errorf("mark: %q marks %v already; take another name", name, at)
	}
	m.marks[name] = m.core.Now
	m.core.Emit(trace.Record{Kind: trace.KindMark, A: int64(m.core.Intern(name))})
	return nil
}

// MarkTime returns the moment that a name marks.
func (m *Machine) MarkTime(name string) (event.Time, bool) {
	at, ok := m.marks[name]
	return at, ok
}

// Program returns the listing of a task's program and where it stands.
func (m *Machine) Program(pid int32) (string, error) {
	t, err := m.find("program", pid)
	if err != nil {
		return "", err
	}
	pc, text := m.prog.Where(int32(t))
	return fmt.Sprintf("next step %d: %s", pc, text), nil
}
