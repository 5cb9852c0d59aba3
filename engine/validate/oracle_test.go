package validate

// A second model of the fair class of Linux 3.3 on one CPU, for tests only: it
// shares no code with the engine, knows no shortcut (each tick is simulated,
// queues are sorted slices, nothing is cached) and is written rule by rule. The
// tests hold it against the recordings and the engine against it.

import "sort"

// oEntity is a task or a group on its queue.
type oEntity struct {
	name      string
	w, inv    int64
	v         int64
	execStart int64
	sum, prev int64
	on        bool
	parent    *oEntity
	q         *oQueue // where it queues
	my        *oQueue // what it owns; nil for a task
	task      *oTask
}

// oQueue is the queue of a group, or the root's.
type oQueue struct {
	tree             []*oEntity // by vruntime, equals in the order of insertion
	curr             *oEntity
	min, load        int64
	nr               int64
	next, last, skip *oEntity
	owner            *oEntity
	shares           int64
}

type oTask struct {
	e       *oEntity
	nice    int
	policy  string
	group   string
	steps   []step
	loopTo  int // -1: exits at the end
	pc      int
	state   byte // R queued, S asleep, B blocked, X gone
	end     int64
	burst   bool
	posts   int
	started bool
	release int64
}

// oTunables are the numbers and features of the kernel.
type oTunables struct {
	latency, minGran, wakeGran, nrLatency int64
	gentle, debit, nextBuddy, lastBuddy   bool
	childFirst                            bool
}

func oRound(x uint64, n uint) uint64 { return (x + 1<<(n-1)) >> n }

func oScale(d, weight, inv int64) int64 {
	t := uint64(d)
	if weight > 1 {
		t *= uint64(weight)
	}
	if t > 1<<32 {
		return int64(oRound(oRound(t, 16)*uint64(inv), 16))
	}
	return int64(oRound(t*uint64(inv), 32))
}

func oInverse(w int64) int64 {
	if w == 0 {
		return 1 << 32
	}
	return (1 << 32) / w
}

func (e *oEntity) vtime(d int64) int64 {
	if e.w == 1024 {
		return d
	}
	return oScale(d, 1024, e.inv)
}

func (o *oracle) period(n int64) int64 {
	if n <= o.tun.nrLatency {
		return o.tun.latency
	}
	return n * o.tun.minGran
}

func (o *oracle) slice(e *oEntity) int64 {
	n := e.q.nr
	if !e.on {
		n++
	}
	s := o.period(n)
	for ; e != nil; e = e.parent {
		load := e.q.load
		if !e.on {
			load += e.w
		}
		s = oScale(s, e.w, oInverse(load))
	}
	return s
}

func (o *oracle) account(q *oQueue) {
	c := q.curr
	if c == nil || o.clock == c.execStart {
		return
	}
	d := o.clock - c.execStart
	c.sum += d
	c.v += c.vtime(d)
	c.execStart = o.clock
	q.raiseMin()
}

func (q *oQueue) raiseMin() {
	var v int64
	switch {
	case q.curr != nil && len(q.tree) > 0:
		v = min(q.curr.v, q.tree[0].v)
	case q.curr != nil:
		v = q.curr.v
	case len(q.tree) > 0:
		v = q.tree[0].v
	default:
		return
	}
	q.min = max(q.min, v)
}

func (q *oQueue) insert(e *oEntity) {
	i := sort.Search(len(q.tree), func(i int) bool { return q.tree[i].v > e.v })
	q.tree = append(q.tree, nil)
	copy(q.tree[i+1:], q.tree[i:])
	q.tree[i] = e
}

func (q *oQueue) remove(e *oEntity) {
	for i := range q.tree {
		if q.tree[i] == e {
			q.tree = append(q.tree[:i:i], q.tree[i+1:]...)
			return
		}
	}
	panic("oracle: entity " + e.name + " is not in the tree")
}

func (o *oracle) place(e *oEntity, initial bool) {
	x := e.q.min
	switch {
	case initial && o.tun.debit:
		x += e.vtime(o.slice(e))
	case initial:
	case o.tun.gentle:
		x -= o.tun.latency / 2
	default:
		x -= o.tun.latency
	}
	e.v = max(e.v, x)
}

// groupWeight refreshes the weight of the entity that owns q.
func (o *oracle) groupWeight(q *oQueue) {
	e := q.owner
	if e == nil {
		return
	}
	w := int64(2)
	if q.load > 0 {
		w = q.shares
	}
	if e.on {
		if e.q.curr == e {
			o.account(e.q)
		}
		e.q.load += w - e.w
	}
	e.w, e.inv = w, oInverse(w)
}

func (o *oracle) enqueueEntity(e *oEntity, relative, sleeper bool) {
	q := e.q
	if relative {
		e.v += q.min
	}
	o.account(q)
	q.load += e.w
	q.nr++
	o.groupWeight(q)
	if sleeper {
		o.place(e, false)
	}
	if e != q.curr {
		q.insert(e)
	}
	e.on = true
}

func (o *oracle) dequeueEntity(e *oEntity, sleep bool) {
	q := e.q
	o.account(q)
	e.clearMarks()
	if e != q.curr {
		q.remove(e)
	}
	e.on = false
	q.load -= e.w
	q.nr--
	if !sleep {
		e.v -= q.min
	}
	q.raiseMin()
	o.groupWeight(q)
}

