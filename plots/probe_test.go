package plots

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"pgregory.net/rapid"
)

// A probe is a canvas that draws nothing and notes where text and strokes
// land.
type probe struct {
	w, h    vg.Length
	stack   []affine
	texts   []textBox
	strokes []vg.Path
}

// affine maps (x, y) to (a x + b y + e, c x + d y + f).
type affine struct{ a, b, c, d, e, f float64 }

type textBox struct {
	s string
	vg.Rectangle
}

func newProbe(w, h vg.Length) *probe {
	return &probe{w: w, h: h, stack: []affine{{a: 1, d: 1}}}
}

func (p *probe) top() *affine { return &p.stack[len(p.stack)-1] }

func (p *probe) at(q vg.Point) vg.Point {
	m := p.top()
	x, y := float64(q.X), float64(q.Y)
	return vg.Point{X: vg.Length(m.a*x + m.b*y + m.e), Y: vg.Length(m.c*x + m.d*y + m.f)}
}

func (p *probe) Size() (w, h vg.Length)              { return p.w, p.h }
func (p *probe) SetLineWidth(vg.Length)              {}
func (p *probe) SetLineDash([]vg.Length, vg.Length)  {}
func (p *probe) SetColor(color.Color)                {}
func (p *probe) Fill(vg.Path)                        {}
func (p *probe) DrawImage(vg.Rectangle, image.Image) {}
func (p *probe) Push()                               { p.stack = append(p.stack, *p.top()) }
func (p *probe) Pop()                                { p.stack = p.stack[:len(p.stack)-1] }
func (p *probe) Stroke(q vg.Path)                    { p.strokes = append(p.strokes, q) }

func (p *probe) Rotate(t float64) {
	m := p.top()
	s, c := math.Sincos(t)
	*m = affine{m.a*c + m.b*s, m.b*c - m.a*s, m.c*c + m.d*s, m.d*c - m.c*s, m.e, m.f}
}

func (p *probe) Translate(q vg.Point) {
	r := p.at(q)
	p.top().e, p.top().f = float64(r.X), float64(r.Y)
}

func (p *probe) Scale(x, y float64) {
	m := p.top()
	m.a, m.c, m.b, m.d = m.a*x, m.c*x, m.b*y, m.d*y
}

func (p *probe) FillString(f font.Face, q vg.Point, s string) {
	deep := 0.02 * f.Font.Size
	if strings.ContainsAny(s, "gjpqyµ,;()/@_Q[]{}|") {
		deep = 0.2 * f.Font.Size
	}
	lo := p.at(vg.Point{X: q.X, Y: q.Y - deep})
	hi := p.at(vg.Point{X: q.X + f.Width(s), Y: q.Y + 0.72*f.Font.Size})
	p.texts = append(p.texts, textBox{s, vg.Rectangle{
		Min: vg.Point{X: min(lo.X, hi.X), Y: min(lo.Y, hi.Y)},
		Max: vg.Point{X: max(lo.X, hi.X), Y: max(lo.Y, hi.Y)},
	}})
}

// fault returns what is wrong with the layout of a figure: text that leaves the
// canvas, or two texts that overlap.
func fault(f *Figure) error {
	p := newProbe(f.w, f.h)
	f.render(p)
	const slack = 0.3
	for i, a := range p.texts {
		if a.Min.X < -slack || a.Min.Y < -slack || a.Max.X > f.w+slack || a.Max.Y > f.h+slack {
			return fmt.Errorf("%q at %.1f leaves the canvas of %.1f x %.1f", a.s, a.Rectangle, f.w, f.h)
		}
		for _, b := range p.texts[:i] {
			if a.Min.X < b.Max.X-slack && b.Min.X < a.Max.X-slack && a.Min.Y < b.Max.Y-slack && b.Min.Y < a.Max.Y-slack {
				return fmt.Errorf("%q at %.1f overlaps %q at %.1f", a.s, a.Rectangle, b.s, b.Rectangle)
			}
		}
	}
	return nil
}

func TestSamplesLayout(t *testing.T) {
	for _, s := range samples() {
		f, err := s.make()
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		if err := fault(f); err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
	}
}

