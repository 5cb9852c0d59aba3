package repl

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"schedrepl/bindings"
)

// command is one % command.
type command struct {
	name  string
	args  string // As %help shows them.
	short string // One line.
	long  string // More, for %help NAME; may be empty.
	files string // The ending of files to complete for the first argument; "/" for directories, "" for none.
	run   func(r *REPL, e *entry, arg string) bool
}

// commands lists the % commands in the order of %help.
func commands() []command {
	return []command{
		{"run", "[FILE] [-p NAME=VALUE]...", "run a script, and keep what it defines",
			"The script sees the built-in names only, as in a batch run, and finds files relative to its own directory. What it has defined is there afterwards, also if it failed or was stopped. Without FILE it runs the last one again.",
			".star", (*REPL).cmdRun},
		{"time", "CODE", "run code and tell how long it took",
			"Tells wall and CPU time, and for machines that ran, their events and the time for one. The code may have several lines.",
			"", (*REPL).cmdTime},
		{"who", "", "list what the session has defined", "", "", (*REPL).cmdWho},
		{"reset", "", "forget what the session has defined",
			"The session is as at its start: the startup script is run again, if there is one. The history of entries stays.",
			"", (*REPL).cmdReset},
		{"load", "FILE", "put the text of a file into the next entry",
			"Enter runs it, Ctrl-C drops it. The arrow keys bring it back for editing.",
			".star", (*REPL).cmdLoad},
		{"save", "[-f] FILE [FROM-TO]", "write entries into a script",
			"The script runs in batch: % commands become comments, and values that were shown are shown by show(). Without numbers, all entries are written that ended without an error. A file that %save has not written itself is replaced with -f only.",
			".star", (*REPL).cmdSave},
		{"history", "[N]", "list the last N entries of this session, 20 by default", "", "", (*REPL).cmdHistory},
		{"seed", "[N]", "show the seed, or set it for the machines to come", "", "", (*REPL).cmdSeed},
		{"out", "[DIR]", "show the directory for figures and saved files, or set it",
			"It is made when the first file is saved.", "/", (*REPL).cmdOut},
		{"help", "[NAME]", "tell about commands and keys, or about a name", "", "", (*REPL).cmdHelp},
		{"quit", "", "leave; so does Ctrl-D", "", "", func(r *REPL, _ *entry, _ string) bool { r.quit = true; return true }},
	}
}

// command carries out a line that begins with %.
func (r *REPL) command(e *entry, line string) bool {
	name, arg, _ := strings.Cut(strings.TrimPrefix(line, "%"), " ")
	if name = strings.TrimRight(name, "?"); name+"?" == strings.TrimSuffix(strings.TrimPrefix(line, "%"), " ") {
		return r.helpCommand(name)
	}
	if name == "exit" {
		name = "quit"
	}
	if word, _, _ := strings.Cut(arg, " "); name == "" && word != "" {
		return r.failf("%% stands alone; write %%%s", arg)
	}
	var names []string
	for _, c := range commands() {
		if c.name == name {
			arg = strings.TrimSpace(arg)
			if c.args == "" && arg != "" {
				return r.failf("%%%s takes no arguments, not %q", name, arg)
			}
			return c.run(r, e, arg)
		}
		names = append(names, c.name)
	}
	return r.failf("there is no command %%%s%s; %%help lists them", name, nearCommand(name, names))
}

// nearCommand suggests a command: one that begins so, has the same letters, or
// is spelt nearly so.
func nearCommand(name string, names []string) string {
	letters := func(s string) string {
		b := []byte(s)
		slices.Sort(b)
		return string(b)
	}
	for _, n := range names {
		if strings.HasPrefix(n, name) || letters(n) == letters(name) {
			return fmt.Sprintf(" (did you mean %%%s?)", n)
		}
	}
	if near := bindings.DidYouMean(name, names); near != "" {
		return strings.Replace(near, "mean ", "mean %", 1)
	}
	return ""
}

func (r *REPL) cmdHelp(_ *entry, arg string) bool {
	name := strings.TrimPrefix(arg, "%")
	if arg != "" && !slices.ContainsFunc(commands(), func(c command) bool { return c.name == name }) {
		return r.help(arg, false)
	}
	return r.helpCommand(name)
}

