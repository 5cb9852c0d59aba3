package plots

import (
	"fmt"
	"math"
	"strconv"

	"schedrepl/engine/table"
)

// MigrationData counts the moves of tasks between the CPUs of a machine.
type MigrationData struct {
	// Counts holds for each CPU that tasks left (row) how many went to each
	// (column).
	Counts [][]float64
	// Block is how many CPUs a row and a column stand for; the moves in a cell
	// are added up. 0 is the least power of two that leaves at most 64 rows.
	Block int
	// Max is the count of the darkest colour, as in Matrix.
	Max float64
	// Diagonal marks the cells from a CPU to itself in grey, which no move can
	// fill. With blocks they hold the moves inside a block, and always have an
	// outline.
	Diagonal bool
}

// maxMigrationRows is the number of rows from which CPUs are put into blocks:
// more could not be told apart in a column.
const maxMigrationRows = 64

// Migrations draws how often tasks moved from each CPU to each other as a heat
// map, in which never is white. The numbers stand in the cells where there is
// room, up to 16 rows. Many CPUs are put into blocks, whose size the axes name.
// Its Data has a row for each pair of CPUs between which a task moved, without
// blocks.
//
// It is an error if the matrix is empty or not square, or a count is not a
// whole number from 0 on.
func Migrations(d MigrationData, o Options) (*Figure, error) {
	f, err := newFigure("migrations", o)
	if err != nil {
		return nil, err
	}
	n := len(d.Counts)
	if n == 0 {
		return nil, fmt.Errorf("migrations: no data: give at least one CPU")
	}
	for i, row := range d.Counts {
		if len(row) != n {
			return nil, fmt.Errorf("migrations: row %d has %d counts, not %d: give one for each CPU", i, len(row), n)
		}
		for j, v := range row {
			if undrawable(v, false) || v < 0 || v != math.Trunc(v) {
				return nil, fmt.Errorf("migrations: the count from CPU %d to CPU %d is %g: give whole numbers from 0 on", i, j, v)
			}
		}
	}
	if d.Block < 0 || d.Block > n {
		return nil, fmt.Errorf("migrations: a block is %d CPUs: give 1 to %d, or 0 for one that suits", d.Block, n)
	}
	per := d.Block
	for per = max(1, per); d.Block == 0 && (n+per-1)/per > maxMigrationRows; per *= 2 {
	}
	m := blocks(d.Counts, per)
	m.Name, m.Max = "migrations", d.Max
	scale, err := m.scale("migrations", o.LogColour)
	if err != nil {
		return nil, err
	}
	from, to := "from CPU", "to CPU"
	h := &heatPlot{m: m, scale: scale, labels: o.ValueLabels && len(m.Values) <= 16, blank: true}
	switch {
	case per > 1:
		from, to = fmt.Sprintf("from CPU, %d in each row", per), fmt.Sprintf("to CPU, %d in each column", per)
		h.diagonal = outlinedDiagonal
	case d.Diagonal:
		h.diagonal = greyDiagonal
	}
	f.x, f.y = categories(to, m.Cols), categories(from, m.Rows)
	f.data = func() *table.Table { return d.data() }
	f.heat(h)
	return f.finish(o)
}

// blocks adds the counts of per by per CPUs up to one. A block is named by its
// first CPU.
func blocks(counts [][]float64, per int) Matrix {
	n := (len(counts) + per - 1) / per
	var m Matrix
	for i := range n {
		m.Values = append(m.Values, make([]float64, n))
		m.Rows = append(m.Rows, strconv.Itoa(i*per))
	}
	m.Cols = m.Rows
	for i, row := range counts {
		for j, v := range row {
			m.Values[i/per][j/per] += v
		}
	}
	return m
}

// data lists the pairs of CPUs between which a task moved.
func (d MigrationData) data() *table.Table {
	var from, to []int
	var count []float64
	for i, row := range d.Counts {
		for j, v := range row {
			if v != 0 {
				from, to, count = append(from, i), append(to, j), append(count, v)
			}
		}
	}
	var t tidy
	t.count("from", from)
	t.count("to", to)
	t.number("migrations", "", count)
	return t.table("migrations")
}
