package bindings

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"schedrepl/engine"
	"schedrepl/engine/cost"
	"schedrepl/engine/event"
	"schedrepl/engine/kernel"
	"schedrepl/engine/topology"
)

// machine is one simulated machine as scripts see it. It belongs to the
// session that made it and is used by one thread at a time.
type machine struct {
	Object
	m       *engine.Machine
	session *Session
	state   *starlark.Dict // The script's own.
	frozen  bool
	digest  int // Where the session's notes keep the digest of the trace.

	running bool             // RunUntil is on the stack.
	depth   int              // Callbacks on the stack.
	thread  *starlark.Thread // Runs callbacks; nil when no call is on the stack.
	limit   event.Time       // How far the present run goes.
	broken  string           // The invariant that broke; empty while all hold.

	failure error           // Of a callback between two runs.
	queue   []delivery      // Records that callbacks made, for other callbacks.
	told    int             // Callbacks of this instant about records.
	toldAt  event.Time      // The instant.
	tasks   map[int32]*task // The values that the script has seen, by pid.
	numbers int             // How many task values there were.
	past    past            // What is left of tasks that have exited.
	marks   []string        // In the order of time.
}

// newMachine wraps an engine's machine.
func newMachine(s *Session, m *engine.Machine) *machine {
	ma := &machine{
		m: m, session: s, state: starlark.NewDict(0),
		tasks: map[int32]*task{},
	}
	ma.Init("machine", ma)
	ma.past.watch(m)
	m.SetCalls(ma.nextSteps)
	m.SetPoll(ma.poll)
	if s != nil {
		s.NoteDigest(m.Digest())
		ma.digest = len(s.notes.digests) - 1
		s.traceText(m)
	}
	return ma
}

// String tells the kernel, the CPUs and the moment.
func (ma *machine) String() string {
	cfg := ma.m.Config()
	return fmt.Sprintf("<machine: %s, kernel %s, at %v>", plural(cfg.Topology.NumCPU(), "CPU"), kernelName(&cfg.Kernel), ma.m.Now())
}

// Freeze makes the machine refuse whatever changes it.
func (ma *machine) Freeze() {
	ma.frozen = true
	ma.state.Freeze()
}

// Hash is that of the place of the machine among those of its session.
func (ma *machine) Hash() (uint32, error) { return starlark.MakeInt(ma.digest).Hash() }

// numCPU is the number of CPUs.
func (ma *machine) numCPU() int { return ma.m.Config().Topology.NumCPU() }

// usable fails for a machine on which nothing may be done any more.
func (ma *machine) usable() error {
	if ma.broken != "" {
		return fmt.Errorf("the machine has broken down: %s", ma.broken)
	}
	return nil
}

// changeable fails for a machine that may not be changed.
func (ma *machine) changeable() error {
	if ma.frozen {
		return fmt.Errorf("the machine is frozen: it was made at the top level of a file that has ended, or outside of a function for repeat; make it inside the function")
	}
	return ma.usable()
}

// act runs fn, which changes the machine, on behalf of a call. Callbacks run on
// the thread of the call. The error reads well after the name of the built-in.
func (ma *machine) act(c *Call, fn func() error) error {
	if c.Session != ma.session {
		return errors.New("the machine belongs to another run: make one inside the function that repeat calls")
	}
	return withoutName(c.b.short, ma.actOn(c.Thread, fn))
}

// actOn is act for what is no call of a built-in; thread may be nil.
func (ma *machine) actOn(thread *starlark.Thread, fn func() error) error {
	if err := ma.changeable(); err != nil {
		return err
	}
	defer ma.enter(thread)()
	err := fn()
	if err == nil {
		err = ma.failure
	}
	if !ma.running {
		ma.failure = nil
	}
	return err
}

