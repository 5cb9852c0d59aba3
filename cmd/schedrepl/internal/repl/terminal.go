package repl

import (
	"errors"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/chzyer/readline"

	"schedrepl/bindings"
)

// A Completer lists how the line before the cursor can go on, from a byte on.
type Completer func(before string) (from int, list []bindings.Candidate)

// terminal is the LineEditor of a real terminal.
type terminal struct {
	rl   *readline.Instance
	keys *keys
	tty  *os.File // Where the prompt is shown.
	fd   int      // Where keys come from.
	size func() (width, height int)

	complete Completer

	mu     sync.Mutex
	raw    *readline.State // The state to restore; nil unless the terminal is raw.
	closed bool

	// What follows belongs to the goroutine of the editor while it reads.
	line   []rune // As the last key has left it.
	pos    int
	key    rune   // The key that the next look at the line carries out.
	fill   []rune // The indentation that stood in the line at first; nil once it was touched.
	leave  bool   // The next Enter stands for Ctrl-D.
	pasted *paste // The next Enter ends the first line of a paste.
}

// paste is a paste of several lines, with what stood around it.
type paste struct{ before, text, after string }

// shownBreak stands for a line break inside of a line on the screen.
const shownBreak = '⏎'

const (
	pasteOn  = "\x1b[?2004h"
	pasteOff = "\x1b[?2004l"
)

// NewTerminal makes a LineEditor of a terminal: in gives the keys, and what is
// edited is shown at out.
func NewTerminal(in, out *os.File, size func() (width, height int), complete Completer) (LineEditor, error) {
	readline.TabWidth = 8
	t := &terminal{keys: newKeys(in), tty: out, fd: int(in.Fd()), size: size, complete: complete}
	rl, err := readline.NewEx(&readline.Config{
		Stdin: t.keys, Stdout: out, Stderr: out,
		HistoryLimit: 2 * historyKept, HistorySearchFold: true, DisableAutoSaveHistory: true,
		AutoComplete:        t,
		Listener:            t,
		Painter:             t,
		FuncFilterInputRune: t.filter,
		FuncGetWidth:        func() int { w, _ := size(); return max(w, 1) },
		FuncIsTerminal:      func() bool { return true },
		FuncMakeRaw:         t.makeRaw,
		FuncExitRaw:         t.exitRaw,
	})
	if err != nil {
		return nil, err
	}
	t.rl = rl
	return t, nil
}

// makeRaw makes keys come one by one, and Ctrl-C as a key.
func (t *terminal) makeRaw() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.raw != nil || t.closed {
		return nil
	}
	state, err := readline.MakeRaw(t.fd)
	if err != nil {
		return err
	}
	t.raw = state
	_, err = io.WriteString(t.tty, pasteOn)
	return err
}

// exitRaw brings the terminal back into the state that it had.
func (t *terminal) exitRaw() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.raw == nil {
		return nil
	}
	_, _ = io.WriteString(t.tty, pasteOff) // The state counts more.
	err := readline.Restore(t.fd, t.raw)
	t.raw = nil
	return err
}

func (t *terminal) Close() error {
	err := t.exitRaw()
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	return errors.Join(err, t.keys.Close())
}

func (t *terminal) Drop() { t.keys.drop() }

func (t *terminal) SetHistory(entries []string) {
	t.rl.ResetHistory()
	for _, e := range entries {
		_ = t.rl.SaveHistory(strings.ReplaceAll(e, "\n", string(keyBreak))) // Only writing a file could fail.
	}
}

func (t *terminal) ReadLine(prompt, text string) (Line, error) {
	t.line, t.pos = []rune(text), len([]rune(text))
	t.key, t.fill, t.leave, t.pasted = 0, nil, false, nil
	if text != "" && strings.TrimSpace(text) == "" {
		t.fill = t.line
	}
	t.rl.SetPrompt(prompt)
	line, err := t.rl.ReadlineWithDefault(strings.ReplaceAll(text, "\n", string(keyBreak)))
	switch {
	case errors.Is(err, readline.ErrInterrupt):
		return Line{}, ErrInterrupt
	case err != nil:
		return Line{}, io.EOF
	case t.leave:
		return Line{}, io.EOF
	case t.pasted != nil:
		return Line{Text: plainBreaks(t.pasted.before + t.pasted.text + t.pasted.after), Pasted: true}, nil
	}
	return Line{Text: plainBreaks(line)}, nil
}

