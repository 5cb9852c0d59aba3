package bindings

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.starlark.net/starlark"

	"schedrepl/engine/metrics"
)

// sharing uses whatever the runs of repeat share, and tells the user something
// by each way that there is.
const sharing = `
load("lib/tasks.star", "prog", "spawn_all")

shape = topo.parse("1n2l2c1t")
prices = costs.default
known = stats.samples([i * 7919 % 101 * us for i in range(200)], name = "known")
listed = table("listed", ["a", ("b", "ms")], [(i, i * ms) for i in range(20)])
drawn = plot.cdf({"known": known})
gaps = dist.exponential(2 * ms)
words = {"x": [1, 2, {"y": struct(z = 3 * ms)}]}

def one(seed, hz, kind):
    extra = param("extra", 2, help = "more tasks")
    # Some runs take longer than others, so that they end in another order.
    m = machine(shape, kernel = "3.3" if kind == "new" else "3.4.1", hz = hz, costs = prices)
    moves = []
    m.on("sched_migrate_task", lambda m, ev: moves.append(ev.comm))
    m.every(10 * ms, lambda m: m.state.update([("n", m.state.get("n", 0) + 1)]))
    tasks = spawn_all(m, gaps, extra)
    came = m.run_until(lambda m: m.now >= 20 * ms, limit = 1 * sec)
    m.cgroup("/g").attach(tasks[0])
    m.write("/sys/fs/cgroup/g/cpu.weight", "300")
    m.run((7 - seed % 7) * 20 * ms)
    waits = m.waits(tasks)
    plot.cdf({"waits": waits, "known": known})
    plot.grid([drawn, plot.bar(["a", "b"], [1, 2])])
    plot.timeline(m)
    size = 0
    for x in [m.tasks(), m.cpus(), m.groups(), m.switches(), m.migrations(), m.migration_matrix(), m.waits_by_cause(), m.blame(),
              m.timeline(), waits.describe(), known.cdf(), known.hist(), known.hist(log = True), m.shares(by = "group"), kernels(), patches()]:
        size += len(str(x))
    for path in ["/sys/fs/cgroup/g/cpu.stat", "/sys/fs/cgroup/g/cgroup.procs", "/proc/sys/kernel/sched_latency_ns"]:
        size += len(m.read(path))
    size += len(str(m.counters())) + len(m.ls("/sys/fs/cgroup"))
    assert.fails(lambda: m.write("/sys/fs/cgroup/g/cpu.weight", "x"), "EINVAL")
    m.check_invariants()
    lo, hi = stats.bootstrap(known, "median", n = 50)
    wide = table("t", rows = [{"n": i, "wait": i * ms} for i in range(5)]).where(lambda r: r.n > seed % 5)
    print(fmt("{:>3} {} {} {:.2f}", seed, kind, came, known.p(99).ms), len(wide), len(listed.sort("b", desc = True)), words["x"][2]["y"].z, size)
    check(seed != 3, "not three")
    assert.true(lo <= hi)
    return {
        "waits": waits, "moves": len(moves), "n": m.state["n"], "seed": seed, "kind": kind,
        "share": {"first": m.shares(tasks[0])[0].share, "came": came},
        "spread": known.std, "digest": m.digest,
    }

r = repeat(one, seeds = 7, vary = {"hz": [100, 1000], "kind": ["new", "old"]})
print(r)
print(r.samples("waits"))
print(r.samples(by = ["hz", "kind"])["hz=100, old"])
r.save("r.csv")
m = machine(topo.smp(1), kernel = "3.4.1")
`

const sharedTasks = `
gone = []
def more(m, t):
    return work.run(1 * ms) if m.now < 30 * ms else [work.sleep(1 * ms), work.run(200 * us)]

prog = work.program(work.loop(work.call(more)))

def spawn_all(m, gaps, extra):
    s = m.semaphore()
    out = [m.spawn("call", prog), m.spawn("web", work.loop([work.run(gaps), work.sleep(dist.uniform(1 * ms, 3 * ms))]))]
    for i in range(extra):
        out.append(m.spawn("x", work.loop([work.run(gaps), work.call(lambda m, t: work.yield_()), work.sleep(1 * ms)])))
    return out
`

