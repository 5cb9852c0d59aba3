package validate

import (
	"strconv"

	"schedrepl/engine/trace"
)

// liner is a sink that turns the machine's records into the lines of an exact
// capture and hands each on. A fork is told after the first wakeup of the
// child, whose name is that of its template with a number; the fork of a
// launched task likewise, under its own name.
type liner struct {
	h         *harness
	emit      func(line string)
	launching string         // the task that is being launched
	names     []string       // by process id
	forked    map[string]int // children so far, by template
	buf       []byte
}

// Record implements trace.Sink.
func (l *liner) Record(r *trace.Record) {
	switch r.Kind {
	case trace.KindFork:
		l.fork(r)
	case trace.KindSwitch:
		l.begin(r, "switch")
		l.word(l.task(r.Task, r.CPU))
		l.word(string(rune(r.State)))
		l.word(l.task(r.Other, r.CPU))
		l.number(r.A)
		l.number(r.B)
		l.end()
	case trace.KindWakeup:
		l.wakeup(r, "wakeup")
	case trace.KindWakeupNew:
		l.wakeup(r, "wakeup_new")
		l.begin(r, "fork")
		l.word(l.names[r.Task])
		l.end()
	case trace.KindMigrate:
		l.begin(r, "migrate")
		l.word(l.names[r.Task])
		l.number(r.A)
		l.number(r.B)
		l.end()
	case trace.KindSetNice, trace.KindSetGroup, trace.KindSetPolicy, trace.KindSetAffinity, trace.KindSetShares:
		if l.h.label != "" {
			l.begin(r, l.h.label)
			l.h.label = ""
			l.end()
		}
	}
}

// fork notes the name of a new task.
func (l *liner) fork(r *trace.Record) {
	for int(r.Task) >= len(l.names) {
		l.names = append(l.names, "")
	}
	name := l.launching
	if r.Other != 0 {
		name = l.h.m.Core().Comm(r.Task)
		l.forked[name]++
		name += "." + strconv.Itoa(l.forked[name])
	}
	l.names[r.Task] = name
}

func (l *liner) wakeup(r *trace.Record, word string) {
	l.begin(r, word)
	l.word(l.names[r.Task])
	l.number(int64(r.Other))
	l.number(r.A)
	l.end()
}

// task returns the name of a task, or of the idle task of a CPU.
func (l *liner) task(pid int32, cpu int16) string {
	if pid == 0 {
		return "idle/" + strconv.Itoa(int(cpu))
	}
	return l.names[pid]
}

func (l *liner) begin(r *trace.Record, word string) {
	l.buf = strconv.AppendInt(l.buf[:0], int64(r.Time), 10)
	l.number(int64(r.CPU))
	l.word(word)
}

func (l *liner) word(s string) {
	l.buf = append(l.buf, ' ')
	l.buf = append(l.buf, s...)
}

func (l *liner) number(n int64) {
	l.buf = append(l.buf, ' ')
	l.buf = strconv.AppendInt(l.buf, n, 10)
}

func (l *liner) end() { l.emit(string(l.buf)) }
