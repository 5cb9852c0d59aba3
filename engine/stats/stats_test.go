package stats

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var (
	nan = math.NaN()
	inf = math.Inf(1)
)

// near reports whether a and b agree to a relative (below 1: absolute) error.
func near(a, b, tol float64) bool {
	return math.Abs(a-b) <= tol*max(1, math.Abs(a), math.Abs(b))
}

// sample draws up to 50 finite values, many of them equal.
func sample(least int) *rapid.Generator[[]float64] {
	return rapid.SliceOfN(rapid.OneOf(
		rapid.Float64Range(-1e6, 1e6),
		rapid.Map(rapid.IntRange(-3, 3), func(i int) float64 { return float64(i) }),
	), least, 50)
}

func TestSummarize(t *testing.T) {
	s, err := Summarize([]float64{4, 1, 3, 2, 10})
	if err != nil {
		t.Fatal(err)
	}
	// Deviations from 4: 0 9 1 4 36, sum 50, /4 = 12.5.
	want := Summary{N: 5, Sum: 20, Mean: 4, Std: math.Sqrt(12.5), Min: 1, P50: 3, P90: 7.6, P95: 8.8, P99: 9.76, Max: 10}
	got := []float64{s.Sum, s.Mean, s.Std, s.Min, s.P50, s.P90, s.P95, s.P99, s.Max}
	for i, w := range []float64{want.Sum, want.Mean, want.Std, want.Min, want.P50, want.P90, want.P95, want.P99, want.Max} {
		if !near(got[i], w, 1e-12) {
			t.Errorf("field %d: got %v, want %v", i, got[i], w)
		}
	}
	if s.N != 5 {
		t.Errorf("N = %d", s.N)
	}

	one, err := Summarize([]float64{7})
	if err != nil || one.Mean != 7 || one.P99 != 7 || !math.IsNaN(one.Std) {
		t.Errorf("of one value: %+v, %v", one, err)
	}
}

// The sample is the caller's: nothing may sort or otherwise change it.
func TestInputUnchanged(t *testing.T) {
	xs := []float64{5, 3, 9, 3, 1}
	keep := slices.Clone(xs)
	src := rand.NewPCG(1, 1)
	Summarize(xs)
	Quantiles(xs, 0.1, 0.9)
	CDF(xs)
	Histogram(xs, 3)
	LogHistogram(xs, 3)
	MeanInterval(xs, 0.9)
	Bootstrap(xs, QuantileOf(0.5), 100, 0.9, src)
	BootstrapBCa(xs, QuantileOf(0.5), 100, 0.9, src)
	if !slices.Equal(xs, keep) {
		t.Errorf("sample changed to %v", xs)
	}
}

func TestSumCompensated(t *testing.T) {
	xs := []float64{1e16}
	for range 1000 {
		xs = append(xs, 1)
	}
	xs = append(xs, -1e16)
	if got, err := Sum(xs); err != nil || got != 1000 {
		t.Errorf("Sum = %v, %v; want 1000", got, err)
	}
}

// The mean stays inside the sample and the spread of equal values is exactly 0,
// also where plain sums would be a rounding away.
func TestMomentsOfEqualValues(t *testing.T) {
	for _, v := range []float64{0.1, 1e-300, -123.456, 3e300} {
		xs := slices.Repeat([]float64{v}, 49)
		m, err1 := Mean(xs)
		s, err2 := Std(xs)
		if m != v || s != 0 || err1 != nil || err2 != nil {
			t.Errorf("of 49 times %v: mean %v std %v (%v, %v)", v, m, s, err1, err2)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		xs := sample(2).Draw(t, "xs")
		m, _ := Mean(xs)
		s, err := Std(xs)
		if m < slices.Min(xs) || m > slices.Max(xs) || err != nil || math.IsNaN(s) {
			t.Fatalf("mean %v, std %v, %v", m, s, err)
		}
	})
}

// every lists each function of a sample, with harmless other arguments.
var every = []struct {
	name string
	need int
	call func([]float64) error
}{
	{"Summarize", 1, func(xs []float64) error { _, err := Summarize(xs); return err }},
	{"Sum", 1, func(xs []float64) error { _, err := Sum(xs); return err }},
	{"Mean", 1, func(xs []float64) error { _, err := Mean(xs); return err }},
	{"Std", 2, func(xs []float64) error { _, err := Std(xs); return err }},
	{"Min", 1, func(xs []float64) error { _, err := Min(xs); return err }},
	{"Max", 1, func(xs []float64) error { _, err := Max(xs); return err }},
	{"Quantile", 1, func(xs []float64) error { _, err := Quantile(xs, 0.5); return err }},
	{"QuantileSorted", 1, func(xs []float64) error { _, err := QuantileSorted(xs, 0.5); return err }},
	{"CDF", 1, func(xs []float64) error { _, _, err := CDF(xs); return err }},
	{"Histogram", 1, func(xs []float64) error { _, err := Histogram(xs, 4); return err }},
	{"LogHistogram", 1, func(xs []float64) error { _, err := LogHistogram(xs, 4); return err }},
	{"HistogramOn", 1, func(xs []float64) error { _, err := HistogramOn(xs, []float64{0, 1}); return err }},
	{"Wilcoxon", 1, func(xs []float64) error { _, err := Wilcoxon(xs); return err }},
	{"EffectiveN", 1, func(xs []float64) error { _, err := EffectiveN(xs); return err }},
	{"MeanInterval", 2, func(xs []float64) error { _, _, err := MeanInterval(xs, 0.95); return err }},
	{"Bootstrap", 1, func(xs []float64) error {
		_, _, err := Bootstrap(xs, MeanOf, 100, 0.95, rand.NewPCG(1, 2))
		return err
	}},
	{"BootstrapBCa", 2, func(xs []float64) error {
		_, _, err := BootstrapBCa(xs, MeanOf, 100, 0.95, rand.NewPCG(1, 2))
		return err
	}},
}

