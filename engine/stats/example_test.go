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

// Two variants over the same seeds: what a seed does to both goes away.
func ExamplePair() {
	without := []float64{21, 25, 19, 30, 24}
	with := []float64{18, 21, 17, 25, 20}
	p, err := stats.Pair(without, with, stats.PairOptions{Level: 0.95, Power: 0.8, Method: stats.Student})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.1f (%.1f to %.1f), p %.4f\n", p.Diff, p.Lo, p.Hi, p.P)
	fmt.Printf("unpaired it takes %.0f times as many values\n", p.Gain)
	// Output:
	// -3.6 (-5.0 to -2.2), p 0.0021
	// unpaired it takes 21 times as many values
}

// Any number of values in some KiB.
func ExampleLogLinear() {
	var h stats.LogLinear
	for ns := range int64(1_000_000) {
		h.AddInt(1000 + ns)
	}
	p99, err := h.Quantile(0.99)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(h.N(), "values in less than 4 KiB:", h.Bytes() < 4<<10)
	fmt.Println("p99 within 3.1 %:", p99 > 991_000*0.969 && p99 < 991_000*1.031)
	// Output:
	// 1000000 values in less than 4 KiB: true
	// p99 within 3.1 %: true
}
