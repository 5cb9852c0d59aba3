package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"schedrepl/engine"
	"schedrepl/engine/cost"
	"schedrepl/engine/cpumask"
	"schedrepl/engine/event"
	"schedrepl/engine/kernel"
	"schedrepl/engine/rng"
	"schedrepl/engine/sched"
	"schedrepl/engine/topology"
	"schedrepl/engine/workload"
)

// scenario is a random experiment as data: a machine and what is done to it at
// which moment. Two runs of one scenario make the same calls, and parts of it
// can be left out to find what a failure needs.
type scenario struct {
	seed uint64
	cfg  engine.Config
	cpus int
	sems int
	ops  []op
	end  event.Time
}

// op is one thing done to the machine. Its numbers are reduced to what exists
// at that moment: x picks a task, y a group.
type op struct {
	at event.Time
	// between: the machine is run up to the moment and the call comes from
	// outside; else it comes from a control, inside the run.
	between bool
	kind    string
	x, y, n int64
	word    string
	task    engine.Spawn
}

func (o op) String() string {
	how := "at"
	if o.between {
		how = "between runs at"
	}
	text := fmt.Sprintf("%s %d: %s x=%d y=%d n=%d %s", how, int64(o.at), o.kind, o.x, o.y, o.n, o.word)
	if o.kind == "spawn" {
		text += fmt.Sprintf("%q nice %d policy %v cpus %v start %v\n%s", o.task.Comm, o.task.Nice, o.task.Policy,
			o.task.CPUs, o.task.Start, describe(o.task.Program, "    "))
	}
	return text
}

// describe lists a program with those of its children.
func describe(p *workload.Program, indent string) string {
	text := indent + strings.ReplaceAll(strings.TrimRight(p.String(), "\n"), "\n", "\n"+indent)
	walk(p.Steps(), func(s workload.Step) {
		if f, ok := s.(workload.Fork); ok {
			text += fmt.Sprintf("\n%schild %q thread %v:\n%s", indent, f.Comm, f.Thread, describe(f.Prog, indent+"    "))
		}
	})
	return text
}

// walk calls f for each step and those inside it, but not for children's.
func walk(steps []workload.Step, f func(workload.Step)) {
	for _, s := range steps {
		f(s)
		switch s := s.(type) {
		case workload.Loop:
			walk(s.Body, f)
		case workload.Repeat:
			walk(s.Body, f)
		case workload.Choose:
			for _, b := range s.Bodies {
				walk(b, f)
			}
		}
	}
}

func (s *scenario) String() string {
	var b strings.Builder
	c := &s.cfg
	fmt.Fprintf(&b, "seed %d: kernel %s patches %v, %d CPUs, %d Hz, skew %v, preempt %v, noautogroup %v, %d semaphores, end %d\ncosts:",
		s.seed, c.Kernel.Version, c.Kernel.Patches, s.cpus, c.HZ, c.SkewTick, c.Preempt, c.NoAutogroup, s.sems, int64(s.end))
	for _, name := range cost.Names() {
		if d, _ := c.Costs.Get(name); d > 0 {
			fmt.Fprintf(&b, " %s=%d", name, d)
		}
	}
	if c.Costs.WaitForEvent {
		b.WriteString(" wait_for_event")
	}
	for _, o := range s.ops {
		b.WriteString("\n" + o.String())
	}
	return b.String()
}

// world is a scenario's machine while it runs.
type world struct {
	s       *scenario
	m       *engine.Machine
	groups  []sched.GroupID
	answers []string // the errors that calls returned
}

