package bindings

import (
	"errors"
	"fmt"
	"math"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"schedrepl/engine/metrics"
	"schedrepl/engine/stats"
	"schedrepl/engine/table"
)

// histogramValue is a measure that was counted in bounded memory, as a script
// holds it. It is immutable.
type histogramValue struct {
	Object
	H    *stats.LogLinear
	Name string
	Unit string // "ns" for durations
}

var _ starlark.HasBinary = (*histogramValue)(nil)

// newHistogram wraps a histogram, which nobody changes from then on.
func newHistogram(h *stats.LogLinear, name, unit string) *histogramValue {
	v := &histogramValue{H: h, Name: name, Unit: unit}
	v.Init("histogram", v)
	return v
}

// String shows the number of values and what they are like.
func (v *histogramValue) String() string {
	head := ""
	if v.Name != "" {
		head = v.Name + ": "
	}
	text := fmt.Sprintf("%sn %d", head, v.H.N())
	if v.H.N() == 0 {
		return text
	}
	mean, err := v.H.Mean()
	qs, err2 := v.H.Quantiles(0.5, 0.99, 1)
	if err != nil || err2 != nil {
		return text
	}
	return fmt.Sprintf("%s, mean %s, median %s, p99 %s, max %s", text,
		shortText(mean, v.Unit), shortText(qs[0], v.Unit), shortText(qs[1], v.Unit), shortText(qs[2], v.Unit))
}

// Truth is false if nothing was counted.
func (v *histogramValue) Truth() starlark.Bool { return v.H.N() > 0 }

// Binary is + of two histograms, or of one and samples.
func (v *histogramValue) Binary(op syntax.Token, y starlark.Value, _ starlark.Side) (starlark.Value, error) {
	if op != syntax.PLUS {
		return nil, nil
	}
	switch y.(type) {
	case *histogramValue, *samplesValue:
		return v.plus(y)
	}
	return nil, nil
}

// plus is a histogram of what both have counted. An empty one without a unit
// takes that of the other.
func (v *histogramValue) plus(y starlark.Value) (*histogramValue, error) {
	o, err := histogramOf(y)
	if err != nil {
		return nil, err
	}
	switch {
	case v.Unit == o.Unit:
	case v.H.N() == 0 && v.Unit == "":
	case o.H.N() == 0 && o.Unit == "":
		return v, nil
	default:
		return nil, fmt.Errorf("histograms must have one unit to be added, not %s and %s", unitWord(v.Unit), unitWord(o.Unit))
	}
	h := v.H.Clone()
	h.Merge(o.H)
	name := v.Name
	if name == "" {
		name = o.Name
	}
	return newHistogram(h, name, o.Unit), nil
}

// histogramOf counts samples, and leaves a histogram as it is.
func histogramOf(v starlark.Value) (*histogramValue, error) {
	switch v := v.(type) {
	case *histogramValue:
		return v, nil
	case *samplesValue:
		h := &stats.LogLinear{}
		if err := h.AddAll(v.S.Values); err != nil {
			return nil, plainError(err)
		}
		return newHistogram(h, v.S.Name, v.S.Unit), nil
	}
	return nil, fmt.Errorf("must be a histogram or samples, not %s", describe(v))
}

// tooFew words the error of a measure of too few values.
func (v *histogramValue) tooFew(err error) error {
	switch {
	case !errors.Is(err, stats.ErrTooFew):
		return plainError(err)
	case v.H.N() == 0:
		return errors.New("the histogram is empty: look at n first, or measure longer")
	}
	return fmt.Errorf("the histogram holds too few values, only %d", v.H.N())
}

