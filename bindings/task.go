package bindings

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"schedrepl/engine"
	"schedrepl/engine/cpumask"
	"schedrepl/engine/event"
	"schedrepl/engine/sched"
)

// task is a task of a machine as scripts see it. There is one value for each
// task, so that values are equal when they mean the same task.
type task struct {
	Object
	ma     *machine
	number int        // Its place among the task values of the machine.
	pid    int32      // 0 before it has started.
	comm   string     // What it was to be called, before it has started.
	starts event.Time // When it starts.
}

// newTask makes the value of a task that has not started.
func (ma *machine) newTask(comm string) *task {
	ma.numbers++
	t := &task{ma: ma, number: ma.numbers, comm: comm}
	t.Init("task", t)
	return t
}

// task is the value of the task with a process id that was given out.
func (ma *machine) task(pid int32) *task {
	t := ma.tasks[pid]
	if t == nil {
		t = ma.newTask("")
		t.pid = pid
		ma.tasks[pid] = t
	}
	return t
}

// String shows name and process id.
func (t *task) String() string {
	if t.pid == 0 {
		return fmt.Sprintf("<task: %s, starts at %v>", t.comm, t.starts)
	}
	return fmt.Sprintf("<task: %s, pid %d>", t.ma.m.Core().Comm(t.pid), t.pid)
}

// Hash lets tasks be keys.
func (t *task) Hash() (uint32, error) { return starlark.MakeInt(t.number).Hash() }

// live is the engine's task; it fails for one that has exited or not started.
func (t *task) live() (sched.TaskID, error) {
	if t.pid == 0 {
		return 0, fmt.Errorf("ESRCH: task %s has not started; it starts at %v", t.comm, t.starts)
	}
	id := t.ma.m.Core().Find(t.pid)
	if id == sched.NoTask {
		return 0, fmt.Errorf("ESRCH: task %d (%s) has exited; only pid, comm and exited are left of it (m.tasks() tells what it did)", t.pid, t.ma.m.Core().Comm(t.pid))
	}
	return id, nil
}

// exited reports whether the task has started and is gone.
func (t *task) exited() bool {
	return t.pid != 0 && t.ma.m.Core().Find(t.pid) == sched.NoTask
}

// cpus are the CPUs that the task may use.
func (t *task) cpus(id sched.TaskID) cpumask.Set {
	core := t.ma.m.Core()
	if only := core.Tasks[id].Only; only >= 0 {
		return cpumask.Of(int(only))
	}
	return core.AllowedMask(id)
}

// children are the values of the live processes that the task's process has
// forked, by process id.
func (t *task) children(id sched.TaskID) *starlark.List {
	core := t.ma.m.Core()
	var pids []int32
	for i := range core.Procs {
		if p := &core.Procs[i]; p.PID != 0 && p.Parent == core.Tasks[id].TGID {
			pids = append(pids, p.PID)
		}
	}
	slices.Sort(pids)
	var out []starlark.Value
	for _, pid := range pids {
		out = append(out, t.ma.task(pid))
	}
	return starlark.NewList(out)
}

// taskAttr is the entry of an attribute of a live task.
func taskAttr(name, result, doc, example string, get func(t *task, id sched.TaskID, tk *sched.Task) starlark.Value) Builtin {
	return Builtin{
		Recv: "task", Name: name, Attr: true, Result: result, Doc: doc, Example: example,
		Impl: func(c *Call) (starlark.Value, error) {
			t := c.Recv.(*task)
			id, err := t.live()
			if err != nil {
				return nil, err
			}
			return get(t, id, &t.ma.m.Core().Tasks[id]), nil
		},
	}
}

