package metrics

import (
	"fmt"
	"slices"
	"time"

	"pgregory.net/rapid"

	"schedrepl/engine/event"
	"schedrepl/engine/trace"
)

const (
	us = event.Time(time.Microsecond)
	ms = event.Time(time.Millisecond)
	s  = event.Time(time.Second)
)

// records is a Source made by hand.
type records []trace.Record

func (rs records) Each(f func(r *trace.Record) bool) {
	for i := range rs {
		if !f(&rs[i]) {
			return
		}
	}
}

// late is a Source that forgot what was before start.
type late struct {
	records
	start event.Time
}

func (l late) Start() event.Time { return l.start }

// stream writes records and keeps the state that makes them legal.
type stream struct {
	rs   records
	now  event.Time
	cur  []int32
	step func(from, to event.Time) // called before time moves on
}

func newStream(ncpu int) *stream { return &stream{cur: make([]int32, ncpu)} }

func (b *stream) at(t event.Time) *stream {
	if t < b.now {
		panic("time goes back")
	}
	if b.step != nil && t > b.now {
		b.step(b.now, t)
	}
	b.now = t
	return b
}

func (b *stream) put(r trace.Record) *stream {
	r.Time = b.now
	b.rs = append(b.rs, r)
	return b
}

func (b *stream) fork(pid, parent int32) *stream {
	return b.put(trace.Record{Kind: trace.KindFork, Task: pid, Other: parent, State: trace.NewTask})
}

func (b *stream) wakeNew(pid int32, cpu int) *stream {
	return b.put(trace.Record{Kind: trace.KindWakeupNew, Task: pid, Other: int32(cpu), Reason: trace.CPUIdle, Pick: trace.CPUPrev})
}

func (b *stream) wake(pid int32, cpu int, why trace.Reason) *stream {
	return b.put(trace.Record{Kind: trace.KindWakeup, Task: pid, Other: int32(cpu), Reason: why, Pick: trace.CPUPrev})
}

// spawn forks tasks and wakes them on one CPU.
func (b *stream) spawn(cpu int, pids ...int32) *stream {
	for _, pid := range pids {
		b.fork(pid, 0).wakeNew(pid, cpu)
	}
	return b
}

// run switches a CPU to a task; the one that leaves is in state and does so
// for the reason given.
func (b *stream) run(cpu int, next int32, state trace.State, why trace.Reason) *stream {
	r := trace.Record{Kind: trace.KindSwitch, CPU: int16(cpu), Task: b.cur[cpu], Other: next, State: state, Reason: why, Pick: trace.PickLeftmost}
	if next == 0 {
		r.Pick = trace.PickIdle
	}
	if r.Task == 0 {
		r.State = trace.NoState
	}
	b.cur[cpu] = next
	return b.put(r)
}

func (b *stream) migrate(pid int32, from, to int) *stream {
	return b.put(trace.Record{Kind: trace.KindMigrate, CPU: int16(to), Task: pid, A: int64(from), B: int64(to), Pick: trace.CPULeastLoad})
}

func (b *stream) charge(cpu int, cost event.Time) *stream {
	return b.put(trace.Record{Kind: trace.KindCharge, CPU: int16(cpu), Task: b.cur[cpu], A: int64(cost), Reason: trace.ChargeInterrupt})
}

func (b *stream) exit(cpu int) *stream {
	return b.put(trace.Record{Kind: trace.KindExit, CPU: int16(cpu), Task: b.cur[cpu]})
}

func (b *stream) state(pid int32, state trace.State) *stream {
	return b.put(trace.Record{Kind: trace.KindState, Task: pid, State: state})
}

// moment is what is true from one nanosecond to the next, by the books of the
// generator.
type moment struct {
	cur   []int32
	phase map[int32]phase
	cpu   map[int32]int
}

// story is a random legal stream with its books.
type story struct {
	*stream
	ncpu    int
	ntask   int32
	phase   map[int32]phase
	cpu     map[int32]int
	exiting map[int32]bool
	why     map[int32]Cause // what began the present wait
	moments []moment
	causes  []map[int32]Cause // by moment
}

// drawStory makes a short random stream of every kind of event that a machine
// of some CPUs and tasks can have.
func drawStory(t *rapid.T) *story {
	g := &story{
		ncpu: rapid.IntRange(1, 3).Draw(t, "ncpu"), phase: map[int32]phase{}, cpu: map[int32]int{},
		exiting: map[int32]bool{}, why: map[int32]Cause{},
	}
	g.stream = newStream(g.ncpu)
	g.step = g.remember
	for range rapid.IntRange(0, 60).Draw(t, "records") {
		g.at(g.now + event.Time(rapid.IntRange(0, 6).Draw(t, "dt")))
		g.draw(t)
	}
	g.at(g.now + event.Time(rapid.IntRange(0, 9).Draw(t, "rest")))
	return g
}

