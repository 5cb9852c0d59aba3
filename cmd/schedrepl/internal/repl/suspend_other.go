//go:build !unix

package repl

// suspend does nothing where there are no jobs.
func suspend() {}

// cpuTime is not known here.
func cpuTime() int64 { return 0 }
