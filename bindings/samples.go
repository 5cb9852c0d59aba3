package bindings

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"schedrepl/engine/event"
	"schedrepl/engine/metrics"
	"schedrepl/engine/rng"
	"schedrepl/engine/stats"
	"schedrepl/engine/table"
)

// samplesValue is a measure that was taken many times, as a script holds it.
// It is immutable, and a sequence of its values.
type samplesValue struct {
	Object
	S metrics.Samples
}

var _ starlark.Indexable = (*samplesValue)(nil)

// newSamples wraps samples. At and PID may be nil where there is no such thing.
func newSamples(s metrics.Samples) *samplesValue {
	v := &samplesValue{S: s}
	v.Init("samples", v)
	return v
}

// String shows the number of samples and what they are like.
func (v *samplesValue) String() string {
	b := &strings.Builder{}
	if v.S.Name != "" {
		b.WriteString(v.S.Name + ": ")
	}
	fmt.Fprintf(b, "n %d", v.Len())
	if v.Len() == 0 {
		return b.String()
	}
	sum, err := v.S.Summary()
	if err != nil {
		return b.String()
	}
	for _, f := range []struct {
		name string
		x    float64
	}{{"mean", sum.Mean}, {"median", sum.P50}, {"p99", sum.P99}, {"max", sum.Max}} {
		fmt.Fprintf(b, ", %s %s", f.name, shortText(f.x, v.S.Unit))
	}
	return b.String()
}

// Truth is false if there is no sample.
func (v *samplesValue) Truth() starlark.Bool { return v.Len() > 0 }

// Len is the number of samples.
func (v *samplesValue) Len() int { return v.S.Len() }

// Index is the value of a sample. A float64 of nanoseconds is a whole number
// that fits.
func (v *samplesValue) Index(i int) starlark.Value {
	if v.S.Unit == "ns" {
		return Duration(v.S.Values[i])
	}
	return starlark.Float(v.S.Values[i])
}

// Iterate goes through the values.
func (v *samplesValue) Iterate() starlark.Iterator { return &indexIterator{v: v} }

// indexIterator goes through a sequence by its index.
type indexIterator struct {
	v starlark.Indexable
	i int
}

func (it *indexIterator) Next(p *starlark.Value) bool {
	if it.i >= it.v.Len() {
		return false
	}
	*p = it.v.Index(it.i)
	it.i++
	return true
}

func (it *indexIterator) Done() {}

// CompareSameType compares the values.
func (v *samplesValue) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	if op != syntax.EQL && op != syntax.NEQ {
		return false, errors.New("samples have no order: compare a measure, as a.mean < b.mean")
	}
	w := y.(*samplesValue)
	equal := v.Len() == w.Len() && v.S.Unit == w.S.Unit
	for i := 0; equal && i < v.Len(); i++ {
		equal = v.S.Values[i] == w.S.Values[i]
	}
	return equal == (op == syntax.EQL), nil
}

// measure is the entry of an attribute that is one number of the samples.
func measure(name, doc, shows string, get func([]float64) (float64, error)) Builtin {
	return Builtin{
		Recv: "samples", Name: name, Attr: true, Result: "duration | float", Doc: doc,
		Example: "print(s." + name + ")  # " + shows,
		Impl: func(c *Call) (starlark.Value, error) {
			v := c.Recv.(*samplesValue)
			x, err := get(v.S.Values)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, v.tooFew(err))
			}
			return quantityOf(x, v.S.Unit)
		},
	}
}

// tooFew words the error of a statistic of too few samples.
func (v *samplesValue) tooFew(err error) error {
	if !errors.Is(err, stats.ErrTooFew) {
		return plainError(err)
	}
	what := "samples"
	if v.S.Name != "" {
		what = v.S.Name + " samples"
	}
	if v.Len() == 0 {
		return fmt.Errorf("there are no %s: look at n first, or measure longer", what)
	}
	return fmt.Errorf("there are too few %s, only %d", what, v.Len())
}

// threshold is the argument of above, in the unit of the samples.
func (v *samplesValue) threshold(x starlark.Value) (float64, error) {
	if v.S.Unit == "ns" {
		d, err := toDuration(x)
		if err == ErrType {
			err = fmt.Errorf("must be a duration, as 5 * ms, not %s", describe(x))
		}
		return float64(d), err
	}
	f, err := toFloat(nil, x)
	if err == ErrType {
		err = fmt.Errorf("must be a number, not %s", describe(x))
	}
	n, _ := f.(float64)
	return n, err
}

// above are the samples that are larger than x.
func (v *samplesValue) above(x float64) *samplesValue {
	out := metrics.Samples{Name: v.S.Name, Unit: v.S.Unit}
	for i, y := range v.S.Values {
		if y <= x {
			continue
		}
		out.Values = append(out.Values, y)
		if v.S.At != nil {
			out.At = append(out.At, v.S.At[i])
		}
		if v.S.PID != nil {
			out.PID = append(out.PID, v.S.PID[i])
		}
	}
	return newSamples(out)
}

// bootstrapMost is the number of values up to which an interval of the mean is
// found by redrawing. Beyond it the mean is normal for all that one can see,
// and Student's t gives the same interval at once.
const bootstrapMost = 10_000

// meanInterval is the interval of the mean, by bootstrap.
func meanInterval(s *Session, xs []float64, name string, level float64) (lo, hi float64, err error) {
	if len(xs) > bootstrapMost {
		return stats.MeanInterval(xs, level)
	}
	return stats.Bootstrap(xs, stats.MeanOf, 2000, level, bootstrapStream(s, name))
}

