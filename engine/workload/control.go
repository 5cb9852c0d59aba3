package workload

import (
	"fmt"
	"math"
)

type (
	// Loop repeats its body for ever.
	Loop struct{ Body []Step }
	// Repeat runs its body Count times; the count is drawn when the step is reached,
	// and 0 skips the body.
	Repeat struct {
		Count Dist
		Body  []Step
	}
	// Choose runs one of its bodies, each with a probability in proportion to its
	// weight; without weights all are alike. A body may be empty: do nothing.
	Choose struct {
		Weights []float64
		Bodies  [][]Step
	}
)

func (Loop) word() string   { return "loop" }
func (Repeat) word() string { return "repeat" }
func (Choose) word() string { return "choose" }

// LoopFrom returns steps as a program that, having reached the end, starts again at
// index k: the first k steps and a Loop of the others. It panics unless
// 0 <= k < len(steps).
func LoopFrom(steps []Step, k int) []Step {
	if k < 0 || k >= len(steps) {
		panic(fmt.Sprintf("sched: workload: loop back to step %d of %d", k, len(steps)))
	}
	return append(append([]Step{}, steps[:k]...), Loop{Body: steps[k:]})
}

func (s Loop) emit(c *compiler) (bool, error) {
	if len(s.Body) == 0 {
		return false, errEmptyBody
	}
	top := c.here()
	takes, err := c.body("", s.Body)
	if err != nil {
		return false, err
	}
	c.add(instr{op: opJump, dist: noDist, a: top})
	c.stops = true
	if !takes {
		c.p.timeless = append(c.p.timeless, c.path)
	}
	return takes, nil
}

func (s Repeat) emit(c *compiler) (bool, error) {
	if len(s.Body) == 0 {
		return false, errEmptyBody
	}
	if !s.Count.IsSet() {
		return false, fmt.Errorf("there is no count; give how often to run the body")
	}
	takes := false
	err := c.repeat(s.Count, func() (err error) {
		takes, err = c.body("", s.Body)
		return err
	})
	// A body that does not come to its end ends the program, unless it is skipped.
	if n, ok := s.Count.Fixed(); !ok || n == 0 {
		c.stops = false
	}
	return takes && s.Count.nonzero(), err
}

func (s Choose) emit(c *compiler) (bool, error) {
	if len(s.Bodies) == 0 {
		return false, fmt.Errorf("there is nothing to choose from; give at least one body")
	}
	if s.Weights != nil && len(s.Weights) != len(s.Bodies) {
		return false, fmt.Errorf("there are %d weights for %d bodies; give as many", len(s.Weights), len(s.Bodies))
	}
	ch := choice{sums: make([]float64, len(s.Bodies)), targets: make([]int32, len(s.Bodies))}
	sum := 0.0
	for i := range s.Bodies {
		w := 1.0
		if s.Weights != nil {
			w = s.Weights[i]
		}
		if !(w >= 0) || math.IsInf(w, 1) {
			return false, fmt.Errorf("weight %d is %s; it must be a number, 0 or more", i, number(w))
		}
		sum += w
		ch.sums[i] = sum
	}
	if sum == 0 || math.IsInf(sum, 1) {
		return false, fmt.Errorf("the weights sum to %s; at least one must be positive and the sum finite", number(sum))
	}
	index := len(c.p.choices)
	c.p.choices = append(c.p.choices, ch)
	c.add(instr{op: opChoose, dist: noDist, a: int32(index)})
	takes, stops := false, true
	var exits []int32 // The jumps from the bodies to what follows.
	for i, body := range s.Bodies {
		ch.targets[i] = c.here()
		c.stops = false
		t, err := c.body(fmt.Sprintf("[%d]", i), body)
		if err != nil {
			return false, err
		}
		possible := s.Weights == nil || s.Weights[i] > 0
		takes = takes || t && possible
		stops = stops && (c.stops || !possible)
		if !c.stops && i < len(s.Bodies)-1 {
			exits = append(exits, c.here())
			c.add(instr{op: opJump, dist: noDist})
		}
	}
	for _, at := range exits {
		c.p.code[at].a = c.here()
	}
	c.stops = stops
	return takes, nil
}
