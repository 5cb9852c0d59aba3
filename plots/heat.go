package plots

import (
	"fmt"
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"schedrepl/engine/table"
)

// A Matrix is a table of numbers with named rows and columns, such as the
// migrations from each CPU (row) to each other (column).
type Matrix struct {
	// Values holds one slice for each row, all of one length. NaN is a cell
	// without a value.
	Values     [][]float64
	Rows, Cols []string
	// Name and Unit say what the values are; they stand beside the colour bar.
	Name, Unit string
	// Max is the value of the darkest colour; 0 is the largest value. Figures
	// side by side that share it can be compared. Values above it are as dark,
	// and the label of the colour bar says so.
	Max float64
}

// Heat draws a matrix as coloured cells, the first row at the top, with a
// colour bar. Light is low and dark is high, so that the figure survives a
// grey printer. The scale starts at zero unless a value is negative. A cell
// without a value is pale grey and crossed out.
//
// A matrix with more cells than pixels is drawn in blocks, each in the colour
// of its largest value; the label of the colour bar then says so. It is an
// error if the matrix is empty or ragged, the names do not match it, a value is
// infinite, all are NaN, or no value is above zero with LogColour.
func Heat(m Matrix, o Options) (*Figure, error) {
	f, err := newFigure("heat", o)
	if err != nil {
		return nil, err
	}
	rows, cols, err := m.check(o.LogColour)
	if err != nil {
		return nil, err
	}
	scale, err := m.scale("heat", o.LogColour)
	if err != nil {
		return nil, err
	}
	f.x, f.y = categories(clean(o.XLabel), cols), categories(clean(o.YLabel), rows)
	f.data = func() *table.Table { return m.data(rows, cols) }
	f.heat(&heatPlot{m: m, scale: scale, labels: o.ValueLabels, blank: o.BlankZero})
	return f.finish(o)
}

// scale returns the scale of the colours of a matrix.
func (m Matrix) scale(kind string, log bool) (axis, error) {
	r := newSpan()
	for _, row := range m.Values {
		for _, v := range row {
			if !log || v > 0 {
				r.add(v)
			}
		}
	}
	if r.lo > r.hi && log && m.Max == 0 {
		return axis{}, fmt.Errorf("%s: no value is above zero: nothing can be drawn on a logarithmic scale; use LogColour=false", kind)
	}
	if r.lo > r.hi && m.Max == 0 {
		return axis{}, fmt.Errorf("%s: no data: all values are NaN", kind)
	}
	scale := axis{label: clean(m.Name), unit: clean(m.Unit), log: log, lo: r.lo, hi: r.hi, whole: wholeNumbers(m.Values)}
	if m.Max != 0 {
		if undrawable(m.Max, log) || m.Max <= 0 {
			return axis{}, fmt.Errorf("%s: the largest value of the scale is %g: give a finite number above 0, or 0 for that of the data", kind, m.Max)
		}
		if r.hi > m.Max {
			scale.label = clean(fmt.Sprintf("%s (%s+ is darkest)", scale.label, scale.format(m.Max)))
		}
		if r.lo > r.hi { // no values
			r.lo = m.Max
		}
		scale.lo, scale.hi = r.lo, m.Max
		if log && scale.whole {
			scale.lo = 1 // so that figures that share Max share all of the scale
		}
	}
	switch {
	case log && scale.lo >= scale.hi:
		scale.lo, scale.hi = scale.hi/2, scale.hi*2
	case !log && r.lo >= 0:
		scale.lo, scale.hi = 0, max(scale.hi, math.SmallestNonzeroFloat32)
		if r.hi == 0 && m.Max == 0 {
			scale.hi = 1
		}
	case scale.lo == scale.hi:
		scale.hi = 0
	}
	return scale, nil
}

