package stats

import (
	"fmt"
	"math"
	"math/bits"
)

// subBits is the binary logarithm of the number of buckets an octave.
const subBits = 5

// LogLinearError is the largest relative error of a quantile of [LogLinear]:
// the width of a bucket as a share of its lower edge, 3.1 %.
const LogLinearError = 1.0 / (1 << subBits)

// LogLinear counts any number of values in bounded memory: a histogram whose
// buckets divide each octave, from 2^k to 2^(k+1), into 32 of equal width, for
// either sign (as Tene's HdrHistogram does). Only octaves between the least and
// the largest size that occurred are kept, at 256 bytes each: times from 1 µs to
// 10 s take 6 KiB, however many, and all that an int64 can hold take 16 KiB.
//
// Count, least and largest value are exact. So is the sum of whole numbers, such
// as nanoseconds, as long as it is below 2^63 or so; that of others is
// compensated, and good to the last digit or two. The standard deviation is kept
// by sums of squares around the first value. Quantiles and shares are good to
// [LogLinearError] of the value. A size below 2.3e-308 counts as 0.
//
// The zero LogLinear is empty and ready for use. It is not safe for use by
// several goroutines; give each its own and merge them, in an order that does
// not depend on who finished first where the last digit matters.
type LogLinear struct {
	n        int64
	zero     int64
	pos, neg buckets // by size
	min, max float64
	sum, err float64 // sum and what rounding took from it
	pivot    float64 // the first value
	s1, s2   float64 // sums of x-pivot and its square
}

// buckets counts sizes by the top bits of their float64, which are the octave
// and the part of it: they rise with the size.
type buckets struct {
	base   int // of counts[0]; a multiple of the buckets an octave
	counts []int64
}

// shift takes from the bits of a positive float64 all but exponent and subBits
// of the mantissa.
const shift = 52 - subBits

// Add counts a value. NaN and infinities are refused and change nothing.
func (h *LogLinear) Add(x float64) error {
	key := math.Float64bits(x)
	i := int(key << 1 >> (shift + 1))
	if i >= 0x7ff<<subBits {
		return fmt.Errorf("histogram: value is %v: only finite numbers can be counted, leave missing values out", x)
	}
	h.add(x, i)
	return nil
}

// AddInt counts a whole number. Beyond 2^53 it is rounded to a float64.
func (h *LogLinear) AddInt(x int64) {
	f := float64(x)
	h.add(f, int(math.Float64bits(f)<<1>>(shift+1)))
}

// AddAll counts values, all or, if one of them is not finite, none.
func (h *LogLinear) AddAll(xs []float64) error {
	if err := check("histogram", xs, 0); err != nil || len(xs) == 0 {
		return err
	}
	if h.n == 0 {
		h.min, h.max, h.pivot = xs[0], xs[0], xs[0]
	}
	// The sums live in registers here, which is what makes this twice as fast as
	// Add.
	lo, hi, s1, s2 := h.min, h.max, h.s1, h.s2
	sum, rest, pivot := h.sum, h.err, h.pivot
	pos := &h.pos
	for _, x := range xs {
		if x < lo {
			lo = x
		}
		if x > hi {
			hi = x
		}
		s := sum + x
		v := s - sum
		rest += (sum - (s - v)) + (x - v)
		sum = s
		d := x - pivot
		s1 += d
		s2 += d * d
		i := int(math.Float64bits(x) << 1 >> (shift + 1))
		if k := i - pos.base; x > 0 && uint(k) < uint(len(pos.counts)) {
			pos.counts[k]++
			continue
		}
		h.count(x, i)
	}
	h.n += int64(len(xs))
	h.min, h.max, h.s1, h.s2 = lo, hi, s1, s2
	h.sum, h.err = sum, rest
	return nil
}

// add counts a finite value whose size belongs to bucket i.
func (h *LogLinear) add(x float64, i int) {
	if h.n == 0 {
		h.min, h.max, h.pivot = x, x, x
	}
	h.n++
	if x < h.min { // the built-in min has NaN to think of
		h.min = x
	}
	if x > h.max {
		h.max = x
	}
	h.addSum(x)
	d := x - h.pivot
	h.s1 += d
	h.s2 += d * d
	h.count(x, i)
}

// count puts a value into bucket i of its sign.
func (h *LogLinear) count(x float64, i int) {
	b := &h.pos
	if x < 0 {
		b = &h.neg
	}
	if k := i - b.base; uint(k) < uint(len(b.counts)) {
		b.counts[k]++
		return
	}
	h.countNew(b, i)
}

