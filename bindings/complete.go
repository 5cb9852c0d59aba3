package bindings

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// A Candidate is one way to go on with what the user has typed.
type Candidate struct {
	Text string // What takes the place of the word before the cursor.
	Doc  string // One line about it; may be empty.
}

// Complete lists how the word at the end of text can go on, sorted: names,
// attributes after a dot, keywords inside of a call, file names in
// load("@stdlib//. The word begins at byte from. Complete reads names and
// attributes and calls nothing, so it changes nothing.
func (s *Session) Complete(text string) (from int, out []Candidate) {
	if lib, ok := openStdlib(text); ok {
		for _, f := range s.stdFiles() {
			if strings.HasPrefix(f, lib) {
				out = append(out, Candidate{Text: f})
			}
		}
		return len(text) - len(lib), out
	}
	if inString(text) {
		return len(text), nil
	}
	start := wordStart(text)
	word := text[start:]
	if dot := strings.LastIndexByte(word, '.'); dot >= 0 {
		from, prefix := start+dot+1, word[dot+1:]
		return from, s.attributes(word[:dot], prefix)
	}
	out = s.keywords(text[:start], word)
	seen := map[string]bool{}
	for _, c := range out {
		seen[c.Text] = true
	}
	env := s.names()
	for _, name := range append(env.Keys(), starlark.Universe.Keys()...) {
		if strings.HasPrefix(name, word) && !seen[name] {
			seen[name] = true
			out = append(out, Candidate{Text: name, Doc: s.summary(name, env[name])})
		}
	}
	slices.SortStableFunc(out, func(a, b Candidate) int {
		ka, kb := strings.HasSuffix(a.Text, "="), strings.HasSuffix(b.Text, "=")
		if ka != kb {
			if ka {
				return -1
			}
			return 1
		}
		if ka {
			return 0 // Keywords stay in the order of the call.
		}
		return strings.Compare(a.Text, b.Text)
	})
	return start, out
}

// names is what a cell sees.
func (s *Session) names() starlark.StringDict {
	if s.globals != nil {
		return s.globals
	}
	return s.env
}

// value reads a dotted name; nil if it has no value. Properties are read, and
// nothing is called.
func (s *Session) value(dotted string) starlark.Value {
	var v starlark.Value
	for i, name := range strings.Split(dotted, ".") {
		if i == 0 {
			if v = s.names()[name]; v == nil {
				v = starlark.Universe[name]
			}
			if v == nil {
				return nil
			}
			continue
		}
		w, err := attribute(v, name)
		if err != nil {
			return nil
		}
		v = w
	}
	return v
}

// attributes lists what may follow the dot after a name.
func (s *Session) attributes(dotted, prefix string) []Candidate {
	v, ok := s.value(dotted).(starlark.HasAttrs)
	if !ok {
		return nil
	}
	var out []Candidate
	for _, name := range v.AttrNames() {
		if !strings.HasPrefix(name, prefix) {
			continue
		}
		c := Candidate{Text: name}
		owner := v.Type()
		if m, ok := v.(*starlarkstruct.Module); ok {
			owner = m.Name
		}
		if b := s.reg.names[owner+"."+name]; b != nil {
			c.Doc = sentence(b.Doc)
		}
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b Candidate) int { return strings.Compare(a.Text, b.Text) })
	return out
}

// keywords lists the keyword names of the call that the text is inside of.
func (s *Session) keywords(text, prefix string) []Candidate {
	open := openCall(text)
	if open < 0 {
		return nil
	}
	callee := text[wordStart(text[:open]):open]
	var out []Candidate
	switch fn := s.value(callee).(type) {
	case *starlark.Builtin:
		b := s.reg.describes(fn)
		if b == nil {
			return nil
		}
		for _, p := range b.Params {
			if p.Name[0] != '*' && strings.HasPrefix(p.Name, prefix) {
				out = append(out, Candidate{Text: p.Name + "=", Doc: p.Type + ": " + p.Doc})
			}
		}
	case *starlark.Function:
		for i := range fn.NumParams() {
			if name, _ := fn.Param(i); strings.HasPrefix(name, prefix) {
				out = append(out, Candidate{Text: name + "="})
			}
		}
	}
	return out
}

// summary is one line about a name.
func (s *Session) summary(name string, v starlark.Value) string {
	switch v := v.(type) {
	case *starlark.Function:
		doc, _, _ := strings.Cut(strings.TrimSpace(v.Doc()), "\n")
		return doc
	case *starlarkstruct.Module:
		if t := s.reg.topics[v.Name]; t != nil {
			return sentence(t.Doc)
		}
	case *starlark.Builtin:
		if b := s.reg.describes(v); b != nil {
			return sentence(b.Doc)
		}
	case nil:
		return "part of the language Starlark"
	default:
		return fmt.Sprintf("a value of type %s", v.Type())
	}
	return ""
}

// wordStart is where the dotted name at the end of text begins.
func wordStart(text string) int {
	i := len(text)
	for i > 0 && (isWordByte(text[i-1]) || text[i-1] == '.') {
		i--
	}
	return i
}

func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// openCall finds the last ( in text that is not closed, if it follows a name;
// else -1.
func openCall(text string) int {
	depth := 0
	code := blankText(text)
	for i := len(code) - 1; i >= 0; i-- {
		switch code[i] {
		case ')', ']', '}':
			depth++
		case '(', '[', '{':
			if depth > 0 {
				depth--
				continue
			}
			if code[i] == '(' && i > 0 && isWordByte(code[i-1]) {
				return i
			}
			return -1
		}
	}
	return -1
}

// blankText blanks the strings and comments of several lines, and keeps the
// length.
func blankText(text string) string {
	b := &strings.Builder{}
	for line := range strings.Lines(text) {
		code := blankStrings(line)
		b.WriteString(code)
		b.WriteString(strings.Repeat(" ", len(line)-len(code)))
	}
	return b.String()
}

// inString reports whether the last line of text ends inside of a string.
func inString(text string) bool {
	line := text[strings.LastIndexByte(text, '\n')+1:]
	code := blankStrings(line)
	quotes := strings.Count(code, `"`) + strings.Count(code, "'")
	return quotes%2 == 1
}

// openStdlib finds an unfinished "@stdlib//... at the end of text.
func openStdlib(text string) (string, bool) {
	i := strings.LastIndex(text, stdPrefix)
	if i <= 0 || text[i-1] != '"' && text[i-1] != '\'' {
		return "", false
	}
	rest := text[i+len(stdPrefix):]
	return rest, !strings.ContainsAny(rest, "\"'\n")
}
