package kernel

import (
	"strings"
	"testing"
	"time"
)

// TestLookup: a version takes its own profile or that of the nearest older one.
func TestLookup(t *testing.T) {
	for _, c := range []struct {
		version, profile string
		exact            bool
		err              string
	}{
		{"2.6.36", "2.6.36", true, ""},
		{"2.6.36.4", "2.6.36", false, ""},
		{"2.6.37", "2.6.36", false, ""},
		{"2.6.38", "2.6.38", true, ""},
		{"3.0", "2.6.38", false, ""},
		{"3.3", "3.3", true, ""},
		{"3.10", "3.3", false, ""},
		{"6.12.117", "3.3", false, ""},
		{"2.6.35", "", false, "older than the oldest profile"},
		{"2.4", "", false, "older than the oldest profile"},
		{"", "", false, "not a version"},
		{"3", "", false, "not a version"},
		{"3.x", "", false, "not a version"},
		{"3..3", "", false, "not a version"},
		{"999999.1", "", false, "not a version"},
	} {
		p, exact, err := Lookup(c.version)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) || !strings.Contains(err.Error(), "2.6.38") {
				t.Errorf("%q: error %v, want %q and the profiles", c.version, err, c.err)
			}
			continue
		}
		if err != nil || p.Version != c.profile || exact != c.exact {
			t.Errorf("%q: %q exact %v, %v; want %q %v", c.version, p.Version, exact, err, c.profile, c.exact)
		}
	}
}

// TestScaled holds the tunables of each size of machine (6, 12, 18, 24 ms and
// so on), and that what was set by hand stays.
func TestScaled(t *testing.T) {
	for cpus, factor := range map[int]time.Duration{1: 1, 2: 2, 3: 2, 4: 3, 7: 3, 8: 4, 1024: 4} {
		s := Latest().Tunables.Scaled(cpus)
		if s.Latency != 6*time.Millisecond*factor || s.MinGranularity != 750*time.Microsecond*factor ||
			s.WakeupGranularity != time.Millisecond*factor || s.MigrationCost != 500*time.Microsecond {
			t.Errorf("%d CPUs: %+v, want a factor of %d", cpus, s, factor)
		}
		if n := s.NrLatency(); n != 8 {
			t.Errorf("%d CPUs: nr_latency %d, want 8", cpus, n)
		}
	}
	p, err := Latest().With(nil, nil, map[string]int64{"sched_latency_ns": 10_000_000})
	if err != nil {
		t.Fatal(err)
	}
	if s := p.Tunables.Scaled(8); s.Latency != 10*time.Millisecond || s.MinGranularity != 3*time.Millisecond {
		t.Errorf("latency set by hand: %+v", s)
	}
	p, err = Latest().With(nil, nil, map[string]int64{"tunable_scaling": 2})
	if s := p.Tunables.Scaled(6); err != nil || s.Latency != 36*time.Millisecond {
		t.Errorf("linear scaling: %+v, %v", s, err)
	}
}

// TestWith: patches, features and tunables, and what is refused.
func TestWith(t *testing.T) {
	old := Profiles()[0]
	p, err := old.With([]string{"autogroup", "cgroup-move-vruntime"}, []string{"NEXT_BUDDY", "NO_START_DEBIT"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !p.Switches.Autogroup || p.Switches.Move != MoveRebase || !p.Features.On(NextBuddy) || p.Features.On(StartDebit) {
		t.Errorf("patches and features did not take: %+v", p)
	}
	if old.Switches.Autogroup || !old.Features.On(StartDebit) {
		t.Error("the profile itself changed")
	}
	if p, err = Latest().With([]string{"NO_cgroup-move-vruntime"}, nil, nil); err != nil || p.Switches.Move != MovePlace {
		t.Errorf("a patch taken off: %v, %v", p.Switches.Move, err)
	}
	for _, c := range []struct {
		patch, feature, tunable string
		value                   int64
		want                    string
	}{
		{patch: "autogrop", want: "patches: autogroup"},
		{feature: "RUN_TO_PARITY", want: "unknown feature"},
		{feature: "next_buddy", want: "NO_NEXT_BUDDY"},
		{feature: "HRTICK", want: "does not act on it"},
		{feature: "NO_WAKEUP_PREEMPT", want: "unknown feature"}, // always on in 3.3
		{tunable: "base_slice_ns", value: 3_000_000, want: "tunables: latency"},
		{tunable: "latency", value: 5, want: "100000 to"},
		{tunable: "sched_latency_ns", value: 2_000_000_000, want: "outside"},
		{tunable: "child_runs_first", value: 2, want: "0 or 1"},
		{tunable: "tunable_scaling", value: 3, want: "linear"},
	} {
		var patches, features []string
		tunables := map[string]int64{}
		if c.patch != "" {
			patches = []string{c.patch}
		}
		if c.feature != "" {
			features = []string{c.feature}
		}
		if c.tunable != "" {
			tunables[c.tunable] = c.value
		}
		if _, err := Latest().With(patches, features, tunables); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v", c, err)
		}
	}
}

// TestBuiltIn: what Since says is what the profiles do.
func TestBuiltIn(t *testing.T) {
	for _, p := range Profiles() {
		for _, patch := range Patches() {
			v, _ := parseVersion(p.Version)
			since, _ := parseVersion(patch.Since)
			until, _ := parseVersion(patch.Until)
			want := (patch.Since == "" && patch.Until != "" || patch.Since != "" && compareVersions(v, since) >= 0) &&
				(patch.Until == "" || compareVersions(v, until) <= 0)
			if got := p.BuiltIn(patch.Name); got != want {
				t.Errorf("%s in %s: %v, its versions say %v", patch.Name, p.Version, got, want)
			}
		}
	}
}

// TestWeights holds the table to its two laws: an inverse is 2^32 over its
// weight, rounded, and a step of nice is worth about a factor of 1.25.
func TestWeights(t *testing.T) {
	for nice := NiceMin; nice <= NiceMax; nice++ {
		w, inv := NiceWeight(nice)
		if want := (1<<32 + w/2) / w; inv < want-1 || inv > want+1 {
			t.Errorf("nice %d: inverse %d, want %d", nice, inv, want)
		}
		if nice > NiceMin {
			up, _ := NiceWeight(nice - 1)
			if r := float64(up) / float64(w); r < 1.15 || r > 1.33 {
				t.Errorf("from nice %d to %d the weight falls by %.3f", nice-1, nice, r)
			}
		}
		if got := NearestNice(w); got != nice {
			t.Errorf("the nice value nearest to %d is %d, want %d", w, got, nice)
		}
	}
	// T4: cpu.weight against shares.
	for weight, shares := range map[int64]int64{1: 10, 2: 20, 10: 102, 50: 512, 100: 1024, 1000: 10240, 10000: 102400} {
		if got := SharesOfWeight(weight); got != shares {
			t.Errorf("cpu.weight %d: shares %d, want %d", weight, got, shares)
		}
		if got := WeightOfShares(shares); got != weight {
			t.Errorf("shares %d: cpu.weight %d, want %d", shares, got, weight)
		}
	}
	if got := WeightOfShares(335); got != 33 {
		t.Errorf("shares 335: cpu.weight %d, want 33", got)
	}
	if got := WeightOfShares(MaxShares); got != 10000 {
		t.Errorf("the most shares: cpu.weight %d, want 10000", got)
	}
}
