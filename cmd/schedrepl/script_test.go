package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain makes the test binary stand in for the program itself, and for one
// in which an invariant breaks: when something is printed, or when a machine
// runs, for then progress looks at the clock.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"schedrepl": main,
		"schedrepl-broken": func() {
			p, looks := newProcess(), 0
			p.stdout, p.errTerm = breaks{}, true
			p.now = func() time.Time {
				if looks++; looks > 3 {
					panic("sched: CPU 1 has lost a task")
				}
				return time.Now()
			}
			os.Exit(p.run(os.Args[1:]))
		},
	})
}

// breaks stands for a bug of the simulator that shows while a script runs.
type breaks struct{}

func (breaks) Write([]byte) (int, error) { panic("sched: CPU 0 runs two tasks") }

// TestScripts runs the transcripts in testdata/script. CAPTURES is the folder
// of recorded schedules.
func TestScripts(t *testing.T) {
	captures, err := filepath.Abs("../../engine/validate/testdata/captures")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("CAPTURES", captures)
			return nil
		},
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":     exits,
			"interrupt": interrupt,
			"replace":   replace,
		},
	})
}

// exits CODE PROGRAM ARGS... runs a program that must end with an exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARGS...")
	}
	checkCode(ts, args[0], ts.Exec(args[1], args[2:]...))
}

func checkCode(ts *testscript.TestScript, want string, err error) {
	code := 0
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		code = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if got := strconv.Itoa(code); got != want {
		ts.Fatalf("exit code %s, want %s", got, want)
	}
}

// interrupt CODE TEXT PROGRAM ARGS... runs a program, sends it one SIGINT when
// it has printed TEXT, and waits for it to end with an exit code.
func interrupt(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: interrupt CODE TEXT PROGRAM ARGS...")
	}
	cmd := exec.Command(args[2], args[3:]...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Stderr = ts.Stderr()
	out, err := cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	guard := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer guard.Stop()
	var seen strings.Builder
	buf := make([]byte, 4096)
	for !strings.Contains(seen.String(), args[1]) {
		n, err := out.Read(buf)
		seen.Write(buf[:n])
		if err != nil {
			_ = cmd.Wait()
			ts.Fatalf("it ended before it printed %q: %s", args[1], seen.String())
		}
	}
	ts.Check(cmd.Process.Signal(os.Interrupt))
	rest, err := io.ReadAll(out)
	ts.Check(err)
	_, err = io.WriteString(ts.Stdout(), seen.String()+string(rest))
	ts.Check(err)
	checkCode(ts, args[0], cmd.Wait())
}

// replace OLD NEW FROM TO copies a file with a text in it replaced, once.
func replace(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: replace OLD NEW FROM TO")
	}
	text := ts.ReadFile(args[2])
	if !strings.Contains(text, args[0]) {
		ts.Fatalf("%s does not hold %q", args[2], args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[3]), []byte(strings.Replace(text, args[0], args[1], 1)), 0o666))
}
