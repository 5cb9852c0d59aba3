package validate

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"
)

// Bounds of a trace file: what is beyond is refused, so that a damaged or
// hostile file cannot fill the memory.
const (
	maxLines     = 5_000_000
	maxLineBytes = 4096
	maxTextBytes = 1 << 29
)

// recorded is a recorded trace: its lines, and the number in the file of each,
// which differs where lines are blank.
type recorded struct {
	lines []string
	no    []int32
}

// limits are the bounds of a trace that is read.
type limits struct {
	lines, bytes int
	cpus         int   // CPUs of the machine
	end          int64 // the last instant, in ns
}

// readTrace reads and checks a gzipped text trace. Blank lines and the carriage
// returns of Windows are dropped; everything else must be as the recorder
// wrote it.
func readTrace(fsys fs.FS, name string, lim limits) (*recorded, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s: cannot read the trace: %w", name, plainPathError(err))
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: damaged: no gzip file: %w", name, plainPathError(err))
	}
	r, err := parseTrace(z, lim)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

// parseTrace reads and checks the text of a trace.
func parseTrace(text io.Reader, lim limits) (*recorded, error) {
	r := &recorded{}
	sc := bufio.NewScanner(text)
	sc.Buffer(make([]byte, 0, maxLineBytes), maxLineBytes)
	no, size, last := 0, 0, int64(0)
	for sc.Scan() && sc.Err() == nil { // a line that was cut short is no line
		no++
		line := strings.TrimRight(sc.Text(), " \t\r")
		size += len(line)
		switch {
		case line == "":
			if no > 2*lim.lines {
				return nil, fmt.Errorf("line %d: too long: a trace may have at most %d lines", no, lim.lines)
			}
			continue
		case len(r.lines) >= lim.lines:
			return nil, fmt.Errorf("line %d: too long: a trace may have at most %d lines", no, lim.lines)
		case size > lim.bytes:
			return nil, fmt.Errorf("line %d: too long: a trace may have at most %d bytes of text", no, lim.bytes)
		}
		ev, err := parseLine(line)
		switch {
		case err != nil:
			return nil, fmt.Errorf("damaged: line %d: %w", no, err)
		case ev.at < last:
			return nil, fmt.Errorf("damaged: line %d: time goes back from %d to %d ns; lines must be in order of time", no, last, ev.at)
		case ev.at > lim.end:
			return nil, fmt.Errorf("damaged: line %d: it is at %d ns, after the end of the run at %d ns (end_ns of the set-up)", no, ev.at, lim.end)
		case ev.cpu >= lim.cpus:
			return nil, fmt.Errorf("damaged: line %d: CPU %d does not exist; the machine has 0-%d", no, ev.cpu, lim.cpus-1)
		}
		last = ev.at
		r.lines = append(r.lines, line)
		r.no = append(r.no, int32(no))
	}
	switch err := sc.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("damaged: line %d has more than %d bytes", no+1, maxLineBytes)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, fmt.Errorf("damaged: it ends in the middle of its gzip data, after line %d; it was cut off", no)
	case err != nil:
		return nil, fmt.Errorf("damaged after line %d: %w", no, err)
	case len(r.lines) == 0:
		return nil, errors.New("damaged: the trace is empty; it must have at least the launch")
	}
	return r, nil
}

// recEvent is a line of a trace, understood. What its event does not tell is
// empty.
type recEvent struct {
	at       int64
	cpu      int
	event    string
	task     string // prev of a switch, else the one that it is about
	next     string // of a switch
	state    byte   // of prev
	v, nextV int64  // vruntime of task and next
}

// shapes are the fields that follow each event: t a task or group, s a state,
// n a number, c a CPU, w a word.
var shapes = [...]struct{ event, fields string }{
	{"switch", "tstnn"}, {"wakeup", "tcn"}, {"wakeup_new", "tcn"}, {"migrate", "tcc"}, {"fork", "t"},
	{"setnice", "tn"}, {"setaffinity", "tw"}, {"setgroup", "tw"}, {"setshares", "tn"}, {"setpolicy", "tn"},
	{"throttle", "t"}, {"unthrottle", "t"},
}

// parseLine understands one line.
func parseLine(line string) (recEvent, error) {
	var ev recEvent
	var words [8]string
	n := 0
	for w := range strings.FieldsSeq(line) {
		if n == len(words) {
			return ev, fmt.Errorf("%q has too many words", cut(line))
		}
		words[n] = w
		n++
	}
	if n < 3 {
		return ev, fmt.Errorf("%q is not \"time cpu event ...\"", cut(line))
	}
	var err error
	if ev.at, err = strconv.ParseInt(words[0], 10, 64); err != nil || ev.at < 0 {
		return ev, fmt.Errorf("time %q is not a number of ns", cut(words[0]))
	}
	if ev.cpu, err = strconv.Atoi(words[1]); err != nil || ev.cpu < 0 {
		return ev, fmt.Errorf("CPU %q is not a CPU's number", cut(words[1]))
	}
	ev.event = words[2]
	for _, sh := range shapes {
		if sh.event == ev.event {
			return ev, ev.fill(words[3:n], sh.fields)
		}
	}
	return ev, fmt.Errorf("unknown event %q; events are switch, wakeup, wakeup_new, migrate, fork, set..., throttle and unthrottle", cut(ev.event))
}

// fill takes the fields of an event.
func (ev *recEvent) fill(words []string, fields string) error {
	if len(words) != len(fields) {
		return fmt.Errorf("%s has %d fields; it must have %d", ev.event, len(words), len(fields))
	}
	for i, w := range words {
		switch fields[i] {
		case 't':
			if ev.task == "" {
				ev.task = w
			} else {
				ev.next = w
			}
		case 's':
			if len(w) != 1 || !strings.Contains("RSX", w) {
				return fmt.Errorf("state %q is not R, S or X", cut(w))
			}
			ev.state = w[0]
		case 'n':
			v, err := strconv.ParseInt(w, 10, 64)
			if err != nil {
				return fmt.Errorf("%s: %q is not a whole number", ev.event, cut(w))
			}
			if i == 4 {
				ev.nextV = v
			} else {
				ev.v = v
			}
		case 'c':
			if v, err := strconv.Atoi(w); err != nil || v < 0 {
				return fmt.Errorf("%s: CPU %q is not a CPU's number", ev.event, cut(w))
			}
		}
	}
	return nil
}

// cut shortens text for a message.
func cut(s string) string {
	const limit = 60
	if len(s) > limit {
		s = strings.ToValidUTF8(s[:limit], "?") + "..."
	}
	return s
}
