package bindings

import (
	"fmt"
	"strings"
	"time"

	"go.starlark.net/starlark"
)

// A Call is one call of a built-in, with its arguments unpacked by the table.
type Call struct {
	Thread  *starlark.Thread // Runs callbacks; nil for an attribute.
	Session *Session         // nil for an attribute.
	Recv    starlark.Value   // The receiver of a method or attribute, else nil.
	Args    starlark.Tuple   // What "*args" took.
	Kwargs  []starlark.Tuple // What "**kwargs" took, as pairs.

	b    *Builtin
	raw  []starlark.Value // nil where an optional parameter was left out
	vals []any
}

// sessionKey is the thread-local under which a thread knows its session.
const sessionKey = "session"

// sessionOf is the session that started the thread; nil outside of one.
func sessionOf(thread *starlark.Thread) *Session {
	if thread == nil {
		return nil
	}
	s, _ := thread.Local(sessionKey).(*Session)
	return s
}

// call is what the interpreter runs. A panic goes on to the session, and takes
// the place in the script with it.
func (b *Builtin) call(thread *starlark.Thread, fn *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(*panicked); !ok {
				r = &panicked{value: r, stack: thread.CallStack()}
			}
			panic(r)
		}
	}()
	c := &Call{Thread: thread, Session: sessionOf(thread), Recv: fn.Receiver(), b: b}
	if err := c.unpack(args, kwargs); err != nil {
		return nil, fmt.Errorf("%s: %w", b.short, err)
	}
	v, err := b.Impl(c)
	if err != nil {
		return nil, c.wrap(err)
	}
	if v == nil {
		return starlark.None, nil
	}
	return v, nil
}

// wrap puts the name of the built-in before its error. An error out of a
// callback has a traceback of its own, which says where it comes from.
func (c *Call) wrap(err error) error {
	if _, ok := err.(*starlark.EvalError); ok {
		return err
	}
	return fmt.Errorf("%s: %w", c.b.short, err)
}

// unpack puts positional and keyword arguments in their places, fills in the
// defaults, and converts every value by its type.
func (c *Call) unpack(args starlark.Tuple, kwargs []starlark.Tuple) error {
	b := c.b
	c.raw = make([]starlark.Value, len(b.Params))
	c.vals = make([]any, len(b.Params))
	rest, err := c.positional(args)
	if err != nil {
		return err
	}
	c.Args = rest
	if err := c.keywords(kwargs); err != nil {
		return err
	}
	var missing []string
	for i := range b.Params {
		p := &b.Params[i]
		if strings.HasPrefix(p.Name, "*") {
			continue
		}
		if c.raw[i] == nil {
			if b.defs[i] == nil && !p.Optional {
				missing = append(missing, p.Name)
				continue
			}
			c.raw[i] = b.defs[i]
		}
		if c.raw[i] == nil || c.raw[i] == starlark.None && p.Default == "None" {
			continue
		}
		v, err := b.types[i].convert(c, c.raw[i])
		if err != nil {
			return fmt.Errorf("%s %w", p.Name, err)
		}
		if s, ok := v.(string); ok && len(p.Choices) > 0 && !contains(p.Choices, s) {
			return fmt.Errorf("%s must be one of %s, not %q%s", p.Name, quoteList(p.Choices), s, didYouMean(s, p.Choices))
		}
		if min := b.mins[i]; min != nil && below64(v, min) {
			return fmt.Errorf("%s must be at least %v, not %v", p.Name, min, c.raw[i])
		}
		c.vals[i] = v
	}
	if len(missing) > 0 {
		return fmt.Errorf("missing argument %s; the call is %s", strings.Join(missing, ", "), b.Signature())
	}
	return nil
}

// below64 reports whether a converted number is less than a limit. A list is
// if one of its elements is. What is no number is not.
func below64(v any, min starlark.Value) bool {
	limit, isFloat := starlark.AsFloat(min)
	if n, ok := countOf(min); ok {
		limit, isFloat = float64(n), false
	}
	switch v := v.(type) {
	case int:
		return isFloat && float64(v) < limit
	case float64:
		return isFloat && v < limit
	case time.Duration:
		return float64(v) < limit
	case int64:
		return float64(v) < limit
	case []any:
		for _, e := range v {
			if below64(e, min) {
				return true
			}
		}
	}
	return false
}

