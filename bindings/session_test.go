package bindings

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"go.starlark.net/starlark"
)

// writeTree makes files in a new directory, from "name: text".
func writeTree(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// asError is err as *Error; it fails the test if err is nil or another error.
func asError(t testing.TB, err error) *Error {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("the error is %v, want an *Error", err)
	}
	return e
}

func wantError(t testing.TB, err error, cat Category, parts ...string) {
	t.Helper()
	e := asError(t, err)
	if e.Category != cat {
		t.Errorf("the category is %d, want %d, of:\n%v", e.Category, cat, e)
	}
	for _, p := range parts {
		if !strings.Contains(e.Error(), p) {
			t.Errorf("the error is\n%v\nwant %q in it", e, p)
		}
	}
	for _, p := range []string{"goroutine", ".go:"} {
		if strings.Contains(e.Error(), p) {
			t.Errorf("the error shows the inside of the program:\n%v", e)
		}
	}
}

func TestTraceback(t *testing.T) {
	dir := writeTree(t, map[string]string{
		"main.star":      "load(\"./lib/h.star\", \"warm\")\n\ndef run():\n    warm(5)\n\nrun()\n",
		"lib/h.star":     "def warm(d):\n    round(1 * ms, d, 7)\n",
		"broken.star":    "load(\"lib/bad.star\", \"x\")\n",
		"lib/bad.star":   "x = 1\n\ny = 5 ** x\n",
		"deep.star":      "load(\"lib/fails.star\", \"x\")\n",
		"lib/fails.star": "def f():\n    return 1 * ms + 1\n\nx = f()\n",
	})
	t.Chdir(dir)
	for file, want := range map[string]string{
		"main.star": "Traceback (most recent call last):\n" +
			"  main.star:6:4: in <toplevel>\n    run()\n" +
			"  main.star:4:9: in run\n    warm(5)\n" +
			"  lib/h.star:2:10: in warm\n    round(1 * ms, d, 7)\n" +
			"error: round: got 3 positional arguments, want at most 2; the call is round(x, digits=...)",
		"broken.star": "Traceback (most recent call last):\n" +
			"  broken.star:1:1: in <toplevel>\n    load(\"lib/bad.star\", \"x\")\n" +
			"lib/bad.star:3:9: got '**', want newline\n    y = 5 ** x\n            ^\n" +
			"hint: Starlark has no ** operator: write math.pow(x, y), or 1 << n for a power of two",
		"deep.star": "Traceback (most recent call last):\n" +
			"  deep.star:1:1: in <toplevel>\n    load(\"lib/fails.star\", \"x\")\n" +
			"  lib/fails.star:4:6: in <toplevel>\n    x = f()\n" +
			"  lib/fails.star:2:19: in f\n    return 1 * ms + 1\n" +
			"error: duration + int: a time carries a unit: write 5 * ms or \"5ms\", not 1",
	} {
		err := newTestSession(t, Options{}).ExecFile(file)
		if e := asError(t, err); e.Error() != want {
			t.Errorf("%s: the error is\n%v\nwant\n%v", file, e, want)
		}
	}
}

