package bindings

import (
	"fmt"
	"io/fs"
	"strings"

	"go.starlark.net/syntax"
)

// A libFile is a script of the standard library as the reference shows it.
type libFile struct {
	name  string // "desktop.star"
	doc   string // The docstring of the file.
	funcs []libFunc
}

// A libFunc is a function that a script can load.
type libFunc struct {
	name, doc string
	params    []libParam
}

// A libParam is a parameter of it: its name with its stars, and its default as
// it is written; empty for none.
type libParam struct{ name, def string }

// libFiles reads the functions of all scripts at the top of lib, in the order
// in which they are written. Those whose names begin with an underscore, and
// tests, are left out. A nil lib has none.
func libFiles(lib fs.FS) ([]libFile, error) {
	if lib == nil {
		return nil, nil
	}
	names, err := fs.Glob(lib, "*.star")
	if err != nil {
		return nil, err
	}
	var out []libFile
	for _, name := range names {
		if strings.HasSuffix(name, "_test.star") {
			continue
		}
		text, err := fs.ReadFile(lib, name)
		if err != nil {
			return nil, err
		}
		f, err := fileOptions().Parse(stdPrefix+name, text, 0)
		if err != nil {
			return nil, err
		}
		lf := libFile{name: name, doc: docOf(f.Stmts)}
		lines := strings.Split(string(text), "\n")
		for _, st := range f.Stmts {
			if def, ok := st.(*syntax.DefStmt); ok && !strings.HasPrefix(def.Name.Name, "_") {
				lf.funcs = append(lf.funcs, libFunc{def.Name.Name, docOf(def.Body), libParams(def, lines)})
			}
		}
		out = append(out, lf)
	}
	return out, nil
}

// docOf is the docstring that a body begins with, without the indent of its
// lines; empty if there is none.
func docOf(body []syntax.Stmt) string {
	if len(body) == 0 {
		return ""
	}
	if st, ok := body[0].(*syntax.ExprStmt); ok {
		if lit, ok := st.X.(*syntax.Literal); ok && lit.Token == syntax.STRING {
			return dedent(lit.Value.(string))
		}
	}
	return ""
}

// dedent takes from all lines but the first the indent that they share.
func dedent(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	least := -1
	for _, l := range lines[1:] {
		if n := indentOf(l); strings.TrimSpace(l) != "" && (least < 0 || n < least) {
			least = n
		}
	}
	for i, l := range lines {
		if i > 0 && len(l) >= least && least > 0 {
			l = l[least:]
		}
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(lines, "\n")
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// libParams are the parameters of a function, with the text of their defaults
// out of the lines of its file.
func libParams(def *syntax.DefStmt, lines []string) []libParam {
	var out []libParam
	for _, p := range def.Params {
		switch p := p.(type) {
		case *syntax.Ident:
			out = append(out, libParam{name: p.Name})
		case *syntax.BinaryExpr: // name = default
			from, to := p.Y.Span()
			out = append(out, libParam{p.X.(*syntax.Ident).Name, textBetween(lines, from, to)})
		case *syntax.UnaryExpr: // *, *args, **kwargs
			name := p.Op.String()
			if id, ok := p.X.(*syntax.Ident); ok {
				name += id.Name
			}
			out = append(out, libParam{name: name})
		}
	}
	return out
}

// textBetween is a stretch of a file, with the ends of lines as blanks. The
// columns of positions count characters.
func textBetween(lines []string, from, to syntax.Position) string {
	var out []string
	for n := from.Line; n <= to.Line; n++ {
		line := []rune(lines[n-1])
		lo, hi := 0, len(line)
		if n == from.Line {
			lo = int(from.Col) - 1
		}
		if n == to.Line {
			hi = int(to.Col) - 1
		}
		out = append(out, strings.TrimSpace(string(line[lo:hi])))
	}
	return strings.Join(out, " ")
}

// signature is the call as the reference shows it.
func (f *libFunc) signature() string {
	var out []string
	for _, p := range f.params {
		s := p.name
		if p.def != "" {
			s += "=" + p.def
		}
		out = append(out, s)
	}
	return f.name + "(" + strings.Join(out, ", ") + ")"
}

// docMarkdown sets a docstring as Markdown. A line that ends in a colon begins
// a section, whose indented lines "name: meaning" become a list; a line that
// begins with a few words and a colon, "Imitates: ...", begins a paragraph.
func docMarkdown(doc string) string {
	w := &strings.Builder{}
	item := -1 // Indent of the items of the section, or -1.
	open := false
	for line := range strings.Lines(doc) {
		text, indent := strings.TrimSpace(line), indentOf(line)
		head, rest, colon := strings.Cut(text, ": ")
		switch {
		case text == "":
			w.WriteString("\n")
			item, open = -1, false
		case indent == 0 && isHead(strings.TrimSuffix(text, ":")) && strings.HasSuffix(text, ":"):
			if open {
				w.WriteString("\n")
			}
			fmt.Fprintf(w, "**%s**\n\n", text)
			item, open = 0, false
		case indent == 0 && colon && isHead(head):
			if open {
				w.WriteString("\n")
			}
			fmt.Fprintf(w, "**%s:** %s\n", head, rest)
			open = true
		case item >= 0 && colon && (item == 0 || indent == item) && isItem(head):
			fmt.Fprintf(w, "* `%s`: %s\n", head, rest)
			item, open = indent, true
		case item > 0:
			fmt.Fprintf(w, "  %s\n", text)
		default:
			w.WriteString(text + "\n")
			open = true
		}
	}
	return strings.TrimSpace(w.String())
}

// isHead tells whether a text can head a section: at most three words, of which
// the first has a capital.
func isHead(s string) bool {
	words := strings.Fields(s)
	return len(words) > 0 && len(words) <= 3 && s[0] >= 'A' && s[0] <= 'Z' && !strings.ContainsAny(s, ".,`")
}

// isItem tells whether a text is a name, or a string in quotes.
func isItem(s string) bool {
	return isIdent(strings.TrimLeft(s, "*")) || len(s) > 2 && s[0] == '"' && s[len(s)-1] == '"'
}
