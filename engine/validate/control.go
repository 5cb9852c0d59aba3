package validate

import (
	"encoding/json"
	"fmt"

	"schedrepl/engine/event"
)

// arm arms one control.
func (h *harness) arm(c *control) error {
	act, text, err := h.control(c)
	if err != nil {
		return fmt.Errorf("control %s of %q at %d ns: %w", c.Action, c.Target, c.At, err)
	}
	at := event.Time(c.At)
	_, err = h.m.At(at, func() error {
		h.labels = append(h.labels, label{at, text})
		if err := act(); err != nil {
			return fmt.Errorf("control %s of %q at %d ns: %w", c.Action, c.Target, c.At, err)
		}
		return nil
	})
	return err
}

// control translates one control into what it does and its line in a trace.
func (h *harness) control(c *control) (func() error, string, error) {
	pid := func() int32 { return h.pids[c.Target] }
	if c.Action != "set_shares" {
		if t, ok := h.tasks[c.Target]; !ok || t.Template {
			return nil, "", fmt.Errorf("no such task")
		}
	}
	switch c.Action {
	case "set_nice":
		var n int
		if err := json.Unmarshal(c.Value, &n); err != nil {
			return nil, "", fmt.Errorf("value %s is not a nice value", c.Value)
		}
		return func() error { return h.m.SetNice(pid(), n) }, fmt.Sprintf("setnice %s %d", c.Target, n), nil
	case "set_affinity":
		var cpus []int
		if err := json.Unmarshal(c.Value, &cpus); err != nil || len(cpus) == 0 {
			return nil, "", fmt.Errorf("value %s is not a list of CPUs", c.Value)
		}
		return func() error { return h.m.SetAffinity(pid(), mask(cpus)) }, fmt.Sprintf("setaffinity %s %s", c.Target, mask(cpus)), nil
	case "move_to_group":
		var name string
		if err := json.Unmarshal(c.Value, &name); err != nil {
			return nil, "", fmt.Errorf("value %s is not a group's name", c.Value)
		}
		g, ok := h.groups[name]
		if !ok {
			return nil, "", fmt.Errorf("group %q is not defined", name)
		}
		return func() error { return h.m.Attach(pid(), g) }, fmt.Sprintf("setgroup %s %s", c.Target, name), nil
	case "set_shares":
		g, ok := h.groups[c.Target]
		var n int64
		if err := json.Unmarshal(c.Value, &n); err != nil || !ok {
			return nil, "", fmt.Errorf("needs a group that is defined and a whole number, not %s", c.Value)
		}
		return func() error { return h.m.SetShares(g, n) }, fmt.Sprintf("setshares %s %d", c.Target, n), nil
	case "set_policy":
		var v struct {
			Policy     string `json:"policy"`
			RTPriority int    `json:"rt_priority"`
		}
		if err := json.Unmarshal(c.Value, &v); err != nil {
			return nil, "", fmt.Errorf("value %s is not a policy", c.Value)
		}
		p, err := parsePolicy(v.Policy)
		if err != nil {
			return nil, "", err
		}
		return func() error { return h.m.SetPolicy(pid(), p) }, fmt.Sprintf("setpolicy %s %d", c.Target, int(p)), nil
	}
	return nil, "", fmt.Errorf("unknown action: set_nice, set_affinity, move_to_group, set_shares, set_policy")
}
