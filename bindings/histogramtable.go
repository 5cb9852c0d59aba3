package bindings

import (
	"fmt"

	"go.starlark.net/starlark"

	"schedrepl/engine/stats"
)

// histogramTable describes histograms to scripts.
func histogramTable() Table {
	method := func(b Builtin, impl func(*Call, *histogramValue) (starlark.Value, error)) Builtin {
		b.Recv = "histogram"
		b.Impl = func(c *Call) (starlark.Value, error) { return impl(c, c.Recv.(*histogramValue)) }
		return b
	}
	attr := func(name, result, doc, shows string, get func(*histogramValue) (starlark.Value, error)) Builtin {
		return method(Builtin{Name: name, Attr: true, Result: result, Doc: doc, Example: "print(h." + name + ")  # " + shows},
			func(_ *Call, v *histogramValue) (starlark.Value, error) { return get(v) })
	}
	measure := func(name, doc, shows string, get func(*stats.LogLinear) (float64, error)) Builtin {
		return attr(name, "duration | float", doc, shows, func(v *histogramValue) (starlark.Value, error) {
			x, err := get(v.H)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, v.tooFew(err))
			}
			return quantityOf(x, v.Unit)
		})
	}
	asTable := func(b Builtin, make func(*Call, *histogramValue) (starlark.Value, error)) Builtin {
		b.Result = "table"
		return method(b, make)
	}
	return Table{
		Topics: []Topic{{
			Name: "histogram", Type: true,
			Doc: "A measure that was taken any number of times, counted in some KiB of memory. " +
				"Each octave (from one power of two to the next) has 32 buckets, so that percentiles and shares are good to 3.1 % of the value; number, sum, mean, least and largest value are exact, the standard deviation all but. " +
				"Zero and negative values count too. Histograms of one unit are added, h + g, as are samples to one; what is added does not depend on how it was divided. " +
				"For more values than memory holds, run in pieces and add up: h += m.histogram(\"waits\", since = last, until = m.now). Samples keep 20 bytes and more for each value.",
			Setup: "h = stats.histogram([1 * ms, 2 * ms, 3 * ms, 10 * ms], name = \"wait\")",
		}},
		Kinds: []Kind{kindOf[*histogramValue]("histogram", "a histogram, as stats.histogram makes it")},
		Builtins: []Builtin{
			{
				Name: "stats.histogram",
				Params: []Param{
					{Name: "values", Type: "any", Default: "[]", Doc: "Samples, a column, or a list of numbers or durations."},
					{Name: "name", Type: "string", Default: `""`, KwOnly: true, Doc: "What they measure; samples have a name."},
					{Name: "unit", Type: "string", Default: `""`, KwOnly: true, Doc: "The unit of bare numbers, as \"MB/s\"; durations have theirs."},
				},
				Result: "histogram",
				Doc: "Counts values in bounded memory: see the type histogram. Without values it is an empty one to add to. " +
					"For a table of few values in bins of equal width, see the hist of samples.",
				Example: "print(stats.histogram([3 * ms, 1 * ms, 2 * ms], name = \"lag\"))  # lag: n 3, mean 2ms, median 2.015ms, p99 2.98ms, max 3ms",
				Impl:    histogramImpl,
			},
			{
				Recv: "samples", Name: "histogram", Result: "histogram",
				Doc:     "Counts the samples in bounded memory, so that those of many runs can be added up and forgotten.",
				Example: "print(s.histogram().mean)  # 4ms",
				Impl:    func(c *Call) (starlark.Value, error) { return histogramOf(c.Recv) },
			},
			measureMethod(Builtin{
				Name: "histogram",
				Params: []Param{
					{Name: "of", Type: "string", Choices: streamedNames(), Doc: "The measure, by the name of the method that gives its samples."},
					taskParam("None"),
					{Name: "span", Type: "string", Default: `""`, KwOnly: true, Doc: "The name of the span, for \"response\"."},
				},
				Result: "histogram",
				Doc: "Measures what m.waits, m.latency, m.slices or m.response measure, and counts it without keeping the samples. " +
					"With a machine that keeps its last records only, a run of any length is measured in pieces: h += m.histogram(\"waits\", since = last, until = m.now) after each m.run. " +
					"What happens at the moment until belongs to the next piece, so give it, lest that counts twice.",
				Example: "m.run(500 * ms)\nh = m.histogram(\"waits\", hog, until = m.now)\nm.run(500 * ms)\nh += m.histogram(\"waits\", hog, since = 500 * ms)\nprint(h.n == m.waits(hog).n)  # True",
			}, streamImpl),
			attr("n", "int", "How many values were counted.", "4", func(v *histogramValue) (starlark.Value, error) { return starlark.MakeInt64(v.H.N()), nil }),
			attr("name", "string", "What was measured.", "wait", func(v *histogramValue) (starlark.Value, error) { return starlark.String(v.Name), nil }),
			attr("unit", "string", "The unit; times are kept in \"ns\" and given as durations.", "ns", func(v *histogramValue) (starlark.Value, error) { return starlark.String(v.Unit), nil }),
			attr("bytes", "int", "About how much memory it takes.", "1440", func(v *histogramValue) (starlark.Value, error) { return starlark.MakeInt(v.H.Bytes()), nil }),
			measure("mean", "The arithmetic mean, exactly. It is an error if nothing was counted, as for the other measures.", "4ms", (*stats.LogLinear).Mean),
			measure("std", "The standard deviation of the values (divisor n - 1), of which there must be two at least.", "4.082483ms", (*stats.LogLinear).Std),
			measure("sum", "All values added up, exactly for durations up to 292 years; 0 of none.", "16ms", (*stats.LogLinear).Sum),
			measure("min", "The least value, exactly.", "1ms", (*stats.LogLinear).Min),
			measure("max", "The largest value, exactly.", "10ms", (*stats.LogLinear).Max),
			measure("median", "The middle value, to 3.1 %.", "2.49856ms", func(h *stats.LogLinear) (float64, error) { return h.Quantile(0.5) }),
			method(Builtin{
				Name:   "p",
				Params: []Param{{Name: "q", Type: "float", Unit: "percent", Doc: "Which percentile, from 0 to 100: 50 is the median."}},
				Result: "duration | float", Doc: "The value that q percent of the values do not exceed, to 3.1 %; 0 and 100 are exact.",
				Example: "print(h.p(0), h.p(100))  # 1ms 10ms",
			}, func(c *Call, v *histogramValue) (starlark.Value, error) {
				q := c.Float("q")
				if q < 0 || q > 100 {
					return nil, fmt.Errorf("q must be from 0 to 100, not %v", c.Value("q"))
				}
				x, err := v.H.Quantile(q / 100)
				if err != nil {
					return nil, v.tooFew(err)
				}
				return quantityOf(x, v.Unit)
			}),
			method(Builtin{
				Name:   "share_above",
				Params: []Param{{Name: "x", Type: "any", Doc: "The threshold: a duration for times, else a number."}},
				Result: "float", Doc: "The share of the values that are x or more, in percent; x counts as any value within 3.1 % of it.",
				Example: "print(h.share_above(5 * ms))  # 25.0",
			}, func(c *Call, v *histogramValue) (starlark.Value, error) { return v.shareAbove(c.Value("x")) }),
			asTable(Builtin{
				Name: "describe", Doc: "The usual numbers in a table of one row: n, mean, std, min, percentiles, max.",
				Example: "print(h.describe()[0].n)  # 4",
			}, func(_ *Call, v *histogramValue) (starlark.Value, error) { return newTable(v.describe()), nil }),
			asTable(Builtin{
				Name: "cdf", Doc: "The distribution: the upper end of each bucket that holds values, with the share of values up to there.",
				Example: "print(h.cdf()[-1].share)  # 100.0",
			}, func(_ *Call, v *histogramValue) (starlark.Value, error) {
				t, err := v.cdf()
				if err != nil {
					return nil, err
				}
				return newTable(t), nil
			}),
			asTable(Builtin{
				Name:    "hist",
				Params:  []Param{{Name: "octave", Type: "int", Default: "2", Doc: "How many buckets an octave is shown in: 1, 2, 4, 8, 16 or 32."}},
				Doc:     "The buckets that hold values, from the least up, with the number and share of values.",
				Example: "print(h.hist(1)[\"count\"])  # [1, 1, 1, 1]",
			}, func(c *Call, v *histogramValue) (starlark.Value, error) {
				t, err := v.hist(c.Int("octave"))
				if err != nil {
					return nil, err
				}
				return newTable(t), nil
			}),
		},
	}
}

func histogramImpl(c *Call) (starlark.Value, error) {
	name := c.Str("name")
	if s, ok := c.Value("values").(*samplesValue); ok && name == "" {
		name = s.S.Name
	}
	xs, unit, err := valuesWithUnit(c)
	if err != nil {
		return nil, err
	}
	h := &stats.LogLinear{}
	if err := h.AddAll(xs); err != nil {
		return nil, plainError(err)
	}
	return newHistogram(h, name, unit), nil
}
