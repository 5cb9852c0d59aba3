package bindings

import (
	"errors"
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"schedrepl/engine/cpumask"
	"schedrepl/engine/metrics"
	"schedrepl/plots"
)

// machineFigures are the functions of the module plot that draw a machine over
// time, and heat maps.
func machineFigures() []Builtin {
	boolean := func(name, doc string) Param {
		return Param{Name: name, Type: "bool", Default: "False", KwOnly: true, Doc: doc}
	}
	unit := func(name, doc string) Param {
		return Param{Name: name, Type: "string", Default: `""`, KwOnly: true, Doc: doc}
	}
	since := Param{Name: "since", Type: "any", Default: "None", KwOnly: true, Doc: "Where to begin: a mark of the machine, or a duration since boot; None is the start."}
	until := Param{Name: "until", Type: "any", Default: "None", KwOnly: true, Doc: "Where to end; None is now."}
	cpus := Param{Name: "cpus", Type: "cpus | None", Default: "None", KwOnly: true, Doc: "The CPUs to show, as \"0-3\" or a list; None shows all."}
	first := Param{Name: "first", Type: "list of string", Default: "[]", KwOnly: true, Doc: "Names of tasks to colour before all others, in this order, whatever their time."}
	marks := boolean("marks", "Draw the marks of the machine that lie in view as dashed lines, with their names above, as far as there is room.")
	darkest := Param{Name: "max", Type: "any", Default: "None", KwOnly: true, Doc: "The number of the darkest colour; None takes the largest. Figures with one max can be compared."}
	choice := func(name string, of []string, doc string) Param {
		return Param{Name: name, Type: "string", Default: fmt.Sprintf("%q", of[0]), KwOnly: true, Choices: of, Doc: doc}
	}
	const demo = "m = machine(topo.smp(2))\nfor name in [\"web\", \"make\", \"hog\"]:\n    m.spawn(name, work.loop([work.run(3 * ms), work.sleep(2 * ms)]))\nm.run(20 * ms)\n" +
		"m.mark(\"warm\")\nm.run(40 * ms)\n"
	return []Builtin{
		figureEntry("timeline", "Who ran when. By CPU, a row for each CPU, a colour with a hatch for each of the tasks with most time, and blank for idle; many CPUs share rows. "+
			"By task, a row for each task: in the colour of a CPU where it ran, pale and hatched where it waited for one, a line where it slept. Time whose records are no longer kept is grey and crossed out.",
			"plot.timeline({\"CPU 0\": [(\"web\", 0 * ms, 3 * ms), (\"make\", 3 * ms, 9 * ms)], \"CPU 1\": [(\"make\", 1 * ms, 3 * ms)]}).save(\"who.png\")\n"+
				demo+"plot.timeline(m, by = \"task\", since = 10 * ms, marks = True).save(\"waits.png\")",
			optionParams("double", slices.Concat([]Param{
				{Name: "source", Type: "any", Doc: "A machine; or rows by name, each a list of (task, start, end)."},
				choice("by", []string{"cpu", "task"}, "What a row is."),
				since, until, cpus,
				{Name: "only", Type: "tasks | None", Default: "None", KwOnly: true, Doc: "By task, those to show: a task, a list, a pattern of names or a control group; None shows all."},
				{Name: "rows", Type: "int", Default: "24", KwOnly: true, Doc: "By task, how many tasks to show at most: those that ran and waited most. The label of the axis tells of how many."},
				first,
				{Name: "tasks", Type: "int", Default: "0", KwOnly: true, Doc: "How many tasks have a colour, or by task how many CPUs, at most 14; the others are grey. 0 is 7."},
				marks,
			}, axisParams(), []Param{rangeParam("x"), legendParam()})...), timelineFigure),
		figureEntry("runqueues", "How many tasks are on each run queue over time: those that wait and the one that runs, as Linux counts nr_running. "+
			"As lines, each CPU has a row, with the mean of each pixel column as an area and the largest number in it as a line. As a heat map, CPUs share rows if there are many.",
			demo+"plot.runqueues(m, since = \"warm\").save(\"queues.png\")",
			optionParams("double", slices.Concat([]Param{
				{Name: "source", Type: "any", Doc: "A machine; or steps by name, each a list of (time, number), where a number holds until the next time and None is unknown. The last holds until until, which such a source needs."},
				since, until, cpus,
				choice("form", []string{"auto", "lines", "heat"}, "How to draw: auto draws lines for up to 8 CPUs and a heat map for more."),
				choice("show", []string{"mean", "largest"}, "What a cell of a heat map is."),
				{Name: "max", Type: "float | None", Default: "None", KwOnly: true, Doc: "The number at the upper end of each row, or of the darkest colour; None takes the largest. Figures with one max can be compared."},
				marks,
			}, axisParams(), []Param{legendParam()})...), queueFigure),
		figureEntry("shares", "Who had the CPU time, in windows that follow each other: areas stacked to 100 %, those with most time at the bottom, the others as one grey area, and idle time as the blank above.",
			demo+"plot.shares(m, window = 10 * ms, marks = True).save(\"shares.png\")",
			optionParams("column", slices.Concat([]Param{
				{Name: "source", Type: "any", Doc: "A machine."},
				since, until, windowParam(),
				choice("by", []string{"task", "comm", "group"}, "What an area is: a task, all tasks with one name, or all in one task group."),
				{Name: "cpu", Type: "int | None", Default: "None", KwOnly: true, Doc: "One CPU; None for all."},
				{Name: "tasks", Type: "tasks | None", Default: "None", KwOnly: true, Doc: "The tasks that may have a colour: a task, a list, a pattern of names or a control group; the others are part of the grey area. None takes all."},
				{Name: "top", Type: "int", Default: "0", KwOnly: true, Doc: "How many have a colour, at most 14. 0 is 7."},
				first, boolean("lines", "Draw lines instead of areas, without idle time."), marks,
			}, axisParams(), []Param{legendParam()})...), sharesFigure),
		figureEntry("heat", "A matrix of numbers as coloured cells, light for low and dark for high, the first row at the top.",
			"plot.heat([[0, 4], [7, 0]], rows = [\"0\", \"1\"], cols = [\"0\", \"1\"], name = \"moves\", values = True).save(\"heat.png\")",
			optionParams("column", slices.Concat([]Param{
				{Name: "matrix", Type: "list of any", Doc: "The rows, each a list of numbers or durations of one length. None is a cell without a value."},
				{Name: "rows", Type: "list of string", Default: "[]", KwOnly: true, Doc: "The names of the rows; numbers from 0 by default."},
				{Name: "cols", Type: "list of string", Default: "[]", KwOnly: true, Doc: "The names of the columns; numbers from 0 by default."},
				{Name: "name", Type: "string", Default: `""`, KwOnly: true, Doc: "What the numbers are; it stands beside the colours."},
				unit("unit", "The unit of bare numbers."),
				darkest,
			}, axisParams(), []Param{
				boolean("log", "The scale of the colours is logarithmic; cells of 0 stay blank."),
				boolean("values", "Write the values into the cells, where there is room."),
			})...), heatFigure),
		figureEntry("migrations", "How often tasks moved from each CPU (row) to each other (column). Never is blank. More than 64 CPUs are put into blocks, whose moves are added up; the axes tell the size of a block.",
			"plot.migrations([[0, 3], [1, 0]]).save(\"moves.png\")\n"+
				"plot.grid([plot.migrations(counts, max = 9, title = name) for name, counts in [(\"before\", [[0, 9], [5, 0]]), (\"after\", [[0, 2], [1, 0]])]]).save(\"both.png\")",
			optionParams("column",
				Param{Name: "source", Type: "any", Doc: "A machine; or the counts, as a matrix."},
				since, until,
				boolean("log", "The scale of the colours is logarithmic."),
				Param{Name: "block", Type: "int", Default: "0", KwOnly: true, Doc: "How many CPUs a row and a column stand for; 0 is as few as leave 64 rows."},
				darkest,
				boolean("diagonal", "Mark the cells from a CPU to itself, which no move can fill."),
			), migrationsFigure),
	}
}

