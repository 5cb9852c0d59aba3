package main

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"schedrepl/engine/bench"
)

// TestFill: what follows from counts and times.
func TestFill(t *testing.T) {
	l := benchLine{Name: "pipe", CPUs: 4, Tasks: 8}
	n := bench.Counts{Now: 3 * time.Second, Events: 3000, Switches: 1000, Records: 2000}
	l.fill(n, 600*time.Microsecond, time.Second, []float64{700, 500, 550, 400, 900})
	want := benchLine{
		Name: "pipe", CPUs: 4, Tasks: 8, Events: 3000, Switches: 1000, NsPerSwitch: 600, Best: 400,
		Spread: 0.25, EventsPerSecond: 5e6, SimPerCPU: 5000, EventsPerSwitch: 3,
		TraceBytes: float64(2 * bench.RecordBytes), SimSeconds: 3, CPUSeconds: 6e-4, WallSeconds: 1,
	}
	if l.round(); l != want {
		t.Errorf("got  %+v\nwant %+v", l, want)
	}
	// Neither time nor switches: figures without meaning stay 0.
	l = benchLine{}
	if l.fill(bench.Counts{Now: time.Second}, 0, 0, nil); l != (benchLine{SimSeconds: 1}) {
		t.Errorf("of nothing: %+v", l)
	}
}

func TestRound(t *testing.T) {
	for _, tt := range [][2]float64{
		{123456, 123500}, {0.000123456, 0.0001235}, {99996, 100000}, {1.0000001, 1}, {-12.3456, -12.35}, {0, 0}, {math.Inf(1), math.Inf(1)},
	} {
		l := benchLine{Best: tt[0]}
		if l.round(); l.Best != tt[1] {
			t.Errorf("%v is rounded to %v, want %v", tt[0], l.Best, tt[1])
		}
	}
}

// TestVerdict: a target is judged by the mean, and each that is missed is named.
func TestVerdict(t *testing.T) {
	for _, tt := range []struct {
		line benchLine
		want string
	}{
		{benchLine{Name: "pipe", CPUs: 4, Tasks: 8, Events: 1, NsPerSwitch: 200, BytesPerTask: 9000}, "met"},
		{benchLine{Name: "pipe", CPUs: 4, Tasks: 8, Events: 1, NsPerSwitch: 201, Best: 201}, "missed (<= 200 ns/switch)"},
		{benchLine{Name: "pipe", CPUs: 4, Tasks: 8, Events: 1, NsPerSwitch: 201, Best: 199}, "missed (<= 200 ns/switch), but for the best stretch"},
		{benchLine{Name: "pipe", CPUs: 4, Tasks: 8, Events: 1, NsPerSwitch: 201, Best: 199, AllocsPerMEvent: 11}, "missed (<= 200 ns/switch, <= 10 allocs/Mevent)"},
		{benchLine{Name: "periodic/1e4", CPUs: 256, Tasks: 10_000, BytesPerTask: 401}, "missed (<= 400 bytes/task)"},
		{benchLine{Name: "idle", CPUs: 1024, Events: 1}, "missed (0 events)"},
		{benchLine{Name: "idle", CPUs: 1024}, "met"},
		{benchLine{Name: "hogs/hz1000", CPUs: 64, Tasks: 1000, SimPerCPU: 124, BytesPerTask: 300}, "met"},
		{benchLine{Name: "hogs/hz1000", CPUs: 64, Tasks: 1000, SimPerCPU: 123, BytesPerTask: 300}, "missed (>= 124 sim-s/CPU-s)"},
		{benchLine{Name: "sweep/j1", CPUs: 16, Tasks: 640, Events: 1, AllocsPerMEvent: 99}, ""},
		{benchLine{Name: "no such", CPUs: 16, NsPerSwitch: 1e9}, ""},
	} {
		if got := tt.line.verdict(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.line.id(), got, tt.want)
		}
	}
}

// TestCompareBench: noise is at least 15 %, twice that on large machines, or
// what the stretches scatter.
func TestCompareBench(t *testing.T) {
	was := func(name string, cpus, tasks int, spread float64) benchLine {
		return benchLine{Name: name, CPUs: cpus, Tasks: tasks, Digest: "d", Best: 100, Spread: spread}
	}
	base := &benchFile{Lines: []benchLine{was("pipe", 4, 8, 0), was("pipe", 1024, 2048, 0), was("pipe", 64, 128, 0.2), {Name: "idle", CPUs: 1024, Digest: "d"}}}
	for _, tt := range []struct {
		name        string
		cpus, tasks int
		best        float64
		digest      string
		want        string
	}{
		{"pipe", 4, 8, 114, "d", "  1.14x the baseline"},
		{"pipe", 4, 8, 116, "d", "  1.16x the baseline, SLOWER"},
		{"pipe", 4, 8, 88, "d", "  0.88x the baseline"},
		{"pipe", 4, 8, 86, "d", "  0.86x the baseline, faster"},
		{"pipe", 4, 8, 400, "e", "  another schedule than in the baseline: not comparable"},
		{"pipe", 1024, 2048, 129, "d", "  1.29x the baseline"},
		{"pipe", 1024, 2048, 131, "d", "  1.31x the baseline, SLOWER"},
		{"pipe", 64, 128, 124, "d", "  1.24x the baseline"}, // 20 % and 5 % of scatter
		{"pipe", 64, 128, 126, "d", "  1.26x the baseline, SLOWER"},
		{"pipe", 256, 512, 126, "d", "  not in the baseline"},
		{"idle", 1024, 0, 0, "d", ""},
	} {
		l := was(tt.name, tt.cpus, tt.tasks, 0.05)
		l.Best, l.Digest = tt.best, tt.digest
		if got := compareBench(&l, base).text(); got != tt.want {
			t.Errorf("%s at %v: %q, want %q", l.id(), tt.best, got, tt.want)
		}
		if got := compareBench(&l, nil).text(); got != "" {
			t.Errorf("without a baseline: %q", got)
		}
	}
}

