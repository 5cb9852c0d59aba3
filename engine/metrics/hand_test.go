package metrics

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"schedrepl/engine/event"
	"schedrepl/engine/table"
	"schedrepl/engine/trace"
)

// day is a stream made by hand: CPU 0 runs task 1, task 2 wakes and preempts
// it; CPU 1 gets task 1 for a while. Times in ns, 0 to 100.
//
//	CPU 0:  0 idle 10 task 1 30 task 2 50 task 1 60 idle 100
//	CPU 1:  0 idle 70 task 1 90 idle 100
func day() *stream {
	b := newStream(2)
	b.at(5).spawn(0, 1)
	b.at(10).run(0, 1, trace.NoState, trace.CPUIdle)
	b.at(20).fork(2, 1)
	b.at(25).wakeNew(2, 0)
	b.at(30).run(0, 2, trace.Running, trace.ForkPreempt)
	b.at(50).run(0, 1, trace.Sleeping, trace.Blocked)
	b.at(60).run(0, 0, trace.Running, trace.AffinityChange)
	b.at(62).migrate(1, 0, 1)
	b.at(70).run(1, 1, trace.NoState, trace.CPUIdle)
	b.at(75).wake(1, 1, trace.Self)
	b.at(80).state(2, trace.Stopped)
	b.at(85).exit(1)
	b.at(90).run(1, 0, trace.Exited, trace.ExitedTask)
	b.at(100)
	return b
}

func TestSamplesByHand(t *testing.T) {
	src := day().rs
	all := From(0, 100)
	for _, c := range []struct {
		name string
		got  Samples
		want string
	}{
		{"latency", Latency(src, all, nil), "1:5@10 2:5@30 "},
		{"latency of one", Latency(src, all, Of(2)), "2:5@30 "},
		{"waits", Waits(src, all, nil), "1:5@10 2:5@30 1:20@50 1:10@70 "},
		{"off cpu", OffCPU(src, all, nil), "1:20@50 1:10@70 "},
		{"slices", Slices(src, all, nil), "1:20@30 2:20@50 1:10@60 1:20@90 "},
		{"begun before the window", Slices(src, From(30, 100), nil), "1:20@30 2:20@50 1:10@60 1:20@90 "},
		{"begun long before", Waits(src, From(49, 100), nil), "1:20@50 1:10@70 "},
		{"ended at its end", Slices(src, Window{Since: 31, Until: 60}, nil), "2:20@50 "},
		{"still waiting", Pending(src, Window{Until: 65}, nil), "1:5@65 "},
		{"two still wait", Pending(src, Window{Until: 28}, nil), "2:3@28 "},
		{"none waits", Pending(src, all, nil), ""},
	} {
		if got := show(c.got); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if n := c.got.Len(); n != len(c.got.At) || n != len(c.got.PID) {
			t.Errorf("%s: lengths differ", c.name)
		}
	}
	s := Slices(src, all, nil)
	if sum, err := s.Summary(); err != nil || sum.Sum != 70 || sum.Max != 20 {
		t.Errorf("summary %+v, %v", sum, err)
	}
}

func TestPendingOrder(t *testing.T) {
	b := newStream(1)
	b.at(3).spawn(0, 7).at(4).spawn(0, 9, 2).at(10)
	if got := show(Pending(b.rs, From(0, 10), nil)); got != "7:7@10 2:6@10 9:6@10 " {
		t.Error(got)
	}
}

func TestResponse(t *testing.T) {
	span := func(kind trace.Kind, at event.Time, pid int32, name, began int64) trace.Record {
		return trace.Record{Time: at, Kind: kind, Task: pid, A: name, B: began}
	}
	src := records{
		span(trace.KindBegin, 10, 1, 3, 10), span(trace.KindBegin, 12, 2, 3, 12),
		span(trace.KindBegin, 15, 1, 4, 15), span(trace.KindEnd, 18, 1, 4, 15),
		span(trace.KindEnd, 20, 2, 3, 12), span(trace.KindEnd, 30, 1, 3, 10),
		span(trace.KindBegin, 31, 1, 3, 31),
	}
	if got := show(Response(src, From(0, 99), nil, 3)); got != "2:8@20 1:20@30 " {
		t.Error(got)
	}
	if got := show(Response(src, Window{Since: 20, Until: 30}, Of(1, 2), 3)); got != "2:8@20 " {
		t.Error(got)
	}
}

