package repl

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"schedrepl/bindings"
)

// Config is what a prompt needs of the world outside. Editor, Out, Err and Now
// must be given; the rest may be left out.
type Config struct {
	Editor LineEditor
	Out    io.Writer              // What scripts print, and values.
	Err    io.Writer              // Notes and errors.
	Screen func() bindings.Screen // The size of the terminal; nil is 80 by 24.
	Colour bool                   // Errors and prompts may be coloured.
	Now    func() time.Time       // The wall clock, for %time and for Ctrl-C.
	Notify func(chan<- os.Signal) // Sends signals to a channel from now on.
	Ignore func(chan<- os.Signal) // Ends that.
	Exit   func(code int)         // Ends the process at once, for signals that ask for it.
	Begin  func()                 // Is called before code runs, for the progress line.
	End    func()                 // Is called after it.

	History string // The file of the history; empty keeps none.
	Init    string // The script that is run at the start, if it is there.
	OutDir  string // Where figures and files go; made on first need.
	Version string
	Session bindings.Options // Show, Saved, Stdout and Stderr are set by the prompt.
}

// REPL is one prompt.
type REPL struct {
	Config
	s      *bindings.Session
	hist   *history
	signal *signals
	out    *endWriter

	n       int      // The number of the entry that is read.
	entries []*entry // What was entered in this session.
	typed   []string // The lines of the entry so far, for completion.
	next    string   // What stands in the next entry at first.
	quit    bool
	figures int             // The last number of a figure.
	saving  string          // The figure that is being shown, which show tells of.
	written map[string]bool // Files that %save has written.
	run     string          // The file that %run ran last.
}

// entry is one thing that was entered.
type entry struct {
	n      int
	text   string
	failed bool
	shown  bool // It had a value, which was shown.
}

// New makes a prompt. It fails if an option of the session is of no use.
func New(c Config) (*REPL, error) {
	if c.Screen == nil {
		c.Screen = func() bindings.Screen { return bindings.Screen{Width: 80, Height: 24} }
	}
	for _, f := range []*func(){&c.Begin, &c.End} {
		if *f == nil {
			*f = func() {}
		}
	}
	r := &REPL{Config: c, n: 1, written: map[string]bool{}, out: &endWriter{w: c.Out, ended: true}}
	o := c.Session
	o.Stdout, o.Stderr, o.OutDir, o.Version = r.out, c.Err, c.OutDir, c.Version
	o.Show = r.show
	o.Saved = func(path string, f bindings.SavedFile) {
		if f.Name != r.saving {
			fmt.Fprintf(r.out, "saved %s\n", path)
		}
	}
	s, err := bindings.NewSession(o)
	if err != nil {
		return nil, err
	}
	r.s = s
	return r, nil
}

// Complete is the Completer of the prompt: the editor that Config names may be
// made before the prompt is.
func (r *REPL) Complete(before string) (from int, list []bindings.Candidate) {
	if strings.HasSuffix(before, "?") && strings.Trim(before, "?") != "" {
		return len(before), nil // The question is whole.
	}
	if len(r.typed) == 0 && strings.HasPrefix(before, "%") {
		if from, list, ok := r.completeCommand(before); ok {
			return from, list
		}
	}
	head := ""
	if len(r.typed) > 0 {
		head = strings.Join(r.typed, "\n") + "\n"
	}
	mark := 0
	if head == "" && strings.HasPrefix(before, "?") {
		mark = len(before) - len(strings.TrimLeft(before, "?"))
	}
	from, list = r.s.Complete(head + before[mark:])
	if from -= len(head); from < 0 {
		return len(before), nil
	}
	return from + mark, list
}

// Run greets, and then reads entries and runs them until the user leaves. The
// result is the exit code.
func (r *REPL) Run() int {
	defer r.Editor.Close()
	r.signal = newSignals(r)
	defer r.signal.stop()
	fmt.Fprintf(r.Err, "schedrepl %s: experiments on a simulated Linux scheduler\n", r.Version)
	fmt.Fprintln(r.Err, "name? or %help for help, Tab completes, Ctrl-C stops a run, Ctrl-D leaves")
	hist, err := openHistory(r.History)
	r.hist = hist
	if err != nil {
		r.note("%v", err)
	}
	r.runInit()
	for !r.quit {
		r.out.freshLine()
		text, err := r.readEntry()
		switch {
		case errors.Is(err, ErrInterrupt):
			continue
		case err != nil:
			r.quit = true
		case strings.TrimSpace(text) != "":
			r.enter(text)
		}
	}
	return 0
}

