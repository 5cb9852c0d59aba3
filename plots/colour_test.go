package plots

import (
	"image/color"
	"math"
	"testing"
)

// A sight is a way to see colours: what it makes of linear red, green and blue.
type sight struct {
	name string
	m    [3][3]float64
}

// sights are the common kinds of colour vision, at full severity, after Machado,
// Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color
// Vision Deficiency", IEEE TVCG 15(6), 2009, and a grey printer, which sees the
// relative luminance of Rec. 709.
var sights = []sight{
	{"normal", [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
	{"protan", [3][3]float64{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
	{"deutan", [3][3]float64{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
	{"tritan", [3][3]float64{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}},
	{"grey", [3][3]float64{{0.2126, 0.7152, 0.0722}, {0.2126, 0.7152, 0.0722}, {0.2126, 0.7152, 0.0722}}},
}

// lab returns what a sight makes of a colour, in CIE L*a*b* under D65.
func (s sight) lab(c color.RGBA) [3]float64 {
	lin := func(v uint8) float64 {
		x := float64(v) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	in := [3]float64{lin(c.R), lin(c.G), lin(c.B)}
	var rgb [3]float64
	for i, row := range s.m {
		for j, k := range row {
			rgb[i] += k * in[j]
		}
		rgb[i] = min(max(rgb[i], 0), 1)
	}
	f := func(t float64) float64 {
		if t > 216.0/24389 {
			return math.Cbrt(t)
		}
		return (24389.0/27*t + 16) / 116
	}
	x := f((0.4124*rgb[0] + 0.3576*rgb[1] + 0.1805*rgb[2]) / 0.9505)
	y := f(0.2126*rgb[0] + 0.7152*rgb[1] + 0.0722*rgb[2])
	z := f((0.0193*rgb[0] + 0.1192*rgb[1] + 0.9505*rgb[2]) / 1.089)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// distance is that of 1976 between two colours; about 2 can just be seen.
func (s sight) distance(a, b color.RGBA) float64 {
	p, q := s.lab(a), s.lab(b)
	return math.Sqrt((p[0]-q[0])*(p[0]-q[0]) + (p[1]-q[1])*(p[1]-q[1]) + (p[2]-q[2])*(p[2]-q[2]))
}

// farEnough is the distance from which two colours are told apart at a glance,
// also as thin lines.
const farEnough = 15

// TestSights checks the model: greys stay grey, red and green come near each
// other for those who confuse them, and black and white are 100 apart.
func TestSights(t *testing.T) {
	grey, red, green := color.RGBA{0x80, 0x80, 0x80, 0xff}, color.RGBA{0xc0, 0x30, 0x20, 0xff}, color.RGBA{0x50, 0x70, 0x10, 0xff}
	for _, s := range sights {
		if l := s.lab(grey); math.Abs(l[1]) > 0.5 || math.Abs(l[2]) > 0.5 {
			t.Errorf("%s: grey is seen as %v", s.name, l)
		}
		if d := s.distance(color.RGBA{0, 0, 0, 0xff}, color.RGBA{0xff, 0xff, 0xff, 0xff}); math.Abs(d-100) > 0.5 {
			t.Errorf("%s: black and white are %.1f apart, want 100", s.name, d)
		}
	}
	if n, d := sights[0].distance(red, green), sights[2].distance(red, green); d > n/2 {
		t.Errorf("deutan: red and green are %.1f apart, normally %.1f: want less than half", d, n)
	}
}

// TestColoursApart holds that any two series differ for every viewer, by their
// colour or by their second coding: the dash pattern of lines, the shape of
// markers, the hatch of fills.
func TestColoursApart(t *testing.T) {
	th := themeFor(Column)
	same := func(a, b []float64) bool {
		for i := range a {
			if i >= len(b) || a[i] != b[i] {
				return false
			}
		}
		return len(a) == len(b)
	}
	dash := func(i int) []float64 {
		var out []float64
		for _, d := range dashes(i, th.line) {
			out = append(out, float64(d))
		}
		return out
	}
	for _, c := range []struct {
		what   string
		n      int
		colour func(int) color.RGBA
		alike  func(i, j int) bool // the second coding does not tell them apart
	}{
		{"lines", maxLines, lineColour, func(i, j int) bool { return same(dash(i), dash(j)) }},
		{"fills", maxFills, fillColour, func(i, j int) bool { return hatchFor(i) == hatchFor(j) }},
		{"points", maxClouds, lineColour, func(i, j int) bool { return i%numMarkers == j%numMarkers }},
	} {
		for i := range c.n {
			for j := range i {
				if !c.alike(i, j) {
					continue
				}
				for _, s := range sights[:4] {
					if d := s.distance(c.colour(i), c.colour(j)); d < farEnough {
						t.Errorf("%s %d and %d have one pattern, and %s viewers see them only %.1f apart", c.what, j, i, s.name, d)
					}
				}
			}
		}
	}
}

// TestFirstColours holds more of the first three lines and fills, which most
// figures make do with: the colours alone tell them apart for all viewers. In
// grey the first two lines of a figure may be close, and their dashes count.
func TestFirstColours(t *testing.T) {
	for what, colour := range map[string]func(int) color.RGBA{"lines": lineColour, "fills": fillColour} {
		for i := range 3 {
			for j := range i {
				for _, s := range sights[:4] {
					if d := s.distance(colour(i), colour(j)); d < farEnough {
						t.Errorf("%s: %s viewers see %d and %d only %.1f apart", what, s.name, j, i, d)
					}
				}
			}
		}
	}
}

// TestOnPaper holds that lines, fills, marks of the median and rings show on
// white and the median on its box, for every viewer and in grey.
func TestOnPaper(t *testing.T) {
	white := color.RGBA{0xff, 0xff, 0xff, 0xff}
	for _, s := range sights {
		for i := range 7 {
			if d := s.distance(lineColour(i), white); d < 25 {
				t.Errorf("%s: line %d is %.1f from the paper", s.name, i, d)
			}
		}
		for _, c := range []struct {
			what string
			a, b color.RGBA
		}{
			{"median on its box", okabeVermillion, paleBlue},
			{"rings on paper", okabeBlue, white},
			{"rising on falling pairs", okabeBlack, okabeVermillion},
			{"box on paper", ink, white},
		} {
			if d := s.distance(c.a, c.b); d < 1.5*farEnough {
				t.Errorf("%s: %s: %.1f apart", s.name, c.what, d)
			}
		}
	}
}

// TestShadesFall holds that the scale of colours falls in lightness from step to
// step for every viewer and in grey, so that order can be read.
func TestShadesFall(t *testing.T) {
	for _, s := range sights {
		for i := 8; i < shades; i += 8 {
			if a, b := s.lab(shade(i - 8))[0], s.lab(shade(i))[0]; b > a-1 {
				t.Errorf("%s: shade %d has lightness %.1f, the one before %.1f", s.name, i, b, a)
			}
		}
	}
}
