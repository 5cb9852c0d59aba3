package repl

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

func mustOpen(t *testing.T, path string) *history {
	t.Helper()
	h, err := openHistory(path)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestHistory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "history")
	h := mustOpen(t, path)
	want := []string{"x = 1", "def f():\n    return \"a\\n\\\\b\"\n\n# 漢字", "x = 1", `\n`, "a\rb"}
	for _, e := range want {
		for range 2 { // The same again is not kept twice.
			if err := h.add(e); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, e := range []string{"", " \n"} {
		if err := h.add(e); err != nil {
			t.Fatal(err)
		}
	}
	if got := mustOpen(t, path).entries; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Prompts that run at the same time write whole lines.
func TestHistoryOfTwo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history")
	var wg sync.WaitGroup
	const each = 200
	for who := range 2 {
		h := mustOpen(t, path)
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range each {
				if err := h.add(fmt.Sprintf("%d:%d\n%s", who, i, strings.Repeat("x", 5000))); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	wg.Wait()
	got := mustOpen(t, path).entries
	next := []int{0, 0}
	for _, e := range got {
		var who, i int
		if _, err := fmt.Sscanf(e, "%d:%d\n", &who, &i); err != nil || i != next[who] || !strings.HasSuffix(e, strings.Repeat("x", 5000)) {
			t.Fatalf("a broken entry: %.30q", e)
		}
		next[who]++
	}
	if len(got) != 2*each {
		t.Errorf("%d entries, want %d", len(got), 2*each)
	}
}

// A file that is too long is cut; one with rubbish in it is read as far as it
// makes sense.
func TestHistoryFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history")
	var b strings.Builder
	for i := range 2*historyKept + 10 {
		fmt.Fprintf(&b, "x = %d\n", i)
	}
	b.WriteString("\xff\xfe\n\ny = 1\r\nlast")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	h := mustOpen(t, path)
	if n := len(h.entries); n != historyKept || h.entries[n-1] != "last" || h.entries[n-2] != "y = 1" {
		t.Errorf("%d entries, the last are %q", n, h.entries[n-2:])
	}
	data, err := os.ReadFile(path)
	if err != nil || strings.Count(string(data), "\n") != historyKept {
		t.Errorf("the file has %d lines, %v", strings.Count(string(data), "\n"), err)
	}
	// No place to keep it.
	if h, err := openHistory(filepath.Join(path, "below", "history")); err == nil || h.add("x") != nil {
		t.Errorf("a history below a file: %v", err)
	}
}
