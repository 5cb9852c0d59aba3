package table

import (
	"bufio"
	"html"
	"io"
	"strconv"
)

// HTMLOptions says how much of a table WriteHTML shows. The zero value suits a
// notebook.
type HTMLOptions struct {
	// MaxRows is the largest number of rows shown; beyond it, the middle ones are
	// replaced by a row that counts them. 0 means 20, negative no limit.
	MaxRows int
	// Page makes a whole document, with a small style sheet, for a file that is
	// opened on its own.
	Page bool
}

// WriteHTML writes the table as one HTML element, with the title as caption and
// the formats of [Table.WriteText]. It needs nothing from outside: numbers are
// aligned by style attributes, and the class names (schedrepl-table, num, text,
// missing, more) are for pages that want to change its looks. It is well-formed
// XML too.
func (t *Table) WriteHTML(w io.Writer, opts HTMLOptions) error {
	if opts.MaxRows == 0 {
		opts.MaxRows = defaultMaxRows
	}
	shown, cut := t.shown(opts.MaxRows)
	cols := make([]textColumn, len(t.cols))
	for i := range t.cols {
		cols[i] = t.cols[i].text(shown, -1)
	}
	b := bufio.NewWriter(w)
	if opts.Page {
		title := printable(t.title)
		if title == "" {
			title = "table"
		}
		b.WriteString("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n<title>")
		b.WriteString(html.EscapeString(title))
		b.WriteString("</title>\n<style>\n" + pageStyle + "</style>\n</head>\n<body>\n")
	}
	b.WriteString("<table class=\"schedrepl-table\">\n")
	if t.title != "" {
		b.WriteString("<caption>" + html.EscapeString(printable(t.title)) + "</caption>\n")
	}
	b.WriteString("<thead>\n<tr>")
	for _, c := range cols {
		b.WriteString("<th scope=\"col\"" + c.attributes("") + ">" + html.EscapeString(c.header) + "</th>")
	}
	b.WriteString("</tr>\n</thead>\n<tbody>\n")
	note := func(text string) {
		b.WriteString("<tr class=\"more\"><td colspan=\"" + strconv.Itoa(len(cols)) + "\">" + text + "</td></tr>\n")
	}
	if t.rows == 0 {
		note("(no rows)")
	}
	for k, row := range shown {
		b.WriteString("<tr>")
		for i, c := range cols {
			if t.cols[i].missing.has(row) {
				b.WriteString("<td" + c.attributes(" missing") + ">–</td>")
				continue
			}
			b.WriteString("<td" + c.attributes("") + ">" + html.EscapeString(c.cells[k]) + "</td>")
		}
		b.WriteString("</tr>\n")
		if k+1 == cut && len(shown) < t.rows {
			note("… " + strconv.Itoa(t.rows-len(shown)) + " more rows …")
		}
	}
	b.WriteString("</tbody>\n</table>\n")
	if opts.Page {
		b.WriteString("</body>\n</html>\n")
	}
	if err := b.Flush(); err != nil {
		return t.fail("write", "as html: %w", err)
	}
	return nil
}

// attributes are the class and the alignment of the column's cells.
func (c *textColumn) attributes(more string) string {
	if c.right {
		return " class=\"num" + more + "\" style=\"text-align: right\""
	}
	return " class=\"text" + more + "\" style=\"text-align: left\""
}

const pageStyle = `body { font-family: sans-serif; margin: 2em; }
table.schedrepl-table { border-collapse: collapse; }
.schedrepl-table caption { font-weight: bold; padding: 0.4em; }
.schedrepl-table th, .schedrepl-table td { padding: 0.2em 0.8em; border-bottom: 1px solid #ccc; }
.schedrepl-table td.num { font-variant-numeric: tabular-nums; }
.schedrepl-table .more td, .schedrepl-table .missing { color: #777; text-align: center; }
`