func taskTable() Table {
	return Table{
		Topics: []Topic{{
			Name: "task", Type: true,
			Doc: "A task of a machine. Its methods are system calls that it makes, or that are made on it; its attributes read what it is at the moment. " +
				"Of a task that has exited only pid, comm and exited are left.",
			Setup: "m = machine(topo.smp(4))\n" +
				"t = m.spawn(\"web\", work.loop([work.run(3 * ms), work.sleep(7 * ms)]), cpus = \"0-1\")\n" +
				"m.run(1 * sec)",
		}},
		Kinds:    []Kind{kindOf[*task]("task", "a task, as m.spawn returns it")},
		Builtins: slices.Concat(taskIdentity(), taskAttrs(), taskCalls()),
	}
}

// taskIdentity are the attributes that stay when the task has exited.
func taskIdentity() []Builtin {
	return []Builtin{{
		Recv: "task", Name: "pid", Attr: true, Result: "int",
		Doc:     "The process id; that of a thread, as gettid returns it.",
		Example: "print(m.task(t.pid) == t)  # True",
		Impl: func(c *Call) (starlark.Value, error) {
			t := c.Recv.(*task)
			if t.pid == 0 {
				_, err := t.live()
				return nil, err
			}
			return starlark.MakeInt(int(t.pid)), nil
		},
	}, {
		Recv: "task", Name: "comm", Attr: true, Result: "string",
		Doc:     "The name.",
		Example: "print(t.comm)  # web",
		Impl: func(c *Call) (starlark.Value, error) {
			t := c.Recv.(*task)
			if t.pid == 0 {
				return starlark.String(t.comm), nil
			}
			return starlark.String(t.ma.m.Core().Comm(t.pid)), nil
		},
	}, {
		Recv: "task", Name: "exited", Attr: true, Result: "bool",
		Doc:     "Whether the task has exited.",
		Example: "print(t.exited)  # False",
		Impl:    func(c *Call) (starlark.Value, error) { return starlark.Bool(c.Recv.(*task).exited()), nil },
	}, {
		Recv: "task", Name: "machine", Attr: true, Result: "machine",
		Doc:     "The machine that the task belongs to.",
		Example: "print(t.machine == m)  # True",
		Impl:    func(c *Call) (starlark.Value, error) { return c.Recv.(*task).ma, nil },
	}}
}

