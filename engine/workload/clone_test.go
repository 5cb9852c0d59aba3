package workload

import (
	"fmt"
	"reflect"
	"testing"

	"schedrepl/engine/event"
	"schedrepl/engine/rng"
)

// busy is an interpreter in the midst of everything that it can hold.
func busy(t testing.TB) *Interp {
	it := &Interp{}
	o, _ := it.NewSem(0)
	work := mustCompile(t, Loop{[]Step{
		Begin{Name: "a"},
		Repeat{Uniform(1, 9), []Step{Run{For: Exponential(ms)}, Call{0}, Sleep{Normal(ms, ms)}}},
		End{"a"},
		Timer{5 * ms},
	}})
	pushed := mustCompile(t, Repeat{Count(3), []Step{Begin{Name: "b"}, Nice{1}}}, Yield{})
	for slot := range int32(4) {
		if err := it.Start(slot, work, rng.Seed(slot)); err != nil {
			t.Fatal(err)
		}
		for range slot {
			if a := next(it, slot, 0); a.Op == OpCall {
				it.Push(slot, pushed)
			}
		}
	}
	start(t, it, 4, SemWait{o})
	start(t, it, 5, SemWait{o})
	follow(it, 4, 0, 1)
	follow(it, 5, 0, 1)
	it.Stop(0)
	return it
}

// goOn uses the interpreter for a while and returns what it said.
func goOn(it *Interp) (text string) {
	for i := range 300 {
		text += next(it, int32(i%3)+1, event.Time(i)*event.Time(ms)).String() + "\n"
	}
	return text + fmt.Sprint(it.Post(0), it.Post(0), it.Post(0))
}

func TestClone(t *testing.T) {
	it, twin := busy(t), busy(t)
	copied := it.Clone()
	if !reflect.DeepEqual(it, copied) {
		t.Fatal("the clone differs")
	}
	want := goOn(twin)
	if got := goOn(copied); got != want {
		t.Error("the clone goes on otherwise than the original would")
	}
	// The original has seen nothing of it.
	if !reflect.DeepEqual(it, busy(t)) {
		t.Error("what the clone did changed the original")
	}
	if got := goOn(it); got != want {
		t.Error("the original goes on otherwise after it was cloned")
	}
}
