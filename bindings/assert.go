package bindings

import (
	"fmt"
	"regexp"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

func assertTable() Table {
	x := Param{Name: "x", Type: "any", Doc: "The value that was found."}
	y := Param{Name: "y", Type: "any", Doc: "The value to compare it with."}
	msg := Param{Name: "message", Type: "any", Default: `""`, Doc: "What the failure should say besides."}
	compare := func(name string, op syntax.Token, doc, example, wrong string) Builtin {
		return Builtin{
			Name: "assert." + name, Params: []Param{x, y, msg}, Doc: doc, Example: example,
			Impl: func(c *Call) (starlark.Value, error) {
				ok, err := starlark.Compare(op, c.Value("x"), c.Value("y"))
				if err != nil {
					return nil, err
				}
				if !ok {
					return nil, c.failed("%s %s %s", c.Value("x"), wrong, c.Value("y"))
				}
				return nil, nil
			},
		}
	}
	return Table{
		Topics: []Topic{{
			Name: "assert",
			Doc: "Functions for tests: each stops the script with an error if its claim does not hold. " +
				"In an experiment use check, which notes the failure and goes on.",
		}},
		Builtins: []Builtin{
			compare("eq", syntax.EQL, "Fails unless x == y.", "assert.eq(1500 * us, 1.5 * ms)", "is not equal to"),
			compare("ne", syntax.NEQ, "Fails unless x != y.", "assert.ne(1 * ms, 1)", "is equal to"),
			compare("lt", syntax.LT, "Fails unless x < y.", "assert.lt(1 * ms, 1 * sec)", "is not less than"),
			compare("le", syntax.LE, "Fails unless x <= y.", "assert.le(1 * ms, 1000 * us)", "is not less than or equal to"),
			{
				Name:   "assert.true",
				Params: []Param{{Name: "cond", Type: "any", Doc: "What should be true."}, msg},
				Doc:    "Fails unless cond is true.", Example: "assert.true(5 * ms, \"a duration other than 0 is true\")",
				Impl: func(c *Call) (starlark.Value, error) {
					if !c.Value("cond").Truth() {
						return nil, c.failed("%s is not true", c.Value("cond"))
					}
					return nil, nil
				},
			},
			{
				Name: "assert.contains",
				Params: []Param{
					{Name: "x", Type: "any", Doc: "A list, dict, set or string."},
					{Name: "y", Type: "any", Doc: "What should be in it."}, msg,
				},
				Doc: "Fails unless y is in x.", Example: "assert.contains([\"make\", \"cc1\"], \"cc1\")",
				Impl: func(c *Call) (starlark.Value, error) {
					in, err := starlark.Binary(syntax.IN, c.Value("y"), c.Value("x"))
					if err != nil {
						return nil, err
					}
					if !in.Truth() {
						return nil, c.failed("%s does not contain %s", c.Value("x"), c.Value("y"))
					}
					return nil, nil
				},
			},
			{
				Name: "assert.near",
				Params: []Param{x, y,
					{Name: "within", Type: "any", Doc: "The difference that is allowed, of the type of x - y."}, msg},
				Doc:     "Fails unless x and y differ by no more than within.",
				Example: "assert.near(12.1 * ms, 12 * ms, within = 200 * us)",
				Impl:    assertNear,
			},
			{
				Name: "assert.fails",
				Params: []Param{
					{Name: "fn", Type: "callable", Doc: "A function without parameters."},
					{Name: "pattern", Type: "string", Default: `""`, Doc: "A regular expression (RE2) that must match in the message."},
				},
				Doc:     "Calls fn and fails unless that fails with a message that matches.",
				Example: "assert.fails(lambda: 1 * ms + 1, \"carries a unit\")",
				Impl:    assertFails,
			},
			{
				Name:   "assert.fail",
				Params: []Param{{Name: "message", Type: "any", Doc: "What went wrong."}},
				Doc:    "Fails.", Example: "if 1 * ms > 1 * sec:\n    assert.fail(\"time is out of joint\")",
				Impl: func(c *Call) (starlark.Value, error) {
					return nil, fmt.Errorf("%s", textOf(c.Value("message")))
				},
			},
		},
	}
}

// failed words a failed assertion, with the script's own message before it.
func (c *Call) failed(format string, args ...any) error {
	for i, a := range args {
		if s := fmt.Sprint(a); len(s) > 200 {
			args[i] = s[:200] + "..."
		}
	}
	text := fmt.Sprintf(format, args...)
	if m := textOf(c.Value("message")); m != "" {
		text = m + ": " + text
	}
	return fmt.Errorf("%s", text)
}

func assertNear(c *Call) (starlark.Value, error) {
	diff, err := starlark.Binary(syntax.MINUS, c.Value("x"), c.Value("y"))
	if err != nil {
		return nil, err
	}
	if diff, err = absolute(diff); err != nil {
		return nil, err
	}
	ok, err := starlark.Compare(syntax.LE, diff, c.Value("within"))
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, c.failed("%s and %s differ by %s, more than %s", c.Value("x"), c.Value("y"), diff, c.Value("within"))
	}
	return nil, nil
}

func assertFails(c *Call) (starlark.Value, error) {
	re, err := regexp.Compile(c.Str("pattern"))
	if err != nil {
		return nil, fmt.Errorf("pattern must be a regular expression: %v", err)
	}
	_, err = starlark.Call(c.Thread, c.Callable("fn"), nil, nil)
	switch {
	case err == nil:
		return nil, fmt.Errorf("the call did not fail; the error should match %q", re)
	case c.Session.Poll() != nil || stateOf(c.Thread).stop != nil:
		return nil, err
	case !re.MatchString(err.Error()):
		return nil, fmt.Errorf("the error is %q and does not match %q", err.Error(), re)
	}
	return nil, nil
}
