package bindings

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"
)

func contains(list []string, s string) bool { return slices.Contains(list, s) }

// plural words a count: "1 argument", "2 arguments".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// quoteList words strings for an error: "a", "b", "c".
func quoteList(list []string) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = fmt.Sprintf("%q", s)
	}
	return strings.Join(out, ", ")
}

// didYouMean is " (did you mean x?)" for the candidate nearest to name, and
// empty if none is near.
func didYouMean(name string, candidates []string) string {
	if n := nearest(name, candidates); n != "" {
		return " (did you mean " + n + "?)"
	}
	return ""
}

// nearest returns the candidate with the least edit distance to name, the
// first of equals, without regard to case and underscores. It returns "" if
// more than about a third of the letters differ.
func nearest(name string, candidates []string) string {
	fold := func(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", "")) }
	best, bestDist := "", (len(name)+1)/3+1
	for _, c := range candidates {
		if d := editDistance(fold(name), fold(c)); d < bestDist && d < len(c) {
			best, bestDist = c, d
		}
	}
	return best
}

// editDistance counts the bytes to insert, delete or replace that turn a
// into b (Levenshtein).
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diag := row[0]
		row[0] = i + 1
		for j := range len(b) {
			d := diag
			if a[i] != b[j] {
				d = 1 + min(diag, row[j], row[j+1])
			}
			diag, row[j+1] = row[j+1], d
		}
	}
	return row[len(b)]
}

// isCallable reports whether a script can call the value.
func isCallable(v starlark.Value) bool {
	_, ok := v.(starlark.Callable)
	return ok
}

// DidYouMean is " (did you mean x?)" for the candidate nearest to name, and
// empty if none is near: for front ends, which suggest as scripts do.
func DidYouMean(name string, candidates []string) string { return didYouMean(name, candidates) }
