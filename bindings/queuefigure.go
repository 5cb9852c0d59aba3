package bindings

import (
	"errors"
	"fmt"
	"math"

	"go.starlark.net/starlark"

	"schedrepl/engine/metrics"
	"schedrepl/plots"
)

func queueFigure(c *Call, o plots.Options) (*plots.Figure, error) {
	d := plots.QueueData{
		Form: map[string]plots.QueueForm{"auto": plots.QueueAuto, "lines": plots.QueueLines, "heat": plots.QueueHeat}[c.Str("form")],
		Most: c.Str("show") == "largest",
	}
	if c.Has("max") {
		if d.Max = c.Float("max"); !(d.Max > 0) {
			return nil, fmt.Errorf("max must be above 0, not %v", c.Value("max"))
		}
	}
	switch src := c.Value("source").(type) {
	case *machine:
		s, err := src.stretch(c)
		if err != nil {
			return nil, err
		}
		cpus, err := chosenCPUs(c, src.numCPU())
		if err != nil {
			return nil, err
		}
		d.From, d.To = int64(s.from), int64(s.to)
		steps := metrics.RunQueues(s.src, s.w, src.numCPU())
		for _, cpu := range cpus {
			q := plots.Queue{Name: fmt.Sprintf("CPU %d", cpu)}
			for _, step := range steps[cpu] {
				q.At, q.N = append(q.At, int64(step.At)), append(q.N, float64(step.N))
			}
			d.Queues = append(d.Queues, q)
		}
		o.Moments = src.moments(c)
	case *starlark.Dict:
		if c.Has("cpus") || c.Bool("marks") {
			return nil, errors.New("cpus and marks are for a machine: choose among the steps yourself")
		}
		if err := scriptQueues(c, src, &d); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("source must be a machine, or a dict of steps, not %s", describe(src))
	}
	return plots.RunQueues(d, o)
}

// scriptQueues reads steps that a script gives: for each name a list of (time,
// number), with the ends of the figure as since and until.
func scriptQueues(c *Call, dict *starlark.Dict, d *plots.QueueData) error {
	if !c.Has("until") {
		return errors.New("until must say where the last step of each list ends")
	}
	for i, to := range []*int64{&d.From, &d.To} {
		name := []string{"since", "until"}[i]
		if c.Has(name) {
			at, err := toDuration(c.Value(name))
			if err != nil {
				return fmt.Errorf("%s must be a duration where the source is no machine, not %s", name, describe(c.Value(name)))
			}
			*to = int64(at)
		}
	}
	if d.From >= d.To {
		return fmt.Errorf("until must be after since: %v is not after %v", Duration(d.To), Duration(d.From))
	}
	for _, kv := range dict.Items() {
		name, ok := starlark.AsString(kv[0])
		if !ok {
			return fmt.Errorf("source must have names for keys, not %s", describe(kv[0]))
		}
		seq, ok := kv[1].(starlark.Iterable)
		if !ok {
			return fmt.Errorf("source: %q must be a list of (time, number), not %s", name, describe(kv[1]))
		}
		q := plots.Queue{Name: name}
		for e := range starlark.Elements(seq) {
			pair, ok := e.(starlark.Tuple)
			if !ok || len(pair) != 2 {
				return fmt.Errorf("source: %q must be a list of (time, number), not %s in place %d", name, describe(e), len(q.At))
			}
			at, err := toDuration(pair[0])
			if err == ErrType {
				err = fmt.Errorf("must be a duration, not %s", describe(pair[0]))
			}
			if err != nil {
				return fmt.Errorf("source: %q: a time %w (in place %d)", name, err, len(q.At))
			}
			n := math.NaN()
			if pair[1] != starlark.None {
				if n, ok = starlark.AsFloat(pair[1]); !ok {
					return fmt.Errorf("source: %q: a number of tasks must be a number or None, not %s in place %d", name, describe(pair[1]), len(q.At))
				}
			}
			q.At, q.N = append(q.At, int64(at)), append(q.N, n)
		}
		d.Queues = append(d.Queues, q)
	}
	return nil
}
