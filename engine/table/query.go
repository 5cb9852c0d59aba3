package table

import (
	"cmp"
	"fmt"
	"slices"
)

// Select returns a table of the named columns, in the order given.
func (t *Table) Select(names ...string) (*Table, error) {
	if len(names) == 0 {
		return nil, fmt.Errorf("select from table %q: no columns: want some of %s", t.title, t.names())
	}
	s := &Table{title: t.title, rows: t.rows, cols: make([]column, len(names))}
	for k, name := range names {
		if slices.Contains(names[:k], name) {
			return nil, fmt.Errorf("select from table %q: column %q is named twice", t.title, name)
		}
		i, err := t.index(name)
		if err != nil {
			return nil, err
		}
		s.cols[k] = t.cols[i].head(t.rows)
	}
	return s, nil
}

// Where returns a table of the rows for which keep is true, in order. keep is
// called once for each row number and must not append to the table.
func (t *Table) Where(keep func(row int) bool) *Table {
	var rows []int
	for i := range t.rows {
		if keep(i) {
			rows = append(rows, i)
		}
	}
	return t.gather(rows)
}

// compare returns the ascending order of two cells that have one.
func (c *column) compare() func(a, b int) int {
	switch c.Kind {
	case Int, Duration:
		return func(a, b int) int { return cmp.Compare(c.ints[a], c.ints[b]) }
	case Float:
		return func(a, b int) int { return cmp.Compare(c.floats[a], c.floats[b]) }
	case String:
		return func(a, b int) int { return cmp.Compare(c.strs[a], c.strs[b]) }
	default:
		return func(a, b int) int {
			switch {
			case c.bools[a] == c.bools[b]:
				return 0
			case c.bools[b]:
				return -1
			}
			return 1
		}
	}
}

// Head returns a table of the first n rows, or of all if there are fewer. A
// negative n counts as 0.
func (t *Table) Head(n int) *Table {
	n = min(max(n, 0), t.rows)
	h := &Table{title: t.title, rows: n, cols: make([]column, len(t.cols))}
	for i := range t.cols {
		h.cols[i] = t.cols[i].head(n)
	}
	return h
}

// gather returns a table of copies of the given rows, in that order.
func (t *Table) gather(rows []int) *Table {
	g := &Table{title: t.title, rows: len(rows), cols: make([]column, len(t.cols))}
	for i := range t.cols {
		g.cols[i] = t.cols[i].gather(rows)
	}
	return g
}
