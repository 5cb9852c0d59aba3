package bindings

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"go.starlark.net/starlark"

	"schedrepl/engine/table"
)

// Screen is the size of a terminal that values are shown on, in characters.
type Screen struct{ Width, Height int }

// plotRows is how many lines a histogram at the prompt has.
const plotRows = 8

// TerminalText is a value as a prompt shows it, without a newline at its end: a
// table with its middle rows and columns left out where the screen is too
// small, samples with a histogram, text of several lines as it is, and a long
// value cut to a screen.
func TerminalText(v Value, sc Screen) string {
	sc.Width, sc.Height = max(sc.Width, 20), max(sc.Height, 8)
	switch v := v.(type) {
	case *tableValue:
		b := &strings.Builder{}
		// Title, header, rule, the line for what is left out, and the prompt.
		opts := table.TextOptions{MaxRows: max(4, sc.Height-6), MaxCell: v.maxCell, MaxWidth: sc.Width}
		if err := v.T.WriteText(b, opts); err != nil {
			panic("sched: " + err.Error()) // A Builder does not fail.
		}
		return strings.TrimSuffix(b.String(), "\n")
	case *samplesValue:
		return v.terminalText(sc)
	case starlark.String:
		if text := string(v); strings.Contains(text, "\n") {
			return strings.TrimSuffix(cutText(text, sc), "\n")
		}
	case *starlark.Dict:
		if lines, ok := sampleLines(v.Items(), sc); ok {
			return lines
		}
	case *starlark.List, starlark.Tuple:
		var items []starlark.Tuple
		for e := range starlark.Elements(v.(starlark.Iterable)) {
			items = append(items, starlark.Tuple{starlark.String(""), e})
		}
		if lines, ok := sampleLines(items, sc); ok {
			return lines
		}
	}
	return cutText(wrapped(v, sc.Width), sc)
}

// wrapped is the text of a value; that of a list, tuple or dict which is wider
// than the screen is broken between its elements.
func wrapped(v Value, width int) string {
	text := v.String()
	if utf8.RuneCountInString(text) <= width || strings.Contains(text, "\n") {
		return text
	}
	var parts []string
	switch v := v.(type) {
	case *starlark.List, starlark.Tuple:
		for e := range starlark.Elements(v.(starlark.Iterable)) {
			parts = append(parts, e.String())
		}
	case *starlark.Dict:
		for _, kv := range v.Items() {
			parts = append(parts, kv[0].String()+": "+kv[1].String())
		}
	}
	if len(parts) < 2 {
		return text
	}
	b := &strings.Builder{}
	col := 1
	b.WriteByte(text[0])
	for i, p := range parts {
		n := utf8.RuneCountInString(p) + 1 // With its comma or bracket.
		switch {
		case i == 0:
		case col+1+n > width:
			b.WriteString(",\n ")
			col = 1
		default:
			b.WriteString(", ")
			col += 2
		}
		b.WriteString(p)
		col += n - 1
	}
	b.WriteByte(text[len(text)-1])
	return b.String()
}

// terminalText is the line that samples are, and a histogram below it.
func (v *samplesValue) terminalText(sc Screen) string {
	text := v.String()
	if v.Len() < 2 {
		return text
	}
	bins := min(plotRows, max(3, sc.Height-6))
	hist, err := v.textHist(bins, min(sc.Width-1, 80), v.wantsLog())
	if err != nil {
		return text
	}
	return text + "\n" + hist
}

// sampleLines shows samples in a list or dict line by line, each with how it is
// spread; false if something else is in there too.
func sampleLines(items []starlark.Tuple, sc Screen) (string, bool) {
	const spark = 20
	if len(items) == 0 || len(items) > sc.Height-2 {
		return "", false
	}
	var names, lines []string
	wide := 0
	for _, kv := range items {
		s, ok := kv[1].(*samplesValue)
		if !ok {
			return "", false
		}
		name := textOf(kv[0])
		names = append(names, name)
		wide = max(wide, utf8.RuneCountInString(name))
		lines = append(lines, fmt.Sprintf("%-*s %s", spark, s.distline(spark), s))
	}
	for i := range lines {
		if wide > 0 {
			lines[i] = fmt.Sprintf("%-*s  %s", wide, names[i], lines[i])
		}
		if r := []rune(lines[i]); len(r) > sc.Width {
			lines[i] = string(r[:sc.Width-1]) + "…"
		}
	}
	return strings.Join(lines, "\n"), true
}

// cutText leaves the middle of a text out that does not fit on the screen.
func cutText(text string, sc Screen) string {
	rows := 0
	var lines []string
	for line := range strings.Lines(text) {
		lines = append(lines, line)
		rows += 1 + utf8.RuneCountInString(line)/sc.Width
	}
	limit := 4 * sc.Height // One may scroll back a little.
	switch {
	case rows <= limit:
		return text
	case len(lines) > limit:
		n := limit / 2
		hidden := len(lines) - 2*n
		return strings.Join(lines[:n], "") + fmt.Sprintf("… %d more lines; print shows all …\n", hidden) + strings.Join(lines[len(lines)-n:], "")
	}
	r := []rune(text)
	n := limit * sc.Width / 2
	return string(r[:n]) + fmt.Sprintf("\n… %d more characters; print shows all …\n", len(r)-2*n) + string(r[len(r)-n:])
}
