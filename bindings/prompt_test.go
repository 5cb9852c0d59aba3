package bindings

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

func TestRunFile(t *testing.T) {
	dir := writeTree(t, map[string]string{
		"s.star":   "load('./h.star', 'h')\nn = param('n', 3)\nlist = [n]\nm = machine(topo.smp(1))\n\ndef f():\n    return n + h\n",
		"h.star":   "h = 10\n",
		"bad.star": "kept = 1\n1 // 0\n",
		"ms.star":  "ms = 3\n",
	})
	out := &bytes.Buffer{}
	s := newTestSession(t, Options{Stdout: out, Params: map[string]string{"n": "7"}})
	cell := func(src, want string) {
		t.Helper()
		v, err := s.Cell("In[1]", src)
		if err != nil || v == nil || v.String() != want {
			t.Errorf("%s gives %v, %v; want %s", src, v, err, want)
		}
	}
	if err := s.RunFile(filepath.Join(dir, "s.star"), map[string]string{"n": "5"}); err != nil {
		t.Fatal(err)
	}
	// What it has defined can change, and the session's own parameters are back.
	cell("list.append(h)\nlist, f(), n", "([5, 10], 15, 5)")
	cell("m.run(1 * us)\nm.now", "1us")
	cell("param('n', 2)", "7")
	if err := os.WriteFile(filepath.Join(dir, "h.star"), []byte("h = 20\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := s.RunFile(filepath.Join(dir, "s.star"), nil); err != nil {
		t.Fatal(err)
	}
	cell("f()", "23")
	wantError(t, s.RunFile(filepath.Join(dir, "bad.star"), nil), ScriptError, "division by zero")
	cell("kept", "1")
	wantError(t, s.RunFile(filepath.Join(dir, "none.star"), nil), UsageError, "no such file")
	wantError(t, s.RunFile(filepath.Join(dir, "s.star"), map[string]string{"m": "5"}), UsageError, "unknown parameter m")
	// A rebound unit is named, as for cells.
	if err := s.RunFile(filepath.Join(dir, "ms.star"), nil); err != nil {
		t.Fatal(err)
	}
	_, err := s.Cell("In[2]", "m.run(5 * ms)")
	wantError(t, err, ScriptError, "`ms` was rebound at "+filepath.Join(dir, "ms.star")+":1")
	var names []string
	for _, d := range s.Defined() {
		names = append(names, d.Name)
	}
	if got := strings.Join(names, " "); got != "f h kept list m ms n" {
		t.Errorf("defined are %s", got)
	}
}

func TestLoadInCells(t *testing.T) {
	s := newTestSession(t, Options{Stdlib: fstest.MapFS{"x.star": {Data: []byte("x = 1\n")}}})
	for _, src := range []string{"load('@stdlib//x.star', 'x', y = 'x')", "x = x + y"} {
		if _, err := s.Cell("In", src); err != nil {
			t.Fatal(err)
		}
	}
	if v, err := s.Cell("In", "x"); err != nil || v.String() != "2" {
		t.Errorf("x is %v, %v", v, err)
	}
}

func TestWithShow(t *testing.T) {
	for _, c := range []struct {
		src  string
		last bool
		want string
		ok   bool
	}{
		{"x", false, "show(x)", true},
		{"x = 1\nx + 1  # why", false, "x = 1\nshow(x + 1)  # why", true},
		{"x = 1; x", true, "x = 1; _ = x\nshow(_)", true},
		{"(1 +\n 2)", false, "show((1 +\n 2))", true},
		{"a[1][2]", false, "show(a[1][2])", true},
		{"a[1:2]", true, "_ = a[1:2]\nshow(_)", true},
		{"f(x)[0] > g(y)[1]", false, "show(f(x)[0] > g(y)[1])", true},
		{"{'a': [1, (2,)]}", false, "show({'a': [1, (2,)]})", true},
		{"x = '漢字'; '漢' + x", false, "x = '漢字'; show('漢' + x)", true},
		{"'''a\nb'''", false, "show('''a\nb''')", true},
		{"lambda: 1", false, "show(lambda: 1)", true},
		{"1, 2", true, "_ = 1, 2\nshow(_)", true},
		{"x if y else z", false, "show(x if y else z)", true},
		{"x = 1", false, "x = 1", false},
		{"if x:\n    y", false, "if x:\n    y", false},
		{"", false, "", false},
		{"x +", false, "x +", false},
	} {
		if got, ok := WithShow(c.src, c.last); got != c.want || ok != c.ok {
			t.Errorf("%q: %q, %v; want %q", c.src, got, ok, c.want)
		}
	}
}

func TestHelpOn(t *testing.T) {
	s := newTestSession(t, Options{})
	if _, err := s.Cell("In", "m = machine(topo.smp(1))\ntext = 'fmt'\ndef f(x):\n    \"\"\"Doc.\"\"\"\n    return x\n"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, want, wantErr string }{
		{"m", "m = <machine: 1 CPU", ""},
		{"m.run", "machine.run(duration)", ""},
		{"machine.run", "machine.run(duration)", ""},
		{"text", "a value of type string", ""},
		{"f", "Doc.", ""},
		{"ms", "ms", ""},
		{"plot", "module plot", ""},
		{"len", "part of the language", ""},
		{"while", "while is part of the language", ""},
		{"m.runn", "", "m has no \"runn\" (did you mean run?)"},
		{"texd", "", "there is no \"texd\" (did you mean text?)"},
		{"plot.cdff", "", "(did you mean cdf?)"},
		{"a.b.c", "", "there is no \"a.b.c\""},
	} {
		got, err := s.HelpOn(c.name)
		switch {
		case c.wantErr != "" && (err == nil || !strings.Contains(err.Error(), c.wantErr)):
			t.Errorf("%s: the error is %v", c.name, err)
		case c.wantErr == "" && (err != nil || !strings.Contains(got, c.want)):
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
	}
	if got, ok := s.SourceOn("f"); !ok || got != "def f(x):\n    \"\"\"Doc.\"\"\"\n    return x\n" {
		t.Errorf("the source is %q, %v", got, ok)
	}
	for _, name := range []string{"m", "len", "nothing"} {
		if got, ok := s.SourceOn(name); ok {
			t.Errorf("%s has the source %q", name, got)
		}
	}
}

// Whatever the size of the terminal, what is shown fits or is cut.
func TestTerminalText(t *testing.T) {
	s := newTestSession(t, Options{})
	for _, src := range []string{
		"None", "'a'", "'a\\nb\\n'", "''", "[]", "{}", "[stats.samples([])]", "[stats.samples([1 * ms]), stats.samples([1, 2])]",
		"{'漢字': stats.samples([1, 2])}", "stats.samples([1])", "stats.samples([-1, 0, 5])", "list(range(5000))", "'漢' * 50000",
		"table('t', ['a', 'b'], [(i, 'x' * 300) for i in range(300)])", "machine(topo.smp(1))",
	} {
		v, err := s.Cell("In", src)
		if err != nil {
			t.Fatal(err)
		}
		for _, sc := range []Screen{{}, {20, 8}, {80, 24}, {1000, 3}, {3, 1000}} {
			text := TerminalText(v, sc)
			if strings.HasSuffix(text, "\n") {
				t.Errorf("%s on %v ends in a newline", src, sc)
			}
			if n := len([]rune(text)); n > 5*max(sc.Width, 20)*max(sc.Height, 8)+200 {
				t.Errorf("%s on %v has %d characters", src, sc, n)
			}
		}
	}
}

// Lists that are wider than the screen are broken between elements.
func TestWrapped(t *testing.T) {
	s := newTestSession(t, Options{})
	for _, c := range []struct{ src, want string }{
		{"[1, 2]", "[1, 2]"},
		{"list(range(100, 112))", "[100, 101, 102, 103,\n 104, 105, 106, 107,\n 108, 109, 110, 111]"},
		{"('a, b, c, d', 'e, f, g, h')", "(\"a, b, c, d\",\n \"e, f, g, h\")"},
		{"{'one': 111, 'two': 22222}", "{\"one\": 111,\n \"two\": 22222}"},
		{"['x' * 30]", "[\"" + strings.Repeat("x", 30) + "\"]"},
	} {
		v, err := s.Cell("In", c.src)
		if err != nil {
			t.Fatal(err)
		}
		if got := TerminalText(v, Screen{20, 24}); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.src, got, c.want)
		}
	}
}

func TestSavedAndEvents(t *testing.T) {
	var saved []string
	dir := t.TempDir()
	s := newTestSession(t, Options{OutDir: dir, Saved: func(path string, f SavedFile) { saved = append(saved, path+" "+f.Kind) }})
	_, err := s.Cell("In", "plot.cdf([1, 2]).save('a/b.png')\nm = machine(topo.smp(1))\nm.spawn('hog', work.loop([work.run(1 * ms), work.sleep(1 * ms)]))\nm.run(10 * ms)")
	if err != nil || len(saved) != 1 || saved[0] != filepath.Join(dir, "a", "b.png")+" figure" {
		t.Errorf("saved is %q, %v", saved, err)
	}
	before := s.Events()
	if before == 0 {
		t.Error("no events were counted")
	}
	if _, err := s.Cell("In", "m.run(10 * ms)"); err != nil || s.Events() <= before {
		t.Errorf("%d events, and then %d, %v", before, s.Events(), err)
	}
}
