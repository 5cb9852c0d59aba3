package bindings

import (
	"errors"
	"fmt"
	"strings"

	"go.starlark.net/starlark"

	"schedrepl/engine"
	"schedrepl/engine/cpumask"
	"schedrepl/engine/event"
	"schedrepl/engine/kernel"
	"schedrepl/engine/metrics"
	"schedrepl/engine/sched"
	"schedrepl/engine/workload"
)

// maxComm is how many bytes of a task's name the kernel keeps (TASK_COMM_LEN
// without the byte at its end).
const maxComm = 15

// checkComm fails for a text that cannot be the name of a task. Linux would cut
// a long one; here it would then not be found any more.
func checkComm(comm string) error {
	switch {
	case comm == "":
		return errors.New("comm must not be empty")
	case len(comm) > maxComm:
		return fmt.Errorf("comm must be at most %d bytes long, as on Linux, not %s", maxComm, quoteShort(comm))
	case strings.ContainsAny(comm, "\n\x00"):
		return fmt.Errorf("comm must be one line, not %s", quoteShort(comm))
	}
	return nil
}

// parsePolicy reads a policy by its name, with or without SCHED_ before it.
func parsePolicy(word string) (sched.Policy, error) {
	switch name := strings.TrimPrefix(strings.ToUpper(word), "SCHED_"); name {
	case "OTHER", "NORMAL":
		return sched.Normal, nil
	case "BATCH":
		return sched.Batch, nil
	case "IDLE":
		return sched.Idle, nil
	}
	return 0, fmt.Errorf("EINVAL: policy %s: this build knows OTHER, BATCH and IDLE", quoteShort(word))
}

// owns fails for a task of another machine.
func (ma *machine) owns(t *task) error {
	if t != nil && t.ma != ma {
		return fmt.Errorf("%v belongs to another machine", t)
	}
	return nil
}

// An arrival is a task that is to be started.
type arrival struct {
	engine.Spawn
	dir string // Its control group, empty for that of its parent.
}

// begin starts a task and gives the value its process id.
func (ma *machine) begin(a arrival, t *task) error {
	pid, err := ma.m.SpawnIn(a.dir, a.Spawn)
	if err != nil {
		return err
	}
	t.pid = pid
	ma.tasks[pid] = t
	return nil
}

// programArg is the argument of a "program" parameter, fit for this machine.
func (ma *machine) programArg(c *Call, name string) (*workload.Program, error) {
	p := Arg[*program](c, name)
	if err := p.check(ma); err != nil {
		return nil, err
	}
	return p.P, nil
}

// prepare checks what all tasks have, and reads the program.
func (ma *machine) prepare(c *Call, a *arrival) (err error) {
	if err := checkComm(a.Comm); err != nil {
		return err
	}
	if a.Nice < kernel.NiceMin || a.Nice > kernel.NiceMax {
		return fmt.Errorf("EINVAL: nice must be from %d to %d, not %d", kernel.NiceMin, kernel.NiceMax, a.Nice)
	}
	a.Program, err = ma.programArg(c, "program")
	return err
}

// nextSteps answers a work.call step.
func (ma *machine) nextSteps(pid, fn int32) (*workload.Program, error) {
	v, err := ma.call(ma.session.callback(fn), ma, ma.task(pid))
	if err != nil {
		return nil, err
	}
	if v == starlark.None {
		return nil, nil
	}
	p, err := programOf(v)
	if err == ErrType {
		return nil, fmt.Errorf("the function of work.call must return steps or None, not %s", describe(v))
	}
	if err != nil {
		return nil, fmt.Errorf("what the function of work.call returned %w", err)
	}
	if err := p.check(ma); err != nil {
		return nil, err
	}
	return p.P, nil
}

