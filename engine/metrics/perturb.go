package metrics

import (
	"fmt"
	"time"

	"schedrepl/engine/event"
	"schedrepl/engine/trace"
)

// Grid says when the ticks of each CPU come and what the kernel's own work
// costs. Ticks leave no records; they lie at Offset + k Period for k = 0, 1 ...
type Grid struct {
	// Period is the time between ticks; 0 for no ticks.
	Period time.Duration
	// Offset is the first tick of a CPU, nil for 0.
	Offset func(cpu int) time.Duration
	// TickCost is one tick of a busy CPU, SwitchCost one context switch, which
	// the incoming task pays.
	TickCost, SwitchCost time.Duration
}

// Validate names the first field that is out of range.
func (g Grid) Validate() error {
	switch {
	case g.Period < 0:
		return fmt.Errorf("grid: period: %v is negative: want 1s/hz, or 0 for no ticks", g.Period)
	case g.TickCost < 0:
		return fmt.Errorf("grid: tick cost: %v is negative", g.TickCost)
	case g.SwitchCost < 0:
		return fmt.Errorf("grid: switch cost: %v is negative", g.SwitchCost)
	case g.Period > 0 && g.TickCost >= g.Period:
		return fmt.Errorf("grid: tick cost: %v leaves no time between ticks %v apart", g.TickCost, g.Period)
	}
	return nil
}

// Perturbations returns the gaps that a program finds which reads the cycle
// counter in a loop and never blocks: every stretch in which a task that
// could have executed user instructions did not.
//
// The kernel's work on a CPU is done one piece after the other: user
// instructions proceed from the moment at which all of it is done. Work that
// comes up before that moment, or exactly at it, makes the gap longer; work
// that comes up later begins a new gap. Work is
//
//   - SwitchCost for each switch to a task, at the time of its record (idle
//     has nothing to wait for);
//   - TickCost for each point of the grid at which the CPU is busy, and
//     before anything else at that instant: the tick at which a task is
//     switched out is its own, and the one at which it is switched in was
//     taken by the task before it (by nobody if the CPU was idle);
//   - the cost in each charge record of the CPU.
//
// While the task is switched out but runnable, the gap goes on. When it
// sleeps, stops or exits the gap that is open ends there uncounted, and so is
// the time until it is back on a CPU: that was the program's own will.
//
// A gap belongs to the window in which it ends. The grid must be valid.
func Perturbations(src Source, w Window, pid int32, g Grid) Samples {
	gaps, _, _ := perturbations(src, w, pid, g)
	return gaps
}

// perturbations returns the gaps, the beginning of the one that is open at
// the end of the walk (event.Never for none), and that end.
func perturbations(src Source, w Window, pid int32, g Grid) (gaps Samples, open, end event.Time) {
	p := perturbed{
		pid: pid, grid: g, w: w, start: start(src), on: -1,
		out: Samples{Name: "perturbations", Unit: "ns"},
	}
	end = walk(src, w, p.record)
	if p.on >= 0 {
		c := p.cpu(p.on)
		p.ticks(c, end)
		if c.work <= end {
			p.close(c.work)
		}
	}
	if !p.open {
		p.begin = event.Never
	}
	return p.out, p.begin, end
}

// perturbed is the fold behind Perturbations.
type perturbed struct {
	pid   int32
	grid  Grid
	w     Window
	start event.Time
	cpus  []busyCPU
	on    int // the CPU that pid runs on, -1 for none
	// open says that a gap is in progress, since begin. While the task is on
	// a CPU the gap ends at the work time of that CPU, unless more work comes
	// up by then.
	open  bool
	begin event.Time
	out   Samples
}

// busyCPU is what the kernel has to do on one CPU.
type busyCPU struct {
	offset event.Time
	ticked event.Time // ticks are accounted for up to and with this instant
	work   event.Time // from here on user instructions proceed
	busy   bool       // the current task is not the idle task
	own    bool       // the current task is pid
	seen   bool       // a record told which task is current
}

func (p *perturbed) cpu(i int) *busyCPU {
	for n := len(p.cpus); i >= n; n++ {
		c := busyCPU{ticked: p.start}
		if p.grid.Offset != nil {
			c.offset = event.Time(p.grid.Offset(n))
		}
		p.cpus = append(p.cpus, c)
	}
	return &p.cpus[i]
}

// current returns the CPU of a switch or charge. When the log forgot its
// beginning, the first of them tells which task ran from there on.
func (p *perturbed) current(r *trace.Record) *busyCPU {
	c := p.cpu(int(r.CPU))
	if !c.seen && p.start > 0 {
		c.busy, c.own = r.Task != 0, r.Task == p.pid
	}
	c.seen = true
	return c
}

func (p *perturbed) record(r *trace.Record) {
	switch r.Kind {
	case trace.KindSwitch:
		c := p.current(r)
		p.ticks(c, r.Time)
		if r.Task == p.pid {
			p.leave(c, r)
		}
		c.busy, c.own = r.Other != 0, r.Other == p.pid
		if c.busy {
			c.work = max(c.work, r.Time).Add(p.grid.SwitchCost)
		}
		if c.own {
			p.on = int(r.CPU)
		}
	case trace.KindCharge:
		c := p.current(r)
		p.ticks(c, r.Time)
		p.interrupt(c, r.Time, time.Duration(r.A))
	}
}

// leave ends a turn of the task on CPU c.
func (p *perturbed) leave(c *busyCPU, r *trace.Record) {
	p.on = -1
	if c.own && r.Time > c.work {
		p.close(c.work)
		p.open, p.begin = true, r.Time
	}
	if r.State != trace.Running {
		p.open = false
	}
}

// interrupt adds work to a CPU at a moment up to which ticks are accounted
// for.
func (p *perturbed) interrupt(c *busyCPU, now event.Time, cost time.Duration) {
	if cost <= 0 {
		return
	}
	if now <= c.work {
		c.work = c.work.Add(cost)
		return
	}
	if c.own {
		p.close(c.work)
		p.open, p.begin = true, now
	}
	c.work = now.Add(cost)
}

// ticks accounts for the ticks of a CPU after the last one accounted for, up
// to and with now.
func (p *perturbed) ticks(c *busyCPU, now event.Time) {
	period := event.Time(p.grid.Period)
	from := c.ticked
	c.ticked = now
	if !c.busy || period == 0 || p.grid.TickCost == 0 || now < c.offset {
		return
	}
	last := now - (now-c.offset)%period
	if last <= from {
		return
	}
	next := c.offset
	if from >= c.offset {
		next = from - (from-c.offset)%period + period
	}
	for ; next <= last; next += period {
		if !c.own && next >= c.work {
			// Nobody looks at the gaps between the ticks of others; only
			// the work left by the last one can matter.
			next = last
		}
		p.interrupt(c, next, p.grid.TickCost)
	}
}

// close ends the gap that is open, if there is one, at a moment. What took no
// time, such as a switch out and in within one instant at no cost, is no gap.
func (p *perturbed) close(end event.Time) {
	if p.open && end > p.begin && p.w.holds(end) {
		p.out.add(p.pid, p.begin, end)
	}
	p.open = false
}
