package metrics

import (
	"cmp"

	"schedrepl/engine/trace"
)

// Cause is the decision that made a task wait: the kind of the record, and
// the reason and pick in it.
//
//   - KindWakeup, KindWakeupNew: it became runnable. Reason is how the
//     preemption test against the running task ended, Pick how the CPU was
//     chosen.
//   - KindSwitch: it was switched out while runnable. Reason says why
//     schedule ran, Pick how the next task was chosen.
//   - KindState: a signal made it runnable.
type Cause struct {
	Kind   trace.Kind
	Reason trace.Reason
	Pick   trace.Pick
}

// String returns "wakeup", "preempted" and so on, with the reason and the
// pick: "preempted: slice-end, leftmost".
func (c Cause) String() string {
	return c.How() + ": " + c.Reason.String() + ", " + c.Pick.String()
}

// How says in a word how the wait began.
func (c Cause) How() string {
	switch {
	case c.Kind == trace.KindSwitch && c.Reason == trace.Yielded:
		return "yielded"
	case c.Kind == trace.KindSwitch:
		return "preempted"
	case c.Kind == trace.KindState:
		return "continued"
	}
	return c.Kind.String()
}

// compare orders causes by kind, reason and pick.
func (c Cause) compare(d Cause) int {
	return cmp.Or(cmp.Compare(c.Kind, d.Kind), cmp.Compare(c.Reason, d.Reason), cmp.Compare(c.Pick, d.Pick))
}
