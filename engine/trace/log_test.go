package trace

import (
	"testing"

	"schedrepl/engine/event"
)

// TestLogLimit fills a log far beyond its limit: it must keep the newest
// records in order, say from when on it is complete, and clone to an equal.
func TestLogLimit(t *testing.T) {
	l := &Log{Limit: 5000}
	const n = 100_000
	for i := range n {
		l.Record(&Record{Time: event.Time(i), A: int64(i)})
	}
	if l.Total() != n {
		t.Errorf("took %d records, want %d", l.Total(), n)
	}
	if l.Len() < 5000-chunkRecords || l.Len() > 5000+chunkRecords {
		t.Errorf("keeps %d records, want about 5000", l.Len())
	}
	for _, log := range []*Log{l, l.Clone()} {
		next := int64(n - log.Len())
		if got := int64(log.Start()) + 1; got != next {
			t.Errorf("complete from %d on, want %d", got, next)
		}
		log.Each(func(r *Record) bool {
			if r.A != next {
				t.Fatalf("record %d where %d was due", r.A, next)
			}
			next++
			return true
		})
		if next != n {
			t.Errorf("ends before %d, want %d", next, n)
		}
	}
}

// TestLogAll keeps everything below the limit.
func TestLogAll(t *testing.T) {
	l := &Log{}
	for i := range 10_000 {
		l.Record(&Record{A: int64(i)})
	}
	n := int64(0)
	l.Each(func(r *Record) bool {
		if r.A != n {
			t.Fatalf("record %d where %d was due", r.A, n)
		}
		n++
		return true
	})
	if n != 10_000 || l.Start() != 0 {
		t.Errorf("%d records from %v on", n, l.Start())
	}
}

// TestRecorder: the digest does not depend on what is kept, nor on when it is
// asked for.
func TestRecorder(t *testing.T) {
	var want Digest
	all, some, none := NewRecorder(0), NewRecorder(2000), NewRecorder(-1)
	for i := range 10_000 {
		r := Record{Time: event.Time(i), A: int64(i * i), Kind: KindWakeup}
		want.Record(&r)
		for _, c := range []*Recorder{all, some, none} {
			*c.Next() = r
		}
		if i%777 == 0 && some.Digest() != want.String() {
			t.Fatalf("after %d records the digest is %s, want %s", i+1, some.Digest(), want.String())
		}
	}
	for i, c := range []*Recorder{all, some, none} {
		if c.Digest() != want.String() {
			t.Errorf("recorder %d: digest %s, want %s", i, c.Digest(), want.String())
		}
	}
	if none.Log() != nil || all.Log().Len() != 10_000 {
		t.Error("what is kept is not what was asked for")
	}
}

// TestNames: every reason, pick and kind has a name of its own.
func TestNames(t *testing.T) {
	seen := map[string]bool{}
	add := func(s string) {
		if s == "" || s == "unknown" || seen[s] {
			t.Errorf("name %q is missing or there twice", s)
		}
		seen[s] = true
	}
	for r := ReasonNone; r < reasonEnd; r++ {
		add("reason " + r.String())
	}
	for p := PickNone; p <= CPUForced; p++ {
		add("pick " + p.String())
	}
	for k := KindSwitch; k < kindEnd; k++ {
		add("kind " + k.String())
	}
}

// TestDigest: any field that changes must change the digest.
func TestDigest(t *testing.T) {
	base := Record{Time: 1, A: 2, B: 3, Task: 4, Other: 5, CPU: 6, Kind: 7, State: 8, Reason: 9, Pick: 10}
	sum := func(r Record) string {
		var d Digest
		d.Record(&r)
		return d.String()
	}
	for i, change := range []func(r *Record){
		func(r *Record) { r.Time++ }, func(r *Record) { r.A++ }, func(r *Record) { r.B++ },
		func(r *Record) { r.Task++ }, func(r *Record) { r.Other++ }, func(r *Record) { r.CPU++ },
		func(r *Record) { r.Kind++ }, func(r *Record) { r.State++ }, func(r *Record) { r.Reason++ },
		func(r *Record) { r.Pick++ },
	} {
		r := base
		change(&r)
		if sum(r) == sum(base) {
			t.Errorf("change %d leaves the digest as it is", i)
		}
	}
}
