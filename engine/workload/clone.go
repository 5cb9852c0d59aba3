package workload

import (
	"maps"
	"slices"
)

// Clone returns a copy that shares only immutable programs with it: what is done to
// one is not seen by the other, and both go on alike if asked alike.
func (it *Interp) Clone() *Interp {
	sides := slices.Clone(it.sides)
	for i := range sides {
		s := &sides[i]
		s.counters = slices.Clone(s.counters)
		s.calls = slices.Clone(s.calls)
		s.spans = slices.Clone(s.spans)
	}
	return &Interp{
		tasks:  slices.Clone(it.tasks),
		sides:  sides,
		free:   slices.Clone(it.free),
		sems:   slices.Clone(it.sems),
		names:  slices.Clone(it.names),
		byName: maps.Clone(it.byName),
	}
}
