package bindings

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"

	"schedrepl/engine"
	"schedrepl/engine/trace"
)

// handle is a callback that a script can take back.
type handle struct {
	Object
	ma     *machine
	engine engine.Handle
	what   string
	gone   bool // Cancelled, so that what is queued for it is dropped too.
}

func (h *handle) String() string { return "<handle: " + h.what + ">" }

func newHandle(ma *machine, what string) *handle {
	h := &handle{ma: ma, what: what}
	h.Init("handle", h)
	return h
}

// arm makes the handle of a function of the machine that is called at a time.
// set gives the call to the engine.
func (ma *machine) arm(c *Call, set func(call func() error) (engine.Handle, error)) (starlark.Value, error) {
	h := newHandle(ma, c.b.Name)
	fn := c.Callable("fn")
	err := ma.act(c, func() (err error) {
		h.engine, err = set(func() error {
			_, err := ma.call(fn, ma)
			return err
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	return h, nil
}

// A subscription is a function that is told of records of one kind.
type subscription struct {
	*handle
	fn    starlark.Callable
	kind  *tracepoint
	where []condition
}

// A delivery is a record on its way to a subscription.
type delivery struct {
	sub *subscription
	ev  *traceEvent
}

// maxTold is how many records callbacks may be told of in one instant.
const maxTold = 100_000

// deliver tells a subscription of a record. A record that a callback has made
// waits until that has returned, so that callbacks do not nest.
func (ma *machine) deliver(sub *subscription, r trace.Record) error {
	ev := newTraceEvent(ma, sub.kind, r)
	if ma.failure != nil || !ev.matches(sub.where) {
		return nil
	}
	ma.queue = append(ma.queue, delivery{sub, ev})
	if ma.depth > 0 {
		return nil
	}
	err := ma.drain()
	if !ma.running && err != nil {
		ma.failure = err // The call that made the record returns it.
		return nil
	}
	return err
}

// drain tells of the records that wait, and of those that come up meanwhile.
func (ma *machine) drain() error {
	defer func() { ma.queue = ma.queue[:0] }()
	for i := 0; i < len(ma.queue); i++ {
		d := ma.queue[i]
		if d.sub.gone {
			continue
		}
		if now := ma.m.Now(); now != ma.toldAt {
			ma.toldAt, ma.told = now, 0
		}
		if ma.told++; ma.told > maxTold {
			return fmt.Errorf("callbacks on %s make events that callbacks are called for, without end: more than %d at %v", d.sub.kind.name, maxTold, ma.m.Now())
		}
		if _, err := ma.call(d.sub.fn, ma, d.ev); err != nil {
			return err
		}
	}
	return nil
}

func callbackTable() Table {
	return Table{
		Topics: []Topic{{
			Name: "handle", Type: true,
			Doc:   "A callback that is armed, as m.at, m.every and m.on return it.",
			Setup: "m = machine(topo.smp(1))",
		}},
		Builtins: []Builtin{{
			Recv: "machine", Name: "on",
			Params: []Param{
				{Name: "event", Type: "string", Doc: "The name of a tracepoint: " + strings.Join(tracepointNames(), ", ") + "."},
				{Name: "fn", Type: "callable", Doc: "A function of the machine and the event. It may do anything but run the machine."},
				{Name: "where", Type: "dict", Default: "{}", Doc: "The values that fields of the event must have for the call; a string may be a pattern, as \"cc1*\", and a task stands for its pid."},
			},
			Result: "handle",
			Doc: "Calls a function for each event of a kind from now on. " +
				"It is called at the end of the moment in which the event happened, so that no decision changes while it is taken.",
			Example: "woken = []\nm.on(\"sched_wakeup\", lambda m, ev: woken.append(ev.comm), where = {\"comm\": \"web\"})\n" +
				"m.run(25 * ms)\nprint(woken)  # [\"web\", \"web\"]",
			Impl: onImpl,
		}, {
			Recv: "handle", Name: "cancel",
			Doc:     "Takes the callback back. It does nothing if that has happened, or if its time has passed.",
			Example: "seen = []\nh = m.every(10 * ms, lambda m: seen.append(m.now))\nm.run(15 * ms)\nh.cancel()\nm.run(1 * sec)\nprint(len(seen))  # 1",
			Impl: func(c *Call) (starlark.Value, error) {
				h := c.Recv.(*handle)
				return nil, h.ma.act(c, func() error {
					h.gone = true
					h.ma.m.Cancel(h.engine)
					return nil
				})
			},
		}},
	}
}

func onImpl(c *Call) (starlark.Value, error) {
	ma, fn := c.Recv.(*machine), c.Callable("fn")
	kind := tracepointNamed(c.Str("event"))
	if kind == nil {
		return nil, fmt.Errorf("unknown event %s%s; there are %s", quoteShort(c.Str("event")),
			didYouMean(c.Str("event"), tracepointNames()), strings.Join(tracepointNames(), ", "))
	}
	if err := checkCallback(fn, 2, "the machine and the event"); err != nil {
		return nil, err
	}
	sub := &subscription{handle: newHandle(ma, kind.name), fn: fn, kind: kind}
	var err error
	if sub.where, err = ma.conditions(kind, Arg[*starlark.Dict](c, "where")); err != nil {
		return nil, err
	}
	err = ma.act(c, func() error {
		sub.engine = ma.m.On(kind.record, func(r trace.Record) error { return ma.deliver(sub, r) })
		return nil
	})
	return sub.handle, err
}
