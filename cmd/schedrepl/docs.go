package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"schedrepl/bindings"
	"schedrepl/stdlib"
)

func (p *process) docCommand() *cobra.Command {
	var markdown, stubs bool
	cmd := &cobra.Command{
		Use:   "doc [NAME]",
		Short: "the reference of what scripts can use",
		Long: `Without NAME, doc lists all functions, modules and types, one line each. With
NAME it tells all about one of them: a function (fmt, work.run), a module
(work), a type (machine), a method or attribute (machine.run).

--markdown prints all of it as one page, with the functions of the standard
library. --stubs prints it as a Python stub, from which editors that use Pyright
complete names and show what they mean; the page tells how to set them up.`,
		Example: "  schedrepl doc\n  schedrepl doc machine\n  schedrepl doc machine.run\n  schedrepl doc --stubs > typings/__builtins__.pyi",
		Args:    takes(0, 1, "at most one NAME"),
		RunE: func(_ *cobra.Command, args []string) error {
			text, err := docText(args, markdown, stubs)
			if err != nil {
				return err
			}
			_, err = io.WriteString(p.stdout, text)
			return err
		},
	}
	cmd.Flags().BoolVar(&markdown, "markdown", false, "print the whole reference as Markdown")
	cmd.Flags().BoolVar(&stubs, "stubs", false, "print the names, types and descriptions as a Python stub, for editors")
	cmd.MarkFlagsMutuallyExclusive("markdown", "stubs")
	return cmd
}

// docText is what doc prints.
func docText(args []string, markdown, stubs bool) (string, error) {
	ref := bindings.Reference()
	switch {
	case markdown && len(args) > 0:
		return "", usage("leave out one of them", "--markdown prints the whole reference and takes no NAME")
	case stubs && len(args) > 0:
		return "", usage("leave out one of them", "--stubs prints all names and takes no NAME")
	case markdown:
		return ref.Markdown(stdlib.FS)
	case stubs:
		return ref.Stubs(stdlib.FS)
	case len(args) == 0:
		return ref.Overview() + "On the command line, schedrepl doc NAME does.\n", nil
	}
	text, err := ref.Text(args[0])
	if err != nil {
		return "", usage("schedrepl doc lists all names", "%v", fmt.Errorf("doc: %w", err))
	}
	return text, nil
}
