package bindings

import (
	"bufio"
	"fmt"

	"schedrepl/engine"
	"schedrepl/engine/sched"
	"schedrepl/engine/trace"
)

// tracer writes the records of all machines of a session into one text, in the
// order in which they come. A line that begins with # tells whose records
// follow.
type tracer struct {
	w    *bufio.Writer
	made int         // Machines so far.
	last *tracedSink // Whose records were written last.
}

// tracedSink is the sink of one machine.
type tracedSink struct {
	t    *tracer
	head string // The line before its records.
	text *trace.Text
}

// traceText writes the records of m, from now on, to Options.Trace. The runs of
// repeat may go on side by side, so that no order is theirs; they write none.
func (s *Session) traceText(m *engine.Machine) {
	if s.opts.Trace == nil || s.parent != nil {
		return
	}
	t := &s.tracer
	if t.w == nil {
		t.w = bufio.NewWriterSize(s.opts.Trace, 256<<10)
	}
	t.made++
	cfg := m.Config()
	m.AddSink(&tracedSink{
		t: t,
		head: fmt.Sprintf("# machine %d: %s, kernel %s, hz %d, seed %d",
			t.made, plural(cfg.Topology.NumCPU(), "CPU"), kernelName(&cfg.Kernel), cfg.HZ, cfg.Seed),
		// It writes straight into t.w, which is large enough for it.
		text: trace.NewText(t.w, traceNames{m.Core()}),
	})
}

// FlushTrace writes what Options.Trace has not got yet, and returns the first
// error of that writer.
func (s *Session) FlushTrace() error {
	if s.tracer.w == nil {
		return nil
	}
	return s.tracer.w.Flush()
}

// Record writes one record. A failed write is kept by the bufio.Writer.
func (k *tracedSink) Record(r *trace.Record) {
	if k.t.last != k {
		k.t.last = k
		_, _ = fmt.Fprintln(k.t.w, k.head)
	}
	k.text.Record(r)
}

// traceNames gives the names behind the numbers of a record.
type traceNames struct{ *sched.Core }

// Group is the name of a task group.
func (n traceNames) Group(id int32) string { return n.GroupName(sched.GroupID(id)) }
