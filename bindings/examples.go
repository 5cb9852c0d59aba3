package bindings

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

// shownLine matches a line of an example that says what it prints.
var shownLine = regexp.MustCompile(`^\s*(?:print|show)\(.*\)  # (.*)$`)

// printingLine matches a line of an example that prints.
var printingLine = regexp.MustCompile(`^\s*(?:print|show)\(`)

// setup is the code that runs before the examples of b, with a newline at its
// end; empty if there is none.
func (r *Registry) setup(b *Builtin) string {
	topic := b.Recv
	if topic == "" {
		topic, _, _ = strings.Cut(b.Name, ".")
	}
	if t := r.topics[topic]; t != nil && t.Setup != "" {
		return strings.TrimRight(t.Setup, "\n") + "\n"
	}
	return ""
}

// shownOutput is what an example says that it prints, a line each.
func shownOutput(example string) []string {
	var out []string
	for line := range strings.Lines(example) {
		if m := shownLine.FindStringSubmatch(strings.TrimRight(line, "\n")); m != nil {
			out = append(out, m[1])
		}
	}
	return out
}

// isPrinting tells whether an example prints and does not say what.
func isPrinting(example string) bool {
	if len(shownOutput(example)) > 0 {
		return false
	}
	for line := range strings.Lines(example) {
		if printingLine.MatchString(line) {
			return true
		}
	}
	return false
}

// exampleOutput runs the example of b and returns what it prints.
func (r *Registry) exampleOutput(b *Builtin) (string, error) {
	out := &bytes.Buffer{}
	s, err := NewSession(Options{Stdout: out})
	if err != nil {
		return "", err
	}
	if err := s.Exec("example.star", r.setup(b)+b.Example); err != nil {
		return "", fmt.Errorf("the example of %s: %w", b.FullName(), err)
	}
	return out.String(), nil
}
