package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/term"

	"schedrepl/bindings"
	"schedrepl/cmd/schedrepl/internal/repl"
	"schedrepl/stdlib"
)

// process is what the program has of the world outside: streams, environment,
// clock and signals. The current directory is the only other thing it uses.
type process struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	inTerm         bool       // Stdin is a terminal.
	outTerm        bool       // Stdout is a terminal.
	errTerm        bool       // Stderr is a terminal.
	width          func() int // Columns of the terminal at stderr.
	getenv         func(name string) string
	now            func() time.Time       // The wall clock, for progress and test times only.
	notify         func(chan<- os.Signal) // Sends Ctrl-C to a channel, from now on.
	unnotify       func(chan<- os.Signal) // Ends that: Ctrl-C kills the program again.
	version        string
	stdlib         fs.FS

	screen func() (width, height int)                    // Of the terminal that a prompt is on.
	editor func(repl.Completer) (repl.LineEditor, error) // Makes the line editor of a prompt.
	exit   func(code int)                                // Ends the program at once.
}

// newProcess returns the process that the program runs as.
func newProcess() *process {
	p := &process{
		stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr,
		inTerm:  term.IsTerminal(int(os.Stdin.Fd())),
		outTerm: term.IsTerminal(int(os.Stdout.Fd())),
		errTerm: term.IsTerminal(int(os.Stderr.Fd())),
		width: func() int {
			w, _, err := term.GetSize(int(os.Stderr.Fd()))
			if err != nil {
				return 80
			}
			return w
		},
		getenv:   os.Getenv,
		now:      time.Now,
		notify:   func(c chan<- os.Signal) { signal.Notify(c, os.Interrupt, syscall.SIGTERM) },
		unnotify: func(c chan<- os.Signal) { signal.Stop(c) },
		version:  buildVersion(),
		stdlib:   stdlib.FS,
		screen:   func() (int, int) { return terminalSize(os.Stdout, os.Stderr, os.Stdin) },
		exit:     os.Exit,
	}
	p.editor = p.newEditor
	return p
}

// run carries out one command line and returns the exit code. Nothing panics
// past it: what does is a bug of ours, and is told as one.
func (p *process) run(args []string) (code int) {
	defer func() {
		if r := recover(); r != nil {
			code = p.report(&bindings.Error{
				Category: bindings.InternalError,
				Msg:      fmt.Sprintf("internal error: %v", r),
				Hint:     "this is a bug of the program; please report it with the command line",
			})
		}
	}()
	root := p.rootCommand()
	root.SetArgs(args)
	root.SetIn(p.stdin)
	root.SetOut(p.stdout)
	root.SetErr(p.stderr)
	return p.report(root.Execute())
}

// onInterrupt calls f at the first Ctrl-C. A second one kills the program, as
// if it were not listening. The caller calls done when f has no meaning any
// more.
func (p *process) onInterrupt(f func()) (done func()) {
	c := make(chan os.Signal, 1)
	quit := make(chan struct{})
	p.notify(c)
	go func() {
		select {
		case <-c:
			p.unnotify(c)
			f()
		case <-quit:
		}
	}()
	return func() {
		p.unnotify(c)
		close(quit)
	}
}

// colour reports whether output to a stream may be coloured: not into a file,
// not on a terminal that cannot, and not against the user's wish (see
// no-color.org).
func (p *process) colour(terminal bool) bool {
	return terminal && p.getenv("NO_COLOR") == "" && p.getenv("TERM") != "dumb"
}
