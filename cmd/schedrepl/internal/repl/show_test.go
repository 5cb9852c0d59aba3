package repl

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestValues(t *testing.T) {
	b := newBench(t)
	out, errs := b.run(
		"t = table('t', ['n', 'a column of some width', 'another column', 'and one more of them'], [(i, 'x' * 30, i, i) for i in range(100)])", "t",
		"s = stats.samples([i * ms for i in range(100)], name = 'lag')", "s", "{'a': s, 'b': s}", "[s]",
		"list(range(100000))", "'x' * 100000", "'line\\n' * 1000", "stats.samples([])")
	for _, want := range []string{"… 92 more rows …", "more columns", "lag: n 100, mean 49.5ms", " │█", "\na  █", "more characters; print shows all", "more lines; print shows all", "n 0\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("there is no %q in\n%s", want, out)
		}
	}
	for line := range strings.Lines(out) {
		if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 60 && !strings.HasPrefix(line, "lag: ") && !strings.Contains(line, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx") {
			t.Errorf("a line of %d: %q", n, line)
		}
	}
	if errs != "" {
		t.Errorf("errors %q", errs)
	}
}

// Figures at the prompt are saved under new names, and the directory is made
// only then.
func TestFigures(t *testing.T) {
	b := newBench(t)
	b.run("f = plot.cdf([1 * ms, 2 * ms], title = 'waits')")
	if _, err := os.Stat("out"); !os.IsNotExist(err) {
		t.Errorf("the directory is there already: %v", err)
	}
	for i, name := range []string{"figure-1.png", "figure-3.png"} {
		out, errs := b.run("f = plot.cdf([1 * ms, 2 * ms], title = 'waits')", "f", "show(f)", "f.save('w/x.svg')")
		if !strings.Contains(out, "out/"+name+": cdf \"waits\", 3.35 x ") || !strings.Contains(out, "saved out/w/x.svg\n") || strings.Count(out, "saved") != 1 || errs != "" {
			t.Errorf("session %d: out %q, errors %q", i, out, errs)
		}
		data, err := os.ReadFile(filepath.Join("out", name))
		if err != nil || !bytes.HasPrefix(data, []byte("\x89PNG")) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A directory that cannot be is told at once, not searched for ever.
func TestFigureNowhere(t *testing.T) {
	b := newBench(t)
	b.file("f", "")
	b.config = func(c *Config) { c.OutDir = "f" }
	out, errs := b.run("plot.cdf([1 * ms, 2 * ms])", "1")
	if out != "1\n" || !strings.Contains(errs, `cannot save "figure-1.png": directory f: `) {
		t.Errorf("out %q, errors %q", out, errs)
	}
}

func TestPaintError(t *testing.T) {
	text := "Traceback (most recent call last):\n  In[1]:1:1: in f\nerror: no\nhint: do"
	if paintError(text, false) != text {
		t.Error("it is coloured against the wish of the user")
	}
	if got := paintError(text, true); !strings.Contains(got, "\x1b[1;31merror:\x1b[0m no") {
		t.Errorf("%q", got)
	}
}
