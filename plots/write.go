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
	"slices"
	"strconv"
	"strings"

	"golang.org/x/image/font/sfnt"
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
// Helvetica, which have the same widths. A PDF embeds the font; text with other
// characters than those of Windows code page 1252 is drawn as outlines in it,
// which look the same but cannot be searched.
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
	f.render(visual{c})
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
	f.render(visual{codePage{c}})
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
		i := slices.Index(high, r)
		switch {
		case r >= 0x20 && r < 0x7f, r >= 0xa0 && r <= 0xff:
			b = append(b, byte(r))
		case i >= 0 && r != ' ':
			b = append(b, byte(0x80+i))
		default:
			c.outline(f, pt, s)
			return
		}
	}
	c.Canvas.FillString(f, pt, string(b))
}

// outline fills the shapes of the characters of s, which f is known to have.
func (c codePage) outline(f font.Face, pt vg.Point, s string) {
	const units = 1000 // of the em square of the coordinates asked for
	var buf sfnt.Buffer
	scale := f.Font.Size / units
	for _, r := range s {
		i, err := f.Face.GlyphIndex(&buf, r)
		if err != nil {
			continue
		}
		segments, err := f.Face.LoadGlyph(&buf, i, units<<6, nil)
		if err != nil {
			continue
		}
		var p vg.Path
		for k, s := range segments {
			at := func(k int) vg.Point {
				return vg.Point{X: pt.X + vg.Length(s.Args[k].X)/64*scale, Y: pt.Y - vg.Length(s.Args[k].Y)/64*scale}
			}
			switch s.Op {
			case sfnt.SegmentOpMoveTo:
				if k > 0 {
					p.Close()
				}
				p.Move(at(0))
			case sfnt.SegmentOpLineTo:
				p.Line(at(0))
			case sfnt.SegmentOpQuadTo:
				p.QuadTo(at(0), at(1))
			case sfnt.SegmentOpCubeTo:
				p.CubeTo(at(0), at(1), at(2))
			}
		}
		if len(p) > 0 {
			p.Close()
			c.Canvas.Fill(p)
		}
		pt.X += f.Width(string(r))
	}
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
