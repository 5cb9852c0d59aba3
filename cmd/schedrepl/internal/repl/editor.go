package repl

import "errors"

// A LineEditor lets the user edit one line at a time.
type LineEditor interface {
	// ReadLine shows a prompt and lets the user edit text, until Enter. It
	// returns io.EOF for Ctrl-D on an empty line, and ErrInterrupt for Ctrl-C.
	ReadLine(prompt, text string) (Line, error)

	// SetHistory replaces what the arrow keys go through, the oldest entry
	// first. An entry may have several lines.
	SetHistory(entries []string)

	// Drop forgets what was typed ahead.
	Drop()

	// Close restores the terminal. It may be called from any goroutine, and more
	// than once.
	Close() error
}

// A Line is what ReadLine returns. Text has several lines if the user recalled
// an entry of several lines, typed a line break (Alt-Enter), or has pasted.
type Line struct {
	Text string

	// Pasted tells that several lines were pasted and the user has not confirmed
	// them: only the first line of Text is on the screen, and the user still
	// edits the last one.
	Pasted bool
}

// ErrInterrupt is what ReadLine returns for Ctrl-C.
var ErrInterrupt = errors.New("interrupted")
