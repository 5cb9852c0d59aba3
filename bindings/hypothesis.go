package bindings

import (
	"errors"
	"fmt"
	"math"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"

	"schedrepl/engine/stats"
)

func record(fields starlark.StringDict) starlark.Value {
	return starlarkstruct.FromStringDict(starlarkstruct.Default, fields)
}

// spanOr is an interval with a unit, or None where there is none.
func spanOr(lo, hi float64, unit string) (starlark.Value, error) {
	if math.IsNaN(lo) || math.IsNaN(hi) {
		return starlark.None, nil
	}
	return quantities(lo, hi, unit)
}

// hypothesisTable describes the tests and fits of two samples.
func hypothesisTable() Table {
	sides := func(a, b string) []Param {
		return []Param{
			{Name: "a", Type: "any", Doc: a + ": samples, a column, or a list of numbers or durations."},
			{Name: "b", Type: "any", Doc: b + ", in the same unit."},
		}
	}
	level := Param{Name: "level", Type: "float", Default: "0.95", KwOnly: true, Doc: "How sure the interval is to hold the true value."}
	two := func(name, doc, example string, params []Param, test func(c *Call, s twoSides) (starlark.Value, error)) Builtin {
		return Builtin{
			Name: "stats." + name, Params: params, Result: "struct", Doc: doc, Example: example,
			Impl: func(c *Call) (starlark.Value, error) {
				s, err := sidesOf(c)
				if err != nil {
					return nil, err
				}
				v, err := test(c, s)
				if err != nil {
					return nil, plainError(err)
				}
				return v, nil
			},
		}
	}
	return Table{Builtins: []Builtin{
		two("ttest", "Compares the means of two independent samples by Welch's t-test, which does not take their spreads for equal. "+
			"It gives a struct of difference (b less a), interval, t, df and p; t, df and p are None if neither side varies and they differ. "+
			"Each side needs two values. For values with the same seeds, stats.paired sees much smaller differences.",
			"r = stats.ttest([1, 2, 3, 4], [3, 5, 6, 8, 9])\nprint(r.difference, round(r.p, 4))  # 3.7 0.0236",
			append(sides("One sample", "The other"), level),
			func(c *Call, s twoSides) (starlark.Value, error) {
				r, err := stats.TTest(s.a, s.b, c.Float("level"))
				if err != nil {
					return nil, err
				}
				diff, err := quantityOf(r.Diff, s.unit)
				if err != nil {
					return nil, err
				}
				span, err := spanOr(r.Lo, r.Hi, s.unit)
				if err != nil {
					return nil, err
				}
				return record(starlark.StringDict{
					"difference": diff, "interval": span, "t": floatOrNone(r.T), "df": floatOrNone(r.DF), "p": floatOrNone(r.P),
				}), nil
			}),
		two("mann_whitney", "Tests whether the values of one of two independent samples tend to be larger (Mann and Whitney; also Wilcoxon's rank sum test). "+
			"It gives a struct of u (pairs in which a is the larger, equal ones halved; R calls it W), p, superiority (u as a share of all pairs), ties, and exact. "+
			"p is exact if both sides have fewer than 50 values and none are equal, or some are and both have 40 together at most; else it is the normal approximation with corrections for ties and continuity.",
			"r = stats.mann_whitney([0.8, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46], [1.15, 0.88, 0.9, 0.74, 1.21])\nprint(r.u, round(r.p, 4), r.exact)  # 35.0 0.2544 True",
			sides("One sample", "The other"),
			func(_ *Call, s twoSides) (starlark.Value, error) {
				r, err := stats.MannWhitney(s.a, s.b)
				if err != nil {
					return nil, err
				}
				return record(starlark.StringDict{
					"u": starlark.Float(r.U), "p": starlark.Float(r.P), "superiority": starlark.Float(r.Super),
					"ties": starlark.Bool(r.Ties), "exact": starlark.Bool(r.Exact),
				}), nil
			}),
		two("ks", "Tests whether two independent samples come from one distribution, by the largest distance of their empirical distributions (Kolmogorov and Smirnov). "+
			"It gives a struct of d (from 0 to 1), at (a value where it is that large), p, ties, and exact. "+
			"p is exact, ties included, where the product of the sizes is below 10,000; else it is that of Kolmogorov's limit, which with ties is too large, on the safe side.",
			"r = stats.ks([1 * ms, 2 * ms, 3 * ms, 4 * ms], [3 * ms, 5 * ms, 6 * ms, 7 * ms])\nprint(r.d, r.at, round(r.p, 4))  # 0.75 4ms 0.1429",
			sides("One sample", "The other"),
			func(_ *Call, s twoSides) (starlark.Value, error) {
				r, err := stats.KolmogorovSmirnov(s.a, s.b)
				if err != nil {
					return nil, err
				}
				at, err := quantityOf(r.At, s.unit)
				if err != nil {
					return nil, err
				}
				return record(starlark.StringDict{
					"d": starlark.Float(r.D), "at": at, "p": starlark.Float(r.P), "ties": starlark.Bool(r.Ties), "exact": starlark.Bool(r.Exact),
				}), nil
			}),
		two("wilcoxon", "Tests by signed ranks whether the differences of pairs lie evenly around 0 (Wilcoxon). a and b have one value for each seed, in the same order. "+
			"It gives a struct of v (the ranks of the pairs in which a is the larger, added up), p, zeros (pairs without a difference, which are left out), ties, and exact. "+
			"p is exact, ties included, up to 50 pairs; else it is the normal approximation with corrections for ties and continuity.",
			"r = stats.wilcoxon([1.83, 0.5, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.3], [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29])\nprint(r.v, r.p)  # 40.0 0.0390625",
			sides("One side of the pairs", "The other"),
			func(_ *Call, s twoSides) (starlark.Value, error) {
				if len(s.a) != len(s.b) {
					return nil, fmt.Errorf("a has %s and b %d: a pair is one value of each; compare samples without pairs by stats.mann_whitney", plural(len(s.a), "value"), len(s.b))
				}
				d := make([]float64, len(s.a))
				for i := range d {
					d[i] = s.a[i] - s.b[i]
				}
				r, err := stats.Wilcoxon(d)
				if err != nil {
					return nil, err
				}
				return record(starlark.StringDict{
					"v": starlark.Float(r.V), "p": starlark.Float(r.P), "zeros": starlark.MakeInt(r.Zeros), "ties": starlark.Bool(r.Ties), "exact": starlark.Bool(r.Exact),
				}), nil
			}),
		{
			Name: "stats.correlation",
			Params: []Param{
				{Name: "a", Type: "any", Doc: "One side of the pairs: samples, a column, or a list of numbers or durations."},
				{Name: "b", Type: "any", Doc: "The other; it may have another unit."},
				{Name: "method", Type: "string", Default: `"pearson"`, Choices: []string{"pearson", "spearman"}, KwOnly: true, Doc: "How close the pairs lie to a straight line, or (by ranks) to any rising one."},
				level,
			},
			Result: "struct",
			Doc: "Tells how two measures go together, from -1 to 1. It gives a struct of r, interval (by Fisher's transformation; for ranks with the variance of Bonett and Wright; None below four pairs), p (of r being 0, by Student's t) and n. " +
				"It is an error if one side does not vary.",
			Example: "r = stats.correlation([1, 2, 3, 4, 5], [2 * ms, 3 * ms, 5 * ms, 4 * ms, 6 * ms])\nprint(r.r, round(r.p, 4))  # 0.9 0.0374",
			Impl:    correlationImpl,
		},
		{
			Name: "stats.regression",
			Params: []Param{
				{Name: "x", Type: "any", Doc: "What is varied: a column, samples, or a list of numbers or durations."},
				{Name: "y", Type: "any", Doc: "What is measured; it may have another unit."},
				level,
			},
			Result: "struct",
			Doc: "Fits the line y = intercept + slope * x by least squares. It gives a struct of slope, slope_interval, intercept, intercept_interval, r2 (the share of the variance of y that the line explains), p (of the slope being 0), residual (the standard deviation around the line) and n. " +
				"What has the unit of y is a duration if y are. The slope is a duration where only y are durations, y for each second where only x are, and else a bare number. " +
				"The intervals are by Student's t with n - 2 degrees of freedom, and None for two points. The x must vary.",
			Example: "r = stats.regression([1, 2, 4, 8], [3 * ms, 4 * ms, 7 * ms, 11 * ms])\nprint(r.slope, r.intercept, round(r.r2, 3))  # 1.156522ms 1.913043ms 0.992",
			Impl:    regressionImpl,
		},
	}}
}

