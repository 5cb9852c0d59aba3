package plots

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot/vg"
)

// An ordered is the sample of one series in ascending order.
type ordered struct {
	xs   []float64 // those that the axis can show
	left int       // how many more lie left of a logarithmic axis
	n    int       // all
}

// What an error says is to be done about values at or below zero on a
// logarithmic axis: the figures that clip them on an x axis, and those that
// cannot.
const (
	clipAdvice = "use LogX=false, or Clip=true to leave it left of the axis"
	dropAdvice = "use LogY=false, or leave it out"
)

// sortSeries checks the series of a figure, which can show at most most of
// them, and returns their samples in order and their names.
func sortSeries(kind string, series []Series, most int, log, clip bool, advice string) ([]ordered, []string, error) {
	if len(series) == 0 {
		return nil, nil, fmt.Errorf("%s: no data: give at least one series", kind)
	}
	if len(series) > most {
		return nil, nil, fmt.Errorf("%s: %d series cannot be told apart: give at most %d", kind, len(series), most)
	}
	names := make([]string, len(series))
	for i, s := range series {
		names[i] = s.Name
	}
	names, err := checkNames(kind, "series", names)
	if err != nil {
		return nil, nil, err
	}
	out := make([]ordered, len(series))
	for i, s := range series {
		if s.Unit != series[0].Unit {
			return nil, nil, fmt.Errorf("%s: series %q %s but %q %s: give all in one unit",
				kind, names[i], inUnit(s.Unit), names[0], inUnit(series[0].Unit))
		}
		if out[i], err = sortSample(kind, names[i], s.Values, log, clip, advice); err != nil {
			return nil, nil, err
		}
	}
	return out, names, nil
}

// inUnit says in a sentence what unit numbers have.
func inUnit(unit string) string {
	if unit == "" {
		return "has no unit"
	}
	return fmt.Sprintf("is in %q", unit)
}

// sortSample is sortSeries for one sample.
func sortSample(kind, name string, values []float64, log, clip bool, advice string) (ordered, error) {
	if len(values) == 0 {
		return ordered{}, fmt.Errorf("%s: series %q: no data: give at least one value", kind, name)
	}
	for i, v := range values {
		if undrawable(v, log) {
			return ordered{}, fmt.Errorf("%s: series %q: value %d is %g: give finite numbers within 1e100", kind, name, i, v)
		}
		if log && v <= 0 && !clip {
			return ordered{}, fmt.Errorf("%s: series %q: value %d is %g, which a logarithmic axis cannot show: %s", kind, name, i, v, advice)
		}
	}
	s := ordered{xs: slices.Clone(values), n: len(values)}
	slices.Sort(s.xs)
	if log {
		for s.left < s.n && s.xs[s.left] <= 0 {
			s.left++
		}
		s.xs = s.xs[s.left:]
	}
	return s, nil
}

// leftOf returns a name for the legend that tells how many values lie left of a
// logarithmic axis, if any do.
func (s ordered) leftOf(name string) string {
	if s.left == 0 {
		return name
	}
	return clean(fmt.Sprintf("%s (%s at or below 0, left of axis)", name, thousands(s.left)))
}

// addSorted adds values in ascending order to a span.
func (s *span) addSorted(xs []float64) {
	if len(xs) > 0 {
		s.add(xs[0])
		s.add(xs[len(xs)-1])
	}
}

// sideways places shapes along an axis of values and across it, where the
// categories are, whichever of the two is upright.
type sideways struct {
	level         bool // the values run to the right, the first category is at the top
	along, across func(float64) vg.Length
	lo, hi        float64 // limits of the values
	n             int     // categories
}

// slotOf returns the middle and half the width of category i, of which part
// part is used.
func (s sideways) slotOf(i int, part float64) (mid, half vg.Length) {
	pos := float64(i)
	if s.level {
		pos = float64(s.n - 1 - i)
	}
	return s.across(pos), (s.across(pos+part/2) - s.across(pos-part/2)) / 2
}

// at returns the point at a place along and across.
func (s sideways) at(along, across vg.Length) vg.Point {
	if s.level {
		return vg.Point{X: along, Y: across}
	}
	return vg.Point{X: across, Y: along}
}

// rect returns the rectangle between two places along, around mid.
func (s sideways) rect(from, to, mid, half vg.Length) vg.Rectangle {
	a, b := s.at(min(from, to), mid-half), s.at(max(from, to), mid+half)
	return vg.Rectangle{Min: a, Max: b}
}

// bar returns the ends of a line across, at one place along.
func (s sideways) bar(along, mid, half vg.Length) []vg.Point {
	return []vg.Point{s.at(along, mid-half), s.at(along, mid+half)}
}

// clamp moves a value into the limits of the axis.
func (s sideways) clamp(v float64) float64 { return min(max(v, s.lo), s.hi) }

// inside tells whether the axis shows v.
func (s sideways) inside(v float64) bool { return v >= s.lo && v <= s.hi }
