// Package topology describes the CPUs of a machine: which are threads of one core,
// which share a last-level cache, which lie on one NUMA node and in one package.
package topology

import (
	"fmt"

	"schedrepl/engine/cpumask"
)

// MaxCPUs is the largest number of CPUs that a machine can have.
const MaxCPUs = cpumask.MaxCPUs

// CPU is the place of one CPU in the machine. Core, LLC, Node and Package are
// numbers that count over the whole machine from 0, so two CPUs share a cache if
// and only if their LLC is the same. (Linux counts cores within a package in
// /sys/devices/system/cpu/cpuN/topology/core_id; here a core's number is its own.)
type CPU struct {
	Core    int // The physical core, whose CPUs are SMT siblings.
	LLC     int // The last-level cache.
	Node    int // The NUMA node.
	Package int // The socket.
	Thread  int // The place among the siblings: 0 for the first of each core.
}

// Topology is the layout of a machine with CPUs 0 to NumCPU()-1. It does not
// change once it is made, so machines may share it. The masks that its methods
// return belong to it: read them, and Clone one to change it.
type Topology struct {
	cpus  []CPU
	cores []cpumask.Set // By number, as with the next three.
	llcs  []cpumask.Set
	nodes []cpumask.Set
	packs []cpumask.Set
	text  string
}

// New makes a topology of the CPUs in order of their number. Use it for layouts
// that are no grid, or whose CPUs are numbered in another way. It returns an
// error if there are none or more than MaxCPUs, if one of the four kinds of
// number is not used without gaps from 0, if a core lies in two caches, nodes or
// packages, or if two siblings are the same thread. Caches and nodes may cut
// across each other, as they do where one cache serves several nodes.
func New(cpus []CPU) (*Topology, error) {
	t, err := build(cpus, "")
	if err != nil {
		return nil, err
	}
	t.text = fmt.Sprintf("custom(%dn%dl%dc, %d cpus)", len(t.nodes), len(t.llcs), len(t.cores), len(t.cpus))
	return t, nil
}

// build checks the CPUs and fills in the masks.
func build(cpus []CPU, text string) (*Topology, error) {
	n := len(cpus)
	if n < 1 || n > MaxCPUs {
		return nil, fmt.Errorf("topology: %d cpus; a machine has 1 to %d", n, MaxCPUs)
	}
	t := &Topology{cpus: append([]CPU(nil), cpus...), text: text}
	for _, k := range []struct {
		name  string
		masks *[]cpumask.Set
		of    func(c CPU) int
	}{
		{"core", &t.cores, func(c CPU) int { return c.Core }},
		{"llc", &t.llcs, func(c CPU) int { return c.LLC }},
		{"node", &t.nodes, func(c CPU) int { return c.Node }},
		{"package", &t.packs, func(c CPU) int { return c.Package }},
	} {
		// The numbers are gapless, so none of n CPUs can have one above n-1.
		masks := make([]cpumask.Set, 0, n)
		for i, c := range cpus {
			id := k.of(c)
			if id < 0 || id >= n {
				return nil, fmt.Errorf("topology: cpu %d: %s %d; with %d cpus it is 0 to %d", i, k.name, id, n, n-1)
			}
			for len(masks) <= id {
				masks = append(masks, nil)
			}
			masks[id].Add(i)
		}
		for id, m := range masks {
			if m.Empty() {
				return nil, fmt.Errorf("topology: %s %d has no cpus; number each %s from 0 without gaps", k.name, id, k.name)
			}
		}
		*k.masks = masks
	}
	if err := t.checkCores(); err != nil {
		return nil, err
	}
	return t, nil
}

// checkCores tests that siblings are together in all that is above a core.
func (t *Topology) checkCores() error {
	for id, m := range t.cores {
		first := t.cpus[m.First()]
		threads := map[int]int{}
		for i := range m.CPUs() {
			c := t.cpus[i]
			if c.LLC != first.LLC || c.Node != first.Node || c.Package != first.Package {
				return fmt.Errorf("topology: core %d: cpus %d and %d differ in llc, node or package; siblings share all three", id, m.First(), i)
			}
			if other, ok := threads[c.Thread]; ok {
				return fmt.Errorf("topology: core %d: cpus %d and %d are both thread %d; number siblings from 0 without gaps", id, other, i, c.Thread)
			}
			threads[c.Thread] = i
			if c.Thread < 0 || c.Thread >= m.Count() {
				return fmt.Errorf("topology: core %d: cpu %d is thread %d of %d; number siblings from 0 without gaps", id, i, c.Thread, m.Count())
			}
		}
	}
	return nil
}

// NumCPU returns the number of CPUs.
func (t *Topology) NumCPU() int { return len(t.cpus) }

// NumCore returns the number of physical cores.
func (t *Topology) NumCore() int { return len(t.cores) }

// NumLLC returns the number of last-level caches.
func (t *Topology) NumLLC() int { return len(t.llcs) }

// NumNode returns the number of NUMA nodes.
func (t *Topology) NumNode() int { return len(t.nodes) }

// NumPackage returns the number of packages.
func (t *Topology) NumPackage() int { return len(t.packs) }

// CPU returns the place of a CPU in the machine.
func (t *Topology) CPU(cpu int) CPU { return t.cpus[cpu] }

// All returns the set of all CPUs, which is the caller's own.
func (t *Topology) All() cpumask.Set { return cpumask.All(len(t.cpus)) }

// CoreMask returns cpu and its SMT siblings.
func (t *Topology) CoreMask(cpu int) cpumask.Set { return t.cores[t.cpus[cpu].Core] }

// LLCMask returns the CPUs that share cpu's last-level cache.
func (t *Topology) LLCMask(cpu int) cpumask.Set { return t.llcs[t.cpus[cpu].LLC] }

// NodeMask returns the CPUs of cpu's NUMA node.
func (t *Topology) NodeMask(cpu int) cpumask.Set { return t.nodes[t.cpus[cpu].Node] }

// PackageMask returns the CPUs of cpu's package.
func (t *Topology) PackageMask(cpu int) cpumask.Set { return t.packs[t.cpus[cpu].Package] }

// String returns the text from which Parse makes an equal topology, with all
// counts written out ("1n1l4c1t"); a topology made by New has none and says
// "custom" with its totals.
func (t *Topology) String() string { return t.text }
