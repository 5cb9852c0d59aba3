package bindings

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
)

// notes are facts about the run that the manifest tells.
type notes struct {
	kernels []string
	digests []string
}

// NoteKernel tells the manifest that a machine ran a kernel profile.
func (s *Session) NoteKernel(profile string) {
	if !contains(s.notes.kernels, profile) {
		s.notes.kernels = append(s.notes.kernels, profile)
	}
}

// NoteDigest tells the manifest the digest of a machine's trace. Digests stand
// in the order of the calls, which must be the same in every run.
func (s *Session) NoteDigest(digest string) { s.notes.digests = append(s.notes.digests, digest) }

// manifest is the JSON form of what made a run and what it made. It holds
// nothing that differs from run to run: no time, no host, no absolute path.
type manifest struct {
	Script  hashedFile      `json:"script"`
	Loads   []hashedFile    `json:"loads"`
	Params  []manifestParam `json:"params"`
	Seed    uint64          `json:"seed"`
	Kernels []string        `json:"kernels"`
	Version string          `json:"version"`
	Outcome string          `json:"outcome"`
	Digests []string        `json:"trace_digests"`
	Checks  manifestChecks  `json:"checks"`
	Files   []SavedFile     `json:"files"`
}

type hashedFile struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

type manifestParam struct {
	Name  string `json:"name"`
	Type  string `json:"type"`
	Value string `json:"value"`
}

type manifestChecks struct {
	Passed int      `json:"passed"`
	Failed []string `json:"failed"`
}

// manifest gathers what is known so far. No list in it is nil.
func (s *Session) manifest() manifest {
	m := manifest{
		Script:  hashedFile{filepath.Base(s.sources.main), s.sources.mainHash},
		Loads:   []hashedFile{},
		Params:  []manifestParam{},
		Seed:    s.opts.Seed,
		Kernels: slices.Sorted(slices.Values(s.notes.kernels)),
		Version: s.opts.Version,
		Outcome: s.outcome,
		Digests: s.notes.digests,
		Checks:  manifestChecks{s.checks.passed, s.checks.messages},
		Files:   s.saved.files,
	}
	if s.sources.main == "" {
		m.Script.Name = ""
	}
	for name, sum := range s.sources.hashes {
		m.Loads = append(m.Loads, hashedFile{name, sum})
	}
	slices.SortFunc(m.Loads, func(a, b hashedFile) int { return bytes.Compare([]byte(a.Name), []byte(b.Name)) })
	for _, d := range s.params.decls {
		m.Params = append(m.Params, manifestParam{d.Name, d.Type, textOf(d.Value)})
	}
	for _, list := range []*[]string{&m.Kernels, &m.Digests, &m.Checks.Failed} {
		if *list == nil {
			*list = []string{}
		}
	}
	if m.Files == nil {
		m.Files = []SavedFile{}
	}
	return m
}

// Manifest is the manifest of the run as JSON, with a newline at its end. The
// same run gives the same bytes.
func (s *Session) Manifest() []byte {
	m := s.manifest()
	b := &bytes.Buffer{}
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(m); err != nil {
		panic(fmt.Sprintf("sched: manifest: %v", err))
	}
	return b.Bytes()
}

// outcomeOf is how the manifest tells the end of a script: "complete" also with
// checks that have failed, which stand beside it, and else why there may be
// less than a whole run would have made.
func outcomeOf(err error) string {
	switch Category(ExitCodeOf(err)) {
	case 0, CheckFailed:
		return "complete"
	case Interrupted:
		return "interrupted"
	case InternalError:
		return "internal error"
	}
	return "failed"
}

// WriteManifest writes the manifest into the output directory; without one it
// does nothing.
func (s *Session) WriteManifest() error {
	if s.opts.OutDir == "" {
		return nil
	}
	data := s.Manifest()
	_, _, err := writeOutput(s.opts.OutDir, manifestName, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
	if err != nil {
		return &Error{Category: ScriptError, Msg: fmt.Sprintf("cannot save the manifest: %v", err)}
	}
	return nil
}
