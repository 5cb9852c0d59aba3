package bindings

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"schedrepl/engine/metrics"
	"schedrepl/engine/stats"
	"schedrepl/engine/table"
)

// mostPooled is how many samples a repeat keeps, over all its fields and runs.
// They take 80 MB. A histogram counts as what takes as much memory.
const mostPooled = 10_000_000

const bytesPerSample = 8

// pool is what a repeat knows of the samples, or of the histograms, of one field.
type pool struct {
	hists bool   // They are histograms.
	some  bool   // One of them at least holds a value, so that the unit is known.
	field string // The name of the leaf.
	title string // What the samples measure.
	unit  string
	held  int      // Values that are kept.
	full  bool     // There were too many to keep.
	rows  []*drawn // What each row of the table has; nil for nothing.
}

// word names what the pool holds.
func (p *pool) word() string {
	if p.hists {
		return "histograms"
	}
	return "samples"
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

// keep notes the samples or the histogram of leaf i of a run, and their values
// while there are not too many.
func (r *results) keep(i int, l leaf) *drawn {
	if r.pools[i] == nil {
		r.pools[i] = &pool{field: l.name, hists: l.hist != nil}
	}
	p, d := r.pools[i], &drawn{cells: l.summary}
	if unit, n := l.unit(); !p.some {
		p.some = n > 0
		if p.unit == "" {
			p.unit = unit
		}
	}
	size, title := 0, ""
	if l.hist != nil {
		d.hist, title = l.hist, l.hist.Name
		size = l.hist.H.Bytes() / bytesPerSample
	} else {
		d.values, title = slices.Clip(l.samples.S.Values), l.samples.S.Name
		size = len(d.values)
	}
	if p.title == "" {
		p.title = title
	}
	if p.full {
		d.values, d.hist = nil, nil
		return d
	}
	p.held += size
	if r.held += size; r.held > r.most {
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
				d.values, d.hist = nil, nil
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
				d, _ := row.values[i].(*drawn)
				q.rows = append(q.rows, d)
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
		return nil, fmt.Errorf("name is missing: the runs returned %s for %s", ps.word(), quoteList(names))
	case name == "":
		return ps.fields[0], nil
	case i < 0:
		return nil, fmt.Errorf("the runs returned no samples for %s%s; there are %s", quoteShort(name), didYouMean(name, names), quoteList(names))
	default:
		return ps.fields[i], nil
	}
}

// word names what the pools hold.
func (ps *pools) word() string {
	word := ps.fields[0].word()
	for _, p := range ps.fields {
		if p.word() != word {
			return "samples and histograms"
		}
	}
	return word
}

// A choice is a pool, and what the rows of a table have of it.
type choice struct {
	pool  *pool
	split bool                // By columns, else all rows have the empty label.
	parts map[string][]*drawn // By the label of the rows.
	order []string            // The labels as they first appear.
}

// chosen reads the arguments name and by.
func chosen(c *Call) (*choice, error) {
	v := c.Recv.(*tableValue)
	if v.pools == nil {
		return nil, errors.New("there are no samples behind this table: repeat keeps those that its function returns, as {\"wait\": m.waits(t)}")
	}
	p, err := v.pools.field(c.Str("name"))
	if err != nil {
		return nil, err
	}
	if p.full {
		return nil, fmt.Errorf("there were more than %d samples to keep, and those of %s, which were most, were dropped: use the columns %s, fewer seeds, or return a measure or a histogram of them, as m.histogram gives it",
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
	out := &choice{pool: p, split: len(by) > 0, parts: map[string][]*drawn{}}
	for i := range v.Len() {
		at, ok := v.pools.row[v.pools.key(v, i)]
		if !ok {
			continue // A row that repeat did not make.
		}
		label := v.label(by, i)
		if _, ok := out.parts[label]; !ok {
			out.order, out.parts[label] = append(out.order, label), nil
		}
		if d := p.rows[at]; d != nil {
			out.parts[label] = append(out.parts[label], d)
		}
	}
	return out, nil
}

// value is what a function makes of all rows or, with by, a dict of what it
// makes of those with one label.
func (ch *choice) value(of func([]*drawn) (starlark.Value, error)) (starlark.Value, error) {
	if !ch.split {
		return of(ch.parts[""])
	}
	out := starlark.NewDict(len(ch.order))
	for _, label := range ch.order {
		x, err := of(ch.parts[label])
		if err != nil {
			return nil, err
		}
		if err := out.SetKey(starlark.String(label), x); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// pooledSamples is table.samples.
func pooledSamples(c *Call) (starlark.Value, error) {
	ch, err := chosen(c)
	if err != nil {
		return nil, err
	}
	p := ch.pool
	if p.hists {
		return nil, fmt.Errorf("the runs returned histograms for %s, which keep no samples: ask for their sum, as t.histogram(%q)", p.field, p.field)
	}
	return ch.value(func(ds []*drawn) (starlark.Value, error) {
		var values []float64
		for _, d := range ds {
			values = append(values, d.values...)
		}
		return newSamples(metrics.Samples{Name: p.title, Unit: p.unit, Values: values}), nil
	})
}

// pooledHistogram is table.histogram.
func pooledHistogram(c *Call) (starlark.Value, error) {
	ch, err := chosen(c)
	if err != nil {
		return nil, err
	}
	return ch.value(func(ds []*drawn) (starlark.Value, error) {
		h := &stats.LogLinear{}
		for _, d := range ds {
			if d.hist != nil {
				h.Merge(d.hist.H)
			} else if err := h.AddAll(d.values); err != nil {
				return nil, plainError(err)
			}
		}
		return newHistogram(h, ch.pool.title, ch.pool.unit), nil
	})
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

func pooledBuiltins() []Builtin {
	name := Param{Name: "name", Type: "string", Default: `""`, Doc: "The field that the runs returned; it may be left out where only one holds samples or histograms."}
	by := func(of string) Param {
		return Param{Name: "by", Type: "string | list of string", Default: `""`, Doc: "A column, or several: the result is then a dict of " + of + ". Its keys are the texts of a column, and for other values \"column=value\"."}
	}
	return []Builtin{
		{
			Recv: "table", Name: "samples",
			Params: []Param{name, by("samples, as plot.cdf takes it")},
			Result: "samples | dict",
			Doc: "The samples that the runs of repeat returned, of all rows of this table together, in the order of the rows. " +
				"where, sort, head and slices choose whose; the columns seed and those of varied arguments tell them apart and must be there. " +
				"The moments and tasks of the samples are not kept, and no more than 10 million samples in all: the field that has most is then dropped, and asking for it is an error.",
			Example: "def run(seed, slow):\n    return {\"wait\": stats.samples([seed * ms, seed * 2 * ms])}\n\n" +
				"r = repeat(run, seeds = 3, vary = {\"slow\": [False, True]})\n" +
				"print(r.samples(\"wait\").n)  # 12\n" +
				"print(r.samples(\"wait\", by = \"slow\")[\"slow=True\"].values)  # [1ms, 2ms, 2ms, 4ms, 3ms, 6ms]",
			Impl: pooledSamples,
		},
		{
			Recv: "table", Name: "histogram",
			Params: []Param{name, by("histograms")},
			Result: "histogram | dict",
			Doc: "The sum of the histograms that the runs of repeat returned, of all rows of this table together; samples that they returned are counted. " +
				"Rows are chosen as for t.samples. A histogram takes some KiB however much it has counted, so that runs may measure what samples have no room for.",
			Example: "def run(seed, slow):\n    return {\"wait\": stats.histogram([seed * ms, seed * 2 * ms])}\n\n" +
				"r = repeat(run, seeds = 3, vary = {\"slow\": [False, True]})\n" +
				"print(r.histogram(\"wait\").n)  # 12\n" +
				"print(r.histogram(\"wait\", by = \"slow\")[\"slow=True\"].max)  # 6ms",
			Impl: pooledHistogram,
		},
	}
}
