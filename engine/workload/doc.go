// Package workload says what tasks do: programs as data, and their interpreter.
//
// A program is a list of steps (Run, Sleep, SemWait, Fork, Loop ...), whose lengths
// are values or distributions. Compile turns it once into flat code with jump
// targets; a Program is immutable and any number of tasks and machines share it.
// An Interp holds where each task of one machine stands. The machine asks it for
// one thing at a time:
//
//	var a workload.Action
//	interp.Next(slot, now, &a)
//	switch a.Op {
//	case workload.OpRun:        // give the task a.D of CPU time, then ask again
//	case workload.OpSleepUntil: // put it to sleep, ask again when it runs after a.Until
//	...
//	}
//
// Jumps, counters, draws and semaphores that nobody waits for happen inside Next;
// whatever concerns the machine comes out as an Action. There are no callbacks, and
// in the steady state nothing is allocated.
//
// Everything is a function of the programs, the seeds that tasks are started with
// and the order of calls. Each task draws from a stream of its own, so that one
// more task does not move the draws of another.
package workload
