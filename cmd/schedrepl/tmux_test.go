//go:build tmux

package main

// Tests of the prompt on a real terminal, by typing. They need tmux, and run by
//
//	go test -tags tmux -run Tmux ./cmd/schedrepl

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestTmuxStartAndLeave(t *testing.T) {
	y := newTypist(t, 100, 30, nil)
	s := y.prompt(1)
	if n := strings.Count(s, "\n"); n != 3 { // The command, two lines, and the prompt.
		t.Errorf("the greeting has %d lines:\n%s", n, s)
	}
	y.enter("1 + 1")
	y.prompt(2)
	y.shows("In[1]: 1 + 1\n2\nIn[2]:")
	// Ctrl-C drops the line, Ctrl-D leaves; the terminal is as it was.
	y.text("rubbish")
	y.keys("C-c")
	y.wait(`rubbish\^C\nIn\[2\]: *$`)
	y.keys("Delete") // No end of input.
	y.text("x")
	y.wait(`\nIn\[2\]: x$`)
	y.keys("C-u", "C-d")
	y.wait(`shell\$ *$`)
	y.enter("stty -a")
	s = y.wait(`iexten[^$]*shell\$ *$`)
	for _, want := range []string{"icanon", "echo", "isig", "icrnl"} {
		if !slices.Contains(strings.Fields(s), want) {
			t.Errorf("the terminal has no %s:\n%s", want, s)
		}
	}
	y.enter("echo code $?")
	y.wait("code 0")
	y.keys("C-c") // It drops what is typed with it, so the paste waits.
	y.wait(`\^C\s+shell\$ *$`)
	// A paste into the shell has no marks any more.
	y.tmux("set-buffer", "-b", "clip", "echo pasted")
	y.tmux("paste-buffer", "-p", "-b", "clip")
	y.wait(`shell\$ echo pasted$`)
}

