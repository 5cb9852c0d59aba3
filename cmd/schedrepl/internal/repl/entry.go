package repl

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"schedrepl/bindings"
)

// readEntry reads the lines of one entry. A block goes on until an empty line;
// a paste, or an entry out of the history, is one entry whatever lines it has,
// and Enter at its end runs it.
func (r *REPL) readEntry() (string, error) {
	r.typed = nil
	r.Editor.SetHistory(r.hist.entries)
	fill, pasted := "", false
	if r.next != "" {
		// What a command has put there is like a paste.
		fill, pasted = r.lay(r.next, true), strings.Contains(r.next, "\n")
		r.next = ""
	}
	for {
		line, err := r.Editor.ReadLine(r.prompt(len(r.typed) == 0), fill)
		if err != nil {
			if errors.Is(err, io.EOF) && len(r.typed) > 0 {
				return strings.Join(r.typed, "\n"), nil // Ctrl-D ends the entry first.
			}
			return "", err
		}
		if line.Pasted {
			fill, pasted = r.lay(line.Text, false), true
			continue
		}
		if strings.Contains(line.Text, "\n") {
			pasted = true
		}
		r.typed = append(r.typed, strings.Split(line.Text, "\n")...)
		text := strings.Join(r.typed, "\n")
		if r.complete(text, pasted) {
			return strings.TrimRight(text, " \t\n"), nil
		}
		pasted = pasted && strings.TrimSpace(line.Text) != ""
		fill = nextIndent(text)
	}
}

// complete tells whether an entry may run.
func (r *REPL) complete(text string, pasted bool) bool {
	line := strings.TrimSpace(text)
	if strings.HasPrefix(line, "%") {
		name, rest, _ := strings.Cut(line, " ")
		return name != "%time" || stateOf(rest) == whole
	}
	if _, _, ok := helpName(line); ok {
		return true
	}
	return stateOf(text) == whole || pasted && bindings.Parses(text)
}

// lay puts the lines of a paste, all but the last, on the screen and into the
// entry, and returns the last one for the user to edit. The first one is on the
// screen already, unless first is set.
func (r *REPL) lay(text string, first bool) string {
	lines := strings.Split(text, "\n")
	last := len(lines) - 1
	for i, line := range lines[:last] {
		if i > 0 || first {
			fmt.Fprintf(r.Err, "%s%s\n", r.prompt(len(r.typed) == 0), expandTabs(line))
		}
		r.typed = append(r.typed, line)
	}
	return lines[last]
}

// expandTabs sets tabs as if the line began at the left edge, with stops at each
// eighth column: that is how Starlark counts them too.
func expandTabs(line string) string {
	b, col := &strings.Builder{}, 0
	for _, c := range line {
		if c == '\t' {
			n := 8 - col%8
			b.WriteString(strings.Repeat(" ", n))
			col += n
			continue
		}
		b.WriteRune(c)
		col++
	}
	return b.String()
}

// prompt is what stands before a line: the first one of an entry, or another.
func (r *REPL) prompt(first bool) string {
	name := fmt.Sprintf("In[%d]: ", r.n)
	if !first {
		name = strings.Repeat(" ", max(0, len(name)-5)) + "...: "
	}
	if !r.Colour {
		return name
	}
	return "\x1b[32m" + name + "\x1b[0m"
}
