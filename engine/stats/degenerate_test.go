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

var student = PairOptions{Level: 0.95, Power: 0.8, Method: Student}

// pairsAndMore are the functions of two samples.
var pairsAndMore = []struct {
	name  string
	need  int
	pairs bool
	call  func(a, b []float64) error
}{
	{"Pair", 2, true, func(a, b []float64) error { _, err := Pair(a, b, student); return err }},
	{"Pair bca", 2, true, func(a, b []float64) error {
		_, err := Pair(a, b, PairOptions{0.95, 0.8, BCa, 200, rand.NewPCG(1, 1)})
		return err
	}},
	{"TTest", 2, false, func(a, b []float64) error { _, err := TTest(a, b, 0.95); return err }},
	{"MannWhitney", 1, false, func(a, b []float64) error { _, err := MannWhitney(a, b); return err }},
	{"KolmogorovSmirnov", 1, false, func(a, b []float64) error { _, err := KolmogorovSmirnov(a, b); return err }},
	{"Compare", 2, false, func(a, b []float64) error {
		_, err := Compare(a, b, 0.95, 100, rand.NewPCG(1, 1))
		return err
	}},
	{"QuantileDifference", 1, false, func(a, b []float64) error {
		_, err := QuantileDifference(a, b, 0.5, 0.95, 100, rand.NewPCG(1, 1))
		return err
	}},
	{"Correlation", 2, true, func(a, b []float64) error { _, err := Correlation(a, b, 0.95); return err }},
	{"RankCorrelation", 2, true, func(a, b []float64) error { _, err := RankCorrelation(a, b, 0.95); return err }},
	{"Regression", 2, true, func(a, b []float64) error { _, err := Regression(a, b, 0.95); return err }},
}

func TestBadPairs(t *testing.T) {
	for _, f := range pairsAndMore {
		a, b := []float64{1, 2, 4}, []float64{2, 1, 7}
		keepA, keepB := slices.Clone(a), slices.Clone(b)
		if err := f.call(a, b); err != nil {
			t.Errorf("%s: %v", f.name, err)
		}
		if !slices.Equal(a, keepA) || !slices.Equal(b, keepB) {
			t.Errorf("%s changed its samples: %v, %v", f.name, a, b)
		}
		if err := f.call(a[:f.need-1], b[:f.need-1]); !errors.Is(err, ErrTooFew) {
			t.Errorf("%s of %d values: %v", f.name, f.need-1, err)
		}
		if err := f.call(a, b[:2]); f.pairs != (err != nil && strings.Contains(err.Error(), "pairs")) {
			t.Errorf("%s of 3 and 2 values: %v", f.name, err)
		}
		for _, bad := range [][]float64{{nan, 1, 2}, {1, 2, inf}, {-inf, 1, 2}} {
			if f.call(a, bad) == nil || f.call(bad, a) == nil {
				t.Errorf("%s of %v: no error", f.name, bad)
			}
		}
		// No panic at the ends of the range, and from values without spread.
		top := math.MaxFloat64
		for _, odd := range [][]float64{{top, -top, top}, {5e-324, 0, 5e-324}, {0, 0, 0}, {7, 7, 7}, {-3, -3, -3}, {1e300, 1e300, 1.1e300}} {
			f.call(odd, a)
			f.call(a, odd)
			f.call(odd, odd)
		}
	}
}

