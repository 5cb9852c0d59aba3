package bindings

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A SavedFile is an output file that a script made.
type SavedFile struct {
	Name   string `json:"name"` // Relative to the output directory, with forward slashes.
	Kind   string `json:"kind"` // "figure", "table", "trace", ...
	SHA256 string `json:"sha256"`
	Size   int64  `json:"size"` // Bytes.
}

// saves are the output files of a session.
type saves struct {
	files   []SavedFile     // Sorted by name.
	skipped map[string]bool // What was not saved for want of a directory.
}

// Saved lists the output files made so far, by name.
func (s *Session) Saved() []SavedFile { return slices.Clone(s.saved.files) }

// Save writes an output file inside the output directory: what write writes
// lands under the name only once it is complete. The name is relative and may
// name subdirectories, which are made. A file that the session saved before is
// replaced.
//
// Without an output directory nothing is written and no error returned: the
// user is told once a file, and the run goes on.
func (s *Session) Save(kind, name string, write func(io.Writer) error) error {
	clean, err := cleanOutputName(name)
	if err != nil {
		return err
	}
	if s.parent != nil {
		return fmt.Errorf("cannot save %s: a run of repeat saves nothing; return the values and save what comes of them", quoteShort(name))
	}
	if s.opts.OutDir == "" {
		if !s.saved.skipped[clean] {
			if s.saved.skipped == nil {
				s.saved.skipped = map[string]bool{}
			}
			s.saved.skipped[clean] = true
			s.Note("%s %s was not saved: pass --out DIR to save what the script makes", kind, clean)
		}
		return nil
	}
	sum, size, err := writeOutput(s.opts.OutDir, clean, write)
	if err != nil {
		return fmt.Errorf("cannot save %s: %w", quoteShort(name), err)
	}
	f := SavedFile{Name: clean, Kind: kind, SHA256: sum, Size: size}
	i, found := slices.BinarySearchFunc(s.saved.files, clean, func(f SavedFile, n string) int { return strings.Compare(f.Name, n) })
	if found {
		s.saved.files[i] = f
	} else {
		s.saved.files = slices.Insert(s.saved.files, i, f)
	}
	if s.opts.Saved != nil {
		s.opts.Saved(filepath.Join(s.opts.OutDir, filepath.FromSlash(clean)), f)
	}
	return nil
}

// manifestName is the one name in the output directory that no script may use.
const manifestName = "manifest.json"

// cleanOutputName checks the name of an output file and brings it into its
// short form.
func cleanOutputName(name string) (string, error) {
	slashed := strings.ReplaceAll(name, `\`, "/")
	clean := path.Clean(slashed)
	switch {
	case name == "" || strings.ContainsRune(name, 0):
		return "", fmt.Errorf("cannot save %s: the name must name a file, as \"figure.png\"", quoteShort(name))
	case path.IsAbs(slashed) || filepath.IsAbs(name):
		return "", fmt.Errorf("cannot save %s: the name must be relative to the output directory, as %q", quoteShort(name), path.Base(clean))
	case !filepath.IsLocal(filepath.FromSlash(clean)):
		return "", fmt.Errorf("cannot save %s: it lies outside of the output directory; choose that with --out DIR", quoteShort(name))
	case clean == "." || strings.HasSuffix(slashed, "/"):
		return "", fmt.Errorf("cannot save %s: the name must name a file, as \"figure.png\"", quoteShort(name))
	case clean == manifestName:
		return "", fmt.Errorf("cannot save %s: the manifest of the run has that name", quoteShort(name))
	}
	return clean, nil
}

// writeOutput makes one file inside dir, whole or not at all.
func writeOutput(dir, name string, write func(io.Writer) error) (sum string, size int64, err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", 0, fmt.Errorf("directory %s: %w", dir, plainCause(err))
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", 0, fmt.Errorf("directory %s: %w", dir, plainCause(err))
	}
	defer root.Close()
	file := filepath.FromSlash(name)
	if sub := filepath.Dir(file); sub != "." {
		if err := root.MkdirAll(sub, 0o777); err != nil {
			return "", 0, plainCause(err)
		}
	}
	tmp, f, err := createTemp(root, file)
	if err != nil {
		return "", 0, fmt.Errorf("in directory %s: %w", dir, plainCause(err))
	}
	defer func() {
		if err != nil {
			_ = root.Remove(tmp)
		}
	}()
	w := &countingWriter{w: f, hash: sha256.New()}
	err = write(w)
	if err == nil {
		err = w.err
	}
	if cerr := f.Close(); err == nil && cerr != nil {
		err = plainCause(cerr)
	}
	if err == nil {
		err = plainCause(root.Rename(tmp, file))
	}
	return fmt.Sprintf("%x", w.hash.Sum(nil)), w.n, err
}

// createTemp makes a new file beside the named one.
func createTemp(root *os.Root, file string) (string, *os.File, error) {
	for i := 0; ; i++ {
		tmp := filepath.Join(filepath.Dir(file), fmt.Sprintf(".%s.%d.tmp", filepath.Base(file), i))
		f, err := root.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) && i < 1000 {
			continue
		}
		return tmp, f, err
	}
}

// countingWriter hashes and counts what passes through it, and remembers the
// first error in plain words.
type countingWriter struct {
	w    io.Writer
	hash hash.Hash
	n    int64
	err  error
}

func (w *countingWriter) Write(p []byte) (int, error) {
	n, err := w.w.Write(p)
	w.hash.Write(p[:n])
	w.n += int64(n)
	if err != nil && w.err == nil {
		w.err = plainCause(err)
	}
	return n, err
}
