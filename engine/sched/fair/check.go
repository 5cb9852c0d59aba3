package fair

import "fmt"

// Check verifies the class's invariants: loads and counts of every queue are
// the sums over what is queued, tree keys are the entities' vruntimes, a
// group's entity is queued exactly while its queue is not empty, and slices that
// are kept are those that would be worked out now.
func (c *Class) Check() error {
	type sum struct {
		load   int64
		nr     int32
		inTree int
	}
	sums := make([]sum, len(c.q))
	for i := range c.ent {
		e := &c.ent[i]
		if !e.on {
			if e.my != none && c.q[e.my].nr > 0 {
				return fmt.Errorf("fair: group entity %d is not queued but has %d entities", i, c.q[e.my].nr)
			}
			continue
		}
		s := &sums[e.q]
		s.load += e.w()
		s.nr++
		runs := c.q[e.q].curr == int32(i)
		if runs == c.arena.Contains(int32(i)) {
			return fmt.Errorf("fair: entity %d: running %v and in the tree %v", i, runs, !runs)
		}
		if !runs {
			s.inTree++
			if c.arena.Key(int32(i)) != e.v {
				return fmt.Errorf("fair: entity %d has vruntime %d, its tree key is %d", i, e.v, c.arena.Key(int32(i)))
			}
		}
		if e.my != none && c.q[e.my].nr == 0 {
			return fmt.Errorf("fair: group entity %d is queued but empty", i)
		}
	}
	for qi := range c.q {
		q, s := &c.q[qi], &sums[qi]
		if q.load != s.load || q.nr != s.nr || q.tree.Len() != s.inTree {
			return fmt.Errorf("fair: queue %d of CPU %d: load %d nr %d tree %d, entities say %d %d %d",
				qi, q.cpu, q.load, q.nr, q.tree.Len(), s.load, s.nr, s.inTree)
		}
		if i := q.curr; i != none && i == q.idealOf && q.idealAt == c.q[q.cpu].version {
			if want := c.slice(i); q.ideal != want {
				return fmt.Errorf("fair: queue %d of CPU %d keeps a slice of %d ns for entity %d, whose slice is %d ns", qi, q.cpu, q.ideal, i, want)
			}
		}
	}
	return nil
}