// text is a table as CSV, with Unix line ends.
func text(t *testing.T, tab *table.Table) string {
	t.Helper()
	var out strings.Builder
	if err := tab.WriteCSV(&out); err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(out.String(), "\r\n", "\n")
}

func comm(pid int32) string { return []string{"", "hog", "kworker/0:1"}[pid] }

func TestTablesByHand(t *testing.T) {
	src := day().rs
	all := From(0, 100)
	shares := Shares(src, all, nil, 2, AllCPUs)
	by, err := KeySharesTable(SharesBy(shares, comm), "comm")
	if err != nil {
		t.Fatal(err)
	}
	moves := Migrations(src, all, nil)
	for _, c := range []struct {
		name string
		got  *table.Table
		want string
	}{
		{"shares", SharesTable(shares, comm), `pid,comm,time_ns,share_pct
0,idle,130,65
1,hog,50,25
2,kworker/0:1,20,10
`},
		{"shares by comm", by, `comm,tasks,time_ns,share_pct
idle,0,130,65
hog,1,50,25
kworker/0:1,1,20,10
`},
		{"shares of one on CPU 0", SharesTable(Shares(src, Window{Since: 20, Until: 60}, Of(1), 2, 0), comm), `pid,comm,time_ns,share_pct
1,hog,20,50
`},
		{"counters", CountersTable(Counters(src, all, nil)), `event,count
context-switches,6
cpu-migrations,1
sched:sched_switch,6
sched:sched_migrate_task,1
sched:sched_waking,1
sched:sched_wakeup,1
sched:sched_wakeup_new,2
sched:sched_process_fork,2
sched:sched_process_exec,0
sched:sched_process_exit,1
`},
		{"switches", SwitchesTable(Switches(src, all, nil)), `reason,state,pick,count
cpu-idle,idle,leftmost,2
blocked,S,leftmost,1
exited,X,idle,1
affinity-change,R,idle,1
fork-preempt,R,leftmost,1
`},
		{"switches of 2", SwitchesTable(Switches(src, all, Of(2))), `reason,state,pick,count
blocked,S,leftmost,1
`},
		{"tasks", PerTaskTable(PerTask(src, all, nil), comm), `pid,comm,born_ns,died_ns,running_ns,waiting_ns,sleeping_ns,stopped_ns,max_wait_ns,slices,nvcsw,nivcsw,wakeups,migrations
1,hog,5,90,50,35,0,0,20,3,1,2,2,1
2,kworker/0:1,20,,20,5,35,20,5,1,1,0,1,0
`},
		{"migrations", MigrationsTable(moves, comm), `at_ns,pid,comm,from,to,reason
62,1,hog,0,1,least-load
`},
		{"matrix", MigrationMatrixTable(MigrationMatrix(moves, 2)), `from,to_0,to_1
0,0,1
1,0,0
`},
		{"causes", WaitsByCauseTable(WaitsByCause(src, all, nil)), `began,reason,pick,count,sum_ns,mean_ns,max_ns,share_pct
preempted,fork-preempt,leftmost,1,20,20,20,50
preempted,affinity-change,idle,1,10,10,10,25
wakeup_new,cpu-idle,previous,2,10,5,5,25
`},
		{"blame", BlameTable(BlameWaits(src, all, nil), comm), `began,reason,pick,runner,comm,time_ns,share_pct
preempted,fork-preempt,leftmost,2,kworker/0:1,20,50
preempted,affinity-change,idle,0,idle,10,25
wakeup_new,cpu-idle,previous,0,idle,5,12.5
wakeup_new,cpu-idle,previous,1,hog,5,12.5
`},
	} {
		if got := text(t, c.got); got != c.want {
			t.Errorf("%s:\n%swant:\n%s", c.name, got, c.want)
		}
	}
}

