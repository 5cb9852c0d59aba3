package bindings

import (
	"errors"
	"fmt"
	"time"

	"go.starlark.net/starlark"

	"schedrepl/engine"
	"schedrepl/engine/event"
)

// asTraceback finds the error of a callback in a chain of errors.
func asTraceback(err error, to **starlark.EvalError) bool { return errors.As(err, to) }

// noteOnce tells the user something the first time that the key comes up, in
// the session or in one that was forked from it. A fork keeps it until it is
// joined, so that notes come in the same order whichever run was first.
func (s *Session) noteOnce(key, format string, args ...any) {
	if s.journal != nil {
		s.journal.noteOnce(key, fmt.Sprintf(format, args...))
		return
	}
	if s.told[key] {
		return
	}
	if s.told == nil {
		s.told = map[string]bool{}
	}
	s.told[key] = true
	s.Note(format, args...)
}

// poll is what the engine asks now and then while it runs.
func (ma *machine) poll() error {
	s := ma.session
	if err := s.Poll(); err != nil {
		return err
	}
	if s != nil && s.opts.Progress != nil {
		s.opts.Progress(ma.m.Now(), ma.limit, ma.m.Events())
	}
	return nil
}

// after is the instant that lies d from now.
func (ma *machine) after(what string, d time.Duration) (event.Time, error) {
	if d < 0 {
		return 0, fmt.Errorf("%s must not be negative, not %v", what, Duration(d))
	}
	at := ma.m.Now().Add(d)
	if at < ma.m.Now() || at >= event.Never {
		return 0, fmt.Errorf("%s is out of range: %v from now is beyond 292 years since boot", what, Duration(d))
	}
	return at, nil
}

// runTo runs the machine up to an instant, or until stop tells to stop.
func (ma *machine) runTo(c *Call, limit event.Time, stop func() bool) (came bool, err error) {
	if err := ma.standing(); err != nil {
		return false, err
	}
	err = ma.act(c, func() error {
		ma.running, ma.limit = true, limit
		before := ma.m.Events()
		defer func() {
			ma.running = false
			ma.session.countEvents(ma.m.Events() - before)
		}()
		came, err = ma.m.RunWhile(limit, stop)
		return err
	})
	return came, err
}

// standing fails while a callback is on the stack.
func (ma *machine) standing() error {
	if ma.running || ma.depth > 0 {
		return errors.New("the machine is running already, and a callback may not run it: return, and it goes on")
	}
	return nil
}

// call calls a function of the script back.
func (ma *machine) call(fn starlark.Callable, args ...starlark.Value) (starlark.Value, error) {
	thread := ma.thread
	if thread == nil {
		// A write by g["cpu.weight"] = 300 comes without a thread.
		thread, _ = ma.session.newThread(ma.session.sources.mainPlace("main"))
		defer ma.session.endThread(thread)
		ma.thread = thread
		defer func() { ma.thread = nil }()
	}
	ma.depth++
	defer func() { ma.depth-- }()
	return starlark.Call(thread, fn, args, nil)
}

// checkCallback fails for a function that cannot be called with n arguments,
// which are described in words.
func checkCallback(fn starlark.Callable, n int, args string) error {
	f, ok := fn.(*starlark.Function)
	if !ok {
		return nil
	}
	params, need := f.NumParams()-f.NumKwonlyParams(), 0
	if f.HasVarargs() {
		params--
	}
	if f.HasKwargs() {
		params--
	}
	for i := range params {
		if f.ParamDefault(i) == nil {
			need++
		}
	}
	for i := range f.NumKwonlyParams() {
		if f.ParamDefault(params+i) == nil {
			return fmt.Errorf("fn must take %s, and %s wants a keyword argument", args, f.Name())
		}
	}
	if need > n || params < n && !f.HasVarargs() {
		return fmt.Errorf("fn must take %s, and %s takes %s", args, f.Name(), plural(params, "argument"))
	}
	return nil
}

