package bindings

import (
	"fmt"

	"go.starlark.net/starlark"
)

// Object is embedded in the Go side of a Starlark value that has attributes
// and methods in the registry:
//
//	type Mutex struct {
//		Object
//		id int
//	}
//
//	m := &Mutex{id: 1}
//	m.Init("mutex", m)
//
// It answers everything that the interpreter asks of a value. What fits a type
// better (String, Truth, Hash, comparison) the type defines itself.
type Object struct {
	typ  string
	self starlark.Value
}

// Init names the type and the value itself, which methods get as receiver.
func (o *Object) Init(typ string, self starlark.Value) { o.typ, o.self = typ, self }

// String shows the type; a type with more to tell defines its own.
func (o *Object) String() string { return "<" + o.typ + ">" }

// Type is the name by which the registry knows the type.
func (o *Object) Type() string { return o.typ }

// Freeze does nothing: a type that can change defines its own.
func (o *Object) Freeze() {}

// Truth is true: an object is there.
func (o *Object) Truth() starlark.Bool { return true }

// Hash fails: a type that has an identity beyond its address defines its own.
// An address differs from run to run and would show in no order, but may
// decide nothing either.
func (o *Object) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable type: %s", o.typ) }

// Attr reads an attribute or binds a method. A name that is unknown gives nil,
// and the interpreter suggests the near one out of AttrNames.
func (o *Object) Attr(name string) (starlark.Value, error) { return registry().attr(o.self, name) }

// AttrNames lists attributes and methods, sorted.
func (o *Object) AttrNames() []string { return registry().attrs[o.typ] }
