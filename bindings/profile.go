package bindings

import (
	"io"

	"go.starlark.net/starlark"
)

// StartProfile measures from now on how much wall time each function of the
// scripts takes, built-ins included, and writes it to w in the format of pprof
// when stop is called. There can be one such profile at a time in a program. No
// script may run while it is started or stopped.
func StartProfile(w io.Writer) (stop func() error, err error) {
	if err := starlark.StartProfile(w); err != nil {
		return nil, err
	}
	return starlark.StopProfile, nil
}
