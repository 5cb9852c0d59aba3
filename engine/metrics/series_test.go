package metrics

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"schedrepl/engine/event"
	"schedrepl/engine/trace"
)

// at returns what a life says of one nanosecond, and false if it says nothing.
func (l Life) at(now event.Time) (Span, bool) {
	for _, s := range l.Spans {
		if now >= s.Start && now < s.End {
			return s, true
		}
	}
	return Span{}, false
}

func TestLivesModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawStory(t)
		w := g.drawWindow(t)
		odd := func(pid int32) bool { return pid%2 == 1 }
		lives := map[int32]Life{}
		for _, l := range Lives(g.rs, w, odd) {
			lives[l.PID] = l
			if first, last := l.Spans[0], l.Spans[len(l.Spans)-1]; first.Start < w.Since || last.End > min(w.Until, g.now) {
				t.Fatalf("task %d: %v reaches out of the window %v", l.PID, l.Spans, w)
			}
			for i := 1; i < len(l.Spans); i++ {
				if a, b := l.Spans[i-1], l.Spans[i]; b.Start != a.End || b.End <= b.Start {
					t.Fatalf("task %d: %v after %v", l.PID, b, a)
				}
			}
		}
		g.inside(w, func(now event.Time, m moment) {
			for pid, p := range m.phase {
				s, told := lives[pid].at(now)
				switch {
				case !odd(pid) || p == unknown || p == gone:
					if told {
						t.Fatalf("task %d at %d: %v, want nothing (%v)", pid, now, s, p)
					}
				case !told || s.Doing != Doing(p):
					t.Fatalf("task %d at %d: %v, %v; want %v", pid, now, s, told, p)
				case p == running && int(s.CPU) != m.cpu[pid]:
					t.Fatalf("task %d at %d: on CPU %d, want %d", pid, now, s.CPU, m.cpu[pid])
				}
			}
		})
	})
}

func TestSharesOverModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawStory(t)
		w := g.drawWindow(t)
		one := rapid.IntRange(AllCPUs, g.ncpu-1).Draw(t, "cpu")
		step := time.Duration(rapid.IntRange(1, 40).Draw(t, "step"))
		got, err := SharesOver(g.rs, w, nil, g.ncpu, one, step)
		if err != nil {
			t.Fatal(err)
		}
		at := w.Since
		for i, sw := range got {
			if sw.Start != at || sw.End <= at || sw.End.Sub(at) != step && i < len(got)-1 || sw.End.Sub(at) > step {
				t.Fatalf("window %d from %d to %d after %d", i, sw.Start, sw.End, at)
			}
			at = sw.End
			want := Shares(g.rs, Window{Since: sw.Start, Until: sw.End, Now: g.now}, nil, g.ncpu, one)
			want = slices.DeleteFunc(want, func(s Share) bool { return s.Time == 0 })
			if !slices.Equal(sw.Rows, want) {
				t.Fatalf("window %d: %v, want %v", i, sw.Rows, want)
			}
		}
		if end := max(w.Since, min(w.Until, g.now)); at != end {
			t.Fatalf("the windows end at %d, want %d", at, end)
		}
	})
}

