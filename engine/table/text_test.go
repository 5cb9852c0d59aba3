package table

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "rewrite testdata")

// golden compares got with a file of testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (go test -update rewrites it):\ngot\n%s\nwant\n%s", path, got, want)
	}
}

// render prints a table, failing on an error.
func render(t *testing.T, tab *Table, opts TextOptions) string {
	t.Helper()
	var b bytes.Buffer
	if err := tab.WriteText(&b, opts); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// mixed has every kind, and cells that are awkward in every format.
func mixed(t *testing.T) *Table {
	tab := MustNew("time off the CPU, by task",
		Column{Name: "comm", Kind: String},
		Column{Name: "pid", Kind: Int},
		Column{Name: "wait", Kind: Duration},
		Column{Name: "share", Unit: "%", Kind: Float},
		Column{Name: "bound", Kind: Bool},
		Column{Name: "note", Kind: String},
		Column{Name: "run", Unit: "s", Kind: Duration},
	)
	for _, row := range [][]any{
		{"make", 1201, 20340 * time.Microsecond, 51.25, false, "", 30 * time.Second},
		{"cc1", 1202, 1_234_567 * time.Nanosecond, 40.0, false, "say \"hi\"", 1500 * time.Millisecond},
		{"統計", 7, 250 * time.Nanosecond, 0.0004, true, "wide runes", time.Duration(0)},
		{"e\u0301te\u0301", 8, -3 * time.Millisecond, -2.5, true, "combining marks", nil},
		{"🐧 tux", 9, time.Duration(0), math.NaN(), nil, "a, b", time.Nanosecond},
		{"bad\n\x1b[31m\xff", nil, nil, nil, true, "escapes", -time.Second},
		{" kworker/u33:1-events_unbound_and_a_name_too_long ", 4194304, 99999 * time.Microsecond, 8.75, true, "tail", time.Minute},
	} {
		if err := tab.Append(row...); err != nil {
			t.Fatal(err)
		}
	}
	return tab
}

func TestGolden(t *testing.T) {
	tab := mixed(t)
	golden(t, "mixed.txt", []byte(render(t, tab, TextOptions{})))
	golden(t, "empty.txt", []byte(render(t, tab.Head(0), TextOptions{})))

	long := MustNew("", Column{Name: "row", Kind: Int}, Column{Name: "slice", Kind: Duration}, Column{Name: "util", Kind: Float})
	for i := range 1000 {
		long.Append(i, time.Duration(i)*1500*time.Microsecond, float64(i)/8)
	}
	golden(t, "long.txt", []byte(render(t, long, TextOptions{})))

	var csv, json bytes.Buffer
	if err := tab.WriteCSV(&csv); err != nil {
		t.Fatal(err)
	}
	if err := tab.WriteJSON(&json); err != nil {
		t.Fatal(err)
	}
	golden(t, "mixed.csv", csv.Bytes())
	golden(t, "mixed.json", json.Bytes())
}

// All lines of a table of plain text are aligned: each cell ends where its
// column ends, whatever the width of its runes.
func TestAlignment(t *testing.T) {
	lines := strings.Split(strings.TrimSuffix(render(t, mixed(t), TextOptions{}), "\n"), "\n")[1:]
	ruleEnd := strings.Index(lines[1], " ")
	pid := textWidth(lines[1][:ruleEnd]) // where the first column ends
	for i, l := range lines {
		n := 0
		for _, r := range l {
			if n == pid && r != ' ' {
				t.Errorf("line %d: a cell reaches into the gap at column %d: %q", i, pid, l)
			}
			n += runeWidth(r)
		}
		if strings.HasSuffix(l, " ") {
			t.Errorf("line %d ends in a space", i)
		}
	}
}

func TestElision(t *testing.T) {
	for _, c := range []struct {
		rows, limit int
		want        string
	}{
		{3, 0, "0 1 2"}, {3, 3, "0 1 2"}, {4, 3, "0 1 2 3"}, {5, 3, "0 1 …2… 4"}, {6, 4, "0 1 …2… 4 5"},
		{3, 1, "0 …2…"}, {2, 1, "0 1"}, {7, -1, "0 1 2 3 4 5 6"}, {0, 5, "(no"},
		{22, 0, "0 1 2 3 4 5 6 7 8 9 …2… 12 13 14 15 16 17 18 19 20 21"},
	} {
		tab := MustNew("", Column{Name: "n", Kind: Int})
		for i := range c.rows {
			tab.Append(i)
		}
		var got []string
		for _, l := range strings.Split(strings.TrimSpace(render(t, tab, TextOptions{MaxRows: c.limit})), "\n")[2:] {
			f := strings.Fields(l)
			if f[0] == "…" {
				f[0] = "…" + f[1] + "…"
			}
			got = append(got, f[0])
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%d rows, limit %d: %s, want %s", c.rows, c.limit, s, c.want)
		}
	}
}

// column prints one column and returns its header and cells.
func columnText(t *testing.T, col Column, values ...any) string {
	t.Helper()
	tab := MustNew("", col)
	for _, v := range values {
		if err := tab.Append(v); err != nil {
			t.Fatal(err)
		}
	}
	lines := strings.Split(strings.TrimSpace(render(t, tab, TextOptions{})), "\n")
	got := []string{strings.TrimSpace(lines[0])}
	for _, l := range lines[2:] {
		got = append(got, strings.TrimSpace(l))
	}
	return strings.Join(got, " | ")
}

func TestDurations(t *testing.T) {
	const us, ms, s = time.Microsecond, time.Millisecond, time.Second
	for _, c := range []struct {
		unit   string
		digits int
		values []any
		want   string
	}{
		{"", 0, []any{time.Duration(0)}, "d (ns) | 0"},
		{"", 0, []any{nil}, "d (ns) | -"},
		{"", 0, []any{time.Duration(999)}, "d (ns) | 999"},
		{"", 0, []any{1 * us}, "d (us) | 1"},
		{"", 0, []any{1500 * us, 20 * ms}, "d (ms) | 1.5 | 20.0"},
		{"", 0, []any{20_345_678 * time.Nanosecond}, "d (ms) | 20.35"},
		{"", 0, []any{999_999_999 * time.Nanosecond}, "d (ms) | 1000.0"},
		{"", 0, []any{-1234567 * us, 1 * us}, "d (s) | -1.235 | <0.001"},
		{"", 0, []any{2 * s, 499 * us, 500 * us, -400 * us}, "d (s) | 2.000 | <0.001 | 0.001 | >-0.001"},
		{"", 0, []any{100 * time.Hour, s}, "d (s) | 360000 | 1"},
		{"", 0, []any{100 * time.Hour, s / 2}, "d (s) | 360000 | 1"},
		{"", 0, []any{100 * time.Hour, s / 4}, "d (s) | 360000 | <1"},
		{"ms", 0, []any{3 * s, 1 * ms}, "d (ms) | 3000 | 1"},
		{"s", 0, []any{15 * us}, "d (s) | 0.000015"},
		{"us", 9, []any{1500 * time.Nanosecond}, "d (us) | 1.500"},
		{"", -1, []any{1500 * us}, "d (ms) | 2"},
		{"", 1, []any{1 * ms}, "d (ms) | 1.0"},
		{"", 0, []any{time.Duration(math.MinInt64), time.Duration(math.MaxInt64)}, "d (s) | -9223372037 | 9223372037"},
	} {
		got := columnText(t, Column{Name: "d", Kind: Duration, Unit: c.unit, Digits: c.digits}, c.values...)
		if got != c.want {
			t.Errorf("%v unit %q digits %d: %s, want %s", c.values, c.unit, c.digits, got, c.want)
		}
	}
}

func TestFloats(t *testing.T) {
	for _, c := range []struct {
		digits int
		values []any
		want   string
	}{
		{0, []any{0.0, math.Copysign(0, -1)}, "f (%) | 0.0 | 0.0"},
		{0, []any{1, 2}, "f (%) | 1.0 | 2.0"},
		{0, []any{51.25, 8.5}, "f (%) | 51.25 | 8.50"},
		{0, []any{1. / 3, 2. / 3}, "f (%) | 0.3333 | 0.6667"},
		{0, []any{999.96, 0.5}, "f (%) | 1000 | <1"},
		{0, []any{21005.4, 0.25, -0.25}, "f (%) | 21005 | <1 | >-1"},
		{0, []any{0.0003, 0.9}, "f (%) | 0.0003 | 0.9000"},
		{0, []any{0.00012345}, "f (%) | 0.0001234"},
		{0, []any{1.5e-9, 0.0}, "f (%) | 1.500e-09 | 0.000e+00"},
		{0, []any{-2e18, 1.0}, "f (%) | -2.000e+18 | 1.000e+00"},
		{0, []any{math.NaN(), math.Inf(1), math.Inf(-1), nil}, "f (%) | NaN | inf | -inf | -"},
		{3, []any{0.5, 0.0001}, "f (%) | 0.500 | <0.001"},
		{-1, []any{2.75}, "f (%) | 3"},
	} {
		if got := columnText(t, Column{Name: "f", Unit: "%", Kind: Float, Digits: c.digits}, c.values...); got != c.want {
			t.Errorf("%v digits %d: %s, want %s", c.values, c.digits, got, c.want)
		}
	}
}

func TestWidths(t *testing.T) {
	for _, c := range []struct {
		s    string
		want int
	}{
		{"abc", 3}, {"é", 1}, {"e\u0301", 1}, {"統計", 4}, {"한", 2}, {"ｶﾅ", 2}, {"Ａ", 2}, {"🐧", 2}, {"…", 1}, {"─", 1}, {"→", 1}, {"", 0},
	} {
		if got := textWidth(c.s); got != c.want {
			t.Errorf("%q: %d, want %d", c.s, got, c.want)
		}
	}
	for i, w := range wide {
		if w[0] > w[1] || i > 0 && wide[i-1][1] >= w[0] {
			t.Errorf("range %d (%#x to %#x) is out of order", i, w[0], w[1])
		}
	}
	for _, c := range []struct {
		s     string
		limit int
		want  string
	}{
		{"abcdef", 6, "abcdef"}, {"abcdef", 5, "abcd…"}, {"統計学", 5, "統計…"}, {"統計学", 4, "統…"}, {"abc", 1, "…"}, {"abc", -1, "abc"},
	} {
		if got := clip(c.s, c.limit); got != c.want || c.limit > 0 && textWidth(got) > c.limit {
			t.Errorf("clip(%q, %d) = %q, want %q", c.s, c.limit, got, c.want)
		}
	}
	if got := printable("a\tb\x00\u202e\u3000\xc3\ufffd"); got != `a\tb\x00\u202e`+"\u3000"+`\xc3`+"\ufffd" {
		t.Errorf("printable: %q", got)
	}
}

// full fails after n bytes.
type full struct{ n int }

var errFull = errors.New("disk full")

func (f *full) Write(p []byte) (int, error) {
	if f.n -= len(p); f.n < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestWriteErrors(t *testing.T) {
	tab := mixed(t)
	for _, err := range []error{
		tab.WriteText(&full{10}, TextOptions{}), tab.WriteCSV(&full{10}), tab.WriteJSON(&full{10}),
	} {
		if !errors.Is(err, errFull) || !strings.Contains(fmt.Sprint(err), "time off the CPU") {
			t.Errorf("got %v", err)
		}
	}
}
