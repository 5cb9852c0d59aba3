package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Two-sided t quantiles from the usual printed tables.
func TestMeanIntervalTable(t *testing.T) {
	for _, c := range []struct {
		n           int
		level, want float64
	}{
		{2, 0.95, 12.7062}, {5, 0.95, 2.77645}, {10, 0.95, 2.26216}, {30, 0.95, 2.04523}, {1000, 0.95, 1.96234},
		{1_000_001, 0.95, 1.959966}, {11, 0.99, 3.16927}, {11, 0.50, 0.699812}, {3, 0.999, 31.5991},
	} {
		// n values with mean 0 and a known spread: half -1, half +1, one 0 if odd.
		xs := make([]float64, c.n)
		for i := range c.n / 2 {
			xs[2*i], xs[2*i+1] = -1, 1
		}
		std := math.Sqrt(float64(c.n/2*2) / float64(c.n-1))
		lo, hi, err := MeanInterval(xs, c.level)
		got := hi * math.Sqrt(float64(c.n)) / std
		if err != nil || lo != -hi || !near(got, c.want, 1e-5) {
			t.Errorf("n %d level %v: t = %v (%v to %v), %v; want %v", c.n, c.level, got, lo, hi, err, c.want)
		}
	}
}

func TestLevels(t *testing.T) {
	xs := []float64{1, 2, 3}
	for _, level := range []float64{0, 1, -1, 95, nan, inf} {
		if _, _, err := MeanInterval(xs, level); err == nil {
			t.Errorf("MeanInterval at level %v: no error", level)
		}
		if _, _, err := Bootstrap(xs, MeanOf, 1000, level, rand.NewPCG(1, 1)); err == nil {
			t.Errorf("Bootstrap at level %v: no error", level)
		}
	}
	for _, level := range []float64{math.SmallestNonzeroFloat64, 1e-9, 1 - 1e-9, math.Nextafter(1, 0)} {
		lo, hi, err := MeanInterval(xs, level)
		if err != nil || !(lo <= 2 && 2 <= hi) {
			t.Errorf("MeanInterval at level %v: %v to %v, %v", level, lo, hi, err)
		}
	}
}

func TestBootstrapArguments(t *testing.T) {
	xs := []float64{1, 2, 3}
	bad := func([]float64) float64 { return nan }
	for _, f := range []func([]float64, func([]float64) float64, int, float64, rand.Source) (float64, float64, error){Bootstrap, BootstrapBCa} {
		for name, err := range map[string]error{
			"no source":    third(f(xs, MeanOf, 100, 0.95, nil)),
			"no statistic": third(f(xs, nil, 100, 0.95, rand.NewPCG(1, 1))),
			"39 draws":     third(f(xs, MeanOf, 39, 0.95, rand.NewPCG(1, 1))),
			"-1 draws":     third(f(xs, MeanOf, -1, 0.95, rand.NewPCG(1, 1))),
			"NaN":          third(f(xs, bad, 100, 0.95, rand.NewPCG(1, 1))),
			"bad p":        third(f(xs, QuantileOf(50), 100, 0.95, rand.NewPCG(1, 1))),
		} {
			if err == nil {
				t.Errorf("%s: no error", name)
			}
		}
		if err := third(f(xs, MeanOf, 20, 0.9, rand.NewPCG(1, 1))); err != nil {
			t.Errorf("20 draws at 0.9: %v", err)
		}
		lo, hi, err := f([]float64{4, 4, 4}, MeanOf, 100, 0.95, rand.NewPCG(1, 1))
		if lo != 4 || hi != 4 || err != nil {
			t.Errorf("equal values: %v to %v, %v", lo, hi, err)
		}
	}
}

func third(_, _ float64, err error) error { return err }

// Same source, same interval; another source, another interval; and the
// statistic cannot move the stream.
func TestBootstrapStream(t *testing.T) {
	xs := []float64{1, 5, 2, 9, 3, 7, 4}
	a, b := rand.NewPCG(3, 4), rand.NewPCG(3, 4)
	lo1, hi1, _ := Bootstrap(xs, MeanOf, 500, 0.9, a)
	lo2, hi2, _ := Bootstrap(xs, MeanOf, 500, 0.9, rand.NewPCG(3, 4))
	lo3, hi3, _ := Bootstrap(xs, MeanOf, 500, 0.9, rand.NewPCG(4, 4))
	if lo1 != lo2 || hi1 != hi2 || lo1 == lo3 && hi1 == hi3 {
		t.Errorf("%v..%v, again %v..%v, other source %v..%v", lo1, hi1, lo2, hi2, lo3, hi3)
	}
	Bootstrap(xs, QuantileOf(0.5), 500, 0.9, b)
	if a.Uint64() != b.Uint64() {
		t.Error("the statistic changed what was drawn")
	}
}

