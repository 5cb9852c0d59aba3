package stats

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
)

// A Method says how an interval is found.
type Method string

// The methods of intervals.
const (
	Student    Method = "t"          // Student's t: exact for normal values
	Percentile Method = "percentile" // [Bootstrap]
	BCa        Method = "bca"        // [BootstrapBCa]
)

// PairOptions are the choices of [Pair].
type PairOptions struct {
	Level  float64 // of the intervals, such as 0.95
	Power  float64 // of MDE, such as 0.8
	Method Method  // of the intervals

	Draws int         // for the bootstraps: how often to redraw the pairs
	Src   rand.Source // for the bootstraps: the caller's own stream
}

// Paired compares two variants by pairs of values, one of each for every seed.
// MeanA to Hi and MDE have the unit of the values; what begins with Rel is a
// fraction of the size of MeanA.
type Paired struct {
	N            int
	MeanA, MeanB float64
	Diff         float64 // MeanB - MeanA
	Lo, Hi       float64 // interval of Diff
	Std          float64 // of the differences

	Rel          float64 // Diff / |MeanA|; NaN if that is 0
	RelLo, RelHi float64 // its interval; NaN where MeanA may as well be 0

	T, P     float64        // Student's t with N-1 degrees of freedom, two-sided; NaN where the differences are equal and not 0
	Wilcoxon WilcoxonResult // of the differences
	Constant bool           // all differences are equal, but for rounding

	Corr float64 // correlation of the pairs; NaN if either side does not vary
	Gain float64 // how many times more values it would have taken without pairing: (var a + var b) / var d; infinite if Constant, NaN if nothing varies

	MDE    float64 // least effect that is found with probability Power; see [MDE]
	RelMDE float64 // the same as a fraction of |MeanA|; NaN if that is 0
}

// Significant reports whether the interval of the difference excludes 0.
func (p *Paired) Significant() bool { return p.Lo > 0 || p.Hi < 0 }

// Pair compares b with a, where a[i] and b[i] were taken with the same seed. It
// needs two pairs.
//
// The interval of the difference is that of the mean of b[i] - a[i]. That of
// the relative difference is Fieller's for the ratio of two correlated means
// (Some problems in interval estimation, 1954), exact for normal values and
// always of one mind with the other: it excludes 0 if and only if that one does.
// It is NaN where MeanA itself does not differ from 0 at that level, since the
// interval has no end then. The bootstraps redraw pairs, and take the ratio of
// the means of each draw.
//
// By simulation, 95 % intervals of 30 pairs by Student's t hold the truth in 95 %
// of the cases for normal values and in 93 % for log-normal ones of sigma 1, of
// which the pairs share most; those of the ratio in 95 and 96 %.
func Pair(a, b []float64, o PairOptions) (Paired, error) {
	const op = "paired"
	if err := samePairs(op, a, b, 2); err != nil {
		return Paired{}, err
	}
	if err := checkLevel(op, o.Level); err != nil {
		return Paired{}, err
	}
	d := make([]float64, len(a))
	for i := range d {
		d[i] = b[i] - a[i]
	}
	p := Paired{N: len(a), MeanA: mean(a), MeanB: mean(b), Diff: mean(d), Std: std(d)}
	if err := finite(op, p.MeanA+p.MeanB+p.Diff+p.Std); err != nil {
		return Paired{}, err
	}
	n := float64(p.N)
	se := p.Std / math.Sqrt(n)
	p.Constant = constant(se, p.MeanA, p.MeanB)
	if p.Constant {
		p.Std, se = 0, 0
	}
	p.Corr, p.Gain = pairing(a, b, p.Std)
	var err error
	if p.Wilcoxon, err = Wilcoxon(d); err != nil {
		return Paired{}, err
	}
	p.T, p.P = math.NaN(), noSpread(p.Diff)
	if !p.Constant {
		p.T = p.Diff / se
		p.P = studentTails(p.T, n-1)
	}
	if p.MDE, err = effect(op, se, n-1, o.Level, o.Power); err != nil {
		return Paired{}, err
	}
	p.Rel, p.RelMDE = math.NaN(), math.NaN()
	if p.MeanA != 0 {
		p.Rel, p.RelMDE = p.Diff/math.Abs(p.MeanA), p.MDE/math.Abs(p.MeanA)
	}
	return p, p.intervals(a, b, d, o)
}

