package bindings

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A quantity is what durations and sizes share: a count of the smallest unit
// in 64 bits, with an arithmetic that keeps the unit and never wraps round.
type quantity struct {
	typ  string                     // "duration"
	noun string                     // "a time"
	fix  string                     // How to write one: `5 * ms or "5ms"`.
	most string                     // What does not fit any more: "292 years".
	mk   func(int64) starlark.Value // Makes the value.
}

var errZeroDivision = errors.New("division by zero")

func (q quantity) overflow() error {
	return fmt.Errorf("%s overflow: the result is beyond %s", q.typ, q.most)
}

// binary computes x op y, or y op x if side is Right. It returns nil, nil for
// an operation that the type does not have, as starlark.HasBinary wants it.
func (q quantity) binary(op syntax.Token, x int64, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	if y.Type() == q.typ {
		n, _ := countOf(y)
		if side == starlark.Right {
			return q.same(op, n, x)
		}
		return q.same(op, x, n)
	}
	var i starlark.Int
	var f float64
	isInt := false
	switch y := y.(type) {
	case starlark.Int:
		i, isInt = y, true
	case starlark.Float:
		f = float64(y)
	default:
		return nil, nil
	}
	switch op {
	case syntax.PLUS, syntax.MINUS, syntax.PERCENT:
		return nil, fmt.Errorf("%s %s %s: %s carries a unit: write %s, not %v",
			pick(side, q.typ, y.Type()), op, pick(side, y.Type(), q.typ), q.noun, q.fix, y)
	case syntax.STAR:
		if !isInt {
			return q.scale(x, f)
		}
		n, ok := i.Int64()
		if !ok && x != 0 {
			return nil, q.overflow()
		}
		p, ok := mul64(x, n)
		if !ok {
			return nil, q.overflow()
		}
		return q.mk(p), nil
	case syntax.SLASH, syntax.SLASHSLASH:
		if side == starlark.Right {
			return nil, nil
		}
		if isInt {
			return q.divInt(op, x, i)
		}
		if f == 0 {
			return nil, errZeroDivision
		}
		if op == syntax.SLASHSLASH {
			return q.round(math.Floor(float64(x) / f))
		}
		return q.round(float64(x) / f)
	}
	return nil, nil
}

func pick(side starlark.Side, left, right string) string {
	if side == starlark.Left {
		return left
	}
	return right
}

// same computes x op y for two quantities of one type.
func (q quantity) same(op syntax.Token, x, y int64) (starlark.Value, error) {
	switch op {
	case syntax.PLUS:
		s := x + y
		if (s > x) != (y > 0) && y != 0 {
			return nil, q.overflow()
		}
		return q.mk(s), nil
	case syntax.MINUS:
		s := x - y
		if (s < x) != (y > 0) && y != 0 {
			return nil, q.overflow()
		}
		return q.mk(s), nil
	case syntax.SLASH, syntax.SLASHSLASH, syntax.PERCENT:
		if y == 0 {
			return nil, errZeroDivision
		}
		if op == syntax.SLASH {
			return starlark.Float(float64(x) / float64(y)), nil
		}
		div, mod := floorDiv(x, y)
		if op == syntax.PERCENT {
			return q.mk(mod), nil
		}
		if x == math.MinInt64 && y == -1 {
			return nil, q.overflow()
		}
		return starlark.MakeInt64(div), nil
	case syntax.STAR:
		return nil, fmt.Errorf("%s * %s: one of the two must be a bare number", q.typ, q.typ)
	}
	return nil, nil
}

// scale computes x * f, rounded to the nearest unit, ties to even.
func (q quantity) scale(x int64, f float64) (starlark.Value, error) {
	return q.round(float64(x) * f)
}

// round makes a quantity of a float.
func (q quantity) round(f float64) (starlark.Value, error) {
	n, ok := round64(f)
	if !ok {
		return nil, q.overflow()
	}
	return q.mk(n), nil
}

