package cpumask

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", ""},
		{"\n", ""},
		{",", ""},
		{"0", "0"},
		{"0-3,8", "0-3,8"},
		{"0-3,8\n", "0-3,8"},
		{" 1 ,\t3 , ", "1,3"},
		{"3,1,2", "1-3"},
		{"0,1", "0-1"},
		{"4-4", "4"},
		{"0-5,3-9", "0-9"},
		{"007", "7"},
		{"0-31:2/4", "0-1,4-5,8-9,12-13,16-17,20-21,24-25,28-29"},
		{"0-10:3/4", "0-2,4-6,8-10"},
		{"0-9:3/4", "0-2,4-6,8-9"},
		{"1-7:1/2", "1,3,5,7"},
		{"2-5:1/1", "2-5"},
		{"2-5:9/9", "2-5"},
		{"2-5:1/2147483647", "2"},
		{"63-64", "63-64"},
		{"0,64,128", "0,64,128"},
		{"4095", "4095"},
		{"0-4095", "0-4095"},
	}
	for _, tt := range tests {
		s, err := Parse(tt.text)
		if err != nil {
			t.Errorf("Parse(%q): %v", tt.text, err)
		} else if got := s.String(); got != tt.want {
			t.Errorf("Parse(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct{ text, want string }{
		{"0,x", `parse cpu list "0,x": "x": "x" is no number; write a list like 0-3,8`},
		{"4096", `parse cpu list "4096": "4096": no CPU 4096; CPUs are 0 to 4095`},
		{"99999999999999", `number 99999999999999 is too large; CPUs are 0 to 4095`},
		{"3-1", `parse cpu list "3-1": "3-1": range ends before it starts; write 1-3`},
		{"-1", `"-1": a number is missing`},
		{"1-", `"1-": a number is missing`},
		{"1-2-3", `"2-3" is no number`},
		{"+1", `"+1" is no number`},
		{"1 2", `"1 2" is no number`},
		{"0x3", `"0x3" is no number`},
		{"5:1/2", `a group needs a range before the colon, like 5-36:1/2`},
		{"0-7:2", `group "2" has no slash; write used/group, like 2/4`},
		{"0-7:3/2", `group "3/2" takes 3 of each 2; take at least 1 and at most 2`},
		{"0-7:0/2", `group "0/2" takes 0 of each 2; take at least 1 and at most 2`},
		{"0-7:0/0", `take at least 1 and at most 1`},
		{"0-7:/2", `a number is missing`},
		{"0-7:1/b", `"b" is no number`},
		{strings.Repeat("0,", 50) + "y", `...: "y": "y" is no number`},
	}
	for _, tt := range tests {
		s, err := Parse(tt.text)
		if err == nil {
			t.Errorf("Parse(%q) = %v, want an error", tt.text, s)
		} else if !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Parse(%q): %v; want %s", tt.text, err, tt.want)
		}
	}
}

func TestNext(t *testing.T) {
	s := Of(3, 63, 64, 200)
	tests := []struct{ after, next, wrap int }{
		{-5, 3, 3}, {-1, 3, 3}, {2, 3, 3}, {3, 63, 63}, {62, 63, 63}, {63, 64, 64},
		{64, 200, 200}, {199, 200, 200}, {200, -1, 3}, {255, -1, 3}, {5000, -1, 3},
	}
	for _, tt := range tests {
		if n, w := s.Next(tt.after), s.NextWrap(tt.after); n != tt.next || w != tt.wrap {
			t.Errorf("after %d: Next %d, NextWrap %d, want %d, %d", tt.after, n, w, tt.next, tt.wrap)
		}
	}
	if s.First() != 3 || s.Last() != 200 {
		t.Errorf("First %d, Last %d", s.First(), s.Last())
	}
	if n := Of(0, 3).Next(-1); n != 0 {
		t.Errorf("Next(-1) of a set with CPU 0 is %d", n)
	}
	var none Set
	for _, e := range []Set{none, make(Set, 3)} {
		if e.First() != -1 || e.Last() != -1 || e.Next(0) != -1 || e.NextWrap(0) != -1 || !e.Empty() {
			t.Errorf("the empty set of %d words has CPUs", len(e))
		}
	}
}

