package bindings

import (
	"fmt"
	"math"
	"strings"

	"go.starlark.net/starlark"

	"schedrepl/engine/stats"
	"schedrepl/engine/table"
)

// versusValue is the comparison of two samples that are not paired, as a script
// holds it.
type versusValue struct {
	Object
	V     stats.Versus
	names [2]string
	unit  string
}

// String says the conclusion in words, and how far to trust it.
func (v *versusValue) String() string {
	w, a, b := &v.V, v.names[0], v.names[1]
	out := &strings.Builder{}
	m := &w.Mean
	if m.Lo > 0 || m.Hi < 0 {
		fmt.Fprintf(out, "the mean of %s is %s %s than that of %s", b, aroundText(m.Diff, m.Lo, m.Hi, v.unit), moreOrLess(m.Diff), a)
	} else {
		fmt.Fprintf(out, "no difference of the means seen: %s less %s is %s (%s to %s)", b, a,
			shortText(m.Diff, v.unit), shortText(m.Lo, v.unit), shortText(m.Hi, v.unit))
	}
	if m.MeanA != 0 {
		fmt.Fprintf(out, ": %s", percentText(m.Diff/math.Abs(m.MeanA)))
	}
	fmt.Fprintf(out, ", %d against %s", m.M, plural(m.N, "value"))
	if !math.IsNaN(m.P) {
		fmt.Fprintf(out, ", %s", pText(m.P))
	}
	fmt.Fprintf(out, "\nmedian: %s; p99: %s", v.estimateText(w.Median), v.estimateText(w.P99))
	fmt.Fprintf(out, "\na value of %s is above one of %s with probability %.2f, %s (Mann-Whitney); the distributions are %.2f apart, %s (Kolmogorov-Smirnov)",
		b, a, 1-w.Ranks.Super, pText(w.Ranks.P), w.KS.D, pText(w.KS.P))
	fmt.Fprintf(out, "\ncaution: %s", v.caution())
	return out.String()
}

func (v *versusValue) estimateText(e stats.Estimate) string {
	if math.IsNaN(e.Lo) {
		return fmt.Sprintf("%s (too few values for an interval)", signedText(e.Value, v.unit))
	}
	return fmt.Sprintf("%s (%s to %s)", signedText(e.Value, v.unit), shortText(e.Lo, v.unit), shortText(e.Hi, v.unit))
}

// signedText is shortText with a plus before what is positive.
func signedText(x float64, unit string) string {
	if x > 0 {
		return "+" + shortText(x, unit)
	}
	return shortText(x, unit)
}

// caution says that the samples of one run are not independent, and if that can
// be estimated, by how much the intervals are off.
func (v *versusValue) caution() string {
	const prefer = "compare over seeds: repeat, then stats.paired"
	ra := float64(v.V.A.N) / v.V.EffA
	rb := float64(v.V.B.N) / v.V.EffB
	worst := math.Sqrt(max(ra, rb))
	switch {
	case math.IsNaN(worst):
		return "the samples of one run depend on each other, so intervals are wider and p larger in truth; " + prefer
	case worst < 1.25:
		return "the samples of one run may depend on each other (batch means show little of it here); " + prefer
	}
	return fmt.Sprintf("the samples depend on each other: they are worth about %.3g and %.3g independent ones, so intervals should be up to %.2g times as wide and p is too small; %s",
		v.V.EffA, v.V.EffB, worst, prefer)
}

// table lists the measures of both samples and their differences.
func (v *versusValue) table() *table.Table {
	w := &v.V
	t := table.MustNew(fmt.Sprintf("%s against %s", v.names[1], v.names[0]),
		table.Column{Name: "what", Kind: table.String}, unitColumn("a", v.unit), unitColumn("b", v.unit),
		unitColumn("difference", v.unit), unitColumn("from", v.unit), unitColumn("to", v.unit),
		table.Column{Name: "p", Kind: table.Float, Digits: 4}, table.Column{Name: "test", Kind: table.String})
	nan := math.NaN()
	row := func(name string, xa, xb float64, e stats.Estimate, p float64, test any) {
		cells := append([]any{name}, unitCells(v.unit, xa, xb, e.Value, e.Lo, e.Hi)...)
		mustAppend(t, append(append(cells, unitCells("", p)...), test)...)
	}
	none := stats.Estimate{Value: nan, Lo: nan, Hi: nan}
	row("mean", w.A.Mean, w.B.Mean, stats.Estimate{Value: w.Mean.Diff, Lo: w.Mean.Lo, Hi: w.Mean.Hi}, w.Mean.P, "Welch")
	row("median", w.A.P50, w.B.P50, w.Median, nan, nil)
	row("p99", w.A.P99, w.B.P99, w.P99, nan, nil)
	row("ranks", nan, nan, none, w.Ranks.P, "Mann-Whitney")
	row("distribution", nan, nan, none, w.KS.P, "Kolmogorov-Smirnov")
	return t
}

