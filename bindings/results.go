package bindings

import (
	"errors"
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"schedrepl/engine/table"
)

// A leaf is one value that a run has returned, under the name of its column:
// for a field within another, both names with a _ between.
type leaf struct {
	name    string
	v       starlark.Value
	samples *samplesValue   // Not nil for samples.
	hist    *histogramValue // Not nil for a histogram.
	summary []any           // The cells of samples or of a histogram.
}

// pooled tells whether the leaf is samples or a histogram, which make several
// columns and are kept behind the table.
func (l *leaf) pooled() bool { return l.samples != nil || l.hist != nil }

// unit is that of samples or of a histogram, and n the number of their values.
func (l *leaf) unit() (unit string, n int64) {
	if l.hist != nil {
		return l.hist.Unit, l.hist.H.N()
	}
	return l.samples.S.Unit, int64(l.samples.Len())
}

// drawn is what a row keeps of samples or of a histogram.
type drawn struct {
	cells  []any
	values []float64       // nil once there are too many.
	hist   *histogramValue // The same.
}

// mostNestedFields bounds structs within each other.
const mostNestedFields = 16

// leavesOf lays out what a run has returned. It also sums up samples, so that
// this is done beside other runs.
func leavesOf(v starlark.Value) ([]leaf, error) {
	if v == starlark.None {
		return nil, errors.New("it returned None: return a number, a duration, samples, a histogram, or a dict or struct of these")
	}
	var out []leaf
	if _, ok := fieldNames(v); !ok {
		return appendLeaf(nil, "value", v)
	}
	out, err := appendFields(out, "", v, 1)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, l := range out {
		names := []string{l.name}
		if l.pooled() {
			names = sampleColumns(l.name)
		}
		for _, name := range names {
			if seen[name] {
				return nil, fmt.Errorf("it returned two values for the column %s: fields within others are joined by a _, and samples make the columns %s", name, quoteList(sampleColumns("x")))
			}
			seen[name] = true
		}
	}
	return out, nil
}

