// Command foreign prints a Parquet file with Apache Arrow's reader, which has
// nothing to do with the library that writes our files. It is a module of its
// own, so that Arrow is no dependency of the project; the test Foreign of package
// table runs it.
//
// It prints three parts, each with a line before it: the columns (name, physical
// type, logical type, encodings), the key-value metadata as JSON, and the cells
// as CSV in the form that Table.WriteCSV has.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: foreign FILE.parquet")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "foreign:", err)
		os.Exit(1)
	}
}

func run(name string) error {
	r, err := file.OpenParquetFile(name, false)
	if err != nil {
		return err
	}
	defer r.Close()
	w := bufio.NewWriter(os.Stdout)
	fmt.Fprintln(w, "# columns")
	schema := r.MetaData().Schema
	for i := range schema.NumColumns() {
		c := schema.Column(i)
		encodings := ""
		if r.NumRowGroups() > 0 {
			chunk, err := r.MetaData().RowGroup(0).ColumnChunk(i)
			if err != nil {
				return err
			}
			var names []string
			for _, e := range chunk.Encodings() {
				names = append(names, e.String())
			}
			slices.Sort(names)
			encodings = strings.Join(names, "+") + " " + chunk.Compression().String()
		}
		fmt.Fprintf(w, "%s: %v, %v, optional %v, %s\n", c.Name(), c.PhysicalType(), c.LogicalType(), c.MaxDefinitionLevel() == 1, encodings)
	}
	fmt.Fprintln(w, "# metadata")
	meta := map[string]string{}
	kv := r.MetaData().KeyValueMetadata()
	for i, key := range kv.Keys() {
		meta[key] = kv.Values()[i]
	}
	text, err := json.Marshal(meta)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s\n# cells\n", text)

	var header []string
	var cells [][]string // by column
	for i := range schema.NumColumns() {
		header = append(header, quote(schema.Column(i).Name()))
		column, err := read(r, i)
		if err != nil {
			return fmt.Errorf("column %s: %w", schema.Column(i).Name(), err)
		}
		cells = append(cells, column)
	}
	w.WriteString(strings.Join(header, ",") + "\r\n")
	for row := range int(r.NumRows()) {
		for i := range cells {
			if i > 0 {
				w.WriteByte(',')
			}
			if cells[i][row] == "" && len(cells) == 1 {
				w.WriteString(`""`)
			}
			w.WriteString(cells[i][row])
		}
		w.WriteString("\r\n")
	}
	return w.Flush()
}

// read returns the cells of a column, each as Table.WriteCSV writes it.
func read(r *file.Reader, i int) ([]string, error) {
	var out []string
	for g := range r.NumRowGroups() {
		cr, err := r.RowGroup(g).Column(i)
		if err != nil {
			return nil, err
		}
		switch cr := cr.(type) {
		case *file.Int64ColumnChunkReader:
			out, err = drain(out, cr, func(v int64) string { return strconv.FormatInt(v, 10) })
		case *file.Float64ColumnChunkReader:
			out, err = drain(out, cr, float)
		case *file.BooleanColumnChunkReader:
			out, err = drain(out, cr, strconv.FormatBool)
		case *file.ByteArrayColumnChunkReader:
			out, err = drain(out, cr, func(v parquet.ByteArray) string { return quote(string(v)) })
		default:
			err = fmt.Errorf("a reader of type %T", cr)
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// batches is what the readers of all types have.
type batches[T any] interface {
	HasNext() bool
	Err() error
	ReadBatch(n int64, values []T, def, rep []int16) (total int64, read int, err error)
}

// drain reads a column of one row group. A value with the definition level 0 is
// null, and the others stand close together.
func drain[T any](out []string, r batches[T], text func(T) string) ([]string, error) {
	const n = 1000
	values, def := make([]T, n), make([]int16, n)
	for r.HasNext() {
		total, _, err := r.ReadBatch(n, values, def, nil)
		if err != nil {
			return nil, err
		}
		next := 0
		for _, level := range def[:total] {
			if level == 0 {
				out = append(out, "")
				continue
			}
			out = append(out, text(values[next]))
			next++
		}
	}
	return out, r.Err()
}

func float(v float64) string {
	switch {
	case math.IsNaN(v):
		return "NaN"
	case math.IsInf(v, 1):
		return "inf"
	case math.IsInf(v, -1):
		return "-inf"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

func quote(s string) string {
	if s != "" && !strings.ContainsAny(s, "\",\r\n") && s == strings.TrimSpace(s) {
		return s
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}