// vsImpl is samples.vs.
func vsImpl(c *Call, v *samplesValue) (starlark.Value, error) {
	other := Arg[*samplesValue](c, "other")
	for _, s := range []*samplesValue{v, other} {
		if s.Len() < 2 {
			return nil, fmt.Errorf("it takes two values on each side at least: %s", s.tooFew(stats.ErrTooFew))
		}
	}
	if v.S.Unit != other.S.Unit {
		return nil, fmt.Errorf("both must have one unit, not %s and %s", unitWord(v.S.Unit), unitWord(other.S.Unit))
	}
	w := &versusValue{names: [2]string{v.S.Name, other.S.Name}, unit: v.S.Unit}
	if w.names[0] == "" || w.names[1] == "" || w.names[0] == w.names[1] {
		w.names = [2]string{"this", "the other"}
	}
	w.Init("versus", w)
	var err error
	if w.V, err = stats.Compare(v.S.Values, other.S.Values, c.Float("level"), versusDraws, bootstrapStream(c.Session, "versus")); err != nil {
		return nil, plainError(err)
	}
	return w, nil
}

// versusDraws is how often samples.vs draws quantiles anew.
const versusDraws = 2000

// unitWord words a unit for an error.
func unitWord(unit string) string {
	if unit == "" {
		return "none"
	}
	return unit
}

