package validate

import (
	"strings"
	"testing"
)

// A difference is told with its line, both versions of it, what came before, and
// the tasks on both sides.
func TestDifference(t *testing.T) {
	trace := goodTrace(t)
	for _, tc := range []struct{ name, old, new, want string }{
		{"vruntime", "switch h R s 8701424 6205260", "switch h R s 8701424 6205261", `c: line 7 of 8 differs
  recorded: 14000000 0 switch h R s 8701424 6205261
  model:    14000000 0 switch h R s 8701424 6205260
  before it, equal:
    10250000 0 fork h
    10250000 0 wakeup_new s 0 6205260
    10250000 0 fork s
    10250000 0 switch idle/0 R h 0 4951424
    12000000 0 setnice s -5
  after it, at 14000000 ns of the model; vruntimes as last accounted, the recorded ones as last told:
task  nice  group  model  model_vruntime  min_vruntime  recorded  recorded_vruntime  recorded_at  difference
────  ────  ─────  ─────  ──────────────  ────────────  ────────  ─────────────────  ───────────  ──────────
h        0  A      waits         8701424       8701424  waits               8701424     14000000           0
s       -5  /      runs          6205260       6205260  runs                6205261     14000000          -1`},
		{"task", "switch h R s 8701424 6205260", "switch h R x 8701424 6205260", `c: line 7 of 8 differs
  recorded: 14000000 0 switch h R x 8701424 6205260
  model:    14000000 0 switch h R s 8701424 6205260
  before it, equal:
    10250000 0 fork h
    10250000 0 wakeup_new s 0 6205260
    10250000 0 fork s
    10250000 0 switch idle/0 R h 0 4951424
    12000000 0 setnice s -5
  after it, at 14000000 ns of the model; vruntimes as last accounted, the recorded ones as last told:
task  nice  group  model  model_vruntime  min_vruntime  recorded  recorded_vruntime  recorded_at  difference
────  ────  ─────  ─────  ──────────────  ────────────  ────────  ─────────────────  ───────────  ──────────
h        0  A      waits         8701424       8701424  waits               8701424     14000000           0
s       -5  /      runs          6205260       6205260  waits               6205260     10250000           0
x        -  -      -                   -             -  runs                6205260     14000000           -`},
	} {
		changed := strings.Replace(trace, tc.old, tc.new, 1)
		if changed == trace {
			t.Fatalf("%s: %q is not in the trace\n%s", tc.name, tc.old, trace)
		}
		e, err := CompareExact(capture(good, zipped(changed)), "c")
		if err != nil {
			t.Fatal(err)
		}
		if got := e.String(); got != tc.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tc.name, got, tc.want)
		}
	}
}

// A trace that is longer or shorter than the model's differs where one ends.
func TestDifferenceAtTheEnd(t *testing.T) {
	trace := goodTrace(t)
	lines := strings.Count(trace, "\n")
	last := trace[strings.LastIndex(strings.TrimSuffix(trace, "\n"), "\n")+1:]
	for _, tc := range []struct {
		text      string
		at        int
		want, got string
	}{
		{strings.TrimSuffix(trace, last), lines, "", strings.TrimSuffix(last, "\n")},
		{trace + "15000000 0 fork x\n", lines + 1, "15000000 0 fork x", ""},
	} {
		e, err := CompareExact(capture(good, zipped(tc.text)), "c")
		if err != nil {
			t.Fatal(err)
		}
		if e.Equal || e.At != tc.at || e.Want != tc.want || e.Got != tc.got || !strings.Contains(e.String(), "(end of trace)") {
			t.Errorf("got %v", e)
		}
	}
}

// A difference at the very first line, before anything has happened, is told
// too.
func TestDifferenceAtTheStart(t *testing.T) {
	trace := goodTrace(t)
	e, err := CompareExact(capture(good, zipped("10250000 0 wakeup_new x 0 1\n"+trace)), "c")
	if err != nil {
		t.Fatal(err)
	}
	if e.Equal || e.At != 1 || !strings.Contains(e.String(), "x ") {
		t.Errorf("got %v", e)
	}
}

// The model stops at the first difference: what follows in the recording does
// not matter, however long the run.
func TestSameTwice(t *testing.T) {
	trace := zipped(strings.Replace(goodTrace(t), "setnice s -5", "setnice s -4", 1))
	text := strings.Replace(good, `"end_ns": 15000000`, `"end_ns": 3600000000000`, 1)
	var first string
	for i := range 2 {
		e, err := CompareExact(capture(text, trace), "c")
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = e.String()
		} else if e.String() != first {
			t.Errorf("two comparisons differ:\n%s\n%s", first, e)
		}
	}
}
