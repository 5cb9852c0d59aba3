package validate

import (
	"bytes"
	"compress/gzip"
	"slices"
	"strings"
	"testing"
)

// A template may fork itself: each child runs 1 ms, forks the next, and exits.
func TestForkOfItself(t *testing.T) {
	expect(t, "task first: fork kid\nkid kid: run 1ms, fork kid",
		"10250000 0 wakeup_new kid.1 0 4951424 .. 10250000 0 fork kid.1 .. 10250000 0 switch first X kid.1 4951424 4951424 .. "+
			"11250000 0 wakeup_new kid.2 0 8951424 .. 11250000 0 fork kid.2 .. 11250000 0 switch kid.1 X kid.2 5951424 8951424 .. "+
			"12250000 0 wakeup_new kid.3 0 12951424")
}

// Children of one template are numbered in the order of their births, whoever
// forks them; all exit, and the CPU idles until the sleeper wakes.
func TestChildrenAreNumbered(t *testing.T) {
	expect(t, `
end 25ms
task a: fork kid, fork kid, sleep 10ms
task b: fork kid, sleep 30ms
kid kid: run 500us`,
		"10250000 0 fork kid.1 .. 10250000 0 switch b S kid.1 1951424 1951424 .. 10750000 0 switch kid.1 X a 2451424 4951424",
		"10750000 0 fork kid.2", "10750000 0 fork kid.3 .. 10750000 0 switch a S kid.3 4951424 4951424",
		"11750000 0 switch kid.2 X idle/0 5951424 0 .. 20750000 0 wakeup a 0 4951424 .. "+
			"20750000 0 switch idle/0 R a 0 4951424 .. 20750000 0 switch a X idle/0 4951424 0")
}

// A wake of a task that does not block, in another group here, is kept until it
// does: q goes past its first block and stays at the second. A wake of a task
// that has exited does nothing.
func TestWakesAreCounted(t *testing.T) {
	expect(t, `
group A
task gone: run 100us
task p in A: wake q, run 6ms, sleep 10ms, wake gone, wake q, hog
task q: run 250us, block, run 250us, block, run 250us`,
		"13000000 0 switch p R q 2750000 951424 .. 13500000 0 switch q S p 1451424 2750000",
		"16750000 0 switch p S gone 6000000 4951424 .. 16850000 0 switch gone X idle/0 5051424 0 .. 26750000 0 wakeup p 0 6000000 .. "+
			"26750000 0 switch idle/0 R p 0 6000000 .. 26750000 0 wakeup q 0 2051424")
}

// Controls act in order of time, those of one instant in the order of the list,
// and those of the launch after it.
func TestOrderOfControls(t *testing.T) {
	expect(t, `
task a: hog
task b: hog
at 12.5ms set_nice a 3
at 11.5ms set_nice a 1
at 12.5ms set_nice a 4
at 10.25ms set_policy a BATCH`,
		"10250000 0 fork b .. 10250000 0 setpolicy a 3 .. 10250000 0 switch idle/0 R b 0 1951424 .. 11500000 0 setnice a 1 .. 12500000 0 setnice a 3 .. 12500000 0 setnice a 4")
}

// Features from which nothing follows on one CPU may be on or off; null CPUs are
// all.
func TestWithoutEffect(t *testing.T) {
	plain := "task A: hog\ntask s: run 1ms, sleep 3ms, again\n"
	want, _, err := setup(t, plain).trace(false)
	if err != nil {
		t.Fatal(err)
	}
	s := setup(t, plain+"off AFFINE_WAKEUPS\noff CACHE_HOT_BUDDY\noff LB_BIAS\noff OWNER_SPIN\noff NONTASK_POWER\n"+
		"off TTWU_QUEUE\noff RT_RUNTIME_SHARE\non ARCH_POWER\non FORCE_SD_OVERLAP\non DOUBLE_TICK")
	s.Tasks[0].StartCPUs, s.Tasks[1].StartCPUs, s.Tasks[1].Allowed = []int{0}, []int{0}, []int{0}
	got, _, err := s.trace(false)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the traces differ:\n%s\n\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// What a run refuses when it comes to it.
func TestRunErrors(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"task a: run 1ms\ntask b: hog\nat 20ms set_nice a 3",
			`control set_nice of "a" at 20000000 ns: the task has exited by then; a control must come while its task is alive`},
		{"task a: wake b, again\ntask b: hog", "program never yields time"},
		{"task a: fork kid, again\nkid kid: run 1ms", "program never yields time"},
		{"task a: hog\non HRTICK", "feature HRTICK cannot be switched"},
		{"task a: hog\non EEVDF", `unknown feature "EEVDF"; features of 3.3:`},
		{"task a: hog\ntunable sched_latency_ns 5", "tunable latency: 5 ns is outside 100000 to 1000000000 ns"},
		{"task a: hog\ntunable child_runs_first 2", "tunable child_runs_first: 2 is not 0 or 1"},
	} {
		_, _, err := setup(t, tc.text).trace(false)
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%q: error %v, want %q", tc.text, err, tc.want)
		}
	}
}

// zipped returns text as a gzip file.
func zipped(text string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		panic(err)
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}
