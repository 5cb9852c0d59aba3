package bindings

import (
	"time"
)

const (
	// lookAround is how often whoever waits for runs looks for an interrupt.
	lookAround = 10 * time.Millisecond

	// grace is how long runs that were told to stop are waited for. Those that
	// are inside of one long step of Go then end by themselves; nobody looks at
	// what they leave.
	grace = 40 * time.Millisecond

	// aheadJobs times the number of jobs is how far runs may be ahead of the
	// first one that has not ended, so that results that wait for their turn do
	// not pile up.
	aheadJobs = 16
)

// A crew does n pieces of work on several goroutines, one each. The pieces are
// numbered from 0.
type crew[T any] struct {
	n, jobs int

	// start prepares a piece and returns what does it, on a goroutine of its
	// own, and what makes that end early. Pieces are started in their order.
	start func(i int) (do func() T, stop func())

	// take gets what the pieces return in their order, whichever was ready
	// first. The first error ends the work.
	take func(i int, result T) error

	// poll returns an error if the work is to end at once; started and ended
	// are told how many pieces have begun and are done.
	poll func() error
	tell func(started, ended int)
}

// work does the pieces. start, take, poll and tell are called by the caller's
// goroutine. When work returns an error, pieces that were not taken are dropped:
// what comes out depends on the pieces before the failure alone.
func (c *crew[T]) work() error {
	type done struct {
		i      int
		result T
	}
	var (
		ended   = make(chan done, c.jobs) // No more go on at once, so none waits.
		stops   = map[int]func(){}        // Of those that go on.
		ready   = map[int]T{}             // Ended before their turn.
		started int
		count   int // Ended.
	)
	tick := time.NewTicker(lookAround)
	defer tick.Stop()
	// halt stops what goes on. Its results are not wanted any more.
	halt := func() {
		for _, stop := range stops {
			stop()
		}
		limit := time.NewTimer(grace)
		defer limit.Stop()
		for len(stops) > 0 {
			select {
			case d := <-ended:
				delete(stops, d.i)
			case <-limit.C:
				return
			}
		}
	}
	defer halt()
	fill := func(next int) {
		for len(stops) < c.jobs && started < c.n && started < next+aheadJobs*c.jobs {
			i := started
			do, stop := c.start(i)
			stops[i] = stop
			started++
			go func() { ended <- done{i, do()} }()
		}
	}
	for next := 0; next < c.n; {
		fill(next)
		c.tell(started, count)
		select {
		case d := <-ended:
			delete(stops, d.i)
			ready[d.i] = d.result
			count++
			fill(next)
		case <-tick.C:
			if err := c.poll(); err != nil {
				return err
			}
		}
		for result, ok := ready[next]; ok; result, ok = ready[next] {
			delete(ready, next)
			if err := c.take(next, result); err != nil {
				return err
			}
			if err := c.poll(); err != nil {
				return err
			}
			next++
		}
	}
	return nil
}