// parallelOutput runs a script and returns all that it leaves behind.
func parallelOutput(t *testing.T, o Options, file string) string {
	t.Helper()
	both := &bytes.Buffer{} // Which of stdout and stderr comes first matters too.
	dir := t.TempDir()
	o.Stdout, o.Stderr, o.OutDir = both, both, dir
	s := newTestSession(t, o)
	err := s.ExecFile(file)
	if err := s.WriteManifest(); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(both, err)
	for _, f := range append(s.Saved(), SavedFile{Name: manifestName}) {
		data, err := os.ReadFile(filepath.Join(dir, f.Name))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(both, "== %s\n%s", f.Name, data)
	}
	return both.String()
}

// What comes out is the same to the byte for any number of jobs and CPUs.
func TestParallelOutput(t *testing.T) {
	dir := writeTree(t, map[string]string{"s.star": sharing, "lib/tasks.star": sharedTasks})
	o := Options{Params: map[string]string{"extra": "1"}, Jobs: 1}
	want := parallelOutput(t, o, filepath.Join(dir, "s.star"))
	for _, part := range []string{
		"  1 new True", "check failed: not three (", "note: kernel 3.4.1 has no profile", "3ms", "4 of 28 checks failed",
		"waits_p99", "hz,kind,seed,", `"value": "1"`, "share_came",
	} {
		if !strings.Contains(want, part) {
			t.Fatalf("the output has no %q:\n%s", part, want)
		}
	}
	if n := strings.Count(want, "has no profile"); n != 1 {
		t.Errorf("the note is told %d times", n)
	}
	for _, test := range []struct{ procs, jobs int }{{1, 3}, {2, 2}, {2, 8}, {3, 0}} {
		func() {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(test.procs))
			o.Jobs = test.jobs
			if got := parallelOutput(t, o, filepath.Join(dir, "s.star")); got != want {
				t.Errorf("%d jobs on %d CPUs give\n%s\nand one job gives\n%s", test.jobs, test.procs, got, want)
			}
		}()
	}
}

// The first run that fails in the order of the seeds is the error, even if a
// later one fails sooner, and nothing is seen of those after it.
func TestParallelFirstFailure(t *testing.T) {
	const src = `
def f(seed):
    print("run", seed)
    if seed == 3:
        m = machine(topo.smp(1))
        m.spawn("a", work.loop([work.run(100 * us), work.sleep(100 * us)]))
        m.run(2 * sec)
    check(seed < 3, "late")
    return 1 // (0 if seed in (3, 4, 5) else 1)

repeat(f, 12)`
	for _, jobs := range []int{1, 2, 8} {
		_, out, err := runScript(t, Options{Jobs: jobs}, src)
		var e *Error
		if !errors.As(err, &e) || !strings.HasPrefix(e.Msg, "with seed 3: ") || len(e.Frames) != 2 {
			t.Errorf("%d jobs: the error is %v", jobs, err)
		}
		if want := "run 1\nrun 2\nrun 3\ncheck failed: late (test.star:8)\n"; out != want {
			t.Errorf("%d jobs: the output is %q, want %q", jobs, out, want)
		}
	}
}

// An interrupt ends long runs at once, and keeps those that have ended.
func TestParallelInterrupt(t *testing.T) {
	const src = `
def f(seed):
    m = machine(topo.smp(4))
    m.spawn("a", work.loop([work.run(10 * us), work.sleep(10 * us)]))
    m.run(1 * ms if seed < 4 else 10000 * sec)
    return seed * ms

repeat(f, 1000)
print("never")`
	for _, jobs := range []int{1, 3} {
		out, notes := &bytes.Buffer{}, &bytes.Buffer{}
		s := newTestSession(t, Options{Stdout: out, Stderr: notes, Jobs: jobs})
		var at time.Time
		timer := time.AfterFunc(200*time.Millisecond, func() {
			at = time.Now()
			s.Interrupt("ctrl-c")
		})
		err := s.Exec("test.star", src)
		took := time.Since(at)
		timer.Stop()
		if ExitCodeOf(err) != int(Interrupted) {
			t.Fatalf("the error is %v, want an interrupt", err)
		}
		if !raceDetector && took > 150*time.Millisecond {
			t.Errorf("%d jobs: it took %v to stop", jobs, took)
		}
		if !strings.Contains(notes.String(), "repeat was stopped after 3 of 1000 seeds") || !strings.Contains(out.String(), "3 ") || strings.Contains(out.String(), "never") {
			t.Errorf("%d jobs: the output is\n%s%s", jobs, out, notes)
		}
		// The session goes on.
		if v, err := s.Cell("next", "repeat(lambda seed: seed, 5)[\"value\"]"); err != nil || v.String() != "[1, 2, 3, 4, 5]" {
			t.Errorf("the next cell gives %v, %v", v, err)
		}
	}
}

