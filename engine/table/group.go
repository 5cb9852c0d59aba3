package table

import "iter"

// Groups are the rows of a table, parted by the values in some columns. Make
// them with [Table.GroupBy].
type Groups struct {
	t     *Table
	keys  []int   // the places of the key columns
	first []int32 // the first row of each group
	start []int32 // rows[start[g]:start[g+1]] are the rows of group g
	rows  []int32
}

// GroupBy parts the rows by the values in the named columns: rows with equal
// values in all of them are one group. Groups stand in the order in which they
// first appear, and their rows in the order of the table; for sorted groups sort
// the table first, or the result. A missing value is a value of its own here, and
// so is NaN. Without columns all rows are one group.
func (t *Table) GroupBy(names ...string) (*Groups, error) {
	keys, err := t.places(names)
	if err != nil {
		return nil, t.fail("group", "%w", err)
	}
	g := &Groups{t: t.Head(t.rows), keys: keys}
	if len(keys) == 0 {
		g.first, g.start = []int32{0}, []int32{0, int32(t.rows)}
		g.rows = make([]int32, t.rows)
		for i := range g.rows {
			g.rows[i] = int32(i)
		}
		return g, nil
	}
	cs := codesOf(t.pointers(keys), t.rows)
	g.first = cs.first
	g.start, g.rows = cs.lists()
	return g, nil
}

// Len returns the number of groups.
func (g *Groups) Len() int { return len(g.first) }

// Of returns the table whose rows the groups are.
func (g *Groups) Of() *Table { return g.t }

// Keys returns the descriptions of the columns that the rows were grouped by.
func (g *Groups) Keys() []Column {
	out := make([]Column, len(g.keys))
	for k, i := range g.keys {
		out[k] = g.t.cols[i].Column
	}
	return out
}

// Key returns the values that all rows of group i share, as [Table.Value] does,
// one for each key column.
func (g *Groups) Key(i int) []any {
	out := make([]any, len(g.keys))
	for k, c := range g.keys {
		out[k] = g.t.cols[c].value(int(g.first[i]))
	}
	return out
}

// Rows goes through the row numbers of group i, in order.
func (g *Groups) Rows(i int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for _, row := range g.members(i) {
			if !yield(int(row)) {
				return
			}
		}
	}
}

// Table returns a table of the rows of group i.
func (g *Groups) Table(i int) *Table {
	members := g.members(i)
	rows := make([]int, len(members))
	for k, row := range members {
		rows[k] = int(row)
	}
	return g.t.gather(rows)
}

func (g *Groups) members(i int) []int32 { return g.rows[g.start[i]:g.start[i+1]] }

// label names group i for an error: comm "make", cpu 3.
func (g *Groups) label(i int) string {
	if len(g.keys) == 0 {
		return "the table"
	}
	s := "the group "
	for k, c := range g.keys {
		if k > 0 {
			s += ", "
		}
		s += g.t.cols[c].Name + " " + g.t.cols[c].cellText(int(g.first[i]))
	}
	return s
}
