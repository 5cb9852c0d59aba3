package repl

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

const (
	historyKept = 5000    // Entries that a history keeps.
	historyBulk = 1 << 20 // Bytes of an entry beyond which it is not kept.
)

// history is the file of what was entered, in all sessions. Each entry is a
// line of its own, with line breaks and backslashes escaped. Prompts that run
// at the same time append to the same file, a whole line at a time.
type history struct {
	path    string // Empty keeps nothing beyond the session.
	entries []string
}

// openHistory reads the entries in a file; one that is not there is empty. The
// error tells why nothing will be kept; the history works without a file then.
func openHistory(path string) (*history, error) {
	h := &history{path: path}
	if path == "" {
		return h, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		h.path = ""
		return h, fmt.Errorf("history is not kept: %w", err)
	}
	lines, err := h.read()
	if err != nil {
		h.path = ""
		return h, fmt.Errorf("history is not kept: %w", err)
	}
	if len(lines) > 2*historyKept {
		// Seldom, so that prompts hardly ever meet here.
		if err := h.shorten(); err != nil {
			return h, fmt.Errorf("history is not shortened: %w", err)
		}
	}
	lines = lines[max(0, len(lines)-historyKept):]
	for _, line := range lines {
		h.remember(unescapeEntry(line))
	}
	return h, nil
}

// read returns the lines of the file. What is no text, or beyond all measure, is
// left out: another program may have written there.
func (h *history) read() ([]string, error) {
	f, err := os.Open(h.path)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var lines []string
	in := bufio.NewReader(f)
	for {
		line, err := in.ReadString('\n')
		if line = strings.TrimRight(line, "\r\n"); line != "" && len(line) < historyBulk && utf8.ValidString(line) {
			lines = append(lines, line)
		}
		if err != nil {
			return lines, nil // The end, or what can be read.
		}
	}
}

// shorten rewrites the file with the last entries, while no other prompt writes.
func (h *history) shorten() error {
	return locked(h.path, func() error {
		lines, err := h.read()
		if err != nil {
			return err
		}
		lines = lines[max(0, len(lines)-historyKept):]
		tmp, err := os.CreateTemp(filepath.Dir(h.path), ".history-*")
		if err != nil {
			return err
		}
		_, err = tmp.WriteString(strings.Join(lines, "\n") + "\n")
		if cerr := tmp.Close(); err == nil {
			err = cerr
		}
		if err == nil {
			err = os.Rename(tmp.Name(), h.path)
		}
		if err != nil {
			_ = os.Remove(tmp.Name()) // The first error counts.
		}
		return err
	})
}

// remember takes an entry that follows the others; the same as the last one is
// not taken twice.
func (h *history) remember(entry string) bool {
	if strings.TrimSpace(entry) == "" || len(h.entries) > 0 && h.entries[len(h.entries)-1] == entry {
		return false
	}
	h.entries = append(h.entries, entry)
	return true
}

// add takes a new entry and writes it to the file.
func (h *history) add(entry string) error {
	if !h.remember(entry) || h.path == "" || len(entry) > historyBulk/2 {
		return nil
	}
	return locked(h.path, func() error {
		f, err := os.OpenFile(h.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
		if err != nil {
			return err
		}
		_, err = f.WriteString(escapeEntry(entry) + "\n")
		if cerr := f.Close(); err == nil {
			err = cerr
		}
		return err
	})
}

var (
	escaper   = strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\r", `\r`)
	unescaper = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\r`, "\r")
)

func escapeEntry(entry string) string  { return escaper.Replace(entry) }
func unescapeEntry(line string) string { return unescaper.Replace(line) }
