package bindings

import (
	"maps"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Cell runs a piece of a session that goes on: an input of the interactive
// prompt or a cell of a notebook. What it defines stays for the cells after
// it. If its last statement is an expression, Cell returns the value, else
// nil. The error is nil or an *Error; the session stays usable after one.
//
// A function sees the globals as they were when its cell ended: a cell that
// gives a name a new value does not change what earlier functions see.
func (s *Session) Cell(name, src string) (starlark.Value, error) {
	s.clearInterrupt()
	s.beginCells()
	s.sources.setText(name, src)
	s.sources.cells[name] = true
	var value starlark.Value
	err := s.run(s.sources.mainPlace(name), func(thread *starlark.Thread) error {
		file, err := cellOptions().Parse(name, src, 0)
		if err != nil {
			return err
		}
		s.sources.setFile(name, file)
		s.noteRebound(file)
		value, err = s.runCell(thread, file)
		return err
	})
	if err != nil {
		return nil, err
	}
	return value, nil
}

// cellOptions is the dialect of cells: what one loads, those that follow use.
func cellOptions() *syntax.FileOptions {
	o := fileOptions()
	o.LoadBindsGlobally = true
	return o
}

// beginCells makes the globals that cells share.
func (s *Session) beginCells() {
	if s.globals == nil {
		s.globals = maps.Clone(s.env)
		s.sources.cells = map[string]bool{}
		s.sources.rebound = map[string]syntax.Position{}
	}
}

// runCell runs the statements of a cell, and evaluates the last one if it is
// an expression.
func (s *Session) runCell(thread *starlark.Thread, file *syntax.File) (starlark.Value, error) {
	var last syntax.Expr
	stmts := file.Stmts
	if n := len(stmts); n > 0 {
		if st, ok := stmts[n-1].(*syntax.ExprStmt); ok {
			last = st.X
			file.Stmts = stmts[:n-1]
		}
	}
	if len(file.Stmts) > 0 {
		if err := starlark.ExecREPLChunk(file, thread, s.globals); err != nil {
			return nil, err
		}
	}
	file.Stmts = stmts // Hints look at the whole cell.
	if last == nil {
		return nil, nil
	}
	return starlark.EvalExprOptions(cellOptions(), thread, last, s.globals)
}

// Globals are the names that cells have defined, with the predeclared ones;
// nil before the first cell. The caller does not change them.
func (s *Session) Globals() starlark.StringDict { return s.globals }

// Reset forgets what cells have defined, and the parameters and checks.
func (s *Session) Reset() {
	s.globals = nil
	s.params = params{}
	s.checks = checks{}
	s.sources.modules = nil
}

// noteRebound remembers which built-in names a cell binds to something else.
func (s *Session) noteRebound(file *syntax.File) {
	note := func(id *syntax.Ident) {
		if _, ok := s.env[id.Name]; ok {
			s.sources.rebound[id.Name] = id.NamePos
		}
	}
	var bind func(e syntax.Expr)
	bind = func(e syntax.Expr) {
		switch e := e.(type) {
		case *syntax.Ident:
			note(e)
		case *syntax.ParenExpr:
			bind(e.X)
		case *syntax.TupleExpr:
			for _, x := range e.List {
				bind(x)
			}
		case *syntax.ListExpr:
			for _, x := range e.List {
				bind(x)
			}
		}
	}
	for _, st := range file.Stmts {
		syntax.Walk(st, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.AssignStmt:
				bind(n.LHS)
			case *syntax.ForStmt:
				bind(n.Vars)
			case *syntax.LoadStmt:
				for _, id := range n.To {
					note(id)
				}
			case *syntax.DefStmt:
				note(n.Name)
				return false
			}
			return true
		})
	}
}
