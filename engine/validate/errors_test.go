package validate

import (
	"encoding/json"
	"os"
	"path"
	"strings"
	"testing"
	"testing/fstest"
)

// good is a capture in which everything is right.
const good = `{
 "name": "good", "source": "LinSched, Linux 3.3.8 kernel/sched", "HZ": 1000,
 "tick": {"period_ns": 1000000, "hrtick": false},
 "tunables": {"sched_latency_ns": 6000000, "child_runs_first": 0},
 "features_on": ["GENTLE_FAIR_SLEEPERS"], "features_off": ["NEXT_BUDDY"],
 "topology": {"cpus": [{"cpu": 0}]},
 "launch": {"t_ns": 10250000, "cpu": 0},
 "end_ns": 15000000,
 "groups": [{"name": "A", "parent": "/", "shares": 512, "cfs_quota_us": null}],
 "tasks": [
  {"name": "h", "nice": 0, "policy": "NORMAL", "group": "A", "start_cpus": null, "allowed_cpus": [0],
   "program": [{"run_ns": "forever"}], "loop_to_index": 0, "exit_at_end": false, "template_for_fork": false},
  {"name": "s", "nice": 5, "policy": "BATCH", "group": "/", "start_cpus": [0], "allowed_cpus": [0],
   "program": [{"run_ns": 1000000}, {"sleep_ns": 1000000}], "loop_to_index": 0, "exit_at_end": false, "template_for_fork": false},
  {"name": "kid", "nice": 0, "policy": "NORMAL", "group": "/", "start_cpus": null, "allowed_cpus": [0],
   "program": [{"run_ns": 1000000}], "loop_to_index": null, "exit_at_end": true, "template_for_fork": true}
 ],
 "controls": [{"t_ns": 12000000, "cpu": 0, "action": "set_nice", "target": "s", "value": -5}]
}`

// goodTrace returns the trace that the model makes of good.
func goodTrace(t testing.TB) string {
	t.Helper()
	s, err := parseScenario([]byte(good))
	if err != nil {
		t.Fatal(err)
	}
	lines, _, err := s.trace(false)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n") + "\n"
}

// capture returns a file system that holds one capture, c.
func capture(scenario string, trace []byte) fstest.MapFS {
	return fstest.MapFS{
		"c/scenario.json": {Data: []byte(scenario)},
		"c/trace.txt.gz":  {Data: trace},
	}
}

