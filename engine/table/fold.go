package table

import (
	"errors"
	"slices"
)

// scratch is memory that folds use one after another.
type scratch struct {
	ints   []int64
	floats []float64
	strs   map[string]bool

	// The values of a column in some rows, sorted: several percentiles of the
	// same are often wanted.
	of     *column
	rows   []int32
	sorted struct {
		ints   []int64
		floats []float64
	}
}

// sortedInts returns the values in the given rows that are not missing, in
// ascending order, bools as 0 and 1.
func (s *scratch) sortedInts(c *column, rows []int32) []int64 {
	if !s.has(c, rows) {
		s.sorted.ints = c.integers(s.sorted.ints[:0], rows)
		slices.Sort(s.sorted.ints)
		s.of, s.rows = c, rows
	}
	return s.sorted.ints
}

// sortedFloats is sortedInts of a Float column; NaN come first.
func (s *scratch) sortedFloats(c *column, rows []int32) []float64 {
	if !s.has(c, rows) {
		s.sorted.floats = present(s.sorted.floats[:0], c.floats, c.missing, rows)
		slices.Sort(s.sorted.floats)
		s.of, s.rows = c, rows
	}
	return s.sorted.floats
}

func (s *scratch) has(c *column, rows []int32) bool {
	return s.of == c && len(rows) > 0 && len(s.rows) == len(rows) && &s.rows[0] == &rows[0]
}

// integers appends the values in the given rows that are not missing of a column
// without floats and strings.
func (c *column) integers(to []int64, rows []int32) []int64 {
	if c.Kind != Bool {
		return present(to, c.ints, c.missing, rows)
	}
	for _, r := range rows {
		if !c.missing.has(int(r)) {
			to = append(to, boolInt(c.bools[r]))
		}
	}
	return to
}

var none = cell{missing: true}

// fold makes one cell of the cells in the given rows.
func (f *fold) fold(rows []int32, s *scratch) (cell, error) {
	c := f.from
	if c == nil {
		return cell{i: int64(len(rows))}, nil
	}
	switch f.Fn {
	case "count":
		return cell{i: int64(len(rows) - c.countMissing(rows))}, nil
	case "missing":
		return cell{i: int64(c.countMissing(rows))}, nil
	case "first":
		for _, r := range rows {
			if !c.missing.has(int(r)) {
				return c.cell(int(r)), nil
			}
		}
		return none, nil
	case "last":
		for _, r := range slices.Backward(rows) {
			if !c.missing.has(int(r)) {
				return c.cell(int(r)), nil
			}
		}
		return none, nil
	case "min", "max":
		return c.extreme(rows, f.Fn == "max"), nil
	case "distinct":
		return cell{i: c.distinct(rows, s)}, nil
	}
	switch {
	case c.Kind == Float && f.Fn == "median":
		return f.percentileFloats(s.sortedFloats(c, rows)), nil
	case c.Kind == Float:
		s.floats = present(s.floats[:0], c.floats, c.missing, rows)
		return f.foldFloats(s.floats), nil
	case f.Fn == "median":
		return f.percentileInts(s.sortedInts(c, rows)), nil
	}
	s.ints = c.integers(s.ints[:0], rows)
	return f.foldInts(s.ints)
}

// present appends the values in the given rows that are not missing.
func present[T any](to, from []T, missing bitmap, rows []int32) []T {
	if len(missing) == 0 {
		for _, r := range rows {
			to = append(to, from[r])
		}
		return to
	}
	for _, r := range rows {
		if !missing.has(int(r)) {
			to = append(to, from[r])
		}
	}
	return to
}

