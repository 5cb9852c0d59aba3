package bindings

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"go.starlark.net/starlark"
)

// abuse are arguments that some built-in will not like.
var abuse = []string{
	"None", "True", "0", "-1", "3", "1 << 70", "-(1 << 70)", "0.5", "-1e300", `float("nan")`, `float("inf")`,
	`""`, `"x"`, `"5ms"`, `"{"`, `"("`, `"../x"`, "[]", "[1]", "[None]", "[[]]", "()", "{}", `{"a": 1}`, "set([1])",
	"0 * ms", "-5 * ms", "5 * ms", "9223372036 * sec", "64 * KiB", "lambda: 1", "lambda x: x", "print", "math", "struct(a = 1)", "range(3)", "b'x'",
}

// No argument makes a function panic: it returns a value or an error of the
// script.
func TestAbuse(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, b := range entriesByName() {
		if b.Recv != "" || !b.isFunc() {
			continue
		}
		for range 60 {
			var args []string
			for range rng.IntN(len(b.Params) + 2) {
				args = append(args, abuse[rng.IntN(len(abuse))])
			}
			src := fmt.Sprintf("%s(%s)", b.Name, strings.Join(args, ", "))
			err := newTestSession(t, Options{MaxSteps: 100_000}).Exec("abuse.star", src)
			if ExitCodeOf(err) == int(InternalError) {
				t.Errorf("%s: %v", src, err)
			}
		}
	}
}

// No operator makes a quantity panic, and no attribute any value of the pool.
func TestAbuseOperators(t *testing.T) {
	for _, x := range abuse {
		for _, y := range []string{"5 * ms", "-9223372036 * sec", "0 * ms", "64 * KiB"} {
			for _, op := range []string{"+", "-", "*", "/", "//", "%", "<", "==", "in", "|", "&", "<<"} {
				for _, src := range []string{
					fmt.Sprintf("(%s) %s (%s)", x, op, y), fmt.Sprintf("(%s) %s (%s)", y, op, x),
				} {
					thread := &starlark.Thread{}
					_, _ = starlark.EvalOptions(fileOptions(), thread, "abuse", src, registry().env)
				}
			}
		}
	}
}

// A script made of the pieces of others fails with an error of the script, or
// runs.
func FuzzExec(f *testing.F) {
	for _, s := range []string{
		"x = 5 * ms\nprint(x)", "def f(x):\n  return f(x)\nf(1)", "load('x', 'y')", "param('a', 1)", "f'{x}'", "x = (", "a = [i for i in",
		"ms = 3\n1 * sec + ms", "check(0)", "assert.eq(1,\n2)", "\xff", "x = '", "if x:\npass", "help(help)", "fmt('{}', fmt)",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if strings.Contains(src, "*") && strings.ContainsAny(src, "[('\"") {
			return // Repetition can ask for all of the memory.
		}
		s := newTestSession(t, Options{MaxSteps: 20_000})
		err := s.Exec("fuzz.star", src)
		if err != nil {
			_ = err.Error()
		}
		if ExitCodeOf(err) == int(InternalError) {
			t.Errorf("%q: %v", src, err)
		}
		_, err = s.Cell("In", src)
		if ExitCodeOf(err) == int(InternalError) {
			t.Errorf("cell %q: %v", src, err)
		}
		s.Complete(src)
	})
}

func BenchmarkBuiltinCall(b *testing.B) {
	v, err := starlark.EvalOptions(fileOptions(), &starlark.Thread{}, "bench", "abs", registry().env)
	if err != nil {
		b.Fatal(err)
	}
	thread := &starlark.Thread{}
	args := starlark.Tuple{Duration(-5)}
	for b.Loop() {
		if _, err := starlark.Call(thread, v, args, nil); err != nil {
			b.Fatal(err)
		}
	}
}
