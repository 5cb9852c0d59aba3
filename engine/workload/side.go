package workload

// side is what only some tasks need: counters of Repeat steps, pushed programs and
// open spans. It is made when a task first needs one and used again by others.
type side struct {
	counters []int64
	base     int32 // Where the counters of the program at hand begin.
	calls    []frame
	spans    []span
}

// frame is where a program goes on when the one pushed above it ends.
type frame struct {
	prog *Program
	pc   int32
	base int32
}

// sideOf returns the task's side, making one if it has none. The pointer holds until
// the next call.
func (it *Interp) sideOf(c *context) *side {
	if c.side == 0 {
		if n := len(it.free); n > 0 {
			c.side = it.free[n-1]
			it.free = it.free[:n-1]
		} else {
			if len(it.sides) == 0 {
				it.sides = append(it.sides, side{})
			}
			c.side = int32(len(it.sides))
			it.sides = append(it.sides, side{})
		}
	}
	return &it.sides[c.side]
}

// reset empties the side and keeps its memory, but no program.
func (s *side) reset() {
	clear(s.calls)
	*s = side{counters: s.counters, calls: s.calls[:0], spans: s.spans[:0]}
}

// reserve makes room for the counters of a program of the given depth.
func (s *side) reserve(depth int) {
	if need := int(s.base) + depth - len(s.counters); need > 0 {
		s.counters = append(s.counters, make([]int64, need)...)
	}
}

// ret goes back to the program that c's was pushed upon. It reports false if there is
// none.
func (s *side) ret(c *context) bool {
	last := len(s.calls) - 1
	if last < 0 {
		return false
	}
	f := s.calls[last]
	s.calls[last] = frame{}
	s.calls = s.calls[:last]
	c.prog, c.pc, s.base = f.prog, f.pc, f.base
	return true
}