// describe is a table with the usual numbers in one row.
func (v *histogramValue) describe() *table.Table {
	cols := []table.Column{{Name: "histogram", Kind: table.String}, {Name: "n", Kind: table.Int}}
	for _, name := range []string{"mean", "std", "min", "p50", "p90", "p95", "p99", "p99_9", "max"} {
		cols = append(cols, unitColumn(name, v.Unit))
	}
	t := table.MustNew("", cols...)
	row := []any{v.Name, v.H.N()}
	qs, err := v.H.Quantiles(0, 0.5, 0.9, 0.95, 0.99, 0.999, 1)
	if err != nil {
		mustAppend(t, append(row, make([]any, len(cols)-2)...)...)
		return t
	}
	orNaN := func(x float64, err error) float64 {
		if err != nil {
			return math.NaN()
		}
		return x
	}
	row = append(row, unitCells(v.Unit, orNaN(v.H.Mean()), orNaN(v.H.Std()))...)
	mustAppend(t, append(row, unitCells(v.Unit, qs...)...)...)
	return t
}

// cdf lists the upper ends of the buckets with the share of values up to there.
func (v *histogramValue) cdf() (*table.Table, error) {
	if v.H.N() == 0 {
		return nil, v.tooFew(stats.ErrTooFew)
	}
	t := table.MustNew("distribution of "+v.title(), unitColumn("value", v.Unit), table.Column{Name: "share", Unit: "%", Kind: table.Float})
	var n int64
	for _, b := range v.H.Buckets() {
		n += b.Count
		mustAppend(t, append(unitCells(v.Unit, b.To), 100*float64(n)/float64(v.H.N()))...)
	}
	return t, nil
}

func (v *histogramValue) title() string {
	if v.Name == "" {
		return "values"
	}
	return v.Name
}

// hist lists the buckets that hold values.
func (v *histogramValue) hist(octave int) (*table.Table, error) {
	if v.H.N() == 0 {
		return nil, v.tooFew(stats.ErrTooFew)
	}
	bs, err := v.H.BucketsBy(octave)
	if err != nil {
		return nil, fmt.Errorf("octave must be 1, 2, 4, 8, 16 or 32, not %d", octave)
	}
	t := table.MustNew("histogram of "+v.title(), unitColumn("from", v.Unit), unitColumn("to", v.Unit),
		table.Column{Name: "count", Kind: table.Int}, table.Column{Name: "share", Unit: "%", Kind: table.Float})
	for _, b := range bs {
		mustAppend(t, append(unitCells(v.Unit, b.From, b.To), b.Count, 100*float64(b.Count)/float64(v.H.N()))...)
	}
	return t, nil
}

// shareAbove is the share of values that are not below x, in percent.
func (v *histogramValue) shareAbove(arg starlark.Value) (starlark.Value, error) {
	x, err := (&samplesValue{S: metrics.Samples{Unit: v.Unit}}).threshold(arg)
	if err != nil {
		return nil, fmt.Errorf("x %w", err)
	}
	below, err := v.H.Below(x)
	if err != nil {
		return nil, v.tooFew(err)
	}
	return starlark.Float(100 * (1 - below)), nil
}

// streamed are the measures that a machine counts without keeping them.
var streamed = []struct {
	name string
	fold func(metrics.Source, metrics.Window, metrics.Tasks) metrics.Histogram
}{
	{"waits", metrics.WaitsHistogram},
	{"latency", metrics.LatencyHistogram},
	{"slices", metrics.SlicesHistogram},
}

func streamedNames() []string {
	var out []string
	for _, s := range streamed {
		out = append(out, s.name)
	}
	return append(out, "response")
}

func streamImpl(c *Call, ma *machine, src metrics.Source, w metrics.Window) (starlark.Value, error) {
	tasks, err := ma.selected(c, "tasks")
	if err != nil {
		return nil, err
	}
	of, span := c.Str("of"), c.Str("span")
	if (span != "") != (of == "response") {
		return nil, fmt.Errorf("span is the name of the span for \"response\", and for nothing else")
	}
	var h metrics.Histogram
	if of == "response" {
		i, err := ma.spanIndex(src, span)
		if err != nil {
			return nil, err
		}
		h = metrics.ResponseHistogram(src, w, tasks, i)
	}
	for _, s := range streamed {
		if s.name == of {
			h = s.fold(src, w, tasks)
		}
	}
	return newHistogram(h.H, h.Name, h.Unit), nil
}
