package repl

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"schedrepl/bindings"
)

// picture is a value that is shown as an image.
type picture interface {
	WriteImage(w io.Writer, format string) error
	String() string
}

// show shows a value: a figure as a file, anything else as text.
func (r *REPL) show(v bindings.Value) error {
	if p, ok := v.(picture); ok {
		return r.showFigure(p)
	}
	_, err := fmt.Fprintln(r.out, bindings.TerminalText(v, r.Screen()))
	return err
}

// showFigure saves a figure under the next free name, and tells which.
func (r *REPL) showFigure(p picture) error {
	name := r.nextFigure()
	r.saving = name
	defer func() { r.saving = "" }()
	if err := r.s.Save("figure", name, func(w io.Writer) error { return p.WriteImage(w, "png") }); err != nil {
		return err
	}
	what := strings.TrimSuffix(strings.TrimPrefix(p.String(), "<figure: "), ">")
	_, err := fmt.Fprintf(r.out, "%s: %s\n", filepath.Join(r.s.OutDir(), name), what)
	return err
}

// nextFigure is a name that no figure in the output directory has yet. Where the
// directory cannot be looked into, saving tells why.
func (r *REPL) nextFigure() string {
	for {
		r.figures++
		name := figureName(r.figures)
		if _, err := os.Lstat(filepath.Join(r.s.OutDir(), name)); err != nil {
			return name
		}
	}
}

func figureName(n int) string { return fmt.Sprintf("figure-%d.png", n) }

// paintError colours the words of an error that matter most. Nothing depends on
// it.
func paintError(text string, colour bool) string {
	if !colour {
		return text
	}
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		word, _, found := strings.Cut(line, ":")
		switch {
		case found && word == "error":
			line = "\x1b[1;31merror:\x1b[0m" + strings.TrimPrefix(line, "error:")
		case found && word == "hint":
			line = "\x1b[36mhint:\x1b[0m" + strings.TrimPrefix(line, "hint:")
		case strings.HasPrefix(line, "  ") || strings.HasPrefix(line, "Traceback"):
			line = "\x1b[2m" + line + "\x1b[0m"
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}
