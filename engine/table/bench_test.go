package table

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"
)

// million is a table of a million rows and six columns, as a trace would give.
func million() *Table {
	const n = 1_000_000
	r := rand.New(rand.NewPCG(1, 2))
	names := make([]string, 300)
	for i := range names {
		names[i] = fmt.Sprintf("kworker/%d:%d", i%64, i)
	}
	comm := make([]string, n)
	pid := make([]int64, n)
	cpu := make([]int64, n)
	at := make([]time.Duration, n)
	wait := make([]time.Duration, n)
	share := make([]float64, n)
	for i := range n {
		k := r.IntN(len(names))
		comm[i], pid[i], cpu[i] = names[k], int64(1000+k), int64(r.IntN(64))
		at[i] = time.Duration(i) * 1234 * time.Nanosecond
		wait[i] = time.Duration(r.ExpFloat64() * 5e6)
		share[i] = r.Float64() * 100
	}
	tab := MustNew("million", Column{Name: "comm", Kind: String}, Column{Name: "pid", Kind: Int}, Column{Name: "cpu", Kind: Int},
		Column{Name: "at", Kind: Duration}, Column{Name: "wait", Kind: Duration}, Column{Name: "share", Kind: Float, Unit: "%"})
	if err := tab.AppendColumns(comm, pid, cpu, at, wait, share); err != nil {
		panic(err)
	}
	return tab
}

// cpuTime is the time that this process has spent on CPUs.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func BenchmarkMillion(b *testing.B) {
	tab := million()
	must := func(t *Table, err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	group := func(keys []string, as ...Aggregate) func() {
		return func() {
			g, err := tab.GroupBy(keys...)
			if err != nil {
				b.Fatal(err)
			}
			must(g.Aggregate(as...))
		}
	}
	few := tab.Head(300)
	few, _ = few.Unique("comm")
	few, _ = few.Select("comm", "share")
	var csvText, jsonText, parquetFile bytes.Buffer
	for _, err := range []error{tab.WriteCSV(&csvText), tab.WriteJSON(&jsonText), tab.WriteParquet(&parquetFile, ParquetOptions{})} {
		if err != nil {
			b.Fatal(err)
		}
	}
	b.Logf("csv %d, json %d, parquet %d bytes", csvText.Len(), jsonText.Len(), parquetFile.Len())
	for _, c := range []struct {
		name string
		do   func()
	}{
		{"group1", group([]string{"comm"}, Aggregate{"n", "", "count"}, Aggregate{"wait", "wait", "mean"}, Aggregate{"worst", "wait", "max"})},
		{"group2", group([]string{"comm", "cpu"}, Aggregate{"n", "", "count"}, Aggregate{"wait", "wait", "mean"}, Aggregate{"worst", "wait", "max"})},
		{"median", group([]string{"comm"}, Aggregate{"wait", "wait", "median"}, Aggregate{"p99", "wait", "p99"})},
		{"std", group([]string{"comm"}, Aggregate{"wait", "wait", "std"}, Aggregate{"share", "share", "std"})},
		{"sortDuration", func() { must(tab.Sort("wait", true)) }},
		{"sortString", func() { must(tab.Sort("comm", false)) }},
		{"sort3", func() { must(tab.SortBy(SortKey{"comm", false}, SortKey{"cpu", true}, SortKey{"wait", false})) }},
		{"whereEqual", func() {
			must(tab.Matching(Match{Column: "comm", Values: []any{"kworker/5:5"}}, Match{Column: "cpu", Values: []any{0, 1}}))
		}},
		{"join", func() { must(tab.Join(few, JoinOptions{On: []string{"comm"}})) }},
		{"joinInt", func() { must(tab.Join(tab.Head(300).Slice(0, 300, 7), JoinOptions{On: []string{"pid", "cpu"}})) }},
		{"pivot", func() { must(tab.Pivot([]string{"comm"}, "cpu", "wait", "mean")) }},
		{"describe", func() { tab.Describe() }},
		{"csv", func() { tab.WriteCSV(io.Discard) }},
		{"json", func() { tab.WriteJSON(io.Discard) }},
		{"readCSV", func() { must(ReadCSV("t", csvText.Bytes())) }},
		{"readJSON", func() { must(ReadJSON("t", jsonText.Bytes())) }},
		{"readParquet", func() { must(ReadParquet("t", parquetFile.Bytes())) }},
		{"parquet", func() { tab.WriteParquet(io.Discard, ParquetOptions{}) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			start := cpuTime()
			for b.Loop() {
				c.do()
			}
			// The machine may be busy with other work: CPU time says more.
			b.ReportMetric(float64((cpuTime()-start).Milliseconds())/float64(b.N), "cpu-ms/op")
		})
	}
}
