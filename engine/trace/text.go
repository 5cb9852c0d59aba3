package trace

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
)

// Names gives the texts behind the numbers of a record.
type Names interface {
	// Comm returns the name of the task with a process id.
	Comm(pid int32) string
	// Group returns the name of a task group.
	Group(id int32) string
	// Name returns a name of a mark, span or program by its index.
	Name(index int32) string
}

// Text writes each record as a line: time in ns, CPU, kind, then fields as
// name=value. Flush must be called at the end; it returns the first error of
// the writer.
type Text struct {
	w     *bufio.Writer
	names Names
	buf   []byte
}

// NewText returns a Text that writes to w.
func NewText(w io.Writer, names Names) *Text {
	return &Text{w: bufio.NewWriterSize(w, 64<<10), names: names}
}

// Record writes r as one line.
func (t *Text) Record(r *Record) {
	b := t.buf[:0]
	b = strconv.AppendInt(b, int64(r.Time), 10)
	b = append(b, ' ')
	b = strconv.AppendInt(b, int64(r.CPU), 10)
	b = append(b, ' ')
	b = append(b, r.Kind.String()...)
	switch r.Kind {
	case KindSwitch:
		b = fmt.Appendf(b, " prev=%s prev_state=%c next=%s prev_vruntime=%d next_vruntime=%d reason=%s pick=%s",
			t.task(r.Task), r.State, t.task(r.Other), r.A, r.B, r.Reason, r.Pick)
	case KindWakeup, KindWakeupNew:
		b = fmt.Appendf(b, " task=%s target_cpu=%d vruntime=%d before=%d preempt=%s placed=%s",
			t.task(r.Task), r.Other, r.A, r.B, r.Reason, r.Pick)
	case KindMigrate:
		b = fmt.Appendf(b, " task=%s from=%d to=%d reason=%s", t.task(r.Task), r.A, r.B, r.Pick)
	case KindFork:
		b = fmt.Appendf(b, " child=%s parent=%s", t.task(r.Task), t.task(r.Other))
	case KindSetGroup:
		b = fmt.Appendf(b, " task=%s group=%s from=%s", t.task(r.Task), t.names.Group(int32(r.A)), t.names.Group(int32(r.B)))
	case KindSetShares:
		b = fmt.Appendf(b, " group=%s shares=%d from=%d", t.names.Group(r.Other), r.A, r.B)
	case KindMark:
		b = fmt.Appendf(b, " name=%s", t.names.Name(int32(r.A)))
	case KindBegin, KindEnd:
		b = fmt.Appendf(b, " task=%s span=%s began=%d", t.task(r.Task), t.names.Name(int32(r.A)), r.B)
	case KindResched, KindCharge:
		b = fmt.Appendf(b, " task=%s reason=%s a=%d b=%d", t.task(r.Task), r.Reason, r.A, r.B)
	default:
		b = fmt.Appendf(b, " task=%s a=%d b=%d", t.task(r.Task), r.A, r.B)
	}
	b = append(b, '\n')
	t.buf = b
	// A failed write is kept by the bufio.Writer and returned by Flush.
	_, _ = t.w.Write(b)
}

func (t *Text) task(pid int32) string {
	if pid == 0 {
		return "idle"
	}
	return t.names.Comm(pid) + "/" + strconv.Itoa(int(pid))
}

// Flush writes what is buffered and returns the first error of the writer.
func (t *Text) Flush() error { return t.w.Flush() }
