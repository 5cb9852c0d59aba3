package bindings

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"

	"schedrepl/engine/table"
)

func tableBuiltin() Builtin {
	return Builtin{
		Name: "table",
		Params: []Param{
			{Name: "title", Type: "string", Doc: "What the table is about."},
			{Name: "columns", Type: "list of any", Default: "None", Doc: "The columns: a name, or a pair of name and unit, as (\"share\", \"%\"). For a column of durations the unit ns, us, ms or s is the one to print them in, and may be left out. None takes the fields of the first row."},
			{Name: "rows", Type: "list of any", Default: "[]", Doc: "The rows: lists or tuples with a value for each column, or dicts or structs with a field for each."},
		},
		Result: "table",
		Doc: "Makes a table. The values of a column are all ints, all numbers, all durations, all strings or all bools; None is a missing value. " +
			"Columns of durations keep their unit, and other numbers get theirs by a pair.",
		Example: "t = table(\"shares\", [\"config\", (\"share\", \"%\"), (\"worst\", \"ms\")], [\n    (\"without\", 90.9, 82700 * us),\n    (\"with\", 50.0, 16100 * us),\n])\nprint(t[1].share)  # 50.0\n" +
			"print(table(\"seen\", rows = [{\"n\": 1, \"wait\": 2 * ms}])[0].wait)  # 2ms",
		Impl: tableImpl,
	}
}

func tableImpl(c *Call) (starlark.Value, error) {
	rows := ArgList[starlark.Value](c, "rows")
	columns := ArgList[starlark.Value](c, "columns")
	if !c.Has("columns") {
		if len(rows) == 0 {
			return nil, errors.New("columns are missing: name them, or give rows that are dicts or structs")
		}
		names, ok := fieldNames(rows[0])
		if !ok {
			return nil, fmt.Errorf("columns are missing: name them, for rows are without names (%s in place 0)", describe(rows[0]))
		}
		columns = names
	}
	var cols []table.Column
	for i, v := range columns {
		col, err := columnOf(v)
		if err != nil {
			return nil, fmt.Errorf("columns %w in place %d", err, i)
		}
		cols = append(cols, col)
	}
	cells := make([][]starlark.Value, len(rows))
	for i, row := range rows {
		var err error
		if cells[i], err = rowOf(row, cols); err != nil {
			return nil, fmt.Errorf("row %d %w", i, err)
		}
	}
	t, err := buildTable(c.Str("title"), cols, cells, func(i int) string { return fmt.Sprintf("row %d", i) })
	if err != nil {
		return nil, err
	}
	return newTable(t), nil
}

// columnOf reads a column's description: a name, or a pair of name and unit.
// The kind is found later. The error completes "columns ...".
func columnOf(v starlark.Value) (table.Column, error) {
	name, ok := starlark.AsString(v)
	if ok {
		return table.Column{Name: name}, nil
	}
	if pair, isSeq := v.(starlark.Indexable); isSeq && pair.Len() == 2 {
		name, ok := starlark.AsString(pair.Index(0))
		unit, ok2 := starlark.AsString(pair.Index(1))
		if ok && ok2 {
			return table.Column{Name: name, Unit: plainUnit(unit)}, nil
		}
	}
	return table.Column{}, fmt.Errorf("must be names, or pairs (name, unit), not %s", describe(v))
}

// plainUnit is the unit of a column for what a script says.
func plainUnit(unit string) string {
	if unit == "sec" {
		return "s"
	}
	return unit
}

// settleKind gives a column a kind in which no value has shown one.
func settleKind(c *table.Column) {
	switch {
	case c.Kind != 0:
	case contains(timeUnits, c.Unit):
		c.Kind = table.Duration
	default:
		c.Kind = table.Float
	}
}

// fieldNames are the names in a dict or row in their order, or in a struct.
func fieldNames(v starlark.Value) (names []starlark.Value, ok bool) {
	switch v := v.(type) {
	case *starlark.Dict:
		return v.Keys(), true
	case *starlarkstruct.Struct:
		for _, n := range v.AttrNames() {
			names = append(names, starlark.String(n))
		}
		return names, true
	case *rowValue:
		for _, n := range v.from.names {
			names = append(names, starlark.String(n))
		}
		return names, true
	}
	return nil, false
}

