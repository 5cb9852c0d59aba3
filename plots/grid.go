package plots

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Grid puts several figures into one, row by row in cols columns, each panel
// of one size. The titles of the panels get the letters (a), (b) ... in front.
// The axes of panels above and beside each other are aligned. If all panels
// have the same legend below, it is drawn once, below the grid.
//
// Size and DPI of the grid replace those of the panels. Only Title, Size,
// Width, Height and DPI of the options have a meaning. It is an error if there
// is no panel, a panel is nil or itself a grid, or the panels would be too
// small to read.
func Grid(panels []*Figure, cols int, o Options) (*Figure, error) {
	f, err := newFigure("grid", o)
	if err != nil {
		return nil, err
	}
	if len(panels) == 0 {
		return nil, fmt.Errorf("grid: no data: give at least one figure")
	}
	if len(panels) > 26 {
		return nil, fmt.Errorf("grid: %d panels are more than the letters a to z: give at most 26", len(panels))
	}
	if cols < 1 || cols > len(panels) {
		return nil, fmt.Errorf("grid: %d columns for %d panels: give 1 to %d", cols, len(panels), len(panels))
	}
	f.cols = cols
	for i, p := range panels {
		switch {
		case p == nil:
			return nil, fmt.Errorf("grid: panel %d is nil: give a figure", i+1)
		case p.panels != nil:
			return nil, fmt.Errorf("grid: panel %d is a grid itself: give its panels directly", i+1)
		}
		q := *p
		q.title = fmt.Sprintf("(%c) %s", 'a'+i, p.title)
		if p.side != nil {
			// The panels of a column share their margins, so a wide one would
			// leave too little between the axes of the others.
			q.side = func(th theme, w, h vg.Length) vg.Length {
				if side := p.side(th, w, h); p.place != LegendRight && side <= 0.3*w {
					return side
				}
				return 0
			}
		}
		f.panels = append(f.panels, &q)
	}
	if f.sharedLegend() {
		f.legend = f.panels[0].legend
		for _, q := range f.panels {
			q.legend = nil
		}
	}

	cell := f.cellWidth(f.th, f.w-2*f.th.gap)
	if least := 13 * f.th.text; cell < least {
		most := int((f.w - 2*f.th.gap) / (least + 2*f.th.gap))
		return nil, fmt.Errorf("grid: %d columns leave %.1f inches for a panel: use at most %d columns or a larger Size",
			cols, cell/vg.Inch, max(1, most))
	}
	var tall vg.Length
	for _, q := range f.panels {
		shrink := min(max(cell/q.w, 0.65), 1) * f.th.text / q.th.text
		tall = max(tall, q.heightWithout(f.th, cell)+max(q.body*shrink, q.leastBody(f.th, cell)))
	}
	rows := f.rows()
	f.body = tall*vg.Length(rows) + f.gutter(f.th)*vg.Length(rows-1)
	return f.finishGrid(o)
}

// finishGrid is finish with the check that each panel keeps enough height.
func (f *Figure) finishGrid(o Options) (*Figure, error) {
	g, err := f.finish(o)
	if err != nil {
		return nil, err
	}
	rest := f.heightWithout(f.th, f.w)
	cell := f.cellWidth(f.th, f.w-2*f.th.gap)
	gaps := f.gutter(f.th) * vg.Length(f.rows()-1)
	tall := (f.h - rest - gaps) / vg.Length(f.rows())
	for i, q := range f.panels {
		if need := q.heightWithout(f.th, cell) + q.leastBody(f.th, cell); tall < need {
			return nil, fmt.Errorf("grid: option Height is %g inches, which leaves panel %d %.1f but it needs %.1f: give at least %.1f, or 0 for the default",
				o.Height, i+1, tall/vg.Inch, need/vg.Inch, (need*vg.Length(f.rows())+gaps+rest)/vg.Inch+0.05)
		}
	}
	return g, nil
}

func (f *Figure) rows() int { return (len(f.panels) + f.cols - 1) / f.cols }

func (f *Figure) gutter(th theme) vg.Length { return th.gap }

func (f *Figure) cellWidth(th theme, w vg.Length) vg.Length {
	return (w - f.gutter(th)*vg.Length(f.cols-1)) / vg.Length(f.cols)
}

// sharedLegend tells whether all panels have one legend, below.
func (f *Figure) sharedLegend() bool {
	a := f.panels[0]
	for _, b := range f.panels {
		if b.place != LegendBelow || !slices.Equal(a.legend, b.legend) {
			return false
		}
	}
	return len(f.panels) > 1
}

// drawPanels draws the panels of a grid. A first pass measures; the second
// gives the panels of a column one left and right edge, and those of a row one
// upper and lower edge.
func (f *Figure) drawPanels(c draw.Canvas, th theme, dpi int) {
	rows := f.rows()
	tiles := draw.Tiles{Cols: f.cols, Rows: rows, PadX: f.gutter(th), PadY: f.gutter(th)}
	byCol, byRow := make([]insets, f.cols), make([]insets, rows)
	for i, p := range f.panels {
		x, y := i%f.cols, i/f.cols
		got := p.draw(tiles.At(c, x, y), th, dpi, insets{}, true)
		byCol[x], byRow[y] = byCol[x].union(got), byRow[y].union(got)
	}
	for i, p := range f.panels {
		x, y := i%f.cols, i/f.cols
		want := insets{byCol[x].left, byCol[x].right, byRow[y].bottom, byRow[y].top}
		p.draw(tiles.At(c, x, y), th, dpi, want, false)
	}
}
