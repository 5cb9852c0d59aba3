package bindings

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"go.starlark.net/syntax"
)

// A place is a file as scripts name it.
type place struct {
	display string // In errors: as the user would write it.
	name    string // In the manifest: never absolute, with forward slashes.
	std     bool   // The file is in the standard library, and path is below its root.
	path    string // Absolute path, or path in the library.
}

// key tells files apart, whatever way a script names them.
func (p place) key() string {
	if p.std {
		return stdPrefix + p.path
	}
	return p.path
}

// sources are the files that a session has read.
type sources struct {
	root     string // Absolute path of the main script's directory.
	rootName string // The same as the user wrote it.

	main     string // Name of the main script, empty before there is one.
	mainHash string
	text     map[string]string       // Source text by display name, for excerpts.
	files    map[string]*syntax.File // Resolved syntax by display name, for hints.
	hashes   map[string]string       // Of all files read besides the main script, by manifest name.
	modules  map[string]*module      // Loaded modules by place.key.

	cells   map[string]bool            // The names of cells.
	rebound map[string]syntax.Position // Where a cell bound a built-in name to something else.
}

// setRoot makes dir the directory below which scripts read.
func (src *sources) setRoot(dir string) error {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return fmt.Errorf("directory %s: %v", dir, err)
	}
	src.root, src.rootName = abs, dir
	return nil
}

// setMain notes the main script.
func (src *sources) setMain(name, text string) {
	src.main = name
	src.mainHash = hashOf([]byte(text))
	src.setText(name, text)
}

// mainPlace is the place of a script that lies in the root directory.
func (src *sources) mainPlace(name string) place {
	base := filepath.Base(name)
	return place{display: name, name: base, path: filepath.Join(src.root, base)}
}

func (src *sources) setText(display, text string) {
	if src.text == nil {
		src.text = map[string]string{}
	}
	src.text[display] = text
}

func (src *sources) setFile(display string, f *syntax.File) {
	if src.files == nil {
		src.files = map[string]*syntax.File{}
	}
	src.files[display] = f
}

func (src *sources) setHash(name string, data []byte) { src.addHash(name, hashOf(data)) }

func (src *sources) addHash(name, sum string) {
	if src.hashes == nil {
		src.hashes = map[string]string{}
	}
	src.hashes[name] = sum
}

// line returns a line of a source, without its end; empty if there is none.
func (src *sources) line(display string, n int) string {
	i := 1
	for line := range strings.Lines(src.text[display]) {
		if i == n {
			return strings.TrimRight(line, "\r\n")
		}
		i++
	}
	return ""
}

// hashOf is the SHA-256 of data in hexadecimal.
func hashOf(data []byte) string { return fmt.Sprintf("%x", sha256.Sum256(data)) }

const stdPrefix = "@stdlib//"

// resolve finds the place that a script in a given place means by name. It
// refuses what lies outside of the script's directory tree, the allowed
// directories and the library.
func (s *Session) resolve(from place, name string) (place, error) {
	switch {
	case strings.HasPrefix(name, stdPrefix):
		return stdPlace(strings.TrimPrefix(name, stdPrefix))
	case strings.HasPrefix(name, "@"):
		return place{}, fmt.Errorf("there is no library %s: write \"@stdlib//x.star\" for the standard library, \"./x.star\" for a file beside the script", quoteShort(name))
	case name == "":
		return place{}, errors.New("the name of the file is empty")
	case from.std:
		return stdPlace(path.Join(path.Dir(from.path), name))
	}
	p := filepath.FromSlash(name)
	if !filepath.IsAbs(p) {
		p = filepath.Join(filepath.Dir(from.path), p)
	}
	p = filepath.Clean(p)
	if rel, ok := below(s.sources.root, p); ok {
		return place{display: filepath.Join(s.sources.rootName, rel), name: filepath.ToSlash(rel), path: p}, nil
	}
	for _, dir := range s.opts.AllowDirs {
		abs, err := filepath.Abs(dir)
		if err != nil {
			continue
		}
		if rel, ok := below(abs, p); ok {
			return place{
				display: filepath.Join(dir, rel),
				name:    path.Join(filepath.Base(abs), filepath.ToSlash(rel)),
				path:    p,
			}, nil
		}
	}
	return place{}, errors.New("it lies outside of the script's directory; pass --allow-dir DIR to let scripts read below DIR")
}

func stdPlace(p string) (place, error) {
	p = path.Clean(p)
	if !fs.ValidPath(p) {
		return place{}, errors.New("it lies outside of the standard library")
	}
	return place{display: stdPrefix + p, name: stdPrefix + p, std: true, path: p}, nil
}

// below returns path relative to dir, if it lies in dir's tree.
func below(dir, p string) (string, bool) {
	rel, err := filepath.Rel(dir, p)
	return rel, err == nil && filepath.IsLocal(rel)
}

// readPlace reads a file that resolve has found. A symbolic link that leads
// out of the directory tree is refused.
func (s *Session) readPlace(at place) ([]byte, error) {
	if at.std {
		if s.opts.Stdlib == nil {
			return nil, errors.New("there is no standard library in this build")
		}
		data, err := fs.ReadFile(s.opts.Stdlib, at.path)
		if err != nil {
			return nil, fmt.Errorf("the standard library has no such file%s", didYouMean(at.path, s.stdFiles()))
		}
		return data, nil
	}
	dirs := []string{s.sources.root}
	for _, dir := range s.opts.AllowDirs {
		if abs, err := filepath.Abs(dir); err == nil {
			dirs = append(dirs, abs)
		}
	}
	for _, dir := range dirs {
		if rel, ok := below(dir, at.path); ok {
			return readBelow(dir, rel)
		}
	}
	return nil, errors.New("it lies outside of the script's directory")
}

func readBelow(dir, rel string) ([]byte, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, plainCause(err)
	}
	defer root.Close()
	// A named pipe is refused before it is opened, which would wait for a writer.
	if st, err := root.Stat(rel); err == nil && !st.Mode().IsRegular() {
		return nil, errors.New("it is not a regular file")
	}
	f, err := root.Open(rel)
	if err != nil {
		return nil, plainCause(err)
	}
	defer f.Close()
	if st, err := f.Stat(); err == nil && !st.Mode().IsRegular() {
		return nil, errors.New("it is not a regular file")
	}
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, plainCause(err)
	}
	return data, nil
}

// plainCause drops operation and path from a file error: the caller words
// them.
func plainCause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	var le *os.LinkError
	if errors.As(err, &le) {
		return le.Err
	}
	return err
}

// stdFiles lists the scripts of the library, sorted.
func (s *Session) stdFiles() []string {
	if s.opts.Stdlib == nil {
		return nil
	}
	var out []string
	_ = fs.WalkDir(s.opts.Stdlib, ".", func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(p, ".star") {
			out = append(out, p)
		}
		return nil
	})
	slices.Sort(out)
	return out
}

// ReadFile reads a data file for a built-in such as trace.load. The name is
// relative to the directory of the main script; the file must lie in that
// directory's tree or in an allowed directory, or be "@stdlib//x". The hash of
// the file goes into the manifest. The error needs the built-in's name before
// it.
func (s *Session) ReadFile(name string) ([]byte, error) {
	at, err := s.resolve(s.sources.mainPlace("main"), name)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", quoteShort(name), err)
	}
	data, err := s.readPlace(at)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", quoteShort(name), err)
	}
	s.sources.setHash(at.name, data)
	return data, nil
}