// heat draws cells into a figure whose axes are set, square as far as the page
// allows, and in blocks where there are more of them than pixels.
func (f *Figure) heat(h *heatPlot) {
	nr, nc := len(h.m.Values), len(h.m.Cols)
	th := f.th
	wide := f.w - 11*th.text
	cell := min(wide/vg.Length(nc), 4*th.text)
	f.body = min(max(cell*vg.Length(nr), 7*th.text), 1.3*f.w) + 4*th.text
	h.bx, h.by = blockOf(nc, wide, f.dpi), blockOf(nr, f.body-4*th.text, f.dpi)
	if h.bx > 1 || h.by > 1 {
		h.scale.label = clean(strings.TrimPrefix(fmt.Sprintf("%s, largest of %d×%d cells", h.scale.label, h.by, h.bx), ", "))
	}
	f.cells(h)
}

// cells puts cells and their colour bar into a figure.
func (f *Figure) cells(h *heatPlot) {
	f.bar = &colourBar{h.scale}
	f.marks = func(th theme, dpi int) []plot.Plotter {
		p := *h
		p.th = th
		return []plot.Plotter{p}
	}
}

// blockOf returns how many of n cells share one drawn cell so that each is at
// least two pixels long.
func blockOf(n int, length vg.Length, dpi int) int {
	most := max(1, int(float64(length/vg.Inch)*float64(dpi)/2))
	return (n + most - 1) / most
}

func (m Matrix) check(log bool) (rows, cols []string, err error) {
	if len(m.Values) == 0 || len(m.Values[0]) == 0 {
		return nil, nil, fmt.Errorf("heat: no data: give at least one row and one column")
	}
	if len(m.Rows) != len(m.Values) || len(m.Cols) != len(m.Values[0]) {
		return nil, nil, fmt.Errorf("heat: %d row names and %d column names for %d rows and %d columns: give one for each",
			len(m.Rows), len(m.Cols), len(m.Values), len(m.Values[0]))
	}
	for i, row := range m.Values {
		if len(row) != len(m.Cols) {
			return nil, nil, fmt.Errorf("heat: row %d has %d values, not %d: give rows of one length", i, len(row), len(m.Cols))
		}
		for j, v := range row {
			if !math.IsNaN(v) && undrawable(v, log) {
				return nil, nil, fmt.Errorf("heat: the value in row %d, column %d is %g: give finite numbers within 1e100, or NaN for none", i, j, v)
			}
		}
	}
	if rows, err = checkNames("heat", "row", m.Rows); err != nil {
		return nil, nil, err
	}
	cols, err = checkNames("heat", "column", m.Cols)
	return rows, cols, err
}

// A heatPlot draws the cells.
type heatPlot struct {
	m      Matrix
	scale  axis
	bx, by int // cells in a block
	labels bool
	blank  bool // zero is white
	// left, if set, is where column j begins on the x axis.
	left func(j int) float64
	// bands joins the cells of a row that have no value.
	bands bool
	// diagonal marks the cells of a row and its own column: those that cannot
	// hold a value in grey, or the outline of those that can.
	diagonal diagonalMark
	moments  moments
	th       theme
}

// A diagonalMark says how the diagonal of a matrix is marked.
type diagonalMark int

const (
	noDiagonal diagonalMark = iota
	greyDiagonal
	outlinedDiagonal
)

// edge returns where column j begins on the x axis.
func (h heatPlot) edge(j int) float64 {
	if h.left != nil {
		return h.left(j)
	}
	return float64(j) - 0.5
}

// block returns the largest value of the block at row i and column j, NaN if
// it has none.
func (h heatPlot) block(i, j int) float64 {
	v := math.NaN()
	for y := i; y < min(i+h.by, len(h.m.Values)); y++ {
		for x := j; x < min(j+h.bx, len(h.m.Cols)); x++ {
			if w := h.m.Values[y][x]; math.IsNaN(v) || w > v {
				v = w
			}
		}
	}
	return v
}

