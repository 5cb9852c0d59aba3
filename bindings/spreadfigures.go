package bindings

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"go.starlark.net/starlark"

	"schedrepl/engine/stats"
	"schedrepl/engine/table"
	"schedrepl/plots"
)

// orients are the directions of figures over an axis of values.
var orients = map[string]plots.Orient{"auto": plots.OrientAuto, "upright": plots.OrientUpright, "level": plots.OrientLevel}

// spreadFigures are the functions of the module plot that draw distributions
// and comparisons.
func spreadFigures() []Builtin {
	boolean := func(name, doc string) Param {
		return Param{Name: name, Type: "bool", Default: "False", KwOnly: true, Doc: doc}
	}
	series := Param{Name: "series", Type: "any", Doc: "Samples, or a list of numbers or durations; or a dict of these by name."}
	valueAxis := func(more ...Param) []Param {
		return optionParams("column", slices.Concat([]Param{series}, axisParams(), []Param{
			boolean("log", "The axis of the values is logarithmic."),
			{Name: "orient", Type: "string", Default: `"auto"`, KwOnly: true, Choices: []string{"auto", "upright", "level"}, Doc: "Which way the values run; auto lets them stand if the names fit below."},
			rangeParam("y"),
		}, more)...)
	}
	return []Builtin{
		figureEntry("ccdf", "The share of the samples above each value, on a logarithmic axis, which shows the tail: the line ends where no sample is above.",
			"plot.ccdf({\"without\": [40 * ms, 44 * ms, 52 * ms], \"with\": [12 * ms, 12 * ms, 16 * ms]}, log = True).save(\"tail.png\")",
			optionParams("column", slices.Concat([]Param{series}, axisParams(), []Param{
				boolean("log", "The x axis is logarithmic too."),
				boolean("clip", "On a logarithmic x axis, let values of 0 count though they have no place on it."),
				rangeParam("x"), rangeParam("y"), legendParam(),
			})...), func(c *Call, o plots.Options) (*plots.Figure, error) {
				s, err := labelledSeries(c, &o.XLabel)
				if err != nil {
					return nil, err
				}
				o.LogX, o.Clip, o.CCDF, o.LogY = c.Bool("log"), c.Bool("clip"), true, true
				return plots.CDF(s, o)
			}),
		figureEntry("hist", "How many samples lie in each bin: bars for one set of samples, outlines over one another for several. The bins are of a round width by default, and the same for all.",
			"plot.hist({\"without\": [40 * ms, 44 * ms, 52 * ms], \"with\": [12 * ms, 12 * ms, 16 * ms]}, bins = 8, share = True).save(\"hist.png\")\n"+
				"plot.hist(stats.samples([1 * ms, 2 * ms, 2 * ms]).hist(bins = 2))",
			optionParams("column", slices.Concat([]Param{
				{Name: "series", Type: "any", Doc: "Samples, or a list of numbers or durations, or what was counted already: a histogram, or a table of bins as the hist method of samples makes it; or a dict of these by name."},
				{Name: "bins", Type: "int", Default: "0", KwOnly: true, Doc: "How many bins of one width, at most 500; 0 chooses a round width. What was counted already has its own."},
			}, axisParams(), []Param{
				boolean("log", "The axis of the values is logarithmic, and the bins grow by a constant factor."),
				boolean("logy", "The axis of the counts is logarithmic."),
				boolean("share", "Draw which share of its samples lies in each bin, so that sets of different size compare."),
				boolean("beside", "Draw several sets as bars side by side; best with few bins."),
				boolean("clip", "On a logarithmic axis, let values of 0 count though they have no place on it."),
				rangeParam("x"), rangeParam("y"), legendParam(),
			})...), histFigure),
		figureEntry("box", "A box from quartile to quartile for each set of samples, a bar at the median, whiskers to the farthest samples within one and a half lengths of the box, and rings for those beyond. Of many beyond, evenly many are drawn, and a remark says so. The number of samples stands under each name; less than five are drawn one by one.",
			"plot.box({\"without\": [40 * ms, 44 * ms, 52 * ms, 60 * ms, 190 * ms], \"with\": [12 * ms, 12 * ms, 13 * ms, 16 * ms, 20 * ms]}, log = True).save(\"box.png\")",
			valueAxis(legendParam()), func(c *Call, o plots.Options) (*plots.Figure, error) {
				s, err := labelledSeries(c, &o.YLabel)
				if err != nil {
					return nil, err
				}
				o.LogY, o.Orient = c.Bool("log"), orients[c.Str("orient")]
				return plots.Box(s, o)
			}),
		figureEntry("violin", "A shape for each set of samples, as wide as they are dense, with a thin box from quartile to quartile and a bar at the median. It shows what a box hides: two peaks, or a gap. All shapes have one width; with log, they show the density per factor.",
			"plot.violin({\"without\": [40 * ms, 44 * ms, 52 * ms, 60 * ms, 90 * ms], \"with\": [12 * ms, 12 * ms, 13 * ms, 16 * ms, 20 * ms]}, log = True).save(\"violin.png\")",
			valueAxis(), func(c *Call, o plots.Options) (*plots.Figure, error) {
				s, err := labelledSeries(c, &o.YLabel)
				if err != nil {
					return nil, err
				}
				o.LogY, o.Orient = c.Bool("log"), orients[c.Str("orient")]
				return plots.Violin(s, o)
			}),
		figureEntry("scatter", "Points, in a shape and colour for each set. Where a set has more than 1,500, the ground is tinted the darker the more points lie there, and some of them are drawn.",
			"plot.scatter({\"idle\": [(1, 4 * ms), (2, 3 * ms), (4, 6 * ms)], \"busy\": [(1, 9 * ms), (3, 14 * ms)]}, xlabel = \"tasks\", ylabel = \"latency\", fit = True).save(\"load.png\")",
			optionParams("column", slices.Concat([]Param{
				{Name: "points", Type: "any", Doc: "A list of points (x, y) in any order, or a table of two columns; or a dict of these by name. None for y leaves the point out."},
				{Name: "xunit", Type: "string", Default: `""`, KwOnly: true, Doc: "The unit of x where it is a bare number."},
				{Name: "yunit", Type: "string", Default: `""`, KwOnly: true, Doc: "The unit of y where it is a bare number."},
			}, axisParams(), []Param{
				boolean("logx", "The x axis is logarithmic."),
				boolean("logy", "The y axis is logarithmic."),
				boolean("fit", "Draw a line of least squares through each set, straight on the axes as drawn, and tell its r²."),
				rangeParam("x"), rangeParam("y"), legendParam(),
			})...), scatterFigure),
		figureEntry("intervals", "Estimates with what is known of them: a row for each, with a mark at the value and a bar from lo to hi. The axis need not begin at zero.",
			"plot.intervals({\"mean wait\": (-12.1, -14.6, -9.2), \"p99 wait\": (4.0, -21.0, 29.0)}, unit = \"%\", ylabel = \"change\", zero = True, values = True).save(\"change.png\")",
			optionParams("column", slices.Concat([]Param{
				{Name: "estimates", Type: "any", Doc: "A dict by name of (value, lo, hi) or of comparisons as stats.paired makes them, whose differences are drawn, in percent with unit = \"%\"; or of such dicts by the name of a series; or a table of four columns: name, value, lo and hi. None in the place of a triple is an estimate that is missing."},
				{Name: "unit", Type: "string", Default: `""`, KwOnly: true, Doc: "The unit of bare numbers, as \"%\"."},
			}, axisParams(), []Param{
				boolean("zero", "Draw a line at zero, where two variants do not differ."),
				boolean("values", "Write the numbers at the right."),
				boolean("log", "The axis of the values is logarithmic."),
				rangeParam("y"), legendParam(),
			})...), intervalsFigure),
		figureEntry("paired", "The same number of two or more variants for each of many seeds: a line a seed, solid where the number rose from the first to the last and dashed where it fell, and a bold line at the medians. It shows what two separate distributions hide.",
			"plot.paired({\"without\": [40 * ms, 44 * ms, 52 * ms], \"with\": [12 * ms, 12 * ms, 16 * ms]}, ylabel = \"wait\").save(\"seeds.png\")",
			optionParams("column", slices.Concat([]Param{
				{Name: "variants", Type: "any", Doc: "A dict of samples or lists by the name of the variant, all in the order of the seeds."},
			}, axisParams(), []Param{
				boolean("log", "The axis of the values is logarithmic."),
				rangeParam("y"), legendParam(),
			})...), pairedFigure),
	}
}

