// Package table holds results as columns that know their unit, works on them, and
// writes them as text, HTML, CSV, JSON and Parquet.
//
// A table has a title and a fixed list of [Column]s, and grows by whole rows:
//
//	t := table.MustNew("waits",
//		table.Column{Name: "comm", Kind: table.String},
//		table.Column{Name: "wait", Kind: table.Duration},
//		table.Column{Name: "share", Unit: "%", Kind: table.Float})
//	err := t.Append("make", 20*time.Millisecond, 51.2)
//
// Each column is one slice of its own type, so a million rows cost what their
// values cost. A cell may be missing (nil): a task that has not exited has no
// exit time. Rows are only ever added, never changed, so the tables that
// [Table.Select], [Table.Head] and the others return may share their cells with
// the table they came from; appending to either never shows in the other.
//
// [Table.GroupBy] and [Groups.Aggregate] make one row of many, [Table.Join] puts
// tables beside each other, [Table.Pivot] and [Table.Unpivot] turn rows into
// columns and back; all keep the units, and refuse to mix two. [ReadCSV],
// [ReadJSON] and [ReadParquet] read what the writers and other programs wrote.
//
// The same rows give the same bytes, in every format. A table is not safe for
// use by several goroutines while one appends.
package table

import (
	"errors"
	"fmt"
	"strings"
)

// Table is a titled list of rows under typed columns. Make one with [New].
type Table struct {
	title string
	cols  []column
	rows  int
}

// New returns an empty table. It needs at least one column; names must not be
// empty, and neither they nor the names written to files ([Column.ExportName])
// may repeat.
func New(title string, cols ...Column) (*Table, error) {
	if err := checkColumns(cols); err != nil {
		return nil, fmt.Errorf("table %q: %w", title, err)
	}
	t := &Table{title: title, cols: make([]column, len(cols))}
	for i, c := range cols {
		t.cols[i].Column = c
	}
	return t, nil
}

// checkColumns reports what is wrong with the columns of a table.
func checkColumns(cols []Column) error {
	if len(cols) == 0 {
		return errors.New("no columns: want at least one")
	}
	names := make(map[string]bool, len(cols))
	written := make(map[string]string, len(cols)) // names by ExportName
	for _, c := range cols {
		if err := c.validate(); err != nil {
			return err
		}
		if names[c.Name] {
			return fmt.Errorf("two columns are named %q: names must differ", c.Name)
		}
		export := c.ExportName()
		if before, ok := written[export]; ok {
			return fmt.Errorf("columns %q and %q would both be written as %q: rename one", before, c.Name, export)
		}
		names[c.Name] = true
		written[export] = c.Name
	}
	return nil
}

// assemble makes a table of whole columns, all of one length.
func assemble(title string, cols []column, rows int) (*Table, error) {
	heads := make([]Column, len(cols))
	for i := range cols {
		heads[i] = cols[i].Column
	}
	if err := checkColumns(heads); err != nil {
		return nil, err
	}
	return &Table{title: title, cols: cols, rows: rows}, nil
}

// MustNew is [New] for columns that are fixed in the program; a mistake in them
// is a bug and panics.
func MustNew(title string, cols ...Column) *Table {
	t, err := New(title, cols...)
	if err != nil {
		panic("table: " + err.Error())
	}
	return t
}

// Title returns the title given to New.
func (t *Table) Title() string { return t.title }

// NumRows returns the number of rows.
func (t *Table) NumRows() int { return t.rows }

// Columns returns the descriptions of the columns, in order.
func (t *Table) Columns() []Column {
	cols := make([]Column, len(t.cols))
	for i := range t.cols {
		cols[i] = t.cols[i].Column
	}
	return cols
}

