package procfs_test

import (
	"fmt"

	"schedrepl/engine"
	"schedrepl/engine/kernel"
	"schedrepl/engine/topology"
)

// The files are read and written through the machine that they belong to.
func Example() {
	topo, err := topology.SMP(4)
	if err != nil {
		panic(err)
	}
	m, err := engine.New(engine.Config{Topology: topo, Kernel: kernel.Latest()})
	if err != nil {
		panic(err)
	}
	text, err := m.ReadFile("/proc/sys/kernel/sched_latency_ns")
	fmt.Print(text, err, "\n")
	fmt.Println(m.WriteFile("/proc/sys/kernel/sched_latency_ns", "10000000"))
	text, err = m.ReadFile("/proc/sys/kernel/sched_latency_ns")
	fmt.Print(text, err, "\n")
	fmt.Println(m.WriteFile("/proc/sys/kernel/sched_latency", "1"))
	// Output:
	// 18000000
	// <nil>
	// <nil>
	// 10000000
	// <nil>
	// ENOENT: /proc/sys/kernel/sched_latency: there is no "sched_latency"; did you mean sched_latency_ns?
}
