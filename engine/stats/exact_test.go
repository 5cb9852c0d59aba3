package stats

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// small draws a few values, often equal ones.
func small(least, most int) *rapid.Generator[[]float64] {
	return rapid.SliceOfN(rapid.Map(rapid.IntRange(-4, 5), func(i int) float64 { return float64(i) }), least, most)
}

// Wilcoxon's p is the share of all arrangements of signs.
func TestWilcoxonBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := small(1, 9).Draw(t, "d")
		got := must(Wilcoxon(d))
		var size []float64
		for _, x := range d {
			if x != 0 {
				size = append(size, math.Abs(x))
			}
		}
		sumOf := func(positive func(i int) bool) (v float64) {
			for i, x := range size {
				if !positive(i) {
					continue
				}
				for _, y := range size { // its midrank
					if y < x {
						v++
					} else if y == x {
						v += 0.5
					}
				}
				v += 0.5
			}
			return v
		}
		var signs []bool
		for _, x := range d {
			if x != 0 {
				signs = append(signs, x > 0)
			}
		}
		v := sumOf(func(i int) bool { return signs[i] })
		var below, above float64
		for mask := range 1 << len(size) {
			w := sumOf(func(i int) bool { return mask>>i&1 == 1 })
			if w <= v {
				below++
			}
			if w >= v {
				above++
			}
		}
		want := min(1, 2*min(below, above)/float64(int(1)<<len(size)))
		if got.V != v || !near(got.P, want, 1e-12) || !got.Exact {
			t.Fatalf("%v: got %+v, want V %v p %v", d, got, v, want)
		}
	})
}

// The p of Mann-Whitney and of Kolmogorov-Smirnov is the share of all ways to
// deal the pooled values out.
func TestTwoSampleBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs, ys := small(1, 6).Draw(t, "xs"), small(1, 6).Draw(t, "ys")
		if rapid.Bool().Draw(t, "different") { // no ties
			for i := range xs {
				xs[i] += float64(i) / 100
			}
			for i := range ys {
				ys[i] += float64(i)/100 + 0.005
			}
		}
		u := func(xs, ys []float64) (u float64) {
			for _, x := range xs {
				for _, y := range ys {
					if x > y {
						u++
					} else if x == y {
						u += 0.5
					}
				}
			}
			return u
		}
		share := func(xs []float64, v float64) float64 {
			n := 0
			for _, x := range xs {
				if x <= v {
					n++
				}
			}
			return float64(n) / float64(len(xs))
		}
		dist := func(xs, ys []float64) (d float64) {
			for _, v := range slices.Concat(xs, ys) {
				d = max(d, math.Abs(share(xs, v)-share(ys, v)))
			}
			return d
		}
		wantU, wantD := u(xs, ys), dist(xs, ys)
		pool := slices.Concat(xs, ys)
		var all, below, above, far float64
		for mask := range 1 << len(pool) {
			if bits.OnesCount(uint(mask)) != len(xs) {
				continue
			}
			var a, b []float64
			for i, v := range pool {
				if mask>>i&1 == 1 {
					a = append(a, v)
				} else {
					b = append(b, v)
				}
			}
			all++
			w := u(a, b)
			if w <= wantU {
				below++
			}
			if w >= wantU {
				above++
			}
			if dist(a, b) >= wantD-1e-12 {
				far++
			}
		}
		mw, ks := must(MannWhitney(xs, ys)), must(KolmogorovSmirnov(xs, ys))
		if mw.U != wantU || !near(mw.P, min(1, 2*min(below, above)/all), 1e-12) || !mw.Exact {
			t.Fatalf("%v %v: %+v, want U %v p %v", xs, ys, mw, wantU, 2*min(below, above)/all)
		}
		if !near(ks.D, wantD, 1e-12) || !near(ks.P, far/all, 1e-12) || !ks.Exact {
			t.Fatalf("%v %v: %+v, want D %v p %v", xs, ys, ks, wantD, far/all)
		}
		if d := math.Abs(share(xs, ks.At) - share(ys, ks.At)); !near(d, wantD, 1e-12) {
			t.Fatalf("%v %v: at %v the distance is %v, not %v", xs, ys, ks.At, d, wantD)
		}
	})
}

// Where the exact count ends, the approximation goes on from it.
func TestApproximationsMeet(t *testing.T) {
	var d []float64
	for i := range 50 {
		x := float64(i + 1)
		if i%3 == 0 {
			x = -x
		}
		d = append(d, x)
	}
	exact := must(Wilcoxon(d))
	if approx := signedNormal(exact.V, 50, 0); !exact.Exact || !near(exact.P, approx, 1e-3) {
		t.Errorf("wilcoxon: exact %v, normal %v", exact.P, approx)
	}
	// Half a rank beside the middle is the middle, for continuity.
	if a, b := signedNormal(50*51/4.+0.5, 50, 0), signedNormal(50*51/4.+1.5, 50, 0); a != 1 || b >= 1 {
		t.Errorf("wilcoxon: p beside the middle is %v, then %v", a, b)
	}
	for i := range d { // two sizes of 25 each
		d[i] = math.Copysign(1+float64(i/25), d[i])
	}
	exact = must(Wilcoxon(d))
	if approx := signedNormal(exact.V, 50, 2*(25*25*25-25)); !exact.Exact || !exact.Ties || !near(exact.P, approx, 1e-3) {
		t.Errorf("wilcoxon with ties: exact %v, normal %v", exact.P, approx)
	}
	var xs, ys []float64
	for i := range 49 {
		xs = append(xs, float64(i))
		ys = append(ys, float64(i)*1.2+0.1)
	}
	mw := must(MannWhitney(xs, ys))
	if approx := rankNormal(mw.U, 49, 49, 0); !mw.Exact || !near(mw.P, approx, 5e-3) {
		t.Errorf("mann-whitney: exact %v, normal %v", mw.P, approx)
	}
	ks := must(KolmogorovSmirnov(xs, ys))
	if approx := kolmogorovTail(ks.D * math.Sqrt(49./2)); !ks.Exact || !near(approx, ks.P, 5e-3) {
		t.Errorf("kolmogorov-smirnov: exact %v, limit %v", ks.P, approx)
	}
	for _, x := range []float64{1e-9, 0.03, 0.2, 0.999999, 1, 1.000001, 3, 40} { // both forms agree where they meet
		if p := kolmogorovTail(x); p < 0 || p > 1 {
			t.Errorf("the tail at %v is %v", x, p)
		}
	}
	if a, b := kolmogorovTail(math.Nextafter(1, 0)), kolmogorovTail(1); !near(a, b, 1e-12) {
		t.Errorf("the two forms give %v and %v", a, b)
	}
	// Small shares keep their digits.
	for i := range xs {
		ys[i] = xs[i] + 100
	}
	// Of the C(98, 49) orders, two are the most extreme.
	lnC, _ := math.Lgamma(99)
	ln49, _ := math.Lgamma(50)
	want := 2 * math.Exp(2*ln49-lnC)
	for name, p := range map[string]float64{"ks": must(KolmogorovSmirnov(xs, ys)).P, "mw": must(MannWhitney(xs, ys)).P} {
		if math.Abs(p/want-1) > 1e-9 {
			t.Errorf("%s: p of separate samples is %v, want %v", name, p, want)
		}
	}
}
