package validate

import (
	"fmt"
	"sort"

	"schedrepl/engine/kernel"
)

// oracle runs scenarios by the second model.
type oracle struct {
	s          *scenario
	tun        oTunables
	now, clock int64 // clock is as of the last time that the run queue took it
	tickLen    int64
	root       *oQueue
	groups     map[string]*oQueue
	tasks      map[string]*oTask // by name, children by theirs
	forked     map[string]int
	curr       *oTask // nil: idle
	need       bool
	waits      bool // the current task waits for the next event
	running    int64
	timers     []oTimer
	seq        int
	lines      []string
}

// oTimer is a pending timer: a sleeper's, or the tick if task is nil.
type oTimer struct {
	at   int64
	seq  int
	task *oTask
}

func newOracle(s *scenario) *oracle {
	o := &oracle{
		s: s, tickLen: 1_000_000_000 / s.HZ, groups: map[string]*oQueue{},
		tasks: map[string]*oTask{}, forked: map[string]int{},
		tun: oTunables{
			latency: 6_000_000, minGran: 750_000, wakeGran: 1_000_000, nrLatency: 8,
			gentle: true, debit: true, lastBuddy: true,
		},
	}
	for name, to := range map[string]*int64{
		"latency": &o.tun.latency, "min_granularity": &o.tun.minGran, "wakeup_granularity": &o.tun.wakeGran,
	} {
		if v, ok := s.tunables[name]; ok {
			*to = v
		}
	}
	o.tun.nrLatency = (o.tun.latency + o.tun.minGran - 1) / o.tun.minGran
	o.tun.childFirst = s.tunables["child_runs_first"] == 1
	for i, list := range [][]string{s.FeaturesOn, s.FeaturesOff} {
		for _, f := range list {
			switch f {
			case "GENTLE_FAIR_SLEEPERS":
				o.tun.gentle = i == 0
			case "START_DEBIT":
				o.tun.debit = i == 0
			case "NEXT_BUDDY":
				o.tun.nextBuddy = i == 0
			case "LAST_BUDDY":
				o.tun.lastBuddy = i == 0
			}
		}
	}
	o.root = &oQueue{min: -(1 << 20)}
	o.groups["/"] = o.root
	for i := range s.Groups {
		g := &s.Groups[i]
		up := o.groups[g.Parent]
		q := &oQueue{min: -(1 << 20), shares: 1024}
		q.owner = &oEntity{name: g.Name, inv: oInverse(0), parent: up.owner, q: up, my: q}
		o.groups[g.Name] = q
		if g.Shares != nil {
			o.setShares(q, *g.Shares)
		}
	}
	return o
}

func (o *oracle) setShares(q *oQueue, shares int64) {
	shares = min(max(shares, 2), 1<<18)
	if shares == q.shares {
		return
	}
	q.shares = shares
	for e := q.owner; e != nil; e = e.parent {
		o.groupWeight(e.my)
	}
}

func (t *oTask) reweight() {
	if t.policy == "IDLE" {
		t.e.w, t.e.inv = 3, 1431655765
		return
	}
	t.e.w, t.e.inv = kernel.NiceWeight(t.nice)
}

func (t *oTask) attach(q *oQueue) { t.e.q, t.e.parent = q, q.owner }

func (o *oracle) say(format string, args ...any) {
	o.lines = append(o.lines, fmt.Sprintf("%d 0 ", o.now)+fmt.Sprintf(format, args...))
}

func (o *oracle) arm(at int64, t *oTask) {
	o.timers = append(o.timers, oTimer{at, o.seq, t})
	o.seq++
}

// dropTick cancels the tick.
func (o *oracle) dropTick() {
	for i := range o.timers {
		if o.timers[i].task == nil {
			o.timers = append(o.timers[:i], o.timers[i+1:]...)
			return
		}
	}
}

