package bindings

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"schedrepl/engine/workload"
)

// program is compiled steps as a script holds them. It is immutable.
type program struct {
	Object
	P     *workload.Program
	Calls []starlark.Callable // The functions of its work.call steps, nested ones included.
	Sems  []*semaphore        // The semaphores that it names, nested ones included.
}

// String tells how long the program is; its listing tells more.
func (p *program) String() string {
	return fmt.Sprintf("<program: %s>", plural(len(p.P.Steps()), "step"))
}

// check fails if the program names a semaphore of another machine than owner.
func (p *program) check(owner any) error {
	for _, s := range p.Sems {
		if s.owner != owner {
			return errors.New("the program waits for or posts a semaphore of another machine: make one on this machine, with m.semaphore(n)")
		}
	}
	return nil
}

// A workStep is one step of a program before it is compiled.
type workStep struct {
	Object
	text  string // As a script writes it, "run(2ms)".
	s     workload.Step
	calls []starlark.Callable
	sems  []*semaphore
}

// String writes the step as a script makes it, but for the bodies of loops.
func (s *workStep) String() string { return s.text }

// steps is what a step list comes to once nested lists and programs are laid
// out in one row.
type steps struct {
	list  []workload.Step
	calls []starlark.Callable
	sems  []*semaphore
	seen  int // values looked at
}

const (
	// mostNested bounds lists of steps within each other.
	mostNested = 32
	// mostSteps bounds the steps and lists that one program is made of.
	mostSteps = 1_000_000
)