// For the mean, the jackknife's acceleration is skewness/(6 sqrt n).
func TestAcceleration(t *testing.T) {
	xs := []float64{1, 2, 3, 4, 20}
	var m2, m3 float64
	for _, x := range xs {
		d := x - 6
		m2 += d * d / 5
		m3 += d * d * d / 5
	}
	want := m3 / math.Pow(m2, 1.5) / (6 * math.Sqrt(5))
	got, err := acceleration("test", xs, MeanOf)
	if err != nil || !near(got, want, 1e-12) || want <= 0 {
		t.Errorf("acceleration = %v, %v; want %v", got, err, want)
	}
}

// With no bias and no acceleration BCa reads the percentiles themselves.
func TestShifted(t *testing.T) {
	const z975 = 1.959963984540054
	for _, c := range []struct{ bias, accel, z, want float64 }{
		{0, 0, -z975, 0.025}, {0, 0, z975, 0.975},
		{0.1, 0, z975, 0.984612}, // Phi(2*0.1 + 1.959964)
		{0, 0.1, z975, 0.992611}, // Phi(1.959964/(1-0.1959964))
		{0, 2, 1, 1}, {0, -2, -1, 0},
	} {
		if got := shifted(c.bias, c.accel, c.z); !near(got, c.want, 1e-6) {
			t.Errorf("shifted(%v, %v, %v) = %v, want %v", c.bias, c.accel, c.z, got, c.want)
		}
	}
}

// Of many 95 % intervals, about 95 % hold the true value. Student's t on normal
// values is exact; the bootstraps on small samples fall short by known amounts,
// the corrected one less.
func TestCoverage(t *testing.T) {
	t.Parallel()
	const trials = 1000
	r := rand.New(rand.NewPCG(42, 1))
	normal := func() float64 { return 10 + 3*r.NormFloat64() }
	exponential := func() float64 { return r.ExpFloat64() }
	student := func(xs []float64) (float64, float64, error) { return MeanInterval(xs, 0.95) }
	src := rand.NewPCG(42, 2)
	percentile := func(xs []float64) (float64, float64, error) { return Bootstrap(xs, MeanOf, 400, 0.95, src) }
	bca := func(xs []float64) (float64, float64, error) { return BootstrapBCa(xs, MeanOf, 400, 0.95, src) }
	median := func(xs []float64) (float64, float64, error) {
		return Bootstrap(xs, QuantileOf(0.5), 400, 0.95, src)
	}
	got := map[string]float64{}
	for _, c := range []struct {
		name     string
		n        int
		draw     func() float64
		truth    float64
		interval func([]float64) (float64, float64, error)
		lo, hi   float64 // accepted coverage; one standard error is 0.007
	}{
		{"student normal", 5, normal, 10, student, 0.93, 0.97},
		{"percentile normal", 25, normal, 10, percentile, 0.90, 0.96},
		{"percentile skewed", 25, exponential, 1, percentile, 0.87, 0.95},
		{"bca skewed", 25, exponential, 1, bca, 0.89, 0.96},
		{"median skewed", 25, exponential, math.Ln2, median, 0.91, 0.98},
	} {
		hits := 0
		xs := make([]float64, c.n)
		for range trials {
			for i := range xs {
				xs[i] = c.draw()
			}
			lo, hi, err := c.interval(slices.Clone(xs))
			if err != nil || lo > hi {
				t.Fatalf("%s: %v to %v, %v", c.name, lo, hi, err)
			}
			if lo <= c.truth && c.truth <= hi {
				hits++
			}
		}
		share := float64(hits) / trials
		got[c.name] = share
		if share < c.lo || share > c.hi {
			t.Errorf("%s: %.3f of the intervals hold the truth, want %v to %v", c.name, share, c.lo, c.hi)
		}
		t.Logf("%-18s n=%d %.3f", c.name, c.n, share)
	}
	if got["bca skewed"] <= got["percentile skewed"] {
		t.Errorf("the correction does not help: %v", got)
	}
}
