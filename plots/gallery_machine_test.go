package plots

import (
	"fmt"
	"slices"
)

// run is a small machine: tasks that run for a while, wait in turn, and sleep.
type toyRun struct {
	tasks []Lane
	cpus  []Lane
	queue []Queue
	end   int64
}

// toy runs n tasks on cpus in slices of about mean ns until end. Task 0 never
// sleeps.
func toy(cpus, n int, mean float64, end int64) toyRun {
	t := toyRun{end: end}
	for i := range n {
		t.tasks = append(t.tasks, Lane{Name: fmt.Sprintf("worker/%d", i)})
	}
	for c := range cpus {
		r := noise(uint64(300 + c))
		lane, q := Lane{Name: fmt.Sprintf("CPU %d", c)}, Queue{Name: fmt.Sprintf("CPU %d", c)}
		var waiting []int
		since := make([]int64, n)
		wake := make([]int64, n)
		for i := c; i < n; i += cpus {
			waiting = append(waiting, i)
		}
		add := func(i int, s State, a, b int64) {
			if b = min(b, end); a < b {
				t.tasks[i].Segments = append(t.tasks[i].Segments, Segment{Start: a, End: b, Task: c, Name: lane.Name, State: s})
			}
		}
		now, last := int64(0), -1
		for now < end {
			for i := c; i < n; i += cpus {
				if wake[i] > 0 && wake[i] <= now {
					waiting = append(waiting, i)
					add(i, Asleep, since[i], wake[i])
					since[i], wake[i] = wake[i], 0
				}
			}
			if len(waiting) != last {
				last = len(waiting)
				q.At, q.N = append(q.At, now), append(q.N, float64(last))
			}
			d := int64(mean*(0.2+r.ExpFloat64())) + 1
			if last == 0 {
				now += d
				continue
			}
			i := waiting[0]
			waiting = waiting[1:]
			add(i, Waiting, since[i], now)
			add(i, Ran, now, now+d)
			lane.Segments = append(lane.Segments, Segment{Start: now, End: min(now+d, end), Task: i, Name: t.tasks[i].Name})
			now += d
			since[i] = now
			if i > 0 && r.IntN(3) > 0 {
				wake[i] = now + int64(mean*4*r.ExpFloat64()) + 1
			} else {
				waiting = append(waiting, i)
			}
		}
		for i := c; i < n; i += cpus {
			if wake[i] > 0 {
				add(i, Asleep, since[i], end)
			} else {
				add(i, Waiting, since[i], end)
			}
		}
		t.cpus, t.queue = append(t.cpus, lane), append(t.queue, q)
	}
	return t
}

func view(end int64) [2]float64 { return [2]float64{0, float64(end)} }

// shareData cuts the lanes of CPUs into windows.
func shareData(t toyRun, windows int) ShareData {
	d := ShareData{Idle: make([]float64, windows), What: "task"}
	for k := range windows + 1 {
		d.Times = append(d.Times, t.end*int64(k)/int64(windows))
	}
	for _, l := range t.tasks {
		d.Series = append(d.Series, ShareSeries{Name: l.Name, Values: make([]float64, windows)})
	}
	for k := range windows {
		lo, hi := d.Times[k], d.Times[k+1]
		whole := float64(hi-lo) * float64(len(t.cpus))
		d.Idle[k] = 100
		for _, l := range t.cpus {
			for _, s := range l.Segments {
				v := 100 * float64(max(0, min(s.End, hi)-max(s.Start, lo))) / whole
				d.Series[s.Task].Values[k] += v
				d.Idle[k] = max(0, d.Idle[k]-v)
			}
		}
	}
	return d
}

func threeMoments(end int64) []Moment {
	return []Moment{{end / 3, "warm"}, {end/3 + end/40, "second job begins"}, {end * 9 / 10, "the long name of a mark near the end"}, {end/3 + end/30, "x"}}
}

