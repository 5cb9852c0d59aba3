package bindings

import (
	"errors"
	"fmt"

	"go.starlark.net/starlark"

	"schedrepl/engine/table"
)

// mostSeeds limits a slip such as seeds = 30 * ms.ns.
const mostSeeds = 1_000_000

func repeatTable() Table {
	return Table{Builtins: []Builtin{{
		Name: "repeat",
		Params: []Param{
			{Name: "fn", Type: "callable", Doc: "A function fn(seed, ...) on the top level of a file, which makes a machine, runs it and returns a number, a duration, or a dict or struct of these."},
			{Name: "seeds", Type: "int | list of int", Default: "30", Doc: "How many seeds, from 1 on, or a list of them."},
			{Name: "args", Type: "dict", Default: "{}", Doc: "Further arguments of the function, by name."},
		},
		Result: "table",
		Doc: "Runs a function for many seeds, and gives a table of what it returns: a row for each seed, with a column seed and one for each field, or a column value. " +
			"While it runs, its seed is that of the session, so that machine() takes it by default. " +
			"What the function uses from outside is frozen, and must not be a machine. It saves no files.",
		Example: "def experiment(seed, busy):\n    return {\"busy\": busy, \"wait\": (seed % 3) * 1 * ms}\n\nt = repeat(experiment, seeds = 3, args = {\"busy\": 0.5})\n" +
			"print(t[\"wait\"])  # [1ms, 2ms, 0s]\nprint(stats.interval(t[\"wait\"])[1] > 1 * ms)  # True",
		Impl: repeatImpl,
	}}}
}

func repeatImpl(c *Call) (starlark.Value, error) {
	fn, ok := c.Callable("fn").(*starlark.Function)
	if !ok {
		return nil, fmt.Errorf("fn must be a function of the script, as def experiment(seed): ..., not %s", describe(c.Value("fn")))
	}
	if c.Session.parent != nil {
		return nil, fmt.Errorf("it may not be called by the function that repeat runs: call that once for each seed, and repeat from outside")
	}
	seeds, err := seedsOf(c)
	if err != nil {
		return nil, err
	}
	is := &isolation{s: c.Session, user: fn.Name(), seen: map[starlark.Value]bool{}}
	var kwargs []starlark.Tuple
	args := Arg[*starlark.Dict](c, "args")
	for _, kv := range args.Items() {
		name, ok := kv[0].(starlark.String)
		if !ok {
			return nil, fmt.Errorf("args must have names for keys, not %s", describe(kv[0]))
		}
		if err := is.value(kv[1], string(name)); err != nil {
			return nil, fmt.Errorf("args: %w", err)
		}
		kwargs = append(kwargs, starlark.Tuple{name, kv[1]})
	}
	if fn.NumFreeVars() > 0 {
		b, _ := fn.FreeVar(0)
		return nil, fmt.Errorf("fn must be a function on the top level of a file: %s stands inside of another function and uses its %s; hand that over, as args = {\"%s\": ...}", fn.Name(), b.Name, b.Name)
	}
	if err := is.value(fn, fn.Name()); err != nil {
		return nil, fmt.Errorf("fn uses what it must not: %w", err)
	}
	args.Freeze()
	r := &results{title: fn.Name()}
	for _, seed := range seeds {
		v, err := c.runSeed(fn, seed, kwargs)
		if err == nil {
			err = r.add(seed, v)
		}
		if intr := c.Session.Poll(); intr != nil {
			r.salvage(c.Session, len(seeds))
			return nil, intr
		}
		if err != nil {
			return nil, withSeed(err, seed)
		}
	}
	t, err := r.table()
	if err != nil {
		return nil, err
	}
	return newTable(t), nil
}

// withSeed tells with which seed a run has failed.
func withSeed(err error, seed uint64) error {
	var inner *Error
	if errors.As(err, &inner) {
		e := *inner
		e.Msg = fmt.Sprintf("with seed %d: %s", seed, e.Msg)
		return &e
	}
	return fmt.Errorf("with seed %d: %w", seed, err)
}

