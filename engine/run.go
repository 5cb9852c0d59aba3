package engine

import (
	"fmt"

	"schedrepl/engine/event"
	"schedrepl/engine/sched"
	"schedrepl/engine/workload"
)

// RunUntil handles all events up to and at the instant limit, then sets the
// clock to it. It stops early with an error if the poll function returns one,
// if tasks take steps for ever without time passing, or if a callback failed;
// the machine then stands at that moment and can be asked, and mostly run on.
func (m *Machine) RunUntil(limit event.Time) error {
	_, err := m.RunWhile(limit, nil)
	return err
}

// RunWhile is RunUntil that also ends after the first instant of a CPU at
// which stop returns true, ticks included, or at the limit; it reports whether
// that came. stop may be nil.
func (m *Machine) RunWhile(limit event.Time, stop func() bool) (bool, error) {
	if m.inside {
		return false, fmt.Errorf("run: the machine is running already; a callback may not run it")
	}
	if limit < m.core.Now {
		return false, fmt.Errorf("run: %v is in the past; it is %v now", limit, m.core.Now)
	}
	if stop != nil {
		m.asking = true
		defer func() { m.asking = false }()
		for cpu := range m.cpus {
			m.Touched(cpu)
		}
		m.retick()
	}
	for {
		id, at, cpu, _, ok := m.q.Peek()
		if !ok || at > limit {
			break
		}
		if m.pollIn--; m.pollIn < 0 {
			m.pollIn = 1023
			if m.poll != nil {
				if err := m.poll(); err != nil {
					return false, err
				}
			}
		}
		m.partial = true
		m.instant(at, cpu, id)
		if m.failure != nil {
			err := m.failure
			m.failure = nil
			// What this turn left undone comes first when the machine runs on.
			m.q.Arm(m.burstID(cpu), cpu, event.Program, at, at)
			return false, err
		}
		if stop != nil && stop() {
			return true, nil
		}
	}
	m.partial = false
	m.core.Now = limit
	for cpu := range m.cpus {
		m.syncTicks(&m.cpus[cpu], limit+1)
	}
	return stop != nil && stop(), nil
}

// instant handles all events of one CPU at one instant: timers in order,
// controls, then the running task's program step and what rescheduling
// follows.
func (m *Machine) instant(at event.Time, cpu int, id event.ID) {
	m.inside = true
	m.curCPU, m.core.This = cpu, cpu
	m.core.Now = at
	s := &m.cpus[cpu]
	if s.waits {
		s.waits, s.burstStale = false, true
	}
	if at != m.topAt {
		m.topAt, m.topCPU = at, -1
	}
	if cpu < m.topCPU {
		m.syncTicks(s, at+1) // another turn: the tick of this instant has passed
	} else {
		m.syncTicks(s, at)
		m.topCPU = cpu
	}
	if s.nextTick == at && id != m.tickID(cpu) {
		// The tick of this instant was going to be skipped. With other events
		// at its side it takes its place among them.
		if armed, ok := m.q.Armed(m.tickID(cpu)); !ok || armed != at {
			m.q.ArmAs(m.tickID(cpu), cpu, event.Timer, at, s.tickBorn, s.tickSeq)
			id, _, _, _, _ = m.q.Peek()
		}
	}
	for {
		m.q.Pop()
		m.events++
		m.dispatch(id, s)
		next, more := m.q.Next(at, cpu)
		if !more {
			break
		}
		id = next
	}
	m.settle(s)
	if len(m.pending) > 0 && m.failure == nil {
		if m.runWatches(); m.failure == nil {
			m.settle(s)
		}
	}
	m.inside = false
	if len(m.late) > 0 {
		for _, l := range m.late {
			m.q.Arm(l.id, l.cpu, l.phase, at, at)
		}
		m.late = m.late[:0]
	}
	m.retick()
}

// late is an event for the present instant of a CPU with a lower number than
// the one whose turn it is.
type late struct {
	id    event.ID
	cpu   int
	phase event.Phase
}

// armFor arms an event of any CPU. One for the present instant of a CPU with a
// lower number waits until the turn of the CPU that executes is over, for a
// turn is never cut in two.
func (m *Machine) armFor(id event.ID, cpu int, phase event.Phase, at event.Time) {
	if m.inside && at == m.core.Now && cpu < m.curCPU {
		m.late = append(m.late, late{id, cpu, phase})
		return
	}
	m.q.Arm(id, cpu, phase, at, m.core.Now)
}

// dispatch handles one event.
func (m *Machine) dispatch(id event.ID, s *cpuState) {
	n := len(m.cpus)
	i := int(id)
	cpu := s.cpu
	switch {
	case i < n:
		m.tick(s)
	case i < 2*n:
		// The end of a burst: settle takes the step, and arms the next end.
		s.burstStale = true
	case i < 3*n:
		m.ipi(cpu)
	default:
		switch o := m.owners[i-3*n]; o.kind {
		case timerEvent:
			m.timer(sched.TaskID(o.index), cpu)
		case controlEvent:
			m.control(o.index)
		default:
			m.interrupt(o.index, cpu)
		}
	}
}

// settle is what follows the timers and controls of an instant: the current
// task's next program steps if its burst is over, then, while a reschedule is
// asked for and may take effect, the pick loop. A new current task may take
// its own steps at once. Once a callback or a step has failed nothing more is
// done.
func (m *Machine) settle(s *cpuState) {
	rq := s.rq
	for m.failure == nil {
		prev := rq.Curr
		if prev != sched.NoTask && m.endless(prev) {
			// It has no steps to take and gives way at once.
			if !rq.NeedResched {
				break
			}
			s.workFrom = max(s.workFrom, m.core.Now)
		} else {
			leaves := false
			if prev != sched.NoTask {
				leaves = m.advance(s, prev)
				if m.failure != nil {
					break
				}
			}
			if !leaves {
				if !rq.NeedResched {
					break
				}
				if !m.preemptible(s) {
					s.burstStale = true
					break
				}
			}
			if prev != sched.NoTask {
				m.progress(s)
			}
		}
		m.core.Schedule(s.cpu)
		m.touch(s)
		if rq.Curr == prev {
			if prev == sched.NoTask || m.tasks[prev].remain > 0 {
				break
			}
			if m.core.Costs.WaitForEvent {
				s.waits = true
				m.touch(s)
				break
			}
			continue
		}
		m.arrive(s, prev)
	}
	if s.burstStale {
		m.armBurst(s)
	}
}

// endless reports whether a task does nothing but run in user mode for ever,
// with no signal to act on: the commonest case, settled in one look.
func (m *Machine) endless(t sched.TaskID) bool {
	st := &m.tasks[t]
	return st.remain == workload.Forever && !st.kernel && m.core.Tasks[t].Signal == sched.NoSignal
}
