package repl

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"schedrepl/bindings"
)

// The commands that have to do with scripts and code: %run %time %load %save
// %history.

func (r *REPL) cmdRun(_ *entry, arg string) bool {
	args, err := words(arg)
	if err != nil {
		return r.failf("%%run: %v", err)
	}
	file, given := "", map[string]string{}
	for i := 0; i < len(args); i++ {
		setting, flag := strings.CutPrefix(args[i], "-p")
		switch {
		case flag && setting == "" && i+1 < len(args):
			i++
			setting = args[i]
		case !flag && file == "":
			file = args[i]
			continue
		case !flag && strings.Contains(args[i], "="):
			return r.failf("%%run: write -p %s", args[i])
		case !flag:
			return r.failf("%%run takes one FILE; %q is one too many", args[i])
		}
		name, value, ok := strings.Cut(setting, "=")
		if _, twice := given[name]; twice {
			return r.failf("%%run: parameter %s is set twice", name)
		}
		if !ok || name == "" {
			return r.failf("%%run: %s sets nothing; write -p NAME=VALUE", strings.TrimSpace("-p "+setting))
		}
		given[name] = value
	}
	if file == "" {
		if r.run == "" {
			return r.failf("%%run: a FILE is missing: write %%run script.star")
		}
		file = r.run
	}
	path := home(file)
	if _, err := os.Stat(path); err != nil {
		if filepath.Ext(path) == "" {
			if _, err := os.Stat(path + ".star"); err == nil {
				return r.failf("%%run: there is no file %s; did you mean %s.star?", file, file)
			}
		}
		return r.failf("%%run: script %s: %v%s", file, plainCause(err), nearFile(path))
	}
	r.run = file
	return r.guard(func() error { return r.s.RunFile(path, given) })
}

// nearFile suggests a script in the same directory.
func nearFile(path string) string {
	var names []string
	for _, c := range fileNames(filepath.Dir(path)+"/", ".star") {
		names = append(names, filepath.Base(c.Text))
	}
	return bindings.DidYouMean(filepath.Base(path), names)
}

func (r *REPL) cmdTime(e *entry, code string) bool {
	if code == "" {
		return r.failf("%%time: what to run is missing: write %%time m.run(10 * sec)")
	}
	events, cpu, wall := r.s.Events(), cpuTime(), r.Now()
	ok := r.cell(e, code)
	spent, cpuSpent, handled := r.Now().Sub(wall), time.Duration(cpuTime()-cpu), r.s.Events()-events
	r.out.freshLine()
	line := fmt.Sprintf("wall %v", rounded(spent))
	if cpuSpent > 0 {
		line += fmt.Sprintf(", CPU %v", rounded(cpuSpent))
	}
	if handled > 0 {
		line += fmt.Sprintf(", %d events, %d ns per event", handled, spent.Nanoseconds()/int64(handled))
	}
	fmt.Fprintln(r.out, line)
	return ok
}

// rounded keeps three digits or so.
func rounded(d time.Duration) time.Duration {
	for step := time.Second; step > 1; step /= 10 {
		if d >= 100*step {
			return d.Round(step)
		}
	}
	return d
}

func (r *REPL) cmdLoad(_ *entry, arg string) bool {
	args, err := words(arg)
	switch {
	case err != nil:
		return r.failf("%%load: %v", err)
	case len(args) != 1:
		return r.failf("%%load takes one FILE: write %%load script.star")
	}
	path := home(args[0])
	if st, err := os.Stat(path); err == nil && st.IsDir() {
		return r.failf("%%load: %s is a directory; name a script in it", args[0])
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return r.failf("%%load: %s: %v%s", args[0], plainCause(err), nearFile(path))
	}
	text := cleanPaste(string(data))
	if strings.TrimSpace(text) == "" {
		return r.failf("%%load: %s is empty", args[0])
	}
	r.next = text
	return true
}

var usesLast = regexp.MustCompile(`(^|[^A-Za-z0-9_."'])_($|[^A-Za-z0-9_"'])`)

