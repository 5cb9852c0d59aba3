package validate

import (
	"fmt"
	"strings"

	"schedrepl/engine/sched"
	"schedrepl/engine/table"
	"schedrepl/engine/trace"
)

// lastKnown is what a trace told last of a task.
type lastKnown struct {
	state string
	v     int64
	at    int64
}

// States of a task in a comparison.
const (
	runs   = "runs"
	waits  = "waits"
	sleeps = "sleeps"
	exited = "exited"
)

// follow returns what the recorded lines up to and with line n tell of each
// task, and the tasks in the order in which they appear.
func (r *recorded) follow(n int) (map[string]lastKnown, []string) {
	known := map[string]lastKnown{}
	var order []string
	tell := func(task, state string, v, at int64) {
		if _, ok := known[task]; !ok {
			order = append(order, task)
		}
		known[task] = lastKnown{state, v, at}
	}
	for i := 0; i <= n && i < len(r.lines); i++ {
		ev, err := parseLine(r.lines[i])
		if err != nil {
			continue // readTrace lets none through
		}
		switch ev.event {
		case "switch":
			if !isIdle(ev.task) {
				tell(ev.task, map[byte]string{'R': waits, 'S': sleeps, 'X': exited}[ev.state], ev.v, ev.at)
			}
			if !isIdle(ev.next) {
				tell(ev.next, runs, ev.nextV, ev.at)
			}
		case "wakeup", "wakeup_new":
			tell(ev.task, waits, ev.v, ev.at)
		}
	}
	return known, order
}

func isIdle(task string) bool { return strings.HasPrefix(task, "idle/") }

// sides compares the tasks of the model as they are now with what the recorded
// lines up to and with line n tell of them, as a table.
func (h *harness) sides(rec *recorded, n int) string {
	t := table.MustNew("",
		table.Column{Name: "task", Kind: table.String}, table.Column{Name: "nice", Kind: table.Int},
		table.Column{Name: "group", Kind: table.String},
		table.Column{Name: "model", Kind: table.String}, table.Column{Name: "model_vruntime", Kind: table.Int},
		table.Column{Name: "min_vruntime", Kind: table.Int},
		table.Column{Name: "recorded", Kind: table.String}, table.Column{Name: "recorded_vruntime", Kind: table.Int},
		table.Column{Name: "recorded_at", Kind: table.Int}, table.Column{Name: "difference", Kind: table.Int},
	)
	known, order := rec.follow(n)
	seen := map[string]bool{}
	add := func(name string, row []any) {
		seen[name] = true
		row = append(row, nil, nil, nil, nil)
		if k, ok := known[name]; ok {
			row[6], row[7], row[8] = k.state, k.v, k.at
			if v, ok := row[4].(int64); ok {
				row[9] = v - k.v
			}
		}
		if err := t.Append(row...); err != nil {
			panic("sched: validate: " + err.Error())
		}
	}
	for pid, name := range h.lines.names {
		if name != "" {
			add(name, h.side(int32(pid), name))
		}
	}
	for _, name := range order {
		if !seen[name] {
			add(name, []any{name, nil, nil, nil, nil, nil})
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "  after it, at %d ns of the model; vruntimes as last accounted, the recorded ones as last told:\n", int64(h.m.Now()))
	if err := t.WriteText(&b, table.TextOptions{MaxRows: -1, MaxCell: -1}); err != nil {
		panic("sched: validate: " + err.Error())
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// side returns the model's half of a task's row.
func (h *harness) side(pid int32, name string) []any {
	core := h.m.Core()
	id := core.Find(pid)
	if id == sched.NoTask {
		return []any{name, nil, nil, exited, nil, nil}
	}
	t := &core.Tasks[id]
	state := sleeps
	switch {
	case core.Curr(int(t.CPU)) == id:
		state = runs
	case t.Queued:
		state = waits
	case t.State == trace.Exited:
		state = exited
	}
	return []any{
		name, int64(t.Nice), core.GroupName(t.Group), state, core.Virtual(id),
		h.m.Fair().MinVruntime(t.Group, int(t.CPU)),
	}
}
