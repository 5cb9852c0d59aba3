package bindings

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"go.starlark.net/starlark"
)

func TestCells(t *testing.T) {
	s := newTestSession(t, Options{})
	for _, test := range []struct{ src, want, wantErr string }{
		{src: "x = 5 * ms", want: "nil"},
		{src: "x * 2", want: "10ms"},
		{src: "def f(d):\n    return d + x\n\nf(1 * ms)", want: "6ms"},
		{src: "", want: "nil"},
		{src: "# a comment", want: "nil"},
		{src: "x = 1\nx +", wantErr: "In:2"},
		{src: "x", want: "5ms"},
		{src: "y = 1\n1 / 0", wantErr: "division by zero"},
		{src: "y", want: "1"},
		{src: "ms = 3", want: "nil"},
		{src: "assert.near(1 * sec, 1 * sec, within = 5 * ms)", wantErr: "`ms` was rebound at line 1; write \"5ms\""},
		{src: "z = round(1 * sec, 5 * ms, 1)", wantErr: "at most 2"},
		{src: "ms = 1000 * us\nround(2600 * us, 1 * ms)", want: "3ms"},
		{src: "None", want: "None"},
		{src: "for i in range(3):\n    last = i\n\nlast", want: "2"},
		{src: "[i for i in range(3)]", want: "[0, 1, 2]"},
		{src: "(lambda a: a + 1)(1)", want: "2"},
		{src: "print(", wantErr: "the text ends"},
	} {
		v, err := s.Cell("In", test.src)
		got := "nil"
		if v != nil {
			got = v.String()
		}
		switch {
		case test.wantErr != "":
			wantError(t, err, ScriptError, test.wantErr)
		case err != nil || got != test.want:
			t.Errorf("%q gives %s, %v; want %s", test.src, got, err, test.want)
		}
	}
	s.Reset()
	if _, err := s.Cell("In", "x"); err == nil {
		t.Error("x is there after Reset")
	}
}

func TestShow(t *testing.T) {
	var shown []string
	s := newTestSession(t, Options{Show: func(v starlark.Value) error {
		shown = append(shown, v.String())
		return nil
	}})
	if err := s.Exec("s.star", "show(1, 5 * ms)"); err != nil || !slices.Equal(shown, []string{"1", "5ms"}) {
		t.Errorf("shown is %v, %v", shown, err)
	}
}

func TestHelp(t *testing.T) {
	out := &bytes.Buffer{}
	s := newTestSession(t, Options{Stdout: out})
	for src, want := range map[string]string{
		"help(math.sqrt)": "math.sqrt(x) -> float",
		"help(math)":      "module math",
		"help(len)":       "part of the language",
		"help((5 * ms))":  "type duration",
		"help([])":        "attributes: append",
		"def f(a, b=2):\n    \"\"\"Adds.\"\"\"\n\nhelp(f)": "f(a, b=2)\n  Adds.\n  defined at In:1",
	} {
		out.Reset()
		if _, err := s.Cell("In", src); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("%s prints %q, %v; want %q in it", src, out, err, want)
		}
	}
	if _, err := s.Cell("In", "help('rond')"); err == nil || !strings.Contains(err.Error(), "did you mean round?") {
		t.Errorf("the error is %v", err)
	}
}

func TestComplete(t *testing.T) {
	s := newTestSession(t, Options{Stdlib: fstest.MapFS{"desktop.star": {}, "sub/x.star": {}, "README": {}}})
	if _, err := s.Cell("In", "delay = 5 * ms\nrec = struct(first = delay, second = 2)\ndef go(fast, far):\n    pass"); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		text, want string
		from       int
	}{
		{"del", "delay", 0},
		{"x = del", "delay", 4},
		{"assert.n", "ne near", 7},
		{"delay.", "ms ns sec us", 6},
		{"rec.first.s", "sec", 10},
		{"rec.", "first second", 4},
		{"param(\"n\", 1, ", "name= default= help= choices=", 14},
		{"param(\"n\", 1, ch", "choices= check chr", 14},
		{"go(f", "fast= far= fail float fmt", 3},
		{"round(abs(1), d", "digits= delay dict dir dist", 14},
		{"[1, (2, 3), del", "delay", 12},
		{"\"del", "", 4},
		{"load(\"@stdlib//d", "desktop.star", 15},
		{"load(\"@stdlib//", "desktop.star sub/x.star", 15},
		{"nothing.", "", 8},
	} {
		from, list := s.Complete(test.text)
		var got []string
		for _, c := range list {
			got = append(got, c.Text)
		}
		want := strings.Fields(test.want)
		if strings.HasSuffix(test.text, ", ") {
			got = slices.DeleteFunc(got, func(s string) bool { return !strings.HasSuffix(s, "=") })
		}
		if from != test.from || !slices.Equal(got, want) {
			t.Errorf("%q completes from %d with %v, want from %d with %v", test.text, from, got, test.from, want)
		}
	}
	s.Complete("delay.ms(") // A value that cannot be called.
	for _, c := range []string{"param", "assert"} {
		if _, list := s.Complete(c); len(list) != 1 || list[0].Doc == "" {
			t.Errorf("%s completes with %v, want one with a doc", c, list)
		}
	}
}

