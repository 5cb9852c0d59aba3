package workload

import (
	"testing"
	"time"

	"schedrepl/engine/event"
	"schedrepl/engine/rng"
)

var programs = []struct {
	name  string
	steps []Step
}{
	{"constant", []Step{Loop{[]Step{Run{For: Constant(ms)}, Sleep{Constant(ms)}}}}},
	{"exponential", []Step{Loop{[]Step{Run{For: Exponential(ms)}, Sleep{Exponential(ms)}}}}},
	{"timer and spans", []Step{Loop{[]Step{Timer{ms}, Begin{Name: "job", AtRelease: true}, Run{For: Constant(us)}, End{"job"}}}}},
	{"repeat and choose", []Step{Loop{[]Step{Repeat{Count(4), []Step{Choose{nil, [][]Step{{Run{For: Constant(us)}}, {Sleep{Constant(us)}}}}}}}}}},
	{"semaphores", []Step{Loop{[]Step{SemPost{0}, SemWait{0}, Run{For: Constant(us)}}}}},
}

// manyTasks starts as many tasks as do not fit the nearest caches.
func manyTasks(t testing.TB, steps []Step) *Interp {
	it := &Interp{}
	it.NewSem(0)
	p := mustCompile(t, steps...)
	for slot := range int32(1024) {
		if err := it.Start(slot, p, rng.Seed(slot)); err != nil {
			t.Fatal(err)
		}
	}
	return it
}

func BenchmarkNext(b *testing.B) {
	for _, tt := range programs {
		b.Run(tt.name, func(b *testing.B) {
			it := manyTasks(b, tt.steps)
			b.ReportAllocs()
			now, slot := event.Time(0), int32(0)
			var a Action
			for b.Loop() {
				it.Next(slot, now, &a)
				if a.Op == OpSleepUntil {
					now = max(now, a.Until)
				}
				slot = (slot + 1) & 1023
			}
		})
	}
}

func BenchmarkStartStop(b *testing.B) {
	p := mustCompile(b, Repeat{Count(3), []Step{Run{For: Constant(ms)}}})
	var it Interp
	var a Action
	b.ReportAllocs()
	for b.Loop() {
		it.Start(0, p, 1)
		it.Next(0, 0, &a)
		it.Stop(0)
	}
}

// TestNoAllocs holds that the steady state allocates nothing, starting and stopping
// of tasks included.
func TestNoAllocs(t *testing.T) {
	for _, tt := range programs {
		it := manyTasks(t, tt.steps)
		p := it.tasks[0].prog
		now := event.Time(0)
		var a Action
		turn := func() {
			for slot := range int32(8) {
				for range 20 {
					it.Next(slot, now, &a)
				}
				child := slot + 1024
				it.Start(child, p, rng.Seed(slot))
				it.Inherit(child, slot)
				it.Next(child, now, &a)
				it.Stop(child)
			}
			now = now.Add(time.Millisecond)
		}
		turn() // Grows what has to grow.
		if n := testing.AllocsPerRun(50, turn); n != 0 {
			t.Errorf("%s: %v allocations a turn, want 0", tt.name, n)
		}
	}
}
