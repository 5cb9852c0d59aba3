package table

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// WriteCSV writes the table as RFC 4180: a header of [Column.ExportName]s, then
// one record for each row, with CRLF line ends. Durations are whole nanoseconds,
// floats have the digits that give the same value back, bools are true and
// false. A missing cell is empty, the empty string is "".
//
// Strings are written byte for byte; a spreadsheet may take one that begins
// with = for a formula.
func (t *Table) WriteCSV(w io.Writer) error {
	b := bufio.NewWriter(w)
	for i := range t.cols {
		if i > 0 {
			b.WriteByte(',')
		}
		writeCSVString(b, t.cols[i].ExportName())
	}
	b.WriteString("\r\n")
	var buf []byte
	for row := range t.rows {
		for i := range t.cols {
			if i > 0 {
				b.WriteByte(',')
			}
			c := &t.cols[i]
			switch {
			case c.missing.has(row):
				if len(t.cols) == 1 {
					b.WriteString(`""`) // an empty line would be no record at all
				}
			case c.Kind == String:
				writeCSVString(b, c.strs[row])
			case c.Kind == Float && math.IsInf(c.floats[row], 0):
				b.WriteString(formatFloat(c.floats[row], 0, false))
			default:
				buf = c.appendScalar(buf[:0], row)
				b.Write(buf)
			}
		}
		b.WriteString("\r\n")
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("write table %q as csv: %w", t.title, err)
	}
	return nil
}

// writeCSVString writes a field, quoted where RFC 4180 asks for it, where
// readers are known to trim, and where it is empty.
func writeCSVString(b *bufio.Writer, s string) {
	if s != "" && !strings.ContainsAny(s, "\",\r\n") && s == strings.TrimSpace(s) {
		b.WriteString(s)
		return
	}
	b.WriteByte('"')
	b.WriteString(strings.ReplaceAll(s, `"`, `""`))
	b.WriteByte('"')
}

// appendScalar appends a cell that is not missing and not a string: digits in
// full, or true or false.
func (c *column) appendScalar(buf []byte, row int) []byte {
	switch c.Kind {
	case Int, Duration:
		return strconv.AppendInt(buf, c.ints[row], 10)
	case Float:
		return strconv.AppendFloat(buf, c.floats[row], 'g', -1, 64)
	default:
		return strconv.AppendBool(buf, c.bools[row])
	}
}