// labelledSeries reads the parameter series. Where all samples measure the same
// thing, that is the label of their axis.
func labelledSeries(c *Call, label *string) ([]plots.Series, error) {
	s, what, err := cdfSeries(c.Value("series"))
	if err != nil {
		return nil, fmt.Errorf("series: %w", err)
	}
	if *label == "" {
		*label = what
	}
	return s, nil
}

func histFigure(c *Call, o plots.Options) (*plots.Figure, error) {
	o.Bins, o.Share, o.Beside = c.Int("bins"), c.Bool("share"), c.Bool("beside")
	o.LogX, o.LogY, o.Clip = c.Bool("log"), c.Bool("logy"), c.Bool("clip")
	entries, err := namedValues(c.Value("series"))
	if err != nil {
		return nil, fmt.Errorf("series %w", err)
	}
	var binned []plots.Binned
	for _, e := range entries {
		var b plots.Binned
		var err error
		switch v := e.v.(type) {
		case *tableValue:
			b, err = binsOf(v.T)
		case *histogramValue:
			b, err = bucketsOf(v)
		default:
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("series: %s%w", e.called(), err)
		}
		b.Name = e.name
		binned = append(binned, b)
	}
	switch {
	case binned == nil:
		s, err := labelledSeries(c, &o.XLabel)
		if err != nil {
			return nil, err
		}
		return plots.Hist(s, o)
	case len(binned) < len(entries):
		return nil, errors.New("series must be all counted already (histograms, tables of bins) or all samples: bins that were counted elsewhere differ from those that are chosen here")
	case o.Bins != 0:
		return nil, errors.New("bins is for samples: what was counted already has its own")
	case o.Clip:
		return nil, errors.New("clip is for samples: what was counted already has its own bins")
	}
	return plots.HistOf(binned, o)
}

