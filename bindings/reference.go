package bindings

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// Reference is the registry that all sessions share: names, completion lists
// and the text of the reference.
func Reference() *Registry { return registry() }

// Text is the reference of a name as plain text: of a function, a method
// ("machine.run"), a module, a type, or a constant. An unknown name is an
// error that suggests the near one.
func (r *Registry) Text(name string) (string, error) {
	name = strings.TrimSpace(name)
	b := &strings.Builder{}
	// A name may be a function and a type at once, as machine is.
	entry, topic := r.names[name], r.topics[name]
	if entry != nil {
		entry.writeText(b)
	}
	if topic != nil {
		if entry != nil {
			b.WriteByte('\n')
		}
		r.writeTopic(b, topic)
	}
	if b.Len() > 0 {
		return b.String(), nil
	}
	if starlark.Universe.Has(name) {
		return starlarkHelp(name), nil
	}
	if !strings.Contains(name, ".") {
		// A method's name alone finds the methods of all types.
		var full []string
		for n, e := range r.names {
			if e.Name == name || strings.HasSuffix(n, "."+name) {
				full = append(full, n)
			}
		}
		slices.Sort(full)
		for i, n := range full {
			if i > 0 {
				b.WriteByte('\n')
			}
			r.names[n].writeText(b)
		}
		if b.Len() > 0 {
			return b.String(), nil
		}
	}
	return "", fmt.Errorf("there is no %s%s", quoteShort(name), didYouMean(name, r.allNames()))
}

// allNames lists the full names of everything, sorted.
func (r *Registry) allNames() []string {
	var out []string
	for n := range r.names {
		out = append(out, n)
	}
	for n := range r.topics {
		if r.names[n] == nil {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out
}

// headline is the signature with the result.
func (b *Builtin) headline() string {
	s := b.Signature()
	switch {
	case b.Result == "":
		return s
	case b.Attr || !b.isFunc():
		return s + ": " + b.Result
	}
	return s + " -> " + b.Result
}

func (b *Builtin) isFunc() bool {
	return b.Impl != nil && !b.Attr || b.Value != nil && isCallable(b.Value)
}

func (b *Builtin) writeText(w *strings.Builder) {
	fmt.Fprintf(w, "%s\n", b.headline())
	writeWrapped(w, "  ", "  ", b.Doc)
	if len(b.Params) > 0 {
		w.WriteByte('\n')
	}
	for i := range b.Params {
		p := &b.Params[i]
		writeWrapped(w, "  ", "      ", fmt.Sprintf("%s (%s): %s", p.Name, p.kindText(), p.Doc))
	}
	if b.Example != "" {
		fmt.Fprintf(w, "\n  Example:\n")
		for line := range strings.Lines(b.Example) {
			fmt.Fprintf(w, "    %s\n", strings.TrimRight(line, "\n"))
		}
	}
}

// kindText is type, unit, choices and default of a parameter in words.
func (p *Param) kindText() string {
	s := p.Type
	if p.Unit != "" {
		s += " in " + p.Unit
	}
	if len(p.Choices) > 0 {
		s += ", one of " + quoteList(p.Choices)
	}
	if p.Min != "" {
		s += ", at least " + p.Min
	}
	switch {
	case p.Default != "":
		s += ", default " + p.Default
	case p.Optional:
		s += ", optional"
	}
	return s
}

// sentence is the first sentence of a text.
func sentence(doc string) string {
	for i := range len(doc) {
		if doc[i] == '.' && (i+1 == len(doc) || doc[i+1] == ' ' || doc[i+1] == '\n') {
			return doc[:i+1]
		}
	}
	return doc
}

func (r *Registry) writeTopic(w *strings.Builder, t *Topic) {
	what := "module"
	if t.Type {
		what = "type"
	}
	fmt.Fprintf(w, "%s %s\n", what, t.Name)
	writeWrapped(w, "  ", "  ", t.Doc)
	entries := r.entries(t)
	if len(entries) > 0 {
		w.WriteByte('\n')
	}
	writeList(w, entries)
}

// entries are the members of a topic, sorted by name.
func (r *Registry) entries(t *Topic) []*Builtin {
	var out []*Builtin
	for _, name := range r.topicNames(t) {
		out = append(out, r.names[t.Name+"."+name])
	}
	return out
}

func (r *Registry) topicNames(t *Topic) []string {
	if t.Type {
		return r.attrs[t.Name]
	}
	if m, ok := r.env[t.Name].(*starlarkstruct.Module); ok {
		return m.Members.Keys()
	}
	return nil
}

// writeList writes names with their first sentences.
func writeList(w *strings.Builder, entries []*Builtin) {
	width := 0
	for _, b := range entries {
		width = max(width, len(b.FullName()))
	}
	width = min(width, 28)
	for _, b := range entries {
		fmt.Fprintf(w, "  %-*s  %s\n", width, b.FullName(), sentence(b.Doc))
	}
}

// topLevel are the entries without a dot, sorted by name.
func (r *Registry) topLevel() []*Builtin {
	var out []*Builtin
	for _, name := range r.Names() {
		if b := r.names[name]; b != nil {
			out = append(out, b)
		}
	}
	return out
}

// sortedTopics are the modules, or the types, sorted by name.
func (r *Registry) sortedTopics(types bool) []*Topic {
	var out []*Topic
	for _, t := range r.topics {
		if t.Type == types {
			out = append(out, t)
		}
	}
	slices.SortFunc(out, func(a, b *Topic) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Overview lists all names that a script can use, and the types.
func (r *Registry) Overview() string {
	w := &strings.Builder{}
	w.WriteString("Names:\n")
	writeList(w, r.topLevel())
	for _, types := range []bool{false, true} {
		w.WriteString(map[bool]string{false: "\nModules:\n", true: "\nTypes:\n"}[types])
		for _, t := range r.sortedTopics(types) {
			fmt.Fprintf(w, "  %-10s  %s\n", t.Name, sentence(t.Doc))
		}
	}
	w.WriteString("\nhelp(x) tells more about a name, a module, a method or a value.\n")
	return w.String()
}

// writeWrapped writes text in lines of at most 88 characters: the first after
// an indent, the others after another.
func writeWrapped(w *strings.Builder, first, rest, text string) {
	const width = 88
	line, empty := first, true
	for word := range strings.FieldsSeq(text) {
		if !empty && len(line)+1+len(word) > width {
			fmt.Fprintf(w, "%s\n", line)
			line, empty = rest, true
		}
		if !empty {
			line += " "
		}
		line += word
		empty = false
	}
	if !empty {
		fmt.Fprintf(w, "%s\n", line)
	}
}
