package event

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// pending is one event of the model, a slice kept sorted by the contract.
type pending struct {
	id          ID
	cpu         int
	phase       Phase
	at, armedAt Time
	call        int
}

func contract(a, b pending) int {
	return cmp.Or(
		cmp.Compare(a.at, b.at),
		cmp.Compare(a.cpu, b.cpu),
		cmp.Compare(a.phase, b.phase),
		cmp.Compare(a.armedAt, b.armedAt),
		cmp.Compare(a.call, b.call),
		cmp.Compare(a.id, b.id),
	)
}

// eras are the times around which events are armed: within the reach of a key
// of each other, at its edges, and beyond.
var eras = []int64{0, 0, 0, span / 2, span - 1, span, 3 * span, math.MaxInt64 - 4}

// checkHeap tests what the queue promises itself.
func checkHeap(t *rapid.T, q *Queue) {
	n := 0
	for _, p := range q.pos {
		if p != 0 {
			n++
		}
	}
	if n != q.Len() {
		t.Fatalf("%d positions for %d nodes", n, q.Len())
	}
	for i := range q.heap {
		if i == 0 && q.hole {
			continue
		}
		nd := &q.heap[i]
		if i >= q.n {
			if nd.key != blank {
				t.Fatalf("behind %d nodes, %d is not blank", q.n, i)
			}
			continue
		}
		if q.pos[nd.id] != int32(i+1) {
			t.Fatalf("event %d is at %d, not at %d", nd.id, i, q.pos[nd.id]-1)
		}
		if parent := (i - 1) / 4; i > 0 && !(parent == 0 && q.hole) && q.less(nd, &q.heap[(i-1)/4]) {
			t.Fatalf("node %d is before its parent", i)
		}
	}
}

// TestModel runs random operations beside a sorted slice. Times, CPUs and
// moments of arming are few, so that every part of the order has to decide.
func TestModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := &Queue{}
		var model []pending
		calls := 0
		var saved []uint64
		maxID := rapid.SampledFrom([]int32{3, 12, 60}).Draw(t, "ids")
		drop := func(id ID) {
			model = slices.DeleteFunc(model, func(p pending) bool { return p.id == id })
		}
		pop := func() {
			if len(model) == 0 {
				return
			}
			w := model[0]
			id, at, cpu, phase, ok := q.Peek()
			if !ok || id != w.id || at != w.at || cpu != w.cpu || phase != w.phase {
				t.Fatalf("Peek = %d %v %d %v %v, want %+v", id, at, cpu, phase, ok, w)
			}
			if id := q.Pop(); id != w.id {
				t.Fatalf("Pop = %d, want %+v", id, w)
			}
			model = model[1:]
			asked := []pending{w}
			if len(model) > 0 {
				asked = append(asked, rapid.SampledFrom(model).Draw(t, "asked"))
			}
			for _, a := range asked {
				more := len(model) > 0 && model[0].at == a.at && model[0].cpu == a.cpu
				if id, ok := q.Next(a.at, a.cpu); ok != more || ok && id != model[0].id {
					t.Fatalf("Next(%v, %d) = %d %v, of %+v", a.at, a.cpu, id, ok, model)
				}
			}
		}
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			id := ID(rapid.Int32Range(0, maxID).Draw(t, "id"))
			q.Grow(int(id) + 1)
			switch op := rapid.IntRange(0, 9).Draw(t, "op"); {
			case op < 6:
				p := pending{
					id:      id,
					cpu:     rapid.SampledFrom([]int{0, 1, 2, MaxCPUs - 1}).Draw(t, "cpu"),
					phase:   Phase(rapid.IntRange(0, int(Program)).Draw(t, "phase")),
					at:      Time(rapid.Int64Range(-1, 3).Draw(t, "at")) + Time(rapid.SampledFrom(eras).Draw(t, "era")),
					armedAt: Time(rapid.Int64Range(-1, 1).Draw(t, "armedAt")),
					call:    calls,
				}
				calls++
				drop(id)
				if op == 0 {
					// A number taken now, used after others of later calls.
					saved = append(saved, q.TakeSeq())
					p.call = int(saved[0])
					saved = saved[len(saved)/3:]
					q.ArmAs(p.id, p.cpu, p.phase, p.at, p.armedAt, uint64(p.call))
				} else {
					q.Arm(p.id, p.cpu, p.phase, p.at, p.armedAt)
				}
				model = append(model, p)
				slices.SortFunc(model, contract)
			case op < 7:
				drop(id)
				q.Disarm(id)
			case op < 9:
				pop()
			default:
				old := q
				q = q.Clone()
				for old.Len() > 0 {
					old.Pop()
				}
			}
			checkHeap(t, q)
			if q.Len() != len(model) {
				t.Fatalf("Len = %d, want %d", q.Len(), len(model))
			}
			i := slices.IndexFunc(model, func(p pending) bool { return p.id == id })
			at, ok := q.Armed(id)
			if ok != (i >= 0) || ok && at != model[i].at {
				t.Fatalf("Armed(%d) = %v, %v", id, at, ok)
			}
		}
		for len(model) > 0 {
			pop()
		}
		if _, _, _, _, ok := q.Peek(); ok {
			t.Fatal("the queue is not empty")
		}
	})
}

