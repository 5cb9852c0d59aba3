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
const MaxCPUs = 1 << cpuBits

const (
	phaseBits = 3
	phaseMask = 1<<phaseBits - 1
)

// A node is one pending event. Nodes lie inline in the heap and hold the first
// three parts of the order in one number, so that a comparison is one of two
// numbers and seldom leaves the cache lines that the sift walks over.
type node struct {
	// key is the time since the queue's base, the CPU and the phase, from the
	// highest bits to the lowest; far for a time that does not fit.
	key uint64
	id  int32
}

const (
	keyShift = phaseBits + cpuBits
	cpuBits  = 12
	// span is how far from the base the times of keys can be, in ns: 78 hours.
	span = 1 << (63 - keyShift)
	// far is the key of all times beyond. It is above all others; the order
	// among them is read off the full times.
	far = 1 << 63
	// blank is the key of what is no node: it is above all keys.
	blank = 1<<64 - 1
)

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
	// heap is 4-ary: the children of i are 4i+1 to 4i+4. Behind its n nodes lie
	// blanks, so that every node has four children.
	heap []node
	n    int
	pos  []int32 // By id: index in heap plus one, 0 if not pending.
	// By id: when it was armed. Read only where keys tie.
	armed   []arming
	far     []farEvent // By id: those whose key is far; nil before the first.
	nextSeq uint64
	base    Time // What the times of keys count from.
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

// farEvent is the order of an event of which its key tells nothing.
type farEvent struct {
	at    Time
	place uint32 // CPU in the upper bits, phase in the lowest three.
}

// newHeap returns a heap with room for size nodes and the blanks behind them. It
// begins at the fourth node of its memory, so that four children lie in one cache
// line.
func newHeap(size int) []node { return make([]node, size+7)[3:] }