// Damage to a set-up is told by its file, what is wrong, and what would be
// right.
func TestScenarioErrors(t *testing.T) {
	trace := zipped(goodTrace(t))
	for _, tc := range []struct{ old, new, want string }{
		{good, "", "the file is empty"},
		{`"controls": [{"t_ns"`, `"controls": [{"t_`, "line 18: no JSON:"},
		{good[len(good)/2:], "", "it was cut off"},
		{`"HZ": 1000`, `"HZ": "fast"`, "line 2: HZ is a string; it must be a whole number"},
		{`"HZ": 1000`, `"HZ": 300`, "HZ: 300: it must lie between 24 and 10000 and divide 10^9"},
		{`"HZ": 1000`, `"HZ": 0`, "HZ: 0: it must lie between"},
		{`"HZ": 1000`, `"HZ": 250`, "tick: period_ns: 1000000: with HZ 250 it must be 4000000"},
		{`"hrtick": false`, `"hrtick": true`, "tick: hrtick: slices that end between ticks"},
		{"LinSched, Linux 3.3.8", "Linux 6.12", `source: "Linux 6.12 kernel/sched": only exact captures`},
		{`[{"cpu": 0}]`, `[]`, "topology: cpus: there are none"},
		{`[{"cpu": 0}]`, `[{"cpu": 0}, {"cpu": 1}]`, "topology: 2 CPUs: exact comparison covers one CPU"},
		{`[{"cpu": 0}]`, `[{"cpu": 3}]`, "the only CPU has number 3"},
		{`10250000, "cpu": 0`, `10250000, "cpu": 1`, "launch: cpu: 1"},
		{`{"t_ns": 10250000`, `{"t_ns": -1`, "launch: t_ns: -1: it must be 0 or more"},
		{`"end_ns": 15000000`, `"end_ns": 9000000`, "end_ns: 9000000: it must come after the launch at 10250000"},
		{`"end_ns": 15000000`, `"end_ns": 9000000000000`, "and be at most 3600000000000"},
		{`"end_ns": 15000000`, `"end_ns": 1.5`, "end_ns is a number 1.5; it must be a whole number"},
		{`"sched_latency_ns": 6000000`, `"sched_latency_ns": "6ms"`, `tunables: sched_latency_ns: "6ms" is not a whole number`},
		{`"sched_latency_ns": 6000000`, `"sched_latency_ns": null`, `tunables: sched_latency_ns: null is not a whole number`},
		{`"sched_latency_ns": 6000000`, `"sched_latency_ns": -6000000`, `tunable latency: -6000000 ns is outside`},
		{`"NEXT_BUDDY"`, `"HRTIC"`, `unknown feature "NO_HRTIC"`},
		{`"parent": "/"`, `"parent": "A"`, `group "A": it is its own parent`},
		{`"parent": "/"`, `"parent": "B"`, `group "A": parent "B" is not defined before it; defined are: /`},
		{`"groups": [`, `"groups": [{"name": "A", "parent": "/"}, `, `group "A": it is defined twice`},
		{`"name": "A"`, `"name": "/"`, `group "/": it is defined twice`},
		{`"name": "A"`, `"name": ""`, `group 0: name: it is empty`},
		{`"name": "A"`, `"name": "a b"`, `it must have no spaces`},
		{`"shares": 512`, `"shares": -1`, `group "A": shares: -1: it must be 0 or more`},
		{`"cfs_quota_us": null`, `"cfs_quota_us": 20000`, "cfs_quota_us: 20000: bandwidth limits are not modelled yet"},
		{`"name": "s"`, `"name": "h"`, `task "h": it is defined twice`},
		{`"nice": 5`, `"nice": 20`, `task "s": nice: 20: it must lie between -20 and 19`},
		{`"nice": 5`, `"nice": "5"`, `line 13: tasks.nice is a string; it must be a whole number`},
		{`"BATCH"`, `"FIFO"`, `task "s": policy: FIFO: the real-time class is not modelled yet`},
		{`"BATCH"`, `"DEADLINE"`, `task "s": policy: "DEADLINE" is not one of NORMAL, BATCH, IDLE`},
		{`"policy": "NORMAL", "group": "A"`, `"policy": "NORMAL", "group": "Z"`, `task "h": group: "Z" is not defined; defined are: / A`},
		{`"start_cpus": [0]`, `"start_cpus": [1]`, `task "s": start_cpus: CPU 1 does not exist; the machine has 0-0`},
		{`"start_cpus": [0]`, `"start_cpus": []`, `task "s": start_cpus: the list is empty`},
		{`"start_cpus": [0], "allowed_cpus": [0]`, `"allowed_cpus": [-1]`, `task "s": allowed_cpus: CPU -1 does not exist`},
		{`"forever"`, `"never"`, `task "h": program: step 0: run_ns: "never": it must be a length in ns, 0 or more, or "forever"`},
		{`{"run_ns": "forever"}`, `{"run_ns": "forever"}, {"run_ns": 1}`, `step 0: run_ns "forever" never ends, so that step 1`},
		{`{"sleep_ns": 1000000}`, `{"sleep_ns": -1}`, `task "s": program: step 1: sleep_ns: -1: it must be a length in ns`},
		{`{"sleep_ns": 1000000}`, `{"sleep_ns": null}`, `sleep_ns: null: it must be a length in ns`},
		{`{"sleep_ns": 1000000}`, `{"sleep_ns": 1e30}`, `sleep_ns: 1e30: it must be a length in ns`},
		{`{"sleep_ns": 1000000}`, `{"sleep_until_next_period_ns": 0}`, `sleep_until_next_period_ns: 0: it must be a length in ns, 1 or more`},
		{`{"sleep_ns": 1000000}`, `{"run_ns": 1, "sleep_ns": 1}`, `step 1: it has the keys "run_ns" and "sleep_ns"; a step has one`},
		{`{"sleep_ns": 1000000}`, `{"run_ns": 1, "run_ns": 1}`, `it has the keys "run_ns" and "run_ns"`},
		{`{"sleep_ns": 1000000}`, `{}`, `step 1: it has no key`},
		{`{"sleep_ns": 1000000}`, `"yield"`, `step 1: "yield": it must be an object with one key`},
		{`{"sleep_ns": 1000000}`, `{"sleep": 1}`, `step 1: unknown step "sleep"; it must be run_ns, sleep_ns`},
		{`{"sleep_ns": 1000000}`, `{"yield": false}`, `step 1: yield: false: it must be true`},
		{`{"sleep_ns": 1000000}`, `{"wake": 3}`, `step 1: wake: 3: it must be a name`},
		{`{"sleep_ns": 1000000}`, `{"wake": "x"}`, `step 1: wake: "x" is not a task`},
		{`{"sleep_ns": 1000000}`, `{"wake": "kid"}`, `step 1: wake: "kid" is not a task; it must be one that is forked at the launch`},
		{`{"sleep_ns": 1000000}`, `{"fork": "h"}`, `step 1: fork: "h" is not a template`},
		{`{"sleep_ns": 1000000}], "loop_to_index": 0`, `{"sleep_ns": 1000000}], "loop_to_index": 2`, `loop_to_index: 2: it must be one of the steps 0-1, or null`},
		{`{"sleep_ns": 1000000}], "loop_to_index": 0`, `{"sleep_ns": 1000000}], "loop_to_index": null`, `nothing says what comes after its last step`},
		{`"loop_to_index": null, "exit_at_end": true`, `"loop_to_index": 0, "exit_at_end": true`, `it cannot both loop and exit`},
		{`[{"run_ns": "forever"}]`, `[]`, `loop_to_index: 0: the program has no steps`},
		{`"exit_at_end": false, "template_for_fork": false},
  {"name": "s"`, `"exit_at_end": false, "template_for_fork": 1},
  {"name": "s"`, `line 12: tasks.template_for_fork is a number; it must be true or false`},
		{`"set_nice"`, `"renice"`, `control 0 (renice of "s" at 12000000 ns): unknown action "renice"; it must be set_nice`},
		{`"target": "s"`, `"target": "x"`, `target: "x" is not a task`},
		{`"target": "s"`, `"target": "kid"`, `target: "kid" is not a task; it must be one that is forked at the launch`},
		{`"value": -5`, `"value": 100`, `value: 100: it must be a nice value`},
		{`"value": -5`, `"value": null`, `value: null: it must be a nice value`},
		{`{"t_ns": 12000000, "cpu": 0`, `{"t_ns": 12000000, "cpu": 2`, `cpu: 2: controls run on CPU 0`},
		{`{"t_ns": 12000000`, `{"t_ns": 1`, `t_ns: it lies outside the run, which goes from 10250000 to 15000000 ns`},
		{`{"t_ns": 12000000`, `{"t_ns": 99000000`, `t_ns: it lies outside the run`},
		{`"set_nice", "target": "s", "value": -5`, `"set_group_shares", "target": "s", "value": 5`, `target: "s" is not a group that has shares`},
		{`"set_nice", "target": "s", "value": -5`, `"set_group_shares", "target": "/", "value": 5`, `target: "/" is not a group that has shares`},
		{`"set_nice", "target": "s", "value": -5`, `"set_group_shares", "target": "A", "value": "x"`, `value: "x": it must be a number of shares`},
		{`"set_nice", "target": "s", "value": -5`, `"set_affinity", "target": "s", "value": [1]`, `value: CPU 1 does not exist`},
		{`"set_nice", "target": "s", "value": -5`, `"set_affinity", "target": "s", "value": 0`, `value: 0: it must be a list of CPUs`},
		{`"set_nice", "target": "s", "value": -5`, `"move_to_group", "target": "s", "value": "B"`, `value: "B": it must be one of the groups: / A`},
		{`"set_nice", "target": "s", "value": -5`, `"set_policy", "target": "s", "value": {"policy": "RR"}`, `value: RR: the real-time class is not modelled yet`},
		{`"set_nice", "target": "s", "value": -5`, `"set_policy", "target": "s", "value": "RR"`, `value: "RR": it must be an object with a policy`},
		{`"tasks": [`, `"tasks": [], "more": [`, "tasks: there are none to launch"},
	} {
		text := strings.Replace(good, tc.old, tc.new, 1)
		if text == good {
			t.Errorf("%q is not in the set-up", tc.old)
			continue
		}
		_, err := CompareExact(capture(text, trace), "c")
		if err == nil || !strings.HasPrefix(err.Error(), "c/scenario.json: ") || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%q: error\n  %v, want\n  %s", tc.new, err, tc.want)
		}
	}
}

