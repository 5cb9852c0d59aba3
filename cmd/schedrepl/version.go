package main

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// buildVersion is the version that the Go tool wrote into the program: a tag,
// a pseudo-version that names the commit, or "devel".
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "devel"
	}
	return info.Main.Version
}

func (p *process) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "the version of the program",
		Args:  takes(0, 0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(p.stdout, "schedrepl %s\n", p.version)
			return err
		},
	}
}
