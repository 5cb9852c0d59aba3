package validate

import (
	"encoding/json"
	"fmt"
	"time"

	"schedrepl/engine"
	"schedrepl/engine/cost"
	"schedrepl/engine/cpumask"
	"schedrepl/engine/event"
	"schedrepl/engine/kernel"
	"schedrepl/engine/sched"
	"schedrepl/engine/topology"
	"schedrepl/engine/workload"
)

func parsePolicy(word string) (sched.Policy, error) {
	switch word {
	case "NORMAL", "OTHER":
		return sched.Normal, nil
	case "BATCH":
		return sched.Batch, nil
	case "IDLE":
		return sched.Idle, nil
	case "FIFO", "RR":
		return 0, fmt.Errorf("policy %s: the real-time class is not modelled yet", word)
	}
	return 0, fmt.Errorf("policy %q is not one of NORMAL, BATCH, IDLE", word)
}

// harness is a machine set up as a scenario says.
type harness struct {
	s      *scenario
	m      *engine.Machine
	groups map[string]sched.GroupID
	names  []string // by group id
	pids   map[string]int32
	sems   map[string]workload.ObjID
	done   map[string]*workload.Program
	making map[string]bool
	tasks  map[string]*task
	// labels are the controls carried out, as lines, by time.
	labels []label
}

type label struct {
	at   event.Time
	text string
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
	tun := map[string]int64{}
	for _, name := range []struct{ file, own string }{
		{"sched_latency_ns", "latency"}, {"min_granularity_ns", "min_granularity"},
		{"wakeup_granularity_ns", "wakeup_granularity"}, {"migration_cost_ns", "migration_cost"},
		{"shares_window_ns", "shares_window"}, {"child_runs_first", "child_runs_first"},
	} {
		raw, ok := s.Tunables[name.file]
		if !ok {
			continue
		}
		var v int64
		if err := json.Unmarshal(raw, &v); err != nil {
			return engine.Config{}, fmt.Errorf("tunable %s: %s is not a whole number", name.file, raw)
		}
		tun[name.own] = v
	}
	var features []string
	for _, f := range s.FeaturesOn {
		features = append(features, f)
	}
	for _, f := range s.FeaturesOff {
		features = append(features, "NO_"+f)
	}
	if k, err = k.With(nil, features, tun); err != nil {
		return engine.Config{}, err
	}
	return engine.Config{Topology: topo, Kernel: k, HZ: s.HZ, Costs: cost.Recorder(), Seed: 1}, nil
}

// build sets the machine up and starts it: it runs to the launch, forks the
// tasks in order, and arms the controls.
func (s *scenario) build(allTicks bool) (*harness, error) {
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
		s: s, m: m, groups: map[string]sched.GroupID{"/": sched.RootGroup}, names: []string{"/"},
		pids: map[string]int32{}, sems: map[string]workload.ObjID{},
		done: map[string]*workload.Program{}, making: map[string]bool{}, tasks: map[string]*task{},
	}
	for i := range s.Tasks {
		h.tasks[s.Tasks[i].Name] = &s.Tasks[i]
	}
	for _, g := range s.Groups {
		id, err := m.NewGroup(h.groups[g.Parent], g.Name)
		if err != nil {
			return nil, err
		}
		h.groups[g.Name] = id
		if g.Shares != nil && *g.Shares != kernel.NiceZero {
			if err := m.SetShares(id, *g.Shares); err != nil {
				return nil, err
			}
		}
	}
	for i := range s.Controls {
		if err := h.arm(&s.Controls[i]); err != nil {
			return nil, err
		}
	}
	if err := m.RunUntil(event.Time(s.Launch.At)); err != nil {
		return nil, err
	}
	for i := range s.Tasks {
		t := &s.Tasks[i]
		if t.Template {
			continue
		}
		p, err := h.program(t.Name)
		if err != nil {
			return nil, err
		}
		policy, _ := parsePolicy(t.Policy)
		pid, err := m.Spawn(engine.Spawn{
			Comm: t.Name, Program: p, Nice: t.Nice, Policy: policy, Group: h.groups[t.Group],
			CPUs: mask(t.Allowed), Start: mask(t.StartCPUs),
		})
		if err != nil {
			return nil, err
		}
		h.pids[t.Name] = pid
	}
	return h, nil
}

