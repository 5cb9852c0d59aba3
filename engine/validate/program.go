package validate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"schedrepl/engine/workload"
)

// step is one step of a program. Of the fields that its kind has no use for
// each is zero.
type step struct {
	kind    stepKind
	ns      int64  // length of a run or sleep, period of a timer
	forever bool   // a run that does not end
	name    string // the task to wake, the template to fork
}

type stepKind uint8

const (
	stepRun stepKind = iota
	stepSleep
	stepPeriod
	stepYield
	stepBlock
	stepWake
	stepFork
)

// stepKeys are the words of the steps in a file, by kind.
var stepKeys = [...]string{
	stepRun: "run_ns", stepSleep: "sleep_ns", stepPeriod: "sleep_until_next_period_ns",
	stepYield: "yield", stepBlock: "block", stepWake: "wake", stepFork: "fork",
}

const stepWords = "run_ns, sleep_ns, sleep_until_next_period_ns, yield, block, wake or fork"

// parseProgram understands the program of a task: its steps, and what comes
// after the last one.
func (s *scenario) parseProgram(t *task) ([]step, error) {
	var steps []step
	for i, raw := range t.Program {
		st, err := s.parseStep(raw)
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", i, err)
		}
		steps = append(steps, st)
		if st.forever && i < len(t.Program)-1 {
			return nil, fmt.Errorf("step %d: run_ns \"forever\" never ends, so that step %d cannot be reached; it must be the last", i, i+1)
		}
	}
	n := len(steps)
	endless := n > 0 && steps[n-1].forever
	switch {
	case t.LoopTo != nil && (*t.LoopTo < 0 || *t.LoopTo >= n):
		if n == 0 {
			return nil, fmt.Errorf("loop_to_index: %d: the program has no steps; it must be null", *t.LoopTo)
		}
		return nil, fmt.Errorf("loop_to_index: %d: it must be one of the steps 0-%d, or null", *t.LoopTo, n-1)
	case t.LoopTo != nil && t.ExitAtEnd:
		return nil, errors.New("loop_to_index and exit_at_end: it cannot both loop and exit at its end; one must be null or false")
	case t.LoopTo == nil && !t.ExitAtEnd && !endless:
		return nil, errors.New("nothing says what comes after its last step: loop_to_index must be a step, or exit_at_end true")
	}
	return steps, nil
}

// parseStep understands an object with one key.
func (s *scenario) parseStep(raw json.RawMessage) (step, error) {
	key, value, err := oneKey(raw)
	if err != nil {
		return step{}, err
	}
	kind := stepKind(0)
	for int(kind) < len(stepKeys) && stepKeys[kind] != key {
		kind++
	}
	if int(kind) == len(stepKeys) {
		return step{}, fmt.Errorf("unknown step %q; it must be %s", key, stepWords)
	}
	st := step{kind: kind}
	switch kind {
	case stepRun:
		if string(value) == `"forever"` {
			st.forever = true
			break
		}
		if st.ns, err = length(value, 0); err != nil {
			err = fmt.Errorf("%w, or \"forever\"", err)
		}
	case stepSleep:
		st.ns, err = length(value, 0)
	case stepPeriod:
		st.ns, err = length(value, 1)
	case stepYield, stepBlock:
		if string(value) != "true" {
			err = fmt.Errorf("%s: it must be true", clip(value))
		}
	default:
		st.name, err = s.partner(kind, value)
	}
	if err != nil {
		return step{}, fmt.Errorf("%s: %w", key, err)
	}
	return st, nil
}

// partner returns the task that a wake or fork step names.
func (s *scenario) partner(kind stepKind, value json.RawMessage) (string, error) {
	var name string
	if err := json.Unmarshal(value, &name); err != nil {
		return "", fmt.Errorf("%s: it must be a name", clip(value))
	}
	t := s.findTask(name)
	switch {
	case kind == stepFork && (t == nil || !t.Template):
		return "", fmt.Errorf("%q is not a template (a task with template_for_fork true)", name)
	case kind == stepWake && (t == nil || t.Template):
		return "", fmt.Errorf("%q is not a task; it must be one that is forked at the launch", name)
	}
	return name, nil
}

// oneKey returns the key and the value of an object that has one.
func oneKey(raw json.RawMessage) (string, json.RawMessage, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if tok, err := dec.Token(); err != nil || tok != json.Delim('{') {
		return "", nil, fmt.Errorf("%s: it must be an object with one key: %s", clip(raw), stepWords)
	}
	var key string
	var value json.RawMessage
	for n := 0; dec.More(); n++ {
		tok, err := dec.Token()
		if err != nil {
			return "", nil, fmt.Errorf("%s: %w", clip(raw), err)
		}
		next, _ := tok.(string)
		if n > 0 {
			return "", nil, fmt.Errorf("it has the keys %q and %q; a step has one", key, next)
		}
		key = next
		if err := dec.Decode(&value); err != nil {
			return "", nil, fmt.Errorf("%s: %w", clip(raw), err)
		}
	}
	if key == "" {
		return "", nil, fmt.Errorf("it has no key; it must be %s", stepWords)
	}
	return key, value, nil
}

// length understands a length of at least least ns.
func length(raw json.RawMessage, least int64) (int64, error) {
	var d *int64
	if err := json.Unmarshal(raw, &d); err != nil || d == nil || *d < least || *d > workload.MaxDraw {
		return 0, fmt.Errorf("%s: it must be a length in ns, %d or more", clip(raw), least)
	}
	return *d, nil
}

// program compiles the program of a task or template. Its place is known before
// it is compiled, so that templates may fork themselves, or each other.
func (h *harness) program(name string) (*workload.Program, error) {
	if p, ok := h.done[name]; ok {
		return p, nil
	}
	p := &workload.Program{}
	h.done[name] = p
	t := h.s.findTask(name)
	var steps []workload.Step
	for i := range t.steps {
		st, err := h.step(t, &t.steps[i])
		if err != nil {
			return nil, fmt.Errorf("task %q: program: step %d: %w", name, i, err)
		}
		steps = append(steps, st)
	}
	if t.LoopTo != nil && !t.steps[len(steps)-1].forever {
		steps = workload.LoopFrom(steps, *t.LoopTo)
	}
	compiled, err := workload.Compile(steps)
	if err != nil {
		return nil, fmt.Errorf("task %q: program: %w", name, err)
	}
	*p = *compiled // nobody runs it yet
	return p, nil
}

// step translates one step.
func (h *harness) step(t *task, st *step) (workload.Step, error) {
	d := time.Duration(st.ns)
	switch st.kind {
	case stepRun:
		if st.forever {
			return workload.RunForever{}, nil
		}
		return workload.Run{For: workload.Constant(d)}, nil
	case stepSleep:
		return workload.Sleep{For: workload.Constant(d)}, nil
	case stepPeriod:
		return workload.Timer{Period: d}, nil
	case stepYield:
		return workload.Yield{}, nil
	case stepBlock:
		o, err := h.sem(t.Name)
		return workload.SemWait{Obj: o}, err
	case stepWake:
		o, err := h.sem(st.name)
		return workload.SemPost{Obj: o}, err
	}
	p, err := h.program(st.name)
	return workload.Fork{Prog: p, Comm: st.name}, err
}
