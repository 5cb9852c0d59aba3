package bindings

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"go.starlark.net/starlark"
)

// numbersOf reads a sample: samples, or numbers or durations in a sequence.
// The unit is "ns" for durations, that of samples, and empty for numbers. The
// error completes "values ...".
func numbersOf(v starlark.Value) (xs []float64, unit string, err error) {
	if s, ok := v.(*samplesValue); ok {
		return s.S.Values, s.S.Unit, nil
	}
	seq, ok := v.(starlark.Iterable)
	if _, isDict := v.(*starlark.Dict); !ok || isDict {
		return nil, "", fmt.Errorf("must be samples, or a list of numbers or durations, not %s", describe(v))
	}
	for e := range starlark.Elements(seq) {
		x, u, err := numberOf(e)
		if err != nil {
			return nil, "", fmt.Errorf("%w in place %d", err, len(xs))
		}
		if len(xs) > 0 && u != unit {
			return nil, "", fmt.Errorf("must be all numbers or all durations, not %s in place %d after others", describe(e), len(xs))
		}
		xs, unit = append(xs, x), u
	}
	return xs, unit, nil
}

// numberOf reads a number, or a duration in ns.
func numberOf(v starlark.Value) (x float64, unit string, err error) {
	switch v := v.(type) {
	case Duration:
		return float64(v), "ns", nil
	case starlark.Int, starlark.Float:
		x, _ := starlark.AsFloat(v)
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return 0, "", fmt.Errorf("must be finite numbers, not %v", v)
		}
		return x, "", nil
	case starlark.NoneType:
		return 0, "", fmt.Errorf("must be numbers or durations, not None (leave out what is missing: [x for x in list if x != None])")
	}
	return 0, "", fmt.Errorf("must be numbers or durations, not %s", describe(v))
}

// quantityOf is a number with its unit as a script holds it: a duration for
// "ns", else a float.
func quantityOf(x float64, unit string) (starlark.Value, error) {
	if unit != "ns" {
		return starlark.Float(x), nil
	}
	n, ok := round64(x)
	if !ok {
		return nil, durationQuantity().overflow()
	}
	return Duration(n), nil
}

// quantities is a pair of quantityOf.
func quantities(lo, hi float64, unit string) (starlark.Value, error) {
	l, err := quantityOf(lo, unit)
	if err != nil {
		return nil, err
	}
	h, err := quantityOf(hi, unit)
	if err != nil {
		return nil, err
	}
	return starlark.Tuple{l, h}, nil
}

// shortText prints a number with its unit and four significant digits.
func shortText(x float64, unit string) string {
	if unit == "ns" {
		n, _ := round64(x)
		return shortDuration(n)
	}
	text := strconv.FormatFloat(x, 'g', 4, 64)
	if unit != "" {
		text += " " + unit
	}
	return text
}

// shortDuration prints a duration with at most four significant digits.
func shortDuration(n int64) string {
	m, step := magnitude(n), uint64(1)
	for m/step >= 10_000 {
		step *= 10
	}
	m = m - m%step + m%step/((step+1)/2)*step
	if m > math.MaxInt64 {
		return Duration(n).String()
	}
	if n < 0 {
		return Duration(-int64(m)).String()
	}
	return Duration(m).String()
}

// timeUnits are the units in which tables and figures take times.
var timeUnits = []string{"ns", "us", "ms", "s"}

// scriptUnit is the name that a script has for a unit of time.
func scriptUnit(unit string) string {
	if unit == "s" {
		return "sec"
	}
	return unit
}

// cellOf makes a cell of a table a value of a script.
func cellOf(x any) starlark.Value {
	switch x := x.(type) {
	case int64:
		return starlark.MakeInt64(x)
	case float64:
		return starlark.Float(x)
	case time.Duration:
		return Duration(x)
	case string:
		return starlark.String(x)
	case bool:
		return starlark.Bool(x)
	}
	return starlark.None
}

// plainHeads are the names that errors of package stats begin with.
var plainHeads = []string{
	"cdf", "histogram", "quantile", "sum", "mean", "std", "min", "max", "mean interval", "bootstrap",
	"stop rule", "bca bootstrap", "paired", "t-test", "mann-whitney", "kolmogorov-smirnov", "wilcoxon", "correlation", "rank correlation",
	"regression", "quantile interval", "quantile difference", "mde", "needed", "histogram sum", "histogram std",
}

// plainError takes the name that an error of package stats or table begins
// with from it: the call is about to put the name there that the script knows.
func plainError(err error) error {
	head, rest, found := strings.Cut(err.Error(), ": ")
	if found && (contains(plainHeads, head) || strings.HasPrefix(head, "table ")) {
		return &namedError{rest, err}
	}
	return err
}
