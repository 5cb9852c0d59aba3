package plots

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// An axis is one axis of a figure before its length is known.
type axis struct {
	label  string
	unit   string // of lo and hi; a time unit is scaled for the reader
	log    bool
	whole  bool // the values are counts: no marks between whole numbers
	lo, hi float64

	// names makes the axis one of categories at 0, 1, 2 ...; lo and hi are then
	// -0.5 and len(names)-0.5. An upward axis has the first name at the top:
	// the figure places name i at len(names)-1-i.
	names []string
	notes []string // if set, a short remark under each name
	bare  bool     // no grid lines
}

// largest bounds the numbers that a figure takes, so that spans and ratios of
// two of them stay finite. A logarithmic axis starts at its inverse.
const largest = 1e100

// undrawable tells whether v is NaN, infinite or beyond largest, or has no place
// on a logarithmic axis though it is above zero.
func undrawable(v float64, log bool) bool {
	return !(math.Abs(v) <= largest) || log && v > 0 && v < 1/largest
}

// place returns where name i lies on a y axis of categories.
func (a axis) place(i int) float64 { return float64(len(a.names) - 1 - i) }

// categories returns an axis of names.
func categories(label string, names []string) axis {
	return axis{label: label, names: names, lo: -0.5, hi: float64(len(names)) - 0.5, bare: true}
}

// fit sets the limits of an axis from the range of the data. A range of one
// value is widened so that the value lies inside. A linear axis starts at zero
// if the data comes near it.
func (a *axis) fit(lo, hi float64, want [2]float64) {
	if want != [2]float64{} {
		a.lo, a.hi = want[0], want[1]
		return
	}
	switch {
	case a.log:
		if hi/lo < 1.5 {
			lo, hi = lo/math.Sqrt(10), hi*math.Sqrt(10)
		}
		pad := math.Pow(hi/lo, 0.02)
		a.lo, a.hi = lo/pad, hi*pad
	default:
		if hi-lo <= 1e-12*math.Max(math.Abs(lo), math.Abs(hi)) || hi-lo < 1/largest {
			d := math.Abs(lo) / 2
			if d < 1/largest {
				d = 1
			}
			lo, hi = lo-d, hi+d
		}
		pad := (hi - lo) * 0.03
		if lo >= 0 && lo < 0.4*hi {
			lo = 0
		} else {
			lo -= pad
		}
		if hi <= 0 && hi > 0.4*lo {
			hi = 0
		} else {
			hi += pad
		}
		a.lo, a.hi = toTick(lo, hi)
	}
}

// toTick moves a limit outwards to the next tick mark if that is near, so that
// the axis ends with a number.
func toTick(lo, hi float64) (float64, float64) {
	m, e := niceStep((hi - lo) / 5)
	step := float64(m) * math.Pow10(e)
	near := 0.1 * (hi - lo)
	if v := math.Ceil(hi/step-1e-9) * step; v-hi <= near {
		hi = v
	}
	if v := math.Floor(lo/step+1e-9) * step; lo-v <= near {
		lo = v
	}
	return lo, hi
}

// norm returns v as a fraction of the axis.
func (a axis) norm(v float64) float64 {
	if a.log {
		return math.Log(v/a.lo) / math.Log(a.hi/a.lo)
	}
	return (v - a.lo) / (a.hi - a.lo)
}

// scaled says how an axis writes its values: shown = v*mul - off.
type scaled struct {
	mul, off float64
	unit     string // in parentheses after the label
	suffix   string // after each number
}

// scale chooses the unit of a linear axis. A time takes the natural unit of
// the span. Where the span is tiny beside the values, a round offset is taken
// off and named beside the unit.
func (a axis) scale() scaled {
	s := scaled{mul: 1, unit: a.unit}
	if f, ok := timeFactor(a.unit); ok {
		u := unitFor((a.hi - a.lo) * f)
		s.mul, s.unit = f/u.ns, u.name
	} else {
		f, suffix := siScale(math.Max(math.Abs(a.lo), math.Abs(a.hi)))
		s.mul, s.suffix = 1/f, suffix
	}
	lo, hi := a.lo*s.mul, a.hi*s.mul
	if math.Max(math.Abs(lo), math.Abs(hi)) > 1e5*(hi-lo) {
		if _, isTime := timeFactor(a.unit); !isTime {
			// The suffix is that of the span, and the offset stands in full.
			f, suffix := siScale(hi/s.mul - lo/s.mul)
			s.mul, s.suffix = 1/f, suffix
			lo, hi = a.lo*s.mul, a.hi*s.mul
		}
		p := math.Pow10(int(math.Ceil(math.Log10(hi-lo))) + 1)
		s.off = math.Floor(lo/p) * p
		switch _, isTime := timeFactor(a.unit); {
		case isTime:
			u := unitFor(math.Abs(s.off) * unitNs(s.unit))
			s.unit += " after " + formatShort(s.off*unitNs(s.unit)/u.ns) + " " + u.name
		case s.unit == "":
			s.unit = "above " + formatLong(s.off/s.mul)
		default:
			s.unit += " above " + formatLong(s.off/s.mul)
		}
	}
	return s
}

