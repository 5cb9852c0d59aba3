package main

import (
	"errors"
	"fmt"
	"os"
	"runtime/pprof"

	"github.com/spf13/pflag"

	"schedrepl/bindings"
)

// profileFlags are the files that profiles of the program itself go to, in the
// format of pprof; those that are empty are not made.
type profileFlags struct {
	cpu    string // CPU time by Go function.
	script string // Time by function of the script.
}

func (f *profileFlags) cpuFlag(fl *pflag.FlagSet) {
	fl.StringVar(&f.cpu, "cpuprofile", "", "write where the program spends CPU time into a `file`, for go tool pprof")
}

func (f *profileFlags) scriptFlag(fl *pflag.FlagSet) {
	fl.StringVar(&f.script, "script-profile", "", "write which functions of the script take time into a `file`, for go tool pprof")
}

// profiled calls run between the beginning and the end of the profiles that the
// flags ask for. They are complete also when run fails or is interrupted.
func (p *process) profiled(f *profileFlags, run func() error) (err error) {
	stopCPU, err := startProfile("--cpuprofile", f.cpu, func(w *os.File) (func() error, error) {
		return func() error { pprof.StopCPUProfile(); return nil }, pprof.StartCPUProfile(w)
	})
	if err != nil {
		return err
	}
	stopScript, err := startProfile("--script-profile", f.script, func(w *os.File) (func() error, error) {
		return bindings.StartProfile(w)
	})
	if err != nil {
		return errors.Join(err, stopCPU())
	}
	defer func() {
		// Of several errors the first decides about the exit code.
		for _, more := range []error{stopScript(), stopCPU()} {
			if err == nil {
				err = more
			} else if more != nil {
				p.report(more)
			}
		}
	}()
	return run()
}

// startProfile makes the file that a flag names and starts a profile into it;
// without a name it does nothing. stop ends the profile and the file.
func startProfile(flag, name string, start func(*os.File) (func() error, error)) (stop func() error, err error) {
	switch name {
	case "":
		return func() error { return nil }, nil
	case "-":
		return nil, usage("write "+flag+" profile.pb.gz", "flag %s: it wants the name of a file; stdout is for what is printed", flag)
	}
	w, err := os.Create(name)
	if err != nil {
		return nil, usage("give "+flag+" a file that can be written", "flag %s: cannot make %s: %v", flag, name, plainCause(err))
	}
	end, err := start(w)
	if err != nil {
		return nil, errors.Join(usage("", "flag %s: %v", flag, err), w.Close())
	}
	return func() error {
		err := errors.Join(end(), w.Close())
		if err == nil {
			return nil
		}
		return &bindings.Error{Category: bindings.ScriptError, Msg: fmt.Sprintf("profile %s: it is not complete: %v", name, plainCause(err))}
	}, nil
}
