// Package validate holds the model against schedules recorded elsewhere: it
// sets up the machine that a capture describes, runs it, and compares.
package validate

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
)

// exactSource is what the source field of an exact capture begins with.
const exactSource = "LinSched, Linux 3.3"

// scenario is the set-up of an exact capture (scenario.json). Times are ns.
type scenario struct {
	Name        string                     `json:"name"`
	Description string                     `json:"description"`
	Source      string                     `json:"source"`
	HZ          int                        `json:"HZ"`
	Tunables    map[string]json.RawMessage `json:"tunables"`
	FeaturesOn  []string                   `json:"features_on"`
	FeaturesOff []string                   `json:"features_off"`
	Topology    struct {
		Name string `json:"name"`
		CPUs []struct {
			CPU     int `json:"cpu"`
			Node    int `json:"node"`
			Package int `json:"package"`
			Core    int `json:"core"`
		} `json:"cpus"`
	} `json:"topology"`
	Launch struct {
		At  int64 `json:"t_ns"`
		CPU int   `json:"cpu"`
	} `json:"launch"`
	End      int64     `json:"end_ns"`
	Groups   []group   `json:"groups"`
	Tasks    []task    `json:"tasks"`
	Controls []control `json:"controls"`
}

type group struct {
	Name   string `json:"name"`
	Parent string `json:"parent"`
	Shares *int64 `json:"shares"`
	Quota  *int64 `json:"cfs_quota_us"`
	Period *int64 `json:"cfs_period_us"`
}

type task struct {
	Name       string `json:"name"`
	Nice       int    `json:"nice"`
	Policy     string `json:"policy"`
	RTPriority int    `json:"rt_priority"`
	Group      string `json:"group"`
	StartCPUs  []int  `json:"start_cpus"`
	Allowed    []int  `json:"allowed_cpus"`
	Program    []step `json:"program"`
	LoopTo     *int   `json:"loop_to_index"`
	ExitAtEnd  bool   `json:"exit_at_end"`
	Template   bool   `json:"template_for_fork"`
}

// step is one entry of a program: an object with one key.
type step map[string]json.RawMessage

type control struct {
	At     int64           `json:"t_ns"`
	CPU    int             `json:"cpu"`
	Action string          `json:"action"`
	Target string          `json:"target"`
	Value  json.RawMessage `json:"value"`
}

// readScenario reads dir/scenario.json.
func readScenario(fsys fs.FS, dir string) (*scenario, error) {
	name := path.Join(dir, "scenario.json")
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, fmt.Errorf("%s: cannot read the set-up: %w", dir, err)
	}
	var s scenario
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, fmt.Errorf("%s: damaged: %w", name, err)
	}
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &s, nil
}

// check reports the first thing that is missing, out of range, or not an
// exact capture of one CPU in the fair class.
func (s *scenario) check() error {
	switch {
	case len(s.Source) < len(exactSource) || s.Source[:len(exactSource)] != exactSource:
		return fmt.Errorf("source %q: only exact captures (source %q...) can be compared line by line", s.Source, exactSource)
	case len(s.Topology.CPUs) == 0:
		return fmt.Errorf("topology has no CPUs")
	case len(s.Topology.CPUs) > 1:
		return fmt.Errorf("topology has %d CPUs: exact comparison covers one CPU, for balancing is not modelled yet", len(s.Topology.CPUs))
	case s.End <= 0 || s.Launch.At < 0 || s.Launch.At > s.End:
		return fmt.Errorf("launch at %d ns and end at %d ns: the end must come after the launch", s.Launch.At, s.End)
	case len(s.Tasks) == 0:
		return fmt.Errorf("no tasks")
	}
	groups := map[string]bool{"/": true}
	for _, g := range s.Groups {
		if g.Quota != nil && *g.Quota >= 0 {
			return fmt.Errorf("group %q: cfs_quota_us: bandwidth limits are not modelled yet", g.Name)
		}
		if !groups[g.Parent] {
			return fmt.Errorf("group %q: parent %q is not defined before it", g.Name, g.Parent)
		}
		groups[g.Name] = true
	}
	names := map[string]bool{}
	for _, t := range s.Tasks {
		if names[t.Name] {
			return fmt.Errorf("task %q is there twice", t.Name)
		}
		names[t.Name] = true
		if !groups[t.Group] {
			return fmt.Errorf("task %q: group %q is not defined", t.Name, t.Group)
		}
		if _, err := parsePolicy(t.Policy); err != nil {
			return fmt.Errorf("task %q: %w", t.Name, err)
		}
	}
	for _, c := range s.Controls {
		if c.At < s.Launch.At || c.At > s.End {
			return fmt.Errorf("control %s at %d ns lies outside the run", c.Action, c.At)
		}
	}
	return nil
}
