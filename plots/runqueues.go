package plots

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"schedrepl/engine/table"
)

// A Queue is the number of runnable tasks of one CPU over time, the running one
// included: N[i] from At[i], in ns, until At[i+1], and the last to the end. NaN
// is a stretch of which nothing is known, as is what comes before At[0].
type Queue struct {
	Name string
	At   []int64
	N    []float64
}

// A QueueForm says how run queues are drawn.
type QueueForm int

const (
	// QueueAuto draws lines for up to 8 CPUs and a heat map for more.
	QueueAuto QueueForm = iota
	// QueueLines draws a row with a line for each CPU.
	QueueLines
	// QueueHeat draws a heat map of time by CPU.
	QueueHeat
)

// QueueData is what RunQueues draws.
type QueueData struct {
	From, To int64 // the stretch of time that is drawn, in ns
	Queues   []Queue
	Form     QueueForm
	// Most makes a heat map show the largest number in a cell, not the mean.
	Most bool
	// Max is the number at the upper end of each row, or of the darkest colour;
	// 0 is the largest. Figures that share it can be compared.
	Max float64
}

// maxQueueLines is the number of CPUs up to which QueueAuto draws lines, and
// maxQueueRows the most rows with lines.
const (
	maxQueueLines = 8
	maxQueueRows  = 32
)

// RunQueues draws how many tasks ran or waited on each CPU over time, the first
// at the top: Linux's nr_running, in which the running task counts.
//
// As lines, each CPU has a row with a scale of its own from 0 to the largest
// number of all, which the label of the axis tells. Time is cut into the pixel
// columns of the figure: the area is the mean of a column, weighted by time,
// and the line the largest number in it. As a heat map, the cells of which the
// colour bar tells the length have the mean, or with Most the largest number;
// more than 64 CPUs share rows, whose mean is that of all their CPUs. What is
// unknown is grey and crossed out.
//
// Its Data has a row for each step of each CPU.
//
// It is an error if there is no CPU, From is not before To, the steps of a CPU
// are not in order of time, or a number is negative or infinite.
func RunQueues(d QueueData, o Options) (*Figure, error) {
	f, err := newFigure("runqueues", o)
	if err != nil {
		return nil, err
	}
	names, most, unknown, err := d.check()
	if err != nil {
		return nil, err
	}
	if d.Max != 0 {
		if undrawable(d.Max, false) || d.Max < 0 {
			return nil, fmt.Errorf("runqueues: the largest number of the scale is %g: give a finite number above 0, or 0 for that of the data", d.Max)
		}
	}
	f.x = timeAxis(o, float64(d.From), float64(d.To))
	f.data = func() *table.Table { return d.data(names) }
	ms := f.newMoments(o.Moments, f.x.lo, f.x.hi)
	if d.Form == QueueLines || d.Form == QueueAuto && len(names) <= maxQueueLines {
		if len(names) > maxQueueRows {
			return nil, fmt.Errorf("runqueues: %d CPUs are too many for a line each: choose at most %d, or draw a heat map", len(names), maxQueueRows)
		}
		f.queueLines(d, names, most, unknown, ms, o)
	} else if err := f.queueHeat(d, names, ms, o); err != nil {
		return nil, err
	}
	return f.finish(o)
}

// check returns the names, the largest number, and whether something in view is
// unknown.
func (d QueueData) check() (names []string, most float64, unknown bool, err error) {
	if len(d.Queues) == 0 {
		return nil, 0, false, fmt.Errorf("runqueues: no data: give at least one CPU")
	}
	if d.From >= d.To {
		return nil, 0, false, fmt.Errorf("runqueues: the stretch from %s to %s is empty: give one with the end after the beginning",
			formatTime(float64(d.From)), formatTime(float64(d.To)))
	}
	for _, q := range d.Queues {
		names = append(names, q.Name)
	}
	if names, err = checkNames("runqueues", "CPU", names); err != nil {
		return nil, 0, false, err
	}
	for i, q := range d.Queues {
		if len(q.At) != len(q.N) {
			return nil, 0, false, fmt.Errorf("runqueues: %q has %d times but %d numbers: give one for each", names[i], len(q.At), len(q.N))
		}
		unknown = unknown || len(q.At) == 0 || q.At[0] > d.From
		for k, n := range q.N {
			if k > 0 && q.At[k] <= q.At[k-1] {
				return nil, 0, false, fmt.Errorf("runqueues: %q: step %d is at %d ns, not after the one before, at %d ns: sort the steps by time", names[i], k, q.At[k], q.At[k-1])
			}
			in := q.At[k] < d.To && (k+1 == len(q.At) || q.At[k+1] > d.From)
			switch {
			case math.IsNaN(n):
				unknown = unknown || in
			case n < 0 || undrawable(n, false):
				return nil, 0, false, fmt.Errorf("runqueues: %q: step %d is %g tasks: give numbers from 0 on, or NaN for unknown", names[i], k, n)
			case in:
				most = max(most, n)
			}
		}
	}
	return names, most, unknown, nil
}

