package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"

	"schedrepl/bindings"
)

// benchFormat names the format of a file of results.
const benchFormat = "schedrepl-bench-1"

// benchFile is a file of results.
type benchFile struct {
	Format  string `json:"format"`
	Version string `json:"version"` // Of the program.
	Go      string `json:"go"`
	System  string `json:"system"` // Operating system and architecture.
	Threads int    `json:"threads"`
	Quick   bool   `json:"quick"`
	// Complete says that no line is missing because of an error or Ctrl-C.
	Complete bool        `json:"complete"`
	Lines    []benchLine `json:"lines"`
}

func (p *process) benchFile(lines []benchLine, quick, complete bool) *benchFile {
	return &benchFile{
		Format: benchFormat, Version: p.version, Go: runtime.Version(),
		System: runtime.GOOS + "/" + runtime.GOARCH, Threads: runtime.GOMAXPROCS(0),
		Quick: quick, Complete: complete, Lines: lines,
	}
}

// noBenchFile is that there is no file of a name.
type noBenchFile struct{ error }

// readBenchFile reads a file of results.
func readBenchFile(name string) (*benchFile, error) {
	const hint = "make one with schedrepl bench --save-baseline FILE"
	data, err := os.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, noBenchFile{usage(hint, "baseline %s: no such file", name)}
	case err != nil:
		return nil, usage(hint, "baseline %s: cannot read it: %v", name, plainCause(err))
	}
	f := &benchFile{}
	if err := json.Unmarshal(data, f); err != nil {
		return nil, usage(hint, "baseline %s: it holds no results: %v", name, err)
	}
	if f.Format != benchFormat {
		return nil, usage(hint, "baseline %s: its format is %q; this program knows %s", name, f.Format, benchFormat)
	}
	return f, nil
}

// Unwrap shows what the user is told.
func (e noBenchFile) Unwrap() error { return e.error }

// canWrite fails for a file that cannot be written, so that a long run does not
// end with nothing to show. What is in it stays; one that was not there is not.
func canWrite(name string) error {
	switch name {
	case "":
		return nil
	case "-":
		return usage("give a file that can be written", "results: they want the name of a file; stdout is for the lines")
	}
	_, err := os.Lstat(name)
	isNew := errors.Is(err, fs.ErrNotExist)
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return usage("give a file that can be written", "results %s: cannot write there: %v", name, plainCause(err))
	}
	err = f.Close()
	if isNew {
		err = errors.Join(err, os.Remove(name))
	}
	return err
}

// write writes the file. Its bytes depend on nothing but what is in it.
func (f *benchFile) write(name string) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetIndent("", "  ")
	err := enc.Encode(f)
	if err == nil {
		err = os.WriteFile(name, b.Bytes(), 0o666)
	}
	if err != nil {
		return &bindings.Error{Category: bindings.ScriptError, Msg: fmt.Sprintf("results %s: cannot write them: %v", name, plainCause(err))}
	}
	return nil
}

// addTo puts the lines of f into old, in the place of those of the same
// benchmark. What old says of the program and the machine becomes that of f.
func (f *benchFile) addTo(old *benchFile) {
	for _, l := range f.Lines {
		if was := old.line(l.id()); was != nil {
			*was = l
		} else {
			old.Lines = append(old.Lines, l)
		}
	}
	old.Version, old.Go, old.System, old.Threads = f.Version, f.Go, f.System, f.Threads
	old.Quick = old.Quick || f.Quick
}

// line returns the line with an id, nil if there is none.
func (f *benchFile) line(id string) *benchLine {
	for i := range f.Lines {
		if f.Lines[i].id() == id {
			return &f.Lines[i]
		}
	}
	return nil
}

// benchComparison is how a line compares with the baseline.
type benchComparison struct {
	kind  int
	ratio float64 // Of the best times: above 1 is slower.
	noise float64 // How far from 1 the ratio of equal programs may lie.
}

// Kinds of comparison.
const (
	benchNone     = iota // There is no baseline, or nothing to compare.
	benchNew             // The baseline has no such line.
	benchDiffers         // The two did different work.
	benchCompared        // Ratio and noise are set.
)

// compareBench compares a line with that of a baseline, which may be nil.
func compareBench(l *benchLine, base *benchFile) benchComparison {
	if base == nil {
		return benchComparison{}
	}
	was := base.line(l.id())
	switch {
	case was == nil:
		return benchComparison{kind: benchNew}
	case was.Digest != l.Digest:
		return benchComparison{kind: benchDiffers}
	case was.Best <= 0 || l.Best <= 0:
		return benchComparison{}
	}
	noise := 0.15
	if c := l.benchCase(); c != nil && c.Large() {
		noise = 0.30
	}
	return benchComparison{kind: benchCompared, ratio: l.Best / was.Best, noise: max(noise, l.Spread+was.Spread)}
}

// mark is 1 for slower, -1 for faster, 0 for neither beyond noise.
func (c benchComparison) mark() int {
	switch {
	case c.kind != benchCompared:
		return 0
	case c.ratio > 1+c.noise:
		return 1
	case c.ratio < 1/(1+c.noise):
		return -1
	}
	return 0
}

// text is what a line says of the comparison, empty for nothing.
func (c benchComparison) text() string {
	switch c.kind {
	case benchNew:
		return "  not in the baseline"
	case benchDiffers:
		return "  another schedule than in the baseline: not comparable"
	case benchCompared:
		return fmt.Sprintf("  %.2fx the baseline%s", c.ratio, [...]string{", faster", "", ", SLOWER"}[c.mark()+1])
	}
	return ""
}
