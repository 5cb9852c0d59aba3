package bindings

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.starlark.net/starlark"

	"schedrepl/engine/event"
)

// captureDir holds schedules of the 3.3 scheduler, recorded in user space.
const captureDir = "../engine/validate/testdata/captures"

// A scenario that was recorded, written as a script, prints the very lines of
// the recording: the times and the virtual run times of all switches and
// wakeups are equal.
func TestCaptures(t *testing.T) {
	files, err := filepath.Glob("testdata/captures/u*.star")
	if err != nil || len(files) < 3 {
		t.Fatalf("there are %d scripts: %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".star")
		t.Run(name, func(t *testing.T) {
			out := &bytes.Buffer{}
			if err := newTestSession(t, Options{Stdout: out}).ExecFile(file); err != nil {
				t.Fatal(err)
			}
			want := recordedLines(t, filepath.Join(captureDir, name, "trace.txt.gz"))
			got := strings.Split(strings.TrimSpace(out.String()), "\n")
			for i := range min(len(got), len(want)) {
				if got[i] != want[i] {
					t.Fatalf("line %d is\n  %s, was recorded as\n  %s", i, got[i], want[i])
				}
			}
			if len(got) != len(want) || len(got) < 900 {
				t.Errorf("there are %d lines, %d were recorded", len(got), len(want))
			}
		})
	}
}

// recordedLines are the switches and wakeups of a recording.
func recordedLines(t *testing.T, path string) []string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for sc := bufio.NewScanner(z); sc.Scan(); {
		if f := strings.Fields(sc.Text()); f[2] == "switch" || f[2] == "wakeup" {
			out = append(out, sc.Text())
		}
	}
	return out
}

// runScript runs a script and returns what it printed, with the session.
func runScript(t *testing.T, o Options, src string) (*Session, string, error) {
	t.Helper()
	out := &bytes.Buffer{}
	o.Stdout = out
	s := newTestSession(t, o)
	err := s.Exec("test.star", src)
	return s, out.String(), err
}

const busyMachine = `
m = machine(topo.smp(2), kernel = "3.3")
for i in range(4):
    m.spawn("w%d" % i, work.loop([work.begin("req"), work.run(dist.exponential(2 * ms)), work.end("req"), work.sleep(dist.uniform(1 * ms, 5 * ms))]))
`

// What looks at a machine changes nothing in it: the trace and what is measured
// are the same whether a script measures all the time or not.
func TestObserversChangeNothing(t *testing.T) {
	plain := busyMachine + "m.run(1 * sec)\nm.mark(\"end\")\nm.run(1 * ms)\nprint(m.digest, m.events)"
	_, want, err := runScript(t, Options{}, plain)
	if err != nil {
		t.Fatal(err)
	}
	watched := busyMachine + `
def look(m, ev = None):
    for t in m.find("w*"):
        t.vruntime, t.run_delay, t.sum_exec_runtime, t.children, t.autogroup, t.cgroup
        m.read("/proc/%d/sched" % t.pid)
    m.ls("/proc")
    m.read("/sys/fs/cgroup/cgroup.procs")
    for f in [m.latency, m.waits, m.pending, m.slices, m.counters, m.shares, m.migrations, m.migration_matrix, m.switches, m.waits_by_cause, m.blame, m.tasks, m.cpus, m.groups, m.timeline]:
        f()
    assert.fails(lambda: m.response("none"), "there is no span")
    m.response("req")
    m.check_invariants()

m.on("sched_process_fork", look)
m.on("sched_switch", lambda m, ev: None)
for i in range(10):
    m.run(100 * ms)
    look(m)
m.mark("end")
m.run(1 * ms)
print(m.digest, m.events)`
	_, got, err := runScript(t, Options{}, watched)
	if err != nil {
		t.Fatal(err)
	}
	if got != want {
		t.Errorf("a machine that is watched ends as %s, one that is not as %s", got, want)
	}
}

