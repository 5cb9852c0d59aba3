package workload

import "fmt"

// sem is a counting semaphore. Its waiters form a list through context.next; when
// there are any the count is 0.
type sem struct {
	count       int64
	first, last int32 // Slots, NoTask when nobody waits.
	waiters     int32
}

// NewSem makes a semaphore with the given count, which must not be negative.
func (it *Interp) NewSem(count int64) (ObjID, error) {
	if count < 0 {
		return 0, fmt.Errorf("semaphore: count is %d; it must be 0 or more", count)
	}
	it.sems = append(it.sems, sem{count: count, first: NoTask, last: NoTask})
	return ObjID(len(it.sems) - 1), nil
}

// Objs returns the number of objects; their ids count from 0.
func (it *Interp) Objs() int { return len(it.sems) }

// SemCount returns the semaphore's count.
func (it *Interp) SemCount(o ObjID) int64 { return it.sems[o].count }

// SemWaiters returns the number of tasks that wait for the semaphore.
func (it *Interp) SemWaiters(o ObjID) int { return int(it.sems[o].waiters) }

// Post hands one to the first waiter of the semaphore and returns its slot, for the
// machine to wake; the waiter's Next then goes on after its SemWait. With no waiter
// it adds one to the count and returns NoTask. SemPost steps do the same; this is for
// posts that come from elsewhere.
func (it *Interp) Post(o ObjID) int32 {
	s := &it.sems[o]
	slot := s.first
	if slot == NoTask {
		s.count++
		return NoTask
	}
	s.remove(it.tasks, slot)
	return slot
}

// push appends the task to the waiters.
func (s *sem) push(tasks []context, slot int32) {
	if s.last == NoTask {
		s.first = slot
	} else {
		tasks[s.last].next = slot
	}
	s.last = slot
	s.waiters++
}

// remove takes the task out of the waiters: at once if it is the first, else by a
// walk, which only a task that is stopped while it waits has to pay.
func (s *sem) remove(tasks []context, slot int32) {
	c := &tasks[slot]
	before := NoTask
	for at := s.first; at != slot; at = tasks[at].next {
		before = at
	}
	if before == NoTask {
		s.first = c.next
	} else {
		tasks[before].next = c.next
	}
	if s.last == slot {
		s.last = before
	}
	c.next, c.sem = NoTask, 0
	s.waiters--
}
