package main

import (
	"fmt"
	"io"
	"math"
	"sync"
	"time"

	"schedrepl/bindings"
	"schedrepl/engine/event"
)

// redraw is the least time between two drawings of the progress line.
const redraw = 200 * time.Millisecond

// progress is the line at the foot of a terminal that tells how far the run of
// a machine is. A nil progress shows nothing.
type progress struct {
	mu     sync.Mutex
	w      io.Writer
	now    func() time.Time
	width  func() int
	colour bool

	drawn time.Time // When it was drawn last; at first, when the program began.
	shown bool      // The line is on the screen.
	run   span      // The run of a machine that goes on.

	runs  bindings.RepeatProgress // How far a repeat is.
	began time.Time               // When its first run began.
}

// span is one run of a machine.
type span struct {
	from, now, limit event.Time
	began            time.Time // By the wall clock.
	first, events    uint64    // Events that the machine had handled at from, and now.
}

// newProgress returns the progress line of the process, or nil if nobody would
// see it, or it is not wanted.
func (p *process) newProgress(quiet bool) *progress {
	if quiet || !p.errTerm || p.getenv("TERM") == "dumb" {
		return nil
	}
	return &progress{w: p.stderr, now: p.now, width: p.width, colour: p.colour(p.errTerm), drawn: p.now()}
}

// callback is what a session calls while a machine runs; nil for no progress.
func (b *progress) callback() func(now, limit event.Time, events uint64) {
	if b == nil {
		return nil
	}
	return b.update
}

// update takes the state of the machine that runs, and shows it if the last
// drawing is long enough ago.
func (b *progress) update(now, limit event.Time, events uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.now()
	if r := &b.run; limit != r.limit || now < r.now || events < r.events {
		*r = span{from: now, limit: limit, began: t, first: events}
	}
	b.run.now, b.run.events = now, events
	if t.Sub(b.drawn) >= redraw {
		b.draw(t, b.run.line(t))
	}
}

// repeatCallback is what a session calls while the runs of a repeat go on; nil
// for no progress.
func (b *progress) repeatCallback() func(bindings.RepeatProgress) {
	if b == nil {
		return nil
	}
	return b.updateRepeat
}

// updateRepeat takes how far the runs of a repeat are, and shows it if the last
// drawing is long enough ago.
func (b *progress) updateRepeat(p bindings.RepeatProgress) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.now()
	if p.Done == 0 && p != b.runs || p.Done < b.runs.Done {
		b.began = t
	}
	b.runs = p
	if t.Sub(b.drawn) >= redraw {
		b.draw(t, repeatLine(p, t.Sub(b.began)))
	}
}

// repeatLine is "12 of 30 seeds (40%), 2 at once, 8s left".
func repeatLine(p bindings.RepeatProgress, spent time.Duration) string {
	s := p.String()
	if left := p.Left(spent); left > 0 && left < 1e6*time.Second {
		s += fmt.Sprintf(", %v left", time.Duration(math.Ceil(left.Seconds()))*time.Second)
	}
	if p.Text != "" {
		s += "; " + p.Text
	}
	return s
}

// draw puts a text on the line.
func (b *progress) draw(t time.Time, text string) {
	b.drawn, b.shown = t, true
	if n := b.width() - 1; n > 0 && len(text) > n {
		text = text[:n]
	}
	if b.colour {
		text = "\x1b[2m" + text + "\x1b[0m"
	}
	// A terminal that is gone is no reason to end the run.
	_, _ = io.WriteString(b.w, eraseLine+text)
}

const eraseLine = "\r\x1b[K"

// erase takes the line off the screen.
func (b *progress) erase() {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.eraseLocked()
}

func (b *progress) eraseLocked() {
	if b.shown {
		_, _ = io.WriteString(b.w, eraseLine)
		b.shown = false
	}
}

// line is "12.3s of 30s (41%), 1.2M events/s, 3s left".
func (r *span) line(t time.Time) string {
	at, limit := time.Duration(r.now), time.Duration(r.limit)
	s := fmt.Sprintf("%s of %s", seconds(at), seconds(limit))
	spent := t.Sub(r.began).Seconds()
	part := 0.0
	if r.limit > r.from {
		part = float64(r.now-r.from) / float64(r.limit-r.from)
		s += fmt.Sprintf(" (%d%%)", int(100*part))
	}
	if spent <= 0 {
		return s
	}
	s += fmt.Sprintf(", %s events/s", count(float64(r.events-r.first)/spent))
	if left := spent * (1 - part) / part; part > 0 && left < 1e6 {
		s += fmt.Sprintf(", %v left", time.Duration(math.Ceil(left))*time.Second)
	}
	return s
}

// seconds words a simulated time: coarse, so that the line does not flicker.
func seconds(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%dms", d.Milliseconds())
	}
	return fmt.Sprintf("%.1fs", d.Seconds())
}

// count words a number in three or four digits: 950, 12k, 3.4M.
func count(n float64) string {
	switch {
	case n < 1e3:
		return fmt.Sprintf("%.0f", n)
	case n < 1e6:
		return fmt.Sprintf("%.0fk", n/1e3)
	}
	return fmt.Sprintf("%.1fM", n/1e6)
}

// above returns a writer that takes the line off the screen before it writes,
// so that output to the same terminal stays whole.
func (b *progress) above(w io.Writer) io.Writer {
	if b == nil {
		return w
	}
	return &aboveWriter{b, w}
}

type aboveWriter struct {
	b *progress
	w io.Writer
}

func (a *aboveWriter) Write(p []byte) (int, error) {
	a.b.mu.Lock()
	defer a.b.mu.Unlock()
	a.b.eraseLocked()
	return a.w.Write(p)
}