// data lists the steps in view, those that are unknown without a number.
func (d QueueData) data(names []string) *table.Table {
	var name []string
	var start, end, n []float64
	add := func(s string, a, b int64, v float64) {
		a, b = max(a, d.From), min(b, d.To)
		if a < b {
			name, start, end, n = append(name, s), append(start, float64(a)), append(end, float64(b)), append(n, v)
		}
	}
	for i, q := range d.Queues {
		next := func(k int) int64 {
			if k < len(q.At) {
				return q.At[k]
			}
			return d.To
		}
		add(names[i], d.From, next(0), math.NaN())
		for k := range q.At {
			add(names[i], q.At[k], next(k+1), q.N[k])
		}
	}
	var t tidy
	t.text("cpu", name)
	t.number("start", "ns", start)
	t.number("end", "ns", end)
	t.number("nr_running", "", n)
	return t.table("runqueues")
}

// A stepBin is what one queue was in one stretch of time: the mean over the
// part that is known, the largest number, and NaN for both if nothing is known.
type stepBin struct{ mean, most float64 }

// bins returns what a queue was between each two of the given times, which are
// in order. Each step is looked at once, and each bin.
func (q Queue) bins(times []float64) []stepBin {
	out := make([]stepBin, len(times)-1)
	i := -1 // the step that holds at the beginning of the bin
	at := func(k int) float64 {
		if k < len(q.At) {
			return float64(q.At[k])
		}
		return math.Inf(1)
	}
	for b := range out {
		lo, hi := times[b], times[b+1]
		for at(i+1) <= lo {
			i++
		}
		sum, known, most := 0.0, 0.0, math.NaN()
		for k := i; k == i || at(k) < hi; k++ {
			if k < 0 || math.IsNaN(q.N[k]) {
				continue
			}
			w := min(at(k+1), hi) - max(at(k), lo)
			sum, known = sum+w*q.N[k], known+w
			if math.IsNaN(most) || q.N[k] > most {
				most = q.N[k]
			}
		}
		out[b] = stepBin{math.NaN(), math.NaN()}
		if known > 0 {
			out[b] = stepBin{sum / known, most}
		}
	}
	return out
}

// queueLines lays out a row for each CPU.
func (f *Figure) queueLines(d QueueData, names []string, most float64, unknown bool, ms moments, o Options) {
	p := queuePlot{d: d, moments: ms, top: max(most, 1)}
	label := clean(o.YLabel)
	if label == "" {
		label = "runnable tasks"
	}
	if d.Max != 0 {
		p.top = d.Max
	}
	label = fmt.Sprintf("%s, rows 0–%s", label, formatShort(p.top))
	if most > p.top {
		label += ", cut off there"
	}
	f.y = categories(label, names)
	f.legend = []entry{{name: "mean of a pixel column", swatch: meanSwatch}, {name: "largest in it", swatch: mostSwatch}}
	if unknown {
		f.legend = append(f.legend, entry{name: "not recorded", swatch: unknownSwatch})
	}
	each := 3.2 * f.th.text
	if len(names) > maxQueueLines {
		each = 1.8 * f.th.text
	}
	// The least height holds the label of the axis.
	f.body = max(each*vg.Length(len(names))+3*f.th.text, 11*f.th.text)
	f.marks = func(th theme, dpi int) []plot.Plotter {
		q := p
		q.th, q.dpi = th, dpi
		return []plot.Plotter{q}
	}
}

// A queuePlot draws rows of lines.
type queuePlot struct {
	d       QueueData
	top     float64
	moments moments
	th      theme
	dpi     int
}

// Plot draws the area of the means, the line of the largest, and a hairline for
// each whole number if there is room.
func (p queuePlot) Plot(c draw.Canvas, plt *plot.Plot) {
	trX, trY := plt.Transforms(&c)
	edges := pixelEdges(c.Min.X, c.Max.X, p.dpi)
	g := newColumns(plt.X.Min, plt.X.Max, edges)
	times := make([]float64, len(edges))
	for k := range times {
		times[k] = g.time(k)
	}
	times[len(times)-1] = plt.X.Max
	for i, q := range p.d.Queues {
		mid := float64(len(p.d.Queues) - 1 - i)
		bottom, top := trY(mid-0.42), trY(mid+0.38)
		y := func(n float64) vg.Length {
			return bottom + (top-bottom)*vg.Length(min(n, p.top)/p.top)
		}
		step := 1.0
		for (top-bottom)*vg.Length(step/p.top) < 0.45*p.th.text {
			step *= 2
		}
		var lines [][]vg.Point
		for n := step; n <= p.top; n += step {
			lines = append(lines, []vg.Point{{X: c.Min.X, Y: y(n)}, {X: c.Max.X, Y: y(n)}})
		}
		strokeAll(c, solid(gridGrey, p.th.hair), lines)

		bins := q.bins(times)
		var area vg.Path
		var line [][]vg.Point
		for a := 0; a < len(bins); {
			b := a + 1
			for b < len(bins) && math.IsNaN(bins[b].mean) == math.IsNaN(bins[a].mean) {
				b++
			}
			if math.IsNaN(bins[a].mean) {
				p.th.unknownRect(c, vg.Rectangle{Min: vg.Point{X: edges[a], Y: bottom}, Max: vg.Point{X: edges[b], Y: top}})
			} else {
				mean := outline(bins[a:b], edges[a:b+1], func(s stepBin) vg.Length { return y(s.mean) })
				area.Move(vg.Point{X: edges[a], Y: bottom})
				for _, pt := range mean {
					area.Line(pt)
				}
				area.Line(vg.Point{X: edges[b], Y: bottom})
				area.Close()
				line = append(line, outline(bins[a:b], edges[a:b+1], func(s stepBin) vg.Length { return y(s.most) }))
			}
			a = b
		}
		if len(area) > 0 {
			c.SetColor(meanFill)
			c.Fill(area)
		}
		strokeAll(c, solid(okabeBlue, min(p.th.line, 0.9)), line)
		c.StrokeLine2(solid(ink, p.th.hair), c.Min.X, bottom, c.Max.X, bottom)
	}
	p.moments.draw(c, p.th, trX)
}

