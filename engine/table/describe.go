package table

// measures are what Describe tells of numbers, beside the counts.
var measures = []string{"mean", "std", "min", "p25", "p50", "p75", "max"}

// Describe returns an overview of all columns, a row for each: how many values it
// has, how many cells are missing, how many values differ, and for numbers mean,
// standard deviation, least and largest value and quartiles. As the units of the
// columns differ, these are texts with their unit; [Table.DescribeColumn] gives
// values.
func (t *Table) Describe() *Table {
	cols := []Column{{Name: "column", Kind: String}, {Name: "kind", Kind: String},
		{Name: "n", Kind: Int}, {Name: "missing", Kind: Int}, {Name: "distinct", Kind: Int}}
	for _, m := range measures {
		cols = append(cols, Column{Name: m, Kind: String})
	}
	out := MustNew(t.title, cols...)
	for i := range t.cols {
		c := &t.cols[i]
		counts, numbers := t.describe(i)
		row := []any{c.Name, c.Kind.String(), counts[0].i, counts[1].i, counts[2].i}
		// The measures of a column share unit and digits, as in its own text.
		m := column{Column: c.Column}
		if m.Kind == Int {
			m.Kind = Float
		}
		var shown []int
		for k, v := range numbers {
			if c.Kind == Int && !v.missing && (measures[k] == "min" || measures[k] == "max") {
				v.f = float64(v.i)
			}
			m.push(v)
			if !v.missing {
				shown = append(shown, k)
			}
		}
		format, unit := m.formatter(shown)
		for k := range measures {
			switch {
			case k >= len(numbers) || m.missing.has(k):
				row = append(row, nil)
			case unit == "":
				row = append(row, format(k))
			default:
				row = append(row, format(k)+" "+unit)
			}
		}
		if err := out.Append(row...); err != nil {
			panic("table: " + err.Error())
		}
	}
	return out
}

// DescribeColumn returns a table of one row with the numbers of [Table.Describe]
// for one column, as values: those of durations are durations. A column of strings
// or bools has counts only.
func (t *Table) DescribeColumn(name string) (*Table, error) {
	i, err := t.find(name)
	if err != nil {
		return nil, t.fail("describe", "%w", err)
	}
	g, err := t.GroupBy()
	if err != nil {
		return nil, err
	}
	var as []Aggregate
	for _, fn := range describing(t.cols[i].Column) {
		label := fn
		if fn == "count" {
			label = "n"
		}
		as = append(as, Aggregate{Name: label, Column: name, Fn: fn})
	}
	return g.Aggregate(as...)
}

// describing lists the folds that describe a column.
func describing(c Column) []string {
	fns := []string{"count", "missing", "distinct"}
	if c.numeric() {
		fns = append(fns, measures...)
	}
	return fns
}

// describe folds column i: the three counts, and the measures of numbers.
func (t *Table) describe(i int) (counts, numbers []cell) {
	rows := make([]int32, t.rows)
	for k := range rows {
		rows[k] = int32(k)
	}
	var s scratch
	for k, fn := range describing(t.cols[i].Column) {
		f, err := t.plan(Aggregate{Name: fn, Column: t.cols[i].Name, Fn: fn})
		if err != nil {
			panic("table: " + err.Error())
		}
		v, err := f.fold(rows, &s)
		if err != nil {
			panic("table: " + err.Error()) // only sums fail
		}
		if k < 3 {
			counts = append(counts, v)
		} else {
			numbers = append(numbers, v)
		}
	}
	return counts, numbers
}
