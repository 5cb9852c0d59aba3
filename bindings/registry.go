package bindings

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
	"go.starlark.net/syntax"
)

// A Builtin is one name that a script can use. The table of them is the only
// place where the name, its parameters and its meaning are written down.
//
// There are four sorts. A function has Impl and no Recv. A method has Impl and
// Recv, the Starlark type that it belongs to. An attribute is a method with
// Attr set: it takes no parameters, is read without parentheses, and its Call
// has no Thread and no Session. A constant, or a value made elsewhere, has
// Value or Const in the place of Impl.
type Builtin struct {
	Name    string         // "fmt", "work.run"; for methods and attributes the name after the dot.
	Recv    string         // Type of the receiver: "machine", "task", "samples"; empty for functions.
	Attr    bool           // The name is an attribute: m.now, not m.now().
	Params  []Param        // In the order of the call.
	Result  string         // Type of the result, in words: "duration", "list of task"; empty for None.
	Doc     string         // What it does, in whole sentences; the first one stands in lists.
	Example string         // Code that runs as it stands; see Topic.Setup for what comes before it.
	Value   starlark.Value // A value made elsewhere: a constant, or a function of another library.
	Const   string         // A Starlark expression for the value of a constant.

	Impl func(*Call) (starlark.Value, error)

	types []*typeExpr // One for each parameter, nil where there is no type to check.
	defs  []starlark.Value
	mins  []starlark.Value
	short string            // The name in error messages.
	fn    *starlark.Builtin // The callable, without receiver.
}

// A Param is one parameter of a Builtin.
type Param struct {
	Name     string   // "duration"; "*args" and "**kwargs" take what is left.
	Type     string   // A type expression, see typeExpr: "duration", "list of int", "int | string".
	Default  string   // A Starlark expression; empty for a parameter that must be given.
	Unit     string   // Unit of a bare number, where the type does not carry it: "MHz".
	Doc      string   // What it means.
	Optional bool     // The parameter may be left out and has no default: Call.Has tells.
	KwOnly   bool     // The parameter is given by name only.
	Choices  []string // The strings that are allowed, if there are few.
	Min      string   // The least value, as a Starlark expression: "0", "1 * ns"; empty for no limit.
}

// A Topic is a module or a type: the first part of a dotted name.
type Topic struct {
	Name  string // "work", "machine"
	Type  bool   // The topic is a type of values, not a module.
	Doc   string // What it is, in whole sentences; the first one stands in lists.
	Setup string // Code that runs before each of the topic's examples; may be empty.
}

// A Table is what one file adds to the registry.
type Table struct {
	Topics   []Topic
	Kinds    []Kind
	Builtins []Builtin
}

// A Registry is the whole of what scripts can use. It is built once, and not
// changed afterwards, so sessions share it.
type Registry struct {
	topics map[string]*Topic
	kinds  map[string]*Kind
	names  map[string]*Builtin            // by full name: "fmt", "work.run", "machine.run"
	types  map[string]map[string]*Builtin // members of a type, by name
	attrs  map[string][]string            // the same, sorted
	env    starlark.StringDict
}

var shared struct {
	once sync.Once
	reg  *Registry
}

// registry returns the one registry, which is built on first use. A table with
// a mistake in it is a bug of ours, and every test would meet it.
func registry() *Registry {
	shared.once.Do(func() {
		reg, err := newRegistry(catalog()...)
		if err != nil {
			panic("sched: registry: " + err.Error())
		}
		shared.reg = reg
	})
	return shared.reg
}

// FullName is the name by which help and the reference know the built-in:
// "work.run" for a function, "machine.run" for a method.
func (b *Builtin) FullName() string {
	if b.Recv != "" {
		return b.Recv + "." + b.Name
	}
	return b.Name
}

// newRegistry joins tables. It fails if a name is there twice, a topic is
// missing, or a type or default does not parse.
func newRegistry(tables ...Table) (*Registry, error) {
	r := &Registry{
		topics: map[string]*Topic{},
		kinds:  map[string]*Kind{},
		names:  map[string]*Builtin{},
		types:  map[string]map[string]*Builtin{},
		attrs:  map[string][]string{},
		env:    starlark.StringDict{},
	}
	var all []*Builtin
	for _, t := range tables {
		for _, topic := range t.Topics {
			if r.topics[topic.Name] != nil {
				return nil, fmt.Errorf("topic %s stands twice", topic.Name)
			}
			r.topics[topic.Name] = &topic
		}
		for _, k := range t.Kinds {
			if r.kinds[k.Name] != nil {
				return nil, fmt.Errorf("kind %s stands twice", k.Name)
			}
			r.kinds[k.Name] = &k
		}
		for _, b := range t.Builtins {
			if r.names[b.FullName()] != nil {
				return nil, fmt.Errorf("%s stands twice", b.FullName())
			}
			r.names[b.FullName()] = &b
			all = append(all, &b)
		}
	}
	for _, b := range all {
		if err := r.place(b); err != nil {
			return nil, fmt.Errorf("%s: %v", b.FullName(), err)
		}
	}
	for recv, members := range r.types {
		for name := range members {
			r.attrs[recv] = append(r.attrs[recv], name)
		}
		slices.Sort(r.attrs[recv])
	}
	for _, b := range all {
		if err := r.evalDefaults(b); err != nil {
			return nil, fmt.Errorf("%s: %v", b.FullName(), err)
		}
	}
	r.env.Freeze()
	return r, nil
}

