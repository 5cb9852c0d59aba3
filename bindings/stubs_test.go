package bindings

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"schedrepl/stdlib"
)

func stubText(t *testing.T) string {
	t.Helper()
	text, err := Reference().Stubs(stdlib.FS)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestStubsAreFresh(t *testing.T) {
	sameAsFile(t, "stubs/__builtins__.pyi", stubText(t), "go run ./cmd/schedrepl doc --stubs > bindings/stubs/__builtins__.pyi")
}

// Every name is in the stub, within the class of its type or module.
func TestStubsAreComplete(t *testing.T) {
	text := stubText(t)
	classes := map[string]string{}
	for _, part := range strings.Split(text, "\nclass ")[1:] {
		name := part[:strings.IndexAny(part, "(:")]
		body, _, _ := strings.Cut(part, "\n\ndef ") // What follows the last class.
		classes[name] = body
	}
	for _, b := range entriesByName() {
		within, name := "\n"+text, b.Name
		indent := ""
		if owner, member, ok := strings.Cut(b.FullName(), "."); ok {
			class := className(owner)
			if b.Recv == "" {
				class += "Module"
			}
			within, name, indent = classes[class], member, "    "
		}
		if !strings.Contains(within, "\n"+indent+"def "+name+"(") && !strings.Contains(within, "\n"+indent+name+": ") {
			t.Errorf("%s is not in the stub", b.FullName())
		}
	}
	for _, topic := range registry().sortedTopics(false) {
		if has := strings.Contains(text, "\n"+topic.Name+": _"); has == contains(pythonWords, topic.Name) {
			t.Errorf("module %s: declared is %v", topic.Name, has)
		}
	}
	for _, name := range []string{"load", "fail", "make_j"} {
		if !strings.Contains(text, "\ndef "+name+"(") {
			t.Errorf("%s is not in the stub", name)
		}
	}
}

// The stub has the shape of Python: strings and brackets are closed, a line is
// indented no further than the block that is open, and what ends in a colon has
// a body.
func TestStubsAreSound(t *testing.T) {
	if err := checkPython(stubText(t)); err != nil {
		t.Error(err)
	}
	// The check finds mistakes.
	for _, bad := range []string{
		"def f(x: int -> int:\n    \"\"\"Doc.\"\"\"\n", "def f() -> int:\n", "x: int\n    y: int\n",
		"def f() -> int:\n    \"\"\"Doc.\n", "class C:\n\nx: int\n", "def f(x: str = \"a) -> None: ...\n", "from: int\n",
	} {
		if checkPython(bad) == nil {
			t.Errorf("the check passes %q", bad)
		}
	}
}

var keywordName = regexp.MustCompile(`^\s*(?:def )?(` + strings.Join(pythonWords, "|") + `)\s*[(:]`)

// checkPython finds mistakes in the shape of a stub.
func checkPython(text string) error {
	var blocks []int // Indents of the bodies that may follow.
	need := -1       // The indent that the next line must have; -1 for any that is open.
	lines := strings.Split(text, "\n")
	for n := 0; n < len(lines); n++ {
		line := lines[n]
		bare := strings.TrimSpace(line)
		if bare == "" || strings.HasPrefix(bare, "#") {
			continue
		}
		at, indent := n+1, indentOf(line)
		if need >= 0 && indent != need {
			return fmt.Errorf("line %d is indented by %d, want %d", at, indent, need)
		}
		for len(blocks) > 0 && blocks[len(blocks)-1] > indent {
			blocks = blocks[:len(blocks)-1]
		}
		if open := append([]int{0}, blocks...); open[len(open)-1] != indent {
			return fmt.Errorf("line %d is indented by %d where no block is open", at, indent)
		}
		need = -1
		if rest, ok := strings.CutPrefix(bare, `"""`); ok {
			for !hasEnd(rest) {
				if n++; n == len(lines) {
					return fmt.Errorf("line %d: the docstring does not end", at)
				}
				rest = lines[n]
			}
			continue
		}
		if m := keywordName.FindStringSubmatch(line); m != nil && m[1] != "class" && m[1] != "from" || strings.HasPrefix(bare, "from:") {
			return fmt.Errorf("line %d declares a keyword: %s", at, bare)
		}
		if err := checkBrackets(bare); err != nil {
			return fmt.Errorf("line %d: %v: %s", at, err, bare)
		}
		if strings.HasSuffix(bare, ":") {
			need = indent + 4
			blocks = append(blocks, need)
		}
	}
	if need >= 0 {
		return fmt.Errorf("the last block has no body")
	}
	return nil
}

// hasEnd tells whether a line ends a docstring, with quotes that are not
// escaped.
func hasEnd(s string) bool {
	return strings.Contains(strings.ReplaceAll(strings.ReplaceAll(s, `\\`, ""), `\"`, ""), `"""`)
}

// checkBrackets fails unless brackets and quotes of a line match.
func checkBrackets(s string) error {
	var open []rune
	quote, escaped := rune(0), false
	for _, c := range s {
		switch {
		case quote != 0 && escaped:
			escaped = false
		case quote != 0 && c == '\\':
			escaped = true
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case strings.ContainsRune("([{", c):
			open = append(open, c)
		case strings.ContainsRune(")]}", c):
			want := map[rune]rune{')': '(', ']': '[', '}': '{'}[c]
			if len(open) == 0 || open[len(open)-1] != want {
				return fmt.Errorf("a %c closes nothing", c)
			}
			open = open[:len(open)-1]
		}
	}
	if quote != 0 || len(open) > 0 {
		return fmt.Errorf("a bracket or quote is left open")
	}
	return nil
}