func boolInt(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// cell returns cell i in the form that push takes.
func (c *column) cell(i int) cell {
	switch {
	case c.missing.has(i):
		return none
	case c.Kind == Float:
		return cell{f: c.floats[i]}
	case c.Kind == String:
		return cell{s: c.strs[i]}
	case c.Kind == Bool:
		return cell{i: boolInt(c.bools[i])}
	}
	return cell{i: c.ints[i]}
}

func (c *column) countMissing(rows []int32) int {
	n := 0
	if len(c.missing) > 0 {
		for _, r := range rows {
			if c.missing.has(int(r)) {
				n++
			}
		}
	}
	return n
}

// extreme returns the least or the largest cell; NaN where there is one.
func (c *column) extreme(rows []int32, largest bool) cell {
	less := c.compare()
	best := -1
	for _, r := range rows {
		i := int(r)
		switch {
		case c.missing.has(i):
		case c.Kind == Float && c.floats[i] != c.floats[i]:
			return c.cell(i)
		case best < 0, largest && less(i, best) > 0, !largest && less(i, best) < 0:
			best = i
		}
	}
	if best < 0 {
		return none
	}
	return c.cell(best)
}

// distinct counts the different values. All NaN are one.
func (c *column) distinct(rows []int32, s *scratch) int64 {
	switch c.Kind {
	case String:
		if s.strs == nil {
			s.strs = map[string]bool{}
		}
		clear(s.strs)
		for _, r := range rows {
			if !c.missing.has(int(r)) {
				s.strs[c.strs[r]] = true
			}
		}
		return int64(len(s.strs))
	case Float:
		xs := s.sortedFloats(c, rows)
		n := runs(xs)
		for i := 1; i < len(xs) && xs[i] != xs[i]; i++ {
			n--
		}
		return n
	}
	return runs(s.sortedInts(c, rows))
}

// runs counts the different values of a sorted slice.
func runs[T comparable](xs []T) int64 {
	n := int64(0)
	for i, x := range xs {
		if i == 0 || x != xs[i-1] {
			n++
		}
	}
	return n
}

// foldInts is sum, mean or std of ints, durations or bools.
func (f *fold) foldInts(xs []int64) (cell, error) {
	switch {
	case f.Fn == "sum":
		v, ok := sumInts(xs).int64()
		if !ok {
			return none, errors.New("does not fit in 64 bits: turn the column into floats, or take the mean")
		}
		return cell{i: v}, nil
	case len(xs) == 0 || f.Fn == "std" && len(xs) < 2:
		return none, nil
	case f.Fn == "std" && f.out.Kind == Duration:
		return cell{i: nearest(stdInts(xs))}, nil
	case f.Fn == "std":
		return cell{f: stdInts(xs)}, nil
	case f.out.Kind == Duration:
		return cell{i: sumInts(xs).div(uint64(len(xs)))}, nil
	}
	return cell{f: sumInts(xs).float64() / float64(len(xs))}, nil
}

// percentileInts is a percentile of sorted ints or durations.
func (f *fold) percentileInts(xs []int64) cell {
	if len(xs) == 0 {
		return none
	}
	lo, hi, part := rank(len(xs), f.q)
	if f.out.Kind == Duration {
		return cell{i: between(xs[lo], xs[hi], part)}
	}
	return cell{f: lerp(float64(xs[lo]), float64(xs[hi]), part)}
}

// foldFloats is sum, mean or std of floats.
func (f *fold) foldFloats(xs []float64) cell {
	switch {
	case f.Fn == "sum":
		return cell{f: sumFloats(xs)}
	case len(xs) == 0 || f.Fn == "std" && len(xs) < 2:
		return none
	case f.Fn == "mean":
		return cell{f: meanFloats(xs)}
	}
	return cell{f: stdFloats(xs)}
}

// percentileFloats is a percentile of sorted floats, NaN first.
func (f *fold) percentileFloats(xs []float64) cell {
	switch {
	case len(xs) == 0:
		return none
	case xs[0] != xs[0]:
		return cell{f: xs[0]}
	}
	lo, hi, part := rank(len(xs), f.q)
	return cell{f: lerp(xs[lo], xs[hi], part)}
}
