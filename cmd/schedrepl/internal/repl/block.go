package repl

import "strings"

// A state tells whether the lines of an entry make a whole.
type state int

const (
	whole   state = iota
	open          // A bracket or string is open, or a line goes on.
	inBlock       // A block goes on until an empty line.
)

// stateOf tells whether text, which may have several lines, is whole. Mistakes
// of syntax are: running it tells what they are.
func stateOf(text string) state {
	s := scanner{}
	lines := strings.Split(text, "\n")
	for _, line := range lines {
		s.line(line)
	}
	last := lines[len(lines)-1]
	switch {
	case s.quote != "" || s.depth > 0 || s.goesOn:
		return open
	case strings.TrimSpace(last) == "" && (!s.colon || s.blanks > 1):
		return whole
	case s.colon:
		return inBlock
	case s.block && s.indent != "":
		return inBlock
	}
	return whole
}

// scanner follows brackets, strings and blocks through the lines of an entry.
type scanner struct {
	quote  string // The end of a string of several lines that is open.
	depth  int    // Brackets that are open.
	goesOn bool   // The line ends in a backslash.
	colon  bool   // The last line with code ends in a colon: a block follows.
	block  bool   // A block has begun somewhere.
	indent string // What the last statement begins with.
	blanks int    // Empty lines at the end.
}

// line takes the next line.
func (s *scanner) line(line string) {
	begins := s.quote == "" && s.depth == 0 && !s.goesOn // A statement may begin here.
	s.goesOn = false
	last := byte(0) // The last character of code.
	s.blanks++
	if strings.TrimSpace(line) != "" {
		s.blanks = 0
	}
	i := 0
	for i < len(line) {
		if s.quote != "" {
			i = s.inString(line, i)
			last = '"'
			continue
		}
		switch c := line[i]; c {
		case '#':
			i = len(line)
			continue
		case '"', '\'':
			s.quote = string(c)
			if triple := strings.Repeat(string(c), 3); strings.HasPrefix(line[i:], triple) {
				s.quote = triple
			}
			i += len(s.quote)
			last = c
			continue
		case '(', '[', '{':
			s.depth++
			last = c
		case ')', ']', '}':
			s.depth = max(0, s.depth-1)
			last = c
		case '\\':
			s.goesOn = i == len(line)-1
			last = c
		case ' ', '\t', '\r':
		default:
			last = c
		}
		i++
	}
	if len(s.quote) == 1 {
		s.quote = "" // A string of one line ends with it; that is a mistake.
	}
	if last != 0 {
		if begins {
			s.indent = indentOf(line)
		}
		s.colon = last == ':' && s.depth == 0 && s.quote == ""
		s.block = s.block || s.colon
	}
}

// inString goes from byte i, inside of a string, to its end or that of the line.
func (s *scanner) inString(line string, i int) int {
	for i < len(line) {
		switch {
		case line[i] == '\\' && i+1 < len(line):
			i += 2 // In a raw string too, a backslash keeps the quote from ending it.
		case strings.HasPrefix(line[i:], s.quote):
			i += len(s.quote)
			s.quote = ""
			return i
		default:
			i++
		}
	}
	return i
}

// indentOf is the space that a line begins with.
func indentOf(line string) string {
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// indentStep is one level of indentation.
const indentStep = "    "

// nextIndent is what the line after text begins with: one level more after a
// colon, one less after a statement that ends a block, and nothing inside of a
// string.
func nextIndent(text string) string {
	s := scanner{}
	lines := strings.Split(text, "\n")
	for _, line := range lines {
		s.line(line)
	}
	last := lines[len(lines)-1]
	indent := indentOf(last)
	word, _, _ := strings.Cut(strings.TrimSpace(last), " ")
	switch {
	case s.quote != "":
		return ""
	case s.colon:
		return indent + indentStep
	case s.depth > 0:
		return indent
	case word == "return" || word == "pass" || word == "break" || word == "continue":
		return strings.TrimSuffix(indent, indentStep)
	}
	return indent
}
