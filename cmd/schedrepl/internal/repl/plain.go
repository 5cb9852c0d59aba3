package repl

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"sync"
)

// plain is a LineEditor for terminals that cannot move their cursor: the
// terminal itself edits the line. It has no completion, and history is for the
// file only.
type plain struct {
	out   io.Writer
	lines chan plainLine
	ask   chan struct{}
	stop  chan struct{} // Has an element when Ctrl-C was pressed.
	once  sync.Once
	in    *bufio.Reader
	asked bool
}

type plainLine struct {
	text string
	err  error
}

// NewPlain makes a LineEditor without editing.
func NewPlain(in io.Reader, out io.Writer) LineEditor {
	return &plain{
		out: out, in: bufio.NewReader(in),
		lines: make(chan plainLine), ask: make(chan struct{}, 1), stop: make(chan struct{}, 1),
	}
}

func (p *plain) pump() {
	for range p.ask {
		text, err := p.in.ReadString('\n')
		if text != "" {
			err = nil // The end comes with the next line.
		}
		p.lines <- plainLine{text, err}
	}
}

// ReadLine shows the prompt. The text to edit is lost, but for the last line of
// a file that %load has put there.
func (p *plain) ReadLine(prompt, text string) (Line, error) {
	p.once.Do(func() { go p.pump() })
	keep := strings.TrimSpace(text) != ""
	if keep {
		prompt += text
	}
	fmt.Fprint(p.out, prompt)
	for len(p.stop) > 0 {
		<-p.stop
	}
	if !p.asked {
		p.asked = true
		p.ask <- struct{}{}
	}
	select {
	case l := <-p.lines:
		p.asked = false
		if l.err != nil {
			return Line{}, io.EOF
		}
		line := strings.TrimRight(l.text, "\r\n")
		if keep {
			line = text + line
		}
		return Line{Text: line}, nil
	case <-p.stop:
		fmt.Fprintln(p.out)
		return Line{}, ErrInterrupt
	}
}

// Interrupt makes ReadLine return: Ctrl-C is a signal here.
func (p *plain) Interrupt() {
	select {
	case p.stop <- struct{}{}:
	default:
	}
}

func (p *plain) SetHistory([]string) {}
func (p *plain) Drop()               {}
func (p *plain) Close() error        { return nil }