// appendFields lays out the fields of a dict or struct.
func appendFields(out []leaf, prefix string, v starlark.Value, depth int) ([]leaf, error) {
	if depth > mostNestedFields {
		return nil, fmt.Errorf("it returned dicts in each other more than %d deep: does one hold itself?", mostNestedFields)
	}
	names, _ := fieldNames(v)
	for _, f := range names {
		name, ok := starlark.AsString(f)
		if !ok {
			return nil, fmt.Errorf("it returned a dict with the key %v: keys must be names", f)
		}
		if name == "" {
			return nil, errors.New("it returned a dict with an empty key: keys must be names")
		}
		if name == "seed" && prefix == "" {
			continue // It is there already.
		}
		x := fieldOf(v, name)
		var err error
		if _, ok := fieldNames(x); ok {
			out, err = appendFields(out, prefix+name+"_", x, depth+1)
		} else {
			out, err = appendLeaf(out, prefix+name, x)
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

func appendLeaf(out []leaf, name string, v starlark.Value) ([]leaf, error) {
	l := leaf{name: name, v: v, summary: make([]any, len(sampleMeasures))}
	switch v := v.(type) {
	case *samplesValue:
		l.samples = v
		l.summary[0] = v.Len()
		if v.Len() == 0 {
			break
		}
		sum, err := v.S.Summary()
		if err != nil {
			return nil, fmt.Errorf("its samples %s: %w", name, plainError(err))
		}
		copy(l.summary[1:], v.cells(sum.Mean, sum.P50, sum.P99, sum.Max))
	case *histogramValue:
		l.hist = v
		l.summary[0] = v.H.N()
		if v.H.N() == 0 {
			break
		}
		mean, err := v.H.Mean()
		if err != nil {
			return nil, fmt.Errorf("its histogram %s: %w", name, plainError(err))
		}
		qs, err := v.H.Quantiles(0.5, 0.99, 1)
		if err != nil {
			return nil, fmt.Errorf("its histogram %s: %w", name, plainError(err))
		}
		copy(l.summary[1:], unitCells(v.Unit, append([]float64{mean}, qs...)...))
	case *starlark.List, starlark.Tuple:
		return nil, fmt.Errorf("it returned a %s for %s: make samples of it, as stats.samples(values), or return one number", v.Type(), name)
	default:
		l.summary = nil
	}
	return append(out, l), nil
}

// sampleMeasures are the ends of the names of the columns that samples make.
var sampleMeasures = []string{"n", "mean", "p50", "p99", "max"}

func sampleColumns(name string) []string {
	var out []string
	for _, m := range sampleMeasures {
		out = append(out, name+"_"+m)
	}
	return out
}

// results collect what the runs of a repeat return.
type results struct {
	title string
	grid  *grid
	keys  []table.Column // The varied arguments and the seed.
	names []string       // Of the leaves of the first run.
	cols  []table.Column // One for each leaf.
	pools []*pool        // Of the leaves that are samples or histograms, else nil.
	cells [][]runRow     // By the cell of the grid, in the order of the seeds.
	done  int
	held  int // Samples that are kept,
	most  int // and how many may be.
}

// runRow is the row of one run.
type runRow struct {
	keys   []any
	values []any // nil where a leaf is missing; *drawn for samples and histograms.
}

// alike tells whether two runs have returned the same; of samples and
// histograms the columns that they make are compared.
func (a runRow) alike(b runRow) bool {
	return slices.EqualFunc(a.values, b.values, func(x, y any) bool {
		d, ok := x.(*drawn)
		e, too := y.(*drawn)
		if ok && too {
			return slices.Equal(d.cells, e.cells)
		}
		return ok == too && x == y
	})
}

func newResults(title string, g *grid, cells int) *results {
	r := &results{title: title, grid: g, most: mostPooled, cells: make([][]runRow, cells)}
	for _, a := range g.axes {
		r.keys = append(r.keys, table.Column{Name: a.name})
	}
	r.keys = append(r.keys, table.Column{Name: "seed"})
	return r
}

// add notes what a run has returned.
func (r *results) add(cell int, seed uint64, leaves []leaf) error {
	labels := r.grid.labels(cell)
	leaves, err := r.withoutKeys(cell, labels, leaves)
	if err != nil {
		return err
	}
	if r.done == 0 {
		for _, l := range leaves {
			r.names = append(r.names, l.name)
			r.cols = append(r.cols, table.Column{Name: l.name})
			r.pools = append(r.pools, nil)
		}
	} else if err := r.sameNames(leaves); err != nil {
		return err
	}
	row := runRow{}
	for i, v := range append(labels, starlark.MakeUint64(seed)) {
		x, err := tableCell(&r.keys[i], v)
		if err != nil {
			return fmt.Errorf("column %s %w", r.keys[i].Name, err)
		}
		row.keys = append(row.keys, x)
	}
	for i, l := range leaves {
		x, err := r.value(i, l)
		if err != nil {
			return err
		}
		row.values = append(row.values, x)
	}
	r.cells[cell] = append(r.cells[cell], row)
	r.done++
	return nil
}

// withoutKeys drops fields that only say what the arguments were, and refuses
// those that say something else.
func (r *results) withoutKeys(cell int, labels []starlark.Value, leaves []leaf) ([]leaf, error) {
	out := make([]leaf, 0, len(leaves))
	for _, l := range leaves {
		i := slices.IndexFunc(r.grid.axes, func(a axis) bool { return a.name == l.name })
		if i < 0 {
			out = append(out, l)
			continue
		}
		value := r.grid.axes[i].values[r.grid.at(cell)[i]]
		if eq, err := starlark.Equal(l.v, labels[i]); err == nil && eq {
			continue
		}
		if eq, err := starlark.Equal(l.v, value); err == nil && eq {
			continue
		}
		return nil, fmt.Errorf("it returned another %s than the one that vary gave it: %s is a column already, so give the result another name", l.name, l.name)
	}
	return out, nil
}

// sameNames fails if a run returns other fields than the first one.
func (r *results) sameNames(leaves []leaf) error {
	var names []string
	for _, l := range leaves {
		names = append(names, l.name)
	}
	switch {
	case slices.Equal(names, r.names):
		return nil
	case len(names) != len(r.names):
		return fmt.Errorf("it returned %s, and the first run %s: return the same each time, and None for what is missing", quoteList(names), quoteList(r.names))
	}
	return fmt.Errorf("it returned %s, and the first run %s: return the same each time, in the same order", quoteList(names), quoteList(r.names))
}

// value makes a cell, or cells of samples, of leaf i.
func (r *results) value(i int, l leaf) (any, error) {
	p := r.pools[i]
	if l.pooled() {
		unit, n := l.unit()
		switch {
		case p == nil && r.cols[i].Kind != 0:
			return nil, fmt.Errorf("column %s must hold values of one type, not %s after values of type %s", l.name, l.v.Type(), r.cols[i].Kind)
		case p == nil:
		case p.hists != (l.hist != nil):
			return nil, fmt.Errorf("column %s must hold values of one type, not %s after %s", l.name, l.v.Type(), p.word())
		case n == 0 && unit == "" || !p.some && p.unit == "":
		case p.unit != unit:
			return nil, fmt.Errorf("column %s must hold %s of one unit, not %q after %q", l.name, p.word(), unit, p.unit)
		}
		return r.keep(i, l), nil
	}
	if p != nil && l.v != starlark.None {
		return nil, fmt.Errorf("column %s must hold values of one type, not %s after %s", l.name, describe(l.v), p.word())
	}
	x, err := tableCell(&r.cols[i], l.v)
	if err != nil {
		return nil, fmt.Errorf("column %s %w", l.name, err)
	}
	return x, nil
}

// blind tells whether the seed was of no consequence: each variant has run with
// several, and has returned the same with all of them.
func (r *results) blind() bool {
	for _, rows := range r.cells {
		for _, row := range rows {
			if len(rows) < 2 || len(row.values) == 0 || !row.alike(rows[0]) {
				return false
			}
		}
	}
	return len(r.names) > 0
}

// table is what there is so far: a row for each run, in the order of the grid
// and then of the seeds.
func (r *results) table() (*tableValue, error) {
	cols := slices.Clone(r.keys)
	for i, c := range r.cols {
		if p := r.pools[i]; p != nil {
			cols = append(cols, p.columns()...)
			continue
		}
		if c.Kind == 0 { // There is no value in it.
			c.Kind = table.Float
		}
		cols = append(cols, c)
	}
	t, err := table.New(r.title, cols...)
	if err != nil {
		return nil, plainError(err)
	}
	for _, runs := range r.cells {
		for _, row := range runs {
			cells := slices.Clone(row.keys)
			for i, x := range row.values {
				if d, ok := x.(*drawn); ok {
					cells = append(cells, d.cells...)
				} else if r.pools[i] != nil {
					cells = append(cells, make([]any, len(sampleMeasures))...)
				} else {
					cells = append(cells, x)
				}
			}
			if err := t.Append(cells...); err != nil {
				return nil, plainError(err)
			}
		}
	}
	v := newTable(t)
	v.pools = r.pooled(v)
	return v, nil
}
