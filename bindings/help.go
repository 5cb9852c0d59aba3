package bindings

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
	"go.starlark.net/syntax"
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

// keywords of the language, which have no value to look up.
var languageWords = []string{
	"and", "break", "continue", "def", "elif", "else", "for", "if", "in", "lambda", "load", "not", "or", "pass", "return", "while",
}

// HelpOn is what a prompt shows for name?: the reference of a dotted name that
// is typed, be it one of the session or of the reference. A name that is
// unknown is an error that suggests the near one.
func (s *Session) HelpOn(name string) (string, error) {
	if contains(languageWords, name) {
		return fmt.Sprintf("%s is part of the language Starlark:\n  https://github.com/google/starlark-go/blob/master/doc/spec.md\n", name), nil
	}
	v := s.value(name)
	if v == nil {
		text, err := s.reg.Text(name)
		if err != nil {
			return "", s.noHelp(name, err)
		}
		return text, nil
	}
	if _, ok := v.(starlark.String); ok {
		return s.valueHelp(name, v, fmt.Sprintf("a value of type %s\n", v.Type())), nil
	}
	text, err := s.Help(v)
	if err != nil {
		return "", err
	}
	switch v.(type) {
	case *starlark.Function, *starlark.Builtin, *starlarkstruct.Module:
		return text, nil
	}
	if s.reg.names[name] != nil {
		return s.reg.Text(name) // A constant, as ms.
	}
	return s.valueHelp(name, v, text), nil
}

// valueHelp puts the value itself before what is to say about its type.
func (s *Session) valueHelp(name string, v starlark.Value, text string) string {
	const most = 200
	shown := []rune(v.String())
	if len(shown) > most {
		shown = append(shown[:most], '…')
	}
	return fmt.Sprintf("%s = %s\n\n%s", name, string(shown), text)
}

// noHelp suggests a name near to one that is unknown, out of those that the
// session knows.
func (s *Session) noHelp(name string, err error) error {
	owner, attr, ok := cutLast(name, ".")
	if !ok {
		if near := didYouMean(name, s.names().Keys()); near != "" {
			return fmt.Errorf("there is no %s%s", quoteShort(name), near)
		}
		return err
	}
	if v, ok := s.value(owner).(starlark.HasAttrs); ok {
		return fmt.Errorf("%s has no %s%s", owner, quoteShort(attr), didYouMean(attr, v.AttrNames()))
	}
	return err
}

// cutLast cuts s at the last sep.
func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// SourceOn is the text of a function of a script, as a prompt shows it for
// name??; false if there is none.
func (s *Session) SourceOn(name string) (string, bool) {
	fn, ok := s.value(name).(*starlark.Function)
	if !ok {
		return "", false
	}
	file := s.sources.files[fn.Position().Filename()]
	if file == nil {
		return "", false
	}
	text := ""
	for _, st := range file.Stmts {
		syntax.Walk(st, func(n syntax.Node) bool {
			def, ok := n.(*syntax.DefStmt)
			if !ok || def.Def != fn.Position() {
				return text == ""
			}
			from, to := def.Span()
			for line := from.Line; line <= to.Line; line++ {
				text += s.sources.line(from.Filename(), int(line)) + "\n"
			}
			return false
		})
	}
	return text, text != ""
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
