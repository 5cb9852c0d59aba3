package repl

import (
	"io"
	"strings"
	"testing"
	"time"
)

func TestPlain(t *testing.T) {
	in, keys := io.Pipe()
	out := &syncBuffer{}
	p := NewPlain(in, out)
	go io.WriteString(keys, "one\r\n")
	if line, err := p.ReadLine("> ", ""); err != nil || line.Text != "one" {
		t.Errorf("%q, %v", line.Text, err)
	}
	go func() {
		for !strings.HasSuffix(out.String(), "2> ") {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(20 * time.Millisecond)
		p.(interface{ Interrupt() }).Interrupt()
	}()
	if _, err := p.ReadLine("2> ", ""); err != ErrInterrupt {
		t.Errorf("interrupted: %v", err)
	}
	go func() {
		io.WriteString(keys, "two")
		keys.Close()
	}()
	if line, err := p.ReadLine("3> ", "  "); err != nil || line.Text != "two" {
		t.Errorf("%q, %v", line.Text, err)
	}
	if _, err := p.ReadLine("4> ", ""); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
}
