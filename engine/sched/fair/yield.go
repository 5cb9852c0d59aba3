package fair

import (
	"schedrepl/engine/kernel"
	"schedrepl/engine/sched"
)

// Yield is sched_yield of the current task. From 2.6.39 it marks the task to
// be passed over by the next pick, which is honoured only if another is within
// the wakeup granularity of it; before, it only brings the run time up to
// date, or, for a BATCH task, moves it behind the rightmost.
func (c *Class) Yield(cpu int, t sched.TaskID) {
	i := c.entOf[t]
	e := &c.ent[i]
	q := &c.q[e.q]
	batch := c.core.Tasks[t].Policy == sched.Batch
	if c.sw.Yield == kernel.YieldSkip {
		if c.core.CPUs[cpu].NrRunning == 1 {
			return
		}
		c.clearMarks(q, i)
		if !batch {
			c.account(q)
		}
		c.setSkip(i)
		return
	}
	if q.nr == 1 {
		return
	}
	c.clearMarks(q, i)
	if !batch {
		c.account(q)
		return
	}
	right := c.arena.Last(&q.tree)
	if rv := c.arena.Key(right); rv-e.v >= 0 {
		e.v = rv + 1
	}
}
