// Package fair is the fair scheduling class: CFS of the first generation, from
// 2.6.36 to 3.3, with task groups. Entities (tasks, and groups on one CPU) and
// queues (one per group and CPU) live in slices and refer to each other by
// index; integer arithmetic and roundings are those of the kernel.
package fair

import (
	"schedrepl/engine/event"
	"schedrepl/engine/kernel"
	"schedrepl/engine/sched"
	"schedrepl/engine/tree"
)

// none is the index of no entity and no queue.
const none int32 = -1

// firstMin is the minimum of a new queue; new entities start at 0, a little
// ahead of it (kernel/sched/fair.c: init_cfs_rq).
const firstMin = -(1 << 20)

// entity is what is queued: a task, or a group on one CPU.
type entity struct {
	v         int64 // vruntime in ns of nice 0; relative while between queues
	execStart event.Time
	sum       event.Time // run time
	prevSum   event.Time // run time when it last became current
	inv       int64      // inverse of the weight
	weight    int32
	on        bool  // queued, running or not
	parent    int32 // entity of the group that owns q; none at the root
	q         int32 // queue that it belongs to
	my        int32 // queue that it owns; none for a task
	task      sched.TaskID
}

// w returns the weight of an entity.
func (e *entity) w() int64 { return int64(e.weight) }

// setW sets the weight and its inverse. No weight is beyond 2^18
// (kernel.MaxShares).
func (e *entity) setW(w, inv int64) { e.weight, e.inv = int32(w), inv }

// queue is a run queue of entities: the root's or a group's on one CPU
// (struct cfs_rq).
type queue struct {
	tree             tree.Tree
	min              int64 // min_vruntime
	load             int64 // sum of the weights queued, curr included
	inv, invOf       int64 // inverse of the load invOf, kept from the last slice
	nr               int32 // entities queued at this level, curr included
	hnr              int32 // tasks below
	curr             int32 // running entity: on, but not in the tree
	next, last, skip int32 // buddies
	owner            int32 // entity that owns it; none for the root's
	// ideal is the slice of entity idealOf as of version idealAt of the CPU's
	// root queue.
	ideal            int64
	idealOf, idealAt int32
	// version, of a root queue, counts the changes that slices may follow from.
	version int32
	group   sched.GroupID
	cpu     int32
	win     window
}

// Class is the fair class of one machine.
type Class struct {
	core *sched.Core
	sw   kernel.Switches
	n    int // CPUs

	ent     []entity
	q       []queue
	arena   tree.Arena
	entOf   []int32 // by task
	freeEnt []int32
	groups  []group

	// Scaled tunables in ns.
	latency, minGran, wakeGran int64
	nrLatency                  int64
	sharesWindow               event.Time
	gentle, debit, preempt     bool
	nextBuddy, lastBuddy       bool
	childFirst                 bool
	period                     event.Time
	// stale is set while shares are written, where that does not bring the
	// clock of a run queue up to date: what runs is accounted as of its last use.
	stale bool
}

// New returns the fair class of a machine, with the root group in place.
func New(core *sched.Core) *Class {
	c := &Class{core: core, n: len(core.CPUs), period: core.Period}
	c.Configure()
	c.growGroups(sched.RootGroup)
	c.groups[sched.RootGroup] = group{qBase: int32(len(c.q)), eBase: none, shares: kernel.NiceZero}
	for cpu := range c.n {
		c.q = append(c.q, newQueue(sched.RootGroup, cpu, none))
	}
	return c
}

// Configure takes features, switches and tunables from the core's profile; it
// may be called while the machine runs.
func (c *Class) Configure() {
	k := c.core.Kernel
	t := k.Tunables.Scaled(c.n)
	c.sw = k.Switches
	c.latency, c.minGran = int64(t.Latency), int64(t.MinGranularity)
	c.wakeGran = int64(t.WakeupGranularity)
	c.nrLatency = t.NrLatency()
	c.sharesWindow = event.Time(t.SharesWindow)
	c.childFirst = t.ChildRunsFirst
	c.gentle = k.Features.On(kernel.GentleFairSleepers)
	c.debit = k.Features.On(kernel.StartDebit)
	c.preempt = k.Features.On(kernel.WakeupPreempt)
	for cpu := range min(c.n, len(c.q)) {
		c.changed(&c.q[cpu])
	}
	c.nextBuddy = k.Features.On(kernel.NextBuddy)
	c.lastBuddy = k.Features.On(kernel.LastBuddy)
}

