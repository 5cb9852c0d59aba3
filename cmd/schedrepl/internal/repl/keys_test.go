package repl

import (
	"io"
	"strings"
	"testing"
	"time"
)

// chunks is a terminal that sends its chunks one at a time, and then nothing
// more, or the end.
type chunks struct {
	list []string
	end  bool
	hang chan struct{}
}

func (c *chunks) Read(p []byte) (int, error) {
	if len(c.list) == 0 {
		if c.end {
			return 0, io.EOF
		}
		<-c.hang
		return 0, io.EOF
	}
	n := copy(p, c.list[0])
	if c.list[0] = c.list[0][n:]; c.list[0] == "" {
		c.list = c.list[1:]
	}
	return n, nil
}

// typed reads what keys make of chunks, until want bytes are there or it takes
// too long.
func typed(t *testing.T, k *keys, want int) string {
	t.Helper()
	got := make(chan string)
	go func() {
		buf, all := make([]byte, 64), ""
		for len(all) < want {
			n, err := k.Read(buf)
			all += string(buf[:n])
			if err != nil {
				break
			}
		}
		got <- all
	}()
	select {
	case s := <-got:
		return s
	case <-time.After(10 * time.Second):
		t.Fatal("it hangs")
		return ""
	}
}

const (
	onePaste   = string(keyPaste)
	linesPaste = string(keyPastes) + "\r"
)

func TestKeys(t *testing.T) {
	for _, c := range []struct {
		name   string
		in     []string
		out    string
		pastes []string
	}{
		{"plain", []string{"ab\r"}, "ab\r", nil},
		{"wide", []string{"漢", "\xe5", "\xad", "\x97"}, "漢字", nil},
		{"arrows", []string{"\x1b[A\x1b[B\x1b[C\x1b[D\x1bOA"}, "\x10\x0e\x06\x02\x10", nil},
		{"home and end", []string{"\x1b[1~\x1b[4~\x1b[7~\x1b[8~\x1b[H\x1b[F\x1bOH\x1bOF"}, "\x01\x05\x01\x05\x01\x05\x01\x05", nil},
		{"delete", []string{"\x1b[3~"}, string(keyDelete), nil},
		{"words", []string{"\x1b[1;5D\x1b[1;5C\x1bb\x1bf"}, "\x1bb\x1bf\x1bb\x1bf", nil},
		{"a line break", []string{"\x1b\r"}, string(keyBreak), nil},
		{"keys without a meaning", []string{"\x1b[15~\x1b[I\x1b[<0;1;2M\x1bxa"}, "a", nil},
		{"split key", []string{"\x1b", "[", "A"}, "\x10", nil},
		{"nul", []string{"a\x00b"}, "ab", nil},
		{"forged keys", []string{"a" + string(keyPaste) + "b"}, "ab", nil},
		{"paste of a line", []string{"x = " + pasteBegin + "1 + 1" + pasteEnd + "\r"}, "x = " + onePaste + "\r", []string{"1 + 1"}},
		{"with its line end", []string{pasteBegin + "1 + 1\r" + pasteEnd}, onePaste, []string{"1 + 1"}},
		{"paste of lines", []string{pasteBegin + "def f():\r\r    return 1\r" + pasteEnd + "\r"}, linesPaste + "\r", []string{"def f():\n\n    return 1"}},
		{"line ends of Windows", []string{pasteBegin + "a\r\nb\r\n\r\nc" + pasteEnd}, linesPaste, []string{"a\nb\n\nc"}},
		{"tabs", []string{pasteBegin + "if x:\n\ty" + pasteEnd}, linesPaste, []string{"if x:\n\ty"}},
		{"control characters", []string{pasteBegin + "a\x03\x04\x1b[Ab\x00\xff" + pasteEnd}, onePaste, []string{"a[Ab"}},
		{"split marks", []string{"\x1b[20", "0~ab", "c\x1b[2", "01~d"}, onePaste + "d", []string{"abc"}},
		{"a mark in every byte", strings.Split(pasteBegin+"q\nr"+pasteEnd+"s", ""), linesPaste + "s", []string{"q\nr"}},
		{"two pastes", []string{pasteBegin + "a" + pasteEnd + pasteBegin + "b\nc" + pasteEnd}, onePaste + linesPaste, []string{"a", "b\nc"}},
		{"an empty paste", []string{pasteBegin + pasteEnd + "x"}, "x", nil},
		{"an end without a beginning", []string{pasteEnd + "x"}, "x", nil},
		{"indented", []string{pasteBegin + "    if x:\n        y\n\n    z" + pasteEnd}, linesPaste, []string{"if x:\n    y\n\nz"}},
		{"empty lines first", []string{pasteBegin + "\n\nx\ny" + pasteEnd}, linesPaste, []string{"x\ny"}},
		{"wide paste", []string{pasteBegin + "名 = '漢", "字'" + pasteEnd}, onePaste, []string{"名 = '漢字'"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := newKeys(&chunks{list: c.in, hang: make(chan struct{})})
			defer k.Close()
			if got := typed(t, k, len(c.out)); got != c.out {
				t.Errorf("got %q, want %q", got, c.out)
			}
			for _, want := range c.pastes {
				if got := k.paste(); got != want {
					t.Errorf("paste %q, want %q", got, want)
				}
			}
			if k.paste() != "" {
				t.Error("there is one paste too many")
			}
		})
	}
}

// A paste whose end mark does not come, or not whole, ends by itself, and what
// is typed afterwards is typed.
func TestPasteWithoutEnd(t *testing.T) {
	for _, end := range []string{"", pasteEnd[:1], pasteEnd[:5]} {
		k := newKeys(&chunks{list: []string{pasteBegin + "a\nb" + end}, hang: make(chan struct{})})
		if got := typed(t, k, len(linesPaste)); got != linesPaste {
			t.Errorf("end %q: got %q", end, got)
		}
		if got := k.paste(); got != "a\nb" {
			t.Errorf("end %q: paste %q", end, got)
		}
		k.Close()
	}
	// The terminal goes away in the middle.
	k := newKeys(&chunks{list: []string{pasteBegin + "a"}, end: true})
	if got := typed(t, k, len(onePaste)); got != onePaste || k.paste() != "a" {
		t.Errorf("at the end: got %q", got)
	}
}

// Escape alone leaves a search, and takes no key with it.
func TestLoneEscape(t *testing.T) {
	k := newKeys(&chunks{list: []string{"\x1b"}, hang: make(chan struct{})})
	defer k.Close()
	if got := typed(t, k, 1); got != "\x07" {
		t.Errorf("got %q", got)
	}
}

// A line at a time is handed out, so that the rest can be dropped.
func TestDrop(t *testing.T) {
	k := newKeys(&chunks{list: []string{"one\rtwo\r"}, hang: make(chan struct{})})
	buf := make([]byte, 64)
	n, err := k.Read(buf)
	if err != nil || string(buf[:n]) != "one\r" {
		t.Fatalf("got %q, %v", buf[:n], err)
	}
	k.drop()
	go k.Close()
	if n, err := k.Read(buf); err != io.EOF {
		t.Errorf("after drop: %q, %v", buf[:n], err)
	}
}
