package table

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// ReadParquet reads a table from an Apache Parquet file. One that
// [Table.WriteParquet] wrote comes back as it was. From other files it takes
// integers, floats, bools and strings, decimals of at most 64 bits as floats, and
// times and timestamps as durations, since midnight and since 1970; units come
// from names as in [ReadCSV]. Columns must be flat, not nested or repeated. title
// is for files that have none.
func ReadParquet(title string, data []byte) (t *Table, err error) {
	// The library panics on some files that are damaged.
	defer func() {
		if r := recover(); r != nil {
			t, err = nil, fmt.Errorf("parquet: the file is damaged (%v)", r)
		}
	}()
	t, err = readParquet(title, data)
	if err != nil {
		return nil, fmt.Errorf("parquet: %w", err)
	}
	return t, nil
}

func readParquet(title string, data []byte) (*Table, error) {
	f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("it is no Parquet file, or a damaged one: %w", err)
	}
	if f.NumRows() > maxRows {
		return nil, fmt.Errorf("%d rows are too many: want at most %d", f.NumRows(), maxRows)
	}
	fields := f.Schema().Fields()
	names := make([]string, len(fields))
	readers := make([]parquetReader, len(fields))
	for i, field := range fields {
		names[i] = field.Name()
		if readers[i], err = parquetReaderOf(field); err != nil {
			return nil, fmt.Errorf("column %q %w", field.Name(), err)
		}
	}
	if names, err = fileNames(names); err != nil {
		return nil, err
	}
	if stored, ok := f.Lookup(keyTitle); ok {
		title = stored
	}
	cols := make([]column, len(fields))
	for i, c := range parquetColumns(f, names, readers) {
		cols[i].Column = c
	}
	for _, group := range f.RowGroups() {
		for i, chunk := range group.ColumnChunks() {
			if err := cols[i].readChunk(chunk, readers[i]); err != nil {
				return nil, fmt.Errorf("column %q: %w", names[i], err)
			}
		}
	}
	for i := range cols {
		if int64(cols[i].len()) != f.NumRows() {
			return nil, fmt.Errorf("column %q has %d values for %d rows: the file is damaged", names[i], cols[i].len(), f.NumRows())
		}
	}
	return assemble(title, cols, int(f.NumRows()))
}

// parquetColumns describes the columns: as WriteParquet noted them, if that fits
// what is there, else by their names.
func parquetColumns(f *parquet.File, names []string, readers []parquetReader) []Column {
	kinds := make([]Kind, len(names))
	for i, r := range readers {
		kinds[i] = r.kind
	}
	byName := importColumns(names, kinds)
	for i, c := range byName {
		if readers[i].kind == Duration {
			c.Unit = ""
		}
		byName[i] = c
	}
	text, ok := f.Lookup(keyColumns)
	if !ok {
		return byName
	}
	var noted []parquetColumn
	if json.Unmarshal([]byte(text), &noted) != nil || len(noted) != len(names) {
		return byName
	}
	cols := make([]Column, len(names))
	for i, n := range noted {
		c := Column{Name: n.Name, Unit: n.Unit, Digits: n.Digits}
		for k := Int; k <= Bool; k++ {
			if k.String() == n.Kind {
				c.Kind = k
			}
		}
		fits := c.Kind == kinds[i] || c.Kind == Duration && kinds[i] == Int
		if !fits || c.validate() != nil || c.ExportName() != names[i] {
			return byName
		}
		cols[i] = c
	}
	if checkColumns(cols) != nil {
		return byName
	}
	return cols
}

// parquetReader is how values of a column in a file become cells.
type parquetReader struct {
	kind Kind
	cell func(parquet.Value) (cell, error)
}

