package bindings

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"schedrepl/engine/metrics"
	"schedrepl/engine/sched"
	"schedrepl/engine/trace"
)

// A tracepoint is a kind of event by its name in Linux, with the fields that it
// has there (include/trace/events/sched.h).
type tracepoint struct {
	name   string
	record trace.Kind
	doc    string
	fields []tracefield
}

// A tracefield reads one field of an event.
type tracefield struct {
	name, typ, doc string
	get            func(ev *traceEvent) starlark.Value
}

// Fields that several events have.
var (
	fieldTS = tracefield{"ts", "duration", "When it happened, as time since boot.", func(ev *traceEvent) starlark.Value {
		return Duration(ev.r.Time)
	}}
	fieldCPU = tracefield{"cpu", "int", "The CPU on which it happened.", func(ev *traceEvent) starlark.Value {
		return starlark.MakeInt(int(ev.r.CPU))
	}}
	fieldReason = tracefield{"reason", "string", "The rule of the model that decided.", func(ev *traceEvent) starlark.Value {
		return starlark.String(ev.r.Reason.String())
	}}
	fieldPick = tracefield{"pick", "string", "The rule by which the model chose the task or CPU.", func(ev *traceEvent) starlark.Value {
		return starlark.String(ev.r.Pick.String())
	}}
	fieldComm   = tracefield{"comm", "string", "The name of the task.", commOf(recordTask)}
	fieldPID    = tracefield{"pid", "int", "The process id of the task.", pidOf(recordTask)}
	fieldTarget = tracefield{"target_cpu", "int", "The CPU on whose queue the task is put.", func(ev *traceEvent) starlark.Value {
		return starlark.MakeInt(int(ev.r.Other))
	}}
	fieldVruntime = tracefield{"vruntime", "duration", "The virtual run time with which the task is put on the queue.", func(ev *traceEvent) starlark.Value {
		return Duration(ev.r.A)
	}}
	fieldPrio = tracefield{"prio", "int", "The priority of the task in the kernel's scale: 120 is nice 0.", prioOf(recordTask)}
)

func recordTask(r *trace.Record) int32  { return r.Task }
func recordOther(r *trace.Record) int32 { return r.Other }

func pidOf(who func(r *trace.Record) int32) func(ev *traceEvent) starlark.Value {
	return func(ev *traceEvent) starlark.Value { return starlark.MakeInt(int(who(&ev.r))) }
}

func commOf(who func(r *trace.Record) int32) func(ev *traceEvent) starlark.Value {
	return func(ev *traceEvent) starlark.Value {
		pid := who(&ev.r)
		if pid == 0 && ev.kind.record == trace.KindSwitch {
			return starlark.String("swapper/" + strconv.Itoa(int(ev.r.CPU)))
		}
		return starlark.String(ev.ma.m.Core().Comm(pid))
	}
}

func prioOf(who func(r *trace.Record) int32) func(ev *traceEvent) starlark.Value {
	return func(ev *traceEvent) starlark.Value { return starlark.MakeInt(ev.ma.prio(who(&ev.r))) }
}