// divInt computes x / n, rounded to the nearest unit and half away from zero,
// or x // n, rounded down.
func (q quantity) divInt(op syntax.Token, x int64, i starlark.Int) (starlark.Value, error) {
	if i.Sign() == 0 {
		return nil, errZeroDivision
	}
	n, ok := i.Int64()
	if !ok {
		r := new(big.Rat).SetFrac(big.NewInt(x), i.BigInt())
		if op == syntax.SLASHSLASH {
			div, mod := new(big.Int).QuoRem(r.Num(), r.Denom(), new(big.Int))
			if mod.Sign() < 0 {
				div.Sub(div, big.NewInt(1))
			}
			return q.mk(div.Int64()), nil
		}
		n, _ = ratCount(r, 1)
		return q.mk(n), nil
	}
	if x == math.MinInt64 && n == -1 {
		return nil, q.overflow()
	}
	div, mod := floorDiv(x, n)
	if op == syntax.SLASH && mod != 0 && roundsUp(div, mod, n) {
		div++
	}
	return q.mk(div), nil
}

// roundsUp tells whether div + mod/n, with mod/n between 0 and 1, is nearer to
// div+1. A half goes away from zero.
func roundsUp(div, mod, n int64) bool {
	m, d := magnitude(mod), magnitude(n)
	rest := d - m
	return m > rest || m == rest && div >= 0
}

// cmp orders two counts.
func cmp64(x, y int64) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// countOf is the count of a quantity of either type.
func countOf(v starlark.Value) (int64, bool) {
	switch v := v.(type) {
	case Duration:
		return int64(v), true
	case Size:
		return int64(v), true
	}
	return 0, false
}

// floorDiv is Python's // and %: the remainder has the sign of y.
func floorDiv(x, y int64) (div, mod int64) {
	if y == -1 {
		return -x, 0
	}
	div, mod = x/y, x%y
	if mod != 0 && (mod < 0) != (y < 0) {
		div--
		mod += y
	}
	return div, mod
}

func magnitude(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

// mul64 multiplies and tells whether the product fits.
func mul64(x, y int64) (int64, bool) {
	hi, lo := bits.Mul64(magnitude(x), magnitude(y))
	neg := (x < 0) != (y < 0)
	switch {
	case hi != 0:
		return 0, false
	case neg && lo <= 1<<63:
		return -int64(lo), true
	case !neg && lo <= math.MaxInt64:
		return int64(lo), true
	}
	return 0, false
}

// round64 rounds to the nearest integer, ties to even, and tells whether it
// fits in 64 bits.
func round64(f float64) (int64, bool) {
	f = math.RoundToEven(f)
	if !(f >= -1<<63 && f < 1<<63) {
		return 0, false
	}
	return int64(f), true
}

// splitQuantity parts "1.5ms" into number and unit, and says what is wrong
// with the number. Spaces around the two are dropped.
func splitQuantity(s string) (num *big.Rat, unit string, err error) {
	t := strings.TrimSpace(s)
	end := strings.IndexFunc(t, func(r rune) bool {
		return !(r >= '0' && r <= '9' || r == '.' || r == '-' || r == '+')
	})
	if end < 0 {
		end = len(t)
	}
	unit = strings.TrimSpace(t[end:])
	digits := t[:end]
	num, ok := new(big.Rat), false
	if len(digits) <= 60 && strings.ContainsAny(digits, "0123456789") {
		_, ok = num.SetString(digits)
	}
	if !ok {
		return nil, unit, fmt.Errorf("%s does not begin with a number", quoteShort(s))
	}
	return num, unit, nil
}

// quoteShort quotes text of the user, and cuts what is too long to show.
func quoteShort(s string) string {
	if len(s) > 40 {
		s = strings.ToValidUTF8(s[:40], "") + "..."
	}
	return fmt.Sprintf("%q", s)
}

// ratCount rounds num*unit to a count, half away from zero.
func ratCount(num *big.Rat, unit int64) (int64, bool) {
	r := new(big.Rat).Mul(num, new(big.Rat).SetInt64(unit))
	n, d := r.Num(), r.Denom()
	// (2|n| + d) / 2d, rounded down, with the sign of n.
	q := new(big.Int).Abs(n)
	q.Lsh(q, 1).Add(q, d)
	q.Quo(q, new(big.Int).Lsh(d, 1))
	if n.Sign() < 0 {
		q.Neg(q)
	}
	return q.Int64(), q.IsInt64()
}

// decimal prints n/10^digits without trailing zeros: decimal(12070, 3) is
// "12.07".
func decimal(n int64, digits int) string {
	s := fmt.Sprintf("%0*d", digits+1, magnitude(n))
	point := len(s) - digits
	out := strings.TrimRight(s[:point]+"."+s[point:], "0")
	out = strings.TrimSuffix(out, ".")
	if n < 0 {
		out = "-" + out
	}
	return out
}
