package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"schedrepl/bindings"
)

const testLong = `test runs the tests of scripts: each function test_... at the top level of the
files that end in _test.star, below the directories that are named (by default
the current one). A test fails by an error, assert or check in it.`

func (p *process) testCommand() *cobra.Command {
	f := runFlags{}
	cmd := &cobra.Command{
		Use:     "test [DIR|FILE ...]",
		Short:   "run the tests of scripts",
		Long:    testLong,
		Example: "  schedrepl test\n  schedrepl test experiments/ helpers_test.star",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = []string{"."}
			}
			return p.profiled(&f.prof, func() error { return p.runTests(args, &f) })
		},
	}
	fl := cmd.Flags()
	fl.Uint64Var(&f.seed, "seed", 1, "the `number` from which all random streams grow, 1 or more")
	fl.Uint64Var(&f.maxSteps, "max-steps", 0, "stop each test after so many `steps` of Starlark; 0 is no limit")
	fl.StringArrayVar(&f.allowDirs, "allow-dir", nil, "a `directory` that tests may read from besides their own")
	f.prof.cpuFlag(fl)
	return cmd
}

// runTests runs the tests in the paths one after the other.
func (p *process) runTests(paths []string, f *runFlags) error {
	opts, err := f.options()
	if err != nil {
		return err
	}
	opts.Stdlib, opts.Version = p.stdlib, p.version
	for _, path := range paths {
		if err := exists("tests", path, func(name string) bool { return strings.HasSuffix(name, "_test.star") }); err != nil {
			return err
		}
	}
	r := &testReport{w: p.stdout, colour: p.colour(p.outTerm)}
	var stop stopper
	defer p.onInterrupt(stop.interrupt)()
	for _, path := range paths {
		if _, err := bindings.RunTests(opts, path, stop.watch, r.add); err != nil {
			return err
		}
		if r.interrupted {
			break
		}
	}
	return r.finish()
}

// stopper passes Ctrl-C on to the test that runs, and to those that begin
// later.
type stopper struct {
	mu      sync.Mutex
	session *bindings.Session
	stopped bool
}

func (s *stopper) watch(session *bindings.Session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.session = session
	if s.stopped {
		session.Interrupt("")
	}
}

func (s *stopper) interrupt() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped = true
	if s.session != nil {
		s.session.Interrupt("")
	}
}

// testReport prints and counts results.
type testReport struct {
	w              io.Writer
	colour         bool
	passed, failed int
	interrupted    bool
	worst          int // The exit code of the worst test, beyond 1.
}

// add prints one result: a line, and for a test that failed what it printed and
// why it failed.
func (r *testReport) add(t bindings.TestResult) {
	name := t.File
	if t.Name != "" {
		name += ": " + t.Name
	}
	name = fmt.Sprintf("%s (%v)", name, t.Time.Round(time.Millisecond))
	code := bindings.ExitCodeOf(t.Err)
	switch {
	case t.Err == nil:
		r.passed++
		fmt.Fprintf(r.w, "%s %s\n", r.paint("PASS", "32"), name)
		return
	case code == int(bindings.Interrupted):
		r.interrupted = true
		fmt.Fprintf(r.w, "%s %s\n", r.paint("STOP", "33"), name)
		return
	case code == int(bindings.InternalError):
		r.worst = code
	}
	r.failed++
	fmt.Fprintf(r.w, "%s %s\n", r.paint("FAIL", "31"), name)
	indented(r.w, t.Output)
	indented(r.w, t.Err.Error())
}

// paint colours a word with an SGR code of the terminal.
func (r *testReport) paint(word, sgr string) string {
	if !r.colour {
		return word
	}
	return "\x1b[" + sgr + "m" + word + "\x1b[0m"
}

func indented(w io.Writer, text string) {
	for line := range strings.Lines(text) {
		fmt.Fprintf(w, "    %s\n", strings.TrimRight(line, "\n"))
	}
}

// finish prints the count, and returns the error that stands for it.
func (r *testReport) finish() error {
	if _, err := fmt.Fprintf(r.w, "%d passed, %d failed\n", r.passed, r.failed); err != nil {
		return &bindings.Error{Category: bindings.ScriptError, Msg: fmt.Sprintf("cannot print the results: %v", plainCause(err))}
	}
	switch {
	case r.interrupted:
		return &bindings.Error{Category: bindings.Interrupted, Msg: "interrupted"}
	case r.worst > 0:
		return silent(r.worst)
	case r.failed > 0:
		return silent(bindings.ScriptError)
	}
	return nil
}
