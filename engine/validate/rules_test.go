package validate

import "testing"

// Rules that no recording of one CPU exercises, or none alone: each case is
// worked out by hand. Unless told otherwise hogs are launched at 10.25 ms, and
// the vruntimes of the first eight are 4 951 424, 1 951 424, 951 424, 451 424,
// 151 423, 0, 0, 0 (see W3).

// The inverse of a task's weight comes from the table, which rounds to nearest:
// 2^32/70, nice 12, is 61 356 675.66, and the table has ...676. So 0.75 ms make
// 10 971 429 and each of three times 1 ms makes 14 628 572; ...675 would make
// one less of each.
func TestInverseOfTable(t *testing.T) {
	expect(t, "task A nice 12: hog\ntask B nice 12: hog",
		"10250000 0 wakeup_new B 0 42837139", "14000000 0 switch B R A 97694284 86722853")
}

// A new entity counts in the period. P forks with eight queued: 9 * 0.75 ms,
// and 6.75 ms * 1024/9216 with inverse 466 033 is 750 001 in two roundings; the
// period of eight, 6 ms, would make 666 666.
func TestPeriodCountsTheChild(t *testing.T) {
	expect(t, `
task h0: hog
task h1: hog
task h2: hog
task h3: hog
task h4: hog
task h5: hog
task h6: hog
task P: fork kid, hog
kid kid: hog`,
		"12000000 0 switch h5 R h6 1750000 0 .. 13000000 0 switch h6 R P 1000000 0 .. 13000000 0 wakeup_new kid.1 0 750001")
}

// crowd is seven hogs and a sleeper s, which runs 13.0-13.05 and wakes at 18.9,
// when h3 runs at 2 351 424 and h5 is leftmost with 1 750 000.
const crowd = `
task h0: hog
task h1: hog
task h2: hog
task h3: hog
task h4: hog
task h5: hog
task h6: hog
task s: run 50us, sleep 5.85ms, again
`

// A task that is preempted by a wakeup while eight are queued is the last
// buddy: when s sleeps again it is picked though h5 is leftmost, for it is only
// 601 424 ahead of it.
func TestLastBuddy(t *testing.T) {
	expect(t, crowd,
		"13050000 0 switch s S h4 50000 151423",
		"18900000 0 wakeup s 0 50000 .. 18900000 0 switch h3 R s 2351424 50000 .. 18950000 0 switch s S h3 100000 2351424")
	expect(t, crowd+"off LAST_BUDDY",
		"18900000 0 switch h3 R s 2351424 50000 .. 18950000 0 switch s S h5 100000 1750000")
	// Seven are not enough: at 17.95 h5 is only 698 576 ahead of h1.
	expect(t, `
task h0: hog
task h1: hog
task h2: hog
task h3: hog
task h4: hog
task h5: hog
task s: run 50us, sleep 5.85ms, again`,
		"17900000 0 switch h5 R s 2650000 50000 .. 17950000 0 switch s S h1 100000 1951424")
}

// A granularity that the preempted task is beyond: with 0.5 ms h3 is too far
// ahead of h5 to be picked as last buddy.
func TestLastBuddyTooFar(t *testing.T) {
	expect(t, crowd+"tunable wakeup_granularity_ns 500000",
		"18900000 0 switch h3 R s 2351424 50000 .. 18950000 0 switch s S h5 100000 1750000")
}

// Only a task becomes last buddy. s preempts G, the group of the eight, where
// H at 5 951 424 is leftmost and G, half a millisecond into its turn, has
// 6 450 000. When s sleeps H is picked; with a mark it would be G.
func TestLastBuddyIsATask(t *testing.T) {
	expect(t, `
launch 10ms
group G
task g0 in G: hog
task g1 in G: hog
task g2 in G: hog
task g3 in G: hog
task g4 in G: hog
task g5 in G: hog
task g6 in G: hog
task g7 in G: hog
task H: hog
task s: run 50us, sleep 9.45ms, again`,
		"11000000 0 switch g5 R s 1000000 951424 .. 11050000 0 switch s S g6 1001424 0",
		"13000000 0 switch g7 R H 1000000 1951424 .. 17000000 0 switch H R g4 5951424 151423",
		"20500000 0 wakeup s 0 2951424 .. 20500000 0 switch g2 R s 1451424 2951424 .. 20550000 0 switch s S H 3001424 5951424")
}

// A dequeue takes the marks away: h3, last buddy from 18.9 on, gets another nice
// value while s runs (nice went up and it waits: no request), and at 18.95 the
// leftmost is picked.
func TestMarkClearedAtDequeue(t *testing.T) {
	expect(t, crowd+"at 18.92ms set_nice h3 1",
		"18920000 0 setnice h3 1 .. 18950000 0 switch s S h5 100000 1750000")
}

