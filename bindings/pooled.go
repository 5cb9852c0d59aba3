package bindings

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"schedrepl/engine/metrics"
	"schedrepl/engine/table"
)

// mostPooled is how many samples a repeat keeps, over all its fields and runs.
// They take 80 MB.
const mostPooled = 10_000_000

// pool is what a repeat knows of the samples of one field.
type pool struct {
	field string // The name of the leaf.
	title string // What the samples measure.
	unit  string
	held  int  // Values that are kept.
	full  bool // There were too many to keep.
	rows  [][]float64
}

// columns describe the columns of the measures.
func (p *pool) columns() []table.Column {
	s := newSamples(metrics.Samples{Unit: p.unit})
	var out []table.Column
	for i, name := range sampleColumns(p.field) {
		if i == 0 {
			out = append(out, table.Column{Name: name, Kind: table.Int})
		} else {
			out = append(out, s.column(name))
		}
	}
	return out
}

// keep notes the samples of leaf i of a run, and their values while there are
// not too many.
func (r *results) keep(i int, l leaf) *drawn {
	s := l.samples.S
	if r.pools[i] == nil {
		r.pools[i] = &pool{field: l.name, title: s.Name, unit: s.Unit}
	}
	p, d := r.pools[i], &drawn{cells: l.summary}
	if p.full {
		return d
	}
	d.values = slices.Clip(s.Values)
	p.held += len(s.Values)
	if r.held += len(s.Values); r.held > r.most {
		r.dropLargest()
	}
	return d
}

// dropLargest forgets the samples of the leaf that has most, so that others
// have room.
func (r *results) dropLargest() {
	most := -1
	for i, p := range r.pools {
		if p != nil && (most < 0 || p.held > r.pools[most].held) {
			most = i
		}
	}
	p := r.pools[most]
	r.held -= p.held
	p.held, p.full = 0, true
	for _, rows := range r.cells {
		for _, row := range rows {
			if d, ok := row.values[most].(*drawn); ok {
				d.values = nil
			}
		}
	}
}

// pools are the samples behind a table that repeat made. Tables that are made
// of it share them, and find theirs by the columns that name a run.
type pools struct {
	keys   []string // The varied arguments and the seed.
	row    map[string]int
	fields []*pool
}

// pooled are the samples behind v, which holds all that there is; nil if there
// are none.
func (r *results) pooled(v *tableValue) *pools {
	ps := &pools{row: map[string]int{}}
	for i, p := range r.pools {
		if p == nil {
			continue
		}
		q := *p
		for _, rows := range r.cells {
			for _, row := range rows {
				if d, ok := row.values[i].(*drawn); ok {
					q.rows = append(q.rows, d.values)
				} else {
					q.rows = append(q.rows, nil)
				}
			}
		}
		ps.fields = append(ps.fields, &q)
	}
	if ps.fields == nil {
		return nil
	}
	for _, c := range r.keys {
		ps.keys = append(ps.keys, c.Name)
	}
	for i := range v.Len() {
		ps.row[ps.key(v, i)] = i
	}
	return ps
}

// key names the run of a row of v, which has the key columns.
func (ps *pools) key(v *tableValue, i int) string {
	b := &strings.Builder{}
	for _, name := range ps.keys {
		x, err := v.T.Value(i, name)
		if err != nil {
			panic("sched: " + err.Error())
		}
		fmt.Fprintf(b, "%v\x00", x)
	}
	return b.String()
}

// field is the pool of a name; "" stands for the only one.
func (ps *pools) field(name string) (*pool, error) {
	var names []string
	for _, p := range ps.fields {
		names = append(names, p.field)
	}
	switch i := slices.Index(names, name); {
	case name == "" && len(names) > 1:
		return nil, fmt.Errorf("name is missing: the runs returned samples for %s", quoteList(names))
	case name == "":
		return ps.fields[0], nil
	case i < 0:
		return nil, fmt.Errorf("the runs returned no samples for %s%s; there are %s", quoteShort(name), didYouMean(name, names), quoteList(names))
	default:
		return ps.fields[i], nil
	}
}

