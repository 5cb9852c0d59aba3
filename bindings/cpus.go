package bindings

import (
	"fmt"

	"go.starlark.net/starlark"

	"schedrepl/engine/cpumask"
)

// toCPUs makes a set of CPUs of an argument: a list as in cpuset.cpus, a
// number, or a list of numbers. It is not nil, so that the empty set is not
// taken for all.
func toCPUs(_ *Call, v starlark.Value) (any, error) {
	set := cpumask.Set{}
	add := func(v starlark.Value) error {
		n, err := starlark.AsInt32(v)
		if err != nil || n < 0 || n >= cpumask.MaxCPUs {
			return fmt.Errorf("must name CPUs by numbers from 0 to %d, not %s", cpumask.MaxCPUs-1, describe(v))
		}
		set.Add(n)
		return nil
	}
	switch v := v.(type) {
	case starlark.String:
		parsed, err := cpumask.Parse(string(v))
		if err != nil {
			return nil, fmt.Errorf("must be CPUs, as \"0-3,8\": %w", err)
		}
		return append(set, parsed...), nil
	case starlark.Int:
		return set, add(v)
	case *starlark.List, starlark.Tuple:
		for e := range starlark.Elements(v.(starlark.Iterable)) {
			if err := add(e); err != nil {
				return nil, err
			}
		}
		return set, nil
	}
	return nil, ErrType
}

// cpusOf is the argument of a "cpus" parameter, nil where it was left out. All
// of its CPUs must exist, and there must be one.
func (ma *machine) cpusOf(c *Call, name string) (cpumask.Set, error) {
	set := Arg[cpumask.Set](c, name)
	if set == nil {
		return nil, nil
	}
	if set.Empty() {
		return nil, fmt.Errorf("EINVAL: %s: %v names no CPU", name, c.Value(name))
	}
	if last := set.Last(); last >= ma.numCPU() {
		return nil, fmt.Errorf("EINVAL: %s: %v: CPU %d does not exist (machine has %s)", name, c.Value(name), last, cpumask.All(ma.numCPU()))
	}
	return set, nil
}
