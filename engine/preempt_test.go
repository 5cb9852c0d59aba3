package engine_test

import (
	"testing"

	"schedrepl/engine"
	"schedrepl/engine/workload"
)

// models runs a test under the preemption models that a case names.
func models(t *testing.T, want map[engine.Preempt]string, f func(t *testing.T, b *box)) {
	for _, p := range []engine.Preempt{engine.PreemptNone, engine.PreemptVoluntary, engine.PreemptFull} {
		t.Run(p.String(), func(t *testing.T) {
			b := newBox(t, 1, func(c *engine.Config) { c.Preempt, c.HZ = p, 250 })
			f(t, b)
			b.wantSwitches(0, want[p])
		})
	}
}

// all expects the same under all models.
func all(want string) map[engine.Preempt]string {
	return map[engine.Preempt]string{engine.PreemptNone: want, engine.PreemptVoluntary: want, engine.PreemptFull: want}
}

// apart expects one thing where the kernel gives the CPU up only at its own
// points, another where it can be preempted at any time.
func apart(coop, full string) map[engine.Preempt]string {
	return map[engine.Preempt]string{engine.PreemptNone: coop, engine.PreemptVoluntary: coop, engine.PreemptFull: full}
}

// The tick at 4 ms finds the slice of 3 ms used up. Where that takes effect
// depends on where the task is then: this is T39 without the lazy model.
func TestT39PreemptSliceEnd(t *testing.T) {
	for _, c := range []struct {
		name  string
		steps []workload.Step
		want  map[engine.Preempt]string
	}{
		{"user mode", []workload.Step{hog}, all("0s task, 4ms other, 8ms task")},
		{"call from 0.5 to 9.5 ms", []workload.Step{run(500 * us), inKernel(9*ms, 0), hog},
			apart("0s task, 9.5ms other", "0s task, 4ms other, 8ms task")},
		{"call that ends at 6 ms", []workload.Step{run(500 * us), inKernel(5500*us, 0), hog},
			apart("0s task, 6ms other", "0s task, 4ms other, 8ms task")},
		{"call that ends on the tick", []workload.Step{run(500 * us), inKernel(3500*us, 0), hog},
			all("0s task, 4ms other, 8ms task")},
		{"cond_resched every ms of it", []workload.Step{run(500 * us), inKernel(9*ms, ms), hog},
			apart("0s task, 4.5ms other, 8ms task", "0s task, 4ms other, 8ms task")},
		{"cond_resched on the tick", []workload.Step{inKernel(20*ms, 2*ms), hog},
			all("0s task, 4ms other, 8ms task")},
		{"cond_resched longer than the call", []workload.Step{run(500 * us), inKernel(5500*us, 7*ms), hog},
			apart("0s task, 6ms other", "0s task, 4ms other, 8ms task")},
		{"call from the tick on", []workload.Step{run(4 * ms), inKernel(9*ms, 0), hog}, all("0s task, 4ms other, 8ms task")},
		{"two calls without user mode between", []workload.Step{inKernel(4500*us, 0), inKernel(4*ms, 0), hog},
			apart("0s task, 4.5ms other, 8ms task", "0s task, 4ms other, 8ms task")},
	} {
		t.Run(c.name, func(t *testing.T) {
			models(t, c.want, func(t *testing.T, b *box) {
				b.spawn("other", engine.Spawn{}, hog)
				b.spawn("task", engine.Spawn{}, c.steps...)
				b.until(11 * ms)
			})
		})
	}
}

// A sleeper wakes at 21 ms, between the ticks at 20 and 24 ms, and passes the
// preemption test against a task that runs alone: T3.
func TestT3PreemptWakeup(t *testing.T) {
	for _, c := range []struct {
		name string
		hog  []workload.Step
		nice int
		want map[engine.Preempt]string
	}{
		{"user mode", []workload.Step{hog}, 0, all("0s s, 0s task, 21ms s, 21.5ms task")},
		{"the test fails and the tick decides", []workload.Step{hog}, 19, all("0s s, 0s task, 24ms s, 24.5ms task")},
		{"kernel from 20 to 30 ms", []workload.Step{run(20 * ms), inKernel(10*ms, 0), hog}, 0,
			apart("0s s, 0s task, 30ms s, 30.5ms task", "0s s, 0s task, 21ms s, 21.5ms task")},
		{"with cond_resched at 23 ms", []workload.Step{run(20 * ms), inKernel(10*ms, 3*ms), hog}, 0,
			apart("0s s, 0s task, 23ms s, 23.5ms task", "0s s, 0s task, 21ms s, 21.5ms task")},
		{"with cond_resched at 21 ms", []workload.Step{run(20 * ms), inKernel(10*ms, ms), hog}, 0,
			all("0s s, 0s task, 21ms s, 21.5ms task")},
		{"kernel until 21 ms", []workload.Step{run(20 * ms), inKernel(ms, 0), hog}, 0,
			all("0s s, 0s task, 21ms s, 21.5ms task")},
	} {
		t.Run(c.name, func(t *testing.T) {
			models(t, c.want, func(t *testing.T, b *box) {
				b.spawn("task", engine.Spawn{}, c.hog...)
				b.spawn("s", engine.Spawn{Nice: c.nice}, sleep(21*ms), run(500*us), sleep(1000*ms))
				b.until(31 * ms)
			})
		})
	}
}

// A task wakes another on its own CPU by a call that takes no time: the wakee
// runs at once under all models, for the call returns to user mode. Where the
// burst before it is in the kernel, nothing changes: that call has ended.
func TestPreemptWaker(t *testing.T) {
	for _, kernel := range []bool{false, true} {
		models(t, all("0s w, 0s waker, 20ms w, 20.5ms waker"), func(t *testing.T, b *box) {
			o := b.sem()
			first := run(20 * ms)
			first.Kernel = kernel
			b.spawn("waker", engine.Spawn{}, first, workload.SemPost{Obj: o}, inKernel(20*ms, 0), hog)
			b.spawn("w", engine.Spawn{}, workload.SemWait{Obj: o}, run(500*us), sleep(1000*ms))
			b.until(41 * ms)
		})
	}
}

// Signals act on the way back to user mode, whatever the model.
func TestPreemptSignal(t *testing.T) {
	models(t, all("0s task, 9.5ms idle"), func(t *testing.T, b *box) {
		pid := b.spawn("task", engine.Spawn{}, run(500*us), inKernel(9*ms, 0), hog)
		b.at(3*ms, func() { b.must(b.Kill(pid, "STOP")) })
		b.until(20 * ms)
	})
}

// A request from another CPU, on its way for 2 us, meets the same points as one
// of its own. (The waker itself starts 2 us late.)
func TestPreemptRemote(t *testing.T) {
	for _, p := range []engine.Preempt{engine.PreemptNone, engine.PreemptFull} {
		b := newBox(t, 2, func(c *engine.Config) { c.Preempt = p; c.Costs.IPI = 2000 })
		o := b.sem()
		b.spawn("task", on(0), run(20*ms), inKernel(10*ms, 4*ms), hog)
		b.spawn("w", on(0), workload.SemWait{Obj: o}, run(ms), sleep(1000*ms))
		b.spawn("waker", on(1), run(21*ms), workload.SemPost{Obj: o}, sleep(1000*ms))
		b.until(40 * ms)
		want := "0s w, 0s task, 24ms w, 25ms task"
		if p == engine.PreemptFull {
			want = "0s w, 0s task, 21.004ms w, 22.004ms task"
		}
		b.wantSwitches(0, want)
	}
}
