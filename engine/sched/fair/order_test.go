package fair

import (
	"testing"

	"schedrepl/engine/event"
	"schedrepl/engine/sched"
	"schedrepl/engine/trace"
)

// The minimum of a queue moves when time is accounted and when an entity
// leaves, so the order of these steps shows in virtual times. These tests hold
// the order of each version.

// An entity that comes from elsewhere gets the minimum as it was before the
// running one is brought up to date.
func TestMinimumAddedBeforeAccounting(t *testing.T) {
	for _, version := range []string{"2.6.36", "2.6.38", "3.3"} {
		r := newRig(t, version, 2, 1000)
		r.fork(0, 0) // to CPU 0
		runs := r.fork(0, 0)
		if r.core.Tasks[runs].CPU != 1 {
			t.Fatal("the second task is not on CPU 1")
		}
		r.setV(runs, 2000*ms)
		r.core.Schedule(1)
		r.c.q[1].min = 2000 * ms
		moves := sched.TaskID(0)
		r.setV(moves, 503*ms)
		r.c.q[0].min = 500 * ms
		r.core.Now += event.Time(5 * ms)
		r.core.MoveQueued(moves, 1, trace.CPUForced)
		if got := r.ent(moves).v; got != 2003*ms {
			t.Errorf("%s: it lands at %d, want 2003 ms", version, got)
		}
		if got := r.c.q[1].min; got != 2005*ms && got != 2003*ms {
			t.Errorf("%s: the minimum is %d", version, got)
		}
	}
}

// An entity that leaves for elsewhere takes its distance to the minimum along:
// up to 2.6.38 to the minimum without it, later to the one with it.
func TestMinimumSubtracted(t *testing.T) {
	for version, want := range map[string]int64{"2.6.36": -7 * ms, "2.6.38": -7 * ms, "3.3": 3 * ms} {
		r := newRig(t, version, 1, 1000)
		runs, leaves := r.fork(0, 0), r.fork(0, 0)
		r.setV(runs, 400*ms)
		r.setV(leaves, 503*ms)
		r.core.Schedule(0)
		if r.core.Curr(0) != runs {
			t.Fatal("the wrong task runs")
		}
		r.ent(runs).v = 510 * ms
		r.c.q[0].min = 500 * ms
		r.c.Dequeue(0, leaves, false)
		if got := r.ent(leaves).v; got != want {
			t.Errorf("%s: it leaves with %d, want %d", version, got, want)
		}
		if got := r.c.q[0].min; got != 510*ms {
			t.Errorf("%s: the minimum is %d, want 510 ms", version, got)
		}
	}
}

// The entity of a group that its last task leaves is taken off as a sleeper,
// whatever the task leaves for: it keeps its place, and comes back to it or to
// half a latency behind the minimum.
func TestEmptiedGroupSleeps(t *testing.T) {
	for place, want := range map[int64]int64{600 * ms: 600 * ms, 400 * ms: 497 * ms} {
		r := newRig(t, "3.3", 1, 1000)
		g := r.core.NewGroup(sched.RootGroup, "/g")
		task := r.fork(0, g)
		runs := r.fork(0, 0)
		r.setV(runs, -1000*ms)
		r.core.Schedule(0)
		r.ent(runs).v = 500 * ms
		i := r.c.groups[g].eBase
		q := &r.c.q[0]
		r.c.arena.Remove(&q.tree, i)
		r.c.ent[i].v = place
		r.c.arena.Insert(&q.tree, i, place, place)
		q.min = 500 * ms
		if err := r.core.SetNice(task, 3); err != nil {
			t.Fatal(err)
		}
		if got := r.c.ent[i].v; got != want {
			t.Errorf("a group at %d ms comes back at %d, want %d", place/ms, got, want)
		}
		r.check()
	}
}

// A queue publishes its average load when a window of 10 ms is full, but only
// if it changed by more than an eighth, and then halves its history.
func TestShareWindow(t *testing.T) {
	for _, c := range []struct {
		contrib, want int64
	}{
		{0, 1023}, {1023, 1023}, {909, 1023}, {910, 910}, {1150, 1150}, {1170, 1023},
	} {
		r := newRig(t, "3.3", 2, 1000)
		g := r.core.NewGroup(sched.RootGroup, "/g")
		r.fork(0, g)
		r.core.Schedule(0)
		qi := r.c.groups[g].qBase
		q := &r.c.q[qi]
		start := r.core.Now
		q.win = window{stamp: start, last: start, contrib: c.contrib}
		r.c.groups[g].sum = c.contrib
		r.core.Now += event.Time(9 * ms)
		r.c.windowUpdate(&r.c.q[qi], false)
		if q.win.contrib != c.contrib {
			t.Errorf("published %d before the window of 10 ms was full", q.win.contrib)
		}
		r.core.Now += event.Time(3 * ms)
		r.c.windowUpdate(&r.c.q[qi], false)
		if q.win.contrib != c.want || r.c.groups[g].sum != c.want {
			t.Errorf("published before %d: now %d and %d in the group, want %d", c.contrib, q.win.contrib, r.c.groups[g].sum, c.want)
		}
		if q.win.period != event.Time(6*ms) || q.win.avg != 6*ms*1024 {
			t.Errorf("after a full window the history is %d over %d, want half of it", q.win.avg, q.win.period)
		}
		// Idle for more than four windows: the past is forgotten.
		q.load = 0
		for _, d := range []int64{ms, 40 * ms} {
			r.core.Now += event.Time(d)
			r.c.windowUpdate(&r.c.q[qi], false)
		}
		if q.win.period != event.Time(10*ms)-1 || q.win.avg != 0 {
			t.Errorf("after 41 ms without load the history is %d over %d", q.win.avg, q.win.period)
		}
	}
}