// drawNames draws n different names of up to 60 characters.
func drawNames(t *rapid.T, label string, n int) []string {
	out := make([]string, n)
	for i := range out {
		s := rapid.StringOfN(rapid.RuneFrom([]rune("abcWMil/ -_.0µé")), 0, 55, -1).Draw(t, label)
		out[i] = fmt.Sprintf("%s%d", s, i)
	}
	return out
}

func drawValue(t *rapid.T, label string) float64 {
	return rapid.Float64Range(0.1, 10).Draw(t, label) * math.Pow10(rapid.IntRange(-4, 12).Draw(t, label+" power"))
}

func drawOptions(t *rapid.T) Options {
	o := Options{
		Title: rapid.SampledFrom([]string{"", "a title", long + " " + long + " " + long}).Draw(t, "title"),
		Size:  Size(rapid.IntRange(0, 2).Draw(t, "size")),
	}
	if rapid.Bool().Draw(t, "own size") {
		th := themeFor(o.Size)
		o.Width = float64(th.width/vg.Inch) * rapid.Float64Range(0.6, 1.5).Draw(t, "width")
	}
	return o
}

// drawFigure draws a figure of any kind but a grid, hard to lay out.
func drawFigure(t *rapid.T, o Options) *Figure {
	n := rapid.IntRange(1, 12).Draw(t, "n")
	names := drawNames(t, "name", n)
	unit := rapid.SampledFrom([]string{"", "ns", "ms", "%", "switches/s"}).Draw(t, "unit")
	labels := func() {
		o.XLabel = rapid.SampledFrom([]string{"", "time", long, long + " of all the many words"}).Draw(t, "xlabel")
		o.YLabel = rapid.SampledFrom([]string{"", "share", long, long + " of all the many words"}).Draw(t, "ylabel")
	}
	kind := rapid.IntRange(0, 10).Draw(t, "kind")
	labels()
	if kind != 4 {
		o.Legend = Place(rapid.IntRange(0, 2).Draw(t, "legend"))
	}
	var f *Figure
	var err error
	switch kind {
	case 0:
		o.LogX, o.LogY, o.CCDF = rapid.Bool().Draw(t, "logx"), rapid.Bool().Draw(t, "logy"), rapid.Bool().Draw(t, "ccdf")
		var ss []Series
		for _, s := range names {
			v := make([]float64, rapid.IntRange(1, 20).Draw(t, "len"))
			for i := range v {
				v[i] = drawValue(t, "v")
			}
			ss = append(ss, Series{s, v, unit})
		}
		f, err = CDF(ss, o)
	case 1:
		o.LogX, o.LogY, o.Step = rapid.Bool().Draw(t, "logx"), rapid.Bool().Draw(t, "logy"), rapid.Bool().Draw(t, "step")
		var ls []XY
		for _, s := range names {
			l := XY{Name: s, XUnit: unit, YUnit: unit}
			x := drawValue(t, "x")
			for range rapid.IntRange(1, 6).Draw(t, "len") {
				x += drawValue(t, "dx")
				l.X, l.Y = append(l.X, x), append(l.Y, drawValue(t, "y"))
			}
			ls = append(ls, l)
		}
		f, err = Line(ls, o)
	case 2:
		o.LogY, o.ValueLabels = rapid.Bool().Draw(t, "logy"), rapid.Bool().Draw(t, "labels")
		o.Orient = rapid.SampledFrom([]Orient{OrientAuto, OrientLevel, OrientUpright}).Draw(t, "orient")
		d := BarData{Categories: names, Unit: unit}
		for _, s := range drawNames(t, "series", rapid.IntRange(1, 4).Draw(t, "series")) {
			b := BarSeries{Name: s}
			for range names {
				v := drawValue(t, "v")
				if !o.LogY && rapid.Bool().Draw(t, "neg") {
					v = -v
				}
				b.Values = append(b.Values, v)
			}
			d.Series = append(d.Series, b)
		}
		f, err = Bar(d, o)
	case 3:
		ls := marked(lanes(n, rapid.IntRange(1, 20).Draw(t, "segs"), n, drawValue(t, "mean")+1))
		for i := range ls {
			ls[i].Name = names[i]
			for k := range ls[i].Segments {
				ls[i].Segments[k].Name = names[ls[i].Segments[k].Task]
			}
		}
		f, err = Timeline(ls, o)
	case 4:
		o.ValueLabels, o.LogColour = rapid.Bool().Draw(t, "labels"), rapid.Bool().Draw(t, "log")
		m := Matrix{Rows: names, Cols: drawNames(t, "col", rapid.IntRange(1, 12).Draw(t, "cols")), Name: o.XLabel, Unit: unit}
		for range names {
			var row []float64
			for range m.Cols {
				row = append(row, drawValue(t, "v"))
			}
			m.Values = append(m.Values, row)
		}
		f, err = Heat(m, o)
	default:
		f, err = drawSpread(t, kind-5, names, unit, o)
	}
	if err != nil {
		t.Fatalf("%v", err)
	}
	return f
}

