package bindings

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.starlark.net/starlark"

	"schedrepl/engine/stats"
)

// Limits of text plots: what a terminal can show, with room to spare.
const (
	mostTextBins  = 200
	mostTextWidth = 1000
	leastHist     = 24 // Columns that labels, a bar and a count need.
)

// textHist draws a histogram with one line a bin: the edges, a bar of block
// characters, and the count. No line is wider than width columns.
func (v *samplesValue) textHist(bins, width int, log bool) (string, error) {
	count := stats.Histogram
	if log {
		count = stats.LogHistogram
	}
	h, err := count(v.S.Values, bins)
	if err != nil {
		return "", v.tooFew(err)
	}
	type row struct {
		from, to string
		n        int
	}
	var rows []row
	if h.Under > 0 {
		rows = append(rows, row{"0 or less", "", h.Under})
	}
	edge := v.edgeText(h.Edges, log)
	for i, n := range h.Counts {
		rows = append(rows, row{edge(h.Edges[i]), edge(h.Edges[i+1]), n})
	}
	from, to, num, most := 0, 0, 0, 0
	for _, r := range rows {
		if r.to != "" {
			from, to = max(from, utf8.RuneCountInString(r.from)), max(to, utf8.RuneCountInString(r.to))
		}
		num, most = max(num, len(fmt.Sprint(r.n))), max(most, r.n)
	}
	label := from + to + len(" - ")
	b := &strings.Builder{}
	for _, r := range rows {
		text := fmt.Sprintf("%*s - %*s", from, r.from, to, r.to)
		if r.to == "" {
			text = r.from
		}
		line := fmt.Sprintf("%*s │", label, text)
		bar := max(1, width-label-num-3)
		line += blockBar(float64(r.n)/float64(most), bar, r.n > 0)
		fmt.Fprintf(b, "%s %d\n", line, r.n)
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// edgeText returns a function that words the edges of bins. On a linear axis
// they share a unit, and have as many digits as tell them apart; on a
// logarithmic one each has a unit and three digits.
func (v *samplesValue) edgeText(edges []float64, log bool) func(float64) string {
	unit, div := v.S.Unit, 1.0
	most := math.Max(math.Abs(edges[0]), math.Abs(edges[len(edges)-1]))
	if log || unit != "ns" && (most >= 1e6 || most < 1e-3) {
		return func(x float64) string { return v.shortEdge(x) }
	}
	if unit == "ns" {
		for _, u := range []struct {
			name string
			ns   float64
		}{{"us", 1e3}, {"ms", 1e6}, {"s", 1e9}} {
			if most >= u.ns {
				unit, div = u.name, u.ns
			}
		}
	}
	width := (edges[1] - edges[0]) / div
	digits := 0
	for ; digits < 9; digits++ {
		scale := math.Pow(10, float64(digits))
		if !slices.ContainsFunc(edges, func(x float64) bool { return math.Abs(math.Round(x/div*scale)/scale-x/div) > width/20 }) {
			break
		}
	}
	if v.S.Unit != "ns" && unit != "" {
		unit = " " + unit
	}
	return func(x float64) string { return strconv.FormatFloat(x/div, 'f', digits, 64) + unit }
}

// shortEdge is a value with three digits, in the unit that suits it.
func (v *samplesValue) shortEdge(x float64) string {
	if v.S.Unit != "ns" {
		text := strconv.FormatFloat(x, 'g', 3, 64)
		if v.S.Unit != "" {
			text += " " + v.S.Unit
		}
		return text
	}
	div, unit := 1.0, "ns"
	for _, u := range []struct {
		ns   float64
		name string
	}{{1e3, "us"}, {1e6, "ms"}, {1e9, "s"}} {
		if math.Abs(x) >= 0.9995*u.ns {
			div, unit = u.ns, u.name
		}
	}
	digits := 2
	for _, limit := range []float64{9.995, 99.95} {
		if math.Abs(x)/div >= limit {
			digits--
		}
	}
	return strconv.FormatFloat(x/div, 'f', digits, 64) + unit
}

// blocks are an eighth to seven eighths of a character from the left.
var blocks = []rune(" ▏▎▍▌▋▊▉")

// blockBar is a bar that takes the share of width columns, in steps of an
// eighth. What is there shows, however little it is.
func blockBar(share float64, width int, some bool) string {
	eighths := int(math.Round(share * float64(width) * 8))
	if some {
		eighths = max(1, eighths)
	}
	bar := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		bar += string(blocks[rest])
	}
	return bar
}

// levels are the heights of a sparkline.
var levels = []rune("▁▂▃▄▅▆▇█")

// sparkOf draws heights from 0 to the largest; NaN is a gap.
func sparkOf(heights []float64) string {
	most := 0.0
	for _, h := range heights {
		if h > most {
			most = h
		}
	}
	out := make([]rune, len(heights))
	for i, h := range heights {
		switch {
		case math.IsNaN(h):
			out[i] = ' '
		case most <= 0 || h <= 0:
			out[i] = levels[0]
		default:
			out[i] = levels[min(len(levels)-1, int(h/most*float64(len(levels))))]
		}
	}
	return string(out)
}

// sparkline draws the samples in the order in which they were taken; each
// character stands for the largest of its share of them, measured from 0, or
// from the least where there are negative ones.
func (v *samplesValue) sparkline(width int) string {
	xs := v.S.Values
	if len(xs) == 0 {
		return ""
	}
	base := math.Min(0, slices.Min(xs))
	cells := min(width, len(xs))
	heights := make([]float64, cells)
	for i := range heights {
		// Shares differ by one at most.
		share := xs[i*len(xs)/cells : (i+1)*len(xs)/cells]
		heights[i] = slices.Max(share) - base
	}
	return sparkOf(heights)
}

// distline draws how the samples are spread, from the least to the largest:
// each character is a bin of equal width, and an empty bin is a blank.
func (v *samplesValue) distline(width int) string {
	if v.Len() == 0 {
		return ""
	}
	h, err := stats.Histogram(v.S.Values, width)
	if err != nil {
		return ""
	}
	heights := make([]float64, len(h.Counts))
	for i, n := range h.Counts {
		heights[i] = float64(n)
		if n == 0 {
			heights[i] = math.NaN()
		}
	}
	return sparkOf(heights)
}

// wantsLog tells whether a histogram of equal bins would show one bar and a long
// tail.
func (v *samplesValue) wantsLog() bool {
	xs := v.S.Values
	if len(xs) < 2 {
		return false
	}
	median, err := stats.Quantile(xs, 0.5)
	return err == nil && slices.Min(xs) > 0 && slices.Max(xs) > 25*median
}

// textPlotTable describes the plots of characters.
func textPlotTable() Table {
	width := Param{Name: "width", Type: "int", Default: "60", KwOnly: true, Unit: "columns", Doc: "How wide it may be, labels and counts included."}
	return Table{Builtins: []Builtin{{
		Recv: "samples", Name: "text_hist",
		Params: []Param{
			{Name: "bins", Type: "int", Default: "10", Doc: "How many bins."},
			width,
			{Name: "log", Type: "bool | None", Default: "None", KwOnly: true, Doc: "The bins grow by a constant factor, not by a constant width. None decides by the samples: True where a few are far above the others."},
		},
		Result: "string",
		Doc:    "A histogram as text: a line for each bin, with its edges, a bar and the count. A prompt shows one for samples. See hist for the numbers and plot.cdf for a figure.",
		Example: "s = stats.samples([1 * ms, 2 * ms, 2 * ms, 5 * ms])\n" +
			"print(s.text_hist(bins = 1, width = 24))  # 1ms - 5ms │███████████ 4",
		Impl: textHistImpl,
	}, {
		Recv: "samples", Name: "sparkline",
		Params: []Param{
			{Name: "width", Type: "int", Default: "20", Unit: "columns", Doc: "How many characters at most."},
			{Name: "dist", Type: "bool", Default: "False", KwOnly: true, Doc: "Draw how the samples are spread from the least to the largest, not how they went."},
		},
		Result: "string",
		Doc: "A line of characters that shows how the samples went, in the order in which they were taken: the higher, the longer. " +
			"Where there are more samples than characters, each shows the largest of its share. The bottom is 0, or the least sample if that is negative. It is empty for no samples.",
		Example: "print(stats.samples([1 * ms, 2 * ms, 4 * ms, 8 * ms]).sparkline())  # ▂▃▅█",
		Impl: func(c *Call) (starlark.Value, error) {
			w := c.Int("width")
			if w < 1 || w > mostTextWidth {
				return nil, fmt.Errorf("width must be from 1 to %d, not %d", mostTextWidth, w)
			}
			v := c.Recv.(*samplesValue)
			if c.Bool("dist") {
				return starlark.String(v.distline(w)), nil
			}
			return starlark.String(v.sparkline(w)), nil
		},
	}}}
}

func textHistImpl(c *Call) (starlark.Value, error) {
	v, bins, width := c.Recv.(*samplesValue), c.Int("bins"), c.Int("width")
	if bins < 1 || bins > mostTextBins {
		return nil, fmt.Errorf("bins must be from 1 to %d, not %d", mostTextBins, bins)
	}
	if width < leastHist || width > mostTextWidth {
		return nil, fmt.Errorf("width must be from %d to %d, not %d", leastHist, mostTextWidth, width)
	}
	log := v.wantsLog()
	if b, ok := c.Value("log").(starlark.Bool); ok {
		log = bool(b)
	}
	text, err := v.textHist(bins, width, log)
	if err != nil {
		return nil, err
	}
	return starlark.String(text), nil
}
