package metrics

import (
	"fmt"
	"testing"
	"time"

	"schedrepl/engine/event"
	"schedrepl/engine/trace"
)

// A wakeup of a task that is runnable or runs already begins no wait, and a
// wait that a signal ends is no latency.
func TestWakeupsThatChangeNothing(t *testing.T) {
	b := newStream(1)
	b.spawn(0, 1, 2).run(0, 1, trace.NoState, trace.CPUIdle)
	b.at(4).wake(2, 0, trace.NotBehind).wake(1, 0, trace.Self)
	b.at(7).run(0, 2, trace.Running, trace.SliceEnd)
	b.at(8).run(0, 0, trace.Sleeping, trace.Blocked)
	b.at(9).state(1, trace.Stopped)
	b.at(11).wake(2, 0, trace.CPUIdle).at(15).state(2, trace.Stopped).at(20)
	all := From(0, 20)
	if got := show(Latency(b.rs, all, nil)); got != "1:0@0 2:7@7 " {
		t.Errorf("latency %s", got)
	}
	if got := show(Waits(b.rs, all, nil)); got != "1:0@0 2:7@7 1:2@9 2:4@15 " {
		t.Errorf("waits %s", got)
	}
}

// Records that name one CPU twice are migrate records, but no moves; what
// idle's state says is of no interest.
func TestCountsThatAreNone(t *testing.T) {
	b := newStream(2)
	b.spawn(0, 1).migrate(1, 0, 0).run(0, 1, trace.NoState, trace.CPUIdle)
	b.rs[len(b.rs)-1].State = trace.Running
	all := From(0, 9)
	got := map[string]int64{}
	for _, c := range Counters(b.rs, all, nil) {
		got[c.Name] = c.Count
	}
	if got["sched:sched_migrate_task"] != 1 || got["cpu-migrations"] != 0 {
		t.Errorf("counters %v", got)
	}
	if m := Migrations(b.rs, all, nil); len(m) != 0 {
		t.Errorf("migrations %v", m)
	}
	if s := Switches(b.rs, all, nil); len(s) != 1 || s[0].State != trace.NoState {
		t.Errorf("switches %v", s)
	}
	if s := PerTask(b.rs, all, nil); s[0].Migrations != 0 {
		t.Errorf("%+v", s)
	}
	if m := MigrationMatrix([]Migration{{From: 3, To: 1}}, 2); len(m) != 4 || m[3][1] != 1 {
		t.Errorf("matrix %v", m)
	}
}

func TestPerturbationsEdges(t *testing.T) {
	grid := Grid{Period: 100, TickCost: 4, SwitchCost: 3}
	for _, c := range []struct {
		name  string
		story func(b *stream)
		want  string
	}{
		// The work of the charge is done just when the switch comes.
		{"adjacent switch", func(b *stream) {
			b.at(20).charge(0, 10).at(30).run(0, 2, trace.Running, trace.SliceEnd)
			b.at(40).run(0, 1, trace.Running, trace.SliceEnd).at(50)
		}, "1:23@43 "},
		// Another is switched in by the tick at 100, and it at once after.
		{"tick of another", func(b *stream) {
			b.at(50).run(0, 2, trace.Running, trace.SliceEnd)
			b.at(100).run(0, 1, trace.Running, trace.SliceEnd).at(150)
		}, "1:57@107 "},
		// An idle CPU has no tick to take.
		{"tick of idle", func(b *stream) {
			b.at(50).run(0, 0, trace.Running, trace.AffinityChange)
			b.at(100).run(0, 1, trace.NoState, trace.CPUIdle).at(150)
		}, "1:53@103 "},
		// The kernel's work for another is not yet done at the switch.
		{"work left over", func(b *stream) {
			b.at(50).run(0, 2, trace.Running, trace.SliceEnd)
			b.at(58).charge(0, 20).at(60).run(0, 1, trace.Running, trace.SliceEnd).at(99)
		}, "1:31@81 "},
		// It is not seen whether the work is all that there is.
		{"unfinished", func(b *stream) { b.at(50).charge(0, 20).at(60) }, ""},
		{"no cost", func(b *stream) { b.at(50).charge(0, 0).at(60) }, ""},
		// Stopped and put on again: its own will.
		{"blocked", func(b *stream) {
			b.at(50).run(0, 2, trace.Sleeping, trace.Blocked).at(55).wake(1, 0, trace.NotBehind)
			b.at(60).run(0, 1, trace.Running, trace.SliceEnd).at(65).charge(0, 2).at(90)
		}, "1:2@67 "},
	} {
		b := newStream(1)
		b.at(5).spawn(0, 1, 2).at(10).run(0, 1, trace.NoState, trace.CPUIdle)
		c.story(b)
		if got := show(Perturbations(b.rs, From(0, b.now), 1, grid)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestPerturbedRowsEdges(t *testing.T) {
	gaps := func(bounds ...event.Time) (s Samples) {
		for i := 0; i < len(bounds); i += 2 {
			s.add(1, bounds[i], bounds[i+1])
		}
		return s
	}
	for _, c := range []struct {
		name  string
		gaps  Samples
		until event.Time
		want  string // start, end, count and over of each row
	}{
		{"none", gaps(), 250, "0-100 0 0; 100-200 0 0; "},
		{"a row ends with the window", gaps(), 200, "0-100 0 0; 100-200 0 0; "},
		{"a gap begins with the second", gaps(100, 130), 220, "0-100 0 0; 100-200 1 1; "},
		{"a gap ends with the second", gaps(80, 100), 100, "0-100 1 1; "},
		{"a gap spans seconds", gaps(80, 310), 420, "0-310 1 1; 310-410 0 0; "},
		{"a gap that is as long as the threshold", gaps(20, 30, 40, 51), 100, "0-100 2 1; "},
		{"a gap that has not ended", gaps(20, 40), 90, ""},
	} {
		got := ""
		for _, r := range rowsOf(c.gaps, 0, c.until, 100, 10) {
			got += fmt.Sprintf("%d-%d %d %d; ", r.Start, r.End, r.Count, r.Over)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// A selection is asked once for each task.
func TestSelectionIsCached(t *testing.T) {
	b := hogs(3, 30)
	asked := map[int32]int{}
	Waits(b.rs, From(0, b.now), func(pid int32) bool { asked[pid]++; return true })
	if len(asked) != 3 || asked[1] != 1 || asked[2] != 1 || asked[3] != 1 {
		t.Errorf("asked %v", asked)
	}
	empty := Shares(records{}, From(0, 0), nil, 2, AllCPUs)
	if len(empty) != 1 || empty[0] != (Share{}) {
		t.Errorf("shares of nothing: %v", empty)
	}
	if d := Shares(records{}, From(4, 10), nil, 2, AllCPUs); d[0].Time != 12*time.Nanosecond || d[0].Percent != 100 {
		t.Errorf("shares of an idle machine: %v", d)
	}
}

// After the last gap the program goes on, and so do its lines.
func TestPerturbedRowsAfterTheLastGap(t *testing.T) {
	b := newStream(1)
	b.at(5).spawn(0, 1).at(10).run(0, 1, trace.NoState, trace.CPUIdle)
	b.at(20).charge(0, 5).at(350)
	rows, err := PerturbedRows(b.rs, From(10, 350), 1, Grid{}, 100, 3)
	if err != nil || len(rows) != 3 || rows[0].Count != 1 || rows[2].End != 310 {
		t.Errorf("%v, %v", rows, err)
	}
}
