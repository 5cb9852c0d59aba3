package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"schedrepl/bindings"
)

// runFlags are the flags of run.
type runFlags struct {
	params    []string
	seed      uint64
	out       string
	trace     string
	maxSteps  uint64
	allowDirs []string
	quiet     bool
	jobs      int
	prof      profileFlags
}

const runLong = `run runs a script to its end. What the script prints goes to stdout; figures,
tables and traces that it saves go to the directory of --out, with a
manifest.json that tells what made them. The same script, parameters and seed
give the same bytes.

FILE - is the script at stdin. Ctrl-C stops the script and keeps what it has
saved; a second Ctrl-C kills the program.`

func (p *process) runCommand() *cobra.Command {
	f := runFlags{}
	cmd := &cobra.Command{
		Use:     "run FILE",
		Short:   "run a script",
		Long:    runLong,
		Example: "  schedrepl run desktop.star -p autogroup=false -p jobs=20 --seed 7 --out out/",
		Args:    takes(1, 1, "one script FILE"),
		RunE: func(_ *cobra.Command, args []string) error {
			return p.profiled(&f.prof, func() error { return p.runScript(args[0], &f) })
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"star"}, cobra.ShellCompDirectiveFilterFileExt
		},
	}
	fl := cmd.Flags()
	fl.StringArrayVarP(&f.params, "param", "p", nil, "set a parameter that the script declares, as `name=value`")
	fl.Uint64Var(&f.seed, "seed", 1, "the `number` from which all random streams grow, 1 or more")
	fl.StringVar(&f.out, "out", "", "the `directory` for what the script saves; it is made if it is missing")
	fl.StringVar(&f.trace, "trace", "", "write each decision of the machines into a text `file` (those of repeat left out)")
	fl.Uint64Var(&f.maxSteps, "max-steps", 0, "stop the script after so many `steps` of Starlark; 0 is no limit")
	fl.StringArrayVar(&f.allowDirs, "allow-dir", nil, "a `directory` that the script may read from besides its own")
	fl.IntVarP(&f.jobs, "jobs", "j", 0, "how many runs of repeat go on at once at most, a `number`; 0 is one for each CPU")
	fl.BoolVar(&f.quiet, "quiet", false, "no progress and no notes on stderr")
	f.prof.cpuFlag(fl)
	f.prof.scriptFlag(fl)
	return cmd
}

// runScript runs one script.
func (p *process) runScript(file string, f *runFlags) (err error) {
	opts, err := f.options()
	if err != nil {
		return err
	}
	src, err := p.readScript(file)
	if err != nil {
		return err
	}
	if err := f.makeOut(); err != nil {
		return err
	}
	trace, err := createTrace(f.trace)
	if err != nil {
		return err
	}
	bar := p.newProgress(f.quiet)
	opts.Stdout, opts.Stderr = bar.above(p.stdout), bar.above(p.stderr)
	if f.quiet {
		opts.Stderr = nil
	}
	opts.Progress, opts.Repeat = bar.callback(), bar.repeatCallback()
	opts.Trace = trace.writer()
	opts.Stdlib, opts.Version = p.stdlib, p.version
	s, err := bindings.NewSession(opts)
	if err != nil {
		return errors.Join(err, trace.close(nil))
	}
	defer p.onInterrupt(func() { s.Interrupt("") })()
	if file == "-" {
		err = s.Exec("<stdin>", src)
	} else {
		err = s.ExecFile(file)
	}
	bar.erase()
	return p.finish(s, trace, err)
}

// finish writes what a run leaves behind, also one that has failed: its
// manifest and the end of its trace. Of several errors, the first decides about
// the exit code.
func (p *process) finish(s *bindings.Session, trace *traceFile, err error) error {
	errs := []error{err}
	if bindings.ExitCodeOf(err) != int(bindings.UsageError) {
		errs = append(errs, s.WriteManifest())
	}
	errs = append(errs, trace.close(s.FlushTrace))
	errs = slices.DeleteFunc(errs, func(err error) bool { return err == nil })
	if len(errs) == 0 {
		return nil
	}
	for _, more := range errs[1:] {
		defer p.report(more)
	}
	return errs[0]
}

