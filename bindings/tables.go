package bindings

import (
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"

	"schedrepl/engine/table"
)

// tableValue is a table as a script holds it. It is immutable; what changes it
// makes another one. t[i] is a row, t["name"] a column.
type tableValue struct {
	Object
	T       *table.Table
	maxCell int // See table.TextOptions.
}

var (
	_ starlark.Mapping   = (*tableValue)(nil)
	_ starlark.Sliceable = (*tableValue)(nil)
	_ starlark.Sequence  = (*tableValue)(nil)
)

func newTable(t *table.Table) *tableValue {
	v := &tableValue{T: t}
	v.Init("table", v)
	return v
}

// with is a table made out of v, shown as v is.
func (v *tableValue) with(t *table.Table) *tableValue {
	w := newTable(t)
	w.maxCell = v.maxCell
	return w
}

// mustAppend adds a row to a table whose columns we chose.
func mustAppend(t *table.Table, row ...any) {
	if err := t.Append(row...); err != nil {
		panic("sched: " + err.Error())
	}
}

// String shows the table as text.
func (v *tableValue) String() string { return v.text(0, v.maxCell) }

func (v *tableValue) text(rows, width int) string {
	b := &strings.Builder{}
	if err := v.T.WriteText(b, table.TextOptions{MaxRows: rows, MaxCell: width}); err != nil {
		panic("sched: " + err.Error()) // A Builder does not fail.
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Truth is false for a table without rows.
func (v *tableValue) Truth() starlark.Bool { return v.Len() > 0 }

// Len is the number of rows.
func (v *tableValue) Len() int { return v.T.NumRows() }

// Index is a row.
func (v *tableValue) Index(i int) starlark.Value {
	fields := starlark.StringDict{}
	for _, c := range v.T.Columns() {
		x, err := v.T.Value(i, c.Name)
		if err != nil {
			panic("sched: " + err.Error())
		}
		fields[c.Name] = cellOf(x)
	}
	return starlarkstruct.FromStringDict(starlarkstruct.Default, fields)
}

// Iterate goes through the rows.
func (v *tableValue) Iterate() starlark.Iterator { return &indexIterator{v: v} }

// Slice is t[start:end:step].
func (v *tableValue) Slice(start, end, step int) starlark.Value {
	if step == 1 {
		return v.with(v.T.Where(func(i int) bool { return i >= start && i < end }))
	}
	out := table.MustNew(v.T.Title(), v.T.Columns()...)
	for i := start; step > 0 && i < end || step < 0 && i > end; i += step {
		var row []any
		for _, c := range v.T.Columns() {
			x, err := v.T.Value(i, c.Name)
			if err != nil {
				panic("sched: " + err.Error())
			}
			row = append(row, x)
		}
		mustAppend(out, row...)
	}
	return v.with(out)
}

// Get is t[key]: a row by its number, or the cells of a column by its name.
func (v *tableValue) Get(key starlark.Value) (starlark.Value, bool, error) {
	switch key := key.(type) {
	case starlark.Int:
		i, ok := key.Int64()
		n := int64(v.Len())
		if ok && i < 0 {
			i += n
		}
		if !ok || i < 0 || i >= n {
			return nil, false, fmt.Errorf("row %v is out of range: the table has %s", key, plural(int(n), "row"))
		}
		return v.Index(int(i)), true, nil
	case starlark.String:
		list, err := v.cells(string(key))
		return list, err == nil, err
	}
	return nil, false, fmt.Errorf("a table is indexed by the number of a row or the name of a column, not by %s", describe(key))
}

// cells are the values of a column.
func (v *tableValue) cells(name string) (starlark.Value, error) {
	if err := v.known(name); err != nil {
		return nil, err
	}
	col, err := v.T.Col(name)
	if err != nil {
		return nil, err
	}
	out := make([]starlark.Value, col.Len())
	for i := range out {
		out[i] = cellOf(col.Value(i))
	}
	return starlark.NewList(out), nil
}

// names are the names of the columns.
func (v *tableValue) names() []string {
	var out []string
	for _, c := range v.T.Columns() {
		out = append(out, c.Name)
	}
	return out
}

// known fails for a name that is no column, and suggests the near one.
func (v *tableValue) known(name string) error {
	if names := v.names(); !contains(names, name) {
		return fmt.Errorf("there is no column %s%s; there are %s", quoteShort(name), didYouMean(name, names), strings.Join(names, ", "))
	}
	return nil
}

// where keeps the rows for which a function of the script is true.
func (v *tableValue) where(c *Call) (starlark.Value, error) {
	fn := c.Callable("fn")
	var failed error
	kept := v.T.Where(func(i int) bool {
		if failed != nil {
			return false
		}
		keep, err := starlark.Call(c.Thread, fn, starlark.Tuple{v.Index(i)}, nil)
		if err != nil {
			failed = err
			return false
		}
		return bool(keep.Truth())
	})
	if failed != nil {
		return nil, failed
	}
	return v.with(kept), nil
}

// tableFormats are how a table is written, by the ending of the file's name.
var tableFormats = []struct {
	ending string
	write  func(*tableValue, io.Writer) error
}{
	{".csv", func(v *tableValue, w io.Writer) error { return v.T.WriteCSV(w) }},
	{".json", func(v *tableValue, w io.Writer) error { return v.T.WriteJSON(w) }},
	{".txt", func(v *tableValue, w io.Writer) error {
		return v.T.WriteText(w, table.TextOptions{MaxRows: -1, MaxCell: -1})
	}},
}

func (v *tableValue) save(s *Session, name string) error {
	ending := strings.ToLower(path.Ext(name))
	var known []string
	for _, f := range tableFormats {
		if f.ending == ending {
			return s.Save("table", name, func(w io.Writer) error { return f.write(v, w) })
		}
		known = append(known, f.ending)
	}
	return fmt.Errorf("name must end in one of %s, not %s", strings.Join(known, ", "), quoteShort(name))
}

// WriteText writes the table for a terminal: a front end that shows values
// asks for this method and WriteCSV.
func (v *tableValue) WriteText(w io.Writer) error {
	_, err := io.WriteString(w, v.String()+"\n")
	return err
}

// Table is the table itself, for front ends that show tables in their own way.
func (v *tableValue) Table() *table.Table { return v.T }

func tableTable() Table {
	method := func(b Builtin, impl func(*Call, *tableValue) (starlark.Value, error)) Builtin {
		b.Recv = "table"
		b.Impl = func(c *Call) (starlark.Value, error) { return impl(c, c.Recv.(*tableValue)) }
		return b
	}
	return Table{
		Topics: []Topic{{
			Name: "table", Type: true,
			Doc: "Rows under named columns, which know their units. " +
				"len(t) is the number of rows, t[0] is a row with a field for each column, t[\"wait\"] is a column as a list, and for row in t goes through the rows. " +
				"A missing value is None. A table does not change: sort, where and the others make new ones.",
			Setup: "t = table(\"waits\", [\"comm\", (\"share\", \"%\"), (\"wait\", \"ms\")], [(\"make\", 90.9, 40 * ms), (\"hog\", 9.1, 400 * ms), (\"bash\", 0.0, None)])",
		}},
		Kinds: []Kind{kindOf[*tableValue]("table", "a table")},
		Builtins: []Builtin{
			tableBuiltin(),
			method(Builtin{
				Name: "columns", Attr: true, Result: "list of string", Doc: "The names of the columns.", Example: "print(t.columns)  # [\"comm\", \"share\", \"wait\"]",
			}, func(_ *Call, v *tableValue) (starlark.Value, error) { return stringList(v.names()), nil }),
			method(Builtin{
				Name: "units", Attr: true, Result: "dict", Doc: "The unit of each column by its name; empty where there is none. Durations have theirs with them, and the unit here is the one that they are printed in.",
				Example: "print(t.units[\"share\"])  # %",
			}, func(_ *Call, v *tableValue) (starlark.Value, error) {
				d := starlark.NewDict(len(v.T.Columns()))
				for _, c := range v.T.Columns() {
					if err := d.SetKey(starlark.String(c.Name), starlark.String(c.Unit)); err != nil {
						return nil, err
					}
				}
				return d, nil
			}),
			method(Builtin{Name: "title", Attr: true, Result: "string", Doc: "The title.", Example: "print(t.title)  # waits"},
				func(_ *Call, v *tableValue) (starlark.Value, error) { return starlark.String(v.T.Title()), nil }),
			method(Builtin{
				Name: "where", Params: []Param{{Name: "fn", Type: "callable", Doc: "A function of a row that tells whether to keep it."}},
				Result: "table", Doc: "The rows for which a function is true.",
				Example: "print(t.where(lambda row: row.share > 5)[\"comm\"])  # [\"make\", \"hog\"]",
			}, func(c *Call, v *tableValue) (starlark.Value, error) { return v.where(c) }),
			method(Builtin{
				Name: "sort",
				Params: []Param{
					{Name: "column", Type: "string", Doc: "The column whose values give the order."},
					{Name: "desc", Type: "bool", Default: "False", Doc: "The largest comes first."},
				},
				Result: "table", Doc: "The rows in the order of one column. Equal rows stay in the order they had, and missing values come last.",
				Example: "print(t.sort(\"wait\", desc = True)[\"comm\"])  # [\"hog\", \"make\", \"bash\"]",
			}, func(c *Call, v *tableValue) (starlark.Value, error) {
				if err := v.known(c.Str("column")); err != nil {
					return nil, err
				}
				t, err := v.T.Sort(c.Str("column"), c.Bool("desc"))
				if err != nil {
					return nil, err
				}
				return v.with(t), nil
			}),
			method(Builtin{
				Name: "select", Params: []Param{{Name: "names", Type: "list of string", Doc: "The columns to keep, in their new order."}},
				Result: "table", Doc: "A table of some of the columns.",
				Example: "print(t.select([\"wait\", \"comm\"]).columns)  # [\"wait\", \"comm\"]",
			}, func(c *Call, v *tableValue) (starlark.Value, error) {
				names := ArgList[string](c, "names")
				if len(names) == 0 {
					return nil, errors.New("names must not be empty")
				}
				for _, n := range names {
					if err := v.known(n); err != nil {
						return nil, err
					}
				}
				t, err := v.T.Select(names...)
				if err != nil {
					return nil, err
				}
				return v.with(t), nil
			}),
			method(Builtin{
				Name: "head", Params: []Param{{Name: "n", Type: "int", Default: "10", Doc: "How many rows."}},
				Result: "table", Doc: "The first rows.", Example: "print(len(t.head(2)))  # 2",
			}, func(c *Call, v *tableValue) (starlark.Value, error) { return v.with(v.T.Head(c.Int("n"))), nil }),
			method(Builtin{
				Name: "text",
				Params: []Param{
					{Name: "rows", Type: "int", Default: "-1", Doc: "How many rows to show at most; the middle ones are left out. -1 shows all."},
					{Name: "width", Type: "int", Default: "-1", Doc: "How many characters of a text to show at most; -1 shows all."},
				},
				Result: "string", Doc: "The table as text, without the limits that print has: 20 rows, 40 characters a cell.",
				Example: "print(t.text(rows = 2))",
			}, func(c *Call, v *tableValue) (starlark.Value, error) {
				for _, name := range []string{"rows", "width"} {
					if n := c.Int(name); n == 0 || n < -1 {
						return nil, fmt.Errorf("%s must be 1 or more, or -1 for all, not %d", name, n)
					}
				}
				return starlark.String(v.text(c.Int("rows"), c.Int("width"))), nil
			}),
			method(Builtin{
				Name: "save", Params: []Param{{Name: "name", Type: "string", Doc: "The name of the file, below the output directory. It ends in .csv, .json or .txt."}},
				Doc:     "Saves the table. In CSV and JSON durations are whole nanoseconds, and the names of columns carry the units.",
				Example: "t.save(\"waits.csv\")\nt.save(\"tables/waits.json\")",
			}, func(c *Call, v *tableValue) (starlark.Value, error) { return nil, v.save(c.Session, c.Str("name")) }),
		},
	}
}
