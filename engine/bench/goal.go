package bench

// Goal is what a case is to reach.
type Goal struct {
	// NsPerSwitch is the most CPU time for a context switch, with everything
	// that led to it, in ns; 0 for none. It allows a finished model 1.7 to 2.7
	// times what a bare prototype (run queues, wakeup placement and a heap of
	// events, but no task groups) took on a server CPU of 2021.
	NsPerSwitch float64
	// SimPerCPU is the least simulated time for a second of CPU time, in s; 0
	// for none. It is what LinSched, the scheduler of Linux 2.6.32 in user space
	// with every tick of every CPU, reached on the same job on that CPU.
	SimPerCPU float64
	// NoEvents: nothing happens, so no event may be handled.
	NoEvents bool
}

// Goals of all cases.
const (
	// MaxBytesPerTask is the most live heap for a task, judged where ManyTasks
	// says so.
	MaxBytesPerTask = 400
	// MaxAllocs is the most allocations in a million events.
	MaxAllocs = 10
)

// ManyTasks reports whether what the tasks of a case need outweighs what the
// first task on a CPU or in a group needs.
func (c *Case) ManyTasks() bool { return c.Tasks >= 1000 && c.Tasks >= 10*c.CPUs }

// Curve is a bound on how the time of a switch grows from one case to another.
type Curve struct {
	Name     string
	Of, Over string // IDs of cases; the times of the first over those of the second
	Most     float64
}

// Curves returns the bounds on growth.
func Curves() []Curve {
	return []Curve{
		{"hogs, 1024 CPUs over 4", "hogs/4perCPU cpus=1024 tasks=4096", "hogs/4perCPU cpus=4 tasks=16", 1.8},
		{"pipe, 1024 CPUs over 4", "pipe cpus=1024 tasks=2048", "pipe cpus=4 tasks=8", 1.8},
		{"hogs with reasons over without", "reasons/hogs cpus=4 tasks=16", "hogs/4perCPU cpus=4 tasks=16", 1.15},
		{"pipe with reasons over without", "reasons/pipe cpus=4 tasks=8", "pipe cpus=4 tasks=8", 1.15},
		{"hogs on 4 CPUs, 100000 over 16", "hogs/deep cpus=4 tasks=100000", "hogs/4perCPU cpus=4 tasks=16", 4},
	}
}

// SameDigest lists pairs of cases whose digests must be equal.
func SameDigest() [][2]string {
	return [][2]string{{"sweep/j1 cpus=16 tasks=640", "sweep/j2 cpus=16 tasks=640"}}
}