// seedsOf reads how many seeds, or which.
func seedsOf(c *Call) ([]uint64, error) {
	var out []uint64
	if n, ok := c.vals[c.index("seeds")].(int); ok {
		if n < 1 || n > mostSeeds {
			return nil, fmt.Errorf("seeds must be from 1 to %d, or a list of seeds, not %d", mostSeeds, n)
		}
		for i := range n {
			out = append(out, uint64(i+1))
		}
		return out, nil
	}
	seen := map[int]bool{}
	for _, n := range ArgList[int](c, "seeds") {
		if n < 1 {
			return nil, fmt.Errorf("seeds must be 1 or more, not %d", n)
		}
		if seen[n] {
			return nil, fmt.Errorf("seeds must differ: %d is there twice, and would count one run as two", n)
		}
		seen[n] = true
		out = append(out, uint64(n))
	}
	if len(out) == 0 {
		return nil, errors.New("seeds must not be empty")
	}
	return out, nil
}

// runSeed calls the function in a session of its own, at the cost of the
// thread that asked for it.
func (c *Call) runSeed(fn *starlark.Function, seed uint64, kwargs []starlark.Tuple) (v starlark.Value, err error) {
	s := c.Session.Fork(seed)
	before := s.used
	err = s.run(c.Session.sources.mainPlace("main"), func(thread *starlark.Thread) (err error) {
		v, err = starlark.Call(thread, fn, starlark.Tuple{starlark.MakeUint64(seed)}, kwargs)
		return err
	})
	stateOf(c.Thread).charge(s.used - before)
	if jerr := c.Session.Join(s); err == nil {
		err = jerr
	}
	return v, err
}

// results collect what the runs return, row by row.
type results struct {
	title string
	names []string // The fields of the first row; one empty name for a plain value.
	rows  [][]starlark.Value
	seeds []uint64
}

// add notes what a run has returned.
func (r *results) add(seed uint64, v starlark.Value) error {
	row := []starlark.Value{starlark.MakeUint64(seed)}
	names := []string{"value"}
	if fields, ok := fieldNames(v); ok {
		names = nil
		for _, f := range fields {
			name, ok := starlark.AsString(f)
			if !ok {
				return fmt.Errorf("it returned a dict with the key %v: keys must be names", f)
			}
			if name == "seed" {
				continue // It is there already.
			}
			names = append(names, name)
			row = append(row, fieldOf(v, name))
		}
	} else if v == starlark.None {
		return errors.New("it returned None: return a number, a duration, or a dict or struct of these")
	} else {
		row = append(row, v)
	}
	if r.rows == nil {
		r.names = names
	} else if len(names) != len(r.names) {
		return fmt.Errorf("it returned %s, and the first run %s: return the same each time, and None for what is missing", quoteList(names), quoteList(r.names))
	}
	for i, name := range names {
		if name != r.names[i] {
			return fmt.Errorf("it returned %s, and the first run %s: return the same each time, in the same order", quoteList(names), quoteList(r.names))
		}
		if s, ok := row[i+1].(*samplesValue); ok {
			return fmt.Errorf("it returned samples for %s: a table holds one value a run, so return a measure of them, as %s.p(99) or %s.mean", name, s.title(), s.title())
		}
	}
	r.rows = append(r.rows, row)
	r.seeds = append(r.seeds, seed)
	return nil
}

func (r *results) table() (*table.Table, error) {
	cols := []table.Column{{Name: "seed"}}
	for _, n := range r.names {
		cols = append(cols, table.Column{Name: n})
	}
	return buildTable(r.title, cols, r.rows, func(i int) string { return fmt.Sprintf("with seed %d", r.seeds[i]) })
}

// salvage shows what there is when the user stops the runs.
func (r *results) salvage(s *Session, of int) {
	if len(r.rows) == 0 {
		return
	}
	s.Note("repeat was stopped after %d of %s", len(r.rows), plural(of, "seed"))
	if t, err := r.table(); err == nil {
		_ = s.show(newTable(t)) // The interrupt is the error that counts.
	}
}
