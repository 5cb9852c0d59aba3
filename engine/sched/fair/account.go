package fair

import (
	"schedrepl/engine/event"
	"schedrepl/engine/kernel"
	"schedrepl/engine/sched"
)

// inverse returns 2^32 over a weight that is not in the table of nice values.
func (c *Class) inverse(w int64) int64 {
	if c.sw.Inverse == kernel.InverseCentred {
		return 1 + (1<<32-w/2)/(w+1)
	}
	if w == 0 {
		return 1 << 32
	}
	return 1 << 32 / w
}

// scale returns d * weight / W with inv the inverse of W, rounded half up in
// one or two steps (kernel/sched/fair.c: calc_delta_mine of 3.3). With
// truncated inverses a weight of 0 or 1 acts as 1.
func (c *Class) scale(d, weight, inv int64) int64 {
	t := uint64(d)
	if weight > 1 || c.sw.Inverse == kernel.InverseCentred {
		t = uint64(d) * uint64(weight)
	}
	if t > 1<<32 {
		return int64(round(round(t, 16)*uint64(inv), 16))
	}
	return int64(round(t*uint64(inv), 32))
}

// round shifts x right by n bits, rounding half up.
func round(x uint64, n uint) uint64 { return (x + 1<<(n-1)) >> n }

// vtime returns the virtual time that e gains in d of run time.
func (c *Class) vtime(d int64, e *entity) int64 {
	if e.w() == kernel.NiceZero {
		return d
	}
	return c.scale(d, kernel.NiceZero, e.inv)
}

// account brings the running entity of a queue up to date (update_curr).
// Rounding happens once a call, so it is called exactly where the kernel does.
func (c *Class) account(q *queue) {
	if q.curr == none {
		return
	}
	e := &c.ent[q.curr]
	now := c.core.Now
	if c.stale {
		now = c.core.CPUs[q.cpu].Clock
	}
	d := now - e.execStart
	if d <= 0 {
		return
	}
	e.sum += d
	if e.w() == kernel.NiceZero {
		e.v += int64(d)
	} else {
		e.v += c.scale(int64(d), kernel.NiceZero, e.inv)
	}
	e.execStart = now
	q.win.unacc += d
	c.raiseMin(q)
}

// raiseMin moves the queue's minimum up to the least vruntime of the running
// entity and the tree; it never moves back. The running entity counts even if
// it has just left the queue (update_min_vruntime, to 4.9).
func (c *Class) raiseMin(q *queue) {
	first := c.arena.First(&q.tree)
	if q.curr == none {
		if first != none {
			q.min = later(q.min, c.arena.Key(first))
		}
		return
	}
	v := c.ent[q.curr].v
	if first != none {
		if fv := c.arena.Key(first); fv-v < 0 {
			v = fv
		}
	}
	q.min = later(q.min, v)
}

// later returns the later of two virtual times.
func later(a, b int64) int64 {
	if b-a > 0 {
		return b
	}
	return a
}

// UpdateCurr accounts every level of the current task.
func (c *Class) UpdateCurr(cpu int) {
	if t := c.core.Curr(cpu); t != sched.NoTask {
		for e := c.entOf[t]; e != none; e = c.ent[e].parent {
			c.account(&c.q[c.ent[e].q])
		}
	}
}

// Ticked accounts n ticks that were skipped, the first at first: each level is
// accounted at each of them, which for weights other than 1024 rounds once a
// tick.
func (c *Class) Ticked(_ int, t sched.TaskID, first event.Time, n int64) {
	last := first + event.Time(n-1)*c.period
	for i := c.entOf[t]; i != none; i = c.ent[i].parent {
		e := &c.ent[i]
		d := first - e.execStart
		all := last - e.execStart
		if all == 0 {
			continue
		}
		e.sum += all
		if e.w() == kernel.NiceZero {
			e.v += int64(all)
		} else {
			e.v += c.vtime(int64(d), e)
			if n > 1 {
				e.v += c.vtime(int64(c.period), e) * (n - 1)
			}
		}
		e.execStart = last
		q := &c.q[e.q]
		q.win.unacc += all
		c.raiseMin(q)
	}
}
