//go:build unix

package main

import (
	"runtime"
	"syscall"
	"time"
)

// cpuTime returns the CPU time that the program has used, in user and in kernel
// mode. Wall time says little on a machine that is shared.
func cpuTime(func() time.Time) time.Duration {
	var ru syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &ru) != nil {
		return 0
	}
	return time.Duration(ru.Utime.Nano() + ru.Stime.Nano())
}

// maxRSS returns the most memory that the program ever had in use, in bytes.
func maxRSS() uint64 {
	var ru syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &ru) != nil {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return uint64(ru.Maxrss)
	}
	return uint64(ru.Maxrss) << 10
}