// Damage to a trace is told by its file and line.
func TestTraceErrors(t *testing.T) {
	text := goodTrace(t)
	whole := zipped(text)
	lines := strings.SplitAfter(text, "\n")
	edit := func(n int, line string) []byte {
		return zipped(strings.Join(lines[:n-1], "") + line + "\n" + strings.Join(lines[n:], ""))
	}
	for _, tc := range []struct {
		name, want string
		data       []byte
	}{
		{"no gzip", "damaged: no gzip file: gzip: invalid header", []byte("10250000 0 fork h\n")},
		{"empty file", "damaged: no gzip file", nil},
		{"empty trace", "damaged: the trace is empty", zipped("")},
		{"blank", "damaged: the trace is empty", zipped("\n\n\r\n")},
		{"cut off", "it was cut off", whole[:len(whole)/2]},
		{"cut at the end", "it was cut off", whole[:len(whole)-3]},
		{"wrong sum", "damaged after line", append(whole[:len(whole)-8:len(whole)-8], 1, 2, 3, 4, 5, 6, 7, 8)},
		{"two words", `damaged: line 3: "10250000 0" is not "time cpu event ..."`, edit(3, "10250000 0")},
		{"no time", `line 3: time "x" is not a number of ns`, edit(3, "x 0 fork h")},
		{"negative time", `line 3: time "-5" is not a number of ns`, edit(3, "-5 0 fork h")},
		{"no CPU", `line 3: CPU "a" is not a CPU's number`, edit(3, "10250000 a fork h")},
		{"other CPU", "line 3: CPU 1 does not exist; the machine has 0-0", edit(3, "10250000 1 fork h")},
		{"time goes back", "line 4: time goes back from 10250000 to 10249999 ns", edit(4, "10249999 0 fork h")},
		{"after the end", "line 7: it is at 15000001 ns, after the end of the run at 15000000 ns", edit(7, "15000001 0 fork h")},
		{"event", `line 3: unknown event "frok"`, edit(3, "10250000 0 frok h")},
		{"fields", "line 3: switch has 4 fields; it must have 5", edit(3, "10250000 0 switch a R b 1")},
		{"too many", "has too many words", edit(3, "10250000 0 switch a R b 1 2 3 4")},
		{"state", `line 3: state "Q" is not R, S or X`, edit(3, "10250000 0 switch a Q b 1 2")},
		{"vruntime", `line 3: wakeup: "1.5" is not a whole number`, edit(3, "10250000 0 wakeup h 0 1.5")},
		{"target CPU", `line 3: wakeup: CPU "-1" is not a CPU's number`, edit(3, "10250000 0 wakeup h -1 0")},
		{"long line", "damaged: line 3 has more than 4096 bytes", edit(3, strings.Repeat("x", 5000))},
	} {
		_, err := CompareExact(capture(good, tc.data), "c")
		if err == nil || !strings.HasPrefix(err.Error(), "c/trace.txt.gz: ") || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: error\n  %v, want\n  %s", tc.name, err, tc.want)
		}
	}
}

