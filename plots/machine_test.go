package plots

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"pgregory.net/rapid"
)

// drawLane draws segments of all states, in order and without overlap.
func drawLane(t *rapid.T) []Segment {
	var segs []Segment
	at := int64(rapid.IntRange(-50, 50).Draw(t, "start"))
	for range rapid.IntRange(1, 30).Draw(t, "segments") {
		at += int64(rapid.IntRange(0, 40).Draw(t, "gap"))
		d := int64(rapid.SampledFrom([]int{1, 2, 5, 90, 400}).Draw(t, "length"))
		segs = append(segs, Segment{Start: at, End: at + d, Task: rapid.IntRange(0, 5).Draw(t, "task"), State: State(rapid.IntRange(0, int(numStates)-1).Draw(t, "state"))})
		at += d
	}
	return segs
}

func TestBinBandAgainstSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var lanes []Lane
		for range rapid.IntRange(1, 4).Draw(t, "lanes") {
			lanes = append(lanes, Lane{Segments: drawLane(t)})
		}
		rank := map[int]int{0: 0, 1: 1, 2: 2, 3: 3, 4: 3, 5: 3}
		lo := rapid.Float64Range(-60, 60).Draw(t, "lo")
		hi := lo + rapid.Float64Range(1, 3000).Draw(t, "span")
		edges := pixelEdges(0, vg.Length(rapid.Float64Range(0.2, 60).Draw(t, "width")), 72)
		n := rapid.IntRange(2, maxLevels).Draw(t, "steps")

		g := newColumns(lo, hi, edges)
		want := make([]levels, g.len())
		for k := range want {
			start, end := g.time(k), g.time(k+1)
			if k == len(want)-1 {
				end = math.Inf(1)
			}
			var sum sums
			for _, l := range lanes {
				for i := range l.Segments {
					s := &l.Segments[i]
					if over := min(float64(s.End), hi, end) - max(float64(s.Start), lo, start); over > 0 {
						sum[look(s, rank)] += over
					}
				}
			}
			if sum != (sums{}) {
				want[k] = quantise(sum, (g.time(k+1)-start)*float64(len(lanes)), n)
			}
		}
		got := make([]levels, len(want))
		for _, r := range binBand(lanes, rank, lo, hi, edges, n) {
			for k := r.from; k < r.to; k++ {
				got[k] = r.levels
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("got  %v\nwant %v", got, want)
		}
	})
}

func TestQueueBinsAgainstSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q Queue
		at := int64(rapid.IntRange(-20, 20).Draw(t, "start"))
		for range rapid.IntRange(0, 12).Draw(t, "steps") {
			n := float64(rapid.IntRange(-1, 5).Draw(t, "n"))
			if n < 0 {
				n = math.NaN()
			}
			q.At, q.N = append(q.At, at), append(q.N, n)
			at += int64(rapid.IntRange(1, 30).Draw(t, "dt"))
		}
		times := []float64{float64(rapid.IntRange(-10, 10).Draw(t, "from"))}
		for range rapid.IntRange(1, 20).Draw(t, "bins") {
			times = append(times, times[len(times)-1]+float64(rapid.IntRange(1, 20).Draw(t, "width")))
		}
		for b, got := range q.bins(times) {
			sum, known, most := 0.0, 0.0, math.NaN()
			for ns := times[b]; ns < times[b+1]; ns++ {
				n := math.NaN()
				for k := range q.At {
					if float64(q.At[k]) <= ns {
						n = q.N[k]
					}
				}
				if !math.IsNaN(n) {
					sum, known = sum+n, known+1
					if !(most >= n) {
						most = n
					}
				}
			}
			same := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 || math.IsNaN(a) && math.IsNaN(b) }
			if !same(got.mean, sum/known) || !same(got.most, most) {
				t.Fatalf("bin %d of %v: %v, want mean %g and most %g (%v)", b, times, got, sum/known, most, q)
			}
		}
	})
}

