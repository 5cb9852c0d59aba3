package bindings

import (
	"fmt"
	"math"
	"strings"
	"time"

	"go.starlark.net/starlark"
)

// A Kind is a type of arguments, by the name that Param.Type uses.
type Kind struct {
	Name   string // "duration"
	Phrase string // "a duration": completes "must be ..."

	// Convert makes the Go value that Call hands to an Impl. Its error
	// completes "name: param ...", as in "must carry a unit". An error of
	// type wrongType says only that the value is of another type; the caller
	// then words it, and tries the other types of an alternative.
	Convert func(c *Call, v starlark.Value) (any, error)
}

// wrongType is the error of a Kind for a value that it has nothing to say to.
type wrongType struct{}

func (wrongType) Error() string { return "is of another type" }

// ErrType is what Kind.Convert returns for a value of another type.
var ErrType error = wrongType{}

// kindOf makes a kind whose Go value is a Starlark value of one Go type.
func kindOf[T starlark.Value](name, phrase string) Kind {
	return Kind{Name: name, Phrase: phrase, Convert: func(_ *Call, v starlark.Value) (any, error) {
		if t, ok := v.(T); ok {
			return t, nil
		}
		return nil, ErrType
	}}
}

func kindTable() Table {
	return Table{Kinds: []Kind{
		{Name: "any", Phrase: "any value", Convert: func(_ *Call, v starlark.Value) (any, error) { return v, nil }},
		{Name: "None", Phrase: "None", Convert: func(_ *Call, v starlark.Value) (any, error) {
			if v != starlark.None {
				return nil, ErrType
			}
			return nil, nil
		}},
		{Name: "bool", Phrase: "True or False", Convert: func(_ *Call, v starlark.Value) (any, error) {
			if b, ok := v.(starlark.Bool); ok {
				return bool(b), nil
			}
			return nil, ErrType
		}},
		{Name: "string", Phrase: "a string", Convert: func(_ *Call, v starlark.Value) (any, error) {
			if s, ok := v.(starlark.String); ok {
				return string(s), nil
			}
			return nil, ErrType
		}},
		{Name: "int", Phrase: "an int", Convert: toInt},
		{Name: "float", Phrase: "a number", Convert: toFloat},
		{Name: "duration", Phrase: `a duration, as 5 * ms or "5ms"`, Convert: func(_ *Call, v starlark.Value) (any, error) {
			d, err := toDuration(v)
			return time.Duration(d), err
		}},
		{Name: "size", Phrase: `a size, as 64 * KiB or "64KiB"`, Convert: func(_ *Call, v starlark.Value) (any, error) {
			s, err := toSize(v)
			return int64(s), err
		}},
		kindOf[starlark.Callable]("callable", "a function"),
		kindOf[*starlark.Dict]("dict", "a dict"),
		kindOf[starlark.Iterable]("iterable", "a list or another sequence"),
	}}
}

// toInt accepts an int of 64 bits.
func toInt(_ *Call, v starlark.Value) (any, error) {
	i, ok := v.(starlark.Int)
	if !ok {
		if f, ok := v.(starlark.Float); ok && float64(f) == math.Trunc(float64(f)) {
			return nil, fmt.Errorf("must be an int: write int(%v) or use // to divide", v)
		}
		return nil, ErrType
	}
	n, ok := i.Int64()
	if !ok {
		return nil, fmt.Errorf("is out of range: %v does not fit in 64 bits", i)
	}
	return int(n), nil
}

// toFloat accepts an int or a finite float.
func toFloat(_ *Call, v starlark.Value) (any, error) {
	f, ok := starlark.AsFloat(v)
	if !ok {
		if d, ok := v.(Duration); ok {
			return nil, fmt.Errorf("must be a bare number: write the duration %v as .ns, .us, .ms or .sec", d)
		}
		return nil, ErrType
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, fmt.Errorf("must be finite, not %v", v)
	}
	return f, nil
}

// A typeExpr is the type of a parameter: one kind, a list of one kind, or
// alternatives. It is written "duration", "list of int", "int | list of int |
// None".
type typeExpr struct {
	alts []altType
}

type altType struct {
	kind *Kind
	list bool
}

func (r *Registry) parseType(s string) (*typeExpr, error) {
	te := &typeExpr{}
	for part := range strings.SplitSeq(s, "|") {
		name, list := strings.CutPrefix(strings.TrimSpace(part), "list of ")
		k := r.kinds[name]
		if k == nil {
			return nil, fmt.Errorf("there is no kind %q (see Kind)", name)
		}
		te.alts = append(te.alts, altType{k, list})
	}
	return te, nil
}

// convert makes the Go value of v by the first alternative that takes it. A
// list becomes []any with one Go value for each element.
func (te *typeExpr) convert(c *Call, v starlark.Value) (any, error) {
	var said error
	for _, a := range te.alts {
		x, err := a.convert(c, v)
		if err == nil {
			return x, nil
		}
		if err != ErrType && said == nil {
			said = err
		}
	}
	if said != nil {
		return nil, said
	}
	return nil, fmt.Errorf("must be %s, not %s", te.phrase(), describe(v))
}

func (a altType) convert(c *Call, v starlark.Value) (any, error) {
	if !a.list {
		return a.kind.Convert(c, v)
	}
	seq, ok := v.(starlark.Iterable)
	if !ok {
		return nil, ErrType
	}
	if _, ok := v.(*starlark.Dict); ok {
		return nil, ErrType
	}
	out := []any{}
	for e := range starlark.Elements(seq) {
		x, err := a.kind.Convert(c, e)
		if err == ErrType {
			return nil, fmt.Errorf("must be a list with %s in each place, not %s in place %d", a.kind.Phrase, describe(e), len(out))
		}
		if err != nil {
			return nil, fmt.Errorf("%w (in place %d of the list)", err, len(out))
		}
		out = append(out, x)
	}
	return out, nil
}

// phrase words the alternatives: "an int, a list of strings or None".
func (te *typeExpr) phrase() string {
	var out []string
	for _, a := range te.alts {
		p := a.kind.Phrase
		if a.list {
			p = "a list (each element " + p + ")"
			if a.kind.Name == "any" {
				p = "a list"
			}
		}
		out = append(out, p)
	}
	if n := len(out); n > 1 {
		return strings.Join(out[:n-1], ", ") + " or " + out[n-1]
	}
	return out[0]
}

// describe words a value for an error: its type, and itself when it is short.
func describe(v starlark.Value) string {
	switch v.(type) {
	case starlark.NoneType:
		return "None"
	case starlark.Int, starlark.Float, starlark.String, starlark.Bool, Duration, Size:
		if s := v.String(); len(s) <= 40 {
			return v.Type() + " " + s
		}
	}
	return v.Type()
}
