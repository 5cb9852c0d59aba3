package bindings

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var expectation = regexp.MustCompile("###\\s*`([^`]*)`")

// The files in testdata/*.star are cut into chunks by lines of "---". Each
// chunk is a script. A line that ends in a comment ### `pattern` must fail,
// with a message or hint that matches; a chunk without one must run.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.star")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no scripts in testdata: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		line := 0
		for chunk := range strings.SplitSeq(string(data), "\n---\n") {
			// The lines keep their numbers within the file.
			src := strings.Repeat("\n", line) + chunk
			t.Run(fmt.Sprintf("%s:%d", filepath.Base(file), line+1), func(t *testing.T) {
				runChunk(t, file, src)
			})
			line += strings.Count(chunk, "\n") + 2
		}
	}
}

func runChunk(t *testing.T, file, src string) {
	want := map[int]*regexp.Regexp{}
	n := 0
	for line := range strings.Lines(src) {
		n++
		if m := expectation.FindStringSubmatch(line); m != nil {
			want[n] = regexp.MustCompile(m[1])
		}
	}
	err := newTestSession(t, Options{}).Exec(file, src)
	var e *Error
	if err != nil && !errors.As(err, &e) {
		t.Fatalf("the error is no *Error: %v", err)
	}
	for _, mistake := range mistakes(e) {
		at := mistake.Frames[len(mistake.Frames)-1]
		re := want[at.Line]
		if re == nil {
			t.Errorf("unexpected error:\n%v", mistake)
			continue
		}
		if text := mistake.Msg + "\n" + mistake.Hint; !re.MatchString(text) {
			t.Errorf("line %d: the error is\n%s\nand does not match %s", at.Line, text, re)
		}
		delete(want, at.Line)
	}
	for line, re := range want {
		t.Errorf("line %d: there is no error that matches %s", line, re)
	}
}

func mistakes(e *Error) []*Error {
	if e == nil {
		return nil
	}
	return append([]*Error{e}, e.More...)
}