// start makes the machine of the scenario with its semaphores and arms what
// comes from controls.
func (s *scenario) start(change func(*engine.Config)) (*world, error) {
	cfg := s.cfg
	topo, err := topology.SMP(s.cpus)
	if err != nil {
		return nil, err
	}
	cfg.Topology, cfg.Seed = topo, s.seed
	if change != nil {
		change(&cfg)
	}
	m, err := engine.New(cfg)
	if err != nil {
		return nil, err
	}
	w := &world{s: s, m: m, groups: []sched.GroupID{sched.RootGroup}}
	for range s.sems {
		if _, err := m.NewSem(0); err != nil {
			return nil, err
		}
	}
	for _, o := range s.ops {
		if !o.between {
			if _, err := m.At(o.at, func() error { w.do(o); return nil }); err != nil {
				return nil, err
			}
		}
	}
	return w, nil
}

// run runs the scenario to its end.
func (w *world) run() error {
	for _, o := range w.s.ops {
		if !o.between {
			continue
		}
		if err := w.m.RunUntil(o.at); err != nil {
			return err
		}
		w.do(o)
	}
	return w.m.RunUntil(w.s.end)
}

// pid returns a task that lives, 0 if none does. Stoppers are left alone.
func (w *world) pid(x int64) int32 {
	core := w.m.Core()
	var live []int32
	for pid := int32(2); pid <= core.MaxPID(); pid++ {
		if t := core.Find(pid); t != sched.NoTask && !core.IsStopper(t) {
			live = append(live, pid)
		}
	}
	if len(live) == 0 {
		return 0
	}
	return live[int(x)%len(live)]
}

// do carries one op out. What the machine refuses is part of the outcome.
func (w *world) do(o op) {
	m := w.m
	g := w.groups[int(o.y)%len(w.groups)]
	var err error
	switch o.kind {
	case "spawn":
		sp := o.task
		sp.Group = g
		if o.n > 0 {
			sp.Parent = w.pid(o.n)
		}
		_, err = m.Spawn(sp)
	case "mkgroup":
		if len(w.groups) < 24 {
			var id sched.GroupID
			if id, err = m.NewGroup(g, fmt.Sprintf("/g%d", len(w.groups))); err == nil {
				w.groups = append(w.groups, id)
			}
		}
	case "rmgroup":
		if g == sched.RootGroup {
			return
		}
		if err = m.FreeGroup(g); err == nil {
			i := slices.Index(w.groups, g)
			w.groups = slices.Delete(w.groups, i, i+1)
		}
	case "shares":
		err = m.SetShares(g, o.n)
	case "attach":
		err = m.Attach(w.pid(o.x), g)
	case "nice":
		err = m.SetNice(w.pid(o.x), int(o.n))
	case "policy":
		err = m.SetPolicy(w.pid(o.x), sched.Policy(o.n))
	case "affinity":
		err = m.SetAffinity(w.pid(o.x), maskOf(o.n, w.s.cpus))
	case "kill":
		err = m.Kill(w.pid(o.x), o.word)
	case "setsid":
		err = m.Setsid(w.pid(o.x))
	case "autogroup":
		m.SetAutogroupEnabled(o.n == 1)
	case "autonice":
		err = m.SetAutogroupNice(w.pid(o.x), int(o.n))
	case "post":
		if w.s.sems > 0 {
			m.PostSem(workload.ObjID(int(o.n) % w.s.sems))
		}
	case "exec":
		err = m.Exec(w.pid(o.x), o.word)
	case "irq":
		gap := workload.Exponential(time.Duration(o.n))
		if o.word == "regular" {
			gap = workload.Constant(time.Duration(o.n))
		}
		err = m.Interrupts(int(o.y)%w.s.cpus, "net", gap, workload.Constant(time.Duration(o.x)))
	default:
		panic("scenario: no op " + o.kind)
	}
	if err != nil {
		w.answers = append(w.answers, fmt.Sprintf("%v %s: %v", m.Now(), o.kind, err))
	}
}

// maskOf turns the bits of n into a set of CPUs of the machine, nil for none.
func maskOf(n int64, cpus int) cpumask.Set {
	var s cpumask.Set
	for cpu := range cpus {
		if n>>(cpu%60)&1 == 1 {
			s.Add(cpu)
		}
	}
	return s
}

