package plots

import (
	"math"
	"strconv"
	"strings"
)

// A timeUnit is a unit in which an axis may be labelled.
type timeUnit struct {
	name string
	ns   float64
}

var timeUnits = [...]timeUnit{{"ns", 1}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}}

// timeFactor returns how many nanoseconds one unit is, and false if the unit
// is not a time. "us" is taken for "µs".
func timeFactor(unit string) (float64, bool) {
	if unit == "us" || unit == "μs" { // the second has the Greek letter
		unit = "µs"
	}
	for _, u := range timeUnits {
		if u.name == unit {
			return u.ns, true
		}
	}
	return 1, false
}

// unitFor returns the largest unit of which ns holds at least one.
func unitFor(ns float64) timeUnit {
	u := timeUnits[0]
	for _, v := range timeUnits[1:] {
		if ns >= v.ns*(1-1e-12) {
			u = v
		}
	}
	return u
}

// formatTime writes a span in ns in its natural unit, as "250 µs".
func formatTime(ns float64) string {
	u := unitFor(math.Abs(ns))
	return formatShort(ns/u.ns) + " " + u.name
}

// formatShort writes v with at most nine significant digits and no exponent
// where it can.
func formatShort(v float64) string {
	if a := math.Abs(v); a != 0 && (a < 1e-3 || a >= 1e15) {
		return formatExp(v)
	}
	r, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 9, 64), 64)
	return strconv.FormatFloat(r, 'f', -1, 64)
}

// formatLong writes v as formatSI if that tells all its digits, else in full if
// it is a whole number that a float holds exactly.
func formatLong(v float64) string {
	f, s := siScale(math.Abs(v))
	short := formatShort(v / f)
	if r, _ := strconv.ParseFloat(short, 64); r*f == v {
		return short + s
	}
	if math.Abs(v) >= 1<<53 || v != math.Trunc(v) {
		return formatShort(v)
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// formatExp writes v with an exponent without leading zeros, as "2e-5".
func formatExp(v float64) string {
	s := strconv.FormatFloat(v, 'e', 5, 64)
	mant, exp, _ := strings.Cut(s, "e")
	mant = strings.TrimRight(strings.TrimRight(mant, "0"), ".")
	n, _ := strconv.Atoi(exp)
	return mant + "e" + strconv.Itoa(n)
}

// formatSI writes v with the suffix k, M, G or T from 100,000 on.
func formatSI(v float64) string {
	f, s := siScale(math.Abs(v))
	return formatShort(v/f) + s
}

// siScale returns the power of 1,000 in which to write numbers up to max, and
// its suffix.
func siScale(max float64) (float64, string) {
	if max < 1e5 || max >= 1e15 {
		return 1, ""
	}
	f, s := 1e3, "k"
	for _, v := range []struct {
		f float64
		s string
	}{{1e6, "M"}, {1e9, "G"}, {1e12, "T"}} {
		if max >= v.f*(1-1e-12) {
			f, s = v.f, v.s
		}
	}
	return f, s
}

// niceStep returns the smallest of 1, 2 and 5 times a power of ten that is not
// below raw, as mantissa and exponent.
func niceStep(raw float64) (mant, exp int) {
	e := int(math.Floor(math.Log10(raw)))
	for ; ; e++ {
		for _, m := range []int{1, 2, 5} {
			if float64(m)*math.Pow10(e) >= raw*(1-1e-9) {
				return m, e
			}
		}
	}
}

// niceTicks returns at most n+1 multiples of a nice step inside [lo, hi], and
// the number of decimals that tells them apart.
func niceTicks(lo, hi float64, n int) (vals []float64, decimals int) {
	m, e := niceStep((hi - lo) / float64(n))
	at := func(i float64) float64 {
		if e < 0 {
			return i * float64(m) / math.Pow10(-e)
		}
		return i * float64(m) * math.Pow10(e)
	}
	step := at(1)
	first, last := math.Ceil(lo/step-1e-9), math.Floor(hi/step+1e-9)
	for i := first; i <= last; i++ {
		vals = append(vals, at(i))
	}
	return vals, max(0, -e)
}

// logTicks returns the values to label on a logarithmic axis: powers of ten if
// at least two are inside, else 1, 2 and 5 times powers of ten, else nice
// steps. stride is the number of decades from one label to the next.
func logTicks(lo, hi float64, stride, n int) []float64 {
	const eps = 1e-9
	e0, e1 := int(math.Ceil(math.Log10(lo)-eps)), int(math.Floor(math.Log10(hi)+eps))
	var vals []float64
	if e1 > e0 {
		for e := e0; e <= e1; e++ {
			if mod(e, stride) == 0 {
				vals = append(vals, math.Pow10(e))
			}
		}
		return vals
	}
	for e := e0 - 1; e <= e1+1; e++ {
		for _, m := range []float64{1, 2, 5} {
			if v := m * math.Pow10(e); v >= lo*(1-eps) && v <= hi*(1+eps) {
				vals = append(vals, v)
			}
		}
	}
	if len(vals) < 3 {
		vals, _ = niceTicks(lo, hi, n)
	}
	return vals
}

func mod(a, b int) int { return ((a % b) + b) % b }
