package bindings

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"go.starlark.net/starlark"

	"schedrepl/engine/workload"
)

// semaphore is a semaphore of one machine, which makes it and has its topic.
type semaphore struct {
	Object
	Obj   workload.ObjID
	owner any // The machine that it belongs to.
}

func newSemaphore(obj workload.ObjID, owner any) *semaphore {
	s := &semaphore{Obj: obj, owner: owner}
	s.Init("semaphore", s)
	return s
}

// newStep makes a step of what a call says. What is wrong with it is found
// here, where the script says it, and not first when a program is compiled.
func newStep(c *Call, s workload.Step, inner *steps) (starlark.Value, error) {
	name := strings.TrimPrefix(c.b.Name, "work.")
	if _, err := workload.Compile([]workload.Step{s}); err != nil {
		if inner == nil || strings.HasPrefix(err.Error(), name+": ") {
			err = errors.Unwrap(err) // The call names the step itself.
		}
		return nil, err
	}
	v := &workStep{s: s, text: stepText(c, name)}
	if inner != nil {
		v.calls, v.sems = inner.calls, inner.sems
	}
	v.Init("step", v)
	return v, nil
}

// stepText writes a step as its call; bodies are counted.
func stepText(c *Call, name string) string {
	var out []string
	for i, p := range c.b.Params {
		switch v := c.vals[i].(type) {
		case nil:
		case *steps:
			out = append(out, plural(len(v.list), "step"))
		case *program:
			out = append(out, v.String())
		default:
			if def := c.b.defs[i]; def != nil && c.raw[i].String() == def.String() {
				continue
			}
			text := c.raw[i].String()
			switch v := v.(type) {
			case time.Duration:
				text = Duration(v).String()
			case starlark.Callable:
				text = v.Name()
			}
			if p.KwOnly {
				text = p.Name + " = " + text
			}
			out = append(out, text)
		}
	}
	return name + "(" + strings.Join(out, ", ") + ")"
}

// stepEntry is the entry of a step that holds no others. mk makes it of the
// arguments.
func stepEntry(name, doc, example string, params []Param, mk func(*Call) (workload.Step, error)) Builtin {
	return Builtin{
		Name: "work." + name, Params: params, Result: "step", Doc: doc, Example: example,
		Impl: func(c *Call) (starlark.Value, error) {
			s, err := mk(c)
			if err != nil {
				return nil, err
			}
			return newStep(c, s, nil)
		},
	}
}

// plainStep is the entry of a step without parameters.
func plainStep(name, doc string, s workload.Step) Builtin {
	return stepEntry(name, doc, "print(work."+name+"())  # "+name+"()", nil,
		func(*Call) (workload.Step, error) { return s, nil })
}

