package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"schedrepl/bindings"
	"schedrepl/engine/bench"
)

const benchLong = `bench runs the benchmarks of the engine and prints a line for each: the time of
a context switch (CPU time of this program, which includes the wakeup, the
placement, the pick and the trace record that belong to it), what the fastest
hundredth of many short stretches took at most, how far above it the fastest
twentieth lies, and what else there is to know.

NAME is a benchmark of --list or the part of its name before the slash; without
one all are run. The trace at the end of a line is a digest of what the machine
decided in a fixed time: the same on each run, until the scheduler or the
benchmark itself is changed.

--baseline compares with an earlier run by the fastest stretches. A line is marked
where the two differ by more than 15 % (30 % where the machine is large), and by
more than the stretches of both runs scatter; one that is slower is measured up
to twice more first. Where the digests differ the two runs did different work,
and are not compared. On a machine that is busy with other things even that can
mark a line wrongly: run bench NAME again before believing it.`

// benchFlags are the flags of bench.
type benchFlags struct {
	cpus     []int
	quick    bool
	list     bool
	markdown bool
	check    bool
	json     string
	baseline string
	save     string
	prof     profileFlags
}

func (p *process) benchCommand() *cobra.Command {
	f := benchFlags{}
	cmd := &cobra.Command{
		Use:     "bench [NAME...]",
		Short:   "measure how fast the simulator is",
		Long:    benchLong,
		Example: "  schedrepl bench --quick\n  schedrepl bench pipe --cpus 4,1024 --cpuprofile cpu.pb.gz\n  schedrepl bench --baseline engine/bench/baseline.json",
		RunE: func(_ *cobra.Command, args []string) error {
			return p.profiled(&f.prof, func() error { return p.bench(args, &f) })
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return benchNames(bench.Cases()), cobra.ShellCompDirectiveNoFileComp
		},
	}
	fl := cmd.Flags()
	fl.IntSliceVar(&f.cpus, "cpus", nil, "only machines with these `numbers` of CPUs")
	fl.BoolVar(&f.quick, "quick", false, "measure for a tenth of the time; the whole suite then takes less than a minute")
	fl.BoolVar(&f.list, "list", false, "print what benchmarks there are, and run none")
	fl.BoolVar(&f.markdown, "markdown", false, "print the results as a table in Markdown; the lines go to stderr as they come")
	fl.StringVar(&f.json, "json", "", "write the results into a `file`")
	fl.StringVar(&f.baseline, "baseline", "", "compare with the results in a `file`")
	fl.StringVar(&f.save, "save-baseline", "", "write the results into a `file` to compare with later; other lines in it stay")
	fl.BoolVar(&f.check, "check", false, "exit with 3 if a target is missed or a line is slower than in --baseline")
	f.prof.cpuFlag(fl)
	return cmd
}

// benchBudget is how long a case is measured.
type benchBudget struct {
	cpu, wall time.Duration // Either ends it.
	least     int           // Stretches that are run in any case.
}

func (f *benchFlags) budget() benchBudget {
	if f.quick {
		return benchBudget{cpu: 250 * time.Millisecond, wall: time.Second, least: 5}
	}
	return benchBudget{cpu: 2500 * time.Millisecond, wall: 20 * time.Second, least: 10}
}

// bench runs the benchmarks that the command line asks for.
func (p *process) bench(names []string, f *benchFlags) error {
	cases, err := pickBenchmarks(bench.Cases(), names, f.cpus)
	if err != nil {
		return err
	}
	if f.list {
		return p.listBenchmarks(cases)
	}
	var base *benchFile
	if f.baseline != "" {
		if base, err = readBenchFile(f.baseline); err != nil {
			return err
		}
	}
	if f.save != "" { // What cannot be added to is told before the hour, not after.
		if _, err := readBenchFile(f.save); err != nil && !errors.As(err, new(noBenchFile)) {
			return err
		}
	}
	for _, file := range []string{f.json, f.save} {
		if err := canWrite(file); err != nil {
			return err
		}
	}
	lines, err := p.runBenchmarks(cases, base, f)
	if werr := p.finishBench(lines, base, f, err == nil); err == nil {
		err = werr
	}
	return err
}