// Plot draws each row as runs of one colour.
func (h heatPlot) Plot(c draw.Canvas, plt *plot.Plot) {
	trX, trY := plt.Transforms(&c)
	nr, nc := len(h.m.Values), len(h.m.Cols)
	st := h.th.style(h.th.text)
	var crossed [][]vg.Point
	for i := 0; i < nr; i += h.by {
		top := trY(float64(nr-1-i) + 0.5)
		bottom := trY(float64(nr-1-min(i+h.by, nr)) + 0.5)
		cell := func(j, k int) vg.Rectangle {
			return vg.Rectangle{
				Min: vg.Point{X: trX(h.edge(j)), Y: bottom},
				Max: vg.Point{X: trX(h.edge(min(k, nc))), Y: top},
			}
		}
		for j := 0; j < nc; {
			idx := h.index(h.block(i, j))
			k := j + h.bx
			for k < nc && h.index(h.block(i, k)) == idx {
				k += h.bx
			}
			// Cells reach a little under those drawn after them, so that no
			// seam shows between two.
			r := cell(j, k)
			r.Max.X = min(r.Max.X+0.3, c.Max.X)
			r.Min.Y = max(r.Min.Y-0.3, c.Min.Y)
			switch idx {
			default:
				fillRect(c, shade(idx), r)
			case white:
				fillRect(c, color.White, r)
			case noValue:
				if h.bands {
					h.th.unknownRect(c, cell(j, k))
					break
				}
				fillRect(c, missGrey, r)
				for x := j; x < k && x < nc; x += h.bx {
					r := cell(x, x+h.bx)
					crossed = append(crossed, []vg.Point{r.Min, r.Max},
						[]vg.Point{{X: r.Min.X, Y: r.Max.Y}, {X: r.Max.X, Y: r.Min.Y}})
				}
			}
			j = k
		}
		if h.labels && h.bx == 1 && h.by == 1 {
			h.write(c, st, i, cell)
		}
	}
	strokeAll(c, solid(restGrey, h.th.hair), crossed)
	for i := 0; i < nr && h.diagonal != noDiagonal; i++ {
		r := vg.Rectangle{
			Min: vg.Point{X: trX(h.edge(i)), Y: trY(float64(nr-1-i) - 0.5)},
			Max: vg.Point{X: trX(h.edge(i + 1)), Y: trY(float64(nr-1-i) + 0.5)},
		}
		if h.diagonal == greyDiagonal {
			fillRect(c, gridGrey, r)
			continue
		}
		var p vg.Path
		rectPath(&p, r)
		c.SetLineStyle(solid(restGrey, h.th.thin))
		c.Stroke(p)
	}
	h.moments.draw(c, h.th, trX)
	h.th.edge(c, c.Rectangle)
}

// write puts the values of row i into its cells, where all of the matrix fit.
func (h heatPlot) write(c draw.Canvas, st draw.TextStyle, i int, cell func(j, k int) vg.Rectangle) {
	r := cell(0, 1).Size()
	if r.Y < 1.1*st.Font.Size {
		return
	}
	for _, row := range h.m.Values {
		for _, v := range row {
			if !math.IsNaN(v) && st.Width(h.scale.valueLabel(v))+0.3*st.Font.Size > r.X {
				return
			}
		}
	}
	for j, v := range h.m.Values[i] {
		idx := h.index(v)
		if math.IsNaN(v) || idx == white && v == 0 {
			continue
		}
		st.Color = ink
		if idx >= 0 {
			st.Color = contrast(shade(idx))
		}
		q := cell(j, j+1)
		put(c, st, vg.Point{X: (q.Min.X + q.Max.X) / 2, Y: (q.Min.Y + q.Max.Y) / 2}, 0.5, h.scale.valueLabel(v))
	}
}

// What index returns for cells that have no place on the scale.
const (
	noValue = -1
	white   = -2
)

// index returns the shade of a value.
func (h heatPlot) index(v float64) int {
	switch {
	case math.IsNaN(v):
		return noValue
	case h.blank && v == 0, h.scale.log && v <= 0:
		return white
	}
	return int(min(max(h.scale.norm(v), 0), 1)*(shades-1) + 0.5)
}

// wholeNumbers reports whether all values of a matrix are whole.
func wholeNumbers(rows [][]float64) bool {
	for _, row := range rows {
		for _, v := range row {
			if !math.IsNaN(v) && v != math.Trunc(v) {
				return false
			}
		}
	}
	return true
}
