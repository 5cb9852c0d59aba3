package bindings

import (
	"errors"
	"fmt"
	"runtime"

	"go.starlark.net/starlark"
)

const (
	// mostSeeds limits a slip such as seeds = 30 * ms.ns, and mostRuns one with
	// variants.
	mostSeeds = 1_000_000
	mostRuns  = 10_000_000

	// mostJobs limits jobs: each run has a machine, and may have a large trace.
	mostJobs = 4096

	usualSeeds = 30
)

func repeatTable() Table {
	return Table{Builtins: append([]Builtin{{
		Name: "repeat",
		Params: []Param{
			{Name: "fn", Type: "callable", Doc: "A function fn(seed, ...) on the top level of a file, which makes a machine, runs it and returns a number, a duration, samples, a histogram, or a dict or struct of these."},
			{Name: "seeds", Type: "int | list of int | None", Default: "None", Doc: "How many seeds, from 1 on, or a list of them; None is 30, and with until as many as that takes."},
			{Name: "args", Type: "dict", Default: "{}", Doc: "Further arguments of the function, by name."},
			{Name: "vary", Type: "dict", Default: "{}", KwOnly: true, Doc: "Arguments that take several values, as {\"hz\": [100, 250]}: the function runs for each combination. Values that a table cannot hold, or that need a better name, stand in a dict by name, as {\"machine\": {\"small\": topo.smp(2), \"large\": topo.smp(64)}}."},
			{Name: "until", Type: "stop_rule | None", Default: "None", KwOnly: true, Doc: "When to stop before all seeds are done, as stats.until(relative = 0.02)."},
			{Name: "jobs", Type: "int", Default: "0", KwOnly: true, Min: "0", Doc: "How many runs go on at once; 0 is one for each CPU. Nothing that comes out depends on it."},
		},
		Result: "table",
		Doc: "Runs a function for many seeds, on all CPUs, and gives a table of what it returns: a row for each run, with a column for each varied argument, a column seed, and one for each field, or a column value. " +
			"The fields of a dict or struct in another make columns such as a_b. Samples make the columns x_n, x_mean, x_p50, x_p99 and x_max, and the table's samples(\"x\") has them all; a histogram makes the same columns, and histogram(\"x\") adds up those of all runs. " +
			"While the function runs, its seed is that of the session, so that machine() takes it by default. " +
			"What it uses from outside is frozen, and must not be a machine. It saves no files. " +
			"\n\n" +
			"Variants run with the same seeds, and random streams have names: a task draws from the stream of its name and of its number among the tasks that were spawned with that name, " +
			"the n-th task that it forks from one below that, and interrupts from that of their name and CPU. What one draws is therefore the same in all variants of a seed, whatever else they add or leave out, " +
			"and stats.paired compares such runs with far fewer seeds than two means would need. " +
			"\n\n" +
			"What the runs print and check appears in the order of the seeds, with all variants of a seed after each other, whichever was ready first. " +
			"If no result depends on the seed, a note says so: then one seed tells as much as all, and p and intervals over them tell nothing. " +
			"With until, the rule is asked after each seed, of each variant; when it holds for all of them no more seeds are run, so that all have the same. " +
			"An error is that of the first run that failed, in that order.",
		Example: "def experiment(seed, busy):\n    return {\"busy\": busy, \"wait\": (seed % 3) * 1 * ms}\n\nt = repeat(experiment, seeds = 3, args = {\"busy\": 0.5})\n" +
			"print(t[\"wait\"])  # [1ms, 2ms, 0s]\nprint(stats.interval(t[\"wait\"])[1] > 1 * ms)  # True\n" +
			"t = repeat(experiment, seeds = 2, vary = {\"busy\": [0.5, 0.9]})\nprint(t[\"busy\"], t[\"seed\"])  # [0.5, 0.5, 0.9, 0.9] [1, 2, 1, 2]",
		Impl: repeatImpl,
	}}, pooledBuiltins()...)}
}

// A repetition is one call of repeat.
type repetition struct {
	c      *Call
	fn     *starlark.Function
	seeds  []uint64
	kwargs []starlark.Tuple
	grid   *grid
	cells  int
	rule   *watch // nil without until.
	res    *results
	tell   *repeatTeller
}

func repeatImpl(c *Call) (starlark.Value, error) {
	r, err := newRepetition(c)
	if err != nil {
		return nil, err
	}
	if err := r.isolate(); err != nil {
		return nil, err
	}
	return r.run()
}