// What comes out of pairs that are allowed is never a NaN but where the type
// says so.
func TestPairNeverNaN(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 20).Draw(t, "n")
		gen := rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(-1e9, 1e9), rapid.Map(rapid.IntRange(-2, 2), func(i int) float64 { return float64(i) })), n, n)
		a, b := gen.Draw(t, "a"), gen.Draw(t, "b")
		p, err := Pair(a, b, student)
		if err != nil {
			t.Fatal(err)
		}
		for name, v := range map[string]float64{"diff": p.Diff, "lo": p.Lo, "hi": p.Hi, "std": p.Std, "mde": p.MDE, "wilcoxon": p.Wilcoxon.P} {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("%s is %v of %+v", name, v, p)
			}
		}
		if p.Lo > p.Diff || p.Hi < p.Diff || p.MDE < 0 {
			t.Fatalf("%+v", p)
		}
		if math.IsNaN(p.P) != (p.Constant && p.Diff != 0) || !p.Constant && (p.P < 0.05) != p.Significant() {
			t.Fatalf("p and interval differ: %+v", p)
		}
		// Fieller's interval is of one mind with the other, and holds the estimate.
		if !math.IsNaN(p.RelLo) {
			if p.RelLo > p.Rel || p.RelHi < p.Rel {
				t.Fatalf("%v is outside of %v to %v", p.Rel, p.RelLo, p.RelHi)
			}
			excludes := p.RelLo > 0 || p.RelHi < 0
			if excludes != p.Significant() && math.Abs(p.P-0.05) > 1e-6 {
				t.Fatalf("relative interval %v to %v, interval %v to %v", p.RelLo, p.RelHi, p.Lo, p.Hi)
			}
		}
	})
}

// At the ends of Fieller's interval the test that b is so many times a is just
// on the edge.
func TestFiellerInverts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 20).Draw(t, "n")
		sign := float64(rapid.SampledFrom([]int{-1, 1}).Draw(t, "sign"))
		a, b := make([]float64, n), make([]float64, n)
		for i := range a {
			a[i] = sign * (100 + rapid.Float64Range(-5, 5).Draw(t, "a") + float64(i%2))
			b[i] = 0.7*a[i] + rapid.Float64Range(-5, 5).Draw(t, "b") + float64(i%3)
		}
		p := must(Pair(a, b, student))
		for _, x := range []float64{p.RelLo, p.RelHi} {
			e := make([]float64, n)
			for i := range e {
				e[i] = b[i] - a[i] - x*sign*a[i]
			}
			got := math.Abs(mean(e)) / (std(e) / math.Sqrt(float64(n)))
			if want := studentQuantile(float64(n-1), 0.95); math.Abs(got-want) > 1e-6*want {
				t.Fatalf("at %v t is %v, want %v", x, got, want)
			}
		}
	})
}