// outline returns the steps over bins, without the corners between bins of one
// height.
func outline(bins []stepBin, edges []vg.Length, y func(stepBin) vg.Length) []vg.Point {
	var out []vg.Point
	for a := 0; a < len(bins); {
		b := a + 1
		for b < len(bins) && y(bins[b]) == y(bins[a]) {
			b++
		}
		h := y(bins[a])
		out = append(out, vg.Point{X: edges[a], Y: h}, vg.Point{X: edges[b], Y: h})
		a = b
	}
	return out
}

// queueHeat lays out a heat map of time by CPU.
func (f *Figure) queueHeat(d QueueData, names []string, ms moments, o Options) error {
	per := perBand(len(names), maxRows)
	// Cells are at least three pixels wide, and a whole number of ns each.
	span := float64(d.To) - float64(d.From)
	most := max(1, math.Floor(float64((f.w-14*f.th.text)/vg.Inch)*float64(f.dpi)/3))
	cell := math.Ceil(span / most)
	cols := int(math.Ceil(span / cell))
	left := func(j int) float64 { return min(float64(d.From)+cell*float64(j), float64(d.To)) }
	times := make([]float64, cols+1)
	for j := range times {
		times[j] = left(j)
	}
	m := Matrix{Cols: make([]string, cols), Max: d.Max}
	for i := 0; i < len(names); i += per {
		end := min(i+per, len(names))
		m.Rows = append(m.Rows, bandName(names[i], names[end-1]))
		m.Values = append(m.Values, bandBins(d.Queues[i:end], times, d.Most))
	}
	how := "mean"
	if d.Most {
		how = "largest"
	}
	m.Name = fmt.Sprintf("runnable tasks, %s of %s", how, roundTime(cell))
	scale, err := m.scale("runqueues", false)
	if err != nil {
		return fmt.Errorf("runqueues: nothing was recorded between %s and %s: draw a later stretch", formatTime(float64(d.From)), formatTime(float64(d.To)))
	}
	label := clean(o.YLabel)
	if label == "" && per > 1 {
		label = fmt.Sprintf("%d %s in each row", per, manyOf(names))
	}
	f.y = categories(label, m.Rows)
	f.legend = []entry{{name: "no task", swatch: idleSwatch}}
	if slices.ContainsFunc(m.Values, func(row []float64) bool { return slices.ContainsFunc(row, math.IsNaN) }) {
		f.legend = append(f.legend, entry{name: "not recorded", swatch: unknownSwatch})
	}
	f.cells(&heatPlot{m: m, scale: scale, blank: true, bx: 1, by: 1, left: left, moments: ms, bands: true})
	f.body = max(1.6*f.th.text*vg.Length(min(len(m.Rows), 24))+3*f.th.text, minBody*f.th.text)
	return nil
}

// bandBins returns the numbers of the cells of one row: the mean over time and
// queues, or the largest number.
func bandBins(queues []Queue, times []float64, most bool) []float64 {
	sum, known := make([]float64, len(times)-1), make([]float64, len(times)-1)
	for _, q := range queues {
		for b, s := range q.bins(times) {
			switch {
			case math.IsNaN(s.mean):
			case most:
				sum[b], known[b] = max(sum[b], s.most), 1
			default:
				sum[b], known[b] = sum[b]+s.mean, known[b]+1
			}
		}
	}
	for b := range sum {
		sum[b] /= known[b] // NaN where nothing is known
	}
	return sum
}

// roundTime writes a span in ns with three digits.
func roundTime(ns float64) string {
	p := math.Pow10(max(0, int(math.Floor(math.Log10(max(ns, 1))))-2))
	return formatTime(math.Round(ns/p) * p)
}
