package bindings

import (
	"errors"
	"fmt"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"

	"schedrepl/engine/stats"
)

// stopRule says when repeat has run enough seeds, as a script holds it.
type stopRule struct {
	Object
	Rule stats.StopRule
	Of   string // The field of what the function returns that counts; empty for the only one.
	Unit string // Of Rule.Absolute: "ns", or empty for bare numbers and where there is none.
}

// String says the rule in words.
func (v *stopRule) String() string {
	of, within := "the mean", []string(nil)
	if v.Of != "" {
		of += " of " + v.Of
	}
	if v.Rule.Relative > 0 {
		within = append(within, fmt.Sprintf("%.4g %%", 100*v.Rule.Relative))
	}
	if v.Rule.Absolute > 0 {
		within = append(within, shortText(v.Rule.Absolute, v.Unit))
	}
	return fmt.Sprintf("until %s is known to %s either way at %.4g %%, %d to %d values",
		of, strings.Join(within, " or "), 100*v.Rule.Level, v.Rule.MinN, v.Rule.MaxN)
}

// takes refuses values of a unit that the rule cannot measure. The error
// completes "values ...".
func (v *stopRule) takes(unit string) error {
	switch {
	case v.Rule.Absolute == 0 || v.Unit == unit:
		return nil
	case v.Unit == "ns":
		return fmt.Errorf("must be durations, as absolute = %s is, not bare numbers", shortText(v.Rule.Absolute, "ns"))
	case unit == "ns":
		return fmt.Errorf("are durations, and absolute = %v is a bare number: write absolute = %v * ms", v.Rule.Absolute, v.Rule.Absolute)
	}
	return nil // Samples have their unit by name; a bare number is meant in it.
}

func untilImpl(c *Call) (starlark.Value, error) {
	v := &stopRule{Of: c.Str("of"), Rule: stats.StopRule{
		Level: c.Float("level"), MinN: c.Int("least"), MaxN: c.Int("most"),
	}}
	v.Init("stop_rule", v)
	if c.Has("relative") {
		r := c.Float("relative")
		if r <= 0 || r >= 1 {
			return nil, fmt.Errorf("relative must be a fraction above 0 and below 1, as 0.02 for 2 %%, not %v", c.Value("relative"))
		}
		v.Rule.Relative = r
	}
	if c.Has("absolute") {
		x, unit, err := numberOf(c.Value("absolute"))
		if s, ok := c.Value("absolute").(starlark.String); ok {
			var d Duration
			d, err = ParseDuration(string(s))
			x, unit = float64(d), "ns"
		}
		if err != nil {
			return nil, fmt.Errorf("absolute %w", err)
		}
		if x <= 0 {
			return nil, fmt.Errorf("absolute must be above 0, not %v", c.Value("absolute"))
		}
		v.Rule.Absolute, v.Unit = x, unit
	}
	if !c.Has("relative") && !c.Has("absolute") {
		return nil, errors.New("relative or absolute is missing: how close is enough? Write relative = 0.02 for 2 %, or absolute = 1 * ms")
	}
	if least := v.Rule.MinN; least < 2 {
		return nil, fmt.Errorf("least must be 2 or more, and 10 is usual, not %d", least)
	}
	if most := v.Rule.MaxN; most < v.Rule.MinN || most > mostSeeds {
		return nil, fmt.Errorf("most must be from %d, which is least, to %d, not %d", v.Rule.MinN, mostSeeds, most)
	}
	if err := v.Rule.Validate(); err != nil {
		return nil, plainError(err)
	}
	return v, nil
}

