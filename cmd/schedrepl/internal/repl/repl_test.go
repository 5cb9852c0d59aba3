package repl

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"schedrepl/bindings"
)

// fakeEditor types lines. A line that begins with "PASTE:" is a paste of several
// lines that is not confirmed yet; "^C" and "^D" are keys. What stands in the
// line at first is kept, unless the line begins with a space or is "^C".
type fakeEditor struct {
	lines   []string
	prompts []string
	fills   []string
	history []string
	drops   int
	closed  bool
}

func (f *fakeEditor) ReadLine(prompt, text string) (Line, error) {
	f.prompts, f.fills = append(f.prompts, prompt), append(f.fills, text)
	if len(f.lines) == 0 {
		return Line{}, io.EOF
	}
	line := f.lines[0]
	f.lines = f.lines[1:]
	if paste, ok := strings.CutPrefix(line, "PASTE:"); ok {
		return Line{Text: text + paste, Pasted: true}, nil
	}
	switch line {
	case "^C":
		return Line{}, ErrInterrupt
	case "^D":
		return Line{}, io.EOF
	}
	if strings.HasPrefix(line, " ") && strings.TrimSpace(text) == "" {
		text = ""
	}
	return Line{Text: text + line}, nil
}

func (f *fakeEditor) SetHistory(entries []string) { f.history = slices.Clone(entries) }
func (f *fakeEditor) Drop()                       { f.drops++ }
func (f *fakeEditor) Close() error                { f.closed = true; return nil }

// bench is a prompt on a fake editor, in a directory of its own.
type bench struct {
	t        *testing.T
	dir      string
	state    string
	ed       *fakeEditor
	out, err syncBuffer
	signals  chan<- os.Signal
	exits    []int
	mu       sync.Mutex
	config   func(*Config)
	r        *REPL
}

// syncBuffer is a buffer that several goroutines write to.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func newBench(t *testing.T) *bench {
	b := &bench{t: t, dir: t.TempDir(), state: t.TempDir(), ed: &fakeEditor{}}
	t.Chdir(b.dir)
	return b
}

func (b *bench) file(name, text string) {
	b.t.Helper()
	if err := os.WriteFile(filepath.Join(b.dir, name), []byte(text), 0o666); err != nil {
		b.t.Fatal(err)
	}
}

// run types lines and returns what is on the screen: output and errors.
func (b *bench) run(lines ...string) (out, errs string) {
	b.t.Helper()
	b.ed.lines, b.ed.prompts, b.ed.fills = lines, nil, nil
	b.out, b.err = syncBuffer{}, syncBuffer{}
	c := Config{
		Editor: b.ed, Out: &b.out, Err: &b.err, Now: time.Now, Version: "v1", OutDir: "out",
		History: filepath.Join(b.state, "history"),
		Notify:  func(c chan<- os.Signal) { b.mu.Lock(); b.signals = c; b.mu.Unlock() },
		Exit:    func(code int) { b.mu.Lock(); b.exits = append(b.exits, code); b.mu.Unlock() },
		Screen:  func() bindings.Screen { return bindings.Screen{Width: 60, Height: 14} },
	}
	if b.config != nil {
		b.config(&c)
	}
	r, err := New(c)
	if err != nil {
		b.t.Fatal(err)
	}
	b.r = r
	if code := r.Run(); code != 0 {
		b.t.Errorf("exit code %d", code)
	}
	if !b.ed.closed {
		b.t.Error("the terminal was not closed")
	}
	_, errs, found := strings.Cut(b.err.String(), "leaves\n")
	if !found {
		b.t.Errorf("there is no greeting: %q", b.err.String())
	}
	return b.out.String(), errs
}