// enter notes that a call of thread uses the machine. The function that it
// returns ends that, and must be deferred directly: it passes a panic on with
// the moment at which it happened.
func (ma *machine) enter(thread *starlark.Thread) func() {
	before := ma.thread
	if thread != nil {
		ma.thread = thread
	}
	return func() {
		r := recover()
		ma.thread = before
		if r == nil {
			ma.noteDigest()
			return
		}
		if _, nested := r.(*panicked); !nested && ma.broken == "" {
			ma.broken = strings.TrimPrefix(fmt.Sprint(r), "sched: ")
			r = fmt.Sprintf("%v (event %d of the machine, at %v, its seed %d)", r, ma.m.Events(), ma.m.Now(), ma.m.Config().Seed)
		}
		panic(r)
	}
}

// noteDigest brings the manifest's digest of the trace up to date.
func (ma *machine) noteDigest() {
	if !ma.running && ma.session != nil && ma.digest < len(ma.session.notes.digests) {
		ma.session.notes.digests[ma.digest] = ma.m.Digest()
	}
}

// namedError is an error whose text lost the name that the caller puts before
// it again.
type namedError struct {
	text  string
	cause error
}

func (e *namedError) Error() string { return e.text }
func (e *namedError) Unwrap() error { return e.cause }

// withoutName takes the name of a built-in from the beginning of an error, as
// Call.wrap puts it there. A traceback of a callback stays as it is.
func withoutName(name string, err error) error {
	var trace *starlark.EvalError
	if err == nil || asTraceback(err, &trace) {
		if trace != nil {
			return trace
		}
		return nil
	}
	text := err.Error()
	for {
		rest, ok := strings.CutPrefix(text, name+": ")
		if !ok {
			rest, ok = strings.CutPrefix(text, name+" ")
		}
		if !ok {
			break
		}
		text = rest
	}
	if text == err.Error() {
		return err
	}
	return &namedError{text, err}
}

func machineTable() Table {
	return Table{
		Topics: []Topic{{
			Name: "machine", Type: true,
			Doc: "One simulated machine: its CPUs, its kernel, and the tasks on it. " +
				"It stands still until run is called; everything between two runs happens at one moment. " +
				"Two machines never share anything. A machine that was made at the top level of a file is frozen when the file has ended.",
			Setup: "m = machine(topo.smp(4))\n" +
				"hog = m.spawn(\"hog\", work.loop([work.run(1 * sec)]))\n" +
				"web = m.spawn(\"web\", work.loop([work.run(2 * ms), work.sleep(8 * ms)]))",
		}},
		Builtins: []Builtin{machineBuiltin(), {
			Recv: "machine", Name: "now", Attr: true, Result: "duration",
			Doc:     "The time since the machine booted.",
			Example: "m.run(20 * ms)\nprint(m.now)  # 20ms",
			Impl:    func(c *Call) (starlark.Value, error) { return Duration(c.Recv.(*machine).m.Now()), nil },
		}, {
			Recv: "machine", Name: "state", Attr: true, Result: "dict",
			Doc:     "A dict of the script's own, for counting in callbacks.",
			Example: "m.state[\"n\"] = 1\nprint(m.state[\"n\"])  # 1",
			Impl:    func(c *Call) (starlark.Value, error) { return c.Recv.(*machine).state, nil },
		}, {
			Recv: "machine", Name: "kernel", Attr: true, Result: "string",
			Doc:     "The kernel profile that the machine runs, with the patches put on it.",
			Example: "print(machine(topo.smp(1), kernel = \"2.6.36\", patches = [\"autogroup\"]).kernel)  # 2.6.36 autogroup",
			Impl: func(c *Call) (starlark.Value, error) {
				cfg := c.Recv.(*machine).m.Config()
				return starlark.String(kernelName(&cfg.Kernel)), nil
			},
		}, {
			Recv: "machine", Name: "seed", Attr: true, Result: "int",
			Doc:     "The seed from which the machine's random streams grow.",
			Example: "print(machine(topo.smp(1), seed = 7).seed)  # 7",
			Impl: func(c *Call) (starlark.Value, error) {
				return starlark.MakeUint64(c.Recv.(*machine).m.Config().Seed), nil
			},
		}, {
			Recv: "machine", Name: "ncpu", Attr: true, Result: "int",
			Doc:     "The number of CPUs.",
			Example: "print(m.ncpu)  # 4",
			Impl:    func(c *Call) (starlark.Value, error) { return starlark.MakeInt(c.Recv.(*machine).numCPU()), nil },
		}, {
			Recv: "machine", Name: "digest", Attr: true, Result: "string",
			Doc:     "A short text of all that has happened: two runs with equal digests took the same decisions at the same times.",
			Example: "print(m.digest == machine(topo.smp(4)).digest)  # False",
			Impl: func(c *Call) (starlark.Value, error) {
				return starlark.String(c.Recv.(*machine).m.Digest()), nil
			},
		}, {
			Recv: "machine", Name: "events", Attr: true, Result: "int",
			Doc:     "How many events of the simulation the machine has handled, a measure of the work that a run was.",
			Example: "before = m.events\nm.run(1 * sec)\nprint(m.events > before)  # True",
			Impl: func(c *Call) (starlark.Value, error) {
				return starlark.MakeUint64(c.Recv.(*machine).m.Events()), nil
			},
		}},
	}
}

