package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"schedrepl/bindings"
	"schedrepl/engine/event"
)

// fakeProcess is a process without a world: buffers, no terminal, and a clock
// that the test sets.
func fakeProcess() (p *process, out, errs *bytes.Buffer, clock *time.Time) {
	out, errs, clock = &bytes.Buffer{}, &bytes.Buffer{}, new(time.Time)
	*clock = time.Unix(1e9, 0)
	p = &process{
		stdin: strings.NewReader(""), stdout: out, stderr: errs,
		width:    func() int { return 80 },
		getenv:   func(string) string { return "" },
		now:      func() time.Time { return *clock },
		notify:   func(chan<- os.Signal) {},
		unnotify: func(chan<- os.Signal) {},
		version:  "v1.2.3",
	}
	return p, out, errs, clock
}

// TestInProcess runs command lines within the test's own process.
func TestInProcess(t *testing.T) {
	for _, c := range []struct {
		args, stdin string
		code        int
		out, errs   string
	}{
		{"version", "", 0, "schedrepl v1.2.3\n", ""},
		{"--version", "", 0, "schedrepl v1.2.3\n", ""},
		{"run -", "print(2 * ms)", 0, "2ms\n", ""},
		{"run -", "check(False, 'no')", 3, "check failed: no (<stdin>:1)\n", "error: 1 of 1 check failed\n"},
		{"run - -p x=1", "print(1)", 2, "", "error: unknown parameter x: the script declares none\n"},
		{"run - --max-steps 50", "[i for i in range(9999)]", 1, "", "raise --max-steps"},
	} {
		p, out, errs, _ := fakeProcess()
		p.stdin = strings.NewReader(c.stdin)
		code := p.run(strings.Fields(c.args))
		if code != c.code || out.String() != c.out || !strings.Contains(errs.String(), c.errs) || c.errs == "" && errs.Len() > 0 {
			t.Errorf("schedrepl %s: code %d, out %q, stderr %q", c.args, code, out, errs)
		}
	}
}

