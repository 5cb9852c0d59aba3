package topology

import (
	"fmt"
	"strings"
)

// SMP returns n equal CPUs: one core each, one last-level cache, one node, no SMT.
func SMP(n int) (*Topology, error) {
	if n < 1 || n > MaxCPUs {
		return nil, fmt.Errorf("topology smp(%d): a machine has 1 to %d cpus", n, MaxCPUs)
	}
	return Grid(1, 1, 1, n, 1)
}

// Grid returns a regular machine. Each count is per parent: numa nodes in each
// socket, llcs in each node, cores on each cache, threads in each core. With
// numa 0 the machine has no NUMA: one node spans all sockets, and llcs counts the
// caches of each socket.
//
// CPUs are numbered socket by socket, node by node, cache by cache and core by
// core, and the threads of a core are neighbours: with two threads the siblings
// are (0,1), (2,3) and so on. So number laptops with x86 processors and QEMU's
// virtual machines. Large x86 servers often number all first threads before all
// second ones; for that see New.
//
// It returns an error if a count is out of range or the product above MaxCPUs.
func Grid(sockets, numa, llcs, cores, threads int) (*Topology, error) {
	g := grid{sockets, numa, llcs, cores, threads}
	t, err := g.layout()
	if err != nil {
		return nil, fmt.Errorf("topology %s: %w", g, err)
	}
	return t, nil
}

// Parse reads a grid from text: counts, each followed by the first letter of what
// it counts, from the outside in.
//
//	[sockets "s"] [nodes "n"] [caches "l"] cores "c" [threads "t"]
//
// Each count is per parent, as in Grid: "2n4l16c2t" has 2 NUMA nodes of 4
// last-level caches of 16 cores of 2 threads, 256 CPUs. Without "s" each node is
// a socket of its own; with it "n" counts the nodes in each socket; without "n"
// one node spans the machine. "l" and "t" are 1 if left out. So "4c" is four CPUs
// on one cache, and "2s4c" two sockets of four on one node.
func Parse(text string) (*Topology, error) {
	g, err := parseGrid(text)
	if err != nil {
		return nil, fmt.Errorf("parse topology %q: %w", text, err)
	}
	t, err := g.layout()
	if err != nil {
		return nil, fmt.Errorf("parse topology %q: %w", text, err)
	}
	return t, nil
}

// MustParse is Parse for texts in the program itself: it panics on an error.
func MustParse(text string) *Topology {
	t, err := Parse(text)
	if err != nil {
		panic("sched: " + err.Error())
	}
	return t
}

// grid is the counts of a regular machine, each per parent.
type grid struct{ sockets, numa, llcs, cores, threads int }

// units are the letters of the text form in their order.
const units = "snlct"

// String writes the counts in the form that Parse reads.
func (g grid) String() string {
	tail := fmt.Sprintf("%dl%dc%dt", g.llcs, g.cores, g.threads)
	switch {
	case g.numa == 1 || g.sockets == 1 && g.numa == 0:
		return fmt.Sprintf("%dn%s", g.sockets, tail)
	case g.numa == 0:
		return fmt.Sprintf("%ds%s", g.sockets, tail)
	}
	return fmt.Sprintf("%ds%dn%s", g.sockets, g.numa, tail)
}

// parseGrid reads the text form without judging the size of the machine.
func parseGrid(text string) (grid, error) {
	const example = "write counts like 2n4l16c2t, or 4c for four cores"
	count := map[byte]int{}
	done := 0 // How many of the units can no longer follow.
	rest := text
	for rest != "" {
		n, digits := 0, 0
		for digits < len(rest) && '0' <= rest[digits] && rest[digits] <= '9' {
			// Held above the limit rather than left to overflow.
			n = min(n*10+int(rest[digits]-'0'), MaxCPUs+1)
			digits++
		}
		if digits == 0 {
			return grid{}, fmt.Errorf("%q does not start with a count; %s", rest, example)
		}
		if digits == len(rest) {
			return grid{}, fmt.Errorf("count %s has no letter; %s", rest, example)
		}
		unit := rest[digits]
		at := strings.IndexByte(units, unit)
		if at < 0 {
			return grid{}, fmt.Errorf("%q counts nothing known; the letters are s (sockets), n (numa nodes), l (last-level caches), c (cores), t (threads)", rest[:digits+1])
		}
		if at < done {
			return grid{}, fmt.Errorf("%q is out of place; each letter comes once, in the order s n l c t", rest[:digits+1])
		}
		if n < 1 || n > MaxCPUs {
			return grid{}, fmt.Errorf("%q is out of range; a machine has 1 to %d cpus", rest[:digits+1], MaxCPUs)
		}
		count[unit] = n
		done = at + 1
		rest = rest[digits+1:]
	}
	if count['c'] == 0 {
		return grid{}, fmt.Errorf("no count of cores; %s", example)
	}
	g := grid{max(count['s'], 1), count['n'], max(count['l'], 1), count['c'], max(count['t'], 1)}
	if count['s'] == 0 && count['n'] > 0 {
		g.sockets, g.numa = count['n'], 1
	}
	return g, nil
}

// layout checks the counts and lays out the CPUs.
func (g grid) layout() (*Topology, error) {
	n := 1
	for _, k := range []struct {
		name       string
		count, min int
	}{
		{"sockets", g.sockets, 1}, {"numa nodes", g.numa, 0}, {"llcs", g.llcs, 1}, {"cores", g.cores, 1}, {"threads", g.threads, 1},
	} {
		if k.count < k.min || k.count > MaxCPUs {
			return nil, fmt.Errorf("%d %s; at least %d, and a machine has 1 to %d cpus", k.count, k.name, k.min, MaxCPUs)
		}
		n *= max(k.count, 1) // Below 2^60 for five counts up to 2^12.
	}
	if n > MaxCPUs {
		return nil, fmt.Errorf("%d cpus; a machine has 1 to %d", n, MaxCPUs)
	}
	cpus := make([]CPU, n)
	for i := range cpus {
		core := i / g.threads
		llc := core / g.cores
		node := llc / g.llcs // Of each socket, if there is no NUMA.
		cpus[i] = CPU{Core: core, LLC: llc, Node: node, Package: node / max(g.numa, 1), Thread: i % g.threads}
		if g.numa == 0 {
			cpus[i].Node = 0
		}
	}
	return build(cpus, g.String())
}
