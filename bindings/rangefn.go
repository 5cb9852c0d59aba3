package bindings

import (
	"fmt"

	"go.starlark.net/starlark"
)

// mostRange is the longest range. Built-ins such as list, sorted and sum go
// through a whole range in one piece, which nothing can interrupt and which may
// not fit into memory; a longer loop is written with while.
const mostRange = 20_000_000

// rangeTable replaces the language's own range by one with a bound.
func rangeTable() Table {
	return Table{Builtins: []Builtin{{
		Name: "range",
		Params: []Param{
			{Name: "*args", Type: "int", Doc: "The stop; or start and stop; or start, stop and step."},
		},
		Result:  "range",
		Doc:     fmt.Sprintf("The whole numbers from start, 0 by default, up to and without stop, step apart, 1 by default; at most %d of them.", mostRange),
		Example: "print(list(range(3)), list(range(10, 4, -2)))  # [0, 1, 2] [10, 8, 6]",
		Impl: func(c *Call) (starlark.Value, error) {
			v, err := starlark.Call(c.Thread, starlark.Universe["range"], c.Args, nil)
			if err != nil {
				return nil, err
			}
			if n := starlark.Len(v); n > mostRange || n < 0 {
				return nil, fmt.Errorf("it would have %d numbers, more than %d: loop with while", n, mostRange)
			}
			return v, nil
		},
	}}}
}