// place makes the value of b and puts it where scripts find it.
func (r *Registry) place(b *Builtin) error {
	b.short = b.Name
	b.types = make([]*typeExpr, len(b.Params))
	for i, p := range b.Params {
		if p.Type == "" {
			return fmt.Errorf("parameter %s has no type", p.Name)
		}
		te, err := r.parseType(p.Type)
		if err != nil {
			return fmt.Errorf("parameter %s: %v", p.Name, err)
		}
		b.types[i] = te
	}
	value := b.Value
	switch {
	case b.Impl != nil:
		b.fn = starlark.NewBuiltin(b.Name, b.call)
		value = b.fn
	case b.Const != "":
		v, err := r.eval(b.Const)
		if err != nil {
			return err
		}
		value = v
	}
	if value == nil {
		return fmt.Errorf("has none of Impl, Value and Const")
	}
	if b.Recv != "" {
		if t := r.topics[b.Recv]; t == nil || !t.Type {
			return fmt.Errorf("there is no topic for type %s", b.Recv)
		}
		if r.types[b.Recv] == nil {
			r.types[b.Recv] = map[string]*Builtin{}
		}
		r.types[b.Recv][b.Name] = b
		return nil
	}
	module, name, dotted := strings.Cut(b.Name, ".")
	if !dotted {
		r.env[b.Name] = value
		return nil
	}
	if t := r.topics[module]; t == nil || t.Type {
		return fmt.Errorf("there is no topic for module %s", module)
	}
	m, ok := r.env[module].(*starlarkstruct.Module)
	if !ok {
		m = &starlarkstruct.Module{Name: module, Members: starlark.StringDict{}}
		r.env[module] = m
	}
	m.Members[name] = value
	return nil
}

// evalDefaults makes values of the defaults and limits of b, once and for all
// calls.
func (r *Registry) evalDefaults(b *Builtin) error {
	b.defs = make([]starlark.Value, len(b.Params))
	b.mins = make([]starlark.Value, len(b.Params))
	for i, p := range b.Params {
		for _, e := range []struct {
			what, expr string
			to         *starlark.Value
		}{{"default", p.Default, &b.defs[i]}, {"least value", p.Min, &b.mins[i]}} {
			if e.expr == "" {
				continue
			}
			v, err := r.eval(e.expr)
			if err != nil {
				return fmt.Errorf("%s of %s: %v", e.what, p.Name, err)
			}
			v.Freeze()
			*e.to = v
		}
	}
	return nil
}

// eval evaluates an expression of the table over what is defined so far.
func (r *Registry) eval(expr string) (starlark.Value, error) {
	thread := &starlark.Thread{Name: "registry"}
	return starlark.EvalOptions(&syntax.FileOptions{}, thread, "registry", expr, r.env)
}

// attr returns attribute or method name of recv, which is of a type that the
// registry knows. It returns nil, nil if there is none: the interpreter then
// says so and suggests the near one.
func (r *Registry) attr(recv starlark.Value, name string) (starlark.Value, error) {
	b := r.types[recv.Type()][name]
	if b == nil {
		return nil, nil
	}
	if b.Attr {
		return b.Impl(&Call{Recv: recv, b: b})
	}
	return b.fn.BindReceiver(recv), nil
}

// Names lists the names that a script can use without a dot, sorted.
func (r *Registry) Names() []string { return r.env.Keys() }

// Members lists what follows the dot after a module or a value of a type,
// sorted.
func (r *Registry) Members(topic string) []string {
	if m, ok := r.env[topic].(*starlarkstruct.Module); ok {
		return m.Members.Keys()
	}
	return r.attrs[topic]
}

// Keywords lists the keyword names of a function or method, in order.
func (r *Registry) Keywords(name string) []string {
	b := r.names[name]
	if b == nil {
		return nil
	}
	var out []string
	for _, p := range b.Params {
		if !strings.HasPrefix(p.Name, "*") {
			out = append(out, p.Name)
		}
	}
	return out
}
