// Package bench is the suite of benchmarks by which the speed of the engine is
// watched: machines with fixed workloads at fixed seeds, of Linux 3.3, without
// costs and reasons unless a case says otherwise, and with tick skipping on.
//
// The package builds and runs them and counts what happened; it knows no clock.
// Timing is the caller's.
package bench

import (
	"fmt"
	"time"

	"schedrepl/engine"
	"schedrepl/engine/cost"
	"schedrepl/engine/event"
	"schedrepl/engine/kernel"
	"schedrepl/engine/topology"
)

// Case is one benchmark: a machine, and how far it runs.
type Case struct {
	// Name is the workload: "hogs/4perCPU". Name, CPUs and Tasks together are
	// unlike those of any other case.
	Name  string
	CPUs  int
	Tasks int    // that the machine starts with
	Doc   string // one line

	// Warm is the simulated time that belongs to no measurement. The digest of a
	// case is that of the records up to Warm, so that it does not depend on how
	// long is measured. Step is the length of one stretch: some 1,000 switches, or
	// a few for each CPU, so that some of many come to pass with nobody else on the
	// core: on a shared machine such moments last less than a millisecond.
	Warm, Step time.Duration

	HZ       int  // 0 for 250
	AllTicks bool // simulate every tick
	Reasons  bool // record requests to reschedule, and keep the last records

	// Sims is how many machines run, with seeds from 1, each to Warm and no
	// further; 0 is one machine that runs on. Jobs is how many at a time.
	Sims, Jobs int

	Goal Goal

	build func(b *builder)
}

// ID is the name, the CPUs and the tasks of a case as they stand in results.
func (c *Case) ID() string { return fmt.Sprintf("%s cpus=%d tasks=%d", c.Name, c.CPUs, c.Tasks) }

// Large reports whether what the case touches is beyond the second-level cache
// of usual CPUs, so that timings scatter more.
func (c *Case) Large() bool { return c.CPUs >= 1024 || c.Tasks >= 10_000 }

// Keep is how many trace records the machines of timed runs with reasons keep.
const Keep = 1 << 16

// keep is how many records the machine of a case keeps. Those that it does not
// keep are made and folded into the digest all the same.
func (c *Case) keep() int {
	if c.Reasons {
		return Keep
	}
	return -1
}

// Setup is how a case is set up. The zero value is the case as it is timed.
type Setup struct {
	// Seed is that of the machine, 0 for 1.
	Seed uint64
	// Bare leaves the tasks out: what else the machine has stays.
	Bare bool
	// AllTicks simulates every tick, whatever the case says.
	AllTicks bool
}

// Start builds the machine of a case.
func (c *Case) Start(s Setup) (*Run, error) {
	m, err := machine(engine.Config{
		HZ: c.HZ, Seed: max(s.Seed, 1), AllTicks: c.AllTicks || s.AllTicks,
		LogLimit: c.keep(), NoReasons: !c.Reasons,
	}, c.CPUs)
	if err != nil {
		return nil, err
	}
	b := &builder{m: m, bare: s.Bare}
	if c.build(b); b.err != nil {
		return nil, fmt.Errorf("benchmark %s: %w", c.ID(), b.err)
	}
	return &Run{c: c, m: m}, nil
}

// machine returns an empty machine of Linux 3.3, without costs.
func machine(cfg engine.Config, cpus int) (*engine.Machine, error) {
	topo, err := topology.SMP(cpus)
	if err != nil {
		return nil, err
	}
	k, _, err := kernel.Lookup("3.3")
	if err != nil {
		return nil, err
	}
	cfg.Topology, cfg.Kernel, cfg.Costs = topo, k, cost.None()
	return engine.New(cfg)
}

// Run is a case that runs.
type Run struct {
	c *Case
	m *engine.Machine
}

// SetPoll sets a function that is called every 1,024 events; an error that it
// returns ends Warm and Step.
func (r *Run) SetPoll(f func() error) { r.m.SetPoll(f) }

// Warm runs to the moment from which on a case may be timed, and returns the
// digest of all decisions up to it.
func (r *Run) Warm() (digest string, err error) {
	if err := r.m.RunUntil(max(event.Time(r.c.Warm), r.m.Now())); err != nil {
		return "", err
	}
	return r.m.Digest(), nil
}

// Step runs one stretch.
func (r *Run) Step() error { return r.m.RunUntil(r.m.Now().Add(r.c.Step)) }

// Counts returns what has happened since the machine was made.
func (r *Run) Counts() Counts {
	n := Counts{
		Now: time.Duration(r.m.Now()), Events: r.m.Events(), Switches: r.m.Switches(),
		Records: r.m.Records(),
	}
	if l := r.m.Log(); l != nil {
		n.Kept = uint64(l.Len())
	}
	return n
}

// Counts are counters of a machine.
type Counts struct {
	Now      time.Duration // simulated time
	Events   uint64        // events handled
	Switches uint64        // context switches
	Records  uint64        // trace records made
	Kept     uint64        // those that the machine keeps at the moment
}

// Sub returns what was counted from before to c. Kept stays as it is.
func (c Counts) Sub(before Counts) Counts {
	c.Now -= before.Now
	c.Events -= before.Events
	c.Switches -= before.Switches
	c.Records -= before.Records
	return c
}

// Add returns the counts of two machines together.
func (c Counts) Add(d Counts) Counts {
	return Counts{c.Now + d.Now, c.Events + d.Events, c.Switches + d.Switches, c.Records + d.Records, c.Kept + d.Kept}
}
