package repl

import (
	"fmt"
	"regexp"
	"strings"
)

// asks matches ?name, name? and the same with two marks, which ask for the text
// of a function.
var asks = regexp.MustCompile(`^(\?{0,2})\s*(%?[A-Za-z_][A-Za-z_0-9]*(?:\.[A-Za-z_][A-Za-z_0-9]*)*)(?:\(\))?\s*(\?{0,2})$`)

// helpName finds the name that an entry asks about.
func helpName(line string) (name string, source, ok bool) {
	if line == "?" || line == "??" || line == "?%" || line == "%?" {
		return "", false, true
	}
	m := asks.FindStringSubmatch(line)
	if m == nil || m[1]+m[3] == "" {
		return "", false, false
	}
	return m[2], len(m[1]) == 2 || len(m[3]) == 2, true
}

// help tells about a name.
func (r *REPL) help(name string, source bool) bool {
	if name == "" || strings.HasPrefix(name, "%") {
		return r.helpCommand(strings.TrimPrefix(name, "%"))
	}
	text, ok := "", false
	if source {
		text, ok = r.s.SourceOn(name)
	}
	if !ok {
		var err error
		if text, err = r.s.HelpOn(name); err != nil {
			return r.failf("%v; help() lists all names", err)
		}
	}
	fmt.Fprint(r.out, text)
	return true
}
