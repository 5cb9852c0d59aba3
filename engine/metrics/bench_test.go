package metrics

import (
	"testing"
	"time"

	"schedrepl/engine/event"
	"schedrepl/engine/trace"
)

// busyLog is a machine of 8 CPUs with 6 tasks each: in turn a wakeup, a
// switch, a charge and a preemption; at times a move. About a million records.
func busyLog() (*trace.Log, event.Time) {
	const ncpu, each = 8, 6
	b := newStream(ncpu)
	var queue [ncpu][]int32
	pid := int32(1)
	for c := range ncpu {
		for range each {
			b.spawn(c, pid)
			queue[c] = append(queue[c], pid)
			pid++
		}
		b.run(c, queue[c][0], trace.NoState, trace.CPUIdle)
		queue[c] = queue[c][1:]
	}
	for i := 0; len(b.rs) < 1e6; i++ {
		c := i % ncpu
		b.at(b.now + 700)
		cur, next := b.cur[c], queue[c][0]
		if i%3 == 0 {
			b.run(c, next, trace.Sleeping, trace.Blocked)
			b.at(b.now+100).wake(cur, c, trace.WithinGran)
		} else {
			b.charge(c, 50).run(c, next, trace.Running, trace.SliceEnd)
		}
		queue[c] = append(queue[c][1:], cur)
		if i%61 == 0 {
			to, p := (c+1)%ncpu, queue[c][0]
			if len(queue[c]) > 3 {
				b.migrate(p, c, to)
				queue[c], queue[to] = queue[c][1:], append(queue[to], p)
			}
		}
	}
	var log trace.Log
	for i := range b.rs {
		log.Record(&b.rs[i])
	}
	return &log, b.now
}

func BenchmarkFolds(b *testing.B) {
	log, now := busyLog()
	if err := Invariants(log, 8, now); err != nil {
		b.Fatal(err)
	}
	w := From(now/10, now)
	odd := func(pid int32) bool { return pid%2 == 1 }
	grid := Grid{Period: 4 * time.Millisecond, TickCost: time.Microsecond, SwitchCost: time.Microsecond}
	for _, f := range []struct {
		name string
		fold func()
	}{
		{"latency", func() { Latency(log, w, odd) }},
		{"waits", func() { Waits(log, w, nil) }},
		{"waitsbycause", func() { WaitsByCause(log, w, nil) }},
		{"stretches", func() { Stretches(log, w, Of(7)) }},
		{"blame", func() { BlameWaits(log, w, nil) }},
		{"shares", func() { Shares(log, w, nil, 8, AllCPUs) }},
		{"counters", func() { Counters(log, w, odd) }},
		{"switches", func() { Switches(log, w, nil) }},
		{"pertask", func() { PerTask(log, w, nil) }},
		{"perturbations", func() { Perturbations(log, w, 7, grid) }},
		{"timeline", func() { Timeline(log, w, 8) }},
		{"lives", func() { Lives(log, w, nil) }},
		{"sharesover", func() { _, _ = SharesOver(log, w, nil, 8, AllCPUs, time.Millisecond) }},
		{"runqueues", func() { RunQueues(log, w, 8) }},
		{"invariants", func() { _ = Invariants(log, 8, now) }},
	} {
		b.Run(f.name, func(b *testing.B) {
			for b.Loop() {
				f.fold()
			}
			b.ReportMetric(float64(b.N)*float64(log.Len())/1e6/b.Elapsed().Seconds(), "Mrecords/s")
		})
	}
}
