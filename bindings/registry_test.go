package bindings

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"go.starlark.net/starlark"
)

func entriesByName() []*Builtin {
	r := registry()
	var out []*Builtin
	for _, b := range r.names {
		out = append(out, b)
	}
	slices.SortFunc(out, func(a, b *Builtin) int { return strings.Compare(a.FullName(), b.FullName()) })
	return out
}

// Everything that a script can use says what it is.
func TestEverythingIsDocumented(t *testing.T) {
	r := registry()
	for _, b := range entriesByName() {
		if !strings.HasSuffix(strings.TrimSpace(b.Doc), ".") {
			t.Errorf("%s: the doc is %q and does not end a sentence", b.FullName(), b.Doc)
		}
		if b.Example == "" {
			t.Errorf("%s has no example", b.FullName())
		}
		for _, p := range b.Params {
			if p.Doc == "" {
				t.Errorf("%s: parameter %s has no doc", b.FullName(), p.Name)
			}
		}
		if b.Attr && len(b.Params) > 0 {
			t.Errorf("%s is an attribute and has parameters", b.FullName())
		}
	}
	for name, topic := range r.topics {
		if topic.Doc == "" {
			t.Errorf("topic %s has no doc", name)
		}
		if len(r.topicNames(topic)) == 0 {
			t.Errorf("topic %s has no members", name)
		}
	}
	for _, name := range r.Names() {
		if r.names[name] == nil && r.topics[name] == nil {
			t.Errorf("%s is predeclared and not documented", name)
		}
	}
}

// Every example runs as it stands, and prints what it says that it prints: a
// line that begins with print( or show( and ends in two spaces and a comment
// shows its output. The output of an example without such a line stands in the
// reference, and is compared with it.
func TestExamplesRun(t *testing.T) {
	for _, b := range entriesByName() {
		t.Run(b.FullName(), func(t *testing.T) {
			out := &bytes.Buffer{}
			s := newTestSession(t, Options{Stdout: out, Stderr: out, OutDir: t.TempDir()})
			if err := s.Exec("example.star", registry().setup(b)+b.Example); err != nil {
				t.Fatal(err)
			}
			if err := s.checks.finish(); err != nil {
				t.Error(err)
			}
			want := shownOutput(b.Example)
			if n := strings.Count(b.Example, "  # "); n != len(want) {
				t.Errorf("%d comments of the example are read as output, of %d", len(want), n)
			}
			if len(want) == 0 {
				return
			}
			if got := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n"); !slices.EqualFunc(got, want, func(a, b string) bool {
				return strings.TrimSpace(a) == strings.TrimSpace(b)
			}) {
				t.Errorf("the example prints %q and says %q", got, want)
			}
		})
	}
}