func TestParams(t *testing.T) {
	const script = `
a = param("autogroup", True)
n = param("n", 3, choices = [1, 2, 3])
f = param("load", 0.5)
s = param("kernel", "6.12", help = "the kernel")
d = param("delay", 5 * ms)
z = param("buf", 64 * KiB)
l = param("slices", [1 * ms, 2 * ms])
print(a, n, f, s, d, z, l)
`
	for _, test := range []struct {
		params map[string]string
		want   string
		cat    Category
	}{
		{nil, "True 3 0.5 6.12 5ms 64KiB [1ms, 2ms]\n", 0},
		{map[string]string{"autogroup": "false", "n": "2", "load": "1", "kernel": "2.6.36", "delay": "10us", "buf": "1MiB", "slices": "3ms, 4ms"},
			"False 2 1.0 2.6.36 10us 1MiB [3ms, 4ms]\n", 0},
		{map[string]string{"slices": ""}, "True 3 0.5 6.12 5ms 64KiB []\n", 0},
		{map[string]string{"n": "5"}, "parameter n must be one of 1, 2, 3, not 5", UsageError},
		{map[string]string{"n": "x"}, `parameter n must be an int, not "x"`, UsageError},
		{map[string]string{"delay": "5"}, `parameter delay must carry a unit: write "5ms", not "5"`, UsageError},
		{map[string]string{"autogroup": "maybe"}, "parameter autogroup must be true or false", UsageError},
		{map[string]string{"dealy": "5ms"}, "unknown parameter dealy (did you mean delay?): the script declares autogroup, n, load, kernel, delay, buf, slices", UsageError},
	} {
		out := &bytes.Buffer{}
		err := newTestSession(t, Options{Params: test.params, Stdout: out}).Exec("p.star", script)
		switch {
		case test.cat != 0:
			wantError(t, err, test.cat, test.want)
			if strings.HasPrefix(test.want, "unknown") && out.Len() > 0 {
				t.Error("the misspelt parameter showed only after the run")
			}
		case err != nil || out.String() != test.want:
			t.Errorf("%v prints %q, %v; want %q", test.params, out, err, test.want)
		}
	}
	// A declaration that cannot be seen in the text: the end of the run tells.
	const hidden = "p = param\nfor n in [\"a\", \"b\"]:\n    print(p(n, 1))\n"
	s := newTestSession(t, Options{Params: map[string]string{"b": "2"}})
	if err := s.Exec("p.star", hidden); err != nil {
		t.Error(err)
	}
	if decls := s.Params(); len(decls) != 2 || decls[1].Name != "b" || decls[1].Value.String() != "2" || decls[1].Type != "int" {
		t.Errorf("the declared parameters are %v", decls)
	}
	wantError(t, newTestSession(t, Options{Params: map[string]string{"c": "2"}}).Exec("p.star", hidden), UsageError, "unknown parameter c: the script declares a, b")
	wantError(t, newTestSession(t, Options{Params: map[string]string{"c": "2"}}).Exec("p.star", "x = 1"), UsageError, "the script declares none")
}

func TestParamMistakes(t *testing.T) {
	for script, want := range map[string]string{
		`param("a b", 1)`:                   "name must be made of letters",
		`param("a", None)`:                  "default must be a bool, int, float, string, duration, size or a list of these, not None",
		`param("a", [1, "x"])`:              "default must be",
		`param("a", 1, choices = [2, 3])`:   "default must be one of 2, 3, not 1",
		`param("a", 1, choices = ["x", 1])`: "choices must be of the type of the default, int",
		"param('a', 1)\nparam('a', 2)":      "declared twice, with the defaults 1 and 2",
	} {
		wantError(t, newTestSession(t, Options{}).Exec("p.star", script), ScriptError, want)
	}
}

func TestChecks(t *testing.T) {
	out := &bytes.Buffer{}
	s := newTestSession(t, Options{Stdout: out})
	err := s.Exec("c.star", "check(True, 'good')\nx = check(1 > 2, 'bad')\ncheck([], 'empty')\nprint('on', x)")
	wantError(t, err, CheckFailed, "2 of 3 checks failed")
	if want := "check failed: bad (c.star:2)\ncheck failed: empty (c.star:3)\non False\n"; out.String() != want {
		t.Errorf("the output is %q, want %q", out, want)
	}
	if code := ExitCodeOf(err); code != 3 {
		t.Errorf("the exit code is %d", code)
	}
}

