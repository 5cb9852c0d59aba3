package repl

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// interruptible waits until code runs, sends Ctrl-C, and tells how long the code
// goes on.
func interruptible(t *testing.T, before []string, code string, after ...string) (time.Duration, string, string, *bench) {
	t.Helper()
	b := newBench(t)
	started := make(chan bool, 100)
	var pressed, ended time.Time
	runs := 0
	b.config = func(c *Config) {
		c.Begin = func() { started <- true }
		c.End = func() {
			if runs++; runs == len(before)+1 {
				ended = time.Now()
			}
		}
	}
	go func() {
		for range len(before) + 1 {
			<-started
		}
		time.Sleep(150 * time.Millisecond) // It is well under way.
		pressed = time.Now()
		b.mu.Lock()
		c := b.signals
		b.mu.Unlock()
		c <- os.Interrupt
	}()
	out, errs := b.run(append(append(before, code), after...)...)
	if b.ed.drops != 1 {
		t.Errorf("what was typed ahead was dropped %d times", b.ed.drops)
	}
	return ended.Sub(pressed), out, errs, b
}

// Ctrl-C stops what runs within 100 ms, and the session goes on as it was.
func TestInterrupt(t *testing.T) {
	machine := []string{"m = machine(topo.smp(4))", "for i in range(12):\n    m.spawn('hog', work.loop([work.run(200 * us), work.sleep(100 * us)]))"}
	for _, c := range []struct {
		name   string
		before []string
		code   string
		after  []string
		out    string
	}{
		{"an endless loop", []string{"x = 1"}, "while True: pass", []string{"x"}, "1\n"},
		{"an endless run", machine, "m.run(100000 * sec)", []string{"before = m.now", "m.run(5 * ms)", "m.now == before + 5 * ms", "m.check_invariants()"}, "True\n"},
		{"a busy machine of one task", []string{"m = machine(topo.smp(1))", "h = m.spawn('hog', work.loop([work.run(1 * us), work.yield_()]))"}, "m.run(100000 * sec)", []string{"h.exited"}, "False\n"},
		{"a run until", machine, "m.run_until(lambda m: False, limit = 100000 * sec)", []string{"m.now > 0 * ms"}, "True\n"},
		{"repeat", []string{"def e(seed):\n    m = machine(topo.smp(2))\n    m.spawn('hog', work.loop([work.run(200 * us), work.sleep(100 * us)]))\n    m.run(100000 * sec)\n    return 1"}, "repeat(e, seeds = 4)", []string{"2"}, "2\n"},
		{"a script", []string{"x = 1"}, "%run forever.star", []string{"begun"}, "1\n"},
		{"a comprehension", []string{"x = 1"}, "[1 for i in range(100000) for j in range(100000) if i < 0]", []string{"x"}, "1\n"},
		{"%time", []string{"x = 1"}, "%time while True: pass", []string{"x"}, "1\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "a script" {
				dir := t.TempDir()
				if err := os.WriteFile(filepath.Join(dir, "forever.star"), []byte("begun = 1\nwhile True:\n    pass\n"), 0o666); err != nil {
					t.Fatal(err)
				}
				c.code = "%run " + filepath.Join(dir, "forever.star")
			}
			took, out, errs, _ := interruptible(t, c.before, c.code, c.after...)
			t.Logf("stopped after %v", took)
			if took > 100*time.Millisecond {
				t.Errorf("it took %v to stop", took)
			}
			if !strings.HasSuffix(out, c.out) || !strings.Contains(errs, "error: interrupted") {
				t.Errorf("out %q, errors %q", out, errs)
			}
		})
	}
}

// Ctrl-C while nothing runs is no end; three of them in a call that does not
// look are, but not if they come at once.
func TestSignals(t *testing.T) {
	b := newBench(t)
	now := time.Unix(1e9, 0)
	b.config = func(c *Config) { c.Now = func() time.Time { return now }; c.Notify = nil }
	b.run("1")
	g := newSignals(b.r)
	press := func(after time.Duration) {
		now = now.Add(after)
		g.handle(os.Interrupt)
	}
	press(0)
	press(time.Second)
	g.running(true)
	press(0)
	for range 10 {
		press(20 * time.Millisecond) // The key repeats.
	}
	if text := b.err.String(); strings.Contains(text, "not stopped yet") {
		t.Errorf("it says %q too early", text)
	}
	press(200 * time.Millisecond)
	if text := b.err.String(); !strings.Contains(text, "press Ctrl-C once more to leave") {
		t.Errorf("it says %q", text)
	}
	press(200 * time.Millisecond)
	exits := func() int { b.mu.Lock(); defer b.mu.Unlock(); return len(b.exits) }
	time.Sleep(20 * time.Millisecond)
	if exits() != 0 {
		t.Error("it left before a second was over")
	}
	press(time.Second)
	for range 500 {
		if exits() > 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if !slices.Equal(b.exits, []int{130}) {
		t.Errorf("exits %v", b.exits)
	}
	b.mu.Unlock()
	g.handle(syscall.SIGTERM)
	b.mu.Lock()
	if !slices.Equal(b.exits, []int{130, 143}) {
		t.Errorf("exits %v after SIGTERM", b.exits)
	}
}