// tracepoints are the events that a script can ask for. The last fields are
// what the model tells beyond Linux: virtual run times and rules.
var tracepoints = []tracepoint{
	{"sched_switch", trace.KindSwitch, "A CPU goes from one task to another.", []tracefield{
		{"prev_comm", "string", "The name of the task that leaves the CPU.", commOf(recordTask)},
		{"prev_pid", "int", "Its process id; 0 is the idle task.", pidOf(recordTask)},
		{"prev_prio", "int", "Its priority in the kernel's scale.", prioOf(recordTask)},
		{"prev_state", "string", "The state in which it leaves: R while it could run on, S asleep, T stopped, X gone.", func(ev *traceEvent) starlark.Value {
			if ev.r.State == trace.NoState {
				return starlark.String("R")
			}
			return starlark.String(string(rune(ev.r.State)))
		}},
		{"prev_vruntime", "duration", "Its virtual run time, 0 for the idle task.", func(ev *traceEvent) starlark.Value { return Duration(ev.r.A) }},
		{"next_comm", "string", "The name of the task that comes.", commOf(recordOther)},
		{"next_pid", "int", "Its process id; 0 is the idle task.", pidOf(recordOther)},
		{"next_prio", "int", "Its priority in the kernel's scale.", prioOf(recordOther)},
		{"next_vruntime", "duration", "Its virtual run time, 0 for the idle task.", func(ev *traceEvent) starlark.Value { return Duration(ev.r.B) }},
		fieldReason, fieldPick,
	}},
	{"sched_wakeup", trace.KindWakeup, "A task becomes runnable.", []tracefield{
		fieldComm, fieldPID, fieldPrio, fieldTarget, fieldVruntime, fieldReason, fieldPick,
	}},
	{"sched_wakeup_new", trace.KindWakeupNew, "A new task becomes runnable for the first time.", []tracefield{
		fieldComm, fieldPID, fieldPrio, fieldTarget, fieldVruntime, fieldReason, fieldPick,
	}},
	{"sched_migrate_task", trace.KindMigrate, "A task moves to another CPU.", []tracefield{
		fieldComm, fieldPID, fieldPrio,
		{"orig_cpu", "int", "The CPU that the task leaves.", func(ev *traceEvent) starlark.Value { return starlark.MakeInt64(ev.r.A) }},
		{"dest_cpu", "int", "The CPU that it goes to.", func(ev *traceEvent) starlark.Value { return starlark.MakeInt64(ev.r.B) }},
		fieldPick,
	}},
	{"sched_process_fork", trace.KindFork, "A task makes another.", []tracefield{
		{"parent_comm", "string", "The name of the task that forks.", commOf(recordOther)},
		{"parent_pid", "int", "Its process id; 0 for a task that the script started.", pidOf(recordOther)},
		{"child_comm", "string", "The name of the new task.", commOf(recordTask)},
		{"child_pid", "int", "Its process id.", pidOf(recordTask)},
	}},
	{"sched_process_exec", trace.KindExec, "A task executes another program.", []tracefield{
		{"filename", "string", "The name of the program.", func(ev *traceEvent) starlark.Value {
			return starlark.String(ev.ma.m.Core().Name(int32(ev.r.A)))
		}},
		fieldComm, fieldPID,
		{"old_pid", "int", "Its process id before, which is the same.", pidOf(recordTask)},
	}},
	{"sched_process_exit", trace.KindExit, "A task exits.", []tracefield{fieldComm, fieldPID, fieldPrio}},
}

func tracepointNames() []string {
	var out []string
	for i := range tracepoints {
		out = append(out, tracepoints[i].name)
	}
	return out
}

// tracepointNamed finds an event; nil if there is none. The name of its group
// may stand before it, as perf writes it.
func tracepointNamed(name string) *tracepoint {
	name = strings.TrimPrefix(name, "sched:")
	for i := range tracepoints {
		if tracepoints[i].name == name {
			return &tracepoints[i]
		}
	}
	return nil
}

// all are the fields with those that every event has.
func (k *tracepoint) all() []tracefield { return append(slices.Clip(k.fields), fieldTS, fieldCPU) }

func (k *tracepoint) field(name string) *tracefield {
	for _, f := range k.all() {
		if f.name == name {
			return &f
		}
	}
	return nil
}

func (k *tracepoint) fieldNames() []string {
	var out []string
	for _, f := range k.all() {
		out = append(out, f.name)
	}
	return out
}

// traceEvent is one event as a callback sees it.
type traceEvent struct {
	ma   *machine
	kind *tracepoint
	r    trace.Record
}

func newTraceEvent(ma *machine, kind *tracepoint, r trace.Record) *traceEvent {
	return &traceEvent{ma, kind, r}
}

// String shows the event as ftrace does: the name and the fields.
func (ev *traceEvent) String() string {
	b := &strings.Builder{}
	fmt.Fprintf(b, "%v [%03d] %s:", ev.r.Time, ev.r.CPU, ev.kind.name)
	for _, f := range ev.kind.fields {
		fmt.Fprintf(b, " %s=%s", f.name, textOf(f.get(ev)))
	}
	return b.String()
}

// Type is "event".
func (ev *traceEvent) Type() string { return "event" }

// Freeze does nothing: an event does not change.
func (ev *traceEvent) Freeze() {}

// Truth is true.
func (ev *traceEvent) Truth() starlark.Bool { return true }

// Hash fails.
func (ev *traceEvent) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable type: event") }

// Attr reads a field; nil if this event has none of that name.
func (ev *traceEvent) Attr(name string) (starlark.Value, error) {
	if f := ev.kind.field(name); f != nil {
		return f.get(ev), nil
	}
	return nil, nil
}

// AttrNames lists the fields, sorted.
func (ev *traceEvent) AttrNames() []string { return slices.Sorted(slices.Values(ev.kind.fieldNames())) }

// A condition is a value that a field must have.
type condition struct {
	field   *tracefield
	value   starlark.Value
	pattern func(name string) bool // nil where the value must be equal
}

