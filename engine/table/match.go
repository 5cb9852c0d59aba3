package table

import "slices"

// Match is a condition on one column: its cell is one of some values.
type Match struct {
	Column string
	// Values are those that fit, in the types that [Table.Append] takes; nil is a
	// missing cell.
	Values []any
	// Text, if set, is asked for each different string of a String column that
	// is none of the values.
	Text func(s string) bool
}

// Matching returns a table of the rows that meet all conditions, in order. NaN
// is equal to nothing.
func (t *Table) Matching(conditions ...Match) (*Table, error) {
	keep := make([]bool, t.rows)
	for i := range keep {
		keep[i] = true
	}
	fits := make([]bool, t.rows)
	for _, m := range conditions {
		i, err := t.find(m.Column)
		if err != nil {
			return nil, t.fail("filter", "%w", err)
		}
		if err := t.cols[i].match(m, fits); err != nil {
			return nil, t.fail("filter", "%w", err)
		}
		for i, ok := range fits {
			keep[i] = keep[i] && ok
		}
	}
	n := 0
	for _, k := range keep {
		if k {
			n++
		}
	}
	rows := make([]int, 0, n)
	for i, k := range keep {
		if k {
			rows = append(rows, i)
		}
	}
	return t.gather(rows), nil
}

// match sets fits for each cell.
func (c *column) match(m Match, fits []bool) error {
	missing := false
	cells := make([]cell, 0, len(m.Values))
	for _, v := range m.Values {
		x, err := c.accept(v)
		if err != nil {
			return err
		}
		if x.missing {
			missing = true
		} else {
			cells = append(cells, x)
		}
	}
	switch c.Kind {
	case Int, Duration:
		matchAny(c.ints, values(cells, func(x cell) int64 { return x.i }), fits)
	case Float:
		matchAny(c.floats, values(cells, func(x cell) float64 { return x.f }), fits)
	case Bool:
		matchAny(c.bools, values(cells, func(x cell) bool { return x.i != 0 }), fits)
	case String:
		wanted := values(cells, func(x cell) string { return x.s })
		if m.Text == nil {
			matchAny(c.strs, wanted, fits)
			break
		}
		known := map[string]bool{}
		for _, s := range wanted {
			known[s] = true
		}
		for i, s := range c.strs[:len(fits)] {
			fit, ok := known[s]
			if !ok {
				fit = m.Text(s)
				known[s] = fit
			}
			fits[i] = fit
		}
	}
	if len(c.missing) > 0 {
		for i := range fits {
			if c.missing.has(i) {
				fits[i] = missing
			}
		}
	}
	return nil
}

func values[T any](cells []cell, get func(cell) T) []T {
	out := make([]T, len(cells))
	for k, x := range cells {
		out[k] = get(x)
	}
	return out
}

// few is up to how many values are compared one after the other.
const few = 8

// matchAny sets fits where the value is one of those wanted.
func matchAny[T comparable](from, wanted []T, fits []bool) {
	switch {
	case len(wanted) == 1:
		w := wanted[0]
		for i := range fits {
			fits[i] = from[i] == w
		}
	case len(wanted) <= few:
		for i := range fits {
			fits[i] = slices.Contains(wanted, from[i])
		}
	default:
		set := make(map[T]bool, len(wanted))
		for _, w := range wanted {
			set[w] = true
		}
		for i := range fits {
			fits[i] = set[from[i]]
		}
	}
}
