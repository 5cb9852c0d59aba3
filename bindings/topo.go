package bindings

import (
	"fmt"

	"go.starlark.net/starlark"

	"schedrepl/engine/table"
	"schedrepl/engine/topology"
)

// topologyValue is a layout of CPUs as a script holds it. It is immutable.
type topologyValue struct {
	Object
	T *topology.Topology
}

func newTopology(t *topology.Topology) *topologyValue {
	v := &topologyValue{T: t}
	v.Init("topology", v)
	return v
}

// String is the text that topo.parse reads.
func (v *topologyValue) String() string { return v.T.String() }

// toTopology makes a *topology.Topology of an argument: a topology, or its text.
func toTopology(_ *Call, v starlark.Value) (any, error) {
	switch v := v.(type) {
	case *topologyValue:
		return v.T, nil
	case starlark.String:
		t, err := topology.Parse(string(v))
		if err != nil {
			return nil, fmt.Errorf("must be a topology: %w", err)
		}
		return t, nil
	case starlark.Int:
		return nil, fmt.Errorf("must be a topology: write topo.smp(%v), not %v", v, v)
	}
	return nil, ErrType
}

// topologyResult is what the functions that make a topology return.
func topologyResult(t *topology.Topology, err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
	}
	return newTopology(t), nil
}

func topoTable() Table {
	count := func(name, shows, doc string, get func(*topology.Topology) int) Builtin {
		return Builtin{
			Recv: "topology", Name: name, Attr: true, Result: "int", Doc: "The number of " + doc + ".",
			Example: "print(t." + name + ")  # " + shows,
			Impl: func(c *Call) (starlark.Value, error) {
				return starlark.MakeInt(get(c.Recv.(*topologyValue).T)), nil
			},
		}
	}
	return Table{
		Topics: []Topic{
			{Name: "topo", Doc: "The layout of a machine: CPUs, SMT siblings, last-level caches, NUMA nodes and sockets."},
			{
				Name: "topology", Type: true,
				Doc:   "Which CPUs a machine has and what they share. Where one is wanted, a text such as \"2n4l16c2t\" will do.",
				Setup: "t = topo.parse(\"2n4c2t\")",
			},
		},
		Kinds: []Kind{{Name: "topology", Phrase: "a topology, as topo.smp(4)", Convert: toTopology}},
		Builtins: []Builtin{
			{
				Name:   "topo.smp",
				Params: []Param{{Name: "n", Type: "int", Doc: "The number of CPUs."}},
				Result: "topology", Doc: "Makes equal CPUs: one core each, one last-level cache, one node, no SMT.",
				Example: "print(topo.smp(4))  # 1n1l4c1t",
				Impl:    func(c *Call) (starlark.Value, error) { return topologyResult(topology.SMP(c.Int("n"))) },
			},
			{
				Name:   "topo.parse",
				Params: []Param{{Name: "text", Type: "string", Doc: "Counts, each with the first letter of what it counts, from the outside in: sockets, nodes, last-level caches, cores, threads. Each count is per parent; s, n, l and t may be left out."}},
				Result: "topology", Doc: "Reads a layout from text. \"2n4l16c2t\" is two NUMA nodes of four last-level caches of 16 cores of two threads, 256 CPUs.",
				Example: "print(topo.parse(\"2n4l16c2t\").ncpu)  # 256",
				Impl:    func(c *Call) (starlark.Value, error) { return topologyResult(topology.Parse(c.Str("text"))) },
			},
			{
				Name: "topo.grid",
				Params: []Param{
					{Name: "sockets", Type: "int", Default: "1", KwOnly: true, Doc: "Sockets of the machine."},
					{Name: "numa", Type: "int", Default: "1", KwOnly: true, Doc: "NUMA nodes in each socket; 0 is a machine without NUMA, of one node that spans all sockets."},
					{Name: "llcs", Type: "int", Default: "1", KwOnly: true, Doc: "Last-level caches in each node, or in each socket without NUMA."},
					{Name: "cores", Type: "int", KwOnly: true, Doc: "Cores on each cache."},
					{Name: "threads", Type: "int", Default: "1", KwOnly: true, Doc: "SMT threads of each core."},
				},
				Result: "topology", Doc: "Makes a regular machine. CPUs are numbered from the outside in, and the threads of a core are neighbours.",
				Example: "t = topo.grid(sockets = 2, cores = 8, threads = 2)\nprint(t, t.ncpu)  # 2n1l8c2t 32",
				Impl: func(c *Call) (starlark.Value, error) {
					return topologyResult(topology.Grid(c.Int("sockets"), c.Int("numa"), c.Int("llcs"), c.Int("cores"), c.Int("threads")))
				},
			},
			count("ncpu", "16", "CPUs", (*topology.Topology).NumCPU),
			count("ncore", "8", "physical cores", (*topology.Topology).NumCore),
			count("nllc", "2", "last-level caches", (*topology.Topology).NumLLC),
			count("nnode", "2", "NUMA nodes", (*topology.Topology).NumNode),
			count("nsocket", "2", "sockets", (*topology.Topology).NumPackage),
			{
				Recv: "topology", Name: "cpus", Result: "table",
				Doc:     "Tells for each CPU its core, last-level cache, node, socket, and place among the threads of the core.",
				Example: "print(t.cpus().head(2))",
				Impl:    func(c *Call) (starlark.Value, error) { return newTable(cpuTable(c.Recv.(*topologyValue))), nil },
			},
		},
	}
}

func cpuTable(v *topologyValue) *table.Table {
	var cols []table.Column
	for _, name := range []string{"cpu", "core", "llc", "node", "socket", "thread"} {
		cols = append(cols, table.Column{Name: name, Kind: table.Int})
	}
	t := table.MustNew("CPUs of "+v.String(), cols...)
	for i := range v.T.NumCPU() {
		cpu := v.T.CPU(i)
		mustAppend(t, i, cpu.Core, cpu.LLC, cpu.Node, cpu.Package, cpu.Thread)
	}
	return t
}