// conditions reads the where of a subscription.
func (ma *machine) conditions(kind *tracepoint, where *starlark.Dict) ([]condition, error) {
	var out []condition
	for _, kv := range where.Items() {
		name, _ := starlark.AsString(kv[0])
		f := kind.field(name)
		if f == nil {
			return nil, fmt.Errorf("where: %s has no field %s%s; it has %s", kind.name, kv[0],
				didYouMean(name, kind.fieldNames()), strings.Join(kind.fieldNames(), ", "))
		}
		cond := condition{field: f, value: kv[1]}
		switch v := kv[1].(type) {
		case *task:
			if err := ma.owns(v); err != nil {
				return nil, fmt.Errorf("where: %s: %w", name, err)
			}
			cond.value = starlark.MakeInt(int(v.pid))
		case starlark.String:
			if f.typ == "duration" {
				d, err := ParseDuration(string(v))
				if err != nil {
					return nil, fmt.Errorf("where: %s %w", name, err)
				}
				cond.value = d
				break
			}
			text := ""
			match, err := metrics.ByComm(string(v), func(int32) string { return text })
			if err != nil {
				return nil, fmt.Errorf("where: %s: %w", name, err)
			}
			cond.pattern = func(name string) bool { text = name; return match(0) }
		}
		if want := cond.value.Type(); want != f.typ {
			return nil, fmt.Errorf("where: %s must be of type %s, not %s", name, f.typ, describe(kv[1]))
		}
		out = append(out, cond)
	}
	return out, nil
}

// matches reports whether all conditions hold.
func (ev *traceEvent) matches(where []condition) bool {
	for _, c := range where {
		v := c.field.get(ev)
		if c.pattern != nil {
			if s, ok := starlark.AsString(v); !ok || !c.pattern(s) {
				return false
			}
		} else if eq, err := starlark.Equal(v, c.value); err != nil || !eq {
			return false
		}
	}
	return true
}

// prio is the priority of a task in the kernel's scale; that of the idle task
// and of a task of which nothing is known is 120.
func (ma *machine) prio(pid int32) int {
	core := ma.m.Core()
	t := core.Find(pid)
	switch {
	case t == sched.NoTask:
		if p, ok := ma.past.tasks[pid]; ok {
			return 120 + int(p.nice)
		}
		return 120
	case core.IsStopper(t):
		return 0
	}
	return 120 + int(core.Tasks[t].Nice)
}

// eventShows is what the examples of eventTable print: the last event of the
// first kind that has the field.
var eventShows = map[string]string{
	"child_comm": "as", "child_pid": "2", "comm": "as", "cpu": "1", "dest_cpu": "1", "filename": "as",
	"next_comm": "swapper/1", "next_pid": "0", "next_prio": "120", "next_vruntime": "0s", "old_pid": "2",
	"orig_cpu": "0", "parent_comm": "swapper", "parent_pid": "0", "pick": "idle", "pid": "2", "prev_comm": "as",
	"prev_pid": "2", "prev_prio": "120", "prev_state": "X", "prev_vruntime": "-46.576us", "prio": "120",
	"reason": "exited", "target_cpu": "1", "ts": "2.008ms", "vruntime": "-1.048576ms",
}

// eventTable describes the fields of all events, each with an example that
// shows one that has it.
func eventTable() Table {
	t := Table{Topics: []Topic{{
		Name: "event", Type: true,
		Doc: "Something that happened on a machine, as a callback of m.on is told of it. " +
			"It has the fields of the Linux tracepoint of that name, the time ts and the CPU cpu; " +
			"where the model knows the rule behind a decision, reason and pick name it.",
		Setup: "m = machine(topo.smp(2))\nseen = {}\n\ndef note(m, ev):\n    seen[\"ev\"] = ev\n",
	}}}
	done := map[string]bool{}
	for i := range tracepoints {
		k := &tracepoints[i]
		for _, f := range k.all() {
			if done[f.name] {
				continue
			}
			done[f.name] = true
			t.Builtins = append(t.Builtins, Builtin{
				Recv: "event", Name: f.name, Attr: true, Result: f.typ,
				Doc: f.doc + " Of " + strings.Join(eventsWith(f.name), ", ") + ".",
				Example: "m.on(\"" + k.name + "\", note)\n" +
					"t = m.spawn(\"cc1\", [work.sleep(1 * ms), work.run(1 * ms)], cpus = \"0\")\n" +
					"m.at(\"500us\", lambda m: (t.execve(\"as\"), t.sched_setaffinity(\"1\")))\n" +
					"m.run(10 * ms)\nprint(seen[\"ev\"]." + f.name + ")  # " + eventShows[f.name],
				Impl: func(c *Call) (starlark.Value, error) { return c.Recv.(*traceEvent).Attr(f.name) },
			})
		}
	}
	return t
}

// eventsWith lists the events that have a field.
func eventsWith(field string) []string {
	var out []string
	for i := range tracepoints {
		if tracepoints[i].field(field) != nil {
			out = append(out, tracepoints[i].name)
		}
	}
	if len(out) == len(tracepoints) {
		return []string{"every event"}
	}
	return out
}
