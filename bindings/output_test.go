package bindings

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func writeText(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

func TestSave(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out", "deep")
	s := newTestSession(t, Options{OutDir: out})
	for _, f := range []struct{ name, text string }{{"b.png", "old"}, {"sub/a.csv", "x,y\n"}, {"./b.png", "new"}} {
		if err := s.Save("figure", f.name, writeText(f.text)); err != nil {
			t.Fatal(err)
		}
	}
	if data, err := os.ReadFile(filepath.Join(out, "b.png")); string(data) != "new" || err != nil {
		t.Errorf("b.png holds %q, %v", data, err)
	}
	saved := s.Saved()
	if len(saved) != 2 || saved[0].Name != "b.png" || saved[0].Size != 3 || saved[0].SHA256 != hashOf([]byte("new")) || saved[1].Name != "sub/a.csv" {
		t.Errorf("saved are %v", saved)
	}
	for _, name := range []string{"", ".", "..", "../x", "/tmp/x", "a/../../x", `..\x`, "manifest.json", "x/", "a\x00b"} {
		if err := s.Save("figure", name, writeText("x")); err == nil || !strings.HasPrefix(err.Error(), "cannot save ") {
			t.Errorf("%q is saved, or the error is %v", name, err)
		}
	}
	// What fails half-way leaves nothing behind, neither a new nor an old file changed.
	broken := errors.New("out of ink")
	err := s.Save("figure", "b.png", func(w io.Writer) error {
		_, _ = io.WriteString(w, "half")
		return broken
	})
	if !errors.Is(err, broken) {
		t.Errorf("the error is %v", err)
	}
	if data, _ := os.ReadFile(filepath.Join(out, "b.png")); string(data) != "new" {
		t.Errorf("b.png holds %q after a failed save", data)
	}
	if files, _ := os.ReadDir(out); len(files) != 2 {
		t.Errorf("the output directory holds %v", files)
	}
	// A link in the output directory does not lead out of it.
	if err := os.Symlink(t.TempDir(), filepath.Join(out, "link")); err != nil {
		t.Fatal(err)
	}
	if err := s.Save("figure", "link/x.png", writeText("x")); err == nil {
		t.Error("a file was saved through a link out of the directory")
	}
	if err := s.Fork(2).Save("figure", "x.png", writeText("x")); err == nil {
		t.Error("a forked session saves")
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := newTestSession(t, Options{OutDir: file}).Save("figure", "x.png", writeText("x")); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("the error is %v, want the directory in it", err)
	}
}

// Without an output directory, a note says once what was not saved.
func TestSaveNowhere(t *testing.T) {
	notes := &bytes.Buffer{}
	s := newTestSession(t, Options{Stderr: notes})
	for range 2 {
		if err := s.Save("figure", "b.png", func(io.Writer) error { return errors.New("not called") }); err != nil {
			t.Fatal(err)
		}
	}
	if want := "note: figure b.png was not saved: pass --out DIR to save what the script makes\n"; notes.String() != want {
		t.Errorf("the note is %q, want %q", notes, want)
	}
	if err := s.WriteManifest(); err != nil {
		t.Error(err)
	}
}

// Two runs of one script from two directories have one manifest.
func TestManifestIsStable(t *testing.T) {
	var first string
	for range 3 {
		dir := writeTree(t, map[string]string{
			"m.star":     "load('lib/b.star', 'b')\nload('lib/a.star', 'a')\nparam('n', 1)\nparam('d', 5 * ms)\ncheck(False, 'bad')\n",
			"lib/a.star": "a = 1", "lib/b.star": "b = 2",
		})
		out := filepath.Join(dir, "out")
		s := newTestSession(t, Options{OutDir: out, Seed: 9, Version: "v1", Params: map[string]string{"n": "4"}})
		wantError(t, s.ExecFile(filepath.Join(dir, "m.star")), CheckFailed)
		s.NoteKernel("6.12")
		s.NoteKernel("2.6.36")
		s.NoteKernel("6.12")
		s.NoteDigest("abc")
		if err := s.Save("figure", "x.png", writeText("png")); err != nil {
			t.Fatal(err)
		}
		if err := s.WriteManifest(); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(filepath.Join(out, "manifest.json"))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), dir) {
			t.Errorf("the manifest names the directory:\n%s", data)
		}
		if first == "" {
			first = string(data)
			for _, want := range []string{
				`"name": "m.star"`, `"name": "lib/a.star"`, `"value": "4"`, `"value": "5ms"`, `"seed": 9`,
				`"version": "v1"`, `"abc"`, `"bad"`, `"kind": "figure"`, hashOf([]byte("png")), hashOf([]byte("a = 1")),
			} {
				if !strings.Contains(first, want) {
					t.Errorf("the manifest has no %s:\n%s", want, first)
				}
			}
		} else if first != string(data) {
			t.Errorf("two runs differ:\n%s\n%s", first, data)
		}
	}
}

// Two runs print the same bytes, whatever the order of maps is.
func TestRunsAreTheSame(t *testing.T) {
	const script = `
d = {str(i): i * ms for i in range(50)}
s = set([i * us for i in range(50)])
print(d, s, dir(assert), hash("x"))
print(json.encode(d), fmt("{:>10}", 3 * ms))
help()
help("assert")
help(5 * ms)
check(False, "x")
`
	run := func() string {
		out := &bytes.Buffer{}
		wantError(t, newTestSession(t, Options{Stdout: out, Stderr: out}).Exec("s.star", script), CheckFailed)
		return out.String()
	}
	first := run()
	for range 5 {
		if again := run(); again != first {
			t.Fatalf("two runs differ:\n%s\n%s", first, again)
		}
	}
}