// machineSamples are the golden figures of machines over time.
func machineSamples() []sample {
	return []sample{
		{"tasks_few", func() (*Figure, error) {
			t := toy(2, 5, 3e6, 60e6)
			return TaskTimeline(t.tasks, Options{Title: "Who waits", XRange: view(t.end)})
		}},
		{"tasks_double", func() (*Figure, error) {
			t := toy(3, 12, 3e6, 80e6)
			return TaskTimeline(t.tasks, Options{Size: Double, XRange: view(t.end), Moments: threeMoments(t.end)})
		}},
		{"tasks_dense", func() (*Figure, error) {
			t := toy(8, 9, 1e6, 2e9)
			return TaskTimeline(t.tasks, Options{XRange: view(t.end), YLabel: "9 busiest of 310 tasks"})
		}},
		{"tasks_many_cpus", func() (*Figure, error) {
			t := toy(24, 48, 3e6, 60e6)
			return TaskTimeline(t.tasks[:10], Options{XRange: view(t.end), Legend: LegendRight, Size: Double})
		}},
		{"tasks_not_recorded", func() (*Figure, error) {
			t := toy(2, 4, 3e6, 60e6)
			for i := range t.tasks {
				segs := slices.DeleteFunc(t.tasks[i].Segments, func(s Segment) bool { return s.End <= 20e6 })
				segs = append(segs, Segment{End: segs[0].Start, State: Unknown})
				t.tasks[i].Segments = segs
			}
			return TaskTimeline(t.tasks, Options{XRange: view(t.end)})
		}},
		{"tasks_none", func() (*Figure, error) {
			return TaskTimeline(nil, Options{XRange: view(1e9), Title: "Nobody"})
		}},
		{"timeline_bands", func() (*Figure, error) {
			ls := lanes(1024, 40, 12, 1e6)
			for i := range ls {
				ls[i].Name = fmt.Sprintf("CPU %d", i)
				if i >= 256 && i < 512 {
					ls[i].Segments = ls[i].Segments[:10]
				}
			}
			return Timeline(ls, Options{})
		}},
		{"timeline_idle", func() (*Figure, error) {
			return Timeline([]Lane{{Name: "CPU 0"}, {Name: "CPU 1"}}, Options{XRange: view(2e9), Title: "An idle machine"})
		}},
		{"timeline_moments", func() (*Figure, error) {
			t := toy(2, 5, 3e6, 60e6)
			return Timeline(t.cpus, Options{Title: "With marks", Moments: threeMoments(60e6)})
		}},
		{"timeline_one_ns", func() (*Figure, error) {
			return Timeline([]Lane{{Name: "CPU 0", Segments: []Segment{{Start: 1e9, End: 1e9 + 1, Name: "make"}}}}, Options{XRange: [2]float64{1e9, 1e9 + 1}})
		}},
		{"timeline_not_recorded", func() (*Figure, error) {
			t := toy(2, 5, 3e6, 60e6)
			for i := range t.cpus {
				t.cpus[i].Segments = slices.DeleteFunc(t.cpus[i].Segments, func(s Segment) bool { return s.Start < 20e6 })
				t.cpus[i].Segments = append(t.cpus[i].Segments, Segment{Start: 0, End: 20e6, State: Unknown})
			}
			return Timeline(t.cpus, Options{XRange: view(60e6)})
		}},
		{"timeline_scripts", func() (*Figure, error) {
			t := toy(2, 3, 3e6, 60e6)
			for i := range t.cpus {
				for k := range t.cpus[i].Segments {
					s := &t.cpus[i].Segments[k]
					s.Name = []string{"編譯器", "сборка", "δοκιμή"}[s.Task]
				}
			}
			return Timeline(t.cpus, Options{Title: "調度器 планировщик"})
		}},
		{"runqueues_lines", func() (*Figure, error) {
			t := toy(4, 12, 3e6, 100e6)
			return RunQueues(QueueData{To: t.end, Queues: t.queue}, Options{Title: "Run queues"})
		}},
		{"runqueues_dense", func() (*Figure, error) {
			t := toy(3, 15, 1e5, 1e9)
			t.queue[1].At[0] = 1e8
			for k := 1; t.queue[1].At[k] <= 1e8; k++ {
				t.queue[1].At, t.queue[1].N = slices.Delete(t.queue[1].At, k, k+1), slices.Delete(t.queue[1].N, k, k+1)
				k--
			}
			return RunQueues(QueueData{To: t.end, Queues: t.queue}, Options{Moments: threeMoments(t.end)})
		}},
		{"runqueues_one", func() (*Figure, error) {
			return RunQueues(QueueData{To: 1, Queues: []Queue{{Name: "CPU 0", At: []int64{0}, N: []float64{0}}}}, Options{})
		}},
		{"runqueues_heat", func() (*Figure, error) {
			t := toy(16, 60, 2e6, 1e9)
			return RunQueues(QueueData{To: t.end, Queues: t.queue}, Options{Title: "16 CPUs", Moments: threeMoments(t.end)})
		}},
		{"runqueues_bands", func() (*Figure, error) {
			t := toy(1024, 3000, 2e7, 1e9)
			for i := range 300 {
				t.queue[i].At[0] = 1.5e8
				n := slices.IndexFunc(t.queue[i].At[1:], func(a int64) bool { return a > 1.5e8 }) + 1
				t.queue[i].At, t.queue[i].N = slices.Delete(t.queue[i].At, 1, n), slices.Delete(t.queue[i].N, 1, n)
			}
			return RunQueues(QueueData{To: t.end, Queues: t.queue, Most: true}, Options{})
		}},
		{"shares_areas", func() (*Figure, error) {
			return Shares(shareData(toy(3, 12, 3e6, 1e9), 20), Options{Title: "Who had the CPU"})
		}},
		{"shares_dense", func() (*Figure, error) {
			d := shareData(toy(3, 9, 2e6, 4e9), 2000)
			d.Unknown = make([]float64, 2000)
			for k := range 300 {
				for i := range d.Series {
					d.Series[i].Values[k] = 0
				}
				d.Idle[k], d.Unknown[k] = 0, 100
			}
			return Shares(d, Options{Width: 5, Legend: LegendRight, Moments: threeMoments(4e9)})
		}},
		{"shares_lines", func() (*Figure, error) {
			d := shareData(toy(3, 12, 3e6, 1e9), 20)
			d.Lines, d.Top = true, 4
			return Shares(d, Options{})
		}},
		{"shares_idle", func() (*Figure, error) {
			return Shares(ShareData{Times: []int64{0, 1e9}, Idle: []float64{100}}, Options{})
		}},
		{"migrations_small", func() (*Figure, error) {
			return Migrations(MigrationData{Counts: migrations(8).Values, Diagonal: true}, Options{ValueLabels: true, Title: "Moves"})
		}},
		{"migrations_log", func() (*Figure, error) {
			return Migrations(MigrationData{Counts: migrations(64).Values, Diagonal: true}, Options{LogColour: true})
		}},
		{"migrations_blocks", func() (*Figure, error) {
			return Migrations(MigrationData{Counts: migrations(1024).Values}, Options{LogColour: true, Title: "1,024 CPUs"})
		}},
		{"migrations_scale", func() (*Figure, error) {
			var ps []*Figure
			for i, n := range []int{8, 16, 8} {
				d := MigrationData{Counts: migrations(n).Values, Max: 250}
				for _, row := range d.Counts {
					for j := range row {
						row[j] = float64(int(row[j]) / (3*i + 1))
					}
				}
				f, err := Migrations(d, Options{Title: []string{"much", "less", "least"}[i]})
				if err != nil {
					return nil, err
				}
				ps = append(ps, f)
			}
			return Grid(ps, 3, Options{Size: Double, Title: "One scale"})
		}},
	}
}