// keysHelp tells about keys and entries.
const keysHelp = `
name?  ?name  help(name)   what a name means; name?? is the text of a function
Tab                        completes names, attributes, keywords, file names
Up, Down, Ctrl-R           earlier entries, and a search in them
Alt-Enter                  a line break inside of a line
Ctrl-C                     stops what runs, or drops the line; in a call that does
                           not stop, the third one leaves
Ctrl-D                     ends an entry of several lines, else leaves

A block (def, if, for, while) goes on until an empty line. What is pasted is one
entry, empty lines and all; Enter runs it. _ is the last value. A figure is saved
as figure-N.png in the directory of %out.

To begin:  m = machine(topo.smp(2))
           hog = m.spawn("hog", work.loop([work.run(1 * ms), work.sleep(1 * ms)]))
           m.run(100 * ms)
           m.waits(hog)
help() lists all names.
`

// helpCommand tells about one command, or with an empty name about all.
func (r *REPL) helpCommand(name string) bool {
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
		usage := strings.TrimSpace("%" + c.name + " " + c.args)
		switch name {
		case "":
			fmt.Fprintf(r.out, "%-32s %s\n", usage, c.short)
		case c.name:
			fmt.Fprintf(r.out, "%s: %s\n", usage, c.short)
			if c.long != "" {
				fmt.Fprintf(r.out, "%s\n", wrap(c.long, "  ", 78))
			}
			return true
		}
	}
	if name != "" {
		return r.failf("there is no command %%%s%s; %%help lists them", name, nearCommand(name, names))
	}
	_, err := io.WriteString(r.out, keysHelp)
	return err == nil
}

// wrap breaks text into indented lines.
func wrap(text, indent string, width int) string {
	var lines []string
	line := indent
	for _, word := range strings.Fields(text) {
		if len(line)+1+len(word) > width && line != indent {
			lines = append(lines, line)
			line = indent
		}
		if line != indent {
			line += " "
		}
		line += word
	}
	return strings.Join(append(lines, line), "\n")
}

// words splits the arguments of a command; quotes keep spaces.
func words(arg string) ([]string, error) {
	var out []string
	var word strings.Builder
	quote, in := rune(0), false
	for _, c := range arg {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(c)
		case c == '"' || c == '\'':
			quote, in = c, true
		case c == ' ' || c == '\t' || c == '\n':
			if in {
				out = append(out, word.String())
				word.Reset()
			}
			in = false
		default:
			word.WriteRune(c)
			in = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("the quote %c does not end", quote)
	}
	if in {
		out = append(out, word.String())
	}
	return out, nil
}

// home replaces a leading ~ by the user's directory.
func home(path string) string {
	rest, ok := strings.CutPrefix(path, "~")
	if !ok || rest != "" && rest[0] != '/' {
		return path
	}
	dir, err := os.UserHomeDir()
	if err != nil {
		return path
	}
	return filepath.Join(dir, rest)
}

// completeCommand completes a % command and the file name after it; false if
// what follows is code.
func (r *REPL) completeCommand(before string) (from int, list []bindings.Candidate, ok bool) {
	name, arg, more := strings.Cut(before[1:], " ")
	if !more {
		for _, c := range commands() {
			if strings.HasPrefix(c.name, name) {
				list = append(list, bindings.Candidate{Text: c.name, Doc: c.short})
			}
		}
		return 1, list, true
	}
	for _, c := range commands() {
		switch {
		case c.name != name:
		case name == "time":
			from, list = r.s.Complete(arg)
			return from + len(before) - len(arg), list, true
		case name == "help":
			from, list = r.s.Complete(arg)
			return from + len(before) - len(arg), list, true
		case c.files == "":
			return len(before), nil, true
		default:
			word := arg[strings.LastIndexAny(arg, " ")+1:]
			return len(before) - len(word), fileNames(word, c.files), true
		}
	}
	return len(before), nil, true
}

// fileNames lists the files with an ending, and directories, that a path can go
// on with.
func fileNames(path, ending string) []bindings.Candidate {
	dir, base := filepath.Split(path)
	look := home(dir)
	if look == "" {
		look = "."
	}
	items, err := os.ReadDir(look)
	if err != nil {
		return nil
	}
	var out []bindings.Candidate
	for _, item := range items {
		name := item.Name()
		if !strings.HasPrefix(name, base) || strings.HasPrefix(name, ".") && !strings.HasPrefix(base, ".") {
			continue
		}
		st, err := os.Stat(filepath.Join(look, name)) // Through links.
		switch {
		case err != nil:
		case st.IsDir():
			out = append(out, bindings.Candidate{Text: dir + name + "/"})
		case ending != "/" && strings.HasSuffix(name, ending):
			out = append(out, bindings.Candidate{Text: dir + name})
		}
	}
	return out
}

// plainCause drops operation and path from an error about a file.
func plainCause(err error) error {
	var pe *os.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}
