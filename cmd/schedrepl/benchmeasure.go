package main

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"schedrepl/engine/bench"
)

// errStopped is that the user pressed Ctrl-C.
var errStopped = errors.New("interrupted")

// measurer measures cases.
type measurer struct {
	now     func() time.Time
	budget  benchBudget
	stopped func() bool
}

func (m *measurer) poll() error {
	if m.stopped() {
		return errStopped
	}
	return nil
}

// measure measures one case.
func (m *measurer) measure(c *bench.Case) (benchLine, error) {
	line := benchLine{Name: c.Name, CPUs: c.CPUs, Tasks: c.Tasks}
	resetPeakRSS()
	var err error
	if c.Sims > 0 {
		err = m.sweep(c, &line)
	} else {
		err = m.stretches(c, &line)
	}
	line.PeakRSS = peakRSS()
	line.round()
	return line, err
}

// liveHeap is what the garbage collector finds in use, and keeps keepAlive in
// use meanwhile.
func liveHeap(keepAlive any) uint64 {
	runtime.GC()
	var ms runtime.MemStats
	runtime.ReadMemStats(&ms)
	runtime.KeepAlive(keepAlive)
	return ms.HeapAlloc
}

// heapOf builds a case and returns how much live heap it has, without the
// records that it keeps.
func heapOf(c *bench.Case, s bench.Setup) (*bench.Run, float64, error) {
	before := liveHeap(nil)
	r, err := c.Start(s)
	if err != nil {
		return nil, 0, err
	}
	after := liveHeap(r)
	return r, float64(after) - float64(before) - float64(r.Counts().Kept)*float64(bench.RecordBytes), nil
}

// stretches measures one machine, a stretch after the other.
func (m *measurer) stretches(c *bench.Case, line *benchLine) error {
	bare := 0.0
	var err error
	if c.Tasks > 0 {
		if _, bare, err = heapOf(c, bench.Setup{Bare: true}); err != nil {
			return err
		}
	}
	r, heap, err := heapOf(c, bench.Setup{})
	if err != nil {
		return err
	}
	if c.Tasks > 0 {
		line.BytesPerTask = (heap - bare) / float64(c.Tasks)
	}
	r.SetPoll(m.poll)
	if line.Digest, err = r.Warm(); err != nil {
		return err
	}
	samples := make([]float64, 0, 1<<12) // CPU ns of a switch, by stretch
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	first, began := r.Counts(), m.now()
	last, start := first, cpuTime(m.now)
	cpu := start
	for n := 0; n < m.budget.least || cpu-start < m.budget.cpu && m.now().Sub(began) < m.budget.wall; n++ {
		if err := m.poll(); err != nil { // An idle machine does not poll.
			return err
		}
		if err := r.Step(); err != nil {
			return err
		}
		now, counts := cpuTime(m.now), r.Counts()
		if sw := counts.Switches - last.Switches; sw > 0 && len(samples) < cap(samples) {
			samples = append(samples, float64(now-cpu)/float64(sw))
		}
		cpu, last = now, counts
	}
	runtime.ReadMemStats(&after)
	line.fill(last.Sub(first), cpu-start, m.now().Sub(began), samples)
	if line.Events > 0 {
		line.AllocsPerMEvent = float64(after.Mallocs-before.Mallocs) * 1e6 / float64(line.Events)
	}
	return nil
}

// sweep runs the machines of a sweep, again and again until there is enough to
// measure.
func (m *measurer) sweep(c *bench.Case, line *benchLine) error {
	var total bench.Counts
	var samples []float64
	began, start := m.now(), cpuTime(m.now)
	for n := 0; n == 0 || n < m.budget.least && m.now().Sub(began) < m.budget.wall; n++ {
		before := cpuTime(m.now)
		counts, digest, err := m.pass(c)
		if err != nil {
			return err
		}
		if line.Digest != "" && line.Digest != digest {
			return fmt.Errorf("internal error: benchmark %s: two runs differ: %s and %s", c.ID(), line.Digest, digest)
		}
		line.Digest = digest
		total = total.Add(counts)
		samples = append(samples, float64(cpuTime(m.now)-before)/float64(counts.Switches))
	}
	line.fill(total, cpuTime(m.now)-start, m.now().Sub(began), samples)
	return nil
}

