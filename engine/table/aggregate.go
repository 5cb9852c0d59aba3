package table

import (
	"fmt"
	"strconv"
	"strings"
)

// Aggregate is one column of a table of groups: what becomes of a column's
// values in each group.
type Aggregate struct {
	// Name is that of the new column.
	Name string
	// Column is the column whose values are folded. It is empty for the count of
	// rows.
	Column string
	// Fn is the fold, one of those that [Fold] lists, or a percentile such as
	// "p99" or "p99.9".
	Fn string
}

// Fold is a way to make one value of many.
type Fold struct {
	Name string // as in Aggregate.Fn
	Doc  string // what it gives, and of which kinds
}

// Folds lists the folds. Missing cells are left out of all but missing; a group
// without any value gives 0 for count, missing, distinct and sum, and a missing
// cell for the others. Where a value is NaN, sum, mean, std, min, max and the
// percentiles are NaN.
func Folds() []Fold {
	return []Fold{
		{"count", "the number of values; of the rows, where no column is named"},
		{"missing", "the number of missing cells"},
		{"distinct", "the number of different values"},
		{"sum", "the sum of numbers, exact for ints and durations; of bools how many are true"},
		{"mean", "the arithmetic mean of numbers, rounded to ns for durations; of bools the share that is true"},
		{"std", "the standard deviation of a sample, with divisor n-1; of fewer than two values a missing cell"},
		{"min", "the least value; strings are compared by bytes"},
		{"max", "the largest value"},
		{"median", "the middle value, or the mean of the middle two; the same as p50"},
		{"first", "the first value"},
		{"last", "the last value"},
	}
}

// percentile reads the q of "p99.9".
func percentile(fn string) (q float64, ok bool) {
	digits, ok := strings.CutPrefix(fn, "p")
	if !ok || digits == "" || strings.Trim(digits, "0123456789.") != "" {
		return 0, false
	}
	q, err := strconv.ParseFloat(digits, 64)
	return q, err == nil && q <= 100
}

// foldList words the folds for an error.
func foldList() string {
	var names []string
	for _, f := range Folds() {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ") + ", or a percentile as p99"
}

// fold is an Aggregate that fits its table.
type fold struct {
	Aggregate
	from *column // nil for the count of rows
	q    float64 // of a percentile
	out  column  // the cells of the groups so far
}

// plan checks an aggregate and describes its column. Numbers keep their unit.
func (t *Table) plan(a Aggregate) (fold, error) {
	f := fold{Aggregate: a}
	if a.Column == "" {
		if a.Fn != "count" {
			return f, fmt.Errorf("column %q: %s of no column: only the count of rows needs none", a.Name, a.Fn)
		}
		f.out.Column = Column{Name: a.Name, Kind: Int}
		return f, nil
	}
	i, err := t.find(a.Column)
	if err != nil {
		return f, fmt.Errorf("column %q: %w", a.Name, err)
	}
	f.from = &t.cols[i]
	out := f.from.Column
	out.Name = a.Name
	needsNumbers := true
	switch a.Fn {
	case "count", "missing", "distinct":
		out, needsNumbers = Column{Name: a.Name, Kind: Int}, false
	case "first", "last", "min", "max":
		needsNumbers = false
	case "sum":
		if out.Kind == Bool {
			out, needsNumbers = Column{Name: a.Name, Kind: Int}, false
		}
	case "mean":
		if out.Kind == Bool {
			out, needsNumbers = Column{Name: a.Name, Kind: Float}, false
		}
	case "std":
	case "median":
		f.q = 50
	default:
		var ok bool
		if f.q, ok = percentile(a.Fn); !ok {
			return f, fmt.Errorf("column %q: there is no fold %q: want %s", a.Name, a.Fn, foldList())
		}
		f.Fn = "median" // of another place
	}
	if needsNumbers && !f.from.numeric() {
		return f, fmt.Errorf("column %q: %s of column %q, whose cells are of kind %s: want an int, float or duration column",
			a.Name, a.Fn, a.Column, f.from.Kind)
	}
	if out.Kind == Int && (f.Fn == "mean" || f.Fn == "std" || f.Fn == "median") {
		out.Kind = Float
	}
	f.out.Column = out
	return f, nil
}

// Aggregate returns a table with one row for each group: the key columns, and one
// column for each aggregate. Means, sums, percentiles and the others keep the
// unit of their column, and durations stay durations. A sum of ints or durations
// that does not fit in 64 bits is an error.
func (g *Groups) Aggregate(aggregates ...Aggregate) (*Table, error) {
	if len(aggregates) == 0 {
		return nil, g.t.fail("aggregate", "no columns: want at least one, such as the count of rows")
	}
	folds := make([]fold, len(aggregates))
	for k, a := range aggregates {
		f, err := g.t.plan(a)
		if err != nil {
			return nil, g.t.fail("aggregate", "%w", err)
		}
		folds[k] = f
	}
	var cols []column
	for _, i := range g.keys {
		cols = append(cols, g.t.cols[i].gather(ints(g.first)))
	}
	var s scratch
	for k := range folds {
		f := &folds[k]
		for i := range g.Len() {
			v, err := f.fold(g.members(i), &s)
			if err != nil {
				return nil, g.t.fail("aggregate", "column %q: the %s of column %q in %s %w", f.Name, f.Aggregate.Fn, f.Column, g.label(i), err)
			}
			f.out.push(v)
		}
		cols = append(cols, f.out)
	}
	out, err := assemble(g.t.title, cols, g.Len())
	if err != nil {
		return nil, g.t.fail("aggregate", "%w", err)
	}
	return out, nil
}

func ints(xs []int32) []int {
	out := make([]int, len(xs))
	for i, x := range xs {
		out[i] = int(x)
	}
	return out
}
