package validate

import "testing"

// A running task that is put back and made current again keeps the marks of its
// groups, old and new: only a pick, a dequeue or a slice's end takes marks away.
// At 29.2 t0 wakes and preempts t2, both in A, so that t0 and A are next; but in
// the root A is more than 1 ms ahead of t1, which is picked, and A stays next.
// At 29.5 t1 gets a better nice value (a request) and moves, running, to A. The
// pick that follows takes A, and in it t0. (t3 is leftmost in the root or near.)
func TestMarksStayAtMoveOfRunning(t *testing.T) {
	expect(t, `
launch 10ms
group A
task t1: hog
task t3: run 20ms, sleep 1ms, again
task t2 in A: hog
task t0 in A: run 100us, sleep 7ms, again
at 29.5ms set_nice t1 -1
at 29.5ms move_to_group t1 A`,
		"29200000 0 wakeup t0 0 5900000 .. 29200000 0 switch t2 R t1 8900000 7951424",
		"29500000 0 setgroup t1 A .. 29500000 0 switch t1 R t0 8900000 5900000")
}

// Shares written between ticks do not bring the run queue's clock up to date
// (sched_group_set_shares of 3.3): what A's running entity has run since the
// tick of 20.0 counts with the new weight, 256, too. So at 21.0 A has 6.0 + 4.0
// in the root, not 6.0 + 0.5 + 2.0; b, whose ideal slice is 4.8 ms, is picked
// again at 26.0 (9.0 against 10.0) and runs to 31.0.
func TestSharesBetweenTicks(t *testing.T) {
	expect(t, `
launch 10ms
group A
group B
task a in A: hog
task b in B: hog
at 20.5ms set_group_shares A 256`,
		"20500000 0 setshares A 256 .. 21000000 0 switch a R b 11951424 4000000 .. 31000000 0 switch b R a 14000000 11951424")
}