func machineBuiltin() Builtin {
	return Builtin{
		Name: "machine", Result: "machine",
		Params: []Param{
			{Name: "topology", Type: "topology", Doc: "The CPUs: topo.smp(4), topo.parse(\"2n4l16c2t\")."},
			{Name: "kernel", Type: "string", Default: strconv.Quote(kernel.Latest().Version), Doc: "The version of Linux to follow. One without a profile takes the nearest older one and says so."},
			{Name: "boot", Type: "string", Default: `""`, Doc: "Words of the kernel command line: noautogroup, skew_tick=1, preempt=none."},
			{Name: "hz", Type: "int", Default: strconv.Itoa(engine.DefaultHZ), Unit: "ticks per second", Doc: "The rate of the timer tick (CONFIG_HZ), 24 to 10000."},
			{Name: "preempt", Type: "string", Default: `"voluntary"`, Choices: []string{"none", "voluntary", "full"}, Doc: "Where a request to reschedule takes effect while a task is inside the kernel."},
			{Name: "features", Type: "list of string", Default: "[]", Doc: "Scheduler features to switch, as in sched_features: \"NEXT_BUDDY\", \"NO_LAST_BUDDY\"."},
			{Name: "patches", Type: "list of string", Default: "[]", Doc: "Named changes to put on the profile; with NO_ before the name one is taken off."},
			{Name: "tunables", Type: "dict", Default: "{}", Doc: "Scheduler tunables by their sysctl or debugfs name, as {\"sched_latency_ns\": 6000000} or {\"sched_latency\": 6 * ms}."},
			{Name: "cgroup", Type: "string", Default: `"v2"`, Choices: []string{"v2"}, Doc: "The version of the control groups below /sys/fs/cgroup."},
			{Name: "costs", Type: "costs", Default: "costs.default", Doc: "What things cost in time."},
			{Name: "seed", Type: "int | None", Default: "None", Doc: "What the random streams grow from; None takes the session's seed."},
			{Name: "ticks", Type: "string", Default: `"skip"`, Choices: []string{"skip", "all"}, KwOnly: true, Doc: "Whether ticks that cannot matter are simulated: the trace is the same, all takes longer."},
			{Name: "records", Type: "int | None", Default: "None", KwOnly: true, Doc: "How many of the newest trace records to keep for measures; None keeps 32 million."},
			{Name: "reasons", Type: "bool", Default: "True", KwOnly: true, Doc: "Record each request to reschedule, with the rule and the numbers that it compared. Without, the schedule is the same and a run is up to a tenth faster; the digest is another."},
		},
		Doc: "Makes a machine. It has no tasks, and the time is 0. " +
			"The random streams grow from the seed by name, so that machines with equal seeds draw equal numbers for equal tasks.",
		Example: "m = machine(topo.smp(4), kernel = \"2.6.36\", patches = [\"autogroup\"], boot = \"skew_tick=1\")\n" +
			"m.run(10 * ms)\nprint(m.now)  # 10ms",
		Impl: machineImpl,
	}
}

