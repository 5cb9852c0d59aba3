package rng_test

import (
	"fmt"

	"schedrepl/engine/rng"
)

// Each task draws from a stream of its own, so a task more moves no other's.
func ExampleSeed() {
	seed := rng.Seed(1).Named("burst")
	for task := range uint64(3) {
		s := rng.NewStream(seed.Numbered(task))
		fmt.Println(task, s.Int64N(1000), s.Int64N(1000))
	}
	// Output:
	// 0 385 550
	// 1 998 543
	// 2 777 340
}