func plainBreaks(line string) string { return strings.ReplaceAll(line, string(keyBreak), "\n") }

// filter sees each key before the editor does. What it does not know travels on
// as Ctrl-G, which does nothing, to OnChange.
func (t *terminal) filter(r rune) (rune, bool) {
	t.key = 0
	switch {
	case r >= keyFirst && r <= keyLast:
		t.key = r
		return readline.CharBell, true
	case r == readline.CharCtrlZ:
		t.key = r
		_ = t.exitRaw() // If it fails, the shell does it.
		suspend()
		_ = t.makeRaw()
		return readline.CharBell, true
	case r == readline.CharDelete && len(t.line) > 0 && strings.TrimSpace(string(t.line)) == "":
		t.leave = true
		return readline.CharEnter, true
	}
	return r, true
}

// OnChange sees the line after each key, and may change it.
func (t *terminal) OnChange(line []rune, pos int, key rune) ([]rune, int, bool) {
	if line == nil && key == 0 {
		return nil, 0, false // The editor begins.
	}
	line, pos, changed := t.change(append([]rune(nil), line...), pos, key)
	t.line, t.pos = line, pos
	return line, pos, changed
}

func (t *terminal) change(line []rune, pos int, key rune) ([]rune, int, bool) {
	fill := t.fill
	t.fill = nil
	insert := func(text []rune) ([]rune, int, bool) {
		return append(append(append([]rune(nil), line[:pos]...), text...), line[pos:]...), pos + len(text), true
	}
	switch t.key {
	case keyPaste:
		return insert([]rune(t.keys.paste()))
	case keyPastes:
		text := t.keys.paste()
		before := string(line[:pos])
		if strings.TrimSpace(before) == "" {
			before = "" // The paste has its own indentation.
		}
		t.pasted = &paste{before: before, text: text, after: string(line[pos:])}
		first, _, _ := strings.Cut(text, "\n")
		line = []rune(before + first)
		return line, len(line), true
	case keyBreak:
		return insert([]rune{keyBreak})
	case keyDelete:
		if pos < len(line) {
			return append(line[:pos], line[pos+1:]...), pos, true
		}
		return line, pos, false
	case readline.CharCtrlZ:
		return line, pos, true // Draws the line again.
	}
	switch {
	case (key == ' ' || key == '\t') && fill != nil && string(line) == string(fill)+string(key):
		// Whoever types the indentation does not want ours.
		return []rune{key}, 1, true
	case (key == readline.CharBackspace || key == readline.CharCtrlH) && pos%len(indentStep) != 0 &&
		strings.Trim(string(line[:pos]), " ") == "":
		cut := pos % len(indentStep)
		return append(line[:pos-cut], line[pos:]...), pos - cut, true
	}
	return line, pos, false
}

// Paint shows line breaks inside of a line.
func (t *terminal) Paint(line []rune, _ int) []rune {
	out := append([]rune(nil), line...)
	for i, r := range out {
		if r == keyBreak {
			out[i] = shownBreak
		}
	}
	return out
}

// Do completes: it inserts what is certain, and else shows a list above the
// prompt.
func (t *terminal) Do(line []rune, pos int) ([][]rune, int) {
	before := plainBreaks(string(line[:pos]))
	if strings.TrimSpace(before[strings.LastIndexByte(before, '\n')+1:]) == "" && len(before) > 0 {
		return [][]rune{[]rune(indentStep)}, 0
	}
	from, list := t.complete(before)
	if len(list) == 0 {
		_, _ = io.WriteString(t.tty, "\a")
		return nil, 0
	}
	typed := before[from:]
	if len(list) == 1 {
		return [][]rune{[]rune(strings.TrimPrefix(list[0].Text, typed))}, 0
	}
	if more := commonPrefix(list); len(more) > len(typed) && strings.HasPrefix(more, typed) {
		return [][]rune{[]rune(more[len(typed):])}, 0
	}
	w, h := t.size()
	_, _ = io.WriteString(t.rl.Stdout(), candidateList(list, w, h))
	return nil, 0
}
