package bindings

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

func helpTable() Table {
	return Table{Builtins: []Builtin{{
		Name: "help",
		Params: []Param{
			{Name: "x", Type: "any", Optional: true, Doc: "A function, method, module, value or name; without it help lists all names."},
		},
		Doc:     "Prints what the reference says about a name, or the docstring of a function of a script.",
		Example: "help(fmt)\nhelp(5 * ms)\nhelp(\"math.sqrt\")",
		Impl: func(c *Call) (starlark.Value, error) {
			text, err := c.Session.Help(c.Value("x"))
			if err != nil {
				return nil, err
			}
			_, err = fmt.Fprint(c.Session.opts.Stdout, text)
			return nil, err
		},
	}}}
}

// Help is what help(x) prints; x is nil for the overview.
func (s *Session) Help(x starlark.Value) (string, error) {
	r := s.reg
	switch x := x.(type) {
	case nil:
		return r.Overview(), nil
	case starlark.String:
		return r.Text(string(x))
	case *starlark.Function:
		return functionHelp(x), nil
	case *starlarkstruct.Module:
		return r.Text(x.Name)
	case *starlark.Builtin:
		if b := r.describes(x); b != nil {
			return r.Text(b.FullName())
		}
		return starlarkHelp(x.Name()), nil
	}
	if r.topics[x.Type()] != nil {
		return r.Text(x.Type())
	}
	var names []string
	if has, ok := x.(starlark.HasAttrs); ok {
		names = has.AttrNames()
	}
	text := fmt.Sprintf("a value of type %s\n", x.Type())
	if len(names) > 0 {
		text += "  attributes: " + strings.Join(names, ", ") + "\n"
	}
	return text, nil
}

// describes finds the entry of a function value.
func (r *Registry) describes(fn *starlark.Builtin) *Builtin {
	if recv := fn.Receiver(); recv != nil {
		return r.types[recv.Type()][fn.Name()]
	}
	for _, b := range r.names {
		if b.fn == fn || b.Value == starlark.Value(fn) {
			return b // The order does not matter: only one can match.
		}
	}
	return nil
}

// functionHelp is the signature and docstring of a function of a script.
func functionHelp(fn *starlark.Function) string {
	var params []string
	for i := range fn.NumParams() {
		name, _ := fn.Param(i)
		if d := fn.ParamDefault(i); d != nil {
			name += "=" + d.String()
		}
		params = append(params, name)
	}
	b := &strings.Builder{}
	fmt.Fprintf(b, "%s(%s)\n", fn.Name(), strings.Join(params, ", "))
	doc := strings.TrimSpace(fn.Doc())
	if doc == "" {
		doc = "It has no docstring."
	}
	for line := range strings.Lines(doc) {
		fmt.Fprintf(b, "  %s\n", strings.TrimSpace(line))
	}
	pos := fn.Position()
	fmt.Fprintf(b, "  defined at %s:%d\n", pos.Filename(), pos.Line)
	return b.String()
}

// starlarkHelp points to the description of a function of the language itself.
func starlarkHelp(name string) string {
	return fmt.Sprintf("%s is part of the language Starlark:\n  https://github.com/google/starlark-go/blob/master/doc/spec.md#%s\n", name, strings.ToLower(name))
}
