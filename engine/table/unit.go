package table

import (
	"fmt"
	"math"
	"strings"
)

// WithUnit returns a table in which the numbers of a column have a unit. A unit
// of time, ns, us, ms or s, makes durations of them, rounded to ns, and of a column
// of durations it is the one to print them in. A name that ends in the unit, such
// as wait_us, loses that.
func (t *Table) WithUnit(name, unit string) (*Table, error) {
	i, err := t.find(name)
	if err != nil {
		return nil, t.fail("set a unit in", "%w", err)
	}
	cols := t.columns()
	c := &cols[i]
	if !c.numeric() {
		return nil, t.fail("set a unit in", "column %q holds cells of kind %s: only numbers have a unit", name, c.Kind)
	}
	u, isTime := unitOf(unit)
	switch {
	case c.Kind == Duration && !isTime:
		return nil, t.fail("set a unit in", "column %q holds durations, which have the unit ns, us, ms or s, not %q", name, unit)
	case c.Kind != Duration && isTime:
		if err := c.toDurations(u, t.rows); err != nil {
			return nil, t.fail("set a unit in", "column %q, %w", name, err)
		}
	}
	c.Unit = unit
	if short, ok := strings.CutSuffix(name, "_"+wordOf(unit)); ok && short != "" && unit != "" {
		if _, err := t.find(short); err != nil {
			c.Name = short
		}
	}
	return t.remake("set a unit in", cols)
}

// toDurations makes durations of numbers that count a unit of time.
func (c *column) toDurations(u unit, rows int) error {
	ints := make([]int64, rows)
	for i := range ints {
		if c.missing.has(i) {
			continue
		}
		if c.Kind == Int {
			v := c.ints[i]
			if v > math.MaxInt64/u.ns || v < math.MinInt64/u.ns {
				return fmt.Errorf("row %d: %d %s do not fit in 64 bits of ns", i, v, u.name)
			}
			ints[i] = v * u.ns
			continue
		}
		f := math.Round(c.floats[i] * float64(u.ns))
		if !(f >= -1<<63 && f < 1<<63) {
			return fmt.Errorf("row %d: %v %s is no duration: want a finite number that fits in 64 bits of ns", i, c.floats[i], u.name)
		}
		ints[i] = int64(f)
	}
	c.Kind, c.Digits, c.ints, c.floats = Duration, 0, ints, nil
	return nil
}
