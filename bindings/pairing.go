package bindings

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"schedrepl/engine/table"
)

// twoSides are two samples to compare: their values, names and common unit.
type twoSides struct {
	a, b  []float64
	names [2]string
	unit  string
}

// oneUnit fails for values that cannot be compared.
func oneUnit(a, b string) error {
	if a == b {
		return nil
	}
	word := func(unit string) string {
		switch unit {
		case "ns":
			return "durations"
		case "":
			return "bare numbers"
		}
		return "in " + unit
	}
	return fmt.Errorf("a and b must have one unit: a are %s, b %s", word(a), word(b))
}

// sidesOf reads the parameters a and b as values, whatever their order.
func sidesOf(c *Call) (twoSides, error) {
	var s twoSides
	var units [2]string
	for i, name := range []string{"a", "b"} {
		xs, unit, err := numbersOf(c.Value(name))
		if err != nil {
			return s, fmt.Errorf("%s %w", name, err)
		}
		s.names[i], units[i] = name, unit
		if i == 0 {
			s.a = xs
		} else {
			s.b = xs
		}
	}
	s.unit = units[0]
	if len(s.a) == 0 || len(s.b) == 0 {
		return s, nil // Too few, which has an error of its own; an empty list has no unit.
	}
	return s, oneUnit(units[0], units[1])
}

// pairsOf reads the parameters of stats.paired: two samples in the order of the
// seeds, two tables of repeat, or one that a column splits in two.
func pairsOf(c *Call) (twoSides, error) {
	ta, isTable := c.Value("a").(*tableValue)
	tb, both := c.Value("b").(*tableValue)
	switch {
	case isTable && !c.Has("b"):
		return splitPairs(c, ta)
	case c.Str("by") != "":
		return twoSides{}, fmt.Errorf("by is for one table that holds both variants: leave b out")
	case !c.Has("b"):
		return twoSides{}, fmt.Errorf("b is missing: give two columns or two tables of repeat, or one table and by, the column that tells the variants apart")
	case isTable != both:
		return twoSides{}, fmt.Errorf("a and b must both be tables of repeat, or both values: %s against %s", describe(c.Value("a")), describe(c.Value("b")))
	case isTable:
		return seedPairs(c, ta.T, tb.T, [2]string{tableName(ta.T, "a"), tableName(tb.T, "b")})
	}
	if c.Str("of") != "" {
		return twoSides{}, fmt.Errorf("of is the column of two tables: a and b are values already")
	}
	s, err := sidesOf(c)
	if err == nil && len(s.a) != len(s.b) {
		err = fmt.Errorf("a has %s and b %d: a pair is one value of each with the same seed, so run both for the same seeds, or compare them unpaired, by stats.ttest or samples.vs",
			plural(len(s.a), "value"), len(s.b))
	}
	return s, err
}

// tableName is the title of a table, or else what the parameter is called.
func tableName(t *table.Table, param string) string {
	if t.Title() == "" {
		return param
	}
	return t.Title()
}

// splitPairs takes a table apart by a column with two values.
func splitPairs(c *Call, v *tableValue) (twoSides, error) {
	by := c.Str("by")
	if by == "" {
		return twoSides{}, fmt.Errorf("b is missing: give a second table, or by, the column of this one that tells two variants apart")
	}
	if err := v.known(by); err != nil {
		return twoSides{}, fmt.Errorf("by: %w", err)
	}
	var kinds []any
	for i := range v.Len() {
		x, err := v.T.Value(i, by)
		if err != nil {
			return twoSides{}, err
		}
		if !slices.Contains(kinds, x) {
			kinds = append(kinds, x)
		}
	}
	if len(kinds) != 2 {
		var seen []string
		for _, k := range kinds[:min(len(kinds), 8)] {
			seen = append(seen, cellOf(k).String())
		}
		return twoSides{}, fmt.Errorf("by must be a column with two values, and %s has %d (%s): choose two by where", by, len(kinds), strings.Join(seen, ", "))
	}
	var parts [2]*table.Table
	var names [2]string
	for k, kind := range kinds {
		parts[k] = v.T.Where(func(i int) bool {
			x, err := v.T.Value(i, by)
			return err == nil && x == kind
		})
		names[k] = by + " " + strings.Trim(cellOf(kind).String(), `"`)
	}
	return seedPairs(c, parts[0], parts[1], names, by)
}