// options makes the options of a session of the flags, and checks them.
func (f *runFlags) options() (bindings.Options, error) {
	o := bindings.Options{
		Seed: f.seed, OutDir: f.out, AllowDirs: f.allowDirs, MaxSteps: f.maxSteps, Jobs: f.jobs,
		Params: map[string]string{},
	}
	if f.seed == 0 {
		return o, usage("", "flag --seed: 0 is no seed; it must be 1 or more")
	}
	if f.jobs < 0 {
		return o, usage("", "flag -j: %d runs cannot go on at once; it must be 1 or more, or 0 for one on each CPU", f.jobs)
	}
	for _, text := range f.params {
		name, value, ok := strings.Cut(text, "=")
		if _, twice := o.Params[name]; twice {
			return o, usage("", "flag -p: parameter %s is set twice", name)
		}
		if !ok || name == "" {
			return o, usage("", "flag -p: %q sets nothing; write -p name=value", text)
		}
		o.Params[name] = value
	}
	if err := o.Validate(); err != nil {
		return o, usage("", "%v", err)
	}
	return o, nil
}

// readScript checks that the script is there, and reads that at stdin.
func (p *process) readScript(file string) (string, error) {
	if file == "-" {
		src, err := io.ReadAll(p.stdin)
		if err != nil {
			return "", usage("", "script at stdin: %v", plainCause(err))
		}
		return string(src), nil
	}
	return "", exists("script", file, func(name string) bool { return strings.HasSuffix(name, ".star") })
}

// makeOut makes the output directory and tries it out, so that a long run does
// not end with nothing to show.
func (f *runFlags) makeOut() error {
	if f.out == "" {
		return nil
	}
	const hint = "give --out a directory that can be written"
	if st, err := os.Stat(f.out); err == nil && !st.IsDir() {
		return usage(hint, "output directory %s: it is a file", f.out)
	}
	if err := os.MkdirAll(f.out, 0o777); err != nil {
		return usage(hint, "output directory %s: cannot make it: %v", f.out, plainCause(err))
	}
	probe, err := os.CreateTemp(f.out, ".probe-*")
	if err != nil {
		return usage(hint, "output directory %s: cannot write there: %v", f.out, plainCause(err))
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// traceFile is the file of --trace; nil writes none.
type traceFile struct{ *os.File }

func createTrace(name string) (*traceFile, error) {
	if name == "" {
		return nil, nil
	}
	if name == "-" {
		return nil, usage("write --trace trace.txt", "flag --trace: it wants the name of a file; stdout is for what the script prints")
	}
	// For writing only: a pipe whose reader has gone must say so.
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return nil, usage("give --trace a file that can be written", "trace %s: cannot make it: %v", name, plainCause(err))
	}
	return &traceFile{f}, nil
}

func (t *traceFile) writer() io.Writer {
	if t == nil {
		return nil
	}
	return t.File
}

// close ends the file; flush, if not nil, writes what it has not got yet.
func (t *traceFile) close(flush func() error) error {
	if t == nil {
		return nil
	}
	var err error
	if flush != nil {
		err = flush()
	}
	if cerr := t.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return &bindings.Error{Category: bindings.ScriptError, Msg: fmt.Sprintf("trace %s: it is not complete: %v", t.Name(), plainCause(err))}
	}
	return nil
}

// exists fails for a path that is not there. The error suggests a name near to
// it in its folder, or lists those that could have been meant.
func exists(what, file string, like func(name string) bool) error {
	if _, err := os.Stat(file); err == nil {
		return nil
	} else if !errors.Is(err, os.ErrNotExist) {
		return usage("", "%s %s: %v", what, file, plainCause(err))
	}
	dir := filepath.Dir(file)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return usage("", "%s %s: there is no directory %s", what, file, dir)
	}
	var names []string
	for _, e := range entries {
		if like(e.Name()) {
			names = append(names, e.Name())
		}
	}
	near := bindings.DidYouMean(filepath.Base(file), names)
	const few = 6
	if near == "" && len(names) > 0 && len(names) <= few {
		near = "; its directory has " + strings.Join(names, ", ")
	}
	return usage("", "%s %s: no such file%s", what, file, near)
}

// plainCause drops operation and path from an error about a file: the message
// around it names them.
func plainCause(err error) error {
	var pe *os.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}
