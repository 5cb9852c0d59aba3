package main

import (
	"fmt"
	"math"
	"strings"

	"schedrepl/engine/bench"
)

// benchLine is what was measured of one benchmark. Times are CPU time of the
// program unless they say otherwise; figures that have no meaning for a
// benchmark are 0.
type benchLine struct {
	Name  string `json:"name"`
	CPUs  int    `json:"cpus"`
	Tasks int    `json:"tasks"`
	// Digest is that of the decisions in a fixed simulated time.
	Digest string `json:"digest"`
	// NsPerSwitch is the time of a context switch, in ns: the mean, and what the
	// fastest hundredth of the stretches, at least one, took at most. A twentieth
	// of them took at most Spread more than that, as a part of it.
	NsPerSwitch     float64 `json:"ns_per_switch,omitempty"`
	Best            float64 `json:"best_ns_per_switch,omitempty"`
	Spread          float64 `json:"spread,omitempty"`
	EventsPerSecond float64 `json:"events_per_cpu_second,omitempty"`
	SimPerCPU       float64 `json:"sim_seconds_per_cpu_second,omitempty"`
	EventsPerSwitch float64 `json:"events_per_switch,omitempty"`
	BytesPerTask    float64 `json:"bytes_per_task,omitempty"` // Of live heap.
	AllocsPerMEvent float64 `json:"allocs_per_million_events"`
	TraceBytes      float64 `json:"trace_bytes_per_switch,omitempty"` // In memory.
	PeakRSS         uint64  `json:"peak_rss_bytes,omitempty"`
	Events          uint64  `json:"events"`
	Switches        uint64  `json:"switches"`
	SimSeconds      float64 `json:"sim_seconds"`
	CPUSeconds      float64 `json:"cpu_seconds"`
	WallSeconds     float64 `json:"wall_seconds"`
}

// benchCase returns the case that a line is of, nil if there is none any more.
func (l *benchLine) benchCase() *bench.Case {
	for _, c := range bench.Cases() {
		if c.Name == l.Name && c.CPUs == l.CPUs && c.Tasks == l.Tasks {
			return &c
		}
	}
	return nil
}

func (l *benchLine) id() string {
	return (&bench.Case{Name: l.Name, CPUs: l.CPUs, Tasks: l.Tasks}).ID()
}

// idColumns words an id so that ids stand below each other.
func idColumns(name string, cpus, tasks int) string {
	return fmt.Sprintf("%-13s %-9s %-12s", name, fmt.Sprintf("cpus=%d", cpus), fmt.Sprintf("tasks=%d", tasks))
}

// text is the line that is printed.
func (l *benchLine) text() string {
	var b strings.Builder
	b.WriteString(idColumns(l.Name, l.CPUs, l.Tasks))
	if l.Switches > 0 {
		fmt.Fprintf(&b, " %5.0f ns/switch  best %5.0f +%2.0f%%", l.NsPerSwitch, l.Best, 100*l.Spread)
		fmt.Fprintf(&b, "  %s switches/s  %s events/s  %.2f events/switch", count(1e9/l.NsPerSwitch), count(l.EventsPerSecond), l.EventsPerSwitch)
	} else {
		fmt.Fprintf(&b, " %d events in %.0f simulated s", l.Events, l.SimSeconds)
	}
	fmt.Fprintf(&b, "  %s sim-s/CPU-s", short(l.SimPerCPU))
	if l.BytesPerTask != 0 {
		fmt.Fprintf(&b, "  %.0f bytes/task", l.BytesPerTask)
	}
	if l.Switches > 0 {
		fmt.Fprintf(&b, "  %s allocs/Mevent  %.0f trace-bytes/switch", short(l.AllocsPerMEvent), l.TraceBytes)
	}
	if c := l.benchCase(); c != nil && c.Sims > 0 {
		fmt.Fprintf(&b, "  %.2f CPUs used", l.CPUSeconds/l.WallSeconds)
	}
	fmt.Fprintf(&b, "  %.0f MB peak RSS  trace %s", float64(l.PeakRSS)/1e6, l.Digest)
	if v := l.verdict(); v != "" {
		b.WriteString("  target " + v)
	}
	return b.String()
}

