package bindings

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"go.starlark.net/starlark"
)

func fmtTable() Table {
	return Table{Builtins: []Builtin{{
		Name: "fmt",
		Params: []Param{
			{Name: "format", Type: "string", Doc: "Text with replacement fields in braces: {}, {0}, {name}, {d.ms}, {list[0]}, each with an optional !r and a :spec. {{ and }} are braces."},
			{Name: "*args", Type: "any", Doc: "The values for {} and {0}."},
			{Name: "**kwargs", Type: "any", Doc: "The values for {name}."},
		},
		Result: "string",
		Doc: "Formats values as Python's str.format does. " +
			"A spec is [[fill]align][sign][#][0][width][,][.precision][type], with align one of < > ^ =, " +
			"and type one of d b o x X c e E f F g G % s. " +
			"A duration takes a unit for its type: {:.1ms} prints 12.1ms. " +
			"Width and precision may be fields themselves, as in {:{}.{}f}.",
		Example: "print(fmt(\"{:>8} {:.1f} {:,}\", \"make\", (12070 * us).ms, 1234567))  #     make 12.1 1,234,567\nprint(fmt(\"{:.1ms} {:>6.1%}\", 12070 * us, 0.125))  # 12.1ms  12.5%",
		Impl: func(c *Call) (starlark.Value, error) {
			f := &formatter{args: c.Args, kwargs: c.Kwargs}
			s, err := f.format(c.Str("format"), 0)
			if err != nil {
				return nil, err
			}
			return starlark.String(s), nil
		},
	}}}
}

// maxFormat limits the width and precision of one field, so that a mistyped
// number does not fill the memory.
const maxFormat = 10_000

// A formatter replaces the fields of one format string.
type formatter struct {
	args   starlark.Tuple
	kwargs []starlark.Tuple
	next   int  // The argument that the next {} takes.
	manual bool // Some field has a number.
	auto   bool // Some field has none.
}

// format replaces the fields in s. Fields within a spec are one level deeper.
func (f *formatter) format(s string, depth int) (string, error) {
	if depth > 1 {
		return "", errors.New("fields are nested too deeply: a width or precision may be a field, but not more")
	}
	b := &strings.Builder{}
	for {
		i := strings.IndexAny(s, "{}")
		if i < 0 {
			b.WriteString(s)
			return b.String(), nil
		}
		b.WriteString(s[:i])
		if i+1 < len(s) && s[i+1] == s[i] {
			b.WriteByte(s[i])
			s = s[i+2:]
			continue
		}
		if s[i] == '}' {
			return "", errors.New("a single } in the format: write }} for a brace")
		}
		end := matchingBrace(s[i:])
		if end < 0 {
			return "", errors.New("a { in the format has no }: write {{ for a brace")
		}
		text, err := f.field(s[i+1:i+end], depth)
		if err != nil {
			return "", err
		}
		b.WriteString(text)
		s = s[i+end+1:]
	}
}

// matchingBrace finds the } that closes the { at the start of s; -1 if there
// is none.
func matchingBrace(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '{':
			depth++
		case '}':
			depth--
			if depth == 0 {
				return i
			}
		}
	}
	return -1
}

// field formats what stands between two braces.
func (f *formatter) field(field string, depth int) (string, error) {
	name, spec, _ := strings.Cut(field, ":")
	name, conv, hasConv := strings.Cut(name, "!")
	v, err := f.value(name)
	if err != nil {
		return "", err
	}
	if hasConv {
		switch conv {
		case "r":
			v = starlark.String(v.String())
		case "s":
			v = starlark.String(textOf(v))
		default:
			return "", fmt.Errorf("the conversion !%s in {%s} must be !r or !s", conv, field)
		}
	}
	if strings.Contains(spec, "{") {
		if spec, err = f.format(spec, depth+1); err != nil {
			return "", err
		}
	}
	p, err := parseSpec(spec)
	if err == nil {
		var text string
		if text, err = p.value(v); err == nil {
			return text, nil
		}
	}
	return "", fmt.Errorf("in {%s}: %v", field, err)
}

// value finds the value of a field by its name: "", "0", "name", and then
// ".attr" and "[index]".
func (f *formatter) value(name string) (starlark.Value, error) {
	head, path := name, ""
	if i := strings.IndexAny(name, ".["); i >= 0 {
		head, path = name[:i], name[i:]
	}
	v, err := f.argument(strings.TrimSpace(head))
	for err == nil && path != "" {
		v, path, err = step(v, path)
	}
	return v, err
}

func (f *formatter) argument(name string) (starlark.Value, error) {
	n := f.next
	if name == "" {
		f.auto = true
		f.next++
	} else if d, err := strconv.Atoi(name); err == nil && d >= 0 {
		f.manual = true
		n = d
	} else {
		for _, kv := range f.kwargs {
			if string(kv[0].(starlark.String)) == name {
				return kv[1], nil
			}
		}
		var given []string
		for _, kv := range f.kwargs {
			given = append(given, string(kv[0].(starlark.String)))
		}
		return nil, fmt.Errorf("the field {%s} needs an argument %s = ...%s", name, name, didYouMean(name, given))
	}
	if f.auto && f.manual {
		return nil, errors.New("the format mixes {} and {0}: number all fields or none")
	}
	if n >= len(f.args) {
		return nil, fmt.Errorf("the format wants a value for field %d, but there are %d after the format", n, len(f.args))
	}
	return f.args[n], nil
}

// step follows one ".attr" or "[index]" of a field name.
func step(v starlark.Value, path string) (starlark.Value, string, error) {
	if path[0] == '[' {
		end := strings.IndexByte(path, ']')
		if end < 0 {
			return nil, "", fmt.Errorf("the field has a [ without ]: %s", path)
		}
		key := path[1:end]
		path = path[end+1:]
		if path != "" && path[0] != '.' && path[0] != '[' {
			return nil, "", fmt.Errorf("only . and [ may follow ] in a field, not %q", path)
		}
		w, err := index(v, key)
		return w, path, err
	}
	name, rest := path[1:], ""
	if i := strings.IndexAny(name, ".["); i >= 0 {
		name, rest = name[:i], name[i:]
	}
	w, err := attribute(v, name)
	return w, rest, err
}

func index(v starlark.Value, key string) (starlark.Value, error) {
	if m, ok := v.(starlark.Mapping); ok {
		w, found, err := m.Get(starlark.String(key))
		if err == nil && !found {
			err = fmt.Errorf("there is no key %q", key)
		}
		return w, err
	}
	seq, ok := v.(starlark.Indexable)
	n, err := strconv.Atoi(key)
	if !ok || err != nil {
		return nil, fmt.Errorf("cannot take [%s] of %s", key, v.Type())
	}
	if n < 0 || n >= seq.Len() {
		return nil, fmt.Errorf("index %d is out of range: there are %d elements", n, seq.Len())
	}
	return seq.Index(n), nil
}

// attribute reads v.name, and suggests the near one if there is none.
func attribute(v starlark.Value, name string) (starlark.Value, error) {
	has, ok := v.(starlark.HasAttrs)
	if !ok {
		return nil, fmt.Errorf("%s has no .%s", v.Type(), name)
	}
	w, err := has.Attr(name)
	if err == nil && w == nil || isNoSuchAttr(err) {
		return nil, fmt.Errorf("%s has no .%s%s", v.Type(), name, didYouMean(name, has.AttrNames()))
	}
	return w, err
}

func isNoSuchAttr(err error) bool {
	var none starlark.NoSuchAttrError
	return errors.As(err, &none)
}
