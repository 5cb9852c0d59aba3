package engine

import (
	"schedrepl/engine/event"
	"schedrepl/engine/sched"
)

// cpuState is what the machine keeps for each CPU beside the core's.
type cpuState struct {
	cpu int
	rq  *sched.CPU // what the core keeps for it
	// nextTick is the next tick that has not been accounted for; Never while
	// the CPU idles, for then its tick is stopped.
	nextTick event.Time
	// tickBorn is the moment at which that tick was armed, or would have been
	// were it not skipped: the tick before it, or when the CPU left idle.
	// tickSeq is its place among what was armed in that instant.
	tickBorn event.Time
	tickSeq  uint64
	offset   event.Time
	// workFrom is the moment from which the current task's own instructions
	// proceed: later than now while the kernel is busy on its behalf.
	workFrom event.Time
	// waits is set when the current task must wait for the next event.
	waits bool
	// burstStale is set when the end of the current burst must be armed anew.
	burstStale bool
	isTouched  bool
}

// Sync brings the ticks of cpu that were skipped up to date, before its run
// queue is touched. Ticks of the present instant have passed on CPUs that have
// had their turn, and on all CPUs between runs.
func (m *Machine) Sync(cpu int) {
	upto := m.core.Now
	if m.inside || m.partial {
		if cpu <= m.topCPU && !(m.inside && cpu == m.curCPU) {
			upto++
		}
	} else {
		upto++
	}
	m.syncTicks(&m.cpus[cpu], upto)
}

// syncTicks accounts for the ticks of a CPU before upto that were skipped
// because nothing could follow from them.
func (m *Machine) syncTicks(s *cpuState, upto event.Time) {
	if s.nextTick < upto {
		m.skipped(s, upto)
	}
}

// skipped is syncTicks if there were any.
func (m *Machine) skipped(s *cpuState, upto event.Time) {
	period := m.core.Period
	first := s.nextTick
	n := event.Periods(upto-1-first, period) + 1
	m.core.Ticked(s.cpu, first, n)
	m.tickWork(s, first, n)
	s.tickBorn = first + event.Time(n-1)*period
	s.nextTick = s.tickBorn + period
}

// tick is a tick that is simulated.
func (m *Machine) tick(s *cpuState) {
	now := m.core.Now
	s.nextTick = now + m.core.Period
	s.tickBorn = now
	s.tickSeq = m.q.TakeSeq()
	m.core.Tick(s.cpu)
	m.tickWork(s, now, 1)
	m.touch(s)
}

// startTick starts the tick of a CPU that leaves idle, at the next point of
// the grid that is strictly later.
func (m *Machine) startTick(s *cpuState) {
	now, period := m.core.Now, m.core.Period
	s.nextTick = (now-s.offset+period)/period*period + s.offset
	if now < s.offset {
		s.nextTick = s.offset
	}
	s.tickBorn = now
	s.tickSeq = m.q.TakeSeq()
}

// showTick makes the next tick of cpu one that is simulated. It is for events
// that another CPU arms for this one: the tick then finds its place behind or
// before them as if none were ever skipped.
func (m *Machine) showTick(cpu int) {
	s := &m.cpus[cpu]
	if armed, ok := m.q.Armed(m.tickID(cpu)); s.nextTick != event.Never && (!ok || armed > s.nextTick) {
		m.q.ArmAs(m.tickID(cpu), cpu, event.Timer, s.nextTick, s.tickBorn, s.tickSeq)
	}
}

// Touched notes that the next interesting tick of cpu may have changed.
func (m *Machine) Touched(cpu int) { m.touch(&m.cpus[cpu]) }

func (m *Machine) touch(s *cpuState) {
	if !s.isTouched {
		s.isTouched = true
		m.touched = append(m.touched, s)
	}
}

// retick arms the next tick that can matter on each CPU that was touched. A
// tick that is armed too early stays: simulating it does no harm.
func (m *Machine) retick() {
	for _, s := range m.touched {
		s.isTouched = false
		cpu := s.cpu
		id := m.tickID(cpu)
		if s.rq.Curr == sched.NoTask {
			m.q.Disarm(id)
			continue
		}
		// A request that is on its way to the CPU takes effect at a tick that
		// comes first.
		want := s.nextTick
		if !m.cfg.AllTicks && !m.asking && !s.waits && !s.rq.NeedResched {
			want = m.core.NextTick(cpu, s.nextTick)
		}
		armed, ok := m.q.Armed(id)
		switch {
		case want == event.Never || ok && armed <= want:
		case want == s.nextTick:
			m.q.ArmAs(id, cpu, event.Timer, want, s.tickBorn, s.tickSeq)
		default:
			m.q.Arm(id, cpu, event.Timer, want, want-m.core.Period)
		}
	}
	m.touched = m.touched[:0]
}
