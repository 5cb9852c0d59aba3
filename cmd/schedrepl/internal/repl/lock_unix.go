//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package repl

import (
	"os"
	"syscall"
)

// locked calls fn while no other prompt is in locked for the same path. It uses
// a file beside it, so that the file itself can be replaced.
func locked(path string, fn func() error) error {
	f, err := os.OpenFile(path+".lock", os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer f.Close() // Which gives the lock back.
	for syscall.Flock(int(f.Fd()), syscall.LOCK_EX) == syscall.EINTR {
	}
	// On a file system without locks each line is still written at once.
	return fn()
}