func mask(cpus []int) cpumask.Set {
	if cpus == nil {
		return nil
	}
	return cpumask.Of(cpus...)
}

// sem returns the semaphore on which a task blocks.
func (h *harness) sem(name string) (workload.ObjID, error) {
	if _, ok := h.tasks[name]; !ok {
		return 0, fmt.Errorf("no task %q", name)
	}
	if o, ok := h.sems[name]; ok {
		return o, nil
	}
	o, err := h.m.NewSem(0)
	if err == nil {
		h.sems[name] = o
	}
	return o, err
}

// program compiles the program of a task or template.
func (h *harness) program(name string) (*workload.Program, error) {
	if p, ok := h.done[name]; ok {
		return p, nil
	}
	t, ok := h.tasks[name]
	if !ok {
		return nil, fmt.Errorf("fork: no template %q", name)
	}
	if h.making[name] {
		return nil, fmt.Errorf("task %q forks itself", name)
	}
	h.making[name] = true
	defer delete(h.making, name)
	var steps []workload.Step
	for i, st := range t.Program {
		w, err := h.step(t, st)
		if err != nil {
			return nil, fmt.Errorf("task %q: step %d: %w", name, i, err)
		}
		steps = append(steps, w)
	}
	if t.LoopTo != nil {
		if *t.LoopTo < 0 || *t.LoopTo >= len(steps) {
			return nil, fmt.Errorf("task %q: loop_to_index %d: the program has steps 0-%d", name, *t.LoopTo, len(steps)-1)
		}
		if !t.endless() {
			steps = workload.LoopFrom(steps, *t.LoopTo)
		}
	}
	p, err := workload.Compile(steps)
	if err != nil {
		return nil, fmt.Errorf("task %q: %w", name, err)
	}
	h.done[name] = p
	return p, nil
}

// endless reports whether the program's last step never ends.
func (t *task) endless() bool {
	n := len(t.Program)
	return n > 0 && string(t.Program[n-1]["run_ns"]) == `"forever"`
}

// step translates one step.
func (h *harness) step(t *task, st step) (workload.Step, error) {
	if len(st) != 1 {
		return nil, fmt.Errorf("must have one key, has %d", len(st))
	}
	for key, raw := range st {
		switch key {
		case "run_ns":
			if string(raw) == `"forever"` {
				return workload.RunForever{}, nil
			}
			d, err := length(raw)
			return workload.Run{For: workload.Constant(d)}, err
		case "sleep_ns":
			d, err := length(raw)
			return workload.Sleep{For: workload.Constant(d)}, err
		case "sleep_until_next_period_ns":
			d, err := length(raw)
			return workload.Timer{Period: d}, err
		case "yield":
			return workload.Yield{}, nil
		case "block":
			o, err := h.sem(t.Name)
			return workload.SemWait{Obj: o}, err
		case "wake":
			var name string
			if err := json.Unmarshal(raw, &name); err != nil {
				return nil, fmt.Errorf("wake: %s is not a task's name", raw)
			}
			o, err := h.sem(name)
			return workload.SemPost{Obj: o}, err
		case "fork":
			var name string
			if err := json.Unmarshal(raw, &name); err != nil {
				return nil, fmt.Errorf("fork: %s is not a template's name", raw)
			}
			p, err := h.program(name)
			return workload.Fork{Prog: p, Comm: name}, err
		default:
			return nil, fmt.Errorf("unknown step %q: run_ns, sleep_ns, sleep_until_next_period_ns, yield, block, wake, fork", key)
		}
	}
	return nil, nil
}

func length(raw json.RawMessage) (time.Duration, error) {
	var d int64
	if err := json.Unmarshal(raw, &d); err != nil || d < 0 {
		return 0, fmt.Errorf("%s is not a length in ns", raw)
	}
	return time.Duration(d), nil
}