func unitNs(name string) float64 {
	f, _ := timeFactor(name)
	return f
}

// format writes one value of a logarithmic axis or of a colour bar, whose
// numbers carry their own unit.
func (a axis) format(v float64) string {
	if f, ok := timeFactor(a.unit); ok {
		return formatTime(v * f)
	}
	return formatSI(v)
}

// ticks returns the tick marks for an axis of the given length and the label
// with its unit. level says that it is an x axis, whose labels stand side by
// side. The labels never overlap: the number of marks falls until they fit.
func (a axis) ticks(st text.Style, length vg.Length, level bool) ([]plot.Tick, string) {
	if a.log {
		return a.logarithmic(st, length, level)
	}
	s := a.scale()
	lo, hi := a.lo*s.mul-s.off, a.hi*s.mul-s.off
	var ticks []plot.Tick
	for n := maxTicks(st, length, level); n >= 1; n-- {
		vals, dec := niceTicks(lo, hi, n)
		ticks = ticks[:0]
		for _, v := range vals {
			if a.whole {
				if v != math.Trunc(v) {
					continue
				}
				dec = 0
			}
			l := strconv.FormatFloat(v, 'f', dec, 64)
			if dec > 6 || math.Abs(v) >= 1e9 {
				l = formatExp(v)
			}
			if v == 0 {
				l = "0"
			} else {
				l += s.suffix
			}
			ticks = append(ticks, plot.Tick{Value: (v + s.off) / s.mul, Label: l})
		}
		if a.roomy(st, ticks, length, level) {
			break
		}
	}
	return a.declutter(st, ticks, length, level), withUnit(a.label, s.unit)
}

func maxTicks(st text.Style, length vg.Length, level bool) int {
	if level {
		return min(8, max(1, int(length/(2.4*st.Font.Size))))
	}
	return min(6, max(1, int(length/(2*st.Font.Size))))
}

// logarithmic is ticks for a logarithmic axis. Times carry their unit in each
// label, because such an axis spans several; the unit then is not repeated
// behind the name of the axis.
func (a axis) logarithmic(st text.Style, length vg.Length, level bool) ([]plot.Tick, string) {
	var ticks []plot.Tick
	stride := 1
	for k, n := 0, 6; ; {
		stride = [...]int{1, 2, 3, 5, 10, 20, 50, 100}[k]
		ticks = ticks[:0]
		for _, v := range logTicks(a.lo, a.hi, stride, n) {
			ticks = append(ticks, plot.Tick{Value: v, Label: a.format(v)})
		}
		if a.roomy(st, ticks, length, level) || k == 7 {
			break
		}
		if n > 1 && math.Log10(a.hi/a.lo) < 2 {
			n--
		} else {
			k++
		}
	}
	ticks = a.declutter(st, ticks, length, level)
	if d := math.Log10(a.hi / a.lo); stride == 1 && d >= 1 && d <= 7 {
		for e := math.Floor(math.Log10(a.lo)); e <= math.Log10(a.hi); e++ {
			for m := 2.0; m <= 9; m++ {
				if v := m * math.Pow10(int(e)); v > a.lo && v < a.hi && !labelled(ticks, v) {
					ticks = append(ticks, plot.Tick{Value: v})
				}
			}
		}
	}
	if _, isTime := timeFactor(a.unit); isTime {
		return ticks, a.label
	}
	return ticks, withUnit(a.label, a.unit)
}

func labelled(ticks []plot.Tick, v float64) bool {
	for _, t := range ticks {
		if t.Label != "" && math.Abs(t.Value-v) <= 1e-9*v {
			return true
		}
	}
	return false
}

// roomy tells whether the labels of the ticks keep clear of each other.
func (a axis) roomy(st text.Style, ticks []plot.Tick, length vg.Length, level bool) bool {
	return len(a.declutter(st, ticks, length, level)) == len(ticks)
}

// declutter returns the ticks whose labels keep clear of the one kept before.
func (a axis) declutter(st text.Style, ticks []plot.Tick, length vg.Length, level bool) []plot.Tick {
	end := vg.Length(math.Inf(-1))
	var kept []plot.Tick
	for _, t := range ticks {
		at := vg.Length(a.norm(t.Value)) * length
		half := st.Font.Size * 0.7
		if level {
			half = st.Width(t.Label)/2 + st.Font.Size*0.3
		}
		if at-half >= end {
			kept = append(kept, t)
			end = at + half
		}
	}
	return kept
}

// withUnit writes the name of an axis and its unit.
func withUnit(label, unit string) string {
	switch {
	case unit == "":
		return label
	case label == "":
		return unit
	}
	return label + " (" + unit + ")"
}
