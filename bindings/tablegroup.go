package bindings

import (
	"errors"
	"fmt"
	"strings"

	"go.starlark.net/starlark"

	"schedrepl/engine/table"
)

// groupsValue are the rows of a table by the values in some columns, as
// t.group_by makes them.
type groupsValue struct {
	Object
	of *tableValue
	g  *table.Groups
}

var _ starlark.Sequence = (*groupsValue)(nil)

// groupBy parts the rows of a table.
func (v *tableValue) groupBy(names []string) (*groupsValue, error) {
	g, err := v.T.GroupBy(names...)
	if err != nil {
		return nil, tableError(err)
	}
	gs := &groupsValue{of: v, g: g}
	gs.Init("groups", gs)
	return gs, nil
}

// String tells how many groups there are, and by what.
func (gs *groupsValue) String() string {
	var names []string
	for _, c := range gs.g.Keys() {
		names = append(names, c.Name)
	}
	return fmt.Sprintf("<groups: %d by %s>", gs.Len(), strings.Join(names, ", "))
}

// Truth is false if there is no group.
func (gs *groupsValue) Truth() starlark.Bool { return gs.Len() > 0 }

// Len is the number of groups.
func (gs *groupsValue) Len() int { return gs.g.Len() }

// Index is a pair of the key of a group and the table of its rows.
func (gs *groupsValue) Index(i int) starlark.Value {
	var key starlark.Tuple
	for _, x := range gs.g.Key(i) {
		key = append(key, cellOf(x))
	}
	rows := gs.of.with(gs.g.Table(i))
	if len(key) == 1 {
		return starlark.Tuple{key[0], rows}
	}
	return starlark.Tuple{key, rows}
}

// Iterate goes through the groups.
func (gs *groupsValue) Iterate() starlark.Iterator { return &indexIterator{v: gs} }

// foldSpec is what aggregate is told of one new column.
type foldSpec struct {
	table.Aggregate
	call starlark.Callable // in the place of a named fold, else nil
	unit string            // of what call returns
}

// foldNames are the folds for errors.
func foldNames() []string {
	var out []string
	for _, f := range table.Folds() {
		out = append(out, f.Name)
	}
	return append(out, "p50", "p99")
}

// foldOf reads the description of a new column: "mean" for a fold of the column
// of the same name, ("wait", "max") for one of another column, "count" for the
// number of rows, and a function in the place of a fold's name. The error
// completes "worst ...".
func (v *tableValue) foldOf(name string, x starlark.Value) (foldSpec, error) {
	spec := foldSpec{Aggregate: table.Aggregate{Name: name, Column: name}}
	fold := x
	_, isText := starlark.AsString(x)
	if seq, ok := x.(starlark.Indexable); ok && !isText {
		n := seq.Len()
		if n != 2 && n != 3 {
			return spec, fmt.Errorf("must be a fold, as \"mean\", or a pair of column and fold, as (\"wait\", \"max\"), not %s of %d", x.Type(), n)
		}
		column, ok := starlark.AsString(seq.Index(0))
		if !ok {
			return spec, fmt.Errorf("must begin with the name of a column, as (\"wait\", \"max\"), not with %s", describe(seq.Index(0)))
		}
		spec.Column, fold = column, seq.Index(1)
		if n == 3 {
			if spec.unit, ok = starlark.AsString(seq.Index(2)); !ok {
				return spec, fmt.Errorf("must end with a unit, as (\"wait\", fn, \"%%\"), not with %s", describe(seq.Index(2)))
			}
		}
	} else if x == starlark.String("count") {
		spec.Column, spec.Fn = "", "count"
		return spec, nil
	}
	if err := v.known(spec.Column); err != nil {
		if fold == x {
			return spec, fmt.Errorf("is no column to fold: write %s = (\"COLUMN\", ...) with one of %s", name, strings.Join(v.names(), ", "))
		}
		return spec, fmt.Errorf("folds what is not there: %w", err)
	}
	switch f := fold.(type) {
	case starlark.String:
		spec.Fn = string(f)
		if spec.unit != "" {
			return spec, fmt.Errorf("has a unit, which is for functions: %s keeps that of the column", spec.Fn)
		}
	case starlark.Callable:
		spec.call = f
	default:
		return spec, fmt.Errorf("must be a fold, one of %s, or a function of the values, not %s", quoteList(foldNames()), describe(fold))
	}
	return spec, nil
}