// The manifest tells the kernels and, at the end of a script, the digests.
func TestMachinesInManifest(t *testing.T) {
	src := "a = machine(topo.smp(1))\n" + busyMachine + `
b = machine(topo.smp(1), kernel = "2.6.36", patches = ["autogroup"])
m.run(1 * sec)
m.at(2 * sec, lambda m: m.find("w0")[0].setpriority(3))
m.run(2 * sec)
m.find("w1")[0].setpriority(5)
m.cgroup("/g")["cpu.weight"] = 30
print(m.digest)`
	s, out, err := runScript(t, Options{}, src)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"3.3", "2.6.36 autogroup"}; !slices.Equal(s.notes.kernels, want) {
		t.Errorf("the kernels are %v, want %v", s.notes.kernels, want)
	}
	if len(s.notes.digests) != 3 || s.notes.digests[1] != strings.TrimSpace(out) {
		t.Errorf("the digests are %v, the second is %s", s.notes.digests, out)
	}
}

// A version without a profile takes the nearest older one, and says so once.
func TestKernelFallback(t *testing.T) {
	errs := &bytes.Buffer{}
	_, out, err := runScript(t, Options{Stderr: errs}, `
for i in range(3):
    m = machine(topo.smp(1), kernel = "3.4.1")
print(m.kernel)
def f(seed):
    return machine(topo.smp(1), kernel = "3.4.1").now.ns + seed
repeat(f, seeds = 3)`)
	if err != nil {
		t.Fatal(err)
	}
	want := "note: kernel 3.4.1 has no profile: the machine runs that of 3.3, the nearest older one\n"
	if errs.String() != want || out != "3.3\n" {
		t.Errorf("the notes are %q, want %q, and the kernel is %s", errs.String(), want, out)
	}
}

// The seed of the session is that of its machines.
func TestMachineSeed(t *testing.T) {
	_, a, _ := runScript(t, Options{Seed: 5}, busyMachine+"m.run(1 * sec)\nprint(m.seed, m.digest)")
	_, b, _ := runScript(t, Options{}, strings.Replace(busyMachine, "smp(2)", "smp(2), seed = 5", 1)+"m.run(1 * sec)\nprint(m.seed, m.digest)")
	if a != b || !strings.HasPrefix(a, "5 ") {
		t.Errorf("the same seed by two ways gives %q and %q", a, b)
	}
}

// A run stops at an interrupt, and the machine stays usable in the next cell.
func TestInterruptRun(t *testing.T) {
	s := newTestSession(t, Options{})
	if _, err := s.Cell("1", busyMachine); err != nil {
		t.Fatal(err)
	}
	m := s.globals["m"].(*machine)
	polls := 0
	s.opts.Progress = func(now, limit event.Time, events uint64) {
		if limit != event.Time(100e9) || events == 0 && polls > 0 {
			t.Errorf("progress tells of %v, %v, %d", now, limit, events)
		}
		if polls++; polls == 5 {
			s.Interrupt("ctrl-c")
		}
	}
	_, err := s.Cell("2", "m.run(100 * sec)")
	var e *Error
	if !errors.As(err, &e) || e.Category != Interrupted {
		t.Fatalf("the run ended with %v", err)
	}
	at := m.m.Now()
	if at == 0 || at >= event.Time(50e9) {
		t.Errorf("the run was stopped at %v", at)
	}
	s.opts.Progress = nil
	v, err := s.Cell("3", "m.run(1 * sec)\nm.check_invariants()\nm.now")
	if err != nil || v.String() != Duration(at+1e9).String() {
		t.Errorf("the next cell gives %v (%v), the run was stopped at %v", v, err, at)
	}
}

// An interrupt also stops a callback that loops for ever, and so do the limits
// on steps.
func TestEndlessCallback(t *testing.T) {
	src := busyMachine + `
def f(m):
    while True:
        m.state["x"] = 1
m.at(1 * ms, f)
m.run(1 * sec)`
	_, _, err := runScript(t, Options{MaxSteps: 100_000}, src)
	if err == nil || !strings.Contains(err.Error(), "took more than 100000 steps") {
		t.Errorf("the error is %v", err)
	}
}

