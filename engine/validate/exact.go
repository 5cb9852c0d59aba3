package validate

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// Exact is the outcome of comparing one exact capture.
type Exact struct {
	Name  string
	Lines int // lines recorded
	Equal bool
	// At is the number in the file of the first line that differs, from 1;
	// Want is that line as recorded and Got as the model has it, empty where
	// one trace ended.
	At        int
	Want, Got string
	// State tells the recorded lines before it, and what each task was like
	// then in the model and in the recording, as text of several lines.
	State string
}

// String returns "NAME: equal, N lines", or the first difference with the
// state on both sides.
func (e *Exact) String() string {
	if e.Equal {
		return fmt.Sprintf("%s: equal, %d lines", e.Name, e.Lines)
	}
	show := func(s string) string {
		if s == "" {
			return "(end of trace)"
		}
		return s
	}
	return fmt.Sprintf("%s: line %d of %d differs\n  recorded: %s\n  model:    %s\n%s",
		e.Name, e.At, e.Lines, show(e.Want), show(e.Got), e.State)
}

// CompareExact sets up the machine of the capture in dir (scenario.json and
// trace.txt.gz), runs it to the end, or to the first difference, and compares
// the two traces line by line. An error says that the capture cannot be read or
// asks for something that the model does not have; it names the file and what
// would be right.
func CompareExact(fsys fs.FS, dir string) (*Exact, error) { return compareExact(fsys, dir, false) }

// compareExact is CompareExact, with all ticks simulated or with those skipped
// that cannot matter: the outcome is the same.
func compareExact(fsys fs.FS, dir string, allTicks bool) (*Exact, error) {
	s, err := readScenario(fsys, dir)
	if err != nil {
		return nil, err
	}
	rec, err := readTrace(fsys, path.Join(dir, "trace.txt.gz"), limits{
		lines: maxLines, bytes: maxTextBytes, cpus: len(s.Topology.CPUs), end: s.End,
	})
	if err != nil {
		return nil, err
	}
	e, err := s.compare(rec, allTicks)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path.Join(dir, "scenario.json"), err)
	}
	e.Name = path.Base(dir)
	return e, nil
}

// compare runs the scenario against a recorded trace.
func (s *scenario) compare(rec *recorded, allTicks bool) (*Exact, error) {
	e := &Exact{Name: s.Name, Lines: len(rec.lines), Equal: true}
	var h *harness
	n := 0
	differ := func(got string) {
		e.Equal, e.Got = false, got
		e.At = int(rec.no[len(rec.no)-1]) + 1
		if n < len(rec.lines) {
			e.At, e.Want = int(rec.no[n]), rec.lines[n]
		}
		e.State = before(rec, n) + h.sides(rec, n)
	}
	h, err := s.build(allTicks, func(got string) {
		switch {
		case !e.Equal:
		case n < len(rec.lines) && rec.lines[n] == got:
			n++
		default:
			differ(got)
		}
	})
	if err != nil {
		return nil, err
	}
	if err := h.run(func() bool { return !e.Equal }); err != nil {
		return nil, err
	}
	if e.Equal && n < len(rec.lines) {
		differ("")
	}
	return e, nil
}

// trace runs the scenario and returns all of its lines.
func (s *scenario) trace(allTicks bool) ([]string, *harness, error) {
	var lines []string
	h, err := s.build(allTicks, func(line string) { lines = append(lines, line) })
	if err == nil {
		err = h.run(nil)
	}
	return lines, h, err
}

// before lists the last recorded lines before line n: up to there both traces
// agree.
func before(rec *recorded, n int) string {
	const context = 5
	var b strings.Builder
	if n > 0 {
		b.WriteString("  before it, equal:\n")
	}
	for i := max(0, n-context); i < n; i++ {
		fmt.Fprintf(&b, "    %s\n", rec.lines[i])
	}
	return b.String()
}