// positional places args and returns those that "*args" takes.
func (c *Call) positional(args starlark.Tuple) (starlark.Tuple, error) {
	n := 0
	for i := range c.b.Params {
		p := &c.b.Params[i]
		if p.Name[0] == '*' && !strings.HasPrefix(p.Name, "**") {
			return args[n:], nil
		}
		if p.KwOnly || p.Name[0] == '*' || n == len(args) {
			break
		}
		c.raw[i] = args[n]
		n++
	}
	if n < len(args) {
		return nil, fmt.Errorf("got %s, want at most %d; the call is %s", plural(len(args), "positional argument"), n, c.b.Signature())
	}
	return nil, nil
}

// keywords places kwargs by name and collects those that "**kwargs" takes.
func (c *Call) keywords(kwargs []starlark.Tuple) error {
	b := c.b
next:
	for _, kv := range kwargs {
		name := string(kv[0].(starlark.String))
		for i := range b.Params {
			p := &b.Params[i]
			if p.Name == name {
				if c.raw[i] != nil {
					return fmt.Errorf("got two values for %s", name)
				}
				c.raw[i] = kv[1]
				continue next
			}
			if strings.HasPrefix(p.Name, "**") {
				c.Kwargs = append(c.Kwargs, kv)
				continue next
			}
		}
		var allowed []string
		for _, p := range b.Params {
			if p.Name[0] != '*' {
				allowed = append(allowed, p.Name)
			}
		}
		if len(allowed) == 0 {
			return fmt.Errorf("unknown keyword %s: it takes none", name)
		}
		return fmt.Errorf("unknown keyword %s%s; it takes %s", name, didYouMean(name, allowed), strings.Join(allowed, ", "))
	}
	return nil
}

// index finds a parameter. A name that is not in the table is a bug of ours.
func (c *Call) index(name string) int {
	for i := range c.b.Params {
		if c.b.Params[i].Name == name {
			return i
		}
	}
	panic("sched: built-in " + c.b.FullName() + " has no parameter " + name)
}

// Has reports whether a parameter was given, or has a default, and is not None.
func (c *Call) Has(name string) bool {
	v := c.raw[c.index(name)]
	return v != nil && v != starlark.None
}

// Value is the argument as the script gave it; nil if it was left out.
func (c *Call) Value(name string) starlark.Value { return c.raw[c.index(name)] }

// Arg is the converted argument of a parameter, and the zero T where it was
// left out or is None, or of another alternative of its type.
func Arg[T any](c *Call, name string) T {
	v, _ := c.vals[c.index(name)].(T)
	return v
}

// ArgList is the converted argument of a "list of ..." parameter.
func ArgList[T any](c *Call, name string) []T {
	list, _ := c.vals[c.index(name)].([]any)
	var out []T
	for _, e := range list {
		v, _ := e.(T)
		out = append(out, v)
	}
	return out
}

// Int is the argument of an int parameter.
func (c *Call) Int(name string) int { return Arg[int](c, name) }

// Float is the argument of a float parameter.
func (c *Call) Float(name string) float64 { return Arg[float64](c, name) }

// Bool is the argument of a bool parameter.
func (c *Call) Bool(name string) bool { return Arg[bool](c, name) }

// Str is the argument of a string parameter.
func (c *Call) Str(name string) string { return Arg[string](c, name) }

// Duration is the argument of a duration parameter.
func (c *Call) Duration(name string) time.Duration { return Arg[time.Duration](c, name) }

// Size is the argument of a size parameter, in bytes.
func (c *Call) Size(name string) int64 { return Arg[int64](c, name) }

// Callable is the argument of a callable parameter.
func (c *Call) Callable(name string) starlark.Callable { return Arg[starlark.Callable](c, name) }
