package workload_test

import (
	"fmt"
	"time"

	"schedrepl/engine/event"
	"schedrepl/engine/rng"
	"schedrepl/engine/workload"
)

// A machine of one task: a video player that decodes a frame in each period and
// measures how late it is done, and how the machine answers its actions.
func Example() {
	p, err := workload.Compile([]workload.Step{
		workload.Repeat{
			Count: workload.Count(3),
			Body: []workload.Step{
				workload.Timer{Period: 40 * time.Millisecond},
				workload.Begin{Name: "frame", AtRelease: true},
				workload.Run{For: workload.Uniform(5*time.Millisecond, 15*time.Millisecond)},
				workload.End{Name: "frame"},
			},
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(p)

	var it workload.Interp
	if err := it.Start(0, p, rng.Seed(1).Named("player")); err != nil {
		fmt.Println(err)
		return
	}
	var a workload.Action
	for now := event.Time(0); ; {
		it.Next(0, now, &a)
		fmt.Printf("%v: %v\n", now, a)
		switch a.Op {
		case workload.OpRun:
			now = now.Add(time.Duration(a.D))
		case workload.OpSleepUntil:
			now = a.Until.Add(50 * time.Microsecond) // The wakeup takes a while.
		case workload.OpExit:
			return
		}
	}
	// Output:
	//   0  repeat 3, then 6
	//   1  timer 40ms
	//   2  begin "frame" at release
	//   3  run uniform(5ms, 15ms)
	//   4  end "frame"
	//   5  again from 1
	//   6  exit at the end
	// 0s: sleep_until 40ms
	// 40.05ms: begin 0 since 40ms
	// 40.05ms: run 11.695164ms
	// 51.745164ms: end 0 since 40ms, 11.745164ms
	// 51.745164ms: sleep_until 80ms
	// 80.05ms: begin 0 since 80ms
	// 80.05ms: run 9.85991ms
	// 89.90991ms: end 0 since 80ms, 9.90991ms
	// 89.90991ms: sleep_until 120ms
	// 120.05ms: begin 0 since 120ms
	// 120.05ms: run 9.518719ms
	// 129.568719ms: end 0 since 120ms, 9.568719ms
	// 129.568719ms: exit 0
}

// An error names the step that is wrong by its path.
func ExampleCompile_error() {
	_, err := workload.Compile([]workload.Step{
		workload.Setsid{},
		workload.Loop{Body: []workload.Step{
			workload.Run{For: workload.Normal(time.Millisecond, -time.Microsecond)},
		}},
	})
	fmt.Println(err)
	// Output:
	// [1].loop[0].run: length: dist.normal: std is -1us; it must be 0 or more
}
