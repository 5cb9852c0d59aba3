package plots

import (
	"fmt"
	"strings"
)

// A Size names an outer width and the type sizes that go with it.
type Size int

const (
	// Column is a single column of a two-column paper: 3.35 inches, 8 point.
	Column Size = iota
	// Double spans both columns: 7 inches, 9 point.
	Double
	// Slide fills a 16:9 slide: 10 inches, 18 point.
	Slide
)

// A Place says where the legend goes.
type Place int

const (
	// LegendBelow puts the legend on a strip below the figure.
	LegendBelow Place = iota
	// LegendRight puts the legend on a strip at the right of the figure.
	LegendRight
	// LegendNone leaves the legend out.
	LegendNone
)

// An Orient says which way bars grow.
type Orient int

const (
	// OrientAuto draws upright bars if the category names fit below them, and
	// level bars otherwise.
	OrientAuto Orient = iota
	// OrientUpright draws bars that grow upwards.
	OrientUpright
	// OrientLevel draws bars that grow to the right, the first category at the
	// top.
	OrientLevel
)

// Options says how a figure looks. The zero value is a good figure for a
// single column. A field that the figure at hand has no use for must be left
// zero: a figure function returns an error rather than ignore a wish.
type Options struct {
	// Title is written above the figure, wrapped to its width. It may be empty.
	Title string
	// XLabel and YLabel name the axes. Empty means the figure's own default.
	// The unit is added in parentheses; do not write it here.
	XLabel, YLabel string

	// Size chooses the width and the type size.
	Size Size
	// Width and Height override the outer size, in inches. Zero means the
	// width of Size, and a height that suits the content.
	Width, Height float64
	// DPI is the resolution of a PNG, and of the pixel columns into which long
	// inputs are thinned, in dots per inch. Zero means 200, or 150 for Slide.
	DPI int

	// Legend places the legend. A figure whose only series has no name has
	// none.
	Legend Place

	// XRange and YRange fix the limits of an axis, in the unit of the data.
	// The zero value fits the axis to the data. What lies outside is cut off.
	XRange, YRange [2]float64
	// LogX and LogY make an axis logarithmic. CDF, Hist, Line and Scatter take
	// both; Bar, Box, Violin, Intervals and Paired take LogY, for the axis of
	// values, whichever way that runs.
	LogX, LogY bool
	// Clip lets CDF and Hist take values at or below zero on a logarithmic x axis: they
	// count in the fractions, lie left of the axis, and the legend says how
	// many there are. Without it they are an error.
	Clip bool

	// CCDF makes CDF draw the fraction above each value, not at or below it.
	CCDF bool
	// Bins is the number of bins of Hist, up to 500. Zero chooses bins of a round
	// width from the data.
	Bins int
	// Share makes Hist draw the share of the sample in each bin, in per cent,
	// not the count: samples of different size can be compared.
	Share bool
	// Beside makes Hist draw the series as bars side by side in each bin, not
	// as outlines over one another.
	Beside bool
	// Fit makes Scatter draw a straight line of least squares through each
	// series, straight on the axes as drawn.
	Fit bool
	// ZeroLine makes Intervals draw a line at zero, where no difference is.
	ZeroLine bool
	// Step makes Line hold each value until the next x.
	Step bool
	// Orient chooses the direction of Bar, Box and Violin.
	Orient Orient
	// ValueLabels writes the value at the end of each bar, the numbers of each
	// interval beside it, and the value into each cell
	// of a heat map, where there is room.
	ValueLabels bool
	// TopTasks is the number of tasks that Timeline names and colours; the rest
	// are drawn grey as "other". Zero means 7, the most is 14.
	TopTasks int
	// First names tasks that Timeline colours before all others, in this order,
	// whatever their time: the one that a figure is about, or the same ones
	// alike in several figures.
	First []string
	// LogColour makes the colour scale of Heat logarithmic; zero and negative
	// cells stay blank.
	LogColour bool
	// BlankZero leaves cells of Heat that are exactly zero white, so that
	// "never" stands out from "seldom".
	BlankZero bool
	// Moments are drawn as dashed lines across a figure over time, with their
	// names above it as far as there is room.
	Moments []Moment
}

// Limits on the outer size: what is smaller cannot hold legible type, what is
// larger is a slip in the unit.
const (
	minInches = 1.0
	maxInches = 40.0
	minDPI    = 50
	maxDPI    = 1200
	maxPixels = 100e6
	maxBins   = 500
)

