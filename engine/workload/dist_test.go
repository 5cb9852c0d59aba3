package workload

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"schedrepl/engine/rng"
)

const (
	us = time.Microsecond
	ms = time.Millisecond
	s  = time.Second
)

var table = []time.Duration{1 * ms, 2 * ms, 2 * ms, 7 * ms}

// every holds one distribution of each kind, with its text, its mean in ns, and the
// draws that seed 1 gives: these are part of the reproducibility contract.
var every = []struct {
	d    Dist
	text string
	mean float64
	draw string
}{
	{Constant(2 * ms), "2ms", 2e6, "[2000000 2000000 2000000 2000000]"},
	{Count(12), "12", 12, "[12 12 12 12]"},
	{Uniform(1*ms, 5*ms), "uniform(1ms, 5ms)", 3e6, "[1624899 4571055 3157033 3430444]"},
	{Uniform(1, 6).AsCount(), "uniform(1, 6)", 3.5, "[1 6 4 4]"},
	{Exponential(10 * ms), "exponential(10ms)", 1e7, "[18564588 1134333 6175609 4982205]"},
	{Normal(5*ms, 1*ms), "normal(5ms, 1ms)", 5e6 + 1.5, "[6505801 4133145 4468493 3964594]"},
	{Normal(1*ms, 1*ms), "normal(1ms, 1ms)", 1287599.97, "[2505801 133145 468493 3109760]"},
	{Normal(0, 1*ms), "normal(0s, 1ms)", 797884.56, "[1505801 2109760 1518736 849482]"},
	{Lognormal(2*ms, 0.5), "lognormal(2ms, 0.5)", 2266296.91, "[4246298 1296567 1533256 1191775]"},
	{Pareto(1*ms, 2.5), "pareto(1ms, 2.5)", 1e6 * 2.5 / 1.5, "[2101357 1046418 1280210 1220534]"},
	{Bimodal(0.9, 1*ms, 20*ms), "bimodal(0.9, 1ms, 20ms)", 2.9e6, "[1000000 1000000 1000000 1000000]"},
	{Empirical(table), "empirical(4 values, mean 3ms)", 3e6, "[1000000 7000000 2000000 2000000]"},
}

func draws(d Dist, seed rng.Seed, n int) []int64 {
	stream := rng.NewStream(seed)
	v := make([]int64, n)
	for i := range v {
		v[i] = d.Draw(&stream)
	}
	return v
}

func TestDist(t *testing.T) {
	for _, tt := range every {
		t.Run(tt.text, func(t *testing.T) {
			if err := tt.d.Validate(); err != nil {
				t.Fatal(err)
			}
			if got := tt.d.String(); got != tt.text {
				t.Errorf("String() = %q, want %q", got, tt.text)
			}
			if got := tt.d.Mean(); math.Abs(got-tt.mean) > 0.5 {
				t.Errorf("Mean() = %.2f, want %.2f", got, tt.mean)
			}
			if got := fmt.Sprint(draws(tt.d, 1, 4)); got != tt.draw {
				t.Errorf("draws of seed 1: %s, want %s", got, tt.draw)
			}
			const n = 100_000
			x := make([]float64, n)
			for i, v := range draws(tt.d, 42, n) {
				if v < 0 {
					t.Fatalf("draw %d is %d", i, v)
				}
				x[i] = float64(v)
			}
			mean, std := stat.MeanStdDev(x, nil)
			if bound := 4*std/math.Sqrt(n) + 1e-9; math.Abs(mean-tt.mean) > bound {
				t.Errorf("mean of %d draws is %.0f, want %.0f within %.0f", n, mean, tt.mean, bound)
			}
		})
	}
}

// TestDistShape compares draws with gonum's distributions by the largest distance
// between the distribution functions (Kolmogorov and Smirnov); 1.95/sqrt(n) is
// exceeded by one right sample in a thousand.
func TestDistShape(t *testing.T) {
	tests := []struct {
		d   Dist
		cdf func(float64) float64
	}{
		{Uniform(1*ms, 5*ms), distuv.Uniform{Min: 1e6, Max: 5e6}.CDF},
		{Exponential(10 * ms), distuv.Exponential{Rate: 1e-7}.CDF},
		{Normal(5*ms, 1*ms), distuv.Normal{Mu: 5e6, Sigma: 1e6}.CDF},
		{Normal(0, 1*ms), func(x float64) float64 { return 2*distuv.UnitNormal.CDF(x/1e6) - 1 }},
		{Lognormal(2*ms, 0.5), distuv.LogNormal{Mu: math.Log(2e6), Sigma: 0.5}.CDF},
		{Pareto(1*ms, 1.2), distuv.Pareto{Xm: 1e6, Alpha: 1.2}.CDF},
	}
	const n = 20_000
	for _, tt := range tests {
		v := draws(tt.d, 7, n)
		slices.Sort(v)
		worst := 0.0
		for i, x := range v {
			f := tt.cdf(float64(x))
			worst = max(worst, f-float64(i)/n, float64(i+1)/n-f)
		}
		if limit := 1.95 / math.Sqrt(n); worst > limit {
			t.Errorf("%v: distance %.4f from the exact distribution, want below %.4f", tt.d, worst, limit)
		}
	}
}

