package topology_test

import (
	"fmt"

	"schedrepl/engine/topology"
)

// Two NUMA nodes with two caches each, two cores on each cache, two threads each.
func ExampleParse() {
	m, err := topology.Parse("2n2l2c2t")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.NumCPU(), "cpus")
	fmt.Println("cpu 5:", m.CoreMask(5), m.LLCMask(5), m.NodeMask(5))
	_, err = topology.SMP(5000)
	fmt.Println(err)
	// Output:
	// 16 cpus
	// cpu 5: 4-5 4-7 0-7
	// topology smp(5000): a machine has 1 to 4096 cpus
}
