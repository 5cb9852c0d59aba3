package bindings

import (
	"fmt"
	"strings"
	"time"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"schedrepl/engine/cost"
	"schedrepl/engine/table"
)

// costsValue is a table of costs as a script holds it. It is immutable.
type costsValue struct {
	Object
	T cost.Table
}

func newCosts(t cost.Table) *costsValue {
	v := &costsValue{T: t}
	v.Init("cost_table", v)
	return v
}

// String shows the costs that are not zero.
func (v *costsValue) String() string {
	b := &strings.Builder{}
	fmt.Fprintf(b, "<costs: %s", v.T.Name)
	sep := ": "
	for _, name := range cost.Names() {
		if d, _ := v.T.Get(name); d != 0 {
			fmt.Fprintf(b, "%s%s %s", sep, name, Duration(d))
			sep = ", "
		}
	}
	return b.String() + ">"
}

// CompareSameType lets costs be compared for equality.
func (v *costsValue) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	switch op {
	case syntax.EQL:
		return v.T == y.(*costsValue).T, nil
	case syntax.NEQ:
		return v.T != y.(*costsValue).T, nil
	}
	return false, fmt.Errorf("costs have no order: compare single costs, as a.switch < b.switch")
}

// customCosts changes single costs of a table.
func customCosts(c *Call) (starlark.Value, error) {
	t := Arg[cost.Table](c, "base")
	changed := false
	for _, kv := range c.Kwargs {
		name := string(kv[0].(starlark.String))
		if !contains(cost.Names(), name) {
			return nil, fmt.Errorf("there is no cost %s%s; there are %s",
				name, didYouMean(name, cost.Names()), strings.Join(cost.Names(), ", "))
		}
		d, err := toDuration(kv[1])
		if err == ErrType {
			return nil, fmt.Errorf("%s must be a duration, as 2 * us, not %s", name, describe(kv[1]))
		}
		if err != nil {
			return nil, fmt.Errorf("%s %w", name, err)
		}
		if d < 0 || time.Duration(d) > cost.Max {
			return nil, fmt.Errorf("%s must be from 0s to %v, not %v", name, Duration(cost.Max), d)
		}
		if err := t.Set(name, time.Duration(d)); err != nil {
			return nil, err
		}
		changed = true
	}
	if changed {
		t.Name = "custom"
	}
	return newCosts(t), nil
}

// costsAsTable lists a table of costs with what each is for.
func costsAsTable(t *cost.Table) *table.Table {
	out := table.MustNew("costs: "+t.Name,
		table.Column{Name: "cost", Kind: table.String},
		table.Column{Name: "time", Kind: table.Duration},
		table.Column{Name: "what", Kind: table.String})
	for _, name := range cost.Names() {
		d, _ := t.Get(name)
		mustAppend(out, name, d, cost.Doc(name))
	}
	return out
}

func costsTable() Table {
	preset := func(name, doc string, t cost.Table) Builtin {
		return Builtin{
			Name: "costs." + name, Result: "cost_table", Value: newCosts(t), Doc: doc,
			Example: "print(costs." + name + ".fork)  # " + Duration(t.Fork).String(),
		}
	}
	out := Table{
		Topics: []Topic{
			{Name: "costs", Doc: "What the kernel's own work costs in simulated time. A machine takes one table of costs when it is made."},
			{
				Name: "cost_table", Type: true,
				Doc:   "A time for each mechanism of the kernel. Each cost runs on the CPU that executes the code, and delays what the task does next.",
				Setup: "c = costs.custom(costs.none, switch = 1500 * ns)",
			},
		},
		Kinds: []Kind{{Name: "costs", Phrase: "a table of costs, as costs.default", Convert: func(_ *Call, v starlark.Value) (any, error) {
			if t, ok := v.(*costsValue); ok {
				return t.T, nil
			}
			return nil, ErrType
		}}},
		Builtins: []Builtin{
			preset("none", "The pure model: nothing costs time.", cost.None()),
			preset("default", "A mid-range x86 server of the years around 2015 to 2020. The context switches are published figures, the others estimates.", cost.Default()),
			preset("recorder", "The ideal machine on which the reference schedules of the 3.3 scheduler were recorded: no costs, but a reschedule of another CPU takes 1 ns.", cost.Recorder()),
			{
				Name: "costs.custom",
				Params: []Param{
					{Name: "base", Type: "costs", Default: "costs.default", Doc: "The table to begin with."},
					{Name: "**costs", Type: "any", Doc: "A duration for each cost that is to change, by name: " + strings.Join(cost.Names(), ", ") + "."},
				},
				Result: "cost_table", Doc: "Makes a table of costs out of another one.",
				Example: "c = costs.custom(switch = 3 * us, tick = \"800ns\")\nprint(c.switch, c.tick, c.fork == costs.default.fork)  # 3us 800ns True",
				Impl:    customCosts,
			},
			{
				Recv: "cost_table", Name: "table", Result: "table",
				Doc:     "Lists all costs with their times and what they are for.",
				Example: "print(c.table())",
				Impl: func(c *Call) (starlark.Value, error) {
					t := newTable(costsAsTable(&c.Recv.(*costsValue).T))
					t.maxCell = -1
					return t, nil
				},
			},
			{
				Recv: "cost_table", Name: "name", Attr: true, Result: "string",
				Doc:     "The name of the preset, or \"custom\" once a cost was changed.",
				Example: "print(c.name, costs.none.name)  # custom none",
				Impl:    func(c *Call) (starlark.Value, error) { return starlark.String(c.Recv.(*costsValue).T.Name), nil },
			},
		},
	}
	shown := cost.None() // What the examples are about, as the set-up of the topic makes it.
	if err := shown.Set("switch", 1500); err != nil {
		panic("sched: costs: " + err.Error())
	}
	for _, name := range cost.Names() {
		doc := cost.Doc(name)
		d, _ := shown.Get(name)
		out.Builtins = append(out.Builtins, Builtin{
			Recv: "cost_table", Name: name, Attr: true, Result: "duration",
			Doc:     strings.ToUpper(doc[:1]) + doc[1:] + ".",
			Example: "print(c." + name + ")  # " + Duration(d).String(),
			Impl: func(c *Call) (starlark.Value, error) {
				d, _ := c.Recv.(*costsValue).T.Get(name)
				return Duration(d), nil
			},
		})
	}
	return out
}
