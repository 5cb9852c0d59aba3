package bindings

import (
	"math"
	"math/big"
	"testing"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
	"pgregory.net/rapid"
)

func TestDurationString(t *testing.T) {
	for _, test := range []struct {
		d    Duration
		want string
	}{
		{0, "0s"}, {1, "1ns"}, {-999, "-999ns"}, {1000, "1us"}, {1001, "1.001us"},
		{12_070_000, "12.07ms"}, {1_500_000_000, "1.5s"}, {-250_000, "-250us"},
		{3600_000_000_000, "3600s"}, {math.MaxInt64, "9223372036.854775807s"},
		{math.MinInt64, "-9223372036.854775808s"},
	} {
		if got := test.d.String(); got != test.want {
			t.Errorf("Duration(%d) prints %s, want %s", int64(test.d), got, test.want)
		}
	}
}

func TestParseDuration(t *testing.T) {
	for _, test := range []struct {
		text string
		want Duration
		ok   bool
	}{
		{"5ms", 5e6, true}, {"1.5s", 15e8, true}, {"250us", 25e4, true}, {"30sec", 30e9, true},
		{"10ns", 10, true}, {"2min", 120e9, true}, {" 5 ms ", 5e6, true}, {"-5ms", -5e6, true},
		{".5ms", 5e5, true}, {"0.5ns", 1, true}, {"0.4ns", 0, true}, {"1h", 3600e9, true}, {"5µs", 5000, true},
		{"9223372036.854775807s", math.MaxInt64, true}, {"9223372036.854775808s", 0, false},
		{"5", 0, false}, {"ms", 0, false}, {"", 0, false}, {"5 5ms", 0, false}, {"1e3ms", 0, false},
		{"--5ms", 0, false}, {"5-ms", 0, false}, {"1/2ms", 0, false}, {"5MS", 0, false}, {".ms", 0, false},
	} {
		got, err := ParseDuration(test.text)
		if got != test.want || (err == nil) != test.ok {
			t.Errorf("ParseDuration(%q) = %v, %v; want %v, ok=%t", test.text, int64(got), err, int64(test.want), test.ok)
		}
	}
}

// What a duration prints, it reads.
func TestDurationRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := Duration(rapid.Int64().Draw(t, "d"))
		if got, err := ParseDuration(d.String()); got != d || err != nil {
			t.Fatalf("%v is read as %v (%v)", d, got, err)
		}
		s := Size(d)
		if got, err := ParseSize(s.String()); got != s || err != nil {
			t.Fatalf("size %d prints %v and is read as %d (%v)", int64(s), s, int64(got), err)
		}
	})
}

// Sums, differences, products, quotients and remainders agree with exact
// arithmetic, or say that they overflow.
func TestDurationArithmetic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		edge := rapid.OneOf(rapid.Int64(), rapid.SampledFrom([]int64{0, 1, -1, math.MaxInt64, math.MinInt64}))
		x, y := edge.Draw(t, "x"), edge.Draw(t, "y")
		op := rapid.SampledFrom([]syntax.Token{syntax.PLUS, syntax.MINUS, syntax.STAR, syntax.SLASH, syntax.SLASHSLASH, syntax.PERCENT}).Draw(t, "op")
		byInt := rapid.Bool().Draw(t, "byInt")
		var right starlark.Value = Duration(y)
		if byInt {
			right = starlark.MakeInt64(y)
		}
		got, err := starlark.Binary(op, Duration(x), right)
		bx, by := big.NewInt(x), big.NewInt(y)
		want := new(big.Int)
		switch {
		case byInt && (op == syntax.PLUS || op == syntax.MINUS || op == syntax.PERCENT), !byInt && op == syntax.STAR:
			if err == nil {
				t.Fatalf("there is no such operation, but it gives %v", got)
			}
			return
		case op == syntax.PLUS:
			want.Add(bx, by)
		case op == syntax.MINUS:
			want.Sub(bx, by)
		case op == syntax.STAR:
			want.Mul(bx, by)
		case y == 0:
			if err != errZeroDivision {
				t.Fatalf("the error is %v, want division by zero", err)
			}
			return
		case op == syntax.SLASH && !byInt:
			if f, _ := starlark.AsFloat(got); f != float64(x)/float64(y) {
				t.Fatalf("%v", got)
			}
			return
		case op == syntax.SLASH:
			n, ok := ratCount(new(big.Rat).SetFrac(bx, by), 1)
			want.SetInt64(n)
			if !ok {
				want.Lsh(big.NewInt(1), 63)
			}
		default:
			mod := new(big.Int)
			want.DivMod(bx, by, mod)
			if by.Sign() < 0 && mod.Sign() != 0 { // Euclid's to the floor
				want.Sub(want, big.NewInt(1))
				mod.Add(mod, by)
			}
			if op == syntax.PERCENT {
				want = mod
			}
		}
		if !want.IsInt64() {
			if err == nil {
				t.Fatalf("%v %v %v gives %v and does not fit", x, op, y, got)
			}
			return
		}
		if err != nil {
			t.Fatalf("%v %v %v: %v", x, op, y, err)
		}
		n, ok := countOf(got)
		if i, isInt := got.(starlark.Int); isInt {
			n, ok = i.Int64()
		}
		if !ok || n != want.Int64() {
			t.Fatalf("%v %v %v gives %v, want %v", x, op, y, n, want)
		}
	})
}

func FuzzParseDuration(f *testing.F) {
	for _, s := range []string{"5ms", "1.5s", "-0.000000001h", "999999999999999999999ns", "5\xffs", "+-.", "1e99999999s"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if d, err := ParseDuration(s); err == nil {
			if back, err := ParseDuration(d.String()); back != d || err != nil {
				t.Errorf("%q is %v, which is read as %v (%v)", s, d, back, err)
			}
		}
		_, _ = ParseSize(s)
	})
}

func TestSizeString(t *testing.T) {
	for _, test := range []struct {
		s    Size
		want string
	}{
		{0, "0B"}, {1, "1B"}, {1023, "1023B"}, {1024, "1KiB"}, {1536, "1.5KiB"}, {1537, "1537B"},
		{64 << 10, "64KiB"}, {-3 << 19, "-1.5MiB"}, {1 << 40, "1TiB"}, {1<<20 + 1<<10, "1025KiB"},
	} {
		if got := test.s.String(); got != test.want {
			t.Errorf("Size(%d) prints %s, want %s", int64(test.s), got, test.want)
		}
	}
}
