package metrics

import (
	"time"

	"schedrepl/engine/event"
	"schedrepl/engine/table"
)

// row appends one row to a table whose columns are fixed in this package; a
// value that does not fit them is a bug.
func row(t *table.Table, values ...any) {
	if err := t.Append(values...); err != nil {
		panic("metrics: " + err.Error())
	}
}

// name returns what a table calls a task.
func name(pid int32, comm func(pid int32) string) string {
	switch {
	case pid == 0:
		return "idle"
	case pid < 0:
		return "unknown"
	case comm == nil:
		return ""
	}
	return comm(pid)
}

// instant is a moment as a cell of a Duration column: time since boot.
func instant(t event.Time) time.Duration { return time.Duration(t) }