// Validate reports the first field that no figure could use, by name.
func (o Options) Validate() error {
	switch {
	case o.Size < Column || o.Size > Slide:
		return fmt.Errorf("option Size %d is unknown: use Column, Double or Slide", int(o.Size))
	case o.Legend < LegendBelow || o.Legend > LegendNone:
		return fmt.Errorf("option Legend %d is unknown: use LegendBelow, LegendRight or LegendNone", int(o.Legend))
	case o.Orient < OrientAuto || o.Orient > OrientLevel:
		return fmt.Errorf("option Orient %d is unknown: use OrientAuto, OrientUpright or OrientLevel", int(o.Orient))
	case len(o.First) > maxTopTasks:
		return fmt.Errorf("option First names %d tasks: use at most %d", len(o.First), maxTopTasks)
	case o.TopTasks < 0 || o.TopTasks > maxTopTasks:
		return fmt.Errorf("option TopTasks is %d: use 1 to %d, or 0 for the default", o.TopTasks, maxTopTasks)
	case o.Bins < 0 || o.Bins > maxBins:
		return fmt.Errorf("option Bins is %d: use 1 to %d, or 0 for the default", o.Bins, maxBins)
	case o.DPI != 0 && (o.DPI < minDPI || o.DPI > maxDPI):
		return fmt.Errorf("option DPI is %d: use %d to %d, or 0 for the default", o.DPI, minDPI, maxDPI)
	}
	for _, f := range []struct {
		name string
		v    float64
	}{{"Width", o.Width}, {"Height", o.Height}} {
		if f.v != 0 && !(f.v >= minInches && f.v <= maxInches) {
			return fmt.Errorf("option %s is %g inches: use %g to %g, or 0 for the default", f.name, f.v, minInches, maxInches)
		}
	}
	if err := checkRange("XRange", o.XRange, o.LogX); err != nil {
		return err
	}
	return checkRange("YRange", o.YRange, o.LogY)
}

func checkRange(name string, r [2]float64, log bool) error {
	if r == [2]float64{} {
		return nil
	}
	for _, v := range r {
		if undrawable(v, log) {
			return fmt.Errorf("option %s has the limit %g: use finite numbers within 1e100", name, v)
		}
	}
	if r[0] >= r[1] {
		return fmt.Errorf("option %s is [%g, %g]: the first limit must be below the second", name, r[0], r[1])
	}
	if log && r[0] <= 0 {
		return fmt.Errorf("option %s starts at %g on a logarithmic axis: start above zero", name, r[0])
	}
	return nil
}

// checkBase refuses a YRange that leaves out zero, where bars begin on a linear
// axis: the lengths of bars that are cut off there cannot be compared.
func (o Options) checkBase(kind string) error {
	if r := o.YRange; r != [2]float64{} && !o.LogY && (r[0] > 0 || r[1] < 0) {
		return fmt.Errorf("%s: option YRange is [%g, %g], without the zero that bars begin at: let it hold zero", kind, r[0], r[1])
	}
	return nil
}

// Kinds returns the names of all kinds of figure. Errors begin with the kind
// that they come from.
func Kinds() []string {
	return []string{"cdf", "hist", "box", "violin", "bar", "intervals", "paired", "line", "scatter", "timeline", "runqueues", "shares", "heat", "migrations", "grid"}
}

// check is Validate for one kind of figure: it also refuses the fields that
// this kind has no use for.
func (o Options) check(kind string) error {
	if err := o.Validate(); err != nil {
		return fmt.Errorf("%s: %w", kind, err)
	}
	none := [2]float64{}
	for _, f := range []struct {
		name  string
		set   bool
		kinds string
	}{
		{"XLabel", o.XLabel != "", "cdf hist box violin line scatter bar intervals paired timeline runqueues shares heat migrations"},
		{"YLabel", o.YLabel != "", "cdf hist box violin line scatter bar intervals paired timeline runqueues shares heat migrations"},
		{"Legend", o.Legend != LegendBelow, "cdf hist box violin line scatter bar intervals paired timeline runqueues shares"},
		{"XRange", o.XRange != none, "cdf hist line scatter timeline runqueues shares"},
		{"YRange", o.YRange != none, "cdf hist box violin line scatter bar intervals paired"},
		{"LogX", o.LogX, "cdf hist line scatter"},
		{"LogY", o.LogY, "cdf hist box violin line scatter bar intervals paired"},
		{"Clip", o.Clip, "cdf hist"},
		{"CCDF", o.CCDF, "cdf"},
		{"Bins", o.Bins != 0, "hist"},
		{"Share", o.Share, "hist"},
		{"Beside", o.Beside, "hist"},
		{"Fit", o.Fit, "scatter"},
		{"ZeroLine", o.ZeroLine, "intervals"},
		{"Step", o.Step, "line"},
		{"Orient", o.Orient != OrientAuto, "bar box violin"},
		{"ValueLabels", o.ValueLabels, "bar heat intervals migrations"},
		{"TopTasks", o.TopTasks != 0, "timeline"},
		{"First", len(o.First) > 0, "timeline"},
		{"LogColour", o.LogColour, "heat migrations"},
		{"BlankZero", o.BlankZero, "heat"},
		{"Moments", len(o.Moments) > 0, "timeline runqueues shares"},
	} {
		if f.set && !strings.Contains(" "+f.kinds+" ", " "+kind+" ") {
			return fmt.Errorf("%s: option %s has no meaning here: it is for %s",
				kind, f.name, strings.ReplaceAll(f.kinds, " ", ", "))
		}
	}
	return nil
}
