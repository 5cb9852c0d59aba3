package plots

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"pgregory.net/rapid"
)

// slowBins does what binLane does, one column at a time over all segments.
func slowBins(segs []Segment, rank map[int]int, lo, hi float64, edges []vg.Length, n int) []levels {
	first, last := edges[0], edges[len(edges)-1]
	perNs := float64(last-first) / (hi - lo)
	out := make([]levels, len(edges)-1)
	for k := range out {
		start, end := lo+float64(edges[k]-first)/perNs, lo+float64(edges[k+1]-first)/perNs
		if k == len(out)-1 {
			end = math.Inf(1) // rounding must not lose the last ns
		}
		var sum sums
		busy, small := false, false
		for _, s := range segs {
			a, b := max(float64(s.Start), lo), min(float64(s.End), hi)
			if over := min(b, end) - max(a, start); b > a && over > 0 {
				sum[rank[s.Task]] += over
				busy = true
				small = small || b-a < 2*(hi-lo)/float64(len(out))
			}
		}
		width := lo + float64(edges[k+1]-first)/perNs - start
		switch {
		case busy && small:
			out[k] = quantise(sum, width, n)
		case busy:
			out[k] = dominant(sum, width, n)
		}
	}
	return out
}

func TestBinLaneAgainstSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var segs []Segment
		at := int64(rapid.IntRange(-50, 50).Draw(t, "start"))
		for range rapid.IntRange(1, 60).Draw(t, "segments") {
			at += int64(rapid.IntRange(0, 40).Draw(t, "gap"))
			d := int64(rapid.SampledFrom([]int{1, 2, 5, 90, 400}).Draw(t, "length"))
			segs = append(segs, Segment{Start: at, End: at + d, Task: rapid.IntRange(0, 5).Draw(t, "task")})
			at += d
		}
		rank := map[int]int{0: 0, 1: 1, 2: 2, 3: 3, 4: 3, 5: 3}
		lo := float64(segs[0].Start) - rapid.Float64Range(-20, 20).Draw(t, "lo")
		hi := lo + rapid.Float64Range(1, float64(at)-lo+50).Draw(t, "span")
		left := vg.Length(rapid.Float64Range(0, 3).Draw(t, "left"))
		edges := pixelEdges(left, left+vg.Length(rapid.Float64Range(0.2, 60).Draw(t, "width")), 72)
		n := rapid.IntRange(2, maxLevels).Draw(t, "steps")

		want := slowBins(segs, rank, lo, hi, edges, n)
		got := make([]levels, len(edges)-1)
		end := 0
		for _, r := range binLane(segs, rank, lo, hi, edges, n) {
			if r.from < end || r.to <= r.from || r.to > len(got) {
				t.Fatalf("run %v after column %d of %d", r, end, len(got))
			}
			end = r.to
			for k := r.from; k < r.to; k++ {
				got[k] = r.levels
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("got  %v\nwant %v", got, want)
		}
	})
}

func TestPixelEdges(t *testing.T) {
	e := pixelEdges(10.5, 14.25, 72)
	if want := []vg.Length{10.5, 11, 12, 13, 14, 14.25}; !slices.Equal(e, want) {
		t.Errorf("got %v, want %v", e, want)
	}
}

func TestQuantise(t *testing.T) {
	for _, c := range []struct {
		sum   []float64
		width float64
		n     int
		want  []uint8
	}{
		{[]float64{8}, 8, 8, []uint8{8}},
		{[]float64{0, 4, 4}, 8, 8, []uint8{0, 4, 4}},
		{[]float64{0.01}, 8, 8, []uint8{1}},          // busy at all: one step
		{[]float64{0.01, 0.02}, 8, 8, []uint8{0, 1}}, // to the larger
		{[]float64{1, 1, 1}, 3, 8, []uint8{3, 3, 2}}, // ties to the lower number
		{[]float64{2, 0, 2}, 8, 8, []uint8{2, 0, 2}}, // half idle
	} {
		var sum sums
		copy(sum[:], c.sum)
		got := quantise(sum, c.width, c.n)
		var want levels
		copy(want[:], c.want)
		if got != want {
			t.Errorf("quantise(%v, %v, %d) = %v, want %v", c.sum, c.width, c.n, got, want)
		}
	}
}

// TestThinLine checks that thinning keeps the first and last point and the
// envelope of each column.
func TestThinLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := noise(rapid.Uint64().Draw(t, "seed"))
		pts := make([]vg.Point, 3000)
		x := vg.Length(0)
		for i := range pts {
			x += vg.Length(r.Float64() * 0.02)
			pts[i] = vg.Point{X: x, Y: vg.Length(r.NormFloat64())}
		}
		out := thinLine(pts, 1)
		if len(out) > 4*int(x+1) {
			t.Fatalf("%d points left for %.0f columns", len(out), x)
		}
		for i := 1; i < len(out); i++ {
			if out[i].X < out[i-1].X {
				t.Fatal("out of order")
			}
		}
		low := func(p []vg.Point) vg.Point {
			return slices.MinFunc(p, func(a, b vg.Point) int { return int(math.Copysign(1, float64(a.Y-b.Y))) })
		}
		if out[0] != pts[0] || out[len(out)-1] != pts[len(pts)-1] || low(out) != low(pts) {
			t.Fatal("an end or the lowest point is gone")
		}
	})
}

