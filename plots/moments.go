package plots

import (
	"cmp"
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Moment is an instant that a figure over time points out: a mark of the
// machine. At is in ns.
type Moment struct {
	At   int64
	Name string
}

// momentType is the size of the names of moments, in sizes of text.
const momentType = 0.85

// maxHead is the most lines of names above a figure.
const maxHead = 3

// A moments draws the moments of a figure over its other marks.
type moments struct {
	at    []Moment // in order of time
	lines int
}

// newMoments returns the moments that lie in [lo, hi], and sets the room above
// the axes that their names need on a figure of about this width.
func (f *Figure) newMoments(ms []Moment, lo, hi float64) moments {
	var m moments
	for _, x := range ms {
		x.Name = clean(x.Name)
		if t := float64(x.At); t >= lo && t <= hi {
			m.at = append(m.at, x)
		}
	}
	slices.SortStableFunc(m.at, func(a, b Moment) int { return cmp.Compare(a.At, b.At) })
	// Moments of one instant share a line and a name.
	kept := m.at[:0]
	for _, x := range m.at {
		if k := len(kept) - 1; k >= 0 && kept[k].At == x.At {
			kept[k].Name += ", " + x.Name
			continue
		}
		kept = append(kept, x)
	}
	m.at = kept
	if len(m.at) == 0 {
		return m
	}
	x := func(t int64) vg.Length {
		if hi <= lo {
			return 0
		}
		return 0.75 * f.w * vg.Length((float64(t)-lo)/(hi-lo))
	}
	for m.lines = 1; m.lines < maxHead; m.lines++ {
		if _, lost := m.place(f.th, x, 0, 0.75*f.w); lost == 0 {
			break
		}
	}
	f.head = m.lines
	return m
}

// A momentName is the name of a moment with its place: the left end of the name
// and the line that it stands on, the lowest first.
type momentName struct {
	s    string
	x    vg.Length
	line int
}

// place finds a place for each name between left and right, and counts those
// for which there is none; their line is -1. A name stands like a flag at the
// right of its moment, or at the left near the end of the axis. The last one
// comes first, so that the mast of an earlier and higher flag stands clear of
// the flags after it.
func (m moments) place(th theme, trX func(int64) vg.Length, left, right vg.Length) (out []momentName, lost int) {
	st := th.style(momentType * th.text)
	space := 0.35 * th.text
	type stretch struct{ a, b vg.Length }
	var taken [maxHead][]stretch
	out = make([]momentName, len(m.at))
	for k := len(m.at) - 1; k >= 0; k-- {
		s := elide(st, shown(st, m.at[k].Name), 0.4*(right-left))
		w, at := st.Width(s), trX(m.at[k].At)
		x := at + space
		if x+w > right {
			x = at - space - w
		}
		clash := func(t stretch) bool { return x < t.b+space && x+w+space > t.a }
		line := 0
		for line < m.lines && slices.ContainsFunc(taken[line], clash) {
			line++
		}
		out[k] = momentName{s, x, line}
		if line == m.lines || x < left {
			out[k].line = -1
			lost++
			continue
		}
		taken[line] = append(taken[line], stretch{min(x, at), max(x+w, at)})
	}
	return out, lost
}

// draw draws the lines across the area between the axes and the names above.
func (m moments) draw(c draw.Canvas, th theme, trX func(float64) vg.Length) {
	if len(m.at) == 0 {
		return
	}
	names, _ := m.place(th, func(t int64) vg.Length { return trX(float64(t)) }, c.Min.X, c.Max.X)
	st := th.style(momentType * th.text)
	h := leading(st.Font.Size)
	for i, n := range names {
		x := trX(float64(m.at[i].At))
		c.StrokeLine2(solid(color.White, 1.3*th.thin), x, c.Min.Y, x, c.Max.Y)
		c.StrokeLine2(th.momentLine(), x, c.Min.Y, x, c.Max.Y+h*(vg.Length(n.line)+0.95))
	}
	for _, n := range names {
		if n.line < 0 {
			continue
		}
		pt := vg.Point{X: n.x, Y: c.Max.Y + h*(vg.Length(n.line)+0.6)}
		fillRect(c, color.White, vg.Rectangle{
			Min: vg.Point{X: pt.X - 0.1*th.text, Y: pt.Y - 0.45*h}, Max: vg.Point{X: pt.X + st.Width(n.s) + 0.1*th.text, Y: pt.Y + 0.45*h},
		})
		put(c, st, pt, 0, n.s)
	}
}

// bandName names several rows that are drawn as one: "CPU 0-15" for those from
// "CPU 0" to "CPU 15".
func bandName(first, last string) string {
	if first == last {
		return first
	}
	a, x := cutNumber(first)
	b, y := cutNumber(last)
	if a == b && x != "" && y != "" {
		return fmt.Sprintf("%s%s-%s", a, x, y)
	}
	return first + " " + ellipsis + " " + last
}

// cutNumber splits the digits off the end of a name.
func cutNumber(s string) (head, digits string) {
	i := len(s)
	for i > 0 && s[i-1] >= '0' && s[i-1] <= '9' {
		i--
	}
	return s[:i], s[i:]
}
