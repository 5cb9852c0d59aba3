//go:build unix

package bindings

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A named pipe is no file to read, and nobody waits for its writer.
func TestReadTablePipe(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.csv"), 0o600); err != nil {
		t.Fatal(err)
	}
	main := filepath.Join(dir, "main.star")
	if err := os.WriteFile(main, []byte(`read_table("pipe.csv")`), 0o600); err != nil {
		t.Fatal(err)
	}
	s := newTestSession(t, Options{})
	wantError(t, s.ExecFile(main), ScriptError, `cannot read "pipe.csv": it is not a regular file`)
}
