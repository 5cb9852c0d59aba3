package bindings

import (
	"fmt"
	"slices"
)

// A chapter of the reference holds names and topics that belong together, in
// the order in which a reader wants them.
type chapter struct {
	title string
	intro string   // What the chapter is about, in whole sentences.
	names []string // Names without a dot, each in full.
	parts []string // Topics: modules and types, each with its members.
}

// chapters says where each name of the registry stands in the reference. A name
// that is a function and a type at once, as machine, stands with the type.
func chapters() []chapter {
	return []chapter{{
		title: "Machines",
		intro: "A script makes a machine, puts tasks on it, runs it, and asks what came of it.",
		names: []string{"kernels", "patches"},
		parts: []string{"machine", "topo", "topology", "costs", "cost_table", "cgroup"},
	}, {
		title: "Tasks and their programs",
		intro: "A program says what a task does: run for so long, sleep, fork, wait. It is made of steps, once, and costs no callback while it runs.",
		parts: []string{"work", "dist", "distribution", "program", "task", "semaphore"},
	}, {
		title: "Callbacks",
		intro: "A function of the script can be called at a moment, at regular times, or when something happens on a machine: `m.at`, `m.every`, `m.on`.",
		parts: []string{"handle", "event"},
	}, {
		title: "Measures",
		intro: "What a machine measured. The methods of [machine](#type-machine) that give these, as `m.latency` and `m.waits`, stand there.",
		parts: []string{"samples", "histogram", "counters"},
	}, {
		title: "Tables",
		intro: "Rows under named columns with units. Most methods give a new table and leave the old one as it is.",
		names: []string{"read_table"},
		parts: []string{"table", "groups"},
	}, {
		title: "Many runs and statistics",
		intro: "One run is one draw. `repeat` runs a function with many seeds, and `stats` says how sure a difference is.",
		names: []string{"repeat"},
		parts: []string{"stats", "paired", "versus", "stop_rule"},
	}, {
		title: "Figures",
		intro: "Figures are PNG, SVG or PDF files, for papers and slides.",
		parts: []string{"plot", "figure"},
	}, {
		title: "Experiments",
		intro: "Parameters that the command line sets, claims that are noted, and what is shown.",
		names: []string{"param", "check", "print", "show", "fmt", "help"},
		parts: []string{"assert"},
	}, {
		title: "Quantities and plain values",
		intro: "Times and amounts of memory carry their units. The rest is arithmetic, records and text.",
		names: []string{"ns", "us", "ms", "sec", "KiB", "MiB", "GiB", "abs", "round", "sum", "range", "struct"},
		parts: []string{"duration", "size", "math", "json"},
	}}
}

// checkChapters fails unless each name and each topic of the registry stands in
// one chapter.
func (r *Registry) checkChapters() error {
	seen := map[string]int{}
	for _, ch := range chapters() {
		for _, n := range ch.names {
			if r.names[n] == nil {
				return fmt.Errorf("chapter %s: there is no %s", ch.title, n)
			}
			seen[n]++
		}
		for _, n := range ch.parts {
			if r.topics[n] == nil {
				return fmt.Errorf("chapter %s: there is no module or type %s", ch.title, n)
			}
			seen[n]++
		}
	}
	all := r.Names()
	for n := range r.topics {
		if !contains(all, n) {
			all = append(all, n)
		}
	}
	slices.Sort(all)
	for _, n := range all {
		if seen[n] != 1 {
			return fmt.Errorf("%s stands in %d chapters of the reference, and must stand in one (see chapters)", n, seen[n])
		}
	}
	return nil
}

