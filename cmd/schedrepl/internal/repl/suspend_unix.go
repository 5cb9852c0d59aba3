//go:build unix

package repl

import "syscall"

// suspend stops the job, as the terminal does at Ctrl-Z when it is not raw. It
// returns when the job goes on.
func suspend() { _ = syscall.Kill(0, syscall.SIGTSTP) }

// cpuTime is the time that the process has spent on CPUs, in nanoseconds.
func cpuTime() int64 {
	var ru syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &ru); err != nil {
		return 0
	}
	return ru.Utime.Nano() + ru.Stime.Nano()
}
