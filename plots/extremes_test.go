package plots

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"
)

// TestVisualOrder turns Hebrew round and leaves all else.
func TestVisualOrder(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"plain 12", "plain 12"},
		{"сборка é", "сборка é"},
		{"אבג", "גבא"},
		{"a אב גד z", "a דג בא z"},
		{"אב 12", "12 בא"},
		{"אב 12 ג", "ג 12 בא"},
		{"x אב", "x בא"},
		{"בּא", "אבּ"}, // the point stays with its letter
	} {
		if got := visualOrder(c.in); got != c.want {
			t.Errorf("visualOrder(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

// TestClean leaves out what only steers how text is set.
func TestClean(t *testing.T) {
	if got := clean("\u202ea\tb\n\u200dc\x00"); got != "a b c" {
		t.Errorf("clean gives %q, want %q", got, "a b c")
	}
}

// TestOutlines wants names outside code page 1252 as outlines in a PDF, since
// there is no other way to show them there.
func TestOutlines(t *testing.T) {
	size := func(name string) int {
		f, err := CDF([]Series{{Name: name, Values: []float64{1}}}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := f.Write(&b, "pdf"); err != nil {
			t.Fatal(err)
		}
		return b.Len()
	}
	if latin, cyrillic := size("plain"), size("сборк"); cyrillic < latin+300 {
		t.Errorf("a PDF with a Cyrillic name has %d bytes, one with a Latin name %d: the outlines are missing", cyrillic, latin)
	}
}

// TestNoisyLine draws a line that fills its axes with noise. The rasteriser
// needs more than a minute for it as one path.
func TestNoisyLine(t *testing.T) {
	l := XY{}
	r := noise(3)
	for i := range 100_000 {
		l.X, l.Y = append(l.X, float64(i)), append(l.Y, r.Float64())
	}
	f, err := Line([]XY{l}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	var b bytes.Buffer
	if err := f.Write(&b, "png"); err != nil {
		t.Fatal(err)
	}
	if d := time.Since(start); d > 15*time.Second {
		t.Errorf("drawing took %v", d)
	}
}

// TestLegendRight wants all entries of a legend on the right inside the figure.
func TestLegendRight(t *testing.T) {
	var many []Series
	for i := range 40 {
		many = append(many, Series{Name: "s" + cpuNames(40)[i], Values: []float64{1, 2}})
	}
	f, err := CDF(many, Options{Legend: LegendRight})
	if err != nil {
		t.Fatal(err)
	}
	if err := fault(f); err != nil {
		t.Error(err)
	}
	_, err = CDF(many, Options{Legend: LegendRight, Height: 2})
	if err == nil || !strings.Contains(err.Error(), "legend and axes need 5.") {
		t.Errorf("got %v, want the height that the legend needs", err)
	}
	f, err = Grid([]*Figure{f, f}, 2, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := fault(f); err != nil {
		t.Error(err)
	}
}

// TestBarBase refuses an axis of bars without zero.
func TestBarBase(t *testing.T) {
	const want = "option YRange is [5, 8], without the zero that bars begin at"
	if _, err := Bar(barData(false), Options{YRange: [2]float64{5, 8}}); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("bar: got %v, want %q", err, want)
	}
	if _, err := Hist(cdfSeries(), Options{YRange: [2]float64{5, 8}}); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("hist: got %v, want %q", err, want)
	}
}

// TestIntervalLabels wants labels that differ where the values do, though they
// are far from zero, and in a column beyond the axes.
func TestIntervalLabels(t *testing.T) {
	d := BarData{Categories: []string{"a", "none"}, Series: []BarSeries{{
		Values: []float64{1e9 + 1, math.NaN()}, Lo: []float64{1e9, math.NaN()}, Hi: []float64{1e9 + 2, math.NaN()},
	}}}
	f, err := Intervals(d, Options{ValueLabels: true, Size: Double})
	if err != nil {
		t.Fatal(err)
	}
	p := newProbe(f.w, f.h)
	f.render(p)
	var all []string
	for _, b := range p.texts {
		all = append(all, b.s)
	}
	for _, want := range []string{"1000000001 (1G to 1000000002)", "n/a"} {
		if !strings.Contains(strings.Join(all, "\n"), want) {
			t.Errorf("no text %q in %q", want, all)
		}
	}
}