func TestBadSamples(t *testing.T) {
	for _, f := range every {
		for n := range f.need + 1 {
			xs := []float64{1, 2}[:n]
			err := f.call(xs)
			if n < f.need && !errors.Is(err, ErrTooFew) || n == f.need && err != nil {
				t.Errorf("%s of %d values: %v", f.name, n, err)
			}
		}
		for _, bad := range [][]float64{{nan, 1}, {1, nan}, {1, inf}, {-inf, 1}} {
			if err := f.call(bad); err == nil {
				t.Errorf("%s of %v: no error", f.name, bad)
			}
		}
		// Values at the end of the range must give an error or finite numbers,
		// not a panic.
		f.call([]float64{-math.MaxFloat64, math.MaxFloat64, math.MaxFloat64})
		f.call([]float64{5e-324, 5e-324, 1e-323})
	}
	_, err := Mean([]float64{1, 2, nan})
	if err == nil || !strings.Contains(err.Error(), "mean: value 2 of 3 is NaN") {
		t.Errorf("error does not name the value: %v", err)
	}
	for _, op := range []func([]float64) (float64, error){Sum, Std} {
		if v, err := op([]float64{-1e308, 1e308, 1e308, 1e308}); err == nil {
			t.Errorf("overflow gave %v and no error", v)
		}
	}
}

func TestQuantile(t *testing.T) {
	xs := []float64{40, 10, 30, 20} // sorted 10 20 30 40, h = 3p
	for _, c := range []struct{ p, want float64 }{
		{0, 10}, {0.25, 17.5}, {1. / 3, 20}, {0.5, 25}, {0.75, 32.5}, {0.9, 37}, {1, 40},
	} {
		if got, err := Quantile(xs, c.p); err != nil || !near(got, c.want, 1e-12) {
			t.Errorf("Quantile(%v) = %v, %v; want %v", c.p, got, err, c.want)
		}
	}
	for _, p := range []float64{-0.1, 1.1, 99, nan, inf} {
		if v, err := Quantile(xs, p); err == nil {
			t.Errorf("Quantile(%v) = %v, want an error", p, v)
		}
	}
	if _, err := Quantile(xs, 99); err == nil || !strings.Contains(err.Error(), "here 0.99") {
		t.Errorf("a percent is not explained: %v", err)
	}
	if _, err := QuantileSorted([]float64{3, 2, 1}, 0.5); err == nil {
		t.Error("descending sample accepted")
	}
	if v, err := Quantile([]float64{-math.MaxFloat64, math.MaxFloat64}, 0.5); v != 0 || err != nil {
		t.Errorf("across the whole range: %v, %v", v, err)
	}
}

// Type 7 read as an interpolation through the points (i/(n-1), x[i]).
func TestQuantileModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs := sample(2).Draw(t, "xs")
		p := rapid.Float64Range(0, 1).Draw(t, "p")
		sorted := slices.Sorted(slices.Values(xs))
		n := len(xs)
		want := sorted[n-1]
		for i := range n - 1 {
			a, b := float64(i)/float64(n-1), float64(i+1)/float64(n-1)
			if p >= a && p < b {
				want = sorted[i] + (p-a)/(b-a)*(sorted[i+1]-sorted[i])
				break
			}
		}
		got, err := Quantile(xs, p)
		if err != nil || math.Abs(got-want) > 1e-6 {
			t.Fatalf("got %v, %v; want %v", got, err, want)
		}
		q, err := Quantile(xs, min(1, p+0.01))
		if err != nil || q < got {
			t.Fatalf("not monotone: %v then %v, %v", got, q, err)
		}
	})
}

func TestCDF(t *testing.T) {
	x, p, err := CDF([]float64{3, 1, 3, 2, 3})
	if err != nil || !slices.Equal(x, []float64{1, 2, 3}) || !slices.Equal(p, []float64{0.2, 0.4, 1}) {
		t.Errorf("CDF = %v, %v, %v", x, p, err)
	}
	rapid.Check(t, func(t *rapid.T) {
		xs := sample(1).Draw(t, "xs")
		x, p, err := CDF(xs)
		if err != nil || len(x) != len(p) || p[len(p)-1] != 1 {
			t.Fatalf("%v %v %v", x, p, err)
		}
		for i := range x {
			count := 0
			for _, v := range xs {
				if v <= x[i] {
					count++
				}
			}
			if p[i] != float64(count)/float64(len(xs)) || i > 0 && x[i] <= x[i-1] {
				t.Fatalf("corner %d (%v, %v), %d values at most that", i, x[i], p[i], count)
			}
		}
	})
}
