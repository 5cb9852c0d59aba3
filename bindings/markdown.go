package bindings

import (
	"fmt"
	"strings"
)

// Markdown is the whole reference as one page, made from the registry alone.
func (r *Registry) Markdown() string {
	w := &strings.Builder{}
	w.WriteString("# Script reference\n\n")
	w.WriteString("Every name that a script can use. This page is printed by `schedrepl doc --markdown`.\n\n")
	for _, group := range []struct {
		title  string
		topics []*Topic
	}{
		{"Modules", r.sortedTopics(false)},
		{"Types", r.sortedTopics(true)},
	} {
		fmt.Fprintf(w, "- %s:", group.title)
		for _, t := range group.topics {
			fmt.Fprintf(w, " [%s](#%s)", t.Name, t.anchor())
		}
		w.WriteByte('\n')
	}
	w.WriteString("\n## Names\n")
	for _, b := range r.topLevel() {
		b.writeMarkdown(w)
	}
	for _, types := range []bool{false, true} {
		for _, t := range r.sortedTopics(types) {
			fmt.Fprintf(w, "\n## %s\n\n%s\n", t.title(), t.Doc)
			for _, b := range r.entries(t) {
				b.writeMarkdown(w)
			}
		}
	}
	return w.String()
}

func (t *Topic) title() string {
	if t.Type {
		return "Type " + t.Name
	}
	return "Module " + t.Name
}

func (t *Topic) anchor() string {
	return strings.ToLower(strings.ReplaceAll(t.title(), " ", "-"))
}

func (b *Builtin) writeMarkdown(w *strings.Builder) {
	fmt.Fprintf(w, "\n### %s\n\n`%s`\n\n%s\n", b.FullName(), b.headline(), b.Doc)
	if len(b.Params) > 0 {
		w.WriteString("\n| parameter | type | default | meaning |\n|---|---|---|---|\n")
	}
	for _, p := range b.Params {
		kind := p.Type
		if p.Unit != "" {
			kind += " in " + p.Unit
		}
		if len(p.Choices) > 0 {
			kind += ": " + quoteList(p.Choices)
		}
		if p.Min != "" {
			kind += ", at least " + p.Min
		}
		def := ""
		switch {
		case p.Default != "":
			def = "`" + cell(p.Default) + "`"
		case p.Optional:
			def = "optional"
		}
		fmt.Fprintf(w, "| `%s` | %s | %s | %s |\n", p.Name, cell(kind), def, cell(p.Doc))
	}
	if b.Example != "" {
		fmt.Fprintf(w, "\n```python\n%s\n```\n", b.Example)
	}
}

// cell escapes text for a cell of a table.
func cell(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\n", " "), "|", `\|`)
}
