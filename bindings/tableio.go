package bindings

import (
	"encoding/json"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"schedrepl/engine/table"
)

// tableFormats are how a table is written and read, by the ending of the file's
// name. A format without read is for people.
var tableFormats = []struct {
	ending string
	write  func(*Session, *tableValue, io.Writer) error
	read   func(title string, data []byte) (*table.Table, error)
}{
	{".csv", func(_ *Session, v *tableValue, w io.Writer) error { return v.T.WriteCSV(w) }, table.ReadCSV},
	{".json", func(_ *Session, v *tableValue, w io.Writer) error { return v.T.WriteJSON(w) }, table.ReadJSON},
	{".parquet", func(s *Session, v *tableValue, w io.Writer) error {
		return v.T.WriteParquet(w, table.ParquetOptions{Manifest: s.provenance()})
	}, table.ReadParquet},
	{".html", func(_ *Session, v *tableValue, w io.Writer) error {
		return v.T.WriteHTML(w, table.HTMLOptions{MaxRows: -1, Page: true})
	}, nil},
	{".txt", func(_ *Session, v *tableValue, w io.Writer) error {
		return v.T.WriteText(w, table.TextOptions{MaxRows: -1, MaxCell: -1})
	}, nil},
}

// save writes the table in the format of the name's ending.
func (v *tableValue) save(s *Session, name string) error {
	ending := strings.ToLower(path.Ext(name))
	var known []string
	for _, f := range tableFormats {
		if f.ending == ending {
			return s.Save("table", name, func(w io.Writer) error { return f.write(s, v, w) })
		}
		known = append(known, f.ending)
	}
	return fmt.Errorf("name must end in one of %s, not %s", strings.Join(known, ", "), quoteShort(name))
}

// WriteHTML writes the table as an HTML element, with its middle rows left out
// as WriteText does: a front end that shows HTML asks for this method.
func (v *tableValue) WriteHTML(w io.Writer) error { return v.T.WriteHTML(w, table.HTMLOptions{}) }

// provenance is what is known of the run while it goes on, as JSON in one line:
// the part of the manifest that tells what goes in.
func (s *Session) provenance() []byte {
	m := s.manifest()
	data, err := json.Marshal(struct {
		Script  hashedFile      `json:"script"`
		Loads   []hashedFile    `json:"loads"`
		Params  []manifestParam `json:"params"`
		Seed    uint64          `json:"seed"`
		Kernels []string        `json:"kernels"`
		Version string          `json:"version"`
	}{m.Script, m.Loads, m.Params, m.Seed, m.Kernels, m.Version})
	if err != nil {
		panic(fmt.Sprintf("sched: manifest: %v", err))
	}
	return data
}

// readTable is read_table(...).
func readTable(c *Call) (starlark.Value, error) {
	name := c.Str("path")
	ending := strings.ToLower(path.Ext(name))
	var known []string
	for _, f := range tableFormats {
		if f.read == nil {
			continue
		}
		known = append(known, f.ending)
		if f.ending != ending {
			continue
		}
		data, err := c.Session.ReadFile(name)
		if err != nil {
			return nil, err
		}
		base := path.Base(strings.ReplaceAll(name, `\`, "/"))
		t, err := f.read(strings.TrimSuffix(base, path.Ext(base)), data)
		if err != nil {
			return nil, fmt.Errorf("cannot read %s: %w", quoteShort(name), err)
		}
		return withUnits(t, Arg[*starlark.Dict](c, "units"))
	}
	return nil, fmt.Errorf("path must end in one of %s, not %s", strings.Join(known, ", "), quoteShort(name))
}

// withUnits gives columns the units that the script knows.
func withUnits(t *table.Table, units *starlark.Dict) (starlark.Value, error) {
	for _, kv := range units.Items() {
		name, ok1 := starlark.AsString(kv[0])
		unit, ok2 := starlark.AsString(kv[1])
		if !ok1 || !ok2 {
			return nil, fmt.Errorf("units must be units by column, as {\"wait\": \"us\"}, not %s: %s", describe(kv[0]), describe(kv[1]))
		}
		if err := newTable(t).known(name); err != nil {
			return nil, fmt.Errorf("units: %w", err)
		}
		var err error
		if t, err = t.WithUnit(name, plainUnit(unit)); err != nil {
			return nil, fmt.Errorf("units: %w", tableError(err))
		}
	}
	return newTable(t), nil
}

func tableSave() Builtin {
	return tableMethod(Builtin{
		Name: "save", Params: []Param{{Name: "name", Type: "string", Doc: "The name of the file, below the output directory. It ends in .csv, .json, .parquet, .html or .txt."}},
		Doc: "Saves the table. In CSV, JSON and Parquet durations are whole nanoseconds, and the names of columns carry the units. " +
			"A Parquet file also keeps the title, the exact units, and what made it: script, parameters, seed, kernels and version.",
		Example: "t.save(\"waits.csv\")\nt.save(\"tables/waits.parquet\")",
	}, func(c *Call, v *tableValue) (starlark.Value, error) { return nil, v.save(c.Session, c.Str("name")) })
}

func tableIOTable() Table {
	var endings []string
	for _, f := range tableFormats {
		if f.read != nil {
			endings = append(endings, f.ending)
		}
	}
	slices.Sort(endings)
	return Table{Builtins: []Builtin{
		{
			Name: "read_table",
			Params: []Param{
				{Name: "path", Type: "string", Doc: "A file in the script's directory tree, relative to the script. It ends in " + strings.Join(endings, ", ") + "."},
				{Name: "units", Type: "dict", Default: "{}", Doc: "Units by column, for files that do not tell: {\"latency\": \"us\"} makes durations of numbers that count microseconds, {\"share\": \"%\"} names the unit of others."},
			},
			Result: "table",
			Doc: "Reads a table that save or another program wrote. Columns are ints, floats, bools or strings, whichever all their values fit, and empty fields are missing values. " +
				"Units are read from names that save has made: wait_ns is a column wait of durations, share_pct one of %.",
			Example: "t = read_table(\"testdata/tables/waits.csv\", units = {\"latency\": \"us\"})\nprint(t.columns)  # [\"comm\", \"wait\", \"share\", \"latency\"]\nprint(t[0].wait, t[0].latency)  # 40ms 1.5us",
			Impl:    readTable,
		},
		tableMethod(Builtin{
			Name: "html", Params: []Param{{Name: "rows", Type: "int", Default: "20", Doc: "How many rows to show at most; the middle ones are left out. -1 shows all."}},
			Result: "string", Doc: "The table as an HTML element, with the title as caption.",
			Example: "print(t.html().startswith(\"<table\"))  # True",
		}, func(c *Call, v *tableValue) (starlark.Value, error) {
			n := c.Int("rows")
			if n == 0 || n < -1 {
				return nil, fmt.Errorf("rows must be 1 or more, or -1 for all, not %d", n)
			}
			b := &strings.Builder{}
			if err := v.T.WriteHTML(b, table.HTMLOptions{MaxRows: n}); err != nil {
				panic("sched: " + err.Error()) // A Builder does not fail.
			}
			return starlark.String(b.String()), nil
		}),
	}}
}
