package bindings

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"schedrepl/engine/event"
)

// Options say how a Session runs scripts. The zero value runs them with seed
// 1, prints to nowhere, saves nothing, and reads below the current directory.
type Options struct {
	Seed      uint64            // Grows every random stream; 0 stands for 1.
	Params    map[string]string // Values of experiment parameters, by name, as text.
	Stdout    io.Writer         // What scripts print; nil drops it.
	Stderr    io.Writer         // Notes to the user beside the output; nil drops them.
	OutDir    string            // The directory that save-like calls write to; empty saves nothing.
	Dir       string            // Where load and read start for Exec and Cell; empty is the current directory.
	AllowDirs []string          // Directories that scripts may read from besides their own.
	MaxSteps  uint64            // Limit of Starlark steps for all that the session runs; 0 is none.
	Stdlib    fs.FS             // What load("@stdlib//x.star") reads; nil has no library.
	Version   string            // Version of the program, for the manifest.

	// Show displays a value to the user, for show() and for the value of a
	// cell. Nil prints it to Stdout.
	Show func(v starlark.Value) error

	// Progress is told of a machine that runs, every thousand moments: how far
	// it is, how far the run goes, and how many events it has handled. It is
	// not told of those of repeat. Nil shows nothing. Nothing that it does can
	// change a run.
	Progress func(now, limit event.Time, events uint64)

	// Jobs limits how many runs of repeat go on at once; 0 is one for each CPU
	// that the program may use. What comes out does not depend on it.
	Jobs int

	// Repeat is told how far the runs of repeat are, whenever one is done and
	// every thousand moments of their machines; never twice at once. Nil shows
	// nothing. Nothing that it does can change a run.
	Repeat func(RepeatProgress)

	// Saved is told of each file that was written, by its path. Nil says nothing.
	Saved func(path string, f SavedFile)

	// Trace takes the trace records of all machines as text; those of repeat
	// are left out. Nil writes none. What is written depends on the run only,
	// and does not change it.
	Trace io.Writer
}

// Validate names the first field that cannot be used.
func (o *Options) Validate() error {
	for _, dir := range append([]string{o.Dir}, o.AllowDirs...) {
		if dir == "" {
			continue
		}
		if st, err := os.Stat(dir); err != nil {
			return fmt.Errorf("directory %s: %v", dir, errors.Unwrap(err))
		} else if !st.IsDir() {
			return fmt.Errorf("directory %s: is a file", dir)
		}
	}
	if o.Jobs < 0 {
		return fmt.Errorf("jobs must be 1 or more, or 0 for one on each CPU, not %d", o.Jobs)
	}
	for name := range o.Params {
		if !isIdent(name) {
			return fmt.Errorf("parameter %q: not a name; write -p name=value", name)
		}
	}
	return nil
}

// A Session runs scripts and holds what they leave behind: parameters, output
// files, failed checks, digests. All front ends share it. It runs one script,
// cell or test at a time; only Interrupt may be called from another goroutine.
type Session struct {
	opts   Options
	reg    *Registry
	env    starlark.StringDict
	parent *Session // The session that this one was forked from, or nil.

	journal *journal // What a forked session tells the user; nil if it was not forked.

	mu          sync.Mutex
	threads     map[*starlark.Thread]bool // Those to cancel on Interrupt.
	told        map[string]bool           // Notes that were told once.
	interrupted atomic.Pointer[string]

	used    uint64 // Starlark steps of threads that have ended.
	sources sources
	params  params
	checks  checks
	saved   saves
	notes   notes
	globals starlark.StringDict // Of the cells; nil before the first.
	calls   callTable           // What work.call steps call.
	tracer  tracer              // Writes Options.Trace.
	outcome string              // How the script ended, for the manifest.
	events  atomic.Uint64       // What its machines have handled.
}

// NewSession makes a session. It fails if an option is of no use.
func NewSession(o Options) (*Session, error) {
	if err := o.Validate(); err != nil {
		return nil, &Error{Category: UsageError, Msg: err.Error()}
	}
	if o.Seed == 0 {
		o.Seed = 1
	}
	if o.Stdout == nil {
		o.Stdout = io.Discard
	}
	if o.Stderr == nil {
		o.Stderr = io.Discard
	}
	if o.Dir == "" {
		o.Dir = "."
	}
	reg := registry()
	s := &Session{opts: o, reg: reg, env: reg.env, threads: map[*starlark.Thread]bool{}}
	if err := s.sources.setRoot(o.Dir); err != nil {
		return nil, &Error{Category: UsageError, Msg: err.Error()}
	}
	return s, nil
}

// Seed is the seed of the session, from which every random stream grows.
func (s *Session) Seed() uint64 { return s.opts.Seed }

// Stdout is where scripts print.
func (s *Session) Stdout() io.Writer { return s.opts.Stdout }

