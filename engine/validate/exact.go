package validate

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"schedrepl/engine/event"
	"schedrepl/engine/sched"
	"schedrepl/engine/trace"
)

// Exact is the outcome of comparing one exact capture.
type Exact struct {
	Name  string
	Lines int // lines compared
	Equal bool
	// At is the number of the first line that differs, from 1; Want and Got
	// are the two lines, empty where one trace ended. State is the model's
	// state then.
	At        int
	Want, Got string
	State     string
}

// String returns "equal, N lines" or the first difference.
func (e *Exact) String() string {
	if e.Equal {
		return fmt.Sprintf("%s: equal, %d lines", e.Name, e.Lines)
	}
	show := func(s string) string {
		if s == "" {
			return "(end of trace)"
		}
		return s
	}
	return fmt.Sprintf("%s: line %d differs\n  recorded: %s\n  model:    %s\n%s", e.Name, e.At, show(e.Want), show(e.Got), e.State)
}

// CompareExact sets up the machine of the capture in dir (scenario.json and
// trace.txt.gz), runs it to the end and compares the two traces line by line.
// An error says that the capture cannot be read or asks for something that the
// model does not have.
func CompareExact(fsys fs.FS, dir string) (*Exact, error) {
	s, err := readScenario(fsys, dir)
	if err != nil {
		return nil, err
	}
	want, err := readTrace(fsys, path.Join(dir, "trace.txt.gz"))
	if err != nil {
		return nil, err
	}
	got, h, err := s.run(false)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	e := &Exact{Name: path.Base(dir), Lines: len(want), Equal: true}
	for i := 0; i < len(want) || i < len(got); i++ {
		var w, g string
		if i < len(want) {
			w = want[i]
		}
		if i < len(got) {
			g = got[i]
		}
		if w != g {
			e.Equal, e.At, e.Want, e.Got = false, i+1, w, g
			e.State = h.stateNear(got, i)
			break
		}
	}
	return e, nil
}

// readTrace reads a gzipped text trace.
func readTrace(fsys fs.FS, name string) ([]string, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s: cannot read the trace: %w", name, err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: damaged: not a gzip file: %w", name, err)
	}
	var lines []string
	sc := bufio.NewScanner(z)
	last := int64(-1)
	for sc.Scan() {
		line := sc.Text()
		if strings.TrimSpace(line) == "" {
			continue
		}
		var at int64
		var cpu int
		var kind string
		if n, _ := fmt.Sscan(line, &at, &cpu, &kind); n < 3 {
			return nil, fmt.Errorf("%s: damaged: line %d is not \"time cpu event ...\": %q", name, len(lines)+1, line)
		}
		if at < last {
			return nil, fmt.Errorf("%s: damaged: line %d: time goes back from %d to %d", name, len(lines)+1, last, at)
		}
		last = at
		lines = append(lines, line)
	}
	if err := sc.Err(); err != nil {
		return nil, fmt.Errorf("%s: damaged after line %d: %w", name, len(lines), err)
	}
	if len(lines) == 0 {
		return nil, errors.New(name + ": empty trace")
	}
	return lines, nil
}

// run runs the scenario and returns its trace in the form of the captures.
func (s *scenario) run(allTicks bool) ([]string, *harness, error) {
	h, err := s.build(allTicks)
	if err != nil {
		return nil, nil, err
	}
	if err := h.m.RunUntil(event.Time(s.End)); err != nil {
		return nil, nil, err
	}
	return h.lines(), h, nil
}

// lines returns the machine's trace in the form of the captures: a fork is
// told after the first wakeup of the child, whose name is that of the template
// and its number.
func (h *harness) lines() []string {
	var out []string
	names := map[int32]string{}
	count := map[string]int{}
	for name, pid := range h.pids {
		names[pid] = name
	}
	label := 0
	name := func(pid int32, cpu int16) string {
		if pid == 0 {
			return fmt.Sprintf("idle/%d", cpu)
		}
		return names[pid]
	}
	h.m.Log().Each(func(r *trace.Record) bool {
		switch r.Kind {
		case trace.KindFork:
			if r.Other != 0 {
				c := h.m.Core().Comm(r.Task)
				count[c]++
				names[r.Task] = fmt.Sprintf("%s.%d", c, count[c])
			}
		case trace.KindSwitch:
			out = append(out, fmt.Sprintf("%d %d switch %s %c %s %d %d", int64(r.Time), r.CPU,
				name(r.Task, r.CPU), r.State, name(r.Other, r.CPU), r.A, r.B))
		case trace.KindWakeup:
			out = append(out, fmt.Sprintf("%d %d wakeup %s %d %d", int64(r.Time), r.CPU, names[r.Task], r.Other, r.A))
		case trace.KindWakeupNew:
			out = append(out, fmt.Sprintf("%d %d wakeup_new %s %d %d", int64(r.Time), r.CPU, names[r.Task], r.Other, r.A),
				fmt.Sprintf("%d %d fork %s", int64(r.Time), r.CPU, names[r.Task]))
		case trace.KindMigrate:
			out = append(out, fmt.Sprintf("%d %d migrate %s %d %d", int64(r.Time), r.CPU, names[r.Task], r.A, r.B))
		case trace.KindSetNice, trace.KindSetGroup, trace.KindSetPolicy, trace.KindSetAffinity, trace.KindSetShares:
			if label < len(h.labels) && h.labels[label].at == r.Time {
				out = append(out, fmt.Sprintf("%d %d %s", int64(r.Time), r.CPU, h.labels[label].text))
				label++
			}
		}
		return true
	})
	return out
}

// stateNear describes the model at the line that differs: the last lines that
// were equal, and the tasks with their virtual times, from a second run to
// that moment.
func (h *harness) stateNear(got []string, i int) string {
	var b strings.Builder
	b.WriteString("  before it:\n")
	for k := max(0, i-5); k < i && k < len(got); k++ {
		fmt.Fprintf(&b, "    %s\n", got[k])
	}
	var at int64
	switch {
	case i < len(got):
		fmt.Sscan(got[i], &at)
	case len(got) > 0:
		fmt.Sscan(got[len(got)-1], &at)
	}
	again, err := h.s.build(false)
	if err != nil || at < h.s.Launch.At || again.m.RunUntil(event.Time(at)) != nil {
		return b.String()
	}
	core := again.m.Core()
	fmt.Fprintf(&b, "  model at %d ns, after that instant:\n", at)
	for t := range core.Tasks {
		tk := &core.Tasks[t]
		if tk.PID == 0 {
			continue
		}
		runs := " "
		if int(core.Curr(int(tk.CPU))) == t {
			runs = "*"
		}
		fmt.Fprintf(&b, "   %s%-12s %c cpu %d nice %3d group %-4s vruntime %d min_vruntime %d\n", runs,
			core.Comm(tk.PID), tk.State, tk.CPU, tk.Nice, core.GroupName(tk.Group), core.Virtual(idOf(t)),
			again.m.Fair().MinVruntime(tk.Group, int(tk.CPU)))
	}
	return b.String()
}

func idOf(t int) sched.TaskID { return sched.TaskID(t) }
