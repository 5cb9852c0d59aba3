package bindings

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Markdown is the whole reference as one page: the language and its units, the
// names of the registry by chapters, the functions of the standard library lib
// (nil has none), and an index. It runs the examples that do not say what they
// print, and shows their output.
func (r *Registry) Markdown(lib fs.FS) (string, error) {
	if err := r.checkChapters(); err != nil {
		return "", err
	}
	files, err := libFiles(lib)
	if err != nil {
		return "", err
	}
	p := &page{reg: r}
	p.put("# Script reference\n\n%s", referenceIntro)
	p.contents(files)
	for _, ch := range chapters() {
		p.put("\n## %s\n\n%s\n", ch.title, ch.intro)
		for _, n := range ch.names {
			p.entry(r.names[n])
		}
		for _, n := range ch.parts {
			p.topic(r.topics[n])
		}
	}
	p.library(files)
	p.index(files)
	return p.w.String(), p.err
}

// A page is the reference while it is written.
type page struct {
	reg *Registry
	w   strings.Builder
	err error // The first error of an example.
}

func (p *page) put(format string, args ...any) { fmt.Fprintf(&p.w, format, args...) }

// anchor is the fragment that a heading gets on GitHub and in most other
// renderers: in lower case, with blanks as hyphens, and without punctuation but
// hyphens and underscores.
func anchor(heading string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c == ' ':
			return '-'
		case c == '-' || c == '_' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c > 127:
			return c
		}
		return -1
	}, strings.ToLower(heading))
}

// link is a link to a heading of the page.
func link(text, heading string) string { return "[" + text + "](#" + anchor(heading) + ")" }

func (t *Topic) title() string {
	if t.Type {
		return "Type " + t.Name
	}
	return "Module " + t.Name
}

// contents lists the chapters and what is in them.
func (p *page) contents(files []libFile) {
	p.put("\n## Contents\n")
	for _, ch := range chapters() {
		var in []string
		for _, n := range ch.names {
			in = append(in, link(n, n))
		}
		for _, n := range ch.parts {
			t := p.reg.topics[n]
			in = append(in, link(strings.ToLower(t.title()[:1])+t.title()[1:], t.title()))
		}
		p.put("\n* **%s**: %s", link(ch.title, ch.title), strings.Join(in, ", "))
	}
	var in []string
	for _, f := range files {
		for _, fn := range f.funcs {
			in = append(in, link(fn.name, fn.name))
		}
	}
	if len(in) > 0 {
		p.put("\n* **%s**: %s", link("Standard library", "Standard library"), strings.Join(in, ", "))
	}
	p.put("\n* **%s**\n", link("Index", "Index"))
}

// topic writes a module or a type with its members: attributes as one table,
// the others in full.
func (p *page) topic(t *Topic) {
	p.put("\n### %s\n\n%s\n", t.title(), prose(t.Doc))
	if t.Setup != "" {
		p.put("\nThe examples go on from\n\n```python\n%s\n```\n", strings.TrimRight(t.Setup, "\n"))
	}
	var attrs, rest []*Builtin
	if b := p.reg.names[t.Name]; b != nil {
		rest = append(rest, b) // A type that is made by its name, as machine.
	}
	for _, b := range p.reg.entries(t) {
		if b.Attr {
			attrs = append(attrs, b)
		} else {
			rest = append(rest, b)
		}
	}
	p.attributes(t, attrs)
	for _, b := range rest {
		p.entry(b)
	}
}

// attributes writes the attributes of a type as a table, and their examples as
// one: those of one line together, of the longer ones the first, unless there
// are few.
func (p *page) attributes(t *Topic, attrs []*Builtin) {
	if len(attrs) == 0 {
		return
	}
	p.put("\n| attribute | type | meaning |\n|---|---|---|\n")
	var short []string
	var long []*Builtin
	for _, b := range attrs {
		p.put("| `%s.%s` | %s | %s |\n", t.Name, b.Name, p.typeText(b.Result), cell(b.Doc))
		if len(shownOutput(b.Example)) > 0 && !strings.Contains(b.Example, "\n") {
			short = append(short, b.Example)
		} else {
			long = append(long, b)
		}
	}
	if len(short) > 0 {
		p.put("\n```python\n%s\n```\n", strings.Join(short, "\n"))
	}
	if len(long) > 6 {
		long = long[:1]
	}
	for _, b := range long {
		p.example(b)
	}
}

// entry writes a function, method or constant in full.
func (p *page) entry(b *Builtin) {
	p.put("\n#### %s\n\n```text\n%s\n```\n\n%s\n", b.FullName(), b.brokenHeadline(), prose(b.Doc))
	if len(b.Params) > 0 {
		p.put("\n| parameter | type | default | meaning |\n|---|---|---|---|\n")
	}
	for i := range b.Params {
		p.param(&b.Params[i])
	}
	p.example(b)
}

func (p *page) param(q *Param) {
	kind := p.typeText(q.Type)
	if q.Unit != "" {
		kind += " in " + q.Unit
	}
	if len(q.Choices) > 0 {
		var all []string
		for _, c := range q.Choices {
			all = append(all, code(fmt.Sprintf("%q", c)))
		}
		kind += ": " + strings.Join(all, ", ")
	}
	if q.Min != "" {
		kind += ", at least " + code(q.Min)
	}
	def := ""
	switch {
	case q.Default != "":
		def = code(q.Default)
	case q.Optional:
		def = "optional"
	}
	p.put("| %s | %s | %s | %s |\n", code(q.Name), kind, def, cell(q.Doc))
}