func newQueue(g sched.GroupID, cpu int, owner int32) queue {
	return queue{
		min: firstMin, curr: none, next: none, last: none, skip: none,
		owner: owner, group: g, cpu: int32(cpu), win: window{stamp: 1}, invOf: -1, idealOf: none,
	}
}

// Name is "fair".
func (c *Class) Name() string { return "fair" }

// Load returns the sum of the weights at the root level of cpu.
func (c *Class) Load(cpu int) int64 { return c.q[cpu].load }

// Runtime returns the CPU time of t up to the present.
func (c *Class) Runtime(t sched.TaskID) event.Time {
	e := &c.ent[c.entOf[t]]
	if c.q[e.q].curr == c.entOf[t] {
		return e.sum + c.core.Now - e.execStart
	}
	return e.sum
}

// Virtual returns the vruntime of t, as last accounted.
func (c *Class) Virtual(t sched.TaskID) int64 { return c.ent[c.entOf[t]].v }

// MinVruntime returns the minimum of the queue of group g on cpu.
func (c *Class) MinVruntime(g sched.GroupID, cpu int) int64 {
	return c.q[c.groups[g].qBase+int32(cpu)].min
}

// GroupWeight returns the weight of the entity of group g on cpu, 0 for the
// root group.
func (c *Class) GroupWeight(g sched.GroupID, cpu int) int64 {
	if g == sched.RootGroup {
		return 0
	}
	return c.ent[c.groups[g].eBase+int32(cpu)].w()
}

// TaskNew gives t an entity with the weight of its nice value and policy.
func (c *Class) TaskNew(t sched.TaskID) {
	for int(t) >= len(c.entOf) {
		c.entOf = append(sched.Room(c.entOf), none)
	}
	e := c.newEntity()
	c.ent[e] = entity{parent: none, q: c.groups[sched.RootGroup].qBase, my: none, task: t}
	c.entOf[t] = e
	c.Reweight(t)
}

// newEntity returns a free entity.
func (c *Class) newEntity() int32 {
	if n := len(c.freeEnt); n > 0 {
		e := c.freeEnt[n-1]
		c.freeEnt = c.freeEnt[:n-1]
		return e
	}
	c.ent = append(sched.Room(c.ent), entity{})
	c.arena.Grow(cap(c.ent))
	return int32(len(c.ent) - 1)
}

// TaskDead frees the entity of t.
func (c *Class) TaskDead(t sched.TaskID) {
	c.freeEnt = append(c.freeEnt, c.entOf[t])
	c.entOf[t] = none
}

// Reweight sets the weight of t, which is not queued, from its nice value and
// policy.
func (c *Class) Reweight(t sched.TaskID) {
	tk := &c.core.Tasks[t]
	e := &c.ent[c.entOf[t]]
	if tk.Policy == sched.Idle {
		e.setW(kernel.IdleWeight, kernel.IdleInverse)
		return
	}
	e.setW(kernel.NiceWeight(int(tk.Nice)))
}

// SetTaskCPU attaches t to the queue of group g on cpu.
func (c *Class) SetTaskCPU(t sched.TaskID, cpu int, g sched.GroupID) {
	e := &c.ent[c.entOf[t]]
	gr := &c.groups[g]
	e.q = gr.qBase + int32(cpu)
	e.parent = none
	if gr.eBase != none {
		e.parent = gr.eBase + int32(cpu)
	}
}

// CloneFor returns an independent copy that works for core.
func (c *Class) CloneFor(core *sched.Core) sched.Class {
	d := *c
	d.core = core
	d.ent = append([]entity(nil), c.ent...)
	d.q = append([]queue(nil), c.q...)
	d.arena = *c.arena.Clone()
	d.entOf = append([]int32(nil), c.entOf...)
	d.freeEnt = append([]int32(nil), c.freeEnt...)
	d.groups = append([]group(nil), c.groups...)
	return &d
}
