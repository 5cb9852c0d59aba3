package plots

import (
	"fmt"
	"math"
	"strings"
	"unicode"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// ellipsis stands for what was cut out of the middle of a label.
const ellipsis = "…"

// clean makes a name fit for drawing on one line: bytes that are no UTF-8
// become U+FFFD, each run of blanks or control characters becomes one blank, and
// what only steers how text is set, such as marks of direction, is left out.
func clean(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, s)
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || r == 0xFFFE || r == 0xFFFF
	}), " ")
}

// elide shortens s to at most max by replacing its middle with an ellipsis:
// names of tasks and groups differ most at their ends. It returns "" if not
// even the ellipsis fits.
func elide(st text.Style, s string, max vg.Length) string {
	s = shown(st, s)
	if st.Width(s) <= max {
		return s
	}
	r := []rune(s)
	for keep := len(r) - 1; keep >= 0; keep-- {
		head := (keep + 1) / 2
		t := strings.TrimRight(string(r[:head]), " ") + ellipsis +
			strings.TrimLeft(string(r[len(r)-(keep-head):]), " ")
		if st.Width(t) <= max {
			return t
		}
	}
	return ""
}

// elideAll shortens each name to at most max. Different names that come out
// alike are told apart by a number at their end.
func elideAll(st text.Style, names []string, max vg.Length) []string {
	out := make([]string, len(names))
	first := map[string]string{} // shortened form to the name it stands for
	for i, s := range names {
		t := elide(st, s, max)
		for n := 2; t != ""; n++ {
			full, taken := first[t]
			if !taken || full == s {
				break
			}
			tail := fmt.Sprintf(" #%d", n)
			t = elide(st, s, max-st.Width(tail))
			if t != "" {
				t += tail
			}
		}
		first[t] = s
		out[i] = t
	}
	return out
}

// wrap breaks s at blanks into at most n lines of width max, filling each line
// before the next. A word wider than a line, and what is left for the last
// line, are elided.
func wrap(st text.Style, s string, max vg.Length, n int) []string {
	words := strings.Fields(shown(st, s))
	var lines []string
	for len(words) > 0 {
		if len(lines) == n-1 {
			return append(lines, elide(st, strings.Join(words, " "), max))
		}
		k := 1
		for k < len(words) && st.Width(strings.Join(words[:k+1], " ")) <= max {
			k++
		}
		lines = append(lines, elide(st, strings.Join(words[:k], " "), max))
		words = words[k:]
	}
	return lines
}

// fits tells whether wrap(st, s, max, n) keeps every character of s.
func fits(st text.Style, s string, max vg.Length, n int) bool {
	return strings.Join(wrap(st, s, max, n), " ") == strings.Join(strings.Fields(shown(st, s)), " ")
}

// put draws one line of text with its middle height at pt; x says which part
// of the line pt lies on: 0 the left end, 0.5 the centre, 1 the right end.
func put(c draw.Canvas, st text.Style, pt vg.Point, x float64, s string) {
	if s = shown(st, s); s == "" {
		return
	}
	f := st.Handler.Cache().Lookup(st.Font, st.Font.Size)
	pt.X -= vg.Length(x) * st.Width(s)
	pt.Y -= 0.36 * st.Font.Size // half the height of a capital
	c.SetColor(st.Color)
	c.FillString(f, pt, s)
}

// putUp draws one line of text that reads upwards, its middle height and the
// centre of its length at pt.
func putUp(c draw.Canvas, st text.Style, pt vg.Point, s string) {
	if s == "" {
		return
	}
	c.Push()
	c.Translate(pt)
	c.Rotate(math.Pi / 2)
	put(c, st, vg.Point{}, 0.5, s)
	c.Pop()
}

// putLines draws lines of text below top, centred on x, and returns the lower
// edge of the last.
func putLines(c draw.Canvas, st text.Style, x, top vg.Length, lines []string) vg.Length {
	h := leading(st.Font.Size)
	for i, s := range lines {
		put(c, st, vg.Point{X: x, Y: top - h*(vg.Length(i)+0.5)}, 0.5, s)
	}
	return top - h*vg.Length(len(lines))
}
