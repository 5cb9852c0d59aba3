package bindings

import (
	"errors"
	"fmt"
	"io"
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
	maxCell int    // See table.TextOptions.
	pools   *pools // The samples behind a table that repeat made; else nil.
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
	w.pools = v.pools
	return w
}

// fresh is a table made out of v whose rows are others.
func (v *tableValue) fresh(t *table.Table) *tableValue {
	w := newTable(t)
	w.maxCell = v.maxCell
	return w
}

// made wraps the result of an operation, and words its error for a script.
func (v *tableValue) made(t *table.Table, err error) (starlark.Value, error) {
	if err != nil {
		return nil, tableError(err)
	}
	return v.fresh(t), nil
}

// tableError takes the operation and the table from an error of package table:
// the call is about to put the name there that the script knows.
func tableError(err error) error {
	var e *table.Error
	if errors.As(err, &e) {
		return e.Err
	}
	return plainError(err)
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
func (v *tableValue) Iterate() starlark.Iterator { return &rowIterator{src: v.rowSource(), n: v.Len()} }

// Slice is t[start:end:step].
func (v *tableValue) Slice(start, end, step int) starlark.Value {
	return v.with(v.T.Slice(start, end, step))
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

// WriteText writes the table for a terminal: a front end that shows values
// asks for this method and WriteCSV.
func (v *tableValue) WriteText(w io.Writer) error {
	_, err := io.WriteString(w, v.String()+"\n")
	return err
}

// Table is the table itself, for front ends that show tables in their own way.
func (v *tableValue) Table() *table.Table { return v.T }

// tableMethod is an entry of a method of tables.
func tableMethod(b Builtin, impl func(*Call, *tableValue) (starlark.Value, error)) Builtin {
	b.Recv = "table"
	b.Impl = func(c *Call) (starlark.Value, error) { return impl(c, c.Recv.(*tableValue)) }
	return b
}

func tableTable() Table {
	method := tableMethod
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
				Name: "where",
				Params: []Param{
					{Name: "fn", Type: "callable | dict | None", Default: "None", Doc: "A function of a row that tells whether to keep it, or a dict of columns and values, for names that are no keywords."},
					{Name: "**values", Type: "any", Doc: "A column each, with the value that it must have or a list of such values. None is a missing value, a string may be a pattern, as \"cc1*\", and a task stands for its pid."},
				},
				Result: "table", Doc: "The rows that meet all conditions: equal values by keywords, which is fast, and a function for the rest.",
				Example: "print(t.where(comm = [\"make\", \"hog\"])[\"wait\"])  # [40ms, 400ms]\nprint(t.where(lambda row: row.share > 5)[\"comm\"])  # [\"make\", \"hog\"]",
			}, func(c *Call, v *tableValue) (starlark.Value, error) { return v.where(c) }),
			method(Builtin{
				Name: "sort",
				Params: []Param{
					{Name: "*columns", Type: "string", Doc: "The columns whose values give the order: rows that are equal in the first are in the order of the second, and so on."},
					{Name: "desc", Type: "bool | list of bool", Default: "False", KwOnly: true, Doc: "The largest comes first; a list says so for each column."},
				},
				Result: "table", Doc: "The rows in the order of some columns. Equal rows stay in the order they had, and missing values come last.",
				Example: "print(t.sort(\"wait\", desc = True)[\"comm\"])  # [\"hog\", \"make\", \"bash\"]\nt.sort(\"share\", \"comm\", desc = [True, False])",
			}, func(c *Call, v *tableValue) (starlark.Value, error) { return v.sort(c) }),
			method(Builtin{
				Name: "select", Params: []Param{{Name: "*names", Type: "string", Doc: "The columns to keep, in their new order; a list of them will do too."}},
				Result: "table", Doc: "A table of some of the columns.",
				Example: "print(t.select(\"wait\", \"comm\").columns)  # [\"wait\", \"comm\"]",
			}, func(c *Call, v *tableValue) (starlark.Value, error) {
				names, err := v.namesOf(c.Args, "names")
				if err != nil {
					return nil, err
				}
				if len(names) == 0 {
					return nil, errors.New("names must not be empty")
				}
				t, err := v.T.Select(names...)
				if err != nil {
					return nil, tableError(err)
				}
				return v.with(t), nil
			}),
			method(Builtin{
				Name: "head", Params: []Param{{Name: "n", Type: "int", Default: "10", Doc: "How many rows."}},
				Result: "table", Doc: "The first rows.", Example: "print(len(t.head(2)))  # 2",
			}, func(c *Call, v *tableValue) (starlark.Value, error) { return v.with(v.T.Head(c.Int("n"))), nil }),
			method(Builtin{
				Name: "tail", Params: []Param{{Name: "n", Type: "int", Default: "10", Doc: "How many rows."}},
				Result: "table", Doc: "The last rows.", Example: "print(t.tail(1)[\"comm\"])  # [\"bash\"]",
			}, func(c *Call, v *tableValue) (starlark.Value, error) { return v.with(v.T.Tail(c.Int("n"))), nil }),
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
			tableSave(),
		},
	}
}