// bootstrapStream is the stream of a bootstrap: the same for the same session
// and name, whatever was drawn before.
func bootstrapStream(s *Session, name string) *rng.Stream {
	seed := uint64(1)
	if s != nil {
		seed = s.Seed()
	}
	st := rng.NewStream(rng.Seed(seed).Named("bootstrap").Named(name))
	return &st
}

// column describes a column of values of the samples.
func (v *samplesValue) column(name string) table.Column { return unitColumn(name, v.S.Unit) }

// cells are values for such a column.
func (v *samplesValue) cells(xs ...float64) []any { return unitCells(v.S.Unit, xs...) }

// unitColumn describes a column of values of a unit.
func unitColumn(name, unit string) table.Column {
	if unit == "ns" {
		return table.Column{Name: name, Kind: table.Duration}
	}
	return table.Column{Name: name, Kind: table.Float, Unit: unit}
}

// unitCells are values for such a column; a NaN is a missing one.
func unitCells(unit string, xs ...float64) []any {
	var out []any
	for _, x := range xs {
		switch {
		case math.IsNaN(x) || math.IsInf(x, 0):
			out = append(out, nil)
		case unit == "ns":
			n, _ := round64(x)
			out = append(out, time.Duration(n))
		default:
			out = append(out, x)
		}
	}
	return out
}

// describe is a table with the usual numbers in one row.
func (v *samplesValue) describe() *table.Table {
	cols := []table.Column{{Name: "samples", Kind: table.String}, {Name: "n", Kind: table.Int}}
	for _, name := range []string{"mean", "std", "min", "p50", "p90", "p95", "p99", "max"} {
		cols = append(cols, v.column(name))
	}
	t := table.MustNew("", cols...)
	row := []any{v.S.Name, v.Len()}
	if s, err := v.S.Summary(); err == nil {
		row = append(row, v.cells(s.Mean, s.Std, s.Min, s.P50, s.P90, s.P95, s.P99, s.Max)...)
	} else {
		row = append(row, make([]any, 8)...)
	}
	mustAppend(t, row...)
	return t
}

// asTable lists the samples one by one.
func (v *samplesValue) asTable() *table.Table {
	var cols []table.Column
	if v.S.At != nil {
		cols = append(cols, table.Column{Name: "at", Kind: table.Duration, Unit: "s", Digits: 6})
	}
	if v.S.PID != nil {
		cols = append(cols, table.Column{Name: "pid", Kind: table.Int})
	}
	t := table.MustNew(v.S.Name, append(cols, v.column("value"))...)
	for i, x := range v.S.Values {
		var row []any
		if v.S.At != nil {
			row = append(row, time.Duration(v.S.At[i]))
		}
		if v.S.PID != nil {
			row = append(row, v.S.PID[i])
		}
		mustAppend(t, append(row, v.cells(x)...)...)
	}
	return t
}

// cdfTable lists the corners of the empirical distribution.
func (v *samplesValue) cdfTable() (*table.Table, error) {
	x, p, err := stats.CDF(v.S.Values)
	if err != nil {
		return nil, v.tooFew(err)
	}
	t := table.MustNew("distribution of "+v.title(), v.column("value"), table.Column{Name: "share", Unit: "%", Kind: table.Float})
	for i := range x {
		mustAppend(t, append(v.cells(x[i]), 100*p[i])...)
	}
	return t, nil
}

func (v *samplesValue) title() string {
	if v.S.Name == "" {
		return "samples"
	}
	return v.S.Name
}

// histTable counts the samples by bins.
func (v *samplesValue) histTable(bins int, log bool) (*table.Table, error) {
	count := stats.Histogram
	if log {
		count = stats.LogHistogram
	}
	h, err := count(v.S.Values, bins)
	if err != nil {
		return nil, v.tooFew(err)
	}
	t := table.MustNew("histogram of "+v.title(), v.column("from"), v.column("to"),
		table.Column{Name: "count", Kind: table.Int}, table.Column{Name: "share", Unit: "%", Kind: table.Float})
	add := func(from, to float64, n int) {
		mustAppend(t, append(v.cells(from, to), n, 100*float64(n)/float64(v.Len()))...)
	}
	if h.Under > 0 {
		add(math.NaN(), h.Edges[0], h.Under)
	}
	for i, n := range h.Counts {
		add(h.Edges[i], h.Edges[i+1], n)
	}
	return t, nil
}

// samplesOf makes samples of a list of a script.
func samplesOf(c *Call) (starlark.Value, error) {
	xs, unit, err := valuesWithUnit(c)
	if err != nil {
		return nil, err
	}
	return newSamples(metrics.Samples{Name: c.Str("name"), Unit: unit, Values: append([]float64(nil), xs...)}), nil
}

// valuesWithUnit reads the parameters values and unit.
func valuesWithUnit(c *Call) ([]float64, string, error) {
	xs, unit, err := numbersOf(c.Value("values"))
	if err != nil {
		return nil, "", fmt.Errorf("values %w", err)
	}
	switch {
	case unit != "" && c.Str("unit") != "":
		return nil, "", fmt.Errorf("unit is for bare numbers: the values are in %s already", unit)
	case contains(timeUnits, c.Str("unit")):
		return nil, "", fmt.Errorf("unit must not be a time: give the values as durations, as [x * %s for x in list]", scriptUnit(c.Str("unit")))
	case unit == "":
		unit = c.Str("unit")
	}
	return xs, unit, nil
}

// instants lists moments as times since boot.
func instants(list []event.Time) starlark.Value {
	out := make([]starlark.Value, len(list))
	for i, t := range list {
		out[i] = Duration(t)
	}
	return starlark.NewList(out)
}
