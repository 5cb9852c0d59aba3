package metrics

import (
	"strings"
	"testing"
	"time"

	"schedrepl/engine/event"
	"schedrepl/engine/trace"
)

func TestInvariantsByHand(t *testing.T) {
	if err := Invariants(day().rs, 2, 100); err != nil {
		t.Fatal(err)
	}
	if err := Invariants(records{}, 0, 0); err != nil {
		t.Fatal(err)
	}
}

// Each case breaks one fact; the error must name the record and the fact.
func TestInvariantsBroken(t *testing.T) {
	// Two CPUs; task 1 runs on CPU 0 since 10, task 2 waits there since 12,
	// task 3 sleeps since 8, task 4 was forked at 12. The records 0 to 10.
	base := func() *stream {
		b := newStream(2)
		b.at(5).spawn(0, 1).spawn(1, 3)
		b.run(1, 3, trace.NoState, trace.CPUIdle)
		b.at(8).run(1, 0, trace.Sleeping, trace.Blocked)
		b.at(10).run(0, 1, trace.NoState, trace.CPUIdle)
		b.at(12).fork(2, 1).wakeNew(2, 0).fork(4, 1)
		return b
	}
	kind := func(k trace.Kind, pid int32) func(b *stream) {
		return func(b *stream) { b.put(trace.Record{Kind: k, Task: pid}) }
	}
	for _, c := range []struct {
		name  string
		spoil func(b *stream)
		want  string // the record's number, and the fact
	}{
		{"none", func(b *stream) { b.run(0, 2, trace.Running, trace.SliceEnd) }, ""},
		{"time", func(b *stream) { b.now = 11; b.charge(0, 1) }, "10: time goes back from 12ns"},
		{"late", func(b *stream) { b.at(101).charge(0, 1) }, "10: it is later than the end at 100ns"},
		{"no CPU", func(b *stream) { b.put(trace.Record{Kind: trace.KindMark, CPU: 2}) }, "10: there is no such CPU: the machine has 2"},
		{"no kind", kind(200, 1), "10: there is no kind 200"},
		{"chain", func(b *stream) { b.cur[0] = 2; b.run(0, 1, trace.Running, trace.SliceEnd) }, "10: it takes off task 2, but task 1 runs there"},
		{"chain of idle", func(b *stream) { b.cur[1] = 2; b.run(1, 0, trace.Running, trace.SliceEnd) }, "10: it takes off task 2, but idle runs there"},
		{"itself", func(b *stream) { b.run(0, 1, trace.Running, trace.SliceEnd) }, "10: task 1 is switched to itself"},
		{"two places", func(b *stream) { b.run(1, 1, trace.NoState, trace.CPUIdle) }, "10: task 1 is switched in, but it runs on CPU 0 since 10ns"},
		{"asleep", func(b *stream) { b.run(1, 3, trace.NoState, trace.CPUIdle) }, "10: task 3 is switched in, but it is sleeping since 8ns"},
		{"unborn", func(b *stream) { b.run(1, 4, trace.NoState, trace.CPUIdle) }, "10: task 4 is switched in, but it is new since 12ns"},
		{"unknown", func(b *stream) { b.run(1, 9, trace.NoState, trace.CPUIdle) }, "10: task 9 was never forked"},
		{"other queue", func(b *stream) { b.run(1, 2, trace.NoState, trace.CPUIdle) }, "10: task 2 is switched in, but it waits on CPU 0"},
		{"no reason", func(b *stream) { b.run(0, 2, trace.Running, trace.ReasonNone) }, "10: a switch from task 1 to task 2 has no reason"},
		{"no pick", func(b *stream) { b.run(0, 2, trace.Running, trace.SliceEnd).rs[10].Pick = 0 }, "10: a switch from task 1 to task 2 does not say"},
		{"idle pick", func(b *stream) { b.run(0, 2, trace.Running, trace.SliceEnd).rs[10].Pick = trace.PickIdle }, "10: task 2 was picked by the rule for idle"},
		{"state", func(b *stream) { b.run(0, 2, trace.NewTask, trace.SliceEnd) }, "10: task 1 leaves the CPU in state 'N'"},
		{"gone", func(b *stream) { b.run(0, 2, trace.Exited, trace.ExitedTask) }, "10: task 1 is gone without an exit record"},
		{"woken waiting", func(b *stream) { b.wake(2, 0, trace.NotBehind) }, "10: task 2 is woken, but it is runnable on CPU 0 since 12ns"},
		{"woken running", func(b *stream) { b.wake(1, 0, trace.NotBehind) }, "10: task 1 is woken, but it runs on CPU 0 since 10ns"},
		{"woken self", func(b *stream) { b.wake(1, 0, trace.Self) }, ""},
		{"woken nowhere", func(b *stream) { b.wake(3, 2, trace.NotBehind) }, "10: task 3 is woken on CPU 2: the machine has 2"},
		{"first wakeup", func(b *stream) { b.wake(4, 0, trace.NotBehind) }, "10: task 4 is woken for the first time without saying so"},
		{"stopper", func(b *stream) { b.fork(5, 0).wake(5, 0, trace.HigherClass) }, ""},
		{"first again", func(b *stream) { b.wakeNew(3, 0) }, "10: task 3 is woken for the first time again"},
		{"moved running", func(b *stream) { b.migrate(1, 0, 1) }, "10: task 1 is moved, but it runs on CPU 0 since 10ns"},
		{"moved from", func(b *stream) { b.migrate(2, 1, 0) }, "10: task 2 is moved from CPU 1, but it waits on CPU 0"},
		{"moved to", func(b *stream) { b.migrate(2, 0, 1).rs[10].B = 7 }, "10: task 2 moves from CPU 0 to 7: the machine has 2"},
		{"forked twice", func(b *stream) { b.fork(3, 1) }, "10: task 3 is forked, but it exists"},
		{"forked zero", func(b *stream) { b.fork(0, 1) }, "10: 0 is no pid for a child"},
		{"forked by nobody", func(b *stream) { b.fork(5, 6) }, "10: task 6 was never forked"},
		{"exits twice", func(b *stream) { b.exit(0).exit(0) }, "11: task 1 exits twice"},
		{"acts when gone", func(b *stream) {
			b.at(20).exit(0).run(0, 0, trace.Exited, trace.ExitedTask)
			b.at(30).put(trace.Record{Kind: trace.KindSetNice, Task: 1})
		}, "12: task 1 exited at 20ns"},
		{"exits unforked", kind(trace.KindExit, 8), "10: task 8 was never forked"},
		{"state of none", kind(trace.KindState, 0), "10: 0 is no pid"},
		{"not current", func(b *stream) { b.charge(0, 5).rs[10].Task = 2 }, "10: it names task 2 as current, but task 1 runs"},
		{"negative charge", func(b *stream) { b.charge(0, -5) }, "10: a charge of -5 ns is negative"},
	} {
		b := base()
		c.spoil(b)
		err := Invariants(b.rs, 2, 100)
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		number, fact, _ := strings.Cut(c.want, ": ")
		if err == nil || !strings.HasPrefix(err.Error(), "record "+number+" at ") || !strings.Contains(err.Error(), fact) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

// The sums have checks of their own, for faults of the books rather than of
// the records.
func TestInvariantsSums(t *testing.T) {
	books := func() *checker {
		src := day().rs
		c := &checker{k: newTracker(src, nil), ncpu: 2, idle: make([]time.Duration, 2), busy: make([]time.Duration, 2)}
		src.Each(func(r *trace.Record) bool {
			if err := c.record(r, 100); err != nil {
				t.Fatal(err)
			}
			return true
		})
		return c
	}
	for _, s := range []struct {
		spoil func(c *checker)
		want  string
	}{
		{func(*checker) {}, ""},
		{func(c *checker) { c.idle[1]++ }, "CPU 1: busy 20ns and idle 81ns do not add up to 100ns"},
		{func(c *checker) { c.lives[1].spent[waiting]++ }, "task 2: running 20ns, waiting 6ns"},
		{func(c *checker) { c.busy[0]++; c.idle[0]-- }, "the tasks ran for 70ns, but the CPUs were busy for 71ns"},
	} {
		c := books()
		s.spoil(c)
		if err := c.sums(event.Time(100)); (err == nil) != (s.want == "") || err != nil && !strings.Contains(err.Error(), s.want) {
			t.Errorf("%v, want %s", err, s.want)
		}
	}
}
