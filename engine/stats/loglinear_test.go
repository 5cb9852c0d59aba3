package stats

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// wide draws values of all sizes and both signs.
func wide() *rapid.Generator[float64] {
	return rapid.OneOf(
		rapid.Float64Range(-1e3, 1e3),
		rapid.Map(rapid.Int64Range(-1<<62, 1<<62), func(i int64) float64 { return float64(i) }),
		rapid.Map(rapid.IntRange(-3, 3), func(i int) float64 { return float64(i) }),
		rapid.Map(rapid.Float64Range(-40, 40), func(x float64) float64 { return math.Copysign(math.Exp(x), x) }),
	)
}

// Against the sorted slice: what is exact is equal, and quantiles are as close
// as is said.
func TestLogLinearModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs := rapid.SliceOfN(wide(), 1, 200).Draw(t, "xs")
		cut := rapid.IntRange(0, len(xs)).Draw(t, "cut")
		var a, b LogLinear
		if err := a.AddAll(xs[:cut]); err != nil {
			t.Fatal(err)
		}
		for _, x := range xs[cut:] {
			if err := b.Add(x); err != nil {
				t.Fatal(err)
			}
		}
		h := a.Clone()
		h.Merge(&b)
		if a.N() != int64(cut) {
			t.Fatal("merging into a copy changed the original")
		}
		sorted := slices.Sorted(slices.Values(xs))
		size := max(math.Abs(sorted[0]), math.Abs(sorted[len(xs)-1]))
		s := must(Summarize(xs))
		if h.N() != int64(s.N) || must(h.Min()) != s.Min || must(h.Max()) != s.Max {
			t.Fatalf("n, min, max: %v %v %v of %+v", h.N(), h.min, h.max, s)
		}
		if got := must(h.Sum()); math.Abs(got-s.Sum) > 1e-15*size*float64(s.N) {
			t.Fatalf("sum %v, want %v", got, s.Sum)
		}
		if got := must(h.Mean()); math.Abs(got-s.Mean) > 1e-15*size {
			t.Fatalf("mean %v, want %v", got, s.Mean)
		}
		if s.N > 1 {
			if got := must(h.Std()); math.Abs(got-s.Std) > 1e-7*size {
				t.Fatalf("std %v, want %v", got, s.Std)
			}
		}
		var n int64
		for i, bk := range h.Buckets() {
			n += bk.Count
			if bk.From > bk.To || bk.Count <= 0 || i > 0 && bk.From < h.Buckets()[i-1].To {
				t.Fatalf("buckets %v", h.Buckets())
			}
		}
		if n != h.N() {
			t.Fatalf("buckets hold %d of %d", n, h.N())
		}
		last := math.Inf(-1)
		for _, p := range []float64{0, 0.01, 0.25, 0.5, 0.9, 0.99, 1} {
			got, want := must(h.Quantile(p)), quantileSorted(sorted, p)
			// A quantile between two values is as close as each of them.
			at := float64(len(sorted)-1) * p
			lo, hi := sorted[int(at)], sorted[int(math.Ceil(at))]
			allow := LogLinearError*max(math.Abs(lo), math.Abs(hi)) + 1e-300
			if math.Abs(got-want) > allow || got < last {
				t.Fatalf("quantile %v is %v, want %v within %v (before: %v)", p, got, want, allow, last)
			}
			last = got
		}
		x := wide().Draw(t, "x")
		share := func(x float64) float64 {
			n := 0
			for _, y := range xs {
				if y < x {
					n++
				}
			}
			return float64(n) / float64(len(xs))
		}
		e := LogLinearError*math.Abs(x) + 1e-300
		if got := must(h.Below(x)); got < share(x-e)-1e-9 || got > share(math.Nextafter(x+e, inf))+1e-9 {
			t.Fatalf("below %v: %v, want %v to %v", x, got, share(x-e), share(x+e))
		}
	})
}

// The sum of whole numbers is exact, in any grouping.
func TestLogLinearSumExact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	want := new(big.Int)
	var h LogLinear
	for range 10 {
		var part LogLinear
		for range 20_000 {
			x := r.Int64N(1 << 45)
			want.Add(want, big.NewInt(x))
			part.AddInt(x)
		}
		h.Merge(&part)
	}
	exact, _ := new(big.Float).SetInt(want).Float64()
	if got := must(h.Sum()); got != exact {
		t.Errorf("sum %v, want %v", got, exact)
	}
}

