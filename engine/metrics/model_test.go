package metrics

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"schedrepl/engine/event"
	"schedrepl/engine/trace"
)

// The tests of this file compare the folds with the books of a random stream,
// looked at nanosecond by nanosecond.

func TestInvariantsHoldForLegalStreams(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawStory(t)
		if err := Invariants(g.rs, g.ncpu, g.now); err != nil {
			t.Fatal(err)
		}
		// Cut off its beginning: what is left is still legal.
		if len(g.rs) == 0 {
			return
		}
		n := rapid.IntRange(1, len(g.rs)).Draw(t, "forgotten")
		cut := late{g.rs[n:], max(g.rs[n-1].Time, 1)}
		if n < len(g.rs) && g.rs[n].Time < cut.start {
			return
		}
		if err := Invariants(cut, g.ncpu, max(g.now, cut.start)); err != nil {
			t.Fatalf("without its first %d records: %v", n, err)
		}
	})
}

func TestSharesModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawStory(t)
		w := g.drawWindow(t)
		one := rapid.IntRange(AllCPUs, g.ncpu-1).Draw(t, "cpu")
		want := map[int32]time.Duration{}
		wall := time.Duration(0)
		g.inside(w, func(_ event.Time, m moment) {
			for c, pid := range m.cur {
				if one < 0 || c == one {
					want[pid]++
					wall++
				}
			}
		})
		got := map[int32]time.Duration{}
		sum := 0.0
		for _, r := range Shares(g.rs, w, nil, g.ncpu, one) {
			if r.Time > 0 {
				got[r.PID] = r.Time
			}
			sum += r.Percent
		}
		if !maps.Equal(got, want) {
			t.Fatalf("shares %v, want %v", got, want)
		}
		if wall > 0 && (sum < 99.999 || sum > 100.001) {
			t.Fatalf("percents add up to %v", sum)
		}
	})
}

func TestTimelineModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawStory(t)
		w := g.drawWindow(t)
		lines := Timeline(g.rs, w, g.ncpu)
		queues := RunQueues(g.rs, w, g.ncpu)
		for c := range g.ncpu {
			at := w.Since
			var flat []int32
			for _, s := range lines[c] {
				if s.Start != at || s.End <= s.Start {
					t.Fatalf("CPU %d: segment %v does not follow %v", c, s, at)
				}
				at = s.End
				for range s.End - s.Start {
					flat = append(flat, s.PID)
				}
			}
			i := 0
			g.inside(w, func(now event.Time, m moment) {
				if i >= len(flat) || flat[i] != m.cur[c] {
					t.Fatalf("CPU %d at %d: timeline %v, want %d", c, now, flat, m.cur[c])
				}
				i++
				n := 0
				for pid, p := range m.phase {
					if (p == running || p == waiting) && m.cpu[pid] == c {
						n++
					}
				}
				if got := valueAt(queues[c], now); got != n {
					t.Fatalf("CPU %d at %d: %d runnable, want %d (%v)", c, now, got, n, queues[c])
				}
			})
			if i != len(flat) {
				t.Fatalf("CPU %d: timeline covers %d ns of %d", c, len(flat), i)
			}
			for j := 1; j < len(queues[c]); j++ {
				if a, b := queues[c][j-1], queues[c][j]; b.At <= a.At || b.N == a.N {
					t.Fatalf("CPU %d: step %v after %v", c, b, a)
				}
			}
		}
	})
}

func valueAt(steps []Step, now event.Time) int {
	n := -1
	for _, s := range steps {
		if s.At <= now {
			n = s.N
		}
	}
	return n
}

func TestPerTaskModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawStory(t)
		w := g.drawWindow(t)
		type times struct{ run, wait, sleep, stop time.Duration }
		want := map[int32]times{}
		g.inside(w, func(_ event.Time, m moment) {
			for pid, p := range m.phase {
				d := want[pid]
				switch p {
				case running:
					d.run++
				case waiting:
					d.wait++
				case sleeping, fresh:
					d.sleep++
				case stopped:
					d.stop++
				}
				want[pid] = d
			}
		})
		var wait time.Duration
		for _, s := range PerTask(g.rs, w, nil) {
			got := times{s.Running, s.Waiting, s.Sleeping, s.Stopped}
			if got != want[s.PID] {
				t.Fatalf("task %d: %v, want %v", s.PID, got, want[s.PID])
			}
			delete(want, s.PID)
			wait += s.Waiting
		}
		for pid, d := range want {
			if d != (times{}) {
				t.Fatalf("task %d is missing: %v", pid, d)
			}
		}
		// What the tasks waited is what BlameWaits splits up.
		type cell struct {
			why    Cause
			runner int32
		}
		cells := map[cell]time.Duration{}
		for i, m := range g.moments {
			for pid, p := range m.phase {
				if p == waiting && w.holds(event.Time(i)) {
					cells[cell{g.causes[i][pid], m.cur[m.cpu[pid]]}]++
				}
			}
		}
		got := map[cell]time.Duration{}
		for _, b := range BlameWaits(g.rs, w, nil) {
			got[cell{b.Cause, b.Runner}] += b.Time
			wait -= b.Time
		}
		if !maps.Equal(got, cells) || wait != 0 {
			t.Fatalf("blame %v, want %v; %v is left", got, cells, wait)
		}
	})
}

// waitsOf lists the waits of a story, from its books.
func (g *story) waitsOf() []Stretch {
	var out []Stretch
	type start struct {
		at  event.Time
		why Cause
	}
	open := map[int32]start{}
	phase := map[int32]phase{}
	for _, r := range g.rs {
		end := func(pid int32) {
			if o, ok := open[pid]; ok {
				out = append(out, Stretch{PID: pid, Start: o.at, End: r.Time, Cause: o.why})
				delete(open, pid)
			}
		}
		begin := func(pid int32) { open[pid] = start{r.Time, Cause{r.Kind, r.Reason, r.Pick}} }
		switch r.Kind {
		case trace.KindWakeup, trace.KindWakeupNew:
			begin(r.Task)
		case trace.KindState:
			end(r.Task)
			if r.State == trace.Running {
				begin(r.Task)
			}
		case trace.KindSwitch:
			if r.Task != 0 && r.State == trace.Running {
				begin(r.Task)
			}
			end(r.Other)
		}
		phase[r.Task] = running
	}
	return out
}

func TestWaitsModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawStory(t)
		w := g.drawWindow(t)
		var want []Stretch
		sums := map[Cause]time.Duration{}
		for _, s := range g.waitsOf() {
			if w.holds(s.End) {
				want = append(want, s)
				sums[s.Cause] += s.End.Sub(s.Start)
			}
		}
		waits, detail := Waits(g.rs, w, nil), Stretches(g.rs, w, nil)
		if waits.Len() != len(want) || len(detail) != len(want) {
			t.Fatalf("%d waits, %d stretches, want %d", waits.Len(), len(detail), len(want))
		}
		for i, s := range want {
			if waits.PID[i] != s.PID || waits.At[i] != s.End || waits.Values[i] != float64(s.End-s.Start) {
				t.Fatalf("wait %d: %s, want %v", i, show(waits), want)
			}
			d := detail[i]
			at := d.Start
			for _, p := range d.Pieces {
				if p.Start != at {
					t.Fatalf("stretch %v has a gap at %d", d, at)
				}
				for ; at < p.End; at++ {
					m := g.moments[at]
					if m.cur[p.CPU] != p.Runner || m.cpu[d.PID] != int(p.CPU) {
						t.Fatalf("stretch %v: at %d task %d ran on CPU %d", d, at, m.cur[m.cpu[d.PID]], m.cpu[d.PID])
					}
				}
			}
			if at != d.End {
				t.Fatalf("stretch %v ends at %d", d, at)
			}
			d.Pieces = nil
			if !reflect.DeepEqual(d, s) {
				t.Fatalf("stretch %v, want %v", d, s)
			}
		}
		for _, c := range WaitsByCause(g.rs, w, nil) {
			if sums[c.Cause] != c.Sum {
				t.Fatalf("%v: %v, want %v", c.Cause, c.Sum, sums[c.Cause])
			}
			delete(sums, c.Cause)
		}
		if len(sums) != 0 {
			t.Fatalf("causes are missing: %v", sums)
		}
	})
}

