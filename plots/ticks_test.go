package plots

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestNiceTicks(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		n      int
		want   []float64
		dec    int
	}{
		{0, 1, 5, []float64{0, 0.2, 0.4, 0.6, 0.8, 1}, 1},
		{0, 1, 2, []float64{0, 0.5, 1}, 1},
		{-7, 13, 4, []float64{-5, 0, 5, 10}, 0},
		{0.1, 0.9, 4, []float64{0.2, 0.4, 0.6, 0.8}, 1},
		{0, 3e6, 6, []float64{0, 5e5, 1e6, 1.5e6, 2e6, 2.5e6, 3e6}, 0},
	} {
		got, dec := niceTicks(c.lo, c.hi, c.n)
		if !slices.Equal(got, c.want) || dec != c.dec {
			t.Errorf("niceTicks(%g, %g, %d) = %v, %d; want %v, %d", c.lo, c.hi, c.n, got, dec, c.want, c.dec)
		}
	}
}

func TestLogTicks(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		stride int
		want   []float64
	}{
		{1, 1000, 1, []float64{1, 10, 100, 1000}},
		{0.9, 2e6, 3, []float64{1, 1e3, 1e6}},
		{2, 30, 1, []float64{2, 5, 10, 20}},
		{3, 4, 1, []float64{3, 3.2, 3.4, 3.6, 3.8, 4}},
	} {
		if got := logTicks(c.lo, c.hi, c.stride, 5); !slices.Equal(got, c.want) {
			t.Errorf("logTicks(%g, %g, %d) = %v, want %v", c.lo, c.hi, c.stride, got, c.want)
		}
	}
}

// TestAxisLabels checks the unit that an axis takes and the labels it writes.
func TestAxisLabels(t *testing.T) {
	st := themeFor(Column).style(8)
	for _, c := range []struct {
		a           axis
		label, want string
	}{
		{axis{label: "t", unit: "ns", hi: 900}, "t (ns)", "0 200 400 600 800"},
		{axis{label: "t", unit: "ns", hi: 3e3}, "t (µs)", "0 0.5 1.0 1.5 2.0 2.5 3.0"},
		{axis{label: "t", unit: "us", hi: 3e3}, "t (ms)", "0 0.5 1.0 1.5 2.0 2.5 3.0"},
		{axis{label: "t", unit: "ms", hi: 0.5}, "t (µs)", "0 100 200 300 400 500"},
		{axis{label: "t", unit: "ns", hi: 120e9}, "t (s)", "0 20 40 60 80 100 120"},
		{axis{label: "t", unit: "ns", lo: 3600e9, hi: 3600e9 + 2e3}, "t (µs after 3600 s)", "0 0.5 1.0 1.5 2.0"},
		{axis{label: "n", hi: 5e4}, "n", "0 10000 20000 30000 40000 50000"},
		{axis{label: "n", hi: 2e6}, "n", "0 0.5M 1.0M 1.5M 2.0M"},
		{axis{label: "n", unit: "%", lo: -10, hi: 10}, "n (%)", "-10 -5 0 5 10"},
		{axis{label: "n", unit: "J", lo: 1e9, hi: 1e9 + 1}, "n (J above 1G)", ""},
		{axis{label: "t", unit: "ns", log: true, lo: 100, hi: 2e6}, "t", "100 ns 1 µs 10 µs 100 µs 1 ms"},
		{axis{label: "n", unit: "J", log: true, lo: 1e-6, hi: 1}, "n (J)", "1e-6 1e-5 1e-4 0.001 0.01 0.1 1"},
		{axis{unit: "J", hi: 1}, "J", "0 0.2 0.4 0.6 0.8 1.0"},
	} {
		length := 200.0
		ticks, label := c.a.ticks(st, 200, true)
		var got []string
		for _, t := range ticks {
			if t.Label != "" {
				got = append(got, t.Label)
			}
		}
		if label != c.label || c.want != "" && strings.Join(got, " ") != c.want {
			t.Errorf("%+v over %g points: %q %q, want %q %q", c.a, length, label, got, c.label, c.want)
		}
	}
}