// A trace beyond the bounds is refused at the line where they are passed.
func TestTraceLimits(t *testing.T) {
	text := strings.Repeat("5 0 fork x\n", 100)
	for _, tc := range []struct {
		lim  limits
		want string
	}{
		{limits{lines: 99, bytes: 1e6, cpus: 1, end: 9}, "line 100: too long: a trace may have at most 99 lines"},
		{limits{lines: 100, bytes: 500, cpus: 1, end: 9}, "line 51: too long: a trace may have at most 500 bytes of text"},
	} {
		_, err := parseTrace(strings.NewReader(text), tc.lim)
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("error %v, want %q", err, tc.want)
		}
	}
	blank := strings.NewReader("5 0 fork x\n" + strings.Repeat("\n", 1000))
	if _, err := parseTrace(blank, limits{lines: 100, bytes: 1e6, cpus: 1, end: 9}); err == nil {
		t.Error("a trace of blank lines without end is read")
	}
	if _, err := parseTrace(strings.NewReader(text), limits{lines: 100, bytes: 1e6, cpus: 1, end: 9}); err != nil {
		t.Error(err)
	}
}

func TestMissingFiles(t *testing.T) {
	whole := capture(good, zipped(goodTrace(t)))
	for _, name := range []string{"scenario.json", "trace.txt.gz"} {
		fsys := fstest.MapFS{}
		for file, f := range whole {
			if path.Base(file) != name {
				fsys[file] = f
			}
		}
		_, err := CompareExact(fsys, "c")
		if err == nil || !strings.HasPrefix(err.Error(), "c/"+name+": cannot read") || !strings.HasSuffix(err.Error(), "there is no such file") {
			t.Errorf("without %s: %v", name, err)
		}
	}
	if _, err := CompareExact(os.DirFS(captureDir), "README.md"); err == nil {
		t.Error("a file is read as a capture")
	}
}

