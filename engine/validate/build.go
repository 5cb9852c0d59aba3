package validate

import (
	"fmt"

	"schedrepl/engine"
	"schedrepl/engine/cost"
	"schedrepl/engine/cpumask"
	"schedrepl/engine/event"
	"schedrepl/engine/kernel"
	"schedrepl/engine/sched"
	"schedrepl/engine/topology"
	"schedrepl/engine/workload"
)

// maxInstant bounds the program steps that may be taken in one instant: no
// recording comes near.
const maxInstant = 20_000

// harness is a machine set up as a scenario says.
type harness struct {
	s      *scenario
	m      *engine.Machine
	groups map[string]sched.GroupID
	pids   map[string]int32
	sems   map[string]workload.ObjID
	done   map[string]*workload.Program
	// label is the line of the control that is being carried out.
	label string
	lines *liner
}

// withoutEffect are features that decide where a task runs, how long real-time
// tasks may borrow, or what a mutex does: with one CPU, fair tasks and no
// mutexes nothing follows from them, whether the model has them or not.
// DOUBLE_TICK matters with HRTICK only.
var withoutEffect = [...]kernel.Feature{
	kernel.AffineWakeups, kernel.CacheHotBuddy, kernel.LBBias, kernel.ArchPower,
	kernel.OwnerSpin, kernel.NontaskPower, kernel.TTWUQueue, kernel.ForceSDOverlap,
	kernel.RTRuntimeShare, kernel.DoubleTick,
}

// features returns the feature words that matter, as sched/features has them.
func (s *scenario) features() []string {
	var words []string
	for i, list := range [][]string{s.FeaturesOn, s.FeaturesOff} {
		for _, name := range list {
			f, ok := kernel.FeatureByName(name)
			skip := false
			for _, g := range withoutEffect {
				skip = skip || ok && f == g
			}
			if skip {
				continue
			}
			if i == 1 {
				name = "NO_" + name
			}
			words = append(words, name)
		}
	}
	return words
}

// config returns the machine that the scenario describes.
func (s *scenario) config() (engine.Config, error) {
	topo, err := topology.SMP(len(s.Topology.CPUs))
	if err != nil {
		return engine.Config{}, err
	}
	k, _, err := kernel.Lookup("3.3")
	if err != nil {
		return engine.Config{}, err
	}
	if k, err = k.With(nil, s.features(), s.tunables); err != nil {
		return engine.Config{}, err
	}
	return engine.Config{
		Topology: topo, Kernel: k, HZ: int(s.HZ), NoAutogroup: true,
		Costs: cost.Recorder(), Seed: 1, LogLimit: -1, MaxInstant: maxInstant,
	}, nil
}

// build sets the machine up: the groups are there, and no task. Lines of the
// trace go to emit, from start on.
func (s *scenario) build(allTicks bool, emit func(line string)) (*harness, error) {
	cfg, err := s.config()
	if err != nil {
		return nil, err
	}
	cfg.AllTicks = allTicks
	m, err := engine.New(cfg)
	if err != nil {
		return nil, err
	}
	h := &harness{
		s: s, m: m, groups: map[string]sched.GroupID{"/": sched.RootGroup},
		pids: map[string]int32{}, sems: map[string]workload.ObjID{},
		done: map[string]*workload.Program{},
	}
	h.lines = &liner{h: h, emit: emit, forked: map[string]int{}}
	m.AddSink(h.lines)
	// An object must exist for programs that are compiled while one of their
	// children is not: they count as using the first.
	if _, err := m.NewSem(0); err != nil {
		return nil, err
	}
	return h, h.makeGroups()
}

// run runs the machine: to the launch, where the tasks are forked in order, and
// on to the end, or until stop tells to stop; stop may be nil. The controls
// that lie at the launch act after it.
func (h *harness) run(stop func() bool) error {
	if err := h.m.RunUntil(event.Time(h.s.Launch.At)); err != nil {
		return err
	}
	for i := range h.s.Tasks {
		if t := &h.s.Tasks[i]; !t.Template {
			if err := h.launch(t); err != nil {
				return err
			}
		}
	}
	for i := range h.s.Controls {
		if err := h.arm(&h.s.Controls[i]); err != nil {
			return err
		}
	}
	_, err := h.m.RunWhile(event.Time(h.s.End), stop)
	return err
}

// makeGroups makes the groups and sets those shares that are not the default:
// to write the default changes nothing, and leaves the weight of the empty
// group's entity at what it is made with.
func (h *harness) makeGroups() error {
	for i := range h.s.Groups {
		g := &h.s.Groups[i]
		id, err := h.m.NewGroup(h.groups[g.Parent], g.Name)
		if err != nil {
			return err
		}
		h.groups[g.Name] = id
		if g.Shares != nil {
			if err := h.m.SetShares(id, *g.Shares); err != nil {
				return err
			}
		}
	}
	return nil
}

// launch forks one task.
func (h *harness) launch(t *task) error {
	p, err := h.program(t.Name)
	if err != nil {
		return err
	}
	policy, err := parsePolicy(t.Policy)
	if err != nil {
		return err
	}
	h.lines.launching = t.Name
	pid, err := h.m.Spawn(engine.Spawn{
		Comm: t.Name, Program: p, Nice: t.Nice, Policy: policy, Group: h.groups[t.Group],
		CPUs: mask(t.Allowed), Start: mask(t.StartCPUs),
	})
	h.pids[t.Name] = pid
	return err
}

// mask returns a list of CPUs as a set; null is all.
func mask(cpus []int) cpumask.Set {
	if cpus == nil {
		return nil
	}
	return cpumask.Of(cpus...)
}

// sem returns the semaphore on which a task blocks. The children of a template
// share one, which nobody posts: they cannot be named.
func (h *harness) sem(name string) (workload.ObjID, error) {
	if o, ok := h.sems[name]; ok {
		return o, nil
	}
	o, err := h.m.NewSem(0)
	if err != nil {
		return 0, fmt.Errorf("task %q: %w", name, err)
	}
	h.sems[name] = o
	return o, nil
}