func TestLimits(t *testing.T) {
	if n := All(MaxCPUs).Count(); n != MaxCPUs {
		t.Errorf("All(%d) has %d CPUs", MaxCPUs, n)
	}
	if s := All(0); !s.Empty() {
		t.Errorf("All(0) = %v", s)
	}
	for _, f := range []func(){
		func() { Of(MaxCPUs) },
		func() { Of(-1) },
		func() { All(MaxCPUs + 1) },
		func() { Range(-1, 3) },
		func() { MustParse("x") },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f()
		}()
	}
	s := Of(1)
	s.Remove(-1)
	s.Remove(MaxCPUs)
	if s.Has(-1) || s.Has(MaxCPUs) || !s.Has(1) {
		t.Error("numbers out of reach are in a set")
	}
}

var cpus = rapid.OneOf(rapid.IntRange(0, 9), rapid.IntRange(60, 68), rapid.IntRange(0, MaxCPUs-1))

// model is the set as a map, from which a Set is built.
func draw(t *rapid.T, name string) (Set, map[int]bool) {
	m := map[int]bool{}
	s := make(Set, rapid.IntRange(0, 3).Draw(t, name+" words")) // Equal sets of other lengths.
	for _, c := range rapid.SliceOfN(cpus, 0, 12).Draw(t, name) {
		m[c] = true
		s.Add(c)
	}
	return s, m
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, m := draw(t, "s")
		got, err := Parse(s.String())
		if err != nil || !got.Equal(s) || !s.Equal(got) || got.Count() != len(m) {
			t.Fatalf("%q came back as %v, %v", s, got, err)
		}
	})
}

func TestAlgebra(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, ma := draw(t, "a")
		b, mb := draw(t, "b")
		beforeA, beforeB := a.String(), b.String()
		want := func(in func(c int) bool) string {
			var s []int
			for c := range MaxCPUs {
				if in(c) {
					s = append(s, c)
				}
			}
			return fmt.Sprint(s)
		}
		check := func(name string, got Set, in func(c int) bool) {
			if g, w := fmt.Sprint(slices.Collect(got.CPUs())), want(in); g != w {
				t.Fatalf("%s: %s, want %s", name, g, w)
			}
		}
		both := func(c int) bool { return ma[c] && mb[c] }
		and, or, andNot := a.And(b), a.Or(b), a.AndNot(b)
		check("a", a, func(c int) bool { return ma[c] })
		check("and", and, both)
		check("or", or, func(c int) bool { return ma[c] || mb[c] })
		check("and not", andNot, func(c int) bool { return ma[c] && !mb[c] })
		into := Of(4095, 1)
		a.AndInto(&into, b)
		check("and into", into, both)
		if a.Subset(b) != andNot.Empty() || a.Intersects(b) == and.Empty() {
			t.Fatal("Subset or Intersects differ from AndNot and And")
		}
		if a.Equal(b) != (beforeA == beforeB) {
			t.Fatal("Equal differs from the text")
		}
		// Nothing is shared: to spoil the results leaves the operands alone.
		for _, s := range []Set{and, or, andNot, a.Clone()} {
			for w := range s {
				s[w] = ^s[w]
			}
		}
		if a.String() != beforeA || b.String() != beforeB {
			t.Fatal("a result shares words with an operand")
		}
		lo, hi := cpus.Draw(t, "lo"), cpus.Draw(t, "hi")
		check("range", Range(lo, hi), func(c int) bool { return lo <= c && c <= hi })
		c := cpus.Draw(t, "removed")
		a.Remove(c)
		if a.Has(c) {
			t.Fatalf("%d is still there", c)
		}
	})
}

func BenchmarkWalk(b *testing.B) {
	s := All(1024)
	for b.Loop() {
		for cpu := s.First(); cpu >= 0; cpu = s.Next(cpu) {
		}
	}
}