func TestLogLinearErrors(t *testing.T) {
	var h LogLinear
	for _, f := range []func() (float64, error){h.Mean, h.Std, h.Min, h.Max, func() (float64, error) { return h.Quantile(0.5) }, func() (float64, error) { return h.Below(1) }} {
		if _, err := f(); !errors.Is(err, ErrTooFew) {
			t.Errorf("of nothing: %v", err)
		}
	}
	for _, x := range []float64{nan, inf, -inf} {
		if h.Add(x) == nil || h.AddAll([]float64{1, x}) == nil || h.N() != 0 {
			t.Errorf("%v was counted", x)
		}
	}
	if s, err := h.Sum(); s != 0 || err != nil {
		t.Errorf("sum of nothing: %v, %v", s, err)
	}
	h.AddInt(3)
	if _, err := h.Std(); !errors.Is(err, ErrTooFew) {
		t.Errorf("std of one: %v", err)
	}
	for _, p := range []float64{-1, 2, nan} {
		if _, err := h.Quantile(p); err == nil {
			t.Errorf("quantile %v: no error", p)
		}
	}
	h.Merge(&h)
	h.Merge(&h)
	if m := must(h.Mean()); h.N() != 4 || m != 3 || must(h.Std()) != 0 {
		t.Errorf("merged with itself: n %d mean %v", h.N(), m)
	}
	var odd LogLinear
	if err := odd.AddAll([]float64{math.MaxFloat64, -math.MaxFloat64, 5e-324, -5e-324, 0, math.Copysign(0, -1)}); err != nil {
		t.Fatal(err)
	}
	if q := must(odd.Quantile(0.5)); q != 0 || odd.zero != 4 {
		t.Errorf("the middle of the whole range: %v", q)
	}
	odd.Add(math.MaxFloat64)
	odd.Add(math.MaxFloat64)
	if _, err := odd.Sum(); err == nil {
		t.Error("an overflow of the sum gave no error")
	}
}

// Memory does not grow with the number of values.
func TestLogLinearBounded(t *testing.T) {
	var h LogLinear
	r := rand.New(rand.NewPCG(1, 2))
	for range 1_000_000 {
		h.AddInt(int64(math.Exp(r.Float64()*16.1)) * 1000) // 1 µs to 10 s
	}
	if b := h.Bytes(); b > 8<<10 {
		t.Errorf("%d bytes for times from 1 µs to 10 s", b)
	}
	for _, x := range []int64{math.MinInt64, math.MaxInt64, 1, -1} {
		h.AddInt(x)
	}
	if b := h.Bytes(); b > 33<<10 {
		t.Errorf("%d bytes for all that an int64 holds", b)
	}
	if n := testing.AllocsPerRun(1000, func() { h.AddInt(12345) }); n != 0 {
		t.Errorf("%v allocations to add a value", n)
	}
}

func BenchmarkLogLinearAdd(b *testing.B) {
	xs := make([]float64, 1<<12)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range xs {
		xs[i] = math.Floor(1000 * math.Exp(r.NormFloat64()*2+5))
	}
	b.Run("one", func(b *testing.B) {
		var h LogLinear
		for i := range b.N {
			if err := h.Add(xs[i&(1<<12-1)]); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("all", func(b *testing.B) {
		var h LogLinear
		for i := 0; i < b.N; i += len(xs) {
			if err := h.AddAll(xs); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func TestLogLinearBucketsBy(t *testing.T) {
	var h LogLinear
	if err := h.AddAll([]float64{-5, -4.1, -1, 0, 0, 1, 1.4, 1.6, 3, 8, 9, 15.9}); err != nil {
		t.Fatal(err)
	}
	got := must(h.BucketsBy(1))
	want := []Bucket{{-5, -4, 2}, {-2, -1, 1}, {0, 0, 2}, {1, 2, 3}, {2, 4, 1}, {8, 15.9, 3}}
	if !slices.Equal(got, want) {
		t.Errorf("by octaves: %v, want %v", got, want)
	}
	if got := must(h.BucketsBy(2)); len(got) != 8 || got[3] != (Bucket{1, 1.5, 2}) {
		t.Errorf("by halves: %v", got)
	}
	if got := must(h.BucketsBy(32)); !slices.Equal(got, h.Buckets()) {
		t.Errorf("by all: %v, want %v", got, h.Buckets())
	}
	for _, bad := range []int{0, -1, 3, 64} {
		if _, err := h.BucketsBy(bad); err == nil {
			t.Errorf("%d: no error", bad)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		var h LogLinear
		if err := h.AddAll(rapid.SliceOf(wide()).Draw(t, "xs")); err != nil {
			t.Fatal(err)
		}
		var n int64
		last := math.Inf(-1)
		for _, b := range must(h.BucketsBy(1 << rapid.IntRange(0, 5).Draw(t, "by"))) {
			if b.From < last || b.To < b.From {
				t.Fatalf("%v after %v", b, last)
			}
			n, last = n+b.Count, b.To
		}
		if n != h.N() {
			t.Fatalf("%d of %d values", n, h.N())
		}
	})
}
