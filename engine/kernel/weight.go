package kernel

import "fmt"

// NiceMin and NiceMax bound nice values.
const (
	NiceMin = -20
	NiceMax = 19
)

// NiceZero is the weight of nice 0.
const NiceZero = 1024

// Weight and inverse of SCHED_IDLE tasks, whatever their nice value.
const (
	IdleWeight  = 3
	IdleInverse = 1431655765
)

// MinShares and MaxShares bound the shares of a task group.
const (
	MinShares = 2
	MaxShares = 1 << 18
)

// weights is the table from nice to weight, nice -20 first: a step is about a
// factor of 1.25, so that one step is worth about 10 % of a CPU between two
// tasks (kernel/sched.c: prio_to_weight, the same in all versions).
var weights = [40]int64{
	88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916,
	9548, 7620, 6100, 4904, 3906, 3121, 2501, 1991, 1586, 1277,
	1024, 820, 655, 526, 423, 335, 272, 215, 172, 137,
	110, 87, 70, 56, 45, 36, 29, 23, 18, 15,
}

// inverses is the table of 2^32 over the weights, rounded
// (kernel/sched.c: prio_to_wmult).
var inverses = [40]int64{
	48388, 59856, 76040, 92818, 118348, 147320, 184698, 229616, 287308, 360437,
	449829, 563644, 704093, 875809, 1099582, 1376151, 1717300, 2157191, 2708050, 3363326,
	4194304, 5237765, 6557202, 8165337, 10153587, 12820798, 15790321, 19976592, 24970740, 31350126,
	39045157, 49367440, 61356676, 76695844, 95443717, 119304647, 148102320, 186737708, 238609294, 286331153,
}

// NiceWeight returns the weight of a nice value and its inverse. It panics
// outside NiceMin to NiceMax: callers check what users give.
func NiceWeight(nice int) (weight, inverse int64) {
	if nice < NiceMin || nice > NiceMax {
		panic(fmt.Sprintf("kernel: nice %d outside -20 to 19", nice))
	}
	return weights[nice-NiceMin], inverses[nice-NiceMin]
}

// SharesOfWeight converts a cgroup v2 cpu.weight (1 to 10000, default 100) to
// shares: weight * 1024 / 100, rounded half up.
func SharesOfWeight(w int64) int64 { return (w*1024 + 50) / 100 }

// WeightOfShares converts shares back to a cpu.weight between 1 and 10000.
func WeightOfShares(s int64) int64 { return min(max((s*100+512)/1024, 1), 10000) }

// NearestNice returns the nice value whose weight is nearest to shares, as
// cpu.weight.nice shows it; of two equally near the lower one.
func NearestNice(shares int64) int {
	best, dist := NiceMin, int64(-1)
	for i, w := range weights {
		d := w - shares
		if d < 0 {
			d = -d
		}
		if dist < 0 || d < dist {
			best, dist = i+NiceMin, d
		}
	}
	return best
}
