package engine_test

import (
	"testing"

	"schedrepl/engine"
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
