package bindings

import (
	"fmt"
	"regexp"
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// syntaxError makes an Error of a mistake that the parser found.
func (s *Session) syntaxError(pos syntax.Position, msg string) *Error {
	f := s.frame(pos, "")
	hint := findHabit(false, msg, f.Source)
	if strings.Contains(msg, "got newline") && f.Col <= 1 && f.Line > 1 {
		// The parser stands at the beginning of the next line already.
		f.Line--
		f.Source = s.sources.line(f.File, f.Line)
		f.Col = len([]rune(f.Source)) + 1
		hint = findHabit(false, msg, f.Source)
	}
	return &Error{Category: ScriptError, Msg: parserWords(msg), Hint: hint, Frames: []Frame{f}}
}

// maxMistakes is how many mistakes of one file are shown.
const maxMistakes = 10

// resolveErrors makes an Error of names that mean nothing and statements that
// stand where they must not. All of them are told at once.
func (s *Session) resolveErrors(list resolve.ErrorList) *Error {
	var first *Error
	seen := map[string]bool{}
	for _, r := range list {
		if seen[r.Msg] && strings.HasPrefix(r.Msg, "undefined: ") {
			continue // One place is enough.
		}
		seen[r.Msg] = true
		e := &Error{Category: ScriptError, Msg: r.Msg, Frames: []Frame{s.frame(r.Pos, "")}}
		if name, ok := strings.CutPrefix(r.Msg, "undefined: "); ok {
			name, _, suggested := strings.Cut(name, " ")
			if hint := absentNames[name]; hint != "" {
				e.Msg, e.Hint = "undefined: "+name, hint
			} else if !suggested {
				e.Msg += didYouMean(name, append(s.reg.Names(), starlark.Universe.Keys()...))
			}
		}
		switch {
		case first == nil:
			first = e
		case len(first.More) < maxMistakes-1:
			first.More = append(first.More, e)
		}
	}
	return first
}

// hint finds what to write instead of what failed.
func (s *Session) hint(e *Error) string {
	if len(e.Frames) == 0 {
		return ""
	}
	f := e.Frames[len(e.Frames)-1]
	if h := s.reboundHint(e, f); h != "" {
		return h
	}
	if h := s.attributeHint(e, f); h != "" {
		return h
	}
	return findHabit(true, e.Msg, f.Source)
}

// calledName matches what is called behind a dot.
var calledName = regexp.MustCompile(`\.([a-z_]+)\(`)

// attributeHint names an attribute on the failing line that was called as if it
// were a method.
func (s *Session) attributeHint(e *Error, f Frame) string {
	if !strings.HasPrefix(e.Msg, "invalid call of non-function") {
		return ""
	}
	for _, m := range calledName.FindAllStringSubmatch(f.Source, -1) {
		for _, of := range s.reg.types {
			// The order does not matter: the text is the same for all types.
			if b := of[m[1]]; b != nil && b.Attr {
				return fmt.Sprintf("%s is an attribute: read it without parentheses", m[1])
			}
		}
	}
	return ""
}

// typeTrouble matches the errors that a value of an unexpected type causes.
var typeTrouble = regexp.MustCompile(`carr(y|ies) a unit|duration|size|^unknown binary op|^unknown unary op|has no \.|invalid call of non-function|not implemented|must be`)

// reboundHint names a built-in on the failing line that the script has bound
// to something else.
func (s *Session) reboundHint(e *Error, f Frame) string {
	file := s.sources.files[f.File]
	if file == nil || !typeTrouble.MatchString(e.Msg) {
		return ""
	}
	for _, id := range identsAt(file, f.Line) {
		builtin := s.reg.env[id.Name]
		if builtin == nil {
			continue
		}
		pos, ok := s.boundAt(id)
		if !ok {
			continue
		}
		where := fmt.Sprintf("line %d", pos.Line)
		if pos.Filename() != f.File {
			where = fmt.Sprintf("%s:%d", pos.Filename(), pos.Line)
		}
		fix := fmt.Sprintf("use another name there, and %s is the built-in again", id.Name)
		switch builtin.(type) {
		case Duration:
			fix = fmt.Sprintf(`write "5%s"`, id.Name)
		case Size:
			fix = fmt.Sprintf(`write "64%s"`, id.Name)
		}
		return fmt.Sprintf("`%s` was rebound at %s; %s", id.Name, where, fix)
	}
	return ""
}

// boundAt tells where the script bound the name that id uses; false if it
// means the built-in.
func (s *Session) boundAt(id *syntax.Ident) (syntax.Position, bool) {
	b, ok := id.Binding.(*resolve.Binding)
	if !ok || b.Scope == resolve.Undefined {
		return syntax.Position{}, false
	}
	inner := b.Scope == resolve.Local || b.Scope == resolve.Cell || b.Scope == resolve.Free
	if !inner && s.sources.cells[id.NamePos.Filename()] {
		// Cells share their globals, and First means nothing there.
		pos, ok := s.sources.rebound[id.Name]
		return pos, ok
	}
	if b.Scope == resolve.Predeclared || b.Scope == resolve.Universal {
		return syntax.Position{}, false
	}
	if b.First == nil {
		return syntax.Position{}, false
	}
	return b.First.NamePos, true
}

// identsAt lists the names in the statement that holds a line. Of a statement
// with a body only the names on the line itself count.
func identsAt(file *syntax.File, line int) []*syntax.Ident {
	var stmt syntax.Stmt
	for _, s := range file.Stmts {
		syntax.Walk(s, func(n syntax.Node) bool {
			if n == nil {
				return false
			}
			start, end := n.Span()
			if int(start.Line) > line || int(end.Line) < line {
				return false
			}
			if st, ok := n.(syntax.Stmt); ok {
				stmt = st
			}
			return true
		})
	}
	if stmt == nil {
		return nil
	}
	whole := true
	switch stmt.(type) {
	case *syntax.IfStmt, *syntax.ForStmt, *syntax.WhileStmt, *syntax.DefStmt:
		whole = false
	}
	var out []*syntax.Ident
	syntax.Walk(stmt, func(n syntax.Node) bool {
		if id, ok := n.(*syntax.Ident); ok && (whole || int(id.NamePos.Line) == line) {
			out = append(out, id)
		}
		return true
	})
	return out
}