// crossed reads two parameters of pairs that may differ in unit.
func crossed(c *Call, a, b string) (xs, ys []float64, ux, uy string, err error) {
	if xs, ux, err = numbersOf(c.Value(a)); err != nil {
		return nil, nil, "", "", fmt.Errorf("%s %w", a, err)
	}
	if ys, uy, err = numbersOf(c.Value(b)); err != nil {
		return nil, nil, "", "", fmt.Errorf("%s %w", b, err)
	}
	if len(xs) != len(ys) {
		return nil, nil, "", "", fmt.Errorf("%s has %s and %s %d: give pairs, one value of each", a, plural(len(xs), "value"), b, len(ys))
	}
	return xs, ys, ux, uy, nil
}

func correlationImpl(c *Call) (starlark.Value, error) {
	xs, ys, _, _, err := crossed(c, "a", "b")
	if err != nil {
		return nil, err
	}
	of := stats.Correlation
	if c.Str("method") == "spearman" {
		of = stats.RankCorrelation
	}
	r, err := of(xs, ys, c.Float("level"))
	if err != nil {
		return nil, plainError(err)
	}
	span, err := spanOr(r.Lo, r.Hi, "")
	if err != nil {
		return nil, err
	}
	return record(starlark.StringDict{"r": starlark.Float(r.R), "interval": span, "p": floatOrNone(r.P), "n": starlark.MakeInt(r.N)}), nil
}

