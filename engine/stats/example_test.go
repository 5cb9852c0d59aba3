package stats_test

import (
	"fmt"
	"math/rand/v2"

	"schedrepl/engine/stats"
)

// Wakeup latencies in nanoseconds, as a trace gives them.
var latencies = []float64{4100, 3900, 5200, 4000, 61000, 4300, 3800, 4700, 9800, 4200}

func Example() {
	s, err := stats.Summarize(latencies)
	if err != nil {
		panic(err)
	}
	fmt.Printf("n %d  mean %.0f ns  p50 %.0f ns  p99 %.0f ns  max %.0f ns\n", s.N, s.Mean, s.P50, s.P99, s.Max)

	lo, hi, err := stats.Bootstrap(latencies, stats.QuantileOf(0.5), 2000, 0.95, rand.NewPCG(1, 2))
	if err != nil {
		panic(err)
	}
	fmt.Printf("median between %.0f and %.0f ns (95 %%)\n", lo, hi)

	h, err := stats.LogHistogram(latencies, 3)
	if err != nil {
		panic(err)
	}
	fmt.Println(h.Counts)
	// Output:
	// n 10  mean 10500 ns  p50 4250 ns  p99 56392 ns  max 61000 ns
	// median between 4000 and 7250 ns (95 %)
	// [8 1 1]
}
