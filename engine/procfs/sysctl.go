package procfs

import (
	"strconv"
	"strings"
	"time"

	"schedrepl/engine/cgroup"
	"schedrepl/engine/kernel"
)

// sysctl is a tunable of the fair class as a file: a number between lo and hi,
// EINVAL for all else (kernel/sysctl.c: proc_dointvec_minmax).
type sysctl struct {
	name   string // in kernel.Tunables
	lo, hi int64
	get    func(t *kernel.Tunables) int64
}

// The limits of the first three and of the scaling are Linux's. It sets none
// for the others; here child_runs_first is a switch, and times are as for the
// machine's configuration.
var (
	latency           = sysctl{"latency", 100_000, 1e9, func(t *kernel.Tunables) int64 { return int64(t.Latency) }}
	minGranularity    = sysctl{"min_granularity", 100_000, 1e9, func(t *kernel.Tunables) int64 { return int64(t.MinGranularity) }}
	wakeupGranularity = sysctl{"wakeup_granularity", 0, 1e9, func(t *kernel.Tunables) int64 { return int64(t.WakeupGranularity) }}
	tunableScaling    = sysctl{"tunable_scaling", 0, 2, func(t *kernel.Tunables) int64 { return int64(t.Scaling) }}
	migrationCost     = sysctl{"migration_cost", 0, 1e9, func(t *kernel.Tunables) int64 { return int64(t.MigrationCost) }}
	sharesWindow      = sysctl{"shares_window", 100_000, 1e9, func(t *kernel.Tunables) int64 { return int64(t.SharesWindow) }}
	childRunsFirst    = sysctl{"child_runs_first", 0, 1, func(t *kernel.Tunables) int64 {
		if t.ChildRunsFirst {
			return 1
		}
		return 0
	}}
)

// read shows the value in force: scaled by the number of CPUs.
func (s *sysctl) read(fs *FS, _ object) string {
	core := fs.machine.Core()
	t := core.Kernel.Tunables.Scaled(len(core.CPUs))
	return strconv.FormatInt(s.get(&t), 10) + "\n"
}

// write sets the value in force. Changing the scaling changes no other value
// now: Linux applies it when the number of CPUs next changes, which it never
// does here.
func (s *sysctl) write(fs *FS, _ object, whole, text string) error {
	v, err := value(whole, text, s.lo, s.hi)
	if err != nil {
		return err
	}
	if err := fs.machine.SetTunable(s.name, v); err != nil {
		return cgroup.Errorf("EINVAL", whole, "%v", err)
	}
	return nil
}

// value reads a number between lo and hi.
func value(whole, text string, lo, hi int64) (int64, error) {
	v, errno := cgroup.ParseInt(text)
	switch {
	case errno == "EINVAL":
		return 0, cgroup.Errorf("EINVAL", whole, "%s is not a whole number; write one from %d to %d", quote(text), lo, hi)
	case errno != "" || v < lo || v > hi:
		if hi == int64(time.Second) {
			return 0, cgroup.Errorf("EINVAL", whole, "%s ns is outside %v to %v", strings.Trim(quote(text), `"`), time.Duration(lo), time.Duration(hi))
		}
		return 0, cgroup.Errorf("EINVAL", whole, "%s is outside %d to %d", strings.Trim(quote(text), `"`), lo, hi)
	}
	return v, nil
}

// noAutogroup says why a kernel without autogroup has none of its files.
func noAutogroup(fs *FS) string {
	k := &fs.machine.Core().Kernel
	if k.Switches.Autogroup {
		return ""
	}
	return "kernel " + k.Version + " has no autogroup; it needs the patch \"autogroup\""
}

func readAutogroupEnabled(fs *FS, _ object) string {
	if fs.machine.Core().AutogroupOn {
		return "1\n"
	}
	return "0\n"
}

// writeAutogroupEnabled sets the switch; nothing is moved.
func writeAutogroupEnabled(fs *FS, _ object, whole, text string) error {
	v, err := value(whole, text, 0, 1)
	if err != nil {
		return err
	}
	fs.machine.SetAutogroupEnabled(v == 1)
	return nil
}

// readFeatures lists the features, each with a blank behind it, as
// kernel/sched/debug.c: sched_feat_show does.
func readFeatures(fs *FS, _ object) string {
	return strings.Join(fs.machine.Core().Kernel.Features.Strings(), " ") + " \n"
}

// writeFeatures switches one feature: EINVAL for a word that the kernel does
// not know, EOPNOTSUPP for a feature that the model does not act on.
func writeFeatures(fs *FS, _ object, whole, text string) error {
	word := strings.TrimSpace(text)
	name := strings.TrimPrefix(word, "NO_")
	k := &fs.machine.Core().Kernel
	f, ok := kernel.FeatureByName(name)
	if !ok || !k.Features.Exists(f) {
		return cgroup.Errorf("EINVAL", whole, "%s is no feature of kernel %s; features are %s",
			quote(word), k.Version, strings.Join(k.Features.Strings(), " "))
	}
	if err := fs.machine.SetFeature(word); err != nil {
		return cgroup.Errorf("EOPNOTSUPP", whole, "%v", err)
	}
	return nil
}