// pooledSamples is table.samples.
func pooledSamples(c *Call) (starlark.Value, error) {
	v := c.Recv.(*tableValue)
	if v.pools == nil {
		return nil, errors.New("there are no samples behind this table: repeat keeps those that its function returns, as {\"wait\": m.waits(t)}")
	}
	p, err := v.pools.field(c.Str("name"))
	if err != nil {
		return nil, err
	}
	if p.full {
		return nil, fmt.Errorf("there were more than %d samples to keep, and those of %s, which were most, were dropped: use the columns %s, fewer seeds, or return a measure or a histogram of them",
			mostPooled, p.field, strings.Join(sampleColumns(p.field), ", "))
	}
	for _, k := range v.pools.keys {
		if !contains(v.names(), k) {
			return nil, fmt.Errorf("the table has lost the column %s, which tells whose samples are meant: keep the columns %s", k, strings.Join(v.pools.keys, ", "))
		}
	}
	by := ArgList[string](c, "by")
	if name := c.Str("by"); name != "" {
		by = []string{name}
	}
	for _, name := range by {
		if err := v.known(name); err != nil {
			return nil, fmt.Errorf("by: %w", err)
		}
	}
	parts, order := map[string][]float64{}, []string{}
	for i := range v.Len() {
		at, ok := v.pools.row[v.pools.key(v, i)]
		if !ok {
			continue // A row that repeat did not make.
		}
		label := v.label(by, i)
		if _, ok := parts[label]; !ok {
			order = append(order, label)
		}
		parts[label] = append(parts[label], p.rows[at]...)
	}
	samples := func(label string) *samplesValue {
		return newSamples(metrics.Samples{Name: p.title, Unit: p.unit, Values: parts[label]})
	}
	if len(by) == 0 {
		return samples(""), nil
	}
	out := starlark.NewDict(len(order))
	for _, label := range order {
		if err := out.SetKey(starlark.String(label), samples(label)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// label names the rows that have the values of row i in some columns: a text
// stands as it is, other values follow the name of their column.
func (v *tableValue) label(by []string, i int) string {
	var out []string
	for _, name := range by {
		x, err := v.T.Value(i, name)
		if err != nil {
			panic("sched: " + err.Error())
		}
		if s, ok := x.(string); ok {
			out = append(out, s)
		} else {
			out = append(out, name+"="+cellOf(x).String())
		}
	}
	return strings.Join(out, ", ")
}

func pooledBuiltin() Builtin {
	return Builtin{
		Recv: "table", Name: "samples",
		Params: []Param{
			{Name: "name", Type: "string", Default: `""`, Doc: "The field that the runs returned; it may be left out where only one holds samples."},
			{Name: "by", Type: "string | list of string", Default: `""`, Doc: "A column, or several: the result is then a dict of samples, as plot.cdf takes it. Its keys are the texts of a column, and for other values \"column=value\"."},
		},
		Result: "samples | dict",
		Doc: "The samples that the runs of repeat returned, of all rows of this table together, in the order of the rows. " +
			"where, sort, head and slices choose whose; the columns seed and those of varied arguments tell them apart and must be there. " +
			"The moments and tasks of the samples are not kept, and no more than 10 million samples in all: the field that has most is then dropped, and asking for it is an error.",
		Example: "def run(seed, slow):\n    return {\"wait\": stats.samples([seed * ms, seed * 2 * ms])}\n\n" +
			"r = repeat(run, seeds = 3, vary = {\"slow\": [False, True]})\n" +
			"print(r.samples(\"wait\").n)  # 12\n" +
			"print(r.samples(\"wait\", by = \"slow\")[\"slow=True\"].values)  # [1ms, 2ms, 2ms, 4ms, 3ms, 6ms]",
		Impl: pooledSamples,
	}
}
