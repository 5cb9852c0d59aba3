package bindings

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// ParamDecl is an experiment parameter that a script has declared with
// param().
type ParamDecl struct {
	Name    string
	Type    string         // "bool", "int", "float", "string", "duration", "size", "list of int" ...
	Default starlark.Value // Frozen.
	Value   starlark.Value // What the run uses; frozen.
	Help    string
	Choices []starlark.Value // Empty if any value will do.
}

// params are the declared parameters, in the order of their declaration.
type params struct {
	decls []*ParamDecl
}

func (p *params) find(name string) *ParamDecl {
	for _, d := range p.decls {
		if d.Name == name {
			return d
		}
	}
	return nil
}

func (p *params) names() []string {
	var out []string
	for _, d := range p.decls {
		out = append(out, d.Name)
	}
	return out
}

// Params lists the parameters that the scripts of the session have declared so
// far, in order.
func (s *Session) Params() []ParamDecl {
	var out []ParamDecl
	for _, d := range s.params.decls {
		out = append(out, *d)
	}
	return out
}

// SetParam sets the text value of a parameter for the declarations to come, as
// a notebook does before it runs a cell again.
func (s *Session) SetParam(name, value string) {
	m := map[string]string{name: value}
	for n, v := range s.opts.Params {
		if n != name {
			m[n] = v
		}
	}
	s.opts.Params = m
}

func paramTable() Table {
	return Table{Builtins: []Builtin{{
		Name: "param",
		Params: []Param{
			{Name: "name", Type: "string", Doc: "Name of the parameter; letters, digits and underscores."},
			{Name: "default", Type: "any", Doc: "The value without -p. Its type is the type of the parameter: bool, int, float, string, duration, size, or a list of one of these."},
			{Name: "help", Type: "string", Default: `""`, Doc: "What the parameter means, for the user of the script."},
			{Name: "choices", Type: "list of any", Default: "None", Doc: "The values that are allowed; None allows all."},
		},
		Result: "any",
		Doc: "Declares a parameter of the experiment and returns its value. " +
			"The command line sets it with -p name=value, a sweep or a notebook cell by its name. " +
			"A -p that no script declares is an error, so that a misspelt one is noticed.",
		Example: "delay = param(\"delay\", 5 * ms, help = \"pause between two requests\")\nprint(delay)  # 5ms",
		Impl:    paramImpl,
	}}}
}

func paramImpl(c *Call) (starlark.Value, error) {
	d := &ParamDecl{Name: c.Str("name"), Default: c.Value("default"), Help: c.Str("help")}
	if !isIdent(d.Name) {
		return nil, fmt.Errorf("name must be made of letters, digits and underscores, not %s", quoteShort(d.Name))
	}
	var ok bool
	if d.Type, ok = paramType(d.Default); !ok {
		return nil, fmt.Errorf("default must be a bool, int, float, string, duration, size or a list of these, not %s", describe(d.Default))
	}
	d.Choices = ArgList[starlark.Value](c, "choices")
	for _, ch := range d.Choices {
		if t, _ := paramType(ch); t != d.Type && t != strings.TrimPrefix(d.Type, "list of ") {
			return nil, fmt.Errorf("choices must be of the type of the default, %s, not %s", d.Type, describe(ch))
		}
	}
	d.Value = d.Default
	if text, set := c.Session.opts.Params[d.Name]; set {
		v, err := parseParam(d.Type, text)
		if err != nil {
			return nil, &usageError{fmt.Sprintf("parameter %s %v", d.Name, err)}
		}
		d.Value = v
		if err := d.allowed(); err != nil {
			return nil, &usageError{fmt.Sprintf("parameter %s %v", d.Name, err)}
		}
	} else if err := d.allowed(); err != nil {
		return nil, fmt.Errorf("default %v", err)
	}
	d.Default.Freeze()
	d.Value.Freeze()
	if old := c.Session.params.find(d.Name); old != nil {
		if eq, err := starlark.Equal(old.Default, d.Default); c.Session.globals == nil && (err != nil || !eq) {
			return nil, fmt.Errorf("parameter %s is declared twice, with the defaults %v and %v", d.Name, old.Default, d.Default)
		}
		*old = *d
	} else {
		c.Session.params.decls = append(c.Session.params.decls, d)
	}
	return d.Value, nil
}

// allowed checks the value against the choices; of a list, every element.
func (d *ParamDecl) allowed() error {
	if len(d.Choices) == 0 {
		return nil
	}
	values := []starlark.Value{d.Value}
	if list, ok := d.Value.(*starlark.List); ok {
		values = slices.Collect(list.Elements())
	}
	for _, v := range values {
		in := slices.ContainsFunc(d.Choices, func(ch starlark.Value) bool {
			eq, err := starlark.Equal(ch, v)
			return err == nil && eq
		})
		if !in {
			var texts []string
			for _, ch := range d.Choices {
				texts = append(texts, ch.String())
			}
			return fmt.Errorf("must be one of %s, not %v", strings.Join(texts, ", "), v)
		}
	}
	return nil
}