// Two windows side by side hold what the window over both holds.
func TestWindowsJoin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawStory(t)
		mid := event.Time(rapid.IntRange(0, int(g.now)).Draw(t, "mid"))
		a, b, all := Window{Until: mid, Now: g.now}, From(mid, g.now), From(0, g.now)
		grid := drawGrid(t)
		folds := map[string]func(w Window) Samples{
			"latency":  func(w Window) Samples { return Latency(g.rs, w, nil) },
			"off cpu":  func(w Window) Samples { return OffCPU(g.rs, w, nil) },
			"slices":   func(w Window) Samples { return Slices(g.rs, w, nil) },
			"perturbs": func(w Window) Samples { return Perturbations(g.rs, w, 1, grid) },
		}
		for name, f := range folds {
			x, y, z := f(a), f(b), f(all)
			if show(x)+show(y) != show(z) {
				t.Fatalf("%s: %s and %s, want %s", name, show(x), show(y), show(z))
			}
		}
		x, y, z := Counters(g.rs, a, nil), Counters(g.rs, b, nil), Counters(g.rs, all, nil)
		for i := range z {
			if x[i].Count+y[i].Count != z[i].Count {
				t.Fatalf("%v and %v, want %v", x[i], y[i], z[i])
			}
		}
	})
}

func drawGrid(t *rapid.T) Grid {
	period := rapid.IntRange(0, 12).Draw(t, "period")
	offsets := rapid.SliceOfN(rapid.IntRange(0, 15), 3, 3).Draw(t, "offsets")
	return Grid{
		Period:     time.Duration(period),
		Offset:     func(cpu int) time.Duration { return time.Duration(offsets[cpu]) },
		TickCost:   time.Duration(rapid.IntRange(0, max(0, period-1)).Draw(t, "tick cost")),
		SwitchCost: time.Duration(rapid.IntRange(0, 5).Draw(t, "switch cost")),
	}
}

func TestPerturbationsModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawStory(t)
		w := g.drawWindow(t)
		grid := drawGrid(t)
		if err := grid.Validate(); err != nil {
			t.Fatal(err)
		}
		want := ""
		for _, x := range g.gaps(1, grid) {
			if w.holds(x[1]) {
				want += fmt.Sprintf("1:%d@%d ", x[1]-x[0], x[1])
			}
		}
		if got := show(Perturbations(g.rs, w, 1, grid)); got != want {
			t.Fatalf("gaps %s, want %s", got, want)
		}
	})
}

// gaps looks at each nanosecond: does pid execute user instructions in it?
func (g *story) gaps(pid int32, grid Grid) (gaps [][2]event.Time) {
	owed := make([]time.Duration, g.ncpu) // kernel work not yet done
	cur := make([]int32, g.ncpu)
	user, begin := false, event.Time(-1) // it has executed; a gap began
	rest := g.rs
	for now := event.Time(0); now <= g.now; now++ {
		for c := range owed {
			offset := event.Time(grid.Offset(c))
			if grid.Period > 0 && cur[c] != 0 && now >= offset && (now-offset)%event.Time(grid.Period) == 0 {
				owed[c] += grid.TickCost
			}
		}
		for ; len(rest) > 0 && rest[0].Time == now; rest = rest[1:] {
			switch r := rest[0]; r.Kind {
			case trace.KindSwitch:
				if r.Other != 0 {
					owed[r.CPU] += grid.SwitchCost
				}
				cur[r.CPU] = r.Other
				if r.Task == pid && r.State != trace.Running {
					user, begin = false, -1
				}
			case trace.KindCharge:
				owed[r.CPU] += time.Duration(r.A)
			}
		}
		on := slices.Index(cur, pid)
		switch executes := on >= 0 && owed[on] == 0; {
		case executes && begin >= 0:
			gaps = append(gaps, [2]event.Time{begin, now})
			fallthrough
		case executes:
			user, begin = true, -1
		case user && begin < 0:
			begin = now
		}
		for c := range owed {
			owed[c] = max(0, owed[c]-1)
		}
	}
	return gaps
}
