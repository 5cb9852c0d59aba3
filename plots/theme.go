package plots

import (
	"image/color"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A theme holds every length of the house style for one Size. All are in
// points of 1/72 inch.
type theme struct {
	width vg.Length // outer width
	body  vg.Length // default height of the axes and what is between them
	dpi   int

	text   vg.Length // size of labels, ticks and legend
	title  vg.Length // size of the title
	line   vg.Length // width of data lines
	thin   vg.Length // width of axes, edges and hatches
	hair   vg.Length // width of grid lines
	marker vg.Length // radius of markers
	gap    vg.Length // space between parts, and the outer margin
	hatch  vg.Length // distance between hatch lines

	fonts text.Handler
}

// themeFor returns the house style for a size. The widths are those of the
// usual two-column conference templates.
func themeFor(s Size) theme {
	th := theme{
		width: 3.35 * vg.Inch, body: 2.0 * vg.Inch, dpi: 200,
		text: 8, title: 9, line: 1.1, thin: 0.55, hair: 0.4, marker: 2.1, gap: 4, hatch: 3,
	}
	switch s {
	case Double:
		th.width, th.body = 7*vg.Inch, 2.8*vg.Inch
		th.text, th.title, th.line, th.marker, th.gap, th.hatch = 9, 10, 1.3, 2.5, 5, 3.5
	case Slide:
		th.width, th.body, th.dpi = 10*vg.Inch, 4.6*vg.Inch, 150
		th.text, th.title, th.line, th.thin, th.hair = 18, 22, 2.6, 1.1, 0.8
		th.marker, th.gap, th.hatch = 5, 9, 6.5
	}
	th.fonts = text.Plain{Fonts: font.NewCache(liberation.Collection())}
	return th
}

// style returns the text style of the given type size: Liberation Sans, whose
// widths equal those of Arial and Helvetica.
func (th theme) style(size vg.Length) text.Style {
	return text.Style{
		Color:   ink,
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: size},
		Handler: th.fonts,
	}
}

// leading is the distance between the baselines of two lines of text.
func leading(size vg.Length) vg.Length { return 1.2 * size }

// Greys of the house style.
var (
	ink      = color.RGBA{0x22, 0x22, 0x22, 0xff} // text and axes
	gridGrey = color.RGBA{0xdd, 0xdd, 0xdd, 0xff} // grid lines
	restGrey = color.RGBA{0xa6, 0xa6, 0xa6, 0xff} // "other"
	missGrey = color.RGBA{0xee, 0xee, 0xee, 0xff} // cells without a value
	paleBlue = color.RGBA{0xc4, 0xdc, 0xec, 0xff} // boxes and violins: blue, mostly white
)

// The palette of Okabe and Ito, "Color Universal Design" (2008), whose colours
// stay apart for the common kinds of colour blindness.
var (
	okabeBlue       = color.RGBA{0x00, 0x72, 0xb2, 0xff}
	okabeVermillion = color.RGBA{0xd5, 0x5e, 0x00, 0xff}
	okabeGreen      = color.RGBA{0x00, 0x9e, 0x73, 0xff}
	okabeOrange     = color.RGBA{0xe6, 0x9f, 0x00, 0xff}
	okabePurple     = color.RGBA{0xcc, 0x79, 0xa7, 0xff}
	okabeSky        = color.RGBA{0x56, 0xb4, 0xe9, 0xff}
	okabeYellow     = color.RGBA{0xf0, 0xe4, 0x42, 0xff}
	okabeBlack      = color.RGBA{0x00, 0x00, 0x00, 0xff}
)

// lineColour returns the colour of line i. Yellow is left out: it does not
// show as a thin line on white.
func lineColour(i int) color.RGBA {
	p := [...]color.RGBA{okabeBlue, okabeVermillion, okabeGreen, okabeBlack, okabePurple, okabeOrange, okabeSky}
	return p[i%len(p)]
}

// fillColour returns the colour of bar series or task i. Black is left out: it
// would hide the hatch.
func fillColour(i int) color.RGBA {
	p := [...]color.RGBA{okabeBlue, okabeOrange, okabeGreen, okabeSky, okabeVermillion, okabeYellow, okabePurple}
	return p[i%len(p)]
}

// dashes returns the dash pattern of line i for a line of width w; the first
// is solid.
func dashes(i int, w vg.Length) []vg.Length {
	p := [...][]vg.Length{
		nil,
		{4, 1.6},
		{1.2, 1.2},
		{5, 1.4, 1.2, 1.4},
		{8, 2},
		{5, 1.4, 1.2, 1.4, 1.2, 1.4},
	}
	d := make([]vg.Length, len(p[i%len(p)]))
	for k, v := range p[i%len(p)] {
		d[k] = v * w
	}
	return d
}

// maxLines is the number of lines whose pair of colour (7) and dash pattern
// (6) is unique; maxFills is that of colour (7) and hatch (8).
const (
	maxLines = 42
	maxFills = 56
)

// lineStyle returns the style of line i.
func (th theme) lineStyle(i int) draw.LineStyle {
	return draw.LineStyle{Color: lineColour(i), Width: th.line, Dashes: dashes(i, th.line)}
}

// solid returns an undashed style.
func solid(c color.Color, w vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: c, Width: w}
}

// translucent returns c at a fifth of its strength, for bands that may
// overlap.
func translucent(c color.RGBA) color.Color {
	return color.NRGBA{c.R, c.G, c.B, 0x33}
}

// isDark tells whether white rather than black shows up on c. The weights are
// those of relative luminance in Rec. 709, taken on the coded values.
func isDark(c color.RGBA) bool {
	return 2126*int(c.R)+7152*int(c.G)+722*int(c.B) < 10000*128
}

// contrast returns black or white, whichever shows up on c.
func contrast(c color.RGBA) color.RGBA {
	if isDark(c) {
		return color.RGBA{0xff, 0xff, 0xff, 0xff}
	}
	return okabeBlack
}