// An invariant that breaks in a run is told with the seed, and does not end the
// program.
func TestParallelPanic(t *testing.T) {
	s := newTestSession(t, Options{Jobs: 3})
	boom := &Builtin{Name: "boom", Impl: func(*Call) (starlark.Value, error) { panic("sched: a task is on two run queues") }}
	s.env = starlark.StringDict{"boom": starlark.NewBuiltin("boom", boom.call), "repeat": s.env["repeat"]}
	err := s.Exec("b.star", "def f(seed):\n    if seed > 6:\n        boom()\n    return 1\n\nrepeat(f, 20)\n")
	wantError(t, err, InternalError, "with seed 7: internal error: a task is on two run queues (seed 7)", "b.star:3:13: in f", "please report it")
}

// The limit of steps is met at the same seed, however many run at once.
func TestParallelSteps(t *testing.T) {
	src := "def f(seed):\n    print(seed)\n    for i in range(1000 * seed):\n        pass\n    return seed\n\nrepeat(f, 100)"
	var first string
	for _, jobs := range []int{1, 2, 5} {
		_, out, err := runScript(t, Options{MaxSteps: 1_000_000, Jobs: jobs}, src)
		if err == nil || !strings.Contains(err.Error(), "more than 1000000 steps") {
			t.Errorf("%d jobs: the error is %v", jobs, err)
		}
		if first == "" {
			first = out
		}
		if out != first || len(out) < 20 || strings.Contains(out, "\n60\n") {
			t.Errorf("%d jobs: the output is %q, want %q", jobs, out, first)
		}
	}
}

// A rule stops the seeds at the same one, however many run at once, and all
// variants have the same seeds.
func TestParallelUntil(t *testing.T) {
	const src = `
def f(seed, wide):
    m = machine(topo.smp(1))
    t = m.spawn("a", work.loop([work.run(dist.exponential(2 * ms)), work.sleep(dist.uniform(1 * ms, 9 * ms if wide else 2 * ms))]))
    m.run(200 * ms + (seed % 3) * 200 * ms)
    print(seed, wide)
    return struct(a = 1, lag = t.sum_exec_runtime / (1 if wide else 1))

t = repeat(f, vary = {"wide": [False, True]}, until = stats.until(relative = 0.2, of = "lag", least = 4))
print(t)
repeat(f, args = {"wide": True}, until = stats.until(relative = 0.001, of = "lag", most = 12))
repeat(f, seeds = 11, args = {"wide": True}, until = stats.until(relative = 0.001, of = "lag", most = 12))`
	var first string
	for _, jobs := range []int{1, 2, 3, 8} {
		both := &bytes.Buffer{}
		s := newTestSession(t, Options{Stdout: both, Stderr: both, Jobs: jobs})
		if err := s.Exec("test.star", src); err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = both.String()
			for _, want := range []string{"note: repeat ended after 12 seeds, the most it may run", "note: repeat ended after 11 seeds"} {
				if !strings.Contains(first, want) {
					t.Errorf("the output has no %q:\n%s", want, first)
				}
			}
			if n := strings.Count(strings.Split(first, "note")[0], " True\n"); n < 5 || n > 900 || strings.Count(first, "note") != 2 {
				t.Errorf("the rule stops after %d seeds:\n%s", n, first)
			}
		}
		if both.String() != first {
			t.Errorf("%d jobs give\n%s\nand one job gives\n%s", jobs, both, first)
		}
	}
}

