package metrics_test

import (
	"fmt"
	"os"
	"time"

	"schedrepl/engine/event"
	"schedrepl/engine/metrics"
	"schedrepl/engine/table"
	"schedrepl/engine/trace"
)

// Two tasks share a CPU for 20 ms, each for 4 ms at a time.
func Example() {
	const ms = event.Time(time.Millisecond)
	var log trace.Log
	for pid := int32(1); pid <= 2; pid++ {
		log.Record(&trace.Record{Kind: trace.KindFork, Task: pid, State: trace.NewTask})
		log.Record(&trace.Record{Kind: trace.KindWakeupNew, Task: pid, Reason: trace.CPUIdle, Pick: trace.CPUPrev})
	}
	prev, next := int32(0), int32(1)
	for now := event.Time(0); now < 20*ms; now += 4 * ms {
		log.Record(&trace.Record{Time: now, Kind: trace.KindSwitch, Task: prev, Other: next,
			State: trace.Running, Reason: trace.SliceEnd, Pick: trace.PickLeftmost})
		prev, next = next, 3-next
	}
	if err := metrics.Invariants(&log, 1, 20*ms); err != nil {
		fmt.Println(err)
	}

	whole := metrics.From(0, 20*ms)
	comm := func(pid int32) string { return [...]string{"", "make", "pert"}[pid] }
	shares := metrics.Shares(&log, whole, nil, 1, metrics.AllCPUs)
	if err := metrics.SharesTable(shares, comm).WriteText(os.Stdout, table.TextOptions{}); err != nil {
		fmt.Println(err)
	}
	pert, err := metrics.ByComm("per*", comm)
	if err != nil {
		fmt.Println(err)
	}
	waits := metrics.Waits(&log, whole, pert)
	fmt.Println(waits.Values, waits.Unit)
	// Output:
	// shares
	// pid  comm  time (ms)  share (%)
	// ───  ────  ─────────  ─────────
	//   1  make         12      60.00
	//   2  pert          8      40.00
	//   0  idle          0       0.00
	// [4e+06 4e+06] ns
}
