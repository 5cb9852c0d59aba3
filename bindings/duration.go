package bindings

import (
	"fmt"
	"time"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Duration is a span of simulated time in a script, in nanoseconds. It carries
// its unit: 5 * ms is a Duration, 5 is not.
type Duration time.Duration

var (
	_ starlark.HasBinary      = Duration(0)
	_ starlark.HasUnary       = Duration(0)
	_ starlark.HasAttrs       = Duration(0)
	_ starlark.TotallyOrdered = Duration(0)
)

// durationUnits are the units that a string may carry, in the order in which
// errors list them. The first four are names in scripts too.
var durationUnits = []struct {
	name string
	ns   int64
}{
	{"ns", 1},
	{"us", 1e3},
	{"ms", 1e6},
	{"sec", 1e9},
	{"s", 1e9},
	{"min", 60e9},
	{"h", 3600e9},
	{"µs", 1e3},
}

func durationUnit(name string) (int64, bool) {
	for _, u := range durationUnits {
		if u.name == name {
			return u.ns, true
		}
	}
	return 0, false
}

func durationQuantity() quantity {
	return quantity{
		typ: "duration", noun: "a time", fix: `5 * ms or "5ms"`, most: "292 years",
		mk: func(n int64) starlark.Value { return Duration(n) },
	}
}

// ParseDuration reads "5ms", "1.5s", "250 us", "30sec". What is finer than a
// nanosecond is rounded. The error completes "x ...".
func ParseDuration(s string) (Duration, error) {
	num, unit, err := splitQuantity(s)
	if err != nil {
		return 0, fmt.Errorf("must be a duration, as \"5ms\": %v", err)
	}
	if unit == "" {
		return 0, fmt.Errorf("must carry a unit: write \"%sms\", not %s", s, quoteShort(s))
	}
	ns, ok := durationUnit(unit)
	if !ok {
		return 0, fmt.Errorf("must be a duration, as \"5ms\": %s has the unknown unit %s (there are ns, us, ms, sec, min, h)", quoteShort(s), quoteShort(unit))
	}
	n, ok := ratCount(num, ns)
	if !ok {
		return 0, fmt.Errorf("is out of range: %s is beyond 292 years", quoteShort(s))
	}
	return Duration(n), nil
}

// toDuration makes a duration of an argument: a duration or a string. A bare
// number gets an error that shows how to write it.
func toDuration(v starlark.Value) (Duration, error) {
	switch v := v.(type) {
	case Duration:
		return v, nil
	case starlark.String:
		return ParseDuration(string(v))
	case starlark.Int, starlark.Float:
		s := v.String()
		if len(s) > 20 {
			s = "5"
		}
		return 0, fmt.Errorf("must carry a unit: write %s * ms or \"%sms\", not %s", s, s, v)
	}
	return 0, ErrType
}

// String prints the exact duration in its natural unit: "12.07ms".
func (d Duration) String() string {
	switch m := magnitude(int64(d)); {
	case m == 0:
		return "0s"
	case m < 1e3:
		return decimal(int64(d), 0) + "ns"
	case m < 1e6:
		return decimal(int64(d), 3) + "us"
	case m < 1e9:
		return decimal(int64(d), 6) + "ms"
	}
	return decimal(int64(d), 9) + "s"
}

// naturalUnit is the unit that String uses, in ns.
func (d Duration) naturalUnit() int64 {
	switch m := magnitude(int64(d)); {
	case m < 1e3:
		return 1
	case m < 1e6:
		return 1e3
	case m < 1e9:
		return 1e6
	}
	return 1e9
}

// Type is "duration".
func (d Duration) Type() string { return "duration" }

// Freeze does nothing: a duration cannot change.
func (d Duration) Freeze() {}

// Truth is false for the empty duration.
func (d Duration) Truth() starlark.Bool { return d != 0 }

// Hash lets durations be keys.
func (d Duration) Hash() (uint32, error) { return starlark.MakeInt64(int64(d)).Hash() }

// Cmp orders durations.
func (d Duration) Cmp(y starlark.Value, _ int) (int, error) {
	return cmp64(int64(d), int64(y.(Duration))), nil
}

// Binary does + - * / // and %.
func (d Duration) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	return durationQuantity().binary(op, int64(d), y, side)
}

// Unary does - and +.
func (d Duration) Unary(op syntax.Token) (starlark.Value, error) {
	switch op {
	case syntax.PLUS:
		return d, nil
	case syntax.MINUS:
		if d == -1<<63 {
			return nil, durationQuantity().overflow()
		}
		return -d, nil
	}
	return nil, nil
}

// Attr reads d.ns, d.us, d.ms, d.sec.
func (d Duration) Attr(name string) (starlark.Value, error) { return registry().attr(d, name) }

// AttrNames lists the attributes.
func (d Duration) AttrNames() []string { return registry().attrs["duration"] }

// MarshalJSON makes json.encode write the text form.
func (d Duration) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, "%q", d.String()), nil }

func durationTable() Table {
	unit := func(name string, d Duration, doc string) Builtin {
		return Builtin{
			Name: name, Result: "duration", Value: d,
			Doc:     doc + " Multiply a number with it to get a duration.",
			Example: "print(5 * " + name + ")  # " + (5 * d).String(),
		}
	}
	attr := func(name, result, doc, shows string, get func(Duration) starlark.Value) Builtin {
		return Builtin{
			Recv: "duration", Name: name, Attr: true, Result: result,
			Doc:     "The duration as a bare number of " + doc + ".",
			Example: `print((1500 * us).` + name + ")  # " + shows,
			Impl:    func(c *Call) (starlark.Value, error) { return get(c.Recv.(Duration)), nil },
		}
	}
	in := func(unit float64) func(Duration) starlark.Value {
		return func(d Duration) starlark.Value { return starlark.Float(float64(d) / unit) }
	}
	return Table{
		Topics: []Topic{{
			Name: "duration", Type: true,
			Doc: "A span of simulated time, exact to the nanosecond. " +
				"Write it as a number times a unit (5 * ms) or, in an argument, as a string (\"5ms\", \"1.5s\", \"30sec\"). " +
				"Durations add, subtract and compare; they are multiplied and divided by bare numbers, and one divided by another is a bare number. " +
				"They print in their natural unit. A result beyond 292 years is an error.",
		}},
		Builtins: []Builtin{
			unit("ns", 1, "One nanosecond."),
			unit("us", 1e3, "One microsecond."),
			unit("ms", 1e6, "One millisecond."),
			unit("sec", 1e9, "One second."),
			attr("ns", "int", "nanoseconds", "1500000", func(d Duration) starlark.Value { return starlark.MakeInt64(int64(d)) }),
			attr("us", "float", "microseconds", "1500.0", in(1e3)),
			attr("ms", "float", "milliseconds", "1.5", in(1e6)),
			attr("sec", "float", "seconds", "0.0015", in(1e9)),
		},
	}
}
