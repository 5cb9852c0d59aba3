package metrics

import (
	"strconv"

	"schedrepl/engine/event"
	"schedrepl/engine/table"
	"schedrepl/engine/trace"
)

// Migration is one move of a task to another CPU.
type Migration struct {
	At       event.Time
	PID      int32
	From, To int16
	Pick     trace.Pick // why
}

// Migrations returns the moves of the selected tasks inside the window. A
// record that names the same CPU twice is no move.
func Migrations(src Source, w Window, tasks Tasks) []Migration {
	k := newTracker(src, tasks)
	var rows []Migration
	walk(src, w, func(r *trace.Record) {
		if r.Kind == trace.KindMigrate && r.A != r.B && r.Time >= w.Since && k.selected(r.Task, k.task(r.Task)) {
			rows = append(rows, Migration{At: r.Time, PID: r.Task, From: int16(r.A), To: int16(r.B), Pick: r.Pick})
		}
	})
	return rows
}

// MigrationMatrix counts moves: the element [from][to] of a matrix of at
// least ncpu by ncpu.
func MigrationMatrix(rows []Migration, ncpu int) [][]int64 {
	for _, m := range rows {
		ncpu = max(ncpu, int(m.From)+1, int(m.To)+1)
	}
	matrix := make([][]int64, ncpu)
	for i := range matrix {
		matrix[i] = make([]int64, ncpu)
	}
	for _, m := range rows {
		matrix[m.From][m.To]++
	}
	return matrix
}

// MigrationsTable shows moves in the order of time.
func MigrationsTable(rows []Migration, comm func(pid int32) string) *table.Table {
	t := table.MustNew("migrations",
		table.Column{Name: "at", Kind: table.Duration, Unit: "s", Digits: 6},
		table.Column{Name: "pid", Kind: table.Int},
		table.Column{Name: "comm", Kind: table.String},
		table.Column{Name: "from", Kind: table.Int},
		table.Column{Name: "to", Kind: table.Int},
		table.Column{Name: "reason", Kind: table.String})
	for _, m := range rows {
		row(t, instant(m.At), m.PID, name(m.PID, comm), m.From, m.To, m.Pick.String())
	}
	return t
}

// MigrationMatrixTable shows a matrix with a row for each CPU that tasks left
// and a column for each that they went to.
func MigrationMatrixTable(matrix [][]int64) *table.Table {
	cols := []table.Column{{Name: "from", Kind: table.Int}}
	for i := range matrix {
		cols = append(cols, table.Column{Name: "to_" + strconv.Itoa(i), Kind: table.Int})
	}
	t := table.MustNew("migrations from and to", cols...)
	for i, counts := range matrix {
		cells := []any{i}
		for _, n := range counts {
			cells = append(cells, n)
		}
		row(t, cells...)
	}
	return t
}
