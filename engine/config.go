// Package engine assembles a machine from a Config, runs it to a time, and
// answers questions about it. A machine is single-threaded and deterministic:
// the same Config and the same calls give the same records, to the byte.
package engine

import (
	"fmt"

	"schedrepl/engine/cost"
	"schedrepl/engine/kernel"
	"schedrepl/engine/topology"
)

// Preempt is a preemption model: where a request to reschedule takes effect
// while the current task is inside the kernel. In user mode it takes effect at
// once under all of them.
type Preempt uint8

// Preemption models, by their words on the boot command line.
const (
	// PreemptVoluntary: at calls of cond_resched and might_sleep, and on return
	// to user mode.
	PreemptVoluntary Preempt = iota
	// PreemptNone: at calls of cond_resched and on return to user mode.
	PreemptNone
	// PreemptFull: at once.
	PreemptFull
)

// String returns the word as in preempt= of the boot command line.
func (p Preempt) String() string {
	switch p {
	case PreemptNone:
		return "none"
	case PreemptFull:
		return "full"
	}
	return "voluntary"
}

// ParsePreempt returns the model of a word.
func ParsePreempt(word string) (Preempt, error) {
	for _, p := range []Preempt{PreemptNone, PreemptVoluntary, PreemptFull} {
		if p.String() == word {
			return p, nil
		}
	}
	return 0, fmt.Errorf("preempt: %q is not a model of this build: none, voluntary, full", word)
}

// Config is what a machine is made from.
type Config struct {
	// Topology is the CPUs; required.
	Topology *topology.Topology
	// Kernel is the profile with its patches, features and tunables.
	Kernel kernel.Profile
	// HZ is timer ticks a second, 0 for 250, between 24 and 10000. The time
	// between two ticks is 10^9 ns / HZ, rounded down (300 Hz: 3,333,333 ns).
	HZ      int
	Preempt Preempt
	// SkewTick spreads the ticks of the CPUs over half a period (skew_tick=1).
	SkewTick bool
	// NoAutogroup is the boot word noautogroup.
	NoAutogroup bool
	Costs       cost.Table
	// Seed is what all random streams grow from.
	Seed uint64
	// AllTicks simulates each tick, also those that cannot matter. The trace
	// is the same.
	AllTicks bool
	// LogLimit is how many trace records to keep, 0 for the default, negative
	// for none.
	LogLimit int
	// NoReasons leaves the records out that tell of requests to reschedule: why
	// a switch is to come, and the numbers compared. The schedule is the same,
	// the digest is not.
	NoReasons bool
	// MaxInstant bounds the program steps that tasks may take without time
	// passing; 0 for the default of one million.
	MaxInstant int
}

// DefaultHZ is the tick rate of a Config that gives none.
const DefaultHZ = 250

// Validate reports the first field that is out of range.
func (c *Config) Validate() error {
	if c.Topology == nil {
		return fmt.Errorf("machine: topology: missing; give topo.smp(4), say")
	}
	if hz := c.HZ; hz != 0 && (hz < 24 || hz > 10000) {
		return fmt.Errorf("machine: hz: %d: it must lie between 24 and 10000, such as 100, 250, 300 or 1000", hz)
	}
	if c.Kernel.Version == "" {
		return fmt.Errorf("machine: kernel: missing")
	}
	hz := c.HZ
	if hz == 0 {
		hz = DefaultHZ
	}
	if err := c.Costs.Validate(hz); err != nil {
		return fmt.Errorf("machine: %w", err)
	}
	return nil
}
