// Package bench builds the machines whose speed is watched: fixed workloads at
// fixed seeds, with task groups, reason codes and tick skipping on. Timing them
// is the caller's.
package bench

import (
	"fmt"
	"time"

	"schedrepl/engine"
	"schedrepl/engine/cost"
	"schedrepl/engine/cpumask"
	"schedrepl/engine/kernel"
	"schedrepl/engine/sched"
	"schedrepl/engine/topology"
	"schedrepl/engine/workload"
)

// Hogs returns a machine with perCPU endless tasks bound to each CPU, with
// nice values 0, 5, -5 and 0 in turn; a quarter of them sits in a task group.
//
// keep is how many trace records the machine keeps, negative for none.
func Hogs(cpus, perCPU, keep int) (*engine.Machine, error) {
	m, err := machine(cpus, keep)
	if err != nil {
		return nil, err
	}
	hog, err := workload.Compile([]workload.Step{workload.RunForever{}})
	if err != nil {
		return nil, err
	}
	g, err := m.NewGroup(sched.RootGroup, "bench")
	if err != nil {
		return nil, err
	}
	nices := [4]int{0, 5, -5, 0}
	for cpu := range cpus {
		for i := range perCPU {
			s := engine.Spawn{Comm: "hog", Program: hog, Nice: nices[i%4], CPUs: cpumask.Of(cpu)}
			if i%4 == 3 {
				s.Group = g
			}
			if _, err := m.Spawn(s); err != nil {
				return nil, err
			}
		}
	}
	return m, nil
}

// Pipe returns a machine with one pair of tasks bound to each CPU that wake
// each other in turn after 2 us of work, all CPUs in phase.
func Pipe(cpus int) (*engine.Machine, error) {
	m, err := machine(cpus, Keep)
	if err != nil {
		return nil, err
	}
	work := workload.Run{For: workload.Constant(2 * time.Microsecond)}
	for cpu := range cpus {
		var sems [2]workload.ObjID
		for i := range sems {
			if sems[i], err = m.NewSem(0); err != nil {
				return nil, err
			}
		}
		for i := range sems {
			steps := []workload.Step{
				work, workload.SemPost{Obj: sems[1-i]}, workload.SemWait{Obj: sems[i]},
			}
			if i == 1 {
				steps = []workload.Step{
					workload.SemWait{Obj: sems[i]}, work, workload.SemPost{Obj: sems[1-i]},
				}
			}
			p, err := workload.Compile([]workload.Step{workload.Loop{Body: steps}})
			if err != nil {
				return nil, err
			}
			s := engine.Spawn{Comm: fmt.Sprintf("pipe%d", i), Program: p, CPUs: cpumask.Of(cpu)}
			if _, err := m.Spawn(s); err != nil {
				return nil, err
			}
		}
	}
	return m, nil
}

// Keep is how many trace records the machines of timed runs keep.
const Keep = 1 << 16

// machine returns an empty machine of Linux 3.3 with the given CPUs.
func machine(cpus, keep int) (*engine.Machine, error) {
	topo, err := topology.SMP(cpus)
	if err != nil {
		return nil, err
	}
	k, _, err := kernel.Lookup("3.3")
	if err != nil {
		return nil, err
	}
	return engine.New(engine.Config{
		Topology: topo, Kernel: k, HZ: 250, Costs: cost.None(), Seed: 1, LogLimit: keep,
	})
}
