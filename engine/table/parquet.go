package table

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// The keys of a Parquet file's metadata.
const (
	keyTitle    = "schedrepl.title"
	keyColumns  = "schedrepl.columns"
	keyManifest = "schedrepl.manifest"
)

// ParquetOptions are what a Parquet file holds beside the table.
type ParquetOptions struct {
	// Manifest is a JSON text on the run that made the table; it is stored as
	// key-value metadata under "schedrepl.manifest". It may be empty.
	Manifest []byte
}

// rowGroup is the number of rows that are buffered and written together.
const rowGroup = 128 << 10

// parquetColumn describes a column in the metadata.
type parquetColumn struct {
	Name   string `json:"name"`
	Kind   string `json:"kind"`
	Unit   string `json:"unit"`
	Digits int    `json:"digits"`
}

// WriteParquet writes the table as an Apache Parquet file: one optional column
// for each of the table's, under its [Column.ExportName], where a missing cell is
// null. Ints and durations are INT64, durations whole nanoseconds (Parquet has no
// type for a span of time); floats are DOUBLE; bools BOOLEAN; strings UTF-8 and
// dictionary-encoded, with U+FFFD for bytes that are not. Pages are compressed
// with zstd. Title, units and kinds are key-value metadata (schedrepl.title,
// schedrepl.columns), from which [ReadParquet] makes the same table again.
//
// The same table and options give the same bytes.
func (t *Table) WriteParquet(w io.Writer, opts ParquetOptions) error {
	fail := func(err error) error { return t.fail("write", "as parquet: %w", err) }
	about := make([]parquetColumn, len(t.cols))
	root := &parquetRoot{}
	for i := range t.cols {
		c := &t.cols[i]
		about[i] = parquetColumn{c.Name, c.Kind.String(), c.Unit, c.Digits}
		root.fields = append(root.fields, &parquetField{Node: c.parquetNode(), name: c.ExportName()})
	}
	columns, err := json.Marshal(about)
	if err != nil {
		return fail(err)
	}
	options := []parquet.WriterOption{
		parquet.NewSchema("table", root),
		// The default tells how the program was built, and so differs.
		parquet.CreatedBy("schedrepl", "", ""),
		parquet.KeyValueMetadata(keyTitle, strings.ToValidUTF8(t.title, "\ufffd")),
		parquet.KeyValueMetadata(keyColumns, string(columns)),
	}
	if len(opts.Manifest) > 0 {
		options = append(options, parquet.KeyValueMetadata(keyManifest, string(opts.Manifest)))
	}
	pw := parquet.NewWriter(w, options...)
	buf := make([]parquet.Value, 0, 4096)
	texts := make([]map[string]parquet.Value, len(t.cols)) // of string columns
	for i := range texts {
		texts[i] = map[string]parquet.Value{}
	}
	for start := 0; start < t.rows; start += rowGroup {
		end := min(start+rowGroup, t.rows)
		for i, cw := range pw.ColumnWriters() {
			for at := start; at < end; {
				stop := min(at+cap(buf), end)
				buf = t.cols[i].parquetValues(buf[:0], texts[i], i, at, stop)
				if _, err := cw.WriteRowValues(buf); err != nil {
					return fail(fmt.Errorf("column %q: %w", t.cols[i].Name, err))
				}
				at = stop
			}
		}
		if err := pw.Flush(); err != nil {
			return fail(err)
		}
	}
	if err := pw.Close(); err != nil {
		return fail(err)
	}
	return nil
}

// parquetNode is the Parquet type of the column.
func (c *column) parquetNode() parquet.Node {
	var n parquet.Node
	switch c.Kind {
	case Int, Duration:
		n = parquet.Encoded(parquet.Int(64), &parquet.DeltaBinaryPacked)
	case Float:
		n = parquet.Leaf(parquet.DoubleType)
	case String:
		n = parquet.Encoded(parquet.String(), &parquet.RLEDictionary)
	default:
		n = parquet.Leaf(parquet.BooleanType)
	}
	return parquet.Optional(parquet.Compressed(n, &zstd.Codec{Level: zstd.SpeedFastest}))
}

// parquetValues appends the cells of the given rows as values of column i of a
// file. A value that is there has the definition level 1. texts keeps the values
// of strings, which repeat.
func (c *column) parquetValues(to []parquet.Value, texts map[string]parquet.Value, i, start, end int) []parquet.Value {
	for row := start; row < end; row++ {
		var v parquet.Value
		switch {
		case c.missing.has(row):
			to = append(to, parquet.NullValue().Level(0, 0, i))
			continue
		case c.Kind == Int || c.Kind == Duration:
			v = parquet.Int64Value(c.ints[row])
		case c.Kind == Float:
			v = parquet.DoubleValue(c.floats[row])
		case c.Kind == String:
			var ok bool
			if v, ok = texts[c.strs[row]]; !ok {
				v = parquet.ByteArrayValue([]byte(strings.ToValidUTF8(c.strs[row], "\ufffd")))
				texts[c.strs[row]] = v
			}
		default:
			v = parquet.BooleanValue(c.bools[row])
		}
		to = append(to, v.Level(0, 1, i))
	}
	return to
}

// parquetRoot is the schema of a table: a group whose fields stand in the order
// of the columns, where parquet.Group would sort them by name.
type parquetRoot struct {
	parquet.Group
	fields []parquet.Field
}

// Fields returns the columns.
func (r *parquetRoot) Fields() []parquet.Field { return r.fields }

// String is for the errors of package parquet.
func (r *parquetRoot) String() string { return "a table" }

// parquetField is a column of a parquetRoot.
type parquetField struct {
	parquet.Node
	name string
}

// Name returns the name in the file.
func (f *parquetField) Name() string { return f.name }

// Value would find the column in a Go value of a row; there are none, for cells
// are written column by column.
func (f *parquetField) Value(reflect.Value) reflect.Value { return reflect.Value{} }