// binsOf reads a table of bins: from, to and count, in the order of the bins.
// The first from is missing for what lies below the bins.
func binsOf(t *table.Table) (plots.Binned, error) {
	var b plots.Binned
	const want = "a table of bins must have the columns from, to and count, as samples.hist() makes it"
	for _, c := range t.Columns() {
		if c.Name == "from" {
			b.Unit = c.Unit
			if c.Kind == table.Duration {
				b.Unit = "ns"
			}
		}
	}
	number := func(row int, name string) (float64, error) {
		v, err := t.Value(row, name)
		if err != nil {
			return 0, errors.New(want)
		}
		switch v := v.(type) {
		case nil:
			return math.NaN(), nil
		case float64:
			return v, nil
		case int64:
			return float64(v), nil
		case time.Duration:
			return float64(v), nil
		}
		return 0, fmt.Errorf("%s, with numbers in them, not %v", want, v)
	}
	b.Hist = stats.Hist{}
	for i := range t.NumRows() {
		var row [3]float64
		for k, name := range []string{"from", "to", "count"} {
			x, err := number(i, name)
			if err != nil {
				return b, err
			}
			row[k] = x
		}
		n := int(row[2])
		switch {
		case float64(n) != row[2]:
			return b, fmt.Errorf("count must be a whole number, not %g in row %d", row[2], i)
		case i == 0 && math.IsNaN(row[0]):
			b.Under = n
			continue
		case len(b.Edges) == 0:
			b.Edges = append(b.Edges, row[0])
		case row[0] < b.Edges[len(b.Edges)-1]:
			return b, fmt.Errorf("bins must not overlap: from in row %d is below the to of the row before", i)
		}
		addBin(&b, row[0], row[1], n)
	}
	return b, nil
}

