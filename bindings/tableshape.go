package bindings

import (
	"errors"
	"fmt"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"schedrepl/engine/table"
)

var _ starlark.HasBinary = (*tableValue)(nil)

// Binary is t + u: the rows of both.
func (v *tableValue) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	w, ok := y.(*tableValue)
	if op != syntax.PLUS || !ok || side == starlark.Right {
		return nil, nil
	}
	t, err := v.T.Concat(w.T)
	if err != nil {
		return nil, fmt.Errorf("table + table: %w", tableError(err))
	}
	return v.fresh(t), nil
}

// nameList is the argument of a "string | list of string" parameter, of columns
// that are there.
func (v *tableValue) nameList(c *Call, param string) ([]string, error) {
	return v.namesOf(starlark.Tuple{c.Value(param)}, param)
}

// join is t.join(...).
func (v *tableValue) join(c *Call) (starlark.Value, error) {
	on, err := v.nameList(c, "on")
	if err != nil {
		return nil, err
	}
	other := Arg[*tableValue](c, "other")
	for _, name := range on {
		if err := other.known(name); err != nil {
			return nil, fmt.Errorf("in the other table %w", err)
		}
	}
	if c.Str("suffix") == "" {
		return nil, errors.New("suffix must not be empty")
	}
	return v.made(v.T.Join(other.T, table.JoinOptions{On: on, How: c.Str("how"), Suffix: c.Str("suffix")}))
}

// pivot is t.pivot(...).
func (v *tableValue) pivot(c *Call) (starlark.Value, error) {
	rows, err := v.nameList(c, "rows")
	if err != nil {
		return nil, err
	}
	cols, values := c.Str("columns"), c.Str("values")
	for _, name := range []string{cols, values} {
		if err := v.known(name); err != nil {
			return nil, err
		}
	}
	fn := c.Callable("fn")
	if fn == nil {
		t, err := v.T.Pivot(rows, cols, values, c.Str("fn"))
		if err != nil {
			return nil, foldError(tableError(err), []foldSpec{{Aggregate: table.Aggregate{Fn: c.Str("fn")}}})
		}
		return v.fresh(t), nil
	}
	if contains(rows, cols) {
		return nil, fmt.Errorf("column %q is named twice", cols)
	}
	gs, err := v.groupBy(append(rows, cols))
	if err != nil {
		return nil, err
	}
	folded := "value of " + values
	t, err := gs.aggregate(c, []foldSpec{{Aggregate: table.Aggregate{Name: folded, Column: values}, call: fn}})
	if err != nil {
		return nil, err
	}
	return v.made(t.Pivot(rows, cols, folded, ""))
}

// withColumn is t.with_column(...).
func (v *tableValue) withColumn(c *Call) (starlark.Value, error) {
	col := table.Column{Name: c.Str("name"), Unit: plainUnit(c.Str("unit"))}
	cells := make([]any, 0, v.Len())
	add := func(i int, x starlark.Value) error {
		cell, err := tableCell(&col, x)
		if err != nil {
			return fmt.Errorf("row %d: column %s %w", i, col.Name, err)
		}
		cells = append(cells, cell)
		return nil
	}
	values := c.Value("values")
	switch x := values.(type) {
	case starlark.Callable:
		if err := v.eachRow(c, x, add); err != nil {
			return nil, err
		}
	case starlark.Iterable:
		for e := range starlark.Elements(x) {
			if err := add(len(cells), e); err != nil {
				return nil, err
			}
		}
		if len(cells) != v.Len() {
			return nil, fmt.Errorf("values has %s for %s", plural(len(cells), "place"), plural(v.Len(), "row"))
		}
	default:
		for i := range v.Len() {
			if err := add(i, values); err != nil {
				return nil, err
			}
		}
	}
	settleKind(&col)
	t, err := v.T.With(col, cells)
	if err != nil {
		return nil, tableError(err)
	}
	return v.with(t), nil
}

// rename is t.rename(...).
func (v *tableValue) rename(c *Call) (starlark.Value, error) {
	var pairs [][2]string
	items := c.Kwargs
	if d := Arg[*starlark.Dict](c, "names"); d != nil {
		items = append(d.Items(), items...)
	}
	for _, kv := range items {
		old, ok1 := starlark.AsString(kv[0])
		name, ok2 := starlark.AsString(kv[1])
		if !ok1 || !ok2 {
			return nil, fmt.Errorf("names must be old and new names, as {\"wait\": \"delay\"}, not %s: %s", describe(kv[0]), describe(kv[1]))
		}
		if err := v.known(old); err != nil {
			return nil, err
		}
		pairs = append(pairs, [2]string{old, name})
	}
	if len(pairs) == 0 {
		return nil, errors.New("no names: give old and new ones, as {\"wait\": \"delay\"} or wait = \"delay\"")
	}
	return v.made(v.T.Rename(pairs...))
}

