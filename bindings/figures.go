package bindings

import (
	"fmt"
	"math"
	"slices"

	"go.starlark.net/starlark"

	"schedrepl/plots"
)

// figureFunctions are the functions of the module plot.
func figureFunctions() []Builtin {
	boolean := func(name, doc string) Param {
		return Param{Name: name, Type: "bool", Default: "False", KwOnly: true, Doc: doc}
	}
	unit := func(name, doc string) Param {
		return Param{Name: name, Type: "string", Default: `""`, KwOnly: true, Doc: doc}
	}
	return append([]Builtin{
		figureEntry("cdf", "The share of the samples at or below each value, as a curve for each set of samples.",
			"plot.cdf({\"without\": [40 * ms, 44 * ms, 52 * ms], \"with\": [12 * ms, 12 * ms, 16 * ms]}, title = \"time off the CPU\").save(\"off.png\")",
			optionParams("column", slices.Concat([]Param{
				{Name: "series", Type: "any", Doc: "Samples, or a list of numbers or durations; or a dict of these by name."},
			}, axisParams(), []Param{
				boolean("log", "The x axis is logarithmic."),
				boolean("ccdf", "Draw the share above each value, on a logarithmic axis too: as plot.ccdf does."),
				boolean("clip", "On a logarithmic axis, let values of 0 count though they have no place on it."),
				rangeParam("x"), rangeParam("y"), legendParam(),
			})...), cdfFigure),
		figureEntry("bar", "Bars in groups, one group for each category and in it one bar for each series.",
			"plot.bar([\"without\", \"with\"], {\"make\": [90.9, 50.0], \"hog\": [9.1, 50.0]}, unit = \"%\", ylabel = \"CPU time\",\n    intervals = {\"hog\": [(8.2, 9.9), (49.5, 50.4)]}, title = \"shares\").save(\"shares.png\")",
			optionParams("column", slices.Concat([]Param{
				{Name: "categories", Type: "list of string", Doc: "The names of the groups."},
				{Name: "series", Type: "any", Doc: "A list with a number or duration for each category, or a dict of such lists by name. None is a missing bar."},
				{Name: "intervals", Type: "any", Default: "None", KwOnly: true, Doc: "Pairs (lo, hi) for each category, drawn as whiskers: a list, or a dict by the names of the series. A pair may be None."},
				unit("unit", "The unit of bare numbers, as \"%\"."),
			}, axisParams(), []Param{
				boolean("log", "The axis of the values is logarithmic."),
				boolean("values", "Write the value at the end of each bar."),
				rangeParam("y"), legendParam(),
			})...), barFigure),
		figureEntry("line", "Lines through points, with a band around them if they have one.",
			"plot.line({\"slice\": [(1, 4 * ms), (2, 3 * ms), (4, 3 * ms), (8, 2 * ms)]}, xlabel = \"tasks\", ylabel = \"slice\").save(\"slice.png\")",
			optionParams("column", slices.Concat([]Param{
				{Name: "lines", Type: "any", Doc: "A list of points (x, y) or (x, y, lo, hi), or a table of two or four columns; or a dict of these by name. None for y is a gap."},
				unit("xunit", "The unit of x where it is a bare number."),
				unit("yunit", "The unit of y where it is a bare number."),
			}, axisParams(), []Param{
				boolean("logx", "The x axis is logarithmic."),
				boolean("logy", "The y axis is logarithmic."),
				boolean("step", "A line keeps its value until the next x."),
				rangeParam("x"), rangeParam("y"), legendParam(),
			})...), lineFigure),
		figureEntry("grid", "Several figures in one, row by row. They get letters, their axes are aligned, and a legend that all share is drawn once.",
			"a = plot.cdf([1 * ms, 2 * ms])\nb = plot.bar([\"x\", \"y\"], [1, 2])\nplot.grid([a, b]).save(\"both.png\")",
			optionParams("double",
				Param{Name: "figures", Type: "list of figure", Doc: "The figures."},
				Param{Name: "cols", Type: "int", Default: "2", Doc: "How many stand beside each other."},
			), func(c *Call, o plots.Options) (*plots.Figure, error) {
				var panels []*plots.Figure
				for _, f := range ArgList[*figureValue](c, "figures") {
					panels = append(panels, f.F)
				}
				return plots.Grid(panels, min(c.Int("cols"), max(1, len(panels))), o)
			}),
	}, append(spreadFigures(), machineFigures()...)...)
}

