package plots

import (
	"cmp"
	"fmt"
	"image/color"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"schedrepl/engine/table"
)

// A ShareSeries is the share of CPU time of one task, or of several with one
// name or group, in percent for each window.
type ShareSeries struct {
	Name   string
	Values []float64
	// Plain series never have a colour of their own.
	Plain bool
}

// ShareData is what Shares draws: shares of CPU time in windows that follow
// each other.
type ShareData struct {
	// Times are the ends of the windows in ns, one more than there are windows.
	Times  []int64
	Series []ShareSeries
	// Idle and Unknown are the shares in which nothing ran and of which nothing
	// was recorded; nil is none.
	Idle, Unknown []float64
	// Lines draws a line for each series instead of stacked areas.
	Lines bool
	// Top is how many series have a colour, at most 14; the others are one grey
	// area, or line. 0 is 7.
	Top int
	// First names series to colour before all others, as in Options.
	First []string
	// What is what a series is, for the legend and the data: "task", "comm",
	// "group", or empty.
	What string
}

// Shares draws who had the CPU time, as areas stacked to 100 %, the series with
// most time at the bottom, then the others in grey, what is unknown, and idle
// time as the blank at the top. A window is level from its beginning to its end.
// Windows too short to be told apart are drawn as their mean over a few pixels.
// As lines, each of the Top series is a line; idle time is not drawn.
//
// Its Data has a row for each window and series, and for idle and unknown time;
// there are as many rows for a series as there are windows.
//
// It is an error if there is no window, the ends are not in order, a series
// does not have a value for each window, a value lies outside 0 to 100, or the
// values of a window add up to more than 100.
func Shares(d ShareData, o Options) (*Figure, error) {
	f, err := newFigure("shares", o)
	if err != nil {
		return nil, err
	}
	names, err := d.check()
	if err != nil {
		return nil, err
	}
	n := len(d.Times) - 1
	from, to := d.Times[0], d.Times[n]
	f.x = timeAxis(o, float64(from), float64(to))
	label := clean(o.YLabel)
	if label == "" {
		label = "share of CPU time"
	}
	f.y = axis{label: label, unit: "%", lo: 0, hi: 100}
	f.data = func() *table.Table { return d.data(names) }

	order, rest := d.rank(names)
	p := sharePlot{times: d.Times, lines: d.Lines, moments: f.newMoments(o.Moments, f.x.lo, f.x.hi)}
	for k, i := range order {
		p.series = append(p.series, d.Series[i].Values)
		sw := fillSwatch
		if d.Lines {
			sw = lineSwatch
		}
		f.legend = append(f.legend, entry{name: names[i], swatch: sw, i: k})
	}
	if len(rest) > 0 {
		sum := make([]float64, n)
		for _, i := range rest {
			for k, v := range d.Series[i].Values {
				sum[k] += v
			}
		}
		p.others = sum
		what := map[string]string{"task": "tasks", "comm": "names", "group": "groups"}[d.What]
		if what == "" {
			what = "series"
		} else if len(rest) == 1 {
			what = strings.TrimSuffix(what, "s")
		}
		e := entry{name: fmt.Sprintf("other (%s %s)", thousands(len(rest)), what), swatch: restSwatch}
		if d.Lines {
			e.swatch = restLineSwatch
		}
		f.legend = append(f.legend, e)
	}
	if sumOf(d.Unknown) > 0 {
		p.unknown = d.Unknown
		f.legend = append(f.legend, entry{name: "not recorded", swatch: unknownSwatch})
	}
	if sumOf(d.Idle) > 0 && !d.Lines {
		f.legend = append(f.legend, entry{name: "idle", swatch: idleSwatch})
	}
	if len(d.Series) == 0 && p.unknown == nil {
		p.note = "nothing ran here"
	}
	if d.Lines {
		f.y.fit(0, p.highest(), [2]float64{})
		f.y.hi = min(f.y.hi, 100)
	}
	f.marks = func(th theme, dpi int) []plot.Plotter {
		q := p
		q.th, q.dpi = th, dpi
		return []plot.Plotter{q}
	}
	return f.finish(o)
}