// foldError adds the near fold to an error about an unknown one.
func foldError(err error, specs []foldSpec) error {
	names := foldNames()
	for _, s := range specs {
		if s.call == nil && strings.Contains(err.Error(), fmt.Sprintf("no fold %q", s.Fn)) {
			hint := didYouMean(s.Fn, names)
			switch s.Fn {
			case "avg", "average":
				hint = " (did you mean mean?)"
			case "stddev", "sd", "stdev":
				hint = " (did you mean std?)"
			case "n", "size", "len", "nrow":
				hint = " (did you mean count?)"
			case "nunique":
				hint = " (did you mean distinct?)"
			}
			return fmt.Errorf("%w%s", err, hint)
		}
	}
	return err
}

// aggregate makes one row of each group.
func (gs *groupsValue) aggregate(c *Call, specs []foldSpec) (*table.Table, error) {
	var plain []table.Aggregate
	for _, s := range specs {
		if s.call == nil {
			plain = append(plain, s.Aggregate)
		}
	}
	if len(plain) == len(specs) {
		t, err := gs.g.Aggregate(plain...)
		if err != nil {
			return nil, foldError(tableError(err), specs)
		}
		return t, nil
	}
	// The functions come beside the folds, of which the number of rows is one
	// that always works.
	names := gs.keyNames()
	helper := "rows"
	for contains(names, helper) || hasFold(specs, helper) {
		helper += "_"
	}
	t, err := gs.g.Aggregate(append(plain, table.Aggregate{Name: helper, Fn: "count"})...)
	if err != nil {
		return nil, foldError(tableError(err), specs)
	}
	for _, s := range specs {
		if contains(names, s.Name) {
			return nil, fmt.Errorf("two columns are named %q: names must differ", s.Name)
		}
		names = append(names, s.Name)
		if s.call == nil {
			continue
		}
		col, cells, err := gs.fold(c, s)
		if err != nil {
			return nil, err
		}
		if t, err = t.With(col, cells); err != nil {
			return nil, tableError(err)
		}
	}
	if t, err = t.Select(names...); err != nil {
		return nil, tableError(err)
	}
	return t, nil
}

func hasFold(specs []foldSpec, name string) bool {
	for _, s := range specs {
		if s.Name == name {
			return true
		}
	}
	return false
}

func (gs *groupsValue) keyNames() []string {
	var names []string
	for _, k := range gs.g.Keys() {
		names = append(names, k.Name)
	}
	return names
}

// fold calls a function with the values of each group that are not missing.
func (gs *groupsValue) fold(c *Call, s foldSpec) (col table.Column, cells []any, err error) {
	from, err := gs.g.Of().Col(s.Column)
	if err != nil {
		return col, nil, tableError(err)
	}
	col = table.Column{Name: s.Name, Unit: plainUnit(s.unit)}
	for i := range gs.Len() {
		if err := c.Session.Poll(); err != nil {
			return col, nil, err
		}
		var values []starlark.Value
		for row := range gs.g.Rows(i) {
			if !from.Missing(row) {
				values = append(values, cellAt(from, row))
			}
		}
		x, err := starlark.Call(c.Thread, s.call, starlark.Tuple{starlark.NewList(values)}, nil)
		if err != nil {
			return col, nil, err
		}
		cell, err := tableCell(&col, x)
		if err != nil {
			return col, nil, fmt.Errorf("%s: what the function returns for group %d %w", s.Name, i, err)
		}
		cells = append(cells, cell)
	}
	settleKind(&col)
	return col, cells, nil
}