func stopRuleTable() Table {
	attr := func(name, result, doc, shows string, get func(*stopRule) starlark.Value) Builtin {
		return Builtin{
			Recv: "stop_rule", Name: name, Attr: true, Result: result, Doc: doc, Example: "print(rule." + name + ")  # " + shows,
			Impl: func(c *Call) (starlark.Value, error) { return get(c.Recv.(*stopRule)), nil },
		}
	}
	return Table{
		Topics: []Topic{{
			Name: "stop_rule", Type: true,
			Doc:   "When enough seeds have been run, as stats.until makes it for repeat.",
			Setup: "rule = stats.until(relative = 0.05, of = \"wait\")",
		}},
		Kinds: []Kind{kindOf[*stopRule]("stop_rule", "a rule when to stop, as stats.until(relative = 0.02)")},
		Builtins: []Builtin{
			{
				Name: "stats.until",
				Params: []Param{
					{Name: "relative", Type: "float | None", Default: "None", Doc: "How close the mean is to be known, either way, as a fraction of it: 0.02 is 2 %."},
					{Name: "absolute", Type: "any", Default: "None", Doc: "The same as a duration, or as a number for values that are bare numbers. Of two, either is enough."},
					{Name: "level", Type: "float", Default: "0.95", Doc: "How sure the interval is to hold the true mean."},
					{Name: "least", Type: "int", Default: "10", Doc: "Never stop before as many values."},
					{Name: "most", Type: "int", Default: "1000", Doc: "Always stop then."},
					{Name: "of", Type: "string", Default: `""`, Doc: "The field whose mean counts, where the function returns several."},
				},
				Result: "stop_rule",
				Doc: "Says when repeat has run enough seeds: as soon as the interval of the mean by Student's t reaches no further than wanted to either side. " +
					"To look before deciding whether to go on stops sooner where the spread happens to look small, so the interval must have been narrow enough for the last 6 values in a row. " +
					"By simulation, 95 % intervals then hold the true mean in 94 to 95 % of the cases for normal values, and in 86 to 89 % for log-normal ones of sigma 0.8. " +
					"It is an error to give neither relative nor absolute.",
				Example: "print(stats.until(relative = 0.02))  # until the mean is known to 2 % either way at 95 %, 10 to 1000 values",
				Impl:    untilImpl,
			},
			attr("of", "string", "The field whose mean counts; empty for the only one.", "wait", func(v *stopRule) starlark.Value { return starlark.String(v.Of) }),
			attr("level", "float", "How sure the interval is to hold the true mean.", "0.95", func(v *stopRule) starlark.Value { return starlark.Float(v.Rule.Level) }),
			attr("least", "int", "The number of values before which it never stops.", "10", func(v *stopRule) starlark.Value { return starlark.MakeInt(v.Rule.MinN) }),
			attr("most", "int", "The number of values at which it always stops.", "1000", func(v *stopRule) starlark.Value { return starlark.MakeInt(v.Rule.MaxN) }),
			{
				Recv: "stop_rule", Name: "enough",
				Params:  []Param{{Name: "values", Type: "any", Doc: "The values so far: samples, a column, or a list of numbers or durations."}},
				Result:  "struct",
				Doc:     "Asks the rule of some values: done tells whether to stop, met whether the mean is known well enough, and more how many more values that is likely to take (0 if done).",
				Example: "print(rule.enough([9 * ms, 10 * ms, 11 * ms]))  # struct(done = False, met = False, more = 15)",
				Impl: func(c *Call) (starlark.Value, error) {
					v := c.Recv.(*stopRule)
					xs, unit, err := numbersOf(c.Value("values"))
					if err == nil && len(xs) > 0 {
						err = v.takes(unit)
					}
					if err != nil {
						return nil, fmt.Errorf("values %w", err)
					}
					verdict, err := v.Rule.Enough(xs)
					if err != nil {
						return nil, plainError(err)
					}
					return starlarkstruct.FromStringDict(starlarkstruct.Default, starlark.StringDict{
						"done": starlark.Bool(verdict.Done), "met": starlark.Bool(verdict.Met), "more": starlark.MakeInt(verdict.More),
					}), nil
				},
			},
		},
	}
}