func machineImpl(c *Call) (starlark.Value, error) {
	cfg := engine.Config{
		Topology: Arg[*topology.Topology](c, "topology"),
		HZ:       c.Int("hz"),
		Costs:    Arg[cost.Table](c, "costs"),
		Seed:     c.Session.Seed(),
		AllTicks: c.Str("ticks") == "all",
	}
	if cfg.HZ == 0 {
		return nil, fmt.Errorf("hz: 0: a machine needs ticks; it must lie between 24 and 10000, such as 100, 250 or 1000")
	}
	cfg.NoReasons = !c.Bool("reasons")
	if c.Has("seed") {
		if c.Int("seed") < 0 {
			return nil, fmt.Errorf("seed must not be negative, not %d", c.Int("seed"))
		}
		cfg.Seed = uint64(c.Int("seed"))
	}
	if c.Has("records") {
		if cfg.LogLimit = c.Int("records"); cfg.LogLimit <= 0 {
			return nil, fmt.Errorf("records must be 1 or more, not %d", cfg.LogLimit)
		}
	}
	var err error
	if cfg.Preempt, err = engine.ParsePreempt(c.Str("preempt")); err != nil {
		return nil, err
	}
	if err := bootWords(c.Str("boot"), &cfg); err != nil {
		return nil, err
	}
	if cfg.Kernel, err = profileFor(c); err != nil {
		return nil, err
	}
	m, err := engine.New(cfg)
	if err != nil {
		return nil, withoutName("machine", err)
	}
	c.Session.NoteKernel(kernelName(&cfg.Kernel))
	return newMachine(c.Session, m), nil
}

// profileFor is the kernel that the arguments describe.
func profileFor(c *Call) (kernel.Profile, error) {
	version := c.Str("kernel")
	p, exact, err := kernel.Lookup(version)
	if err != nil {
		return p, err
	}
	tunables, err := tunablesOf(Arg[*starlark.Dict](c, "tunables"))
	if err != nil {
		return p, err
	}
	k, err := p.With(ArgList[string](c, "patches"), ArgList[string](c, "features"), tunables)
	if err == nil && !exact {
		c.Session.noteOnce("kernel "+version, "kernel %s has no profile: the machine runs that of %s, the nearest older one", version, p.Version)
	}
	return k, err
}

// kernelName is the version with its patches: "2.6.36 autogroup".
func kernelName(k *kernel.Profile) string {
	return strings.Join(append([]string{k.Version}, k.Patches...), " ")
}

// tunablesOf reads a dict of tunables. A time is a duration, or a bare number
// where the name tells the unit.
func tunablesOf(d *starlark.Dict) (map[string]int64, error) {
	out := map[string]int64{}
	for _, kv := range d.Items() {
		name, ok := starlark.AsString(kv[0])
		if !ok {
			return nil, fmt.Errorf("tunables must have names as keys, not %s", describe(kv[0]))
		}
		short := strings.TrimPrefix(name, "sched_")
		v := kv[1]
		n, bare := v.(starlark.Int)
		if bare && (strings.HasSuffix(name, "_ns") || short == "child_runs_first" || short == "tunable_scaling") {
			if out[name], ok = n.Int64(); !ok {
				return nil, fmt.Errorf("tunable %s is out of range: %v does not fit in 64 bits", name, n)
			}
			continue
		}
		dur, err := toDuration(v)
		if err == ErrType {
			return nil, fmt.Errorf("tunable %s must be a duration or an int, not %s", name, describe(v))
		}
		if err != nil {
			if _, err := (kernel.Profile{}).With(nil, nil, map[string]int64{name: 0}); err != nil && strings.Contains(err.Error(), "unknown tunable") {
				return nil, err
			}
			return nil, fmt.Errorf("tunable %s %w; or call it %s_ns", name, err, name)
		}
		out[name] = int64(dur)
	}
	return out, nil
}