// TestTicksInside checks on random axes that ticks are inside, ascending and
// labelled apart.
func TestTicksInside(t *testing.T) {
	st := themeFor(Column).style(8)
	rapid.Check(t, func(t *rapid.T) {
		a := axis{unit: rapid.SampledFrom([]string{"", "ns", "s", "%"}).Draw(t, "unit"), log: rapid.Bool().Draw(t, "log")}
		x := drawValue(t, "lo")
		a.fit(x, x+drawValue(t, "span"), [2]float64{})
		ticks, _ := a.ticks(st, 150, rapid.Bool().Draw(t, "level"))
		last, labels := math.Inf(-1), map[string]bool{}
		for _, k := range ticks {
			if k.Label == "" {
				continue
			}
			if k.Value <= last || labels[k.Label] {
				t.Fatalf("ticks %v of %+v", ticks, a)
			}
			if n := a.norm(k.Value); n < -1e-6 || n > 1+1e-6 {
				t.Fatalf("tick %v outside %+v", k, a)
			}
			last, labels[k.Label] = k.Value, true
		}
		if len(labels) == 0 {
			t.Fatalf("no labels on %+v", a)
		}
	})
}

func TestText(t *testing.T) {
	st := themeFor(Column).style(8)
	if got := clean(" a\tb\x00\n c\xff "); got != "a b c\uFFFD" {
		t.Errorf("clean gives %q", got)
	}
	if got := elide(st, long, 80); got != "interactiv…e/thread-7" {
		t.Errorf("elide gives %q", got)
	}
	if got := elide(st, long, 1); got != "" {
		t.Errorf("elide into nothing gives %q", got)
	}
	got := elideAll(st, []string{long + "/1-suffix-of-all", strings.Replace(long, "worker", "helper", 1) + "/1-suffix-of-all", "b"}, 80)
	if got[0] == got[1] || !strings.HasSuffix(got[1], " #2") || got[2] != "b" {
		t.Errorf("elideAll gives %q", got)
	}
	for _, s := range got {
		if st.Width(s) > 80 {
			t.Errorf("%q is wider than 80", s)
		}
	}
	if got := strings.Join(wrap(st, "one two three four five", 40, 3), "|"); got != "one two|three four|five" {
		t.Errorf("wrap gives %q", got)
	}
	if got := wrap(st, "", 40, 2); len(got) != 0 {
		t.Errorf("wrap of nothing gives %q", got)
	}
}

// TestPalettes checks the claims about colour: that no two lines or fills share
// colour and second coding, that the colour scale darkens steadily, and that
// neighbours in the palettes stay apart in grey or by pattern.
func TestPalettes(t *testing.T) {
	seen := map[string]bool{}
	for i := range maxLines {
		k := strings.Join([]string{string(rune(lineColour(i).R)), string(rune(lineColour(i).G)), string(rune('a' + i%6))}, "/")
		if seen[k] {
			t.Errorf("line %d looks like one before", i)
		}
		seen[k] = true
	}
	seen = map[string]bool{}
	for i := range maxFills {
		k := strings.Join([]string{string(rune(fillColour(i).R)), string(rune(fillColour(i).G)), string(rune('a' + hatchFor(i)))}, "/")
		if seen[k] {
			t.Errorf("fill %d looks like one before", i)
		}
		seen[k] = true
	}
	light := func(i int) float64 {
		c := shade(i)
		lin := func(v uint8) float64 { return math.Pow(float64(v)/255, 2.2) }
		return 0.2126*lin(c.R) + 0.7152*lin(c.G) + 0.0722*lin(c.B)
	}
	for i := 1; i < shades; i++ {
		if light(i) >= light(i-1) {
			t.Errorf("shade %d is not darker than the one before", i)
		}
	}
}
