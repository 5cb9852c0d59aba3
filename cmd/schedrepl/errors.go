package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"schedrepl/bindings"
)

// usage is the error of a command line that is wrong, with what would be right;
// the hint may be empty.
func usage(hint, format string, args ...any) error {
	return &bindings.Error{Category: bindings.UsageError, Msg: fmt.Sprintf(format, args...), Hint: hint}
}

// silent is an error that the command has told already.
type silent int

func (s silent) Error() string { return fmt.Sprintf("exit code %d", int(s)) }

// report tells the user about an error and returns the exit code for it. What
// is no error of ours comes from cobra, and is about the command line.
func (p *process) report(err error) int {
	var told silent
	var e *bindings.Error
	switch {
	case err == nil:
		return 0
	case errors.As(err, &told):
		return int(told)
	case errors.As(err, &e):
	default:
		e = &bindings.Error{Category: bindings.UsageError, Msg: err.Error(), Hint: "see schedrepl --help"}
	}
	fmt.Fprintln(p.stderr, e.Error())
	return e.ExitCode()
}

// flagError words a flag that does not parse.
func flagError(cmd *cobra.Command, err error) error {
	see := "see " + cmd.CommandPath() + " --help"
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.Is(err, pflag.ErrHelp):
		return err
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "":
		name := unknown.GetSpecifiedName()
		var flags []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { flags = append(flags, "--"+f.Name) })
		return usage(see, "unknown flag --%s%s", name, bindings.DidYouMean("--"+name, flags))
	case errors.As(err, &invalid):
		return usage(see, "flag --%s: %q is not %s", invalid.GetFlag().Name, invalid.GetValue(), flagKind(invalid.GetFlag()))
	}
	return usage(see, "%v", err)
}

// flagKind says in words what a flag takes.
func flagKind(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "uint64":
		return "a whole number of 0 or more"
	case "bool":
		return "true or false"
	}
	return "a " + f.Value.Type()
}

// takes checks the number of arguments of a command, of which what is the
// name: "one script FILE". A negative max is no limit.
func takes(min, max int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		see := "see " + cmd.CommandPath() + " --help"
		switch n := len(args); {
		case n < min:
			return usage(see, "%s: %s is missing", cmd.CommandPath(), what)
		case max >= 0 && n > max && max > 0 && strings.Contains(args[max], "="):
			return usage("write -p "+args[max], "%s takes %s; %q is one too many", cmd.CommandPath(), what, args[max])
		case max >= 0 && n > max:
			return usage(see, "%s takes %s; %q is one too many", cmd.CommandPath(), what, args[max])
		}
		return nil
	}
}
