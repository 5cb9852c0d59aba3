package repl

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// The commands that look at the session, or change it: %who %reset %seed %out.

func (r *REPL) cmdWho(_ *entry, _ string) bool {
	list := r.s.Defined()
	if len(list) == 0 {
		fmt.Fprintln(r.out, "nothing is defined yet")
		return true
	}
	name, typ := len("name"), len("type")
	for _, d := range list {
		name, typ = max(name, len(d.Name)), max(typ, len(d.Type))
	}
	width := r.Screen().Width
	for _, d := range list {
		line := []rune(fmt.Sprintf("%-*s  %-*s  %s", name, d.Name, typ, d.Type, d.Text))
		if len(line) > width && width > 1 {
			line = append(line[:width-1], '…')
		}
		fmt.Fprintln(r.out, strings.TrimRight(string(line), " "))
	}
	return true
}

func (r *REPL) cmdReset(_ *entry, _ string) bool {
	n := len(r.s.Defined())
	r.s.Reset()
	if n == 1 {
		fmt.Fprintln(r.out, "forgot 1 name")
	} else {
		fmt.Fprintf(r.out, "forgot %d names\n", n)
	}
	r.runInit()
	return true
}

func (r *REPL) cmdSeed(_ *entry, arg string) bool {
	if arg != "" {
		n, err := strconv.ParseUint(arg, 0, 64)
		if err != nil || n == 0 {
			return r.failf("%%seed takes a whole number of 1 or more, not %q", arg)
		}
		r.s.SetSeed(n)
	}
	fmt.Fprintf(r.out, "seed %d\n", r.s.Seed())
	return true
}

func (r *REPL) cmdOut(_ *entry, arg string) bool {
	if arg != "" {
		args, err := words(arg)
		if err != nil || len(args) != 1 {
			return r.failf("%%out takes one DIR, not %q", arg)
		}
		dir := home(args[0])
		if st, err := os.Stat(dir); err == nil && !st.IsDir() {
			return r.failf("%%out: %s is a file; name a directory", args[0])
		}
		r.s.SetOutDir(dir)
		r.figures = 0
	}
	dir, made := r.s.OutDir(), ""
	if _, err := os.Stat(dir); os.IsNotExist(err) {
		made = " (made when something is saved)"
	}
	fmt.Fprintf(r.out, "%s%s\n", dir, made)
	return true
}
