package validate

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"schedrepl/engine/event"
	"schedrepl/engine/sched"
)

// change is what a control does: a verb and the one value that it takes.
type change struct {
	verb   verb
	n      int64 // nice value, shares
	cpus   []int
	group  string
	policy sched.Policy
}

type verb uint8

const (
	setNice verb = iota
	setAffinity
	moveToGroup
	setShares
	setPolicy
)

// verbs are the words of the changes: in a set-up, where the recorder's own
// name comes first, and in a trace.
var verbs = [...]struct {
	names [2]string
	line  string
}{
	setNice:     {[2]string{"set_nice"}, "setnice"},
	setAffinity: {[2]string{"set_affinity"}, "setaffinity"},
	moveToGroup: {[2]string{"move_to_group"}, "setgroup"},
	setShares:   {[2]string{"set_group_shares", "set_shares"}, "setshares"},
	setPolicy:   {[2]string{"set_policy"}, "setpolicy"},
}

const verbWords = "set_nice, set_affinity, move_to_group, set_group_shares or set_policy"

// parseChange understands what a control does.
func (s *scenario) parseChange(c *control) (change, error) {
	v := verb(0)
	for int(v) < len(verbs) && (c.Action == "" || verbs[v].names[0] != c.Action && verbs[v].names[1] != c.Action) {
		v++
	}
	if int(v) == len(verbs) {
		return change{}, fmt.Errorf("unknown action %q; it must be %s", c.Action, verbWords)
	}
	if v == setShares {
		if c.Target == "/" || !s.hasGroup(c.Target) {
			return change{}, fmt.Errorf("target: %q is not a group that has shares; defined are: %s", c.Target, s.groupNames())
		}
	} else if t := s.findTask(c.Target); t == nil || t.Template {
		return change{}, fmt.Errorf("target: %q is not a task; it must be one that is forked at the launch", c.Target)
	}
	ch := change{verb: v}
	var err error
	switch v {
	case setNice:
		err = whole(c.Value, &ch.n, -20, 19, "a nice value, -20 to 19")
	case setShares:
		err = whole(c.Value, &ch.n, 0, 1<<62, "a number of shares, 0 or more")
	case setAffinity:
		if json.Unmarshal(c.Value, &ch.cpus) != nil || ch.cpus == nil {
			err = fmt.Errorf("%s: it must be a list of CPUs", clip(c.Value))
		} else {
			err = s.checkCPUs(ch.cpus)
		}
	case moveToGroup:
		if json.Unmarshal(c.Value, &ch.group) != nil || !s.hasGroup(ch.group) {
			err = fmt.Errorf("%s: it must be one of the groups: %s", clip(c.Value), s.groupNames())
		}
	case setPolicy:
		var p struct {
			Policy string `json:"policy"`
		}
		if json.Unmarshal(c.Value, &p) != nil {
			err = fmt.Errorf("%s: it must be an object with a policy", clip(c.Value))
		} else {
			ch.policy, err = parsePolicy(p.Policy)
		}
	}
	if err != nil {
		return change{}, fmt.Errorf("value: %w", err)
	}
	return ch, nil
}

// whole understands a whole number between lo and hi.
func whole(raw json.RawMessage, to *int64, lo, hi int64, what string) error {
	var n *int64
	if json.Unmarshal(raw, &n) != nil || n == nil || *n < lo || *n > hi {
		return fmt.Errorf("%s: it must be %s", clip(raw), what)
	}
	*to = *n
	return nil
}

// line returns what a trace says of the change, after time and CPU.
func (ch *change) line(target string) string {
	text := verbs[ch.verb].line + " " + target + " "
	switch ch.verb {
	case setNice, setShares:
		return text + strconv.FormatInt(ch.n, 10)
	case moveToGroup:
		return text + ch.group
	case setPolicy:
		return text + strconv.Itoa(int(ch.policy))
	}
	mask := uint64(0)
	for _, cpu := range ch.cpus {
		mask |= 1 << (cpu & 63)
	}
	return text + strconv.FormatUint(mask, 16)
}

// arm arms one control.
func (h *harness) arm(c *control) error {
	_, err := h.m.At(event.Time(c.At), func() error {
		h.label = c.do.line(c.Target)
		if err := h.apply(c); err != nil {
			return fmt.Errorf("control %s of %q at %d ns: %w", c.Action, c.Target, c.At, err)
		}
		return nil
	})
	return err
}

// apply carries a control out. One whose task has exited is an error: it would
// change nothing that is scheduled, so that no recording can mean it.
func (h *harness) apply(c *control) error {
	if c.do.verb == setShares {
		return h.m.SetShares(h.groups[c.Target], c.do.n)
	}
	pid := h.pids[c.Target]
	if h.m.Core().Find(pid) == sched.NoTask {
		return errors.New("the task has exited by then; a control must come while its task is alive")
	}
	switch c.do.verb {
	case setNice:
		return h.m.SetNice(pid, int(c.do.n))
	case setAffinity:
		return h.m.SetAffinity(pid, mask(c.do.cpus))
	case moveToGroup:
		return h.m.Attach(pid, h.groups[c.do.group])
	}
	return h.m.SetPolicy(pid, c.do.policy)
}
