package repl

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"schedrepl/bindings"
)

// Each command, with what it prints and what it says of misuse.
func TestCommands(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		out   string // "~" at the front: is in the output.
		errs  string
	}{
		{"run", []string{"%run s.star", "x", "m.run(1 * ms)", "m.now", "double(4)"}, "hello 3\n5\n2ms\n8\n", ""},
		{"run with parameters", []string{"%run s.star -p n=9 -pk=1", "param('n', 4)"}, "hello 9\n4\n", ""},
		{"run again", []string{"%run s.star", "%run"}, "hello 3\nhello 3\n", ""},
		{"run sees no session", []string{"y = 1", "%run y.star"}, "", "y.star:1:7: undefined: y"},
		{"run of a failure", []string{"%run bad.star", "kept"}, "1\n", "bad.star:2:3: in <toplevel>"},
		{"run checks", []string{"%run check.star", "1"}, "check failed: no (check.star:1)\n1\n", "1 of 1 check failed"},
		{"run loads", []string{"%run sub/l.star", "seven", "load('./sub/seven.star', eight = 'seven')", "eight"}, "7\n7\n", ""},
		{"run nothing", []string{"%run"}, "", "a FILE is missing"},
		{"run what is not there", []string{"%run t.star"}, "", "no such file or directory (did you mean s.star?)"},
		{"run without the ending", []string{"%run s"}, "", "did you mean s.star?"},
		{"run a wrong parameter", []string{"%run s.star -p m=1"}, "", "unknown parameter m"},
		{"run a bare parameter", []string{"%run s.star n=1"}, "", "write -p n=1"},
		{"run two", []string{"%run s.star y.star"}, "", "is one too many"},
		{"run twice set", []string{"%run s.star -p n=1 -p n=2"}, "", "is set twice"},
		{"run a quote", []string{"%run \"s.star"}, "", "the quote \" does not end"},
		{"time", []string{"%time 1 + 1"}, "~2\nwall ", ""},
		{"time of a machine", []string{"%run s.star", "%time m.run(10 * ms)"}, "~ ns per event", ""},
		{"time of lines", []string{"%time sum([1,", "2])"}, "~3\nwall ", ""},
		{"time of a mistake", []string{"%time 1 // 0"}, "~wall ", "In[1]:1:3"},
		{"time of nothing", []string{"%time"}, "", "what to run is missing"},
		{"who", []string{"%who", "a = [1, 2]", "def f(x, y = 2): pass", "ms = 3", "%who"}, "nothing is defined yet\na     list      2 elements\nf     function  f(x, y=2)\nms    int       3\n", ""},
		{"who of something", []string{"%who x"}, "", "%who takes no arguments"},
		{"reset", []string{"a = 1", "%reset", "%who", "a"}, "forgot 1 name\nnothing is defined yet\n", "undefined: a"},
		{"load", []string{"%load s.star", "", "x"}, "~hello 3\n5\n", ""},
		{"load and drop", []string{"%load s.star", "^C", "2"}, "~2\n", ""},
		{"load nothing", []string{"%load"}, "", "%load takes one FILE"},
		{"load what is not there", []string{"%load s.stra"}, "", "did you mean s.star?"},
		{"load a directory", []string{"%load sub"}, "", "sub is a directory; name a script in it"},
		{"run what is no text", []string{"%run nul.star", "1"}, "1\n", "script nul.star: is no text: byte 6 is 0"},
		{"run a bare -p", []string{"%run s.star -p"}, "", "%run: -p sets nothing; write -p NAME=VALUE"},
		{"load emptiness", []string{"%load empty.star"}, "", "is empty"},
		{"history", []string{"a = 1", "def f():\n    pass", "%history", "%history 1"}, "1: a = 1\n2: def f():\n       pass\n3: %history\n", ""},
		{"history of what", []string{"%history all"}, "", "1 or more, not \"all\""},
		{"seed", []string{"%seed", "%seed 7", "%seed"}, "seed 1\nseed 7\nseed 7\n", ""},
		{"seed 0", []string{"%seed 0"}, "", "of 1 or more, not \"0\""},
		{"out", []string{"%out", "%out new", "plot.cdf([1, 2]).save('x.png')"}, "out (made when something is saved)\nnew (made when something is saved)\nsaved new/x.png\n", ""},
		{"out a file", []string{"%out s.star"}, "", "s.star is a file"},
		{"help", []string{"%help"}, "~%save [-f] FILE [FROM-TO]", ""},
		{"help on a command", []string{"%help run"}, "~Without FILE it runs the last one again", ""},
		{"a command with a mark", []string{"%run?"}, "~Without FILE it runs the last one again", ""},
		{"mark and command", []string{"?%run"}, "~Without FILE it runs the last one again", ""},
		{"help on a name", []string{"%help fmt"}, "~fmt(", ""},
		{"help alone", []string{"help"}, "~To begin:  m = machine(", ""},
		{"help with another meaning", []string{"help = 5", "help"}, "5\n", ""},
		{"two marks", []string{"??"}, "~%save [-f] FILE [FROM-TO]", ""},
		{"a space after %", []string{"% run s.star"}, "", "% stands alone; write %run s.star"},
		{"a mark", []string{"?"}, "~%save [-f] FILE [FROM-TO]", ""},
		{"quit", []string{"%quit", "1"}, "", ""},
		{"exit", []string{"%exit", "1"}, "", ""},
		{"unknown", []string{"%rnu x"}, "", "there is no command %rnu (did you mean %run?)"},
		{"short", []string{"%hist"}, "", "(did you mean %history?)"},
		{"near", []string{"%helpp"}, "", "(did you mean %help?)"},
		{"far from all", []string{"%frobnicate"}, "", "%help lists them"},
		{"asking", []string{"fmt?", "?m.rnu", "m = machine(topo.smp(1))", "?m.runn", "m.run?", "for?"}, "~machine.run(duration)", "m has no \"runn\" (did you mean run?)"},
		{"asking for a value", []string{"d = 5 * ms", "d?"}, "~d = 5ms\n\n", ""},
		{"asking for a text", []string{"s = 'fmt'", "s?"}, "~s = \"fmt\"\n\na value of type string", ""},
		{"asking for nothing", []string{"fooo?"}, "", "there is no \"fooo\""},
		{"asking for a function", []string{"def f(x):\n    \"\"\"Doc.\"\"\"\n    return x", "f?", "f??"}, "f(x)\n  Doc.\n  defined at In[1]:1\ndef f(x):\n    \"\"\"Doc.\"\"\"\n    return x\n", ""},
		{"help()", []string{"help(fmt)"}, "~fmt(", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			if err := os.Mkdir("sub", 0o777); err != nil {
				t.Fatal(err)
			}
			b.file("s.star", "n = param('n', 3)\nk = param('k', 0)\nx = 5\nprint('hello', n)\nm = machine(topo.smp(1))\nm.spawn('hog', work.loop([work.run(1 * ms), work.sleep(1 * ms)]))\nm.run(1 * ms)\n\ndef double(v):\n    return 2 * v\n")
			b.file("y.star", "print(y)\n")
			b.file("bad.star", "kept = 1\n1 // 0\n")
			b.file("check.star", "check(False, 'no')\n")
			b.file("sub/l.star", "load('./seven.star', 'seven')\n")
			b.file("sub/seven.star", "seven = 7\n")
			b.file("empty.star", "\n\n")
			b.file("nul.star", "x = 1\n\x00x = 2\n")
			out, errs := b.run(c.lines...)
			if want, in := strings.CutPrefix(c.out, "~"); in && !strings.Contains(out, want) || !in && out != want {
				t.Errorf("out %q, want %q", out, c.out)
			}
			if !strings.Contains(errs, c.errs) || c.errs == "" && errs != "" && !strings.HasPrefix(c.name, "load") {
				t.Errorf("errors %q, want %q in it", errs, c.errs)
			}
		})
	}
}

