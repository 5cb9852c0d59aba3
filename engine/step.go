package engine

import (
	"fmt"
	"math"

	"schedrepl/engine/event"
	"schedrepl/engine/rng"
	"schedrepl/engine/sched"
	"schedrepl/engine/trace"
	"schedrepl/engine/workload"
)

// advance takes the current task's next program steps if its burst is over. It
// reports whether the task leaves the CPU: it blocked, yielded or exited, so
// that the pick loop must run. It returns early when a step asked for a
// reschedule; the rest of the program then waits until the task is next
// current, or for the next event.
func (m *Machine) advance(s *cpuState, cur sched.TaskID) (leaves bool) {
	cpu := s.cpu
	tk := &m.core.Tasks[cur]
	if tk.Signal != sched.NoSignal {
		m.progress(s)
		if !m.tasks[cur].inKernel() {
			return m.takeSignal(cpu, cur, tk.Signal)
		}
	}
	if m.tasks[cur].remain == workload.Forever || s.waits {
		return false
	}
	if tk.Stopper {
		m.core.RunStopper(cpu)
		m.core.Block(cpu, trace.Sleeping)
		return true
	}
	m.progress(s)
	for {
		t := &m.tasks[cur]
		now := m.core.Now
		if t.remain > 0 || s.workFrom > now {
			return false
		}
		if t.waits {
			if t.sleeps && t.until > now || t.waitsChild && !m.childDone(cur) || m.blocked(cur) {
				// Woken by a signal: what it waits for has not come.
				m.core.Block(cpu, trace.Sleeping)
				return true
			}
			t.waits, t.sleeps, t.waitsChild = false, false, false
		}
		if m.stepsAt != now {
			m.stepsAt, m.stepsHere = now, 0
		}
		if m.stepsHere++; m.stepsHere > m.maxInstant {
			m.stuck(cur)
			return false
		}
		act := &m.action
		act.Pending = s.rq.NeedResched
		m.prog.Next(int32(cur), now, act)
		if act.Op == workload.OpRun {
			t.remain, t.burst = act.D, act.D
			t.kernel, t.mightSleep = act.Kernel, act.MightSleep
			t.condResched = int32(min(act.Resched, math.MaxInt32))
			s.burstStale = true
			continue
		}
		if leaves, again := m.act(cpu, cur, act); leaves || !again {
			return leaves
		}
		if m.failure != nil {
			return false
		}
		s.burstStale = true
		if s.rq.NeedResched {
			return false
		}
	}
}

// stuck ends the run because tasks take steps without end while time stands
// still.
func (m *Machine) stuck(t sched.TaskID) {
	pc, text := m.prog.Where(int32(t))
	m.stepsHere = 0
	m.failure = fmt.Errorf("task %d (%s): program never yields time: %d steps at %v, the last before step %d (%s); put a run or a sleep into the loop",
		m.core.PID(t), m.core.Comm(m.core.PID(t)), m.maxInstant, m.core.Now, pc, text)
}

// blocked reports whether t still waits for an object.
func (m *Machine) blocked(t sched.TaskID) bool {
	_, waits := m.prog.Waiting(int32(t))
	return waits
}

// act carries one action out, but for those of running. leaves: the task leaves the CPU; again: it may
// take its next step at once.
func (m *Machine) act(cpu int, cur sched.TaskID, a *workload.Action) (leaves, again bool) {
	t := &m.tasks[cur]
	now := m.core.Now
	switch a.Op {
	case workload.OpSleepUntil:
		if a.Until <= now {
			return false, true
		}
		t.waits, t.sleeps, t.until = true, true, a.Until
		if t.timer == 0 {
			t.timer = m.newEvent(timerEvent, int32(cur))
		}
		m.q.Arm(t.timer, cpu, event.Timer, a.Until, now)
		m.core.Block(cpu, trace.Sleeping)
		return true, false
	case workload.OpBlock:
		t.waits = true
		m.core.Block(cpu, trace.Sleeping)
		return true, false
	case workload.OpWake:
		if a.Task != workload.NoTask {
			m.wake(sched.TaskID(a.Task))
		}
		return false, true
	case workload.OpFork:
		m.forkFrom(cur, a.Child)
		return false, true
	case workload.OpWait, workload.OpWaitAll:
		t.waitsAll = a.Op == workload.OpWaitAll
		if m.childDone(cur) {
			return false, true
		}
		t.waits, t.waitsChild = true, true
		m.core.Block(cpu, trace.Sleeping)
		return true, false
	case workload.OpExit:
		m.exit(cpu, int64(a.N))
		return true, false
	case workload.OpYield:
		m.syscall(cpu)
		m.core.Yield(cpu)
		return true, false
	default:
		return false, m.actMinor(cpu, cur, a)
	}
}

// actMinor carries out the actions that change no one's state of running.
func (m *Machine) actMinor(cpu int, cur sched.TaskID, a *workload.Action) (again bool) {
	switch a.Op {
	case workload.OpSetsid:
		// A leader gets EPERM, which a program that does not look goes on from.
		m.syscall(cpu)
		_ = m.core.Setsid(cur)
	case workload.OpNice:
		m.syscall(cpu)
		if err := m.core.SetNice(cur, int(a.N)); err != nil {
			m.fail(cur, err)
		}
	case workload.OpBegin:
		m.span(trace.KindBegin, cpu, cur, a.N, a.Since)
	case workload.OpEnd:
		m.span(trace.KindEnd, cpu, cur, a.N, a.Since)
	case workload.OpEndUnmatched:
		m.fail(cur, fmt.Errorf("end(%q): no such span is open; begin it first", m.prog.Name(a.N)))
	case workload.OpCall:
		m.call(cur, a.N)
	case workload.OpRunaway:
		pc, text := m.prog.Where(int32(cur))
		m.fail(cur, fmt.Errorf("program never yields time: %d steps in a row, now at step %d (%s), do not run, sleep or wake anybody; put a run or a sleep into the loop", workload.MaxJumps, pc, text))
	default:
		m.fail(cur, fmt.Errorf("the program has a step %v that this machine does not know", a))
	}
	return true
}