// largest reads max, the end of a scale whose unit is known; 0 if it is not
// given.
func (s *scale) largest(c *Call) (float64, error) {
	if !c.Has("max") {
		return 0, nil
	}
	x, err := s.number(c.Value("max"))
	if err != nil {
		return 0, fmt.Errorf("max %w", err)
	}
	if !(x > 0) {
		return 0, fmt.Errorf("max must be above 0, not %v", c.Value("max"))
	}
	return x, nil
}

func heatFigure(c *Call, o plots.Options) (*plots.Figure, error) {
	if err := checkUnit(c, "unit"); err != nil {
		return nil, err
	}
	m := plots.Matrix{Rows: ArgList[string](c, "rows"), Cols: ArgList[string](c, "cols"), Name: c.Str("name")}
	s := &scale{unit: c.Str("unit")}
	for i, row := range ArgList[starlark.Value](c, "matrix") {
		xs, err := s.list(row)
		if err != nil {
			return nil, fmt.Errorf("matrix: row %d %w", i, err)
		}
		m.Values = append(m.Values, xs)
	}
	m.Unit = s.unit
	var err error
	if m.Max, err = s.largest(c); err != nil {
		return nil, err
	}
	o.LogColour, o.ValueLabels = c.Bool("log"), c.Bool("values")
	return plots.Heat(numbered(m), o)
}

