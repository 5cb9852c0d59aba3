package plots

import (
	"fmt"
	"strings"

	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot/text"
)

// shown returns s as it is drawn. The fonts hold the Latin, Greek, Cyrillic and
// Hebrew letters and the usual signs, but none of Chinese, Japanese, Korean or
// Arabic, and no emoji. Such a character would be an empty box, and two names
// of such characters would look alike; it is written as its code point instead,
// as \u4efb or \U0001f680. What is shown has no such characters, so showing it
// again changes nothing.
func shown(st text.Style, s string) string {
	plain := true
	for i := range len(s) {
		plain = plain && s[i] < 0x80
	}
	if plain {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case hasGlyph(st, r):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// hasGlyph tells whether the font of a style can draw r.
func hasGlyph(st text.Style, r rune) bool {
	var buf sfnt.Buffer
	face := st.Handler.Cache().Lookup(st.Font, st.Font.Size)
	i, err := face.Face.GlyphIndex(&buf, r)
	return err == nil && i != 0
}

// Missing returns the characters of the title, the labels and the names of the
// figure that its font lacks, each once, in the order in which they occur. They
// are drawn as their code points. The panels of a grid are asked themselves.
func (f *Figure) Missing() string {
	texts := []string{f.title, f.x.label, f.x.unit, f.y.label, f.y.unit}
	texts = append(append(texts, f.x.names...), f.y.names...)
	if f.bar != nil {
		texts = append(texts, f.bar.scale.label)
	}
	for _, e := range f.legend {
		texts = append(texts, e.name)
	}
	st := f.th.style(f.th.text)
	var out []rune
	for _, r := range strings.Join(texts, "") {
		if !hasGlyph(st, r) && !strings.ContainsRune(string(out), r) {
			out = append(out, r)
		}
	}
	return string(out)
}