// run runs to the end and returns the lines of the trace.
func (o *oracle) run() []string {
	controls := make([]*control, len(o.s.Controls))
	for i := range controls {
		controls[i] = &o.s.Controls[i]
	}
	sort.SliceStable(controls, func(i, j int) bool { return controls[i].At < controls[j].At })
	launched := false
	for {
		at := o.s.End + 1
		if !launched {
			at = min(at, o.s.Launch.At)
		}
		if len(controls) > 0 {
			at = min(at, controls[0].At)
		}
		for _, tm := range o.timers {
			at = min(at, tm.at)
		}
		if c := o.curr; c != nil && c.burst && c.end >= 0 {
			at = min(at, c.e.execStart+c.end-c.e.sum)
		}
		if at > o.s.End {
			return o.lines
		}
		o.now = at
		o.waits = false
		o.expire()
		if !launched && at == o.s.Launch.At {
			launched = true
			o.launch()
		}
		for len(controls) > 0 && controls[0].At == at {
			o.control(controls[0])
			controls = controls[1:]
		}
		o.settle()
	}
}

// expire handles the timers that are due, in order of expiry and arming.
func (o *oracle) expire() {
	for {
		best := -1
		for i, tm := range o.timers {
			if tm.at <= o.now && (best < 0 || tm.at < o.timers[best].at || tm.at == o.timers[best].at && tm.seq < o.timers[best].seq) {
				best = i
			}
		}
		if best < 0 {
			return
		}
		tm := o.timers[best]
		o.timers = append(o.timers[:best], o.timers[best+1:]...)
		if tm.task == nil {
			o.arm(o.now+o.tickLen, nil)
			o.tick()
			continue
		}
		o.wake(tm.task)
	}
}

func (o *oracle) launch() {
	for i := range o.s.Tasks {
		if st := &o.s.Tasks[i]; !st.Template {
			o.fork(st, st.Name, st.Nice, st.Policy, st.Group)
		}
	}
}

func (o *oracle) fork(of *task, name string, nice int, policy, group string) {
	t := &oTask{nice: nice, policy: policy, group: group, steps: of.steps, loopTo: -1, state: 'R', end: -1}
	if of.LoopTo != nil {
		t.loopTo = *of.LoopTo
	}
	t.e = &oEntity{name: name, task: t}
	t.reweight()
	q := o.groups[group]
	t.attach(q)
	o.tasks[name] = t
	o.clock = o.now
	o.account(q)
	if q.curr != nil {
		t.e.v = q.curr.v
	}
	o.place(t.e, true)
	if o.tun.childFirst && q.curr != nil && q.curr.v < t.e.v {
		q.curr.v, t.e.v = t.e.v, q.curr.v
		o.need = true
	}
	t.e.v -= q.min
	o.enqueue(t, false)
	o.test(t, true)
	o.say("wakeup_new %s 0 %d", name, t.e.v)
	o.say("fork %s", name)
}

func (o *oracle) wake(t *oTask) {
	t.state = 'R'
	t.e.v -= t.e.q.min
	o.enqueue(t, true)
	o.test(t, false)
	o.say("wakeup %s 0 %d", t.e.name, t.e.v)
}

func (o *oracle) control(c *control) {
	if c.do.verb == setShares {
		o.setShares(o.groups[c.Target], c.do.n)
		o.say("setshares %s %d", c.Target, c.do.n)
		return
	}
	t := o.tasks[c.Target]
	queued, runs := t.state == 'R', o.curr == t
	switch c.do.verb {
	case setNice:
		o.say("setnice %s %d", c.Target, c.do.n)
		old := t.nice
		if old == int(c.do.n) {
			return
		}
		if queued {
			o.dequeue(t, false)
		}
		t.nice = int(c.do.n)
		t.reweight()
		if queued {
			o.enqueue(t, false)
			if t.nice < old || runs {
				o.need = true
			}
		}
	case setPolicy:
		o.say("setpolicy %s %d", c.Target, c.do.policy)
		word := map[string]string{"OTHER": "NORMAL"}[c.do.policy.String()]
		if word == "" {
			word = c.do.policy.String()
		}
		if t.policy == word {
			return
		}
		o.change(t, queued, runs, func() { t.policy = word; t.reweight() })
	case moveToGroup:
		o.say("setgroup %s %s", c.Target, c.do.group)
		o.change(t, queued, runs, func() {
			q := o.groups[c.do.group]
			relative := queued || t.e.sum == 0
			if !relative {
				t.e.v -= t.e.q.min
			}
			t.attach(q)
			if !relative {
				t.e.v += q.min
			}
			t.group = c.do.group
		})
	case setAffinity:
		o.say("setaffinity %s 1", c.Target)
	}
}

