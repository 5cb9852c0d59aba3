package main

import (
	"os"
	"strings"

	"github.com/spf13/cobra"

	"schedrepl/bindings"
)

const rootLong = `schedrepl simulates the CPU scheduler of Linux: deterministic, from a seed, and
driven by scripts in Starlark, a small Python.

Exit codes: 0 done, 1 a script or test failed, 2 the command line is wrong, 3 a
check or comparison failed, 4 a bug of schedrepl, 130 interrupted.`

// rootCommand makes the tree of commands.
func (p *process) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "schedrepl",
		Short:         "experiments on a simulated Linux scheduler",
		Long:          rootLong,
		Version:       p.version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				cmd.SetOut(p.stderr)
				if err := cmd.Help(); err != nil {
					return err
				}
				return silent(bindings.UsageError)
			}
			return unknownCommand(cmd, args[0])
		},
	}
	root.SetVersionTemplate("schedrepl {{.Version}}\n")
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(p.runCommand(), p.testCommand(), p.docCommand(), p.validateCommand(), p.versionCommand())
	root.SetHelpCommand(&cobra.Command{
		Use:   "help [COMMAND]",
		Short: "what a command does, and its flags",
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return unknownCommand(root, strings.Join(args, " "))
			}
			cmd.InitDefaultHelpFlag()
			return cmd.Help()
		},
	})
	return root
}

// unknownCommand is the error for a word that is no command.
func unknownCommand(root *cobra.Command, word string) error {
	if st, err := os.Stat(word); err == nil && st.Mode().IsRegular() {
		return usage("write schedrepl run "+word, "unknown command %q", word)
	}
	var names []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return usage("commands are "+strings.Join(names, ", "), "unknown command %q%s", word, bindings.DidYouMean(word, names))
}
