package validate

import (
	"os"
	"path"
	"slices"
	"testing"
)

const captureDir = "testdata/captures"

// captures returns the folders of captures.
func captures(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir(captureDir)
	if err != nil {
		t.Fatal(err)
	}
	var dirs []string
	for _, e := range entries {
		if e.IsDir() {
			dirs = append(dirs, e.Name())
		}
	}
	if len(dirs) < 20 {
		t.Fatalf("%s holds %d captures; the folder is not complete", captureDir, len(dirs))
	}
	return dirs
}

// Each capture is reproduced line by line, whether ticks that cannot matter are
// skipped or not.
func TestCaptures(t *testing.T) {
	for _, dir := range captures(t) {
		t.Run(dir, func(t *testing.T) {
			for _, allTicks := range []bool{false, true} {
				e, err := compareExact(os.DirFS(captureDir), dir, allTicks)
				if err != nil {
					t.Fatal(err)
				}
				if !e.Equal {
					t.Errorf("all ticks %v: %v", allTicks, e)
				}
			}
		})
	}
}

// The second model of the tests reproduces them too, so that it may judge what
// no capture shows.
func TestOracleCaptures(t *testing.T) {
	for _, dir := range captures(t) {
		s, err := readScenario(os.DirFS(captureDir), dir)
		if err != nil {
			t.Fatal(err)
		}
		rec, err := readTrace(os.DirFS(captureDir), path.Join(dir, "trace.txt.gz"),
			limits{lines: maxLines, bytes: maxTextBytes, cpus: 1, end: s.End})
		if err != nil {
			t.Fatal(err)
		}
		if got := newOracle(s).run(); !slices.Equal(got, rec.lines) {
			i := firstDifference(got, rec.lines)
			t.Errorf("%s: line %d:\nrecorded %s\noracle   %s", dir, i+1, at(rec.lines, i), at(got, i))
		}
	}
}

// firstDifference returns the index of the first line in which a and b differ.
func firstDifference(a, b []string) int {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	return i
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(end)"
}