func TestStretchesByHand(t *testing.T) {
	got := Stretches(day().rs, From(60, 100), Of(1))
	forced := Cause{trace.KindSwitch, trace.AffinityChange, trace.PickIdle}
	want := []Stretch{{PID: 1, Start: 60, End: 70, Cause: forced, Pieces: []Piece{
		{Start: 60, End: 62, CPU: 0, Runner: 0, Chosen: forced},
		{Start: 62, End: 70, CPU: 1, Runner: 0},
	}}}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v\nwant %v", got, want)
	}
	if got, want := forced.String(), "preempted: affinity-change, idle"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestForgottenBeginning(t *testing.T) {
	d := day()
	src := late{d.rs[5:], 30} // from the switch to task 2 at 30 on
	src.records = src.records[1:]
	src.start = 31
	all := From(0, 100)
	if got := show(Slices(src, all, nil)); got != "1:10@60 1:20@90 " {
		t.Errorf("slices %s: the one of task 2 has no known beginning", got)
	}
	got := text(t, SharesTable(Shares(src, From(31, 100), nil, 3, AllCPUs), comm))
	// CPU 2 is never named: nobody knows what it does.
	if want := "pid,comm,time_ns,share_pct\n0,idle,89,42.99516908212561\n-1,unknown,69,33.333333333333336\n1,hog,30,14.492753623188406\n2,kworker/0:1,19,9.178743961352657\n"; got != want {
		t.Errorf("shares\n%swant\n%s", got, want)
	}
	if err := Invariants(src, 2, 100); err != nil {
		t.Error(err)
	}
}

func TestReusedPid(t *testing.T) {
	b := newStream(1)
	b.spawn(0, 1).run(0, 1, trace.NoState, trace.CPUIdle)
	b.at(10).exit(0).run(0, 0, trace.Exited, trace.ExitedTask)
	b.at(20).spawn(0, 1).at(23).run(0, 1, trace.NoState, trace.CPUIdle).at(30)
	if err := Invariants(b.rs, 1, b.now); err != nil {
		t.Error(err)
	}
	rows := PerTask(b.rs, From(0, 30), nil)
	if len(rows) != 2 || rows[0].Died != 10 || rows[1].Born != 20 || rows[1].Running != 7 || rows[1].Died != event.Never {
		t.Errorf("%+v", rows)
	}
	if rows = PerTask(b.rs, From(11, 30), nil); len(rows) != 1 || rows[0].Born != 20 {
		t.Errorf("%+v", rows)
	}
}