// paramType is the type of a parameter by its default. The elements of an
// empty list are strings.
func paramType(v starlark.Value) (string, bool) {
	switch v := v.(type) {
	case starlark.Bool, starlark.Int, starlark.Float, starlark.String, Duration, Size:
		return v.Type(), true
	case *starlark.List:
		elem := "string"
		for i := range v.Len() {
			t, ok := paramType(v.Index(i))
			if !ok || strings.HasPrefix(t, "list") || i > 0 && t != elem {
				return "", false
			}
			elem = t
		}
		return "list of " + elem, true
	}
	return "", false
}

// parseParam reads the text of a -p. The error completes "parameter x ...".
func parseParam(typ, text string) (starlark.Value, error) {
	if elem, ok := strings.CutPrefix(typ, "list of "); ok {
		var out []starlark.Value
		if text == "" {
			return starlark.NewList(nil), nil
		}
		for part := range strings.SplitSeq(text, ",") {
			v, err := parseParam(elem, strings.TrimSpace(part))
			if err != nil {
				return nil, err
			}
			out = append(out, v)
		}
		return starlark.NewList(out), nil
	}
	switch typ {
	case "bool":
		switch strings.ToLower(text) {
		case "true", "1", "yes", "on":
			return starlark.True, nil
		case "false", "0", "no", "off":
			return starlark.False, nil
		}
		return nil, fmt.Errorf("must be true or false, not %s", quoteShort(text))
	case "int":
		n, err := strconv.ParseInt(text, 0, 64)
		if err != nil {
			return nil, fmt.Errorf("must be an int, not %s", quoteShort(text))
		}
		return starlark.MakeInt64(n), nil
	case "float":
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, fmt.Errorf("must be a number, not %s", quoteShort(text))
		}
		return starlark.Float(f), nil
	case "duration":
		return ParseDuration(text)
	case "size":
		return ParseSize(text)
	}
	return starlark.String(text), nil
}

// finish reports values for parameters that no script has declared.
func (p *params) finish(s *Session) error {
	return unknownParams(s.opts.Params, p.names())
}

func unknownParams(given map[string]string, declared []string) error {
	var unknown []string
	for name := range given {
		if !contains(declared, name) {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	slices.Sort(unknown)
	msg := fmt.Sprintf("unknown parameter %s%s", unknown[0], didYouMean(unknown[0], declared))
	if len(declared) == 0 {
		return &Error{Category: UsageError, Msg: msg + ": the script declares none"}
	}
	return &Error{Category: UsageError, Msg: msg + ": the script declares " + strings.Join(declared, ", ")}
}

// scan looks for unknown parameters in the text of the main script, so that a
// misspelt -p shows before a long run and not after it. It says nothing where
// it cannot see all declarations.
func (p *params) scan(s *Session, file *syntax.File, thread *starlark.Thread) error {
	if stateOf(thread).loads != nil || len(s.opts.Params) == 0 {
		return nil
	}
	names, all := declaredParams(file)
	if !all {
		return nil
	}
	return unknownParams(s.opts.Params, names)
}

// declaredParams lists the names in calls of param with a literal name. The
// second result is false if there may be others: param is used in another way,
// or a file is loaded that may declare some.
func declaredParams(file *syntax.File) (names []string, all bool) {
	all = true
	calls := map[*syntax.Ident]bool{}
	for _, st := range file.Stmts {
		syntax.Walk(st, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.LoadStmt:
				if !strings.HasPrefix(n.ModuleName(), stdPrefix) {
					all = false
				}
			case *syntax.CallExpr:
				id, ok := n.Fn.(*syntax.Ident)
				if !ok || id.Name != "param" || len(n.Args) == 0 {
					return true
				}
				if lit, ok := literalName(n.Args); ok {
					names = append(names, lit)
					calls[id] = true
				}
			case *syntax.Ident:
				if n.Name == "param" && !calls[n] {
					all = false
				}
			}
			return true
		})
	}
	return names, all
}

// literalName is the value of the parameter "name" of a call, if it is a
// literal.
func literalName(args []syntax.Expr) (string, bool) {
	arg := args[0]
	for _, a := range args {
		if kw, ok := a.(*syntax.BinaryExpr); ok && kw.Op == syntax.EQ {
			if id, ok := kw.X.(*syntax.Ident); ok && id.Name == "name" {
				arg = kw.Y
			}
		}
	}
	lit, ok := arg.(*syntax.Literal)
	if !ok {
		return "", false
	}
	name, ok := lit.Value.(string)
	return name, ok
}