// draws hands out the choices of a random scenario.
type draws struct{ rng.Stream }

func newDraws(seed uint64) *draws {
	return &draws{rng.NewStream(rng.Seed(seed).Named("scenario"))}
}

func (d *draws) n(k int) int             { return int(d.Int64N(int64(k))) }
func (d *draws) chance(percent int) bool { return d.n(100) < percent }

func choose[T any](d *draws, xs ...T) T { return xs[d.n(len(xs))] }

// span returns a length that likes to meet the grid of ticks.
func (d *draws) span(period time.Duration) time.Duration {
	switch d.n(8) {
	case 0, 1:
		return period * time.Duration(1+d.n(4))
	case 2:
		return period/2 + time.Duration(d.n(3)-1)
	case 3:
		return period + time.Duration(d.n(3)-1)
	case 4:
		return time.Duration(1 + d.Int64N(int64(period)))
	case 5:
		return time.Duration(1000 + d.n(100_000))
	case 6:
		return time.Duration(1 + d.Int64N(5*int64(period)))
	}
	return time.Duration(1+d.n(20)) * 100 * time.Microsecond
}

func (d *draws) dist(period time.Duration) workload.Dist {
	a := d.span(period)
	switch d.n(8) {
	case 0:
		return workload.Exponential(a)
	case 1:
		return workload.Uniform(0, a)
	case 2:
		return workload.Bimodal(0.7, a, d.span(period))
	}
	return workload.Constant(a)
}

// steps returns a random program. depth bounds what lies inside each other,
// forks how often children may have children.
func (d *draws) steps(s *scenario, period time.Duration, depth, forks int) []workload.Step {
	var out []workload.Step
	for range 1 + d.n(4) {
		out = append(out, d.step(s, period, depth, forks)...)
	}
	return out
}

func (d *draws) step(s *scenario, period time.Duration, depth, forks int) []workload.Step {
	run := workload.Run{For: d.dist(period)}
	switch d.n(16) {
	case 0, 1:
		return []workload.Step{workload.Sleep{For: d.dist(period)}, run}
	case 2:
		return []workload.Step{workload.Timer{Period: period * time.Duration(1+d.n(3))}, run}
	case 3:
		return []workload.Step{workload.Timer{Period: d.span(period) + time.Microsecond}, run}
	case 4, 5:
		run.Kernel = true
		if d.chance(60) {
			run.Resched = d.span(period)/4 + 1
		}
		return []workload.Step{run}
	case 6:
		if s.sems > 0 {
			return []workload.Step{run, workload.SemPost{Obj: workload.ObjID(d.n(s.sems))}}
		}
	case 7, 8:
		if s.sems > 0 {
			return []workload.Step{workload.SemPost{Obj: workload.ObjID(d.n(s.sems))},
				workload.SemWait{Obj: workload.ObjID(d.n(s.sems))}, run}
		}
	case 9:
		return []workload.Step{workload.Yield{}, run}
	case 10:
		return []workload.Step{workload.Nice{N: int32(d.n(40) - 20)}}
	case 11:
		if depth > 0 {
			body := append(d.steps(s, period, depth-1, forks), workload.Run{For: workload.Constant(d.span(period) + 20*time.Microsecond)})
			return []workload.Step{workload.Repeat{Count: workload.Count(int64(1 + d.n(4))), Body: body}}
		}
	case 12:
		if depth > 0 {
			return []workload.Step{workload.Choose{Bodies: [][]workload.Step{
				d.steps(s, period, depth-1, 0), {}, d.steps(s, period, depth-1, forks)}}}
		}
	case 13, 14:
		if forks > 0 {
			return d.fork(s, period, forks)
		}
	}
	return []workload.Step{run}
}

