package repl

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// Keys that the line editor knows nothing of travel to it as runes that nobody
// types, of a private area of Unicode.
const (
	keyPaste  rune = 0xF0001 + iota // Insert the next paste, which is one line.
	keyPastes                       // Take the next paste, which has several lines; Enter follows.
	keyDelete                       // Delete the character at the cursor; never ends the input.
	keyBreak                        // A line break inside of a line.
	keyFirst  = keyPaste
	keyLast   = keyBreak
)

const (
	pasteBegin = "\x1b[200~"
	pasteEnd   = "\x1b[201~"

	// escapeWait is how long the bytes of one key may be apart.
	escapeWait = 50 * time.Millisecond
	// pasteWait is how long a paste may pause before it counts as ended: its end
	// mark may have been lost.
	pasteWait = time.Second
)

// keys reads a terminal in raw mode and makes of it what the line editor
// understands: it finds pastes, gives the keys for beginning and end of a line
// one code whatever the terminal sends, and drops keys without a meaning.
//
// It reads only while somebody waits in Read, and hands out no more than one
// line at a time, so that what is typed ahead can be dropped.
type keys struct {
	in    io.Reader
	ask   chan struct{}
	got   chan []byte // Closed at the end of in.
	quit  chan struct{}
	once  sync.Once
	start sync.Once

	mu      sync.Mutex
	asked   bool
	pend    []byte // What was read and is not understood yet.
	inPaste bool
	out     []byte // What is understood and not handed out yet.
	eof     bool
	pastes  []string
}

func newKeys(in io.Reader) *keys {
	return &keys{in: in, ask: make(chan struct{}, 1), got: make(chan []byte), quit: make(chan struct{})}
}

// pump reads when it is asked.
func (k *keys) pump() {
	defer close(k.got)
	buf := make([]byte, 4096)
	for {
		select {
		case <-k.ask:
		case <-k.quit:
			return
		}
		n, err := k.in.Read(buf)
		select {
		case k.got <- bytes.Clone(buf[:n]):
		case <-k.quit:
			return
		}
		if err != nil {
			return
		}
	}
}

// Read hands out the next keys, up to an end of line.
func (k *keys) Read(p []byte) (int, error) {
	k.start.Do(func() { go k.pump() })
	for {
		k.mu.Lock()
		k.understand()
		if n := k.handOut(p); n > 0 {
			k.mu.Unlock()
			return n, nil
		}
		if k.eof {
			k.mu.Unlock()
			return 0, io.EOF
		}
		var patience <-chan time.Time
		switch {
		case k.inPaste:
			patience = time.After(pasteWait)
		case len(k.pend) > 0:
			patience = time.After(escapeWait)
		}
		if !k.asked {
			k.asked = true
			k.ask <- struct{}{}
		}
		k.mu.Unlock()

		select {
		case data, ok := <-k.got:
			k.mu.Lock()
			k.asked, k.eof = false, !ok
			k.pend = append(k.pend, data...)
			if k.eof {
				k.giveUp()
			}
			k.mu.Unlock()
		case <-patience:
			k.mu.Lock()
			k.giveUp()
			k.mu.Unlock()
		case <-k.quit:
			return 0, io.EOF
		}
	}
}

// handOut copies what is ready, up to a byte at which the editor stops reading.
func (k *keys) handOut(p []byte) int {
	n := len(k.out)
	if i := bytes.IndexAny(k.out, "\r\n\x03\x04"); i >= 0 {
		n = i + 1
	}
	n = copy(p, k.out[:n])
	k.out = k.out[n:]
	return n
}

// Close ends a Read that waits.
func (k *keys) Close() error {
	k.once.Do(func() { close(k.quit) })
	return nil
}

// drop forgets what is typed ahead.
func (k *keys) drop() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.pend, k.out, k.pastes, k.inPaste = nil, nil, nil, false
}

// paste is the next paste that the editor was told of.
func (k *keys) paste() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.pastes) == 0 {
		return ""
	}
	text := k.pastes[0]
	k.pastes = k.pastes[1:]
	return text
}

// giveUp takes for ended what has not gone on in time.
func (k *keys) giveUp() {
	switch {
	case k.inPaste:
		text := k.pend
		for n := len(pasteEnd) - 1; n > 0; n-- {
			if bytes.HasSuffix(text, []byte(pasteEnd[:n])) {
				text = text[:len(text)-n] // The beginning of the end mark.
				break
			}
		}
		k.inPaste, k.pend = false, nil
		k.pasted(string(text))
	case len(k.pend) == 1 && k.pend[0] == 0x1b:
		k.pend = nil
		k.out = append(k.out, 7) // Escape alone leaves a search, as Ctrl-G does.
	default:
		k.pend = nil
	}
}

