package bindings

import (
	"bytes"
	"maps"
)

// Fork makes a session for one of many runs of a function beside each other,
// with a seed of its own. It sees the parameters, files and limits of s, can
// run on another goroutine, and is stopped with s. What it prints and checks
// stays with it until Join.
func (s *Session) Fork(seed uint64) *Session {
	out := &bytes.Buffer{}
	f := &Session{opts: s.opts, reg: s.reg, env: s.env, parent: s, used: s.used, sources: s.sources}
	f.opts.Seed = seed
	f.opts.Stdout = out
	f.opts.Stderr = out
	f.opts.Show = nil
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
	if out, ok := f.opts.Stdout.(*bytes.Buffer); ok {
		if _, err := s.opts.Stdout.Write(out.Bytes()); err != nil {
			return err
		}
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
	return nil
}