// TestOrder shows each rule of the contract by itself.
func TestOrder(t *testing.T) {
	type ev struct {
		cpu         int
		phase       Phase
		at, armedAt Time
	}
	tests := []struct {
		rule          string
		first, second ev
	}{
		{"time before CPU", ev{9, Program, 1, 1}, ev{0, Timer, 2, 0}},
		{"CPU before phase", ev{1, Program, 5, 1}, ev{2, Timer, 5, 0}},
		{"timer before softirq", ev{1, Timer, 5, 1}, ev{1, SoftIRQ, 5, 0}},
		{"softirq before control", ev{1, SoftIRQ, 5, 1}, ev{1, Control, 5, 0}},
		{"control before program", ev{1, Control, 5, 1}, ev{1, Program, 5, 0}},
		{"moment of arming", ev{1, Timer, 5, 1}, ev{1, Timer, 5, 2}},
	}
	for _, tt := range tests {
		for _, swap := range []bool{false, true} {
			var q Queue
			q.Grow(2)
			arm := func(id ID, e ev) { q.Arm(id, e.cpu, e.phase, e.at, e.armedAt) }
			// The later one has the lower id, and once also the earlier call.
			if swap {
				arm(0, tt.second)
				arm(1, tt.first)
			} else {
				arm(1, tt.first)
				arm(0, tt.second)
			}
			if id := q.Pop(); id != 1 {
				t.Errorf("%s (swap %v): the wrong one came first", tt.rule, swap)
			}
		}
	}
	var q Queue
	q.Grow(2)
	q.Arm(0, 0, Timer, 5, 0)
	q.Arm(1, 0, Timer, 5, 0)
	q.Arm(0, 0, Timer, 5, 0) // Armed anew, so it is the younger one.
	if id := q.Pop(); id != 1 {
		t.Error("order of the calls to Arm: the wrong one came first")
	}
}

func TestLastByID(t *testing.T) {
	q := &Queue{}
	q.Grow(2)
	seq := q.TakeSeq()
	q.ArmAs(1, 0, Timer, 5, 0, seq)
	q.ArmAs(0, 0, Timer, 5, 0, seq)
	if id := q.Pop(); id != 0 {
		t.Errorf("equal in all else: %d came first, want 0", id)
	}
}

func TestPanics(t *testing.T) {
	for name, f := range map[string]func(q *Queue){
		"CPU too high":  func(q *Queue) { q.Arm(0, MaxCPUs, Timer, 0, 0) },
		"CPU negative":  func(q *Queue) { q.Arm(0, -1, Timer, 0, 0) },
		"phase":         func(q *Queue) { q.Arm(0, 0, 8, 0, 0) },
		"id not grown":  func(q *Queue) { q.Arm(1, 0, Timer, 0, 0) },
		"pop if empty":  func(q *Queue) { q.Pop() },
		"disarm beyond": func(q *Queue) { q.Disarm(1) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			q := &Queue{}
			q.Grow(1)
			f(q)
		})
	}
}

