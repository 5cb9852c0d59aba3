package cgroup

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Error is a file operation that the kernel refuses. Its text is the errno's
// name, the path, and the cause with what would be right.
type Error struct {
	Errno string // such as "EBUSY"
	Path  string // the whole path, as it was given
	Why   string
}

// Error returns "ERRNO: path: why". A path that would spoil the line is quoted.
func (e *Error) Error() string {
	path := e.Path
	if path == "" || strings.ContainsFunc(path, func(r rune) bool { return !unicode.IsPrint(r) }) {
		path = quote(path)
	}
	return e.Errno + ": " + path + ": " + e.Why
}

// Errorf makes an Error.
func Errorf(errno, path, format string, args ...any) *Error {
	return &Error{Errno: errno, Path: path, Why: fmt.Sprintf(format, args...)}
}

// NoEntry is ENOENT for a name that is not among those of its directory. It
// names the near ones, or, if there are few, all that are there.
func NoEntry(path, name string, there []string) *Error {
	if near := nearest(name, there); len(near) > 0 {
		return Errorf("ENOENT", path, "there is no %s; did you mean %s?", quote(name), strings.Join(near, " or "))
	}
	const few = 24
	switch {
	case len(there) == 0:
		return Errorf("ENOENT", path, "there is no %s, and nothing else beside it", quote(name))
	case len(there) > few:
		return Errorf("ENOENT", path, "there is no %s; %d others are, from %s to %s",
			quote(name), len(there), there[0], there[len(there)-1])
	}
	return Errorf("ENOENT", path, "there is no %s; there are %s", quote(name), strings.Join(there, ", "))
}

// nearest returns the names that a slip of the pen away from name, at most
// three, nearest first: at most a third of the letters differ, or one name
// holds the other.
func nearest(name string, there []string) []string {
	type near struct {
		name string
		dist int
	}
	const longest = 64
	if name == "" || len(name) > longest {
		return nil
	}
	var found []near
	for _, x := range there {
		limit := max(len(name), len(x)) / 3
		d := distance(name, x)
		if d > limit && len(name) >= 3 && (strings.Contains(x, name) || strings.Contains(name, x) && len(x) >= 3) {
			d = limit
		}
		if d <= limit {
			found = append(found, near{x, d})
		}
	}
	slices.SortStableFunc(found, func(a, b near) int { return a.dist - b.dist })
	var out []string
	for _, f := range found[:min(len(found), 3)] {
		out = append(out, f.name)
	}
	return out
}

// distance is the number of letters to insert, delete or replace to make b of
// a (Levenshtein).
func distance(a, b string) int {
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

// quote keeps an error to a line when what was written is long.
func quote(text string) string {
	const most = 60
	if len(text) > most {
		return strconv.Quote(text[:most]) + "..."
	}
	return strconv.Quote(text)
}
