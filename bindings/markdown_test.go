package bindings

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"schedrepl/stdlib"
)

func referencePage(t *testing.T) string {
	t.Helper()
	page, err := Reference().Markdown(stdlib.FS)
	if err != nil {
		t.Fatal(err)
	}
	return page
}

// The page in the repository is the one that the program prints. It holds the
// output of the examples that do not say what they print, so that is compared
// too.
func TestReferenceIsFresh(t *testing.T) {
	sameAsFile(t, "reference.md", referencePage(t), "go run ./cmd/schedrepl doc --markdown > bindings/reference.md")
}

// sameAsFile compares what a command prints with the file that it made, and
// names the first line in which they part.
func sameAsFile(t *testing.T, name, got, command string) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatalf("%v; make it with\n  %s", err, command)
	}
	want := string(data)
	if got == want {
		return
	}
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	n := 0
	for n < len(g)-1 && n < len(w)-1 && g[n] == w[n] {
		n++
	}
	t.Errorf("%s is stale: line %d is\n  %q, and the program prints\n  %q\nLook at what changed, then make it anew, from the top of the repository:\n  %s",
		name, n+1, w[n], g[n], command)
}

var (
	headingLine = regexp.MustCompile(`^#{1,6} (.*)$`)
	pageLink    = regexp.MustCompile(`\]\(([^)]*)\)`)
	codeSpan    = regexp.MustCompile("`[^`]*`")
)

// Each link of the page leads to one heading, no two headings share an anchor,
// the rows of a table have as many cells as its head, and blocks of code end.
func TestReferenceIsSound(t *testing.T) {
	page := referencePage(t)
	anchors := map[string]int{}
	inCode := false
	for line := range strings.Lines(page) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "```") {
			inCode = !inCode
		}
		if m := headingLine.FindStringSubmatch(line); m != nil && !inCode {
			anchors[anchor(m[1])]++
		}
	}
	if inCode {
		t.Error("a block of code does not end")
	}
	for a, n := range anchors {
		if n > 1 {
			t.Errorf("%d headings have the anchor %s", n, a)
		}
	}
	cells := 0
	n := 0
	for line := range strings.Lines(page) {
		n++
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "```") {
			inCode = !inCode
		}
		if inCode {
			continue
		}
		for _, m := range pageLink.FindAllStringSubmatch(codeSpan.ReplaceAllString(line, ""), -1) {
			if to, ok := strings.CutPrefix(m[1], "#"); ok && anchors[to] == 0 {
				t.Errorf("line %d: no heading has the anchor %s", n, to)
			} else if !ok && !strings.HasPrefix(to, "https://") {
				if _, err := os.Stat(to); err != nil {
					t.Errorf("line %d: the link leads nowhere: %v", n, err)
				}
			}
		}
		if !strings.HasPrefix(line, "|") {
			cells = 0
			continue
		}
		got := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|")
		if cells == 0 {
			cells = got
		}
		if got != cells {
			t.Errorf("line %d: the row has %d bars, the head of the table %d: %s", n, got, cells, line)
		}
	}
	for _, b := range entriesByName() {
		if b.Attr && !strings.Contains(page, "\n| `"+b.FullName()+"` | ") || !b.Attr && !strings.Contains(page, "\n#### "+b.FullName()+"\n") {
			t.Errorf("%s is not in the page", b.FullName())
		}
	}
}

// The blocks of code before the contents run, and print what they say.
func TestReferenceIntroRuns(t *testing.T) {
	n := 0
	for _, part := range strings.Split(referenceIntro, "```python\n")[1:] {
		code, _, _ := strings.Cut(part, "```")
		good := ""
		for line := range strings.Lines(code) {
			call, want, fails := strings.Cut(strings.TrimSuffix(line, "\n"), "  # error: ")
			if !fails {
				good += line
				continue
			}
			err := newTestSession(t, Options{}).Exec("intro.star", good+call)
			if err == nil || !strings.HasSuffix(strings.TrimSpace(err.Error()), "error: "+want) {
				t.Errorf("%s fails with\n%v\nand the page says %s", call, err, want)
			}
		}
		out := &bytes.Buffer{}
		if err := newTestSession(t, Options{Stdout: out}).Exec("intro.star", good); err != nil {
			t.Error(err)
		}
		if want := strings.Join(shownOutput(good), "\n") + "\n"; out.String() != want {
			t.Errorf("a block prints %q and says %q", out, want)
		}
		n++
	}
	if n < 2 {
		t.Errorf("the introduction has %d blocks of code", n)
	}
}

func TestProse(t *testing.T) {
	for in, want := range map[string]string{
		"a < b":                 `a \< b`,
		"`a < b*c`":             "`a < b*c`",
		"5 * ms":                "5 * ms",
		`names as "cc1*"`:       `names as "cc1\*"`,
		"snake_case _private x": `snake_case \_private x`,
		"[fill] and f[x](y)":    `\[fill] and f\[x](y)`,
	} {
		if got := prose(in); got != want {
			t.Errorf("prose(%q) is %q, want %q", in, got, want)
		}
	}
}

// A name in no chapter, or in two, is found.
func TestChaptersAreChecked(t *testing.T) {
	r := testRegistry(t)
	if err := r.checkChapters(); err == nil {
		t.Error("a registry with other names than the chapters passes")
	}
	if err := registry().checkChapters(); err != nil {
		t.Error(err)
	}
}
