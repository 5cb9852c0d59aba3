package plots

import (
	"fmt"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// namesFit is the function of that name for an axis, whose notes must fit too.
func (a axis) namesFit(st text.Style, length vg.Length) bool {
	for _, s := range a.notes {
		if st.Width(s) > length/vg.Length(len(a.names))-0.5*st.Font.Size {
			return false
		}
	}
	return namesFit(st, a.names, length)
}

// note returns the remark under name i in a given form, or nothing.
func (a axis) note(form string, i int) string {
	if a.notes == nil {
		return ""
	}
	return fmt.Sprintf(form, a.notes[i])
}

// namesFit tells whether all names can stand below an x axis of the given
// length, on at most two lines each.
func namesFit(st text.Style, names []string, length vg.Length) bool {
	slot := length/vg.Length(len(names)) - 0.5*st.Font.Size
	for _, s := range names {
		if !fits(st, s, slot, 2) {
			return false
		}
	}
	return true
}

// nameTicks returns the labels of an x axis of categories. Names stand level
// if they fit on two lines, else they are turned by a quarter and elided to
// tall. Where even turned names would touch, only each second, fifth, tenth ...
// has a label.
func (a axis) nameTicks(st text.Style, length, tall vg.Length) (ticks []plot.Tick, turned bool) {
	names := a.names
	slot := length / vg.Length(len(names))
	for i, s := range names {
		ticks = append(ticks, plot.Tick{Value: float64(i), Label: s})
	}
	every := stride(slot, leading(st.Font.Size))
	level := a.namesFit(st, length)
	if !level && allShort(names) {
		// Numbers of CPUs: fewer labels read better than turned ones.
		var widest vg.Length
		for i, s := range names {
			widest = max(widest, st.Width(s), st.Width(a.note("%s", i)))
		}
		every, level = stride(slot, widest+0.5*st.Font.Size), true
	}
	if level {
		for i := range ticks {
			ticks[i].Label = strings.Join(wrap(st, names[i], slot*vg.Length(every)-0.5*st.Font.Size, 2), "\n") + a.note("\n%s", i)
		}
		evenLines(ticks)
	} else {
		var note vg.Length
		for i := range names {
			note = max(note, st.Width(a.note(" (%s)", i)))
		}
		for i, s := range elideAll(st, names, tall-note) {
			ticks[i].Label = s + a.note(" (%s)", i) + "\u00a0\u00a0" // the blanks keep it off the axis
		}
	}
	return thin(ticks, every), !level
}

// evenLines gives all labels as many lines as the longest has: the canvas puts
// the first line of a longer label lower.
func evenLines(ticks []plot.Tick) {
	most := 0
	for _, t := range ticks {
		most = max(most, strings.Count(t.Label, "\n"))
	}
	for i, t := range ticks {
		ticks[i].Label += strings.Repeat("\n\u00a0", most-strings.Count(t.Label, "\n"))
	}
}

// sideTicks returns the labels of a y axis of categories. A name wider than
// wide is put on two lines, if lanes are tall enough and it has a blank to
// break at, or else elided. Labels are thinned where they would touch.
func (a axis) sideTicks(st text.Style, length, wide vg.Length) []plot.Tick {
	var ticks []plot.Tick
	slot := length / vg.Length(len(a.names))
	// A note stands below its name, or behind it where lanes are low.
	line, form := 0.0, "\n%s"
	var note vg.Length
	switch {
	case a.notes == nil:
	case slot >= 2.2*st.Font.Size:
		line = 1.2
	default:
		form = " (%s)"
		for i := range a.names {
			note = max(note, st.Width(a.note(form, i)))
		}
	}
	for i, s := range elideAll(st, a.names, wide-note) {
		if slot >= (2.2+vg.Length(line))*st.Font.Size && fits(st, a.names[i], wide, 2) {
			s = strings.Join(wrap(st, a.names[i], wide, 2), "\n")
		}
		ticks = append(ticks, plot.Tick{Value: a.place(i), Label: s + a.note(form, i)})
	}
	return thin(ticks, stride(slot, 1.05*st.Font.Size))
}

func allShort(names []string) bool {
	for _, s := range names {
		if len(s) > 4 {
			return false
		}
	}
	return true
}

// stride returns the least of 1, 2, 5, 10, 20 ... slots that hold need.
func stride(slot, need vg.Length) int {
	for k := 1; ; k *= 10 {
		for _, m := range []int{1, 2, 5} {
			if slot*vg.Length(k*m) >= need || k*m > 1e6 {
				return k * m
			}
		}
	}
}

func thin(ticks []plot.Tick, every int) []plot.Tick {
	for i := range ticks {
		if i%every != 0 {
			ticks[i].Label = ""
		}
	}
	return ticks
}

// checkNames cleans names and refuses a name that occurs twice: the figure
// could not tell them apart. An empty name becomes what and its number, as
// "series 2", unless it is the only one.
func checkNames(kind, what string, names []string) ([]string, error) {
	out := make([]string, len(names))
	seen := map[string]int{}
	for i, s := range names {
		out[i] = clean(s)
		if out[i] == "" && len(names) > 1 {
			out[i] = fmt.Sprintf("%s %d", what, i+1)
		}
		if j, ok := seen[out[i]]; ok {
			return nil, fmt.Errorf("%s: %s %d has the same name as %d, %q: give each its own", kind, what, i+1, j+1, out[i])
		}
		seen[out[i]] = i
	}
	return out, nil
}

// lineLegend returns the legend of named lines: none for a single line without
// a name.
func lineLegend(sw swatch, names []string) []entry {
	if len(names) == 1 && names[0] == "" {
		return nil
	}
	out := make([]entry, len(names))
	for i, s := range names {
		out[i] = entry{name: s, swatch: sw, i: i}
	}
	return out
}