// A broken invariant ends the run as an internal error with seed, event and
// place, and the machine is not used any more.
func TestBrokenInvariant(t *testing.T) {
	s := newTestSession(t, Options{})
	if _, err := s.Cell("1", busyMachine); err != nil {
		t.Fatal(err)
	}
	m := s.globals["m"].(*machine)
	m.m.SetPoll(func() error {
		if m.m.Events() > 2000 {
			panic("sched: two tasks are current")
		}
		return nil
	})
	_, err := s.Cell("2", "def g():\n    m.run(100 * sec)\ng()")
	if ExitCodeOf(err) != 4 {
		t.Fatalf("the run ended with %v", err)
	}
	for _, want := range []string{"internal error: two tasks are current (event ", " of the machine, at ", "seed 1", "in g"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error is\n%v\nand lacks %q", err, want)
		}
	}
	for _, use := range []string{"m.run(1 * ms)", "m.spawn(\"t\", [work.run(1 * ms)])", "m.waits()", "m.cgroup(\"/g\")"} {
		if _, err := s.Cell("3", use); err == nil || !strings.Contains(err.Error(), "the machine has broken down: two tasks are current") {
			t.Errorf("%s gives %v", use, err)
		}
	}
}

// A machine that was made at the top level of a file is frozen when that has
// ended: what a function does to it could be seen by others.
func TestFrozenMachine(t *testing.T) {
	s := newTestSession(t, Options{})
	globals, err := s.execMain("a.star", busyMachine+`
t = m.find("w0")[0]
g = m.cgroup("/g")
m.run(1 * sec)
def run(): m.run(1 * ms)
def nice(): t.setpriority(3)
def write(): g["cpu.weight"] = 3
def state(): m.state["x"] = 1
def measure(): return m.waits(t).n
`)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"run", "nice", "write", "state"} {
		_, err := s.Call(globals[name])
		if err == nil || !strings.Contains(err.Error(), "frozen") {
			t.Errorf("%s gives %v", name, err)
		}
	}
	if v, err := s.Call(globals["measure"]); err != nil || v == starlark.MakeInt(0) {
		t.Errorf("measure gives %v, %v", v, err)
	}
}

// A machine cannot be reached by the runs of repeat from outside.
func TestMachineOfAnotherRun(t *testing.T) {
	for _, what := range []string{"m.run(1 * ms)", "g[\"cpu.weight\"] = 3", "t.setpriority(1)"} {
		_, _, err := runScript(t, Options{}, busyMachine+"g = m.cgroup(\"/g\")\nt = m.find(\"w0\")[0]\ndef f(seed):\n    "+what+"\n    return 1\nrepeat(f, seeds = 2)")
		if ExitCodeOf(err) != 1 {
			t.Errorf("%s: the error is %v", what, err)
		}
	}
}

// No argument makes a method of a machine or of what belongs to it panic.
func TestAbuseMachine(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	values := append(slices.Clone(abuse), "m", "t", "g", "\"w*\"", "\"warm\"", "[t]", "[work.run(1 * ms)]", "\"0-1\"", "\"/g\"", "{\"comm\": \"w*\"}", "other", "other_t", "lambda m, ev: 1", "\"sched_switch\"")
	setup := "m = machine(topo.smp(2))\nt = m.spawn(\"web\", [work.run(2 * ms)])\ng = m.cgroup(\"/g\")\nm.run(1 * ms)\nm.mark(\"warm\")\n" +
		"s = m.semaphore()\nh = m.at(1 * sec, lambda m: 1)\nc = m.counters()\nother = machine(topo.smp(1))\nother_t = other.spawn(\"x\", [work.run(1 * ms)])\n"
	names := map[string]string{"machine": "m", "task": "t", "cgroup": "g", "semaphore": "s", "handle": "h", "counters": "c"}
	for _, b := range entriesByName() {
		recv := names[b.Recv]
		if recv == "" || b.Attr {
			continue
		}
		s := newTestSession(t, Options{MaxSteps: 1_000_000})
		if _, err := s.Cell("setup", setup); err != nil {
			t.Fatal(err)
		}
		for range 40 {
			var args []string
			for range rng.IntN(len(b.Params) + 2) {
				args = append(args, values[rng.IntN(len(values))])
			}
			call := fmt.Sprintf("%s.%s(%s)", recv, b.Name, strings.Join(args, ", "))
			if _, err := s.Cell("abuse", call); ExitCodeOf(err) == int(InternalError) {
				t.Fatalf("%s: %v", call, err)
			}
		}
	}
}