// runBenchmarks runs cases one after the other and prints their lines. After an
// error or Ctrl-C it returns those that are done.
func (p *process) runBenchmarks(cases []bench.Case, base *benchFile, f *benchFlags) ([]benchLine, error) {
	var stopped atomic.Bool
	defer p.onInterrupt(func() { stopped.Store(true) })()
	w := p.stdout
	if f.markdown {
		w = p.stderr
	}
	note := p.benchNote()
	m := measurer{now: p.now, budget: f.budget(), stopped: stopped.Load}
	var lines []benchLine
	for i := range cases {
		note(fmt.Sprintf("%d of %d: %s", i+1, len(cases), cases[i].ID()))
		line, err := m.measure(&cases[i])
		// What slows a whole measurement down is mostly somebody else: only what
		// stays slow is.
		for more := 0; more < 2 && err == nil && compareBench(&line, base).mark() > 0; more++ {
			var again benchLine
			if again, err = m.measure(&cases[i]); err == nil && again.Best < line.Best {
				line = again
			}
		}
		note("")
		if errors.Is(err, errStopped) {
			return lines, &bindings.Error{Category: bindings.Interrupted, Msg: "interrupted"}
		} else if err != nil {
			return lines, &bindings.Error{Category: bindings.InternalError, Msg: err.Error()}
		}
		lines = append(lines, line)
		if _, err := fmt.Fprintln(w, line.text()+compareBench(&line, base).text()); err != nil {
			return lines, cannotPrint(err)
		}
	}
	return lines, nil
}

// benchNote returns what shows on a terminal which benchmark runs; an empty text
// takes it away.
func (p *process) benchNote() func(text string) {
	if !p.errTerm || p.getenv("TERM") == "dumb" {
		return func(string) {}
	}
	return func(text string) {
		// A terminal that is gone is no reason to end the run.
		_, _ = io.WriteString(p.stderr, eraseLine+text)
	}
}

// finishBench prints what is to be said about all lines together, and writes the
// files. whole says that no line is missing because of an error.
func (p *process) finishBench(lines []benchLine, base *benchFile, f *benchFlags, whole bool) error {
	sum := summarise(lines, base)
	out, text := p.stdout, sum.text()
	if f.markdown {
		text = markdownTable(lines, base) + "\n" + text
	}
	if _, err := io.WriteString(out, text); err != nil {
		return cannotPrint(err)
	}
	now := p.benchFile(lines, f.quick, whole)
	if f.json != "" {
		if err := now.write(f.json); err != nil {
			return err
		}
	}
	if f.save != "" {
		old, err := readBenchFile(f.save)
		if err == nil {
			now.addTo(old)
			now = old
		}
		if err := now.write(f.save); err != nil {
			return err
		}
	}
	if f.check && (sum.missed > 0 || sum.slower > 0) {
		return &bindings.Error{Category: bindings.CheckFailed, Msg: fmt.Sprintf("bench: %d targets missed, %d lines slower than the baseline", sum.missed, sum.slower)}
	}
	return nil
}

// listBenchmarks prints the cases, a line each.
func (p *process) listBenchmarks(cases []bench.Case) error {
	for i := range cases {
		c := &cases[i]
		if _, err := fmt.Fprintf(p.stdout, "%s  %s\n", idColumns(c.Name, c.CPUs, c.Tasks), c.Doc); err != nil {
			return cannotPrint(err)
		}
	}
	return nil
}

func cannotPrint(err error) error {
	return &bindings.Error{Category: bindings.ScriptError, Msg: fmt.Sprintf("cannot print the results: %v", plainCause(err))}
}

// benchNames lists the names of cases and the part before the slash, each once.
func benchNames(cases []bench.Case) []string {
	var names []string
	for i := range cases {
		family, _, _ := strings.Cut(cases[i].Name, "/")
		for _, name := range []string{family, cases[i].Name} {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// pickBenchmarks returns the cases with one of the names, all for none, and one
// of the numbers of CPUs, likewise, in the order of the suite.
func pickBenchmarks(cases []bench.Case, names []string, cpus []int) ([]bench.Case, error) {
	known := benchNames(cases)
	var out []bench.Case
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, usage("schedrepl bench --list tells what there is", "unknown benchmark %q%s", name, bindings.DidYouMean(name, known))
		}
	}
	var sizes []string
	for _, c := range cases {
		family, _, _ := strings.Cut(c.Name, "/")
		if len(names) > 0 && !slices.Contains(names, family) && !slices.Contains(names, c.Name) {
			continue
		}
		if size := fmt.Sprint(c.CPUs); !slices.Contains(sizes, size) {
			sizes = append(sizes, size)
		}
		if len(cpus) == 0 || slices.Contains(cpus, c.CPUs) {
			out = append(out, c)
		}
	}
	for _, n := range cpus {
		if !slices.Contains(sizes, fmt.Sprint(n)) {
			return nil, usage("", "flag --cpus: no benchmark that is asked for has %d CPUs; there are %s", n, strings.Join(sizes, ", "))
		}
	}
	return out, nil
}