// TestForgottenSeries cuts the beginning off a stream: from there on, queues and
// lives must be what they are with it, as far as a record tells.
func TestForgottenSeries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawStory(t)
		if len(g.rs) == 0 {
			return
		}
		cut := rapid.IntRange(0, len(g.rs)-1).Draw(t, "cut")
		start := g.rs[cut].Time + 1 // the records of one instant are lost together
		for cut < len(g.rs) && g.rs[cut].Time < start {
			cut++
		}
		src := late{g.rs[cut:], start}
		w := From(event.Time(rapid.IntRange(0, int(g.now)).Draw(t, "since")), g.now)
		told := map[int32]bool{}
		halted := map[int32]bool{}
		for _, r := range src.records {
			switch r.Kind {
			case trace.KindSwitch:
				told[r.Task], told[r.Other] = true, true
			case trace.KindWakeup, trace.KindWakeupNew:
				told[r.Task] = true
			}
			// What is not sure of a task that a signal stops is left open.
			halted[r.Task] = halted[r.Task] || r.Kind == trace.KindState
		}
		lives := map[int32]Life{}
		for _, l := range Lives(src, w, nil) {
			lives[l.PID] = l
		}
		queues := RunQueues(src, w, g.ncpu)
		all := RunQueues(g.rs, w, g.ncpu)
		g.inside(w, func(now event.Time, m moment) {
			if now < start {
				return
			}
			missing := false
			for pid, p := range m.phase {
				s, ok := lives[pid].at(now)
				if ok && s.Doing != Doing(p) {
					t.Fatalf("task %d at %d: %v, want %v", pid, now, s.Doing, p)
				}
				missing = missing || halted[pid] || !told[pid] && (p == waiting || p == running)
				if !ok && told[pid] && !halted[pid] && (p == waiting || p == running) {
					t.Fatalf("task %d at %d: nothing, want %v", pid, now, p)
				}
			}
			for c := range g.ncpu {
				if x, y := valueAt(queues[c], now), valueAt(all[c], now); x != y && !missing {
					t.Fatalf("CPU %d at %d: %d runnable, want %d", c, now, x, y)
				}
			}
		})
		ws, err := SharesOver(src, w, nil, g.ncpu, AllCPUs, 7)
		if err != nil {
			t.Fatal(err)
		}
		for _, sw := range ws {
			sum := time.Duration(0)
			for _, s := range sw.Rows {
				sum += s.Time
				if s.PID < 0 && sw.Start >= start && len(src.records) > 0 && g.ncpu == 1 && src.records[0].Kind == trace.KindSwitch {
					t.Fatalf("unknown time in %v, but the records begin at %d", sw, start)
				}
			}
			if sum != time.Duration(g.ncpu)*sw.End.Sub(sw.Start) {
				t.Fatalf("%v adds up to %v", sw, sum)
			}
		}
	})
}

func TestSharesOverErrors(t *testing.T) {
	for _, c := range []struct {
		step time.Duration
		want string
	}{
		{0, "must be longer than 0"},
		{-1, "must be longer than 0"},
		{time.Microsecond, "10s cut into windows of 1µs are more than 100000: give windows of 100µs or more"},
	} {
		_, err := SharesOver(records{}, From(0, 10*s), nil, 1, AllCPUs, c.step)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("step %v: %v, want %q", c.step, err, c.want)
		}
	}
	ws, err := SharesOver(records{}, From(5, 5), nil, 2, AllCPUs, time.Second)
	if err != nil || len(ws) != 0 {
		t.Errorf("an empty window: %v, %v", ws, err)
	}
}

func TestSharesOverTables(t *testing.T) {
	d := day()
	ws, err := SharesOver(d.rs, From(0, 100), nil, 2, AllCPUs, 50)
	if err != nil {
		t.Fatal(err)
	}
	byComm, err := KeySharesOverTable(ws, "comm", comm)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ got, want string }{
		{text(t, SharesOverTable(ws, comm)), `start_ns,end_ns,pid,comm,time_ns,share_pct
0,50,0,idle,60,60
0,50,1,hog,20,20
0,50,2,kworker/0:1,20,20
50,100,0,idle,70,70
50,100,1,hog,30,30
`},
		{text(t, byComm), `start_ns,end_ns,comm,tasks,time_ns,share_pct
0,50,idle,0,60,60
0,50,hog,1,20,20
0,50,kworker/0:1,1,20,20
50,100,idle,0,70,70
50,100,hog,1,30,30
`},
	} {
		if c.got != c.want {
			t.Errorf("got\n%swant\n%s", c.got, c.want)
		}
	}
}
