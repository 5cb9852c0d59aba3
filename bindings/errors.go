package bindings

import (
	"errors"
	"fmt"
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Category says whose fault an Error is. Its number is the exit code.
type Category int

const (
	ScriptError   Category = 1   // The script is wrong, or a call in it failed.
	UsageError    Category = 2   // The command line is wrong: a file, a parameter, an option.
	CheckFailed   Category = 3   // The script ran to its end, but a check in it failed.
	InternalError Category = 4   // An invariant of the simulator broke: a bug of ours.
	Interrupted   Category = 130 // The user stopped the run.
)

// Error is the one type of error that a Session returns. Its text is what the
// user reads: a traceback of the script, what was wrong, and what would be
// right.
type Error struct {
	Category Category
	Msg      string   // What was wrong, without a place.
	Hint     string   // What to write instead; may be empty.
	Frames   []Frame  // The calls that led there, outermost first; may be empty.
	More     []*Error // Further mistakes that were found in the same file.
	Err      error    // The cause; may be nil.
}

// A Frame is one place in a script.
type Frame struct {
	File      string // As the user named it.
	Line, Col int    // From 1; 0 is unknown.
	Func      string // The function that the place lies in; empty for a mistake in the text.
	Source    string // The line itself; may be empty.
}

// ExitCode is the exit code of a program that ends with the error.
func (e *Error) ExitCode() int { return int(e.Category) }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Summary is the error in one line: place and message.
func (e *Error) Summary() string {
	if n := len(e.Frames); n > 0 {
		f := e.Frames[n-1]
		return fmt.Sprintf("%s:%d: %s", f.File, f.Line, e.Msg)
	}
	return e.Msg
}

// ExitCodeOf is the exit code for what a Session returned; 0 for nil.
func ExitCodeOf(err error) int {
	var e *Error
	switch {
	case err == nil:
		return 0
	case errors.As(err, &e):
		return e.ExitCode()
	}
	return int(ScriptError)
}

// shownFrames is how many frames stand at each end of a long traceback.
const shownFrames = 8

// Error is the whole report, without a newline at its end.
func (e *Error) Error() string {
	b := &strings.Builder{}
	if n := len(e.Frames); n > 0 && e.Frames[n-1].Func == "" {
		writeTraceback(b, e.Frames[:n-1])
		e.Frames[n-1].writeMistake(b, e.Msg)
	} else {
		writeTraceback(b, e.Frames)
		fmt.Fprintf(b, "error: %s\n", e.Msg)
	}
	if e.Hint != "" {
		fmt.Fprintf(b, "hint: %s\n", e.Hint)
	}
	for _, m := range e.More {
		fmt.Fprintf(b, "%s\n", m.Error())
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// writeMistake shows a mistake in the text, with a mark below it.
func (f Frame) writeMistake(b *strings.Builder, msg string) {
	fmt.Fprintf(b, "%s:%d:%d: %s\n", f.File, f.Line, f.Col, msg)
	if f.Source == "" {
		return
	}
	fmt.Fprintf(b, "    %s\n", f.Source)
	if f.Col > 0 && f.Col <= len([]rune(f.Source))+1 {
		// Tabs stay, so that the mark stands right at any tab width.
		pad := strings.Map(func(r rune) rune {
			if r == '\t' {
				return r
			}
			return ' '
		}, string([]rune(f.Source)[:f.Col-1]))
		fmt.Fprintf(b, "    %s^\n", pad)
	}
}

func writeTraceback(b *strings.Builder, frames []Frame) {
	if len(frames) == 0 {
		return
	}
	b.WriteString("Traceback (most recent call last):\n")
	for i, f := range frames {
		if hidden := len(frames) - 2*shownFrames; hidden > 1 && i >= shownFrames && i < shownFrames+hidden {
			if i == shownFrames {
				fmt.Fprintf(b, "  ... %d more calls ...\n", hidden)
			}
			continue
		}
		fmt.Fprintf(b, "  %s:%d:%d: in %s\n", f.File, f.Line, f.Col, f.Func)
		if src := strings.TrimSpace(f.Source); src != "" {
			fmt.Fprintf(b, "    %s\n", src)
		}
	}
}

// usageError marks a mistake of the command line that shows while a script
// runs.
type usageError struct{ msg string }

func (e *usageError) Error() string { return e.msg }

// explain makes an *Error of what the interpreter returned.
func (s *Session) explain(err error, st *threadState) *Error {
	var inner *Error
	var eval *starlark.EvalError
	var syn syntax.Error
	var list resolve.ErrorList
	switch {
	case errors.As(err, &eval):
		frames := s.frames(eval.CallStack)
		if errors.As(eval.Unwrap(), &inner) {
			// The file that a load statement loaded has failed.
			e := *inner
			e.Frames = append(frames, inner.Frames...)
			return &e
		}
		e := &Error{Category: ScriptError, Msg: eval.Msg, Frames: frames, Err: err}
		s.classify(e, st)
		if e.Category == ScriptError {
			e.Hint = s.hint(e)
		}
		return e
	case errors.As(err, &syn):
		return s.syntaxError(syn.Pos, syn.Msg)
	case errors.As(err, &list):
		return s.resolveErrors(list)
	case errors.As(err, &inner):
		return inner
	}
	e := &Error{Category: ScriptError, Msg: err.Error(), Err: err}
	s.classify(e, st)
	return e
}

// classify finds the errors that are not the script's.
func (s *Session) classify(e *Error, st *threadState) {
	var usage *usageError
	var intr interruptError
	switch {
	case st.stop != nil:
		e.Msg = st.stop.Error()
		e.Err = st.stop
	case errors.As(e.Err, &intr):
		e.Category, e.Msg = Interrupted, intr.Error()
	case s.Poll() != nil && strings.HasPrefix(e.Msg, "Starlark computation cancelled"):
		e.Category, e.Err = Interrupted, s.Poll()
		e.Msg = e.Err.Error()
	case errors.As(e.Err, &usage):
		e.Category, e.Msg = UsageError, usage.msg
	}
}

// frames turns a call stack into places, without the built-ins on it: their
// names stand in the message.
func (s *Session) frames(stack starlark.CallStack) []Frame {
	var out []Frame
	for _, f := range stack {
		if f.Pos.Line == 0 {
			continue
		}
		out = append(out, s.frame(f.Pos, f.Name))
	}
	return out
}

func (s *Session) frame(pos syntax.Position, fn string) Frame {
	return Frame{
		File: pos.Filename(), Line: int(pos.Line), Col: int(pos.Col), Func: fn,
		Source: s.sources.line(pos.Filename(), int(pos.Line)),
	}
}

// panicked is a panic on its way through the interpreter, with the place in
// the script that it came from.
type panicked struct {
	value any
	stack starlark.CallStack
}

// internalError makes an Error of a panic. The user learns what broke and how
// to make it happen again, and sees no Go stack.
func (s *Session) internalError(value any) *Error {
	e := &Error{Category: InternalError}
	if p, ok := value.(*panicked); ok {
		value = p.value
		e.Frames = s.frames(p.stack)
	}
	what := fmt.Sprint(value)
	if err, ok := value.(error); ok {
		e.Err = err
	}
	e.Msg = fmt.Sprintf("internal error: %s (seed %d)", strings.TrimPrefix(what, "sched: "), s.opts.Seed)
	e.Hint = "this is a bug of the simulator, not of the script; please report it with the script, its parameters and the seed"
	return e
}