// A front end is told of each run that ends, never twice at once.
func TestParallelProgress(t *testing.T) {
	var inside atomic.Int32
	var seen []RepeatProgress
	o := Options{Jobs: 3, Repeat: func(p RepeatProgress) {
		if inside.Add(1) != 1 {
			t.Error("two calls at once")
		}
		defer inside.Add(-1)
		if n := len(seen); n == 0 || seen[n-1] != p {
			seen = append(seen, p)
		}
	}}
	const src = `
def f(seed):
    m = machine(topo.smp(1))
    m.spawn("a", work.loop([work.run(dist.exponential(20 * us)), work.sleep(20 * us)]))
    m.run(300 * ms)
    return m.find(comm = "a")[0].sum_exec_runtime

repeat(f, 9)
repeat(f, until = stats.until(relative = 0.0001, least = 3, most = 8))`
	if _, _, err := runScript(t, o, src); err != nil {
		t.Fatal(err)
	}
	if p := seen[0]; p != (RepeatProgress{Of: 9, Jobs: 3, Variants: 1}) || p.String() != "0 of 9 seeds (0%), 3 at once" {
		t.Errorf("it begins with %v", p)
	}
	i := slices.IndexFunc(seen, func(p RepeatProgress) bool { return p.Of == 8 })
	if i < 0 || seen[i-1].Done < 8 || !slices.IsSortedFunc(seen[:i], func(a, b RepeatProgress) int { return a.Done - b.Done }) {
		t.Errorf("it tells %v", seen)
	}
	if !slices.ContainsFunc(seen, func(p RepeatProgress) bool { return strings.Contains(p.Text, "mean of value") }) {
		t.Errorf("it does not tell of the rule: %v", seen)
	}
	if d := (RepeatProgress{Done: 3, Of: 12}).Left(time.Second); d != 3*time.Second {
		t.Errorf("%v are left", d)
	}
}

// No more than the jobs go on at once, none is far ahead of the first that has
// not ended, and results come in order.
func TestParallelCrew(t *testing.T) {
	const n, jobs = 500, 4
	var going, most atomic.Int32
	release := make(chan struct{})
	begun, next := 0, 0
	c := crew[int]{
		n: n, jobs: jobs,
		start: func(i int) (func() int, func()) {
			if i != begun {
				t.Errorf("piece %d starts after %d", i, begun-1)
			}
			if begun++; begun == aheadJobs*jobs {
				close(release) // The first one has waited for as many as may go ahead.
			}
			return func() int {
				g := going.Add(1)
				defer going.Add(-1)
				for m := most.Load(); g > m && !most.CompareAndSwap(m, g); m = most.Load() {
				}
				if i == 0 {
					<-release
				}
				return i * i
			}, func() {}
		},
		take: func(i, result int) error {
			if i != next || result != i*i {
				t.Errorf("piece %d comes as %d, want %d", i, result, next)
			}
			next++
			return nil
		},
		poll: func() error { return nil },
		tell: func(started, ended int) {
			if started > next+aheadJobs*jobs || ended > started {
				t.Errorf("%d started and %d ended, and %d were taken", started, ended, next)
			}
		},
	}
	if err := c.work(); err != nil || next != n || most.Load() > jobs {
		t.Errorf("%v: %d pieces, %d at once", err, next, most.Load())
	}
	// A piece that fails ends the rest, which are told to stop.
	stopped := make(chan struct{})
	wrong := errors.New("wrong")
	c.start = func(i int) (func() int, func()) {
		if i == 0 {
			return func() int { return 0 }, func() {}
		}
		quit := make(chan struct{})
		return func() int { <-quit; return i }, func() {
			close(quit)
			if i == 1 {
				close(stopped)
			}
		}
	}
	c.take = func(int, int) error { return wrong }
	if err := c.work(); err != wrong {
		t.Errorf("the error is %v", err)
	}
	<-stopped
}

