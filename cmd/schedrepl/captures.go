package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"schedrepl/bindings"
	"schedrepl/engine/validate"
)

// setupFile is what makes a folder a capture.
const setupFile = "scenario.json"

const validateLong = `validate runs the model against schedules that real scheduler code has made, and
compares decision by decision. A PATH is the folder of one capture (it holds
scenario.json and trace.txt.gz), or a folder with such folders below it.`

func (p *process) validateCommand() *cobra.Command {
	var prof profileFlags
	cmd := &cobra.Command{
		Use:     "validate PATH...",
		Short:   "compare the model with recorded schedules",
		Long:    validateLong,
		Example: "  schedrepl validate engine/validate/testdata/captures",
		Args:    takes(1, -1, "the PATH of a capture"),
		RunE: func(_ *cobra.Command, args []string) error {
			return p.profiled(&prof, func() error { return p.validate(args) })
		},
	}
	prof.cpuFlag(cmd.Flags())
	return cmd
}

// validate compares all captures at or below the paths.
func (p *process) validate(paths []string) error {
	var dirs []string
	for _, path := range paths {
		found, err := findCaptures(path)
		if err != nil {
			return err
		}
		dirs = append(dirs, found...)
	}
	var equal, differ, failed int
	broken := false
	for _, dir := range dirs {
		line := ""
		switch e, err := compare(dir); {
		case err != nil:
			failed++
			broken = broken || errors.As(err, new(brokenError))
			line = fmt.Sprintf("%s: cannot be compared: %v", filepath.Base(dir), err)
		case e.Equal:
			equal++
			line = e.String()
		default:
			differ++
			line = e.String()
		}
		if _, err := fmt.Fprintln(p.stdout, line); err != nil {
			return &bindings.Error{Category: bindings.ScriptError, Msg: fmt.Sprintf("cannot print the results: %v", plainCause(err))}
		}
	}
	if len(dirs) > 1 {
		fmt.Fprintf(p.stdout, "%d equal, %d differ, %d could not be compared\n", equal, differ, failed)
	}
	switch {
	case broken:
		return silent(bindings.InternalError)
	case differ+failed > 0:
		return silent(bindings.CheckFailed)
	}
	return nil
}

// findCaptures lists the folders at or below a path that hold a capture, in
// the order of their names, as absolute paths.
func findCaptures(path string) ([]string, error) {
	if err := exists("capture", path, func(string) bool { return true }); err != nil {
		return nil, err
	}
	abs, err := filepath.EvalSymlinks(path)
	if err == nil {
		abs, err = filepath.Abs(abs)
	}
	if err != nil {
		return nil, usage("", "capture %s: %v", path, plainCause(err))
	}
	if st, err := os.Stat(abs); err == nil && !st.IsDir() {
		return nil, usage("give its folder, which holds "+setupFile, "capture %s: it is a file", path)
	}
	var dirs []string
	err = filepath.WalkDir(abs, func(file string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == setupFile && !d.IsDir() {
			dirs = append(dirs, filepath.Dir(file))
		}
		return err
	})
	if err != nil {
		return nil, usage("", "capture %s: %v", path, err)
	}
	if len(dirs) == 0 {
		return nil, usage("", "capture %s: there is no %s in it or below it", path, setupFile)
	}
	return dirs, nil
}

// brokenError is an invariant of the model that broke.
type brokenError struct{ what any }

func (e brokenError) Error() string {
	return fmt.Sprintf("internal error: %v; this is a bug of the simulator, please report it with the capture", e.what)
}

// compare compares one capture.
func compare(dir string) (e *validate.Exact, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = brokenError{r}
		}
	}()
	return validate.CompareExact(os.DirFS(filepath.Dir(dir)), filepath.Base(dir))
}