func spawnTable() Table {
	return Table{
		Kinds: []Kind{
			{Name: "cpus", Phrase: "CPUs, as \"0-3\", 2 or [0, 2]", Convert: toCPUs},
		},
		Builtins: []Builtin{{
			Recv: "machine", Name: "spawn", Result: "task",
			Params: []Param{
				{Name: "comm", Type: "string", Doc: "The name of the task, at most 15 bytes."},
				{Name: "program", Type: "program", Doc: "What the task does. At the end of its program it exits."},
				{Name: "nice", Type: "int", Default: "0", Doc: "The nice value, -20 to 19."},
				{Name: "cpus", Type: "cpus | None", Default: "None", Doc: "The CPUs that the task may use; None for all."},
				{Name: "cgroup", Type: "string | cgroup | None", Default: "None", Doc: "The control group, by its path or handle; None for that of the parent."},
				{Name: "parent", Type: "task | None", Default: "None", Doc: "The task that forks it, whose session it joins; None for the machine itself."},
				{Name: "policy", Type: "string", Default: `"OTHER"`, Doc: "The scheduling policy: OTHER, BATCH or IDLE."},
				{Name: "at", Type: "duration | None", Default: "None", Doc: "When the task starts, as time since boot; None for now."},
			},
			Doc: "Starts a task, and returns it. A task without a parent is forked on CPU 0. " +
				"One that starts later has no process id until then.",
			Example: "cc = m.spawn(\"cc1\", [work.run(30 * ms)], nice = 5, cpus = \"0-1\")\nm.run(10 * ms)\nprint(cc.comm, cc.nice, cc.allowed)  # cc1 5 0-1",
			Impl:    spawnImpl,
		}, {
			Recv: "machine", Name: "kthread", Result: "task",
			Params: []Param{
				{Name: "comm", Type: "string", Doc: "The name, as \"kworker/3:1\"."},
				{Name: "program", Type: "program", Doc: "What the thread does."},
				{Name: "cpu", Type: "int | None", Default: "None", Doc: "The CPU that it is bound to; None for all."},
				{Name: "nice", Type: "int", Default: "0", Doc: "The nice value, -20 to 19."},
			},
			Doc:     "Starts a kernel thread: it belongs to no session, and no autogroup takes it.",
			Example: "w = m.kthread(\"kworker/3:1\", work.loop([work.run(15 * us), work.sleep(15 * ms)]), cpu = 3)\nprint(w.allowed)  # 3",
			Impl:    kthreadImpl,
		}, {
			Recv: "machine", Name: "find", Result: "list of task",
			Params:  []Param{{Name: "comm", Type: "string", Doc: "The name; * stands for any text, ? for one character."}},
			Doc:     "Returns the tasks that live and have a name, in the order of their process ids.",
			Example: "print([t.comm for t in m.find(comm = \"h*\")])  # [\"hog\"]",
			Impl: func(c *Call) (starlark.Value, error) {
				ma := c.Recv.(*machine)
				core := ma.m.Core()
				match, err := metrics.ByComm(c.Str("comm"), core.Comm)
				if err != nil {
					return nil, err
				}
				var out []starlark.Value
				for pid := int32(2); pid <= core.MaxPID(); pid++ {
					if core.Find(pid) != sched.NoTask && match(pid) {
						out = append(out, ma.task(pid))
					}
				}
				return starlark.NewList(out), nil
			},
		}, {
			Recv: "machine", Name: "task", Result: "task",
			Params:  []Param{{Name: "pid", Type: "int", Doc: "The process id."}},
			Doc:     "Returns the task with a process id, also one that has exited.",
			Example: "print(m.task(hog.pid).comm)  # hog",
			Impl: func(c *Call) (starlark.Value, error) {
				ma, pid := c.Recv.(*machine), c.Int("pid")
				if most := int(ma.m.Core().MaxPID()); pid < 2 || pid > most {
					if most < 2 {
						return nil, fmt.Errorf("ESRCH: there never was a task %d; none has been started yet", pid)
					}
					return nil, fmt.Errorf("ESRCH: there never was a task %d; process ids go from 2 to %d so far", pid, most)
				}
				return ma.task(int32(pid)), nil
			},
		}, {
			Recv: "machine", Name: "semaphore", Result: "semaphore",
			Params:  []Param{{Name: "n", Type: "int", Default: "0", Doc: "The count to begin with."}},
			Doc:     "Makes a semaphore, for the sem_wait and sem_post steps of tasks of this machine.",
			Example: "s = m.semaphore()\nm.spawn(\"waker\", [work.run(1 * ms), work.sem_post(s)])\nm.spawn(\"sleeper\", [work.sem_wait(s), work.run(1 * ms)])",
			Impl: func(c *Call) (starlark.Value, error) {
				ma, n := c.Recv.(*machine), c.Int("n")
				if n < 0 || n > 1<<31-1 {
					return nil, fmt.Errorf("n must be from 0 to 2147483647, not %d", n)
				}
				var out starlark.Value
				err := ma.act(c, func() error {
					id, err := ma.m.NewSem(int64(n))
					out = newSemaphore(id, ma)
					return err
				})
				return out, err
			},
		}, {
			Recv: "machine", Name: "interrupts",
			Params: []Param{
				{Name: "gap", Type: "duration | distribution", Doc: "The time between two interrupts of a CPU."},
				{Name: "cost", Type: "duration | distribution", Doc: "How long the CPU is taken from the task that runs."},
				{Name: "cpus", Type: "cpus | None", Default: "None", Doc: "The CPUs that take them, each at its own moments; None for all."},
				{Name: "name", Type: "string", Default: `"irq"`, Doc: "The name of the random stream."},
			},
			Doc:     "Lets CPUs take interrupts from now on: devices, the network, other timers.",
			Example: "m.interrupts(dist.exponential(1 * ms), 5 * us, cpus = \"0-1\")\nm.run(1 * sec)",
			Impl:    interruptsImpl,
		}},
	}
}

