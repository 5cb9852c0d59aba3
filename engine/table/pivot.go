package table

import (
	"fmt"
	"slices"
)

// maxPivot is the largest number of columns that Pivot makes.
const maxPivot = 4096

// Pivot spreads one column over many: the result has a row for each combination
// of values in the columns of rows, and a column for each value of the column
// cols, in the order of first appearance. A cell is the value of the column values
// in the row of t that has both, and missing where there is none; two such rows are
// an error. With fn, one of [Folds], it is the fold of the values in all such rows.
//
// The new columns are named after the values: strings as they are, numbers in
// digits, durations with their unit; a missing value gives "missing" and the empty
// string "empty". They have the unit of the column values.
func (t *Table) Pivot(rows []string, cols, values, fn string) (*Table, error) {
	fail := func(err error) (*Table, error) { return nil, t.fail("pivot", "%w", err) }
	if len(rows) == 0 {
		return fail(fmt.Errorf("no columns for the rows: want at least one of %s", t.names()))
	}
	if fn != "" {
		g, err := t.GroupBy(append(slices.Clone(rows), cols)...)
		if err != nil {
			return fail(cause(err))
		}
		name := t.freshName("value of " + values)
		folded, err := g.Aggregate(Aggregate{Name: name, Column: values, Fn: fn})
		if err != nil {
			return fail(cause(err))
		}
		t, values = folded, name
	}
	named, err := t.places(append(slices.Clone(rows), cols, values))
	if err != nil {
		return fail(err)
	}
	keys, over, from := named[:len(rows)], named[len(rows)], named[len(rows)+1]
	down := codesOf(t.pointers(keys), t.rows)
	across := t.cols[over].codes(t.rows)
	if len(across.first) > maxPivot {
		return fail(fmt.Errorf("column %q has %d different values, and each would be a column: want at most %d", cols, len(across.first), maxPivot))
	}
	source := make([][]int, len(across.first)) // rows of t by column and row of the result
	for k := range source {
		source[k] = make([]int, len(down.first))
		for i := range source[k] {
			source[k][i] = -1
		}
	}
	for i := range t.rows {
		at := &source[across.ids[i]][down.ids[i]]
		if *at >= 0 {
			return fail(fmt.Errorf("rows %d and %d are both for %s %s and %s %s: give a fold such as mean, to make one value of them", *at, i,
				t.cols[keys[0]].Name, t.cols[keys[0]].cellText(i), cols, t.cols[over].cellText(i)))
		}
		*at = i
	}
	var out []column
	for _, k := range keys {
		out = append(out, t.cols[k].gather(ints(down.first)))
	}
	for k, first := range across.first {
		c := t.cols[from].gather(source[k])
		c.Name = t.cols[over].cellName(int(first))
		out = append(out, c)
	}
	p, err := assemble(t.title, out, len(down.first))
	if err != nil {
		return fail(err)
	}
	return p, nil
}

// freshName returns a name that no column has.
func (t *Table) freshName(name string) string {
	for {
		if _, err := t.find(name); err != nil {
			return name
		}
		name += "_"
	}
}

// cellName is the name of a column made for the value in cell i.
func (c *column) cellName(i int) string {
	switch {
	case c.missing.has(i):
		return "missing"
	case c.Kind == String && c.strs[i] == "":
		return "empty"
	case c.Kind == String:
		return c.strs[i]
	case c.Kind == Duration:
		return durationName(c.ints[i])
	}
	return string(c.appendScalar(nil, i))
}

// durationName writes a duration in full in the largest unit that leaves no more
// digits than needed: "2.5ms", "10s".
func durationName(ns int64) string {
	for _, u := range units {
		if magnitude(ns) >= uint64(u.ns) {
			digits := 0
			for step := u.ns; ns%step != 0; step /= 10 {
				digits++
			}
			return formatDuration(ns, u, digits) + u.name
		}
	}
	return "0s"
}

// UnpivotOptions say which columns [Table.Unpivot] stacks, and how.
type UnpivotOptions struct {
	// Columns are those that are stacked.
	Columns []string
	// Names and Values name the two new columns: of the names of the columns
	// that are stacked, and of their cells. "" means "name" and "value".
	Names, Values string
	// DropMissing leaves out rows whose value is missing.
	DropMissing bool
}

// Unpivot stacks columns: each row becomes one row for each of them, with the
// name of the column and its cell, beside the other columns. It undoes
// [Table.Pivot], but for values that were no strings. The stacked columns must
// have one kind and one unit; ints beside floats become floats.
func (t *Table) Unpivot(opts UnpivotOptions) (*Table, error) {
	fail := func(err error) (*Table, error) { return nil, t.fail("unpivot", "%w", err) }
	if opts.Names == "" {
		opts.Names = "name"
	}
	if opts.Values == "" {
		opts.Values = "value"
	}
	if len(opts.Columns) == 0 {
		return fail(fmt.Errorf("no columns to stack: want some of %s", t.names()))
	}
	stacked, err := t.places(opts.Columns)
	if err != nil {
		return fail(err)
	}
	n := len(stacked)
	if t.rows > maxRows/n {
		return fail(fmt.Errorf("%d rows times %d columns are too many", t.rows, n))
	}
	total := blank(t.cols[stacked[0]].Column, 0)
	for k, i := range stacked {
		c := t.cols[i].head(t.rows)
		c.Name = total.Name // joinable names the first
		if err := total.concat(&c, k*t.rows, t.rows); err != nil {
			return fail(fmt.Errorf("columns %q and %q do not fit each other: %w", t.cols[stacked[0]].Name, t.cols[i].Name, err))
		}
	}
	// Where each row comes from: from column k, row i of t.
	order := make([]int, 0, n*t.rows)
	origin := make([]int, 0, n*t.rows)
	names := column{Column: Column{Name: opts.Names, Kind: String}}
	for i := range t.rows {
		for k := range stacked {
			if opts.DropMissing && total.missing.has(k*t.rows+i) {
				continue
			}
			order = append(order, k*t.rows+i)
			origin = append(origin, i)
			names.strs = append(names.strs, opts.Columns[k])
		}
	}
	var cols []column
	for i := range t.cols {
		if !slices.Contains(stacked, i) {
			cols = append(cols, t.cols[i].gather(origin))
		}
	}
	values := total.gather(order)
	values.Name = opts.Values
	out, err := assemble(t.title, append(cols, names, values), len(origin))
	if err != nil {
		return fail(err)
	}
	return out, nil
}

// maxRows bounds tables: row numbers are kept in 32 bits.
const maxRows = 1<<31 - 1
