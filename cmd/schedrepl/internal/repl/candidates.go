package repl

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"schedrepl/bindings"
)

// documented is the number of candidates up to which each has a line with what
// it means.
const documented = 12

// candidateList is the text that shows candidates on a screen of some size. It
// is no more than the better half of the screen, and ends in a newline.
func candidateList(list []bindings.Candidate, width, height int) string {
	wide := 0
	docs := false
	for _, c := range list {
		wide = max(wide, utf8.RuneCountInString(c.Text))
		docs = docs || c.Doc != ""
	}
	rows := max(3, height-4)
	b := &strings.Builder{}
	if docs && len(list) <= min(documented, rows) {
		for _, c := range list {
			line := []rune(fmt.Sprintf("%-*s  %s", wide, c.Text, c.Doc))
			if len(line) >= width && width > 1 {
				line = append(line[:width-2], '…')
			}
			b.WriteString(strings.TrimRight(string(line), " ") + "\n")
		}
		return b.String()
	}
	cols := max(1, (width-1)/(wide+2))
	need := (len(list) + cols - 1) / cols
	hidden := 0
	if need > rows {
		shown := (rows - 1) * cols
		hidden = len(list) - shown
		list, need = list[:shown], rows-1
	}
	for row := range need {
		line := ""
		for i := row; i < len(list); i += need {
			line += fmt.Sprintf("%-*s", wide+2, list[i].Text)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	if hidden > 0 {
		fmt.Fprintf(b, "… %d more; type more letters\n", hidden)
	}
	return b.String()
}

// commonPrefix is what all candidates begin with.
func commonPrefix(list []bindings.Candidate) string {
	p := list[0].Text
	for _, c := range list[1:] {
		for !strings.HasPrefix(c.Text, p) {
			_, n := utf8.DecodeLastRuneInString(p)
			p = p[:len(p)-n]
		}
	}
	return p
}
