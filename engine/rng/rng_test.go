package rng

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"
)

var _ rand.Source = (*Stream)(nil)

// TestGolden holds the bits: they are part of the reproducibility contract.
func TestGolden(t *testing.T) {
	s := NewStream(1)
	named := NewStream(Seed(1).Named("arrival").Numbered(7))
	tests := []struct {
		what string
		got  uint64
		want uint64
	}{
		{"mix of the first splitmix64 state of seed 0", mix(golden), 0xe220a8397b1dcdaf},
		{"named", uint64(Seed(1).Named("arrival")), 0x472b58cd7970a84a},
		{"numbered", uint64(Seed(1).Numbered(7)), 0x4dfad1baed252eed},
		{"first", s.Uint64(), 0x27fe5a66bb2e1c28},
		{"second", s.Uint64(), 0xe48c2a2b9e13c7ff},
		{"below a name and number", named.Uint64(), 0x4f42bda6889baded},
		{"int", uint64(s.Int64N(1_000_000_007)), 0x20246d27},
		{"float", math.Float64bits(s.Float64()), 0x3fe3718c734e2447},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("%s: %#x, want %#x", tt.what, tt.got, tt.want)
		}
	}
	if g := fmt.Sprintf("%.9f %.9f", s.Exp(), s.Norm()); g != "1.771419301 -0.562958567" {
		t.Errorf("exp and norm: %q", g)
	}
}

// chiSquare returns the statistic of counts against equal expectation, as its
// distance from the mean in standard deviations (k-1 degrees of freedom have
// mean k-1 and variance 2(k-1); for many degrees that is close to normal).
func chiSquare(counts []int) float64 {
	n := 0
	for _, c := range counts {
		n += c
	}
	expect := float64(n) / float64(len(counts))
	x := 0.0
	for _, c := range counts {
		d := float64(c) - expect
		x += d * d / expect
	}
	df := float64(len(counts) - 1)
	return (x - df) / math.Sqrt(2*df)
}

// TestUniform counts in 256 boxes. The seeds are fixed, so it cannot flicker; a
// bound of 4 deviations would be passed by one good generator in 30,000.
func TestUniform(t *testing.T) {
	const n = 200_000
	base := Seed(42)
	one := NewStream(base)
	tests := []struct {
		what string
		draw func(i int) int
	}{
		{"upper bits", func(int) int { return int(one.Uint64() >> 56) }},
		{"lower bits", func(int) int { return int(one.Uint64() & 255) }},
		{"floats", func(int) int { return int(one.Float64() * 256) }},
		{"integers", func(int) int { return int(one.Int64N(256*3)) / 3 }},
		{"first draws of numbered streams", func(i int) int {
			s := NewStream(base.Numbered(uint64(i)))
			return int(s.Uint64() & 255)
		}},
		{"first draws of named streams", func(i int) int {
			s := NewStream(base.Named(fmt.Sprint("task", i)))
			return int(s.Uint64() >> 56)
		}},
		{"first draws of neighbouring seeds", func(i int) int {
			s := NewStream(Seed(i))
			return int(s.Uint64() >> 28 & 255)
		}},
		{"exponentials by their quantile", func(int) int { return int(256 * math.Exp(-one.Exp())) }},
		{"normals by their quantile", func(int) int { return int(256 * math.Erfc(one.Norm()/math.Sqrt2) / 2) }},
	}
	for _, tt := range tests {
		counts := make([]int, 256)
		for i := range n {
			counts[tt.draw(i)]++
		}
		if d := chiSquare(counts); math.Abs(d) > 4 {
			t.Errorf("%s: chi-square is %.1f deviations off", tt.what, d)
		}
	}
}

// TestIndependent compares streams draw by draw: unrelated ones agree in half of
// their bits.
func TestIndependent(t *testing.T) {
	const n = 20_000
	root := Seed(7)
	streams := map[string]Seed{
		"root":       root,
		"other root": 8,
		"a":          root.Named("a"),
		"b":          root.Named("b"),
		"empty name": root.Named(""),
		"0":          root.Numbered(0),
		"1":          root.Numbered(1),
		"a of b":     root.Named("b").Named("a"),
		"b of a":     root.Named("a").Named("b"),
		"ab":         root.Named("ab"),
		"high bit":   root.Numbered(1 << 63),
	}
	for na, a := range streams {
		for nb, b := range streams {
			if na >= nb {
				continue
			}
			x, y := NewStream(a), NewStream(b)
			same := 0
			for range n {
				same += 64 - bits.OnesCount64(x.Uint64()^y.Uint64())
			}
			if d := (float64(same) - 32*n) / math.Sqrt(16*n); math.Abs(d) > 4.5 {
				t.Errorf("%s and %s: equal bits are %.1f deviations off", na, nb, d)
			}
		}
	}
}

// TestCopy: a stream is a value, and others do not move it.
func TestCopy(t *testing.T) {
	a := NewStream(3)
	a.Uint64()
	b := a
	other := NewStream(4)
	other.Exp()
	if x, y := a.Uint64(), b.Uint64(); x != y {
		t.Errorf("the copy yields %x, the original %x", y, x)
	}
}

func TestMoments(t *testing.T) {
	const n = 200_000
	s := NewStream(5)
	var e, e2, g, g2 float64
	for range n {
		x, y := s.Exp(), s.Norm()
		if !(x > 0) || math.IsInf(x, 0) || math.IsNaN(y) {
			t.Fatalf("Exp %v, Norm %v", x, y)
		}
		e, e2, g, g2 = e+x, e2+x*x, g+y, g2+y*y
	}
	for _, m := range []struct {
		what            string
		got, want, band float64
	}{
		{"mean of Exp", e / n, 1, 0.01},
		{"second moment of Exp", e2 / n, 2, 0.05},
		{"mean of Norm", g / n, 0, 0.01},
		{"second moment of Norm", g2 / n, 1, 0.015},
	} {
		if math.Abs(m.got-m.want) > m.band {
			t.Errorf("%s is %v, want %v within %v", m.what, m.got, m.want, m.band)
		}
	}
}

func TestEdges(t *testing.T) {
	// The extreme draws, which no test would meet by chance.
	for _, u := range []uint64{0, math.MaxUint64} {
		f := float64(u>>12<<1|1) * 0x1p-53
		if !(f > 0 && f < 1) {
			t.Errorf("draw %#x makes the float %v", u, f)
		}
	}
	s := NewStream(1)
	for _, n := range []int64{1, 2, 3, 1<<62 + 1, math.MaxInt64} {
		for range 200 {
			if x := s.Int64N(n); x < 0 || x >= n {
				t.Fatalf("Int64N(%d) = %d", n, x)
			}
		}
	}
	for _, n := range []int64{0, -1} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Int64N(%d) did not panic", n)
				}
			}()
			s.Int64N(n)
		}()
	}
}

// TestNoBias uses a bound of 3/8 of the range of a draw: without rejection the
// remainders 0 and 1 modulo 3 would each come up three times for two of 2.
func TestNoBias(t *testing.T) {
	const n, bound = 30_000, 3 << 61
	s := NewStream(9)
	counts := make([]int, 3)
	for range n {
		counts[s.Int64N(bound)%3]++
	}
	if d := chiSquare(counts); d > 8 {
		t.Errorf("remainders modulo 3 come up %v times", counts)
	}
}

func BenchmarkUint64(b *testing.B) {
	s := NewStream(1)
	for b.Loop() {
		s.Uint64()
	}
}
