package metrics

import (
	"schedrepl/engine/event"
	"schedrepl/engine/stats"
	"schedrepl/engine/trace"
)

// Histogram is a measure that was taken any number of times and counted in
// bounded memory. Where [Samples] keep 20 bytes for each interval, and more while
// they grow, this takes some KiB.
type Histogram struct {
	Name string
	Unit string // of the values: always "ns" here
	H    *stats.LogLinear
}

// counted folds the phases that keep wants into a histogram.
func counted(name string, src Source, w Window, tasks Tasks, keep func(c *change) bool) Histogram {
	h := Histogram{Name: name, Unit: "ns", H: &stats.LogLinear{}}
	phases(src, w, tasks, keep, func(_ int32, begin, end event.Time) { h.H.AddInt(int64(end - begin)) })
	return h
}

// LatencyHistogram counts what [Latency] returns.
func LatencyHistogram(src Source, w Window, tasks Tasks) Histogram {
	return counted("latency", src, w, tasks, wokenUp)
}

// WaitsHistogram counts what [Waits] returns.
func WaitsHistogram(src Source, w Window, tasks Tasks) Histogram {
	return counted("waits", src, w, tasks, waited)
}

// SlicesHistogram counts what [Slices] returns.
func SlicesHistogram(src Source, w Window, tasks Tasks) Histogram {
	return counted("slices", src, w, tasks, ran)
}

// ResponseHistogram counts what [Response] returns.
func ResponseHistogram(src Source, w Window, tasks Tasks, span int32) Histogram {
	h := Histogram{Name: "response", Unit: "ns", H: &stats.LogLinear{}}
	spans(src, w, tasks, span, func(_ int32, begin, end event.Time) { h.H.AddInt(int64(end - begin)) })
	return h
}

// phases calls emit for each phase of the selected tasks that ends in the window
// and that keep wants, in the order in which they end.
func phases(src Source, w Window, tasks Tasks, keep func(c *change) bool, emit func(pid int32, begin, end event.Time)) {
	k := newTracker(src, tasks)
	walk(src, w, func(r *trace.Record) {
		changes := k.step(r)
		if r.Time < w.Since {
			return
		}
		for i := range changes {
			if c := &changes[i]; keep(c) && k.selected(c.pid, c.task) {
				emit(c.pid, c.since, r.Time)
			}
		}
	})
}

// spans calls emit for each span of that name that ends in the window.
func spans(src Source, w Window, tasks Tasks, span int32, emit func(pid int32, begin, end event.Time)) {
	k := newTracker(src, tasks)
	walk(src, w, func(r *trace.Record) {
		if r.Kind == trace.KindEnd && r.A == int64(span) && r.Time >= w.Since && k.selected(r.Task, k.task(r.Task)) {
			emit(r.Task, event.Time(r.B), r.Time)
		}
	})
}
