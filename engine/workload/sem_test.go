package workload

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"schedrepl/engine/rng"
)

func TestSemHandover(t *testing.T) {
	var it Interp
	o, _ := it.NewSem(1)
	for slot := range int32(3) {
		start(t, &it, slot, SemWait{o}, Nice{slot}, SemPost{o})
	}
	got := fmt.Sprint(follow(&it, 0, 0, 1), follow(&it, 1, 0, 1), follow(&it, 2, 0, 1))
	if want := "[nice 0] [block] [block]"; got != want {
		t.Fatalf("%s, want %s", got, want)
	}
	if obj, ok := it.Waiting(1); !ok || obj != o || it.SemWaiters(o) != 2 || it.SemCount(o) != 0 {
		t.Errorf("task 1 waits for %d (%v), %d waiters, count %d", obj, ok, it.SemWaiters(o), it.SemCount(o))
	}
	// What is handed over cannot be taken by the task that posted, and posts of the
	// woken one serve the next.
	got = fmt.Sprint(follow(&it, 0, 0, 2), follow(&it, 1, 0, 3), follow(&it, 2, 0, 2))
	if want := "[wake 1 exit 0] [nice 1 wake 2 exit 0] [nice 2 exit 0]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if it.SemCount(o) != 1 || it.SemWaiters(o) != 0 {
		t.Errorf("count %d with %d waiters at the end, want 1 and none", it.SemCount(o), it.SemWaiters(o))
	}
}

// TestSemRemembers shows that a wake of a task that does not wait is not lost.
func TestSemRemembers(t *testing.T) {
	var it Interp
	o, _ := it.NewSem(0)
	start(t, &it, 0, SemPost{o}, SemPost{o}, Yield{})
	start(t, &it, 1, SemWait{o}, SemWait{o}, Yield{}, SemWait{o})
	follow(&it, 0, 0, 1)
	if got, want := fmt.Sprint(follow(&it, 1, 0, 2)), "[yield block]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if slot := it.Post(o); slot != 1 {
		t.Errorf("post woke %d, want 1", slot)
	}
	if slot := it.Post(o); slot != NoTask || it.SemCount(o) != 1 {
		t.Errorf("post woke %d and left the count %d, want nobody and 1", slot, it.SemCount(o))
	}
}

// TestSemStop shows that the others keep their order when a waiter is stopped, be it
// the first, one between or the last, and that its slot can wait again.
func TestSemStop(t *testing.T) {
	for stopped := range int32(3) {
		var it Interp
		o, _ := it.NewSem(0)
		wait := func(slot int32) {
			start(t, &it, slot, Loop{[]Step{SemWait{o}, Yield{}}})
			follow(&it, slot, 0, 1)
		}
		var want []int32
		for slot := range int32(3) {
			wait(slot)
			if slot != stopped {
				want = append(want, slot)
			}
		}
		it.Stop(stopped)
		wait(3)
		wait(stopped)
		want = append(want, 3, stopped)
		for range 2 { // Once more after all have waited anew.
			var got []int32
			for range want {
				got = append(got, it.Post(o))
			}
			if !slices.Equal(got, want) || it.Post(o) != NoTask {
				t.Errorf("%d stopped: woken %v, want %v", stopped, got, want)
			}
			follow(&it, want[0], 0, 2) // Takes what the last post left.
			slices.Reverse(want)
			for _, slot := range want {
				for next(&it, slot, 0).Op != OpBlock {
				}
			}
		}
	}
}

// semModel is the obvious model: counts, queues as slices, and each task as the list
// of its steps and an index.
type semModel struct {
	counts []int64
	queues [][]int32
	tasks  map[int32]*semTask
}

type semTask struct {
	steps []Step
	at    int
}

func (m *semModel) post(o int) (woken int32) {
	if q := m.queues[o]; len(q) > 0 {
		m.queues[o] = q[1:]
		return q[0]
	}
	m.counts[o]++
	return NoTask
}

func (m *semModel) next(slot int32) string {
	tk := m.tasks[slot]
	for {
		step := tk.steps[tk.at]
		tk.at = (tk.at + 1) % len(tk.steps)
		switch step := step.(type) {
		case SemWait:
			if m.counts[step.Obj] == 0 {
				m.queues[step.Obj] = append(m.queues[step.Obj], slot)
				return "block"
			}
			m.counts[step.Obj]--
		case SemPost:
			if woken := m.post(int(step.Obj)); woken != NoTask {
				return fmt.Sprintf("wake %d", woken)
			}
		default:
			return "yield"
		}
	}
}

