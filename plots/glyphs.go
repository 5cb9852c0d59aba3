package plots

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
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

// visual is a canvas whose text lies as it is read: it turns Hebrew round, which
// the canvases of PNGs and PDFs draw from left to right. Viewers of SVGs do that
// themselves.
type visual struct{ vg.CanvasSizer }

func (c visual) FillString(f font.Face, pt vg.Point, s string) {
	c.CanvasSizer.FillString(f, pt, visualOrder(s))
}

// visualOrder reverses each stretch of s from one Hebrew letter to the last
// before a letter of another script, but not the numbers in it. Points stay
// behind their letter. This is what the bidirectional algorithm of Unicode makes
// of names in one or two scripts.
func visualOrder(s string) string {
	plain := true
	for i := range len(s) {
		plain = plain && s[i] < 0x80
	}
	if plain {
		return s
	}
	r := []rune(s)
	for i := 0; i < len(r); i++ {
		if !unicode.Is(unicode.Hebrew, r[i]) {
			continue
		}
		end := i + 1
		for k := end; k < len(r); k++ {
			if unicode.Is(unicode.Hebrew, r[k]) || unicode.IsDigit(r[k]) {
				end = k + 1
			} else if unicode.IsLetter(r[k]) {
				break
			}
		}
		slices.Reverse(r[i:end])
		for k := i; k < end; k++ { // marks now stand before their letter
			m := k
			for m < end && unicode.IsDigit(r[m]) {
				m++
			}
			if m > k {
				slices.Reverse(r[k:m])
				k = m - 1
				continue
			}
			for m < end && unicode.Is(unicode.Mn, r[m]) {
				m++
			}
			if m > k && m < end {
				slices.Reverse(r[k : m+1])
				k = m
			}
		}
		i = end
	}
	return string(r)
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
