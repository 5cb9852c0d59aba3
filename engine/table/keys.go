package table

import (
	"fmt"
	"math"
	"slices"
)

// codes numbers the distinct values of some cells: ids[i] is the number of cell
// i, and numbers are given in the order in which the values first appear. Missing
// cells share one number, and so do all NaN; 0 and -0 are one value.
type codes struct {
	ids   []int32
	first []int32 // the row in which each number appears first
}

// codesOf numbers the distinct combinations of values in some columns of one
// length. There must be at least one column.
func codesOf(cols []*column, rows int) codes {
	cs := cols[0].codes(rows)
	for _, c := range cols[1:] {
		cs = combine(cs, c.codes(rows))
	}
	return cs
}

// codes numbers the distinct values of the first rows of a column.
func (c *column) codes(rows int) codes {
	switch c.Kind {
	case Int, Duration:
		return number(c.ints[:rows], c.missing)
	case Float:
		bits := make([]uint64, rows)
		for i, f := range c.floats[:rows] {
			bits[i] = floatKey(f)
		}
		return number(bits, c.missing)
	case String:
		return number(c.strs[:rows], c.missing)
	default:
		return number(c.bools[:rows], c.missing)
	}
}

// floatKey maps equal floats, and all NaN, to one number.
func floatKey(f float64) uint64 {
	switch {
	case f != f:
		return math.Float64bits(math.NaN())
	case f == 0:
		return 0
	}
	return math.Float64bits(f)
}

// number numbers the distinct values of a slice. The map is only looked up:
// numbers come from the order of the rows.
func number[T comparable](values []T, missing bitmap) codes {
	cs := codes{ids: make([]int32, len(values))}
	seen := make(map[T]int32)
	none := int32(-1)
	for i, v := range values {
		if missing.has(i) {
			if none < 0 {
				none = cs.add(i)
			}
			cs.ids[i] = none
			continue
		}
		if i > 0 && v == values[i-1] && !missing.has(i-1) {
			cs.ids[i] = cs.ids[i-1]
			continue
		}
		id, ok := seen[v]
		if !ok {
			id = cs.add(i)
			seen[v] = id
		}
		cs.ids[i] = id
	}
	return cs
}

// add gives out the next number.
func (cs *codes) add(row int) int32 {
	cs.first = append(cs.first, int32(row))
	return int32(len(cs.first) - 1)
}

// combine numbers the distinct pairs of two numberings.
func combine(a, b codes) codes {
	pairs := len(a.first) * len(b.first)
	cs := codes{ids: make([]int32, len(a.ids))}
	if pairs <= 4*len(a.ids)+1024 {
		seen := make([]int32, pairs) // id + 1
		for i := range a.ids {
			k := int(a.ids[i])*len(b.first) + int(b.ids[i])
			if seen[k] == 0 {
				seen[k] = cs.add(i) + 1
			}
			cs.ids[i] = seen[k] - 1
		}
		return cs
	}
	keys := make([]uint64, len(a.ids))
	for i := range keys {
		keys[i] = uint64(a.ids[i])<<32 | uint64(b.ids[i])
	}
	return number(keys, nil)
}

// lists returns the rows of each number, in order: those of number g are
// rows[start[g]:start[g+1]].
func (cs *codes) lists() (start, rows []int32) {
	start = make([]int32, len(cs.first)+1)
	for _, id := range cs.ids {
		start[id+1]++
	}
	for g := range cs.first {
		start[g+1] += start[g]
	}
	next := slices.Clone(start)
	rows = make([]int32, len(cs.ids))
	for i, id := range cs.ids {
		rows[next[id]] = int32(i)
		next[id]++
	}
	return start, rows
}

// pointers returns the columns at the given places.
func (t *Table) pointers(places []int) []*column {
	cols := make([]*column, len(places))
	for k, i := range places {
		cols[k] = &t.cols[i]
	}
	return cols
}

// places finds columns by name. None may be named twice. The error completes
// "... table %q: ".
func (t *Table) places(names []string) ([]int, error) {
	out := make([]int, len(names))
	for k, name := range names {
		i, err := t.find(name)
		if err != nil {
			return nil, err
		}
		if slices.Contains(out[:k], i) {
			return nil, fmt.Errorf("column %q is named twice", name)
		}
		out[k] = i
	}
	return out, nil
}