// TestShareColumns: what the columns hold is what the windows hold.
func TestShareColumns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := sharePlot{times: []int64{5}}
		var values []float64
		total := 0.0
		for range rapid.IntRange(1, 60).Draw(t, "windows") {
			d := int64(rapid.IntRange(1, 9).Draw(t, "length"))
			v := rapid.Float64Range(0, 100).Draw(t, "share")
			p.times, values = append(p.times, p.times[len(p.times)-1]+d), append(values, v)
			total += float64(d) * v
		}
		e := shareEdges{bin: true, times: []float64{5}}
		end := float64(p.times[len(p.times)-1])
		for e.times[len(e.times)-1] < end {
			e.times = append(e.times, min(end, e.times[len(e.times)-1]+rapid.Float64Range(0.5, 40).Draw(t, "column")))
		}
		e.at = make([]vg.Length, len(e.times))
		sum := 0.0
		for k, v := range p.columns(e, values) {
			sum += v * (e.times[k+1] - e.times[k])
		}
		if math.Abs(sum-total) > 1e-6*(1+total) {
			t.Fatalf("the columns hold %g, the windows %g", sum, total)
		}
	})
}

func TestShareRank(t *testing.T) {
	d := ShareData{Times: []int64{0, 1, 2}, Top: 2, First: []string{"c"}, Series: []ShareSeries{
		{Name: "a", Values: []float64{20, 20}},
		{Name: "b", Values: []float64{30, 0}},
		{Name: "c", Values: []float64{0, 1}},
		{Name: "d", Values: []float64{40, 40}, Plain: true},
		{Name: "e", Values: []float64{0, 0}},
	}}
	names, err := d.check()
	if err != nil {
		t.Fatal(err)
	}
	top, rest := d.rank(names)
	if !slices.Equal(top, []int{2, 0}) || !slices.Equal(rest, []int{3, 1}) {
		t.Errorf("coloured %v, others %v", top, rest)
	}
}

func TestMigrationBlocks(t *testing.T) {
	m := blocks([][]float64{{0, 1, 2}, {3, 0, 4}, {5, 6, 0}}, 2)
	if fmt.Sprint(m.Values) != "[[4 6] [11 0]]" || fmt.Sprint(m.Rows) != "[0 2]" {
		t.Errorf("%v %v", m.Values, m.Rows)
	}
}

func TestBandName(t *testing.T) {
	for _, c := range [][3]string{
		{"CPU 0", "CPU 15", "CPU 0-15"}, {"CPU 7", "CPU 7", "CPU 7"}, {"a", "b", "a … b"}, {"x1", "y2", "x1 … y2"}, {"cpu", "cpu 1", "cpu … cpu 1"},
	} {
		if got := bandName(c[0], c[1]); got != c[2] {
			t.Errorf("%q to %q is %q, want %q", c[0], c[1], got, c[2])
		}
	}
	for _, c := range []struct{ n, want int }{{1, 1}, {64, 1}, {65, 4}, {128, 4}, {1024, 32}, {10000, 512}} {
		if got := perBand(c.n, maxBands); got != c.want {
			t.Errorf("%d lanes: %d share a row, want %d", c.n, got, c.want)
		}
	}
}

// TestMoments: names do not overlap however close the moments are, and those
// outside of the figure are not there.
func TestMoments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var ms []Moment
		for i, s := range drawNames(t, "name", rapid.IntRange(0, 9).Draw(t, "moments")) {
			ms = append(ms, Moment{int64(rapid.IntRange(-10, 110).Draw(t, "at")), fmt.Sprint(i, s)})
		}
		o := Options{Moments: ms, XRange: view(100), Title: "a title", Size: Size(rapid.IntRange(0, 2).Draw(t, "size"))}
		f, err := Timeline([]Lane{{Name: "CPU 0"}}, o)
		if err != nil {
			t.Fatal(err)
		}
		if err := fault(f); err != nil {
			t.Fatal(err)
		}
		in := 0
		for _, m := range ms {
			if m.At >= 0 && m.At <= 100 {
				in++
			}
		}
		if got := f.newMoments(ms, 0, 100); len(got.at) > in || in > 0 && len(got.at) == 0 {
			t.Fatalf("%d moments of %d", len(got.at), in)
		}
	})
}

