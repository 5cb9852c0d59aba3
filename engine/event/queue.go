package event

import "fmt"

// ID names one thing that can be pending. Ids are dense: an owner hands out
// 0, 1, 2, ... and tells the queue how many there are with Queue.Grow.
type ID int32

// Phase is the place of an event within one instant on one CPU. It follows the
// order in which a kernel does the work of one interrupt: expired timers first,
// then the softirq that they raised, then what is done to the machine from
// outside, and at last the task that is running.
type Phase uint8

const (
	Timer   Phase = iota // Timers: ticks, sleeps, slice ends, bandwidth and real-time periods.
	SoftIRQ              // Work deferred out of a timer: load balancing.
	Control              // Changes from outside: writes to control files, hotplug, affinity.
	Program              // The next step of the task that runs on the CPU.
)

// String names the phase in lower case.
func (p Phase) String() string {
	switch p {
	case Timer:
		return "timer"
	case SoftIRQ:
		return "softirq"
	case Control:
		return "control"
	case Program:
		return "program"
	}
	return fmt.Sprintf("phase(%d)", uint8(p))
}

// MaxCPUs is one more than the highest CPU number that an event can carry.
const MaxCPUs = 4096

const (
	phaseBits = 3
	phaseMask = 1<<phaseBits - 1
)

// node is one pending event. Nodes lie inline in the heap and hold the first
// three parts of the order, so that a comparison seldom leaves the cache lines
// that the sift walks over.
type node struct {
	at  int64
	key uint32 // CPU in the upper bits, phase in the lowest three.
	id  int32
}

// Queue holds at most one pending event for each id and hands them out in one
// total order:
//
//  1. by time;
//  2. by CPU, ascending;
//  3. by phase: Timer, SoftIRQ, Control, Program;
//  4. by the moment of arming: the armedAt given to Arm, then the order of the
//     calls to Arm;
//  5. by id, which decides only between events that ArmAs gave one number.
//
// The order is part of the reproducibility contract: a change to any of the
// five moves events within an instant and so changes the bytes of every trace.
// It depends only on the calls made, never on the shape of the heap.
//
// Arm, Disarm and Pop cost O(log n) and allocate nothing once the queue has
// reached its size. The zero value is an empty queue without ids. A Queue is not
// safe for concurrent use.
type Queue struct {
	heap []node  // 4-ary: the children of i are 4i+1 to 4i+4.
	pos  []int32 // By id: index in heap plus one, 0 if not pending.
	// By id: when it was armed. Read only when time, CPU and phase tie.
	armed   []arming
	nextSeq uint64
	// hole says that heap[0] has been popped and is not yet filled: the next
	// event armed goes there and sinks once, instead of the last one sinking
	// from the root and the new one rising from the end.
	hole bool
}

// arming is the moment of a call to Arm and its place among all calls.
type arming struct {
	at  Time
	seq uint64
}

// Grow makes the ids 0 to n-1 valid. It never forgets one, and growing step by
// step costs amortised constant time for each id.
func (q *Queue) Grow(n int) {
	if n <= len(q.pos) {
		return
	}
	if n > cap(q.pos) {
		// The slices get room together: the heap can hold every id.
		size := max(n, 2*cap(q.pos), 16)
		q.heap = append(make([]node, 0, size), q.heap...)
		q.pos = append(make([]int32, 0, size), q.pos...)
		q.armed = append(make([]arming, 0, size), q.armed...)
	}
	q.pos = q.pos[:n]
	q.armed = q.armed[:n]
}

// Arm makes id pending for the instant at, on the given CPU and in the given
// phase; armedAt is the moment of arming, as a rule the present. If id is
// pending already the new event replaces it and counts as armed anew. It panics
// if cpu or phase cannot be held, or if id was not made valid by Grow.
func (q *Queue) Arm(id ID, cpu int, phase Phase, at, armedAt Time) {
	q.ArmAs(id, cpu, phase, at, armedAt, q.TakeSeq())
}

// TakeSeq returns the number that an Arm at this moment would get, and uses it
// up. With ArmAs it keeps the place in the order of an event that is due to be
// armed now but need not be, because it may turn out not to matter.
func (q *Queue) TakeSeq() uint64 {
	q.nextSeq++
	return q.nextSeq - 1
}

// ArmAs is Arm with a number taken earlier by TakeSeq: the event counts as
// armed at that moment.
func (q *Queue) ArmAs(id ID, cpu int, phase Phase, at, armedAt Time, seq uint64) {
	if uint(cpu) >= MaxCPUs || phase > phaseMask {
		panic(badKey(id, cpu, phase))
	}
	q.armed[id] = arming{at: armedAt, seq: seq}
	nd := node{at: int64(at), key: uint32(cpu)<<phaseBits | uint32(phase), id: int32(id)}
	if q.pos[id] == 0 {
		if q.hole {
			q.hole = false
			q.down(0, nd)
			return
		}
		q.heap = append(q.heap, nd)
		q.up(len(q.heap)-1, nd)
		return
	}
	q.fill()
	q.place(int(q.pos[id])-1, nd)
}