func (m *semModel) waits(slot int32) bool {
	return slices.ContainsFunc(m.queues, func(q []int32) bool { return slices.Contains(q, slot) })
}

// TestSemAgainstModel runs random programs of waits and posts in a random order, with
// tasks started, stopped and cloned in between.
func TestSemAgainstModel(t *testing.T) {
	const objs, slotCount = 2, 5
	rapid.Check(t, func(t *rapid.T) {
		it := &Interp{}
		m := &semModel{queues: make([][]int32, objs), tasks: map[int32]*semTask{}}
		for o := range objs {
			n := rapid.Int64Range(0, 1).Draw(t, "count")
			if id, err := it.NewSem(n); err != nil || int(id) != o {
				t.Fatal(id, err)
			}
			m.counts = append(m.counts, n)
		}
		obj := rapid.IntRange(0, objs-1)
		// pick draws one of the slots that are as wanted, NoTask if there is none.
		pick := func(t *rapid.T, wanted func(slot int32) bool) int32 {
			var slots []int32
			for sl := range int32(slotCount) {
				if wanted(sl) {
					slots = append(slots, sl)
				}
			}
			if slots == nil {
				return NoTask
			}
			return rapid.SampledFrom(slots).Draw(t, "slot")
		}
		// turn lets a task that does not wait take a step in both.
		turn := func(t *rapid.T) {
			sl := pick(t, func(sl int32) bool { return m.tasks[sl] != nil && !m.waits(sl) })
			if sl == NoTask {
				return
			}
			if got, want := next(it, sl, 0).String(), m.next(sl); got != want {
				t.Fatalf("slot %d: %s, want %s", sl, got, want)
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"start": func(t *rapid.T) {
				sl := pick(t, func(sl int32) bool { return m.tasks[sl] == nil })
				if sl == NoTask {
					return
				}
				var steps []Step
				for range rapid.IntRange(0, 5).Draw(t, "steps") {
					o := ObjID(obj.Draw(t, "obj"))
					if rapid.IntRange(0, 2).Draw(t, "wait") > 0 {
						steps = append(steps, SemWait{o})
					} else {
						steps = append(steps, SemPost{o})
					}
				}
				steps = append(steps, Yield{})
				p, err := Compile([]Step{Loop{steps}})
				if err != nil {
					t.Fatal(err)
				}
				if err := it.Start(sl, p, rng.Seed(sl)); err != nil {
					t.Fatal(err)
				}
				m.tasks[sl] = &semTask{steps: steps}
			},
			"stop": func(t *rapid.T) {
				sl := pick(t, func(sl int32) bool { return m.tasks[sl] != nil })
				if sl == NoTask {
					return
				}
				it.Stop(sl)
				delete(m.tasks, sl)
				for o, q := range m.queues {
					m.queues[o] = slices.DeleteFunc(slices.Clone(q), func(w int32) bool { return w == sl })
				}
			},
			"next": func(t *rapid.T) {
				for range 5 {
					turn(t)
				}
			},
			"post": func(t *rapid.T) {
				o := obj.Draw(t, "obj")
				if got, want := it.Post(ObjID(o)), m.post(o); got != want {
					t.Fatalf("post woke %d, want %d", got, want)
				}
			},
			"clone": func(t *rapid.T) { it = it.Clone() },
			"": func(t *rapid.T) {
				for o := range objs {
					id := ObjID(o)
					if it.SemCount(id) != m.counts[o] || it.SemWaiters(id) != len(m.queues[o]) {
						t.Fatalf("semaphore %d: count %d with %d waiters, want %d with %d", o,
							it.SemCount(id), it.SemWaiters(id), m.counts[o], len(m.queues[o]))
					}
				}
				for sl := range int32(slotCount) {
					if it.Running(sl) != (m.tasks[sl] != nil) {
						t.Fatalf("slot %d runs: %v", sl, it.Running(sl))
					}
					if it.Running(sl) {
						if _, ok := it.Waiting(sl); ok != m.waits(sl) {
							t.Fatalf("slot %d waits: %v", sl, ok)
						}
					}
				}
			},
		})
	})
}
