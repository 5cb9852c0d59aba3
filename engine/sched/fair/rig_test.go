package fair

import (
	"time"

	"schedrepl/engine/cost"
	"schedrepl/engine/cpumask"
	"schedrepl/engine/event"
	"schedrepl/engine/kernel"
	"schedrepl/engine/sched"
	"schedrepl/engine/topology"
	"schedrepl/engine/trace"
)

const ms = int64(time.Millisecond)

// rig is the fair class on a bare core: nothing runs unless a test says so.
type rig struct {
	t    tester
	core *sched.Core
	c    *Class
}

// tester is what a test of this package or of rapid can do.
type tester interface {
	Helper()
	Fatal(args ...any)
}

// host has no ticks to bring up to date and nobody to interrupt.
type host struct{}

func (host) Sync(int)                             {}
func (host) Kick(int)                             {}
func (host) Touched(int)                          {}
func (host) Charge(int, event.Time, trace.Reason) {}
func (idleClass) PickTask(int) (sched.TaskID, int64, trace.Pick) {
	return sched.NoTask, 0, trace.PickIdle
}

// idleClass is the class below: it has never anything to run.
type idleClass struct{ sched.Class }

func (idleClass) Name() string { return "idle" }

func newRig(t tester, version string, cpus, hz int, words ...string) *rig {
	t.Helper()
	topo, err := topology.SMP(cpus)
	if err != nil {
		t.Fatal(err)
	}
	k, exact, err := kernel.Lookup(version)
	if err != nil || !exact {
		t.Fatal(version, exact, err)
	}
	if k, err = k.With(nil, words, nil); err != nil {
		t.Fatal(err)
	}
	core := sched.New(topo, k, cost.None(), hz, host{})
	c := New(core)
	core.SetClasses(c, idleClass{})
	return &rig{t, core, c}
}

// fork makes a task of the machine on CPU 0 with a nice value, in a group.
func (r *rig) fork(nice int, g sched.GroupID) sched.TaskID {
	r.t.Helper()
	t, err := r.core.Fork(sched.ForkSpec{Parent: sched.NoTask, Comm: r.core.Intern("t"), Set: true, Nice: nice, Cgroup: g})
	if err != nil {
		r.t.Fatal(err)
	}
	return t
}

// forks makes n equal tasks.
func (r *rig) forks(n, nice int, g sched.GroupID) (out []sched.TaskID) {
	r.t.Helper()
	for range n {
		out = append(out, r.fork(nice, g))
	}
	return out
}

func (r *rig) ent(t sched.TaskID) *entity { return &r.c.ent[r.c.entOf[t]] }

// sliceOf is the slice of a task in ns.
func (r *rig) sliceOf(t sched.TaskID) int64 { return r.c.slice(r.c.entOf[t]) }

// setV gives a queued task that does not run a vruntime.
func (r *rig) setV(t sched.TaskID, v int64) {
	i := r.c.entOf[t]
	e := &r.c.ent[i]
	q := &r.c.q[e.q]
	if e.on && q.curr != i {
		r.c.arena.Remove(&q.tree, i)
		r.c.arena.Insert(&q.tree, i, v, v)
	}
	e.v = v
}

// pin moves all tasks to CPU 0, whatever CPU they were forked to.
func (r *rig) pin() {
	for t := range r.core.Tasks {
		if tk := &r.core.Tasks[t]; tk.PID != 0 && tk.CPU != 0 {
			r.core.MoveQueued(sched.TaskID(t), 0, trace.CPUForced)
		}
	}
}

// block takes the current task of CPU 0 off and lets the next one run.
func (r *rig) block() {
	r.core.Block(0, trace.Sleeping)
	r.core.Schedule(0)
}

// check fails if the class's own invariants do not hold.
func (r *rig) check() {
	r.t.Helper()
	if err := r.c.Check(); err != nil {
		r.t.Fatal(err)
	}
}

// only is the set of one CPU.
func only(cpu int) cpumask.Set { return cpumask.Of(cpu) }