func (o *oracle) enqueue(t *oTask, wakeup bool) {
	o.clock = o.now
	relative, sleeper := true, wakeup
	e := t.e
	for ; e != nil && !e.on; e = e.parent {
		o.enqueueEntity(e, relative, sleeper)
		relative, sleeper = false, true
	}
	for ; e != nil; e = e.parent {
		o.groupWeight(e.q)
	}
	o.running++
}

func (o *oracle) dequeue(t *oTask, sleep bool) {
	o.clock = o.now
	flag := sleep
	e := t.e
	for e != nil {
		o.dequeueEntity(e, flag)
		q := e.q
		e = e.parent
		if q.load > 0 {
			if sleep && e != nil {
				setMark(e, func(q *oQueue) **oEntity { return &q.next })
			}
			break
		}
		flag = true
	}
	for ; e != nil; e = e.parent {
		o.groupWeight(e.q)
	}
	o.running--
}

// setMark marks e and its groups, each on its queue.
func setMark(e *oEntity, which func(*oQueue) **oEntity) {
	for ; e != nil; e = e.parent {
		*which(e.q) = e
	}
}

func (e *oEntity) isIdlePolicy() bool { return e.task != nil && e.task.policy == "IDLE" }

func (e *oEntity) clearMarks() {
	for _, which := range []func(*oQueue) **oEntity{
		func(q *oQueue) **oEntity { return &q.last },
		func(q *oQueue) **oEntity { return &q.next },
		func(q *oQueue) **oEntity { return &q.skip },
	} {
		for x := e; x != nil && *which(x.q) == x; x = x.parent {
			*which(x.q) = nil
		}
	}
}

// behind is the wakeup preemption distance of b against a: -1, 0 or 1.
func (o *oracle) behind(a, b *oEntity) int {
	switch d := a.v - b.v; {
	case d <= 0:
		return -1
	case d > b.vtime(o.tun.wakeGran):
		return 1
	}
	return 0
}

func (o *oracle) tick() {
	o.clock = o.now
	for e := o.curr.e; e != nil; e = e.parent {
		o.account(e.q)
		if e.q.nr > 1 {
			o.tickTest(e)
		}
	}
}

func (o *oracle) tickTest(e *oEntity) {
	ideal, ran := o.slice(e), e.sum-e.prev
	if ran > ideal {
		o.need = true
		e.clearMarks()
		return
	}
	if ran < o.tun.minGran {
		return
	}
	if d := e.v - e.q.tree[0].v; d > ideal {
		o.need = true
	}
}

func depth(e *oEntity) int {
	n := 0
	for ; e.parent != nil; e = e.parent {
		n++
	}
	return n
}

// test is the wakeup preemption test of p, just enqueued.
func (o *oracle) test(p *oTask, fork bool) {
	c := o.curr
	if c == nil {
		o.need = true
		return
	}
	crowded := c.e.q.nr >= o.tun.nrLatency
	if c == p {
		return
	}
	next := func(q *oQueue) **oEntity { return &q.next }
	if o.tun.nextBuddy && crowded && !fork && p.policy != "IDLE" {
		setMark(p.e, next)
	}
	if o.need {
		return
	}
	cs, ps := c.e, p.e
	if c.policy != "IDLE" || p.policy == "IDLE" {
		if p.policy != "NORMAL" {
			return
		}
		for depth(cs) > depth(ps) {
			cs = cs.parent
		}
		for depth(ps) > depth(cs) {
			ps = ps.parent
		}
		for cs.q != ps.q {
			cs, ps = cs.parent, ps.parent
		}
		o.account(cs.q)
		if o.behind(cs, ps) != 1 {
			return
		}
		setMark(ps, next)
	}
	o.need = true
	if cs.on && crowded && o.tun.lastBuddy && cs.task != nil && !cs.isIdlePolicy() {
		setMark(cs, func(q *oQueue) **oEntity { return &q.last })
	}
}

func (o *oracle) putPrev(t *oTask) {
	for e := t.e; e != nil; e = e.parent {
		if e.on {
			o.account(e.q)
			e.q.insert(e)
		}
		e.q.curr = nil
	}
}

func (o *oracle) setCurr(e *oEntity) {
	e.q.curr = e
	e.execStart = o.clock
	e.prev = e.sum
}

// setRunning makes t, which was put, current again.
func (o *oracle) setRunning(t *oTask) {
	for e := t.e; e != nil; e = e.parent {
		if e.on {
			e.q.remove(e)
		}
		o.setCurr(e)
	}
}

func (o *oracle) pick() *oTask {
	q := o.root
	if q.nr == 0 {
		return nil
	}
	for {
		left := q.tree[0]
		e := left
		if q.skip == left && len(q.tree) > 1 && o.behind(q.tree[1], left) < 1 {
			e = q.tree[1]
		}
		if q.last != nil && o.behind(q.last, left) < 1 {
			e = q.last
		}
		if q.next != nil && o.behind(q.next, left) < 1 {
			e = q.next
		}
		e.clearMarks()
		q.remove(e)
		o.setCurr(e)
		if e.my == nil {
			return e.task
		}
		q = e.my
	}
}