// fork returns steps that make a child or two.
func (d *draws) fork(s *scenario, period time.Duration, forks int) []workload.Step {
	child := d.steps(s, period, 1, forks-1)
	thread := d.chance(40)
	if !thread && d.chance(40) {
		child = append([]workload.Step{workload.Setsid{}}, child...)
	}
	f := workload.Fork{Prog: compile(child), Comm: fmt.Sprintf("c%d", d.n(9)), Thread: thread, Count: workload.Count(int64(1 + d.n(2)))}
	out := []workload.Step{f, workload.Run{For: d.dist(period)}}
	switch d.n(4) {
	case 0:
		out = append(out, workload.Wait{})
	case 1, 2:
		out = append(out, workload.WaitAll{})
	}
	return out
}

func compile(steps []workload.Step) *workload.Program {
	p, err := workload.Compile(steps)
	if err != nil {
		panic(err)
	}
	return p
}

// randomScenario returns the scenario of a seed: some tasks at the start, then
// all kinds of changes.
func randomScenario(seed uint64) *scenario {
	d := newDraws(seed)
	s := &scenario{seed: seed, cpus: choose(d, 1, 1, 1, 2, 2, 3, 4, 5, 8, 16), sems: d.n(4)}
	s.cfg.Kernel = choose(d, kernel.Profiles()...)
	s.cfg.Kernel = d.variant(s.cfg.Kernel)
	s.cfg.HZ = choose(d, 100, 250, 300, 1000)
	s.cfg.SkewTick = d.chance(30)
	s.cfg.Preempt = choose(d, engine.PreemptNone, engine.PreemptVoluntary, engine.PreemptFull)
	s.cfg.NoAutogroup = d.chance(20)
	period := time.Second / time.Duration(s.cfg.HZ)
	s.cfg.Costs = d.costs(period)
	s.end = event.Time(period) * event.Time(20+d.n(60))
	if d.chance(30) {
		s.end += event.Time(d.Int64N(int64(period)))
	}
	tasks := 1 + d.n(2*s.cpus+4)
	for range d.n(5) {
		s.ops = append(s.ops, op{between: true, kind: "mkgroup", y: int64(d.n(9))})
	}
	for i := range tasks {
		o := op{between: true, kind: "spawn", y: int64(d.n(9)), task: d.spawn(s, period, i)}
		if d.chance(30) {
			o.at, o.between = d.moment(s, period), d.chance(50)
		}
		s.ops = append(s.ops, o)
	}
	for range d.n(25) {
		o := d.change(period)
		o.at, o.between = d.moment(s, period), d.chance(30)
		s.ops = append(s.ops, o)
	}
	slices.SortStableFunc(s.ops, func(a, b op) int { return int(a.at - b.at) })
	return s
}

// variant returns the profile with a few patches, features and tunables
// changed; what the version does not know is left out.
func (d *draws) variant(k kernel.Profile) kernel.Profile {
	with := func(patch, feature string, tun map[string]int64) {
		var p, f []string
		if patch != "" {
			p = append(p, patch)
		}
		if feature != "" {
			f = append(f, feature)
		}
		if changed, err := k.With(p, f, tun); err == nil {
			k = changed
		}
	}
	if d.chance(25) {
		with(choose(d, "NO_autogroup", "autogroup", "tick-unsigned-compare", "cgroup-move-vruntime", "move-task-skip-unchanged"), "", nil)
	}
	if d.chance(25) {
		with("", choose(d, "NEXT_BUDDY", "NO_LAST_BUDDY", "NO_GENTLE_FAIR_SLEEPERS", "NO_START_DEBIT", "NO_WAKEUP_PREEMPT"), nil)
	}
	if d.chance(25) {
		with("", "", choose(d, map[string]int64{"child_runs_first": 1}, map[string]int64{"latency": 20_000_000},
			map[string]int64{"min_granularity": 3_000_000}, map[string]int64{"wakeup_granularity": 0},
			map[string]int64{"shares_window": 1_000_000}, map[string]int64{"tunable_scaling": 0}))
	}
	return k
}

