package kernel

import (
	"fmt"
	"math/bits"
	"time"
)

// MoveRule says what a move between task groups does to the virtual time of a
// task that is not queued.
type MoveRule uint8

// Move rules, in the order in which Linux had them.
const (
	// MovePlace places the task in its new queue as if it were forked there;
	// its old virtual time, absolute in the old queue, takes part in the
	// maximum, so that it may starve for seconds (2.6.36).
	MovePlace MoveRule = iota
	// MoveRebase takes the old queue's minimum off and adds the new one's
	// (2.6.37: the patch cgroup-move-vruntime).
	MoveRebase
	// MoveRebaseRan is MoveRebase for tasks that have run before; one that
	// never ran, or is between wakeup and enqueue, is already relative (3.3).
	MoveRebaseRan
)

// PickRule says in which order the buddies of a queue are asked.
type PickRule uint8

// Pick rules.
const (
	// PickNextThenLast asks next, then last; the last one asked wins.
	PickNextThenLast PickRule = iota
	// PickSkipLastNext passes over the skip buddy, then asks last, then next;
	// next wins.
	PickSkipLastNext
)

// YieldRule says what sched_yield does in the fair class.
type YieldRule uint8

// Yield rules.
const (
	// YieldUpdate only brings the run time up to date (to 2.6.38). A BATCH
	// task moves behind the rightmost instead.
	YieldUpdate YieldRule = iota
	// YieldSkip marks the task to be passed over by the next pick.
	YieldSkip
)

// InverseRule says how the inverse of a load that is not in the table of nice
// weights is rounded.
type InverseRule uint8

// Inverse rules.
const (
	// InverseCentred is 1 + (2^32 - w/2)/(w+1) (to 2.6.38).
	InverseCentred InverseRule = iota
	// InverseTruncated is 2^32/w, and a weight of 0 or 1 acts as 1 (3.3).
	InverseTruncated
)

// Switches are the model's own names for rules that differ between versions
// and have no name in Linux.
type Switches struct {
	Inverse InverseRule
	Move    MoveRule
	Pick    PickRule
	Yield   YieldRule
	// MinBeforeSubtract: a dequeue that is no sleep updates the queue's
	// minimum before it subtracts it (to 2.6.38); later the other way round.
	MinBeforeSubtract bool
	// UnsignedTickTest: the second test of the tick compares unsigned, so
	// that a negative distance asks for a reschedule.
	UnsignedTickTest bool
	// NextOnPreempt: a wakeup that preempts marks the wakee as next buddy.
	NextOnPreempt bool
	// NextOnSleep: a task that sleeps marks its group as next buddy while
	// others of the group can run.
	NextOnSleep bool
	// UpdateOwnLevel: the wakeup test brings the current task's own queue up
	// to date, before the entities are matched; later the matched queue.
	UpdateOwnLevel bool
	// PolicyBeforeIdle: a wakee that is not NORMAL is refused before a
	// current IDLE task is looked at.
	PolicyBeforeIdle bool
	// EmptyGroupWeight: a new group's entity starts with the group's shares
	// instead of 0.
	EmptyGroupWeight bool
	// StaleShares: writing a group's shares does not bring the clocks of the
	// run queues up to date (to 3.9), so that the time since their last use
	// counts with the new weight.
	StaleShares bool
	// Autogroup: sessions get task groups of their own.
	Autogroup bool
	// MoveSkipUnchanged: a move to the same group returns at once.
	MoveSkipUnchanged bool
}

// Tunables are the scheduler's numbers, unscaled.
type Tunables struct {
	Latency           time.Duration
	MinGranularity    time.Duration
	WakeupGranularity time.Duration
	MigrationCost     time.Duration
	SharesWindow      time.Duration
	ChildRunsFirst    bool
	// Scaling is sched_tunable_scaling: 0 none, 1 logarithmic, 2 linear.
	Scaling int
	// fixed marks tunables that were set by hand: they are not scaled.
	fixed uint8
}

// Scaled returns the tunables of a machine with n online CPUs: latency and
// the two granularities multiplied by 1 + floor(log2(min(n, 8))), or by
// min(n, 8) with linear scaling. What was set by hand stays as it was set.
func (t Tunables) Scaled(n int) Tunables {
	n = min(max(n, 1), 8)
	f := time.Duration(1)
	switch t.Scaling {
	case 1:
		f = time.Duration(bits.Len(uint(n)))
	case 2:
		f = time.Duration(n)
	}
	for i, p := range []*time.Duration{&t.Latency, &t.MinGranularity, &t.WakeupGranularity} {
		if t.fixed&(1<<i) == 0 {
			*p *= f
		}
	}
	return t
}

// NrLatency is the number of runnable tasks up to which the period is the
// latency: latency over minimum granularity, rounded up.
func (t Tunables) NrLatency() int64 {
	return int64((t.Latency + t.MinGranularity - 1) / t.MinGranularity)
}

