package table

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// csvField is one field of a CSV record, and whether it was in quotes.
type csvField struct {
	text   string
	quoted bool
}

// csvReader takes a CSV text apart, as RFC 4180 has it, with LF as a line end
// too.
type csvReader struct {
	rest   string
	line   int // of what is to be read next, from 1
	first  int // of the record that was read last
	fields []csvField
}

// next reads a record; nil at the end. Empty lines are no records.
func (r *csvReader) next() ([]csvField, error) {
	for strings.HasPrefix(r.rest, "\n") || strings.HasPrefix(r.rest, "\r\n") {
		r.rest = r.rest[strings.IndexByte(r.rest, '\n')+1:]
		r.line++
	}
	if r.rest == "" {
		return nil, nil
	}
	r.first = r.line
	r.line++
	r.fields = r.fields[:0]
	for {
		var f csvField
		if strings.HasPrefix(r.rest, `"`) {
			text, rest, ok := unquoteCSV(r.rest[1:])
			if !ok {
				return nil, fmt.Errorf("line %d: a quote is opened in field %d and never closed", r.first, len(r.fields)+1)
			}
			f = csvField{text, true}
			r.line += strings.Count(text, "\n")
			r.rest = rest
			if rest != "" && !strings.HasPrefix(rest, ",") && !strings.HasPrefix(rest, "\n") && !strings.HasPrefix(rest, "\r\n") {
				return nil, fmt.Errorf("line %d: field %d goes on after its closing quote: want a comma, or \"\" for a quote inside", r.first, len(r.fields)+1)
			}
		} else {
			end := strings.IndexAny(r.rest, ",\n")
			if end < 0 {
				end = len(r.rest)
			}
			f.text, r.rest = r.rest[:end], r.rest[end:]
			if strings.HasPrefix(r.rest, "\n") || r.rest == "" {
				f.text = strings.TrimSuffix(f.text, "\r")
			}
			if strings.Contains(f.text, `"`) {
				return nil, fmt.Errorf("line %d: there is a quote inside field %d: put the field in quotes, and write \"\" for one quote", r.first, len(r.fields)+1)
			}
		}
		r.fields = append(r.fields, f)
		if rest, ok := strings.CutPrefix(r.rest, ","); ok {
			r.rest = rest
			continue
		}
		r.rest = strings.TrimPrefix(strings.TrimPrefix(r.rest, "\r"), "\n")
		return r.fields, nil
	}
}

// unquoteCSV reads up to the closing quote.
func unquoteCSV(s string) (text, rest string, ok bool) {
	end := strings.IndexByte(s, '"')
	if end < 0 {
		return "", "", false
	}
	if !strings.HasPrefix(s[end+1:], `"`) {
		return s[:end], s[end+1:], true // without a copy
	}
	var b strings.Builder
	for {
		end := strings.IndexByte(s, '"')
		if end < 0 {
			return "", "", false
		}
		b.WriteString(s[:end])
		if !strings.HasPrefix(s[end+1:], `"`) {
			return b.String(), s[end+1:], true
		}
		b.WriteByte('"')
		s = s[end+2:]
	}
}

// ReadCSV reads a table from CSV text with a header, such as [Table.WriteCSV] and
// other programs write. An empty field is a missing cell, and "" in quotes the
// empty string, or a missing cell too in a column that holds no strings. The kind
// of a column comes from all its fields: int if they are integers of 64 bits,
// float if they are numbers (NaN and inf included), bool if they are true or
// false, else string; one without a value is float. Units come from names that
// WriteCSV has made: wait_ns, share_pct, speed_MB_per_s.
//
// An error names the line.
func ReadCSV(title string, data []byte) (*Table, error) {
	t, err := readCSV(title, strings.TrimPrefix(string(data), "\ufeff"))
	if err != nil {
		return nil, fmt.Errorf("csv: %w", err)
	}
	return t, nil
}

func readCSV(title, text string) (*Table, error) {
	if strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff") {
		return nil, errors.New("the text is in UTF-16: save it in UTF-8")
	}
	r := &csvReader{rest: text, line: 1}
	header, err := r.next()
	if err != nil {
		return nil, err
	}
	if header == nil {
		return nil, errors.New("there is no header: want a first line with the names of the columns")
	}
	names := make([]string, len(header))
	for i, f := range header {
		names[i] = f.text
	}
	if len(names) == 1 && strings.ContainsAny(names[0], ";\t") {
		return nil, fmt.Errorf("the header %q has no comma: want commas between fields", clip(names[0], defaultMaxCell))
	}
	names, err = fileNames(names)
	if err != nil {
		return nil, err
	}
	fields := make([][]csvField, len(names))
	rows := 0
	for ; ; rows++ {
		record, err := r.next()
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", rows, err)
		}
		if record == nil {
			break
		}
		if len(record) != len(names) {
			return nil, fmt.Errorf("row %d (line %d): the number of fields is %d, and that of columns %d", rows, r.first, len(record), len(names))
		}
		for i, f := range record {
			fields[i] = append(fields[i], f)
		}
	}
	cols := make([]column, len(names))
	kinds := make([]Kind, len(names))
	for i := range cols {
		cols[i] = parseFields(fields[i])
		kinds[i] = cols[i].Kind
		fields[i] = nil
	}
	for i, c := range importColumns(names, kinds) {
		cols[i].Column = c
	}
	return assemble(title, cols, rows)
}

// parseFields makes cells of the fields of a column: of the first kind that all
// of them fit.
func parseFields(fields []csvField) column {
	for _, kind := range []Kind{Int, Float, Bool} {
		c := column{Column: Column{Kind: kind}}
		ok, some := true, false
		for _, f := range fields {
			v := none
			some = some || f.text != "" || f.quoted
			if f.text != "" {
				if v, ok = parseCell(f.text, kind); !ok {
					break
				}
			}
			c.push(v)
		}
		if ok && (c.anyValue() || kind == Float && !some) {
			return c
		}
	}
	c := column{Column: Column{Kind: String}}
	for _, f := range fields {
		c.push(cell{s: f.text, missing: f.text == "" && !f.quoted})
	}
	return c
}

// anyValue reports whether a cell has a value.
func (c *column) anyValue() bool { return !c.empty(c.len()) }

// parseCell reads one field as a cell of a kind.
func parseCell(s string, kind Kind) (cell, bool) {
	switch kind {
	case Int:
		v, err := strconv.ParseInt(s, 10, 64)
		return cell{i: v}, err == nil
	case Float:
		v, ok := parseFloat(s)
		return cell{f: v}, ok
	default:
		switch s {
		case "true", "True", "TRUE":
			return cell{i: 1}, true
		case "false", "False", "FALSE":
			return cell{}, true
		}
		return none, false
	}
}

// parseFloat reads decimal numbers, NaN and infinities.
func parseFloat(s string) (float64, bool) {
	switch strings.ToLower(strings.TrimLeft(s, "+-")) {
	case "nan":
		return math.NaN(), true
	case "inf", "infinity":
		return math.Inf(1 - 2*strings.Count(s[:1], "-")), true
	}
	if strings.Trim(s, "0123456789+-.eE") != "" { // no hexadecimal, no underscores
		return 0, false
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil
}