// intervals finds the intervals by the method that is asked for.
func (p *Paired) intervals(a, b, d []float64, o PairOptions) error {
	t := studentQuantile(float64(p.N-1), o.Level)
	p.RelLo, p.RelHi = p.fieller(a, b, t)
	switch o.Method {
	case Student:
		half := t * p.Std / math.Sqrt(float64(p.N))
		p.Lo, p.Hi = p.Diff-half, p.Diff+half
		return finite("paired", half)
	case Percentile, BCa:
	default:
		return fmt.Errorf("paired: method is %q: want t, percentile or bca", o.Method)
	}
	boot := Bootstrap
	if o.Method == BCa {
		boot = BootstrapBCa
	}
	if o.Src == nil {
		return errors.New("paired: no random source: want the caller's own stream")
	}
	var err error
	if p.Lo, p.Hi, err = boot(d, MeanOf, o.Draws, o.Level, o.Src); err != nil || math.IsNaN(p.RelLo) {
		return err
	}
	p.RelLo, p.RelHi, err = boot(places(p.N), func(at []float64) float64 {
		var sa, sb float64
		for _, i := range at {
			sa += a[int(i)]
			sb += b[int(i)]
		}
		return (sb - sa) / math.Abs(sa)
	}, o.Draws, o.Level, o.Src)
	if err != nil { // a draw whose mean of a is 0
		p.RelLo, p.RelHi = math.NaN(), math.NaN()
	}
	return nil
}

// places are 0 to n-1, which a bootstrap redraws in the place of pairs.
func places(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = float64(i)
	}
	return out
}

// fieller is the interval of (mean b - mean a) / |mean a| as a root of
// (mb - r ma)^2 = t^2 var(mb - r ma) in r, with means scaled to ma = 1.
func (p *Paired) fieller(a, b []float64, t float64) (lo, hi float64) {
	if p.MeanA == 0 {
		return math.NaN(), math.NaN()
	}
	if p.Constant && std(a) == 0 {
		return p.Rel, p.Rel
	}
	// With d = b - a in the place of b, r is the relative difference itself, and
	// small differences keep their digits.
	var vaa, vdd, vad float64
	for i := range a {
		ea := (a[i] - p.MeanA) / p.MeanA
		ed := (b[i] - a[i] - p.Diff) / p.MeanA
		vaa += ea * ea
		vdd += ed * ed
		vad += ea * ed
	}
	if p.Constant {
		vdd, vad = 0, 0
	}
	n := float64(p.N)
	k := t * t / (n * (n - 1))
	r := p.Diff / p.MeanA
	// (1 - k vaa) x^2 - 2 (r - k vad) x + (r^2 - k vdd) = 0
	qa, qb, qc := 1-k*vaa, r-k*vad, r*r-k*vdd
	disc := qb*qb - qa*qc
	if !(qa > 0) || !(disc >= 0) {
		return math.NaN(), math.NaN()
	}
	// The root without cancellation first, the other by the product of both.
	x := qb + math.Copysign(math.Sqrt(disc), qb)
	lo, hi = x/qa, 0
	if x != 0 {
		hi = qc / x
	}
	if p.MeanA < 0 {
		lo, hi = -lo, -hi
	}
	return min(lo, hi), max(lo, hi)
}

// pairing is the correlation of the pairs, and how many times more values the
// same width of interval takes without pairing.
func pairing(a, b []float64, sd float64) (corr, gain float64) {
	sa, sb := std(a), std(b)
	both := math.Hypot(sa, sb)
	switch {
	case sd > 0:
		gain = (both / sd) * (both / sd)
	case both > 0:
		gain = math.Inf(1)
	default:
		gain = math.NaN()
	}
	return pearson(a, b), gain
}
