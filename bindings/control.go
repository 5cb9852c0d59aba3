package bindings

import (
	"errors"
	"fmt"

	"go.starlark.net/starlark"

	"schedrepl/engine/workload"
)

// controlSteps are the steps that hold other steps.
func controlSteps() []Builtin {
	body := Param{Name: "steps", Type: "steps", Doc: "A step, or a list of steps; lists may be nested."}
	return []Builtin{
		{
			Name: "work.loop", Params: []Param{body}, Result: "step",
			Doc:     "Repeats its steps for ever.",
			Example: "print(work.loop([work.run(2 * ms), work.sleep(10 * ms)]))  # loop(2 steps)",
			Impl: func(c *Call) (starlark.Value, error) {
				s := Arg[*steps](c, "steps")
				return newStep(c, workload.Loop{Body: s.list}, s)
			},
		},
		{
			Name: "work.repeat",
			Params: []Param{
				{Name: "n", Type: "int | distribution", Doc: "How often; a distribution is drawn each time that the task comes here."},
				body,
			},
			Result: "step", Doc: "Repeats its steps a number of times; 0 skips them.",
			Example: "print(work.repeat(dist.uniform(1, 5), [work.run(1 * ms), work.yield_()]))  # repeat(uniform(1, 5), 2 steps)",
			Impl: func(c *Call) (starlark.Value, error) {
				n, err := countArg(c, "n")
				if err != nil {
					return nil, err
				}
				s := Arg[*steps](c, "steps")
				return newStep(c, workload.Repeat{Count: n, Body: s.list}, s)
			},
		},
		{
			Name:   "work.choose",
			Params: []Param{{Name: "options", Type: "list of any", Doc: "Pairs (weight, steps). The steps of a pair may be an empty list: do nothing."}},
			Result: "step", Doc: "Goes one of several ways, each with a probability in proportion to its weight.",
			Example: "print(work.choose([(9, work.run(1 * ms)), (1, [work.run(20 * ms), work.yield_()])]))  # choose([(9, run(1ms)), (1, [run(20ms), yield_()])])",
			Impl:    chooseStep,
		},
		{
			Name: "work.fork",
			Params: []Param{
				{Name: "program", Type: "program", Doc: "What the child does."},
				{Name: "comm", Type: "string", Default: `""`, KwOnly: true, Doc: "The child's name; empty keeps the parent's."},
				{Name: "thread", Type: "bool", Default: "False", KwOnly: true, Doc: "The child is a thread of the same process, not a process."},
				{Name: "count", Type: "int | distribution", Default: "1", KwOnly: true, Doc: "How many children to make, one after the other."},
			},
			Result: "step", Doc: "Makes a child, which runs a program of its own and exits at its end.",
			Example: "job = [work.run(50 * ms), work.exit()]\nprint(work.fork(job, comm = \"cc1\", count = 10))  # fork(<program: 2 steps>, comm = \"cc1\", count = 10)",
			Impl: func(c *Call) (starlark.Value, error) {
				n, err := countArg(c, "count")
				if err != nil {
					return nil, err
				}
				p := Arg[*program](c, "program")
				return newStep(c, workload.Fork{Prog: p.P, Comm: c.Str("comm"), Thread: c.Bool("thread"), Count: n},
					&steps{calls: p.Calls, sems: p.Sems})
			},
		},
	}
}

// chooseStep reads the pairs of work.choose.
func chooseStep(c *Call) (starlark.Value, error) {
	var s workload.Choose
	all := &steps{}
	for i, e := range ArgList[starlark.Value](c, "options") {
		pair, ok := e.(starlark.Indexable)
		if _, text := e.(starlark.String); !ok || text || pair.Len() != 2 {
			return nil, fmt.Errorf("options must be pairs (weight, steps), as (9, work.run(1 * ms)), not %s in place %d", describe(e), i)
		}
		w, ok := starlark.AsFloat(pair.Index(0))
		if !ok {
			return nil, fmt.Errorf("options must be pairs (weight, steps) with a number for a weight, not %s in place %d", describe(pair.Index(0)), i)
		}
		body := &steps{}
		if err := body.add(pair.Index(1), ""); err != nil {
			if err == ErrType {
				err = fmt.Errorf("must have a step or a list of steps behind the weight, not %s", describe(pair.Index(1)))
			}
			return nil, fmt.Errorf("options %w (in place %d)", err, i)
		}
		s.Weights = append(s.Weights, w)
		s.Bodies = append(s.Bodies, body.list)
		all.note(body.calls, body.sems)
	}
	if len(s.Bodies) == 0 {
		return nil, errors.New("options must not be empty: give at least one pair (weight, steps)")
	}
	return newStep(c, s, all)
}
