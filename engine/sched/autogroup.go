package sched

import (
	"fmt"

	"schedrepl/engine/kernel"
)

// NoAutogroup stands for the lack of an autogroup: the session of init.
const NoAutogroup int32 = -1

// Autogroup is the task group of a session: made by setsid, inherited by fork,
// dropped with the last process that refers to it.
type Autogroup struct {
	ID    int32 // as /proc/PID/autogroup shows it
	Group GroupID
	Nice  int8
	refs  int32
}

// autogroupCreate gives process p a new autogroup and moves its threads there
// (kernel/sched/auto_group.c: autogroup_create_attach). Up to 4.8 the threads
// are not moved while the switch is off; the process refers to the group all
// the same.
func (c *Core) autogroupCreate(p int32) GroupID {
	c.nextAuto++
	id := c.nextAuto
	g := c.NewGroup(RootGroup, fmt.Sprintf("/autogroup-%d", id))
	var i int32
	if n := len(c.freeAuto); n > 0 {
		i = c.freeAuto[n-1]
		c.freeAuto = c.freeAuto[:n-1]
	} else {
		c.autogroups = append(c.autogroups, Autogroup{})
		i = int32(len(c.autogroups) - 1)
	}
	c.autogroups[i] = Autogroup{ID: id, Group: g, refs: 1}
	old := c.Procs[p].Autogroup
	c.Procs[p].Autogroup = i
	if c.AutogroupOn {
		for t := c.Procs[p].first; t != NoTask; t = c.Tasks[t].sibling {
			c.moveTask(t)
		}
	}
	c.autogroupPut(old)
	return g
}

// autogroupGet takes a reference.
func (c *Core) autogroupGet(i int32) {
	if i != NoAutogroup {
		c.autogroups[i].refs++
	}
}

// autogroupPut drops a reference; the last one frees the group. A task that
// still sits in the group's queue (its group pointer is set only when it is
// next placed) keeps the group until it has gone.
func (c *Core) autogroupPut(i int32) {
	if i == NoAutogroup {
		return
	}
	ag := &c.autogroups[i]
	if ag.refs--; ag.refs > 0 {
		return
	}
	for t := range c.Tasks {
		if tk := &c.Tasks[t]; tk.PID != 0 && tk.Group == ag.Group && tk.State != 'X' {
			c.moveTask(TaskID(t))
		}
	}
	if err := c.FreeGroup(ag.Group); err != nil {
		panic("sched: autogroup without processes: " + err.Error())
	}
	c.freeAuto = append(c.freeAuto, i)
}

// AutogroupOf returns the autogroup that a task's process refers to, nil for
// none.
func (c *Core) AutogroupOf(t TaskID) *Autogroup {
	if i := c.Procs[c.Tasks[t].Proc].Autogroup; i != NoAutogroup {
		return &c.autogroups[i]
	}
	return nil
}

// SetAutogroupNice sets the nice value of a task's autogroup as a whole: its
// shares become the weight of that nice value (/proc/PID/autogroup).
func (c *Core) SetAutogroupNice(t TaskID, nice int) error {
	if err := checkNice(nice); err != nil {
		return fmt.Errorf("autogroup: %w", err)
	}
	ag := c.AutogroupOf(t)
	if ag == nil {
		return fmt.Errorf("autogroup: EINVAL: task %d is in init's session, which has no autogroup; call setsid first", c.Tasks[t].PID)
	}
	w, _ := kernel.NiceWeight(nice)
	ag.Nice = int8(nice)
	return c.SetShares(ag.Group, w)
}
