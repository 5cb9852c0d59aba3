package workload

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"schedrepl/engine/event"
)

// kinds names the distributions and their parameters as scripts do: first those
// that are lengths, in the order of Dist.a and Dist.b, then the pure number.
var kinds = [...]struct {
	name, a, b, x string
	numberFirst   bool
}{
	unset:       {name: "unset"},
	constant:    {name: "constant", a: "value"},
	uniform:     {name: "uniform", a: "lo", b: "hi"},
	exponential: {name: "exponential", a: "mean"},
	normal:      {name: "normal", a: "mean", b: "std"},
	lognormal:   {name: "lognormal", a: "median", x: "sigma"},
	pareto:      {name: "pareto", a: "xm", x: "alpha"},
	bimodal:     {name: "bimodal", a: "a", b: "b", x: "p", numberFirst: true},
	empirical:   {name: "empirical"},
}

// Validate returns an error that names the parameter that no draw could be made
// with, its value, and what would be right.
func (d Dist) Validate() error {
	k := kinds[d.kind]
	wrong := func(param, value, want string) error {
		return fmt.Errorf("dist.%s: %s is %s; it must be %s", k.name, param, value, want)
	}
	checkLength := func(param string, v int64) error {
		if v < 0 {
			return wrong(param, d.text(v), "0 or more")
		}
		if v > MaxDraw {
			return wrong(param, d.text(v), "at most "+d.text(MaxDraw))
		}
		return nil
	}
	if k.a != "" {
		if err := checkLength(k.a, d.a); err != nil {
			return err
		}
	}
	if k.b != "" {
		if err := checkLength(k.b, d.b); err != nil {
			return err
		}
	}
	if k.x != "" && (math.IsNaN(d.x) || math.IsInf(d.x, 0)) {
		return wrong(k.x, number(d.x), "a finite number")
	}
	switch d.kind {
	case uniform:
		if d.a > d.b {
			return wrong("lo", d.text(d.a), "at most hi, which is "+d.text(d.b))
		}
	case lognormal:
		if d.a == 0 {
			return wrong("median", d.text(0), "positive")
		}
		if d.x < 0 {
			return wrong("sigma", number(d.x), "0 or more")
		}
	case pareto:
		if d.a == 0 {
			return wrong("xm", d.text(0), "positive")
		}
		if d.x <= 0 {
			return wrong("alpha", number(d.x), "positive")
		}
	case bimodal:
		if d.x < 0 || d.x > 1 {
			return wrong("p", number(d.x), "a probability from 0 to 1")
		}
	case empirical:
		if len(d.table) == 0 {
			return fmt.Errorf("dist.empirical: there are no values; give at least one")
		}
		for i, v := range d.table {
			if err := checkLength(fmt.Sprintf("value %d", i), v); err != nil {
				return err
			}
		}
	}
	return nil
}

// String writes the distribution as a script makes it, "normal(5ms, 1ms)"; a
// constant as its value, "5ms"; an empirical one as the number of its values and
// their mean.
func (d Dist) String() string {
	switch d.kind {
	case unset, constant:
		return d.text(d.a)
	case empirical:
		return fmt.Sprintf("empirical(%d values, mean %s)", len(d.table), d.text(round(d.Mean())))
	}
	k := kinds[d.kind]
	params := []string{d.text(d.a)}
	if k.b != "" {
		params = append(params, d.text(d.b))
	}
	if k.numberFirst {
		params = append([]string{number(d.x)}, params...)
	} else if k.x != "" {
		params = append(params, number(d.x))
	}
	return k.name + "(" + strings.Join(params, ", ") + ")"
}

// text writes a value of the distribution in its unit.
func (d Dist) text(v int64) string {
	if d.count {
		return strconv.FormatInt(v, 10)
	}
	return length(v)
}

// length writes nanoseconds in the unit that suits them.
func length(ns int64) string { return event.Time(ns).String() }

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