func TestLoad(t *testing.T) {
	outside := writeTree(t, map[string]string{"x.star": "x = 1", "sub/y.star": "load('../x.star', 'x')\ny = x + 1"})
	dir := writeTree(t, map[string]string{
		"ok.star":     "load('./lib/h.star', 'h')\nload('lib/h.star', h2 = 'h')\nload('@stdlib//a.star', 'a')\nprint(h, h2, a)",
		"lib/h.star":  "load('../top.star', 'top')\nprint('once')\nh = top + 1",
		"top.star":    "top = 1",
		"up.star":     "load('../x.star', 'x')",
		"abs.star":    "load('" + outside + "/x.star', 'x')",
		"sub.star":    "load('" + outside + "/sub/y.star', 'y')\nprint(y)",
		"a.star":      "load('b.star', 'b')\na = 1",
		"b.star":      "load('./lib/../a.star', 'a')\nb = 1",
		"self.star":   "load('self.star', 'x')",
		"none.star":   "load('nothing.star', 'x')",
		"name.star":   "load('top.star', 'topp')",
		"std.star":    "load('@stdlib//aa.star', 'a')",
		"stdup.star":  "load('@stdlib//../a.star', 'a')",
		"repo.star":   "load('@other//a.star', 'a')",
		"link.star":   "load('link/x.star', 'x')",
		"frozen.star": "load('@stdlib//a.star', 'list')\nlist.append(1)",
	})
	if err := os.Symlink(outside, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	lib := fstest.MapFS{
		"a.star":     {Data: []byte("load('sub/b.star', 'b')\na = b\nlist = []")},
		"sub/b.star": {Data: []byte("load('../c.star', 'c')\nb = c")},
		"c.star":     {Data: []byte("c = 'std'")},
	}
	for _, test := range []struct {
		file, want, wantErr string
		allow               bool
	}{
		{file: "ok.star", want: "once\n2 2 std\n"},
		{file: "up.star", wantErr: "outside of the script's directory; pass --allow-dir"},
		{file: "abs.star", wantErr: "outside of the script's directory"},
		{file: "sub.star", allow: true, want: "2\n"},
		{file: "a.star", wantErr: "in a circle: " + filepath.Join(dir, "a.star") + " -> " + filepath.Join(dir, "b.star") + " -> " + filepath.Join(dir, "a.star")},
		{file: "self.star", wantErr: "in a circle"},
		{file: "none.star", wantErr: "no such file"},
		{file: "name.star", wantErr: "load: name topp not found in module top.star (did you mean top?)"},
		{file: "std.star", wantErr: "the standard library has no such file (did you mean a.star?)"},
		{file: "stdup.star", wantErr: "outside of the standard library"},
		{file: "repo.star", wantErr: "there is no library"},
		{file: "link.star", wantErr: "cannot load link/x.star"},
		{file: "frozen.star", wantErr: "make a copy, list(x)"},
	} {
		out := &bytes.Buffer{}
		o := Options{Stdout: out, Stdlib: lib}
		if test.allow {
			o.AllowDirs = []string{outside}
		}
		err := newTestSession(t, o).ExecFile(filepath.Join(dir, test.file))
		switch {
		case test.wantErr != "":
			wantError(t, err, ScriptError, test.wantErr)
		case err != nil || out.String() != test.want:
			t.Errorf("%s prints %q, %v; want %q", test.file, out, err, test.want)
		}
	}
}

func TestReadFile(t *testing.T) {
	dir := writeTree(t, map[string]string{"s.star": "", "data/x.txt": "hello"})
	s := newTestSession(t, Options{})
	if err := s.ExecFile(filepath.Join(dir, "s.star")); err != nil {
		t.Fatal(err)
	}
	if data, err := s.ReadFile("data/x.txt"); string(data) != "hello" || err != nil {
		t.Errorf("the file reads %q, %v", data, err)
	}
	for _, name := range []string{"../x", "/etc/hostname", "data", "none", ""} {
		if data, err := s.ReadFile(name); err == nil {
			t.Errorf("%s reads %q", name, data)
		}
	}
	if m := string(s.Manifest()); !strings.Contains(m, `"name": "data/x.txt"`) {
		t.Errorf("the manifest does not name the file:\n%s", m)
	}
}

func TestMaxSteps(t *testing.T) {
	s := newTestSession(t, Options{MaxSteps: 50_000})
	wantError(t, s.Exec("l.star", "n = 0\nwhile True:\n    n += 1\n"), ScriptError, "the script took more than 50000 steps: raise --max-steps", "l.star:")
	// A loop in a loaded file counts too, and so do many cells.
	dir := writeTree(t, map[string]string{"a.star": "load('b.star', 'x')", "b.star": "x = 0\nwhile True:\n    x += 1\n"})
	wantError(t, newTestSession(t, Options{MaxSteps: 50_000}).ExecFile(filepath.Join(dir, "a.star")), ScriptError, "--max-steps", "b.star")
	s = newTestSession(t, Options{MaxSteps: 50_000})
	var err error
	for range 10 {
		if _, err = s.Cell("In", "for i in range(2000):\n    x = i\n"); err != nil {
			break
		}
	}
	wantError(t, err, ScriptError, "--max-steps")
	// assert.fails cannot catch it.
	s = newTestSession(t, Options{MaxSteps: 50_000})
	wantError(t, s.Exec("l.star", "def f():\n    while True:\n        pass\n\nassert.fails(f, '.*')\nprint('alive')\n"), ScriptError, "--max-steps")
	if err := newTestSession(t, Options{MaxSteps: 50_000}).Exec("ok.star", "for i in range(1000):\n    pass\n"); err != nil {
		t.Error(err)
	}
}

func TestInterrupt(t *testing.T) {
	s := newTestSession(t, Options{})
	go func() {
		time.Sleep(20 * time.Millisecond)
		s.Interrupt("Ctrl-C")
	}()
	_, err := s.Cell("In[1]", "x = 7\nwhile True:\n    pass\n")
	wantError(t, err, Interrupted, "interrupted: Ctrl-C", "In[1]:")
	if ExitCodeOf(err) != 130 {
		t.Errorf("the exit code is %d", ExitCodeOf(err))
	}
	// The session goes on, with what the cell did before.
	if v, err := s.Cell("In[2]", "x + 1"); err != nil || v.String() != "8" {
		t.Errorf("the next cell gives %v, %v", v, err)
	}
	// A built-in that polls returns the error of Poll.
	s.Interrupt("")
	if err := s.Poll(); err == nil || err.Error() != "interrupted" {
		t.Errorf("Poll says %v", err)
	}
	if err := s.Fork(2).Poll(); err == nil {
		t.Error("the fork of an interrupted session is not interrupted")
	}
	wantError(t, s.Exec("b.star", "x = 1"), Interrupted, "interrupted")
}

// A broken invariant is told once, with the seed and the place in the script.
func TestInternalError(t *testing.T) {
	s := newTestSession(t, Options{Seed: 42})
	boom := &Builtin{Name: "boom", Impl: func(*Call) (starlark.Value, error) { panic("sched: task 7 is on two run queues") }}
	s.env = starlark.StringDict{"boom": starlark.NewBuiltin("boom", boom.call)}
	err := s.Exec("b.star", "def f():\n    boom()\n\nf()\n")
	wantError(t, err, InternalError, "internal error: task 7 is on two run queues (seed 42)", "b.star:2:9: in f", "please report it")
	boom.Impl = func(*Call) (starlark.Value, error) { return nil, []error{}[0] }
	wantError(t, s.Exec("b.star", "boom()"), InternalError, "index out of range")
	boom.Impl = func(*Call) (starlark.Value, error) { return nil, nil }
	if err := s.Exec("b.star", "boom()"); err != nil {
		t.Errorf("the session does not go on after a broken invariant: %v", err)
	}
}

func TestUsageErrors(t *testing.T) {
	dir := t.TempDir()
	s := newTestSession(t, Options{})
	wantError(t, s.ExecFile(filepath.Join(dir, "none.star")), UsageError, "script "+dir+"/none.star: no such file or directory")
	wantError(t, s.ExecFile(dir), UsageError, "is a directory")
	_, err := NewSession(Options{AllowDirs: []string{filepath.Join(dir, "none")}})
	wantError(t, err, UsageError, "none: no such file or directory")
	_, err = NewSession(Options{Params: map[string]string{"a-b": "1"}})
	wantError(t, err, UsageError, "write -p name=value")
}
