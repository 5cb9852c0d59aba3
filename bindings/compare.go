package bindings

import (
	"fmt"
	"math"
	"strings"

	"go.starlark.net/starlark"

	"schedrepl/engine/stats"
	"schedrepl/engine/table"
)

// pairedValue is the comparison of two variants over the same seeds, as a
// script holds it.
type pairedValue struct {
	Object
	P     stats.Paired
	names [2]string
	unit  string
	opt   stats.PairOptions
}

// String says the conclusion in words.
func (v *pairedValue) String() string {
	p, a, b := &v.P, v.names[0], v.names[1]
	if p.Constant && p.Diff == 0 {
		return fmt.Sprintf("%s equals %s in each of %d pairs", b, a, p.N)
	}
	out := &strings.Builder{}
	switch {
	case p.Constant:
		fmt.Fprintf(out, "%s is %s %s than %s in each of %d pairs", b, shortText(math.Abs(p.Diff), v.unit), moreOrLess(p.Diff), a, p.N)
		v.relativeText(out)
		return out.String()
	case p.Significant():
		fmt.Fprintf(out, "%s is %s %s than %s", b, aroundText(p.Diff, p.Lo, p.Hi, v.unit), moreOrLess(p.Diff), a)
		v.relativeText(out)
	default:
		fmt.Fprintf(out, "no difference seen: %s less %s is %s (%s to %s)", b, a, shortText(p.Diff, v.unit), shortText(p.Lo, v.unit), shortText(p.Hi, v.unit))
		v.relativeText(out)
	}
	fmt.Fprintf(out, ", %d pairs, %s", p.N, pText(p.P))
	alpha := 1 - v.opt.Level
	if (p.Wilcoxon.P < alpha) != p.Significant() {
		fmt.Fprintf(out, " (by ranks %s)", pText(p.Wilcoxon.P))
	}
	if !p.Significant() {
		of := ""
		if !math.IsNaN(p.RelMDE) {
			of = fmt.Sprintf(" (%s)", strings.TrimPrefix(percentText(p.RelMDE), "+"))
		}
		fmt.Fprintf(out, "; one of %s%s or more would have been found with probability %.4g", shortText(p.MDE, v.unit), of, v.opt.Power)
	}
	return out.String()
}

// relativeText adds the relative difference, where there is one.
func (v *pairedValue) relativeText(b *strings.Builder) {
	if math.IsNaN(v.P.Rel) {
		return
	}
	fmt.Fprintf(b, ": %s", percentText(v.P.Rel))
	if lo, hi := v.P.RelLo, v.P.RelHi; lo < hi {
		fmt.Fprintf(b, " (%s to %s)", strings.TrimSuffix(percentText(lo), " %"), percentText(hi))
	}
}

func moreOrLess(diff float64) string {
	if diff < 0 {
		return "lower"
	}
	return "higher"
}

// aroundText prints the size of a difference with its interval, the nearer end
// first: "3.1ms (2.7ms to 3.5ms)".
func aroundText(diff, lo, hi float64, unit string) string {
	if diff < 0 {
		diff, lo, hi = -diff, -hi, -lo
	}
	return fmt.Sprintf("%s (%s to %s)", shortText(diff, unit), shortText(lo, unit), shortText(hi, unit))
}

// table lists means and differences, one a row.
func (v *pairedValue) table() *table.Table {
	p := &v.P
	t := table.MustNew(fmt.Sprintf("%s against %s, %s", v.names[1], v.names[0], plural(p.N, "pair")),
		table.Column{Name: "what", Kind: table.String}, unitColumn("value", v.unit), unitColumn("from", v.unit), unitColumn("to", v.unit),
		table.Column{Name: "change", Unit: "%", Kind: table.Float, Digits: 2},
		table.Column{Name: "change_from", Unit: "%", Kind: table.Float, Digits: 2}, table.Column{Name: "change_to", Unit: "%", Kind: table.Float, Digits: 2},
		table.Column{Name: "p", Kind: table.Float, Digits: 4})
	nan := math.NaN()
	row := func(name string, x, lo, hi, rel, relLo, relHi, prob float64) {
		cells := append([]any{name}, unitCells(v.unit, x, lo, hi)...)
		mustAppend(t, append(cells, unitCells("%", 100*rel, 100*relLo, 100*relHi, prob)...)...)
	}
	row(v.names[0], p.MeanA, nan, nan, nan, nan, nan, nan)
	row(v.names[1], p.MeanB, nan, nan, nan, nan, nan, nan)
	row("difference", p.Diff, p.Lo, p.Hi, p.Rel, p.RelLo, p.RelHi, p.P)
	row("difference, by ranks", nan, nan, nan, nan, nan, nan, p.Wilcoxon.P)
	row("detectable", p.MDE, nan, nan, p.RelMDE, nan, nan, nan)
	return t
}

