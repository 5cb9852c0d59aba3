package table

import (
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// wide lists the runes that take two columns on a terminal: East Asian Width W
// or F in Unicode 15 (UAX #11), with unassigned code points between two wide
// ones counted as wide. In ascending order.
var wide = [...][2]rune{
	{0x1100, 0x115F}, {0x231A, 0x231B}, {0x2329, 0x232A}, {0x23E9, 0x23EC}, {0x23F0, 0x23F0}, {0x23F3, 0x23F3},
	{0x25FD, 0x25FE}, {0x2614, 0x2615}, {0x2648, 0x2653}, {0x267F, 0x267F}, {0x2693, 0x2693}, {0x26A1, 0x26A1},
	{0x26AA, 0x26AB}, {0x26BD, 0x26BE}, {0x26C4, 0x26C5}, {0x26CE, 0x26CE}, {0x26D4, 0x26D4}, {0x26EA, 0x26EA},
	{0x26F2, 0x26F3}, {0x26F5, 0x26F5}, {0x26FA, 0x26FA}, {0x26FD, 0x26FD}, {0x2705, 0x2705}, {0x270A, 0x270B},
	{0x2728, 0x2728}, {0x274C, 0x274C}, {0x274E, 0x274E}, {0x2753, 0x2755}, {0x2757, 0x2757}, {0x2795, 0x2797},
	{0x27B0, 0x27B0}, {0x27BF, 0x27BF}, {0x2B1B, 0x2B1C}, {0x2B50, 0x2B50}, {0x2B55, 0x2B55}, {0x2E80, 0x303E},
	{0x3041, 0x3247}, {0x3250, 0x4DBF}, {0x4E00, 0xA4C6}, {0xA960, 0xA97C}, {0xAC00, 0xD7A3}, {0xF900, 0xFAFF},
	{0xFE10, 0xFE19}, {0xFE30, 0xFE6B}, {0xFF01, 0xFF60}, {0xFFE0, 0xFFE6}, {0x16FE0, 0x1B2FB}, {0x1F004, 0x1F004},
	{0x1F0CF, 0x1F0CF}, {0x1F18E, 0x1F18E}, {0x1F191, 0x1F19A}, {0x1F200, 0x1F320}, {0x1F32D, 0x1F335},
	{0x1F337, 0x1F37C}, {0x1F37E, 0x1F393}, {0x1F3A0, 0x1F3CA}, {0x1F3CF, 0x1F3D3}, {0x1F3E0, 0x1F3F0},
	{0x1F3F4, 0x1F3F4}, {0x1F3F8, 0x1F43E}, {0x1F440, 0x1F440}, {0x1F442, 0x1F4FC}, {0x1F4FF, 0x1F53D},
	{0x1F54B, 0x1F54E}, {0x1F550, 0x1F567}, {0x1F57A, 0x1F57A}, {0x1F595, 0x1F596}, {0x1F5A4, 0x1F5A4},
	{0x1F5FB, 0x1F64F}, {0x1F680, 0x1F6C5}, {0x1F6CC, 0x1F6CC}, {0x1F6D0, 0x1F6D2}, {0x1F6D5, 0x1F6DF},
	{0x1F6EB, 0x1F6EC}, {0x1F6F4, 0x1F6FC}, {0x1F7E0, 0x1F7F0}, {0x1F90C, 0x1F93A}, {0x1F93C, 0x1F945},
	{0x1F947, 0x1F9FF}, {0x1FA70, 0x1FAF8}, {0x20000, 0x3FFFD},
}

// joiner is the zero-width joiner of composed emoji.
const joiner = '\u200d'

// runeWidth returns the terminal columns that a printable rune takes: 0 for a
// combining mark, 2 for a wide rune, else 1. Emoji joined into one picture count
// as their parts, as many terminals draw them.
func runeWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case r == joiner || unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	}
	k := sort.Search(len(wide), func(k int) bool { return wide[k][1] >= r })
	if k < len(wide) && wide[k][0] <= r {
		return 2
	}
	return 1
}

// textWidth returns the terminal columns that a printable string takes.
func textWidth(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

// clip cuts s to at most limit columns; a cut string ends in an ellipsis. A
// negative limit cuts nothing.
func clip(s string, limit int) string {
	if limit < 0 || textWidth(s) <= limit {
		return s
	}
	n := 1 // the ellipsis
	for i, r := range s {
		if n += runeWidth(r); n > limit {
			return s[:i] + "…"
		}
	}
	return s
}

// printable writes what a terminal would act on instead of showing (control
// characters, direction marks, invalid UTF-8) as escapes, so that a name cannot
// break the layout.
func printable(s string) string {
	plain := true
	for _, r := range s {
		plain = plain && r != utf8.RuneError && shows(r)
	}
	if plain {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && size == 1 || !shows(r) {
			q := strconv.Quote(s[:size])
			b.WriteString(q[1 : len(q)-1])
		} else {
			b.WriteString(s[:size])
		}
		s = s[size:]
	}
	return b.String()
}

// shows reports whether a terminal shows r in place.
func shows(r rune) bool {
	return unicode.IsPrint(r) || r == joiner || r == '\u3000' // the wide space
}
