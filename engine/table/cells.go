package table

import (
	"fmt"
	"time"
)

// Cells is a read-only view of one column. Its methods panic on an index out of
// range, as a slice does; Int, Float, Duration, Str and Bool also panic on a
// column of another kind, and return the zero value where the cell is missing.
type Cells struct {
	c column
	n int
}

// Column returns the description of the column.
func (s Cells) Column() Column { return s.c.Column }

// Len returns the number of cells.
func (s Cells) Len() int { return s.n }

// Missing reports whether cell i has no value.
func (s Cells) Missing(i int) bool { return s.c.missing.has(i) }

// Value returns cell i as [Table.Value] does.
func (s Cells) Value(i int) any { return s.c.value(i) }

// Int returns cell i of an Int column, or of a Duration column in nanoseconds.
func (s Cells) Int(i int) int64 { return s.c.ints[i] }

// Float returns cell i of a Float column.
func (s Cells) Float(i int) float64 { return s.c.floats[i] }

// Duration returns cell i of a Duration column, or of an Int column that counts
// nanoseconds.
func (s Cells) Duration(i int) time.Duration { return time.Duration(s.c.ints[i]) }

// Str returns cell i of a String column.
func (s Cells) Str(i int) string { return s.c.strs[i] }

// Bool returns cell i of a Bool column.
func (s Cells) Bool(i int) bool { return s.c.bools[i] }

// Numbers returns the cells of a numeric column that are not missing as a new
// []float64, durations in nanoseconds: a sample for package stats or a plot. An
// integer beyond 2^53 is rounded.
func (s Cells) Numbers() ([]float64, error) {
	xs := make([]float64, 0, s.n)
	switch s.c.Kind {
	case Int, Duration:
		for i, v := range s.c.ints {
			if !s.c.missing.has(i) {
				xs = append(xs, float64(v))
			}
		}
	case Float:
		for i, v := range s.c.floats {
			if !s.c.missing.has(i) {
				xs = append(xs, v)
			}
		}
	default:
		return nil, fmt.Errorf("column %q: its cells are of kind %s: want an int, float or duration column", s.c.Name, s.c.Kind)
	}
	return xs, nil
}

// cellText writes one cell for an error message: a string in quotes, a duration
// with a unit.
func (c *column) cellText(i int) string {
	switch {
	case c.missing.has(i):
		return "(missing)"
	case c.Kind == String:
		return fmt.Sprintf("%q", clip(c.strs[i], defaultMaxCell))
	case c.Kind == Duration:
		return time.Duration(c.ints[i]).String()
	}
	return string(c.appendScalar(nil, i))
}
