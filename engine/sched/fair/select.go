package fair

import (
	"schedrepl/engine/sched"
	"schedrepl/engine/trace"
)

// SelectCPU chooses a CPU for a wakeup or a new-born. The rules of the
// versions (affine wakeups, idle siblings, idlest groups) need the scheduling
// domains; until those exist this is a plain stand-in that says so by its Pick.
// Wakeup: the previous CPU if it is idle or nobody is, the waking CPU if that
// is idle, else the next idle CPU after the previous one in number order.
// Fork: the CPU with the least load; among equals the forking CPU, then the
// lowest number.
func (c *Class) SelectCPU(t sched.TaskID, this int, fork bool) (int, trace.Pick) {
	if fork {
		return c.leastLoaded(t, this)
	}
	tk := &c.core.Tasks[t]
	prev := int(tk.CPU)
	idle := c.core.IdleCPUs()
	switch {
	case idle.Has(prev) && c.core.Allowed(t, prev):
		return prev, trace.CPUPrevIdle
	case idle.Has(this) && c.core.Allowed(t, this):
		return this, trace.CPUThisIdle
	}
	for cpu, first := idle.NextWrap(prev), -1; cpu >= 0 && cpu != first; cpu = idle.NextWrap(cpu) {
		if c.core.Allowed(t, cpu) && c.q[cpu].nr == 0 {
			return cpu, trace.CPUIdleOther
		}
		if first < 0 {
			first = cpu
		}
	}
	return prev, trace.CPUPrev
}

// leastLoaded returns the allowed CPU with the least load at the root level.
func (c *Class) leastLoaded(t sched.TaskID, this int) (int, trace.Pick) {
	best, load := -1, int64(0)
	if c.core.Allowed(t, this) {
		best, load = this, c.q[this].load
	}
	for cpu := range c.n {
		if l := c.q[cpu].load; (best < 0 || l < load) && c.core.Allowed(t, cpu) {
			best, load = cpu, l
		}
	}
	return best, trace.CPULeastLoad
}
