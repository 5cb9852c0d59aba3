package bindings

import (
	"fmt"
	"math"
	"slices"

	"schedrepl/engine/stats"
)

// watch asks a stop rule about the results of a repeat.
type watch struct {
	rule   *stopRule
	series [][]float64     // The watched values by the cell of the grid.
	last   []stats.Verdict // The same.
	unit   string

	leaf, part int    // Which column: a leaf, and of samples or a histogram a measure.
	name       string // Of the column; empty until it is found.
}

// add takes the last result of a cell.
func (w *watch) add(r *results, cell int) error {
	if w.name == "" {
		if err := w.find(r); err != nil {
			return err
		}
		w.series = make([][]float64, len(r.cells))
		w.last = make([]stats.Verdict, len(r.cells))
	}
	rows := r.cells[cell]
	x := rows[len(rows)-1].values[w.leaf]
	if d, ok := x.(*drawn); ok {
		x = d.cells[w.part]
	}
	value, unit, err := numberOf(cellOf(x))
	if err != nil {
		return fmt.Errorf("the values of %s %w", w.name, err)
	}
	if w.unit = unit; w.series[cell] == nil {
		if err := w.rule.takes(unit); err != nil {
			return fmt.Errorf("the values of %s %w", w.name, err)
		}
	}
	w.series[cell] = append(w.series[cell], value)
	return nil
}

// find looks for the column that the rule is of.
func (w *watch) find(r *results) error {
	var names []string
	for i, name := range r.names {
		own := []string{name}
		if r.pools[i] != nil {
			own = sampleColumns(name)
		}
		if j := slices.Index(own, w.rule.Of); j >= 0 {
			w.leaf, w.part, w.name = i, j, own[j]
			return nil
		}
		names = append(names, own...)
	}
	if w.rule.Of != "" {
		return fmt.Errorf("fn returns no %s%s; there are %s", quoteShort(w.rule.Of), didYouMean(w.rule.Of, names), quoteList(names))
	}
	if len(names) != 1 {
		return fmt.Errorf("fn returns %s: say which one counts, as stats.until(relative = 0.02, of = \"%s\")", quoteList(names), suggested(r))
	}
	w.name = names[0]
	return nil
}

// suggested is a column that a rule may be of: the first one, and of samples
// their mean.
func suggested(r *results) string {
	switch {
	case len(r.names) == 0:
		return "wait"
	case r.pools[0] != nil:
		return r.names[0] + "_mean"
	}
	return r.names[0]
}

// everySeed is the number of seeds up to which a rule is asked after each; then
// it is asked after every thousandth part more, so that asking takes no time.
const everySeed = 1000

// enough tells whether the rule holds for all variants. It is asked when each
// of them has the same seeds.
func (w *watch) enough() (bool, error) {
	n := len(w.series[0])
	if n < w.rule.Rule.MinN || n%max(1, n/everySeed) != 0 && n < w.rule.Rule.MaxN {
		return false, nil
	}
	all := true
	for i, xs := range w.series {
		v, err := w.rule.Rule.Enough(xs)
		if err != nil {
			return false, plainError(err)
		}
		w.last[i] = v
		all = all && v.Done
	}
	return all, nil
}

// more is about how many more seeds it takes.
func (w *watch) more() int {
	more := w.rule.Rule.MinN - len(w.series[0])
	for _, v := range w.last {
		if v.N > 0 {
			more = max(more, v.More)
		}
	}
	return max(more, 0)
}

// worst is the variant that is farthest from what is wanted.
func (w *watch) worst() (v stats.Verdict) {
	most := -1.0
	for _, l := range w.last {
		far := l.Half / l.Want
		if l.Want == 0 {
			far = l.Half
		}
		if l.N > 0 && far > most {
			v, most = l, far
		}
	}
	return v
}

// text tells what is known: "mean of wait 3.2ms +-4.1%, 2% wanted".
func (w *watch) text() string {
	v := w.worst()
	if v.N < 2 || math.IsInf(v.Half, 0) {
		return ""
	}
	if v.Mean != 0 && w.rule.Rule.Relative > 0 {
		size := math.Abs(v.Mean)
		return fmt.Sprintf("mean of %s %s +-%.2g%%, %.2g%% wanted", w.name, shortText(v.Mean, w.unit), 100*v.Half/size, 100*v.Want/size)
	}
	return fmt.Sprintf("mean of %s %s +-%s, %s wanted", w.name, shortText(v.Mean, w.unit), shortText(v.Half, w.unit), shortText(v.Want, w.unit))
}

// note tells the user if the seeds came to an end before the rule held.
func (w *watch) note(s *Session, of int) {
	n := len(w.series[0])
	met := true
	for i, xs := range w.series {
		v, err := w.rule.Rule.Enough(xs)
		if err != nil {
			return // add has looked at the values.
		}
		w.last[i] = v
		met = met && v.Met
	}
	if met || n < of {
		return
	}
	text := w.text()
	if text != "" {
		text = ": " + text
	}
	s.Note("repeat ended after %s, the most it may run, and not because it knows enough%s", plural(n, "seed"), text)
}