// TestMachineErrors wants a clear error for each input that cannot be drawn.
func TestMachineErrors(t *testing.T) {
	queues := func(d QueueData) error { _, err := RunQueues(d, Options{}); return err }
	shares := func(d ShareData) error { _, err := Shares(d, Options{}); return err }
	moves := func(d MigrationData) error { _, err := Migrations(d, Options{}); return err }
	one := []Queue{{Name: "a", At: []int64{0}, N: []float64{1}}}
	ends := []int64{0, 10}
	for _, c := range []struct {
		err  error
		want string
	}{
		{queues(QueueData{To: 1}), "runqueues: no data"},
		{queues(QueueData{Queues: one}), "runqueues: the stretch from 0 ns to 0 ns is empty"},
		{queues(QueueData{To: 1, Queues: append(slices.Clone(one), one...)}), `CPU 2 has the same name as 1, "a"`},
		{queues(QueueData{To: 1, Queues: []Queue{{Name: "a", At: []int64{0}}}}), `"a" has 1 times but 0 numbers`},
		{queues(QueueData{To: 1, Queues: []Queue{{Name: "a", At: []int64{0, 0}, N: []float64{1, 2}}}}), "step 1 is at 0 ns, not after the one before, at 0 ns"},
		{queues(QueueData{To: 1, Queues: []Queue{{Name: "a", At: []int64{0}, N: []float64{-1}}}}), "step 0 is -1 tasks"},
		{queues(QueueData{To: 1, Queues: one, Max: math.NaN()}), "the largest number of the scale is NaN"},
		{queues(QueueData{To: 1, Queues: millionSteps(33).Queues, Form: QueueLines}), "33 CPUs are too many for a line each: choose at most 32"},
		{queues(QueueData{To: 9, Queues: []Queue{{Name: "a"}}, Form: QueueHeat}), "nothing was recorded between 0 ns and 9 ns"},
		{shares(ShareData{}), "shares: no data"},
		{shares(ShareData{Times: []int64{0, 0}}), "window 0 ends at 0 ns, not after its start"},
		{shares(ShareData{Times: ends, Series: []ShareSeries{{Name: "a"}}}), `"a" has 0 values for 1 windows`},
		{shares(ShareData{Times: ends, Series: []ShareSeries{{Name: "a", Values: []float64{-1}}}}), `"a": the share in window 0 is -1`},
		{shares(ShareData{Times: ends, Idle: []float64{60}, Unknown: []float64{60}}), "the shares of window 0 add up to 120.00 %"},
		{shares(ShareData{Times: ends, Top: 15}), "15 series to colour: use 1 to 14"},
		{moves(MigrationData{}), "migrations: no data"},
		{moves(MigrationData{Counts: [][]float64{{0, 1}}}), "row 0 has 2 counts, not 1"},
		{moves(MigrationData{Counts: [][]float64{{0.5}}}), "the count from CPU 0 to CPU 0 is 0.5"},
		{moves(MigrationData{Counts: [][]float64{{0}}, Block: 2}), "a block is 2 CPUs: give 1 to 1"},
		{moves(MigrationData{Counts: [][]float64{{0}}, Max: math.Inf(1)}), "the largest value of the scale is +Inf"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("got error %v, want one with %q", c.err, c.want)
		}
	}
}

// TestMachineSize: a million steps or segments make an SVG that is bounded by
// the pixels.
func TestMachineSize(t *testing.T) {
	for _, c := range []struct {
		name string
		make func() (*Figure, error)
		most int
	}{
		{"1,024 CPUs", func() (*Figure, error) { return Timeline(lanes(1024, 200, 20, 1e5), Options{}) }, 1600e3},
		{"queues", func() (*Figure, error) { return RunQueues(millionSteps(4), Options{}) }, 100e3},
	} {
		f, err := c.make()
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := f.Write(&b, "svg"); err != nil {
			t.Fatal(err)
		}
		if b.Len() > c.most {
			t.Errorf("%s: the SVG has %d bytes, want at most %d", c.name, b.Len(), c.most)
		}
	}
}

