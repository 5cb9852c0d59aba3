package table

import "slices"

// Tail returns a table of the last n rows, or of all if there are fewer. A
// negative n counts as 0.
func (t *Table) Tail(n int) *Table {
	n = min(max(n, 0), t.rows)
	return t.Slice(t.rows-n, t.rows, 1)
}

// Slice returns a table of the rows start, start+step and so on before end, or
// after end for a negative step. The rows must be there, and step not be 0.
func (t *Table) Slice(start, end, step int) *Table {
	var rows []int
	for i := start; step > 0 && i < end || step < 0 && i > end; i += step {
		rows = append(rows, i)
	}
	return t.gather(rows)
}

// Unique returns a table of the first row of each combination of values in the
// named columns, in order; without names all columns count. Missing cells are
// equal to each other here, and so are NaN.
func (t *Table) Unique(names ...string) (*Table, error) {
	places, err := t.places(names)
	if err != nil {
		return nil, t.fail("unique rows of", "%w", err)
	}
	if len(names) == 0 {
		for i := range t.cols {
			places = append(places, i)
		}
	}
	cs := codesOf(t.pointers(places), t.rows)
	return t.gather(ints(cs.first)), nil
}

// With returns a table with one more column of the given values, which are as
// [Table.Append] takes them, or with other values in the place of the column
// that has the name.
func (t *Table) With(c Column, values []any) (*Table, error) {
	if len(values) != t.rows {
		return nil, t.fail("extend", "column %q has %d values for %d rows", c.Name, len(values), t.rows)
	}
	if err := c.validate(); err != nil {
		return nil, t.fail("extend", "%w", err)
	}
	added := column{Column: c}
	for i, v := range values {
		x, err := added.accept(v)
		if err != nil {
			return nil, t.fail("extend", "row %d, %w", i, err)
		}
		added.push(x)
	}
	cols := t.columns()
	if i, err := t.find(c.Name); err == nil {
		cols[i] = added
	} else {
		cols = append(cols, added)
	}
	return t.remake("extend", cols)
}

// Rename returns a table with new names for columns: names gives pairs of the old
// and the new one. All change at once, so that two may change places.
func (t *Table) Rename(names ...[2]string) (*Table, error) {
	cols := t.columns()
	var done []int
	for _, pair := range names {
		i, err := t.find(pair[0])
		if err != nil {
			return nil, t.fail("rename columns of", "%w", err)
		}
		if slices.Contains(done, i) {
			return nil, t.fail("rename columns of", "column %q gets two names", pair[0])
		}
		done = append(done, i)
		cols[i].Name = pair[1]
	}
	return t.remake("rename columns of", cols)
}

// Drop returns a table without the named columns, of which at least one must
// stay.
func (t *Table) Drop(names ...string) (*Table, error) {
	places, err := t.places(names)
	if err != nil {
		return nil, t.fail("drop columns of", "%w", err)
	}
	var cols []column
	for i, c := range t.columns() {
		if !slices.Contains(places, i) {
			cols = append(cols, c)
		}
	}
	if len(cols) == 0 {
		return nil, t.fail("drop columns of", "no column would be left: keep one of %s", t.names())
	}
	return t.remake("drop columns of", cols)
}

// Concat returns a table of the rows of t followed by those of the others. All
// have columns of the same names, in the order that t has them or another one,
// with the same kinds and units. An Int column fits a Float one, which it
// becomes; a column without any value fits every kind.
func (t *Table) Concat(others ...*Table) (*Table, error) {
	cols := t.columns()
	rows := t.rows
	for k, o := range others {
		if len(o.cols) != len(t.cols) {
			return nil, t.fail("concatenate", "its columns are %s and those of table %d, %q, are %s: want the same", t.names(), k+1, o.title, o.names())
		}
		for i := range cols {
			j, err := o.find(cols[i].Name)
			if err != nil {
				return nil, t.fail("concatenate", "table %d, %q, has %w", k+1, o.title, err)
			}
			if err := cols[i].concat(&o.cols[j], rows, o.rows); err != nil {
				return nil, t.fail("concatenate", "table %d, %q: %w", k+1, o.title, err)
			}
		}
		rows += o.rows
	}
	out, err := assemble(t.title, cols, rows)
	if err != nil {
		return nil, t.fail("concatenate", "%w", err)
	}
	return out, nil
}

// columns returns the columns as they are now, sharing their cells.
func (t *Table) columns() []column {
	cols := make([]column, len(t.cols))
	for i := range t.cols {
		cols[i] = t.cols[i].head(t.rows)
	}
	return cols
}

// remake makes a table of changed columns.
func (t *Table) remake(op string, cols []column) (*Table, error) {
	out, err := assemble(t.title, cols, t.rows)
	if err != nil {
		return nil, t.fail(op, "%w", err)
	}
	return out, nil
}

// concat adds the m cells of d to the n of c.
func (c *column) concat(d *column, n, m int) error {
	other := d.head(m)
	switch {
	case other.empty(m) && c.Kind != other.Kind:
		other = blank(c.Column, m)
	case c.empty(n) && c.Kind != other.Kind:
		*c = blank(other.Column, n)
	case c.Kind == Float && other.Kind == Int:
		other.toFloat()
	case c.Kind == Int && other.Kind == Float:
		c.toFloat()
	}
	if err := joinable(c.Column, other.Column); err != nil {
		return err
	}
	c.extend(&other, m)
	return nil
}

// empty reports whether none of the n cells has a value.
func (c *column) empty(n int) bool {
	for i := range n {
		if !c.missing.has(i) {
			return false
		}
	}
	return true
}

// blank is a column of n missing cells.
func blank(c Column, n int) column {
	b := column{Column: c}
	for range n {
		b.push(none)
	}
	return b
}

// toFloat turns an Int column into a Float one.
func (c *column) toFloat() {
	c.Kind = Float
	c.floats = make([]float64, len(c.ints))
	for i, v := range c.ints {
		c.floats[i] = float64(v)
	}
	c.ints = nil
}

// extend adds the first m cells of d, which is of the same kind.
func (c *column) extend(d *column, m int) {
	n := c.len()
	for i := range m {
		if d.missing.has(i) {
			c.missing.set(n + i)
		}
	}
	switch c.Kind {
	case Int, Duration:
		c.ints = append(c.ints, d.ints[:m]...)
	case Float:
		c.floats = append(c.floats, d.floats[:m]...)
	case String:
		c.strs = append(c.strs, d.strs[:m]...)
	case Bool:
		c.bools = append(c.bools, d.bools[:m]...)
	}
}

// fill takes the cells of d for the rows that c lacks: where left is -1.
func (c *column) fill(d *column, left, right []int) {
	for k, i := range left {
		r := right[k]
		if i >= 0 || d.missing.has(r) {
			continue
		}
		c.missing.clear(k)
		switch c.Kind {
		case Int, Duration:
			c.ints[k] = d.ints[r]
		case Float:
			c.floats[k] = d.floats[r]
		case String:
			c.strs[k] = d.strs[r]
		case Bool:
			c.bools[k] = d.bools[r]
		}
	}
}