// moment returns an instant of the scenario, often one of the tick.
func (d *draws) moment(s *scenario, period time.Duration) event.Time {
	if d.chance(40) {
		return event.Time(period) * event.Time(d.Int64N(int64(s.end)/int64(period)))
	}
	return event.Time(d.Int64N(int64(s.end)))
}

func (d *draws) costs(period time.Duration) cost.Table {
	switch d.n(5) {
	case 0:
		return cost.None()
	case 1:
		return cost.Default()
	case 2:
		return cost.Recorder()
	}
	t := cost.Table{Name: "random"}
	for _, name := range cost.Names() {
		if d.chance(60) {
			if err := t.Set(name, time.Duration(d.n(15_000))); err != nil {
				panic(err)
			}
		}
	}
	if d.chance(20) {
		t.Tick = time.Duration(d.Int64N(int64(period)))
	}
	t.WaitForEvent = d.chance(10)
	return t
}

func (d *draws) spawn(s *scenario, period time.Duration, i int) engine.Spawn {
	steps := d.steps(s, period, 2, 2)
	if d.chance(15) {
		steps = append([]workload.Step{workload.Setsid{}}, steps...)
	}
	switch d.n(10) {
	case 0, 1, 2:
		steps = append(steps, workload.RunForever{})
	case 3: // it exits
	default:
		// The loop forks only what it waits for, so that tasks stay few.
		body := append(d.steps(s, period, 1, 0), workload.Run{For: workload.Constant(d.span(period) + 20*time.Microsecond)})
		if d.chance(20) {
			f := workload.Fork{Prog: compile(d.steps(s, period, 1, 0)), Comm: "looped", Thread: d.chance(50)}
			body = append(body, f, workload.WaitAll{})
			if f.Thread {
				body = append(body, workload.Sleep{For: workload.Constant(3 * period)})
			}
		}
		steps = append(steps, workload.Loop{Body: body})
	}
	sp := engine.Spawn{Comm: fmt.Sprintf("t%d", i), Program: compile(steps)}
	if d.chance(50) {
		sp.Nice = d.n(40) - 20
	}
	if d.chance(25) {
		sp.Policy = choose(d, sched.Batch, sched.Idle)
	}
	if s.cpus > 1 && d.chance(25) {
		sp.CPUs = maskOf(1+d.Int64N(1<<s.cpus-1), s.cpus)
	}
	if s.cpus > 1 && d.chance(15) {
		sp.Start = maskOf(1+d.Int64N(1<<s.cpus-1), s.cpus)
	}
	return sp
}

// change returns a random change to a running machine.
func (d *draws) change(period time.Duration) op {
	o := op{x: int64(d.n(1000)), y: int64(d.n(1000))}
	o.kind = choose(d, "mkgroup", "rmgroup", "shares", "shares", "attach", "attach", "nice", "nice", "policy",
		"affinity", "affinity", "kill", "kill", "kill", "setsid", "setsid", "autogroup", "autonice", "post", "exec", "irq")
	switch o.kind {
	case "shares":
		o.n = choose(d, 2, 100, 512, 1024, 2048, 10240, int64(1+d.n(262144)))
	case "nice", "autonice":
		o.n = int64(d.n(40) - 20)
	case "policy":
		o.n = int64(choose(d, sched.Normal, sched.Batch, sched.Idle))
	case "affinity":
		o.n = d.Int64N(1 << 16)
	case "kill":
		o.word = choose(d, "STOP", "CONT", "CONT", "KILL")
	case "autogroup", "post":
		o.n = int64(d.n(2))
	case "exec":
		o.word = choose(d, "ls", "cc1")
	case "irq":
		o.n, o.x = int64(50_000+d.n(int(4*period))), int64(d.n(20_000))
		if d.chance(30) {
			o.n, o.word = int64(d.span(period)+50*time.Microsecond), "regular"
			if d.chance(50) {
				o.n = int64(period)
			}
		}
	}
	return o
}