// aggregateCall reads the keywords of aggregate.
func (gs *groupsValue) aggregateCall(c *Call) (starlark.Value, error) {
	if len(c.Kwargs) == 0 {
		return nil, errors.New("no columns: name at least one, as aggregate(n = \"count\", wait = \"mean\")")
	}
	var specs []foldSpec
	for _, kv := range c.Kwargs {
		name := string(kv[0].(starlark.String))
		s, err := gs.of.foldOf(name, kv[1])
		if err != nil {
			return nil, fmt.Errorf("%s %w", name, err)
		}
		specs = append(specs, s)
	}
	t, err := gs.aggregate(c, specs)
	if err != nil {
		return nil, err
	}
	return gs.of.fresh(t), nil
}

func groupTable() Table {
	var folds []string
	for _, f := range table.Folds() {
		folds = append(folds, "\""+f.Name+"\" ("+f.Doc+")")
	}
	return Table{
		Topics: []Topic{{
			Name: "groups", Type: true,
			Doc: "The rows of a table in groups of equal keys, as t.group_by makes them. " +
				"len(g) is the number of groups, and for key, rows in g goes through them: key is the value of the column, or a tuple of values for several columns, and rows is a table.",
			Setup: "t = table(\"waits\", [\"comm\", \"cpu\", (\"wait\", \"ms\")], [(\"make\", 0, 4 * ms), (\"hog\", 1, 40 * ms), (\"make\", 1, 6 * ms), (\"make\", 1, None)])",
		}},
		Builtins: []Builtin{
			tableMethod(Builtin{
				Name: "group_by", Params: []Param{{Name: "*columns", Type: "string", Doc: "The columns whose values make the key; none for one group of all rows."}},
				Result: "groups",
				Doc: "Puts rows with equal values in some columns into groups, for aggregate or a loop. " +
					"Groups stand in the order in which they first appear: sort the table before, or the result after, for another one. A missing value is a key of its own.",
				Example: "print(t.group_by(\"comm\").aggregate(n = \"count\", wait = \"mean\", worst = (\"wait\", \"max\")))",
			}, func(c *Call, v *tableValue) (starlark.Value, error) {
				names, err := v.namesOf(c.Args, "columns")
				if err != nil {
					return nil, err
				}
				return v.groupBy(names)
			}),
			{
				Recv: "groups", Name: "aggregate",
				Params: []Param{{Name: "**columns", Type: "any", Doc: "The new columns by their names. Each is a fold of the column of that name, as wait = \"mean\"; a pair of another column and a fold, as worst = (\"wait\", \"max\"); or \"count\" for the number of rows. " +
					"In the place of a fold may stand a function of the list of values, with the unit of what it returns in a third place, if it has one."}},
				Result: "table",
				Doc: "Makes one row of each group: the key, and new columns out of the group's values. The folds are " + strings.Join(folds, ", ") + ", and percentiles as \"p99\" or \"p99.9\". " +
					"Missing values are left out of all but missing; where there are no others, count, distinct and sum are 0 and the rest is missing. NaN makes NaN of a sum, mean, std, min, max or percentile. " +
					"Results keep the unit of their column, and durations stay durations.",
				Example: "a = t.group_by(\"comm\").aggregate(n = \"count\", wait = \"mean\", worst = (\"wait\", \"max\"), lost = (\"wait\", \"missing\"))\n" +
					"print(a[0].n, a[0].wait, a[0].worst, a[0].lost)  # 3 5ms 6ms 1\n" +
					"a = t.group_by(\"comm\").aggregate(spread = (\"wait\", lambda waits: max(waits) - min(waits)))\nprint(a[\"spread\"])  # [2ms, 0s]",
				Impl: func(c *Call) (starlark.Value, error) { return c.Recv.(*groupsValue).aggregateCall(c) },
			},
		},
	}
}
