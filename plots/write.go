package plots

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"html"
	"image/color"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Formats returns the names of the formats that Figure.Write knows.
func Formats() []string { return []string{"png", "svg", "pdf"} }

// Write writes the figure to w as "png", "svg" or "pdf". The bytes are equal
// from run to run and from process to process.
//
// A PNG says its resolution, so that programs give it the size in inches of
// Figure.Size. An SVG asks for Liberation Sans and falls back on Arial and
// Helvetica, which have the same widths. A PDF embeds the font; it knows the
// characters of Windows code page 1252 only and shows others as "?".
func (f *Figure) Write(w io.Writer, format string) error {
	var b []byte
	var err error
	switch format {
	case "png":
		b, err = f.png()
	case "svg":
		b, err = f.svg()
	case "pdf":
		b, err = f.pdf()
	default:
		return fmt.Errorf("%s: cannot write format %q: use one of %s", f.kind, format, strings.Join(Formats(), ", "))
	}
	if err == nil {
		_, err = w.Write(b)
	}
	if err != nil {
		return fmt.Errorf("%s: write %s: %w", f.kind, format, err)
	}
	return nil
}

// render draws the figure on a whole canvas.
func (f *Figure) render(c vg.CanvasSizer) {
	dc := draw.New(c)
	fillRect(dc, color.White, dc.Rectangle)
	f.draw(dc, f.th, f.dpi, insets{}, false)
}

func (f *Figure) png() ([]byte, error) {
	c := vgimg.NewWith(vgimg.UseWH(f.w, f.h), vgimg.UseDPI(f.dpi), vgimg.UseBackgroundColor(color.White))
	f.render(c)
	var buf bytes.Buffer
	if _, err := (vgimg.PngCanvas{Canvas: c}).WriteTo(&buf); err != nil {
		return nil, err
	}
	return setResolution(buf.Bytes(), f.dpi), nil
}

// setResolution inserts a pHYs chunk (PNG specification, 11.3.5.3) behind the
// header of a PNG: pixels per metre, twice, and the unit 1 for metre.
func setResolution(png []byte, dpi int) []byte {
	const head = 8 + 25 // signature, IHDR chunk
	chunk := make([]byte, 0, 21)
	perMetre := uint32(math.Round(float64(dpi) / 0.0254))
	chunk = binary.BigEndian.AppendUint32(chunk, 9)
	chunk = append(chunk, "pHYs"...)
	chunk = binary.BigEndian.AppendUint32(chunk, perMetre)
	chunk = binary.BigEndian.AppendUint32(chunk, perMetre)
	chunk = append(chunk, 1)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
	out := make([]byte, 0, len(png)+len(chunk))
	out = append(out, png[:head]...)
	out = append(out, chunk...)
	return append(out, png[head:]...)
}

func (f *Figure) svg() ([]byte, error) {
	c := vgsvg.New(f.w, f.h)
	f.render(c)
	var buf bytes.Buffer
	if _, err := c.WriteTo(&buf); err != nil {
		return nil, err
	}
	return f.th.fixText(buf.Bytes()), nil
}

// svgText matches a text element as the SVG canvas writes it: what stands
// before the font, the font size, the rest of the tag, the text.
var svgText = regexp.MustCompile(`<text ([^>]*)"font-family:Liberation Sans;([^>]*font-size:)([0-9.]+)(px[^>]*)>([^<]*)</text>`)

// fixText makes the text of an SVG safe against a viewer without Liberation
// Sans: it names other fonts to take, and the width that the text must have.
func (th theme) fixText(svg []byte) []byte {
	return svgText.ReplaceAllFunc(svg, func(b []byte) []byte {
		m := svgText.FindSubmatch(b)
		size, err := strconv.ParseFloat(string(m[3]), 64)
		if err != nil {
			return b
		}
		w := th.style(vg.Length(size)).Width(html.UnescapeString(string(m[5])))
		return fmt.Appendf(nil, `<text textLength="%.2f" lengthAdjust="spacingAndGlyphs" %s"font-family:'Liberation Sans',Arial,Helvetica,sans-serif;%s%s%s>%s</text>`,
			w.Points(), m[1], m[2], m[3], m[4], m[5])
	})
}

func (f *Figure) pdf() (b []byte, err error) {
	defer func() {
		// The PDF canvas panics if it cannot unpack its font to a temporary
		// folder. That is the user's disk, not a bug of ours.
		if r := recover(); r != nil {
			b, err = nil, fmt.Errorf("%v", r)
		}
	}()
	c := vgpdf.New(f.w, f.h)
	f.render(codePage{c})
	var buf bytes.Buffer
	if _, err := c.WriteTo(&buf); err != nil {
		return nil, err
	}
	return fixDates(buf.Bytes()), nil
}

// codePage is a PDF canvas that takes UTF-8, where the canvas below takes
// bytes of code page 1252.
type codePage struct{ *vgpdf.Canvas }

// cp1252 are the characters of code page 1252 from 0x80 to 0x9f; a blank marks
// a free place. From 0xa0 to 0xff it equals Unicode.
const cp1252 = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ"

// SetColor hands the colour on without its components multiplied by its
// opacity: the canvas below multiplies once more, which darkens bands.
func (c codePage) SetColor(col color.Color) {
	c.Canvas.SetColor(straight{color.NRGBAModel.Convert(col).(color.NRGBA)})
}

type straight struct{ c color.NRGBA }

func (s straight) RGBA() (r, g, b, a uint32) {
	return uint32(s.c.R) * 0x101, uint32(s.c.G) * 0x101, uint32(s.c.B) * 0x101, uint32(s.c.A) * 0x101
}

func (c codePage) FillString(f font.Face, pt vg.Point, s string) {
	var b []byte
	high := []rune(cp1252)
	for _, r := range s {
		switch {
		case r >= 0x20 && r < 0x7f, r >= 0xa0 && r <= 0xff:
			b = append(b, byte(r))
		default:
			x := byte('?')
			for i, h := range high {
				if h == r && h != ' ' {
					x = byte(0x80 + i)
				}
			}
			b = append(b, x)
		}
	}
	c.Canvas.FillString(f, pt, string(b))
}

// fixDates overwrites the two dates of a PDF, "D:20060102150405", with the
// epoch. Nothing changes its length, so the offsets in the file stay right.
func fixDates(pdf []byte) []byte {
	for _, key := range []string{"/CreationDate (D:", "/ModDate (D:"} {
		if i := bytes.LastIndex(pdf, []byte(key)); i >= 0 {
			copy(pdf[i+len(key):], "19700101000000")
		}
	}
	return pdf
}
