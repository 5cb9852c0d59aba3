package bench

import (
	"fmt"
	"math"
	"runtime"
	"syscall"
	"testing"
	"time"

	"schedrepl/engine"
	"schedrepl/engine/event"
)

// cpuTime returns the CPU time of the process in ns: wall time says little on
// a machine that is shared.
func cpuTime(b *testing.B) int64 {
	var ru syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &ru); err != nil {
		b.Fatal(err)
	}
	return ru.Utime.Nano() + ru.Stime.Nano()
}

// run runs a machine in steps until it has made b.N switches or more.
func run(b *testing.B, build func() (*engine.Machine, error), step event.Time) {
	m, err := build()
	if err != nil {
		b.Fatal(err)
	}
	for m.Log().Total() < 2*Keep { // warm up, until the log forgets as it goes
		if err := m.RunUntil(m.Now() + step); err != nil {
			b.Fatal(err)
		}
	}
	first, events := m.Switches(), m.Events()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	b.ResetTimer()
	start := cpuTime(b)
	best := math.Inf(1)
	for m.Switches()-first < uint64(b.N) {
		// The fastest of many short stretches says what the code costs; the
		// mean says as much about who else uses the machine.
		n, t := m.Switches(), time.Now()
		if err := m.RunUntil(m.Now() + step); err != nil {
			b.Fatal(err)
		}
		best = min(best, float64(time.Since(t))/float64(m.Switches()-n))
	}
	cpu := cpuTime(b) - start
	b.StopTimer()
	runtime.ReadMemStats(&after)
	events = m.Events() - events
	n := float64(m.Switches() - first)
	b.ReportMetric(float64(cpu)/n, "cpu-ns/switch")
	b.ReportMetric(best, "best-ns/switch")
	b.ReportMetric(float64(events)/n, "events/switch")
	b.ReportMetric(float64(after.Mallocs-before.Mallocs)*1e6/float64(events), "allocs/Mevent")
}

var sizes = []int{4, 64, 256, 1024}

func BenchmarkHogs(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprintf("cpus=%d", n), func(b *testing.B) {
			run(b, func() (*engine.Machine, error) { return Hogs(n, 4, Keep) }, max(40_000_000, 4_000_000_000/event.Time(n)))
		})
	}
}

func BenchmarkPipe(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprintf("cpus=%d", n), func(b *testing.B) {
			run(b, func() (*engine.Machine, error) { return Pipe(n) }, max(100_000, 10_000_000/event.Time(n)))
		})
	}
}

// BenchmarkTask reports the live heap of a machine per task; it measures once,
// whatever b.N.
func BenchmarkTask(b *testing.B) {
	heap := func(per int) uint64 {
		m, err := Hogs(256, per, -1)
		if err != nil {
			b.Fatal(err)
		}
		runtime.GC()
		var ms runtime.MemStats
		runtime.ReadMemStats(&ms)
		runtime.KeepAlive(m)
		return ms.HeapAlloc
	}
	few, many := heap(4), heap(44)
	b.ReportMetric(float64(many-few)/(256*40), "bytes/task")
}
