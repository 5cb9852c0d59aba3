package fair

import (
	"schedrepl/engine/kernel"
	"schedrepl/engine/sched"
)

// kind says how one entity is put on a queue.
type kind uint8

const (
	plain     kind = iota // relative vruntime, no placement
	wake                  // a task that wakes: relative vruntime, then placed
	groupWake             // a group entity: absolute vruntime, placed as a sleeper
)

// vslice returns the virtual time of a slice of entity i.
func (c *Class) vslice(i int32) int64 { return c.vtime(c.slice(i), &c.ent[i]) }

// place sets the vruntime of entity i in its queue: a new-born starts a slice
// behind the minimum, a sleeper is credited with half the latency, and nobody
// gains by it (place_entity).
func (c *Class) place(i int32, initial bool) {
	e := &c.ent[i]
	v := c.q[e.q].min
	if initial {
		if c.debit {
			v += c.vslice(i)
		}
	} else {
		credit := c.latency
		if c.gentle {
			credit >>= 1
		}
		v -= credit
	}
	if v-e.v > 0 {
		e.v = v
	}
}

// enqueueEntity puts entity i on its queue (enqueue_entity).
func (c *Class) enqueueEntity(i int32, k kind) {
	e := &c.ent[i]
	q := &c.q[e.q]
	c.changed(q)
	if k != groupWake {
		e.v += q.min
	}
	c.account(q)
	c.windowUpdate(q, false)
	q.load += e.w()
	q.nr++
	c.updateGroupWeight(q)
	if k != plain {
		c.place(i, false)
	}
	if i != q.curr {
		c.arena.Insert(&q.tree, i, e.v, e.v)
	}
	e.on = true
}

// dequeueEntity takes entity i off its queue (dequeue_entity). One that does
// not sleep leaves with a vruntime relative to the queue's minimum.
func (c *Class) dequeueEntity(i int32, sleep bool) {
	e := &c.ent[i]
	q := &c.q[e.q]
	c.changed(q)
	c.account(q)
	c.clearMarks(q, i)
	if i != q.curr {
		c.arena.Remove(&q.tree, i)
	}
	e.on = false
	c.windowUpdate(q, false)
	q.load -= e.w()
	q.nr--
	if c.sw.MinBeforeSubtract {
		c.raiseMin(q)
	}
	if !sleep {
		e.v -= q.min
	}
	if !c.sw.MinBeforeSubtract {
		c.raiseMin(q)
	}
	c.updateGroupWeight(q)
}

// Enqueue puts t on its queue and, level by level, its groups' entities that
// were empty on theirs. A group entity is always placed as a sleeper.
func (c *Class) Enqueue(_ int, t sched.TaskID, ek sched.EnqueueKind) {
	k := plain
	if ek == sched.EnqueueWakeup {
		k = wake
	}
	i := c.entOf[t]
	for ; i != none && !c.ent[i].on; i = c.ent[i].parent {
		c.enqueueEntity(i, k)
		c.q[c.ent[i].q].hnr++
		k = groupWake
	}
	c.refreshAbove(i, 1)
}

// Dequeue takes t off its queue, and the entities of groups that it leaves
// empty off theirs, as sleepers.
func (c *Class) Dequeue(_ int, t sched.TaskID, sleep bool) {
	taskSleeps := sleep
	i := c.entOf[t]
	for i != none {
		c.dequeueEntity(i, sleep)
		q := &c.q[c.ent[i].q]
		q.hnr--
		i = c.ent[i].parent
		if q.load > 0 {
			if taskSleeps && c.sw.NextOnSleep && i != none {
				c.setNext(i)
			}
			break
		}
		sleep = true
	}
	c.refreshAbove(i, -1)
}

// refreshAbove counts a task on the levels from entity i up, whose entities
// stay as they are, and refreshes the weights there.
func (c *Class) refreshAbove(i, by int32) {
	for ; i != none; i = c.ent[i].parent {
		q := &c.q[c.ent[i].q]
		q.hnr += by
		c.windowUpdate(q, false)
		c.updateGroupWeight(q)
	}
}

// Waking makes the vruntime of a sleeper relative to the queue where it slept;
// enqueueing adds the minimum of the queue where it wakes (task_waking_fair).
func (c *Class) Waking(t sched.TaskID) int64 {
	e := &c.ent[c.entOf[t]]
	v := e.v
	e.v -= c.q[e.q].min
	return v
}

// TaskFork places a new-born against the queue of its group on the CPU that
// forks, and leaves it relative to it (task_fork_fair). The child's vruntime
// starts at that of the running entity there, or at 0.
func (c *Class) TaskFork(cpu int, t sched.TaskID) {
	i := c.entOf[t]
	e := &c.ent[i]
	q := &c.q[e.q]
	c.account(q)
	if q.curr != none {
		e.v = c.ent[q.curr].v
	}
	c.place(i, true)
	if c.childFirst && q.curr != none {
		if cur := &c.ent[q.curr]; cur.v-e.v < 0 {
			cur.v, e.v = e.v, cur.v
			c.childPreempts(cpu, cur.v, e.v)
		}
	}
	e.v -= q.min
}

// MoveGroup attaches t to the queue of group g on its CPU. What happens to the
// vruntime of one that was not queued differs by version (task_move_group_fair
// and its forerunners); one that was queued is relative already.
func (c *Class) MoveGroup(t sched.TaskID, g sched.GroupID, queued bool) {
	tk := &c.core.Tasks[t]
	i := c.entOf[t]
	e := &c.ent[i]
	relative := queued ||
		c.sw.Move == kernel.MoveRebaseRan && (e.sum == 0 || tk.Waking)
	if !relative && c.sw.Move != kernel.MovePlace {
		e.v -= c.q[e.q].min
	}
	c.SetTaskCPU(t, int(tk.CPU), g)
	switch {
	case relative:
	case c.sw.Move == kernel.MovePlace:
		c.account(&c.q[e.q])
		c.place(i, true)
	default:
		e.v += c.q[e.q].min
	}
}
