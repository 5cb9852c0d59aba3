package bindings

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.starlark.net/starlark"

	"schedrepl/engine/table"
)

// evalScript runs a script and returns one of its globals.
func evalScript(t *testing.T, o Options, src, name string) starlark.Value {
	t.Helper()
	s := newTestSession(t, o)
	globals, err := s.execMain("test.star", src)
	if err != nil {
		t.Fatal(err)
	}
	return globals[name]
}

const experiment = `
def one(seed, on):
    m = machine(topo.smp(2), costs = costs.none)
    m.spawn("hog", work.run_forever(), cpus = 0)
    t = m.spawn("web", work.loop([work.run(dist.exponential(2 * ms)), work.sleep(dist.uniform(1 * ms, 9 * ms))]), cpus = 0, nice = 5 if on else 0)
    m.run(1 * sec)
    w = m.waits(t)
    print("seed", seed)
    return {"mean": w.mean, "n": w.n}

t = repeat(one, seeds = 3, args = {"on": True})
print(t)
t.save("t.csv")
t.save("t.json")
t.save("t.txt")
waits = stats.samples(t["mean"], name = "mean wait")
print(waits.interval(), stats.bootstrap([(i * 7919 % 101) * us for i in range(40)]))
f = plot.cdf({"on": waits}, title = "waits")
g = plot.line({"n": t.select(["seed", "n"])})
f.save("f.png")
f.save("f.svg")
plot.grid([f, g]).save("sub/grid.pdf")
m = machine(topo.smp(2))
m.spawn("a", work.loop([work.run(3 * ms), work.sleep(1 * ms)]))
m.run(50 * ms)
plot.timeline(m).save("who.png")
`

// The same script with the same seed prints and saves the same bytes.
func TestOutputsAreDeterministic(t *testing.T) {
	run := func(seed uint64) (string, map[string]string) {
		dir, out := t.TempDir(), &bytes.Buffer{}
		s := newTestSession(t, Options{Stdout: out, Stderr: out, OutDir: dir, Seed: seed})
		if err := s.Exec("experiment.star", experiment); err != nil {
			t.Fatal(err)
		}
		files := map[string]string{"manifest": string(s.Manifest())}
		for _, f := range s.Saved() {
			data, err := os.ReadFile(filepath.Join(dir, f.Name))
			if err != nil {
				t.Fatal(err)
			}
			if len(data) == 0 {
				t.Errorf("%s is empty", f.Name)
			}
			files[f.Name] = string(data)
		}
		return out.String(), files
	}
	out1, files1 := run(7)
	out2, files2 := run(7)
	if out1 != out2 {
		t.Errorf("two runs print\n%s\nand\n%s", out1, out2)
	}
	if len(files1) != 8 {
		t.Errorf("there are %d files, want 8", len(files1))
	}
	for name, data := range files1 {
		if files2[name] != data {
			t.Errorf("%s differs between two runs", name)
		}
	}
	if !strings.HasPrefix(files1["f.png"], "\x89PNG") || !strings.Contains(files1["f.svg"], "<svg") || !strings.HasPrefix(files1["sub/grid.pdf"], "%PDF") {
		t.Error("a figure is not in the format that its name says")
	}
	if want := "seed,mean_ns,n\r\n1,"; !strings.HasPrefix(files1["t.csv"], want) {
		t.Errorf("the CSV is %q, want it to begin with %q", files1["t.csv"], want)
	}
	if !strings.HasPrefix(out1, "seed 1\nseed 2\nseed 3\none\n") {
		t.Errorf("the runs print %q", out1)
	}
	// The seeds of repeat are the function's, not the session's; the bootstrap
	// follows the session's.
	out3, files3 := run(8)
	if files3["t.csv"] != files1["t.csv"] {
		t.Error("the session's seed changes what repeat runs")
	}
	if out3 == out1 {
		t.Error("the session's seed does not change the bootstrap")
	}
}

// interruptingWriter interrupts a session once something was written to it.
type interruptingWriter struct {
	bytes.Buffer
	at string
	s  *Session
}

func (w *interruptingWriter) Write(p []byte) (int, error) {
	n, err := w.Buffer.Write(p)
	if strings.Contains(w.String(), w.at) {
		w.s.Interrupt("enough")
	}
	return n, err
}

