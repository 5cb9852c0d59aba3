package workload

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// MaxNesting is how deep Repeat steps can be nested in each other in one program; a
// Fork of several children counts as one.
const MaxNesting = 16

var (
	errEmptyBody   = errors.New("the body is empty; put at least one step into it")
	errUnreachable = errors.New("it can never be reached, for the step before it never ends; remove one of them")
)

// Compile turns steps into a Program. No steps are a program that exits at once.
//
// An error begins with the path of the step that is wrong, "loop[0].repeat[2].run":
// third step of the body of the repeat that is the first step of the loop. Where the
// program has several steps, the path begins with the index of its own.
//
// A loop in which no step can take time or block is compiled, and listed by
// Program.Timeless; the machine decides what to do when it comes to it.
func Compile(steps []Step) (*Program, error) {
	c := &compiler{p: &Program{steps: slices.Clone(steps), maxObj: -1}}
	if _, err := c.body("", steps); err != nil {
		return nil, err
	}
	c.add(instr{op: opEnd, dist: noDist})
	return c.p, nil
}

// compiler appends code to a program while it walks down the steps.
type compiler struct {
	p     *Program
	path  string // Of the step at hand.
	depth int    // Repeats around it.
	stops bool   // What follows the step at hand in the same body is never reached.
}

// body compiles steps one after another. prefix is what the path has between the
// name of the step around them and their own index.
func (c *compiler) body(prefix string, steps []Step) (takes bool, err error) {
	around := c.path
	c.stops = false
	for i, s := range steps {
		c.path = around + prefix
		if around != "" || len(steps) > 1 {
			c.path += "[" + strconv.Itoa(i) + "]."
		}
		if s == nil {
			return false, &stepError{c.path + "nil", errors.New("there is no step; give one")}
		}
		c.path += s.word()
		if c.stops {
			return false, &stepError{c.path, errUnreachable}
		}
		t, err := s.emit(c)
		if err != nil {
			// An error from further down has its longer path already.
			if _, ok := err.(*stepError); ok {
				return false, err
			}
			return false, &stepError{c.path, err}
		}
		takes = takes || t
	}
	c.path = around
	return takes, nil
}

// stepError is what is wrong with the step at a path.
type stepError struct {
	path string
	err  error
}

func (e *stepError) Error() string { return e.path + ": " + e.err.Error() }
func (e *stepError) Unwrap() error { return e.err }

func (c *compiler) here() int32  { return int32(len(c.p.code)) }
func (c *compiler) add(in instr) { c.p.code = append(c.p.code, in) }

// drawn appends in with the value of d, drawn at run time unless it is fixed.
func (c *compiler) drawn(in instr, param string, d Dist) error {
	if err := d.Validate(); err != nil {
		return fmt.Errorf("%s: %w", param, err)
	}
	if v, ok := d.Fixed(); ok {
		in.dist, in.d = noDist, v
	} else {
		in.dist = int32(len(c.p.dists))
		c.p.dists = append(c.p.dists, d)
	}
	c.add(in)
	return nil
}

// repeat compiles body with the code that runs it as often as count says. The
// counter of the loop is the one of its depth.
func (c *compiler) repeat(count Dist, body func() error) error {
	if c.depth == MaxNesting {
		return fmt.Errorf("it lies inside %d other repeats; at most %d can be nested", c.depth, MaxNesting)
	}
	level := uint8(c.depth)
	first := c.here()
	if err := c.drawn(instr{op: opRepeat, level: level}, "count", count.AsCount()); err != nil {
		return err
	}
	c.depth++
	c.p.depth = max(c.p.depth, c.depth)
	if err := body(); err != nil {
		return err
	}
	c.depth--
	c.add(instr{op: opAgain, dist: noDist, level: level, a: first + 1})
	c.p.code[first].a = c.here()
	return nil
}

// plain appends an action that needs nothing but a number.
func (c *compiler) plain(op Op, n int32) error {
	c.add(instr{op: opPlain, flag: uint8(op), dist: noDist, a: n})
	return nil
}

// named appends an instruction about the span of that name.
func (c *compiler) named(in instr, name string) error {
	if name == "" {
		return errors.New("the name is empty; a span needs one")
	}
	i := slices.Index(c.p.names, name)
	if i < 0 {
		i = len(c.p.names)
		c.p.names = append(c.p.names, name)
	}
	in.a = int32(i)
	c.add(in)
	return nil
}

// useObj notes that the program needs the object.
func (c *compiler) useObj(o ObjID) error {
	if o < 0 {
		return fmt.Errorf("object %d does not exist; objects are numbered from 0", o)
	}
	c.p.maxObj = max(c.p.maxObj, o)
	return nil
}