func versusTable() Table {
	attr := func(name, result, doc, shows string, get func(*versusValue) (starlark.Value, error)) Builtin {
		return Builtin{
			Recv: "versus", Name: name, Attr: true, Result: result, Doc: doc, Example: "print(v." + name + ")  # " + shows,
			Impl: func(c *Call) (starlark.Value, error) { return get(c.Recv.(*versusValue)) },
		}
	}
	number := func(name, doc, shows string, get func(*stats.Versus) float64) Builtin {
		b := attr(name, "float | None", doc, shows, func(v *versusValue) (starlark.Value, error) { return floatOrNone(get(&v.V)), nil })
		b.Example = "print(round(v." + name + ", 4))  # " + shows
		return b
	}
	quantity := func(name, doc, shows string, get func(*stats.Versus) float64) Builtin {
		return attr(name, "duration | float", doc, shows, func(v *versusValue) (starlark.Value, error) { return quantityOf(get(&v.V), v.unit) })
	}
	interval := func(name, doc, shows string, get func(*stats.Versus) (lo, hi float64)) Builtin {
		return attr(name, "tuple of two | None", doc, shows, func(v *versusValue) (starlark.Value, error) {
			lo, hi := get(&v.V)
			if math.IsNaN(lo) {
				return starlark.None, nil
			}
			return quantities(lo, hi, v.unit)
		})
	}
	return Table{
		Topics: []Topic{{
			Name: "versus", Type: true,
			Doc: "Two samples compared without pairs, as a.vs(b) makes it. It prints its conclusion in words. Differences are b less a.",
			Setup: "a = stats.samples([1 * ms, 2 * ms, 3 * ms, 4 * ms, 9 * ms], name = \"before\")\n" +
				"b = stats.samples([3 * ms, 5 * ms, 6 * ms, 8 * ms, 20 * ms], name = \"after\")\nv = a.vs(b)",
		}},
		Builtins: []Builtin{
			{
				Recv: "samples", Name: "vs",
				Params: []Param{
					{Name: "other", Type: "samples", Doc: "The samples to compare these with."},
					{Name: "level", Type: "float", Default: "0.95", KwOnly: true, Doc: "How sure the intervals are to hold the true value."},
				},
				Result: "versus",
				Doc: "Compares the distribution of other samples with that of these; differences are the other less this. Both must have one unit and two values. " +
					"The interval of the means is Welch's, those of medians and 99th percentiles (from 100 values on) are found by redrawing 2,000 times. " +
					"Mann-Whitney's p is exact for small samples, and else a normal approximation with corrections for ties and continuity; Kolmogorov-Smirnov's is exact where the product of the sizes is below 10,000, and else that of the limit, which errs on the safe side with ties. " +
					"All of them take values for independent of each other, and the waits of one run are not: a long one comes with others. The text says so, and estimates by batch means how much the samples are worth. " +
					"To compare variants, prefer repeat and stats.paired.",
				Example: "t = stats.samples([4 * ms, 6 * ms, 8 * ms, 20 * ms])\nprint(s.vs(t).difference)  # 5.5ms",
				Impl:    func(c *Call) (starlark.Value, error) { return vsImpl(c, c.Recv.(*samplesValue)) },
			},
			attr("n", "tuple of two", "The numbers of values, of a and b.", "(5, 5)", func(v *versusValue) (starlark.Value, error) {
				return starlark.Tuple{starlark.MakeInt(v.V.A.N), starlark.MakeInt(v.V.B.N)}, nil
			}),
			attr("effective_n", "tuple of two", "How many independent values the samples are worth for their means, of a and b: an estimate by batch means, which takes 100 values at least and is None for fewer, and knows no dependence that reaches further than the square root of their number.", "(None, None)",
				func(v *versusValue) (starlark.Value, error) {
					return starlark.Tuple{floatOrNone(v.V.EffA), floatOrNone(v.V.EffB)}, nil
				}),
			quantity("difference", "The mean of b less that of a.", "4.6ms", func(v *stats.Versus) float64 { return v.Mean.Diff }),
			interval("interval", "The interval of that, as (lo, hi), by Welch's test.", "(-3.643516ms, 12.843516ms)", func(v *stats.Versus) (lo, hi float64) { return v.Mean.Lo, v.Mean.Hi }),
			number("p", "The probability of means so far apart if there is no difference in truth, by Welch's test. None if neither side varies and they differ.", "0.2178", func(v *stats.Versus) float64 { return v.Mean.P }),
			quantity("median_difference", "The median of b less that of a.", "3ms", func(v *stats.Versus) float64 { return v.Median.Value }),
			interval("median_interval", "The interval of that, as (lo, hi), by redrawing.", "(-3ms, 17ms)", func(v *stats.Versus) (lo, hi float64) { return v.Median.Lo, v.Median.Hi }),
			quantity("p99_difference", "The 99th percentile of b less that of a.", "10.72ms", func(v *stats.Versus) float64 { return v.P99.Value }),
			interval("p99_interval", "The interval of that, as (lo, hi), by redrawing; None below 100 values.", "None", func(v *stats.Versus) (lo, hi float64) { return v.P99.Lo, v.P99.Hi }),
			number("superiority", "The probability that a value of b is above one of a, equal ones counted half: 0.5 if neither tends to be.", "0.78", func(v *stats.Versus) float64 { return 1 - v.Ranks.Super }),
			number("rank_p", "The probability of a superiority so far from 0.5, either way, if there is no difference in truth, by Mann and Whitney.", "0.1667", func(v *stats.Versus) float64 { return v.Ranks.P }),
			number("distance", "The largest distance of the two empirical distributions, from 0 to 1: Kolmogorov and Smirnov's D.", "0.6", func(v *stats.Versus) float64 { return v.KS.D }),
			number("distance_p", "The probability of so large a distance if both come from one distribution.", "0.2857", func(v *stats.Versus) float64 { return v.KS.P }),
			{
				Recv: "versus", Name: "table", Result: "table",
				Doc:     "The comparison as a table: mean, median and 99th percentile of both, the differences with their intervals, and p by test.",
				Example: "print(v.table()[0].difference)  # 4.6ms",
				Impl:    func(c *Call) (starlark.Value, error) { return newTable(c.Recv.(*versusValue).table()), nil },
			},
		},
	}
}
