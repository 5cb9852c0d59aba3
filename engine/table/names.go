package table

import (
	"fmt"
	"slices"
	"strings"
)

// rateWords are the amounts that a rate in a file's name may count; other words
// before "_per_" belong to the name, as in nr_switches_per_s.
var rateWords = []string{"1", "bit", "B", "kB", "KB", "MB", "GB", "KiB", "MiB", "GiB"}

// imported finds name, unit and kind behind a name that [Column.ExportName] may
// have made: "wait_ns" with ints is a duration, "share_pct" has the unit %,
// "speed_MB_per_s" the unit MB/s. Other names stay as they are.
func imported(name string, kind Kind) Column {
	c := Column{Name: name, Kind: kind}
	if kind != Int && kind != Float {
		return c
	}
	if base, ok := strings.CutSuffix(name, "_ns"); ok && base != "" && kind == Int {
		return Column{Name: base, Kind: Duration}
	}
	if base, ok := strings.CutSuffix(name, "_pct"); ok && base != "" {
		return Column{Name: base, Unit: "%", Kind: kind}
	}
	words := strings.Split(name, "_")
	if n := len(words); n >= 4 && words[n-2] == "per" && slices.Contains(rateWords, words[n-3]) && words[n-1] != "" {
		if base := strings.Join(words[:n-3], "_"); base != "" {
			return Column{Name: base, Unit: words[n-3] + "/" + words[n-1], Kind: kind}
		}
	}
	return c
}

// importColumns describes the columns of a file by their names and the kinds of
// their cells. Where a short name is taken, the long one stays.
func importColumns(names []string, kinds []Kind) []Column {
	taken := map[string]bool{}
	for _, n := range names {
		taken[n] = true
	}
	cols := make([]Column, len(names))
	for i, n := range names {
		c := imported(n, kinds[i])
		if c.Name != n {
			if taken[c.Name] {
				c.Name = n
			}
			taken[c.Name] = true
		}
		cols[i] = c
	}
	return cols
}

// fileNames checks the names of a file's columns. A column without a name, such
// as the row numbers that other programs put first, gets one.
func fileNames(names []string) ([]string, error) {
	out := slices.Clone(names)
	for i, n := range out {
		if strings.TrimSpace(n) == "" {
			out[i] = "index"
			if i > 0 || slices.Contains(names, "index") {
				out[i] = fmt.Sprintf("column %d", i+1)
			}
		}
	}
	sorted := slices.Clone(out)
	slices.Sort(sorted)
	for i := 1; i < len(sorted); i++ {
		if sorted[i] == sorted[i-1] {
			return nil, fmt.Errorf("two columns are named %q: names must differ", sorted[i])
		}
	}
	return out, nil
}
