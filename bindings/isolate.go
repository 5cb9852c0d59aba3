package bindings

import (
	"fmt"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
	"go.starlark.net/syntax"
)

// isolation freezes what a function uses from outside of it, so that its runs
// cannot tell each other anything, and finds what belongs to one machine.
type isolation struct {
	s    *Session
	user string // The function, for errors.
	seen map[starlark.Value]bool
}

// bound tells whether a value belongs to one machine, and so to one run.
func bound(v starlark.Value) bool {
	switch v.(type) {
	case *machine, *task, *semaphore, *handle, *controlGroup, *traceEvent:
		return true
	}
	return false
}

// value freezes v, which stands at path in the script, and fails if it holds
// something of a machine.
func (is *isolation) value(v starlark.Value, path string) error {
	if bound(v) {
		return fmt.Errorf("%s is a %s made outside of %s, and all runs would share it: make it inside", path, v.Type(), is.user)
	}
	switch v.(type) {
	case *starlark.List, *starlark.Dict, *starlark.Set, *starlarkstruct.Struct, *starlark.Function, *starlark.Builtin:
		if is.seen[v] { // A list may hold itself.
			return nil
		}
		is.seen[v] = true
	}
	switch v := v.(type) {
	case *starlark.Dict:
		for _, kv := range v.Items() {
			if err := is.value(kv[0], path); err != nil {
				return err
			}
			if err := is.value(kv[1], fmt.Sprintf("%s[%v]", path, kv[0])); err != nil {
				return err
			}
		}
	case *starlarkstruct.Struct:
		for _, name := range v.AttrNames() {
			x, err := v.Attr(name)
			if err == nil {
				err = is.value(x, path+"."+name)
			}
			if err != nil {
				return err
			}
		}
	case *starlark.List, starlark.Tuple, *starlark.Set:
		i := 0
		for e := range starlark.Elements(v.(starlark.Iterable)) {
			if err := is.value(e, fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
			i++
		}
	case *starlark.Builtin:
		if recv := v.Receiver(); recv != nil {
			return is.value(recv, path)
		}
	case *program:
		return is.pieces(v.Calls, v.Sems, path)
	case *workStep:
		return is.pieces(v.calls, v.sems, path)
	case *starlark.Function:
		return is.function(v)
	}
	v.Freeze()
	return nil
}

// pieces looks at what a program or step holds.
func (is *isolation) pieces(calls []starlark.Callable, sems []*semaphore, path string) error {
	for _, o := range sems {
		if err := is.value(o, path); err != nil {
			return err
		}
	}
	for _, fn := range calls {
		if err := is.value(fn, path); err != nil {
			return err
		}
	}
	return nil
}

// function looks at the globals that a function uses, at its default values,
// and at the variables of functions around it.
func (is *isolation) function(fn *starlark.Function) error {
	globals := fn.Globals()
	for _, name := range is.s.outsideNames(fn) {
		if v := globals[name]; v != nil {
			if err := is.value(v, name); err != nil {
				return err
			}
		}
	}
	for i := range fn.NumFreeVars() {
		b, v := fn.FreeVar(i)
		if v != nil {
			if err := is.value(v, b.Name); err != nil {
				return err
			}
		}
	}
	for i := range fn.NumParams() {
		if v := fn.ParamDefault(i); v != nil {
			name, _ := fn.Param(i)
			if err := is.value(v, name); err != nil {
				return err
			}
		}
	}
	fn.Freeze()
	return nil
}

// captured is a variable of a function around fn that fn uses. Names that a
// file loads are captured too, but are not meant: they are the same for all.
func (s *Session) captured(fn *starlark.Function) (starlark.Binding, bool) {
	for i := range fn.NumFreeVars() {
		if b, _ := fn.FreeVar(i); !s.loaded(b) {
			return b, true
		}
	}
	return starlark.Binding{}, false
}

// loaded reports whether a variable is bound by a load statement.
func (s *Session) loaded(b starlark.Binding) bool {
	file := s.sources.files[b.Pos.Filename()]
	if file == nil {
		return false
	}
	for _, st := range file.Stmts {
		if load, ok := st.(*syntax.LoadStmt); ok {
			for _, id := range load.To {
				if id.NamePos == b.Pos {
					return true
				}
			}
		}
	}
	return false
}

// outsideNames lists the names that a function uses and does not bind itself,
// in the order in which they stand in its text.
func (s *Session) outsideNames(fn *starlark.Function) []string {
	file := s.sources.files[fn.Position().Filename()]
	if file == nil {
		return fn.Globals().Keys() // There is no text to look at.
	}
	var out []string
	seen := map[string]bool{}
	note := func(n syntax.Node) bool {
		id, ok := n.(*syntax.Ident)
		if !ok || seen[id.Name] {
			return true
		}
		if b, ok := id.Binding.(*resolve.Binding); ok {
			switch b.Scope {
			case resolve.Local, resolve.Cell, resolve.Free:
				return true
			}
		}
		seen[id.Name] = true
		out = append(out, id.Name)
		return true
	}
	found := false
	for _, st := range file.Stmts {
		syntax.Walk(st, func(n syntax.Node) bool {
			var at syntax.Position
			switch n := n.(type) {
			case *syntax.DefStmt:
				at = n.Def
			case *syntax.LambdaExpr:
				at = n.Lambda
			}
			if at != fn.Position() {
				return true
			}
			found = true
			syntax.Walk(n, note)
			return false
		})
	}
	if !found {
		return fn.Globals().Keys() // An earlier cell of the same name, for one.
	}
	return out
}
