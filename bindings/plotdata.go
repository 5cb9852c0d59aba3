package bindings

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"schedrepl/plots"
)

// namedValue is one entry of a figure.
type namedValue struct {
	name string
	v    starlark.Value
}

// namedValues reads what a figure is drawn from: a dict by name, or one value
// without a name.
func namedValues(v starlark.Value) ([]namedValue, error) {
	d, ok := v.(*starlark.Dict)
	if !ok {
		return []namedValue{{"", v}}, nil
	}
	var out []namedValue
	for _, kv := range d.Items() {
		name, ok := starlark.AsString(kv[0])
		if !ok {
			return nil, fmt.Errorf("must have names for keys, not %s", describe(kv[0]))
		}
		out = append(out, namedValue{name, kv[1]})
	}
	if len(out) == 0 {
		return nil, errors.New("must not be empty")
	}
	return out, nil
}

// called is how an error names an entry.
func (n namedValue) called() string {
	if n.name == "" {
		return ""
	}
	return fmt.Sprintf("%q: ", n.name)
}

// cdfSeries reads samples by name, and what they measure, where all tell the
// same.
func cdfSeries(v starlark.Value) (out []plots.Series, what string, err error) {
	entries, err := namedValues(v)
	if err != nil {
		return nil, "", err
	}
	for i, e := range entries {
		xs, unit, err := numbersOf(e.v)
		if err != nil {
			return nil, "", fmt.Errorf("%s%w", e.called(), err)
		}
		name := ""
		if s, ok := e.v.(*samplesValue); ok {
			name = s.S.Name
		}
		if i == 0 {
			what = name
		} else if what != name {
			what = ""
		}
		out = append(out, plots.Series{Name: e.name, Values: xs, Unit: unit})
	}
	return out, what, nil
}

// linePoints reads lines by name, each a list of points or a table. For
// tables the names of the columns are the labels of the axes.
func linePoints(v starlark.Value, xunit, yunit string) (out []plots.XY, xlabel, ylabel string, err error) {
	entries, err := namedValues(v)
	if err != nil {
		return nil, "", "", err
	}
	for _, e := range entries {
		l := plots.XY{Name: e.name, XUnit: xunit, YUnit: yunit}
		var rows []starlark.Value
		if t, ok := e.v.(*tableValue); ok {
			cols := t.T.Columns()
			if len(cols) != 2 && len(cols) != 4 {
				return nil, "", "", fmt.Errorf("%sa table must have two columns, x and y, or four, x, y, lo and hi; choose them, as t.select([...])", e.called())
			}
			xlabel, ylabel = words(cols[0].Name), words(cols[1].Name)
			if !contains(timeUnits, cols[0].Unit) && l.XUnit == "" {
				l.XUnit = cols[0].Unit
			}
			if !contains(timeUnits, cols[1].Unit) && l.YUnit == "" {
				l.YUnit = cols[1].Unit
			}
			rows = t.tuples()
		} else if seq, ok := e.v.(starlark.Iterable); ok {
			rows = slices.Collect(starlark.Elements(seq))
		} else {
			return nil, "", "", fmt.Errorf("%smust be a list of points (x, y) or (x, y, lo, hi), or a table, not %s", e.called(), describe(e.v))
		}
		if err := addPoints(&l, rows); err != nil {
			return nil, "", "", fmt.Errorf("%s%w", e.called(), err)
		}
		out = append(out, l)
	}
	return out, xlabel, ylabel, nil
}

// words makes a label of the name of a column.
func words(name string) string { return strings.ReplaceAll(name, "_", " ") }

// tuples are the rows as tuples in the order of the columns.
func (v *tableValue) tuples() []starlark.Value {
	var out []starlark.Value
	for i := range v.Len() {
		var row starlark.Tuple
		for _, c := range v.T.Columns() {
			x, err := v.T.Value(i, c.Name)
			if err != nil {
				panic("sched: " + err.Error())
			}
			row = append(row, cellOf(x))
		}
		out = append(out, row)
	}
	return out
}

// addPoints puts points on a line and settles its units.
func addPoints(l *plots.XY, rows []starlark.Value) error {
	size := 0
	var settled [2]bool // whether x and y have their unit
	for i, row := range rows {
		p, ok := row.(starlark.Indexable)
		if _, text := row.(starlark.String); !ok || text || p.Len() != 2 && p.Len() != 4 {
			return fmt.Errorf("must be a list of points (x, y) or (x, y, lo, hi), not %s in place %d", describe(row), i)
		}
		if i > 0 && p.Len() != size {
			return fmt.Errorf("must have points of one form: %v in place %d has %d numbers, those before %d", row, i, p.Len(), size)
		}
		size = p.Len()
		to := []*[]float64{&l.X, &l.Y, &l.Lo, &l.Hi}
		for j := range size {
			if j > 0 && p.Index(j) == starlark.None {
				*to[j] = append(*to[j], math.NaN())
				continue
			}
			unit, axis := &l.YUnit, 1
			if j == 0 {
				unit, axis = &l.XUnit, 0
			}
			x, err := inUnit(p.Index(j), unit, !settled[axis])
			if err != nil {
				return fmt.Errorf("point %v in place %d: a coordinate %w", row, i, err)
			}
			settled[axis] = true
			*to[j] = append(*to[j], x)
		}
	}
	return nil
}

// inUnit reads a number for an axis. The first one settles whether the axis is
// one of times.
func inUnit(v starlark.Value, unit *string, first bool) (float64, error) {
	x, u, err := numberOf(v)
	if err != nil {
		return 0, err
	}
	switch {
	case u == "ns" && first:
		if *unit != "" && *unit != "ns" {
			return 0, fmt.Errorf("must not have a unit of its own (%v) beside unit %q", v, *unit)
		}
		*unit = "ns"
	case u == "ns" && *unit != "ns":
		return 0, fmt.Errorf("must be a bare number as those before, not the duration %v (a time of zero is 0 * ms)", v)
	case u == "" && *unit == "ns":
		_, err := toDuration(v)
		return 0, err
	}
	return x, nil
}

// checkUnit refuses a unit of time for bare numbers.
func checkUnit(c *Call, names ...string) error {
	for _, name := range names {
		if u := c.Str(name); contains(timeUnits, u) || u == "sec" {
			return fmt.Errorf("%s must not be a time: give the values as durations, as x * %s, and the axis finds its unit", name, scriptUnit(u))
		}
	}
	return nil
}