func TestByComm(t *testing.T) {
	names := []string{"", "cc1", "cc1plus", "make", "kworker/3:1", "[x]"}
	for _, c := range []struct {
		pattern string
		want    []int32
	}{
		{"cc1*", []int32{1, 2}}, {"cc1", []int32{1}}, {"k*", []int32{4}}, {"kworker/?:[0-9]", []int32{4}},
		{"*", []int32{1, 2, 3, 4, 5}}, {`\[x\]`, []int32{5}}, {"", nil}, {"ma", nil},
	} {
		tasks, err := ByComm(c.pattern, func(pid int32) string { return names[pid] })
		if err != nil {
			t.Errorf("%q: %v", c.pattern, err)
			continue
		}
		var got []int32
		for pid := int32(1); pid <= 5; pid++ {
			if tasks(pid) {
				got = append(got, pid)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %v, want %v", c.pattern, got, c.want)
		}
	}
	if _, err := ByComm("cc[", nil); err == nil || !strings.Contains(err.Error(), `"cc["`) {
		t.Errorf("a bad pattern: %v", err)
	}
	if of := Of(9, 3); !of(3) || !of(9) || of(4) {
		t.Error("Of")
	}
}

// hogs runs tasks 1 to n in turn on CPU 0, each for a tick of 4 ms, for some
// ticks.
func hogs(n int32, ticks int) *stream {
	b := newStream(1)
	for pid := int32(1); pid <= n; pid++ {
		b.spawn(0, pid)
	}
	b.run(0, 1, trace.NoState, trace.CPUIdle)
	for i := range ticks {
		b.at(event.Time(i+1) * 4 * ms)
		b.run(0, int32(i+1)%n+1, trace.Running, trace.SliceEnd)
	}
	return b
}

// Eleven tasks on one queue at 250 Hz: a hog is off the CPU for 40 ms, and
// has one eleventh of it.
func TestElevenHogs(t *testing.T) {
	b := hogs(11, 2750) // 11 s
	if err := Invariants(b.rs, 1, b.now); err != nil {
		t.Fatal(err)
	}
	all := From(0, b.now)
	off := OffCPU(b.rs, all, Of(1))
	if off.Len() != 250 || slices.Min(off.Values) != 40e6 || slices.Max(off.Values) != 40e6 {
		t.Errorf("%d stretches of %v to %v", off.Len(), slices.Min(off.Values), slices.Max(off.Values))
	}
	if s := Shares(b.rs, all, Of(1), 1, 0); len(s) != 1 || s[0].Time != time.Second {
		t.Errorf("%v", s)
	}
	// With costs: every 44 ms one gap of 40 ms and the cost of the tick at
	// its end and of the switch; no tick inside the 4 ms.
	grid := Grid{Period: 4 * time.Millisecond, TickCost: time.Microsecond, SwitchCost: 2 * time.Microsecond}
	gaps := Perturbations(b.rs, all, 1, grid)
	if gaps.Len() != 249 || slices.Min(gaps.Values) != 40003e3 || slices.Max(gaps.Values) != 40003e3 {
		t.Errorf("%d gaps of %v to %v", gaps.Len(), slices.Min(gaps.Values), slices.Max(gaps.Values))
	}
	rows, err := PerturbedRows(b.rs, all, 1, grid, time.Second, 30*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	// The first second lies in the gap from 972 to 1012.003 ms.
	if r := rows[0]; r.End != 1012003*us || r.Count != 23 || r.Over != 23 || r.Sum != 23*40003*time.Microsecond {
		t.Errorf("%+v", r)
	}
	if len(rows) != 10 {
		t.Errorf("%d rows", len(rows))
	}
}

func TestPerturbationsByHand(t *testing.T) {
	at := func(cpu int) time.Duration { return time.Duration(cpu+1) * 10 }
	grid := Grid{Period: 100, Offset: at, TickCost: 4, SwitchCost: 3}
	b := newStream(2)
	b.spawn(0, 1).spawn(1, 2)
	b.at(10).run(0, 1, trace.NoState, trace.CPUIdle) // user from 13; nobody took the tick at 10
	b.at(50).charge(0, 6)                            // 50 to 56
	b.at(53).charge(0, 2)                            // ... to 58
	b.at(58).charge(0, 1)                            // ... to 59
	// tick at 110: 110 to 114
	b.at(130).run(0, 0, trace.Running, trace.AffinityChange) // from 130 on
	b.at(131).migrate(1, 0, 1)
	b.at(140).run(1, 1, trace.NoState, trace.CPUIdle) // until 143
	b.at(200)
	b.at(219).charge(1, 2)                                 // from 219, with the tick at 220 until 225
	b.at(300).run(1, 2, trace.Sleeping, trace.Blocked)     // its own will
	b.at(305).wake(1, 1, trace.WithinGran)                 // tick at 320: not its own
	b.at(420).run(1, 1, trace.Running, trace.SliceEnd)     // user from 427, no gap
	b.at(430).run(1, 2, trace.Running, trace.SliceEnd)     // from 430 on ...
	b.at(440).run(1, 1, trace.Sleeping, trace.Blocked)     // ... until 443
	b.at(520).run(1, 0, trace.Sleeping, trace.StoppedTask) // tick at 520 ends with it
	b.at(600)
	if err := grid.Validate(); err != nil {
		t.Fatal(err)
	}
	got := Perturbations(b.rs, From(0, b.now), 1, grid)
	if want := "1:9@59 1:4@114 1:13@143 1:6@225 1:13@443 "; show(got) != want {
		t.Errorf("%s, want %s", show(got), want)
	}
	rows, err := PerturbedRows(b.rs, From(13, 600), 1, grid, 100, 8)
	if err != nil {
		t.Fatal(err)
	}
	// The first row is over at 114, because 113 lies in a gap.
	want := "[{13ns 114ns 2 9ns 6ns 13ns 12.871287128712872 1 4ns} {114ns 214ns 1 13ns 13ns 13ns 13 1 13ns} " +
		"{214ns 314ns 1 6ns 6ns 6ns 6 0 6ns} {314ns 414ns 0 0s 0s 0s 0 0 0s} {414ns 514ns 1 13ns 13ns 13ns 13 1 13ns}]"
	if fmt.Sprint(rows) != want {
		t.Errorf("%v\nwant %v", rows, want)
	}
	csv := text(t, PerturbedTable(rows[:1], 8))
	if want := "at_ns,count,max_ns,mean_ns,competition_ns,share_pct,over_8ns,min_ns\n114,2,9,6,13,12.871287128712872,1,4\n"; csv != want {
		t.Errorf("%swant %s", csv, want)
	}
	// Told to begin inside a gap, the program begins behind it.
	if rows, err = PerturbedRows(b.rs, From(55, 600), 1, grid, 100, 8); err != nil || rows[0].Start != 59 || rows[0].Count != 2 {
		t.Errorf("%v, %v", rows, err)
	}
	// At 137 the row that began at 37 is over, but the gap is not: no row.
	if rows, err = PerturbedRows(b.rs, Window{Since: 37, Until: 138, Now: 600}, 1, grid, 100, 8); err != nil || len(rows) != 0 {
		t.Errorf("%v, %v", rows, err)
	}
	if _, err = PerturbedRows(b.rs, From(0, 600), 1, grid, 0, 8); err == nil {
		t.Error("an interval of 0 is taken")
	}
	if _, err = PerturbedRows(b.rs, From(0, 600), 1, Grid{Period: -1}, 100, 8); err == nil {
		t.Error("a bad grid is taken")
	}
}

// A log without its beginning: the first record tells that the task runs.
func TestPerturbationsForgotten(t *testing.T) {
	b := newStream(1)
	b.spawn(0, 1, 2).run(0, 1, trace.NoState, trace.CPUIdle)
	kept := len(b.rs)
	b.at(150).run(0, 2, trace.Running, trace.SliceEnd)
	b.at(160).run(0, 1, trace.Sleeping, trace.Blocked)
	b.at(200)
	src := late{b.rs[kept:], 50}
	grid := Grid{Period: 100, TickCost: 4, SwitchCost: 3}
	if got := show(Perturbations(src, From(0, 200), 1, grid)); got != "1:4@104 1:13@163 " {
		t.Error(got)
	}
}

func TestGridValidate(t *testing.T) {
	for _, c := range []struct {
		grid Grid
		want string
	}{
		{Grid{}, ""}, {Grid{Period: 4, TickCost: 3}, ""}, {Grid{Period: -1}, "period"},
		{Grid{TickCost: -1}, "tick cost"}, {Grid{SwitchCost: -1}, "switch cost"},
		{Grid{Period: 4, TickCost: 4}, "tick cost"},
	} {
		err := c.grid.Validate()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.grid, err)
		}
	}
}

func TestTimelineByHand(t *testing.T) {
	got := fmt.Sprint(Timeline(day().rs, Window{Since: 20, Until: 80}, 2))
	if want := "[[{20ns 30ns 1} {30ns 50ns 2} {50ns 60ns 1} {60ns 80ns 0}] [{20ns 70ns 0} {70ns 80ns 1}]]"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	got = fmt.Sprint(RunQueues(day().rs, Window{Since: 20, Until: 91}, 2))
	if want := "[[{20ns 1} {25ns 2} {50ns 1} {62ns 0}] [{20ns 0} {62ns 1} {90ns 0}]]"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
