package stats

import (
	"fmt"
	"math"
	"math/bits"
)

// A Bucket is one range of values that a [LogLinear] has counted some in. It
// holds what is at least From and below To; mirrored, above From and at most To,
// for negative values. The bucket of zeros runs from 0 to 0.
type Bucket struct {
	From, To float64
	Count    int64
}

// Buckets returns the buckets that are not empty, from the least value up. The
// outer two end at the least and the largest value.
func (h *LogLinear) Buckets() []Bucket {
	var out []Bucket
	add := func(from, to float64, n int64) {
		if n > 0 {
			out = append(out, Bucket{max(from, h.min), min(to, h.max), n})
		}
	}
	for k := len(h.neg.counts) - 1; k >= 0; k-- {
		lo, hi := edges(h.neg.base + k)
		add(-hi, -lo, h.neg.counts[k])
	}
	if h.zero > 0 {
		out = append(out, Bucket{0, 0, h.zero})
	}
	for k, n := range h.pos.counts {
		lo, hi := edges(h.pos.base + k)
		add(lo, hi, n)
	}
	return out
}

// Quantile returns the p-quantile, p a fraction from 0 to 1, by the definition
// of [Quantile] on values that lie evenly in their buckets. It is off by
// [LogLinearError] of the true one at most, and exact for 0 and 1.
func (h *LogLinear) Quantile(p float64) (float64, error) {
	qs, err := h.Quantiles(p)
	if err != nil {
		return 0, err
	}
	return qs[0], nil
}

// Quantiles returns one quantile for each of ps, in the order of ps.
func (h *LogLinear) Quantiles(ps ...float64) ([]float64, error) {
	if err := h.need(1); err != nil {
		return nil, err
	}
	bs := h.Buckets()
	qs := make([]float64, len(ps))
	for k, p := range ps {
		if err := checkFraction(p); err != nil {
			return nil, err
		}
		at := float64(h.n-1) * p
		i := int64(at)
		lo := h.value(bs, i)
		hi := lo
		if i < h.n-1 {
			hi = h.value(bs, i+1)
		}
		qs[k] = lerp(lo, hi, at-float64(i))
	}
	return qs, nil
}

// value estimates the value of rank i, from 0 on.
func (h *LogLinear) value(bs []Bucket, i int64) float64 {
	switch i {
	case 0:
		return h.min
	case h.n - 1:
		return h.max
	}
	for _, b := range bs {
		if i < b.Count {
			return lerp(b.From, b.To, (float64(i)+0.5)/float64(b.Count))
		}
		i -= b.Count
	}
	return h.max
}

// Below returns the share of the values that are below x, from 0 to 1. Values in
// the bucket of x are taken to lie evenly in it, so it is the share below some
// value within [LogLinearError] of x. It needs one value.
func (h *LogLinear) Below(x float64) (float64, error) {
	if err := h.need(1); err != nil {
		return 0, err
	}
	if x > h.max {
		return 1, nil
	}
	n := 0.0
	for _, b := range h.Buckets() {
		switch {
		case b.To <= x && b.From < x:
			n += float64(b.Count)
		case b.From < x:
			n += float64(b.Count) * ((x - b.From) / (b.To - b.From))
		}
	}
	return n / float64(h.n), nil
}

// BucketsBy returns the buckets of [LogLinear.Buckets] joined to as many for
// each octave: 1, 2, 4, 8, 16 or 32.
func (h *LogLinear) BucketsBy(octave int) ([]Bucket, error) {
	if octave < 1 || octave > 1<<subBits || octave&(octave-1) != 0 {
		return nil, fmt.Errorf("histogram: %d buckets for each octave: want 1, 2, 4, 8, 16 or 32", octave)
	}
	drop := 52 - (bits.Len(uint(octave)) - 1)
	var out []Bucket
	for _, b := range h.Buckets() {
		if b.From == 0 && b.To == 0 {
			out = append(out, b)
			continue
		}
		// The coarse bucket by the edge nearer to 0, on the side of positive values.
		near, sign := b.From, 1.0
		if b.From < 0 {
			near, sign = -b.To, -1
		}
		k := math.Float64bits(near) >> drop
		lo := math.Float64frombits(k << drop)
		hi := min(math.Float64frombits((k+1)<<drop), math.MaxFloat64)
		if sign < 0 {
			lo, hi = -hi, -lo
		}
		lo, hi = max(lo, h.min), min(hi, h.max)
		if n := len(out); n > 0 && out[n-1].From == lo && lo != hi && out[n-1].To == hi {
			out[n-1].Count += b.Count
			continue
		}
		out = append(out, Bucket{lo, hi, b.Count})
	}
	return out, nil
}
