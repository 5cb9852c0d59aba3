package cgroup

import (
	"fmt"

	"schedrepl/engine/kernel"
)

func readWeight(t *Tree, d int32) string {
	return itoa(kernel.WeightOfShares(t.dirs[d].shares)) + "\n"
}

// writeWeight sets the shares of the directory's task group by a weight, 100
// for 1024 shares (kernel/sched/core.c: cpu_weight_write_u64; ERANGE outside 1
// to 10000).
func writeWeight(t *Tree, d int32, whole, text string) error {
	w, err := number(whole, text, 1, 10000)
	if err != nil {
		return err
	}
	return t.setShares(d, whole, kernel.SharesOfWeight(w))
}

func readNice(t *Tree, d int32) string {
	return itoa(int64(kernel.NearestNice(t.dirs[d].shares))) + "\n"
}

// writeNice sets the shares to the weight of a nice value (kernel/sched/
// core.c: cpu_weight_nice_write_s64; ERANGE outside -20 to 19).
func writeNice(t *Tree, d int32, whole, text string) error {
	nice, err := number(whole, text, kernel.NiceMin, kernel.NiceMax)
	if err != nil {
		return err
	}
	w, _ := kernel.NiceWeight(int(nice))
	return t.setShares(d, whole, w)
}

func (t *Tree) setShares(d int32, whole string, shares int64) error {
	if err := t.machine.SetShares(t.dirs[d].group, shares); err != nil {
		return Errorf("EINVAL", whole, "%v", err)
	}
	t.dirs[d].shares = shares
	return nil
}

// readCPUStat tells the CPU time of the directory and those below, of tasks
// that have exited too. The split into user and system time is not known.
// With the cpu controller the counts of bandwidth control follow, all 0: there
// is no cpu.max. The root's file is missing, as its time since boot is not
// counted.
func readCPUStat(t *Tree, d int32) string {
	s := fmt.Sprintf("usage_usec %d\n", t.usage(d)/1000)
	if t.controllers(d).has(cpu) {
		s += "nr_periods 0\nnr_throttled 0\nthrottled_usec 0\nnr_bursts 0\nburst_usec 0\n"
	}
	return s
}

// usage returns the CPU time of directory d and those below in ns.
func (t *Tree) usage(d int32) int64 {
	var sum int64
	for i := range t.dirs {
		if t.dirs[i].path != "" && t.below(int32(i), d) {
			sum += t.dirs[i].used
		}
	}
	for i := range t.members.list {
		m := &t.members.list[i]
		if !m.live() || !t.below(m.dir, d) {
			continue
		}
		for _, th := range m.threads {
			sum += t.machine.Runtime(th.pid) - th.since
		}
	}
	return sum
}