// check returns the names of the series.
func (d ShareData) check() ([]string, error) {
	n := len(d.Times) - 1
	if n < 1 {
		return nil, fmt.Errorf("shares: no data: give at least one window")
	}
	for k, t := range d.Times[1:] {
		if t <= d.Times[k] {
			return nil, fmt.Errorf("shares: window %d ends at %d ns, not after its start at %d ns: give the ends in order", k, t, d.Times[k])
		}
	}
	var names []string
	for _, s := range d.Series {
		names = append(names, s.Name)
	}
	names, err := checkNames("shares", "series", names)
	if err != nil {
		return nil, err
	}
	sum := make([]float64, n)
	add := func(name string, vs []float64) error {
		if len(vs) != n {
			return fmt.Errorf("shares: %q has %d values for %d windows: give one for each", name, len(vs), n)
		}
		for k, v := range vs {
			if !(v >= 0 && v <= 100.001) {
				return fmt.Errorf("shares: %q: the share in window %d is %g: give 0 to 100 percent", name, k, v)
			}
			sum[k] += v
		}
		return nil
	}
	for i, s := range d.Series {
		if err := add(names[i], s.Values); err != nil {
			return nil, err
		}
	}
	for i, vs := range [][]float64{d.Idle, d.Unknown} {
		if vs == nil {
			continue
		}
		if err := add([]string{"idle", "unknown"}[i], vs); err != nil {
			return nil, err
		}
	}
	for k, v := range sum {
		if v > 100.01 {
			return nil, fmt.Errorf("shares: the shares of window %d add up to %.2f %%: they are parts of one whole", k, v)
		}
	}
	if d.Top < 0 || d.Top > maxTopTasks {
		return nil, fmt.Errorf("shares: %d series to colour: use 1 to %d, or 0 for %d", d.Top, maxTopTasks, defaultTopTasks)
	}
	return names, nil
}

// rank returns the series that have a colour, those named in First before the
// others, then most time first, ties in the order given; and the rest.
func (d ShareData) rank(names []string) (top, rest []int) {
	time := make([]float64, len(d.Series))
	for i, s := range d.Series {
		for k, v := range s.Values {
			time[i] += v * float64(d.Times[k+1]-d.Times[k])
		}
		switch {
		case time[i] > 0 && s.Plain:
			rest = append(rest, i)
		case time[i] > 0:
			top = append(top, i)
		}
	}
	place := func(i int) int {
		if k := slices.Index(d.First, names[i]); k >= 0 {
			return k
		}
		return len(d.First)
	}
	slices.SortStableFunc(top, func(a, b int) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(time[b], time[a]))
	})
	if most := cmp.Or(d.Top, defaultTopTasks); len(top) > most {
		top, rest = top[:most], append(rest, top[most:]...)
	}
	return top, rest
}

// data lists the windows, in each the series, then idle and unknown time.
func (d ShareData) data(names []string) *table.Table {
	var start, end, share []float64
	var name []string
	add := func(k int, s string, v float64) {
		start, end = append(start, float64(d.Times[k])), append(end, float64(d.Times[k+1]))
		name, share = append(name, s), append(share, v)
	}
	for k := range len(d.Times) - 1 {
		for i, s := range d.Series {
			add(k, names[i], s.Values[k])
		}
		if d.Idle != nil {
			add(k, "idle", d.Idle[k])
		}
		if d.Unknown != nil {
			add(k, "unknown", d.Unknown[k])
		}
	}
	var t tidy
	t.number("start", "ns", start)
	t.number("end", "ns", end)
	t.text(cmp.Or(d.What, "series"), name)
	t.number("share", "%", share)
	return t.table("shares")
}

func sumOf(v []float64) (sum float64) {
	for _, x := range v {
		sum += x
	}
	return sum
}

// shareColumn is the least width of a column of shares in pixels: stacks that
// change with every pixel cannot be read.
const shareColumn = 3

// A sharePlot draws shares over time.
type sharePlot struct {
	times           []int64
	series          [][]float64
	others, unknown []float64
	lines           bool
	moments         moments
	note            string
	th              theme
	dpi             int
}

// highest returns the largest value of a line.
func (p sharePlot) highest() float64 {
	high := 1.0
	for _, vs := range append(slices.Clone(p.series), p.others) {
		for _, v := range vs {
			high = max(high, v)
		}
	}
	return high
}

// Plot draws the areas from the bottom, or the lines.
func (p sharePlot) Plot(c draw.Canvas, plt *plot.Plot) {
	trX, trY := plt.Transforms(&c)
	x := p.edges(c, trX)
	if p.lines {
		for i, vs := range append(slices.Clone(p.series), p.others) {
			if vs == nil {
				continue
			}
			sty := solid(restGrey, p.th.line)
			if i < len(p.series) {
				sty = p.th.lineStyle(i)
			}
			strokeAll(c, sty, [][]vg.Point{p.steps(x, p.columns(x, vs), trY)})
			if i < len(p.series) {
				p.markers(c, i, x, p.columns(x, vs), trY)
			}
		}
	} else {
		low := make([]float64, len(x.at)-1)
		for i, vs := range append(slices.Clone(p.series), p.others, p.unknown) {
			if vs == nil {
				continue
			}
			high := slices.Clone(low)
			for k, v := range p.columns(x, vs) {
				high[k] = min(100, high[k]+v)
			}
			fill, line, h := restGrey, restGrey, plainHatch
			switch {
			case i < len(p.series):
				fill, h = fillColour(i), hatchFor(i)
				line = contrast(fill)
			case i > len(p.series):
				fill, line, h = missGrey, restGrey, crossHatch
			}
			p.area(c, x, low, high, trY, fill, line, h)
			low = high
		}
	}
	p.moments.draw(c, p.th, trX)
	if p.note != "" {
		putBoxed(c, p.th.style(p.th.text), vg.Point{X: (c.Min.X + c.Max.X) / 2, Y: (c.Min.Y + c.Max.Y) / 2}, p.note)
	}
}