func cdfFigure(c *Call, o plots.Options) (*plots.Figure, error) {
	series, err := labelledSeries(c, &o.XLabel)
	if err != nil {
		return nil, err
	}
	o.LogX, o.Clip, o.CCDF, o.LogY = c.Bool("log"), c.Bool("clip"), c.Bool("ccdf"), c.Bool("ccdf")
	return plots.CDF(series, o)
}

func barFigure(c *Call, o plots.Options) (*plots.Figure, error) {
	if err := checkUnit(c, "unit"); err != nil {
		return nil, err
	}
	entries, err := namedValues(c.Value("series"))
	if err != nil {
		return nil, fmt.Errorf("series %w", err)
	}
	spans := map[string]starlark.Value{}
	if c.Has("intervals") {
		list, err := namedValues(c.Value("intervals"))
		if err != nil {
			return nil, fmt.Errorf("intervals %w", err)
		}
		for _, e := range list {
			if !slices.ContainsFunc(entries, func(s namedValue) bool { return s.name == e.name }) {
				return nil, fmt.Errorf("intervals: there is no series %q", e.name)
			}
			spans[e.name] = e.v
		}
	}
	d := plots.BarData{Categories: ArgList[string](c, "categories"), Unit: c.Str("unit")}
	s := &scale{unit: c.Str("unit")}
	for _, e := range entries {
		b := plots.BarSeries{Name: e.name}
		if b.Values, err = s.list(e.v); err != nil {
			return nil, fmt.Errorf("series: %s%w", e.called(), err)
		}
		if v := spans[e.name]; v != nil {
			if b.Lo, b.Hi, err = s.pairs(v); err != nil {
				return nil, fmt.Errorf("intervals: %s%w", e.called(), err)
			}
		}
		d.Series = append(d.Series, b)
	}
	d.Unit = s.unit
	o.LogY, o.ValueLabels = c.Bool("log"), c.Bool("values")
	return plots.Bar(d, o)
}

func lineFigure(c *Call, o plots.Options) (*plots.Figure, error) {
	if err := checkUnit(c, "xunit", "yunit"); err != nil {
		return nil, err
	}
	lines, x, y, err := linePoints(c.Value("lines"), c.Str("xunit"), c.Str("yunit"))
	if err != nil {
		return nil, fmt.Errorf("lines: %w", err)
	}
	if o.XLabel == "" {
		o.XLabel = x
	}
	if o.YLabel == "" {
		o.YLabel = y
	}
	o.LogX, o.LogY, o.Step = c.Bool("logx"), c.Bool("logy"), c.Bool("step")
	return plots.Line(lines, o)
}

// scale reads numbers that share one axis: the first one with a value settles
// whether they are times.
type scale struct {
	unit string
	set  bool
}

func (s *scale) number(v starlark.Value) (float64, error) {
	if v == starlark.None {
		return math.NaN(), nil
	}
	x, err := inUnit(v, &s.unit, !s.set)
	s.set = s.set || err == nil
	return x, err
}

// list reads one number for each place; None is NaN.
func (s *scale) list(v starlark.Value) ([]float64, error) {
	seq, ok := v.(starlark.Iterable)
	if !ok {
		return nil, fmt.Errorf("must be a list of numbers or durations, not %s", describe(v))
	}
	var out []float64
	for e := range starlark.Elements(seq) {
		x, err := s.number(e)
		if err != nil {
			return nil, fmt.Errorf("%w (in place %d)", err, len(out))
		}
		out = append(out, x)
	}
	return out, nil
}

// pairs reads the ends of intervals; None is one that is missing.
func (s *scale) pairs(v starlark.Value) (lo, hi []float64, err error) {
	seq, ok := v.(starlark.Iterable)
	if !ok {
		return nil, nil, fmt.Errorf("must be a list of pairs (lo, hi), not %s", describe(v))
	}
	for e := range starlark.Elements(seq) {
		ends := []float64{math.NaN(), math.NaN()}
		if e != starlark.None {
			if ends, err = s.list(e); err != nil {
				return nil, nil, fmt.Errorf("%w of pair %d", err, len(lo))
			}
		}
		if len(ends) != 2 {
			return nil, nil, fmt.Errorf("must be a list of pairs (lo, hi), not %v in place %d", e, len(lo))
		}
		lo, hi = append(lo, ends[0]), append(hi, ends[1])
	}
	return lo, hi, nil
}
