// Package kernel says what each version of the Linux scheduler does: its
// features, tunables, model switches and the patches that change them. A
// version is a Profile, a set of named values; the rest of the engine asks
// for the value and never for the version.
package kernel

// Feature is a scheduler feature as in /sys/kernel/debug/sched/features.
type Feature uint8

// Scheduler features.
const (
	GentleFairSleepers Feature = iota
	StartDebit
	WakeupPreempt
	AffineWakeups
	NextBuddy
	LastBuddy
	CacheHotBuddy
	LBBias
	LBSharesUpdate
	AsymEffLoad
	ArchPower
	HRTick
	DoubleTick
	OwnerSpin
	NontaskPower
	TTWUQueue
	ForceSDOverlap
	RTRuntimeShare
	numFeatures
)

// featureInfo is what a feature is called, what it does and whether the model
// acts on it. Switching a feature that the model does not act on is refused,
// so that no experiment compares two equal machines by mistake.
type featureInfo struct {
	name     string
	doc      string
	modelled bool
}

var featureTable = [numFeatures]featureInfo{
	GentleFairSleepers: {"GENTLE_FAIR_SLEEPERS", "a sleeper is credited half of sched_latency at wakeup, not all of it", true},
	StartDebit:         {"START_DEBIT", "a forked task starts one slice behind its run queue", true},
	WakeupPreempt:      {"WAKEUP_PREEMPT", "a woken task may preempt the current one", true},
	AffineWakeups:      {"AFFINE_WAKEUPS", "wakeups may pull the wakee to the waker's CPU", false},
	NextBuddy:          {"NEXT_BUDDY", "prefer the task that woke last", true},
	LastBuddy:          {"LAST_BUDDY", "prefer the task that a wakeup preempted", true},
	CacheHotBuddy:      {"CACHE_HOT_BUDDY", "buddies count as cache hot when balancing", false},
	LBBias:             {"LB_BIAS", "compare biased loads when balancing", false},
	LBSharesUpdate:     {"LB_SHARES_UPDATE", "balancing refreshes group shares", false},
	AsymEffLoad:        {"ASYM_EFF_LOAD", "effective load is computed for wakeups on asymmetric groups", false},
	ArchPower:          {"ARCH_POWER", "the architecture scales CPU power", false},
	HRTick:             {"HRTICK", "a one-shot timer ends slices between ticks", false},
	DoubleTick:         {"DOUBLE_TICK", "the tick tests for preemption although HRTICK is on", false},
	OwnerSpin:          {"OWNER_SPIN", "spin on a mutex while its owner runs", false},
	NontaskPower:       {"NONTASK_POWER", "interrupt time lowers CPU power", false},
	TTWUQueue:          {"TTWU_QUEUE", "remote wakeups are queued on the target CPU", false},
	ForceSDOverlap:     {"FORCE_SD_OVERLAP", "build overlapping domains", false},
	RTRuntimeShare:     {"RT_RUNTIME_SHARE", "real-time runtime is borrowed between CPUs", false},
}

// String returns the feature's name as in sched/features.
func (f Feature) String() string { return featureTable[f].name }

// Doc says in one line what the feature does.
func (f Feature) Doc() string { return featureTable[f].doc }

// Modelled reports whether the model acts on the feature.
func (f Feature) Modelled() bool { return featureTable[f].modelled }

// FeatureByName finds a feature by its name in sched/features.
func FeatureByName(name string) (Feature, bool) {
	for f, info := range featureTable {
		if info.name == name {
			return Feature(f), true
		}
	}
	return 0, false
}

// FeatureSet is a set of features that exist in a version, and of those that
// are on.
type FeatureSet struct{ exist, on uint64 }

// On reports whether f is on.
func (s FeatureSet) On(f Feature) bool { return s.on&(1<<f) != 0 }

// Exists reports whether the version knows f.
func (s FeatureSet) Exists(f Feature) bool { return s.exist&(1<<f) != 0 }

// with returns the set with f existing and on or off.
func (s FeatureSet) with(f Feature, on bool) FeatureSet {
	s.exist |= 1 << f
	s.on &^= 1 << f
	if on {
		s.on |= 1 << f
	}
	return s
}

// without returns the set of a version that does not know f. always says
// whether what the feature stood for is now always done.
func (s FeatureSet) without(f Feature, always bool) FeatureSet {
	s = s.with(f, always)
	s.exist &^= 1 << f
	return s
}

// Strings lists the features that exist, as sched/features shows them: the
// name, with NO_ before it when off.
func (s FeatureSet) Strings() []string {
	var out []string
	for f := Feature(0); f < numFeatures; f++ {
		switch {
		case !s.Exists(f):
		case s.On(f):
			out = append(out, f.String())
		default:
			out = append(out, "NO_"+f.String())
		}
	}
	return out
}
