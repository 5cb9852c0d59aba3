package bindings

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"

	"schedrepl/engine"
	"schedrepl/engine/cpumask"
	"schedrepl/engine/kernel"
	"schedrepl/engine/trace"
)

// stateLetter is a state as ps shows it. What is between states is runnable for
// whoever looks.
func stateLetter(s trace.State) string {
	switch s {
	case trace.Sleeping, trace.Stopped, trace.Exited:
		return string(rune(s))
	}
	return "R"
}

// signals are the signals that the model acts on, with their numbers on x86.
var signals = []struct {
	name   string
	number int
}{{"KILL", 9}, {"TERM", 15}, {"CONT", 18}, {"STOP", 19}}

// signalOf reads a signal: its name, with or without SIG, or its number.
func signalOf(v starlark.Value) (string, error) {
	name, _ := starlark.AsString(v)
	number := 0
	if i, ok := v.(starlark.Int); ok {
		number, _ = starlark.AsInt32(i)
	}
	for _, s := range signals {
		if number == s.number || strings.TrimPrefix(strings.ToUpper(name), "SIG") == s.name {
			return s.name, nil
		}
	}
	return "", fmt.Errorf("EINVAL: signal %v: this build knows KILL (9), TERM (15), CONT (18) and STOP (19)", v)
}

// systemCall is the entry of a method of a live task that does something.
func systemCall(name, result, doc, example string, params []Param, do func(c *Call, t *task) (starlark.Value, error)) Builtin {
	return Builtin{
		Recv: "task", Name: name, Params: params, Result: result, Doc: doc, Example: example,
		Impl: func(c *Call) (starlark.Value, error) {
			t := c.Recv.(*task)
			var out starlark.Value
			err := t.ma.act(c, func() (err error) {
				if _, err := t.live(); err != nil {
					return err
				}
				out, err = do(c, t)
				return err
			})
			return out, err
		},
	}
}

func taskCalls() []Builtin {
	return []Builtin{
		systemCall("setsid", "int", "Makes the task's process the leader of a new session, with an autogroup where the kernel has that, and returns the session's id. "+
			"It fails with EPERM for a process that leads one already.",
			"print(t.setsid() == t.pid)  # True", nil,
			func(_ *Call, t *task) (starlark.Value, error) {
				if err := t.ma.m.Setsid(t.pid); err != nil {
					return nil, err
				}
				id, err := t.live()
				if err != nil {
					return nil, err
				}
				return starlark.MakeInt(int(t.ma.m.Core().Process(id).SID)), nil
			}),
		systemCall("fork", "task", "Makes a child process, which inherits session, control group, policy, nice value and CPUs, and returns it.",
			"c = t.fork([work.run(5 * ms)], comm = \"cc1\")\nprint(c.comm, c.ppid == t.pid)  # cc1 True",
			[]Param{
				{Name: "program", Type: "program", Doc: "What the child does."},
				{Name: "comm", Type: "string | None", Default: "None", Doc: "The child's name; None for the parent's."},
			}, forkImpl),
		systemCall("execve", "", "Gives the task the name of another program. What it does goes on.",
			"t.execve(\"as\")\nprint(t.comm)  # as",
			[]Param{{Name: "comm", Type: "string", Doc: "The name, at most 15 bytes."}},
			func(c *Call, t *task) (starlark.Value, error) {
				if err := checkComm(c.Str("comm")); err != nil {
					return nil, err
				}
				return nil, t.ma.m.Exec(t.pid, c.Str("comm"))
			}),
		systemCall("setpriority", "", "Sets the nice value. As on Linux a value beyond the ends becomes the end.",
			"t.setpriority(-5)\nprint(t.nice)  # -5",
			[]Param{{Name: "nice", Type: "int", Doc: "The nice value, -20 to 19."}},
			func(c *Call, t *task) (starlark.Value, error) {
				return nil, t.ma.m.SetNice(t.pid, min(max(c.Int("nice"), kernel.NiceMin), kernel.NiceMax))
			}),
		systemCall("sched_setaffinity", "", "Sets the CPUs that the task may use. CPUs that do not exist are passed over; EINVAL if no other is left.",
			"t.sched_setaffinity(\"2-3\")\nprint(t.allowed)  # 2-3",
			[]Param{{Name: "cpus", Type: "cpus", Doc: "The CPUs, as \"0-3\", 2 or [0, 2]."}},
			func(c *Call, t *task) (starlark.Value, error) {
				return nil, t.ma.m.SchedSetaffinity(t.pid, Arg[cpumask.Set](c, "cpus"))
			}),
		systemCall("sched_setscheduler", "", "Sets the scheduling policy.",
			"t.sched_setscheduler(\"BATCH\")\nprint(t.policy)  # BATCH",
			[]Param{{Name: "policy", Type: "string", Doc: "The policy: OTHER, BATCH or IDLE."}},
			func(c *Call, t *task) (starlark.Value, error) {
				p, err := parsePolicy(c.Str("policy"))
				if err != nil {
					return nil, err
				}
				return nil, t.ma.m.SetPolicy(t.pid, p)
			}),
		systemCall("kill", "", "Sends a signal. STOP and KILL act when the task is next on a CPU; CONT lets a stopped task go on.",
			"t.kill(\"STOP\")\nm.run(1 * sec)\nprint(t.state)  # T",
			[]Param{{Name: "signal", Type: "string | int", Default: `"TERM"`, Doc: "KILL, TERM, CONT or STOP, with or without SIG, or the number."}},
			func(c *Call, t *task) (starlark.Value, error) {
				name, err := signalOf(c.Value("signal"))
				if err != nil {
					return nil, err
				}
				return nil, t.ma.m.Kill(t.pid, name)
			}),
		systemCall("exit", "", "Lets the task exit, whatever its program still had to do. It acts when the task is next on a CPU.",
			"t.exit()\nm.run(1 * sec)\nprint(t.exited)  # True", nil,
			func(_ *Call, t *task) (starlark.Value, error) { return nil, t.ma.m.Kill(t.pid, "KILL") }),
	}
}

func forkImpl(c *Call, t *task) (starlark.Value, error) {
	id, err := t.live()
	if err != nil {
		return nil, err
	}
	a := arrival{Spawn: engine.Spawn{Comm: t.ma.m.Core().Comm(t.pid)}}
	if c.Has("comm") {
		a.Comm = c.Str("comm")
	}
	t.inherit(id, &a.Spawn)
	if err := t.ma.prepare(c, &a); err != nil {
		return nil, err
	}
	child := t.ma.newTask(a.Comm)
	if err := t.ma.begin(a, child); err != nil {
		return nil, withoutName("spawn", err)
	}
	return child, nil
}
