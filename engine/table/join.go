package table

import "fmt"

// JoinOptions say how rows of two tables are put together.
type JoinOptions struct {
	// On names the columns whose values must be equal. Both tables have them,
	// with one kind and unit.
	On []string
	// How is which rows stay that find no partner: "inner" (or "") none, "left"
	// those of the first table, "outer" those of both.
	How string
	// Suffix is put behind the name of a column of the second table that the
	// first has too. "" means "_right".
	Suffix string
	// MaxRows is the largest result that is made; a larger one is an error. 0
	// means 10 million, negative no limit.
	MaxRows int
}

const defaultMaxJoin = 10_000_000

// Join puts each row of t beside each row of other that has the same values in
// the columns of On; where several rows fit, all pairs are made. Missing values
// and NaN fit nothing, not even each other. The result has the columns of t, then
// those of other without On, and its rows stand in the order of t, and for one row
// of t in the order of other. Rows of other that found no partner come last.
// Where a partner is lacking, its cells are missing.
func (t *Table) Join(other *Table, opts JoinOptions) (*Table, error) {
	fail := func(format string, args ...any) (*Table, error) { return nil, t.fail("join", format, args...) }
	switch opts.How {
	case "":
		opts.How = "inner"
	case "inner", "left", "outer":
	default:
		return fail("how %q: want inner, left or outer", opts.How)
	}
	if opts.Suffix == "" {
		opts.Suffix = "_right"
	}
	if opts.MaxRows == 0 {
		opts.MaxRows = defaultMaxJoin
	}
	if len(opts.On) == 0 {
		return fail("no columns to join on: want some that both tables have")
	}
	left, err := t.places(opts.On)
	if err != nil {
		return fail("%w", err)
	}
	right, err := other.places(opts.On)
	if err != nil {
		return fail("the other table (%q): %w", other.title, err)
	}
	for k := range left {
		if err := joinable(t.cols[left[k]].Column, other.cols[right[k]].Column); err != nil {
			return fail("%w", err)
		}
	}
	p := pair(t.pointers(left), other.pointers(right), t.rows, other.rows)
	if n := p.count(opts.How); opts.MaxRows > 0 && n > int64(opts.MaxRows) {
		return fail("%d rows would become of %d and %d, more than %d: the same keys are in both tables many times; aggregate one of them first",
			n, t.rows, other.rows, opts.MaxRows)
	}
	lrows, rrows := p.rows(opts.How)

	var cols []column
	for i := range t.cols {
		c := t.cols[i].gather(lrows)
		for k := range left {
			if left[k] == i {
				c.fill(&other.cols[right[k]], lrows, rrows)
			}
		}
		cols = append(cols, c)
	}
	for i := range other.cols {
		isKey := false
		for _, r := range right {
			isKey = isKey || r == i
		}
		if isKey {
			continue
		}
		c := other.cols[i].gather(rrows)
		if _, err := t.find(c.Name); err == nil {
			c.Name += opts.Suffix
		}
		cols = append(cols, c)
	}
	out, err := assemble(t.title, cols, len(lrows))
	if err != nil {
		return fail("%w (the suffix of columns that both tables have is %q)", err, opts.Suffix)
	}
	return out, nil
}

// joinable reports why two columns cannot be compared.
func joinable(a, b Column) error {
	switch {
	case a.Kind != b.Kind:
		return fmt.Errorf("column %q holds cells of kind %s here and of kind %s in the other table: want one kind", a.Name, a.Kind, b.Kind)
	case a.Kind != Duration && a.Unit != b.Unit:
		return fmt.Errorf("column %q has the unit %s here and %s in the other table: want one unit", a.Name, unitText(a.Unit), unitText(b.Unit))
	}
	return nil
}

func unitText(unit string) string {
	if unit == "" {
		return "none"
	}
	return fmt.Sprintf("%q", unit)
}

// pairing is which rows of two tables belong together.
type pairing struct {
	left  []int32 // number of the key of each row, -1 for one that fits nothing
	right []int32
	start []int32 // of the lists of rows of the right table, by number
	list  []int32
}

// pair numbers the keys of both tables in one go.
func pair(left, right []*column, nl, nr int) pairing {
	both := make([]column, len(left))
	for k := range left {
		both[k] = left[k].head(nl)
		both[k].extend(right[k], nr)
	}
	cols := make([]*column, len(both))
	for k := range both {
		cols[k] = &both[k]
	}
	cs := codesOf(cols, nl+nr)
	p := pairing{left: cs.ids[:nl:nl], right: cs.ids[nl:]}
	onlyRight := codes{ids: p.right, first: cs.first}
	p.start, p.list = onlyRight.lists()
	for i := range p.left {
		if fitsNothing(cols, i) {
			p.left[i] = -1
		}
	}
	for i := range p.right {
		if fitsNothing(cols, nl+i) {
			p.right[i] = -1
		}
	}
	return p
}

// fitsNothing reports whether row i has a missing value or NaN among its keys.
func fitsNothing(cols []*column, i int) bool {
	for _, c := range cols {
		if c.missing.has(i) || c.Kind == Float && c.floats[i] != c.floats[i] {
			return true
		}
	}
	return false
}

// partners returns the rows of the right table that fit row i of the left one.
func (p *pairing) partners(i int) []int32 {
	id := p.left[i]
	if id < 0 {
		return nil
	}
	return p.list[p.start[id]:p.start[id+1]]
}

// count returns how many rows the join has.
func (p *pairing) count(how string) int64 {
	n := int64(0)
	for i := range p.left {
		m := len(p.partners(i))
		if m == 0 && how != "inner" {
			m = 1
		}
		n += int64(m)
	}
	if how == "outer" {
		n += int64(len(p.alone()))
	}
	return n
}

// rows returns the row of each table for each row of the join, -1 for none.
func (p *pairing) rows(how string) (left, right []int) {
	n := int(p.count(how))
	left, right = make([]int, 0, n), make([]int, 0, n)
	for i := range p.left {
		partners := p.partners(i)
		if len(partners) == 0 && how != "inner" {
			left, right = append(left, i), append(right, -1)
		}
		for _, r := range partners {
			left, right = append(left, i), append(right, int(r))
		}
	}
	if how == "outer" {
		for _, r := range p.alone() {
			left, right = append(left, -1), append(right, r)
		}
	}
	return left, right
}

// alone lists the rows of the right table that no row of the left one fits.
func (p *pairing) alone() []int {
	met := make([]bool, len(p.start)-1)
	for _, id := range p.left {
		if id >= 0 {
			met[id] = true
		}
	}
	var out []int
	for r, id := range p.right {
		if id < 0 || !met[id] {
			out = append(out, r)
		}
	}
	return out
}
