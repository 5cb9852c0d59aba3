package plots

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// hashes returns one line for each format of some samples: one of each kind,
// and those that combine several.
func hashes(t *testing.T) string {
	var out strings.Builder
	for _, s := range samples() {
		switch s.name {
		case "tasks_few", "shares_areas",
			"cdf_log", "bar_level", "line_band", "timeline_few", "heat_log", "grid_shared",
			"hist_outlines", "box_log", "violin_level", "scatter_many", "intervals_zero", "paired_two":
		default:
			continue
		}
		f, err := s.make()
		if err != nil {
			t.Fatal(err)
		}
		f.dpi = minDPI // enough for what could differ, and quick
		for _, format := range Formats() {
			h := sha256.New()
			if err := f.Write(h, format); err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&out, "hash %s.%s %x\n", s.name, format, h.Sum(nil))
		}
	}
	return out.String()
}

// TestSameBytes writes the same figures twice in this process, and once in
// another of one thread, and wants the same bytes each time.
func TestSameBytes(t *testing.T) {
	if os.Getenv("PLOTS_PRINT_HASHES") != "" {
		fmt.Print(hashes(t))
		return
	}
	want := hashes(t)
	if again := hashes(t); again != want {
		t.Errorf("second time in one process:\n%swant\n%s", again, want)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestSameBytes$")
	cmd.Env = append(os.Environ(), "PLOTS_PRINT_HASHES=1", "GOMAXPROCS=1")
	b, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for sc := bufio.NewScanner(bytes.NewReader(b)); sc.Scan(); {
		if strings.HasPrefix(sc.Text(), "hash ") {
			fmt.Fprintln(&got, sc.Text())
		}
	}
	if got.String() != want {
		t.Errorf("another process:\n%swant\n%s", got.String(), want)
	}
}

// TestConcurrentWrites writes one figure from several goroutines.
func TestConcurrentWrites(t *testing.T) {
	f, err := Line(lineData(30), Options{})
	if err != nil {
		t.Fatal(err)
	}
	out := make([]bytes.Buffer, 6)
	var wg sync.WaitGroup
	for i := range out {
		wg.Go(func() {
			if err := f.Write(&out[i], Formats()[i%3]); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for i := range 3 {
		if !bytes.Equal(out[i].Bytes(), out[i+3].Bytes()) {
			t.Errorf("two goroutines wrote different %s", Formats()[i])
		}
	}
}

func TestWriteRefusesFormat(t *testing.T) {
	f, err := CDF([]Series{{Values: []float64{1}}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	err = f.Write(&bytes.Buffer{}, "gif")
	const want = `cdf: cannot write format "gif": use one of png, svg, pdf`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestResolution reads the size and the resolution back from a PNG.
func TestResolution(t *testing.T) {
	f, err := CDF([]Series{{Values: []float64{1}}}, Options{Width: 2, Height: 1.5, DPI: 100})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := f.Write(&b, "png"); err != nil {
		t.Fatal(err)
	}
	// 100 dots per inch are 3937 per metre, 0x0f61.
	want := "\x00\x00\x00\x09pHYs\x00\x00\x0f\x61\x00\x00\x0f\x61\x01"
	if !strings.Contains(b.String(), want) {
		t.Error("no pHYs chunk of 3937 dots per metre")
	}
	if got := b.String()[16:24]; got != "\x00\x00\x00\xc8\x00\x00\x00\x96" {
		t.Errorf("size is %x, want 200 by 150", got)
	}
}

// TestMarkup writes names that would break an SVG if they were not escaped.
func TestMarkup(t *testing.T) {
	f, err := CDF([]Series{{Name: "a<b>&\"c\"\x00\n\xff", Values: []float64{1}}}, Options{Title: `"font-family:Liberation Sans;`})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := f.Write(&b, "svg"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"a&lt;b&gt;&amp;&#34;c&#34; \\ufffd</text>", ">&#34;font-family:Liberation Sans;</text>", "textLength="} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("svg lacks %q", want)
		}
	}
	if strings.ContainsRune(b.String(), 0) {
		t.Error("svg holds a zero byte")
	}
}