// concat is t.concat(...).
func (v *tableValue) concat(c *Call) (starlark.Value, error) {
	var others []*table.Table
	for i, x := range c.Args {
		w, ok := x.(*tableValue)
		if !ok {
			return nil, fmt.Errorf("others must be tables, not %s in place %d", describe(x), i)
		}
		others = append(others, w.T)
	}
	return v.made(v.T.Concat(others...))
}

// withNames is a method whose arguments are names of columns, at least so many.
func withNames(b Builtin, least int, do func(*tableValue, []string) (starlark.Value, error)) Builtin {
	return tableMethod(b, func(c *Call, v *tableValue) (starlark.Value, error) {
		names, err := v.namesOf(c.Args, "columns")
		if err != nil {
			return nil, err
		}
		if len(names) < least {
			return nil, fmt.Errorf("columns are missing: name at least one of %s", strings.Join(v.names(), ", "))
		}
		return do(v, names)
	})
}

func tableShapeTable() Table {
	return Table{Builtins: []Builtin{
		tableMethod(Builtin{
			Name: "join",
			Params: []Param{
				{Name: "other", Type: "table", Doc: "The table whose columns come beside."},
				{Name: "on", Type: "string | list of string", Doc: "The columns, in both tables, whose values must be equal. They have one kind and one unit."},
				{Name: "how", Type: "string", Default: `"inner"`, Choices: []string{"inner", "left", "outer"}, Doc: "Which rows stay that find no partner: none, those of this table, or those of both."},
				{Name: "suffix", Type: "string", Default: `"_right"`, KwOnly: true, Doc: "What is put behind the name of a column of the other table that this one has too."},
			},
			Result: "table",
			Doc: "Puts rows of two tables with equal keys beside each other; where several fit, all pairs are made. Missing values and NaN fit nothing. " +
				"Rows stand in the order of this table, and rows of the other without a partner come last. More than 10 million rows are refused.",
			Example: "limits = table(\"limits\", [\"comm\", \"most\"], [(\"make\", 20 * ms), (\"cc1\", 5 * ms)])\n" +
				"j = t.join(limits, \"comm\", how = \"left\")\nprint(j.columns, j[\"most\"])  # [\"comm\", \"share\", \"wait\", \"most\"] [20ms, None, None]",
		}, func(c *Call, v *tableValue) (starlark.Value, error) { return v.join(c) }),
		tableMethod(Builtin{
			Name: "pivot",
			Params: []Param{
				{Name: "rows", Type: "string | list of string", Doc: "The columns whose values make the rows."},
				{Name: "columns", Type: "string", Doc: "The column whose values become columns, in the order in which they first appear."},
				{Name: "values", Type: "string", Doc: "The column whose values fill the cells."},
				{Name: "fn", Type: "string | callable | None", Default: "None", Doc: "A fold, as in aggregate, that makes one value of many; without it, two values for a cell are an error."},
			},
			Result: "table", Doc: "Spreads a column over many: a row for each value of one, a column for each value of another. A cell without a value is missing, and cells keep their unit. unpivot undoes it.",
			Example: "runs = table(\"runs\", [\"policy\", \"cpus\", \"wait\"], [(\"cfs\", 2, 9 * ms), (\"eevdf\", 2, 7 * ms), (\"cfs\", 4, 5 * ms), (\"cfs\", 4, 3 * ms)])\n" +
				"p = runs.pivot(\"policy\", \"cpus\", \"wait\", \"mean\")\nprint(p.columns, p[\"4\"])  # [\"policy\", \"2\", \"4\"] [4ms, None]",
		}, func(c *Call, v *tableValue) (starlark.Value, error) { return v.pivot(c) }),
		tableMethod(Builtin{
			Name: "unpivot",
			Params: []Param{
				{Name: "*columns", Type: "string", Doc: "The columns to stack, of one kind and unit."},
				{Name: "names", Type: "string", Default: `"name"`, KwOnly: true, Doc: "The name of the new column with the names of the stacked ones."},
				{Name: "values", Type: "string", Default: `"value"`, KwOnly: true, Doc: "The name of the new column with their values."},
				{Name: "drop_missing", Type: "bool", Default: "False", KwOnly: true, Doc: "Leave out rows without a value."},
			},
			Result: "table", Doc: "Stacks columns: each row becomes one for each of them, beside the other columns. It undoes pivot, but that the names are strings.",
			Example: "wide = table(\"shares\", [\"comm\", (\"cpu0\", \"%\"), (\"cpu1\", \"%\")], [(\"make\", 40.0, 60.0)])\n" +
				"print(wide.unpivot(\"cpu0\", \"cpu1\", names = \"cpu\", values = \"share\")[1])  # struct(comm = \"make\", cpu = \"cpu1\", share = 60.0)",
		}, func(c *Call, v *tableValue) (starlark.Value, error) {
			names, err := v.namesOf(c.Args, "columns")
			if err != nil {
				return nil, err
			}
			return v.made(v.T.Unpivot(table.UnpivotOptions{Columns: names, Names: c.Str("names"), Values: c.Str("values"), DropMissing: c.Bool("drop_missing")}))
		}),
		tableMethod(Builtin{
			Name: "with_column",
			Params: []Param{
				{Name: "name", Type: "string", Doc: "The name of the new column, or of one that is replaced."},
				{Name: "values", Type: "any", Doc: "A function of a row, a list with a value for each row, or one value for all."},
				{Name: "unit", Type: "string", Default: `""`, Doc: "The unit of numbers, as \"%\". Durations have theirs; for them it is the one to print them in."},
			},
			Result: "table", Doc: "The table with one more column.",
			Example: "print(t.with_column(\"ratio\", lambda row: row.share / 100)[\"ratio\"][0])  # 0.909",
		}, func(c *Call, v *tableValue) (starlark.Value, error) { return v.withColumn(c) }),
		tableMethod(Builtin{
			Name: "rename",
			Params: []Param{
				{Name: "names", Type: "dict", Default: "{}", Doc: "New names by the old ones."},
				{Name: "**more", Type: "string", Doc: "The same as keywords: wait = \"delay\"."},
			},
			Result: "table", Doc: "The table with other names for some columns.",
			Example: "print(t.rename({\"wait\": \"delay\"}).columns)  # [\"comm\", \"share\", \"delay\"]",
		}, func(c *Call, v *tableValue) (starlark.Value, error) { return v.rename(c) }),
		withNames(Builtin{
			Name: "drop", Params: []Param{{Name: "*columns", Type: "string", Doc: "The columns that go."}},
			Result: "table", Doc: "The table without some columns.", Example: "print(t.drop(\"share\").columns)  # [\"comm\", \"wait\"]",
		}, 1, func(v *tableValue, names []string) (starlark.Value, error) { return v.made(v.T.Drop(names...)) }),
		withNames(Builtin{
			Name: "unique", Params: []Param{{Name: "*columns", Type: "string", Doc: "The columns that count; all, if none is named."}},
			Result: "table", Doc: "The first row of each combination of values.",
			Example: "print(len((t + t).unique()), len(t.unique(\"comm\")))  # 3 3",
		}, 0, func(v *tableValue, names []string) (starlark.Value, error) {
			t, err := v.T.Unique(names...)
			if err != nil {
				return nil, tableError(err)
			}
			return v.with(t), nil
		}),
		tableMethod(Builtin{
			Name: "concat", Params: []Param{{Name: "*others", Type: "table", Doc: "Tables with the same columns, in any order."}},
			Result:  "table",
			Doc:     "The rows of several tables, one after the other; a + b does the same for two. Columns must have the same kinds and units; ints beside floats become floats, and a column without any value fits all.",
			Example: "print(len(t.concat(t, t)), len(t + t))  # 9 6",
		}, func(c *Call, v *tableValue) (starlark.Value, error) { return v.concat(c) }),
		tableMethod(Builtin{
			Name: "describe", Params: []Param{{Name: "column", Type: "string | None", Default: "None", Doc: "A column, for values; None for an overview of all columns, whose numbers are texts with their units."}},
			Result: "table", Doc: "What the columns are like: how many values, missing and different ones there are, and for numbers mean, std, min, quartiles and max.",
			Example: "overview = t.describe()\nprint(t.describe(\"wait\")[0].mean)  # 220ms",
		}, func(c *Call, v *tableValue) (starlark.Value, error) {
			if !c.Has("column") {
				return v.fresh(v.T.Describe()), nil
			}
			if err := v.known(c.Str("column")); err != nil {
				return nil, err
			}
			return v.made(v.T.DescribeColumn(c.Str("column")))
		}),
	}}
}
