package table

import (
	"math"
	"slices"
)

// SortKey is a column that rows are put in order by.
type SortKey struct {
	Column string
	Desc   bool
}

// Sort is [Table.SortBy] of one column.
func (t *Table) Sort(col string, desc bool) (*Table, error) {
	return t.SortBy(SortKey{Column: col, Desc: desc})
}

// SortBy returns a table with the rows in the order of the first key; rows that
// are equal there are in the order of the second, and so on. Rows that are equal
// in all of them stay in the order they had, whether a key is descending or not.
// Numbers go by value, strings by bytes, false before true. NaN comes after all
// numbers and missing cells come last, in both directions.
func (t *Table) SortBy(keys ...SortKey) (*Table, error) {
	if len(keys) == 0 {
		return nil, t.fail("sort", "no columns: want at least one of %s", t.names())
	}
	names := make([]string, len(keys))
	for k, key := range keys {
		names[k] = key.Column
	}
	places, err := t.places(names)
	if err != nil {
		return nil, t.fail("sort", "%w", err)
	}
	rows := make([]int32, t.rows)
	for i := range rows {
		rows[i] = int32(i)
	}
	// The last key first: each pass keeps the order of the one before it among
	// its equals.
	for k, i := range slices.Backward(places) {
		rows = t.cols[i].sort(rows, keys[k].Desc)
	}
	return t.gather(ints(rows)), nil
}

// sort puts row numbers in the order of the column, equals as they were.
func (c *column) sort(rows []int32, desc bool) []int32 {
	ordered := make([]int32, 0, len(rows))
	var nan, last []int32
	for _, r := range rows {
		switch {
		case c.missing.has(int(r)):
			last = append(last, r)
		case c.Kind == Float && c.floats[r] != c.floats[r]:
			nan = append(nan, r)
		default:
			ordered = append(ordered, r)
		}
	}
	keys := c.sortKeys(ordered)
	if desc {
		for i := range keys {
			keys[i] = ^keys[i]
		}
	}
	return append(append(radix(keys, ordered), nan...), last...)
}

// sortKeys maps the cells in the given rows to numbers of the same order.
func (c *column) sortKeys(rows []int32) []uint64 {
	keys := make([]uint64, len(rows))
	switch c.Kind {
	case Int, Duration:
		for k, r := range rows {
			keys[k] = uint64(c.ints[r]) ^ 1<<63
		}
	case Float:
		for k, r := range rows {
			b := uint64(0) // also of -0
			if f := c.floats[r]; f != 0 {
				b = math.Float64bits(f)
			}
			if b>>63 != 0 {
				b = ^b
			} else {
				b |= 1 << 63
			}
			keys[k] = b
		}
	case Bool:
		for k, r := range rows {
			keys[k] = uint64(boolInt(c.bools[r]))
		}
	case String:
		// The rank among the different strings, of which there are often few.
		strs := pick(c.strs, ints(rows))
		cs := number(strs, nil)
		byRank := make([]int32, len(cs.first))
		for id := range byRank {
			byRank[id] = int32(id)
		}
		slices.SortFunc(byRank, func(a, b int32) int {
			sa, sb := strs[cs.first[a]], strs[cs.first[b]]
			switch {
			case sa < sb:
				return -1
			case sa > sb:
				return 1
			}
			return 0
		})
		rank := make([]uint64, len(byRank))
		for k, id := range byRank {
			rank[id] = uint64(k)
		}
		for k, id := range cs.ids {
			keys[k] = rank[id]
		}
	}
	return keys
}

// digitBits is the size of a digit in radix: its counts fit the first cache.
const digitBits = 11

// radix sorts rows by keys, equals as they were: a pass for each digit from the
// least, without those in which all keys agree. It overwrites both slices.
func radix(keys []uint64, rows []int32) []int32 {
	if len(keys) == 0 {
		return rows
	}
	differ := uint64(0)
	for _, k := range keys {
		differ |= k ^ keys[0]
	}
	keys2, rows2 := make([]uint64, len(keys)), make([]int32, len(rows))
	for shift := 0; shift < 64; shift += digitBits {
		const mask = 1<<digitBits - 1
		if differ>>shift&mask == 0 {
			continue
		}
		var at [mask + 2]int32
		for _, k := range keys {
			at[k>>shift&mask+1]++
		}
		for d := range mask {
			at[d+1] += at[d]
		}
		for i, k := range keys {
			d := k >> shift & mask
			keys2[at[d]], rows2[at[d]] = k, rows[i]
			at[d]++
		}
		keys, keys2 = keys2, keys
		rows, rows2 = rows2, rows
	}
	return rows
}
