package engine

import (
	"fmt"

	"schedrepl/engine/event"
	"schedrepl/engine/rng"
	"schedrepl/engine/trace"
	"schedrepl/engine/workload"
)

// control is a call at a moment, once or again and again.
type control struct {
	id     event.ID
	period event.Time // 0: once
	fn     func() error
	live   bool
	gen    int32
}

// maxControls bounds the controls of one instant.
const maxControls = 100_000

// Handle names a control or a watch, so that it can be cancelled.
type Handle struct {
	index, gen int32
	watch      *watch
}

// At calls fn at an instant, in the context of CPU 0, after the timers of that
// instant and before the step of the task that runs there. fn may change
// anything but not run the machine; an error that it returns ends the run.
func (m *Machine) At(at event.Time, fn func() error) (Handle, error) {
	if at < m.core.Now {
		return Handle{}, fmt.Errorf("at: %v is in the past; it is %v now", at, m.core.Now)
	}
	return m.addControl(at, 0, fn), nil
}

// Every calls fn each period, first one period from now.
func (m *Machine) Every(period event.Time, fn func() error) (Handle, error) {
	if period <= 0 {
		return Handle{}, fmt.Errorf("every: the period must be longer than 0, not %v", period)
	}
	return m.addControl(m.core.Now+period, period, fn), nil
}

func (m *Machine) addControl(at, period event.Time, fn func() error) Handle {
	var i int32
	if n := len(m.freeCtl); n > 0 {
		i = m.freeCtl[n-1]
		m.freeCtl = m.freeCtl[:n-1]
	} else {
		m.controls = append(m.controls, control{})
		i = int32(len(m.controls) - 1)
	}
	gen := m.controls[i].gen + 1
	m.controls[i] = control{period: period, fn: fn, live: true, gen: gen, id: m.newEvent(controlEvent, i)}
	m.armFor(m.controls[i].id, 0, event.Control, at)
	return Handle{index: i, gen: gen}
}

// Cancel takes a control or a watch back. It does nothing if that has passed.
func (m *Machine) Cancel(h Handle) {
	if h.watch != nil {
		h.watch.live = false
		return
	}
	if h.gen != 0 && m.controls[h.index].live && m.controls[h.index].gen == h.gen {
		m.dropControl(h.index)
	}
}

func (m *Machine) dropControl(i int32) {
	m.freeEvent(m.controls[i].id)
	m.controls[i].live = false
	m.controls[i].fn = nil
	m.freeCtl = append(m.freeCtl, i)
}

// control is the event of a control.
func (m *Machine) control(i int32) {
	c := m.controls[i]
	if m.controlsAt != m.core.Now {
		m.controlsAt, m.controlsHere = m.core.Now, 0
	}
	if m.controlsHere++; m.controlsHere > maxControls {
		m.controlsHere = 0
		m.failure = fmt.Errorf("at: callbacks arm each other without end at %v: %d so far; let some time pass between them", m.core.Now, maxControls)
		m.dropControl(i)
		return
	}
	if next := m.core.Now + c.period; c.period > 0 && next > m.core.Now && next < event.Never {
		m.q.Arm(c.id, 0, event.Control, next, m.core.Now)
	} else {
		m.dropControl(i) // it was to come once, or comes next after the end of time
	}
	if err := c.fn(); err != nil && m.failure == nil {
		m.failure = err
	}
}

// watch is a callback on records of one kind.
type watch struct {
	kind trace.Kind
	fn   func(trace.Record) error
	live bool
}

type pendingWatch struct {
	w *watch
	r trace.Record
}

// On calls fn for each record of a kind from now on, at the end of the instant
// in which it was made, so that no decision is changed while it is taken.
func (m *Machine) On(kind trace.Kind, fn func(trace.Record) error) Handle {
	if len(m.watches) == 0 {
		m.core.AddSink(watchSink{m})
	}
	w := &watch{kind: kind, fn: fn, live: true}
	m.watches = append(m.watches, w)
	return Handle{watch: w}
}

// watchSink collects the records that callbacks wait for.
type watchSink struct{ m *Machine }

func (s watchSink) Record(r *trace.Record) {
	for _, w := range s.m.watches {
		if w.live && w.kind == r.Kind {
			s.m.pending = append(s.m.pending, pendingWatch{w, *r})
		}
	}
}

// runWatches calls back for the records of the instant that has just ended.
// Records that the callbacks make themselves are told at the end of the next
// one.
func (m *Machine) runWatches() {
	if len(m.pending) == 0 {
		return
	}
	todo := m.pending
	m.pending = nil
	for _, p := range todo {
		if !p.w.live {
			continue
		}
		if err := p.w.fn(p.r); err != nil && m.failure == nil {
			m.failure = err
			return
		}
	}
}

// irqSource is a load of interrupts on one CPU.
type irqSource struct {
	id     event.ID
	cpu    int
	gap    workload.Dist
	cost   workload.Dist
	stream rng.Stream
}

// Interrupts lets a CPU take interrupts, gap apart, that cost what cost draws:
// devices, the network, other timers. name picks the random stream.
func (m *Machine) Interrupts(cpu int, name string, gap, cost workload.Dist) error {
	if cpu < 0 || cpu >= len(m.cpus) {
		return fmt.Errorf("interrupts: CPU %d does not exist (machine has 0-%d)", cpu, len(m.cpus)-1)
	}
	for _, d := range []workload.Dist{gap, cost} {
		if err := d.Validate(); err != nil {
			return fmt.Errorf("interrupts: %w", err)
		}
	}
	if v, fixed := gap.Fixed(); fixed && v <= 0 || gap.Mean() <= 0 {
		return fmt.Errorf("interrupts: gap %v: it must be longer than 0 on average", gap)
	}
	src := irqSource{cpu: cpu, gap: gap, cost: cost}
	src.stream = rng.NewStream(m.seed.Named("irq").Named(name).Numbered(uint64(cpu)))
	i := int32(len(m.irqs))
	src.id = m.newEvent(irqEvent, i)
	m.irqs = append(m.irqs, src)
	m.outside()
	m.Sync(cpu)
	m.armIRQ(i)
	m.showTick(cpu)
	return nil
}

func (m *Machine) armIRQ(i int32) {
	src := &m.irqs[i]
	gap := max(src.gap.Draw(&src.stream), 1)
	m.q.Arm(src.id, src.cpu, event.Timer, m.core.Now+event.Time(gap), m.core.Now)
}

// interrupt is one interrupt of a load.
func (m *Machine) interrupt(i int32, cpu int) {
	src := &m.irqs[i]
	if d := src.cost.Draw(&src.stream); d > 0 {
		m.Charge(cpu, event.Time(d), trace.ChargeInterrupt)
	}
	m.armIRQ(i)
}
