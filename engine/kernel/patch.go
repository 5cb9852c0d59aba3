package kernel

import (
	"fmt"
	"sort"
	"strings"
	"time"
)

// Patch is a named change of one mailing-list thread, which can be put on a
// profile or taken off it.
type Patch struct {
	Name string
	Doc  string
	// Since and Until bound the versions that have it built in: from Since,
	// to Until inclusive; empty for never and for no end.
	Since, Until string

	set func(s *Switches, on bool)
	has func(s *Switches) bool
}

// Patches returns the patches known, in alphabetical order.
func Patches() []Patch {
	return []Patch{
		{
			Name: "autogroup", Since: "2.6.38",
			Doc: "the tasks of a session share a task group, made at setsid (November 2010)",
			set: func(s *Switches, on bool) { s.Autogroup = on },
			has: func(s *Switches) bool { return s.Autogroup },
		},
		{
			Name: "cgroup-move-vruntime", Since: "2.6.37",
			Doc: "a sleeping task that moves between groups keeps its distance to the queue's minimum (November 2010)",
			set: func(s *Switches, on bool) {
				switch {
				case !on:
					s.Move = MovePlace
				case s.Move == MovePlace:
					s.Move = MoveRebase
				}
			},
			has: func(s *Switches) bool { return s.Move != MovePlace },
		},
		{
			Name: "move-task-skip-unchanged", Since: "6.4", Until: "6.13",
			Doc: "a group move that changes nothing returns at once (March 2023)",
			set: func(s *Switches, on bool) { s.MoveSkipUnchanged = on },
			has: func(s *Switches) bool { return s.MoveSkipUnchanged },
		},
		{
			Name: "tick-unsigned-compare", Until: "2.6.37",
			Doc: "the second test of the tick compares unsigned, as 64-bit builds did, " +
				"so that a task that is behind the leftmost is rescheduled at each tick and its slice starts anew",
			set: func(s *Switches, on bool) { s.UnsignedTickTest = on },
			has: func(s *Switches) bool { return s.UnsignedTickTest },
		},
	}
}

// BuiltIn reports whether the profile's rules include the patch.
func (p Profile) BuiltIn(name string) bool {
	for _, q := range Patches() {
		if q.Name == name {
			return q.has(&p.Switches)
		}
	}
	return false
}

// With returns the profile with patches, features and tunables applied in
// that order. A patch or feature is given by its name, with "NO_" before it
// to take it off. Tunables are given in ns by their debugfs or sysctl name,
// with or without "sched_" and "_ns"; a value that is set is not scaled by
// the number of CPUs.
func (p Profile) With(patches, features []string, tunables map[string]int64) (Profile, error) {
	p.Patches = append([]string(nil), p.Patches...)
	for _, name := range patches {
		if err := p.applyPatch(name); err != nil {
			return Profile{}, err
		}
	}
	for _, name := range features {
		if err := p.SetFeature(name); err != nil {
			return Profile{}, err
		}
	}
	names := make([]string, 0, len(tunables))
	for name := range tunables {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		if err := p.Tunables.Set(name, tunables[name]); err != nil {
			return Profile{}, err
		}
	}
	return p, nil
}

func (p *Profile) applyPatch(word string) error {
	name, off := strings.CutPrefix(word, "NO_")
	var known []string
	for _, q := range Patches() {
		if q.Name == name {
			q.set(&p.Switches, !off)
			p.Patches = append(p.Patches, word)
			return nil
		}
		known = append(known, q.Name)
	}
	return fmt.Errorf("kernel: unknown patch %q; patches: %s", word, strings.Join(known, ", "))
}

// SetFeature switches one feature by its word in sched/features: its name,
// or NO_ and its name. It refuses names that the version does not know and
// features that the model does not act on.
func (p *Profile) SetFeature(word string) error {
	name, off := strings.CutPrefix(word, "NO_")
	f, ok := FeatureByName(name)
	if !ok || !p.Features.Exists(f) {
		return fmt.Errorf("kernel: unknown feature %q; features of %s: %s",
			word, p.Version, strings.Join(p.Features.Strings(), " "))
	}
	if p.Features.On(f) == !off {
		return nil
	}
	if !f.Modelled() {
		return fmt.Errorf("kernel: feature %s cannot be switched: the model does not act on it yet", name)
	}
	p.Features = p.Features.with(f, !off)
	return nil
}

// tunableNames are the names that Set takes, without sched_ and _ns.
var tunableNames = []string{
	"latency", "min_granularity", "wakeup_granularity", "migration_cost",
	"shares_window", "child_runs_first", "tunable_scaling",
}

// Set gives a tunable a value: ns for times, 0 or 1 for child_runs_first,
// 0 to 2 for tunable_scaling. Times must lie between 100 us and 1 s
// (0 to 1 s for the wakeup granularity), as in Linux's own checks.
func (t *Tunables) Set(name string, value int64) error {
	short := strings.TrimSuffix(strings.TrimPrefix(name, "sched_"), "_ns")
	lo, hi := int64(100_000), int64(time.Second)
	var dst *time.Duration
	var fix uint8
	switch short {
	case "latency":
		dst, fix = &t.Latency, 1
	case "min_granularity":
		dst, fix = &t.MinGranularity, 2
	case "wakeup_granularity":
		dst, fix, lo = &t.WakeupGranularity, 4, 0
	case "migration_cost":
		dst, lo = &t.MigrationCost, 0
	case "shares_window":
		dst = &t.SharesWindow
	case "child_runs_first":
		if value != 0 && value != 1 {
			return fmt.Errorf("kernel: EINVAL: tunable %s: %d is not 0 or 1", name, value)
		}
		t.ChildRunsFirst = value == 1
		return nil
	case "tunable_scaling":
		if value < 0 || value > 2 {
			return fmt.Errorf("kernel: EINVAL: tunable %s: %d is not 0 (none), 1 (logarithmic) or 2 (linear)", name, value)
		}
		t.Scaling = int(value)
		return nil
	default:
		return fmt.Errorf("kernel: unknown tunable %q; tunables: %s", name, strings.Join(tunableNames, ", "))
	}
	if value < lo || value > hi {
		return fmt.Errorf("kernel: EINVAL: tunable %s: %d ns is outside %d to %d ns", name, value, lo, hi)
	}
	*dst = time.Duration(value)
	t.fixed |= fix
	return nil
}
