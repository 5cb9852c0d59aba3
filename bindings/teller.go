package bindings

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"schedrepl/engine/event"
)

// RepeatProgress tells how far the runs of repeat are.
type RepeatProgress struct {
	Done     int    // Runs that have ended.
	Of       int    // Runs in all; with a stop rule, as many as it is likely to take.
	Jobs     int    // Runs that go on at once.
	Variants int    // Runs of one seed; 1 where nothing is varied.
	Text     string // What a stop rule knows so far; empty without one.
}

// String says it in one line: "12 of 30 seeds (40%), 2 at once".
func (p RepeatProgress) String() string {
	what, about := "seed", ""
	if p.Variants > 1 {
		what = "run"
	}
	if p.Text != "" {
		about = "about "
	}
	b := &strings.Builder{}
	fmt.Fprintf(b, "%d of %s%s", p.Done, about, plural(p.Of, what))
	if p.Of > 0 {
		fmt.Fprintf(b, " (%d%%)", 100*p.Done/p.Of)
	}
	if p.Jobs > 1 {
		fmt.Fprintf(b, ", %d at once", p.Jobs)
	}
	return b.String()
}

// Left estimates the time that is left after some was spent; 0 if nothing is
// known.
func (p RepeatProgress) Left(spent time.Duration) time.Duration {
	if p.Done == 0 || p.Done >= p.Of {
		return 0
	}
	return time.Duration(float64(spent) * float64(p.Of-p.Done) / float64(p.Done))
}

// repeatTeller tells a front end of the progress of a repeat. Machines of all
// runs tell it that they are alive. nil tells nobody.
type repeatTeller struct {
	mu   sync.Mutex
	to   func(RepeatProgress)
	now  RepeatProgress
	over bool
}

func newRepeatTeller(to func(RepeatProgress), p RepeatProgress) *repeatTeller {
	if to == nil {
		return nil
	}
	return &repeatTeller{to: to, now: p}
}

// counts tells how many runs have ended.
func (t *repeatTeller) counts(_, ended int) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.now.Done = ended
	t.now.Of = max(t.now.Of, ended)
	t.to(t.now)
}

// rule tells what a stop rule knows after some runs.
func (t *repeatTeller) rule(w *watch, taken, most int) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.now.Of = max(min(taken+w.more()*t.now.Variants, most), t.now.Done)
	t.now.Text = w.text()
}

// machine is what machines of the runs call as Options.Progress.
func (t *repeatTeller) machine() func(now, limit event.Time, events uint64) {
	if t == nil {
		return nil
	}
	return func(_, _ event.Time, _ uint64) {
		t.mu.Lock()
		defer t.mu.Unlock()
		if !t.over { // A run that was dropped may go on for a moment.
			t.to(t.now)
		}
	}
}

// end says that no more will be told.
func (t *repeatTeller) end() {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.over = true
}
