package validate

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"schedrepl/engine/kernel"
	"schedrepl/engine/sched"
)

// maxEnd is the longest run that is compared, in ns.
const maxEnd = int64(time.Hour)

// check reports the first thing that is missing, out of range, or more than an
// exact capture of one CPU in the fair class, and understands programs,
// controls and tunables. After it the set-up can be built.
func (s *scenario) check() error {
	for _, part := range []func() error{
		s.checkMachine, s.checkGroups, s.checkTasks, s.checkPrograms, s.checkControls,
	} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

// checkMachine checks what concerns the machine and the length of the run.
func (s *scenario) checkMachine() error {
	switch {
	case !strings.HasPrefix(s.Source, exactSource):
		return fmt.Errorf("source: %q: only exact captures (source %q...) can be compared line by line", s.Source, exactSource)
	case len(s.Topology.CPUs) == 0:
		return errors.New("topology: cpus: there are none; one is expected")
	case len(s.Topology.CPUs) > 1:
		return fmt.Errorf("topology: %d CPUs: exact comparison covers one CPU, for balancing is not modelled yet", len(s.Topology.CPUs))
	case s.Topology.CPUs[0].CPU != 0:
		return fmt.Errorf("topology: cpus: the only CPU has number %d; it must be 0", s.Topology.CPUs[0].CPU)
	case s.HZ < 24 || s.HZ > 10000 || 1_000_000_000%s.HZ != 0:
		return fmt.Errorf("HZ: %d: it must lie between 24 and 10000 and divide 10^9, such as 100, 250 or 1000", s.HZ)
	case s.Tick.Period != nil && *s.Tick.Period != 1_000_000_000/s.HZ:
		return fmt.Errorf("tick: period_ns: %d: with HZ %d it must be %d", *s.Tick.Period, s.HZ, 1_000_000_000/s.HZ)
	case s.Tick.HRTick:
		return errors.New("tick: hrtick: slices that end between ticks are not modelled yet; it must be false")
	case s.Launch.CPU != 0:
		return fmt.Errorf("launch: cpu: %d: the machine has only CPU 0", s.Launch.CPU)
	case s.Launch.At < 0:
		return fmt.Errorf("launch: t_ns: %d: it must be 0 or more", s.Launch.At)
	case s.End <= 0 || s.End < s.Launch.At || s.End > maxEnd:
		return fmt.Errorf("end_ns: %d: it must come after the launch at %d and be at most %d", s.End, s.Launch.At, maxEnd)
	}
	var err error
	s.tunables, err = parseTunables(s.Tunables)
	return err
}

// checkGroups checks that each group has a name of its own and a parent that
// comes before it.
func (s *scenario) checkGroups() error {
	known := []string{"/"}
	for i := range s.Groups {
		g := &s.Groups[i]
		if err := checkName(g.Name); err != nil {
			return fmt.Errorf("group %d: name: %w", i, err)
		}
		switch {
		case has(known, g.Name):
			return fmt.Errorf("group %q: it is defined twice; names of groups must differ (\"/\" is the root)", g.Name)
		case g.Parent == g.Name:
			return fmt.Errorf("group %q: it is its own parent; the parent must be one of those before it: %s", g.Name, strings.Join(known, " "))
		case !has(known, g.Parent):
			return fmt.Errorf("group %q: parent %q is not defined before it; defined are: %s", g.Name, g.Parent, strings.Join(known, " "))
		case g.Shares != nil && *g.Shares < 0:
			return fmt.Errorf("group %q: shares: %d: it must be 0 or more, or null for %d", g.Name, *g.Shares, kernel.NiceZero)
		case g.Quota != nil && *g.Quota >= 0:
			return fmt.Errorf("group %q: cfs_quota_us: %d: bandwidth limits are not modelled yet; it must be null or -1", g.Name, *g.Quota)
		}
		known = append(known, g.Name)
	}
	return nil
}

// checkTasks checks all of the tasks but their programs.
func (s *scenario) checkTasks() error {
	live := 0
	seen := map[string]bool{}
	for i := range s.Tasks {
		t := &s.Tasks[i]
		if err := checkName(t.Name); err != nil {
			return fmt.Errorf("task %d: name: %w", i, err)
		}
		if seen[t.Name] {
			return fmt.Errorf("task %q: it is defined twice; names of tasks must differ", t.Name)
		}
		seen[t.Name] = true
		if !t.Template {
			live++
		}
		if err := s.checkTask(t); err != nil {
			return fmt.Errorf("task %q: %w", t.Name, err)
		}
	}
	if live == 0 {
		return errors.New("tasks: there are none to launch; at least one that is no template is expected")
	}
	return nil
}

func (s *scenario) checkTask(t *task) error {
	if t.Nice < kernel.NiceMin || t.Nice > kernel.NiceMax {
		return fmt.Errorf("nice: %d: it must lie between %d and %d", t.Nice, kernel.NiceMin, kernel.NiceMax)
	}
	if _, err := parsePolicy(t.Policy); err != nil {
		return fmt.Errorf("policy: %w", err)
	}
	if !s.hasGroup(t.Group) {
		return fmt.Errorf("group: %q is not defined; defined are: %s", t.Group, s.groupNames())
	}
	if err := s.checkCPUs(t.StartCPUs); err != nil {
		return fmt.Errorf("start_cpus: %w", err)
	}
	if err := s.checkCPUs(t.Allowed); err != nil {
		return fmt.Errorf("allowed_cpus: %w", err)
	}
	return nil
}

// checkCPUs checks a list of CPUs; null is all.
func (s *scenario) checkCPUs(cpus []int) error {
	n := len(s.Topology.CPUs)
	if cpus != nil && len(cpus) == 0 {
		return fmt.Errorf("the list is empty; it must name some of the CPUs 0-%d, or be null for all", n-1)
	}
	for _, cpu := range cpus {
		if cpu < 0 || cpu >= n {
			return fmt.Errorf("CPU %d does not exist; the machine has 0-%d", cpu, n-1)
		}
	}
	return nil
}

// checkPrograms understands the programs.
func (s *scenario) checkPrograms() error {
	for i := range s.Tasks {
		t := &s.Tasks[i]
		var err error
		if t.steps, err = s.parseProgram(t); err != nil {
			return fmt.Errorf("task %q: program: %w", t.Name, err)
		}
	}
	return nil
}

// checkControls understands the controls. They need not be in order of time;
// of two at one instant the first in the list acts first.
func (s *scenario) checkControls() error {
	for i := range s.Controls {
		c := &s.Controls[i]
		err := s.checkControl(c)
		if err != nil {
			return fmt.Errorf("control %d (%s of %q at %d ns): %w", i, c.Action, c.Target, c.At, err)
		}
	}
	return nil
}

func (s *scenario) checkControl(c *control) error {
	switch {
	case c.CPU != 0:
		return fmt.Errorf("cpu: %d: controls run on CPU 0", c.CPU)
	case c.At < s.Launch.At || c.At > s.End:
		return fmt.Errorf("t_ns: it lies outside the run, which goes from %d to %d ns", s.Launch.At, s.End)
	}
	var err error
	c.do, err = s.parseChange(c)
	return err
}

// checkName checks a name that has to stand in a line of a trace.
func checkName(name string) error {
	if name == "" {
		return errors.New("it is empty; everything needs a name")
	}
	for _, r := range name {
		if unicode.IsSpace(r) || !unicode.IsPrint(r) {
			return fmt.Errorf("%q: it must have no spaces or control characters, for it stands in the lines of the trace", name)
		}
	}
	return nil
}

func has(list []string, name string) bool {
	for _, s := range list {
		if s == name {
			return true
		}
	}
	return false
}

// findTask returns the task or template of a name, nil if there is none.
func (s *scenario) findTask(name string) *task {
	for i := range s.Tasks {
		if s.Tasks[i].Name == name {
			return &s.Tasks[i]
		}
	}
	return nil
}

func (s *scenario) hasGroup(name string) bool {
	for i := range s.Groups {
		if s.Groups[i].Name == name {
			return true
		}
	}
	return name == "/"
}

// groupNames lists the groups for messages.
func (s *scenario) groupNames() string {
	text := "/"
	for i := range s.Groups {
		text += " " + s.Groups[i].Name
	}
	return text
}

// parsePolicy returns the policy of a word, NORMAL being also called OTHER.
func parsePolicy(word string) (sched.Policy, error) {
	switch word {
	case "NORMAL", "OTHER":
		return sched.Normal, nil
	case "BATCH":
		return sched.Batch, nil
	case "IDLE":
		return sched.Idle, nil
	case "FIFO", "RR":
		return 0, fmt.Errorf("%s: the real-time class is not modelled yet; it must be NORMAL, BATCH or IDLE", word)
	}
	return 0, fmt.Errorf("%q is not one of NORMAL, BATCH, IDLE", word)
}
