package engine

import (
	"schedrepl/engine/event"
	"schedrepl/engine/sched"
	"schedrepl/engine/trace"
	"schedrepl/engine/workload"
)

// taskState is what the machine keeps for each task beside the core's: where
// it stands in its current burst, and what it waits for.
type taskState struct {
	// remain is the user work left in the current burst, in ns, as of the
	// CPU's workFrom; workload.Forever for one that does not end.
	remain int64
	burst  int64      // length of the burst
	until  event.Time // when its sleep ends
	// condResched is the distance between the points of a kernel burst at
	// which it looks for requests, 0 for none.
	condResched int32
	timer       event.ID // of its sleeps; 0 before the first
	// mightSleep says that those points are calls of might_sleep, which count
	// under the voluntary model only.
	mightSleep bool
	kernel     bool   // the burst runs inside the kernel
	waits      bool   // it waits: for one of the next two, or for an object
	sleeps     bool   // its timer is pending, or it was woken before it
	waitsChild bool   // it waits for a child to exit
	waitsAll   bool   // it waits for all children
	forks      uint32 // children forked so far
	seed       uint64 // of its random stream, from which its children's grow
	_          uint64 // to a cache line
}

// tickWork takes n ticks, the first at first, out of the current task's time.
// Each costs the same; one that falls into time that the kernel uses already
// lengthens that.
func (m *Machine) tickWork(s *cpuState, first event.Time, n int64) {
	if c := event.Time(m.core.Costs.Tick); c != 0 && s.rq.Curr != sched.NoTask {
		m.payTicks(s, first, n, c)
	}
}

// payTicks is tickWork of ticks that cost c each.
func (m *Machine) payTicks(s *cpuState, first event.Time, n int64, c event.Time) {
	for ; n > 0 && first < s.workFrom; n-- {
		s.workFrom += c
		first += m.core.Period
	}
	if n == 0 {
		s.burstStale = true
		return
	}
	// From here each tick finds the task at work: between two of them it
	// works for a period less the cost of the one before.
	last := first + event.Time(n-1)*m.core.Period
	t := &m.tasks[s.rq.Curr]
	if t.remain > 0 && t.remain != workload.Forever {
		t.remain -= int64(last - s.workFrom - event.Time(n-1)*c)
		if t.remain < 0 {
			panic("sched: a burst ran past its end")
		}
	}
	s.workFrom = last + c
}

// progress brings the current task's burst up to now.
func (m *Machine) progress(s *cpuState) {
	now := m.core.Now
	if now <= s.workFrom {
		return
	}
	if cur := s.rq.Curr; cur != sched.NoTask {
		if t := &m.tasks[cur]; t.remain != workload.Forever {
			t.remain -= min(t.remain, int64(now-s.workFrom))
		}
	}
	s.workFrom = now
}

// Charge spends d on cpu for reason, from now on or from when the kernel is
// done with what it does already.
func (m *Machine) Charge(cpu int, d event.Time, reason trace.Reason) {
	s := &m.cpus[cpu]
	m.progress(s)
	s.workFrom = max(s.workFrom, m.core.Now) + d
	s.burstStale = true
	m.core.Emit(trace.Record{
		Kind: trace.KindCharge, CPU: int16(cpu), Task: m.core.PID(m.core.Curr(cpu)),
		Reason: reason, A: int64(d),
	})
	if !m.inside || cpu != m.curCPU {
		m.armBurst(s)
	}
}

// arrive is called after a switch from prev: the new task pays for it.
func (m *Machine) arrive(s *cpuState, prev sched.TaskID) {
	now := m.core.Now
	cur := s.rq.Curr
	s.burstStale = true
	for int(cur) >= len(m.tasks) { // a stopper, which has no program
		m.tasks = append(m.tasks, taskState{})
	}
	d := m.core.Costs.Switch
	if prev != sched.NoTask {
		p := &m.core.Tasks[prev]
		if d != m.core.Costs.SwitchThread && cur != sched.NoTask && p.TGID == m.core.Tasks[cur].TGID {
			d = m.core.Costs.SwitchThread
		}
		if p.State == trace.Exited {
			m.release(prev)
		}
	}
	if cur == sched.NoTask {
		s.nextTick = event.Never
		return
	}
	if prev == sched.NoTask {
		m.startTick(s)
	}
	s.workFrom = max(s.workFrom, now) + event.Time(d)
}

// armBurst arms the end of the current task's burst: when its remaining work
// is done, with the ticks until then paid for, or the next point at which a
// pending request may take effect.
func (m *Machine) armBurst(s *cpuState) {
	s.burstStale = false
	id := m.burstID(s.cpu)
	cur := s.rq.Curr
	if cur == sched.NoTask || s.waits {
		m.q.Disarm(id)
		return
	}
	t := &m.tasks[cur]
	work := t.remain
	if t.kernel && s.rq.NeedResched {
		work = m.untilResched(t)
	}
	if work == workload.Forever {
		m.q.Disarm(id)
		return
	}
	m.q.Arm(id, s.cpu, event.Program, m.workEnd(s, work), m.core.Now)
}

// workEnd returns when work ns of the current task are done, if only ticks
// interrupt it.
func (m *Machine) workEnd(s *cpuState, work int64) event.Time {
	from := max(s.workFrom, m.core.Now)
	end := from + event.Time(work)
	if end < from {
		return event.Never - 1
	}
	if c := event.Time(m.core.Costs.Tick); c > 0 && end >= s.nextTick {
		n := (end-s.nextTick)/(m.core.Period-c) + 1
		end += n * c
	}
	return end
}

// preemptible reports whether a request takes effect now on cpu.
func (m *Machine) preemptible(s *cpuState) bool {
	cur := s.rq.Curr
	if cur == sched.NoTask || m.cfg.Preempt == PreemptFull {
		return true
	}
	t := &m.tasks[cur]
	if !t.kernel {
		return true
	}
	m.progress(s)
	return !t.inKernel() || m.untilResched(t) == 0
}

// inKernel reports whether a task is in the midst of a burst inside the
// kernel: neither before its first instruction nor after its last.
func (t *taskState) inKernel() bool {
	return t.kernel && t.remain > 0 && (t.remain < t.burst || t.burst == workload.Forever)
}

// untilResched returns how much work lies between now and the next point of a
// kernel burst at which a request takes effect: its end, a call of cond_resched,
// or, under the voluntary model, a call that may sleep.
func (m *Machine) untilResched(t *taskState) int64 {
	every := int64(t.condResched)
	switch {
	case every == 0 || t.mightSleep && m.cfg.Preempt == PreemptNone:
		return t.remain
	case t.remain == workload.Forever:
		return every
	}
	done := t.burst - t.remain
	if done > 0 && done%every == 0 {
		return 0
	}
	return min(t.remain, every-done%every)
}
