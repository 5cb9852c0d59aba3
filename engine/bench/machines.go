package bench

import (
	"fmt"
	"time"

	"schedrepl/engine"
	"schedrepl/engine/sched"
	"schedrepl/engine/workload"
)

// Hogs returns a machine with perCPU endless tasks bound to each CPU, with
// nice values 0, 5, -5 and 0 in turn; a quarter of them sits in a task group.
//
// keep is how many trace records the machine keeps, negative for none.
func Hogs(cpus, perCPU, keep int) (*engine.Machine, error) {
	return build(cpus, keep, hogs(cpus, perCPU))
}

// Pipe returns a machine with one pair of tasks bound to each CPU that wake
// each other in turn after 2 us of work, all CPUs in phase.
func Pipe(cpus int) (*engine.Machine, error) { return build(cpus, Keep, pipe(cpus)) }

func build(cpus, keep int, f func(*builder)) (*engine.Machine, error) {
	m, err := machine(engine.Config{Seed: 1, LogLimit: keep}, cpus)
	if err != nil {
		return nil, err
	}
	b := &builder{m: m}
	f(b)
	return m, b.err
}

// idle leaves the machine without tasks.
func idle(*builder) {}

// hogs is Hogs.
func hogs(cpus, perCPU int) func(*builder) {
	return func(b *builder) {
		hog := b.program(workload.RunForever{})
		g := b.group(sched.RootGroup, "bench")
		nices := [4]int{0, 5, -5, 0}
		for cpu := range cpus {
			for i := range perCPU {
				s := engine.Spawn{Comm: "hog", Program: hog, Nice: nices[i%4], CPUs: b.on(cpu)}
				if i%4 == 3 {
					s.Group = g
				}
				b.spawn(s)
			}
		}
	}
}

// equalHogs has endless tasks, bound to the CPUs in turn.
func equalHogs(cpus, tasks int) func(*builder) {
	return func(b *builder) {
		hog := b.program(workload.RunForever{})
		for i := range tasks {
			b.spawn(engine.Spawn{Comm: "hog", Program: hog, CPUs: b.on(i % cpus)})
		}
	}
}

// pipe is Pipe.
func pipe(cpus int) func(*builder) {
	return func(b *builder) {
		work := workload.Run{For: workload.Constant(2 * time.Microsecond)}
		for cpu := range cpus {
			ours, theirs := b.sem(), b.sem()
			first := b.program(workload.Loop{Body: []workload.Step{
				work, workload.SemPost{Obj: theirs}, workload.SemWait{Obj: ours},
			}})
			second := b.program(workload.Loop{Body: []workload.Step{
				workload.SemWait{Obj: theirs}, work, workload.SemPost{Obj: ours},
			}})
			for i, p := range []*workload.Program{first, second} {
				b.spawn(engine.Spawn{Comm: fmt.Sprintf("pipe%d", i), Program: p, CPUs: b.on(cpu)})
			}
		}
	}
}

// wave is how many children a task of the fork storm makes at a time.
const wave = 16

// forkstorm has one forking task for each CPU, which starts there and is not
// bound. It makes a wave of children at once and waits for them all, again and
// again; a child runs for 1 ms and exits. Children go to the CPU with the least
// load.
func forkstorm(cpus int) func(*builder) {
	return func(b *builder) {
		child := b.program(workload.Run{For: workload.Constant(time.Millisecond)})
		forker := b.program(workload.Loop{Body: []workload.Step{
			workload.Fork{Prog: child, Comm: "child", Count: workload.Count(wave)}, workload.WaitAll{},
		}})
		for cpu := range cpus {
			b.spawn(engine.Spawn{Comm: "forker", Program: forker, Start: b.on(cpu)})
		}
	}
}