// TestSummarise: growth and equal digests are judged where both lines are there.
func TestSummarise(t *testing.T) {
	lines := []benchLine{
		{Name: "pipe", CPUs: 4, Tasks: 8, Best: 100, Digest: "a"},
		{Name: "pipe", CPUs: 1024, Tasks: 2048, Best: 190, Digest: "b"},
		{Name: "sweep/j1", CPUs: 16, Tasks: 640, Digest: "c"},
		{Name: "sweep/j2", CPUs: 16, Tasks: 640, Digest: "c"},
	}
	s := summarise(lines, nil)
	if s.missed != 1 || len(s.lines) != 2 || !strings.Contains(s.text(), "1.90 times the best ns/switch, at most 1.80  target missed") ||
		!strings.Contains(s.text(), "to be equal  target met") {
		t.Errorf("%d missed:\n%s", s.missed, s.text())
	}
	lines[3].Digest = "d"
	if s := summarise(lines[1:], nil); s.missed != 1 || len(s.lines) != 1 || !strings.Contains(s.text(), "target missed") {
		t.Errorf("other digests: %d missed:\n%s", s.missed, s.text())
	}
	base := &benchFile{Lines: []benchLine{{Name: "pipe", CPUs: 4, Tasks: 8, Best: 50, Digest: "a"}, {Name: "pipe", CPUs: 1024, Tasks: 2048, Best: 190, Digest: "x"}}}
	if s := summarise(lines[:2], base); s.slower != 1 || !strings.Contains(s.text(), "2.00 times the time by the geometric mean of 1 lines; 1 slower, 0 faster") ||
		!strings.Contains(s.text(), "not compared: 1 lines") {
		t.Errorf("against a baseline:\n%s", s.text())
	}
}

// TestMeasure measures a tiny case twice: what does not depend on the clock is
// the same.
func TestMeasure(t *testing.T) {
	cases, err := pickBenchmarks(bench.Cases(), []string{"pipe"}, []int{4})
	if err != nil || len(cases) != 1 {
		t.Fatal(cases, err)
	}
	m := measurer{now: time.Now, budget: benchBudget{least: 3}, stopped: func() bool { return false }}
	var lines [2]benchLine
	for i := range lines {
		if lines[i], err = m.measure(&cases[0]); err != nil {
			t.Fatal(err)
		}
	}
	a, b := lines[0], lines[1]
	if a.Digest != b.Digest || a.Switches != b.Switches || a.Events != b.Events || a.TraceBytes != b.TraceBytes {
		t.Errorf("%+v\n%+v", a, b)
	}
	if a.NsPerSwitch < a.Best || a.Best <= 0 || a.BytesPerTask <= 0 || a.PeakRSS == 0 || a.Switches < 2_000 {
		t.Errorf("%+v", a)
	}
	m.stopped = func() bool { return true }
	if _, err := m.measure(&cases[0]); err != errStopped {
		t.Errorf("stopped: %v", err)
	}
}

// TestPass: a sweep decides the same whatever the number of jobs.
func TestPass(t *testing.T) {
	cases, err := pickBenchmarks(bench.Cases(), []string{"sweep/j1"}, nil)
	if err != nil || len(cases) != 1 {
		t.Fatal(cases, err)
	}
	c := cases[0]
	c.Sims = 5
	m := measurer{now: time.Now, stopped: func() bool { return false }}
	var digests []string
	for _, c.Jobs = range []int{1, 3, 9} {
		_, digest, err := m.pass(&c)
		if err != nil {
			t.Fatal(err)
		}
		digests = append(digests, digest)
	}
	if len(slices.Compact(digests)) != 1 {
		t.Errorf("digests %v", digests)
	}
}

// TestBaseline: the results that are kept are of cases that there are.
func TestBaseline(t *testing.T) {
	f, err := readBenchFile("../../engine/bench/baseline.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range bench.Cases() {
		if f.line(c.ID()) == nil {
			t.Errorf("%s is not in the baseline", c.ID())
		}
	}
	if len(f.Lines) != len(bench.Cases()) || !f.Complete || f.Quick {
		t.Errorf("%d lines for %d cases, complete %v, quick %v", len(f.Lines), len(bench.Cases()), f.Complete, f.Quick)
	}
}