// TestTwoInterrupts: the first Ctrl-C is ours, and gives the second back to the
// system before it does anything else, so that a program that hangs can be
// killed.
func TestTwoInterrupts(t *testing.T) {
	p, _, _, _ := fakeProcess()
	var c chan<- os.Signal
	given := false
	p.notify = func(ch chan<- os.Signal) { c = ch }
	p.unnotify = func(chan<- os.Signal) { given = true }
	called := make(chan bool)
	done := p.onInterrupt(func() { called <- given })
	c <- os.Interrupt
	select {
	case before := <-called:
		if !before {
			t.Error("it acts before it gives the next signal back")
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the signal did not arrive")
	}
	done()
}

// TestNoProgress: nobody is bothered who has not got a terminal.
func TestNoProgress(t *testing.T) {
	for _, c := range []struct {
		name  string
		set   func(p *process)
		quiet bool
		want  bool
	}{
		{"terminal", func(p *process) { p.errTerm = true }, false, true},
		{"quiet", func(p *process) { p.errTerm = true }, true, false},
		{"file", func(p *process) { p.outTerm = true }, false, false},
		{"dumb", func(p *process) {
			p.errTerm = true
			p.getenv = func(name string) string { return map[string]string{"TERM": "dumb"}[name] }
		}, false, false},
	} {
		p, _, _, _ := fakeProcess()
		c.set(p)
		b := p.newProgress(c.quiet)
		if (b != nil) != c.want {
			t.Errorf("%s: progress is shown: %v", c.name, b != nil)
		}
		if (b.callback() != nil) != c.want {
			t.Errorf("%s: the session is asked to report: %v", c.name, b.callback() != nil)
		}
		b.erase()
		if b == nil && b.above(p.stdout) != p.stdout {
			t.Errorf("%s: output takes a way round", c.name)
		}
	}
}

// TestProgress runs a machine for ten seconds by the wall clock: the line is
// drawn five times a second, makes way for output, and is gone at the end.
func TestProgress(t *testing.T) {
	p, _, errs, clock := fakeProcess()
	p.errTerm = true
	b := p.newProgress(false)
	update := b.callback()
	const steps = 1000
	for i := range steps {
		*clock = clock.Add(10 * time.Second / steps)
		update(event.Time(i)*event.Time(30*time.Millisecond), event.Time(30*time.Second), uint64(i)*1024)
	}
	s := errs.String()
	if n := strings.Count(s, "events/s"); n < 45 || n > 50 {
		t.Errorf("drawn %d times in 10 s", n)
	}
	if !strings.Contains(s, "\r\x1b[K\x1b[2m15.0s of 30.0s (49%), 102k events/s, 6s left\x1b[0m") {
		t.Errorf("the line in the middle is missing:\n%q", s)
	}
	errs.Reset()
	for _, text := range []string{"note: one\n", "note: two\n"} {
		if _, err := b.above(errs).Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	b.erase()
	if got := errs.String(); got != "\r\x1b[Knote: one\nnote: two\n" {
		t.Errorf("output beside the line: %q", got)
	}
	// A narrow terminal, no colour, and an end far away.
	b.width, b.colour = func() int { return 12 }, false
	errs.Reset()
	*clock = clock.Add(time.Second)
	update(0, event.Time(time.Hour), 0)
	b.erase()
	if got := errs.String(); got != "\r\x1b[K0ms of 3600\r\x1b[K" {
		t.Errorf("on a narrow terminal: %q", got)
	}
}

// TestProgressLine: what a line says of a run.
func TestProgressLine(t *testing.T) {
	began := time.Unix(1e9, 0)
	ms := event.Time(time.Millisecond)
	for _, c := range []struct {
		run   span
		spent time.Duration
		want  string
	}{
		{span{from: 0, now: 250 * ms, limit: 1000 * ms, events: 500}, time.Second, "250ms of 1.0s (25%), 500 events/s, 3s left"},
		{span{from: 2000 * ms, now: 3000 * ms, limit: 4000 * ms, first: 7e6, events: 9e6}, time.Second, "3.0s of 4.0s (50%), 2.0M events/s, 1s left"},
		{span{from: 0, now: 0, limit: 1000 * ms}, 0, "0ms of 1.0s (0%)"},
		{span{from: 5 * ms, now: 5 * ms, limit: 5 * ms, events: 50e3}, time.Second, "5ms of 5ms, 50k events/s"},
		{span{from: 0, now: ms, limit: event.Time(200 * 365 * 24 * time.Hour), events: 9}, time.Hour, "1ms of 6307200000.0s (0%), 0 events/s"},
		{span{from: 0, now: 1000 * ms, limit: 601_000 * ms, events: 9}, time.Second, "1.0s of 601.0s (0%), 9 events/s, 10m0s left"},
	} {
		c.run.began = began
		if got := c.run.line(began.Add(c.spent)); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// TestReport: each kind of error has its exit code.
func TestReport(t *testing.T) {
	for _, c := range []struct {
		err  error
		code int
		text string
	}{
		{nil, 0, ""},
		{silent(3), 3, ""},
		{&bindings.Error{Category: bindings.ScriptError, Msg: "m"}, 1, "error: m\n"},
		{&bindings.Error{Category: bindings.InternalError, Msg: "m", Hint: "h"}, 4, "error: m\nhint: h\n"},
		{&bindings.Error{Category: bindings.Interrupted, Msg: "interrupted"}, 130, "error: interrupted\n"},
		{os.ErrInvalid, 2, "error: invalid argument\nhint: see schedrepl --help\n"},
	} {
		p, _, errs, _ := fakeProcess()
		if code := p.report(c.err); code != c.code || errs.String() != c.text {
			t.Errorf("%v: code %d, %q", c.err, code, errs)
		}
	}
}
