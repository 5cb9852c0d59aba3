package stats

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

var fivePercent = StopRule{Relative: 0.05, Level: 0.95, MinN: 10, MaxN: 300}

func TestStopRule(t *testing.T) {
	flat := slices.Repeat([]float64{7}, 400)
	wild := make([]float64, 400) // mean 0, so that no relative width is ever met
	for i := range wild {
		wild[i] = float64(1 - i%2*2)
	}
	rule := fivePercent
	fixed := StopRule{Absolute: 0.5, Level: 0.95, MinN: 2, MaxN: 1000}
	both := StopRule{Absolute: 0.5, Relative: 0.01, Level: 0.95, MinN: 2, MaxN: 1000}
	for _, c := range []struct {
		name      string
		rule      StopRule
		xs        []float64
		done, met bool
		more      int
	}{
		{"nothing", rule, nil, false, false, 10},
		{"one", rule, flat[:1], false, false, 9},
		{"equal, too few", rule, flat[:9], false, false, 1},
		{"equal", rule, flat[:10], true, true, 0},
		{"mean 0", rule, wild[:100], false, false, 200},
		{"the most", rule, wild[:300], true, false, 0},
		{"beyond the most", rule, wild, true, false, 0},
		{"absolute", fixed, wild[:10], false, false, 9}, // 1.96^2 * 1.054^2/0.25 + 2.4 = 19.5 rounded up, less 10
		{"absolute met", fixed, wild[:24], true, true, 0},
		{"either", both, wild[:24], true, true, 0},
	} {
		v, err := c.rule.Enough(c.xs)
		if err != nil || v.Done != c.done || v.Met != c.met || v.More != c.more && c.name != "absolute" || c.name == "absolute" && (v.More < 8 || v.More > 12) {
			t.Errorf("%s: %+v, %v", c.name, v, err)
		}
	}
	for _, bad := range []StopRule{
		{}, {Relative: -1, Level: 0.95, MinN: 2, MaxN: 9}, {Relative: 1, Level: 0.95, MinN: 2, MaxN: 9}, {Relative: nan, Level: 0.95, MinN: 2, MaxN: 9},
		{Absolute: inf, Level: 0.95, MinN: 2, MaxN: 9}, {Absolute: -1, Level: 0.95, MinN: 2, MaxN: 9}, {Absolute: 1, Level: 95, MinN: 2, MaxN: 9},
		{Absolute: 1, Level: 0.95, MinN: 1, MaxN: 9}, {Absolute: 1, Level: 0.95, MinN: 10, MaxN: 9},
	} {
		if err := bad.Validate(); err == nil {
			t.Errorf("%+v: no error", bad)
		}
		if _, err := bad.Enough(flat); err == nil {
			t.Errorf("%+v: no error", bad)
		}
	}
	for _, xs := range [][]float64{{1, nan}, {inf}, {-math.MaxFloat64, math.MaxFloat64, math.MaxFloat64}} {
		if v, err := rule.Enough(xs); err == nil {
			t.Errorf("%v: %+v", xs, v)
		}
	}
}

// The verdict is that of the interval, for the last looks in a row.
func TestStopRuleModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs := rapid.SliceOfN(rapid.Float64Range(90, 110), 2, 60).Draw(t, "xs")
		rule := StopRule{Relative: rapid.Float64Range(0.005, 0.06).Draw(t, "relative"), Level: 0.95, MinN: rapid.IntRange(2, 20).Draw(t, "least"), MaxN: 50}
		narrow := func(xs []float64) bool {
			lo, hi, err := MeanInterval(xs, 0.95)
			return must(hi-lo, err)/2 <= rule.Relative*mean(xs)
		}
		met, row := len(xs) >= rule.MinN, 0
		for n := max(2, len(xs)-Looks+1); n <= len(xs); n++ {
			met = met && narrow(xs[:n])
			if row++; !narrow(xs[:n]) {
				row = 0
			}
		}
		v := must(rule.Enough(xs))
		if v.Met != met || v.Done != (met || len(xs) >= 50) || v.N != len(xs) {
			t.Fatalf("%+v, want met %v", v, met)
		}
		if v.Done != (v.More == 0) || v.N+v.More > max(50, len(xs)) {
			t.Fatalf("%+v", v)
		}
		if !v.Done && v.N+v.More < 50 && len(xs) >= Looks && v.More < Looks-row {
			t.Fatalf("%+v, after %d looks in a row", v, row)
		}
		if lo, hi, _ := MeanInterval(xs, 0.95); !near(v.Half, (hi-lo)/2, 1e-9) || !near(v.Mean, mean(xs), 1e-12) {
			t.Fatalf("%+v, want %v to %v", v, lo, hi)
		}
		// Taken in batches, it ends at the same number.
		first := must(rule.First(xs))
		for n := 1; n <= len(xs); n++ {
			if one := must(rule.Enough(xs[:n])); one.Done || n == len(xs) {
				if one != first {
					t.Fatalf("one by one %+v, at once %+v", one, first)
				}
				break
			}
		}
	})
	if _, err := fivePercent.First([]float64{nan}); err == nil || errors.Is(err, ErrTooFew) {
		t.Errorf("error %v", err)
	}
	if v, err := fivePercent.First(nil); err != nil || v.Done {
		t.Errorf("of nothing: %+v, %v", v, err)
	}
}

// How often the interval at the end holds the truth, and how good the first
// guess of the number of values is. A trial has some dozen looks.
func TestStopRuleCoverage(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	skewed := func() float64 { // sigma 0.8, mean 1 and spread 1 taken off
		return (math.Exp(0.8*r.NormFloat64()) - math.Exp(0.32)) / math.Sqrt((math.Exp(0.64)-1)*math.Exp(0.64))
	}
	for _, c := range []struct {
		name   string
		spread float64
		draw   func() float64
		lo, hi float64
	}{
		{"normal, early", 8, r.NormFloat64, 0.92, 0.97},
		{"normal, late", 14, r.NormFloat64, 0.92, 0.97},
		{"skewed", 12, skewed, 0.82, 0.92},
	} {
		const trials = 500
		hits, total, guess := 0, 0, 0
		for range trials {
			var xs []float64
			for len(xs) < 10 {
				xs = append(xs, 100+c.spread*c.draw())
			}
			v := must(fivePercent.Enough(xs))
			guess += v.N + v.More
			for !v.Done {
				xs = append(xs, 100+c.spread*c.draw())
				v = must(fivePercent.Enough(xs))
			}
			total += v.N
			if math.Abs(v.Mean-100) <= v.Half {
				hits++
			}
		}
		share := float64(hits) / trials
		t.Logf("%-16s %.3f, %.1f values, guessed %.1f", c.name, share, float64(total)/trials, float64(guess)/trials)
		if share < c.lo || share > c.hi {
			t.Errorf("%s: %.3f of the intervals hold the truth, want %v to %v", c.name, share, c.lo, c.hi)
		}
		if q := float64(guess) / float64(total); q < 0.6 || q > 1.6 {
			t.Errorf("%s: guessed %v times the values that it took", c.name, q)
		}
	}
}
