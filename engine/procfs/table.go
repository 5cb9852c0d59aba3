package procfs

import (
	"strconv"
	"strings"

	"schedrepl/engine/cgroup"
)

// table is all files, by directory. Those of Linux 2.6.36 to 3.3 have the
// names of that time; where a later name is common it stands beside it.
var table = build([]file{
	{pattern: "/proc/cmdline", read: readCmdline},

	{pattern: "/proc/sys/kernel/sched_autogroup_enabled", lacks: noAutogroup, read: readAutogroupEnabled, write: writeAutogroupEnabled},
	{pattern: "/proc/sys/kernel/sched_latency_ns", read: latency.read, write: latency.write},
	{pattern: "/proc/sys/kernel/sched_min_granularity_ns", read: minGranularity.read, write: minGranularity.write},
	{pattern: "/proc/sys/kernel/sched_wakeup_granularity_ns", read: wakeupGranularity.read, write: wakeupGranularity.write},
	{pattern: "/proc/sys/kernel/sched_child_runs_first", read: childRunsFirst.read, write: childRunsFirst.write},
	{pattern: "/proc/sys/kernel/sched_migration_cost", read: migrationCost.read, write: migrationCost.write},
	{pattern: "/proc/sys/kernel/sched_shares_window", read: sharesWindow.read, write: sharesWindow.write},
	{pattern: "/proc/sys/kernel/sched_tunable_scaling", read: tunableScaling.read, write: tunableScaling.write},

	{pattern: "/proc/PID/autogroup", lacks: noAutogroup, read: readAutogroup, write: writeAutogroup},
	{pattern: "/proc/PID/cgroup", read: readCgroup},
	{pattern: "/proc/PID/comm", read: readComm, write: writeComm},
	{pattern: "/proc/PID/sched", read: readSched},
	{pattern: "/proc/PID/schedstat", read: readSchedstat},
	{pattern: "/proc/PID/stat", read: readProcessStat},
	{pattern: "/proc/PID/status", read: readStatus},
	{pattern: "/proc/PID/task/TID/comm", read: readComm, write: writeComm},
	{pattern: "/proc/PID/task/TID/sched", read: readSched},
	{pattern: "/proc/PID/task/TID/schedstat", read: readSchedstat},
	{pattern: "/proc/PID/task/TID/stat", read: readThreadStat},
	{pattern: "/proc/PID/task/TID/status", read: readStatus},

	{pattern: "/sys/kernel/debug/sched_features", read: readFeatures, write: writeFeatures},
	{pattern: "/sys/kernel/debug/sched/features", read: readFeatures, write: writeFeatures},

	{pattern: "/sys/devices/system/cpu/online", read: readCPUs},
	{pattern: "/sys/devices/system/cpu/possible", read: readCPUs},
	{pattern: "/sys/devices/system/cpu/present", read: readCPUs},
	{pattern: "/sys/devices/system/cpu/cpuN/topology/core_id", read: readCoreID},
	{pattern: "/sys/devices/system/cpu/cpuN/topology/core_siblings_list", read: readCoreSiblings},
	{pattern: "/sys/devices/system/cpu/cpuN/topology/physical_package_id", read: readPackageID},
	{pattern: "/sys/devices/system/cpu/cpuN/topology/thread_siblings_list", read: readThreadSiblings},

	{pattern: cgroup.Mount}, // a directory; what is in it is the tree's
})

// build splits the patterns.
func build(files []file) []file {
	for i := range files {
		files[i].parts = strings.Split(strings.TrimPrefix(files[i].pattern, "/"), "/")
	}
	return files
}

func itoa[T int | int32](n T) string { return strconv.Itoa(int(n)) }

// quote keeps an error to a line when what was written is long.
func quote(text string) string {
	const most = 60
	text = strings.TrimSpace(text)
	if len(text) > most {
		return strconv.Quote(text[:most]) + "..."
	}
	return strconv.Quote(text)
}

func readCmdline(fs *FS, _ object) string { return fs.cmdline + "\n" }
