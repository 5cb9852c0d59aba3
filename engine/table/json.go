package table

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
)

// WriteJSON writes the rows as an array of objects, one object on a line. The
// keys are the [Column.ExportName]s, in column order. Durations are whole
// nanoseconds, floats have the digits that give the same value back. A missing
// cell, a NaN and an infinity, which JSON cannot say, are null. Bytes of a
// string that are not UTF-8 become U+FFFD.
func (t *Table) WriteJSON(w io.Writer) error {
	fail := func(err error) error { return fmt.Errorf("write table %q as json: %w", t.title, err) }
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	quote := func(s string) ([]byte, error) {
		text.Reset()
		err := encoder.Encode(s)
		return bytes.TrimSuffix(text.Bytes(), []byte("\n")), err
	}

	keys := make([][]byte, len(t.cols)) // with the punctuation around them
	for i := range t.cols {
		key, err := quote(t.cols[i].ExportName())
		if err != nil {
			return fail(err)
		}
		lead := ","
		if i == 0 {
			lead = "{"
		}
		keys[i] = []byte(lead + string(key) + ":")
	}
	b := bufio.NewWriter(w)
	b.WriteByte('[')
	var buf []byte
	for row := range t.rows {
		if row > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
		for i := range t.cols {
			b.Write(keys[i])
			c := &t.cols[i]
			switch {
			case c.missing.has(row),
				c.Kind == Float && (math.IsNaN(c.floats[row]) || math.IsInf(c.floats[row], 0)):
				b.WriteString("null")
			case c.Kind == String:
				s, err := quote(c.strs[row])
				if err != nil {
					return fail(err)
				}
				b.Write(s)
			default:
				buf = c.appendScalar(buf[:0], row)
				b.Write(buf)
			}
		}
		b.WriteByte('}')
	}
	if t.rows > 0 {
		b.WriteByte('\n')
	}
	b.WriteString("]\n")
	if err := b.Flush(); err != nil {
		return fail(err)
	}
	return nil
}
