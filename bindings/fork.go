package bindings

import (
	"fmt"
	"io"
	"maps"

	"go.starlark.net/starlark"
)

// Fork makes a session for one of many runs of a function beside each other,
// with a seed of its own. It sees the parameters, files and limits of s, can
// run on another goroutine, and is stopped with s or by an Interrupt of its
// own. What it prints, notes, checks and declares stays with it until Join.
//
// While forks run, s may fork and join others, and does nothing else. What a
// fork sees of s does not depend on which others have been joined.
func (s *Session) Fork(seed uint64) *Session {
	f := &Session{opts: s.opts, reg: s.reg, env: s.env, parent: s, used: s.used, sources: s.sources, journal: &journal{}}
	f.opts.Seed = seed
	f.opts.Stdout = journalWriter{f.journal, toStdout}
	f.opts.Stderr = journalWriter{f.journal, toStderr}
	f.opts.Show = nil
	f.opts.Progress = nil // One line cannot tell of many machines.
	f.opts.Repeat = nil
	f.sources.text = maps.Clone(s.sources.text)
	f.sources.files = maps.Clone(s.sources.files)
	f.sources.hashes = maps.Clone(s.sources.hashes)
	f.sources.modules = maps.Clone(s.sources.modules)
	return f
}

// Join takes over what a forked session has left behind. Whoever forks calls
// it in the order of the seeds, whichever run was ready first, so that the
// output does not depend on it.
func (s *Session) Join(f *Session) error {
	if err := f.journal.replay(s); err != nil {
		return err
	}
	s.checks.passed += f.checks.passed
	s.checks.failed += f.checks.failed
	s.checks.messages = append(s.checks.messages, f.checks.messages...)
	for _, k := range f.notes.kernels {
		s.NoteKernel(k)
	}
	s.notes.digests = append(s.notes.digests, f.notes.digests...)
	for name, sum := range f.sources.hashes {
		s.sources.addHash(name, sum)
	}
	return s.params.join(&f.params, s.globals != nil)
}

// join takes over the parameters that a run has declared. Cells may declare
// one again with another default.
func (p *params) join(q *params, cells bool) error {
	for _, d := range q.decls {
		old := p.find(d.Name)
		if old == nil {
			p.decls = append(p.decls, d)
			continue
		}
		if eq, err := starlark.Equal(old.Default, d.Default); !cells && (err != nil || !eq) {
			return fmt.Errorf("parameter %s is declared twice, with the defaults %v and %v", d.Name, old.Default, d.Default)
		}
	}
	return nil
}

// A journal keeps what a forked session tells the user, in order.
type journal struct {
	parts []part
}

// part is a piece of output that goes one way.
type part struct {
	to   destination
	key  string // Of a note that is told once.
	text []byte
}

type destination uint8

const (
	toStdout destination = iota
	toStderr
	toNoteOnce
)

// journalWriter is an output stream of a forked session.
type journalWriter struct {
	j  *journal
	to destination
}

func (w journalWriter) Write(p []byte) (int, error) {
	parts := w.j.parts
	if n := len(parts); n > 0 && parts[n-1].to == w.to {
		parts[n-1].text = append(parts[n-1].text, p...)
		return len(p), nil
	}
	w.j.parts = append(parts, part{to: w.to, text: append([]byte(nil), p...)})
	return len(p), nil
}

// noteOnce keeps a note that another run may have told already.
func (j *journal) noteOnce(key, text string) {
	for i := range j.parts {
		if j.parts[i].to == toNoteOnce && j.parts[i].key == key {
			return
		}
	}
	j.parts = append(j.parts, part{to: toNoteOnce, key: key, text: []byte(text)})
}

// replay tells it all to the user of s.
func (j *journal) replay(s *Session) error {
	for _, p := range j.parts {
		var w io.Writer
		switch p.to {
		case toStdout:
			w = s.opts.Stdout
		case toStderr:
			w = s.opts.Stderr
		case toNoteOnce:
			s.noteOnce(p.key, "%s", p.text)
			continue
		}
		if _, err := w.Write(p.text); err != nil {
			return err
		}
	}
	return nil
}