// runInit runs the script of the user's own at the start. An error in it is
// shown, and the prompt goes on.
func (r *REPL) runInit() {
	if r.Init == "" {
		return
	}
	if st, err := os.Stat(r.Init); err != nil || !st.Mode().IsRegular() {
		return
	}
	r.guard(func() error { return r.s.RunFile(r.Init, nil) })
}

// enter carries out one entry.
func (r *REPL) enter(text string) {
	if err := r.hist.add(text); err != nil {
		r.note("history is not kept: %v", err)
		r.hist.path = ""
	}
	e := &entry{n: r.n, text: text}
	r.entries = append(r.entries, e)
	r.n++
	e.failed = !r.carryOut(e)
}

// carryOut tells the sorts of entries apart; it returns whether all went well.
func (r *REPL) carryOut(e *entry) bool {
	line := strings.TrimSpace(e.text)
	switch {
	case strings.HasPrefix(line, "%"):
		return r.command(e, line)
	case r.leaves(line):
		r.quit = true
		return true
	case line == "help" && !r.redefined("help"):
		return r.helpCommand("")
	}
	if name, source, ok := helpName(line); ok {
		return r.help(name, source)
	}
	return r.cell(e, e.text)
}

// leaves knows the words that other prompts have for leaving, as long as they
// have no other meaning.
func (r *REPL) leaves(line string) bool {
	word := strings.TrimSuffix(line, "()")
	if word != "quit" && word != "exit" {
		return false
	}
	_, defined := r.s.Globals()[word]
	return !defined
}

// redefined tells whether the session has given the name of a built-in function
// a meaning of its own.
func (r *REPL) redefined(name string) bool {
	v, ok := r.s.Globals()[name]
	return ok && v.String() != "<built-in function "+name+">"
}

// cell runs code, and shows its value.
func (r *REPL) cell(e *entry, code string) bool {
	return r.guard(func() error {
		r.s.ForgetModules()
		v, err := r.s.Cell(fmt.Sprintf("In[%d]", e.n), code)
		if err != nil || v == nil {
			return err
		}
		r.s.SetLast(v)
		if v.Type() == "NoneType" {
			return nil
		}
		e.shown = true
		return r.show(v)
	})
}

// guard runs what may take long: Ctrl-C stops it. It shows the error, and
// returns whether there was none.
func (r *REPL) guard(fn func() error) bool {
	r.Begin()
	r.signal.running(true)
	err := fn()
	interrupted := r.signal.running(false)
	r.End()
	if interrupted {
		r.Editor.Drop()
	}
	if err != nil {
		r.out.freshLine()
		r.fail(err)
	}
	return err == nil
}

// fail shows an error.
func (r *REPL) fail(err error) {
	fmt.Fprintln(r.Err, paintError(errorText(err), r.Colour))
}

// errorText is what the user reads of an error.
func errorText(err error) string {
	var e *bindings.Error
	if errors.As(err, &e) {
		return e.Error()
	}
	return "error: " + err.Error()
}

// failf shows an error of a command of the prompt. It returns false.
func (r *REPL) failf(format string, args ...any) bool {
	r.fail(fmt.Errorf(format, args...))
	return false
}

func (r *REPL) note(format string, args ...any) {
	fmt.Fprintf(r.Err, "note: "+format+"\n", args...)
}

// endWriter knows whether what was written ends a line.
type endWriter struct {
	w     io.Writer
	ended bool
}

func (e *endWriter) Write(p []byte) (int, error) {
	if len(p) > 0 {
		e.ended = p[len(p)-1] == '\n'
	}
	return e.w.Write(p)
}

// freshLine begins a line of its own, so that a prompt or an error does not
// overwrite output.
func (e *endWriter) freshLine() {
	if !e.ended {
		_, _ = io.WriteString(e, "\n") // A terminal that is gone ends the prompt anyway.
	}
}
