package topology

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	tests := []struct {
		text, canonical         string
		cpus, cores, llcs, node int
		packages                int
		cpu                     int // One CPU to look at.
		core, llc, nodeM, pack  string
	}{
		{"1n1l4c1t", "1n1l4c1t", 4, 4, 1, 1, 1, 2, "2", "0-3", "0-3", "0-3"},
		{"1n1l1c1t", "1n1l1c1t", 1, 1, 1, 1, 1, 0, "0", "0", "0", "0"},
		{"4c", "1n1l4c1t", 4, 4, 1, 1, 1, 3, "3", "0-3", "0-3", "0-3"},
		{"4c2t", "1n1l4c2t", 8, 4, 1, 1, 1, 3, "2-3", "0-7", "0-7", "0-7"},
		{"2s2c2t", "2s1l2c2t", 8, 4, 2, 1, 2, 6, "6-7", "4-7", "0-7", "4-7"},
		{"2n2c2t", "2n1l2c2t", 8, 4, 2, 2, 2, 6, "6-7", "4-7", "4-7", "4-7"},
		{"2s2n2l2c1t", "2s2n2l2c1t", 16, 16, 8, 4, 2, 5, "5", "4-5", "4-7", "0-7"},
		{"2s1n4c", "2n1l4c1t", 8, 8, 2, 2, 2, 4, "4", "4-7", "4-7", "4-7"},
		{"1s3n1c", "1s3n1l1c1t", 3, 3, 3, 3, 1, 1, "1", "1", "1", "0-2"},
		{"2n4l16c2t", "2n4l16c2t", 256, 128, 8, 2, 2, 130, "130-131", "128-159", "128-255", "128-255"},
		{"4096c", "1n1l4096c1t", 4096, 4096, 1, 1, 1, 4095, "4095", "0-4095", "0-4095", "0-4095"},
	}
	for _, tt := range tests {
		m, err := Parse(tt.text)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := m.String(); got != tt.canonical {
			t.Errorf("%s: String %q, want %q", tt.text, got, tt.canonical)
		}
		got := []int{m.NumCPU(), m.NumCore(), m.NumLLC(), m.NumNode(), m.NumPackage()}
		if want := []int{tt.cpus, tt.cores, tt.llcs, tt.node, tt.packages}; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: cpus, cores, llcs, nodes, packages %v, want %v", tt.text, got, want)
		}
		c := tt.cpu
		masks := fmt.Sprint(m.CoreMask(c), " ", m.LLCMask(c), " ", m.NodeMask(c), " ", m.PackageMask(c))
		if want := strings.Join([]string{tt.core, tt.llc, tt.nodeM, tt.pack}, " "); masks != want {
			t.Errorf("%s: core, llc, node, package of cpu %d: %s, want %s", tt.text, c, masks, want)
		}
	}
}