// newRepetition reads the arguments.
func newRepetition(c *Call) (*repetition, error) {
	fn, ok := c.Callable("fn").(*starlark.Function)
	if !ok {
		return nil, fmt.Errorf("fn must be a function of the script, as def experiment(seed): ..., not %s", describe(c.Value("fn")))
	}
	if c.Session.parent != nil {
		return nil, fmt.Errorf("it may not be called by the function that repeat runs: call that once for each seed, and repeat from outside")
	}
	r := &repetition{c: c, fn: fn}
	var err error
	if c.Has("until") {
		r.rule = &watch{rule: Arg[*stopRule](c, "until")}
	}
	if r.seeds, err = seedsOf(c, r.rule); err != nil {
		return nil, err
	}
	if r.grid, err = gridOf(Arg[*starlark.Dict](c, "vary")); err != nil {
		return nil, err
	}
	if r.cells, err = r.grid.cells(mostRuns / len(r.seeds)); err != nil {
		return nil, err
	}
	if c.Int("jobs") > mostJobs {
		return nil, fmt.Errorf("jobs must be at most %d, not %d", mostJobs, c.Int("jobs"))
	}
	for _, kv := range Arg[*starlark.Dict](c, "args").Items() {
		name, ok := kv[0].(starlark.String)
		if !ok {
			return nil, fmt.Errorf("args must have names for keys, not %s", describe(kv[0]))
		}
		for _, a := range r.grid.axes {
			if a.name == string(name) {
				return nil, fmt.Errorf("%s stands in args and in vary: it can be in one of them", a.name)
			}
		}
		r.kwargs = append(r.kwargs, starlark.Tuple{name, kv[1]})
	}
	if b, ok := c.Session.captured(fn); ok {
		return nil, fmt.Errorf("fn must be a function on the top level of a file: %s stands inside of another function and uses its %s; hand that over, as args = {\"%s\": ...}", fn.Name(), b.Name, b.Name)
	}
	r.res = newResults(fn.Name(), r.grid, r.cells)
	return r, nil
}

// isolate freezes what the runs share.
func (r *repetition) isolate() error {
	is := &isolation{s: r.c.Session, user: r.fn.Name(), seen: map[starlark.Value]bool{}}
	for _, kv := range r.kwargs {
		if err := is.value(kv[1], string(kv[0].(starlark.String))); err != nil {
			return fmt.Errorf("args: %w", err)
		}
	}
	for _, a := range r.grid.axes {
		for i, v := range a.values {
			if err := is.value(v, fmt.Sprintf("%s[%d]", a.name, i)); err != nil {
				return fmt.Errorf("vary: %w", err)
			}
		}
	}
	if err := is.value(r.fn, r.fn.Name()); err != nil {
		return fmt.Errorf("fn uses what it must not: %w", err)
	}
	Arg[*starlark.Dict](r.c, "args").Freeze()
	Arg[*starlark.Dict](r.c, "vary").Freeze()
	return nil
}

// jobs is how many runs go on at once.
func (r *repetition) jobs() int {
	n, most := r.c.Int("jobs"), r.c.Session.opts.Jobs
	if n == 0 {
		n = runtime.GOMAXPROCS(0)
		if most > 0 {
			n = most
		}
	}
	if most > 0 {
		n = min(n, most)
	}
	return min(n, len(r.seeds)*r.cells, mostJobs)
}

// outcome is what one run leaves.
type outcome struct {
	s      *Session
	leaves []leaf
	err    error
}

// errEnough ends the runs when a stop rule says so.
var errEnough = errors.New("there are enough seeds")

// run does the runs. They are numbered by seed, and for each seed by variant.
func (r *repetition) run() (starlark.Value, error) {
	s := r.c.Session
	st := stateOf(r.c.Thread)
	budget := st.left()
	jobs := r.jobs()
	r.tell = newRepeatTeller(s.opts.Repeat, RepeatProgress{Of: len(r.seeds) * r.cells, Jobs: jobs, Variants: r.cells})
	crew := crew[*outcome]{
		n: len(r.seeds) * r.cells, jobs: jobs,
		start: func(i int) (func() *outcome, func()) {
			f := s.Fork(r.seeds[i/r.cells])
			if budget > 0 { // Each run may take what is left for all.
				f.used = s.opts.MaxSteps - min(budget, s.opts.MaxSteps)
			}
			f.opts.Progress = r.tell.machine()
			before := f.used
			return func() *outcome {
				out := r.runOne(f, i%r.cells)
				f.used -= before
				return out
			}, func() { f.Interrupt("") }
		},
		take: func(i int, out *outcome) error { return r.take(st, i, out) },
		poll: s.Poll,
		tell: r.tell.counts,
	}
	err := crew.work()
	r.tell.end()
	switch {
	case err == nil || err == errEnough:
	case s.Poll() != nil:
		r.salvage()
		return nil, s.Poll()
	default:
		return nil, err
	}
	if r.rule != nil {
		r.rule.note(s, len(r.seeds))
	}
	if r.res.blind() {
		s.Note("%s returned the same with each of %d seeds%s: what it returns does not depend on the seed, so that one would do, and a p or an interval over seeds tells nothing",
			r.fn.Name(), len(r.res.cells[0]), r.grid.each())
	}
	return r.res.table()
}

