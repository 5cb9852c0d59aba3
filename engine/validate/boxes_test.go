package validate

import "testing"

// Worked examples of the rules of Linux 3.3 on one CPU, W1 to W20 (W15 to W17
// concern bandwidth and real-time tasks). Each is worked out by hand in its
// comment, and its numbers are also those of a recording; vruntimes and times
// are ns.

// W1, W10: nice -5, 0 and 5. A millisecond of nice -5 is scale(1e6, 1024,
// 1376151) = 328 100, rounded half up (a floor would give 328 099), at each of
// five ticks: 920 024 + 5*328 100 = 2 560 524. With the load 3121+1024+335 =
// 4480 the ideal slices are 4 179 909, 1 371 428 and 448 661 ns, so that A runs
// 5 ms, B 2 ms and C 1 ms at a time.
func TestW1W10(t *testing.T) {
	expect(t, "task A nice -5: hog\ntask B: hog\ntask C nice 5: hog",
		"10250000 0 wakeup_new A 0 920024", "10250000 0 wakeup_new B 0 433691", "10250000 0 wakeup_new C 0 322853",
		"13000000 0 switch B R A 2433691 920024 .. 18000000 0 switch A R B 2560524 2433691 .. 20000000 0 switch B R A 4433691 2560524",
		"25000000 0 switch A R C 4201024 2615390 .. 26000000 0 switch C R A 5672106 4201024",
	)
}

// W2, W9: nice 0 and 5. From the launch at 10.25 to 12.0 B is accounted in two
// pieces, 0.75 and 1 ms: 2 292 537 + 3 056 716, so 3 472 396 becomes 8 821 649.
// Its ideal slice is 335/1359 of 6 ms, 1 479 029: it runs 2 ms; at 17.0, little
// behind A, it is stopped after 1 ms, for it is then further ahead in virtual
// time than an ideal slice.
func TestW2W9(t *testing.T) {
	expect(t, "task A: hog\ntask B nice 5: hog",
		"10250000 0 wakeup_new B 0 3472396",
		"12000000 0 switch B R A 8821649 4951424",
		"17000000 0 switch A R B 9951424 8821649 .. 18000000 0 switch B R A 11878365 9951424",
	)
}

// W3: forks with nothing running. The first alone: -1 048 576 + 6 ms; the
// second half of it, the third a third (load 3072, inverse 1 398 101, in two
// roundings), and so on; the fifth's 1.2 ms round to 1 199 999. From the sixth
// on a slice is shorter than 1 048 576 ns, so that 0, where a new entity
// starts, is larger.
func TestW3(t *testing.T) {
	expect(t, `
task A: hog
task B: hog
task C: hog
task D: hog
task E: hog
task F: hog
task G: hog
task H: hog
task I: hog
task J: hog`,
		"10250000 0 wakeup_new A 0 4951424", "10250000 0 wakeup_new B 0 1951424", "10250000 0 wakeup_new C 0 951424",
		"10250000 0 wakeup_new D 0 451424", "10250000 0 wakeup_new E 0 151423", "10250000 0 wakeup_new F 0 0",
		"10250000 0 wakeup_new G 0 0", "10250000 0 wakeup_new H 0 0", "10250000 0 wakeup_new I 0 0", "10250000 0 wakeup_new J 0 0",
		"10250000 0 switch idle/0 R F 0 0",
	)
}

// W4: forks into idle groups, P 1024 {x 512, y 1024} and Q 2048. Entities of
// groups whose shares were written weigh 2 while empty, the others 0, which acts
// as 1.
func TestW4(t *testing.T) {
	expect(t, `
group P shares 1024
group x below P shares 512
group y below P shares 1024
group Q shares 2048
task x1 in x: hog
task y1 in y: hog
task y2 in y: hog
task q1 in Q: hog
task r1: hog`,
		"10250000 0 wakeup_new x1 0 4951424", "10250000 0 wakeup_new y1 0 0", "10250000 0 wakeup_new y2 0 951424",
		"10250000 0 wakeup_new q1 0 0", "10250000 0 wakeup_new r1 0 451424",
	)
}