// pass runs each machine of a sweep once, so many at a time as the case says,
// and returns their counts together and the digest of their digests.
func (m *measurer) pass(c *bench.Case) (bench.Counts, string, error) {
	counts := make([]bench.Counts, c.Sims)
	digests := make([]string, c.Sims)
	errs := make([]error, c.Jobs)
	var next atomic.Int64
	var wg sync.WaitGroup
	for job := range c.Jobs {
		wg.Go(func() {
			for errs[job] == nil {
				i := int(next.Add(1)) - 1
				if i >= c.Sims {
					return
				}
				r, err := c.Start(bench.Setup{Seed: uint64(i + 1)})
				if err == nil {
					r.SetPoll(m.poll)
					digests[i], err = r.Warm()
					counts[i] = r.Counts()
				}
				errs[job] = err
			}
		})
	}
	wg.Wait()
	var total bench.Counts
	h := fnv.New64a()
	for i := range counts {
		total = total.Add(counts[i])
		fmt.Fprintln(h, digests[i])
	}
	return total, fmt.Sprintf("%016x-%d", h.Sum64(), total.Records), errors.Join(errs...)
}

// fill sets the figures that follow from counts, times and the CPU time of a
// switch in each stretch, in ns.
func (l *benchLine) fill(n bench.Counts, cpu, wall time.Duration, samples []float64) {
	l.Events, l.Switches = n.Events, n.Switches
	l.CPUSeconds, l.WallSeconds, l.SimSeconds = cpu.Seconds(), wall.Seconds(), n.Now.Seconds()
	if cpu > 0 {
		l.SimPerCPU = l.SimSeconds / l.CPUSeconds
		l.EventsPerSecond = float64(n.Events) / l.CPUSeconds
	}
	if n.Switches == 0 {
		return
	}
	sw := float64(n.Switches)
	l.NsPerSwitch = float64(cpu) / sw
	l.EventsPerSwitch = float64(n.Events) / sw
	l.TraceBytes = float64(n.Records) * float64(bench.RecordBytes) / sw
	slices.Sort(samples)
	l.Best = l.NsPerSwitch
	if len(samples) > 0 {
		at := len(samples) / 100
		l.Best = samples[at]
		l.Spread = samples[min(max(at+1, len(samples)/20), len(samples)-1)]/l.Best - 1
	}
}

// round cuts the figures to four digits: the rest is noise, and would make the
// files long.
func (l *benchLine) round() {
	for _, v := range []*float64{
		&l.NsPerSwitch, &l.Best, &l.Spread, &l.EventsPerSecond, &l.SimPerCPU, &l.EventsPerSwitch,
		&l.BytesPerTask, &l.AllocsPerMEvent, &l.TraceBytes, &l.CPUSeconds, &l.WallSeconds, &l.SimSeconds,
	} {
		if *v == 0 || math.IsInf(*v, 0) || math.IsNaN(*v) {
			continue
		}
		unit := math.Pow(10, math.Floor(math.Log10(math.Abs(*v)))-3)
		if unit < 1 { // Dividing by a power of ten gives the shortest text.
			per := math.Round(1 / unit)
			*v = math.Round(*v*per) / per
		} else {
			*v = math.Round(*v/unit) * unit
		}
	}
}

// resetPeakRSS makes the peak of the memory in use begin anew, on Linux. It
// first gives back what is not in use.
func resetPeakRSS() {
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // Elsewhere the peak is that of all cases.
}

// peakRSS returns the peak of the memory in use, in bytes; 0 if unknown.
func peakRSS() uint64 {
	status, err := os.ReadFile("/proc/self/status")
	if err == nil {
		var kb uint64
		for text := range strings.Lines(string(status)) {
			if n, _ := fmt.Sscanf(text, "VmHWM: %d kB", &kb); n == 1 {
				return kb << 10
			}
		}
	}
	return maxRSS()
}
