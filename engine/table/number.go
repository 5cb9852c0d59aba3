package table

import (
	"math"
	"strconv"
	"strings"
)

// significant is the number of significant digits that a column's largest value
// is printed with; smaller values line up with it.
const significant = 4

// unit is a unit of time that durations are printed in.
type unit struct {
	name   string
	ns     int64
	digits int // digits after the point that reach down to 1 ns
}

// units are in descending order.
var units = [...]unit{{"s", 1e9, 9}, {"ms", 1e6, 6}, {"us", 1e3, 3}, {"ns", 1, 0}}

// unitOf finds a unit by name.
func unitOf(name string) (unit, bool) {
	for _, u := range units {
		if u.name == name {
			return u, true
		}
	}
	return unit{}, false
}

// formatter returns how the cells of a column are printed and the unit for its
// header. rows are those that will be printed: zeros that all of them end in are
// dropped.
func (c *column) formatter(rows []int) (format func(i int) string, unit string) {
	switch c.Kind {
	case Int:
		return func(i int) string { return strconv.FormatInt(c.ints[i], 10) }, c.Unit
	case Duration:
		u, digits := c.durationFormat(rows)
		return func(i int) string { return formatDuration(c.ints[i], u, digits) }, u.name
	case Float:
		digits, science := c.floatFormat(rows)
		return func(i int) string { return formatFloat(c.floats[i], digits, science) }, c.Unit
	case Bool:
		return func(i int) string { return strconv.FormatBool(c.bools[i]) }, ""
	}
	return func(i int) string { return c.strs[i] }, ""
}

// durationFormat chooses the unit and the digits of a Duration column.
func (c *column) durationFormat(rows []int) (u unit, digits int) {
	var largest uint64
	for _, v := range c.ints { // missing cells hold 0
		largest = max(largest, magnitude(v))
	}
	u, forced := unitOf(c.Unit)
	if !forced {
		u = units[len(units)-1]
		for _, larger := range units {
			if largest >= uint64(larger.ns) {
				u = larger
				break
			}
		}
	}
	if c.Digits != 0 {
		return u, min(max(c.Digits, 0), u.digits)
	}
	// The first significant digit of the largest stands at 10^(len-1) ns.
	length := len(strconv.FormatUint(largest, 10))
	most := min(max(u.digits-length+significant, 0), u.digits)
	step := u.ns // of the last digit printed
	for _, i := range rows {
		for digits < most && c.ints[i]%step != 0 {
			digits++
			step /= 10
		}
	}
	return u, digits
}

// formatDuration prints v nanoseconds in a unit, rounded half away from zero.
// It is exact: no float is involved.
func formatDuration(v int64, u unit, digits int) string {
	step := u.ns // of the last digit printed
	for range digits {
		step /= 10
	}
	n := magnitude(v)
	n = n/uint64(step) + (n%uint64(step)+uint64(step)/2)/uint64(step)
	s := strconv.FormatUint(n, 10)
	if digits > 0 {
		if len(s) <= digits {
			s = strings.Repeat("0", digits+1-len(s)) + s
		}
		s = s[:len(s)-digits] + "." + s[len(s)-digits:]
	}
	return signed(s, v < 0, v != 0 && n == 0, digits)
}

// magnitude returns |v| for every int64.
func magnitude(v int64) uint64 {
	if v < 0 {
		return -uint64(v)
	}
	return uint64(v)
}

// floatFormat chooses the digits of a Float column. Columns whose largest value
// is too large or too small to read in full are printed in science notation.
func (c *column) floatFormat(rows []int) (digits int, science bool) {
	largest := 0.0
	for _, v := range c.floats {
		if v = math.Abs(v); v > largest && !math.IsInf(v, 0) {
			largest = v
		}
	}
	if c.Digits != 0 {
		return max(c.Digits, 0), false
	}
	if largest == 0 {
		return 1, false
	}
	// The exponent after rounding, so that 999.96 counts as 1000.
	text := strconv.FormatFloat(largest, 'e', significant-1, 64)
	exp, _ := strconv.Atoi(text[strings.IndexByte(text, 'e')+1:])
	if exp >= 15 || exp < -4 {
		return significant - 1, true
	}
	most := max(significant-1-exp, 0)
	digits = min(most, 1) // a float keeps its point
	for _, i := range rows {
		if v := c.floats[i]; !math.IsNaN(v) && !math.IsInf(v, 0) && digits < most {
			s := strings.TrimRight(strconv.FormatFloat(v, 'f', most, 64), "0")
			digits = max(digits, len(s)-strings.IndexByte(s, '.')-1)
		}
	}
	return digits, false
}

// formatFloat prints v with the given digits after the point.
func formatFloat(v float64, digits int, science bool) string {
	switch {
	case math.IsNaN(v):
		return "NaN"
	case math.IsInf(v, 1):
		return "inf"
	case math.IsInf(v, -1):
		return "-inf"
	case v == 0:
		v = 0 // not -0
	}
	if science {
		return strconv.FormatFloat(v, 'e', digits, 64)
	}
	s := strconv.FormatFloat(math.Abs(v), 'f', digits, 64)
	return signed(s, v < 0, v != 0 && strings.Trim(s, "0.") == "", digits)
}

// signed puts a sign before the digits s. A value that is not 0 but would print
// as 0 is printed as the bound that it stays within.
func signed(s string, negative, vanished bool, digits int) string {
	if vanished {
		s = "1"
		if digits > 0 {
			s = "0." + strings.Repeat("0", digits-1) + "1"
		}
	}
	switch {
	case vanished && negative:
		return ">-" + s
	case vanished:
		return "<" + s
	case negative:
		return "-" + s
	}
	return s
}
