package table

import (
	"fmt"
	"time"
)

// column is a description with its cells. One of the slices is in use, by Kind.
// Missing cells hold the zero value there.
type column struct {
	Column
	ints    []int64 // Int and Duration
	floats  []float64
	strs    []string
	bools   []bool
	missing bitmap
}

// cell is one checked value on its way into a column.
type cell struct {
	i       int64 // Int, Duration in ns, Bool as 0 or 1
	f       float64
	s       string
	missing bool
}

// accept checks one value against the kind of the column.
func (c *column) accept(v any) (cell, error) {
	if v == nil {
		return cell{missing: true}, nil
	}
	switch c.Kind {
	case Int:
		if i, ok := integer(v); ok {
			return cell{i: i}, nil
		}
	case Float:
		switch f := v.(type) {
		case float64:
			return cell{f: f}, nil
		case float32:
			return cell{f: float64(f)}, nil
		}
		if i, ok := integer(v); ok {
			// 2^63 is looked for first: converted back, it differs by machine.
			if f := float64(i); f < 1<<63 && int64(f) == i {
				return cell{f: f}, nil
			}
		}
	case Duration:
		if d, ok := v.(time.Duration); ok {
			return cell{i: int64(d)}, nil
		}
	case String:
		if s, ok := v.(string); ok {
			return cell{s: s}, nil
		}
	case Bool:
		if b, ok := v.(bool); ok {
			if b {
				return cell{i: 1}, nil
			}
			return cell{}, nil
		}
	}
	return cell{}, fmt.Errorf("column %q: got %T %v, want %s", c.Name, v, v, wants[c.Kind])
}

// wants says what fits each kind, for errors.
var wants = [...]string{
	Int:      "an integer of at most 64 bits",
	Float:    "a number that a float64 holds",
	Duration: "a duration with its unit, such as 5 * ms",
	String:   "a string",
	Bool:     "a bool",
}

// integer returns v as an int64 if it is of a built-in integer type and fits.
// Named types, such as time.Duration, are not integers here.
func integer(v any) (int64, bool) {
	switch i := v.(type) {
	case int:
		return int64(i), true
	case int8:
		return int64(i), true
	case int16:
		return int64(i), true
	case int32:
		return int64(i), true
	case int64:
		return i, true
	case uint:
		return int64(i), int64(i) >= 0
	case uint8:
		return int64(i), true
	case uint16:
		return int64(i), true
	case uint32:
		return int64(i), true
	case uint64:
		return int64(i), int64(i) >= 0
	}
	return 0, false
}

// push adds a value that accept returned.
func (c *column) push(v cell) {
	if v.missing {
		c.missing.set(c.len())
	}
	switch c.Kind {
	case Int, Duration:
		c.ints = append(c.ints, v.i)
	case Float:
		c.floats = append(c.floats, v.f)
	case String:
		c.strs = append(c.strs, v.s)
	case Bool:
		c.bools = append(c.bools, v.i != 0)
	}
}

// acceptSlice checks the type of a slice against the kind and returns its length.
func (c *column) acceptSlice(s any) (int, error) {
	switch s := s.(type) {
	case []int64:
		if c.Kind == Int {
			return len(s), nil
		}
	case []time.Duration:
		if c.Kind == Duration {
			return len(s), nil
		}
	case []float64:
		if c.Kind == Float {
			return len(s), nil
		}
	case []string:
		if c.Kind == String {
			return len(s), nil
		}
	case []bool:
		if c.Kind == Bool {
			return len(s), nil
		}
	}
	types := [...]string{Int: "[]int64", Float: "[]float64", Duration: "[]time.Duration", String: "[]string", Bool: "[]bool"}
	return 0, fmt.Errorf("column %q: got %T, want %s", c.Name, s, types[c.Kind])
}

// pushSlice adds a copy of a slice that acceptSlice passed.
func (c *column) pushSlice(s any) {
	switch s := s.(type) {
	case []int64:
		c.ints = append(c.ints, s...)
	case []time.Duration:
		for _, d := range s {
			c.ints = append(c.ints, int64(d))
		}
	case []float64:
		c.floats = append(c.floats, s...)
	case []string:
		c.strs = append(c.strs, s...)
	case []bool:
		c.bools = append(c.bools, s...)
	}
}

// len returns the number of cells.
func (c *column) len() int {
	return len(c.ints) + len(c.floats) + len(c.strs) + len(c.bools)
}

// value returns cell i boxed, nil if missing.
func (c *column) value(i int) any {
	if c.missing.has(i) {
		return nil
	}
	switch c.Kind {
	case Int:
		return c.ints[i]
	case Duration:
		return time.Duration(c.ints[i])
	case Float:
		return c.floats[i]
	case String:
		return c.strs[i]
	default:
		return c.bools[i]
	}
}

// head returns a column of the first n cells that shares them with c. The
// slices have no spare capacity, so an append to either copies first.
func (c *column) head(n int) column {
	return column{
		Column:  c.Column,
		ints:    c.ints[:min(n, len(c.ints)):min(n, len(c.ints))],
		floats:  c.floats[:min(n, len(c.floats)):min(n, len(c.floats))],
		strs:    c.strs[:min(n, len(c.strs)):min(n, len(c.strs))],
		bools:   c.bools[:min(n, len(c.bools)):min(n, len(c.bools))],
		missing: c.missing.head(n),
	}
}

// gather returns a column of copies of the given cells, in that order; a row of
// -1 gives a missing cell.
func (c *column) gather(rows []int) column {
	g := column{Column: c.Column}
	switch c.Kind {
	case Int, Duration:
		g.ints = pick(c.ints, rows)
	case Float:
		g.floats = pick(c.floats, rows)
	case String:
		g.strs = pick(c.strs, rows)
	case Bool:
		g.bools = pick(c.bools, rows)
	}
	for k, i := range rows {
		if i < 0 || c.missing.has(i) {
			g.missing.set(k)
		}
	}
	return g
}

func pick[T any](from []T, rows []int) []T {
	to := make([]T, len(rows))
	for k, i := range rows {
		if i >= 0 {
			to[k] = from[i]
		}
	}
	return to
}
