package metrics

import (
	"fmt"
	"time"

	"schedrepl/engine/event"
	"schedrepl/engine/table"
)

// PerturbedRow is one line of a program that watches its own perturbations
// and prints a line each second.
type PerturbedRow struct {
	Start, End event.Time
	Count      int
	Max, Mean  time.Duration
	Sum        time.Duration // the competition's time
	Share      float64       // of the competition, in percent of the row
	Over       int           // how many were longer than the threshold
	Min        time.Duration
}

// PerturbedRows returns the lines of such a program: the gaps of
// Perturbations, in rows. The first row begins at w.Since, or with the end of
// the gap in which that lies. The program looks at the clock only while it
// executes: a row ends one interval after its beginning, or with the gap in
// which that moment lies, which still counts to it. A row that is not
// complete at the end of the window is left out. It fails for an interval
// that is not positive, and for a grid that is not valid.
func PerturbedRows(src Source, w Window, pid int32, g Grid, interval, threshold time.Duration) ([]PerturbedRow, error) {
	if interval <= 0 {
		return nil, fmt.Errorf("perturbation rows: interval: %v is not positive: want a duration such as 1s", interval)
	}
	if err := g.Validate(); err != nil {
		return nil, fmt.Errorf("perturbation rows: %w", err)
	}
	gaps, open, end := perturbations(src, w, pid, g)
	return rowsOf(gaps, w.Since, min(open, end), interval, threshold), nil
}

// rowsOf puts gaps into rows. Up to the moment until it is known when the
// program executed.
func rowsOf(gaps Samples, since, until event.Time, interval, threshold time.Duration) []PerturbedRow {
	var rows []PerturbedRow
	cur := PerturbedRow{Start: since}
	finish := func(end event.Time) {
		cur.End = end
		if cur.Count > 0 {
			cur.Mean = cur.Sum / time.Duration(cur.Count)
		}
		cur.Share = percent(cur.Sum, end.Sub(cur.Start))
		rows = append(rows, cur)
		cur = PerturbedRow{Start: end}
	}
	for i, v := range gaps.Values {
		end := gaps.At[i]
		begin := end.Add(-time.Duration(v))
		if begin < since {
			// It is in this gap that the program was told to begin.
			cur.Start = end
			continue
		}
		for begin >= cur.Start.Add(interval) {
			finish(cur.Start.Add(interval))
		}
		cur.add(end.Sub(begin), threshold)
		if end >= cur.Start.Add(interval) {
			finish(end)
		}
	}
	for cur.Start.Add(interval) <= until {
		finish(cur.Start.Add(interval))
	}
	return rows
}

// add counts one gap.
func (r *PerturbedRow) add(d, threshold time.Duration) {
	if r.Count == 0 || d < r.Min {
		r.Min = d
	}
	r.Count++
	r.Max = max(r.Max, d)
	r.Sum += d
	if d > threshold {
		r.Over++
	}
}

// PerturbedTable shows rows as the program would print them.
func PerturbedTable(rows []PerturbedRow, threshold time.Duration) *table.Table {
	over := "over_" + threshold.String()
	t := table.MustNew("perturbations",
		table.Column{Name: "at", Kind: table.Duration, Unit: "s", Digits: 3},
		table.Column{Name: "count", Kind: table.Int},
		table.Column{Name: "max", Kind: table.Duration, Unit: "us", Digits: 2},
		table.Column{Name: "mean", Kind: table.Duration, Unit: "us", Digits: 2},
		table.Column{Name: "competition", Kind: table.Duration, Unit: "us", Digits: 0},
		table.Column{Name: "share", Unit: "%", Kind: table.Float, Digits: 2},
		table.Column{Name: over, Kind: table.Int},
		table.Column{Name: "min", Kind: table.Duration, Unit: "us", Digits: 2})
	for _, r := range rows {
		row(t, instant(r.End), r.Count, r.Max, r.Mean, r.Sum, r.Share, r.Over, r.Min)
	}
	return t
}
