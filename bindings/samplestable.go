package bindings

import (
	"fmt"

	"go.starlark.net/starlark"

	"schedrepl/engine/stats"
)

// samplesTable describes samples to scripts.
func samplesTable() Table {
	method := func(b Builtin, impl func(*Call, *samplesValue) (starlark.Value, error)) Builtin {
		b.Recv = "samples"
		b.Impl = func(c *Call) (starlark.Value, error) { return impl(c, c.Recv.(*samplesValue)) }
		return b
	}
	attr := func(name, result, doc, example string, impl func(*samplesValue) starlark.Value) Builtin {
		return method(Builtin{Name: name, Attr: true, Result: result, Doc: doc, Example: example},
			func(_ *Call, v *samplesValue) (starlark.Value, error) { return impl(v), nil })
	}
	quantile := func(p float64) func([]float64) (float64, error) {
		return func(xs []float64) (float64, error) { return stats.Quantile(xs, p) }
	}
	return Table{
		Topics: []Topic{{
			Name: "samples", Type: true,
			Doc: "A measure that was taken many times, with its unit: latencies, waits, slices, responses. " +
				"Values that are times are durations. Samples are a sequence: len(s), s[0], and for x in s work as for a list.",
			Setup: "s = stats.samples([1 * ms, 2 * ms, 3 * ms, 10 * ms], name = \"wait\")",
		}},
		Kinds: []Kind{kindOf[*samplesValue]("samples", "samples, as m.waits(t) makes them")},
		Builtins: []Builtin{
			{
				Name: "stats.samples",
				Params: []Param{
					{Name: "values", Type: "any", Doc: "Numbers or durations."},
					{Name: "name", Type: "string", Default: `""`, KwOnly: true, Doc: "What they measure."},
					{Name: "unit", Type: "string", Default: `""`, KwOnly: true, Doc: "The unit of bare numbers, as \"MB/s\"; durations have theirs."},
				},
				Result: "samples", Doc: "Makes samples of values that the script has collected.",
				Example: "print(stats.samples([3 * ms, 1 * ms, 2 * ms], name = \"lag\"))  # lag: n 3, mean 2ms, median 2ms, p99 2.98ms, max 3ms",
				Impl:    samplesOf,
			},
			attr("n", "int", "The number of samples.", "print(s.n)  # 4", func(v *samplesValue) starlark.Value { return starlark.MakeInt(v.Len()) }),
			attr("name", "string", "What was measured.", "print(s.name)  # wait", func(v *samplesValue) starlark.Value { return starlark.String(v.S.Name) }),
			attr("unit", "string", "The unit; times are kept in \"ns\" and given as durations.", "print(s.unit)  # ns", func(v *samplesValue) starlark.Value { return starlark.String(v.S.Unit) }),
			attr("values", "list of duration | list of float", "The values in the order in which they were taken.", "print(s.values)  # [1ms, 2ms, 3ms, 10ms]",
				func(v *samplesValue) starlark.Value {
					out := make([]starlark.Value, v.Len())
					for i := range out {
						out[i] = v.Index(i)
					}
					return starlark.NewList(out)
				}),
			attr("at", "list of duration", "The moments since boot at which the samples were taken, where that is known, else an empty list.", "print(s.at)  # []",
				func(v *samplesValue) starlark.Value { return instants(v.S.At) }),
			measure("mean", "The arithmetic mean. It is an error if there are no samples, as for the other measures.", "4ms", stats.Mean),
			measure("std", "The standard deviation of the samples, of which there must be two at least.", "4.082483ms", stats.Std),
			measure("min", "The least value.", "1ms", stats.Min),
			measure("max", "The largest value.", "10ms", stats.Max),
			measure("median", "The middle value; of an even number of samples the mean of the middle two.", "2.5ms", quantile(0.5)),
			measure("sum", "All values added up; 0 of none.", "16ms", func(xs []float64) (float64, error) {
				if len(xs) == 0 {
					return 0, nil
				}
				return stats.Sum(xs)
			}),
			method(Builtin{
				Name:   "p",
				Params: []Param{{Name: "q", Type: "float", Unit: "percent", Doc: "Which percentile, from 0 to 100: 50 is the median."}},
				Result: "duration | float", Doc: "The value that q percent of the samples do not exceed, between two of them in proportion.",
				Example: "print(s.p(50), s.p(100))  # 2.5ms 10ms",
			}, func(c *Call, v *samplesValue) (starlark.Value, error) {
				q := c.Float("q")
				if q < 0 || q > 100 {
					return nil, fmt.Errorf("q must be from 0 to 100, not %v", c.Value("q"))
				}
				x, err := stats.Quantile(v.S.Values, q/100)
				if err != nil {
					return nil, v.tooFew(err)
				}
				return quantityOf(x, v.S.Unit)
			}),
			method(Builtin{
				Name:   "above",
				Params: []Param{{Name: "x", Type: "any", Doc: "The threshold: a duration for times, else a number."}},
				Result: "samples", Doc: "The samples that are longer than a threshold.",
				Example: "print(s.above(2 * ms).n)  # 2",
			}, func(c *Call, v *samplesValue) (starlark.Value, error) {
				x, err := v.threshold(c.Value("x"))
				if err != nil {
					return nil, fmt.Errorf("x %w", err)
				}
				return v.above(x), nil
			}),
			method(Builtin{
				Name:   "interval",
				Params: []Param{{Name: "level", Type: "float", Default: "0.95", Doc: "How sure the interval is to hold the true mean."}},
				Result: "tuple of two", Doc: "A confidence interval of the mean, as (lo, hi). It is found by redrawing the samples 2,000 times, from a stream of the session's seed, and for more than 10,000 samples by Student's t. It takes the samples for independent of each other, which waits in a row seldom are: over several seeds, repeat and stats.interval are safer.",
				Example: "lo, hi = s.interval()\nprint(lo < s.mean and s.mean < hi)  # True",
			}, func(c *Call, v *samplesValue) (starlark.Value, error) {
				lo, hi, err := meanInterval(c.Session, v.S.Values, v.S.Name, c.Float("level"))
				if err != nil {
					return nil, v.tooFew(err)
				}
				return quantities(lo, hi, v.S.Unit)
			}),
			method(Builtin{
				Name: "describe", Result: "table", Doc: "The usual numbers in a table of one row: n, mean, std, min, percentiles, max.",
				Example: "print(s.describe())",
			}, func(_ *Call, v *samplesValue) (starlark.Value, error) { return newTable(v.describe()), nil }),
			method(Builtin{
				Name: "table", Result: "table", Doc: "The samples one by one: when each ended and whose it is, where that is known, and its value.",
				Example: "s.table().save(\"waits.csv\")",
			}, func(_ *Call, v *samplesValue) (starlark.Value, error) { return newTable(v.asTable()), nil }),
			method(Builtin{
				Name: "cdf", Result: "table", Doc: "The empirical distribution: each value that occurs, with the share of samples that do not exceed it. See plot.cdf for a figure.",
				Example: "print(s.cdf()[-1].share)  # 100.0",
			}, func(_ *Call, v *samplesValue) (starlark.Value, error) {
				t, err := v.cdfTable()
				if err != nil {
					return nil, err
				}
				return newTable(t), nil
			}),
			method(Builtin{
				Name: "hist",
				Params: []Param{
					{Name: "bins", Type: "int", Default: "20", Doc: "How many bins."},
					{Name: "log", Type: "bool", Default: "False", KwOnly: true, Doc: "The bins grow by a constant factor, not by a constant width."},
				},
				Result: "table", Doc: "Counts the samples in bins between the least and the largest. A bin holds its lower edge, and the last one its upper edge too.",
				Example: "print(s.hist(bins = 3)[\"count\"])  # [3, 0, 1]",
			}, func(c *Call, v *samplesValue) (starlark.Value, error) {
				if b := c.Int("bins"); b < 1 || b > 10_000 {
					return nil, fmt.Errorf("bins must be from 1 to 10000, not %d", b)
				}
				t, err := v.histTable(c.Int("bins"), c.Bool("log"))
				if err != nil {
					return nil, err
				}
				return newTable(t), nil
			}),
		},
	}
}
