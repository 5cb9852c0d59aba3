package bindings

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"schedrepl/engine/event"
	"schedrepl/engine/metrics"
	"schedrepl/engine/sched"
)

// moment is an argument that names an instant: a mark, or a time since boot.
type moment struct {
	text string // A mark, or else the text of a duration; empty if at counts.
	at   Duration
}

func toMoment(_ *Call, v starlark.Value) (any, error) {
	if s, ok := v.(starlark.String); ok {
		return moment{text: string(s)}, nil
	}
	d, err := toDuration(v)
	return moment{at: d}, err
}

// instant is the moment that an argument names; ok is false for None.
func (ma *machine) instant(name string, v starlark.Value) (at event.Time, ok bool, err error) {
	if v == nil || v == starlark.None {
		return 0, false, nil
	}
	x, err := toMoment(nil, v)
	if err != nil {
		if err == ErrType {
			err = fmt.Errorf("must be a mark, or a time since boot as 5 * sec, not %s", describe(v))
		}
		return 0, false, fmt.Errorf("%s %w", name, err)
	}
	m := x.(moment)
	at = event.Time(m.at)
	if m.text != "" {
		if at, ok = ma.m.MarkTime(m.text); !ok {
			d, err := ParseDuration(m.text)
			if err != nil {
				return 0, false, fmt.Errorf("%s: there is no mark %s%s; %s", name, quoteShort(m.text), didYouMean(m.text, ma.marks), ma.marksText())
			}
			at = event.Time(d)
		}
	}
	if at < 0 {
		return 0, false, fmt.Errorf("%s must not be negative, not %v", name, at)
	}
	if now := ma.m.Now(); at > now {
		return 0, false, fmt.Errorf("%s: %v has not come yet; it is %v now", name, at, now)
	}
	return at, true, nil
}

func (ma *machine) marksText() string {
	if len(ma.marks) == 0 {
		return "m.mark(name) makes one"
	}
	return "there are " + quoteList(ma.marks)
}

// windowParams are the parameters of all measures that say which stretch of
// time they look at.
func windowParams() []Param {
	return []Param{
		{Name: "since", Type: "moment | None", Default: "None", KwOnly: true, Doc: "Where to begin: a mark, or a time since boot; None for the boot."},
		{Name: "until", Type: "moment | None", Default: "None", KwOnly: true, Doc: "Where to end: a mark, or a time since boot; None for now."},
	}
}

// taskParam is the parameter that says which tasks a measure is about.
func taskParam(def string) Param {
	return Param{Name: "tasks", Type: "tasks | None", Default: def, Doc: "A task, a list of tasks, a pattern of names such as \"cc1*\", or a control group, which stands for all that is or was in it and below it; None for all tasks."}
}

// window is the stretch of time from since to until, each a moment or None, and
// the records to read it from.
func (ma *machine) window(sinceArg, untilArg starlark.Value) (metrics.Source, metrics.Window, error) {
	log := ma.m.Log()
	since, _, err := ma.instant("since", sinceArg)
	if err != nil {
		return nil, metrics.Window{}, err
	}
	w := metrics.From(since, ma.m.Now())
	until, given, err := ma.instant("until", untilArg)
	if err != nil {
		return nil, w, err
	}
	if given {
		if until < since {
			return nil, w, fmt.Errorf("until lies before since: %v is earlier than %v", until, since)
		}
		w.Until = until
	}
	if start := log.Start(); start > since {
		return nil, w, fmt.Errorf("the records are kept from %v on only, and the measure begins at %v: give since = %s or later, mark a moment after the warm-up, or keep more with machine(records = ...)",
			start, since, quoteShort(roundUp(start).String()))
	}
	return log, w, nil
}

// roundUp is a moment not before t that is short to write.
func roundUp(t event.Time) Duration {
	const ms = event.Time(1e6)
	return Duration((t + ms) / ms * ms)
}

// selection is an argument that names tasks.
type selection struct {
	tasks   []*task
	pattern string
	group   *controlGroup
}

func toSelection(_ *Call, v starlark.Value) (any, error) {
	switch v := v.(type) {
	case *task:
		return selection{tasks: []*task{v}}, nil
	case starlark.String:
		if v == "" {
			return nil, errors.New("must not be an empty pattern: write \"*\" for all tasks")
		}
		return selection{pattern: string(v)}, nil
	case *controlGroup:
		return selection{group: v}, nil
	case *starlark.List, starlark.Tuple:
		sel := selection{tasks: []*task{}}
		for e := range starlark.Elements(v.(starlark.Iterable)) {
			t, ok := e.(*task)
			if !ok {
				return nil, fmt.Errorf("must be a list of tasks, not with %s in place %d", describe(e), len(sel.tasks))
			}
			sel.tasks = append(sel.tasks, t)
		}
		return sel, nil
	}
	return nil, ErrType
}

// selected is the argument of a "tasks" parameter; nil stands for all tasks.
func (ma *machine) selected(c *Call, name string) (metrics.Tasks, error) {
	if !c.Has(name) {
		return nil, nil
	}
	sel := Arg[selection](c, name)
	switch {
	case sel.pattern != "":
		return metrics.ByComm(sel.pattern, ma.m.Core().Comm)
	case sel.group != nil:
		if sel.group.ma != ma {
			return nil, fmt.Errorf("%s: %v belongs to another machine", name, sel.group)
		}
		top := strings.TrimSuffix(sel.group.path, "/")
		return func(pid int32) bool {
			at := ma.past.cgroupOf(pid)
			return at == sel.group.path || strings.HasPrefix(at, top+"/")
		}, nil
	}
	var pids []int32
	for _, t := range sel.tasks {
		if err := ma.owns(t); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if t.pid != 0 {
			pids = append(pids, t.pid)
		}
	}
	return metrics.Of(pids...), nil
}

// measureMethod is the entry of a method that reads the records of a machine.
func measureMethod(b Builtin, measure func(c *Call, ma *machine, src metrics.Source, w metrics.Window) (starlark.Value, error)) Builtin {
	b.Recv = "machine"
	b.Params = slices.Concat(b.Params, windowParams())
	b.Impl = func(c *Call) (starlark.Value, error) {
		ma := c.Recv.(*machine)
		if err := ma.usable(); err != nil {
			return nil, err
		}
		src, w, err := ma.window(c.Value("since"), c.Value("until"))
		if err != nil {
			return nil, err
		}
		return measure(c, ma, src, w)
	}
	return b
}

// comm is the name of a task for tables.
func (ma *machine) comm(pid int32) string { return ma.m.Core().Comm(pid) }

// checkAll returns the first broken invariant of the machine or its records.
func (ma *machine) checkAll() error {
	if err := ma.m.Check(); err != nil {
		return err
	}
	return metrics.Invariants(ma.m.Log(), ma.numCPU(), ma.m.Now())
}

// liveTasks calls f for each task that lives, by process id.
func (ma *machine) liveTasks(f func(id sched.TaskID, t *sched.Task)) {
	core := ma.m.Core()
	for pid := int32(2); pid <= core.MaxPID(); pid++ {
		if id := core.Find(pid); id != sched.NoTask {
			f(id, &core.Tasks[id])
		}
	}
}