// What a task draws does not depend on which others there are, in the same
// seed, but on the seed.
func TestParallelCommonDraws(t *testing.T) {
	const src = `
def noted(got):
    return work.call(lambda m, t: got.append(m.now))

def f(seed, others, kernel):
    m = machine(topo.smp(8), costs = costs.none, kernel = kernel)
    mine, kids = [], []
    if others:
        m.spawn("before", work.loop([work.run(dist.exponential(1 * ms)), work.sleep(dist.exponential(1 * ms))]), cpus = 1)
        m.spawn("forks", [work.repeat(5, [work.fork([work.run(dist.exponential(1 * ms))], comm = "kid"), work.sleep(dist.exponential(1 * ms))])], cpus = 2)
    m.spawn("mine", work.loop([work.sleep(dist.exponential(3 * ms)), noted(mine)]), cpus = 0)
    m.spawn("parent", [work.fork([work.sleep(dist.exponential(3 * ms)), noted(kids)], comm = "kid"), work.wait()], cpus = 3)
    if others:
        m.spawn("after", work.loop([work.run(dist.exponential(1 * ms)), work.sleep(dist.exponential(1 * ms))]), cpus = 4)
    m.run(100 * ms)
    return {"mine": stats.samples(mine), "kids": stats.samples(kids)}

r = repeat(f, seeds = 5, vary = {"others": [False, True], "kernel": ["3.3", "2.6.36"]})
def of(name, **kw):
    return [list(r.where(lambda row: row.seed == seed and row.others == kw["others"] and row.kernel == kw["kernel"]).samples(name)) for seed in range(1, 6)]

bare = of("mine", others = False, kernel = "2.6.36")
same = [of(name, others = a, kernel = k) == of(name, others = False, kernel = "2.6.36") for name in ["mine", "kids"] for a in [False, True] for k in ["3.3", "2.6.36"]]
differ = len(set([str(x) for x in bare]))
many = min([len(x) for x in bare])
`
	globals, err := newTestSession(t, Options{}).execMain("test.star", src)
	if err != nil {
		t.Fatal(err)
	}
	if got := globals["same"].String(); strings.Contains(got, "False") {
		t.Errorf("the draws are the same in other variants: %s", got)
	}
	if globals["differ"].String() != "5" || globals["many"].String() < "10" {
		t.Errorf("%v of 5 seeds differ, with %v draws at least", globals["differ"], globals["many"])
	}
}

// Samples that are too many are dropped field by field, and say so.
func TestParallelTooManySamples(t *testing.T) {
	r := newResults("f", &grid{}, 1)
	r.most = 10
	for seed := range uint64(5) {
		few, err := appendLeaf(nil, "few", samplesFor(float64(seed)))
		if err != nil {
			t.Fatal(err)
		}
		leaves, err := appendLeaf(few, "many", samplesFor(float64(seed), 2, 3, 4))
		if err == nil {
			err = r.add(0, seed, leaves)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	v, err := r.table()
	if err != nil {
		t.Fatal(err)
	}
	if v.Len() != 5 || len(v.T.Columns()) != 11 || r.held != 5 {
		t.Errorf("the table has %d rows of %v, and %d samples are kept", v.Len(), v.names(), r.held)
	}
	s := newTestSession(t, Options{})
	s.env = starlark.StringDict{"t": v, "print": s.env["print"]}
	if err := s.Exec("a.star", "print(t.samples('few').n)\nif t.samples('few').n != 5:\n    fail('few')"); err != nil {
		t.Error(err)
	}
	wantError(t, s.Exec("a.star", "t.samples('many')"), ScriptError, "those of many, which were most, were dropped: use the columns many_n, many_mean")
}

func samplesFor(values ...float64) *samplesValue {
	return newSamples(metrics.Samples{Name: "x", Values: values})
}

// Runs that do not depend on the seed are named: thirty of them tell no more
// than one.
func TestParallelBlind(t *testing.T) {
	const says = "note: f returned the same with each of "
	for _, c := range []struct{ name, script, want string }{
		{"all alike", "def f(seed): return 5\nrepeat(f, 3)", says + "3 seeds: what it returns does not depend on the seed"},
		{"alike in each variant", "def f(seed, k): return {'k2': k, 's': stats.samples([k]), 'h': stats.histogram([k]), 'none': None}\nrepeat(f, 2, vary = {'k': [1, 2]})", says + "2 seeds, in each variant: "},
		{"with a rule", "def f(seed): return 5\nrepeat(f, until = stats.until(relative = 0.1))", says + "10 seeds: "},
		{"one differs", "def f(seed): return seed // 3\nrepeat(f, 3)", ""},
		{"one variant differs", "def f(seed, k): return seed * k\nrepeat(f, 3, vary = {'k': [0, 1]})", ""},
		{"samples differ", "def f(seed): return stats.samples([seed, 2])\nrepeat(f, 2)", ""},
		{"missing for one", "def f(seed): return None if seed == 1 else 5\ndef g(seed): return {'x': f(seed)}\nrepeat(g, 2)", ""},
		{"one seed", "def f(seed): return 5\nrepeat(f, 1)", ""},
		{"no fields", "def f(seed): return {}\nrepeat(f, 3)", ""},
	} {
		notes := &bytes.Buffer{}
		if _, _, err := runScript(t, Options{Stderr: notes}, c.script); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := notes.String(); !strings.HasPrefix(got, c.want) || (c.want == "") != (got == "") {
			t.Errorf("%s: the notes are %q, want %q", c.name, got, c.want)
		}
	}
}
