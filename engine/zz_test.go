package engine_test

import (
	"testing"

	"schedrepl/engine"
	"schedrepl/engine/trace"
)

func TestZZ(t *testing.T) {
	s := randomScenario(296)
	w := func(k int) *world {
		w, err := s.start(nil)
		if err != nil {
			t.Fatal(err)
		}
		if k&1 != 0 {
			w.m.SetPoll(func() error { return nil })
		}
		if k&2 != 0 {
			for _, kk := range []trace.Kind{trace.KindSwitch, trace.KindWakeup, trace.KindResched} {
				w.m.On(kk, func(trace.Record) error { return nil })
			}
		}
		if k&4 != 0 {
			w.m.AddSink(trace.NewText(discard{}, names{w.m}))
		}
		if err := w.run(); err != nil {
			t.Fatal(err)
		}
		return w
	}
	_ = engine.PreemptFull
	a := w(0)
	for k := 1; k < 8; k++ {
		b := w(k)
		d := firstDifference(a.m, b.m)
		if len(d) > 1500 {
			d = d[:1500]
		}
		t.Log(k, d)
	}
	t.Log(s)
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
