package plots

import (
	"bytes"
	"testing"
)

// millionTasks are the lanes of 24 tasks that ran, waited and slept a million
// times in all.
func millionTasks() []Lane {
	var out []Lane
	for i, l := range lanes(24, 21000, 8, 1e5) {
		l.Name = cpuNames(24)[i]
		var segs []Segment
		for k, s := range l.Segments {
			s.Name = cpuNames(8)[s.Task]
			if k > 0 {
				segs = append(segs, Segment{Start: l.Segments[k-1].End, End: s.Start, State: State(1 + k%2)})
			}
			segs = append(segs, s)
		}
		l.Segments = segs
		out = append(out, l)
	}
	return out
}

// millionSteps are the run queues of some CPUs with a million steps in all.
func millionSteps(cpus int) QueueData {
	d := QueueData{To: 1e9}
	r := noise(5)
	for i := range cpus {
		q := Queue{Name: "CPU " + cpuNames(cpus)[i]}
		n := 1000000 / cpus
		for k := range n {
			q.At, q.N = append(q.At, int64(k)*1e9/int64(n)), append(q.N, float64(r.IntN(5)))
		}
		d.Queues = append(d.Queues, q)
	}
	return d
}

func BenchmarkMachineMillion(b *testing.B) {
	tasks, cpus := millionTasks(), lanes(1024, 1000, 20, 1e5)
	few, many := millionSteps(4), millionSteps(1024)
	for _, f := range []struct {
		name string
		make func() (*Figure, error)
	}{
		{"tasks", func() (*Figure, error) { return TaskTimeline(tasks, Options{}) }},
		{"cpus1024", func() (*Figure, error) { return Timeline(cpus, Options{}) }},
		{"queues4", func() (*Figure, error) { return RunQueues(few, Options{}) }},
		{"queues1024", func() (*Figure, error) { return RunQueues(many, Options{}) }},
	} {
		for _, format := range Formats() {
			b.Run(f.name+"/"+format, func(b *testing.B) {
				for b.Loop() {
					g, err := f.make()
					if err != nil {
						b.Fatal(err)
					}
					var buf bytes.Buffer
					if err := g.Write(&buf, format); err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(float64(buf.Len()), "bytes")
				}
			})
		}
	}
}