// remember writes the books for each nanosecond that passes.
func (g *story) remember(from, to event.Time) {
	for range to - from {
		m := moment{cur: slices.Clone(g.cur), phase: map[int32]phase{}, cpu: map[int32]int{}}
		why := map[int32]Cause{}
		for pid := int32(1); pid <= g.ntask; pid++ {
			m.phase[pid], m.cpu[pid], why[pid] = g.phase[pid], g.cpu[pid], g.why[pid]
		}
		g.moments = append(g.moments, m)
		g.causes = append(g.causes, why)
	}
}

// pids lists the tasks in a phase, on one CPU or on any (-1).
func (g *story) pids(p phase, cpu int) []int32 {
	var out []int32
	for pid := int32(1); pid <= g.ntask; pid++ {
		if g.phase[pid] == p && (cpu < 0 || g.cpu[pid] == cpu) {
			out = append(out, pid)
		}
	}
	return out
}

func (g *story) draw(t *rapid.T) {
	cpu := rapid.IntRange(0, g.ncpu-1).Draw(t, "cpu")
	one := func(pids []int32) (int32, bool) {
		if len(pids) == 0 {
			return 0, false
		}
		return rapid.SampledFrom(pids).Draw(t, "pid"), true
	}
	waits := func(pid int32, on int) {
		g.phase[pid], g.cpu[pid] = waiting, on
		last := g.rs[len(g.rs)-1]
		g.why[pid] = Cause{Kind: last.Kind, Reason: last.Reason, Pick: last.Pick}
	}
	switch rapid.IntRange(0, 10).Draw(t, "what") {
	case 0:
		if g.ntask < 6 {
			g.ntask++
			g.fork(g.ntask, g.cur[cpu])
			g.phase[g.ntask] = fresh
		}
	case 1:
		if pid, ok := one(g.pids(fresh, -1)); ok {
			g.wakeNew(pid, cpu)
			waits(pid, cpu)
		}
	case 2:
		if pid, ok := one(g.pids(sleeping, -1)); ok {
			g.wake(pid, cpu, trace.WithinGran)
			waits(pid, cpu)
		}
	case 3:
		if pid, ok := one(g.pids(waiting, -1)); ok {
			g.migrate(pid, g.cpu[pid], cpu)
			g.cpu[pid] = cpu
		}
	case 4:
		g.charge(cpu, event.Time(rapid.IntRange(0, 9).Draw(t, "cost")))
	case 5:
		if pid := g.cur[cpu]; pid != 0 && !g.exiting[pid] {
			g.exit(cpu)
			g.exiting[pid] = true
		}
	case 6:
		if pid, ok := one(append(g.pids(sleeping, -1), g.pids(waiting, -1)...)); ok {
			g.state(pid, trace.Stopped)
			g.phase[pid] = stopped
		}
	case 7:
		if pid, ok := one(g.pids(stopped, -1)); ok {
			g.state(pid, trace.Running)
			waits(pid, g.cpu[pid])
		}
	default:
		g.drawSwitch(t, cpu, one, waits)
	}
}

func (g *story) drawSwitch(t *rapid.T, cpu int, one func([]int32) (int32, bool), waits func(int32, int)) {
	prev := g.cur[cpu]
	next, _ := one(append(g.pids(waiting, cpu), 0))
	if next == prev { // both idle
		return
	}
	states := []trace.State{trace.Running, trace.Sleeping, trace.Stopped}
	if g.exiting[prev] {
		states = []trace.State{trace.Running, trace.Exited}
	}
	state := rapid.SampledFrom(states).Draw(t, "state")
	why := rapid.SampledFrom([]trace.Reason{trace.SliceEnd, trace.WakeupPreempt, trace.Yielded}).Draw(t, "why")
	if state != trace.Running {
		why = trace.Blocked
	}
	g.run(cpu, next, state, why)
	if prev != 0 {
		if state == trace.Running {
			waits(prev, cpu)
		} else {
			g.phase[prev], g.cpu[prev] = phaseOf(state), cpu
		}
	}
	if next != 0 {
		g.phase[next], g.cpu[next] = running, cpu
	}
}

// drawWindow draws a window of the story that may reach beyond its end.
func (g *story) drawWindow(t *rapid.T) Window {
	since := event.Time(rapid.IntRange(0, int(g.now)).Draw(t, "since"))
	w := From(since, g.now)
	if rapid.Bool().Draw(t, "bounded") {
		w.Until = event.Time(rapid.IntRange(int(since), int(g.now)+5).Draw(t, "until"))
	}
	return w
}

// inside calls f for each nanosecond of the story inside a window.
func (g *story) inside(w Window, f func(t event.Time, m moment)) {
	for i, m := range g.moments {
		if w.holds(event.Time(i)) {
			f(event.Time(i), m)
		}
	}
}

// show prints samples for comparison.
func show(s Samples) string {
	var out string
	for i := range s.Values {
		out += fmt.Sprintf("%d:%v@%d ", s.PID[i], s.Values[i], s.At[i])
	}
	return out
}
