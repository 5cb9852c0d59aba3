package procfs

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"schedrepl/engine/cgroup"
	"schedrepl/engine/cpumask"
	"schedrepl/engine/kernel"
	"schedrepl/engine/sched"
	"schedrepl/engine/trace"
)

// task is a task with what belongs to it.
type task struct {
	*sched.Task
	core *sched.Core
	id   sched.TaskID
	proc *sched.Process
}

func (fs *FS) task(on object) task {
	core := fs.machine.Core()
	return task{&core.Tasks[on.task], core, on.task, core.Process(on.task)}
}

// comm returns the name as the kernel keeps it: at most 15 bytes.
func (t task) comm() string {
	s := t.core.Comm(t.PID)
	const most = 15
	if len(s) <= most {
		return s
	}
	n := most
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// stopper reports whether the task is of the stop class, which shows itself as
// SCHED_FIFO of the highest priority.
func (t task) stopper() bool { return t.core.ClassOf(t.id).Name() == "stop" }

// policy returns the number of the policy and of the real-time priority.
func (t task) policy() (policy, rtPriority int) {
	if t.stopper() {
		return 1, 99
	}
	return int(t.Policy), 0
}

// prio returns the priority in the kernel's scale: 0 highest, 120 nice 0.
func (t task) prio() int {
	if t.stopper() {
		return 0
	}
	return 120 + int(t.Nice)
}

// parent returns the process id of the parent: init once the parent is gone.
func (t task) parent() int32 {
	if p := t.proc.Parent; t.core.Find(p) != sched.NoTask {
		return p
	}
	return 1
}

// state returns the state's letter and word. What is between states here is
// runnable for whoever looks.
func (t task) state() (byte, string) {
	switch t.State {
	case trace.Sleeping:
		return 'S', "sleeping"
	case trace.Stopped:
		return 'T', "stopped"
	case trace.Exited:
		return 'X', "dead"
	}
	return 'R', "running"
}

// cpus returns the CPUs that the task may use.
func (t task) cpus() cpumask.Set {
	if t.Only >= 0 {
		return cpumask.Of(int(t.Only))
	}
	return t.core.AllowedMask(t.id)
}

func readComm(fs *FS, on object) string { return fs.task(on).comm() + "\n" }

// writeComm refuses: only the process itself may (fs/proc/base.c: comm_write).
func writeComm(_ *FS, _ object, whole, _ string) error {
	return cgroup.Errorf("EINVAL", whole, "only the process itself can write its name; execve changes it")
}

func readCgroup(fs *FS, on object) string {
	return "0::" + fs.cgroups.PathOf(fs.task(on).TGID) + "\n"
}

// readSchedstat shows the CPU time in ns, the time spent waiting for a CPU in
// ns up to the last wait that ended, and how often the task got a CPU.
func readSchedstat(fs *FS, on object) string {
	t := fs.task(on)
	slices := int64(t.NVCSw) + int64(t.NIVCSw)
	if t.core.Curr(int(t.CPU)) == t.id {
		slices++
	}
	return fmt.Sprintf("%d %d %d\n", int64(t.core.Runtime(t.id)), int64(t.RunDelay), slices)
}

// ticks converts ns to the unit of /proc/PID/stat, 1/100 s.
func ticks(ns int64) int64 { return ns / int64(10*time.Millisecond) }

// readProcessStat is /proc/PID/stat: as readThreadStat, with the CPU time of
// all live threads.
func readProcessStat(fs *FS, on object) string {
	t := fs.task(on)
	sum := int64(0)
	for x := t.proc.FirstThread(); x != sched.NoTask; x = t.core.NextThread(x) {
		sum += int64(t.core.Runtime(x))
	}
	return t.stat(sum)
}

func readThreadStat(fs *FS, on object) string {
	t := fs.task(on)
	return t.stat(int64(t.core.Runtime(t.id)))
}

// stat returns the 52 fields of proc(5). Known are pid, comm, state, ppid,
// session, utime, priority, nice, num_threads, starttime, processor,
// rt_priority and policy. All CPU time counts as utime. The process group is
// that of the session's leader, as there are no others; tty_nr is 0 and tpgid
// -1 for no terminal; exit_signal is 17, SIGCHLD; the flags say PF_KTHREAD or
// nothing; all others are 0.
func (t task) stat(runtime int64) string {
	state, _ := t.state()
	policy, rtPriority := t.policy()
	flags := 0
	if t.Kthread {
		flags = 0x00200000
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d (%s) %c %d %d %d 0 -1 %d 0 0 0 0 ", t.PID, t.comm(), state, t.parent(), t.proc.SID, t.proc.SID, flags)
	fmt.Fprintf(&b, "%d 0 0 0 %d %d %d 0 %d ", ticks(runtime), t.prio()-100, t.Nice, t.proc.Threads, ticks(int64(t.Born)))
	b.WriteString(strings.Repeat("0 ", 15)) // vsize to cnswap
	fmt.Fprintf(&b, "17 %d %d %d", t.CPU, rtPriority, policy)
	b.WriteString(strings.Repeat(" 0", 11)) // delayacct_blkio_ticks to exit_code
	return b.String() + "\n"
}

// readStatus shows the lines of proc(5) that the model knows. TracerPid is
// always 0.
func readStatus(fs *FS, on object) string {
	t := fs.task(on)
	letter, word := t.state()
	cpus := t.cpus()
	return fmt.Sprintf("Name:\t%s\nState:\t%c (%s)\nTgid:\t%d\nPid:\t%d\nPPid:\t%d\nTracerPid:\t0\nThreads:\t%d\n"+
		"Cpus_allowed:\t%s\nCpus_allowed_list:\t%s\nvoluntary_ctxt_switches:\t%d\nnonvoluntary_ctxt_switches:\t%d\n",
		t.comm(), letter, word, t.TGID, t.PID, t.parent(), t.proc.Threads,
		hexMask(cpus, len(t.core.CPUs)), cpus, t.NVCSw, t.NIVCSw)
}

// hexMask writes a set of n CPUs as the kernel's masks: groups of 32 CPUs,
// highest first, as hexadecimal numbers of full width.
func hexMask(s cpumask.Set, n int) string {
	var groups []string
	for lo := (n - 1) / 32 * 32; lo >= 0; lo -= 32 {
		bits := uint32(0)
		for i := range 32 {
			if s.Has(lo + i) {
				bits |= 1 << i
			}
		}
		digits := (min(n-lo, 32) + 3) / 4
		groups = append(groups, fmt.Sprintf("%0*x", digits, bits))
	}
	return strings.Join(groups, ",")
}

// readSched shows the lines of /proc/PID/sched that the model knows, as
// kernel/sched/debug.c of 3.3 writes them; the vruntime is as last accounted.
// Unlike on Linux the counters cannot be reset by writing.
func readSched(fs *FS, on object) string {
	t := fs.task(on)
	policy, _ := t.policy()
	weight := int64(0)
	if !t.stopper() {
		weight, _ = kernel.NiceWeight(int(t.Nice))
		if t.Policy == sched.Idle {
			weight = kernel.IdleWeight
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%d, #threads: %d)\n%s\n", t.comm(), t.PID, t.proc.Threads, strings.Repeat("-", 57))
	ms := func(name string, ns int64) {
		sign := ""
		if ns < 0 {
			sign, ns = "-", -ns
		}
		fmt.Fprintf(&b, "%-35s:%14s.%06d\n", name, fmt.Sprintf("%s%d", sign, ns/1e6), ns%1e6)
	}
	count := func(name string, n int64) { fmt.Fprintf(&b, "%-35s:%21d\n", name, n) }
	ms("se.vruntime", t.core.Virtual(t.id))
	ms("se.sum_exec_runtime", int64(t.core.Runtime(t.id)))
	count("se.nr_migrations", int64(t.Migrations))
	count("nr_switches", int64(t.NVCSw)+int64(t.NIVCSw))
	count("nr_voluntary_switches", int64(t.NVCSw))
	count("nr_involuntary_switches", int64(t.NIVCSw))
	count("se.load.weight", weight)
	count("policy", int64(policy))
	count("prio", int64(t.prio()))
	return b.String()
}

// readAutogroup shows the autogroup of the task's process, whether autogroup
// is switched on or not; nothing for init's session, which has none
// (kernel/sched/auto_group.c: proc_sched_autogroup_show_task).
func readAutogroup(fs *FS, on object) string {
	ag := fs.machine.Core().AutogroupOf(on.task)
	if ag == nil {
		return ""
	}
	return fmt.Sprintf("/autogroup-%d nice %d\n", ag.ID, ag.Nice)
}

// writeAutogroup sets the nice value of the whole autogroup: EINVAL for what is
// no nice value, and for a process that has no autogroup. Root needs no right
// to lower it and is not limited in how often it writes.
func writeAutogroup(fs *FS, on object, whole, text string) error {
	v, err := value(whole, text, kernel.NiceMin, kernel.NiceMax)
	if err != nil {
		return err
	}
	t := fs.task(on)
	if t.core.AutogroupOf(t.id) == nil {
		return cgroup.Errorf("EINVAL", whole, "task %d is in init's session, which has no autogroup; call setsid first", t.PID)
	}
	if err := fs.machine.SetAutogroupNice(t.PID, int(v)); err != nil {
		return cgroup.Errorf("EINVAL", whole, "%v", err)
	}
	return nil
}
