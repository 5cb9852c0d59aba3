package tree_test

import (
	"fmt"
	"time"

	"schedrepl/engine/tree"
)

// A run queue ordered by virtual deadline. The pick is the earliest deadline
// among the tasks whose vruntime is not ahead of the average.
func ExampleArena_FirstWithin() {
	var queue tree.Tree
	var a tree.Arena
	a.Grow(3)
	ms := int64(time.Millisecond)
	a.Insert(&queue, 0, 13*ms, 10*ms)
	a.Insert(&queue, 1, 11*ms, 8*ms)
	a.Insert(&queue, 2, 12*ms, 4*ms)
	average := 7 * ms
	fmt.Println("earliest deadline:", a.First(&queue))
	fmt.Println("earliest eligible:", a.FirstWithin(&queue, average))
	// Output:
	// earliest deadline: 1
	// earliest eligible: 2
}
