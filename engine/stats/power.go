package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// MDE returns the least effect that a two-sided t-test of n independent values
// (differences of pairs) of that standard deviation finds with probability
// power, when it takes for an effect what the given level excludes. It has the
// unit of std. The power is that of the noncentral t distribution with n-1
// degrees of freedom; to take the observed spread for the true one makes it an
// estimate. n is 2 or more.
func MDE(std float64, n int, level, power float64) (float64, error) {
	const op = "mde"
	if math.IsNaN(std) || math.IsInf(std, 0) || std < 0 {
		return 0, fmt.Errorf("%s: the standard deviation is %v: want a finite number, 0 or more", op, std)
	}
	if n < 2 {
		return 0, fmt.Errorf("%s: %w: have %d, need at least 2", op, ErrTooFew, n)
	}
	return effect(op, std/math.Sqrt(float64(n)), float64(n-1), level, power)
}

// effect is the least effect that is found with the given power, in units of
// the standard error se with df degrees of freedom.
func effect(op string, se, df, level, power float64) (float64, error) {
	if err := checkLevel(op, level); err != nil {
		return 0, err
	}
	if !(power > 0 && power < 1) || power <= 1-level {
		return 0, fmt.Errorf("%s: power is %v: want a fraction below 1 and above %.4g, the share that is found where there is no effect; 0.8 is usual", op, power, 1-level)
	}
	if se == 0 {
		return 0, nil
	}
	t := studentQuantile(df, level)
	// Bisection: the power rises with the effect, and is above any wanted one
	// when the effect is many times the limit.
	lo, hi := 0.0, 1.0
	for tPower(t, df, hi) < power {
		lo, hi = hi, 2*hi
		if math.IsInf(hi, 0) {
			return 0, finite(op, hi)
		}
	}
	for range 60 {
		if mid := (lo + hi) / 2; tPower(t, df, mid) < power {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi * se, finite(op, hi*se)
}

// tPower is the probability that a t value with noncentrality d lies beyond t on
// either side.
func tPower(t, df, d float64) float64 {
	nct := distuv.NoncentralT{Nu: df, Mu: d}
	return 1 - nct.CDF(t) + nct.CDF(-t)
}

// mostNeeded is where [Needed] gives up.
const mostNeeded = 1 << 30

// Needed returns the least number of values (differences of pairs) of that
// standard deviation for which [MDE] is at most effect.
func Needed(std, effect, level, power float64) (int, error) {
	const op = "needed"
	if math.IsNaN(effect) || math.IsInf(effect, 0) || effect <= 0 {
		return 0, fmt.Errorf("%s: the effect is %v: want a finite number above 0", op, effect)
	}
	found := func(n int) (bool, error) {
		e, err := MDE(std, n, level, power)
		return e <= effect, err
	}
	hi := 2
	for {
		ok, err := found(hi)
		if err != nil {
			return 0, err
		}
		if ok {
			break
		}
		if hi *= 2; hi > mostNeeded {
			return 0, fmt.Errorf("%s: an effect of %v is too small beside a spread of %v: want one that some number of values can show", op, effect, std)
		}
	}
	lo := hi / 2 // not enough, but for 1, of which there is no test
	for hi-lo > 1 {
		mid := (lo + hi) / 2
		ok, err := found(mid)
		if err != nil {
			return 0, err
		}
		if ok {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi, nil
}