// parquetReaderOf finds it by the type of the column. The error completes
// "column x ...".
func parquetReaderOf(n parquet.Node) (r parquetReader, err error) {
	if !n.Leaf() || n.Repeated() {
		return r, errors.New("is nested or repeated: want one value a row")
	}
	var logical format.LogicalTypeValue
	if l := n.Type().LogicalType(); l != nil {
		logical = l.Value
	}
	number, ok := logical.(*format.IntType)
	unsigned := ok && !number.IsSigned
	switch n.Type().Kind() {
	case parquet.Boolean:
		return parquetReader{Bool, func(v parquet.Value) (cell, error) { return cell{i: boolInt(v.Boolean())}, nil }}, nil
	case parquet.Float:
		return parquetReader{Float, func(v parquet.Value) (cell, error) { return cell{f: float64(v.Float())}, nil }}, nil
	case parquet.Double:
		return parquetReader{Float, func(v parquet.Value) (cell, error) { return cell{f: v.Double()}, nil }}, nil
	case parquet.Int32:
		return intReader(logical, func(v parquet.Value) (int64, error) {
			if unsigned {
				return int64(uint32(v.Int32())), nil
			}
			return int64(v.Int32()), nil
		}), nil
	case parquet.Int64:
		return intReader(logical, func(v parquet.Value) (int64, error) {
			if unsigned && v.Int64() < 0 {
				return 0, fmt.Errorf("the value %d does not fit in 63 bits", uint64(v.Int64()))
			}
			return v.Int64(), nil
		}), nil
	case parquet.ByteArray:
		return parquetReader{String, func(v parquet.Value) (cell, error) {
			if b := v.ByteArray(); utf8.Valid(b) {
				return cell{s: string(b)}, nil
			}
			return none, errors.New("the value is no UTF-8 text")
		}}, nil
	}
	return r, fmt.Errorf("has the type %v: want integers, floats, bools or strings", n.Type())
}

// intReader reads integers, or what they stand for.
func intReader(logical format.LogicalTypeValue, get func(parquet.Value) (int64, error)) parquetReader {
	var tick int64 // in ns, of a time
	switch l := logical.(type) {
	case *format.TimestampType:
		tick = tickOf(l.Unit)
	case *format.TimeType:
		tick = tickOf(l.Unit)
	case *format.DecimalType:
		scale := math.Pow10(int(l.Scale))
		return parquetReader{Float, func(v parquet.Value) (cell, error) {
			i, err := get(v)
			return cell{f: float64(i) / scale}, err
		}}
	}
	if tick == 0 {
		return parquetReader{Int, func(v parquet.Value) (cell, error) {
			i, err := get(v)
			return cell{i: i}, err
		}}
	}
	return parquetReader{Duration, func(v parquet.Value) (cell, error) {
		i, err := get(v)
		if i > math.MaxInt64/tick || i < math.MinInt64/tick {
			return none, errors.New("the time does not fit in 64 bits of nanoseconds")
		}
		return cell{i: i * tick}, err
	}}
}

// tickOf is a unit of time in nanoseconds; 0 if the file names none.
func tickOf(u format.TimeUnit) int64 {
	if u.Value == nil {
		return 0
	}
	return int64(u.Value.Duration())
}

// readChunk adds the cells of one column in one row group.
func (c *column) readChunk(chunk parquet.ColumnChunk, r parquetReader) error {
	pages := chunk.Pages()
	defer pages.Close()
	interned := map[string]string{}
	buf := make([]parquet.Value, 4096)
	for {
		page, err := pages.ReadPage()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		values := page.Values()
		for {
			n, err := values.ReadValues(buf)
			for _, v := range buf[:n] {
				x := none
				if !v.IsNull() {
					if r.kind == String {
						// Strings repeat: one copy of each will do.
						if s, ok := interned[string(v.ByteArray())]; ok {
							c.push(cell{s: s})
							continue
						}
					}
					var err error
					if x, err = r.cell(v); err != nil {
						return fmt.Errorf("row %d: %w", c.len(), err)
					}
					if r.kind == String {
						interned[x.s] = x.s
					}
				}
				c.push(x)
			}
			if err == io.EOF {
				break
			}
			if err != nil {
				return err
			}
		}
		parquet.Release(page)
	}
}
