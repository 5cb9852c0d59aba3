package cost

import (
	"strings"
	"testing"
	"time"
)

// TestNames: every cost can be set and read by its name and has a meaning.
func TestNames(t *testing.T) {
	var table Table
	for i, name := range Names() {
		want := time.Duration(i+1) * time.Microsecond
		if err := table.Set(name, want); err != nil {
			t.Error(err)
		}
		if got, ok := table.Get(name); !ok || got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
		if Doc(name) == "" {
			t.Errorf("%s has no doc", name)
		}
	}
	// None of them shares its place with another.
	for i, name := range Names() {
		if got, _ := table.Get(name); got != time.Duration(i+1)*time.Microsecond {
			t.Errorf("%s was overwritten: %v", name, got)
		}
	}
}

func TestRefusals(t *testing.T) {
	var table Table
	for name, d := range map[string]time.Duration{"swich": 1, "tick": -1, "fork": 2 * time.Second} {
		if err := table.Set(name, d); err == nil || !strings.HasPrefix(err.Error(), "cost: ") {
			t.Errorf("%s = %v: error %v", name, d, err)
		}
	}
	table.Tick = time.Millisecond
	if err := table.Validate(1000); err == nil || !strings.Contains(err.Error(), "no time between ticks") {
		t.Errorf("a tick as long as its period: error %v", err)
	}
	if err := table.Validate(250); err != nil {
		t.Error(err)
	}
}

func TestPresets(t *testing.T) {
	for _, p := range Presets() {
		if err := p.Validate(1000); err != nil || p.Name == "" {
			t.Errorf("preset %q: %v", p.Name, err)
		}
	}
	none := None()
	for _, name := range Names() {
		if d, _ := none.Get(name); d != 0 {
			t.Errorf("none charges %v for %s", d, name)
		}
	}
}
