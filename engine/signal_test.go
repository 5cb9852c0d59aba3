package engine_test

import (
	"testing"

	"schedrepl/engine"
	"schedrepl/engine/cpumask"
	"schedrepl/engine/sched"
	"schedrepl/engine/trace"
)

// Signals go to a whole process. TERM waits until a stopped one continues, KILL
// does not, and kernel threads take none.
func TestSignalsOfAProcess(t *testing.T) {
	for signal, gone := range map[string]bool{"TERM": false, "KILL": true} {
		b := newBox(t, 2, nil)
		pid := b.spawn("p", engine.Spawn{}, thread("t", hog), hog)
		b.until(ms)
		b.must(b.Kill(pid, "STOP"))
		b.until(2 * ms)
		for p := pid; p <= pid+1; p++ {
			if s := b.task(p).State; s != trace.Stopped {
				t.Errorf("after STOP of its process task %d is %c, want T", p, s)
			}
		}
		b.must(b.Kill(pid, signal))
		b.until(3 * ms)
		if got := b.Core().Find(pid+1) == sched.NoTask; got != gone {
			t.Errorf("%s of a stopped process: thread gone %v, want %v", signal, got, gone)
		}
		if !gone {
			b.must(b.Kill(pid, "CONT"))
		}
		b.until(4 * ms)
		b.wantGone(pid)
		b.wantGone(pid + 1)
	}
	b := newBox(t, 2, nil)
	k := on(1)
	k.Kthread = true
	pid := b.spawn("kworker/1:0", k, hog)
	b.must(b.Kill(pid, "KILL"))
	b.until(ms)
	if b.task(pid).State != trace.Running {
		t.Error("a kernel thread took a signal")
	}
	wantError(t, "affinity of a bound kernel thread", b.SetAffinity(pid, cpumask.Of(0)), "EINVAL", "bound")
	wantError(t, "setsid of a kernel thread", b.Setsid(pid), "EPERM")
}