func workTable() Table {
	return Table{
		Topics: []Topic{{
			Name: "work",
			Doc: "The steps of programs, which say what tasks do. " +
				"A program is a list of steps; steps and lists nest. A length may be a duration or a distribution, which is drawn anew each time.",
		}},
		Kinds: []Kind{kindOf[*semaphore]("semaphore", "a semaphore, as m.semaphore(1) makes it")},
		Builtins: append(controlSteps(),
			stepEntry("run", "Uses the CPU for a while. What preemption takes away is run later.",
				"print(work.run(2 * ms))  # run(2ms)\nprint(work.run(dist.exponential(2 * ms), kernel = True, cond_resched = 1 * ms))  # run(exponential(2ms), kernel = True, cond_resched = 1ms)",
				[]Param{
					{Name: "duration", Type: "duration | distribution", Doc: "CPU time, without what the kernel's own work costs."},
					{Name: "kernel", Type: "bool", Default: "False", KwOnly: true, Doc: "The time is spent inside a system call, where the preemption model of the machine decides about preemption."},
					{Name: "cond_resched", Type: "duration", Default: "None", KwOnly: true, Doc: "Time between two calls of cond_resched() inside the kernel; None for no such call."},
				},
				func(c *Call) (workload.Step, error) {
					d, err := lengthArg(c, "duration")
					if err != nil {
						return nil, err
					}
					if c.Has("cond_resched") {
						switch r := c.Duration("cond_resched"); {
						case !c.Bool("kernel"):
							return nil, errors.New("cond_resched is a call of the kernel: add kernel = True")
						case r <= 0:
							return nil, fmt.Errorf("cond_resched must be above 0s, not %v", Duration(r))
						}
					}
					return workload.Run{For: d, Kernel: c.Bool("kernel"), Resched: c.Duration("cond_resched")}, nil
				}),
			plainStep("run_forever", "Uses the CPU and never stops.", workload.RunForever{}),
			stepEntry("sleep", "Sleeps for a while from now on, as nanosleep does.",
				"print(work.sleep(dist.uniform(1 * ms, 5 * ms)))  # sleep(uniform(1ms, 5ms))",
				[]Param{{Name: "duration", Type: "duration | distribution", Doc: "Time until the timer expires."}},
				func(c *Call) (workload.Step, error) {
					d, err := lengthArg(c, "duration")
					return workload.Sleep{For: d}, err
				}),
			stepEntry("timer", "Waits for the next release of the task's periodic timer. The first release lies one period after the task's first step. A release that has passed does not wait and counts as missed, so that lost periods are caught up.",
				"print(work.loop([work.timer(10 * ms), work.run(1 * ms)]))  # loop(2 steps)",
				[]Param{{Name: "period", Type: "duration", Doc: "Time between two releases."}},
				func(c *Call) (workload.Step, error) { return workload.Timer{Period: c.Duration("period")}, nil }),
			plainStep("wait", "Waits for one child to exit; without children it goes on at once.", workload.Wait{}),
			plainStep("wait_all", "Waits for all children to exit.", workload.WaitAll{}),
			stepEntry("exit", "Ends the task. A program that reaches its end exits with code 0.",
				"print(work.exit(code = 1))  # exit(1)",
				[]Param{{Name: "code", Type: "int", Default: "0", Doc: "The exit code, from 0 to 255."}},
				func(c *Call) (workload.Step, error) {
					n := c.Int("code")
					if n < 0 || n > 255 {
						return nil, fmt.Errorf("code must be from 0 to 255, not %d", n)
					}
					return workload.Exit{Code: int32(n)}, nil
				}),
			plainStep("setsid", "Makes the task the leader of a new session, as setsid(2) does. One that leads a session already gets EPERM and goes on.", workload.Setsid{}),
			stepEntry("nice", "Sets the task's own nice value.", "print(work.nice(19))  # nice(19)",
				[]Param{{Name: "n", Type: "int", Doc: "The new nice value, from -20 (most CPU time) to 19 (least)."}},
				func(c *Call) (workload.Step, error) {
					n := c.Int("n")
					if n < -20 || n > 19 {
						return nil, fmt.Errorf("n must be from -20 to 19, not %d", n)
					}
					return workload.Nice{N: int32(n)}, nil
				}),
			plainStep("yield_", "Calls sched_yield. The name ends in an underscore because yield is a reserved word.", workload.Yield{}),
			semStep("sem_wait", "Takes one from a semaphore, or blocks until a post hands it one. Waiters are served in the order of their arrival.",
				func(o workload.ObjID) workload.Step { return workload.SemWait{Obj: o} }),
			semStep("sem_post", "Wakes the first waiter of a semaphore, or adds one to its count.",
				func(o workload.ObjID) workload.Step { return workload.SemPost{Obj: o} }),
			stepEntry("begin", "Opens a span under a name; to begin one that is open starts it anew. A forked child inherits its parent's open spans, and may end them.",
				"print(work.begin(\"request\", at_release = True))  # begin(\"request\", at_release = True)",
				[]Param{
					{Name: "name", Type: "string", Doc: "Name of the span, by which m.response finds it."},
					{Name: "at_release", Type: "bool", Default: "False", KwOnly: true, Doc: "The span begins when the timer of the task's last timer or sleep step was to expire, not now, so that the delay of the wakeup counts."},
				},
				func(c *Call) (workload.Step, error) {
					return workload.Begin{Name: c.Str("name"), AtRelease: c.Bool("at_release")}, nil
				}),
			stepEntry("end", "Closes a span; its length is one sample of m.response(name).", "print(work.end(\"request\"))  # end(\"request\")",
				[]Param{{Name: "name", Type: "string", Doc: "The name that work.begin gave."}},
				func(c *Call) (workload.Step, error) { return workload.End{Name: c.Str("name")}, nil }),
			Builtin{
				Name:   "work.call",
				Params: []Param{{Name: "fn", Type: "callable", Doc: "A function fn(m, t) of machine and task."}},
				Result: "step",
				Doc: "Calls a function of the script each time, for what values and distributions cannot say. " +
					"It returns the next steps, which run before the program goes on, or None for none. It must not run or clone the machine.",
				Example: "def more(m, t):\n    return work.run(1 * ms) if m.now < 1 * sec else work.exit()\n\nprint(work.loop(work.call(more)))  # loop(1 step)",
				Impl:    callStep,
			},
		),
	}
}

func semStep(name, doc string, mk func(workload.ObjID) workload.Step) Builtin {
	return Builtin{
		Name:   "work." + name,
		Params: []Param{{Name: "sem", Type: "semaphore", Doc: "A semaphore of the machine that will run the task."}},
		Result: "step", Doc: doc,
		Example: "def consumer(sem):\n    return work.loop([work." + name + "(sem), work.run(1 * ms)])",
		Impl: func(c *Call) (starlark.Value, error) {
			s := Arg[*semaphore](c, "sem")
			return newStep(c, mk(s.Obj), &steps{sems: []*semaphore{s}})
		},
	}
}

func callStep(c *Call) (starlark.Value, error) {
	fn := c.Callable("fn")
	if err := checkCallback(fn, 2, "the machine and the task"); err != nil {
		return nil, err
	}
	if c.Session.numCalls() == math.MaxInt32 {
		return nil, errors.New("there are too many: make the step once, outside of the loop")
	}
	n := c.Session.addCall(fn)
	return newStep(c, workload.Call{Fn: n}, &steps{calls: []starlark.Callable{fn}})
}
