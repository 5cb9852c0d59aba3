package engine_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"schedrepl/engine"
	"schedrepl/engine/cost"
	"schedrepl/engine/cpumask"
	"schedrepl/engine/event"
	"schedrepl/engine/kernel"
	"schedrepl/engine/metrics"
	"schedrepl/engine/sched"
	"schedrepl/engine/topology"
	"schedrepl/engine/trace"
	"schedrepl/engine/workload"
)

const (
	us = event.Time(time.Microsecond)
	ms = event.Time(time.Millisecond)
)

// box is a machine under test, with calls that fail the test.
type box struct {
	*engine.Machine
	t    testing.TB
	cpus int
}

// newBox makes a machine of the 3.3 kernel at 1000 Hz on which nothing costs
// time, but for what change sets.
func newBox(t testing.TB, cpus int, change func(*engine.Config)) *box {
	t.Helper()
	topo, err := topology.SMP(cpus)
	if err != nil {
		t.Fatal(err)
	}
	cfg := engine.Config{Topology: topo, Kernel: profile(t, "3.3"), HZ: 1000, Costs: cost.None(), Seed: 1}
	if change != nil {
		change(&cfg)
	}
	m, err := engine.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return &box{m, t, cpus}
}

// profile returns a kernel with patches applied.
func profile(t testing.TB, version string, patches ...string) kernel.Profile {
	t.Helper()
	k, exact, err := kernel.Lookup(version)
	if err == nil && !exact {
		err = fmt.Errorf("no profile %s", version)
	}
	if err == nil {
		k, err = k.With(patches, nil, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// spawn starts a task.
func (b *box) spawn(comm string, s engine.Spawn, steps ...workload.Step) int32 {
	b.t.Helper()
	s.Comm, s.Program = comm, compile(steps)
	pid, err := b.Spawn(s)
	if err != nil {
		b.t.Fatal(err)
	}
	return pid
}

// until runs to a moment and checks every invariant there.
func (b *box) until(at event.Time) {
	b.t.Helper()
	if err := b.RunUntil(at); err != nil {
		b.t.Fatal(err)
	}
	if err := b.Check(); err != nil {
		b.t.Fatal(err)
	}
	if err := metrics.Invariants(b.Log(), b.cpus, b.Now()); err != nil {
		b.t.Fatal(err)
	}
}

// must fails the test if a call failed.
func (b *box) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// at calls f at a moment, inside the run.
func (b *box) at(at event.Time, f func()) {
	b.t.Helper()
	_, err := b.At(at, func() error { f(); return nil })
	b.must(err)
}

func (b *box) group(parent sched.GroupID, name string, shares int64) sched.GroupID {
	b.t.Helper()
	g, err := b.NewGroup(parent, name)
	b.must(err)
	b.must(b.SetShares(g, shares))
	return g
}

func (b *box) sem() workload.ObjID {
	b.t.Helper()
	o, err := b.NewSem(0)
	b.must(err)
	return o
}

// task returns a task that lives.
func (b *box) task(pid int32) *sched.Task {
	b.t.Helper()
	id := b.Core().Find(pid)
	if id == sched.NoTask {
		b.t.Fatalf("task %d is gone", pid)
	}
	return &b.Core().Tasks[id]
}

// ran returns how long a task ran, also of one that is gone.
func (b *box) ran(pid int32) event.Time { return runTimes(b.Machine, b.cpus)[pid] }

// switches writes who came to run on a CPU when, from a moment on:
// "0s a, 3ms b, 4ms idle".
func (b *box) switches(cpu int, from event.Time) string {
	var out []string
	b.Log().Each(func(r *trace.Record) bool {
		if r.Kind == trace.KindSwitch && int(r.CPU) == cpu && r.Time >= from {
			name := "idle"
			if r.Other != 0 {
				name = b.Core().Comm(r.Other)
			}
			out = append(out, fmt.Sprintf("%v %s", r.Time, name))
		}
		return true
	})
	return strings.Join(out, ", ")
}

// wantSwitches compares the switches of CPU 0.
func (b *box) wantSwitches(from event.Time, want string) {
	b.t.Helper()
	if got := b.switches(0, from); got != want {
		b.t.Errorf("switches of CPU 0 from %v:\n got %s\nwant %s", from, got, want)
	}
}

// count returns how many records there are of a kind and reason; 0 is any
// reason.
func (b *box) count(k trace.Kind, why trace.Reason) (n int) {
	b.Log().Each(func(r *trace.Record) bool {
		if r.Kind == k && (why == 0 || r.Reason == why) {
			n++
		}
		return true
	})
	return n
}

// on pins a task to one CPU.
func on(cpu int) engine.Spawn { return engine.Spawn{CPUs: cpumask.Of(cpu)} }

func run(d event.Time) workload.Run { return workload.Run{For: fixed(d)} }

// inKernel is a burst in the kernel that calls cond_resched every so often.
func inKernel(d, every event.Time) workload.Run {
	return workload.Run{For: fixed(d), Kernel: true, Resched: time.Duration(every)}
}

func sleep(d event.Time) workload.Sleep     { return workload.Sleep{For: fixed(d)} }
func fixed(d event.Time) workload.Dist      { return workload.Constant(time.Duration(d)) }
func loop(s ...workload.Step) workload.Loop { return workload.Loop{Body: s} }

var hog = workload.RunForever{}