func (r *REPL) cmdSave(e *entry, arg string) bool {
	args, err := words(arg)
	if err != nil {
		return r.failf("%%save: %v", err)
	}
	force := len(args) > 0 && args[0] == "-f"
	if force {
		args = args[1:]
	}
	if len(args) == 0 || len(args) > 2 {
		return r.failf("%%save takes a FILE and which entries: write %%save script.star, or %%save script.star 2-7")
	}
	path := home(args[0])
	if filepath.Ext(path) == "" {
		path += ".star"
	}
	from, to, all := 1, e.n-1, true
	if len(args) == 2 {
		if from, to, err = entryRange(args[1], e.n-1); err != nil {
			return r.failf("%%save: %v", err)
		}
		all = false
	}
	text, count, left, lost := r.script(from, to, all)
	if count == 0 {
		return r.failf("%%save: there is nothing to save yet")
	}
	if _, err := os.Lstat(path); err == nil && !force && !r.written[path] {
		return r.failf("%%save: %s is there already; write %%save -f %s to replace it", path, args[0])
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		return r.failf("%%save: %s: %v", path, plainCause(err))
	}
	r.written[path] = true
	fmt.Fprintf(r.out, "saved %s: %d entries\n", path, count)
	if len(left) > 0 {
		fmt.Fprintf(r.out, "left out what failed: %s\n", strings.Join(left, ", "))
	}
	if len(lost) > 0 {
		fmt.Fprintf(r.out, "comments in it, whose effect a batch run lacks: %s\n", strings.Join(lost, ", "))
	}
	return true
}

// entryRange reads "3", "2-7", "2-" or "-7".
func entryRange(text string, last int) (from, to int, err error) {
	a, b, isRange := strings.Cut(text, "-")
	if !isRange {
		b = a
	}
	from, to = 1, last
	for _, end := range []struct {
		text string
		n    *int
	}{{a, &from}, {b, &to}} {
		if end.text == "" && isRange {
			continue
		}
		if *end.n, err = strconv.Atoi(end.text); err != nil || *end.n < 1 {
			return 0, 0, fmt.Errorf("which entries must be given as 2-7, not %q", text)
		}
	}
	if from > to || from > last {
		return 0, 0, fmt.Errorf("there are no entries %s: the last one was %d", text, last)
	}
	return from, to, nil
}

// changesSession matches the commands on which the entries that follow may rest.
var changesSession = regexp.MustCompile(`^%(run\b|reset$|seed )`)

// script makes a script of entries. It tells how many there are in it, which
// were left out because they failed, and which commands that changed the session
// became comments.
func (r *REPL) script(from, to int, onlyGood bool) (text string, count int, left, lost []string) {
	var parts []string
	for i, e := range r.entries {
		line := strings.TrimSpace(e.text)
		if _, _, ask := helpName(line); e.n < from || e.n > to || ask || r.leaves(line) {
			continue
		}
		code, isTime := strings.CutPrefix(line, "%time ")
		if !isTime {
			code = e.text
			if strings.HasPrefix(line, "%") {
				parts = append(parts, "# "+line)
				if !e.failed && changesSession.MatchString(line) {
					lost = append(lost, line)
				}
				continue
			}
		}
		if e.failed && onlyGood {
			left = append(left, strconv.Itoa(e.n))
			continue
		}
		if e.shown {
			last := false
			for _, later := range r.entries[i+1:] {
				last = last || later.n <= to && usesLast.MatchString(later.text)
			}
			code, _ = bindings.WithShow(code, last)
		}
		parts = append(parts, code)
		count++
	}
	head := fmt.Sprintf("# Entries of a prompt of schedrepl %s, seed %d.\n# To run them again: schedrepl run FILE --seed %d --out DIR\n\n", r.Version, r.s.Seed(), r.s.Seed())
	return head + strings.Join(parts, "\n") + "\n", count, left, lost
}

func (r *REPL) cmdHistory(e *entry, arg string) bool {
	n := 20
	if arg != "" {
		var err error
		if n, err = strconv.Atoi(arg); err != nil || n < 1 {
			return r.failf("%%history takes how many entries to list, 1 or more, not %q", arg)
		}
	}
	list := r.entries[:len(r.entries)-1]
	wide := len(strconv.Itoa(e.n))
	for _, old := range list[max(0, len(list)-n):] {
		for i, line := range strings.Split(old.text, "\n") {
			if i == 0 {
				fmt.Fprintf(r.out, "%*d: %s\n", wide, old.n, line)
			} else {
				fmt.Fprintf(r.out, "%*s  %s\n", wide, "", line)
			}
		}
	}
	return true
}
