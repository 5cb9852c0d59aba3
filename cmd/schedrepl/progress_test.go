package main

import (
	"strings"
	"testing"
	"time"

	"schedrepl/bindings"
)

// TestRepeatProgress: 40 runs of a quarter of a second each, on two CPUs, and a
// second repeat after them, whose time counts from its own beginning.
func TestRepeatProgress(t *testing.T) {
	p, _, errs, clock := fakeProcess()
	p.errTerm = true
	b := p.newProgress(false)
	update := b.repeatCallback()
	for range 2 {
		errs.Reset()
		for done := range 40 {
			for range 5 { // Machines tell that they are alive.
				update(bindings.RepeatProgress{Done: done, Of: 40, Jobs: 2, Variants: 1})
				*clock = clock.Add(50 * time.Millisecond)
			}
		}
		s := errs.String()
		if n := strings.Count(s, "at once"); n < 45 || n > 51 {
			t.Errorf("drawn %d times in 10 s", n)
		}
		if !strings.Contains(s, "\r\x1b[K\x1b[2m10 of 40 seeds (25%), 2 at once, 8s left\x1b[0m") {
			t.Errorf("the line after a quarter is missing:\n%q", s)
		}
	}
	b.erase()
	if !strings.HasSuffix(errs.String(), eraseLine) {
		t.Error("the line stays")
	}
	if q := (*progress)(nil); q.repeatCallback() != nil {
		t.Error("the session is asked to report where nobody looks")
	}
}

// TestRepeatLine: what a line says of the runs of a repeat.
func TestRepeatLine(t *testing.T) {
	for _, c := range []struct {
		p     bindings.RepeatProgress
		spent time.Duration
		want  string
	}{
		{bindings.RepeatProgress{Of: 1, Jobs: 1, Variants: 1}, 0, "0 of 1 seed (0%)"},
		{bindings.RepeatProgress{Done: 12, Of: 30, Jobs: 2, Variants: 1}, 8 * time.Second, "12 of 30 seeds (40%), 2 at once, 12s left"},
		{bindings.RepeatProgress{Done: 30, Of: 30, Jobs: 2, Variants: 1}, 8 * time.Second, "30 of 30 seeds (100%), 2 at once"},
		{bindings.RepeatProgress{Done: 3, Of: 120, Jobs: 1, Variants: 4}, time.Minute, "3 of 120 runs (2%), 39m0s left"},
		{
			bindings.RepeatProgress{Done: 12, Of: 24, Jobs: 8, Variants: 1, Text: "mean of wait 3.2ms +-4.1%, 2% wanted"}, time.Second,
			"12 of about 24 seeds (50%), 8 at once, 1s left; mean of wait 3.2ms +-4.1%, 2% wanted",
		},
	} {
		if got := repeatLine(c.p, c.spent); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}
