package metrics

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Tasks says which tasks a measure is about. It must give the same answer
// whenever it is asked for the same pid. nil stands for all tasks.
type Tasks func(pid int32) bool

// Of selects the tasks with the given pids.
func Of(pids ...int32) Tasks {
	sorted := slices.Clone(pids)
	slices.Sort(sorted)
	return func(pid int32) bool {
		_, found := slices.BinarySearch(sorted, pid)
		return found
	}
}

// noSlash stands for a slash while a pattern is matched, because the star of
// path.Match stops at one, and "kworker/3:1" is a single name.
var noSlash = strings.NewReplacer("/", "\x00")

// ByComm selects the tasks whose name, as comm tells it, matches a pattern: *
// is any text, ? one character, [a-z] one of a range, \ takes the next
// character literally. Unlike in path.Match, a slash is a character as any
// other. It fails for a malformed pattern.
func ByComm(pattern string, comm func(pid int32) string) (Tasks, error) {
	glob := noSlash.Replace(pattern)
	if _, err := path.Match(glob, ""); err != nil {
		return nil, fmt.Errorf("comm pattern %q: %w: want a name with *, ?, [a-z] or \\ before a literal", pattern, err)
	}
	return func(pid int32) bool {
		ok, err := path.Match(glob, noSlash.Replace(comm(pid)))
		return ok && err == nil
	}, nil
}
