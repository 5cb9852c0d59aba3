package workload

import (
	"fmt"
	"slices"
	"strings"
)

// Program is compiled steps. It is immutable, and may be shared by all tasks of any
// number of machines, in parallel too. Programs that name objects (semaphores) fit
// only machines that have them.
type Program struct {
	steps    []Step
	code     []instr // Ends in opEnd.
	dists    []Dist
	choices  []choice
	children []Child
	names    []string // Of spans.
	labels   []string // Of Do steps.
	timeless []string
	depth    int   // Counters needed.
	maxObj   ObjID // Highest object named, children included; -1 for none.
}

// opcode is what an instruction does inside the interpreter.
type opcode uint8

const (
	opEnd     opcode = iota // Return to the caller of the pushed steps, or exit.
	opJump                  // Go on at a.
	opRepeat                // Counter level := value; go on at a if it is 0.
	opAgain                 // Count counter level down; go on at a unless it is 0.
	opChoose                // Go on at a target of choice a.
	opRun                   // flag: in the kernel. e: time between cond_resched calls.
	opSleep                 //
	opTimer                 // d: the period.
	opSemWait               // a: the object.
	opSemPost               // a: the object.
	opFork                  // a: index of the child.
	opExit                  // a: the code.
	opBegin                 // a: index of the name. flag: at the timer's expiry.
	opEndSpan               // a: index of the name.
	opPlain                 // flag: the Op. a: its N.
	opDo                    // flag: the Op. a: its N. b: index of the label.
)

// noDist stands for a value that is fixed, in instr.d.
const noDist = -1

// instr is one instruction, half a cache line.
type instr struct {
	op    opcode
	flag  uint8
	level uint8
	dist  int32 // Index of the distribution that gives the value, or noDist.
	a, b  int32
	d, e  int64
}

// Flags of opRun.
const (
	runKernel     = 1
	runMightSleep = 2
)

// choice is the table of a Choose step.
type choice struct {
	sums    []float64 // Running sums of the weights.
	targets []int32
}

// Steps returns the steps that the program was compiled from.
func (p *Program) Steps() []Step { return slices.Clone(p.steps) }

// LoopTo returns the index to which the program goes back from its end: that of a
// Loop that is the last of its steps. It is -1 if the program ends.
func (p *Program) LoopTo() int {
	last := len(p.steps) - 1
	if last >= 0 {
		if _, ok := p.steps[last].(Loop); ok {
			return last
		}
	}
	return -1
}

// Timeless lists the paths of the loops in which no step can take time or block, so
// that a task that enters one never leaves the instant unless actions cost time.
func (p *Program) Timeless() []string { return slices.Clone(p.timeless) }

// MaxObj returns the highest object that the program or a child of it names, or -1.
func (p *Program) MaxObj() ObjID { return p.maxObj }

// String lists the code, one numbered instruction a line.
func (p *Program) String() string {
	var b strings.Builder
	for i := range p.code {
		fmt.Fprintf(&b, "%3d  %s\n", i, p.text(&p.code[i]))
	}
	return b.String()
}

// text writes an instruction in the words of scripts.
func (p *Program) text(in *instr) string {
	switch in.op {
	case opEnd:
		return "exit at the end"
	case opJump:
		return fmt.Sprintf("jump to %d", in.a)
	case opRepeat:
		count := Count(in.d)
		if in.dist != noDist {
			count = p.dists[in.dist]
		}
		return fmt.Sprintf("repeat %s, then %d", count, in.a)
	case opAgain:
		return fmt.Sprintf("again from %d", in.a)
	case opChoose:
		return "choose " + p.choices[in.a].String()
	case opRun:
		text := "run " + p.value(in)
		if in.flag != 0 {
			text += " in the kernel"
		}
		if in.e > 0 {
			text += ", cond_resched every " + length(in.e)
		}
		return text
	case opSleep:
		return "sleep " + p.value(in)
	case opTimer:
		return "timer " + length(in.d)
	case opSemWait:
		return fmt.Sprintf("sem_wait %d", in.a)
	case opSemPost:
		return fmt.Sprintf("sem_post %d", in.a)
	case opFork:
		ch := &p.children[in.a]
		what := "process"
		if ch.Thread {
			what = "thread"
		}
		return fmt.Sprintf("fork %s %q", what, ch.Comm)
	case opExit:
		return fmt.Sprintf("exit %d", in.a)
	case opBegin:
		if in.flag != 0 {
			return fmt.Sprintf("begin %q at release", p.names[in.a])
		}
		return fmt.Sprintf("begin %q", p.names[in.a])
	case opEndSpan:
		return fmt.Sprintf("end %q", p.names[in.a])
	case opDo:
		return fmt.Sprintf("%s %s, %d", p.labels[in.b], p.value(in), in.a)
	}
	switch op := Op(in.flag); op {
	case OpNice, OpCall:
		return fmt.Sprintf("%s %d", op, in.a)
	default:
		return op.String()
	}
}

// value writes the length of an instruction.
func (p *Program) value(in *instr) string {
	if in.dist != noDist {
		return p.dists[in.dist].String()
	}
	if in.d == Forever {
		return "forever"
	}
	return length(in.d)
}

// String writes each branch's probability and target.
func (c choice) String() string {
	var parts []string
	before, total := 0.0, c.sums[len(c.sums)-1]
	for i, sum := range c.sums {
		parts = append(parts, fmt.Sprintf("%.3g: %d", (sum-before)/total, c.targets[i]))
		before = sum
	}
	return strings.Join(parts, ", ")
}
