package bindings

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"

	"schedrepl/engine/metrics"
)

// countersValue is counts of events by name, as m.counters returns them. It is
// a mapping that does not change.
type countersValue struct {
	Object
	rows []metrics.Counter
}

var _ starlark.IterableMapping = (*countersValue)(nil)

func newCounters(rows []metrics.Counter) *countersValue {
	v := &countersValue{rows: rows}
	v.Init("counters", v)
	return v
}

// String is the table of the counts.
func (v *countersValue) String() string { return newTable(metrics.CountersTable(v.rows)).String() }

// Get is the count of an event. An unknown name is an error.
func (v *countersValue) Get(k starlark.Value) (starlark.Value, bool, error) {
	name, _ := starlark.AsString(k)
	var names []string
	for _, r := range v.rows {
		if r.Name == name || strings.TrimPrefix(r.Name, "sched:") == name {
			return starlark.MakeInt64(r.Count), true, nil
		}
		names = append(names, r.Name)
	}
	return nil, false, fmt.Errorf("there is no counter %s%s; there are %s", k, didYouMean(name, names), strings.Join(names, ", "))
}

// Len is the number of events.
func (v *countersValue) Len() int { return len(v.rows) }

// Iterate goes through the names.
func (v *countersValue) Iterate() starlark.Iterator {
	var names []string
	for _, r := range v.rows {
		names = append(names, r.Name)
	}
	return stringList(names).Iterate()
}

// Items are pairs of name and count.
func (v *countersValue) Items() []starlark.Tuple {
	var out []starlark.Tuple
	for _, r := range v.rows {
		out = append(out, starlark.Tuple{starlark.String(r.Name), starlark.MakeInt64(r.Count)})
	}
	return out
}

func countersTable() Table {
	return Table{
		Topics: []Topic{{
			Name: "counters", Type: true,
			Doc: "Counts of events by the names that perf stat has for them: c[\"sched:sched_switch\"]. " +
				"It can be gone through like a dict.",
			Setup: "m = machine(topo.smp(4))\nm.spawn(\"web\", work.loop([work.run(2 * ms), work.sleep(8 * ms)]))\nm.run(1 * sec)\nc = m.counters()",
		}},
		Builtins: []Builtin{{
			Recv: "counters", Name: "table", Result: "table",
			Doc:     "The counts as a table.",
			Example: "print(c.table())",
			Impl: func(c *Call) (starlark.Value, error) {
				return newTable(metrics.CountersTable(c.Recv.(*countersValue).rows)), nil
			},
		}, {
			Recv: "counters", Name: "items", Result: "list of any",
			Doc:     "Pairs of name and count.",
			Example: "print(c.items()[0])",
			Impl: func(c *Call) (starlark.Value, error) {
				var out []starlark.Value
				for _, kv := range c.Recv.(*countersValue).Items() {
					out = append(out, kv)
				}
				return starlark.NewList(out), nil
			},
		}},
	}
}