// TestMachineData reads the numbers back that figures draw.
func TestMachineData(t *testing.T) {
	csv := func(f *Figure, err error) string {
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := f.Data().WriteCSV(&b); err != nil {
			t.Fatal(err)
		}
		return strings.ReplaceAll(b.String(), "\r\n", "\n")
	}
	for _, c := range []struct{ got, want string }{
		{csv(TaskTimeline([]Lane{{Name: "web", Segments: []Segment{
			{Start: 0, End: 3, Task: 1, Name: "CPU 1"}, {Start: 3, End: 5, Task: 1, State: Waiting}, {Start: 5, End: 9, Task: -1, State: Asleep},
		}}}, Options{})), "task,cpu,state,start_ns,end_ns\nweb,CPU 1,running,0,3\nweb,CPU 1,waiting,3,5\nweb,\"\",asleep,5,9\n"},
		{csv(RunQueues(QueueData{From: 1, To: 9, Queues: []Queue{{Name: "CPU 0", At: []int64{3, 5, 20}, N: []float64{2, 0, 1}}}}, Options{})),
			"cpu,start_ns,end_ns,nr_running\nCPU 0,1,3,\nCPU 0,3,5,2\nCPU 0,5,9,0\n"},
		{csv(Shares(ShareData{Times: []int64{0, 4}, What: "task", Idle: []float64{75}, Series: []ShareSeries{{Name: "web", Values: []float64{25}}}}, Options{})),
			"start_ns,end_ns,task,share_pct\n0,4,web,25\n0,4,idle,75\n"},
		{csv(Migrations(MigrationData{Counts: [][]float64{{0, 2}, {0, 0}}}, Options{})), "from,to,migrations\n0,1,2\n"},
	} {
		if c.got != c.want {
			t.Errorf("got\n%swant\n%s", c.got, c.want)
		}
	}
}

// TestMachineLayout draws figures over time with names of up to 60 characters
// and wants no text cut off and none over another.
func TestMachineLayout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := drawOptions(t)
		o.Legend = Place(rapid.IntRange(0, 2).Draw(t, "legend"))
		n := rapid.IntRange(1, 14).Draw(t, "n")
		names := drawNames(t, "name", n)
		run := toy(rapid.IntRange(1, 3).Draw(t, "cpus"), n, 1e6, int64(rapid.SampledFrom([]float64{1, 2e6, 7e7}).Draw(t, "end")))
		for i := range names {
			run.tasks[i].Name = names[i]
		}
		for i, s := range drawNames(t, "mark", rapid.IntRange(0, 5).Draw(t, "marks")) {
			o.Moments = append(o.Moments, Moment{run.end * int64(i) / 5, s})
		}
		var f *Figure
		var err error
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			o.XRange = view(run.end)
			f, err = TaskTimeline(run.tasks, o)
		case 1:
			for i := range run.queue {
				run.queue[i].Name = names[i%n] + fmt.Sprint(i)
			}
			f, err = RunQueues(QueueData{To: run.end, Queues: run.queue, Form: QueueForm(rapid.IntRange(1, 2).Draw(t, "form"))}, o)
		case 2:
			d := shareData(run, int(min(run.end, 30)))
			for i := range names {
				d.Series[i].Name = names[i]
			}
			d.Lines = rapid.Bool().Draw(t, "lines")
			f, err = Shares(d, o)
		default:
			f, err = Migrations(MigrationData{Counts: migrations(n).Values, Max: drawValue(t, "max"), Diagonal: true}, Options{Title: o.Title, Size: o.Size, ValueLabels: true})
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := fault(f); err != nil {
			t.Fatal(err)
		}
	})
}
