package bindings

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"
)

// checks counts what check() was asked.
type checks struct {
	passed, failed int
	messages       []string // Of those that failed, without their places.
}

// Checks tells how many checks have passed and failed so far.
func (s *Session) Checks() (passed, failed int) { return s.checks.passed, s.checks.failed }

// finish is the error of a script that ran to its end with failed checks.
func (c *checks) finish() error {
	if c.failed == 0 {
		return nil
	}
	return &Error{Category: CheckFailed, Msg: fmt.Sprintf("%d of %s failed", c.failed, plural(c.failed+c.passed, "check"))}
}

func checkTable() Table {
	return Table{Builtins: []Builtin{
		{
			Name: "check",
			Params: []Param{
				{Name: "cond", Type: "any", Doc: "What should be true."},
				{Name: "message", Type: "any", Default: `""`, Doc: "What the check says, in words."},
			},
			Result: "bool",
			Doc: "Notes whether a claim of the experiment holds, and returns it. " +
				"A failure is printed and counted, and the run goes on; at its end the program exits with code 3.",
			Example: "check(2 * ms < 1 * sec, \"milliseconds are short\")",
			Impl:    checkImpl,
		},
		{
			Name: "print",
			Params: []Param{
				{Name: "*args", Type: "any", Doc: "The values to print."},
				{Name: "sep", Type: "string", Default: `" "`, KwOnly: true, Doc: "What stands between them."},
				{Name: "end", Type: "string", Default: `"\n"`, KwOnly: true, Doc: "What stands after the last."},
			},
			Doc:     "Prints values to the output of the run.",
			Example: "print(\"slice\", 3 * ms)  # slice 3ms",
			Impl: func(c *Call) (starlark.Value, error) {
				var parts []string
				for _, v := range c.Args {
					parts = append(parts, textOf(v))
				}
				_, err := fmt.Fprint(c.Session.opts.Stdout, strings.Join(parts, c.Str("sep"))+c.Str("end"))
				return nil, err
			},
		},
		{
			Name:   "show",
			Params: []Param{{Name: "*values", Type: "any", Doc: "The values to show: tables, plots, samples, or anything else."}},
			Doc: "Shows values as the front end can: a notebook shows tables as HTML and plots as images, " +
				"a batch run prints their text.",
			Example: "show(1.5 * ms)  # 1.5ms",
			Impl: func(c *Call) (starlark.Value, error) {
				for _, v := range c.Args {
					if err := c.Session.show(v); err != nil {
						return nil, err
					}
				}
				return nil, nil
			},
		},
	}}
}

// textOf is the text of a value as print and str show it.
func textOf(v starlark.Value) string {
	if s, ok := starlark.AsString(v); ok {
		return s
	}
	return v.String()
}

// show displays a value by the front end.
func (s *Session) show(v starlark.Value) error {
	if s.opts.Show != nil {
		return s.opts.Show(v)
	}
	_, err := fmt.Fprintln(s.opts.Stdout, textOf(v))
	return err
}

func checkImpl(c *Call) (starlark.Value, error) {
	cond := c.Value("cond").Truth()
	s := c.Session
	if cond {
		s.checks.passed++
		return cond, nil
	}
	s.checks.failed++
	msg := textOf(c.Value("message"))
	if msg == "" {
		msg = "a check without a message"
	}
	at := ""
	if c.Thread.CallStackDepth() > 1 {
		pos := c.Thread.CallFrame(1).Pos
		at = fmt.Sprintf(" (%s:%d)", pos.Filename(), pos.Line)
	}
	s.checks.messages = append(s.checks.messages, msg)
	_, err := fmt.Fprintf(s.opts.Stdout, "check failed: %s%s\n", msg, at)
	return cond, err
}