// W5: at 20.25 s wakes; the hog has 12 951 424 after accounting and the tree is
// empty, so that this is the minimum; s slept at 3 951 424 and is placed half a
// latency behind the minimum.
func TestW5(t *testing.T) {
	expect(t, "task hog: hog\ntask s: run 2ms, sleep 8ms, again",
		"12250000 0 switch s S hog 3951424 4951424",
		"20250000 0 wakeup s 0 9951424 .. 20250000 0 switch hog R s 12951424 9951424",
	)
}

// W6: at 14.0 par is switched in at 4 951 424 while the hog waits at 5 701 424,
// and forks at once: three entities, a slice of 2 ms, on top of the minimum.
func TestW6(t *testing.T) {
	expect(t, "task par: fork kid, run 1ms, sleep 19ms, again\nkid kid: run 7ms\ntask hog: hog",
		"14000000 0 switch hog R par 5701424 4951424",
		"14000000 0 wakeup_new kid.1 0 6951424 .. 14000000 0 fork kid.1",
	)
}

// W7: A {s} and B {5 hogs}. When s sleeps, A's entity leaves the root queue as
// a sleeper; when s wakes, A's is placed at most 3 ms behind B's and preempts
// it, while s keeps its own vruntime in A's queue, where nobody else ran: from
// 6 965 124 at 12.2637 it goes on at 20.2708. B's hogs are untouched by it.
func TestW7(t *testing.T) {
	expect(t, `
group A
group B
task s in A: run 2.0137ms, sleep 8.0071ms, again
task b0 in B: hog
task b1 in B: hog
task b2 in B: hog
task b3 in B: hog
task b4 in B: hog`,
		"12263700 0 switch s S b0 6965124 0",
		"20270800 0 wakeup s 0 6965124 .. 20270800 0 switch b1 R s 722224 6965124",
		"22284500 0 switch s S b1 8978824 722224", // b1 goes on: B was next
	)
}

// W8: launched on a tick. After exactly 3 ms, the ideal slice of two hogs, the
// tick does nothing, for both tests are strict; the switch comes at 4 ms.
func TestW8(t *testing.T) {
	expect(t, "launch 10ms\ntask A: hog\ntask B: hog",
		"10000000 0 switch idle/0 R B 0 1951424 .. 14000000 0 switch B R A 5951424 4951424",
	)
}

// W11: a NORMAL wakee preempts a hog from which it is 3 ms away, more than the
// granularity of 1 ms; a BATCH wakee waits until nor sleeps.
func TestW11(t *testing.T) {
	expect(t, `
task hog: hog
task bat BATCH: run 1.0137ms, sleep 9.0071ms, again
task nor: run 1.0137ms, sleep 9.0071ms, again`,
		"20270800 0 wakeup nor 0 9944824 .. 20270800 0 switch hog R nor 12944824 9944824",
		"21284500 0 wakeup bat 0 9944824 .. 21284500 0 switch nor S bat 10958524 9944824",
	)
}

// W12: any NORMAL wakee preempts a task of policy IDLE at once, here by more
// than its granularity too; an IDLE wakee waits for the tick at 15.0 although
// it is far behind. The weight 3 makes 1 ms of run time 341 ms of vruntime.
func TestW12(t *testing.T) {
	expect(t, `
task idl IDLE: hog
task nor: run 2.0137ms, sleep 5.0071ms, again
task idls IDLE: run 313.7us, sleep 4.0071ms, again`,
		"14570800 0 wakeup idls 0 2724365291 .. 15000000 0 switch idl R idls 2873865558 2724365291",
		"17584500 0 wakeup nor 0 3645965291 .. 17584500 0 switch idl R nor 3648965291 3645965291",
	)
	// A millisecond of nice 19, as the granularity is in its virtual time, is
	// scale(1e6, 1024, 286331153) = 68 266 667.
	expect(t, "task A nice -20: hog\ntask B nice 19: hog\ntask C nice 19: run 1ms, sleep 20ms, again",
		"17000000 0 switch A R B 77874 0 .. 18000000 0 switch B R C 68266667 0")
}