// The slice's end by the first tick test takes the marks of the running entity
// away, on each level. At 14.0 p wakes in G before the tick and preempts c: p
// and G are next. The tick then ends G's slice (3.9 ms of 3) and G is not next
// any more, so that H is picked, though G is within the granularity, here 5 ms.
// Below G the mark of p stays: it is picked when G's turn comes, at 18.0, when
// H has 5 951 424 and G 4 000 000.
func TestMarkClearedAtSliceEnd(t *testing.T) {
	expect(t, `
launch 10ms
off GENTLE_FAIR_SLEEPERS
tunable wakeup_granularity_ns 5000000
group G
task c in G: hog
task p in G: run 100us, sleep 3.9ms, again
task H: hog`,
		"10100000 0 switch p S c 2051424 4951424",
		"14000000 0 wakeup p 0 2851424 .. 14000000 0 switch c R H 8851424 1951424 .. 18000000 0 switch H R p 5951424 2851424")
}

// A yield takes the marks of the yielder away. At 18.9 s preempts h3 and makes
// it the last buddy, but h3's burst is complete in the same instant and it
// yields before the reschedule. So h5 is picked at 18.95, and h3 would be
// without the yield.
func TestYieldClearsMarks(t *testing.T) {
	for _, tc := range []struct{ step, next string }{{"yield", "h5 100000 1750000"}, {"run 1ms", "h3 100000 2351424"}} {
		expect(t, `
task h0: hog
task h1: hog
task h2: hog
task h3: run 1.9ms, `+tc.step+`, hog
task h4: hog
task h5: hog
task h6: hog
task s: run 50us, sleep 5.85ms, again`,
			"18900000 0 wakeup s 0 50000 .. 18900000 0 switch h3 R s 2351424 50000 .. 18950000 0 switch s S "+tc.next)
	}
}

// With NEXT_BUDDY a wakee is the next buddy in a crowd even if it does not
// preempt, and next wins over last. At 22.65 s preempts h4, last buddy from then
// on, but at 22.7 and 23.2 h4 is too far ahead of the leftmost to be picked. At
// 23.4 b, of policy BATCH, wakes with the 2 000 000 that it slept with. At 24.0,
// when h5 has run 0.8 ms of 0.75, h1 is leftmost with 1 951 424, and both b and
// h4, 799 999 ahead, are within the granularity: b is picked.
func TestNextBeforeLast(t *testing.T) {
	expect(t, `
on NEXT_BUDDY
task h0: hog
task h1: hog
task h2: hog
task h3: hog
task h4: hog
task h5: hog
task h6: hog
task b BATCH: run 500us, sleep 200us, again
task s: run 50us, sleep 3ms, again`,
		"22650000 0 switch h4 R s 2751423 150000 .. 22700000 0 switch s S b 200000 1500000 .. 23200000 0 switch b S h5 2000000 1750000 .. "+
			"23400000 0 wakeup b 0 2000000 .. 24000000 0 switch h5 R b 2550000 2000000")
}

// The skip mark outlives a pick of another task. y yields at 10.95 with
// 1 151 424: z is leftmost. When z sleeps, at 11.25, y is leftmost and still to
// be skipped, and x, 0.8 ms ahead of it, is picked.
func TestSkipStays(t *testing.T) {
	expect(t, `
task w: hog
task x: hog
task z: run 300us, sleep 50ms
task y: run 700us, yield, hog`,
		"10250000 0 switch idle/0 R y 0 451424 .. 10950000 0 switch y R z 1151424 951424 .. 11250000 0 switch z S x 1251424 1951424")
}

// A yield marks all levels: y yields alone in its group G, which is leftmost in
// the root with 1.2 ms; H, 751 424 ahead, runs. With a granularity of 0.5 ms
// it is too far, and y goes on at the tick of 12.0.
func TestSkipOnAllLevels(t *testing.T) {
	text := "group G\ntask y in G: run 1.2ms, yield, hog\ntask H: hog\n"
	expect(t, text, "11450000 0 switch y R H 6151424 1951424")
	expect(t, text+"tunable wakeup_granularity_ns 500000",
		"10250000 0 switch idle/0 R y 0 4951424", "no 11450000")
}

// A BATCH task yields like any other.
func TestYieldOfBatch(t *testing.T) {
	expect(t, "task y1 BATCH: run 700us, yield, again\ntask y2 BATCH: run 450us, yield, again",
		"10250000 0 switch idle/0 R y2 0 1951424 .. 12450000 0 switch y2 R y1 4151424 4951424 .. 13150000 0 switch y1 R y2 5651424 4151424")
}

// A yield with nobody else runnable does nothing, but the next step waits for
// the tick: runs of 0.3 ms end at 10.55, then 11.3, 12.3 and so on.
func TestYieldAlone(t *testing.T) {
	expect(t, "task y: run 300us, yield, run 300us, sleep 1ms",
		"10250000 0 switch idle/0 R y 0 4951424 .. 11300000 0 switch y S idle/0 6001424 0 .. 12300000 0 wakeup y 0 6001424")
}