func taskAttrs() []Builtin {
	core := func(t *task) *sched.Core { return t.ma.m.Core() }
	return []Builtin{
		taskAttr("tgid", "int", "The process id of the process, which its threads share.", "print(t.tgid == t.pid)  # True",
			func(_ *task, _ sched.TaskID, tk *sched.Task) starlark.Value { return starlark.MakeInt(int(tk.TGID)) }),
		taskAttr("ppid", "int", "The process id of the parent; 1 for a task that the script started, and when the parent is gone.", "print(t.ppid)  # 1",
			func(t *task, id sched.TaskID, _ *sched.Task) starlark.Value {
				pid := core(t).Process(id).Parent
				if core(t).Find(pid) == sched.NoTask {
					pid = 1
				}
				return starlark.MakeInt(int(pid))
			}),
		taskAttr("sid", "int", "The session, by the process id of its leader.", "t.setsid()\nprint(t.sid == t.pid)  # True",
			func(t *task, id sched.TaskID, _ *sched.Task) starlark.Value {
				return starlark.MakeInt(int(core(t).Process(id).SID))
			}),
		taskAttr("state", "string", "The state, as ps shows it: R runs or could run, S sleeps, T was stopped.", "print(t.state)  # S",
			func(_ *task, _ sched.TaskID, tk *sched.Task) starlark.Value {
				return starlark.String(stateLetter(tk.State))
			}),
		taskAttr("cpu", "int", "The CPU on whose queue the task is, or was last.", "print(t.cpu)  # 0",
			func(_ *task, _ sched.TaskID, tk *sched.Task) starlark.Value { return starlark.MakeInt(int(tk.CPU)) }),
		taskAttr("nice", "int", "The nice value.", "t.setpriority(5)\nprint(t.nice)  # 5",
			func(_ *task, _ sched.TaskID, tk *sched.Task) starlark.Value { return starlark.MakeInt(int(tk.Nice)) }),
		taskAttr("policy", "string", "The scheduling policy, without SCHED_.", "print(t.policy)  # OTHER",
			func(_ *task, _ sched.TaskID, tk *sched.Task) starlark.Value {
				return starlark.String(tk.Policy.String())
			}),
		taskAttr("vruntime", "duration", "The virtual run time, as last accounted.", "print(t.vruntime.ms)",
			func(t *task, id sched.TaskID, _ *sched.Task) starlark.Value { return Duration(core(t).Virtual(id)) }),
		taskAttr("sum_exec_runtime", "duration", "The CPU time so far.", "print(t.sum_exec_runtime > 290 * ms)  # True",
			func(t *task, id sched.TaskID, _ *sched.Task) starlark.Value { return Duration(core(t).Runtime(id)) }),
		taskAttr("run_delay", "duration", "How long the task has waited for a CPU while it could run, up to the end of the last such wait.", "print(t.run_delay)",
			func(_ *task, _ sched.TaskID, tk *sched.Task) starlark.Value { return Duration(tk.RunDelay) }),
		taskAttr("nvcsw", "int", "Voluntary context switches: the task went to sleep or waited.", "print(t.nvcsw > 90)  # True",
			func(_ *task, _ sched.TaskID, tk *sched.Task) starlark.Value { return starlark.MakeInt(int(tk.NVCSw)) }),
		taskAttr("nivcsw", "int", "Involuntary context switches: the task was put off the CPU.", "print(t.nivcsw)  # 0",
			func(_ *task, _ sched.TaskID, tk *sched.Task) starlark.Value { return starlark.MakeInt(int(tk.NIVCSw)) }),
		taskAttr("nr_migrations", "int", "How often the task has moved to another CPU.", "print(t.nr_migrations)  # 0",
			func(_ *task, _ sched.TaskID, tk *sched.Task) starlark.Value {
				return starlark.MakeInt(int(tk.Migrations))
			}),
		taskAttr("cgroup", "string", "The path of the control group.", "m.cgroup(\"/web\").attach(t)\nprint(t.cgroup)  # /web",
			func(t *task, _ sched.TaskID, _ *sched.Task) starlark.Value {
				return starlark.String(t.ma.m.CgroupPath(t.pid))
			}),
		taskAttr("autogroup", "string", "The autogroup of the task's session, as /proc/PID/autogroup names it; None where there is none.", "t.setsid()\nprint(t.autogroup)  # /autogroup-1",
			func(t *task, id sched.TaskID, _ *sched.Task) starlark.Value {
				if ag := core(t).AutogroupOf(id); ag != nil {
					return starlark.String(fmt.Sprintf("/autogroup-%d", ag.ID))
				}
				return starlark.None
			}),
		taskAttr("allowed", "string", "The CPUs that the task may use, as in cpuset.cpus.", "print(t.allowed)  # 0-1",
			func(t *task, id sched.TaskID, _ *sched.Task) starlark.Value {
				return starlark.String(t.cpus(id).String())
			}),
		taskAttr("children", "list of task", "The processes that the task's process has forked and that live.", "c = t.fork([work.run(1 * ms)])\nprint(t.children == [c])  # True",
			func(t *task, id sched.TaskID, _ *sched.Task) starlark.Value { return t.children(id) }),
	}
}

// inherit sets what fork hands on of a task: all that a child inherits and
// engine.Spawn would set to its own.
func (t *task) inherit(id sched.TaskID, a *engine.Spawn) {
	core := t.ma.m.Core()
	tk := &core.Tasks[id]
	a.Parent, a.Nice, a.Policy = t.pid, int(tk.Nice), tk.Policy
	if tk.Only >= 0 || tk.Mask != 0 {
		a.CPUs = t.cpus(id)
	}
}