// What %save writes runs in batch and prints what the prompt has shown.
func TestSave(t *testing.T) {
	b := newBench(t)
	out, errs := b.run("x = 2 * ms", "%seed 5", "x * 2", "_ + x  # more", "1 // 0", "fmt?", "%time x.ms",
		"def f():\n    return 1\n\nf()", "(1 +\n 2)", "%save s", "%save s.star 1-3", "%save s", "%save t.star 30", "%save t.star 3-1", "%save t.star x", "%save")
	want := "4ms\n6ms\n2.0\n1\n3\n"
	if !strings.Contains(out, "saved s.star: 6 entries\nleft out what failed: 5\ncomments in it, whose effect a batch run lacks: %seed 5\n") {
		t.Errorf("out %q", out)
	}
	for _, e := range []string{"there are no entries 30: the last one was 12", "there are no entries 3-1", "given as 2-7, not \"x\"", "%save takes a FILE"} {
		if !strings.Contains(errs, e) {
			t.Errorf("errors %q, want %q in it", errs, e)
		}
	}
	data, err := os.ReadFile("s.star")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(data), "# %seed 5\n_ = x * 2\nshow(_)\nshow(_ + x)  # more\nshow(x.ms)\n") {
		t.Errorf("the script is\n%s", data)
	}
	var printed bytes.Buffer
	s, err := bindings.NewSession(bindings.Options{Stdout: &printed})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.ExecFile("s.star"); err != nil || printed.String() != want {
		t.Errorf("in batch it prints %q, %v; want %q", printed.String(), err, want)
	}
	// A file that was there before is safe.
	b.file("mine.star", "precious")
	out, errs = b.run("1", "%save mine.star", "%save -f mine.star", "%save mine.star")
	if !strings.Contains(errs, "write %save -f mine.star to replace it") || strings.Count(out, "saved mine.star") != 2 {
		t.Errorf("out %q, errors %q", out, errs)
	}
	if _, errs = b.run("%save no/where/x.star"); !strings.Contains(errs, "there is nothing to save yet") {
		t.Errorf("errors %q", errs)
	}
}