func newTestSession(t testing.TB, o Options) *Session {
	t.Helper()
	s, err := NewSession(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// thing is a Go-backed value for the tests of Object and unpacking.
type thing struct {
	Object
	reg *Registry
	n   int
}

func (x *thing) Attr(name string) (starlark.Value, error) { return x.reg.attr(x, name) }
func (x *thing) AttrNames() []string                      { return x.reg.attrs["thing"] }

func testRegistry(t *testing.T) *Registry {
	t.Helper()
	r, err := newRegistry(kindTable(), durationTable(), sizeTable(), Table{
		Topics: []Topic{{Name: "thing", Type: true, Doc: "A thing."}},
		Builtins: []Builtin{
			{Name: "f", Params: []Param{
				{Name: "d", Type: "duration", Min: "1 * ns", Doc: "d"},
				{Name: "n", Type: "int", Default: "3", Min: "0", Doc: "n"},
				{Name: "list", Type: "list of duration | None", Default: "None", Doc: "l"},
				{Name: "mode", Type: "string", Default: `"fast"`, Choices: []string{"fast", "slow"}, KwOnly: true, Doc: "m"},
				{Name: "size", Type: "size", Optional: true, KwOnly: true, Doc: "s"},
			}, Doc: "f.", Impl: func(c *Call) (starlark.Value, error) {
				var list []string
				for _, d := range ArgList[time.Duration](c, "list") {
					list = append(list, Duration(d).String())
				}
				return starlark.String(strings.Join([]string{
					Duration(c.Duration("d")).String(), Size(c.Size("size")).String(),
					starlark.MakeInt(c.Int("n")).String(), strings.Join(list, "+"), c.Str("mode"),
				}, " ")), nil
			}},
			{Name: "g", Params: []Param{
				{Name: "x", Type: "int", Doc: "x"}, {Name: "*args", Type: "any", Doc: "a"},
				{Name: "k", Type: "bool", Default: "False", KwOnly: true, Doc: "k"}, {Name: "**kwargs", Type: "any", Doc: "k"},
			}, Doc: "g.", Impl: func(c *Call) (starlark.Value, error) {
				return starlark.Tuple{starlark.MakeInt(c.Int("x")), c.Args, starlark.Bool(c.Bool("k")), starlark.MakeInt(len(c.Kwargs))}, nil
			}},
			{Recv: "thing", Name: "n", Attr: true, Doc: "n.", Impl: func(c *Call) (starlark.Value, error) {
				return starlark.MakeInt(c.Recv.(*thing).n), nil
			}},
			{Recv: "thing", Name: "add", Params: []Param{{Name: "n", Type: "int", Doc: "n"}}, Doc: "add.",
				Impl: func(c *Call) (starlark.Value, error) {
					c.Recv.(*thing).n += c.Int("n")
					return nil, nil
				}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestUnpack(t *testing.T) {
	r := testRegistry(t)
	for _, test := range []struct{ expr, want, wantErr string }{
		{expr: `f(5 * ms)`, want: `"5ms 0B 3  fast"`},
		{expr: `f("5ms", 4, ["1us", 2 * us], mode = "slow", size = "64KiB")`, want: `"5ms 64KiB 4 1us+2us slow"`},
		{expr: `f(d = 5 * ms, list = None)`, want: `"5ms 0B 3  fast"`},
		{expr: `f(5)`, wantErr: `f: d must carry a unit: write 5 * ms or "5ms", not 5`},
		{expr: `f(0.5)`, wantErr: `f: d must carry a unit: write 0.5 * ms or "0.5ms", not 0.5`},
		{expr: `f("5")`, wantErr: `f: d must carry a unit: write "5ms", not "5"`},
		{expr: `f("5 parsec")`, wantErr: `f: d must be a duration, as "5ms": "5 parsec" has the unknown unit "parsec" (there are ns, us, ms, sec, min, h)`},
		{expr: `f([])`, wantErr: `f: d must be a duration, as 5 * ms or "5ms", not list`},
		{expr: `f(0 * ms)`, wantErr: `f: d must be at least 1ns, not 0s`},
		{expr: `f(1 * ms, -1)`, wantErr: `f: n must be at least 0, not -1`},
		{expr: `f()`, wantErr: `f: missing argument d; the call is f(d, n=3, list=None, *, mode="fast", size=...)`},
		{expr: `f(1 * ms, 2, None, "slow")`, wantErr: `f: got 4 positional arguments, want at most 3; the call is f(d, n=3, list=None, *, mode="fast", size=...)`},
		{expr: `f(1 * ms, modes = "slow")`, wantErr: `f: unknown keyword modes (did you mean mode?); it takes d, n, list, mode, size`},
		{expr: `f(1 * ms, d = 2 * ms)`, wantErr: `f: got two values for d`},
		{expr: `f(1 * ms, mode = "slo")`, wantErr: `f: mode must be one of "fast", "slow", not "slo" (did you mean slow?)`},
		{expr: `f(1 * ms, n = 1.0)`, wantErr: `f: n must be an int: write int(1.0) or use // to divide`},
		{expr: `f(1 * ms, n = 1 << 70)`, wantErr: `f: n is out of range: 1180591620717411303424 does not fit in 64 bits`},
		{expr: `f(1 * ms, n = "x")`, wantErr: `f: n must be an int, not string "x"`},
		{expr: `f(1 * ms, list = [1 * ms, 2])`, wantErr: `f: list must carry a unit: write 2 * ms or "2ms", not 2 (in place 1 of the list)`},
		{expr: `f(1 * ms, list = [1 * ms, None])`, wantErr: `f: list must be a list with a duration, as 5 * ms or "5ms" in each place, not None in place 1`},
		{expr: `f(1 * ms, list = {})`, wantErr: `f: list must be a list (each element a duration, as 5 * ms or "5ms") or None, not dict`},
		{expr: `f(1 * ms, size = 64)`, wantErr: `f: size must carry a unit: write 64 * KiB or "64KiB", not 64`},
		{expr: `g(1, 2, 3, k = True, z = 1, y = 2)`, want: `(1, (2, 3), True, 2)`},
		{expr: `x.n`, want: `7`},
		{expr: `x.add(1)`, want: `None`},
		{expr: `x.addd`, wantErr: `thing has no .addd field or method (did you mean .add?)`},
		{expr: `x.add("1")`, wantErr: `add: n must be an int, not string "1"`},
	} {
		x := &thing{reg: r, n: 7}
		x.Init("thing", x)
		env := starlark.StringDict{"x": x}
		for k, v := range r.env {
			env[k] = v
		}
		v, err := starlark.EvalOptions(fileOptions(), &starlark.Thread{}, "test", test.expr, env)
		switch {
		case err != nil && err.Error() != test.wantErr:
			t.Errorf("%s: the error is\n  %v, want\n  %s", test.expr, err, test.wantErr)
		case err == nil && test.wantErr != "":
			t.Errorf("%s is %v, want the error %s", test.expr, v, test.wantErr)
		case err == nil && v.String() != test.want:
			t.Errorf("%s is %v, want %s", test.expr, v, test.want)
		}
	}
}

// A mistake in a table is found when the registry is made.
func TestRegistryRefuses(t *testing.T) {
	impl := func(*Call) (starlark.Value, error) { return nil, nil }
	for _, test := range []struct {
		b    []Builtin
		want string
	}{
		{[]Builtin{{Name: "f", Impl: impl}, {Name: "f", Impl: impl}}, "f stands twice"},
		{[]Builtin{{Name: "m.f", Impl: impl}}, "no topic for module m"},
		{[]Builtin{{Recv: "t", Name: "f", Impl: impl}}, "no topic for type t"},
		{[]Builtin{{Name: "f", Impl: impl, Params: []Param{{Name: "x", Type: "no such"}}}}, `no kind "no such"`},
		{[]Builtin{{Name: "f", Impl: impl, Params: []Param{{Name: "x", Type: "int", Default: "1 +"}}}}, "default of x"},
		{[]Builtin{{Name: "f"}}, "none of Impl, Value and Const"},
	} {
		_, err := newRegistry(kindTable(), Table{Builtins: test.b})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("the error is %v, want %q in it", err, test.want)
		}
	}
}

func TestReference(t *testing.T) {
	r := Reference()
	for name, want := range map[string]string{
		"fmt":         "fmt(format, *args, **kwargs) -> string\n  Formats values as",
		"duration":    "type duration",
		"duration.ms": "duration.ms: float\n",
		"assert.eq":   "assert.eq(x, y, message=\"\")",
		"near":        "assert.near(x, y, within",
		"ms":          "ms: duration\n",
		"len":         "part of the language Starlark",
	} {
		got, err := r.Text(name)
		if err != nil || !strings.Contains(got, want) {
			t.Errorf("the text of %s is %q (%v), want %q in it", name, got, err, want)
		}
	}
	if _, err := r.Text("asert"); err == nil || !strings.Contains(err.Error(), "did you mean assert?") {
		t.Errorf("the error is %v, want a suggestion", err)
	}
	if got := r.Keywords("round"); !slices.Equal(got, []string{"x", "digits"}) {
		t.Errorf("the keywords of round are %v", got)
	}
}