func TestEntries(t *testing.T) {
	for _, c := range []struct {
		name    string
		lines   []string
		out     string
		errs    string
		prompts int
	}{
		{"a value", []string{"1 + 1"}, "2\n", "", 2},
		{"none is not shown", []string{"None", "print(1)"}, "1\n", "", 3},
		{"the last value", []string{"6 * 7", "x = 1", "None", "_ + 1"}, "42\n43\n", "", 5},
		{"a function", []string{"def f(x):", "return x + 1", "", "f(1)"}, "2\n", "", 5},
		{"typed indentation", []string{"def f(x):", "    y = x", "    return y", "", "f(1)"}, "1\n", "", 6},
		{"brackets", []string{"print(1,", "", "2)"}, "1 2\n", "", 4},
		{"a block ends by a statement", []string{"for i in [7]:", "    print(i)", " "}, "7\n", "", 4},
		{"Ctrl-C drops an entry", []string{"def f(", "^C", "1"}, "1\n", "", 4},
		{"Ctrl-D ends an entry first", []string{"for i in [8]:", "print(i)", "^D", "9"}, "8\n9\n", "", 5},
		{"Ctrl-D in an open bracket", []string{"print(", "^D", "9"}, "9\n", "In[1]:1:7: the text ends", 4},
		{"a paste", []string{"PASTE:def f():\n    a = 1\n\n    return a\nprint(f())\nprint(2)", ""}, "1\n2\n", "  ...:     a = 1\n  ...: \n  ...:     return a\n  ...: print(f())\n", 3},
		{"a paste goes on", []string{"x = [1,", "PASTE:2,\n3", "]", "x"}, "[1, 2, 3]\n", "", 5},
		{"a paste that ends in a block", []string{"PASTE:def f():\n    return 3", "", "f()"}, "3\n", "", 4},
		{"a paste is dropped", []string{"PASTE:print(1)\nprint(2)", "^C", "3"}, "3\n", "", 4},
		{"an entry of several lines", []string{"if True:\n    print(1)\n\n    print(2)"}, "1\n2\n", "", 2},
		{"quit", []string{"quit", "1"}, "", "", 1},
		{"exit()", []string{"exit()", "1"}, "", "", 1},
		{"exit is a name like others", []string{"exit = 3", "exit"}, "3\n", "", 3},
		{"output without a line end", []string{"print(1, end = '')", "2"}, "1\n2\n", "", 3},
		{"an error", []string{"x = 1", "y = 2\n1 // 0", "x, y"}, "(1, 2)\n", "In[2]:2:3: in <", 4},
		{"a call chain", []string{"def f(): return 1 // 0", "def g():\n    return f()", "g()"}, "", "In[3]:1:2: in <expr>\n    g()\n  In[2]:2:13: in g\n    return f()\n  In[1]:1:19: in f", 4},
		{"a text of lines", []string{"'a\\nb'", "'a'"}, "a\nb\n\"a\"\n", "", 3},
		{"empty lines", []string{"", "  ", "# nothing"}, "", "", 4},
		{"wide characters", []string{"名 = '漢字'", "名", "f(名 +, 1)"}, "\"漢字\"\n", "In[3]:1:6", 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			out, errs := b.run(c.lines...)
			if out != c.out {
				t.Errorf("out %q, want %q", out, c.out)
			}
			if !strings.Contains(errs, c.errs) || c.errs == "" && errs != "" && !strings.HasPrefix(c.name, "load") {
				t.Errorf("errors %q, want %q in it", errs, c.errs)
			}
			if len(b.ed.prompts) != c.prompts {
				t.Errorf("%d prompts: %q", len(b.ed.prompts), b.ed.prompts)
			}
		})
	}
}

func TestPrompts(t *testing.T) {
	b := newBench(t)
	b.run("1", "def f():", "if True:", "return 1", "", "f()")
	want := []string{"In[1]: ", "In[2]: ", "  ...: ", "  ...: ", "  ...: ", "In[3]: ", "In[4]: "}
	if !slices.Equal(b.ed.prompts, want) {
		t.Errorf("prompts %q", b.ed.prompts)
	}
	if want := []string{"", "", "    ", "        ", "    ", "", ""}; !slices.Equal(b.ed.fills, want) {
		t.Errorf("indentation %q", b.ed.fills)
	}
	if want := []string{"1", "def f():\n    if True:\n        return 1", "f()"}; !slices.Equal(b.ed.history, want) {
		t.Errorf("history %q", b.ed.history)
	}
	// Another session has it too.
	b.run("2")
	if got := b.ed.history; len(got) != 4 || got[3] != "2" {
		t.Errorf("history of another session %q", got)
	}
}

func TestInit(t *testing.T) {
	b := newBench(t)
	b.file("init.star", "mine = 3\nprint('hi')\n")
	b.config = func(c *Config) { c.Init = filepath.Join(b.dir, "init.star") }
	if out, errs := b.run("mine", "%reset", "mine"); out != "hi\n3\nforgot 2 names\nhi\n3\n" || errs != "" {
		t.Errorf("out %q, errors %q", out, errs)
	}
	b.file("init.star", "mine = 4\n1 // 0\n")
	if out, errs := b.run("mine"); out != "4\n" || !strings.Contains(errs, "init.star:2:3") {
		t.Errorf("with an error: out %q, errors %q", out, errs)
	}
	b.config = nil
	if _, errs := b.run("mine"); !strings.Contains(errs, "undefined: mine") {
		t.Errorf("without: errors %q", errs)
	}
}

// A file that was changed is loaded again.
func TestLoadAgain(t *testing.T) {
	b := newBench(t)
	b.file("a.star", "v = 1\n")
	changes := 0
	b.config = func(c *Config) {
		c.End = func() {
			if changes++; changes == 2 {
				b.file("a.star", "v = 2\n")
			}
		}
	}
	out, errs := b.run("load('./a.star', 'v')", "v", "load('./a.star', 'v')", "v")
	if out != "1\n2\n" || errs != "" {
		t.Errorf("out %q, errors %q", out, errs)
	}
}
