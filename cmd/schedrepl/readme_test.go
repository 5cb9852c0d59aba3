package main

import (
	"os"
	"strings"
	"testing"

	"schedrepl/stdlib"
)

// TestReadme runs the scripts of the README and of the contribution notes as
// they stand there.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, part := range strings.Split(string(text), "```python\n")[1:] {
		script, _, ok := strings.Cut(part, "```")
		if !ok {
			t.Fatal("README.md: a block of code does not end")
		}
		n++
		p, out, errs, _ := fakeProcess()
		p.stdin = strings.NewReader(script)
		p.stdlib = stdlib.FS
		if code := p.run([]string{"run", "-"}); code != 0 || out.Len() == 0 {
			t.Errorf("script %d: code %d, stderr %s", n, code, errs)
		}
	}
	if n == 0 {
		t.Error("README.md has no script")
	}
}
