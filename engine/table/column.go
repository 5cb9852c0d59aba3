package table

import (
	"fmt"
	"strings"
)

// Kind is the type of a column's cells.
type Kind uint8

// The kinds of cell. The zero Kind is none of them, so that a forgotten Kind is
// an error.
const (
	Int      Kind = iota + 1 // int64
	Float                    // float64
	Duration                 // a span or instant of simulated time, int64 ns
	String                   // string
	Bool                     // bool
)

// String returns the kind's name in lower case.
func (k Kind) String() string {
	switch k {
	case Int:
		return "int"
	case Float:
		return "float"
	case Duration:
		return "duration"
	case String:
		return "string"
	case Bool:
		return "bool"
	}
	return "unknown"
}

// Column describes one column.
type Column struct {
	// Name is what scripts and files call the column, in snake_case.
	Name string
	// Unit is that of an Int or Float, as a reader writes it: "%", "MB/s".
	// For a Duration it fixes the unit of the printed text, one of ns, us, ms
	// and s; left empty, the text takes the unit that suits the largest value.
	// Stored and exported durations are always nanoseconds. A String or Bool
	// has no unit.
	Unit string
	// Kind is the type of the cells.
	Kind Kind
	// Digits is the number of digits after the point in printed text, for a
	// Float or Duration. 0 chooses one for the column from its values, and a
	// negative number means none.
	Digits int
}

// numeric reports whether the cells are numbers.
func (c Column) numeric() bool { return c.Kind == Int || c.Kind == Float || c.Kind == Duration }

// maxDigits bounds Column.Digits: more than a float64 can mean.
const maxDigits = 18

// validate reports what is wrong with the description of a column.
func (c Column) validate() error {
	if strings.TrimSpace(c.Name) == "" {
		return fmt.Errorf("a column of kind %s has no name: want a word such as \"wait\"", c.Kind)
	}
	bad := func(format string, args ...any) error {
		return fmt.Errorf("column %q: %s", c.Name, fmt.Sprintf(format, args...))
	}
	switch c.Kind {
	case Int, Float:
	case Duration:
		if _, ok := unitOf(c.Unit); c.Unit != "" && !ok {
			return bad("unit %q of a duration: want ns, us, ms, s, or none to choose by size", c.Unit)
		}
	case String, Bool:
		if c.Unit != "" {
			return bad("unit %q for kind %s: only numbers have a unit", c.Unit, c.Kind)
		}
	default:
		return bad("kind %d: want Int, Float, Duration, String or Bool", c.Kind)
	}
	if c.Digits != 0 && c.Kind != Float && c.Kind != Duration {
		return bad("%d digits for kind %s: only a float or duration has digits after the point", c.Digits, c.Kind)
	}
	if c.Digits > maxDigits {
		return bad("%d digits: want at most %d", c.Digits, maxDigits)
	}
	return nil
}

// ExportName returns the name of the column in CSV and JSON, which carries the
// unit because the numbers there do not: "wait_ns", "share_pct", "rate_MB_per_s".
// A name that already ends in its unit is left as it is.
func (c Column) ExportName() string {
	unit := c.Unit
	if c.Kind == Duration {
		unit = "ns"
	}
	suffix := wordOf(unit)
	if suffix == "" || strings.HasSuffix(c.Name, "_"+suffix) {
		return c.Name
	}
	return c.Name + "_" + suffix
}

// wordOf spells a unit with letters, digits and single underscores.
func wordOf(unit string) string {
	var b strings.Builder
	for _, r := range unit {
		switch {
		case r == '%':
			b.WriteString("_pct_")
		case r == '/':
			b.WriteString("_per_")
		case r == 'µ' || r == 'μ': // micro sign, Greek mu
			b.WriteByte('u')
		case r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z':
			b.WriteRune(r)
		default:
			b.WriteByte('_')
		}
	}
	parts := strings.FieldsFunc(b.String(), func(r rune) bool { return r == '_' })
	return strings.Join(parts, "_")
}