// addBin adds a bin, and an empty one before it where there is a gap.
func addBin(b *plots.Binned, from, to float64, n int) {
	switch last := b.Edges[len(b.Edges)-1]; {
	case to <= last && len(b.Counts) > 0: // the largest value, on the edge
		b.Counts[len(b.Counts)-1] += n
		return
	case from > last:
		b.Edges, b.Counts = append(b.Edges, from), append(b.Counts, 0)
	}
	b.Edges, b.Counts = append(b.Edges, to), append(b.Counts, n)
}

// bucketsOf are the buckets of a histogram, four an octave.
func bucketsOf(v *histogramValue) (plots.Binned, error) {
	b := plots.Binned{Unit: v.Unit}
	if v.H.N() == 0 {
		return b, v.tooFew(stats.ErrTooFew)
	}
	list, err := v.H.BucketsBy(4)
	if err != nil {
		return b, plainError(err)
	}
	b.Edges = []float64{list[0].From}
	if first := &list[0]; first.To <= first.From { // all values are equal, or the least is on an edge
		first.To = first.From + max(math.Abs(first.From)*stats.LogLinearError, 0.5)
	}
	for _, k := range list {
		addBin(&b, k.From, k.To, int(k.Count))
	}
	return b, nil
}

func scatterFigure(c *Call, o plots.Options) (*plots.Figure, error) {
	if err := checkUnit(c, "xunit", "yunit"); err != nil {
		return nil, err
	}
	points, xlabel, ylabel, err := linePoints(c.Value("points"), c.Str("xunit"), c.Str("yunit"))
	if err != nil {
		return nil, fmt.Errorf("points: %w", err)
	}
	for _, p := range points {
		if p.Lo != nil {
			return nil, fmt.Errorf("points: %smust be (x, y): a band (x, y, lo, hi) is for plot.line", namedValue{name: p.Name}.called())
		}
	}
	if o.XLabel == "" {
		o.XLabel = xlabel
	}
	if o.YLabel == "" {
		o.YLabel = ylabel
	}
	o.LogX, o.LogY, o.Fit = c.Bool("logx"), c.Bool("logy"), c.Bool("fit")
	return plots.Scatter(points, o)
}

func intervalsFigure(c *Call, o plots.Options) (*plots.Figure, error) {
	if err := checkUnit(c, "unit"); err != nil {
		return nil, err
	}
	s := &scale{unit: c.Str("unit")}
	d := plots.BarData{}
	src := c.Value("estimates")
	if t, ok := src.(*tableValue); ok {
		cols := t.T.Columns()
		if len(cols) != 4 {
			return nil, fmt.Errorf("estimates: a table must have four columns, name, value, lo and hi, not %d; choose them, as t.select([...])", len(cols))
		}
		dict := starlark.NewDict(t.Len())
		for _, row := range t.tuples() {
			r := row.(starlark.Tuple)
			name, ok := starlark.AsString(r[0])
			if !ok {
				return nil, fmt.Errorf("estimates: the first column must hold names, not %s", describe(r[0]))
			}
			if _, twice, _ := dict.Get(starlark.String(name)); twice {
				return nil, fmt.Errorf("estimates: two rows have the name %q", name)
			}
			if err := dict.SetKey(starlark.String(name), r[1:]); err != nil {
				return nil, err
			}
		}
		if !contains(timeUnits, cols[1].Unit) && s.unit == "" {
			s.unit = cols[1].Unit
		}
		src = dict
	}
	rows, ok := src.(*starlark.Dict)
	if !ok {
		return nil, fmt.Errorf("estimates must be a dict of (value, lo, hi) by name, or a table, not %s", describe(src))
	}
	if rows.Len() == 0 {
		return nil, errors.New("estimates must not be empty")
	}
	groups := []namedValue{{"", rows}}
	if _, nested := rows.Items()[0][1].(*starlark.Dict); nested {
		var err error
		if groups, err = namedValues(rows); err != nil {
			return nil, fmt.Errorf("estimates %w", err)
		}
	}
	if err := addEstimates(&d, s, groups); err != nil {
		return nil, fmt.Errorf("estimates: %w", err)
	}
	d.Unit = s.unit
	o.ZeroLine, o.ValueLabels, o.LogY = c.Bool("zero"), c.Bool("values"), c.Bool("log")
	return plots.Intervals(d, o)
}