// TestCDFSteps reads the strokes of a small CDF and compares them with the
// definition.
func TestCDFSteps(t *testing.T) {
	for _, ccdf := range []bool{false, true} {
		cv, err := sortSample("cdf", "a", []float64{3, 1, 3, 2}, false, false, clipAdvice)
		if err != nil {
			t.Fatal(err)
		}
		p := newProbe(100, 100)
		plt := plot.New()
		plt.X.Min, plt.X.Max, plt.Y.Min, plt.Y.Max = 0, 10, 0, 1
		cdfPlot{curve: cv, of: 1, ccdf: ccdf, th: themeFor(Column), dpi: 200}.Plot(draw.New(p), plt)
		want := []vg.Point{{X: 10, Y: 0}, {X: 10, Y: 25}, {X: 20, Y: 25}, {X: 20, Y: 50}, {X: 30, Y: 50}, {X: 30, Y: 100}}
		if ccdf {
			for i := range want {
				want[i].Y = 100 - want[i].Y
			}
		}
		var got []vg.Point
		for _, c := range p.strokes[0] {
			got = append(got, c.Pos)
		}
		if !slices.Equal(got, want) {
			t.Errorf("ccdf=%v: got %v, want %v", ccdf, got, want)
		}
	}
}

// TestMillionSegments draws a timeline of a million segments: the SVG must
// stay small, and no larger than for a tenth of the segments by much.
func TestMillionSegments(t *testing.T) {
	f, err := Timeline(lanes(8, 125000, 20, 1e5), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := f.Write(&b, "svg"); err != nil {
		t.Fatal(err)
	}
	if b.Len() > 800e3 {
		t.Errorf("the SVG of a million segments has %d bytes", b.Len())
	}
}

func BenchmarkTimelineMillion(b *testing.B) {
	ls := lanes(8, 125000, 20, 1e5)
	for _, format := range Formats() {
		b.Run(format, func(b *testing.B) {
			for b.Loop() {
				f, err := Timeline(ls, Options{})
				if err != nil {
					b.Fatal(err)
				}
				var buf bytes.Buffer
				if err := f.Write(&buf, format); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(buf.Len()), "bytes")
			}
		})
	}
}

func BenchmarkCDFMillion(b *testing.B) {
	s := []Series{{Values: latencies(1, 1e6, 1e5), Unit: "ns"}}
	for b.Loop() {
		f, err := CDF(s, Options{LogX: true})
		if err != nil {
			b.Fatal(err)
		}
		if err := f.Write(&bytes.Buffer{}, "png"); err != nil {
			b.Fatal(err)
		}
	}
}

func TestDominant(t *testing.T) {
	for _, c := range []struct {
		sum  []float64
		want []uint8
	}{
		{[]float64{3, 5}, []uint8{0, 8}},
		{[]float64{4, 4}, []uint8{8, 0}}, // a tie: the lower number
		{[]float64{0, 4}, []uint8{0, 8}}, // half of the column
		{[]float64{0, 3}, []uint8{0, 0}}, // less than half
	} {
		var sum sums
		copy(sum[:], c.sum)
		var want levels
		copy(want[:], c.want)
		if got := dominant(sum, 8, 8); got != want {
			t.Errorf("dominant(%v) = %v, want %v", c.sum, got, want)
		}
	}
}

// TestBlocks checks that a block shows its largest value and skips NaN, also
// at the ragged end of the matrix.
func TestBlocks(t *testing.T) {
	nan := math.NaN()
	h := heatPlot{bx: 2, by: 2, m: Matrix{
		Values: [][]float64{{1, 7, nan}, {3, 2, nan}, {nan, -1, 5}}, Cols: cpuNames(3),
	}}
	for _, c := range []struct {
		i, j int
		want float64
	}{{0, 0, 7}, {0, 2, nan}, {2, 0, -1}, {2, 2, 5}} {
		if got := h.block(c.i, c.j); got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("block at row %d, column %d is %g, want %g", c.i, c.j, got, c.want)
		}
	}
	for _, c := range []struct{ n, want int }{{100, 1}, {101, 2}, {1000, 10}} {
		if got := blockOf(c.n, vg.Inch, 200); got != c.want {
			t.Errorf("blockOf(%d) over 200 pixels is %d, want %d", c.n, got, c.want)
		}
	}
}

// TestFirstLabelInside leaves a y axis without labels, so that nothing but the
// margin is left of the first label of the x axis.
func TestFirstLabelInside(t *testing.T) {
	f, err := Timeline([]Lane{{Segments: []Segment{{Start: 1e15, End: 1e15 + 1e14}}}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := fault(f); err != nil {
		t.Error(err)
	}
}
