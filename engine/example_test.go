package engine_test

import (
	"fmt"
	"time"

	"schedrepl/engine"
	"schedrepl/engine/cost"
	"schedrepl/engine/cpumask"
	"schedrepl/engine/event"
	"schedrepl/engine/kernel"
	"schedrepl/engine/topology"
	"schedrepl/engine/trace"
	"schedrepl/engine/workload"
)

// must ends an example that fails.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// A compiler runs beside an editor on one CPU of a machine of 2011. The editor
// wakes every 100 ms and finds the CPU at once: a sleeper is placed ahead of who
// used the CPU meanwhile, and preempts it.
func Example() {
	k, _, err := kernel.Lookup("2.6.38")
	if err != nil {
		panic(err)
	}
	m := must(engine.New(engine.Config{Topology: must(topology.SMP(1)), Kernel: k, HZ: 250, Costs: cost.None(), Seed: 1}))
	compiler := must(workload.Compile([]workload.Step{workload.RunForever{}}))
	editor := must(workload.Compile([]workload.Step{workload.Loop{Body: []workload.Step{
		workload.Timer{Period: 100 * time.Millisecond},
		workload.Run{For: workload.Constant(3 * time.Millisecond)},
	}}}))
	must(m.Spawn(engine.Spawn{Comm: "cc1", Program: compiler}))
	must(m.Spawn(engine.Spawn{Comm: "vim", Program: editor}))

	if err := m.RunUntil(event.Time(210 * time.Millisecond)); err != nil {
		panic(err)
	}
	m.Log().Each(func(r *trace.Record) bool {
		if r.Kind == trace.KindSwitch && r.Time > 0 {
			fmt.Printf("%v: %s leaves, %s, and %s runs\n", r.Time, m.Core().Comm(r.Task), r.Reason, m.Core().Comm(r.Other))
		}
		return true
	})
	// Output:
	// 100ms: cc1 leaves, wakeup-preempt, and vim runs
	// 103ms: vim leaves, blocked, and cc1 runs
	// 200ms: cc1 leaves, wakeup-preempt, and vim runs
	// 203ms: vim leaves, blocked, and cc1 runs
}

// A task is moved at a moment of the run, and the script told when that takes
// effect.
func ExampleMachine_At() {
	m := must(engine.New(engine.Config{Topology: must(topology.SMP(2)), Kernel: kernel.Latest(), Costs: cost.None()}))
	hog := must(workload.Compile([]workload.Step{workload.RunForever{}}))
	pid := must(m.Spawn(engine.Spawn{Comm: "hog", Program: hog, CPUs: cpumask.Of(0)}))

	m.On(trace.KindMigrate, func(r trace.Record) error {
		fmt.Printf("%v: %s goes from CPU %d to %d\n", r.Time, m.Core().Comm(r.Task), r.A, r.B)
		return nil
	})
	must(m.At(event.Time(7*time.Millisecond), func() error {
		return m.SetAffinity(pid, cpumask.Of(1))
	}))
	if err := m.RunUntil(event.Time(20 * time.Millisecond)); err != nil {
		panic(err)
	}
	// Output:
	// 7ms: hog goes from CPU 0 to 1
}