// drawSpread draws a figure about distributions or comparisons.
func drawSpread(t *rapid.T, kind int, names []string, unit string, o Options) (*Figure, error) {
	log := rapid.Bool().Draw(t, "log")
	values := func(n int) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = drawValue(t, "v")
		}
		return v
	}
	var ss []Series
	for _, s := range names {
		ss = append(ss, Series{s, values(rapid.IntRange(1, 9).Draw(t, "len")), unit})
	}
	switch kind {
	case 0:
		o.LogX, o.LogY, o.Share = log, rapid.Bool().Draw(t, "logy"), rapid.Bool().Draw(t, "share")
		o.Bins = rapid.IntRange(0, 20).Draw(t, "bins")
		return Hist(ss, o)
	case 1, 2:
		o.LogY, o.Orient = log, rapid.SampledFrom([]Orient{OrientAuto, OrientLevel}).Draw(t, "orient")
		if kind == 1 {
			return Box(ss, o)
		}
		return Violin(ss, o)
	case 3:
		o.LogX, o.LogY, o.Fit = log, rapid.Bool().Draw(t, "logy"), rapid.Bool().Draw(t, "fit")
		var xs []XY
		for _, s := range names[:min(len(names), maxClouds)] {
			x := values(2)
			xs = append(xs, XY{Name: s, X: []float64{x[0], x[0]*2 + x[1]}, Y: values(2), XUnit: unit, YUnit: unit})
		}
		return Scatter(xs, o)
	case 4:
		o.LogY, o.ValueLabels = log, rapid.Bool().Draw(t, "labels")
		o.ZeroLine = !log && rapid.Bool().Draw(t, "zero")
		d := BarData{Categories: names, Unit: unit}
		for _, s := range drawNames(t, "series", rapid.IntRange(1, 3).Draw(t, "series")) {
			b := BarSeries{Name: s, Values: values(len(names))}
			for _, v := range b.Values {
				b.Lo, b.Hi = append(b.Lo, v/2), append(b.Hi, v*3)
			}
			d.Series = append(d.Series, b)
		}
		return Intervals(d, o)
	}
	o.LogY = log
	p := Pairs{Variants: []string{"before", "after"}, Unit: unit}
	if len(names) > 1 {
		p.Variants = names[:min(len(names), 12)]
	}
	for range p.Variants {
		p.Values = append(p.Values, values(3))
	}
	return Paired(p, o)
}

// TestRandomLayout draws random figures, with names of up to 60 characters, and
// checks that no text is cut off or overlaps another.
func TestRandomLayout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		if err := fault(drawFigure(t, drawOptions(t))); err != nil {
			t.Fatal(err)
		}
	})
}

func TestRandomGridLayout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var ps []*Figure
		for range rapid.IntRange(1, 5).Draw(t, "panels") {
			ps = append(ps, drawFigure(t, Options{Title: rapid.SampledFrom([]string{"", "a title", long + " " + long}).Draw(t, "panel title")}))
		}
		f, err := Grid(ps, rapid.IntRange(1, min(2, len(ps))).Draw(t, "columns"), Options{Size: Double, Title: "all"})
		if err != nil && strings.Contains(err.Error(), "too large an image") {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := fault(f); err != nil {
			t.Fatal(err)
		}
	})
}