// A sleeper that moves keeps its distance to the minimum. At 13.1 m sleeps with
// 2 051 424, the root's minimum then; A's is 3 000 000, where a was accounted at
// 13.0. So m has 3 000 000 in A, and at 13.6 that is more than the placement,
// 3 500 000 - 3 ms.
func TestMoveAsleep(t *testing.T) {
	expect(t, `
launch 10ms
group A
task h: hog
task m: run 100us, sleep 500us, again
task a in A: hog
at 13.3ms move_to_group m A`,
		"13000000 0 switch a R m 3000000 1951424 .. 13100000 0 switch m S a 2051424 3000000 .. 13300000 0 setgroup m A .. "+
			"13600000 0 wakeup m 0 3000000")
}

// A child's vruntime starts at its parent's. Without START_DEBIT par, at
// 2 000 000 while the minimum is the hog's 0, has a child there.
func TestChildStartsAtParent(t *testing.T) {
	expect(t, "off START_DEBIT\ntask par: run 2ms, fork kid, hog\nkid kid: hog\ntask hog: hog",
		"10250000 0 wakeup_new par 0 0", "12250000 0 wakeup_new kid.1 0 2000000")
}

// With child_runs_first parent and child swap vruntimes where the child's is
// larger, and the parent is stopped. (W6 without it.)
func TestChildRunsFirst(t *testing.T) {
	expect(t, `
tunable child_runs_first 1
task par: fork kid, run 1ms, sleep 19ms, again
kid kid: run 7ms
task hog: hog`,
		"14000000 0 switch hog R par 5701424 4951424 .. 14000000 0 wakeup_new kid.1 0 4951424 .. 14000000 0 fork kid.1 .. "+
			"14000000 0 switch par R kid.1 6951424 4951424")
}

// Shares written in mid-run, here on a tick: A's entity, running, weighs 256
// from 20.0 on, without a request. Its ideal slice is then 6 ms * 256/1280; at
// 21.0 it has run 3 ms. B's is 4.8 ms: it runs 5 ms, is picked again at 26.0
// (9.0 against A's 6.0 + 4.0) and runs 5 ms more.
func TestSharesInMidRun(t *testing.T) {
	expect(t, `
launch 10ms
group A
group B
task a in A: hog
task b in B: hog
at 20ms set_group_shares A 256`,
		"14000000 0 switch a R b 8951424 0 .. 18000000 0 switch b R a 4000000 8951424 .. 20000000 0 setshares A 256 .. "+
			"21000000 0 switch a R b 11951424 4000000 .. 31000000 0 switch b R a 14000000 11951424")
}

// A child inherits group, nice and policy of its parent, whatever its template
// says: kid.1 goes into A's queue, where par has 5 951 424 and is alone (a slice
// of two, 3 ms, and the root's half of it).
func TestChildInherits(t *testing.T) {
	expect(t, `
group A
group B
task par in A: run 1ms, fork kid, hog
kid kid nice 19 IDLE in B: hog
task hog in B: hog`,
		"11250000 0 wakeup_new kid.1 0 7451424")
}

// Timers of one instant run in the order in which they were armed. s, of policy
// BATCH, never preempts the hog, whose ideal slice is 86 us of 6 ms. Its sleep
// from 10.5 to 11.0 was armed after the tick of 11.0, which finds the hog alone;
// so s waits for the tick of 12.0. A sleep to 12.0 was armed before the tick of
// that instant, which then finds both and ends the hog's slice.
func TestOrderOfTimers(t *testing.T) {
	for _, tc := range []struct{ sleep, woken, v string }{{"500us", "11000000", "439684757"}, {"1.5ms", "12000000", "507951424"}} {
		expect(t, "launch 10ms\nend 12.1ms\ntask hog nice 19: hog\ntask s BATCH: run 500us, sleep "+tc.sleep+", again",
			"10000000 0 switch idle/0 R s 0 4864802 .. 10500000 0 switch s S hog 5364802 408551424 .. "+tc.woken+" 0 wakeup s 0 "+tc.v+" .. "+
				"12000000 0 switch hog R s 510951424 "+tc.v)
	}
}

// At 250 Hz the slices of two hogs end at ticks every 4 ms.
func TestHZ250(t *testing.T) {
	expect(t, "hz 250\ntask A: hog\ntask B: hog",
		"10250000 0 switch idle/0 R B 0 1951424 .. 16000000 0 switch B R A 7701424 4951424 .. 20000000 0 switch A R B 8951424 7701424")
}

// Without GENTLE_FAIR_SLEEPERS the credit of W5 is the whole latency:
// 12 951 424 - 6 000 000, still more than the 3 951 424 with which s slept.
func TestNotGentle(t *testing.T) {
	expect(t, "off GENTLE_FAIR_SLEEPERS\ntask hog: hog\ntask s: run 2ms, sleep 8ms, again",
		"20250000 0 wakeup s 0 6951424")
}

// Affinity to the only CPU changes nothing; the line has a mask in hexadecimal.
func TestAffinityOfOneCPU(t *testing.T) {
	expect(t, "task A: hog\ntask B: hog\nat 12ms set_affinity B [0]",
		"12000000 0 setaffinity B 1 .. 14000000 0 switch B R A 5701424 4951424")
}