// countNew is count for a bucket in an octave that has not been met.
func (h *LogLinear) countNew(b *buckets, i int) {
	if i < 1<<subBits { // below the least normal number
		h.zero++
		return
	}
	b.grow(i)
	b.counts[i-b.base]++
}

// addSum adds without loss: the second line is exactly what the first has
// rounded away (Knuth's two-sum).
func (h *LogLinear) addSum(x float64) {
	s := h.sum + x
	v := s - h.sum
	h.err += (h.sum - (s - v)) + (x - v)
	h.sum = s
}

// grow makes room for bucket i, by whole octaves.
func (b *buckets) grow(i int) {
	const octave = 1 << subBits
	lo := i / octave * octave
	hi := lo + octave
	if len(b.counts) > 0 {
		lo, hi = min(lo, b.base), max(hi, b.base+len(b.counts))
	}
	if hi-lo == len(b.counts) {
		return
	}
	counts := make([]int64, hi-lo)
	copy(counts[max(0, b.base-lo):], b.counts)
	b.base, b.counts = lo, counts
}

// edges are the sizes between which bucket i lies.
func edges(i int) (lo, hi float64) {
	lo = math.Float64frombits(uint64(i) << shift)
	hi = math.Float64frombits(uint64(i+1) << shift)
	return lo, min(hi, math.MaxFloat64)
}

// Merge adds what another histogram has counted. It leaves o as it is.
func (h *LogLinear) Merge(o *LogLinear) {
	if o.n == 0 {
		return
	}
	if h.n == 0 {
		h.min, h.max, h.pivot = o.min, o.max, o.pivot
	}
	h.min, h.max = min(h.min, o.min), max(h.max, o.max)
	d := o.pivot - h.pivot
	n := float64(o.n)
	h.s2 += o.s2 + 2*d*o.s1 + n*d*d
	h.s1 += o.s1 + n*d
	h.n += o.n
	h.zero += o.zero
	sum, rest := o.sum, o.err // o may be h
	h.addSum(sum)
	h.addSum(rest)
	h.pos.merge(&o.pos)
	h.neg.merge(&o.neg)
}

func (b *buckets) merge(o *buckets) {
	if len(o.counts) == 0 {
		return
	}
	from := o.counts // o may be b
	base := o.base
	b.grow(base)
	b.grow(base + len(from) - 1)
	for i, c := range from {
		b.counts[base+i-b.base] += c
	}
}

// Clone returns a histogram of its own with the same counts.
func (h *LogLinear) Clone() *LogLinear {
	c := &LogLinear{}
	*c = *h
	c.pos.counts = append([]int64(nil), h.pos.counts...)
	c.neg.counts = append([]int64(nil), h.neg.counts...)
	return c
}

// N returns how many values were counted.
func (h *LogLinear) N() int64 { return h.n }

// Bytes returns about how much memory the histogram takes.
func (h *LogLinear) Bytes() int {
	const head = 20 * bits.UintSize / 8
	return head + 8*(cap(h.pos.counts)+cap(h.neg.counts))
}

// Sum returns the sum of the values; 0 of none.
func (h *LogLinear) Sum() (float64, error) {
	s := h.sum + h.err
	return s, finite("histogram sum", s)
}

// Mean returns the arithmetic mean. It needs one value.
func (h *LogLinear) Mean() (float64, error) {
	if err := h.need(1); err != nil {
		return 0, err
	}
	s, err := h.Sum()
	return min(max(s/float64(h.n), h.min), h.max), err
}

// Std returns the sample standard deviation (divisor n-1). It needs two values.
func (h *LogLinear) Std() (float64, error) {
	if err := h.need(2); err != nil {
		return 0, err
	}
	if h.min == h.max {
		return 0, nil
	}
	n := float64(h.n)
	v := math.Sqrt(max(0, (h.s2-h.s1/n*h.s1)/(n-1)))
	return v, finite("histogram std", v)
}

// Min returns the least value, exactly.
func (h *LogLinear) Min() (float64, error) { return h.min, h.need(1) }

// Max returns the largest value, exactly.
func (h *LogLinear) Max() (float64, error) { return h.max, h.need(1) }

func (h *LogLinear) need(n int64) error {
	if h.n < n {
		return fmt.Errorf("histogram: %w: have %d, need at least %d", ErrTooFew, h.n, n)
	}
	return nil
}
