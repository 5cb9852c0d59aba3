//go:build unix

package repl

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// stopWait is how long a stop may take to come. It never does for a job that no
// shell could continue: the kernel drops the signal then.
const stopWait = time.Second

// suspend stops the job, as the terminal does at Ctrl-Z when it is not raw. It
// returns when the job goes on. The stop may come a little after the call that
// asks for it, so it waits for the signal to go on: else the terminal would be
// raw again while the shell has it.
func suspend() {
	onward := make(chan os.Signal, 1)
	signal.Notify(onward, syscall.SIGCONT)
	defer signal.Stop(onward)
	if syscall.Kill(0, syscall.SIGTSTP) != nil {
		return
	}
	select {
	case <-onward:
	case <-time.After(stopWait):
	}
}

// cpuTime is the time that the process has spent on CPUs, in nanoseconds.
func cpuTime() int64 {
	var ru syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &ru); err != nil {
		return 0
	}
	return ru.Utime.Nano() + ru.Stime.Nano()
}
