package validate

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// setup writes a set-up in a few words, one thing a line; launch is at 10.25 ms
// unless it says otherwise:
//
//	launch 10ms
//	end 40ms
//	hz 250
//	on NEXT_BUDDY
//	off START_DEBIT
//	tunable wakeup_granularity_ns 500000
//	group x below P shares 512
//	task s nice 5 BATCH in x: run 2ms, sleep 8ms, again
//	kid k: run 7ms
//	at 500.123457ms set_nice s 5
//
// A program that ends in "again" loops to its first step, one that ends in
// "again N" to step N; others exit at their end. Of the groups, the parent is
// the root and the shares are the default unless given.
func setup(t testing.TB, text string) *scenario {
	t.Helper()
	s := &scenario{Name: t.Name(), Source: exactSource, HZ: 1000, End: 50_000_000, Tunables: map[string]json.RawMessage{}}
	s.Launch.At = 10_250_000
	s.Topology.CPUs = make([]struct {
		CPU int `json:"cpu"`
	}, 1)
	for line := range strings.Lines(text) {
		w := strings.Fields(strings.NewReplacer(":", " : ", ",", " , ").Replace(line))
		if len(w) == 0 {
			continue
		}
		switch w[0] {
		case "launch":
			s.Launch.At = span(t, w[1])
		case "end":
			s.End = span(t, w[1])
		case "hz":
			fmt.Sscan(w[1], &s.HZ)
		case "on":
			s.FeaturesOn = append(s.FeaturesOn, w[1])
		case "off":
			s.FeaturesOff = append(s.FeaturesOff, w[1])
		case "tunable":
			s.Tunables[w[1]] = json.RawMessage(w[2])
		case "group":
			s.Groups = append(s.Groups, setupGroup(t, w))
		case "task", "kid":
			s.Tasks = append(s.Tasks, setupTask(t, w))
		case "at":
			value := w[4]
			switch w[2] {
			case "move_to_group":
				value = fmt.Sprintf("%q", value)
			case "set_policy":
				value = fmt.Sprintf(`{"policy":%q}`, value)
			}
			s.Controls = append(s.Controls, control{At: span(t, w[1]), Action: w[2], Target: w[3], Value: json.RawMessage(value)})
		default:
			t.Fatalf("set-up: %q", line)
		}
	}
	if err := s.check(); err != nil {
		t.Fatalf("set-up: %v", err)
	}
	return s
}

func span(t testing.TB, word string) int64 {
	t.Helper()
	d, err := time.ParseDuration(word)
	if err != nil {
		t.Fatalf("set-up: %v", err)
	}
	return int64(d)
}

func setupGroup(t testing.TB, w []string) group {
	t.Helper()
	g := group{Name: w[1], Parent: "/"}
	for i := 2; i+1 < len(w); i += 2 {
		switch w[i] {
		case "below":
			g.Parent = w[i+1]
		case "shares":
			g.Shares = new(int64)
			fmt.Sscan(w[i+1], g.Shares)
		default:
			t.Fatalf("set-up: group: %q", w[i])
		}
	}
	return g
}

func setupTask(t testing.TB, w []string) task {
	t.Helper()
	tk := task{Name: w[1], Policy: "NORMAL", Group: "/", Template: w[0] == "kid", ExitAtEnd: true}
	i := 2
	for ; w[i] != ":"; i++ {
		switch w[i] {
		case "nice":
			fmt.Sscan(w[i+1], &tk.Nice)
			i++
		case "in":
			tk.Group = w[i+1]
			i++
		default:
			tk.Policy = w[i]
		}
	}
	step := func(format string, args ...any) {
		tk.Program = append(tk.Program, json.RawMessage(fmt.Sprintf(format, args...)))
	}
	for _, words := range splitWords(w[i+1:], ",") {
		arg := ""
		if len(words) > 1 {
			arg = words[1]
		}
		switch words[0] {
		case "run":
			step(`{"run_ns":%d}`, span(t, arg))
		case "hog":
			step(`{"run_ns":"forever"}`)
		case "sleep":
			step(`{"sleep_ns":%d}`, span(t, arg))
		case "period":
			step(`{"sleep_until_next_period_ns":%d}`, span(t, arg))
		case "yield", "block":
			step(`{%q:true}`, words[0])
		case "wake", "fork":
			step(`{%q:%q}`, words[0], arg)
		case "again":
			tk.LoopTo, tk.ExitAtEnd = new(int), false
			if arg != "" {
				fmt.Sscan(arg, tk.LoopTo)
			}
		default:
			t.Fatalf("set-up: step %q", words)
		}
	}
	return tk
}

func splitWords(words []string, at string) [][]string {
	var out [][]string
	for {
		i := slices.Index(words, at)
		if i < 0 {
			return append(out, words)
		}
		out = append(out, words[:i])
		words = words[i+1:]
	}
}

// expect runs a set-up by the engine, with ticks skipped and not, and by the
// second model of these tests, and fails unless the lines are in each trace, in
// order. A line that begins with "no " must not be there at all; "a .. b" means
// that b is the very next line after a.
func expect(t *testing.T, text string, lines ...string) {
	t.Helper()
	s := setup(t, text)
	skipped, h, err := s.trace(false)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.m.Check(); err != nil {
		t.Error(err)
	}
	all, _, err := s.trace(true)
	if err != nil {
		t.Fatal(err)
	}
	for _, tr := range []struct {
		by    string
		lines []string
	}{{"engine", skipped}, {"engine with all ticks", all}, {"second model", newOracle(s).run()}} {
		if missing := inOrder(tr.lines, lines); missing != "" {
			t.Errorf("%s: %q is not there; the trace is\n%s", tr.by, missing, strings.Join(tr.lines, "\n"))
		}
	}
}

// inOrder returns the first of the wanted lines that is not there.
func inOrder(have, want []string) string {
	i := 0
	for _, line := range want {
		if bare, ok := strings.CutPrefix(line, "no "); ok {
			if slices.ContainsFunc(have, func(s string) bool { return strings.HasPrefix(s, bare) }) {
				return line
			}
			continue
		}
		parts := strings.Split(line, " .. ")
		n := slices.Index(have[i:], parts[0])
		if n < 0 {
			return line
		}
		i += n + 1
		for _, next := range parts[1:] {
			if i >= len(have) || have[i] != next {
				return line
			}
			i++
		}
	}
	return ""
}