// mostNames limits the names of two variants.
const mostNames = 2

func pairedImpl(c *Call) (starlark.Value, error) {
	s, err := pairsOf(c)
	if err != nil {
		return nil, err
	}
	if c.Has("names") {
		names := ArgList[string](c, "names")
		if len(names) != mostNames || names[0] == names[1] || names[0] == "" || names[1] == "" {
			return nil, fmt.Errorf("names must be two different ones, as [\"without\", \"with\"], not %s", quoteList(names))
		}
		copy(s.names[:], names)
	}
	v := &pairedValue{names: s.names, unit: s.unit, opt: stats.PairOptions{
		Level: c.Float("level"), Power: c.Float("power"), Method: stats.Method(c.Str("method")),
		Draws: c.Int("draws"), Src: bootstrapStream(c.Session, "paired"),
	}}
	v.Init("paired", v)
	if v.opt.Method != stats.Student {
		if err := affordable(v.opt.Draws, len(s.a), v.opt.Method); err != nil {
			return nil, err
		}
	}
	if v.P, err = stats.Pair(s.a, s.b, v.opt); err != nil {
		return nil, plainError(err)
	}
	return v, nil
}

// affordable fails for a bootstrap that would take more than some seconds.
func affordable(draws, n int, method stats.Method) error {
	const name = "draws"
	if draws < 1 || n > 0 && draws > mostDraws/n {
		return fmt.Errorf("%s must be from 1 to %d for %s, not %d", name, mostDraws/max(1, n), plural(n, "value"), draws)
	}
	if method == stats.BCa && n > mostJackknife {
		return fmt.Errorf("method \"bca\" is for %d values at most, not %d: take \"percentile\", which is as good for so many", mostJackknife, n)
	}
	return nil
}

// mostJackknife is the number of values up to which BCa takes no more than a
// second: it leaves out each value once.
const mostJackknife = 10_000