// referenceIntro opens the reference. Its blocks of Python run as a test, and
// print what they say.
const referenceIntro = `Every name that a script can use, with a signature, the meaning of each
parameter, and an example. The page is made by

    go run ./cmd/schedrepl doc --markdown > bindings/reference.md

from the table of which the program itself is made, and a test compares the two.
At the prompt ` + "`help(x)`" + ` and ` + "`x?`" + ` show the same, and on the command line
` + "`schedrepl doc NAME`" + `. The [index](#index) at the end lists all names.

## The language

Scripts are written in [Starlark](https://github.com/google/starlark-go/blob/master/doc/spec.md),
a small Python: functions, lists, dicts, sets, comprehensions and lambdas look as
they do there, and ` + "`while`" + `, recursion, and ` + "`if`" + ` and ` + "`for`" + ` at the top level are
allowed. There are no classes, no exceptions, no ` + "`import`" + ` and no f-strings:

* ` + "`load(\"./helpers.star\", \"name\")`" + ` takes names from a file beside the script, and
  ` + "`load(\"@stdlib//desktop.star\", \"make_j\")`" + ` from the [standard library](#standard-library);
  everything else on this page is there without a load.
* [` + "`fmt`" + `](#fmt) formats as Python's ` + "`str.format`" + ` does, and knows units.
* [` + "`struct`" + `](#struct) makes records.

The functions of the language itself (` + "`len`, `sorted`, `min`, `zip`, `type`, `fail`" + ` ...)
and the methods of strings, lists and dicts are described in its own
specification.

A run is a function of its script, parameters and seed: it sees no clock, no
other files than those it is allowed, and no order of threads. The same three
give the same bytes.

## Units

A time is a duration: a number times a unit, or, as an argument, a string. A bare
number where a time is wanted is an error that shows what to write. Sizes work
likewise.

` + "```python" + `
d = 5 * ms
print(d, 0.5 * sec, d / 4)  # 5ms 500ms 1.25ms
print(d.us, d / (2 * ms))  # 5000.0 2.5
print(64 * KiB, (3 * MiB).bytes)  # 64KiB 3145728
work.run(5)  # error: work.run: duration must carry a unit: write 5 * ms or "5ms", not 5
` + "```" + `

Times are whole nanoseconds, and the units of a string are
` + "`ns us ms sec min h`" + `. Columns of tables, samples and axes of figures know
their unit too; what goes in as durations comes out as durations. Shares are in
percent where the name of the unit says so.

## Reading a signature

In ` + "`f(a, b=2, *, c=...)`" + ` the argument a must be given, b is 2 unless it is given,
and what stands after the star is given by name: ` + "`f(1, c = 3)`" + `. Three dots stand
for an argument that may be left out and has no default. ` + "`-> T`" + ` names the type of
the result; without it a function gives None. A name with a colon, ` + "`task.pid: int`" + `,
is read without brackets.

In the tables of parameters *A \| B* takes either, a *list of A* any sequence of
them, *float* also an int, and *any* is explained beside it. A *program* is a
step, a list of steps or what ` + "`work.program`" + ` made; *tasks* are a task, a list of
tasks, a pattern of names such as ` + "`\"cc1*\"`" + ` or a control group; *cpus* are
` + "`\"0-3\"`, `2` or `[0, 2]`" + `; a *moment* is the name of a mark or a time since boot.

## Errors

A call that cannot work stops the script before it has changed anything. The
error names the function, the argument, what is wrong with it and what would be
right, and a misspelt name gets the near one. All calls check what the signature
says: the types, the choices and the least values of the tables below. What else
a function refuses stands in its description. Failures of the simulated kernel
carry the name of their errno, as on Linux.

` + "```python" + `
m = machine(topo.smp(4))
m.run("5")  # error: run: duration must carry a unit: write "5ms", not "5"
m.spwan  # error: machine has no .spwan field or method (did you mean .spawn?)
machine(topo.smp(4), hz = 10)  # error: machine: hz: 10: it must lie between 24 and 10000, such as 100, 250, 300 or 1000
m.write("/sys/fs/cgroup/cpuset.cpus", "0-9")  # error: write: ENOENT: /sys/fs/cgroup/cpuset.cpus: the root directory has no cpuset.cpus
print(m.try_write("/sys/fs/cgroup/cpuset.cpus", "0-9"))  # ENOENT
` + "```" + `

The exit codes of ` + "`schedrepl run`" + `: 0 done, 1 an error of the script, 2 a wrong command
line, 3 a [` + "`check`" + `](#check) failed, 4 a bug of the simulator, 130 interrupted.

## Editors

` + "`schedrepl doc --stubs`" + ` writes all names with their types and descriptions as a Python
stub, which [Pyright](https://github.com/microsoft/pyright) and Pylance read: an
editor then completes names, shows what they mean, and knows which keywords a
call takes. It is kept in the repository as
[` + "`bindings/stubs/__builtins__.pyi`" + `](stubs/__builtins__.pyi); the name makes its contents
known in each file without an import.

In Visual Studio Code with the Python extension, put this into
` + "`.vscode/settings.json`" + `:

` + "```json" + `
{
    "files.associations": {"*.star": "python"},
    "python.analysis.stubPath": "bindings/stubs",
    "python.analysis.typeCheckingMode": "off",
    "python.analysis.diagnosticSeverityOverrides": {"reportUndefinedVariable": "none"}
}
` + "```" + `

Elsewhere, write the stub into a folder ` + "`typings`" + ` beside the scripts, where both look
by default:

    mkdir typings && schedrepl doc --stubs > typings/__builtins__.pyi

Type checking is off since Starlark is not quite Python: names come by ` + "`load`" + `, which
such tools take for a plain call. ` + "`assert`" + ` is a keyword of Python, so that they know
nothing about that module, and find fault with it. For other editors that speak to Pyright, the
folder is ` + "`stubPath`" + ` in ` + "`pyrightconfig.json`" + `.
`