// W13: A {a1} and B {b1 b2 b3} with equal shares. b1 is forked into a group
// whose entity weighs nothing: 6 ms * 1/1024, so v = 0. b2: two in the group,
// 3 ms, half of it in the root: -1 048 576 + 1.5 ms. b3: 2 ms, half: 0. a1's
// slice is 3 ms, so it runs 4 ms; that of each b is 1 ms, so it runs 2 ms.
func TestW13(t *testing.T) {
	expect(t, "group A\ngroup B\ntask a1 in A: hog\ntask b1 in B: hog\ntask b2 in B: hog\ntask b3 in B: hog",
		"10250000 0 wakeup_new a1 0 4951424", "10250000 0 wakeup_new b1 0 0",
		"10250000 0 wakeup_new b2 0 451424", "10250000 0 wakeup_new b3 0 0",
		"14000000 0 switch a1 R b1 8701424 0 .. 16000000 0 switch b1 R b3 2000000 0",
		"18000000 0 switch b3 R a1 2000000 8701424 .. 22000000 0 switch a1 R b2 12701424 451424 .. 24000000 0 switch b2 R b1 2451424 2000000",
	)
}

// W14: y2 yields at 10.70 with 2 401 424, but y1 is 2.55 ms ahead of it, more
// than the granularity: y2 is picked again, and takes its next step at the tick
// of 11.0. Its yield at 11.45 fails too (1.8 ms); the one at 12.45, after the
// tick of 12.0, succeeds: 4 151 424 is 0.8 ms behind 4 951 424.
func TestW14(t *testing.T) {
	expect(t, "task y1: run 700us, yield, again\ntask y2: run 450us, yield, again",
		"10250000 0 switch idle/0 R y2 0 1951424 .. 12450000 0 switch y2 R y1 4151424 4951424",
	)
}

// W18: at 500 123 457 s runs and its nice goes from 0 to 5: a request, but s is
// picked again; the rest of its burst, 59.8 us, counts with the new weight,
// 176 900 757 to 177 083 549. At 1 000 123 457 s waits and goes to -10: the
// running g is stopped though s is not the next: h is.
func TestW18(t *testing.T) {
	expect(t, `
end 1020ms
group A
task h: hog
task s: run 3ms, sleep 6.0013ms, again
task g in A: hog
at 500.123457ms set_nice s 5
at 1000.123457ms set_nice s -10`,
		"500123457 0 setnice s 5 .. 502000000 0 switch g R s 178777300 176900757 .. 502059800 0 switch s S h 177083549 176983924",
		"1000123457 0 setnice s -10 .. 1000123457 0 switch g R h 392900757 390924124",
		"1002000000 0 switch h R s 392800667 391808520",
	)
}

// W19, its part in the fair class: m becomes BATCH while it waits, and IDLE
// while it runs. No request follows from either. From then on 1 ms of m's run
// time is 341 ms of vruntime: 427 490 257 at the change, and the 996 667 ns to
// the tick add 340 195 669, so that m, more than a slice ahead, is stopped there.
func TestW19(t *testing.T) {
	expect(t, `
end 1020ms
task m: hog
task h: hog
task s: run 1ms, sleep 6.0005ms, again
at 500.003333ms set_policy m BATCH
at 1000.003333ms set_policy m IDLE`,
		"500003333 0 setpolicy m 3 .. 500285000 0 wakeup s 0 210468924",
		"1000003333 0 setpolicy m 5 .. 1001000000 0 switch m R h 767685926 427165924",
	)
}

// W20: group moves. At 520 123 457 m runs and goes from A to B: 212 824 881
// after accounting, less A's minimum 212 701 424 (a waits there), plus B's
// 256 000 000: 256 123 457, and 257 000 000 at the tick. At 1 030 777 777 it
// sleeps and goes back: 464 000 000 - 468 000 000 + 468 701 424; at its wakeup
// A's minimum is 486 703 124 and it is placed 3 ms behind. At 1 530 003 333,
// asleep, it goes to the root: 668 701 424 - 679 701 424 + 758 876 543 is
// 747 876 543, and at the wakeup it is again placed 3 ms behind the minimum.
func TestW20(t *testing.T) {
	expect(t, `
end 1560ms
group A
group B
task m in A: run 5ms, sleep 45.0017ms, again
task a in A: hog
task b in B: hog
at 520.123457ms move_to_group m B
at 1030.777777ms move_to_group m A
at 1530.003333ms move_to_group m /`,
		"520123457 0 setgroup m B .. 521000000 0 switch m R a 257000000 212701424",
		"1030777777 0 setgroup m A", "1067001700 0 wakeup m 0 483703124",
		"1530003333 0 setgroup m / .. 1532000000 0 switch b R a 719000000 679701424", "1554001700 0 wakeup m 0 767878243",
	)
}
