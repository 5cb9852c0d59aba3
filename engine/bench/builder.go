package bench

import (
	"time"
	"unsafe"

	"schedrepl/engine"
	"schedrepl/engine/cpumask"
	"schedrepl/engine/event"
	"schedrepl/engine/sched"
	"schedrepl/engine/trace"
	"schedrepl/engine/workload"
)

// RecordBytes is the size of a trace record in memory.
const RecordBytes = int(unsafe.Sizeof(trace.Record{}))

// builder sets a machine up. The first error stays, and nothing is done after
// it; that saves the builders of machines a branch a line.
type builder struct {
	m    *engine.Machine
	bare bool
	err  error
	only []cpumask.Set // by CPU number, made when they are first needed
}

func (b *builder) keep(err error) {
	if b.err == nil {
		b.err = err
	}
}

// program compiles steps.
func (b *builder) program(steps ...workload.Step) *workload.Program {
	p, err := workload.Compile(steps)
	b.keep(err)
	return p
}

// spawn starts a task, unless the machine is to be bare.
func (b *builder) spawn(s engine.Spawn) {
	if b.bare || b.err != nil {
		return
	}
	_, err := b.m.Spawn(s)
	b.keep(err)
}

// group makes a task group.
func (b *builder) group(parent sched.GroupID, name string) sched.GroupID {
	if b.err != nil {
		return parent
	}
	g, err := b.m.NewGroup(parent, name)
	b.keep(err)
	return g
}

// sem makes a semaphore of count 0.
func (b *builder) sem() workload.ObjID {
	o, err := b.m.NewSem(0)
	b.keep(err)
	return o
}

// runTo runs the machine, unless it is to be bare.
func (b *builder) runTo(at time.Duration) {
	if !b.bare && b.err == nil {
		b.keep(b.m.RunUntil(event.Time(at)))
	}
}

// on returns the set of one CPU.
func (b *builder) on(cpu int) cpumask.Set {
	for len(b.only) <= cpu {
		b.only = append(b.only, cpumask.Of(len(b.only)))
	}
	return b.only[cpu]
}