func TestTmuxEditing(t *testing.T) {
	y := newTypist(t, 80, 24, nil)
	y.prompt(1)
	// Completion: of a name, what is sure of several, and a list with docs.
	y.text("mach")
	y.keys("Tab")
	y.wait(`In\[1\]: machine$`)
	y.text("(topo.sm")
	y.keys("Tab")
	y.wait(`In\[1\]: machine\(topo\.smp$`)
	y.text("(2), tun")
	y.keys("Tab")
	y.wait(`tunables=$`)
	y.keys("C-u")
	y.enter("m = machine(topo.smp(2))")
	y.prompt(2)
	y.text("m.run")
	y.keys("Tab")
	y.wait(`run +Runs the machine for a while.\nrun_until +Runs [^\n]*\nIn\[2\]: m\.run$`)
	// All names; the list is no longer than the screen.
	y.keys("C-u", "Tab")
	y.wait(`(?s)GiB .*zip.*\nIn\[2\]: *$`)
	// Wide characters before the cursor.
	y.text("x = '漢字' + topo.sm")
	y.keys("Tab")
	y.wait(`x = '漢字' \+ topo\.smp$`)
	y.keys("Home")
	y.text("y")
	y.keys("End")
	y.text("z")
	y.wait(`In\[2\]: yx = '漢字' \+ topo\.smpz$`)
	y.keys("C-u", "C-k")
	// Help.
	y.enter("?m.run")
	y.prompt(3)
	y.shows("machine.run(duration)\n  Runs the machine for a while.")
	y.enter("m.run?")
	y.prompt(4)
	// A function typed in lines, with the indentation set by itself, and typed.
	y.enter("def f(x):", "if x > 1:", "return 'big'", "return 'small'", "")
	y.prompt(5)
	y.enter("def g(x):", "    y = x + 1", "    return y", "")
	y.prompt(6)
	y.enter("f(1), f(2), g(1)")
	y.prompt(7)
	y.shows(`("small", "big", 2)`)
	// A block is dropped, and Ctrl-D ends one before it leaves.
	y.enter("def h():")
	y.wait(`\.\.\.:`)
	y.keys("C-c")
	y.prompt(7)
	y.enter("for i in [41]:", "print(i + 1)")
	y.keys("C-d")
	y.prompt(8)
	y.shows("\n42\nIn[8]:")
	// A line that is wider than the screen, and a window that changes its size.
	y.text("print('" + strings.Repeat("wide ", 30) + "')")
	y.tmux("resize-window", "-x", "60", "-y", "20")
	y.keys("Enter")
	y.prompt(9)
	y.shows("\n" + strings.Repeat("wide ", 30))
	y.enter("table('t', ['a column of some width', 'another column', 'and one more of them', 'the fourth column'], [(1, 2, 3, 4)])")
	y.prompt(10)
	y.shows("more columns")
	// % commands and file names.
	if err := os.WriteFile(filepath.Join(y.dir, "script.star"), []byte("from_script = 7\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	y.text("%ru")
	y.keys("Tab")
	y.wait(`%run$`)
	y.text(" scr")
	y.keys("Tab", "Enter")
	y.prompt(11)
	y.enter("from_script")
	y.prompt(12)
	y.shows("\n7\nIn[12]:")
	// The lines of a file, to look at and to run.
	y.enter("%load script.star")
	y.wait(`In\[13\]: from_script = 7$`)
	y.keys("Enter")
	y.prompt(14)
	y.enter("exit")
	y.wait(`shell\$ *$`)
}

func TestTmuxPaste(t *testing.T) {
	y := newTypist(t, 80, 24, nil)
	y.prompt(1)
	y.paste("def f(x):\n    \"\"\"Doc.\n\n    More.\"\"\"\n    y = x\n\n    return y * 2\n")
	y.wait(`In\[1\]: def f\(x\):\n +\.\.\.: +"""Doc\.\n(.*\n)+ +\.\.\.: +return y \* 2$`)
	y.keys("Enter")
	y.prompt(2)
	y.paste("a = f(2)\nb = f(3)\n\nprint(a, b)\nfor i in range(2):\n\tprint('tab', i)\n")
	y.wait(`print\('tab', i\)$`)
	y.keys("Enter")
	y.prompt(3)
	y.shows("\n4 6\ntab 0\ntab 1\nIn[3]:")
	// One line is inserted at the cursor, and its line end does not run it.
	y.text("print()")
	y.keys("Left")
	y.paste("'漢字', 1\n")
	y.wait(`print\('漢字', 1\)$`)
	y.keys("Enter")
	y.prompt(4)
	y.shows("\n漢字 1\n")
	// Dropped, edited, and brought back as a whole.
	y.paste("print(1)\nprint(2)")
	y.wait(`\.\.\.: print\(2\)$`)
	y.keys("C-c")
	y.prompt(4)
	y.tmux("set-buffer", "-b", "clip", "def g():\r\n\r\n    return 5\r\n")
	y.tmux("paste-buffer", "-p", "-r", "-b", "clip") // With the line ends as they are.
	y.wait(`return 5$`)
	y.text("0")
	y.keys("Enter")
	y.prompt(5)
	y.enter("g()")
	y.prompt(6)
	y.shows("\n50\n")
	y.keys("Up", "Up")
	y.wait(`In\[6\]: def g\(\):⏎⏎    return 50$`)
	y.text(" + 1")
	y.keys("Enter")
	y.prompt(7)
	y.enter("g()")
	y.prompt(8)
	y.shows("\n51\n")
	// A long paste.
	var b strings.Builder
	for i := range 200 {
		fmt.Fprintf(&b, "x%d = %d\n", i, i)
	}
	y.paste(b.String())
	y.wait(`x199 = 199$`)
	y.keys("Enter")
	y.prompt(9)
	y.enter("x0 + x123 + x199")
	y.prompt(10)
	y.shows("\n322\n")
}

func TestTmuxHistory(t *testing.T) {
	y := newTypist(t, 80, 24, nil)
	y.prompt(1)
	y.enter("first = 1")
	y.prompt(2)
	y.enter("def f():", "return 6 * 7", "")
	y.prompt(3)
	y.keys("C-d")
	y.wait(`shell\$ *$`)
	y.start(nil)
	y.prompt(1)
	y.keys("Up")
	y.wait(`In\[1\]: def f\(\):⏎    return 6 \* 7$`)
	y.keys("Enter")
	y.prompt(2)
	y.keys("Up", "Up", "Down", "Up")
	y.wait(`In\[2\]: first = 1$`)
	y.keys("Enter")
	y.prompt(3)
	y.enter("f() + first")
	y.prompt(4)
	y.shows("\n43\n")
	y.keys("C-r")
	y.text("6 * 7")
	y.wait(`search`)
	y.keys("Enter")
	y.prompt(5)
}

func TestTmuxInterrupt(t *testing.T) {
	y := newTypist(t, 80, 24, nil)
	y.prompt(1)
	// What tmux itself takes for a key and a look.
	idle := time.Duration(0)
	for range 5 {
		y.keys("C-u")
		began := time.Now()
		y.text("k")
		y.wait(`In\[1\]: k$`)
		idle = max(idle, time.Since(began))
	}
	y.keys("C-u")
	y.enter("m = machine(topo.smp(4))", "ts = [m.spawn('hog', work.loop([work.run(200 * us), work.sleep(100 * us)])) for i in range(12)]")
	y.prompt(3)
	slack := 400*time.Millisecond + 4*idle
	n := 3
	for _, code := range []string{"while True: pass", "m.run(1000000 * sec)", "m.run_until(lambda m: False, limit = 1000000 * sec)"} {
		y.begin(code)
		if strings.HasPrefix(code, "m.run") {
			y.wait(`of 1[0-9]+\.\ds \(0%\), [0-9.]+[kM] events/s`)
		}
		took := y.pressed(fmt.Sprintf(`error: interrupted\nIn\[%d\]: *$`, n+1))
		t.Logf("%s: stopped %v after Ctrl-C; a key alone takes up to %v", code, took, idle)
		if took > 100*time.Millisecond+slack {
			t.Errorf("%s: it took %v to stop", code, took)
		}
		n++
		y.keys("C-l")
	}
	// So do runs beside each other.
	y.enter("def e(seed):", "m = machine(topo.smp(4))", "m.spawn('hog', work.loop([work.run(200 * us), work.sleep(100 * us)]))", "m.run(1000000 * sec)", "return 1", "")
	n++
	y.prompt(n)
	y.begin("repeat(e, seeds = 4)")
	y.wait(`0 of 4 seeds`)
	n++
	took := y.pressed(fmt.Sprintf(`error: interrupted\nIn\[%d\]: *$`, n))
	t.Logf("repeat: stopped %v after Ctrl-C", took)
	if took > 100*time.Millisecond+slack {
		t.Errorf("repeat: it took %v to stop", took)
	}
	y.keys("C-l")
	// The session is there, and the machine runs on.
	y.enter("t = m.now", "m.run(10 * ms)", "m.now - t, len(ts), m.check_invariants()")
	y.prompt(n + 3)
	y.shows("(10ms, 12, None)")
	// What was typed ahead is dropped with what was stopped.
	y.begin("while True: pass")
	y.enter("print('typed', 'ahead')")
	y.wait(`ahead'\)$`)
	y.keys("C-c")
	y.wait(fmt.Sprintf(`error: interrupted\nIn\[%d\]: *$`, n+4))
	y.enter("1234 + 1")
	y.prompt(n + 5)
	if s := y.all(); strings.Contains(s, "\ntyped ahead") || !strings.Contains(s, "\n1235\n") {
		t.Errorf("what was typed ahead has run:\n%s", s)
	}
	// A signal from elsewhere does not end the prompt.
	y.enter("2345 + 1")
	y.prompt(n + 6)
	y.keys("C-d")
	y.wait(`shell\$ *$`)
}

// Ctrl-Z gives the terminal to the shell as it was, and fg brings the line back.
func TestTmuxSuspend(t *testing.T) {
	y := newTypist(t, 80, 24, nil)
	y.prompt(1)
	for range 3 {
		y.text("1 + ")
		y.wait(`In\[\d\]: 1 \+ *$`)
		y.keys("C-z")
		y.wait(`Stopped(.|\n)*shell\$ *$`)
		y.enter("clear; echo ec''hoed") // In a raw terminal this would neither show nor run.
		y.wait(`^echoed\nshell\$ *$`)
		y.text("fg")
		y.wait(`shell\$ fg$`)
		y.keys("Enter")
		y.wait(`In\[1\]: 1 \+ *$`)
		y.keys("C-u")
		y.wait(`In\[1\]: *$`)
	}
	y.enter("1 + 1")
	y.prompt(2)
	// A hangup from elsewhere leaves the terminal as it was too.
	y.keys("C-d")
	y.wait(`shell\$ *$`)
	y.enter("clear; sh -c 'echo pid $$; exec env TERM=xterm ./schedrepl'")
	shown := regexp.MustCompile(`pid (\d+)\n`).FindStringSubmatch(y.prompt(1))
	if shown == nil {
		t.Fatalf("there is no pid in\n%s", y.screen())
	}
	pid, err := strconv.Atoi(shown[1])
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	y.wait(`shell\$ *$`)
	y.enter("echo co''de $?")
	y.wait(`\ncode 129\n`)
}

// Colours follow the wishes of the user, and figures are saved where they should.
func TestTmuxColourAndFigures(t *testing.T) {
	colour := regexp.MustCompile(`\x1b\[[0-9;]*m`)
	for _, c := range []struct {
		env  string
		want bool
	}{{"A=1", true}, {"NO_COLOR=1", false}, {"TERM=dumb", false}} {
		y := newTypist(t, 80, 24, []string{c.env}, "--out", "figs")
		y.prompt(1)
		y.enter("1 // 0")
		y.prompt(2)
		y.enter("plot.cdf([1 * ms, 2 * ms], title = 'waits')")
		y.prompt(3)
		y.shows(`figs/figure-1.png: cdf "waits", 3.35 x `)
		y.enter("_.save('w.svg')")
		y.prompt(4)
		y.shows("saved figs/w.svg")
		raw := y.tmux("capture-pane", "-p", "-e")
		raw = strings.ReplaceAll(raw, "\x1b[0m", "") // tmux may end lines so.
		if got := colour.MatchString(raw); got != c.want {
			t.Errorf("%s: coloured: %v\n%q", c.env, got, raw)
		}
		if data, err := os.ReadFile(filepath.Join(y.dir, "figs", "figure-1.png")); err != nil || !bytes.HasPrefix(data, []byte("\x89PNG")) {
			t.Errorf("%s: the figure: %v", c.env, err)
		}
		y.keys("C-d")
		y.wait(`shell\$ *$`)
	}
}

// TestTmuxInit: the startup script, and the flag that leaves it out.
func TestTmuxInit(t *testing.T) {
	y := newTypist(t, 80, 24, nil)
	y.prompt(1)
	y.keys("C-d")
	y.wait(`shell\$ *$`)
	dir := filepath.Join(y.dir, ".config", "schedrepl")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "init.star"), []byte("box = topo.smp(3)\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	y.start(nil)
	y.prompt(1)
	y.enter("machine(box)")
	y.prompt(2)
	y.shows("<machine: 3 CPUs")
	y.enter("quit")
	y.wait(`shell\$ *$`)
	y.start(nil, "--no-init")
	y.prompt(1)
	y.enter("box")
	y.prompt(2)
	y.shows("undefined: box")
	y.enter("quit")
	y.wait(`shell\$ *$`)
	// A pipe never reads it, and is no prompt.
	y.enter("echo 'print(box)' | ./schedrepl; echo code $?")
	y.wait(`undefined: box[^$]*code 1`)
}

// A whole session, as somebody would have it who wants to know what autogroup
// does for a task beside a parallel build.
func TestTmuxSession(t *testing.T) {
	y := newTypist(t, 100, 40, nil, "--seed", "3")
	y.prompt(1)
	n := 1
	step := func(lines ...string) {
		t.Helper()
		y.enter(lines...)
		n++
		y.prompt(n)
	}
	step(`load("@stdlib//desktop.star", "make_j", "pert")`)
	step("make_j?")
	y.shows("The program of `make -j JOBS`")
	y.paste(`def desktop(seed, autogroup = True):
    """A build on one CPU, and a hog beside it.

    Returns the machine and the hog."""
    m = machine(topo.smp(2), kernel = "2.6.38", seed = seed)
    m.write("/proc/sys/kernel/sched_autogroup_enabled", "1" if autogroup else "0")

    term = m.spawn("make", make_j(6), cpus = "1")
    term.setsid()
    hog = m.spawn("pert", pert(), cpus = "1")
    hog.setsid()
    return m, hog
`)
	y.wait(`return m, hog$`)
	step("")
	step("m, hog = desktop(1)")
	step("m")
	y.shows("<machine: 2 CPUs, kernel 2.6.38, at 0s>")
	step("m.run(2 * sec)")
	step("m.mark('warm')")
	step("m.run(10 * sec)")
	step("on = m.waits(hog, since = 'warm')")
	step("on")
	y.shows("waits: n ", "│█")
	step("print(on.sparkline(30))")
	step("on.describe()")
	step("m.shares(cpu = 1, since = 'warm')")
	y.shows("pert")
	step("plot.cdf({'with': on}, title = 'with autogroup')")
	y.shows(`schedrepl-out/figure-1.png: cdf "with autogroup"`)
	// Too long a run is stopped; the machine is where it was stopped.
	y.enter("m.run(1000000 * sec)")
	y.wait(`of 1000012\.\ds \(0%\)`)
	n++
	took := y.pressed(fmt.Sprintf(`error: interrupted\nIn\[%d\]: *$`, n))
	t.Logf("the run stopped %v after Ctrl-C", took)
	step("m.now > 12 * sec")
	y.shows("\nTrue\n")
	// Turn the knob, and run again.
	step("m.write('/proc/sys/kernel/sched_autogroup_enabled', '0')")
	step("m.read('/proc/sys/kernel/sched_autogroup_enabled')")
	step("m.mark('off')")
	step("m.run(10 * sec)")
	step("off = m.waits(hog, since = 'off')")
	step("{'with': on, 'without': off}")
	y.shows("without  ")
	step("off.mean > 2 * on.mean")
	step("plot.cdf({'with': on, 'without': off}, title = 'time off the CPU').save('off.png')")
	y.shows("saved schedrepl-out/off.png")
	// Over seeds, with an interval.
	y.enter("def share(seed, autogroup):", "m, hog = desktop(seed, autogroup)", "m.run(3 * sec)", "return m.waits(hog).mean", "")
	n++
	y.prompt(n)
	step("a = repeat(share, seeds = 5, args = {'autogroup': True})")
	step("b = repeat(share, seeds = 5, args = {'autogroup': False})")
	step("a")
	y.shows("seed")
	step("stats.interval(a['value']), stats.interval(b['value'])")
	step("stats.interval(b['value'])[0] > stats.interval(a['value'])[1]")
	y.shows("\nTrue\n")
	step("%time m.run(1 * sec)")
	y.shows(" ns per event")
	step("%who")
	y.shows("desktop  function  desktop(seed, autogroup=True)")
	step("%save night.star")
	y.shows("saved night.star: ")
	y.keys("C-d")
	y.wait(`shell\$ *$`)
	// What was saved runs in batch and says the same.
	y.enter("./schedrepl run night.star --seed 3 --out batch > batch.txt; echo code $?")
	y.wait(`code 0`)
	batch, err := os.ReadFile(filepath.Join(y.dir, "batch.txt"))
	if err != nil || !strings.Contains(string(batch), "waits: n ") {
		t.Errorf("in batch: %v\n%s", err, batch)
	}
}
