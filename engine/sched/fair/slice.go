package fair

import (
	"schedrepl/engine/event"
	"schedrepl/engine/sched"
	"schedrepl/engine/trace"
)

// periodOf returns the time in which n entities should each run once
// (__sched_period).
func (c *Class) periodOf(n int64) int64 {
	if n > c.nrLatency {
		return n * c.minGran
	}
	return c.latency
}

// slice returns the share of the period that entity i gets in its queue, or
// would get if it were queued: by its weight there, and by the weight of its
// group on each level above (sched_slice). Only the number of entities of its
// own level sets the period.
func (c *Class) slice(i int32) int64 {
	e := &c.ent[i]
	n := int64(c.q[e.q].nr)
	if !e.on {
		n++
	}
	s := c.periodOf(n)
	for i != none {
		e = &c.ent[i]
		q := &c.q[e.q]
		load := q.load
		if !e.on {
			load += e.w()
		}
		if load != q.invOf {
			q.invOf, q.inv = load, c.inverse(load)
		}
		s = c.scale(s, e.w(), q.inv)
		i = e.parent
	}
	return s
}

// ideal is slice of entity i, the running one of queue q. It is kept until
// something that it follows from has changed.
func (c *Class) ideal(q *queue, i int32) int64 {
	if v := c.q[q.cpu].version; q.idealOf != i || q.idealAt != v {
		q.ideal, q.idealOf, q.idealAt = c.slice(i), i, v
	}
	return q.ideal
}

// changed notes that slices of q's CPU may have changed.
func (c *Class) changed(q *queue) { c.q[q.cpu].version++ }

// Tick accounts every level of the current task and tests whether it has run
// long enough (entity_tick, check_preempt_tick).
func (c *Class) Tick(cpu int, t sched.TaskID) {
	for i := c.entOf[t]; i != none; i = c.ent[i].parent {
		q := &c.q[c.ent[i].q]
		c.account(q)
		c.tickShares(q)
		if q.nr > 1 {
			c.tickTest(cpu, q, i)
		}
	}
}

// tickTest asks for a reschedule if entity i, running, has used up its slice,
// or is a whole slice of virtual time ahead of the leftmost.
func (c *Class) tickTest(cpu int, q *queue, i int32) {
	e := &c.ent[i]
	ideal := c.ideal(q, i)
	ran := int64(e.sum - e.prevSum)
	if ran > ideal {
		c.core.Resched(cpu, trace.SliceEnd, ran, ideal)
		c.clearMarks(q, i)
		return
	}
	if !c.preempt || ran < c.minGran {
		return
	}
	d := e.v - c.arena.Key(c.arena.First(&q.tree))
	if d > ideal || (d < 0 && c.sw.UnsignedTickTest) {
		c.core.Resched(cpu, trace.BehindLeft, d, ideal)
	}
}

// NextTick returns the first tick at which one of the tests can succeed, or
// the shares window of a group is due, if nothing else happens until then.
func (c *Class) NextTick(_ int, t sched.TaskID, next event.Time) event.Time {
	at := sched.Never
	for i := c.entOf[t]; i != none; i = c.ent[i].parent {
		e := &c.ent[i]
		q := &c.q[e.q]
		if q.nr > 1 {
			at = min(at, c.testTime(q, i))
		}
		if c.n > 1 && q.owner != none {
			at = min(at, e.execStart+c.sharesWindow-q.win.unacc+1)
		}
	}
	if at == sched.Never {
		return at
	}
	if at <= next {
		return next
	}
	return next + event.Time(event.Periods(at-next+c.period-1, c.period))*c.period
}

// testTime returns a time before which tickTest cannot succeed for entity i.
// The second test is in virtual time; converting it back to run time is made
// a little early, to be on the safe side of the roundings.
func (c *Class) testTime(q *queue, i int32) event.Time {
	e := &c.ent[i]
	ideal := c.ideal(q, i)
	ran := int64(e.sum - e.prevSum)
	first := ideal - ran + 1
	if c.preempt {
		d := e.v - c.arena.Key(c.arena.First(&q.tree))
		var wall int64
		if need := ideal - d; need >= 0 && !(c.sw.UnsignedTickTest && d < 0) {
			wall = need
			if e.w() != 1024 {
				wall = int64(uint64(need) * uint64(e.w()) >> 10)
				wall -= wall>>12 + e.w()>>10 + 2
			}
		}
		first = min(first, max(wall, c.minGran-ran))
	}
	return e.execStart + event.Time(first)
}
