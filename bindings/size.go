package bindings

import (
	"fmt"
	"math/bits"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Size is an amount of memory in a script, in bytes. Like a Duration it
// carries its unit: 64 * KiB is a Size, 64 is not.
type Size int64

var (
	_ starlark.HasBinary      = Size(0)
	_ starlark.HasUnary       = Size(0)
	_ starlark.HasAttrs       = Size(0)
	_ starlark.TotallyOrdered = Size(0)
)

var sizeUnits = []struct {
	name  string
	bytes int64
}{
	{"B", 1},
	{"KiB", 1 << 10},
	{"MiB", 1 << 20},
	{"GiB", 1 << 30},
	{"TiB", 1 << 40},
}

func sizeQuantity() quantity {
	return quantity{
		typ: "size", noun: "a size", fix: `64 * KiB or "64KiB"`, most: "8 EiB",
		mk: func(n int64) starlark.Value { return Size(n) },
	}
}

// ParseSize reads "64KiB", "1.5 MiB", "512B". The error completes "x ...".
func ParseSize(s string) (Size, error) {
	num, unit, err := splitQuantity(s)
	if err != nil {
		return 0, fmt.Errorf("must be a size, as \"64KiB\": %v", err)
	}
	if unit == "" {
		return 0, fmt.Errorf("must carry a unit: write \"%sKiB\", not %s", s, quoteShort(s))
	}
	for _, u := range sizeUnits {
		if u.name != unit {
			continue
		}
		n, ok := ratCount(num, u.bytes)
		if !ok {
			return 0, fmt.Errorf("is out of range: %s is beyond 8 EiB", quoteShort(s))
		}
		return Size(n), nil
	}
	return 0, fmt.Errorf("must be a size, as \"64KiB\": %s has the unknown unit %s (there are B, KiB, MiB, GiB, TiB)", quoteShort(s), quoteShort(unit))
}

// toSize makes a size of an argument: a size or a string.
func toSize(v starlark.Value) (Size, error) {
	switch v := v.(type) {
	case Size:
		return v, nil
	case starlark.String:
		return ParseSize(string(v))
	case starlark.Int, starlark.Float:
		s := v.String()
		if len(s) > 20 {
			s = "64"
		}
		return 0, fmt.Errorf("must carry a unit: write %s * KiB or \"%sKiB\", not %s", s, s, v)
	}
	return 0, ErrType
}

// String prints the exact size: in the largest unit that needs no more than
// three digits after the point, "64KiB", "1.5MiB", "1537B".
func (s Size) String() string {
	m := magnitude(int64(s))
	for i := len(sizeUnits) - 1; i > 0; i-- {
		unit := uint64(sizeUnits[i].bytes)
		if m < unit {
			continue
		}
		hi, lo := bits.Mul64(m%unit, 1000)
		if hi != 0 || lo%unit != 0 {
			continue
		}
		sign := ""
		if s < 0 {
			sign = "-"
		}
		whole := decimal(int64(m/unit), 0)
		if frac := lo / unit; frac != 0 {
			whole = decimal(int64(m/unit*1000+frac), 3)
		}
		return sign + whole + sizeUnits[i].name
	}
	return decimal(int64(s), 0) + "B"
}

// Type is "size".
func (s Size) Type() string { return "size" }

// Freeze does nothing: a size cannot change.
func (s Size) Freeze() {}

// Truth is false for the empty size.
func (s Size) Truth() starlark.Bool { return s != 0 }

// Hash lets sizes be keys.
func (s Size) Hash() (uint32, error) { return starlark.MakeInt64(int64(s)).Hash() }

// Cmp orders sizes.
func (s Size) Cmp(y starlark.Value, _ int) (int, error) {
	return cmp64(int64(s), int64(y.(Size))), nil
}

// Binary does + - * / // and %.
func (s Size) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	return sizeQuantity().binary(op, int64(s), y, side)
}

// Unary does - and +.
func (s Size) Unary(op syntax.Token) (starlark.Value, error) {
	switch op {
	case syntax.PLUS:
		return s, nil
	case syntax.MINUS:
		if s == -1<<63 {
			return nil, sizeQuantity().overflow()
		}
		return -s, nil
	}
	return nil, nil
}

// Attr reads s.bytes, s.KiB, s.MiB, s.GiB.
func (s Size) Attr(name string) (starlark.Value, error) { return registry().attr(s, name) }

// AttrNames lists the attributes.
func (s Size) AttrNames() []string { return registry().attrs["size"] }

// MarshalJSON makes json.encode write the text form.
func (s Size) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, "%q", s.String()), nil }

func sizeTable() Table {
	t := Table{
		Topics: []Topic{{
			Name: "size", Type: true,
			Doc: "An amount of memory, exact to the byte. " +
				"Write it as a number times a unit (64 * KiB) or, in an argument, as a string (\"64KiB\"). " +
				"Sizes calculate as durations do.",
		}},
		Builtins: []Builtin{{
			Recv: "size", Name: "bytes", Attr: true, Result: "int",
			Doc:     "The size as a bare number of bytes.",
			Example: "print((2 * KiB).bytes)  # 2048",
			Impl: func(c *Call) (starlark.Value, error) {
				return starlark.MakeInt64(int64(c.Recv.(Size))), nil
			},
		}},
	}
	for _, u := range sizeUnits[1:4] {
		t.Builtins = append(t.Builtins, Builtin{
			Name: u.name, Result: "size", Value: Size(u.bytes),
			Doc:     fmt.Sprintf("1%s of memory, %d bytes. Multiply a number with it to get a size.", u.name, u.bytes),
			Example: "print(64 * " + u.name + ")  # 64" + u.name,
		}, Builtin{
			Recv: "size", Name: u.name, Attr: true, Result: "float",
			Doc:     "The size as a bare number of " + u.name + ".",
			Example: "print((1.5 * " + u.name + ")." + u.name + ")  # 1.5",
			Impl: func(c *Call) (starlark.Value, error) {
				return starlark.Float(float64(c.Recv.(Size)) / float64(u.bytes)), nil
			},
		})
	}
	return t
}
