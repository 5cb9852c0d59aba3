package bindings

import (
	"slices"
	"testing"

	"schedrepl/engine/event"
	"schedrepl/engine/metrics"
	"schedrepl/plots"
)

func TestCPULanes(t *testing.T) {
	ran := [][]metrics.Segment{
		{{Start: 1e6, End: 2e6, PID: 2}, {Start: 2e6, End: 5e6, PID: 0}},
		{{Start: 1e6, End: 2e6, PID: 3}, {Start: 2e6, End: 4e6, PID: -1}, {Start: 4e6, End: 5e6, PID: 4}},
	}
	comm := func(pid int32) string { return map[int32]string{2: "web", 3: "cc1", 4: "cc1"}[pid] }
	for _, test := range []struct {
		kept event.Time
		cpus []int
		want []string
	}{
		{0, []int{0, 1}, []string{"CPU 0 web", "CPU 1 cc1-3", "CPU 1 unknown", "CPU 1 cc1-4"}},
		{0, []int{0}, []string{"CPU 0 web"}},
		{1e6, []int{0}, []string{"CPU 0 unknown", "CPU 0 web"}},
	} {
		var got []string
		s := stretch{to: 5e6, kept: test.kept}
		for _, l := range cpuLanes(ran, s, test.cpus, comm) {
			for _, g := range l.Segments {
				what := g.Name
				if g.State == plots.Unknown {
					what = "unknown"
				}
				got = append(got, l.Name+" "+what)
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("CPUs %v: the segments are %q, want %q", test.cpus, got, test.want)
		}
	}
}

func TestBusiest(t *testing.T) {
	stats := []metrics.TaskStat{
		{PID: 2, Running: 5}, {PID: 3, Waiting: 9}, {PID: 4, Sleeping: 99}, {PID: 5, Running: 2, Waiting: 3}, {PID: 4, Running: 6},
	}
	pids, all := busiest(stats, 3)
	if want := []int32{2, 3, 4}; !slices.Equal(pids, want) || all != 4 {
		t.Errorf("the busiest are %v of %d, want %v of 4", pids, all, want)
	}
}

func TestAddShares(t *testing.T) {
	ws := []metrics.ShareWindow{
		{Start: 0, End: 10, Rows: []metrics.Share{{PID: 1, Percent: 50}, {PID: 2, Percent: 30}, {PID: 0, Percent: 20}}},
		{Start: 10, End: 15, Rows: []metrics.Share{{PID: 3, Percent: 60}, {PID: -1, Percent: 40}}},
	}
	var d plots.ShareData
	addShares(&d, ws, func(pid int32) string { return []string{"", "web", "cc1", "cc1"}[pid] }, metrics.Of(3))
	if len(d.Series) != 2 || !d.Series[0].Plain || d.Series[1].Plain || !slices.Equal(d.Series[1].Values, []float64{30, 60}) {
		t.Errorf("the series are %+v", d.Series)
	}
	if !slices.Equal(d.Times, []int64{0, 10, 15}) || !slices.Equal(d.Idle, []float64{20, 0}) || !slices.Equal(d.Unknown, []float64{0, 40}) {
		t.Errorf("times %v, idle %v, unknown %v", d.Times, d.Idle, d.Unknown)
	}
}
