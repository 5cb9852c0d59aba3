package fair

import (
	"schedrepl/engine/event"
	"schedrepl/engine/kernel"
	"schedrepl/engine/sched"
)

// group is what the class keeps for a task group: its entities and queues lie
// side by side, one of each a CPU.
type group struct {
	qBase, eBase int32
	shares       int64
	// sum is the sum of what its queues last published.
	sum int64
	// load is the sum of the loads of its queues, for kernels that share by
	// the present loads.
	load int64
}

// window averages the load of one group's queue on one CPU over time, so that
// a group's shares can be split between CPUs (update_cfs_load, 2.6.38 to 3.7).
type window struct {
	stamp, last event.Time
	period      event.Time
	unacc       event.Time // run time since the last update
	avg         int64      // load times time
	contrib     int64      // what was published
}

func (c *Class) growGroups(g sched.GroupID) {
	for int(g) >= len(c.groups) {
		c.groups = append(c.groups, group{qBase: none, eBase: none})
	}
}

// GroupNew gives group g a queue and an entity on each CPU, below parent.
func (c *Class) GroupNew(g, parent sched.GroupID, shares int64) {
	c.growGroups(g)
	gr := &c.groups[g]
	fresh := gr.qBase == none
	if fresh {
		gr.qBase, gr.eBase = int32(len(c.q)), int32(len(c.ent))
		for range c.n {
			c.q = append(c.q, queue{})
			c.ent = append(c.ent, entity{})
		}
		c.arena.Grow(len(c.ent))
	}
	gr.shares, gr.sum, gr.load = shares, 0, 0
	w := int64(0)
	if c.sw.EmptyGroupWeight {
		w = shares
	}
	pr := &c.groups[parent]
	for cpu := range c.n {
		i := gr.eBase + int32(cpu)
		qi := gr.qBase + int32(cpu)
		c.q[qi] = newQueue(g, cpu, i)
		e := entity{weight: int32(w), inv: c.inverse(w), parent: none, q: pr.qBase + int32(cpu), my: qi, task: sched.NoTask}
		if pr.eBase != none {
			e.parent = pr.eBase + int32(cpu)
		}
		c.ent[i] = e
	}
}

// GroupDead keeps the queues and entities of g for the next group of that
// number.
func (c *Class) GroupDead(sched.GroupID) {}

// GroupShares sets the shares of g and works out the weights of its entities,
// and of those above, anew on every CPU; no vruntime is touched.
func (c *Class) GroupShares(g sched.GroupID, shares int64) {
	gr := &c.groups[g]
	gr.shares = shares
	c.stale = c.sw.StaleShares
	defer func() { c.stale = false }()
	for cpu := range c.n {
		for i := gr.eBase + int32(cpu); i != none; i = c.ent[i].parent {
			if c.sw.EmptyGroupWeight && c.q[c.ent[i].my].load == 0 {
				c.setWeight(i, c.groups[c.q[c.ent[i].my].group].shares)
				continue
			}
			c.updateGroupWeight(&c.q[c.ent[i].my])
		}
	}
}

// updateGroupWeight works out the weight of the entity that owns queue q:
// the group's shares, in proportion to the load of this CPU's queue in all of
// the group's load (update_cfs_shares). An empty queue's entity weighs 2. The
// level above is accounted even if nothing changes.
func (c *Class) updateGroupWeight(q *queue) {
	if q.owner != none {
		c.updateOwner(q)
	}
}

// updateOwner is updateGroupWeight of a group's queue.
func (c *Class) updateOwner(q *queue) {
	gr := &c.groups[q.group]
	if c.sw.EmptyGroupWeight {
		c.shareByLoad(q, gr)
		return
	}
	total := gr.sum - q.win.contrib + q.load
	w := gr.shares * q.load
	if total > 0 {
		w /= total
	}
	c.setWeight(q.owner, min(max(w, kernel.MinShares), gr.shares))
}

// shareByLoad splits the shares of a group by the present loads of its queues
// and leaves the entity of an empty one as it is. Unlike Linux 2.6.36, where
// the balancer refreshes the weights now and then (update_shares), they are
// kept fresh at each change; as there, a difference of up to 4 is ignored
// (sched_shares_thresh).
func (c *Class) shareByLoad(q *queue, gr *group) {
	gr.load += q.load - q.win.contrib
	q.win.contrib = q.load
	if q.load == 0 {
		return
	}
	w := min(max(gr.shares*q.load/gr.load, kernel.MinShares), kernel.MaxShares)
	if d := w - c.ent[q.owner].w(); d < -4 || d > 4 {
		c.setWeight(q.owner, w)
	}
}

// setWeight gives entity i a weight; while it is queued its queue's load
// follows, and if it runs it is accounted with the old weight first
// (reweight_entity).
func (c *Class) setWeight(i int32, w int64) {
	e := &c.ent[i]
	if e.on {
		q := &c.q[e.q]
		c.changed(q)
		if q.curr == i {
			c.account(q)
		}
		q.load += w - e.w()
	}
	if w != e.w() {
		e.setW(w, c.inverse(w))
	}
}

// tickShares refreshes the shares of the group that owns queue q once it has
// run for a window since the last time (update_entity_shares_tick).
func (c *Class) tickShares(q *queue) {
	if c.n == 1 || q.owner == none || q.win.unacc <= c.sharesWindow {
		return
	}
	c.windowUpdate(q, false)
	c.updateGroupWeight(q)
}

// windowUpdate adds the time since the last update to the average of queue q
// and publishes it to the group once a window is full, or when forced. With
// one CPU the split is trivial and nothing is kept.
func (c *Class) windowUpdate(q *queue, forced bool) {
	if q.owner != none && c.n > 1 {
		c.average(q, forced)
	}
}

// average is windowUpdate of a group's queue.
func (c *Class) average(q *queue, forced bool) {
	w := &q.win
	if c.sw.EmptyGroupWeight {
		w.unacc = 0
		return
	}
	now := c.core.Now
	d := now - w.stamp
	if w.stamp > w.last && now-w.last > 4*c.sharesWindow {
		w.period, w.avg = 0, 0
		d = c.sharesWindow - 1
	}
	w.stamp, w.unacc = now, 0
	w.period += d
	if q.load > 0 {
		w.last = now
		w.avg += int64(d) * q.load
	}
	if forced || w.period > c.sharesWindow || w.period == 0 {
		x := w.avg/int64(w.period+1) - w.contrib
		if a := max(x, -x); forced || a > w.contrib/8 {
			c.groups[q.group].sum += x
			w.contrib += x
		}
	}
	for w.period > c.sharesWindow {
		w.period /= 2
		w.avg /= 2
	}
}
