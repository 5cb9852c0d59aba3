package engine_test

import (
	"errors"
	"testing"
	"time"

	"schedrepl/engine"
	"schedrepl/engine/workload"
)

// Controls that arm each other at one instant are found out.
func TestControlsWithoutEnd(t *testing.T) {
	b := newBox(t, 1, nil)
	var again func() error
	again = func() error { _, err := b.At(b.Now(), again); return err }
	if _, err := b.At(ms, again); err != nil {
		t.Fatal(err)
	}
	wantError(t, "controls without end", b.RunUntil(5*ms), "without end", "1ms")
	b.until(10 * ms)
}

// A run that asks whether to stop asks at the same instants with and without
// skipped ticks, and once more at the limit.
func TestRunWhileAsksAtTicks(t *testing.T) {
	for _, allTicks := range []bool{false, true} {
		b := newBox(t, 1, func(c *engine.Config) { c.AllTicks = allTicks })
		pid := b.spawn("hog", engine.Spawn{}, hog)
		half := func() bool { return b.Core().Runtime(b.Core().Find(pid)) >= 500*ms }
		came, err := b.RunWhile(1000*ms, half)
		if err != nil || !came || b.Now() != 500*ms {
			t.Errorf("all ticks %v: it came %v at %v, %v; want it at 500 ms", allTicks, came, b.Now(), err)
		}
		if came, _ := b.RunWhile(700*ms+500*us, func() bool { return b.Now() >= 700*ms+500*us }); !came {
			t.Errorf("all ticks %v: what holds at the limit is not seen", allTicks)
		}
	}
}

// A callback that fails ends the run in good order: the machine can be asked, and
// when it runs on it decides as if nothing had failed.
func TestRunOnAfterFailure(t *testing.T) {
	run := func(d time.Duration) workload.Step { return workload.Run{For: workload.Constant(d)} }
	tests := []struct {
		name  string
		steps []workload.Step
		also  func(b *box) // done by the callback before it fails
	}{
		{name: "a burst goes on", steps: []workload.Step{run(15 * time.Millisecond)}},
		{name: "a sleep begins", steps: []workload.Step{run(10 * time.Millisecond), workload.Sleep{For: workload.Constant(3 * time.Millisecond)}, run(time.Millisecond)}},
		{name: "a step of no time", steps: []workload.Step{run(10 * time.Millisecond), run(0), workload.Sleep{For: workload.Constant(time.Millisecond)}, run(time.Millisecond)}},
		{name: "a yield", steps: []workload.Step{run(10 * time.Millisecond), workload.Yield{}, run(time.Millisecond)}},
		{name: "an exit", steps: []workload.Step{run(10 * time.Millisecond)}},
		{name: "a spawn on an idle CPU", steps: []workload.Step{run(time.Millisecond)}, also: func(b *box) { b.spawn("late", engine.Spawn{}, run(time.Millisecond)) }},
		{name: "a spawn on a busy CPU", steps: []workload.Step{run(20 * time.Millisecond)}, also: func(b *box) { b.spawn("late", engine.Spawn{Nice: -20}, run(time.Millisecond)) }},
		{name: "a stop", steps: []workload.Step{run(20 * time.Millisecond)}, also: func(b *box) { b.must(b.Kill(2, "STOP")) }},
	}
	for _, tt := range tests {
		for cpus := 1; cpus <= 2; cpus++ {
			var digests []string
			for _, failure := range []error{nil, errors.New("no")} {
				b := newBox(t, cpus, nil)
				b.spawn("first", engine.Spawn{}, tt.steps...)
				b.spawn("second", engine.Spawn{}, tt.steps...)
				if _, err := b.At(10*ms, func() error {
					if tt.also != nil {
						tt.also(b)
					}
					return failure
				}); err != nil {
					t.Fatal(err)
				}
				if err := b.RunUntil(100 * ms); err != failure {
					t.Fatalf("%s: the run ended with %v, want %v", tt.name, err, failure)
				}
				b.must(b.Check())
				b.until(100 * ms)
				digests = append(digests, b.Digest())
			}
			if digests[0] != digests[1] {
				t.Errorf("%s, %d CPUs: digest %s without the failure, %s with it", tt.name, cpus, digests[0], digests[1])
			}
		}
	}
}