// An interrupt stops repeat, and what it has so far is shown.
func TestRepeatInterrupted(t *testing.T) {
	out, notes := &interruptingWriter{at: "run 3"}, &bytes.Buffer{}
	out.s = newTestSession(t, Options{Stdout: out, Stderr: notes})
	err := out.s.Exec("test.star", "def f(seed):\n    print(\"run\", seed)\n    return {\"x\": seed * ms}\n\nrepeat(f, 1000)\nprint(\"never\")")
	if ExitCodeOf(err) != int(Interrupted) {
		t.Fatalf("the error is %v, want an interrupt", err)
	}
	if !strings.Contains(notes.String(), "repeat was stopped after 3 of 1000 seeds") {
		t.Errorf("the note is %q", notes)
	}
	if text := out.String(); !strings.Contains(text, "x (ms)") || !strings.Contains(text, "   3 ") || strings.Contains(text, "never") {
		t.Errorf("the output is\n%s", text)
	}
}

// The runs of repeat count towards the limit of steps.
func TestRepeatIsCharged(t *testing.T) {
	src := "def f(seed):\n    for i in range(1000):\n        pass\n    return seed\n\nrepeat(f, 100)"
	if err := newTestSession(t, Options{MaxSteps: 1_000_000}).Exec("test.star", src); err != nil {
		t.Errorf("within the limit: %v", err)
	}
	err := newTestSession(t, Options{MaxSteps: 100_000}).Exec("test.star", src)
	if err == nil || !strings.Contains(err.Error(), "more than 100000 steps") {
		t.Errorf("the error is %v, want one of the limit", err)
	}
}

// An error in a run shows the place in the function, and the seed.
func TestRepeatErrorHasPlaceAndSeed(t *testing.T) {
	err := newTestSession(t, Options{}).Exec("test.star", "def f(seed):\n    return 1 // (seed - 2)\n\nrepeat(f, 3)")
	var e *Error
	if !errors.As(err, &e) || len(e.Frames) != 2 {
		t.Fatalf("the error is %v, want one with two places", err)
	}
	if e.Frames[0].Line != 4 || e.Frames[1].Line != 2 || !strings.HasPrefix(e.Msg, "with seed 2: ") {
		t.Errorf("the error is %v", err)
	}
}

// Numbers of calls are unique over a session and those that it forks.
func TestCallNumbers(t *testing.T) {
	s := newTestSession(t, Options{})
	fns := []*starlark.Builtin{starlark.NewBuiltin("a", nil), starlark.NewBuiltin("b", nil), starlark.NewBuiltin("c", nil)}
	a := s.addCall(fns[0])
	f := s.Fork(2)
	b := f.addCall(fns[1])
	g := f.Fork(3)
	c := g.addCall(fns[2])
	for i, n := range []int32{a, b, c} {
		if got := g.callback(n); got != starlark.Callable(fns[i]) {
			t.Errorf("call %d is %v, want %v", n, got, fns[i])
		}
	}
	more := evalScript(t, Options{}, "def more(m, t):\n    return work.call(more)", "more").(*starlark.Function)
	first := s.addCall(more)
	if again := s.addCall(more); again != first {
		t.Errorf("a function that is added again has the number %d, and had %d", again, first)
	}
	if a == b || b == c {
		t.Errorf("the numbers are %d, %d, %d", a, b, c)
	}
}

// Front ends find the methods that show tables and figures.
func TestFrontEndMethods(t *testing.T) {
	v := evalScript(t, Options{}, "x = [table(\"t\", [\"n\"], [(1,)]), plot.cdf([1, 2])]", "x").(*starlark.List)
	tab, ok := v.Index(0).(interface{ Table() *table.Table })
	if !ok || tab.Table().NumRows() != 1 {
		t.Errorf("%v gives no table", v.Index(0))
	}
	fig, ok := v.Index(1).(interface {
		WriteImage(w io.Writer, format string) error
	})
	b := &bytes.Buffer{}
	if !ok || fig.WriteImage(b, "svg") != nil || b.Len() == 0 {
		t.Errorf("%v gives no image", v.Index(1))
	}
}

func TestShortText(t *testing.T) {
	for _, test := range []struct {
		x    float64
		unit string
		want string
	}{
		{0, "ns", "0s"}, {999, "ns", "999ns"}, {12_345_678, "ns", "12.35ms"}, {9_999_999, "ns", "10ms"},
		{40e6, "ns", "40ms"}, {61_266_123_456, "ns", "61.27s"}, {-12_345_678, "ns", "-12.35ms"}, {2.5, "", "2.5"}, {1234567, "MB/s", "1.235e+06 MB/s"},
	} {
		if got := shortText(test.x, test.unit); got != test.want {
			t.Errorf("shortText(%v, %q) is %q, want %q", test.x, test.unit, got, test.want)
		}
	}
}