// fail ends the run with an error of task t's program.
func (m *Machine) fail(t sched.TaskID, err error) {
	pid := m.core.PID(t)
	m.failure = fmt.Errorf("task %d (%s) at %v: %w", pid, m.core.Comm(pid), m.core.Now, err)
}

// syscall charges for a system call.
func (m *Machine) syscall(cpu int) {
	if d := m.core.Costs.Syscall; d > 0 {
		m.Charge(cpu, event.Time(d), trace.ChargeSyscall)
	}
}

// span records the beginning or the end of a span.
func (m *Machine) span(k trace.Kind, cpu int, t sched.TaskID, name int32, since event.Time) {
	for int(name) >= len(m.spanNames) {
		m.spanNames = append(m.spanNames, m.core.Intern(m.prog.Name(int32(len(m.spanNames)))))
	}
	m.core.Emit(trace.Record{
		Kind: k, CPU: int16(cpu), Task: m.core.PID(t), A: int64(m.spanNames[name]), B: int64(since),
	})
}

// call asks the script for the task's next steps.
func (m *Machine) call(t sched.TaskID, fn int32) {
	if m.calls == nil {
		m.fail(t, fmt.Errorf("the program calls back, but nothing answers"))
		return
	}
	p, err := m.calls(m.core.PID(t), fn)
	if err == nil && p != nil {
		err = m.prog.Push(int32(t), p)
	}
	if err != nil {
		m.fail(t, err)
	}
}

// forkFrom lets t fork a child.
func (m *Machine) forkFrom(t sched.TaskID, c *workload.Child) {
	comm := int32(-1)
	if c.Comm != "" {
		comm = m.core.Intern(c.Comm)
	}
	st := &m.tasks[t]
	st.forks++
	seed := rng.Seed(st.seed).Numbered(uint64(st.forks))
	child, err := m.core.Fork(sched.ForkSpec{Parent: t, Thread: c.Thread, Comm: comm})
	if err == nil {
		err = m.start(child, c.Prog, seed)
	}
	if err != nil {
		m.fail(t, err)
		return
	}
	m.prog.Inherit(int32(child), int32(t))
}

// start gives a new task its program and its random stream.
func (m *Machine) start(t sched.TaskID, p *workload.Program, seed rng.Seed) error {
	for int(t) >= len(m.tasks) {
		m.tasks = append(sched.Room(m.tasks), taskState{})
		m.prog.Grow(cap(m.tasks))
	}
	m.tasks[t] = taskState{seed: uint64(seed)}
	return m.prog.Start(int32(t), p, seed)
}

// exit makes the current task of cpu exit and tells who waits for it.
func (m *Machine) exit(cpu int, code int64) {
	pr := m.core.Exit(cpu, code)
	if pr == nil {
		return
	}
	// Every thread that waits is woken; those that find nothing wait on.
	for t := pr.FirstThread(); t != sched.NoTask; t = m.core.NextThread(t) {
		if m.tasks[t].waitsChild && (!m.tasks[t].waitsAll || pr.Children == 0) {
			m.wake(t)
		}
	}
}

// wake wakes a task for which what it waits for has come. One that is stopped
// stays so: it finds it when it is continued.
func (m *Machine) wake(t sched.TaskID) {
	if m.core.Tasks[t].State == trace.Sleeping {
		m.core.Wake(t)
	}
}

// childDone reports whether what t waits for has come: an exited child, which
// it takes, or that there is none to wait for.
func (m *Machine) childDone(t sched.TaskID) bool {
	pr := m.core.Process(t)
	if m.tasks[t].waitsAll {
		if pr.Children > 0 {
			return false
		}
		pr.Zombies = 0
		return true
	}
	if pr.Zombies > 0 {
		pr.Zombies--
		return true
	}
	return pr.Children == 0
}

// release frees what a task that has exited held.
func (m *Machine) release(t sched.TaskID) {
	if id := m.tasks[t].timer; id != 0 {
		m.freeEvent(id)
	}
	if m.prog.Running(int32(t)) {
		m.prog.Stop(int32(t))
	}
	m.core.Release(t)
	m.tasks[t] = taskState{}
}

// takeSignal acts on a signal of the current task.
func (m *Machine) takeSignal(cpu int, t sched.TaskID, sig sched.Signal) (leaves bool) {
	m.core.Tasks[t].Signal = sched.NoSignal
	if sig != sched.SigStop {
		m.exit(cpu, -9)
		return true
	}
	m.core.Block(cpu, trace.Stopped)
	return true
}

// timer is the end of a task's sleep.
func (m *Machine) timer(t sched.TaskID, cpu int) {
	if d := m.core.Costs.Timer; d > 0 {
		m.Charge(cpu, event.Time(d), trace.ChargeTimer)
	}
	if !m.blocked(t) {
		m.wake(t)
	}
}

// ipi is a reschedule interrupt from another CPU; settle does the rest.
func (m *Machine) ipi(cpu int) {
	if d := m.core.Costs.IPIEntry; d > 0 && m.core.Curr(cpu) != sched.NoTask {
		m.Charge(cpu, event.Time(d), trace.ChargeIPI)
	}
}

// Kick sends a reschedule interrupt to cpu.
func (m *Machine) Kick(cpu int) {
	m.Touched(cpu)
	m.armFor(m.ipiID(cpu), cpu, event.Timer, m.core.Now+event.Time(m.core.Costs.IPI))
}