func spawnImpl(c *Call) (starlark.Value, error) {
	ma := c.Recv.(*machine)
	a := arrival{Spawn: engine.Spawn{Comm: c.Str("comm"), Nice: c.Int("nice")}}
	err := ma.prepare(c, &a)
	if err != nil {
		return nil, err
	}
	if a.CPUs, err = ma.cpusOf(c, "cpus"); err != nil {
		return nil, err
	}
	if a.Policy, err = parsePolicy(c.Str("policy")); err != nil {
		return nil, err
	}
	if g := Arg[*controlGroup](c, "cgroup"); g != nil {
		if g.ma != ma {
			return nil, fmt.Errorf("cgroup: %v belongs to another machine", g)
		}
		a.dir = g.path
	} else if c.Has("cgroup") {
		if a.dir, err = cgroupPath(c.Str("cgroup")); err != nil {
			return nil, fmt.Errorf("cgroup: %w", err)
		}
	}
	parent := Arg[*task](c, "parent")
	if err := ma.owns(parent); err != nil {
		return nil, fmt.Errorf("parent: %w", err)
	}
	if parent != nil {
		if _, err := parent.live(); err != nil {
			return nil, fmt.Errorf("parent: %w", err)
		}
		a.Parent = parent.pid
	}
	return ma.startAt(c, a)
}

// startAt starts a task now, or arms its start at the moment that the argument
// "at" gives.
func (ma *machine) startAt(c *Call, a arrival) (starlark.Value, error) {
	t := ma.newTask(a.Comm)
	at := event.Time(c.Duration("at"))
	err := ma.act(c, func() error {
		if !c.Has("at") || at == ma.m.Now() {
			return ma.begin(a, t)
		}
		if at < 0 {
			return fmt.Errorf("at must not be negative, not %v", Duration(at))
		}
		if at < ma.m.Now() {
			return fmt.Errorf("at: %v is in the past; it is %v now", at, ma.m.Now())
		}
		t.starts = at
		_, err := ma.m.At(at, func() error { return ma.begin(a, t) })
		return err
	})
	if err != nil {
		return nil, err
	}
	return t, nil
}

func kthreadImpl(c *Call) (starlark.Value, error) {
	ma := c.Recv.(*machine)
	a := arrival{dir: "/", Spawn: engine.Spawn{Comm: c.Str("comm"), Nice: c.Int("nice"), Kthread: true}}
	if err := ma.prepare(c, &a); err != nil {
		return nil, err
	}
	if c.Has("cpu") {
		cpu := c.Int("cpu")
		if cpu < 0 || cpu >= ma.numCPU() {
			return nil, fmt.Errorf("EINVAL: cpu: CPU %d does not exist (machine has %s)", cpu, cpumask.All(ma.numCPU()))
		}
		a.CPUs = cpumask.Of(cpu)
	}
	t := ma.newTask(a.Comm)
	if err := ma.act(c, func() error { return ma.begin(a, t) }); err != nil {
		return nil, withoutName("spawn", err)
	}
	return t, nil
}

func interruptsImpl(c *Call) (starlark.Value, error) {
	ma := c.Recv.(*machine)
	cpus, err := ma.cpusOf(c, "cpus")
	if err != nil {
		return nil, err
	}
	if cpus == nil {
		cpus = cpumask.All(ma.numCPU())
	}
	gap, err := lengthArg(c, "gap")
	if err != nil {
		return nil, err
	}
	cost, err := lengthArg(c, "cost")
	if err != nil {
		return nil, err
	}
	return nil, ma.act(c, func() error {
		for cpu := range cpus.CPUs() {
			if err := ma.m.Interrupts(cpu, c.Str("name"), gap, cost); err != nil {
				return err
			}
		}
		return nil
	})
}
