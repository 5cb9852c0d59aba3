// Package idle is the scheduling class of the idle tasks, the last one asked:
// it always says that nothing is left to run. No task ever joins it.
package idle

import (
	"schedrepl/engine/event"
	"schedrepl/engine/sched"
	"schedrepl/engine/trace"
)

// Class is the idle class. It keeps no state: that a CPU idles is that it has
// no current task.
type Class struct{}

// Name is "idle".
func (Class) Name() string { return "idle" }

// PickTask picks the idle task.
func (Class) PickTask(int) (sched.TaskID, int64, trace.Pick) {
	return sched.NoTask, 0, trace.PickIdle
}

// The other hooks are never called, for no task is of this class.

func (Class) Enqueue(int, sched.TaskID, sched.EnqueueKind)        { none() }
func (Class) Dequeue(int, sched.TaskID, bool)                     { none() }
func (Class) SetNext(int, sched.TaskID)                           { none() }
func (Class) PutPrev(int, sched.TaskID) int64                     { none(); return 0 }
func (Class) UpdateCurr(int)                                      {}
func (Class) Tick(int, sched.TaskID)                              { none() }
func (Class) Ticked(int, sched.TaskID, event.Time, int64)         { none() }
func (Class) TaskNew(sched.TaskID)                                { none() }
func (Class) TaskDead(sched.TaskID)                               { none() }
func (Class) TaskFork(int, sched.TaskID)                          { none() }
func (Class) Waking(sched.TaskID) int64                           { none(); return 0 }
func (Class) SetTaskCPU(sched.TaskID, int, sched.GroupID)         { none() }
func (Class) MoveGroup(sched.TaskID, sched.GroupID, bool)         { none() }
func (Class) Reweight(sched.TaskID)                               { none() }
func (Class) Yield(int, sched.TaskID)                             { none() }
func (Class) Runtime(sched.TaskID) event.Time                     { return 0 }
func (Class) Virtual(sched.TaskID) int64                          { return 0 }
func (Class) NextTick(int, sched.TaskID, event.Time) event.Time   { return sched.Never }
func (Class) SelectCPU(sched.TaskID, int, bool) (int, trace.Pick) { none(); return 0, 0 }
func (Class) WakeupPreempt(int, sched.TaskID, bool) sched.Verdict {
	none()
	return sched.Verdict{}
}

// CloneFor returns the class itself.
func (c Class) CloneFor(*sched.Core) sched.Class { return c }

func none() { panic("sched: a task of the idle class") }