// understand moves from pend to out what is complete.
func (k *keys) understand() {
	for len(k.pend) > 0 {
		if k.inPaste {
			i := bytes.Index(k.pend, []byte(pasteEnd))
			if i < 0 {
				return
			}
			text := string(k.pend[:i])
			k.pend, k.inPaste = k.pend[i+len(pasteEnd):], false
			k.pasted(text)
			continue
		}
		switch c := k.pend[0]; {
		case c == 0x1b:
			n, more := escapeLen(k.pend)
			if more {
				return
			}
			seq := string(k.pend[:n])
			k.pend = k.pend[n:]
			if seq == pasteBegin {
				k.inPaste = true
				continue
			}
			k.out = append(k.out, keyOf(seq)...)
		case c == 0:
			k.pend = k.pend[1:] // The editor would take it for the end.
		case c < utf8.RuneSelf:
			k.out = append(k.out, c)
			k.pend = k.pend[1:]
		case !utf8.FullRune(k.pend):
			return
		default:
			r, n := utf8.DecodeRune(k.pend)
			if r < keyFirst || r > keyLast {
				k.out = append(k.out, k.pend[:n]...)
			}
			k.pend = k.pend[n:]
		}
	}
}

// escapeLen is the length of the key that b begins with, an escape; more tells
// that it is not complete.
func escapeLen(b []byte) (n int, more bool) {
	if len(b) < 2 {
		return 0, true
	}
	switch b[1] {
	case '[':
		for i := 2; i < len(b); i++ {
			if b[i] >= 0x40 && b[i] <= 0x7e {
				return i + 1, false
			}
			if b[i] < 0x20 || b[i] > 0x7e {
				return i, false // No key: what follows is one of its own.
			}
		}
		return 0, len(b) < 32
	case 'O':
		if len(b) < 3 {
			return 0, true
		}
		return 3, false
	}
	return 2, false
}

// plainKeys is what the editor knows the keys by that terminals send as longer
// codes: control characters, or a letter after escape.
var plainKeys = map[byte]string{
	'A': "\x10", 'B': "\x0e", 'C': "\x06", 'D': "\x02", 'H': "\x01", 'F': "\x05",
}

// keyOf translates an escape sequence; empty for a key without a meaning.
func keyOf(seq string) string {
	switch seq[1] {
	case '[', 'O':
		if len(seq) < 3 {
			return ""
		}
		final, args := seq[len(seq)-1], seq[2:len(seq)-1]
		switch {
		case final == '~':
			num, _, _ := strings.Cut(args, ";")
			switch num {
			case "1", "7":
				return plainKeys['H']
			case "4", "8":
				return plainKeys['F']
			case "3":
				return string(keyDelete)
			}
			return ""
		case strings.Contains(args, ";") && final == 'C':
			return "\x1bf" // With Control or Alt: by words.
		case strings.Contains(args, ";") && final == 'D':
			return "\x1bb"
		}
		return plainKeys[final]
	case '\r', '\n':
		return string(keyBreak)
	case 'b', 'f', 'd', 127, 8:
		return strings.Replace(seq, "\x08", "\x7f", 1)
	}
	return ""
}

// pasted hands a paste to the editor.
func (k *keys) pasted(text string) {
	text = cleanPaste(text)
	if text == "" {
		return
	}
	k.pastes = append(k.pastes, text)
	if strings.Contains(text, "\n") {
		k.out = append(k.out, string(keyPastes)+"\r"...)
		return
	}
	k.out = append(k.out, string(keyPaste)...)
}

// cleanPaste makes lines of pasted text, however they end, drops the line ends
// after the last one and what is no text. Spaces that all lines begin with are
// cut, so that the inside of a function can be pasted too.
func cleanPaste(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.ReplaceAll(text, "\r", "\n")
	text = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || r >= ' ' && r != 0x7f && r != utf8.RuneError && (r < keyFirst || r > keyLast) {
			return r
		}
		return -1
	}, text)
	text = strings.TrimRight(text, "\n")
	if !strings.Contains(text, "\n") {
		return text
	}
	return dedent(text)
}

// dedent cuts the indentation that all lines share, blank ones aside.
func dedent(text string) string {
	lines := strings.Split(text, "\n")
	common, seen := "", false
	for _, line := range lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		indent := indentOf(line)
		if !seen {
			common, seen = indent, true
		}
		for !strings.HasPrefix(indent, common) {
			common = common[:len(common)-1]
		}
	}
	for i, line := range lines {
		lines[i] = strings.TrimPrefix(line, common)
	}
	for len(lines) > 1 && strings.TrimSpace(lines[0]) == "" {
		lines = slices.Delete(lines, 0, 1)
	}
	return strings.Join(lines, "\n")
}
