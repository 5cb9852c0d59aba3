package bindings

import (
	"fmt"

	"go.starlark.net/starlark"

	"schedrepl/engine/stats"
)

// statistics are those that bootstrap knows by name.
var statistics = []struct {
	name string
	fn   func([]float64) float64
}{
	{"mean", stats.MeanOf},
	{"median", stats.QuantileOf(0.5)},
	{"p90", stats.QuantileOf(0.9)},
	{"p95", stats.QuantileOf(0.95)},
	{"p99", stats.QuantileOf(0.99)},
	{"std", func(xs []float64) float64 {
		s, err := stats.Std(xs)
		if err != nil {
			return 0 // Fewer than two values, which is refused before.
		}
		return s
	}},
	{"max", stats.QuantileOf(1)},
	{"min", stats.QuantileOf(0)},
}

func statisticNames() []string {
	var out []string
	for _, s := range statistics {
		out = append(out, s.name)
	}
	return out
}

// mostDraws limits the work of one bootstrap to some seconds.
const mostDraws = 200_000_000

// statsTable is the module stats, but for stats.samples.
func statsTable() Table {
	values := Param{Name: "values", Type: "any", Doc: "Samples, a column of a table, or a list of numbers or durations."}
	level := Param{Name: "level", Type: "float", Default: "0.95", Doc: "How sure the interval is to hold the true value."}
	// number makes the entry of a function of the values that gives one number.
	number := func(name, doc, example string, params []Param, get func(*Call, []float64) (float64, error)) Builtin {
		return Builtin{
			Name: "stats." + name, Params: append([]Param{values}, params...), Result: "duration | float", Doc: doc, Example: example,
			Impl: func(c *Call) (starlark.Value, error) {
				xs, unit, err := numbersOf(c.Value("values"))
				if err != nil {
					return nil, fmt.Errorf("values %w", err)
				}
				x, err := get(c, xs)
				if err != nil {
					return nil, plainError(err)
				}
				return quantityOf(x, unit)
			},
		}
	}
	of := func(get func([]float64) (float64, error)) func(*Call, []float64) (float64, error) {
		return func(_ *Call, xs []float64) (float64, error) { return get(xs) }
	}
	interval := func(get func(*Call, []float64) (lo, hi float64, err error)) func(*Call) (starlark.Value, error) {
		return func(c *Call) (starlark.Value, error) {
			xs, unit, err := numbersOf(c.Value("values"))
			if err != nil {
				return nil, fmt.Errorf("values %w", err)
			}
			lo, hi, err := get(c, xs)
			if err != nil {
				return nil, plainError(err)
			}
			return quantities(lo, hi, unit)
		}
	}
	return Table{
		Topics: []Topic{{
			Name: "stats",
			Doc: "Statistics of samples, of columns, and of lists of numbers or durations. " +
				"What goes in as durations comes out as durations. Too few values are an error.",
		}},
		Builtins: []Builtin{
			number("mean", "The arithmetic mean.", "print(stats.mean([1 * ms, 2 * ms, 6 * ms]))  # 3ms", nil, of(stats.Mean)),
			number("std", "The standard deviation of a sample (divisor n - 1).", "print(stats.std([1, 2, 3]))  # 1.0", nil, of(stats.Std)),
			number("median", "The middle value; of an even number of values the mean of the middle two.", "print(stats.median([1, 9, 2, 3]))  # 2.5", nil,
				of(func(xs []float64) (float64, error) { return stats.Quantile(xs, 0.5) })),
			number("quantile", "The value that the fraction q of the values does not exceed, between two of them in proportion (Hyndman and Fan's type 7).",
				"print(stats.quantile([1 * ms, 2 * ms, 3 * ms], 0.75))  # 2.5ms",
				[]Param{{Name: "q", Type: "float", Doc: "A fraction from 0 to 1; 0.5 is the median. (The p of samples takes percent.)"}},
				func(c *Call, xs []float64) (float64, error) {
					if q := c.Float("q"); q < 0 || q > 1 {
						return 0, fmt.Errorf("q must be a fraction from 0 to 1, not %v: the 99th percentile is 0.99", c.Value("q"))
					}
					return stats.Quantile(xs, c.Float("q"))
				}),
			{
				Name: "stats.interval", Params: []Param{values, level}, Result: "tuple of two",
				Doc:     "A confidence interval of the mean by Student's t, as (lo, hi). It is meant for one value for each of several seeds, and needs two at least.",
				Example: "lo, hi = stats.interval([9 * ms, 10 * ms, 11 * ms])\nprint(round(lo, 1), round(hi, 1))  # 7.5ms 12.5ms",
				Impl: interval(func(c *Call, xs []float64) (float64, float64, error) {
					return stats.MeanInterval(xs, c.Float("level"))
				}),
			},
			{
				Name: "stats.bootstrap",
				Params: []Param{
					values,
					{Name: "fn", Type: "string", Default: `"mean"`, Choices: statisticNames(), Doc: "The statistic."},
					level,
					{Name: "n", Type: "int", Default: "2000", Doc: "How often to redraw the values."},
					{Name: "method", Type: "string", Default: `"percentile"`, Choices: []string{"percentile", "bca"}, KwOnly: true,
						Doc: "The plain percentiles of the draws, or those with Efron's corrections for bias and skewness, which suit smooth statistics such as mean and std."},
				},
				Result: "tuple of two",
				Doc: "A confidence interval of a statistic by redrawing the values with replacement, as (lo, hi). " +
					"The draws come from a stream that grows from the session's seed and the name of the statistic, so that the same values give the same interval. " +
					"By simulation, 95 % intervals of the mean of 30 values hold the truth in 94 % of the cases for normal values and in 87 % for log-normal ones of sigma 1; with \"bca\" in 93 and 88 %.",
				Example: "lo, hi = stats.bootstrap([9 * ms, 10 * ms, 11 * ms, 30 * ms], \"median\")\nprint(lo <= 10.5 * ms and 10.5 * ms <= hi)  # True",
				Impl:    interval(bootstrap),
			},
		},
	}
}

func bootstrap(c *Call, xs []float64) (lo, hi float64, err error) {
	n := c.Int("n")
	if n < 1 || len(xs) > 0 && n > mostDraws/len(xs) {
		return 0, 0, fmt.Errorf("n must be from 1 to %d for %s, not %d", mostDraws/max(1, len(xs)), plural(len(xs), "value"), n)
	}
	name := c.Str("fn")
	draw := stats.Bootstrap
	if c.Str("method") == "bca" {
		draw = stats.BootstrapBCa
		if len(xs) > mostJackknife {
			return 0, 0, fmt.Errorf("method \"bca\" is for %d values at most, not %d: take \"percentile\", which is as good for so many", mostJackknife, len(xs))
		}
	}
	for _, s := range statistics {
		if s.name == name {
			return draw(xs, s.fn, n, c.Float("level"), bootstrapStream(c.Session, name))
		}
	}
	return 0, 0, fmt.Errorf("fn must be one of %s, not %q", quoteList(statisticNames()), name)
}