// fill puts the last event into the place of one that was popped.
func (q *Queue) fill() {
	if !q.hole {
		return
	}
	q.hole = false
	last := len(q.heap) - 1
	nd := q.heap[last]
	q.heap = q.heap[:last]
	if last > 0 {
		q.down(0, nd)
	}
}

// badKey is apart so that Arm stays small.
func badKey(id ID, cpu int, phase Phase) string {
	return fmt.Sprintf("sched: event %d armed on CPU %d in %v: CPUs are 0 to %d, phases timer to program", id, cpu, phase, MaxCPUs-1)
}

// Disarm takes id out of the queue. It does nothing if id is not pending.
func (q *Queue) Disarm(id ID) {
	if q.pos[id] == 0 {
		return
	}
	q.fill()
	i := int(q.pos[id]) - 1
	q.pos[id] = 0
	last := len(q.heap) - 1
	nd := q.heap[last]
	q.heap = q.heap[:last]
	if i < last {
		q.place(i, nd)
	}
}

// Armed returns the instant for which id is pending, and false if it is not.
func (q *Queue) Armed(id ID) (Time, bool) {
	i := int(q.pos[id]) - 1
	if i < 0 {
		return 0, false
	}
	return Time(q.heap[i].at), true
}

// Peek returns the first event of the order and leaves it pending; ok is false
// if the queue is empty.
func (q *Queue) Peek() (id ID, at Time, cpu int, phase Phase, ok bool) {
	first := 0
	if q.hole {
		// The first is then the first of the root's children.
		first = 1
		for k := 2; k < min(5, len(q.heap)); k++ {
			if q.less(&q.heap[k], &q.heap[first]) {
				first = k
			}
		}
	}
	if first >= len(q.heap) {
		return 0, 0, 0, 0, false
	}
	nd := &q.heap[first]
	return ID(nd.id), Time(nd.at), int(nd.key >> phaseBits), Phase(nd.key & phaseMask), true
}

// Pop takes the first event of the order out of the queue and returns its id.
// It panics if the queue is empty.
func (q *Queue) Pop() ID {
	q.fill()
	if len(q.heap) == 0 {
		panic("sched: pop from an empty event queue")
	}
	id := q.heap[0].id
	q.pos[id] = 0
	q.hole = true
	return ID(id)
}

// Len returns the number of pending events.
func (q *Queue) Len() int {
	if q.hole {
		return len(q.heap) - 1
	}
	return len(q.heap)
}

// Clone returns a deep copy: the two queues hand out the same events from here
// on and share nothing.
func (q *Queue) Clone() *Queue {
	q.fill()
	c := &Queue{
		heap:    make([]node, len(q.heap), len(q.pos)),
		pos:     make([]int32, len(q.pos)),
		armed:   make([]arming, len(q.armed)),
		nextSeq: q.nextSeq,
	}
	copy(c.heap, q.heap)
	copy(c.pos, q.pos)
	copy(c.armed, q.armed)
	return c
}

// less is the order of the contract.
func (q *Queue) less(a, b *node) bool {
	if a.at != b.at {
		return a.at < b.at
	}
	if a.key != b.key {
		return a.key < b.key
	}
	return q.armedBefore(a.id, b.id)
}

// armedBefore decides between events of one instant, CPU and phase.
func (q *Queue) armedBefore(a, b int32) bool {
	x, y := q.armed[a], q.armed[b]
	if x.at != y.at {
		return x.at < y.at
	}
	if x.seq != y.seq {
		return x.seq < y.seq
	}
	return a < b
}

// place puts nd at i or wherever from there it belongs.
func (q *Queue) place(i int, nd node) {
	if i > 0 && q.less(&nd, &q.heap[(i-1)>>2]) {
		q.up(i, nd)
	} else {
		q.down(i, nd)
	}
}

// up moves the hole at i towards the root until nd fits into it.
func (q *Queue) up(i int, nd node) {
	h, pos := q.heap, q.pos
	for i > 0 {
		p := (i - 1) >> 2
		if !q.less(&nd, &h[p]) {
			break
		}
		h[i] = h[p]
		pos[h[i].id] = int32(i + 1)
		i = p
	}
	h[i] = nd
	pos[nd.id] = int32(i + 1)
}

// down moves the hole at i towards the leaves until nd fits into it.
func (q *Queue) down(i int, nd node) {
	h, pos := q.heap, q.pos
	for {
		c := i<<2 + 1
		if c >= len(h) {
			break
		}
		m := c
		for k := c + 1; k < min(c+4, len(h)); k++ {
			if q.less(&h[k], &h[m]) {
				m = k
			}
		}
		if !q.less(&h[m], &nd) {
			break
		}
		h[i] = h[m]
		pos[h[i].id] = int32(i + 1)
		i = m
	}
	h[i] = nd
	pos[nd.id] = int32(i + 1)
}