// add lays out v, which stands at path in the argument: "", "[2]", "[2][0]".
func (s *steps) add(v starlark.Value, path string) error {
	if strings.Count(path, "[") > mostNested {
		return fmt.Errorf("has lists in each other more than %d deep: does a list hold itself? Use work.loop or work.repeat to do steps again", mostNested)
	}
	if s.seen++; s.seen > mostSteps {
		return fmt.Errorf("has more than %d steps: use work.loop or work.repeat to do steps again", mostSteps)
	}
	switch v := v.(type) {
	case *workStep:
		s.list = append(s.list, v.s)
		s.note(v.calls, v.sems)
		return nil
	case *program:
		s.list = append(s.list, v.P.Steps()...)
		s.note(v.Calls, v.Sems)
		return nil
	case *starlark.List, starlark.Tuple:
		i := 0
		for e := range starlark.Elements(v.(starlark.Iterable)) {
			if err := s.add(e, fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
			i++
		}
		return nil
	}
	if path == "" {
		if _, ok := v.(Duration); !ok && !isCallable(v) {
			return ErrType
		}
	}
	at := ""
	if path != "" {
		at = " in place " + path
	}
	return fmt.Errorf("must be made of steps, as work.run(5 * ms), not %s%s%s", describe(v), at, stepAdvice(v))
}

// stepAdvice is how to make a step of what is none.
func stepAdvice(v starlark.Value) string {
	switch v := v.(type) {
	case Duration:
		return fmt.Sprintf(": write work.run(%q) or work.sleep(%q)", v.String(), v.String())
	case *starlark.Builtin:
		if strings.HasPrefix(v.Name(), "work.") {
			return ": call it, as " + v.Name() + "(...)"
		}
		return ": write work.call(fn) for a function to be called each time"
	case *starlark.Function:
		return fmt.Sprintf(": write work.call(%s) to have it called each time, or %s() for the steps that it returns", v.Name(), v.Name())
	}
	return ""
}

func (s *steps) note(calls []starlark.Callable, sems []*semaphore) {
	s.calls = append(s.calls, calls...)
	for _, o := range sems {
		if !slices.Contains(s.sems, o) {
			s.sems = append(s.sems, o)
		}
	}
}

// compile makes a program of the steps.
func (s *steps) compile() (*program, error) {
	p, err := workload.Compile(s.list)
	if err != nil {
		return nil, err
	}
	out := &program{P: p, Calls: s.calls, Sems: s.sems}
	out.Init("program", out)
	return out, nil
}

// programOf makes a program of what a script may give for one: a program, a
// step, or nested lists of steps. None is an empty program.
func programOf(v starlark.Value) (*program, error) {
	if p, ok := v.(*program); ok {
		return p, nil
	}
	var s steps
	if v != starlark.None {
		if err := s.add(v, ""); err != nil {
			return nil, err
		}
	}
	return s.compile()
}

// callTable numbers the functions that Call steps of a session call.
type callTable struct {
	fns    []starlark.Callable
	number map[starlark.Callable]int32 // Of script functions, which are pointers.
}

// addCall gives a function the number by which a Call step names it. Numbers
// are unique in the session; a session that was forked counts on from where
// the other stood, which waits for it. A function that makes the step for its
// next call itself keeps its number.
func (s *Session) addCall(fn starlark.Callable) int32 {
	f, named := fn.(*starlark.Function)
	if named {
		if n, ok := s.calls.number[f]; ok {
			return n
		}
	}
	s.calls.fns = append(s.calls.fns, fn)
	n := s.numCalls() - 1
	if named {
		if s.calls.number == nil {
			s.calls.number = map[starlark.Callable]int32{}
		}
		s.calls.number[f] = n
	}
	return n
}

func (s *Session) numCalls() int32 {
	n := int32(len(s.calls.fns))
	if s.parent != nil {
		n += s.parent.numCalls()
	}
	return n
}

// callback is the function with a number that addCall gave.
func (s *Session) callback(n int32) starlark.Callable {
	first := s.numCalls() - int32(len(s.calls.fns))
	if n < first {
		return s.parent.callback(n)
	}
	return s.calls.fns[n-first]
}

func programTable() Table {
	return Table{
		Topics: []Topic{{
			Name: "program", Type: true,
			Doc: "What a task does: steps, compiled once. " +
				"A program may be shared by any number of tasks. Wherever a program is wanted, a step or a list of steps will do.",
			Setup: "p = work.program([work.run(2 * ms), work.loop([work.run(1 * ms), work.yield_()])])",
		}},
		Kinds: []Kind{
			{Name: "steps", Phrase: "a step or a list of steps", Convert: func(_ *Call, v starlark.Value) (any, error) {
				s := &steps{}
				if err := s.add(v, ""); err != nil {
					return nil, err
				}
				return s, nil
			}},
			{Name: "program", Phrase: "a program, a step or a list of steps", Convert: func(_ *Call, v starlark.Value) (any, error) {
				if v == starlark.None {
					return nil, ErrType
				}
				p, err := programOf(v)
				if err != nil && err != ErrType && !strings.HasPrefix(err.Error(), "must ") {
					err = fmt.Errorf("does not compile: %w", err)
				}
				return p, err
			}},
		},
		Builtins: []Builtin{
			{
				Name:   "work.program",
				Params: []Param{{Name: "steps", Type: "program", Doc: "The steps; lists may be nested, and a program among them stands for its steps."}},
				Result: "program",
				Doc: "Compiles steps, and says at once what is wrong with them. " +
					"It is seldom needed, for whatever takes a program compiles a list of steps itself.",
				Example: "p = work.program([work.run(2 * ms), work.exit()])\nprint(p)  # <program: 2 steps>",
				Impl:    func(c *Call) (starlark.Value, error) { return Arg[*program](c, "steps"), nil },
			},
			{
				Recv: "program", Name: "listing", Attr: true, Result: "string",
				Doc:     "The compiled code, one numbered instruction a line.",
				Example: "print(p.listing)",
				Impl:    func(c *Call) (starlark.Value, error) { return starlark.String(c.Recv.(*program).P.String()), nil },
			},
			{
				Recv: "program", Name: "timeless", Attr: true, Result: "list of string",
				Doc: "The paths of loops in which no step can take time or block. " +
					"A task that comes into one never leaves the instant, unless system calls cost time.",
				Example: "print(p.timeless)  # []\nprint(work.program(work.loop([work.yield_()])).timeless)  # [\"loop\"]",
				Impl: func(c *Call) (starlark.Value, error) {
					return stringList(c.Recv.(*program).P.Timeless()), nil
				},
			},
		},
	}
}

// stringList is a list of strings of a script.
func stringList(list []string) *starlark.List {
	var out []starlark.Value
	for _, s := range list {
		out = append(out, starlark.String(s))
	}
	return starlark.NewList(out)
}