// Grow makes the ids 0 to n-1 valid. It never forgets one, and growing step by
// step costs amortised constant time for each id.
func (q *Queue) Grow(n int) {
	if n <= len(q.pos) {
		return
	}
	if n > cap(q.pos) {
		// The slices get room together: the heap can hold every id.
		size := max(n, 2*cap(q.pos), 16)
		heap := newHeap(size)
		for i := copy(heap, q.heap); i < len(heap); i++ {
			heap[i].key = blank
		}
		q.heap = heap
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
	pending := q.pos[id] != 0
	if pending {
		q.fill() // While the order of id is what it was.
	}
	place := uint32(cpu)<<phaseBits | uint32(phase)
	q.armed[id] = arming{at: armedAt, seq: seq}
	since := uint64(at - q.base)
	if since >= span {
		since = q.sinceBase(id, at)
	}
	nd := node{key: since<<keyShift | uint64(place), id: int32(id)}
	if since == span {
		nd.key = far
		q.setFar(id, at, place)
	}
	switch {
	case pending:
		q.place(int(q.pos[id])-1, nd)
	case q.hole:
		q.hole = false
		q.down(0, nd)
	default:
		q.n++
		q.up(q.n-1, nd)
	}
}

// sinceBase returns the distance of the time for which id is armed from the base,
// span if it is too large for a key. The base moves on if it has fallen behind all
// events, and back if this one lies before it; what is pending keeps its order.
func (q *Queue) sinceBase(id ID, at Time) uint64 {
	q.fill()
	first := at
	for i := 0; i < min(5, q.n); i++ {
		// The root is before all others, but may be what is armed anew.
		if ID(q.heap[i].id) != id {
			when, _ := q.read(&q.heap[i])
			first = min(first, when)
			if i == 0 {
				break
			}
		}
	}
	if d := uint64(first - q.base); d > span/2 {
		for i := range q.n {
			nd := &q.heap[i]
			when, place := q.read(nd)
			if d := uint64(when - first); d < span {
				nd.key = d<<keyShift | uint64(place)
				continue
			}
			nd.key = far
			q.setFar(ID(nd.id), when, place)
		}
		q.base = first
	}
	return min(uint64(at-q.base), span)
}

// setFar keeps the order of an event that its key does not tell.
func (q *Queue) setFar(id ID, at Time, place uint32) {
	if len(q.far) < len(q.pos) {
		q.far = append(q.far, make([]farEvent, cap(q.pos)-len(q.far))...)
	}
	q.far[id] = farEvent{at, place}
}

// fill puts the last event into the place of one that was popped.
func (q *Queue) fill() {
	if !q.hole {
		return
	}
	q.hole = false
	if nd := q.takeLast(); q.n > 0 {
		q.down(0, nd)
	}
}

// takeLast takes the last node out of the heap.
func (q *Queue) takeLast() node {
	q.n--
	nd := q.heap[q.n]
	q.heap[q.n].key = blank
	return nd
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
	if nd := q.takeLast(); i < q.n {
		q.place(i, nd)
	}
}

// Armed returns the instant for which id is pending, and false if it is not.
func (q *Queue) Armed(id ID) (Time, bool) {
	i := q.pos[id]
	if i == 0 {
		return 0, false
	}
	at, _ := q.read(&q.heap[i-1])
	return at, true
}

// read returns the instant and the place of a node.
func (q *Queue) read(nd *node) (at Time, place uint32) {
	if nd.key == far {
		f := &q.far[nd.id]
		return f.at, f.place
	}
	return q.base + Time(nd.key>>keyShift), uint32(nd.key) & (1<<keyShift - 1)
}

// Peek returns the first event of the order and leaves it pending; ok is false
// if the queue is empty.
func (q *Queue) Peek() (id ID, at Time, cpu int, phase Phase, ok bool) {
	first := 0
	if q.hole {
		// The first is then the first of the root's children.
		if q.n > 1 {
			first, _ = q.least(1)
		} else {
			first = 1
		}
	}
	if first >= q.n {
		return 0, 0, 0, 0, false
	}
	nd := &q.heap[first]
	at, place := q.read(nd)
	return ID(nd.id), at, int(place >> phaseBits), Phase(place & phaseMask), true
}

// Next returns the first event of the order if it is one of the given instant
// and CPU, and leaves it pending. It is Peek for whoever wants to know only
// whether there is more to do now.
func (q *Queue) Next(at Time, cpu int) (id ID, ok bool) {
	since := uint64(at - q.base)
	if since >= span {
		first, when, c, _, ok := q.Peek()
		return first, ok && when == at && c == cpu
	}
	want := since<<cpuBits | uint64(cpu)
	if q.n == 0 {
		return 0, false
	}
	if !q.hole {
		return ID(q.heap[0].id), q.heap[0].key>>phaseBits == want
	}
	// It would be a child of the root that has been popped.
	kids := (*[4]node)(q.heap[1:])
	if kids[0].key>>phaseBits == want || kids[1].key>>phaseBits == want ||
		kids[2].key>>phaseBits == want || kids[3].key>>phaseBits == want {
		first, when, c, _, _ := q.Peek()
		return first, when == at && c == cpu
	}
	return 0, false
}

// Pop takes the first event of the order out of the queue and returns its id.
// It panics if the queue is empty.
func (q *Queue) Pop() ID {
	q.fill()
	if q.n == 0 {
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
		return q.n - 1
	}
	return q.n
}

// Clone returns a deep copy: the two queues hand out the same events from here
// on and share nothing.
func (q *Queue) Clone() *Queue {
	q.fill()
	c := &Queue{
		heap:    newHeap(len(q.heap) - 4),
		n:       q.n,
		pos:     make([]int32, len(q.pos)),
		armed:   make([]arming, len(q.armed)),
		nextSeq: q.nextSeq,
		base:    q.base,
	}
	copy(c.heap, q.heap)
	c.far = append(c.far, q.far...)
	copy(c.pos, q.pos)
	copy(c.armed, q.armed)
	return c
}

// less is the order of the contract.
func (q *Queue) less(a, b *node) bool {
	return a.key < b.key || a.key == b.key && q.tie(a.key, a.id, b.id)
}

// tie is the order of two events with the same key.
func (q *Queue) tie(key uint64, a, b int32) bool {
	if key == far {
		if x, y := q.far[a], q.far[b]; x != y {
			return x.at < y.at || x.at == y.at && x.place < y.place
		}
	}
	x, y := &q.armed[a], &q.armed[b]
	switch {
	case x.at != y.at:
		return x.at < y.at
	case x.seq != y.seq:
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

// least returns which of the four nodes from c on, of which the first is no
// blank, comes first, and its key.
func (q *Queue) least(c int) (m int, key uint64) {
	four := (*[4]node)(q.heap[c:])
	key = four[0].key
	if k := four[1].key; k <= key && (k < key || q.tie(k, four[1].id, four[0].id)) {
		m, key = 1, k
	}
	if k := four[2].key; k <= key && (k < key || q.tie(k, four[2].id, four[m&3].id)) {
		m, key = 2, k
	}
	if k := four[3].key; k <= key && (k < key || q.tie(k, four[3].id, four[m&3].id)) {
		m, key = 3, k
	}
	return c + m, key
}

// down moves the hole at i towards the leaves until nd fits into it.
func (q *Queue) down(i int, nd node) {
	h, pos := q.heap, q.pos
	for {
		c := i<<2 + 1
		if c >= q.n {
			break
		}
		m, key := q.least(c)
		if nd.key <= key && (nd.key < key || q.tie(key, nd.id, h[m].id)) {
			break
		}
		h[i] = h[m]
		pos[h[i].id] = int32(i + 1)
		i = m
	}
	h[i] = nd
	pos[nd.id] = int32(i + 1)
}
