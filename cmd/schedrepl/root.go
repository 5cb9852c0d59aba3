package main

import (
	"os"
	"strings"

	"github.com/spf13/cobra"

	"schedrepl/bindings"
)

const rootLong = `schedrepl simulates the CPU scheduler of Linux: deterministic, from a seed, and
driven by scripts in Starlark, a small Python.

Without a command it is a prompt on a terminal, where %help tells more, and runs
the script at stdin where that is no terminal. The prompt keeps its history in
$XDG_STATE_HOME/schedrepl/history (~/.local/state by default), and runs the
script $XDG_CONFIG_HOME/schedrepl/init.star (~/.config) first.

Exit codes: 0 done, 1 a script or test failed, 2 the command line is wrong, 3 a
check or comparison failed, 4 a bug of schedrepl, 130 interrupted.`

// rootCommand makes the tree of commands.
func (p *process) rootCommand() *cobra.Command {
	f := promptFlags{}
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
				return p.interactive(&f)
			}
			return unknownCommand(cmd, args[0])
		},
	}
	addPromptFlags(root, &f)
	root.SetVersionTemplate("schedrepl {{.Version}}\n")
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(p.runCommand(), p.testCommand(), p.docCommand(), p.validateCommand(), p.benchCommand(), p.versionCommand())
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
