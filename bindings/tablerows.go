package bindings

import (
	"fmt"
	"strings"
	"time"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
	"go.starlark.net/syntax"

	"schedrepl/engine/metrics"
	"schedrepl/engine/table"
)

// rowSource is a table whose rows are handed to a function of a script.
type rowSource struct {
	names []string
	cells []table.Cells
	place map[string]int
}

// rowValue is a row on its way through such a function. Unlike the struct that
// t[0] is, it makes the values of only those fields that the function reads.
type rowValue struct {
	from *rowSource
	i    int
}

var (
	_ starlark.HasAttrs   = (*rowValue)(nil)
	_ starlark.Comparable = (*rowValue)(nil)
)

func (v *tableValue) rowSource() *rowSource {
	src := &rowSource{names: v.names(), place: map[string]int{}}
	for k, name := range src.names {
		col, err := v.T.Col(name)
		if err != nil {
			panic("sched: " + err.Error())
		}
		src.cells = append(src.cells, col)
		src.place[name] = k
	}
	return src
}

// cellAt is cell i of a column as a value of a script.
func cellAt(s table.Cells, i int) starlark.Value {
	if s.Missing(i) {
		return starlark.None
	}
	switch s.Column().Kind {
	case table.Int:
		return starlark.MakeInt64(s.Int(i))
	case table.Float:
		return starlark.Float(s.Float(i))
	case table.Duration:
		return Duration(s.Duration(i))
	case table.String:
		return starlark.String(s.Str(i))
	}
	return starlark.Bool(s.Bool(i))
}

// row is a row as t[i] is.
func (src *rowSource) row(i int) *starlarkstruct.Struct {
	fields := make(starlark.StringDict, len(src.names))
	for k, name := range src.names {
		fields[name] = cellAt(src.cells[k], i)
	}
	return starlarkstruct.FromStringDict(starlarkstruct.Default, fields)
}

// whole is the row as t[i] is.
func (r *rowValue) whole() *starlarkstruct.Struct { return r.from.row(r.i) }

// rowIterator goes through the rows of a table.
type rowIterator struct {
	src  *rowSource
	i, n int
}

func (it *rowIterator) Next(p *starlark.Value) bool {
	if it.i >= it.n {
		return false
	}
	*p = it.src.row(it.i)
	it.i++
	return true
}

func (it *rowIterator) Done() {}

// String shows the fields.
func (r *rowValue) String() string { return "row" + strings.TrimPrefix(r.whole().String(), "struct") }

// Type is "row".
func (r *rowValue) Type() string { return "row" }

// Freeze does nothing: a row does not change.
func (r *rowValue) Freeze() {}

// Truth is true.
func (r *rowValue) Truth() starlark.Bool { return true }

// Hash fails.
func (r *rowValue) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable type: row") }

// Attr reads a field; nil if there is none, and the interpreter suggests the
// near one.
func (r *rowValue) Attr(name string) (starlark.Value, error) {
	if k, ok := r.from.place[name]; ok {
		return cellAt(r.from.cells[k], r.i), nil
	}
	return nil, nil
}

// AttrNames lists the fields.
func (r *rowValue) AttrNames() []string { return r.from.names }

// CompareSameType compares the fields.
func (r *rowValue) CompareSameType(op syntax.Token, y starlark.Value, depth int) (bool, error) {
	return starlark.CompareDepth(op, r.whole(), y.(*rowValue).whole(), depth)
}

// eachRow calls fn with the row of each number, until it fails.
func (v *tableValue) eachRow(c *Call, fn starlark.Callable, use func(i int, result starlark.Value) error) error {
	src := v.rowSource()
	for i := range v.Len() {
		if i%1024 == 0 {
			if err := c.Session.Poll(); err != nil {
				return err
			}
		}
		x, err := starlark.Call(c.Thread, fn, starlark.Tuple{&rowValue{src, i}}, nil)
		if err != nil {
			return err
		}
		if err := use(i, x); err != nil {
			return err
		}
	}
	return nil
}

// where keeps the rows that meet the conditions of the script: those of equal
// values first, so that a function sees only what is left.
func (v *tableValue) where(c *Call) (starlark.Value, error) {
	pairs := c.Kwargs
	if d := Arg[*starlark.Dict](c, "fn"); d != nil {
		pairs = append(d.Items(), pairs...)
	}
	var matches []table.Match
	for _, kv := range pairs {
		name, ok := starlark.AsString(kv[0])
		if !ok {
			return nil, fmt.Errorf("fn must be a function, or a dict with the names of columns as keys, not %s", describe(kv[0]))
		}
		m, err := v.match(name, kv[1])
		if err != nil {
			return nil, err
		}
		matches = append(matches, m)
	}
	fn := c.Callable("fn")
	if fn == nil && len(matches) == 0 {
		return nil, fmt.Errorf("no condition: give a function of a row, as t.where(lambda row: row.wait > 5 * ms), or values, as t.where(comm = \"make\")")
	}
	kept := v
	if len(matches) > 0 {
		t, err := v.T.Matching(matches...)
		if err != nil {
			return nil, tableError(err)
		}
		kept = v.with(t)
	}
	if fn == nil {
		return kept, nil
	}
	keep := make([]bool, kept.Len())
	err := kept.eachRow(c, fn, func(i int, x starlark.Value) error {
		keep[i] = bool(x.Truth())
		return nil
	})
	if err != nil {
		return nil, err
	}
	return kept.with(kept.T.Where(func(i int) bool { return keep[i] })), nil
}

