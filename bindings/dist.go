package bindings

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"go.starlark.net/starlark"

	"schedrepl/engine/workload"
)

// distValue is a distribution as a script holds it: of durations, or of
// counts. It is immutable.
type distValue struct {
	Object
	D     workload.Dist
	count bool // The parameters are bare numbers.
}

// String writes the distribution as a script makes it.
func (v *distValue) String() string {
	if _, fixed := v.D.Fixed(); fixed {
		return "constant(" + v.D.String() + ")"
	}
	return v.D.String()
}

// newDist checks a distribution, and makes a value of it.
func newDist(d workload.Dist, count bool) (starlark.Value, error) {
	if count {
		d = d.AsCount()
	}
	if err := d.Validate(); err != nil {
		_, msg, found := strings.Cut(err.Error(), ": ") // The call names the function itself.
		if !found {
			return nil, err
		}
		return nil, errors.New(msg)
	}
	v := &distValue{D: d, count: count}
	v.Init("distribution", v)
	return v, nil
}

// amounts are arguments that are all durations, or all counts.
func amounts(c *Call, names ...string) (out []time.Duration, count bool, err error) {
	for i, name := range names {
		_, isInt := c.Value(name).(starlark.Int)
		if i > 0 && isInt != count {
			return nil, false, fmt.Errorf("%s and %s must both be durations or both be counts, not %v and %v",
				names[0], name, c.Value(names[0]), c.Value(name))
		}
		count = isInt
		d := c.Duration(name)
		if isInt {
			d = time.Duration(c.Int(name))
		}
		out = append(out, d)
	}
	return out, count, nil
}

// lengthArg is the argument of a parameter "duration | distribution".
func lengthArg(c *Call, name string) (workload.Dist, error) {
	v := Arg[*distValue](c, name)
	switch {
	case v == nil:
		return workload.Constant(c.Duration(name)), nil
	case v.count:
		return workload.Dist{}, fmt.Errorf("%s must be a time, but %s is a distribution of counts: give its parameters a unit, as dist.exponential(5 * ms)", name, v)
	}
	return v.D, nil
}

// countArg is the argument of a parameter "int | distribution".
func countArg(c *Call, name string) (workload.Dist, error) {
	v := Arg[*distValue](c, name)
	switch {
	case v == nil:
		return workload.Count(int64(c.Int(name))), nil
	case !v.count:
		return workload.Dist{}, fmt.Errorf("%s must be a count, but %s is a distribution of times: give its parameters no unit, as dist.uniform(1, 5)", name, v)
	}
	return v.D, nil
}

// empirical makes a distribution of values that were measured.
func empirical(c *Call) (starlark.Value, error) {
	xs, unit, err := numbersOf(c.Value("values"))
	if err != nil {
		return nil, fmt.Errorf("values %w", err)
	}
	if unit != "ns" && unit != "" {
		return nil, fmt.Errorf("values must be durations or counts, not samples in %s", unit)
	}
	var list []time.Duration
	for i, x := range xs {
		if x != math.Trunc(x) {
			return nil, fmt.Errorf("values must be durations or whole counts, not %v in place %d", x, i)
		}
		list = append(list, time.Duration(x))
	}
	return newDist(workload.Empirical(list), unit == "" && len(xs) > 0)
}