func runTable() Table {
	return Table{Builtins: []Builtin{{
		Recv: "machine", Name: "run",
		Params:  []Param{{Name: "duration", Type: "duration", Doc: "How long."}},
		Doc:     "Runs the machine for a while. A callback may not call it.",
		Example: "m.run(30 * ms)\nm.run(\"20ms\")\nprint(m.now)  # 50ms",
		Impl: func(c *Call) (starlark.Value, error) {
			ma := c.Recv.(*machine)
			limit, err := ma.after("duration", c.Duration("duration"))
			if err != nil {
				return nil, err
			}
			_, err = ma.runTo(c, limit, nil)
			return nil, err
		},
	}, {
		Recv: "machine", Name: "run_until",
		Params: []Param{
			{Name: "fn", Type: "callable", Doc: "A function of the machine that tells whether to stop; it is asked now and after every moment at which something happens."},
			{Name: "limit", Type: "duration", Doc: "How long to run at most."},
		},
		Result: "bool",
		Doc: "Runs the machine until something has come true, and returns whether it has. " +
			"The machine stops at the moment at which it came true, or at the limit.",
		Example: "done = m.spawn(\"cc1\", [work.run(25 * ms)])\nprint(m.run_until(lambda m: done.exited, limit = 10 * sec))  # True",
		Impl:    runUntilImpl,
	}, {
		Recv: "machine", Name: "at",
		Params: []Param{
			{Name: "time", Type: "duration", Doc: "The moment, as time since boot."},
			{Name: "fn", Type: "callable", Doc: "A function of the machine. It may do anything but run the machine."},
		},
		Result:  "handle",
		Doc:     "Calls a function at a moment.",
		Example: "m.at(5 * ms, lambda m: hog.setpriority(10))\nm.run(10 * ms)\nprint(hog.nice)  # 10",
		Impl: func(c *Call) (starlark.Value, error) {
			ma, fn := c.Recv.(*machine), c.Callable("fn")
			if err := checkCallback(fn, 1, "the machine"); err != nil {
				return nil, err
			}
			if c.Duration("time") < 0 {
				return nil, fmt.Errorf("time must not be negative, not %v", Duration(c.Duration("time")))
			}
			return ma.arm(c, func(call func() error) (engine.Handle, error) {
				return ma.m.At(event.Time(c.Duration("time")), call)
			})
		},
	}, {
		Recv: "machine", Name: "every",
		Params: []Param{
			{Name: "period", Type: "duration", Doc: "The time between two calls; the first comes one period from now."},
			{Name: "fn", Type: "callable", Doc: "A function of the machine. It may do anything but run the machine."},
		},
		Result:  "handle",
		Doc:     "Calls a function again and again.",
		Example: "seen = []\nm.every(10 * ms, lambda m: seen.append(m.now))\nm.run(35 * ms)\nprint(seen)  # [10ms, 20ms, 30ms]",
		Impl: func(c *Call) (starlark.Value, error) {
			ma, fn := c.Recv.(*machine), c.Callable("fn")
			if err := checkCallback(fn, 1, "the machine"); err != nil {
				return nil, err
			}
			if _, err := ma.after("period", c.Duration("period")); err != nil {
				return nil, err
			}
			return ma.arm(c, func(call func() error) (engine.Handle, error) {
				return ma.m.Every(event.Time(c.Duration("period")), call)
			})
		},
	}, {
		Recv: "machine", Name: "mark",
		Params:  []Param{{Name: "name", Type: "string", Doc: "The name; it must be new, and not read as a time."}},
		Doc:     "Names the present moment, for the since and until of measures.",
		Example: "m.run(1 * sec)\nm.mark(\"warm\")\nm.run(1 * sec)\nprint(m.slices(hog, since = \"warm\").unit)  # ns",
		Impl:    markImpl,
	}, {
		Recv: "machine", Name: "check_invariants",
		Doc: "Checks what must always hold: run queues, trees and trace agree, and no time is lost. " +
			"It finds bugs of the simulator, not of scripts, and ends the program with code 4 if there is one.",
		Example: "m.run(1 * sec)\nm.check_invariants()",
		Impl: func(c *Call) (starlark.Value, error) {
			ma := c.Recv.(*machine)
			if err := ma.usable(); err != nil {
				return nil, err
			}
			defer ma.enter(c.Thread)()
			if err := ma.checkAll(); err != nil {
				panic("sched: " + err.Error())
			}
			return nil, nil
		},
	}}}
}

func runUntilImpl(c *Call) (starlark.Value, error) {
	ma, fn := c.Recv.(*machine), c.Callable("fn")
	if err := checkCallback(fn, 1, "the machine"); err != nil {
		return nil, err
	}
	limit, err := ma.after("limit", c.Duration("limit"))
	if err != nil {
		return nil, err
	}
	if err := ma.standing(); err != nil {
		return nil, err
	}
	var failed error
	holds := func() bool {
		v, err := ma.call(fn, ma)
		if err != nil {
			failed = err
			return true
		}
		return bool(v.Truth())
	}
	now := false
	if err := ma.act(c, func() error { now = holds(); return failed }); err != nil {
		return nil, err
	}
	if now {
		return starlark.True, nil
	}
	came, err := ma.runTo(c, limit, holds)
	if failed != nil {
		err = failed
	}
	return starlark.Bool(came), err
}

func markImpl(c *Call) (starlark.Value, error) {
	ma, name := c.Recv.(*machine), c.Str("name")
	if name == "" {
		return nil, errors.New("name must not be empty")
	}
	if _, err := ParseDuration(name); err == nil {
		return nil, fmt.Errorf("name must not read as a time, as %s does: since=%s would be ambiguous", quoteShort(name), quoteShort(name))
	}
	err := ma.act(c, func() error { return ma.m.Mark(name) })
	if err == nil {
		ma.marks = append(ma.marks, name)
	}
	return nil, err
}
