package event_test

import (
	"fmt"

	"schedrepl/engine/event"
)

// Two CPUs with a tick each, and a sleeper that wakes in the instant of the
// second tick. It was armed after the tick, so the tick comes first.
func ExampleQueue() {
	names := []string{"tick of CPU 0", "tick of CPU 1", "sleeper"}
	const ms = 1_000_000
	var q event.Queue
	q.Grow(len(names))
	q.Arm(0, 0, event.Timer, 5*ms, 0)
	q.Arm(1, 1, event.Timer, 4*ms, 0)
	q.Arm(2, 1, event.Timer, 4*ms, 1*ms)
	for q.Len() > 0 {
		_, at, _, phase, _ := q.Peek()
		fmt.Println(at, phase, names[q.Pop()])
	}
	// Output:
	// 4ms timer tick of CPU 1
	// 4ms timer sleeper
	// 5ms timer tick of CPU 0
}
