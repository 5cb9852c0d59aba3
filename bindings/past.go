package bindings

import (
	"schedrepl/engine"
	"schedrepl/engine/sched"
	"schedrepl/engine/trace"
)

// past is what is left of the tasks of a machine that have exited. It is a sink
// that looks only at exits, and changes nothing in the machine.
type past struct {
	m     *engine.Machine
	tasks map[int32]pastTask
	texts map[string]string // So that equal paths share their text.
}

// pastTask is what a task was when it exited.
type pastTask struct {
	tgid   int32
	nice   int8
	cgroup string // Its control group, such as "/build".
	group  string // The task group that it was scheduled in.
}

// watch begins with a machine that has no task yet.
func (p *past) watch(m *engine.Machine) {
	p.m, p.tasks, p.texts = m, map[int32]pastTask{}, map[string]string{}
	m.AddSink(p)
}

// Record notes a task that exits.
func (p *past) Record(r *trace.Record) {
	if r.Kind != trace.KindExit {
		return
	}
	core := p.m.Core()
	t := core.Find(r.Task)
	if t == sched.NoTask {
		return
	}
	tk := &core.Tasks[t]
	p.tasks[r.Task] = pastTask{
		tgid: tk.TGID, nice: tk.Nice,
		cgroup: p.text(p.m.CgroupPath(r.Task)),
		group:  p.text(core.GroupName(tk.Group)),
	}
}

func (p *past) text(s string) string {
	if t, ok := p.texts[s]; ok {
		return t
	}
	p.texts[s] = s
	return s
}

// cgroupOf is the control group that a task is in, or was in when it exited;
// empty for one that never was.
func (p *past) cgroupOf(pid int32) string {
	if p.m.Core().Find(pid) != sched.NoTask {
		return p.m.CgroupPath(pid)
	}
	return p.tasks[pid].cgroup
}

// groupOf is the name of the task group that a task is scheduled in, or was in
// when it exited; empty for one that never was.
func (p *past) groupOf(pid int32) string {
	core := p.m.Core()
	if t := core.Find(pid); t != sched.NoTask {
		return core.GroupName(core.Tasks[t].Group)
	}
	return p.tasks[pid].group
}
