package table

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// ReadJSON reads a table from JSON: an array of objects, as [Table.WriteJSON]
// writes it, or one object after the other (JSON Lines). The columns are the keys,
// in the order in which they first appear; a key that an object lacks, and null,
// are missing cells. A column of numbers is int if none has a point or exponent.
// Units come from names as in [ReadCSV].
//
// An error names row and column.
func ReadJSON(title string, data []byte) (*Table, error) {
	t, err := readJSON(title, data)
	if err != nil {
		return nil, fmt.Errorf("json: %w", err)
	}
	return t, nil
}

// jsonColumn is a column of cells to be, each a string, bool, json.Number or
// nil.
type jsonColumn struct {
	name  string
	cells []any
}

func readJSON(title string, data []byte) (*Table, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	var d jsonTokens
	if json.Valid(data) {
		d = &jsonLexer{text: string(data)}
	} else { // several objects, or a mistake, which the decoder words
		dec := json.NewDecoder(bytes.NewReader(data))
		dec.UseNumber()
		d = dec
	}
	var cols []jsonColumn
	byName := map[string]int{}
	rows := 0
	array := false
	for first := true; ; first = false {
		tok, err := d.Token()
		switch {
		case err == io.EOF && !array && !first:
			return assembleJSON(title, cols, rows)
		case err != nil:
			return nil, fmt.Errorf("row %d: %w", rows, jsonError(err))
		case first && tok == json.Delim('['):
			array = true
			continue
		case array && tok == json.Delim(']'):
			if _, err := d.Token(); err != io.EOF {
				return nil, errors.New("there is more after the array of rows")
			}
			return assembleJSON(title, cols, rows)
		case tok != json.Delim('{'):
			return nil, fmt.Errorf("row %d is %s: want an object with a value for each column", rows, jsonKind(tok))
		}
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return nil, fmt.Errorf("row %d: %w", rows, jsonError(err))
			}
			name := key.(string)
			v, err := d.Token()
			if err != nil {
				return nil, fmt.Errorf("row %d, column %q: %w", rows, name, jsonError(err))
			}
			if _, nested := v.(json.Delim); nested {
				return nil, fmt.Errorf("row %d, column %q is %s: want a number, string, true, false or null", rows, name, jsonKind(v))
			}
			i, ok := byName[name]
			if !ok {
				i = len(cols)
				byName[name] = i
				cols = append(cols, jsonColumn{name: name})
			}
			c := &cols[i]
			if len(c.cells) > rows {
				return nil, fmt.Errorf("row %d has column %q twice", rows, name)
			}
			for len(c.cells) < rows {
				c.cells = append(c.cells, nil)
			}
			c.cells = append(c.cells, v)
		}
		if _, err := d.Token(); err != nil { // the closing brace
			return nil, fmt.Errorf("row %d: %w", rows, jsonError(err))
		}
		rows++
	}
}

// jsonKind words a token for an error.
func jsonKind(tok json.Token) string {
	switch tok.(type) {
	case json.Delim:
		if tok == json.Delim('[') {
			return "an array"
		}
		return "an object"
	case string:
		return "a string"
	case json.Number:
		return "a number"
	case bool:
		return "a bool"
	}
	return "null"
}

func jsonError(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return errors.New("the text ends too early")
	}
	return err
}

func assembleJSON(title string, from []jsonColumn, rows int) (*Table, error) {
	if len(from) == 0 {
		return nil, errors.New("there are no columns: want at least one object with a value")
	}
	names := make([]string, len(from))
	kinds := make([]Kind, len(from))
	cols := make([]column, len(from))
	for i, f := range from {
		names[i] = f.name
		kind, err := jsonColumnKind(f.cells)
		if err != nil {
			return nil, err.in(f.name)
		}
		cols[i].Kind = kind
		kinds[i] = kind
		for len(f.cells) < rows {
			f.cells = append(f.cells, nil)
		}
		for row, v := range f.cells {
			x, ok := jsonCell(v, kind)
			if !ok {
				return nil, (&jsonCellError{row, fmt.Sprintf("the number %v does not fit a float of 64 bits", v)}).in(f.name)
			}
			cols[i].push(x)
		}
	}
	names, err := fileNames(names)
	if err != nil {
		return nil, err
	}
	for i, c := range importColumns(names, kinds) {
		cols[i].Column = c
	}
	return assemble(title, cols, rows)
}

// jsonCellError is a cell that does not fit its column.
type jsonCellError struct {
	row  int
	what string
}

func (e *jsonCellError) in(column string) error {
	return fmt.Errorf("row %d, column %q: %s", e.row, column, e.what)
}

// jsonColumnKind finds the kind that all cells of a column fit.
func jsonColumnKind(cells []any) (Kind, *jsonCellError) {
	var kind Kind
	for row, v := range cells {
		var k Kind
		switch v := v.(type) {
		case nil:
			continue
		case string:
			k = String
		case bool:
			k = Bool
		case json.Number:
			k = Int
			if _, ok := parseCell(v.String(), Int); !ok {
				k = Float
			}
		}
		switch {
		case kind == 0, kind == Int && k == Float:
			kind = k
		case kind == Float && k == Int:
		case kind != k:
			return 0, &jsonCellError{row, fmt.Sprintf("%s after cells of kind %s: want one kind", jsonKind(v), kind)}
		}
	}
	if kind == 0 {
		kind = Float
	}
	return kind, nil
}

func jsonCell(v any, kind Kind) (cell, bool) {
	switch v := v.(type) {
	case string:
		return cell{s: v}, true
	case bool:
		return cell{i: boolInt(v)}, true
	case json.Number:
		return parseCell(v.String(), kind)
	}
	return none, true
}