// runOne calls the function in a session of its own, on a goroutine of its own.
func (r *repetition) runOne(f *Session, cell int) *outcome {
	out := &outcome{s: f}
	var v starlark.Value
	out.err = f.run(f.sources.mainPlace("main"), func(thread *starlark.Thread) (err error) {
		kwargs := append(append([]starlark.Tuple(nil), r.kwargs...), r.grid.kwargs(cell)...)
		v, err = starlark.Call(thread, r.fn, starlark.Tuple{starlark.MakeUint64(f.Seed())}, kwargs)
		return err
	})
	if out.err == nil {
		out.leaves, out.err = leavesOf(v)
	}
	f.calls = callTable{} // Functions may hold the machine, which is to go now.
	return out
}

// take adds what a run has left, in the order of the runs.
func (r *repetition) take(st *threadState, i int, out *outcome) error {
	s, cell, seed := r.c.Session, i%r.cells, r.seeds[i/r.cells]
	st.charge(out.s.used)
	err := out.err
	if jerr := s.Join(out.s); err == nil {
		err = jerr
	}
	if err == nil {
		err = r.res.add(cell, seed, out.leaves)
	}
	if intr := s.Poll(); intr != nil {
		return intr
	}
	if err != nil {
		return withRun(err, r.grid.run(cell, seed))
	}
	if err := s.spent(st); err != nil {
		return err
	}
	if r.rule == nil {
		return nil
	}
	if err := r.rule.add(r.res, cell); err != nil {
		return fmt.Errorf("until: %w", err)
	}
	if cell < r.cells-1 {
		return nil
	}
	enough, err := r.rule.enough()
	if err != nil {
		return fmt.Errorf("until: %w", err)
	}
	if enough {
		return errEnough
	}
	r.tell.rule(r.rule, i+1, len(r.seeds)*r.cells)
	return nil
}

// withRun tells which run has failed.
func withRun(err error, run string) error {
	var inner *Error
	if errors.As(err, &inner) {
		e := *inner
		e.Msg = fmt.Sprintf("with %s: %s", run, e.Msg)
		return &e
	}
	return fmt.Errorf("with %s: %w", run, err)
}

// salvage shows what there is when the user stops the runs.
func (r *repetition) salvage() {
	if r.res.done == 0 {
		return
	}
	s, what := r.c.Session, "seed"
	if r.cells > 1 {
		what = "run"
	}
	s.Note("repeat was stopped after %d of %s", r.res.done, plural(len(r.seeds)*r.cells, what))
	if t, err := r.res.table(); err == nil {
		_ = s.show(t) // The interrupt is the error that counts.
	}
}

// seedsOf reads how many seeds, or which. A stop rule limits them.
func seedsOf(c *Call, rule *watch) ([]uint64, error) {
	most := mostSeeds
	if rule != nil {
		most = rule.rule.Rule.MaxN
	}
	n, ok := c.vals[c.index("seeds")].(int)
	if !c.Has("seeds") {
		n, ok = usualSeeds, true
		if rule != nil {
			n = most
		}
	}
	var out []uint64
	if ok {
		if n < 1 || n > mostSeeds {
			return nil, fmt.Errorf("seeds must be from 1 to %d, or a list of seeds, not %d", mostSeeds, n)
		}
		for i := range min(n, most) {
			out = append(out, uint64(i+1))
		}
		return out, nil
	}
	seen := map[int]bool{}
	for _, n := range ArgList[int](c, "seeds") {
		if n < 1 {
			return nil, fmt.Errorf("seeds must be 1 or more, not %d", n)
		}
		if seen[n] {
			return nil, fmt.Errorf("seeds must differ: %d is there twice, and would count one run as two", n)
		}
		seen[n] = true
		out = append(out, uint64(n))
	}
	if len(out) == 0 {
		return nil, errors.New("seeds must not be empty")
	}
	return out[:min(len(out), most)], nil
}