// rowOf puts the values of a row in the order of the columns. The error
// completes "row 3 ...".
func rowOf(v starlark.Value, cols []table.Column) ([]starlark.Value, error) {
	var out []starlark.Value
	if names, ok := fieldNames(v); ok {
		for _, n := range names {
			name, _ := starlark.AsString(n)
			if !slices.ContainsFunc(cols, func(c table.Column) bool { return c.Name == name }) {
				return nil, fmt.Errorf("has the field %v, which is no column", n)
			}
		}
		for _, c := range cols {
			x := fieldOf(v, c.Name)
			if x == nil {
				return nil, fmt.Errorf("has no field %s: give None for a missing value", c.Name)
			}
			out = append(out, x)
		}
		return out, nil
	}
	seq, ok := v.(starlark.Iterable)
	if !ok {
		return nil, fmt.Errorf("must be a list, tuple, dict or struct, not %s", describe(v))
	}
	out = slices.Collect(starlark.Elements(seq))
	if len(out) != len(cols) {
		return nil, fmt.Errorf("has %s for %s", plural(len(out), "value"), plural(len(cols), "column"))
	}
	return out, nil
}

// fieldOf is a field of a dict, struct or row; nil if there is none.
func fieldOf(v starlark.Value, name string) starlark.Value {
	switch v := v.(type) {
	case *starlark.Dict:
		if x, found, err := v.Get(starlark.String(name)); found && err == nil {
			return x
		}
	case *starlarkstruct.Struct:
		if x, err := v.Attr(name); err == nil {
			return x
		}
	case *rowValue:
		if x, err := v.Attr(name); err == nil {
			return x
		}
	}
	return nil
}

// buildTable makes a table of values of a script, and finds the kind of each
// column by its values. where names a row for errors.
func buildTable(title string, cols []table.Column, rows [][]starlark.Value, where func(i int) string) (*table.Table, error) {
	cells := make([][]any, len(rows))
	for i := range cells {
		cells[i] = make([]any, len(cols))
	}
	for j := range cols {
		c := &cols[j]
		for i, row := range rows {
			x, err := tableCell(c, row[j])
			if err != nil {
				return nil, fmt.Errorf("%s: column %s %w", where(i), c.Name, err)
			}
			cells[i][j] = x
		}
		settleKind(c)
	}
	t, err := table.New(title, cols...)
	if err != nil {
		return nil, plainError(err)
	}
	for i, row := range cells {
		if err := t.Append(row...); err != nil {
			return nil, fmt.Errorf("%s: %w", where(i), plainError(err))
		}
	}
	return t, nil
}

// tableCell makes a cell of a value, and settles the kind of the column by it. An
// int among floats is one of them. The error completes "column x ...".
func tableCell(c *table.Column, v starlark.Value) (any, error) {
	var kind table.Kind
	var x any
	switch v := v.(type) {
	case starlark.NoneType:
		return nil, nil
	case starlark.Int:
		n, ok := v.Int64()
		if !ok {
			return nil, fmt.Errorf("is out of range: %v does not fit in 64 bits", v)
		}
		kind, x = table.Int, n
	case starlark.Float:
		kind, x = table.Float, float64(v)
	case Duration:
		kind, x = table.Duration, time.Duration(v)
	case starlark.String:
		kind, x = table.String, string(v)
	case starlark.Bool:
		kind, x = table.Bool, bool(v)
	case *samplesValue:
		return nil, errors.New("must hold one value a row, not samples: choose one, as s.mean or s.p(99)")
	default:
		return nil, fmt.Errorf("must hold numbers, durations, strings or bools, not %s", describe(v))
	}
	if kind <= table.Float && contains(timeUnits, c.Unit) {
		_, err := toDuration(v)
		return nil, err
	}
	switch {
	case c.Kind == 0 || c.Kind == table.Int && kind == table.Float:
		c.Kind = kind
	case c.Kind == table.Float && kind == table.Int:
	case c.Kind != kind:
		return nil, fmt.Errorf("must hold values of one type, not %s after values of type %s", describe(v), c.Kind)
	}
	return x, nil
}