func migrationsFigure(c *Call, o plots.Options) (*plots.Figure, error) {
	d := plots.MigrationData{Block: c.Int("block"), Diagonal: c.Bool("diagonal")}
	if d.Block < 0 {
		return nil, fmt.Errorf("block must be 1 or more, or 0 for a block that suits, not %d", d.Block)
	}
	s := &scale{set: true}
	switch src := c.Value("source").(type) {
	case *machine:
		if err := src.usable(); err != nil {
			return nil, err
		}
		log, w, err := src.window(c.Value("since"), c.Value("until"))
		if err != nil {
			return nil, err
		}
		for _, row := range metrics.MigrationMatrix(metrics.Migrations(log, w, nil), src.numCPU()) {
			xs := make([]float64, len(row))
			for j, n := range row {
				xs[j] = float64(n)
			}
			d.Counts = append(d.Counts, xs)
		}
	case *starlark.List, starlark.Tuple:
		if c.Has("since") || c.Has("until") {
			return nil, errors.New("since and until are for a machine, not for counts")
		}
		for row := range starlark.Elements(src.(starlark.Iterable)) {
			xs, err := (&scale{}).list(row)
			if err == nil && slices.ContainsFunc(slices.Collect(starlark.Elements(row.(starlark.Iterable))), func(v starlark.Value) bool { _, ok := v.(Duration); return ok }) {
				err = errors.New("must be counts, not durations")
			}
			if err != nil {
				return nil, fmt.Errorf("source: row %d %w", len(d.Counts), err)
			}
			d.Counts = append(d.Counts, xs)
		}
	default:
		return nil, fmt.Errorf("source must be a machine, or a matrix of counts, not %s", describe(src))
	}
	var err error
	if d.Max, err = s.largest(c); err != nil {
		return nil, err
	}
	o.LogColour, o.ValueLabels = c.Bool("log"), true
	return plots.Migrations(d, o)
}

// numbered gives numbers to rows and columns without names.
func numbered(m plots.Matrix) plots.Matrix {
	names := func(n int) (out []string) {
		for i := range n {
			out = append(out, fmt.Sprint(i))
		}
		return out
	}
	if len(m.Rows) == 0 {
		m.Rows = names(len(m.Values))
	}
	if len(m.Cols) == 0 && len(m.Values) > 0 {
		m.Cols = names(len(m.Values[0]))
	}
	return m
}

// chosenCPUs are those of the parameter cpus, or all of a machine.
func chosenCPUs(c *Call, n int) ([]int, error) {
	var out []int
	if !c.Has("cpus") {
		for i := range n {
			out = append(out, i)
		}
		return out, nil
	}
	for cpu := range Arg[cpumask.Set](c, "cpus").CPUs() {
		if cpu >= n {
			return nil, fmt.Errorf("CPU %d does not exist (machine has %s)", cpu, cpumask.All(n))
		}
		out = append(out, cpu)
	}
	if len(out) == 0 {
		return nil, errors.New("cpus must name at least one CPU")
	}
	return out, nil
}
