package bindings

import (
	"fmt"

	"go.starlark.net/starlark"

	"schedrepl/engine/stats"
)

// planningTable describes what tells how many values it takes.
func planningTable() Table {
	spread := []Param{
		{Name: "values", Type: "any", Default: "None", Doc: "Values so far, as the differences of pairs: samples, a column, or a list of numbers or durations."},
		{Name: "std", Type: "any", Default: "None", KwOnly: true, Doc: "Their standard deviation, in the place of values: a duration or a number."},
	}
	level := Param{Name: "level", Type: "float", Default: "0.95", KwOnly: true, Doc: "How sure the test is to see no effect where there is none."}
	power := Param{Name: "power", Type: "float", Default: "0.8", KwOnly: true, Doc: "How sure it is to see the effect."}
	values := Param{Name: "values", Type: "any", Doc: "Samples, a column of a table, or a list of numbers or durations."}
	return Table{Builtins: []Builtin{
		{
			Name: "stats.mde",
			Params: append(spread[:len(spread):len(spread)],
				Param{Name: "n", Type: "int | None", Default: "None", KwOnly: true, Doc: "How many values; None takes the number of values given."}, level, power),
			Result: "duration | float",
			Doc: "The least effect that a two-sided t-test of n values finds with probability power: of differences of pairs, how small a difference can be seen. " +
				"It is an estimate, by the noncentral t distribution with n - 1 degrees of freedom, and takes the spread that is given for the true one. n must be 2 or more.",
			Example: "print(round(stats.mde(std = 2 * ms, n = 30), 2))  # 1.06ms",
			Impl:    mdeImpl,
		},
		{
			Name: "stats.needed",
			Params: append([]Param{{Name: "effect", Type: "any", Doc: "The effect to see: a duration or a number above 0, in the unit of the spread."}},
				append(spread[:len(spread):len(spread)], level, power)...),
			Result: "int",
			Doc: "How many values, such as differences of pairs, a two-sided t-test takes to find an effect with probability power: the inverse of stats.mde. " +
				"An effect that takes more than a thousand million is an error.",
			Example: "print(stats.needed(1 * ms, std = 2 * ms))  # 34",
			Impl:    neededImpl,
		},
		{
			Name: "stats.quantile_interval",
			Params: []Param{values,
				{Name: "q", Type: "float", Doc: "A fraction between 0 and 1; 0.5 is the median."},
				{Name: "level", Type: "float", Default: "0.95", Doc: "How sure the interval is at least to hold the true quantile."}},
			Result: "tuple of two",
			Doc: "An interval of a quantile that holds for any distribution, as (lo, hi): both are values of the sample, and how many of them lie below the quantile is binomial. " +
				"Where the sample is too small, the error says how many values it takes: 6 for the median at 0.95, 368 for the 99th percentile. The values must be independent of each other.",
			Example: "print(stats.quantile_interval([x * ms for x in range(1, 21)], 0.5))  # (6ms, 15ms)",
			Impl: func(c *Call) (starlark.Value, error) {
				xs, unit, err := numbersOf(c.Value("values"))
				if err != nil {
					return nil, fmt.Errorf("values %w", err)
				}
				if q := c.Float("q"); q <= 0 || q >= 1 {
					return nil, fmt.Errorf("q must be a fraction between 0 and 1, not %v: the 99th percentile is 0.99", c.Value("q"))
				}
				lo, hi, _, err := stats.QuantileInterval(xs, c.Float("q"), c.Float("level"))
				if err != nil {
					return nil, plainError(err)
				}
				return quantities(lo, hi, unit)
			},
		},
		{
			Name:   "stats.effective_n",
			Params: []Param{{Name: "values", Type: "any", Doc: "Samples, a column, or a list of numbers or durations, in the order in which they were taken."}},
			Result: "float | None",
			Doc: "How many independent values a series is worth for its mean, by batch means: consecutive values are put into batches of the square root of their number, and the spread of the batches' means is compared with what it would be without dependence. " +
				"It is None for fewer than 100 values, good to some 20 % for 2,500, and too large where the dependence reaches further than a batch.",
			Example: "print(stats.effective_n([1, 1, 2, 2] * 100))  # 400.0",
			Impl: func(c *Call) (starlark.Value, error) {
				xs, _, err := numbersOf(c.Value("values"))
				if err != nil {
					return nil, fmt.Errorf("values %w", err)
				}
				n, err := stats.EffectiveN(xs)
				if err != nil {
					return nil, plainError(err)
				}
				return floatOrNone(n), nil
			},
		},
	}}
}

func mdeImpl(c *Call) (starlark.Value, error) {
	std, n, unit, err := spreadOf(c)
	if err != nil {
		return nil, err
	}
	if c.Has("n") {
		n = c.Int("n")
	} else if c.Has("std") {
		return nil, fmt.Errorf("n is missing: how many values?")
	}
	if n < 2 {
		return nil, fmt.Errorf("n must be 2 or more, not %d", n)
	}
	x, err := stats.MDE(std, n, c.Float("level"), c.Float("power"))
	if err != nil {
		return nil, plainError(err)
	}
	return quantityOf(x, unit)
}

func neededImpl(c *Call) (starlark.Value, error) {
	std, _, unit, err := spreadOf(c)
	if err != nil {
		return nil, err
	}
	effect, effectUnit, err := numberOf(c.Value("effect"))
	if err != nil {
		return nil, fmt.Errorf("effect %w", err)
	}
	if effect <= 0 {
		return nil, fmt.Errorf("effect must be above 0, not %v", c.Value("effect"))
	}
	if (effectUnit == "ns") != (unit == "ns") {
		return nil, fmt.Errorf("effect must have the unit of the spread: give both as durations, or both as numbers")
	}
	n, err := stats.Needed(std, effect, c.Float("level"), c.Float("power"))
	if err != nil {
		return nil, plainError(err)
	}
	return starlark.MakeInt(n), nil
}