func regressionImpl(c *Call) (starlark.Value, error) {
	xs, ys, ux, uy, err := crossed(c, "x", "y")
	if err != nil {
		return nil, err
	}
	r, err := stats.Regression(xs, ys, c.Float("level"))
	if err != nil {
		return nil, plainError(err)
	}
	slopeUnit, scale := "", 1.0
	switch {
	case uy == "ns" && ux != "ns":
		slopeUnit = "ns"
	case ux == "ns" && uy != "ns":
		scale = 1e9 // by the second
	}
	out := starlark.StringDict{"r2": starlark.Float(r.R2), "p": floatOrNone(r.P), "n": starlark.MakeInt(r.N)}
	for _, f := range []struct {
		name string
		make func() (starlark.Value, error)
	}{
		{"slope", func() (starlark.Value, error) { return quantityOf(r.Slope*scale, slopeUnit) }},
		{"slope_interval", func() (starlark.Value, error) { return spanOr(r.SlopeLo*scale, r.SlopeHi*scale, slopeUnit) }},
		{"intercept", func() (starlark.Value, error) { return quantityOf(r.Intercept, uy) }},
		{"intercept_interval", func() (starlark.Value, error) { return spanOr(r.InterLo, r.InterHi, uy) }},
		{"residual", func() (starlark.Value, error) {
			if math.IsNaN(r.Std) {
				return starlark.None, nil
			}
			return quantityOf(r.Std, uy)
		}},
	} {
		v, err := f.make()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		out[f.name] = v
	}
	return record(out), nil
}

// spreadOf reads what stats.mde and stats.needed know of the spread: values, or
// their standard deviation.
func spreadOf(c *Call) (std float64, n int, unit string, err error) {
	given := c.Has("std")
	if c.Has("values") == given {
		return 0, 0, "", errors.New("give either values, as the differences of pairs, or std, their standard deviation")
	}
	if given {
		std, unit, err = numberOf(c.Value("std"))
		if err != nil {
			return 0, 0, "", fmt.Errorf("std %w", err)
		}
		if std < 0 {
			return 0, 0, "", fmt.Errorf("std must not be negative, not %v", c.Value("std"))
		}
		return std, 0, unit, nil
	}
	xs, unit, err := numbersOf(c.Value("values"))
	if err != nil {
		return 0, 0, "", fmt.Errorf("values %w", err)
	}
	std, err = stats.Std(xs)
	if err != nil {
		err = plainError(err)
	}
	return std, len(xs), unit, err
}
