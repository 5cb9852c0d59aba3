package table

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// TextOptions says how much of a table WriteText shows. The zero value suits a
// terminal.
type TextOptions struct {
	// MaxRows is the largest number of rows printed; beyond it, the middle ones
	// are replaced by a line that counts them. 0 means 20, negative no limit.
	MaxRows int
	// MaxCell is the widest a cell of text may be, in terminal columns; a longer
	// one is cut and ends in an ellipsis. 0 means 40, negative no limit.
	MaxCell int
	// MaxWidth is the widest a line may be, in terminal columns. Where the table
	// is wider, cells of text are cut first, down to some 16 columns; then
	// columns in the middle are replaced by an ellipsis, and a line below the
	// table names them. The title is not cut. 0 and less mean no limit.
	MaxWidth int
}

const (
	defaultMaxRows = 20
	defaultMaxCell = 40

	noValue = "-"  // a missing cell
	gap     = "  " // between columns
)

// WriteText prints the table for a reader: a line with the title (if it has
// one), a header with units, a rule, and the rows, numbers to the right and
// text to the left. All numbers of a column have the same number of digits after
// the point, and all durations of a column the same unit, which the header
// names; the largest value decides both, whether its row is shown or not. A
// number too small to show is printed as a bound, such as <0.001; a missing cell
// is a dash. An empty table prints its header and "(no rows)".
//
// Text is aligned by the width of its runes on a terminal, and control
// characters are printed as escapes.
func (t *Table) WriteText(w io.Writer, opts TextOptions) error {
	if opts.MaxRows == 0 {
		opts.MaxRows = defaultMaxRows
	}
	if opts.MaxCell == 0 {
		opts.MaxCell = defaultMaxCell
	}
	shown, cut := t.shown(opts.MaxRows)

	cols := make([]textColumn, len(t.cols))
	for i := range t.cols {
		cols[i] = t.cols[i].text(shown, opts.MaxCell)
	}
	cols, hidden := fit(cols, opts.MaxWidth)
	b := bufio.NewWriter(w)
	if t.title != "" {
		b.WriteString(printable(t.title))
		b.WriteByte('\n')
	}
	var line strings.Builder
	for _, c := range cols {
		c.add(&line, c.header)
	}
	writeLine(b, &line)
	for i, c := range cols {
		if i > 0 {
			line.WriteString(gap)
		}
		line.WriteString(strings.Repeat("─", c.width))
	}
	writeLine(b, &line)
	if t.rows == 0 {
		writeNote(b, "(no rows)", opts.MaxWidth)
	}
	for k := range shown {
		for _, c := range cols {
			c.add(&line, c.cells[k])
		}
		writeLine(b, &line)
		if k+1 == cut && len(shown) < t.rows {
			writeNote(b, fmt.Sprintf("… %d more rows …", t.rows-len(shown)), opts.MaxWidth)
		}
	}
	if len(hidden) > 0 {
		writeNote(b, fmt.Sprintf("… %d more columns: %s", len(hidden), strings.Join(hidden, ", ")), opts.MaxWidth)
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("write table %q as text: %w", t.title, err)
	}
	return nil
}

// shown returns the row numbers to print and how many of them come before the line
// that counts the elided rows. A single row is never elided: it takes no more room
// than the line that would stand for it.
func (t *Table) shown(limit int) (rows []int, cut int) {
	if limit < 0 || t.rows <= limit+1 {
		limit = t.rows
	}
	cut = (limit + 1) / 2
	rows = make([]int, limit)
	for k := range rows {
		rows[k] = k
		if k >= cut {
			rows[k] = t.rows - limit + k
		}
	}
	return rows, cut
}

// textColumn is a column ready to print.
type textColumn struct {
	name   string // printable
	header string
	cells  []string // by index among the rows shown
	width  int      // of the widest, header included
	right  bool     // aligned to the right
	isText bool     // its cells may be cut: they are no numbers
}

// text formats the given rows of a column.
func (c *column) text(rows []int, maxCell int) textColumn {
	tc := textColumn{
		name:   printable(c.Name),
		header: printable(c.Name),
		cells:  make([]string, len(rows)),
		right:  c.numeric(),
		isText: c.Kind == String,
	}
	format, unit := c.formatter(rows)
	if unit != "" {
		tc.header += " (" + printable(unit) + ")"
	}
	tc.width = textWidth(tc.header)
	for k, i := range rows {
		switch {
		case c.missing.has(i):
			tc.cells[k] = noValue
		case c.Kind == String:
			tc.cells[k] = clip(printable(c.strs[i]), maxCell)
		default:
			tc.cells[k] = format(i)
		}
		tc.width = max(tc.width, textWidth(tc.cells[k]))
	}
	return tc
}

// add appends one cell of the column to a line, aligned.
func (c *textColumn) add(line *strings.Builder, cell string) {
	if line.Len() > 0 {
		line.WriteString(gap)
	}
	pad := strings.Repeat(" ", c.width-textWidth(cell))
	if c.right {
		line.WriteString(pad)
		line.WriteString(cell)
	} else {
		line.WriteString(cell)
		line.WriteString(pad)
	}
}

// writeLine writes the line without trailing spaces and empties it.
func writeLine(b *bufio.Writer, line *strings.Builder) {
	b.WriteString(strings.TrimRight(line.String(), " "))
	b.WriteByte('\n')
	line.Reset()
}

// writeNote writes a line that is no row of the table.
func writeNote(b *bufio.Writer, note string, maxWidth int) {
	if maxWidth > 0 {
		note = clip(note, maxWidth)
	}
	b.WriteString(note)
	b.WriteByte('\n')
}
