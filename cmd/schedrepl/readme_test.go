package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"schedrepl/bindings"
	"schedrepl/cmd/schedrepl/internal/repl"
	"schedrepl/stdlib"
)

// readme is the text of the README.
func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestReadme runs the scripts of the README as they stand there. Where an
// indented line follows a script, the script prints it.
func TestReadme(t *testing.T) {
	n := 0
	for _, part := range strings.Split(readme(t), "```python\n")[1:] {
		script, rest, ok := strings.Cut(part, "```\n")
		if !ok {
			t.Fatal("README.md: a block of code does not end")
		}
		n++
		p, out, errs, _ := fakeProcess()
		p.stdin = strings.NewReader(script)
		p.stdlib = stdlib.FS
		if code := p.run([]string{"run", "-", "--out", t.TempDir()}); code != 0 || out.Len() == 0 {
			t.Errorf("script %d: code %d, stderr %s", n, code, errs)
		}
		shown, _, _ := strings.Cut(strings.TrimPrefix(rest, "\n"), "\n")
		if want, ok := strings.CutPrefix(shown, "    "); ok && !strings.HasPrefix(want, "go run ") && out.String() != want+"\n" {
			t.Errorf("script %d prints\n%s\nand README.md says\n%s", n, out, want)
		}
	}
	if n == 0 {
		t.Error("README.md has no script")
	}
}

// TestReadmeSession types the session of the README at a prompt, which shows
// what stands there.
func TestReadmeSession(t *testing.T) {
	_, part, ok := strings.Cut(readme(t), "```text\nIn[1]: ")
	if !ok {
		t.Fatal("README.md has no session")
	}
	part, _, _ = strings.Cut("In[1]: "+part, "```")
	typed, want, prompts := "", "", 0
	for line := range strings.Lines(part) {
		prompt, code, ok := strings.Cut(line, "]: ")
		if !ok || !strings.HasPrefix(prompt, "In[") {
			want += line
			continue
		}
		typed += code
		want += prompt + "]: "
		prompts++
	}
	out := &bytes.Buffer{}
	r, err := repl.New(repl.Config{
		Editor: repl.NewPlain(strings.NewReader(typed), out), Out: out, Err: out,
		Now: time.Now, Session: bindings.Options{Stdlib: stdlib.FS},
	})
	if err != nil {
		t.Fatal(err)
	}
	if code := r.Run(); code != 0 {
		t.Errorf("the prompt ends with code %d", code)
	}
	_, got, _ := strings.Cut(out.String(), "In[1]: ")
	got, _, _ = strings.Cut("In[1]: "+got, fmt.Sprintf("In[%d]: ", prompts+1))
	if got != want {
		t.Errorf("the prompt shows\n%s\nand README.md says\n%s", got, want)
	}
}

// TestReadmeLinks: the files to which the pages for readers lead are there, and
// the commands that the README shows are commands of the program.
func TestReadmeLinks(t *testing.T) {
	for _, page := range []string{"README.md", "CONTRIBUTING.md", "notebooks/gallery/autogroup.md", "notebooks/gallery/autogroup_seeds.md", "notebooks/gallery/figures.md"} {
		text, err := os.ReadFile(filepath.Join("../..", page))
		if err != nil {
			t.Error(err)
			continue
		}
		for _, m := range regexp.MustCompile(`\]\(([^)]*)\)`).FindAllStringSubmatch(string(text), -1) {
			to, _, _ := strings.Cut(m[1], "#")
			if strings.Contains(to, "://") || to == "" {
				continue
			}
			if _, err := os.Stat(filepath.Join("../..", filepath.Dir(page), to)); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
	}
	p, out, _, _ := fakeProcess()
	if code := p.run([]string{"--help"}); code != 0 {
		t.Fatal(code)
	}
	for _, m := range regexp.MustCompile("(?m)^\\| `schedrepl ([a-z]+) ").FindAllStringSubmatch(readme(t), -1) {
		if !strings.Contains(out.String(), "\n  "+m[1]+" ") {
			t.Errorf("README.md: there is no command %s", m[1])
		}
	}
}