func TestDistEdges(t *testing.T) {
	for _, tt := range []struct {
		name string
		d    Dist
		want func(int64) bool
	}{
		{"a heavy tail is clamped", Pareto(1000*s, 0.01), func(v int64) bool { return v >= int64(1000*s) && v <= MaxDraw }},
		{"an overflow is clamped", Lognormal(MaxDraw, 1000), func(v int64) bool { return v >= 0 && v <= MaxDraw }},
		{"the largest constant is exact", Constant(MaxDraw - 1), func(v int64) bool { return v == MaxDraw-1 }},
		{"a uniform without width", Uniform(3, 3), func(v int64) bool { return v == 3 }},
		{"zero mean and deviation", Normal(0, 0), func(v int64) bool { return v == 0 }},
		{"probability 0", Bimodal(0, 1, 2), func(v int64) bool { return v == 2 }},
		{"probability 1", Bimodal(1, 1, 2), func(v int64) bool { return v == 1 }},
		{"not set", Dist{}, func(v int64) bool { return v == 0 }},
	} {
		if err := tt.d.Validate(); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		for _, v := range draws(tt.d, 3, 1000) {
			if !tt.want(v) {
				t.Errorf("%s: %v drew %d", tt.name, tt.d, v)
				break
			}
		}
	}
	if clamped := slices.Max(draws(Pareto(1000*s, 0.01), 3, 1000)); clamped != MaxDraw {
		t.Errorf("the heaviest tail reached %d, want the clamp %d", clamped, int64(MaxDraw))
	}
	if m := Pareto(ms, 1).Mean(); !math.IsInf(m, 1) {
		t.Errorf("mean of a Pareto distribution with alpha 1 is %g, want +Inf", m)
	}
}

// TestCountEnds shows that a uniform count reaches both ends as often as the middle.
func TestCountEnds(t *testing.T) {
	seen := map[int64]int{}
	for _, v := range draws(Uniform(1, 3).AsCount(), 5, 30_000) {
		seen[v]++
	}
	for v := int64(1); v <= 3; v++ {
		if seen[v] < 9_700 || seen[v] > 10_300 {
			t.Errorf("%d came %d times in 30000, want about 10000", v, seen[v])
		}
	}
	if len(seen) != 3 {
		t.Errorf("values %v, want 1 to 3", seen)
	}
}

func TestDistErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, tt := range []struct {
		d    Dist
		want string
	}{
		{Constant(-5 * ms), "dist.constant: value is -5ms; it must be 0 or more"},
		{Count(-2), "dist.constant: value is -2; it must be 0 or more"},
		{Constant(math.MaxInt64), "dist.constant: value is never; it must be at most 4611686018.427387904s"},
		{Uniform(-1, 5), "dist.uniform: lo is -1ns; it must be 0 or more"},
		{Uniform(5*ms, 1*ms), "dist.uniform: lo is 5ms; it must be at most hi, which is 1ms"},
		{Exponential(-1 * s), "dist.exponential: mean is -1s; it must be 0 or more"},
		{Normal(-1, 0), "dist.normal: mean is -1ns; it must be 0 or more"},
		{Normal(1, -5), "dist.normal: std is -5ns; it must be 0 or more"},
		{Lognormal(0, 1), "dist.lognormal: median is 0s; it must be positive"},
		{Lognormal(1, -1), "dist.lognormal: sigma is -1; it must be 0 or more"},
		{Lognormal(1, inf), "dist.lognormal: sigma is +Inf; it must be a finite number"},
		{Pareto(0, 1), "dist.pareto: xm is 0s; it must be positive"},
		{Pareto(1, 0), "dist.pareto: alpha is 0; it must be positive"},
		{Pareto(1, nan), "dist.pareto: alpha is NaN; it must be a finite number"},
		{Bimodal(1.5, 1, 2), "dist.bimodal: p is 1.5; it must be a probability from 0 to 1"},
		{Bimodal(0.5, 1, -2), "dist.bimodal: b is -2ns; it must be 0 or more"},
		{Empirical(nil), "dist.empirical: there are no values; give at least one"},
		{Empirical([]time.Duration{1, -1}), "dist.empirical: value 1 is -1ns; it must be 0 or more"},
	} {
		if err := tt.d.Validate(); err == nil || err.Error() != tt.want {
			t.Errorf("%v: error %q, want %q", tt.d, err, tt.want)
		}
	}
}

// TestEmpiricalCopies shows that a distribution does not change with the slice that
// it was made from.
func TestEmpiricalCopies(t *testing.T) {
	v := []time.Duration{5, 5}
	d := Empirical(v)
	v[0], v[1] = 9, 9
	if got := draws(d, 1, 2); got[0] != 5 || got[1] != 5 {
		t.Errorf("draws %v, want 5s", got)
	}
	if !strings.Contains(d.String(), "mean 5ns") {
		t.Error(d)
	}
}

func BenchmarkDraw(b *testing.B) {
	for _, tt := range every {
		b.Run(tt.text, func(b *testing.B) {
			stream := rng.NewStream(1)
			for b.Loop() {
				tt.d.Draw(&stream)
			}
		})
	}
}
