package fair

import (
	"schedrepl/engine/kernel"
	"schedrepl/engine/sched"
	"schedrepl/engine/trace"
)

// setNext marks entity i as next buddy on every level; tasks of policy IDLE
// are never marked.
func (c *Class) setNext(i int32) {
	if c.isIdleTask(i) {
		return
	}
	for ; i != none; i = c.ent[i].parent {
		c.q[c.ent[i].q].next = i
	}
}

// setLast marks entity i as last buddy on every level.
func (c *Class) setLast(i int32) {
	if c.isIdleTask(i) {
		return
	}
	for ; i != none; i = c.ent[i].parent {
		c.q[c.ent[i].q].last = i
	}
}

// setSkip marks entity i to be passed over on every level.
func (c *Class) setSkip(i int32) {
	for ; i != none; i = c.ent[i].parent {
		c.q[c.ent[i].q].skip = i
	}
}

func (c *Class) isIdleTask(i int32) bool {
	t := c.ent[i].task
	return c.ent[i].my == none && c.core.Tasks[t].Policy == sched.Idle
}

// clearMarks takes the marks of entity i of queue q away, and those of its groups as far
// up as they are theirs (clear_buddies).
func (c *Class) clearMarks(q *queue, i int32) {
	if q.last == i || q.next == i || q.skip == i {
		c.clearEach(i)
	}
}

// clearEach is clearMarks of an entity that has one.
func (c *Class) clearEach(i int32) {
	for j := i; j != none && c.q[c.ent[j].q].last == j; j = c.ent[j].parent {
		c.q[c.ent[j].q].last = none
	}
	for j := i; j != none && c.q[c.ent[j].q].next == j; j = c.ent[j].parent {
		c.q[c.ent[j].q].next = none
	}
	for j := i; j != none && c.q[c.ent[j].q].skip == j; j = c.ent[j].parent {
		c.q[c.ent[j].q].skip = none
	}
}

// behind compares entity b with entity a: -1 if b is not behind, 1 if it is by
// more than the wakeup granularity (in b's virtual time), 0 between
// (wakeup_preempt_entity). d and gran are the numbers compared.
func (c *Class) behind(a, b int32) (r int, d, gran int64) {
	eb := &c.ent[b]
	d = c.ent[a].v - eb.v
	gran = c.vtime(c.wakeGran, eb)
	switch {
	case d <= 0:
		return -1, d, gran
	case d > gran:
		return 1, d, gran
	}
	return 0, d, gran
}

// near reports whether entity b may run in place of the leftmost.
func (c *Class) near(b, left int32) bool {
	r, _, _ := c.behind(b, left)
	return r < 1
}

// pickEntity chooses the entity of queue q to run next (pick_next_entity).
func (c *Class) pickEntity(q *queue) (int32, trace.Pick) {
	left := c.arena.First(&q.tree)
	i, how := left, trace.PickLeftmost
	if c.sw.Pick == kernel.PickNextThenLast {
		if q.next != none && c.near(q.next, left) {
			i, how = q.next, trace.PickNext
		}
		if q.last != none && c.near(q.last, left) {
			i, how = q.last, trace.PickLast
		}
		return i, how
	}
	if q.skip == left {
		if second := c.arena.Next(left); second != none && c.near(second, left) {
			i, how = second, trace.PickSecond
		}
	}
	if q.last != none && c.near(q.last, left) {
		i, how = q.last, trace.PickLast
	}
	if q.next != none && c.near(q.next, left) {
		i, how = q.next, trace.PickNext
	}
	return i, how
}

// PickTask descends from the root queue to a task and makes the entities on
// the way current. The rule told is that of the last level where there was a
// choice other than the leftmost.
func (c *Class) PickTask(cpu int) (sched.TaskID, int64, trace.Pick) {
	q := &c.q[cpu]
	if q.nr == 0 {
		return sched.NoTask, 0, trace.PickIdle
	}
	rule := trace.PickLeftmost
	for {
		i, how := c.pickEntity(q)
		if how != trace.PickLeftmost {
			rule = how
		}
		c.clearMarks(q, i)
		c.arena.Remove(&q.tree, i)
		c.setCurr(q, i)
		e := &c.ent[i]
		if e.my == none {
			return e.task, e.v, rule
		}
		q = &c.q[e.my]
	}
}

// setCurr makes entity i, not in the tree, the running one of q.
func (c *Class) setCurr(q *queue, i int32) {
	q.curr = i
	e := &c.ent[i]
	e.execStart = c.core.Now
	e.prevSum = e.sum
}

// SetNext makes t and its groups current again after a change
// (set_curr_task_fair).
func (c *Class) SetNext(_ int, t sched.TaskID) {
	for i := c.entOf[t]; i != none; i = c.ent[i].parent {
		q := &c.q[c.ent[i].q]
		if c.ent[i].on {
			c.arena.Remove(&q.tree, i)
		}
		c.setCurr(q, i)
	}
}

// PutPrev puts t and its groups back into their trees, from the bottom up;
// what is not queued any more just stops being current.
func (c *Class) PutPrev(_ int, t sched.TaskID) int64 {
	i := c.entOf[t]
	e := &c.ent[i]
	q := &c.q[e.q]
	c.putBack(q, i, e)
	v := e.v
	for e.parent != none {
		i = e.parent
		e = &c.ent[i]
		c.putBack(&c.q[e.q], i, e)
	}
	return v
}

// putBack is PutPrev on one level.
func (c *Class) putBack(q *queue, i int32, e *entity) {
	if e.on {
		c.account(q)
		c.arena.Insert(&q.tree, i, e.v, e.v)
	}
	q.curr = none
}