func TestTimeString(t *testing.T) {
	tests := []struct {
		t    Time
		want string
	}{
		{0, "0s"}, {1, "1ns"}, {999, "999ns"}, {1000, "1us"}, {1500, "1.5us"}, {1001, "1.001us"},
		{4_000_000, "4ms"}, {999_999_999, "999.999999ms"}, {12_000_001_000, "12.000001s"},
		{90_000_000_000, "90s"}, {-1500, "-1.5us"}, {-1 << 63, "-9223372036.854775808s"}, {Never, "never"},
	}
	for _, tt := range tests {
		if got := tt.t.String(); got != tt.want {
			t.Errorf("%d: %q, want %q", int64(tt.t), got, tt.want)
		}
	}
	if d := Time(7).Add(3).Sub(4); d != 6 {
		t.Errorf("7+3-4 = %d", d)
	}
	if !Time(1).Before(2) || Time(2).Before(2) || Time(1).After(2) || !Time(3).After(2) {
		t.Error("Before or After")
	}
}

// mix is a load like a simulator's: a 4 ms tick and a slice end on each CPU, a
// sleep timer for each task, and an eighth of the wakeups re-arms another timer.
type mix struct {
	q     Queue
	cpus  int
	tasks int
	now   Time
	rnd   uint64
}

func newMix(cpus, tasks int) *mix {
	m := &mix{cpus: cpus, tasks: tasks}
	m.q.Grow(2*cpus + tasks)
	for c := range cpus {
		m.q.Arm(ID(c), c, Timer, Time(c*4_000_000/cpus), 0)
		m.q.Arm(ID(cpus+c), c, Timer, Time(3_000_000+c*37), 0)
	}
	for k := range tasks {
		m.q.Arm(ID(2*cpus+k), k%cpus, Timer, m.sleep(), 0)
	}
	return m
}

// sleep draws a span log-uniform between 50 us and 8 ms, at times up to 1 s.
func (m *mix) sleep() Time {
	m.rnd = m.rnd*6364136223846793005 + 1442695040888963407
	r := m.rnd >> 20
	octave := r % 8
	if r>>10%64 == 0 {
		octave = 14
	}
	return 50_000<<octave + Time(r>>16%50_000)<<octave
}

func (m *mix) step() {
	_, at, cpu, _, _ := m.q.Peek()
	id := int(m.q.Pop())
	m.now = at
	switch {
	case id < m.cpus:
		m.q.Arm(ID(id), cpu, Timer, at+4_000_000, at)
	case id < 2*m.cpus:
		m.q.Arm(ID(id), cpu, Timer, at+3_000_000, at)
	default:
		m.q.Arm(ID(id), cpu, Timer, at+m.sleep(), at)
		if m.rnd>>40&1 == 0 {
			m.q.Arm(ID(m.cpus+cpu), cpu, Timer, at+3_000_000, at)
		}
		if m.rnd>>41&7 == 0 {
			other := 2*m.cpus + int(m.rnd>>24%uint64(m.tasks))
			m.q.Disarm(ID(other))
			m.q.Arm(ID(other), cpu, Timer, at+m.sleep(), at)
		}
	}
}

func TestNoAllocation(t *testing.T) {
	m := newMix(4, 16)
	if n := testing.AllocsPerRun(1000, m.step); n != 0 {
		t.Errorf("%v allocations in a step", n)
	}
}

func BenchmarkMix(b *testing.B) {
	for _, size := range [][2]int{{4, 16}, {64, 1000}, {1024, 100_000}} {
		b.Run(fmt.Sprintf("%d/%d", size[0], size[1]), func(b *testing.B) {
			m := newMix(size[0], size[1])
			for range 2 * size[1] {
				m.step()
			}
			for b.Loop() {
				m.step()
			}
		})
	}
}
