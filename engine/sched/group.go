package sched

import (
	"fmt"
	"time"

	"schedrepl/engine/event"
	"schedrepl/engine/kernel"
	"schedrepl/engine/trace"
)

// Group is a task group: the unit between which CPU time is shared before
// tasks share it.
type Group struct {
	Parent GroupID
	Depth  int32
	Shares int64
	Name   string
	// tasks counts the tasks whose cpu cgroup it is, children its child groups.
	tasks, children int32
	live            bool
}

func timeDuration(n int32) time.Duration { return time.Duration(n) }

// depth returns how many levels lie between group g and the root.
func (c *Core) depth(g GroupID) int32 { return c.groups[g].Depth }

// NumGroups returns one more than the highest group number in use so far.
func (c *Core) NumGroups() int { return len(c.groups) }

// Group returns a group; ok is false if the number is not in use.
func (c *Core) Group(g GroupID) (Group, bool) {
	if g < 0 || int(g) >= len(c.groups) || !c.groups[g].live {
		return Group{}, false
	}
	return c.groups[g], true
}

// GroupName returns the name of a group: its cgroup path, or autogroup-N.
func (c *Core) GroupName(g GroupID) string {
	if g < 0 || int(g) >= len(c.groups) {
		return "?"
	}
	return c.groups[g].Name
}

// NewGroup makes a task group below parent, with 1024 shares.
func (c *Core) NewGroup(parent GroupID, name string) GroupID {
	var g GroupID
	if n := len(c.freeGroups); n > 0 {
		g = c.freeGroups[n-1]
		c.freeGroups = c.freeGroups[:n-1]
	} else {
		c.groups = append(c.groups, Group{})
		g = GroupID(len(c.groups) - 1)
	}
	c.groups[g] = Group{
		Parent: parent, Depth: c.groups[parent].Depth + 1,
		Shares: kernel.NiceZero, Name: name, live: true,
	}
	c.groups[parent].children++
	for _, h := range c.holders {
		h.GroupNew(g, parent, kernel.NiceZero)
	}
	if d := c.Costs.GroupNew + c.Costs.GroupNewCPU*time.Duration(len(c.CPUs)); d > 0 {
		c.host.Charge(c.This, event.Time(d), trace.ChargeGroupNew)
	}
	return g
}

// hasGroup fails with ENOENT for a number that is not in use.
func (c *Core) hasGroup(g GroupID) error {
	if _, ok := c.Group(g); !ok {
		return fmt.Errorf("ENOENT: task group %d does not exist", g)
	}
	return nil
}

// FreeGroup takes a group away. It fails with EBUSY while it has tasks or
// child groups.
func (c *Core) FreeGroup(g GroupID) error {
	if err := c.hasGroup(g); err != nil {
		return err
	}
	if g == RootGroup {
		return fmt.Errorf("EBUSY: the root group stays")
	}
	if gr := &c.groups[g]; gr.tasks > 0 || gr.children > 0 {
		return fmt.Errorf("EBUSY: group %s still has %d tasks and %d child groups", gr.Name, gr.tasks, gr.children)
	}
	c.groups[c.groups[g].Parent].children--
	for _, h := range c.holders {
		h.GroupDead(g)
	}
	c.groups[g].live = false
	c.freeGroups = append(c.freeGroups, g)
	return nil
}

// SetShares sets the shares of a group, clamped to 2 to 262144
// (sched_group_set_shares). The root group's cannot be set.
func (c *Core) SetShares(g GroupID, shares int64) error {
	if err := c.hasGroup(g); err != nil {
		return err
	}
	if g == RootGroup {
		return fmt.Errorf("EINVAL: the root group has no shares to set")
	}
	shares = min(max(shares, kernel.MinShares), kernel.MaxShares)
	gr := &c.groups[g]
	old := gr.Shares
	c.Emit(trace.Record{Kind: trace.KindSetShares, CPU: int16(c.This), Other: int32(g), A: shares, B: old})
	if d := c.Costs.SharesCPU * time.Duration(len(c.CPUs)*int(gr.Depth)); d > 0 {
		c.host.Charge(c.This, event.Time(d), trace.ChargeShares)
	}
	if shares == old {
		return nil
	}
	gr.Shares = shares
	for cpu := range c.CPUs {
		c.host.Sync(cpu)
	}
	for _, h := range c.holders {
		h.GroupShares(g, shares)
	}
	for cpu := range c.CPUs {
		c.host.Touched(cpu)
	}
	return nil
}

// groupOf works out the group in whose queue a task belongs: its cpu cgroup's,
// or with autogroup on and that the root group, its session's
// (kernel/sched/auto_group.c: autogroup_task_group; an exiting task counts as
// in the root group).
func (c *Core) groupOf(t TaskID) GroupID {
	tk := &c.Tasks[t]
	if tk.Cgroup != RootGroup || !c.AutogroupOn {
		return tk.Cgroup
	}
	ag := c.Procs[tk.Proc].Autogroup
	if ag == NoAutogroup || tk.State == trace.Exited || tk.Kthread {
		return RootGroup
	}
	return c.autogroups[ag].Group
}

// Attach moves t to the cpu cgroup whose group is g (cgroup.procs, tasks).
func (c *Core) Attach(t TaskID, g GroupID) {
	tk := &c.Tasks[t]
	c.groups[tk.Cgroup].tasks--
	tk.Cgroup = g
	c.groups[g].tasks++
	c.moveTask(t)
}

// moveTask attaches a task anew to the group that it belongs to
// (kernel/sched/core.c: sched_move_task). No reschedule is asked for.
func (c *Core) moveTask(t TaskID) {
	tk := &c.Tasks[t]
	old, g := tk.Group, c.groupOf(t)
	c.Emit(trace.Record{Kind: trace.KindSetGroup, CPU: int16(c.This), Task: tk.PID, A: int64(g), B: int64(old)})
	if c.Kernel.Switches.MoveSkipUnchanged && g == old {
		c.charge(c.Costs.MoveSame, trace.ChargeGroupMove)
		return
	}
	c.charge(c.Costs.MoveBase+c.Costs.MoveLevel*time.Duration(c.groups[old].Depth+c.groups[g].Depth), trace.ChargeGroupMove)
	queued, runs := c.takeOff(t)
	tk.Group = g
	c.classes[tk.Class].MoveGroup(t, g, queued)
	c.putBack(t, queued, runs)
}

// takeOff takes a task off its run queue, and out of being current, for a
// change that its class must not see while it is queued. It tells which it was.
func (c *Core) takeOff(t TaskID) (queued, runs bool) {
	tk := &c.Tasks[t]
	cpu := int(tk.CPU)
	c.host.Sync(cpu)
	queued, runs = tk.Queued, c.CPUs[cpu].Curr == t
	if queued {
		c.dequeue(t)
	}
	if runs {
		c.classes[tk.Class].PutPrev(cpu, t)
	}
	return queued, runs
}

// putBack undoes takeOff; a task that runs begins a new slice.
func (c *Core) putBack(t TaskID, queued, runs bool) {
	tk := &c.Tasks[t]
	if runs {
		c.classes[tk.Class].SetNext(int(tk.CPU), t)
	}
	if queued {
		c.enqueue(int(tk.CPU), t, EnqueuePlain)
	}
}

// charge spends d on the CPU that executes.
func (c *Core) charge(d time.Duration, why trace.Reason) {
	if d > 0 {
		c.host.Charge(c.This, event.Time(d), why)
	}
}
