package engine

import (
	"fmt"
	"slices"

	"schedrepl/engine/event"
	"schedrepl/engine/rng"
	"schedrepl/engine/sched"
	"schedrepl/engine/sched/fair"
	"schedrepl/engine/sched/idle"
	"schedrepl/engine/sched/stop"
	"schedrepl/engine/trace"
	"schedrepl/engine/workload"
)

// Machine is one simulated machine.
type Machine struct {
	cfg  Config
	core *sched.Core
	fair *fair.Class
	q    event.Queue
	prog workload.Interp
	seed rng.Seed

	cpus  []cpuState
	tasks []taskState

	rec *trace.Recorder

	// inside is set while an event is handled; curCPU is then its CPU.
	inside bool
	curCPU int
	// topCPU is the highest CPU that has had a turn at the instant topAt. CPUs
	// take their turns in ascending order, so that those below have had theirs,
	// with or without events, even if one of them gets another turn.
	topCPU int
	topAt  event.Time
	// partial is set when a run ended before all CPUs had their turn.
	partial bool
	late    []late
	// touched lists the CPUs whose next interesting tick may have changed.
	touched []*cpuState

	owners    []owner
	freeIDs   []event.ID
	controls  []control
	freeCtl   []int32
	watches   []*watch
	pending   []pendingWatch
	irqs      []irqSource
	spanNames []int32
	spawned   map[string]uint64
	marks     map[string]event.Time
	calls     func(pid int32, fn int32) (*workload.Program, error)
	poll      func() error
	pollIn    int
	stepsHere int // program steps since time last passed
	stepsAt   event.Time
	// controlsHere counts the controls at the instant controlsAt.
	controlsHere int
	controlsAt   event.Time
	// asking is set while a run asks at each instant whether to stop: no tick
	// is skipped then, so that it asks at the same instants either way.
	asking     bool
	events     uint64
	failure    error
	action     workload.Action // scratch for the interpreter
	maxInstant int
	files      files
}

// New assembles a machine. All its CPUs are idle at time 0.
func New(cfg Config) (*Machine, error) {
	if cfg.HZ == 0 {
		cfg.HZ = DefaultHZ
	}
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	m := &Machine{
		cfg: cfg, seed: rng.Seed(cfg.Seed), spawned: map[string]uint64{},
		marks: map[string]event.Time{}, maxInstant: cfg.MaxInstant,
	}
	if m.maxInstant <= 0 {
		m.maxInstant = 1_000_000
	}
	n := cfg.Topology.NumCPU()
	m.core = sched.New(cfg.Topology, cfg.Kernel, cfg.Costs, cfg.HZ, m)
	m.core.NoReasons = cfg.NoReasons
	if cfg.NoAutogroup {
		m.core.AutogroupOn = false
	}
	m.fair = fair.New(m.core)
	m.core.SetClasses(stop.New(m.core), m.fair, idle.Class{})
	m.cpus = make([]cpuState, n)
	for cpu := range m.cpus {
		s := &m.cpus[cpu]
		s.cpu, s.rq = cpu, &m.core.CPUs[cpu]
		s.nextTick = event.Never
		if cfg.SkewTick {
			s.offset = event.Time(int64(m.core.Period) / 2 * int64(cpu) / int64(n))
		}
	}
	m.q.Grow(3 * n)
	m.rec = trace.NewRecorder(cfg.LogLimit)
	m.core.SetRecorder(m.rec)
	m.files.init(m, nil)
	return m, nil
}

// Config returns what the machine was made from.
func (m *Machine) Config() Config { return m.cfg }

// Core gives read access to tasks, groups and names, with run times and virtual
// times brought up to the last tick. Calls that change anything must go through
// the machine.
func (m *Machine) Core() *sched.Core {
	for cpu := range m.cpus {
		m.Sync(cpu)
	}
	return m.core
}

// Fair gives read access to the fair class.
func (m *Machine) Fair() *fair.Class { return m.fair }

// Now returns the present.
func (m *Machine) Now() event.Time { return m.core.Now }

// Log returns the records kept, nil if none are.
func (m *Machine) Log() *trace.Log { return m.rec.Log() }

// Digest returns a text that is equal for equal runs.
func (m *Machine) Digest() string { return m.rec.Digest() }

// Records returns how many trace records were made so far.
func (m *Machine) Records() uint64 { return uint64(m.rec.Total()) }

// Events returns how many events were handled so far.
func (m *Machine) Events() uint64 { return m.events }

// Switches returns how many context switches there were so far.
func (m *Machine) Switches() uint64 { return m.core.Switches() }

// AddSink adds a sink for the records from now on.
func (m *Machine) AddSink(s trace.Sink) { m.core.AddSink(s) }

// TickOffset returns where the ticks of a CPU lie within the period.
func (m *Machine) TickOffset(cpu int) event.Time { return m.cpus[cpu].offset }

// SetPoll sets a function that long runs call every 1,024 events; an error
// that it returns ends the run, with the machine as it is then.
func (m *Machine) SetPoll(f func() error) { m.poll = f }

// SetCalls sets what answers a program's call step: the steps to run next.
func (m *Machine) SetCalls(f func(pid, fn int32) (*workload.Program, error)) { m.calls = f }

// Check returns an error that names the first broken invariant.
func (m *Machine) Check() error {
	if err := m.core.Check(); err != nil {
		return err
	}
	for cpu := range m.cpus {
		idle := m.core.Curr(cpu) == sched.NoTask
		if ticks := m.cpus[cpu].nextTick != event.Never; ticks == idle {
			return fmt.Errorf("engine: CPU %d: idle %v and ticking %v", cpu, idle, ticks)
		}
	}
	return nil
}

// Event ids: per CPU a tick, the end of a burst and an interrupt from another
// CPU; then, as they are needed, one for each task's timer, each control and
// each source of interrupts.
func (m *Machine) tickID(cpu int) event.ID  { return event.ID(cpu) }
func (m *Machine) burstID(cpu int) event.ID { return event.ID(len(m.cpus) + cpu) }
func (m *Machine) ipiID(cpu int) event.ID   { return event.ID(2*len(m.cpus) + cpu) }

// owner says what the event with an id beyond those of the CPUs belongs to.
type owner struct {
	kind  ownerKind
	index int32
}

type ownerKind uint8

const (
	timerEvent ownerKind = iota
	controlEvent
	irqEvent
)

// newEvent returns an id for an event of its own.
func (m *Machine) newEvent(kind ownerKind, index int32) event.ID {
	if n := len(m.freeIDs); n > 0 {
		id := m.freeIDs[n-1]
		m.freeIDs = m.freeIDs[:n-1]
		m.owners[int(id)-3*len(m.cpus)] = owner{kind, index}
		return id
	}
	m.owners = append(m.owners, owner{kind, index})
	n := 3*len(m.cpus) + len(m.owners)
	m.q.Grow(n)
	return event.ID(n - 1)
}

// freeEvent takes an id back.
func (m *Machine) freeEvent(id event.ID) {
	m.q.Disarm(id)
	m.late = slices.DeleteFunc(m.late, func(l late) bool { return l.id == id })
	m.freeIDs = append(m.freeIDs, id)
}
