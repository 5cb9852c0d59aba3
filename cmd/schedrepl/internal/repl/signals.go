package repl

import (
	"fmt"
	"os"
	"sync"
	"syscall"
	"time"
)

// signals stops what runs at Ctrl-C, and ends the process when it is told to.
//
// One Ctrl-C asks the session to stop. A second one while the same code still
// runs says how to leave: it is stuck in a call that does not look. A third one
// leaves. While nothing runs Ctrl-C does nothing here: a line that is edited
// gets it as a key.
type signals struct {
	r    *REPL
	c    chan os.Signal
	done chan struct{}

	mu      sync.Mutex
	busy    bool
	presses int
	first   time.Time // The first Ctrl-C of this entry.
	last    time.Time
}

const (
	// keyRepeat is how close two presses may be to count as one.
	keyRepeat = 150 * time.Millisecond
	// leaveAfter is how long code may take to stop before a Ctrl-C can leave.
	leaveAfter = time.Second
)

func newSignals(r *REPL) *signals {
	g := &signals{r: r, c: make(chan os.Signal, 8), done: make(chan struct{})}
	if r.Notify == nil {
		return g
	}
	r.Notify(g.c)
	go func() {
		for {
			select {
			case sig := <-g.c:
				g.handle(sig)
			case <-g.done:
				return
			}
		}
	}()
	return g
}

func (g *signals) stop() {
	if g.r.Ignore != nil {
		g.r.Ignore(g.c)
	}
	close(g.done)
}

// running tells when code begins and ends to run. At the end it returns whether
// Ctrl-C was pressed.
func (g *signals) running(busy bool) (interrupted bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	interrupted = g.presses > 0
	g.busy, g.presses = busy, 0
	return interrupted
}

// handle carries out what a signal asks for.
func (g *signals) handle(sig os.Signal) {
	if sig != os.Interrupt {
		code := 1
		if n, ok := sig.(syscall.Signal); ok {
			code = 128 + int(n)
		}
		g.leave(code)
		return
	}
	now := g.r.Now()
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.busy {
		if ed, ok := g.r.Editor.(interface{ Interrupt() }); ok {
			ed.Interrupt()
		}
		return
	}
	repeats := g.presses > 0 && now.Sub(g.last) < keyRepeat
	g.last = now
	if repeats {
		return // A key that is held down is one press.
	}
	switch g.presses {
	case 0:
		g.presses, g.first = 1, now
		g.r.s.Interrupt("")
	case 1:
		g.presses = 2
		fmt.Fprintln(g.r.Err, "\nnot stopped yet: this call does not look for Ctrl-C. Wait, or press Ctrl-C once more to leave (the session is lost); Ctrl-\\ kills schedrepl")
	default:
		if now.Sub(g.first) >= leaveAfter {
			go g.leave(130)
		}
	}
}

// leave ends the process, with the terminal as it was.
func (g *signals) leave(code int) {
	_ = g.r.Editor.Close() // There is nobody to tell.
	if g.r.Exit != nil {
		g.r.Exit(code)
	}
}
