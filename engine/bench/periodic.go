package bench

import (
	"fmt"
	"time"

	"schedrepl/engine"
	"schedrepl/engine/sched"
	"schedrepl/engine/workload"
)

const (
	// periods is how many different periods there are, evenly spaced from
	// shortest to longest. It is prime, so that the tasks that start on a CPU
	// have different ones.
	periods  = 101
	shortest = 10 * time.Millisecond
	longest  = 100 * time.Millisecond

	// The tasks start in so many batches, evenly spaced over startTime, so that
	// those of the same period are not in step.
	batches   = 1000
	startTime = 100 * time.Millisecond

	load = 0.8 // of all CPUs together
)

// periodic has tasks that run for a while each period of 10 to 100 ms. Each of
// them needs the same share of a CPU, and all together 80 % of the machine; a
// run is drawn evenly from half to one and a half times its mean. Task i starts
// on CPU i modulo cpus; after that it is placed at each wakeup, and not bound.
// groups, if not nil, makes the task groups, over which the tasks are spread in
// turn.
func periodic(cpus, tasks int, groups func(b *builder) []sched.GroupID) func(*builder) {
	return func(b *builder) {
		share := load * float64(cpus) / float64(tasks)
		var programs [periods]*workload.Program
		for i := range programs {
			period := shortest + (longest-shortest)*time.Duration(i)/(periods-1)
			mean := time.Duration(share * float64(period))
			programs[i] = b.program(workload.Loop{Body: []workload.Step{
				workload.Timer{Period: period},
				workload.Run{For: workload.Uniform(mean/2, mean+mean/2)},
			}})
		}
		into := []sched.GroupID{sched.RootGroup}
		if groups != nil {
			into = groups(b)
		}
		begun := 0
		for i := range tasks {
			if batch := i * batches / tasks; batch > begun {
				begun = batch
				b.runTo(startTime * time.Duration(batch) / batches)
			}
			b.spawn(engine.Spawn{
				Comm: "periodic", Program: programs[i%periods], Start: b.on(i % cpus), Group: into[i%len(into)],
			})
		}
	}
}

// groupTree makes n task groups, six below each as in a heap, and returns those
// that have none below them: 1,000 groups are four levels deep.
func groupTree(n int) func(b *builder) []sched.GroupID {
	const below = 6
	return func(b *builder) []sched.GroupID {
		all := make([]sched.GroupID, n)
		for i := range all {
			parent := sched.RootGroup
			if i >= below {
				parent = all[i/below-1]
			}
			all[i] = b.group(parent, fmt.Sprintf("g%d", i))
		}
		return all[n/below:]
	}
}
