package table

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func wideTable() *Table {
	cols := []Column{{Name: "comm", Kind: String}}
	for i := range 8 {
		cols = append(cols, Column{Name: fmt.Sprintf("wait%d", i), Kind: Duration, Unit: "ms"})
	}
	cols = append(cols, Column{Name: "note", Kind: String})
	tab := MustNew("wide", cols...)
	row := []any{"kworker/u33:1-events_unbound"}
	for i := range 8 {
		row = append(row, time.Duration(i+1)*time.Millisecond)
	}
	if err := tab.Append(append(row, "統計 of a long day")...); err != nil {
		panic(err)
	}
	return tab
}

func TestFitWidth(t *testing.T) {
	for _, c := range []struct {
		width int
		want  string
	}{
		{200, "wide\n" +
			"comm                          wait0 (ms)  wait1 (ms)  wait2 (ms)  wait3 (ms)  wait4 (ms)  wait5 (ms)  wait6 (ms)  wait7 (ms)  note\n" +
			"────────────────────────────  ──────────  ──────────  ──────────  ──────────  ──────────  ──────────  ──────────  ──────────  ──────────────────\n" +
			"kworker/u33:1-events_unbound           1           2           3           4           5           6           7           8  統計 of a long day\n"},
		{136, "wide\n" +
			"comm                  wait0 (ms)  wait1 (ms)  wait2 (ms)  wait3 (ms)  wait4 (ms)  wait5 (ms)  wait6 (ms)  wait7 (ms)  note\n" +
			"────────────────────  ──────────  ──────────  ──────────  ──────────  ──────────  ──────────  ──────────  ──────────  ──────────────────\n" +
			"kworker/u33:1-event…           1           2           3           4           5           6           7           8  統計 of a long day\n"},
		{61, "wide\n" +
			"comm              wait0 (ms)  …  wait7 (ms)  note\n" +
			"────────────────  ──────────  ─  ──────────  ────────────────\n" +
			"kworker/u33:1-e…           1  …           8  統計 of a long …\n" +
			"… 6 more columns: wait1, wait2, wait3, wait4, wait5, wait6\n"},
		{20, "wide\n" +
			"comm              …\n" +
			"────────────────  ─\n" +
			"kworker/u33:1-e…  …\n" +
			"… 9 more columns: w…\n"},
		{5, "wide\n" +
			"c…  …\n" +
			"──  ─\n" +
			"k…  …\n" +
			"… 9 …\n"},
		{1, "wide\n…\n─\n…\n…\n"},
	} {
		if got := render(t, wideTable(), TextOptions{MaxWidth: c.width}); got != c.want {
			t.Errorf("width %d:\n%s\nwant\n%s", c.width, got, c.want)
		}
	}
	// A table that fits is the same with and without a limit.
	if a, b := render(t, mixed(t), TextOptions{}), render(t, mixed(t), TextOptions{MaxWidth: 300}); a != b {
		t.Errorf("got\n%s\nwant\n%s", b, a)
	}
}

// No line but the title is wider than the limit, and no more is left out than
// must be: a column of those hidden would not fit.
func TestFitNeverTooWide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "columns")
		var cols []Column
		var row []any
		for i := range n {
			name := fmt.Sprintf("c%d_%s", i, rapid.StringN(0, 12, -1).Draw(t, "name"))
			if rapid.Bool().Draw(t, "text") {
				cols = append(cols, Column{Name: name, Kind: String})
				row = append(row, rapid.StringN(0, 60, -1).Draw(t, "cell"))
			} else {
				cols = append(cols, Column{Name: name, Kind: Int, Unit: "MB/s"})
				row = append(row, rapid.Int64().Draw(t, "n"))
			}
		}
		tab, err := New("", cols...)
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(0, 30).Draw(t, "rows") {
			tab.Append(row...)
		}
		width := rapid.IntRange(1, 200).Draw(t, "width")
		var b strings.Builder
		if err := tab.WriteText(&b, TextOptions{MaxWidth: width}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if w := textWidth(strings.TrimSuffix(line, "\n")); w > width {
				t.Fatalf("a line is %d wide, the limit is %d: %q", w, width, line)
			}
		}
	})
}
