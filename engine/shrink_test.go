package engine_test

import (
	"slices"

	"schedrepl/engine/cost"
	"schedrepl/engine/workload"
)

// shrink leaves out of a failing scenario whatever the failure does not need,
// one thing at a time, until nothing more can go or the budget of runs is
// spent.
func shrink(s *scenario, budget int, fails func(*scenario) bool) *scenario {
	changed := true
	for changed && budget > 0 {
		changed = false
		for i := 0; budget > 0; budget-- {
			all := smaller(s)
			if i >= len(all) {
				break
			}
			if fails(all[i]) {
				s, changed = all[i], true
			} else {
				i++
			}
		}
	}
	return s
}

// smaller returns scenarios that are a little smaller, the boldest first.
func smaller(s *scenario) []*scenario {
	var out []*scenario
	add := func(f func(c *scenario)) {
		c := *s
		c.ops = slices.Clone(s.ops)
		f(&c)
		c.ops = slices.DeleteFunc(c.ops, func(o op) bool { return o.at > c.end })
		out = append(out, &c)
	}
	for n := len(s.ops) / 2; n >= 1; n /= 2 {
		for i := 0; i+n <= len(s.ops); i += n {
			add(func(c *scenario) { c.ops = slices.Delete(c.ops, i, i+n) })
		}
	}
	if s.cpus > 1 {
		add(func(c *scenario) { c.cpus = 1 })
		add(func(c *scenario) { c.cpus-- })
	}
	if s.end > 1000 {
		add(func(c *scenario) { c.end = c.end / 2 })
		add(func(c *scenario) { c.end = c.end * 9 / 10 })
	}
	for _, name := range cost.Names() {
		if d, _ := s.cfg.Costs.Get(name); d > 0 {
			add(func(c *scenario) { _ = c.cfg.Costs.Set(name, 0) })
		}
	}
	if s.cfg.SkewTick {
		add(func(c *scenario) { c.cfg.SkewTick = false })
	}
	for i, o := range s.ops {
		if o.kind != "spawn" {
			continue
		}
		if o.task.Nice != 0 || o.task.Policy != 0 || o.task.CPUs != nil || o.task.Start != nil {
			add(func(c *scenario) { c.ops[i].task.Nice = 0 })
			add(func(c *scenario) { c.ops[i].task.Policy = 0 })
			add(func(c *scenario) { c.ops[i].task.CPUs = nil })
			add(func(c *scenario) { c.ops[i].task.Start = nil })
		}
		for _, steps := range fewer(o.task.Program.Steps()) {
			if p, err := workload.Compile(steps); err == nil && len(p.Timeless()) == 0 {
				add(func(c *scenario) { c.ops[i].task.Program = p })
			}
		}
	}
	return out
}

// fewer returns the programs with one step less than steps, at any depth, or
// with one loop replaced by its body.
func fewer(steps []workload.Step) [][]workload.Step {
	var out [][]workload.Step
	with := func(i int, in ...workload.Step) {
		out = append(out, slices.Concat(steps[:i], in, steps[i+1:]))
	}
	for i, s := range steps {
		with(i)
		switch s := s.(type) {
		case workload.Loop:
			for _, b := range fewer(s.Body) {
				with(i, workload.Loop{Body: b})
			}
		case workload.Repeat:
			with(i, s.Body...)
			for _, b := range fewer(s.Body) {
				with(i, workload.Repeat{Count: s.Count, Body: b})
			}
		case workload.Choose:
			for _, b := range s.Bodies {
				with(i, b...)
			}
		case workload.Fork:
			for _, b := range fewer(s.Prog.Steps()) {
				if p, err := workload.Compile(b); err == nil {
					with(i, workload.Fork{Prog: p, Comm: s.Comm, Thread: s.Thread, Count: s.Count})
				}
			}
			if s.Count.IsSet() {
				with(i, workload.Fork{Prog: s.Prog, Comm: s.Comm, Thread: s.Thread})
			}
		}
	}
	return out
}
