package bindings

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

func coreTable() Table {
	return Table{Builtins: []Builtin{
		{
			Name: "sum",
			Params: []Param{
				{Name: "values", Type: "iterable", Doc: "Numbers, durations or sizes, all of one sort."},
				{Name: "start", Type: "any", Default: "None", Doc: "What to begin with, and the sum of no values; None begins with the first value, and gives 0 for none."},
			},
			Result: "any", Doc: "Adds values up.",
			Example: "print(sum([1 * ms, 500 * us]))  # 1.5ms\nprint(sum([], 0 * ms))  # 0s",
			Impl:    sumImpl,
		},
		{
			Name: "round",
			Params: []Param{
				{Name: "x", Type: "any", Doc: "A number, duration or size."},
				{Name: "digits", Type: "int | duration | size", Optional: true, Doc: "Digits after the point. For a duration they count in the unit that it prints in, or are a duration to round to a multiple of."},
			},
			Result: "any",
			Doc: "Rounds to the nearest value, and a half to the even digit. " +
				"Without digits a float becomes an int.",
			Example: "print(round(2.675, 1))  # 2.7\nprint(round(12071 * us, 1))  # 12.1ms\nprint(round(12071 * us, 5 * ms))  # 10ms",
			Impl:    roundImpl,
		},
		{
			Name:   "abs",
			Params: []Param{{Name: "x", Type: "any", Doc: "A number, duration or size."}},
			Result: "any", Doc: "Takes the sign away.",
			Example: "print(abs(1 * ms - 3 * ms))  # 2ms",
			Impl:    func(c *Call) (starlark.Value, error) { return absolute(c.Value("x")) },
		},
	}}
}

func sumImpl(c *Call) (starlark.Value, error) {
	var total starlark.Value
	if c.Has("start") {
		total = c.Value("start")
	}
	for v := range starlark.Elements(Arg[starlark.Iterable](c, "values")) {
		if total == nil {
			if _, ok := v.(starlark.String); ok {
				return nil, errors.New(`values must be numbers, durations or sizes, not strings: write "".join(list)`)
			}
			total = v
			continue
		}
		next, err := starlark.Binary(syntax.PLUS, total, v)
		if err != nil {
			return nil, fmt.Errorf("cannot add %s to %s: %w", describe(v), describe(total), err)
		}
		total = next
	}
	if total == nil {
		return starlark.MakeInt(0), nil
	}
	return total, nil
}

// absolute is abs(v).
func absolute(v starlark.Value) (starlark.Value, error) {
	switch v := v.(type) {
	case starlark.Int:
		if v.Sign() < 0 {
			return starlark.MakeInt(0).Sub(v), nil
		}
		return v, nil
	case starlark.Float:
		return starlark.Float(math.Abs(float64(v))), nil
	case Duration:
		if v < 0 {
			return v.Unary(syntax.MINUS)
		}
		return v, nil
	case Size:
		if v < 0 {
			return v.Unary(syntax.MINUS)
		}
		return v, nil
	}
	return nil, fmt.Errorf("x must be a number, duration or size, not %s", describe(v))
}

func roundImpl(c *Call) (starlark.Value, error) {
	digits, given := c.Int("digits"), c.Has("digits")
	step := c.Value("digits")
	if digits > 1000 || digits < -1000 {
		return nil, fmt.Errorf("digits must be between -1000 and 1000, not %d", digits)
	}
	switch x := c.Value("x").(type) {
	case Duration:
		unit := new(big.Rat).SetInt64(x.naturalUnit())
		if d, ok := step.(Duration); ok {
			unit.SetInt64(int64(d))
		} else {
			unit.Mul(unit, power10(-digits))
		}
		return roundTo(durationQuantity(), int64(x), unit)
	case Size:
		if u, ok := step.(Size); ok {
			return roundTo(sizeQuantity(), int64(x), new(big.Rat).SetInt64(int64(u)))
		}
		return nil, errors.New("digits must be a size to round a size to, as 1 * MiB")
	case starlark.Int, starlark.Float:
		if _, ok := step.(starlark.Int); given && !ok {
			return nil, fmt.Errorf("digits must be an int for a bare number, not %s", describe(step))
		}
		if f, ok := x.(starlark.Float); ok {
			return roundFloat(float64(f), digits, given)
		}
		i := x.(starlark.Int)
		if digits >= 0 {
			return i, nil
		}
		n := roundRat(new(big.Rat).SetInt(i.BigInt()), power10(-digits))
		return starlark.MakeBigInt(n.Num()), nil
	}
	return nil, fmt.Errorf("x must be a number, duration or size, not %s", describe(c.Value("x")))
}

// roundFloat rounds the decimal value of f, as Python does.
func roundFloat(f float64, digits int, given bool) (starlark.Value, error) {
	if !given {
		i, err := starlark.NumberToInt(starlark.Float(math.RoundToEven(f)))
		if err != nil {
			return nil, fmt.Errorf("x must be finite, not %v", f)
		}
		return i, nil
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return starlark.Float(f), nil
	}
	if digits >= 0 {
		r, err := strconv.ParseFloat(strconv.FormatFloat(f, 'f', digits, 64), 64)
		return starlark.Float(r), err
	}
	r, _ := roundRat(new(big.Rat).SetFloat64(f), power10(-digits)).Float64()
	return starlark.Float(r), nil
}

// roundTo rounds a count to a multiple of step.
func roundTo(q quantity, n int64, step *big.Rat) (starlark.Value, error) {
	if step.Sign() <= 0 {
		return nil, fmt.Errorf("digits must be a %s above 0 to round to", q.typ)
	}
	if step.Cmp(big.NewRat(1, 1)) < 0 {
		return q.mk(n), nil // Finer than the smallest unit.
	}
	r := roundRat(new(big.Rat).SetInt64(n), step)
	if !r.IsInt() || !r.Num().IsInt64() {
		return nil, q.overflow()
	}
	return q.mk(r.Num().Int64()), nil
}

// roundRat is the multiple of step that is nearest to x, a half to the even
// one.
func roundRat(x, step *big.Rat) *big.Rat {
	q := new(big.Rat).Quo(x, step)
	n, mod := new(big.Int).DivMod(q.Num(), q.Denom(), new(big.Int))
	twice := new(big.Int).Lsh(mod, 1)
	if c := twice.Cmp(q.Denom()); c > 0 || c == 0 && n.Bit(0) == 1 {
		n.Add(n, big.NewInt(1))
	}
	return new(big.Rat).Mul(new(big.Rat).SetInt(n), step)
}

// power10 is 10^n.
func power10(n int) *big.Rat {
	p := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(n, -n))), nil))
	if n < 0 {
		p.Inv(p)
	}
	return p
}