func TestPairDegenerate(t *testing.T) {
	same := []float64{3, 5, 9}
	p := must(Pair(same, same, student))
	if !p.Constant || p.P != 1 || p.Wilcoxon.P != 1 || p.Lo != 0 || p.Hi != 0 || p.MDE != 0 || p.Significant() || !near(p.Corr, 1, 1e-12) {
		t.Errorf("the same on both sides: %+v", p)
	}
	// A shift by one number, which rounds in each pair.
	p = must(Pair([]float64{0.1, 0.2, 0.7, 1.3}, []float64{0.4, 0.5, 1.0, 1.6}, student))
	if !p.Constant || !math.IsNaN(p.P) || !near(p.Lo, 0.3, 1e-12) || !p.Significant() || !math.IsInf(p.Gain, 1) || p.Wilcoxon.P != 0.125 {
		t.Errorf("a constant shift: %+v", p)
	}
	p = must(Pair([]float64{4, 4}, []float64{5, 5}, student))
	if p.Rel != 0.25 || p.RelLo != 0.25 || p.RelHi != 0.25 || !math.IsNaN(p.Corr) || !math.IsNaN(p.Gain) {
		t.Errorf("constants: %+v", p)
	}
	p = must(Pair([]float64{-1, 1, -2, 2}, []float64{3, 4, 5, 6}, student))
	if !math.IsNaN(p.Rel) || !math.IsNaN(p.RelLo) || !math.IsNaN(p.RelMDE) {
		t.Errorf("relative to a mean of 0: %+v", p)
	}
	p = must(Pair([]float64{-1, 1.1, -2, 2}, []float64{3, 4, 5, 6}, student))
	if math.IsNaN(p.Rel) || !math.IsNaN(p.RelLo) {
		t.Errorf("relative to a mean that may be 0: %+v", p)
	}
	up := must(Pair([]float64{10, 11, 12}, []float64{12, 14, 13}, student))
	down := must(Pair([]float64{-10, -11, -12}, []float64{-12, -14, -13}, student))
	if up.Rel != -down.Rel || up.RelLo != -down.RelHi || up.RelHi != -down.RelLo {
		t.Errorf("mirrored: %+v and %+v", up, down)
	}
	for _, o := range []PairOptions{
		{0.95, 0.8, "tee", 100, nil}, {0.95, 0.8, BCa, 100, nil}, {0.95, 0.8, BCa, 10, rand.NewPCG(1, 1)},
		{95, 0.8, Student, 0, nil}, {0.95, 1, Student, 0, nil}, {0.95, 0.03, Student, 0, nil}, {0, 0.8, Student, 0, nil},
	} {
		if _, err := Pair([]float64{1, 2, 4}, []float64{2, 2, 9}, o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
}

func TestTestsDegenerate(t *testing.T) {
	flat := []float64{2, 2, 2}
	if r := must(TTest(flat, flat, 0.95)); r.P != 1 || r.Lo != 0 || r.Hi != 0 {
		t.Errorf("t-test of equal values: %+v", r)
	}
	if r := must(TTest(flat, []float64{3, 3}, 0.95)); !math.IsNaN(r.P) || r.Lo != 1 || r.Hi != 1 {
		t.Errorf("t-test of two constants: %+v", r)
	}
	if r := must(MannWhitney(flat, flat)); r.P != 1 || r.Super != 0.5 {
		t.Errorf("ranks of equal values: %+v", r)
	}
	many := slices.Repeat([]float64{2}, 1000)
	if r := must(MannWhitney(many, many)); r.P != 1 || r.Exact {
		t.Errorf("ranks of many equal values: %+v", r)
	}
	if r := must(KolmogorovSmirnov(many, many)); r.P != 1 || r.D != 0 {
		t.Errorf("distance of equal values: %+v", r)
	}
	if r := must(KolmogorovSmirnov(many, []float64{3})); r.D != 1 || r.At != 2 || !near(r.P, 2./1001, 1e-12) && !near(r.P, 1./1001, 1e-12) {
		t.Errorf("distance of two constants: %+v", r)
	}
	if r := must(Wilcoxon([]float64{0, 0})); r.P != 1 || r.Zeros != 2 {
		t.Errorf("no differences: %+v", r)
	}
	if r := must(Correlation([]float64{1, 2, 3, 4}, []float64{2, 4, 6, 8}, 0.95)); !near(r.R, 1, 1e-12) || r.P > 1e-6 || r.Hi > 1 {
		t.Errorf("on a line: %+v", r)
	}
	if _, err := Correlation([]float64{1, 1, 1}, []float64{2, 4, 6}, 0.95); err == nil {
		t.Error("correlation with a constant: no error")
	}
	if r := must(Regression([]float64{1, 2, 3}, flat, 0.95)); r.Slope != 0 || r.R2 != 1 || r.P != 1 {
		t.Errorf("a flat line: %+v", r)
	}
	if r := must(Regression([]float64{1, 2, 3}, []float64{3, 5, 7}, 0.95)); r.Slope != 2 || r.Intercept != 1 || r.P != 0 {
		t.Errorf("a straight line: %+v", r)
	}
	if r := must(Regression([]float64{1, 2}, []float64{3, 5}, 0.95)); r.Slope != 2 || !math.IsNaN(r.SlopeLo) {
		t.Errorf("two points: %+v", r)
	}
}

func TestPower(t *testing.T) {
	// The effect that n values show needs n values.
	for _, n := range []int{2, 3, 10, 30, 1000, 100_000} {
		e := must(MDE(2.5, n, 0.95, 0.8))
		if got := must(Needed(2.5, e*(1+1e-9), 0.95, 0.8)); got != n {
			t.Errorf("n %d: an effect of %v needs %d", n, e, got)
		}
	}
	// What is found without any effect is found by an effect of all but nothing.
	if e := must(MDE(1, 10, 0.95, 0.0501)); e > 0.05 {
		t.Errorf("at the level itself: %v", e)
	}
	if e := must(MDE(1, 1_000_000, 0.95, 0.8)); !near(e*1000, 1.959964+0.841621, 1e-4) {
		t.Errorf("of many values: %v", e)
	}
	for _, bad := range []error{
		second(MDE(-1, 10, 0.95, 0.8)), second(MDE(nan, 10, 0.95, 0.8)), second(MDE(1, 1, 0.95, 0.8)), second(MDE(1, 9, 0.95, 1)),
		second(MDE(1, 9, 0.95, 0.05)), second(MDE(1, 9, 95, 0.8)), second(Needed(1, 0, 0.95, 0.8)), second(Needed(1, inf, 0.95, 0.8)), second(Needed(1, 1e-9, 0.95, 0.8)),
	} {
		if bad == nil {
			t.Error("no error")
		}
	}
	if e := must(MDE(0, 5, 0.95, 0.8)); e != 0 {
		t.Errorf("without a spread: %v", e)
	}
}

func second[T any](_ T, err error) error { return err }

func TestQuantileIntervalTable(t *testing.T) {
	xs := make([]float64, 1000)
	for i := range xs {
		xs[i] = float64(i + 1)
	}
	// The ranks for the median are those of the sign test's table: 2 and 9 of 10
	// (97.85 %), 6 and 15 of 20 (95.86 %), 40 and 61 of 100 (96.48 %).
	for _, c := range []struct {
		n              int
		p              float64
		lo, hi, covers float64
	}{
		{10, 0.5, 2, 9, 0.978516}, {20, 0.5, 6, 15, 0.958610}, {100, 0.5, 40, 61, 0.964800}, {6, 0.5, 1, 6, 0.96875},
	} {
		lo, hi, cov, err := QuantileInterval(xs[:c.n], c.p, 0.95)
		if err != nil || lo != c.lo || hi != c.hi || !near(cov, c.covers, 1e-6) {
			t.Errorf("n %d: %v to %v (%v), %v; want %v to %v (%v)", c.n, lo, hi, cov, err, c.lo, c.hi, c.covers)
		}
	}
	for _, c := range []struct {
		n    int
		p    float64
		need string
	}{{5, 0.5, "at least 6 "}, {367, 0.99, "at least 368"}, {1, 0.01, "at least 368"}} {
		_, _, _, err := QuantileInterval(xs[:c.n], c.p, 0.95)
		if !errors.Is(err, ErrTooFew) || !strings.Contains(err.Error(), c.need) {
			t.Errorf("n %d p %v: %v", c.n, c.p, err)
		}
	}
	if lo, hi, _, err := QuantileInterval(xs[:368], 0.99, 0.95); err != nil || hi != 368 || lo >= 364 {
		t.Errorf("n 368: %v to %v, %v", lo, hi, err)
	}
	for _, p := range []float64{0, 1, -1, 99, nan} {
		if _, _, _, err := QuantileInterval(xs, p, 0.95); err == nil {
			t.Errorf("p %v: no error", p)
		}
	}
}

func TestEffectiveN(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	series := func(n int, rho float64) []float64 {
		xs := make([]float64, n)
		x := 0.0
		for i := range xs {
			x = rho*x + math.Sqrt(1-rho*rho)*r.NormFloat64()
			xs[i] = x
		}
		return xs
	}
	const n = 40_000
	for _, rho := range []float64{0, 0.5, 0.9} {
		// An autoregressive series is worth (1-rho)/(1+rho) of its length.
		want := n * (1 - rho) / (1 + rho)
		if got := must(EffectiveN(series(n, rho))); got < 0.75*want || got > 1.4*want {
			t.Errorf("rho %v: %v, want %v", rho, got, want)
		}
	}
	if got := must(EffectiveN(make([]float64, 500))); got != 500 {
		t.Errorf("equal values: %v", got)
	}
	if got := must(EffectiveN(make([]float64, 99))); !math.IsNaN(got) {
		t.Errorf("99 values: %v", got)
	}
}
