package plots

import (
	"math"
	"time"

	"schedrepl/engine/table"
)

// Data returns the numbers that the figure draws, one observation a row, with
// the units in the columns: "value" in ns is written to a CSV as value_ns. It
// is what a reader needs to draw the figure anew, so a long input comes thinned
// as it is drawn: the doc of each figure function says what its rows are. Times
// are durations. A number that is missing is a missing cell.
//
// A grid has no numbers of its own, and its Data is nil: see [Figure.Panels].
func (f *Figure) Data() *table.Table {
	if f.data == nil {
		return nil
	}
	return f.data()
}

// Panels returns the figures of a grid, in order, with their letters in the
// titles, and nil for any other figure.
func (f *Figure) Panels() []*Figure {
	var out []*Figure
	for _, p := range f.panels {
		q := *p
		if q.legend == nil {
			q.legend = f.legend // one that all panels share
		}
		out = append(out, &q)
	}
	return out
}

// A tidy collects the data of a figure column by column; all columns end up of
// one length. The function in Figure.data makes one when it is called, so that a
// figure whose data nobody wants pays nothing:
//
//	f.data = func() *table.Table {
//		var d tidy
//		d.text("task", names)
//		d.number("start", "ns", starts)
//		return d.table("timeline")
//	}
type tidy struct {
	cols []table.Column
	get  []func(row int) any
	rows int
}

func (d *tidy) add(c table.Column, rows int, get func(int) any) {
	d.cols, d.get, d.rows = append(d.cols, c), append(d.get, get), rows
}

// text adds a column of words.
func (d *tidy) text(name string, v []string) {
	d.add(table.Column{Name: name, Kind: table.String}, len(v), func(i int) any { return v[i] })
}

// count adds a column of whole numbers.
func (d *tidy) count(name string, v []int) {
	d.add(table.Column{Name: name, Kind: table.Int}, len(v), func(i int) any { return v[i] })
}

// number adds a column of numbers in a unit; NaN is a missing cell. Values in
// a unit of time become durations, rounded to the nanosecond, unless one is too
// large for that.
func (d *tidy) number(name, unit string, v []float64) {
	factor, isTime := timeFactor(unit)
	for _, x := range v {
		isTime = isTime && !(math.Abs(x*factor) > math.MaxInt64/2)
	}
	c := table.Column{Name: name, Unit: clean(unit), Kind: table.Float}
	if isTime {
		c = table.Column{Name: name, Kind: table.Duration}
	}
	d.add(c, len(v), func(i int) any {
		switch {
		case math.IsNaN(v[i]):
			return nil
		case isTime:
			return time.Duration(math.Round(v[i] * factor))
		}
		return v[i]
	})
}

// table returns the columns as a table. A column that is not as long as the
// others, or two of one name, is a bug of the figure.
func (d *tidy) table(title string) *table.Table {
	t := table.MustNew(title, d.cols...)
	row := make([]any, len(d.get))
	for i := range d.rows {
		for k, get := range d.get {
			row[k] = get(i)
		}
		if err := t.Append(row...); err != nil {
			panic("sched: " + err.Error())
		}
	}
	return t
}
