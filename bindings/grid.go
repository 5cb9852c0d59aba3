package bindings

import (
	"errors"
	"fmt"
	"strings"

	"go.starlark.net/starlark"

	"schedrepl/engine/table"
)

// An axis is one argument that repeat varies.
type axis struct {
	name   string
	values []starlark.Value
	labels []starlark.Value // What stands in the column of the argument.
}

// A grid is all combinations of the values of some axes; the last one varies
// fastest. Without axes it has one cell.
type grid struct {
	axes []axis
}

// gridOf reads the argument vary: lists of values by the name of an argument,
// or dicts of values by a name of their own.
func gridOf(d *starlark.Dict) (*grid, error) {
	g := &grid{}
	for _, kv := range d.Items() {
		name, ok := starlark.AsString(kv[0])
		switch {
		case !ok:
			return nil, fmt.Errorf("vary must have names of arguments for keys, not %s", describe(kv[0]))
		case name == "seed":
			return nil, errors.New("vary cannot vary the seed: the seeds are given by seeds")
		case !isIdent(name):
			return nil, fmt.Errorf("vary: %s is not the name of an argument", quoteShort(name))
		}
		a := axis{name: name}
		if err := a.read(kv[1]); err != nil {
			return nil, fmt.Errorf("vary: %s %w", name, err)
		}
		g.axes = append(g.axes, a)
	}
	return g, nil
}

// read takes the values of an axis. The error completes "vary: hz ...".
func (a *axis) read(v starlark.Value) error {
	if d, ok := v.(*starlark.Dict); ok {
		for _, kv := range d.Items() {
			name, ok := kv[0].(starlark.String)
			if !ok {
				return fmt.Errorf("must have names for keys, not %s", describe(kv[0]))
			}
			a.labels = append(a.labels, name)
			a.values = append(a.values, kv[1])
		}
	} else if seq, ok := v.(starlark.Iterable); ok {
		for x := range starlark.Elements(seq) {
			a.values = append(a.values, x)
			a.labels = append(a.labels, labelOf(x))
		}
	} else {
		return fmt.Errorf("must be a list of values, or a dict of values by name, not %s", describe(v))
	}
	if len(a.values) == 0 {
		return errors.New("must not be empty")
	}
	col := table.Column{Name: a.name}
	for i, l := range a.labels {
		if _, err := tableCell(&col, l); err != nil {
			if i > 0 && a.values[0] == starlark.None {
				err = fmt.Errorf("must hold values of one type, not %s after None", describe(l))
			}
			return fmt.Errorf("%w; name them: {\"%s\": {\"first\": ..., \"second\": ...}}", err, a.name)
		}
		for j := range i {
			if eq, err := starlark.Equal(l, a.labels[j]); eq && err == nil {
				return fmt.Errorf("has the value %s twice; values that look alike need names, as {\"%s\": {\"first\": ..., \"second\": ...}}", quoteValue(l), a.name)
			}
		}
	}
	return nil
}

// labelOf is what stands in a table for a value of an argument: the value, if
// a table can hold it, else its text.
func labelOf(v starlark.Value) starlark.Value {
	switch v.(type) {
	case starlark.NoneType:
		return starlark.String("None")
	case starlark.Int, starlark.Float, starlark.String, starlark.Bool, Duration:
		return v
	}
	return starlark.String(v.String())
}

// quoteValue writes a value as a script does, shortened.
func quoteValue(v starlark.Value) string {
	if s, ok := starlark.AsString(v); ok {
		return quoteShort(s)
	}
	return v.String()
}

// cells is the number of combinations, or an error if there are more than most.
func (g *grid) cells(most int) (int, error) {
	n := 1
	for _, a := range g.axes {
		if n > most/len(a.values) {
			return 0, fmt.Errorf("vary makes more than %d combinations", most)
		}
		n *= len(a.values)
	}
	return n, nil
}

// at is the place on each axis of a cell.
func (g *grid) at(cell int) []int {
	out := make([]int, len(g.axes))
	for i := len(g.axes) - 1; i >= 0; i-- {
		n := len(g.axes[i].values)
		out[i] = cell % n
		cell /= n
	}
	return out
}

// kwargs are the arguments of a cell.
func (g *grid) kwargs(cell int) []starlark.Tuple {
	var out []starlark.Tuple
	for i, k := range g.at(cell) {
		a := &g.axes[i]
		out = append(out, starlark.Tuple{starlark.String(a.name), a.values[k]})
	}
	return out
}

// labels are what stands in the columns of the arguments.
func (g *grid) labels(cell int) []starlark.Value {
	var out []starlark.Value
	for i, k := range g.at(cell) {
		out = append(out, g.axes[i].labels[k])
	}
	return out
}

// each says for a note that something holds for all cells: "" if there is one.
func (g *grid) each() string {
	if len(g.axes) == 0 {
		return ""
	}
	return ", in each variant"
}

// run names a run for errors: `seed 3`, or `autogroup = True, seed 3`.
func (g *grid) run(cell int, seed uint64) string {
	var out []string
	for i, l := range g.labels(cell) {
		out = append(out, fmt.Sprintf("%s = %s", g.axes[i].name, quoteValue(l)))
	}
	return strings.Join(append(out, fmt.Sprintf("seed %d", seed)), ", ")
}