func pairedTable() Table {
	attr := func(name, result, doc, shows string, get func(*pairedValue) (starlark.Value, error)) Builtin {
		return Builtin{
			Recv: "paired", Name: name, Attr: true, Result: result, Doc: doc, Example: "print(p." + name + ")  # " + shows,
			Impl: func(c *Call) (starlark.Value, error) { return get(c.Recv.(*pairedValue)) },
		}
	}
	quantity := func(name, doc, shows string, get func(*stats.Paired) float64) Builtin {
		return attr(name, "duration | float", doc, shows, func(v *pairedValue) (starlark.Value, error) { return quantityOf(get(&v.P), v.unit) })
	}
	number := func(name, doc, shows string, get func(*stats.Paired) float64) Builtin {
		b := attr(name, "float | None", doc, shows, func(v *pairedValue) (starlark.Value, error) { return floatOrNone(get(&v.P)), nil })
		b.Example = "print(round(p." + name + ", 4))  # " + shows
		return b
	}
	level := Param{Name: "level", Type: "float", Default: "0.95", KwOnly: true, Doc: "How sure the intervals are to hold the true value; a difference counts as seen if its interval excludes 0."}
	return Table{
		Topics: []Topic{{
			Name: "paired", Type: true,
			Doc: "Two variants compared over the same seeds, as stats.paired makes it. It prints its conclusion in words. " +
				"Differences are b less a, and percentages are of the mean of a.",
			Setup: "a = [21 * ms, 25 * ms, 19 * ms, 30 * ms, 24 * ms]\nb = [18 * ms, 21 * ms, 17 * ms, 25 * ms, 20 * ms]\np = stats.paired(a, b)",
		}},
		Builtins: []Builtin{
			{
				Name: "stats.paired",
				Params: []Param{
					{Name: "a", Type: "any", Doc: "The base: a column, list or samples with a value for each seed, or a table of repeat."},
					{Name: "b", Type: "any", Default: "None", Doc: "The other variant, of the same sort and for the same seeds; None where a table a holds both, see by."},
					{Name: "of", Type: "string", Default: `""`, Doc: "The column to compare, of tables; it may be left out where there is only one."},
					{Name: "by", Type: "string", Default: `""`, KwOnly: true, Doc: "The column with two values that tells the variants apart, where one table holds both, as after repeat(..., vary = ...). The value that comes first is a."},
					level,
					{Name: "power", Type: "float", Default: "0.8", KwOnly: true, Doc: "The probability with which the detectable difference is found."},
					{Name: "method", Type: "string", Default: `"t"`, Choices: []string{"t", "percentile", "bca"}, KwOnly: true, Doc: "How the intervals are found: by Student's t, or by redrawing the pairs (bootstrap), plain or with Efron's corrections."},
					{Name: "draws", Type: "int", Default: "2000", KwOnly: true, Doc: "How often a bootstrap redraws the pairs."},
					{Name: "names", Type: "list of string | None", Default: "None", KwOnly: true, Doc: "What a and b are called in the text; None takes the titles of tables, or \"a\" and \"b\"."},
				},
				Result: "paired",
				Doc: "Compares two variants that ran with the same seeds, pair by pair: what a seed does to both goes away in the difference, so that a few seeds show what hundreds of unpaired ones would not. " +
					"Tables of repeat are paired by their column seed, and seeds that only one of them has are an error, as are two lists of different lengths and values of different units. It takes two pairs at least. " +
					"The interval of the difference and p are Student's t of the differences, n - 1 degrees of freedom; wilcoxon_p is that of Wilcoxon's signed ranks, which outliers cannot sway. " +
					"The interval of the relative difference is Fieller's for a ratio of two means, which excludes 0 exactly if the other one does. " +
					"By simulation, 95 % intervals of 30 pairs hold the truth in 95 % of the cases for normal values and in 93 % for log-normal ones.",
				Example: "a = [21 * ms, 25 * ms, 19 * ms, 30 * ms, 24 * ms]\nb = [18 * ms, 21 * ms, 17 * ms, 25 * ms, 20 * ms]\n" +
					"print(stats.paired(a, b))  # b is 3.6ms (2.184ms to 5.016ms) lower than a: -15.1 % (-17.5 to -11.6 %), 5 pairs, p = 0.0021 (by ranks p = 0.062)",
				Impl: pairedImpl,
			},
			attr("n", "int", "The number of pairs.", "5", func(v *pairedValue) (starlark.Value, error) { return starlark.MakeInt(v.P.N), nil }),
			quantity("mean_a", "The mean of a.", "23.8ms", func(p *stats.Paired) float64 { return p.MeanA }),
			quantity("mean_b", "The mean of b.", "20.2ms", func(p *stats.Paired) float64 { return p.MeanB }),
			quantity("difference", "The mean of b less that of a.", "-3.6ms", func(p *stats.Paired) float64 { return p.Diff }),
			attr("interval", "tuple of two", "The interval of the difference, as (lo, hi).", "(-5.015715ms, -2.184285ms)",
				func(v *pairedValue) (starlark.Value, error) { return quantities(v.P.Lo, v.P.Hi, v.unit) }),
			number("percent", "The difference in percent of the mean of a; None if that is 0.", "-15.1261", func(p *stats.Paired) float64 { return 100 * p.Rel }),
			{
				Recv: "paired", Name: "percent_interval", Attr: true, Result: "tuple of two | None",
				Doc:     "The interval of that, as (lo, hi); None where the mean of a may as well be 0.",
				Example: "lo, hi = p.percent_interval\nprint(round(lo, 1), round(hi, 1))  # -17.5 -11.6",
				Impl: func(c *Call) (starlark.Value, error) {
					p := &c.Recv.(*pairedValue).P
					if math.IsNaN(p.RelLo) {
						return starlark.None, nil
					}
					return starlark.Tuple{starlark.Float(100 * p.RelLo), starlark.Float(100 * p.RelHi)}, nil
				},
			},
			number("p", "The probability of so large a difference, either way, if there is none in truth; by Student's t. None if all differences are equal and not 0: there is no spread to measure them by.", "0.0021",
				func(p *stats.Paired) float64 { return p.P }),
			number("wilcoxon_p", "The same by Wilcoxon's signed ranks: exact up to 50 pairs, ties included, and the normal approximation beyond. Pairs without a difference are left out.", "0.0625",
				func(p *stats.Paired) float64 { return p.Wilcoxon.P }),
			attr("significant", "bool", "Whether a difference was seen: its interval excludes 0.", "True",
				func(v *pairedValue) (starlark.Value, error) { return starlark.Bool(v.P.Significant()), nil }),
			number("correlation", "The correlation of the pairs, from -1 to 1: how much of what a seed does it does to both. None if one side does not vary.", "0.996",
				func(p *stats.Paired) float64 { return p.Corr }),
			number("gain", "How many times more seeds an unpaired comparison takes for an interval as narrow: the variances of a and of b, over that of the differences. Below 1 the pairing has cost something. None if all differences are equal.", "21.0769",
				func(p *stats.Paired) float64 { return p.Gain }),
			quantity("detectable", "The least difference that so many pairs of this spread show with probability power (noncentral t distribution, the observed spread taken for the true one).", "1.917772ms",
				func(p *stats.Paired) float64 { return p.MDE }),
			number("detectable_percent", "The same in percent of the mean of a; None if that is 0.", "8.0579", func(p *stats.Paired) float64 { return 100 * p.RelMDE }),
			{
				Recv: "paired", Name: "table", Result: "table",
				Doc:     "The comparison as a table: the means, the difference with its intervals and p, and what would have been found.",
				Example: "print(p.table()[2].value)  # -3.6ms",
				Impl:    func(c *Call) (starlark.Value, error) { return newTable(c.Recv.(*pairedValue).table()), nil },
			},
		},
	}
}
