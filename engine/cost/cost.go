// Package cost says what things cost in simulated time: the table that turns
// a pure model of decisions into one of a machine. Each cost runs on the CPU
// that executes the code; it delays the next user instruction there and is
// part of the run time of whoever is current.
package cost

import (
	"fmt"
	"strings"
	"time"
)

// Table is what mechanisms cost. The zero value costs nothing. All times are
// non-negative and at most Max.
type Table struct {
	// Name is the preset that the table began as.
	Name string
	// Switch is a context switch to another address space, SwitchThread one
	// between threads of one process; charged to the incoming task.
	Switch, SwitchThread time.Duration
	// Tick is one timer tick of a busy CPU.
	Tick time.Duration
	// Timer is the interrupt of a timer that wakes a task.
	Timer time.Duration
	// Wakeup is waking a task, paid by the waker's CPU; WakeupLevel is added
	// per level of task groups above the task.
	Wakeup, WakeupLevel time.Duration
	// IPI is how long a reschedule interrupt takes to reach another CPU;
	// IPIEntry is what taking it costs that CPU.
	IPI, IPIEntry time.Duration
	// Fork, Exec and Exit are the scheduler's part of these calls.
	Fork, Exec, Exit time.Duration
	// MoveSame is a group move that returns early; MoveBase plus MoveLevel
	// per level of the old and the new group is a full one.
	MoveSame, MoveBase, MoveLevel time.Duration
	// GroupNew plus GroupNewCPU per CPU is making a task group.
	GroupNew, GroupNewCPU time.Duration
	// SharesCPU, per CPU and level, is setting the weight of a group.
	SharesCPU time.Duration
	// Syscall is any other system call of a program.
	Syscall time.Duration

	// WaitForEvent: a task whose step ended in a reschedule that returned to
	// it takes its next step at the next event of its CPU, not at once. The
	// user-space recorder of the 3.3 reference schedules did so.
	WaitForEvent bool
}

// Max is the largest cost that a table may hold.
const Max = time.Second

// None is the pure model: nothing costs time.
func None() Table { return Table{Name: "none"} }

// Recorder is the ideal machine on which the scheduler code of 3.3 was
// recorded in user space: no costs, but a reschedule of another CPU takes
// 1 ns, and a program goes on after a futile reschedule at the next event.
func Recorder() Table {
	return Table{Name: "recorder", IPI: time.Nanosecond, WaitForEvent: true}
}

// Default is a mid-range x86 server of the years around 2015 to 2020.
// Published: the context switch between threads (pinned futex and pipe
// ping-pong, Bendersky 2018) and between processes. All others are
// engineering estimates, to be replaced by what a user has measured.
func Default() Table {
	return Table{
		Name:   "default",
		Switch: 2 * time.Microsecond, SwitchThread: 1200 * time.Nanosecond,
		Tick:   1500 * time.Nanosecond,
		Timer:  time.Microsecond,
		Wakeup: time.Microsecond, WakeupLevel: 150 * time.Nanosecond,
		IPI: 2 * time.Microsecond, IPIEntry: time.Microsecond,
		Fork: 2 * time.Microsecond, Exec: 2 * time.Microsecond, Exit: 2 * time.Microsecond,
		MoveSame: 100 * time.Nanosecond, MoveBase: 500 * time.Nanosecond, MoveLevel: 300 * time.Nanosecond,
		GroupNew: 10 * time.Microsecond, GroupNewCPU: 500 * time.Nanosecond,
		SharesCPU: 300 * time.Nanosecond,
		Syscall:   200 * time.Nanosecond,
	}
}

// Presets returns the tables known by name.
func Presets() []Table { return []Table{None(), Default(), Recorder()} }

// entry is one cost by name.
type entry struct {
	name string
	doc  string
	at   func(t *Table) *time.Duration
}

var entries = []entry{
	{"switch", "context switch to another address space", func(t *Table) *time.Duration { return &t.Switch }},
	{"switch_thread", "context switch between threads of one process", func(t *Table) *time.Duration { return &t.SwitchThread }},
	{"tick", "timer tick of a busy CPU", func(t *Table) *time.Duration { return &t.Tick }},
	{"timer", "interrupt of a timer that wakes a task", func(t *Table) *time.Duration { return &t.Timer }},
	{"wakeup", "waking a task", func(t *Table) *time.Duration { return &t.Wakeup }},
	{"wakeup_level", "added per level of task groups above the task", func(t *Table) *time.Duration { return &t.WakeupLevel }},
	{"ipi", "delay of a reschedule interrupt to another CPU", func(t *Table) *time.Duration { return &t.IPI }},
	{"ipi_entry", "taking a reschedule interrupt", func(t *Table) *time.Duration { return &t.IPIEntry }},
	{"fork", "scheduler's part of fork", func(t *Table) *time.Duration { return &t.Fork }},
	{"exec", "scheduler's part of execve", func(t *Table) *time.Duration { return &t.Exec }},
	{"exit", "scheduler's part of exit", func(t *Table) *time.Duration { return &t.Exit }},
	{"move_same", "group move that returns early", func(t *Table) *time.Duration { return &t.MoveSame }},
	{"move_base", "group move", func(t *Table) *time.Duration { return &t.MoveBase }},
	{"move_level", "added per level of the old and the new group", func(t *Table) *time.Duration { return &t.MoveLevel }},
	{"group_new", "making a task group", func(t *Table) *time.Duration { return &t.GroupNew }},
	{"group_new_cpu", "added per CPU", func(t *Table) *time.Duration { return &t.GroupNewCPU }},
	{"shares_cpu", "setting a group's weight, per CPU and level", func(t *Table) *time.Duration { return &t.SharesCPU }},
	{"syscall", "any other system call of a program", func(t *Table) *time.Duration { return &t.Syscall }},
}

// Names lists the costs that Set and Get know, in the order of the table.
func Names() []string {
	out := make([]string, len(entries))
	for i, e := range entries {
		out[i] = e.name
	}
	return out
}

// Doc returns what a cost is for, "" for an unknown name.
func Doc(name string) string {
	for _, e := range entries {
		if e.name == name {
			return e.doc
		}
	}
	return ""
}

// Get returns a cost by name.
func (t *Table) Get(name string) (time.Duration, bool) {
	for _, e := range entries {
		if e.name == name {
			return *e.at(t), true
		}
	}
	return 0, false
}

// Set gives a cost a value. It fails for an unknown name, listing the known
// ones, and for a value outside 0 to Max.
func (t *Table) Set(name string, d time.Duration) error {
	for _, e := range entries {
		if e.name != name {
			continue
		}
		if d < 0 || d > Max {
			return fmt.Errorf("cost: %s: %v is outside 0 to %v", name, d, Max)
		}
		*e.at(t) = d
		return nil
	}
	return fmt.Errorf("cost: unknown cost %q; costs: %s", name, strings.Join(Names(), ", "))
}

// Validate reports the first cost that is out of range, or a tick that costs
// as much as its own period at hz.
func (t *Table) Validate(hz int) error {
	for _, e := range entries {
		if d := *e.at(t); d < 0 || d > Max {
			return fmt.Errorf("cost: %s: %v is outside 0 to %v", e.name, d, Max)
		}
	}
	if hz > 0 && t.Tick >= time.Second/time.Duration(hz) {
		return fmt.Errorf("cost: tick: %v leaves no time between ticks at %d Hz", t.Tick, hz)
	}
	return nil
}