// Blank lines and the line ends of Windows make no difference, and lines are
// counted as in the file.
func TestLineEnds(t *testing.T) {
	text := goodTrace(t)
	for _, changed := range []string{
		strings.ReplaceAll(text, "\n", "\r\n"),
		"\n" + strings.ReplaceAll(text, "\n", "\n\n"),
		strings.TrimSuffix(text, "\n"),
	} {
		e, err := CompareExact(capture(good, zipped(changed)), "c")
		if err != nil {
			t.Fatal(err)
		}
		if !e.Equal {
			t.Error(e)
		}
	}
	wrong := "\n\n" + strings.Replace(text, "setnice s -5", "setnice s -4", 1)
	at := 1 + strings.Count(wrong[:strings.Index(wrong, "setnice")], "\n")
	e, err := CompareExact(capture(good, zipped(wrong)), "c")
	if err != nil {
		t.Fatal(err)
	}
	if e.Equal || e.At != at {
		t.Errorf("line %d of the file differs, found:\n%v", at, e)
	}
}

// The set-ups of the captures survive being written anew: nothing in them goes
// unread that would change the run.
func TestGoodIsGood(t *testing.T) {
	if !json.Valid([]byte(good)) {
		t.Fatal("the set-up that the tests damage is damaged already")
	}
	e, err := CompareExact(capture(good, zipped(goodTrace(t))), "c")
	if err != nil || !e.Equal || e.Lines == 0 || e.Name != "c" {
		t.Errorf("%v, %v", e, err)
	}
}