// shareEdges are the columns that are drawn: the windows, or columns of the
// least width if the windows are narrower.
type shareEdges struct {
	at    []vg.Length
	times []float64 // of the columns
	bin   bool
}

func (p sharePlot) edges(c draw.Canvas, trX func(float64) vg.Length) shareEdges {
	n := len(p.times) - 1
	lo, hi := float64(p.times[0]), float64(p.times[n])
	px := pixelEdges(c.Min.X, c.Max.X, max(minDPI/2, p.dpi/shareColumn))
	if n < len(px) {
		var e shareEdges
		for _, t := range p.times {
			e.at, e.times = append(e.at, trX(float64(t))), append(e.times, float64(t))
		}
		return e
	}
	g := newColumns(lo, hi, px)
	e := shareEdges{at: px, bin: true}
	for k := range px {
		e.times = append(e.times, g.time(k))
	}
	e.times[len(px)-1] = hi
	return e
}

// columns returns the mean of a series in each column.
func (p sharePlot) columns(e shareEdges, values []float64) []float64 {
	if !e.bin {
		return values
	}
	out := make([]float64, len(e.at)-1)
	w := 0 // the window
	for k := range out {
		lo, hi := e.times[k], e.times[k+1]
		for float64(p.times[w+1]) <= lo && w < len(values)-1 {
			w++
		}
		for v := w; v < len(values) && float64(p.times[v]) < hi; v++ {
			a, b := max(lo, float64(p.times[v])), min(hi, float64(p.times[v+1]))
			out[k] += values[v] * max(0, b-a) / (hi - lo)
		}
	}
	return out
}

// steps returns the line that is level over each column.
func (p sharePlot) steps(e shareEdges, values []float64, trY func(float64) vg.Length) []vg.Point {
	var out []vg.Point
	for a := 0; a < len(values); {
		b := a + 1
		for b < len(values) && values[b] == values[a] {
			b++
		}
		y := trY(values[a])
		out = append(out, vg.Point{X: e.at[a], Y: y}, vg.Point{X: e.at[b], Y: y})
		a = b
	}
	return out
}

// markers draws the marker of a line a few times along it, those of different
// lines at different places.
func (p sharePlot) markers(c draw.Canvas, i int, e shareEdges, values []float64, trY func(float64) vg.Length) {
	const each = 6
	width := (c.Max.X - c.Min.X) / each
	for m := range each {
		x := c.Min.X + width*(vg.Length(m)+(vg.Length(i%5)+0.5)/5)
		k, _ := slices.BinarySearch(e.at, x)
		k = min(max(k-1, 0), len(values)-1)
		drawMarker(c, i, lineColour(i), vg.Point{X: x, Y: trY(values[k])}, p.th.marker)
	}
}

// area fills what lies between two lines, hatches it where it is high enough,
// and draws its upper edge.
func (p sharePlot) area(c draw.Canvas, e shareEdges, low, high []float64, trY func(float64) vg.Length, fill, line color.Color, h hatch) {
	upper, lower := p.steps(e, high, trY), p.steps(e, low, trY)
	var path vg.Path
	path.Move(upper[0])
	for _, pt := range upper[1:] {
		path.Line(pt)
	}
	for _, pt := range slices.Backward(lower) {
		path.Line(pt)
	}
	path.Close()
	c.SetColor(fill)
	c.Fill(path)

	// The hatch is cut to boxes that lie inside of the area.
	var hatches [][]vg.Point
	width := 2 * p.th.hatch
	for k := 0; k < len(low) && h != plainHatch; {
		a, b := trY(low[k]), trY(high[k])
		j := k + 1
		for j < len(low) && (e.at[j+1] <= e.at[k]+width || low[j] == low[k] && high[j] == high[k]) {
			a, b = max(a, trY(low[j])), min(b, trY(high[j]))
			j++
		}
		if least := 0.3 * p.th.hatch; b-a > least && (!e.bin || b-a > 2*p.th.hatch) {
			hatches = append(hatches, hatchLines(h, vg.Rectangle{
				Min: vg.Point{X: e.at[k], Y: a}, Max: vg.Point{X: e.at[j], Y: b},
			}, p.th.hatch)...)
		}
		k = j
	}
	strokeAll(c, solid(line, p.th.thin), hatches)
	// The upper edge, where the area is not empty.
	var edges [][]vg.Point
	for k := 0; k < len(low); {
		j := k + 1
		for j < len(low) && (high[j] > low[j]) == (high[k] > low[k]) {
			j++
		}
		if high[k] > low[k] {
			edges = append(edges, p.steps(shareEdges{at: e.at[k : j+1]}, high[k:j], trY))
		}
		k = j
	}
	if !e.bin {
		strokeAll(c, solid(ink, p.th.hair), edges)
	}
}