func TestErrors(t *testing.T) {
	parse := func(text string) func() (*Topology, error) {
		return func() (*Topology, error) { return Parse(text) }
	}
	tests := []struct {
		make func() (*Topology, error)
		want string
	}{
		{func() (*Topology, error) { return SMP(0) }, "topology smp(0): a machine has 1 to 4096 cpus"},
		{func() (*Topology, error) { return SMP(5000) }, "topology smp(5000): a machine has 1 to 4096 cpus"},
		{func() (*Topology, error) { return SMP(-1) }, "topology smp(-1): a machine has 1 to 4096 cpus"},
		{func() (*Topology, error) { return Grid(2, 2, 2, 300, 2) }, "topology 2s2n2l300c2t: 4800 cpus; a machine has 1 to 4096"},
		{func() (*Topology, error) { return Grid(0, 1, 1, 4, 1) }, "0 sockets; at least 1"},
		{func() (*Topology, error) { return Grid(1, -1, 1, 4, 1) }, "-1 numa nodes; at least 0"},
		{func() (*Topology, error) { return Grid(4096, 4096, 4096, 4096, 4096) }, "1152921504606846976 cpus"},
		{func() (*Topology, error) { return Grid(1, 1, 1, 1<<62, 4) }, "4611686018427387904 cores; at least 1, and a machine has 1 to 4096"},
		{parse(""), `parse topology "": no count of cores; write counts like 2n4l16c2t`},
		{parse("2n"), "no count of cores"},
		{parse("c"), `"c" does not start with a count`},
		{parse("4"), "count 4 has no letter"},
		{parse("4x"), `"4x" counts nothing known; the letters are s (sockets)`},
		{parse("4c2n"), `"2n" is out of place; each letter comes once, in the order s n l c t`},
		{parse("4c4c"), `"4c" is out of place`},
		{parse("0c"), `"0c" is out of range; a machine has 1 to 4096 cpus`},
		{parse("5000c"), `"5000c" is out of range; a machine has 1 to 4096 cpus`},
		{parse("99999999999999999999c"), "is out of range"},
		{parse("2n2500c"), `parse topology "2n2500c": 5000 cpus; a machine has 1 to 4096`},
		{parse("-4c"), `"-4c" does not start with a count`},
		{func() (*Topology, error) { return New(nil) }, "topology: 0 cpus; a machine has 1 to 4096"},
		{func() (*Topology, error) { return New(make([]CPU, 4097)) }, "topology: 4097 cpus"},
		{func() (*Topology, error) { return New([]CPU{{Core: 1}}) }, "cpu 0: core 1; with 1 cpus it is 0 to 0"},
		{func() (*Topology, error) { return New([]CPU{{}, {Core: 1, Node: -1}}) }, "cpu 1: node -1"},
		{func() (*Topology, error) { return New([]CPU{{LLC: 1}, {Core: 1, LLC: 1}}) }, "llc 0 has no cpus"},
		{func() (*Topology, error) { return New([]CPU{{}, {LLC: 1, Thread: 1}}) }, "core 0: cpus 0 and 1 differ in llc"},
		{func() (*Topology, error) { return New([]CPU{{}, {Node: 1, Thread: 1}}) }, "core 0: cpus 0 and 1 differ"},
		{func() (*Topology, error) { return New([]CPU{{}, {Package: 1, Thread: 1}}) }, "core 0: cpus 0 and 1 differ"},
		{func() (*Topology, error) { return New([]CPU{{}, {}}) }, "cpus 0 and 1 are both thread 0"},
		{func() (*Topology, error) { return New([]CPU{{}, {Thread: 2}}) }, "cpu 1 is thread 2 of 2"},
	}
	for _, tt := range tests {
		m, err := tt.make()
		if err == nil {
			t.Errorf("%v has no error, want %q", m, tt.want)
		} else if !strings.Contains(err.Error(), tt.want) {
			t.Errorf("error %q, want %q", err, tt.want)
		} else if m != nil {
			t.Errorf("a topology beside the error %v", err)
		}
	}
}

// TestNew numbers all first threads before all second ones.
func TestNew(t *testing.T) {
	const cores = 4
	var cpus []CPU
	for i := range 2 * cores {
		cpus = append(cpus, CPU{Core: i % cores, LLC: i % cores / 2, Node: i % cores / 2, Package: 0, Thread: i / cores})
	}
	m, err := New(cpus)
	if err != nil {
		t.Fatal(err)
	}
	cpus[0].Core = 99 // The topology has a copy of its own.
	if got := fmt.Sprint(m.CoreMask(5), " ", m.LLCMask(5), " ", m.CPU(0)); got != "1,5 0-1,4-5 {0 0 0 0 0}" {
		t.Errorf("masks %s", got)
	}
	if got := m.String(); got != "custom(2n2l4c, 8 cpus)" {
		t.Errorf("String %q", got)
	}
	if got := m.All().String(); got != "0-7" {
		t.Errorf("All %s", got)
	}
}

// TestRoundTrip: a grid of any size comes back from its text, and its masks are
// nested and cut the machine into equal parts.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string, lo, hi int) int { return rapid.IntRange(lo, hi).Draw(t, name) }
		s, n, l := draw("sockets", 1, 3), draw("numa", 0, 3), draw("llcs", 1, 3)
		c, h := draw("cores", 1, 5), draw("threads", 1, 3)
		m, err := Grid(s, n, l, c, h)
		if err != nil {
			t.Fatal(err)
		}
		if m.NumCPU() != s*max(n, 1)*l*c*h {
			t.Fatalf("%v has %d cpus", m, m.NumCPU())
		}
		back, err := Parse(m.String())
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(back.cpus) != fmt.Sprint(m.cpus) || back.String() != m.String() {
			t.Fatalf("%v came back as %v: %v, want %v", m, back, back.cpus, m.cpus)
		}
		for i := range m.NumCPU() {
			core, llc, node, pack := m.CoreMask(i), m.LLCMask(i), m.NodeMask(i), m.PackageMask(i)
			if !core.Has(i) || !core.Subset(llc) || !llc.Subset(node) || !llc.Subset(pack) || !node.Subset(m.All()) {
				t.Fatalf("%v: masks of cpu %d: %v %v %v %v", m, i, core, llc, node, pack)
			}
			if core.Count() != h || llc.Count() != h*c || pack.Count()*s != m.NumCPU() || node.Count()*m.NumNode() != m.NumCPU() {
				t.Fatalf("%v: sizes of the masks of cpu %d: %v %v %v %v", m, i, core, llc, node, pack)
			}
			if n > 0 && !node.Subset(pack) || n == 0 && !pack.Subset(node) {
				t.Fatalf("%v: node %v and package %v of cpu %d", m, node, pack, i)
			}
		}
	})
}