// Forked runs leave the same behind, whichever is ready first.
func TestFork(t *testing.T) {
	out := &bytes.Buffer{}
	s := newTestSession(t, Options{Stdout: out})
	globals, err := s.execMain("f.star", "def f(n):\n    print('run', n)\n    check(n != 2, 'not two')\n    return n * ms\n")
	if err != nil {
		t.Fatal(err)
	}
	const runs = 8
	forks := make([]*Session, runs)
	values := make([]starlark.Value, runs)
	done := make(chan int)
	for i := range runs {
		forks[i] = s.Fork(uint64(i))
		go func() {
			values[i], _ = forks[i].Call(globals["f"], starlark.MakeInt(i))
			done <- i
		}()
	}
	for range runs {
		<-done
	}
	want := ""
	for i, f := range forks {
		if err := s.Join(f); err != nil {
			t.Fatal(err)
		}
		if values[i] != Duration(i)*1e6 {
			t.Errorf("run %d gives %v", i, values[i])
		}
		want += "run " + string(rune('0'+i)) + "\n"
		if i == 2 {
			want += "check failed: not two (f.star:3)\n"
		}
	}
	if out.String() != want {
		t.Errorf("the output is %q, want %q", out, want)
	}
	if passed, failed := s.Checks(); passed != runs-1 || failed != 1 {
		t.Errorf("%d passed, %d failed", passed, failed)
	}
}

func TestRunTests(t *testing.T) {
	dir := writeTree(t, map[string]string{
		"a_test.star": "load('h.star', 'h')\nstate = {'n': 0}\nstate['n'] += 1\n" +
			"def test_good():\n    print('hello')\n    assert.eq(h, 1)\n" +
			"def test_alone():\n    assert.eq(state['n'], 1)\n" +
			"def test_bad():\n    assert.eq(h, 2)\n" +
			"def test_check():\n    check(False, 'no')\n" +
			"def test_args(x):\n    pass\n" +
			"def helper():\n    fail('not a test')\n",
		"h.star":          "h = 1",
		"sub/b_test.star": "def test_sub():\n    pass\n",
		"c_test.star":     "x = \n",
		"d_test.star":     "x = 1\n",
	})
	var got []string
	results, err := RunTests(Options{}, dir, nil, func(r TestResult) {
		line := filepathBase(r.File) + " " + r.Name
		if r.Err != nil {
			line += " " + strings.ReplaceAll(asError(t, r.Err).Msg, "\n", " ")
		}
		got = append(got, line)
	})
	want := []string{
		"a_test.star test_good", "a_test.star test_alone",
		"a_test.star test_bad assert.eq: 1 is not equal to 2",
		"a_test.star test_check 1 of 1 check failed",
		"a_test.star test_args test_args takes 1 parameter: a test takes none",
		"c_test.star  got newline, want an expression",
		"d_test.star  " + dir + "/d_test.star: there is no function whose name begins with test_",
		"b_test.star test_sub",
	}
	want[5] = "c_test.star  the line ends, want an expression"
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("the results are\n%s\n%v, want\n%s", strings.Join(got, "\n"), err, strings.Join(want, "\n"))
	}
	if results[0].Output != "hello\n" || results[0].Time <= 0 {
		t.Errorf("the first result is %v", results[0])
	}
	_, err = RunTests(Options{}, t.TempDir(), nil, nil)
	wantError(t, err, UsageError, "there is no file that ends in _test.star")
	// An interrupted test is the last.
	results, err = RunTests(Options{}, dir, func(s *Session) { s.Interrupt("Ctrl-C") }, nil)
	if err != nil || len(results) != 1 || ExitCodeOf(results[0].Err) != 130 {
		t.Errorf("the results are %v, %v", results, err)
	}
}

func filepathBase(p string) string { return p[strings.LastIndexByte(p, '/')+1:] }
