package workload

import (
	"slices"

	"schedrepl/engine/event"
)

// span is an open span.
type span struct {
	name  int32
	since event.Time
}

// begin opens the span that the instruction names, anew if it is open, and says so
// in a.
func (it *Interp) begin(c *context, in *instr, now event.Time, a *Action) {
	since := now
	if in.flag != 0 && c.expiry != event.Never {
		since = c.expiry
	}
	name := it.Intern(c.prog.names[in.a])
	*a = Action{Op: OpBegin, N: name, Since: since}
	s := it.sideOf(c)
	for i := range s.spans {
		if s.spans[i].name == name {
			s.spans[i].since = since
			return
		}
	}
	s.spans = append(s.spans, span{name, since})
}

// end closes the span that the instruction names, and says in a how long it was or
// that it was not open.
func (it *Interp) end(c *context, in *instr, now event.Time, a *Action) {
	name := it.Intern(c.prog.names[in.a])
	if c.side != 0 {
		s := &it.sides[c.side]
		for i, open := range s.spans {
			if open.name == name {
				last := len(s.spans) - 1
				s.spans[i] = s.spans[last]
				s.spans = s.spans[:last]
				*a = Action{Op: OpEnd, N: name, Since: open.since, D: int64(now - open.since)}
				return
			}
		}
	}
	*a = Action{Op: OpEndUnmatched, N: name}
}

// Inherit opens the spans in the child that are open in the parent, with their
// beginnings, so that the child's End can close what its parent began. Call it
// between the child's Start and its first Next.
func (it *Interp) Inherit(child, parent int32) {
	from, to := it.running(parent), it.running(child)
	if from.side == 0 || len(it.sides[from.side].spans) == 0 {
		return
	}
	s := it.sideOf(to) // May move the sides.
	s.spans = append(s.spans[:0], it.sides[from.side].spans...)
}

// Intern returns the id of a span's name, a new one if the name is new here. Ids
// count from 0 in the order in which this machine's tasks come to the names.
func (it *Interp) Intern(name string) int32 {
	if id, ok := it.byName[name]; ok {
		return id
	}
	if it.byName == nil {
		it.byName = make(map[string]int32)
	}
	id := int32(len(it.names))
	it.byName[name] = id
	it.names = append(it.names, name)
	return id
}

// Name returns the name of a span's id.
func (it *Interp) Name(id int32) string { return it.names[id] }

// Names returns the names of all spans begun or ended so far, by id.
func (it *Interp) Names() []string { return slices.Clone(it.names) }