// Profile is what one version of the kernel does.
type Profile struct {
	// Version is the version that the profile stands for, such as "3.3".
	Version string
	// Doc says what is particular to it.
	Doc      string
	Features FeatureSet
	Tunables Tunables
	Switches Switches
	// Patches lists the patches put on top, in the order given.
	Patches []string
}

// base is what all versions of the first generation share.
func base() Profile {
	var s FeatureSet
	for _, f := range []Feature{
		GentleFairSleepers, StartDebit, WakeupPreempt, AffineWakeups, LastBuddy,
		CacheHotBuddy, LBBias, OwnerSpin,
	} {
		s = s.with(f, true)
	}
	for _, f := range []Feature{NextBuddy, ArchPower, HRTick, DoubleTick} {
		s = s.with(f, false)
	}
	return Profile{
		Features: s,
		Tunables: Tunables{
			Latency:           6 * time.Millisecond,
			MinGranularity:    750 * time.Microsecond,
			WakeupGranularity: time.Millisecond,
			MigrationCost:     500 * time.Microsecond,
			SharesWindow:      10 * time.Millisecond,
			Scaling:           1,
		},
	}
}

func profile2636() Profile {
	p := base()
	p.Version = "2.6.36"
	p.Doc = "October 2010: CFS before autogroup; no skip buddies, group moves of sleepers leak virtual time"
	p.Features = p.Features.with(LBSharesUpdate, true).with(AsymEffLoad, true)
	p.Switches = Switches{
		MinBeforeSubtract: true, UpdateOwnLevel: true, PolicyBeforeIdle: true,
		EmptyGroupWeight: true, UnsignedTickTest: true, StaleShares: true,
	}
	return p
}

func profile2638() Profile {
	p := base()
	p.Version = "2.6.38"
	p.Doc = "March 2011: autogroup, group shares by a 10 ms window, group moves rebase virtual time"
	p.Features = p.Features.with(NontaskPower, true)
	p.Switches = Switches{
		MinBeforeSubtract: true, UpdateOwnLevel: true, Move: MoveRebase,
		Autogroup: true, StaleShares: true,
	}
	return p
}

func profile33() Profile {
	p := base()
	p.Version = "3.3"
	p.Doc = "March 2012: skip and next buddies, truncated inverses; the exact reference of the first generation"
	p.Features = p.Features.with(NontaskPower, true).with(TTWUQueue, true).
		with(ForceSDOverlap, false).with(RTRuntimeShare, true).without(WakeupPreempt, true)
	p.Switches = Switches{
		Inverse: InverseTruncated, Move: MoveRebaseRan, Pick: PickSkipLastNext,
		Yield: YieldSkip, NextOnPreempt: true, NextOnSleep: true, Autogroup: true,
		StaleShares: true,
	}
	return p
}

// Profiles returns all profiles, oldest first.
func Profiles() []Profile { return []Profile{profile2636(), profile2638(), profile33()} }

// Latest returns the newest profile.
func Latest() Profile { ps := Profiles(); return ps[len(ps)-1] }

// Lookup returns the profile of a version: its own, or that of the nearest
// older version that has one. exact tells which. It fails for a text that is
// no version and for versions older than the oldest profile.
func Lookup(version string) (p Profile, exact bool, err error) {
	want, err := parseVersion(version)
	if err != nil {
		return Profile{}, false, err
	}
	found := false
	for _, q := range Profiles() {
		have, _ := parseVersion(q.Version)
		switch c := compareVersions(have, want); {
		case c == 0:
			return q, true, nil
		case c < 0:
			p, found = q, true
		}
	}
	if !found {
		return Profile{}, false, fmt.Errorf("kernel: version %q is older than the oldest profile, %s; profiles: %s",
			version, Profiles()[0].Version, versionList())
	}
	return p, false, nil
}

func versionList() string {
	s := ""
	for i, p := range Profiles() {
		if i > 0 {
			s += ", "
		}
		s += p.Version
	}
	return s
}

// parseVersion splits a version such as "2.6.36" into its numbers.
func parseVersion(s string) ([]int, error) {
	bad := func() ([]int, error) {
		return nil, fmt.Errorf("kernel: %q is not a version such as \"2.6.36\" or \"3.3\"; profiles: %s", s, versionList())
	}
	var out []int
	n, digits := 0, 0
	for i := 0; i <= len(s); i++ {
		switch {
		case i < len(s) && s[i] >= '0' && s[i] <= '9':
			n = n*10 + int(s[i]-'0')
			if digits++; digits > 5 {
				return bad()
			}
		case i == len(s) || s[i] == '.':
			if digits == 0 {
				return bad()
			}
			out = append(out, n)
			n, digits = 0, 0
		default:
			return bad()
		}
	}
	if len(out) < 2 || len(out) > 4 {
		return bad()
	}
	return out, nil
}

// compareVersions orders two versions; a missing number counts as 0.
func compareVersions(a, b []int) int {
	for i := 0; i < len(a) || i < len(b); i++ {
		var x, y int
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x != y {
			return x - y
		}
	}
	return 0
}