// Note tells the user something beside the output of the script.
func (s *Session) Note(format string, args ...any) {
	fmt.Fprintf(s.opts.Stderr, "note: "+format+"\n", args...)
}

// fileOptions is the dialect: all that Starlark can do.
func fileOptions() *syntax.FileOptions {
	return &syntax.FileOptions{Set: true, While: true, TopLevelControl: true, GlobalReassign: true, Recursion: true}
}

// ExecFile runs a script file to its end, then looks at the parameters and
// checks. It returns nil or an *Error. The script reads below the directory
// that it lies in.
func (s *Session) ExecFile(path string) error {
	src, err := readScript(path)
	if err != nil {
		return &Error{Category: UsageError, Msg: err.Error()}
	}
	if err := s.sources.setRoot(filepath.Dir(path)); err != nil {
		return &Error{Category: UsageError, Msg: err.Error()}
	}
	return s.Exec(path, src)
}

// readScript reads a script, and words what can go wrong for the user.
func readScript(path string) (string, error) {
	if st, err := os.Stat(path); err == nil && st.IsDir() {
		return "", fmt.Errorf("script %s: is a directory", path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return "", fmt.Errorf("script %s: %v", path, err)
	}
	if i := bytes.IndexByte(data, 0); i >= 0 { // Starlark takes it for the end.
		return "", fmt.Errorf("script %s: is no text: byte %d is 0", path, i)
	}
	return string(data), nil
}

// Exec runs the text of a script to its end, as ExecFile does. The name
// appears in errors.
func (s *Session) Exec(name, src string) (err error) {
	defer func() { s.outcome = outcomeOf(err) }()
	_, err = s.execMain(name, src)
	if err == nil {
		err = s.params.finish(s)
	}
	if err == nil {
		err = s.checks.finish()
	}
	return err
}

// execMain runs a main script and returns its globals, frozen.
func (s *Session) execMain(name, src string) (starlark.StringDict, error) {
	s.sources.setMain(name, src)
	var globals starlark.StringDict
	err := s.run(s.sources.mainPlace(name), func(thread *starlark.Thread) (err error) {
		globals, err = s.execSource(thread, name, src)
		return err
	})
	return globals, err
}

// execSource compiles and runs one file on a thread of its own.
func (s *Session) execSource(thread *starlark.Thread, name, src string) (starlark.StringDict, error) {
	file, err := fileOptions().Parse(name, src, 0)
	if err != nil {
		return nil, err
	}
	prog, err := starlark.FileProgram(file, s.env.Has)
	if err != nil {
		return nil, err
	}
	s.sources.setFile(name, file)
	if err := s.params.scan(s, file, thread); err != nil {
		return nil, err
	}
	globals, err := prog.Init(thread, s.env)
	globals.Freeze()
	return globals, err
}

// Call calls a function of a script on a new thread, as a test or an event of
// a front end does. It returns nil or an *Error beside the result.
func (s *Session) Call(fn starlark.Value, args ...starlark.Value) (v starlark.Value, err error) {
	err = s.run(s.sources.mainPlace("main"), func(thread *starlark.Thread) (err error) {
		v, err = starlark.Call(thread, fn, args, nil)
		return err
	})
	return v, err
}

// run gives fn a thread, and makes one *Error of whatever goes wrong.
func (s *Session) run(at place, fn func(*starlark.Thread) error) (err error) {
	thread, state := s.newThread(at)
	defer func() {
		s.endThread(thread)
		if r := recover(); r != nil {
			err = s.internalError(r)
		}
	}()
	if err := fn(thread); err != nil {
		return s.explain(err, state)
	}
	return nil
}

// Interrupt makes the running script fail promptly with an *Error of category
// Interrupted. It may be called from any goroutine, and more than once.
func (s *Session) Interrupt(reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.interrupted.CompareAndSwap(nil, &reason)
	for t := range s.threads {
		t.Cancel(reason)
	}
}

// Poll returns an error once Interrupt was called. Built-ins that run long
// ask it now and then and return what it says.
func (s *Session) Poll() error {
	if s == nil {
		return nil
	}
	if r := s.interrupted.Load(); r != nil {
		return interruptError(*r)
	}
	return s.parent.Poll()
}

// clearInterrupt makes the session usable again after an interrupt.
func (s *Session) clearInterrupt() { s.interrupted.Store(nil) }

// interruptError is the cause of an Error of category Interrupted.
type interruptError string

func (e interruptError) Error() string {
	if e == "" {
		return "interrupted"
	}
	return "interrupted: " + string(e)
}

// isIdent reports whether s can be a name in a script.
func isIdent(s string) bool {
	for i, r := range s {
		if !(r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || i > 0 && r >= '0' && r <= '9') {
			return false
		}
	}
	return s != "" && !strings.HasPrefix(s, " ")
}