// example writes the example of b, and what it prints if it does not say so.
func (p *page) example(b *Builtin) {
	if b.Example == "" {
		return
	}
	p.put("\n```python\n%s\n```\n", b.Example)
	if !isPrinting(b.Example) || p.err != nil {
		return
	}
	out, err := p.reg.exampleOutput(b)
	if err != nil {
		p.err = err
		return
	}
	const most = 15
	lines := strings.Split(strings.TrimRight(out, "\n"), "\n")
	if len(lines) > most {
		lines = append(lines[:most], "...")
	}
	p.put("\n```text\n")
	for _, l := range lines {
		p.put("%s\n", strings.TrimRight(l, " "))
	}
	p.put("```\n")
}

// library writes the functions of the standard library.
func (p *page) library(files []libFile) {
	if len(files) == 0 {
		return
	}
	p.put("\n## Standard library\n\nScripts that ship with the program. A script loads what it uses of them:\n" +
		"`load(\"@stdlib//desktop.star\", \"make_j\")`.\n")
	for _, f := range files {
		p.put("\n### @stdlib//%s\n\n%s\n", f.name, f.doc)
		for _, fn := range f.funcs {
			p.put("\n#### %s\n\n```text\n%s\n```\n\n%s\n", fn.name, fn.signature(), docMarkdown(fn.doc))
		}
	}
}

// index lists all names by the alphabet. Attributes lead to their type.
func (p *page) index(files []libFile) {
	links := map[string]string{}
	for n, b := range p.reg.names {
		if b.Attr {
			links[n] = link("`"+n+"`", p.reg.topics[b.Recv].title())
		} else {
			links[n] = link("`"+n+"`", n)
		}
	}
	for _, f := range files {
		for _, fn := range f.funcs {
			links[fn.name] = link("`"+fn.name+"`", fn.name)
		}
	}
	var names []string
	for n := range links {
		names = append(names, n)
	}
	slices.SortFunc(names, func(a, b string) int {
		if c := strings.Compare(strings.ToLower(a), strings.ToLower(b)); c != 0 {
			return c
		}
		return strings.Compare(a, b)
	})
	p.put("\n## Index\n")
	last := ""
	for _, n := range names {
		if head, _, _ := strings.Cut(n, "."); last != "" && head == last && strings.Contains(n, ".") {
			p.put(", ")
		} else {
			p.put("\n* ")
		}
		last, _, _ = strings.Cut(n, ".")
		p.put("%s", links[n])
	}
	p.put("\n")
}

// typeText is a type with links to what the page says about its parts.
func (p *page) typeText(s string) string {
	var out []string
	for part := range strings.SplitSeq(s, " | ") {
		name, list := strings.CutPrefix(part, "list of ")
		text := name
		if name == "costs" {
			name = "cost_table"
		}
		if t := p.reg.topics[name]; t != nil && t.Type {
			text = link(text, t.title())
		}
		if list {
			text = "list of " + text
		}
		out = append(out, text)
	}
	return strings.Join(out, ` \| `)
}

// brokenHeadline is the headline with a line for each parameter where one line
// would be too long.
func (b *Builtin) brokenHeadline() string {
	const most = 92
	s := b.headline()
	if len(s) <= most || len(b.Params) == 0 {
		return s
	}
	open := strings.Index(s, "(")
	end := strings.LastIndex(s, ")") // No type of a result has brackets.
	w := &strings.Builder{}
	w.WriteString(s[:open+1] + "\n")
	line := "   "
	for _, a := range b.arguments() {
		if len(line)+len(a)+2 > most {
			w.WriteString(line + "\n")
			line = "   "
		}
		line += " " + a + ","
	}
	w.WriteString(strings.TrimSuffix(line, ",") + "\n" + s[end:])
	return w.String()
}

// prose escapes what Markdown would take for markup in a description: angle
// brackets, and stars that touch a word. Text between backticks stays.
func prose(s string) string {
	w := &strings.Builder{}
	inCode := false
	for i, c := range s {
		switch {
		case c == '`':
			inCode = !inCode
		case inCode:
		case c == '<':
			w.WriteByte('\\')
		case c == '*' && !(i > 0 && s[i-1] == ' ' && i+1 < len(s) && s[i+1] == ' '):
			w.WriteByte('\\')
		case c == '_' && (i == 0 || s[i-1] == ' ') && i+1 < len(s) && s[i+1] != ' ':
			w.WriteByte('\\')
		case c == '[' && strings.Contains(s[i:], "]("):
			w.WriteByte('\\')
		}
		w.WriteRune(c)
	}
	return w.String()
}

// cell escapes text for a cell of a table.
func cell(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(prose(s), "\n", " "), "|", `\|`)
}

// code sets text as code in a cell of a table.
func code(s string) string {
	s = strings.ReplaceAll(s, "|", `\|`)
	if strings.Contains(s, "`") {
		return "`` " + s + " ``"
	}
	return "`" + s + "`"
}