// seedPairs pairs the rows of two tables that have the same seed.
func seedPairs(c *Call, ta, tb *table.Table, names [2]string, except ...string) (twoSides, error) {
	s := twoSides{names: names}
	if s.names[0] == s.names[1] {
		s.names = [2]string{"a", "b"}
	}
	of, err := measureOf(c, ta, append(except, "seed"))
	if err != nil {
		return s, err
	}
	a, unitA, err := bySeed(ta, of)
	if err != nil {
		return s, fmt.Errorf("%s: %w", s.names[0], err)
	}
	b, unitB, err := bySeed(tb, of)
	if err != nil {
		return s, fmt.Errorf("%s: %w", s.names[1], err)
	}
	if err := oneUnit(unitA, unitB); err != nil {
		return s, err
	}
	s.unit = unitA
	at := map[int64]float64{}
	for _, r := range b {
		at[r.seed] = r.x
	}
	var onlyA, onlyB []int64
	for _, r := range a {
		x, there := at[r.seed]
		if !there {
			onlyA = append(onlyA, r.seed)
			continue
		}
		delete(at, r.seed)
		s.a, s.b = append(s.a, r.x), append(s.b, x)
	}
	for _, r := range b {
		if _, left := at[r.seed]; left {
			onlyB = append(onlyB, r.seed)
		}
	}
	if len(onlyA)+len(onlyB) > 0 {
		var what []string
		for i, only := range [][]int64{onlyA, onlyB} {
			if len(only) > 0 {
				what = append(what, fmt.Sprintf("%s in %s only", seedsText(only), s.names[i]))
			}
		}
		return s, fmt.Errorf("the seeds must be the same on both sides: %s", strings.Join(what, ", "))
	}
	return s, nil
}

// seedsText names seeds: "seed 3 is", "seeds 1, 2, 3 and 7 more are".
func seedsText(seeds []int64) string {
	slices.Sort(seeds)
	if len(seeds) == 1 {
		return fmt.Sprintf("seed %d is", seeds[0])
	}
	const most = 5
	var names []string
	for _, s := range seeds[:min(len(seeds), most)] {
		names = append(names, fmt.Sprint(s))
	}
	more := ""
	if n := len(seeds) - most; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return "seeds " + strings.Join(names, ", ") + more + " are"
}

// measureOf is the column to compare: the one that is named, or the only one
// that holds numbers.
func measureOf(c *Call, t *table.Table, except []string) (string, error) {
	var names []string
	for _, col := range t.Columns() {
		number := col.Kind == table.Int || col.Kind == table.Float || col.Kind == table.Duration
		if number && !slices.Contains(except, col.Name) {
			names = append(names, col.Name)
		}
	}
	of := c.Str("of")
	switch {
	case of == "" && len(names) == 1:
		return names[0], nil
	case len(names) == 0:
		return "", fmt.Errorf("there is no column of numbers or durations beside %s", strings.Join(except, " and "))
	case of == "":
		return "", fmt.Errorf("of is missing: which column? There are %s", strings.Join(names, ", "))
	case !slices.Contains(names, of):
		return "", fmt.Errorf("of: there is no column %s of numbers or durations%s; there are %s", quoteShort(of), didYouMean(of, names), strings.Join(names, ", "))
	}
	return of, nil
}

type seedRow struct {
	seed int64
	x    float64
}

// bySeed are the values of a column with their seeds, in the order of the rows,
// and their unit.
func bySeed(t *table.Table, of string) (rows []seedRow, unit string, err error) {
	i := slices.IndexFunc(t.Columns(), func(c table.Column) bool { return c.Name == of })
	if i < 0 {
		return nil, "", fmt.Errorf("it has no column %s", quoteShort(of))
	}
	if !slices.ContainsFunc(t.Columns(), func(c table.Column) bool { return c.Name == "seed" && c.Kind == table.Int }) {
		return nil, "", fmt.Errorf("it has no column seed of whole numbers, by which to pair: give a table of repeat, or two columns in the same order, as t[\"%s\"]", of)
	}
	unit = t.Columns()[i].Unit
	if t.Columns()[i].Kind == table.Duration {
		unit = "ns"
	}
	seen := map[int64]bool{}
	for r := range t.NumRows() {
		seed, err := t.Value(r, "seed")
		if err != nil {
			return nil, "", err
		}
		n, ok := seed.(int64)
		if !ok {
			return nil, "", fmt.Errorf("row %d has no seed", r)
		}
		if seen[n] {
			return nil, "", fmt.Errorf("seed %d is there twice: choose one variant by where, or name the column that tells them apart, as by = \"hz\"", n)
		}
		seen[n] = true
		cell, err := t.Value(r, of)
		if err != nil {
			return nil, "", err
		}
		if cell == nil {
			return nil, "", fmt.Errorf("%s is None for seed %d: take that seed from both sides, as t.where(lambda row: row.seed != %d)", of, n, n)
		}
		x, _, err := numberOf(cellOf(cell))
		if err != nil {
			return nil, "", fmt.Errorf("%s of seed %d %w", of, n, err)
		}
		rows = append(rows, seedRow{n, x})
	}
	return rows, unit, nil
}

// floatOrNone is a float, or None for one that is not finite.
func floatOrNone(x float64) starlark.Value {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return starlark.None
	}
	return starlark.Float(x)
}

// percentText prints a fraction in percent with its sign: "+24 %".
func percentText(x float64) string {
	switch a := 100 * math.Abs(x); {
	case a >= 100:
		return fmt.Sprintf("%+.0f %%", 100*x)
	case a >= 10:
		return fmt.Sprintf("%+.1f %%", 100*x)
	}
	return fmt.Sprintf("%+.2g %%", 100*x)
}

// pText words a probability: "p < 0.001", "p = 0.024".
func pText(p float64) string {
	switch {
	case p < 0.001:
		return "p < 0.001"
	case p < 0.1:
		return fmt.Sprintf("p = %.2g", p)
	}
	return fmt.Sprintf("p = %.2f", p)
}
