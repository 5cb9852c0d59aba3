package fair

import (
	"schedrepl/engine/sched"
	"schedrepl/engine/trace"
)

// WakeupPreempt tests whether t, just enqueued, preempts the current task
// (check_preempt_wakeup): the two are compared at the level where their groups
// meet.
func (c *Class) WakeupPreempt(cpu int, t sched.TaskID, fork bool) sched.Verdict {
	curr := c.core.Curr(cpu)
	cs, ps := c.entOf[curr], c.entOf[t]
	crowded := int64(c.q[c.ent[cs].q].nr) >= c.nrLatency
	if curr == t {
		return sched.Verdict{Reason: trace.Self}
	}
	if c.nextBuddy && crowded && !fork {
		c.setNext(ps)
	}
	if c.core.CPUs[cpu].NeedResched {
		return sched.Verdict{Reason: trace.AlreadyAsked}
	}
	cp, pp := c.core.Tasks[curr].Policy, c.core.Tasks[t].Policy
	if c.sw.PolicyBeforeIdle && pp != sched.Normal {
		return sched.Verdict{Reason: trace.BatchWakee}
	}
	if cp == sched.Idle && pp != sched.Idle {
		c.markLast(cs, crowded)
		return sched.Verdict{Preempt: true, Reason: trace.IdlePolicy}
	}
	if pp != sched.Normal {
		return sched.Verdict{Reason: trace.BatchWakee}
	}
	if !c.preempt {
		return sched.Verdict{Reason: trace.FeatureOff}
	}
	if c.sw.UpdateOwnLevel {
		c.account(&c.q[c.ent[cs].q])
	}
	cs, ps = c.match(cs, ps)
	if !c.sw.UpdateOwnLevel {
		c.account(&c.q[c.ent[cs].q])
	}
	r, d, gran := c.behind(cs, ps)
	if r != 1 {
		why := trace.NotBehind
		if r == 0 {
			why = trace.WithinGran
		}
		return sched.Verdict{Reason: why, A: d, B: gran}
	}
	if c.sw.NextOnPreempt {
		c.setNext(ps)
	}
	c.markLast(cs, crowded)
	why := trace.WakeupPreempt
	if fork {
		why = trace.ForkPreempt
	}
	return sched.Verdict{Preempt: true, Reason: why, A: d, B: gran}
}

// markLast marks the preempted entity as last buddy, if its queue was crowded
// and it is a queued task.
func (c *Class) markLast(i int32, crowded bool) {
	e := &c.ent[i]
	if crowded && c.lastBuddy && e.on && e.my == none {
		c.setLast(i)
	}
}

// match raises two entities of one CPU until they share a queue
// (find_matching_se).
func (c *Class) match(a, b int32) (int32, int32) {
	if c.ent[a].q == c.ent[b].q {
		return a, b
	}
	da, db := c.depth(a), c.depth(b)
	for ; da > db; da-- {
		a = c.ent[a].parent
	}
	for ; db > da; db-- {
		b = c.ent[b].parent
	}
	for c.ent[a].q != c.ent[b].q {
		a, b = c.ent[a].parent, c.ent[b].parent
	}
	return a, b
}

func (c *Class) depth(i int32) int {
	n := 0
	for p := c.ent[i].parent; p != none; p = c.ent[p].parent {
		n++
	}
	return n
}

// childPreempts asks for a reschedule after parent and child were swapped.
func (c *Class) childPreempts(cpu int, parent, child int64) {
	c.core.Resched(cpu, trace.ChildRunsFirst, parent, child)
}