// addEstimates fills in a series for each group, with a category for each name
// that any group has. A group that lacks one has a missing estimate there.
func addEstimates(d *plots.BarData, s *scale, groups []namedValue) error {
	nan := math.NaN()
	for _, g := range groups {
		dict, ok := g.v.(*starlark.Dict)
		if !ok {
			return fmt.Errorf("%smust be a dict of (value, lo, hi) by name, as the others, not %s", g.called(), describe(g.v))
		}
		b := plots.BarSeries{Name: g.name}
		for range d.Categories {
			b.Values, b.Lo, b.Hi = append(b.Values, nan), append(b.Lo, nan), append(b.Hi, nan)
		}
		for _, kv := range dict.Items() {
			name, ok := starlark.AsString(kv[0])
			if !ok {
				return fmt.Errorf("%smust have names for keys, not %s", g.called(), describe(kv[0]))
			}
			i := slices.Index(d.Categories, name)
			if i < 0 {
				i = len(d.Categories)
				d.Categories = append(d.Categories, name)
				b.Values, b.Lo, b.Hi = append(b.Values, nan), append(b.Lo, nan), append(b.Hi, nan)
				for k := range d.Series {
					t := &d.Series[k]
					t.Values, t.Lo, t.Hi = append(t.Values, nan), append(t.Lo, nan), append(t.Hi, nan)
				}
			}
			if kv[1] == starlark.None {
				continue
			}
			xs, err := estimate(s, kv[1])
			if err != nil {
				return fmt.Errorf("%q: %w", name, err)
			}
			b.Values[i], b.Lo[i], b.Hi[i] = xs[0], xs[1], xs[2]
		}
		d.Series = append(d.Series, b)
	}
	return nil
}

// estimate reads (value, lo, hi), or takes them from a comparison: its
// difference, in percent where that is the unit of the figure.
func estimate(s *scale, v starlark.Value) ([]float64, error) {
	if p, ok := v.(*pairedValue); ok {
		if s.unit == "%" && p.unit != "%" {
			return []float64{100 * p.P.Rel, 100 * p.P.RelLo, 100 * p.P.RelHi}, nil
		}
		var ends starlark.Tuple
		for _, x := range []float64{p.P.Diff, p.P.Lo, p.P.Hi} {
			q, err := quantityOf(x, p.unit)
			if err != nil {
				return nil, err
			}
			ends = append(ends, q)
		}
		v = ends
	}
	xs, err := s.list(v)
	if err == nil && len(xs) != 3 {
		err = fmt.Errorf("must be (value, lo, hi), or what stats.paired returns, not %v", v)
	}
	return xs, err
}

func pairedFigure(c *Call, o plots.Options) (*plots.Figure, error) {
	dict, ok := c.Value("variants").(*starlark.Dict)
	if !ok {
		return nil, fmt.Errorf("variants must be a dict of samples or lists by name, not %s", describe(c.Value("variants")))
	}
	s, what, err := cdfSeries(dict)
	if err != nil {
		return nil, fmt.Errorf("variants: %w", err)
	}
	if o.YLabel == "" {
		o.YLabel = what
	}
	p := plots.Pairs{Unit: s[0].Unit}
	for _, v := range s {
		if v.Unit != s[0].Unit {
			return nil, fmt.Errorf("variants: %q is in %q but %q is in %q: give all in one unit", v.Name, v.Unit, s[0].Name, s[0].Unit)
		}
		p.Variants, p.Values = append(p.Variants, v.Name), append(p.Values, v.Values)
	}
	o.LogY = c.Bool("log")
	return plots.Paired(p, o)
}