// match makes a condition of a column and the value or values that it may have.
func (v *tableValue) match(name string, want starlark.Value) (table.Match, error) {
	m := table.Match{Column: name}
	if err := v.known(name); err != nil {
		return m, err
	}
	var col table.Column
	for _, c := range v.T.Columns() {
		if c.Name == name {
			col = c
		}
	}
	if f, ok := want.(starlark.Callable); ok {
		return m, fmt.Errorf("%s must be a value or a list of values, not %s: give a function of the whole row by itself", name, describe(f))
	}
	wanted := []starlark.Value{want}
	if seq, ok := want.(starlark.Iterable); ok {
		wanted = wanted[:0]
		for x := range starlark.Elements(seq) {
			wanted = append(wanted, x)
		}
	}
	var texts []func(string) bool
	for _, x := range wanted {
		cell, err := matchCell(col, x)
		if err != nil {
			return m, fmt.Errorf("%s %w", name, err)
		}
		m.Values = append(m.Values, cell)
		if s, ok := cell.(string); ok && strings.ContainsAny(s, `*?[\`) {
			text := ""
			// What is no pattern stands for itself.
			if fits, err := metrics.ByComm(s, func(int32) string { return text }); err == nil {
				texts = append(texts, func(name string) bool { text = name; return fits(0) })
			}
		}
	}
	if len(texts) > 0 {
		m.Text = func(s string) bool {
			for _, fits := range texts {
				if fits(s) {
					return true
				}
			}
			return false
		}
	}
	return m, nil
}

// matchCell makes a cell that a column can hold of a value of a script. The error
// completes "wait ...".
func matchCell(c table.Column, v starlark.Value) (any, error) {
	if v == starlark.None {
		return nil, nil
	}
	wants := ""
	switch c.Kind {
	case table.Duration:
		d, err := toDuration(v)
		if err == ErrType {
			err = fmt.Errorf("must be a duration, as 5 * ms, not %s", describe(v))
		}
		return time.Duration(d), err
	case table.Int:
		if t, ok := v.(*task); ok {
			return int64(t.pid), nil
		}
		if n, ok := v.(starlark.Int); ok {
			if i, ok := n.Int64(); ok {
				return i, nil
			}
		}
		wants = "an int"
	case table.Float:
		if f, ok := starlark.AsFloat(v); ok {
			return f, nil
		}
		wants = "a number"
	case table.String:
		if s, ok := starlark.AsString(v); ok {
			return s, nil
		}
		wants = "a string"
	default:
		if b, ok := v.(starlark.Bool); ok {
			return bool(b), nil
		}
		wants = "True or False"
	}
	return nil, fmt.Errorf("must be %s, not %s: the column holds values of type %s", wants, describe(v), c.Kind)
}

// namesOf reads the names of columns out of positional arguments, each a name or
// a list of names.
func (v *tableValue) namesOf(args starlark.Tuple, what string) ([]string, error) {
	var out []string
	var add func(x starlark.Value, deep bool) error
	add = func(x starlark.Value, deep bool) error {
		if name, ok := starlark.AsString(x); ok {
			if err := v.known(name); err != nil {
				return err
			}
			out = append(out, name)
			return nil
		}
		seq, ok := x.(starlark.Iterable)
		if _, isDict := x.(*starlark.Dict); !ok || deep || isDict {
			return fmt.Errorf("%s must be names of columns, not %s", what, describe(x))
		}
		for e := range starlark.Elements(seq) {
			if err := add(e, true); err != nil {
				return err
			}
		}
		return nil
	}
	for _, x := range args {
		if err := add(x, false); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// sort is t.sort(...).
func (v *tableValue) sort(c *Call) (starlark.Value, error) {
	names, err := v.namesOf(c.Args, "columns")
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("columns are missing: name at least one of %s", strings.Join(v.names(), ", "))
	}
	desc := ArgList[bool](c, "desc")
	if all, ok := c.Value("desc").(starlark.Bool); ok {
		for range names {
			desc = append(desc, bool(all))
		}
	}
	if len(desc) != len(names) {
		return nil, fmt.Errorf("desc must have one place for each column, and has %d for %d", len(desc), len(names))
	}
	keys := make([]table.SortKey, len(names))
	for k, name := range names {
		keys[k] = table.SortKey{Column: name, Desc: desc[k]}
	}
	t, err := v.T.SortBy(keys...)
	if err != nil {
		return nil, tableError(err)
	}
	return v.with(t), nil
}