// change takes t off its queue, changes it and puts it on again.
func (o *oracle) change(t *oTask, queued, runs bool, do func()) {
	if queued {
		o.dequeue(t, false)
	}
	if runs {
		o.putPrev(t)
	}
	do()
	if runs {
		o.setRunning(t)
	}
	if queued {
		o.enqueue(t, false)
	}
}

// settle is the program step of the current task and what follows from it.
func (o *oracle) settle() {
	for {
		leaves := o.curr != nil && o.step()
		if !leaves && !o.need {
			return
		}
		before := o.curr
		o.schedule()
		if o.curr == before {
			o.waits = before != nil && !before.burst
			return
		}
	}
}

func (o *oracle) schedule() {
	prev := o.curr
	state := byte('R')
	if prev != nil {
		switch prev.state {
		case 'S', 'B':
			state = 'S'
		case 'X':
			state = 'X'
		}
		if prev.state == 'R' {
			o.clock = o.now
		} else {
			o.dequeue(prev, true)
		}
		o.putPrev(prev)
	}
	next := o.pick()
	o.need = false
	if next == prev {
		return
	}
	o.curr = next
	name, v := func(t *oTask) string {
		if t == nil {
			return "idle/0"
		}
		return t.e.name
	}, func(t *oTask) int64 {
		if t == nil {
			return 0
		}
		return t.e.v
	}
	o.say("switch %s %c %s %d %d", name(prev), state, name(next), v(prev), v(next))
	switch {
	case next == nil:
		o.dropTick()
	case prev == nil:
		o.arm((o.now/o.tickLen+1)*o.tickLen, nil)
	}
}

// step takes the program steps of the current task that are due. It reports
// whether the task calls schedule itself.
func (o *oracle) step() (leaves bool) {
	t := o.curr
	if !t.started {
		t.started, t.release = true, o.now
	}
	if t.burst {
		if t.end < 0 || t.e.sum+o.now-t.e.execStart < t.end {
			return false
		}
		t.burst = false
	}
	for n := 0; ; n++ {
		if n > 10000 {
			panic("oracle: " + t.e.name + " loops without time passing")
		}
		if t.pc == len(t.steps) {
			if t.loopTo < 0 {
				t.state = 'X'
				return true
			}
			t.pc = t.loopTo
		}
		st := &t.steps[t.pc]
		t.pc++
		switch st.kind {
		case stepRun:
			if st.forever {
				t.burst, t.end = true, -1
				return false
			}
			if st.ns > 0 {
				t.burst, t.end = true, t.e.sum+o.now-t.e.execStart+st.ns
				return false
			}
		case stepSleep, stepPeriod:
			at := o.now + st.ns
			if st.kind == stepPeriod {
				t.release += st.ns
				at = t.release
			}
			if at > o.now {
				o.arm(at, t)
				t.state = 'S'
				return true
			}
		case stepYield:
			if o.running > 1 {
				t.e.clearMarks()
				if t.policy != "BATCH" {
					o.clock = o.now
					o.account(t.e.q)
				}
				setMark(t.e, func(q *oQueue) **oEntity { return &q.skip })
			}
			return true
		case stepBlock:
			if t.posts == 0 {
				t.state = 'B'
				return true
			}
			t.posts--
		case stepWake:
			p := o.tasks[st.name]
			if p.state != 'B' {
				p.posts++
			} else {
				o.wake(p)
			}
		case stepFork:
			o.forked[st.name]++
			o.fork(o.s.findTask(st.name), fmt.Sprintf("%s.%d", st.name, o.forked[st.name]), t.nice, t.policy, t.group)
		}
		// A request acts before the next step once a wake or a fork is over,
		// also where the wake only added to a semaphore.
		if o.need && (st.kind == stepWake || st.kind == stepFork) {
			return false
		}
	}
}
