package bindings

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// What an interactive prompt asks of a session, beside Cell, Complete and Help.

// Value is a value of a script, as Cell returns it and Options.Show takes it.
type Value = starlark.Value

// lastName holds the value of the last expression of a prompt.
const lastName = "_"

// SetLast binds _ to a value, for the cells to come. The value None leaves it
// as it is.
func (s *Session) SetLast(v Value) {
	if v == nil || v == starlark.None {
		return
	}
	s.beginCells()
	s.globals[lastName] = v
}

// SetSeed gives the session another seed: machines that are made from now on
// grow their random streams from it. It must not be 0.
func (s *Session) SetSeed(seed uint64) { s.opts.Seed = seed }

// OutDir is the directory that save-like calls write to; empty if they write
// nothing.
func (s *Session) OutDir() string { return s.opts.OutDir }

// SetOutDir makes save-like calls write to another directory from now on.
func (s *Session) SetOutDir(dir string) { s.opts.OutDir = dir }

// Events is how many events the machines of the session have handled, those of
// repeat included.
func (s *Session) Events() uint64 { return s.events.Load() }

// countEvents adds to Events.
func (s *Session) countEvents(n uint64) {
	if s != nil {
		s.root().events.Add(n)
	}
}

// ForgetModules makes load read files again that it has read before, so that a
// prompt sees what an editor has changed.
func (s *Session) ForgetModules() { s.sources.modules = nil }

// RunFile runs a script file as ExecFile does, beside the names that cells have
// defined: the script sees the built-in names only, and what it has defined at
// its end, or when it failed, is there for the cells that follow. Its
// parameters are set by given, as text, for this run only.
//
// The error is nil or an *Error. A check that failed is an error of category
// CheckFailed.
func (s *Session) RunFile(path string, given map[string]string) error {
	src, err := readScript(path)
	if err != nil {
		return &Error{Category: UsageError, Msg: err.Error()}
	}
	s.clearInterrupt()
	s.beginCells()
	s.ForgetModules()
	root, rootName, opts, passed := s.sources.root, s.sources.rootName, s.opts.Params, s.checks
	defer func() {
		s.sources.root, s.sources.rootName, s.opts.Params = root, rootName, opts
		s.checks.passed += passed.passed
		s.checks.failed += passed.failed
		s.checks.messages = append(passed.messages, s.checks.messages...)
	}()
	if err := s.sources.setRoot(filepath.Dir(path)); err != nil {
		return &Error{Category: UsageError, Msg: err.Error()}
	}
	s.opts.Params, s.params, s.checks = given, params{}, checks{}
	if s.opts.Params == nil {
		s.opts.Params = map[string]string{}
	}
	s.sources.setText(path, src)
	err = s.run(s.sources.mainPlace(path), func(thread *starlark.Thread) error {
		file, err := cellOptions().Parse(path, src, 0)
		if err != nil {
			return err
		}
		prog, err := starlark.FileProgram(file, s.env.Has)
		if err != nil {
			return err
		}
		s.sources.setFile(path, file)
		if err := s.params.scan(s, file, thread); err != nil {
			return err
		}
		s.noteRebound(file)
		globals, err := prog.Init(thread, s.env)
		maps.Copy(s.globals, globals)
		return err
	})
	if err == nil {
		err = s.params.finish(s)
	}
	if err == nil {
		err = s.checks.finish()
	}
	return err
}

// A Definition is a name that cells or scripts have defined.
type Definition struct {
	Name, Type string
	Text       string // The value in one line, which may be cut.
}

// Defined lists what the cells have defined, sorted by name. Built-in names are
// not there, unless a cell has bound them to something else.
func (s *Session) Defined() []Definition {
	var out []Definition
	for _, name := range slices.Sorted(maps.Keys(s.globals)) {
		if _, rebound := s.sources.rebound[name]; s.env.Has(name) && !rebound {
			continue
		}
		v := s.globals[name]
		d := Definition{Name: name, Type: v.Type()}
		switch v := v.(type) {
		case *starlark.Function:
			text := functionHelp(v)
			d.Text, _, _ = strings.Cut(text, "\n")
		case *tableValue:
			d.Text = fmt.Sprintf("%s, %s", plural(v.Len(), "row"), plural(len(v.names()), "column"))
		case *starlark.List, *starlark.Dict, *starlark.Set:
			d.Text = plural(starlark.Len(v), "element")
		default:
			d.Text, _, _ = strings.Cut(v.String(), "\n")
		}
		out = append(out, d)
	}
	return out
}

// Parses reports whether src is a piece of code that is whole and free of
// mistakes of syntax.
func Parses(src string) bool {
	_, err := fileOptions().Parse("", src, 0)
	return err == nil
}

// WithShow returns code whose last statement, an expression, is shown as a
// prompt would show it: a script that is made of the entries of a prompt then
// prints what the prompt did. The second result is false if the last statement
// is no expression. With last, the value is bound to _ too.
func WithShow(src string, last bool) (string, bool) {
	file, err := fileOptions().Parse("", src, 0)
	if err != nil || len(file.Stmts) == 0 {
		return src, false
	}
	st, ok := file.Stmts[len(file.Stmts)-1].(*syntax.ExprStmt)
	if !ok {
		return src, false
	}
	from, to := st.Span()
	start, end := offsetOf(src, from), offsetOf(src, to)
	for ; start <= end && end <= len(src); end++ {
		// The span of some expressions lacks the bracket at their end.
		out := src[:start] + "show(" + src[start:end] + ")" + src[end:]
		if last {
			out = src[:start] + lastName + " = " + src[start:end] + src[end:] + "\nshow(" + lastName + ")"
		}
		if Parses(out) {
			return out, true
		}
	}
	return src, false
}

// offsetOf is the byte in src at a position, whose columns count runes.
func offsetOf(src string, pos syntax.Position) int {
	off := 0
	for line := int32(1); line < pos.Line; line++ {
		i := strings.IndexByte(src[off:], '\n')
		if i < 0 {
			return len(src)
		}
		off += i + 1
	}
	col := int32(1)
	for i := range src[off:] {
		if col == pos.Col {
			return off + i
		}
		col++
	}
	return len(src)
}
