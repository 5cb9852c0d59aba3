package main

import (
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"schedrepl/bindings"
	"schedrepl/cmd/schedrepl/internal/repl"
)

// promptFlags are the flags of the program without a command.
type promptFlags struct {
	run    runFlags
	noInit bool
}

const defaultOut = "schedrepl-out"

// addPromptFlags gives the root command the flags of a prompt.
func addPromptFlags(cmd *cobra.Command, f *promptFlags) {
	fl := cmd.Flags()
	fl.StringArrayVarP(&f.run.params, "param", "p", nil, "set a parameter that is declared at the prompt, as `name=value`")
	fl.Uint64Var(&f.run.seed, "seed", 1, "the `number` from which all random streams grow, 1 or more")
	fl.StringVar(&f.run.out, "out", "", "the `directory` for figures and what is saved (default "+defaultOut+" at the prompt)")
	fl.StringArrayVar(&f.run.allowDirs, "allow-dir", nil, "a `directory` that scripts may read from besides their own")
	fl.BoolVar(&f.run.quiet, "quiet", false, "no progress on stderr")
	fl.BoolVar(&f.noInit, "no-init", false, "do not run the startup script")
}

// interactive is the program without a command: a prompt on a terminal, and else
// the script at stdin.
func (p *process) interactive(f *promptFlags) error {
	if !p.inTerm {
		return p.runScript("-", &f.run)
	}
	opts, err := f.run.options()
	if err != nil {
		return err
	}
	bar := p.newProgress(f.run.quiet)
	opts.Progress, opts.Repeat = bar.callback(), bar.repeatCallback()
	opts.Stdlib = p.stdlib
	c := repl.Config{
		Out: bar.above(p.stdout), Err: bar.above(p.stderr),
		Screen: func() bindings.Screen {
			w, h := p.screen()
			return bindings.Screen{Width: w, Height: h}
		},
		Colour: p.colour(p.outTerm && p.errTerm),
		Now:    p.now, Exit: p.exit,
		Notify: func(c chan<- os.Signal) {
			p.notify(c)
			if !signal.Ignored(syscall.SIGHUP) { // As nohup wishes.
				signal.Notify(c, syscall.SIGHUP)
			}
		},
		Ignore: func(c chan<- os.Signal) { p.unnotify(c); signal.Stop(c) },
		Begin:  bar.restart, End: bar.erase,
		History: p.userFile("XDG_STATE_HOME", ".local/state", "history"),
		OutDir:  f.run.out, Version: p.version, Session: opts,
	}
	if c.OutDir == "" {
		c.OutDir = defaultOut
	}
	if !f.noInit {
		c.Init = p.userFile("XDG_CONFIG_HOME", ".config", "init.star")
	}
	r, err := repl.New(c)
	if err != nil {
		return err
	}
	if r.Editor, err = p.editor(r.Complete); err != nil {
		return err
	}
	if code := r.Run(); code != 0 {
		return silent(code)
	}
	return nil
}

// userFile is the path of a file of the user's own, below the directory that a
// variable of the environment names, or below one of the home directory. It is
// empty if there is neither.
func (p *process) userFile(variable, below, name string) string {
	dir := p.getenv(variable)
	if !filepath.IsAbs(dir) { // As the XDG rules say.
		home := p.getenv("HOME")
		if home == "" {
			return ""
		}
		dir = filepath.Join(home, filepath.FromSlash(below))
	}
	return filepath.Join(dir, "schedrepl", name)
}

// restart makes the progress line wait, as at the start of a run, before it
// shows.
func (b *progress) restart() {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.drawn, b.run = b.now(), span{}
	b.began, b.runs = b.drawn, bindings.RepeatProgress{}
}

// newEditor makes the line editor of the terminal that the program runs on. What
// it shows goes to stdout, or to stderr if stdout goes elsewhere.
func (p *process) newEditor(complete repl.Completer) (repl.LineEditor, error) {
	out := os.Stdout
	if !p.outTerm {
		out = os.Stderr
	}
	if !p.outTerm && !p.errTerm || p.getenv("TERM") == "dumb" {
		return repl.NewPlain(os.Stdin, out), nil
	}
	return repl.NewTerminal(os.Stdin, out, p.screen, complete)
}

// terminalSize is the size of the terminal that one of the files is, or that of
// the oldest ones.
func terminalSize(files ...*os.File) (width, height int) {
	for _, f := range files {
		if w, h, err := term.GetSize(int(f.Fd())); err == nil && w > 0 && h > 0 {
			return w, h
		}
	}
	return 80, 24
}