// short words a number of 0 or more in three digits or a few more.
func short(v float64) string {
	switch {
	case v >= 1e4:
		return count(v)
	case v >= 99.5 || v == 0:
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.2g", v)
}

// missed lists what a line misses of its targets. The time of a switch is judged
// by the mean.
func (l *benchLine) missed() (missed []string, judged bool) {
	c := l.benchCase()
	if c == nil {
		return nil, false
	}
	judge := func(ok bool, format string, args ...any) {
		judged = true
		if !ok {
			missed = append(missed, fmt.Sprintf(format, args...))
		}
	}
	if most := c.Goal.NsPerSwitch; most > 0 {
		judge(l.NsPerSwitch <= most, "<= %.0f ns/switch", most)
	}
	if least := c.Goal.SimPerCPU; least > 0 {
		judge(l.SimPerCPU >= least, ">= %.0f sim-s/CPU-s", least)
	}
	if c.Goal.NoEvents {
		judge(l.Events == 0, "0 events")
	}
	if l.BytesPerTask != 0 && c.ManyTasks() {
		judge(l.BytesPerTask <= bench.MaxBytesPerTask, "<= %d bytes/task", bench.MaxBytesPerTask)
	}
	if l.Events > 0 && c.Sims == 0 {
		judge(l.AllocsPerMEvent <= bench.MaxAllocs, "<= %d allocs/Mevent", bench.MaxAllocs)
	}
	return missed, judged
}

// verdict says whether a line meets its targets, and names those that it misses;
// empty if it has none.
func (l *benchLine) verdict() string {
	missed, judged := l.missed()
	switch {
	case !judged:
		return ""
	case len(missed) == 0:
		return "met"
	}
	v := "missed (" + strings.Join(missed, ", ") + ")"
	if c := l.benchCase(); len(missed) == 1 && c.Goal.NsPerSwitch > 0 && l.NsPerSwitch > c.Goal.NsPerSwitch && l.Best <= c.Goal.NsPerSwitch {
		v += ", but for the best stretch"
	}
	return v
}

// benchSummary is what is to be said about all lines together.
type benchSummary struct {
	lines  []string
	missed int // Targets.
	slower int // Lines.
}

func (s *benchSummary) text() string {
	if len(s.lines) == 0 {
		return ""
	}
	return strings.Join(s.lines, "\n") + "\n"
}

// summarise judges what needs more than one line: how times grow, whether
// digests that must be equal are, and how the lines compare with a baseline.
func summarise(lines []benchLine, base *benchFile) benchSummary {
	var s benchSummary
	byID := func(id string) *benchLine {
		for i := range lines {
			if lines[i].id() == id {
				return &lines[i]
			}
		}
		return nil
	}
	say := func(ok bool, format string, args ...any) {
		word := "met"
		if !ok {
			word = "missed"
			s.missed++
		}
		s.lines = append(s.lines, fmt.Sprintf(format, args...)+"  target "+word)
	}
	for i := range lines {
		missed, _ := lines[i].missed()
		s.missed += len(missed)
	}
	for _, c := range bench.Curves() {
		if of, over := byID(c.Of), byID(c.Over); of != nil && over != nil && over.Best > 0 {
			ratio := of.Best / over.Best
			say(ratio <= c.Most, "%s: %.2f times the best ns/switch, at most %.2f", c.Name, ratio, c.Most)
		}
	}
	for _, pair := range bench.SameDigest() {
		if a, b := byID(pair[0]), byID(pair[1]); a != nil && b != nil {
			say(a.Digest == b.Digest, "%s and %s: trace %s and %s, to be equal", a.Name, b.Name, a.Digest, b.Digest)
		}
	}
	if base == nil {
		return s
	}
	var n, faster, differ, logs = 0, 0, 0, 0.0
	for i := range lines {
		switch c := compareBench(&lines[i], base); c.kind {
		case benchDiffers:
			differ++
		case benchCompared:
			n++
			logs += math.Log(c.ratio)
			if c.mark() > 0 {
				s.slower++
			} else if c.mark() < 0 {
				faster++
			}
		}
	}
	if n > 0 {
		s.lines = append(s.lines, fmt.Sprintf("against the baseline: %.2f times the time by the geometric mean of %d lines; %d slower, %d faster",
			math.Exp(logs/float64(n)), n, s.slower, faster))
	}
	if differ > 0 {
		s.lines = append(s.lines, fmt.Sprintf("not compared: %d lines whose schedule is another one than in the baseline", differ))
	}
	return s
}

// markdownTable is the lines as a table.
func markdownTable(lines []benchLine, base *benchFile) string {
	var b strings.Builder
	head := []string{"benchmark", "CPUs", "tasks", "ns/switch", "best", "events/s", "events/switch", "sim-s/CPU-s", "bytes/task", "allocs/Mevent", "peak MB", "target", "result"}
	if base != nil {
		head = append(head, "baseline")
	}
	row := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	row(head)
	b.WriteString("|---|" + strings.Repeat("---:|", 10) + strings.Repeat("---|", len(head)-11) + "\n")
	for i := range lines {
		l := &lines[i]
		num := func(v float64, format string) string {
			if v == 0 {
				return ""
			}
			return fmt.Sprintf(format, v)
		}
		events, target := "0", ""
		if l.Events > 0 {
			events = count(l.EventsPerSecond)
		}
		if c := l.benchCase(); c != nil && c.Goal.NsPerSwitch > 0 {
			target = fmt.Sprintf("<= %.0f ns", c.Goal.NsPerSwitch)
		} else if c != nil && c.Goal.SimPerCPU > 0 {
			target = fmt.Sprintf(">= %.0f sim-s", c.Goal.SimPerCPU)
		} else if c != nil && c.Goal.NoEvents {
			target = "0 events"
		}
		cells := []string{
			l.Name, fmt.Sprint(l.CPUs), fmt.Sprint(l.Tasks), num(l.NsPerSwitch, "%.0f"), num(l.Best, "%.0f"), events,
			num(l.EventsPerSwitch, "%.2f"), short(l.SimPerCPU), num(l.BytesPerTask, "%.0f"), short(l.AllocsPerMEvent),
			fmt.Sprintf("%.0f", float64(l.PeakRSS)/1e6), target, l.verdict(),
		}
		if base != nil {
			cells = append(cells, strings.TrimSpace(compareBench(l, base).text()))
		}
		row(cells)
	}
	return b.String()
}