// Append adds one row: one value for each column, in order. A value is nil
// (missing) or fits the kind of its column:
//
//	Int       any Go integer type that fits an int64
//	Float     float64, float32, or an integer that a float64 holds exactly
//	Duration  time.Duration
//	String    string
//	Bool      bool
//
// A time.Duration fits no column but Duration, and a bare number never fits a
// Duration. The error names the column; the row is added whole or not at all.
func (t *Table) Append(values ...any) error {
	if len(values) != len(t.cols) {
		return fmt.Errorf("append to table %q: %d values for %d columns: want one each for %s",
			t.title, len(values), len(t.cols), t.names())
	}
	for i := range t.cols {
		if _, err := t.cols[i].accept(values[i]); err != nil {
			return fmt.Errorf("append to table %q: row %d, %w", t.title, t.rows, err)
		}
	}
	for i := range t.cols {
		c := &t.cols[i]
		v, _ := c.accept(values[i])
		c.push(v)
	}
	t.rows++
	return nil
}

// AppendColumns adds many rows at once from one slice for each column, in
// order: []int64, []float64, []time.Duration, []string or []bool as the kind
// asks, all of one length. The values are copied. The rows are added whole or
// not at all.
func (t *Table) AppendColumns(values ...any) error {
	if len(values) != len(t.cols) {
		return fmt.Errorf("append to table %q: %d slices for %d columns: want one each for %s",
			t.title, len(values), len(t.cols), t.names())
	}
	rows := 0
	for i, s := range values {
		n, err := t.cols[i].acceptSlice(s)
		if err != nil {
			return fmt.Errorf("append to table %q: %w", t.title, err)
		}
		if i == 0 {
			rows = n
		} else if n != rows {
			return fmt.Errorf("append to table %q: column %q has %d values and column %q has %d: want equal lengths",
				t.title, t.cols[0].Name, rows, t.cols[i].Name, n)
		}
	}
	for i, s := range values {
		t.cols[i].pushSlice(s)
	}
	t.rows += rows
	return nil
}

// Value returns one cell: an int64, float64, time.Duration, string or bool, or
// nil if it is missing. Rows count from 0.
func (t *Table) Value(row int, col string) (any, error) {
	i, err := t.index(col)
	if err != nil {
		return nil, err
	}
	if row < 0 || row >= t.rows {
		return nil, fmt.Errorf("table %q: no row %d: %s", t.title, row, t.extent())
	}
	return t.cols[i].value(row), nil
}

// Col returns a view of the named column's cells as they are now; rows that are
// appended later are not in it.
func (t *Table) Col(name string) (Cells, error) {
	i, err := t.index(name)
	if err != nil {
		return Cells{}, err
	}
	return Cells{c: t.cols[i].head(t.rows), n: t.rows}, nil
}

// index finds a column by name.
func (t *Table) index(name string) (int, error) {
	i, err := t.find(name)
	if err != nil {
		return 0, fmt.Errorf("table %q: %w", t.title, err)
	}
	return i, nil
}

// find is index with an error that completes "join table %q: ".
func (t *Table) find(name string) (int, error) {
	for i := range t.cols {
		if t.cols[i].Name == name {
			return i, nil
		}
	}
	return 0, fmt.Errorf("no column %q: the columns are %s", name, t.names())
}

// An Error is an operation on a table that failed.
type Error struct {
	Op    string // "join", "write"; it stands before the word table
	Title string // of the table
	Err   error  // what is wrong, and what would be right
}

// Error words operation, table and cause.
func (e *Error) Error() string { return fmt.Sprintf("%s table %q: %v", e.Op, e.Title, e.Err) }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// cause is an error without the words for the operation it came from.
func cause(err error) error {
	var e *Error
	if errors.As(err, &e) {
		return e.Err
	}
	return err
}

// fail makes an Error.
func (t *Table) fail(op, format string, args ...any) error {
	return &Error{Op: op, Title: t.title, Err: fmt.Errorf(format, args...)}
}

// names lists the column names for an error.
func (t *Table) names() string {
	s := make([]string, len(t.cols))
	for i := range t.cols {
		s[i] = t.cols[i].Name
	}
	return strings.Join(s, ", ")
}

// extent says which rows there are, for an error.
func (t *Table) extent() string {
	if t.rows == 0 {
		return "the table is empty"
	}
	return fmt.Sprintf("the rows are 0 to %d", t.rows-1)
}