func distTable() Table {
	const either = "duration | int"
	fn := func(name, doc, example string, params []Param, impl func(*Call) (starlark.Value, error)) Builtin {
		return Builtin{Name: "dist." + name, Params: params, Result: "distribution", Doc: doc, Example: example, Impl: impl}
	}
	// one and two make the constructors whose parameters are amounts.
	one := func(name string, mk func(time.Duration) workload.Dist) func(*Call) (starlark.Value, error) {
		return func(c *Call) (starlark.Value, error) {
			a, count, err := amounts(c, name)
			if err != nil {
				return nil, err
			}
			return newDist(mk(a[0]), count)
		}
	}
	two := func(x, y string, mk func(x, y time.Duration) workload.Dist) func(*Call) (starlark.Value, error) {
		return func(c *Call) (starlark.Value, error) {
			a, count, err := amounts(c, x, y)
			if err != nil {
				return nil, err
			}
			return newDist(mk(a[0], a[1]), count)
		}
	}
	return Table{
		Topics: []Topic{
			{Name: "dist", Doc: "Distributions for the steps of a program. " +
				"Parameters with a unit make a distribution of times, bare numbers one of counts. " +
				"Each task draws from a stream of its own, so that one more task does not move the draws of another."},
			{Name: "distribution", Type: true, Doc: "How long a step takes, or how often it is repeated, when it varies.", Setup: "d = dist.exponential(10 * ms)"},
		},
		Kinds: []Kind{kindOf[*distValue]("distribution", "a distribution, as dist.exponential(5 * ms)")},
		Builtins: []Builtin{
			fn("constant", "Always the same value.", "print(dist.constant(5 * ms))  # constant(5ms)",
				[]Param{{Name: "value", Type: either, Doc: "The value."}}, one("value", workload.Constant)),
			fn("uniform", "Every value from lo to hi with the same probability; of counts both ends are included.", "print(dist.uniform(1 * ms, 3 * ms).mean)  # 2ms",
				[]Param{{Name: "lo", Type: either, Doc: "The least value."}, {Name: "hi", Type: either, Doc: "The largest value."}},
				two("lo", "hi", workload.Uniform)),
			fn("exponential", "The gaps of a Poisson process.", "print(dist.exponential(10 * ms))  # exponential(10ms)",
				[]Param{{Name: "mean", Type: either, Doc: "The mean."}}, one("mean", workload.Exponential)),
			fn("normal", "The normal distribution, truncated at 0: what comes out negative is drawn again. Where std is not small against mean this raises the mean.",
				"print(dist.normal(5 * ms, 1 * ms))  # normal(5ms, 1ms)",
				[]Param{{Name: "mean", Type: either, Doc: "The mean before the truncation."}, {Name: "std", Type: either, Doc: "The standard deviation before the truncation."}},
				two("mean", "std", workload.Normal)),
			fn("lognormal", "Values whose logarithm is normal. Half of them lie below median, and 16% above median * exp(sigma).",
				"print(dist.lognormal(5 * ms, 0.5))  # lognormal(5ms, 0.5)",
				[]Param{{Name: "median", Type: either, Doc: "The median."}, {Name: "sigma", Type: "float", Doc: "The standard deviation of the natural logarithm."}},
				func(c *Call) (starlark.Value, error) {
					a, count, err := amounts(c, "median")
					if err != nil {
						return nil, err
					}
					return newDist(workload.Lognormal(a[0], c.Float("sigma")), count)
				}),
			fn("pareto", "Values from xm upwards with a heavy tail: one above x has the probability (xm / x) to the alpha. With alpha of 1 or less there is no finite mean.",
				"print(dist.pareto(1 * ms, 2).mean)  # 2ms",
				[]Param{{Name: "xm", Type: either, Doc: "The least value."}, {Name: "alpha", Type: "float", Doc: "How fast the tail falls."}},
				func(c *Call) (starlark.Value, error) {
					a, count, err := amounts(c, "xm")
					if err != nil {
						return nil, err
					}
					return newDist(workload.Pareto(a[0], c.Float("alpha")), count)
				}),
			fn("bimodal", "One of two values: a with probability p, else b.", "print(dist.bimodal(0.75, 1 * ms, 5 * ms).mean)  # 2ms",
				[]Param{{Name: "p", Type: "float", Doc: "The probability of a."}, {Name: "a", Type: either, Doc: "One value."}, {Name: "b", Type: either, Doc: "The other value."}},
				func(c *Call) (starlark.Value, error) {
					a, count, err := amounts(c, "a", "b")
					if err != nil {
						return nil, err
					}
					return newDist(workload.Bimodal(c.Float("p"), a[0], a[1]), count)
				}),
			fn("empirical", "Each of the given values with the same probability, as they were measured.", "print(dist.empirical([1 * ms, 1 * ms, 7 * ms]).mean)  # 3ms",
				[]Param{{Name: "values", Type: "any", Doc: "Samples, or a list of durations or counts."}}, empirical),
			{
				Recv: "distribution", Name: "mean", Attr: true, Result: "duration | float",
				Doc:     "The expected value: a duration, or a number for counts.",
				Example: "print(d.mean, dist.uniform(1, 4).mean)  # 10ms 2.5",
				Impl: func(c *Call) (starlark.Value, error) {
					v := c.Recv.(*distValue)
					m := v.D.Mean()
					if math.IsInf(m, 0) {
						return nil, fmt.Errorf("mean: %s has no finite mean", v)
					}
					if v.count {
						return starlark.Float(m), nil
					}
					return quantityOf(m, "ns")
				},
			},
		},
	}
}
