package bindings

import (
	"fmt"

	"schedrepl/engine/cpumask"
	"schedrepl/engine/metrics"
	"schedrepl/plots"
)

// oneCPU is the parameter cpu: a CPU of the machine, or all.
func (ma *machine) oneCPU(c *Call) (int, error) {
	if !c.Has("cpu") {
		return metrics.AllCPUs, nil
	}
	cpu := c.Int("cpu")
	if cpu < 0 || cpu >= ma.numCPU() {
		return 0, fmt.Errorf("cpu: CPU %d does not exist (machine has %s)", cpu, cpumask.All(ma.numCPU()))
	}
	return cpu, nil
}

func sharesFigure(c *Call, o plots.Options) (*plots.Figure, error) {
	ma, ok := c.Value("source").(*machine)
	if !ok {
		return nil, fmt.Errorf("source must be a machine, not %s", describe(c.Value("source")))
	}
	s, err := ma.stretch(c)
	if err != nil {
		return nil, err
	}
	if top := c.Int("top"); top < 0 || top > 14 {
		return nil, fmt.Errorf("top must be 1 to 14, or 0 for 7, not %d", top)
	}
	chosen, err := ma.selected(c, "tasks")
	if err != nil {
		return nil, err
	}
	ws, err := ma.sharesOver(c, s.src, s.w, nil)
	if err != nil {
		return nil, err
	}
	d := plots.ShareData{Lines: c.Bool("lines"), Top: c.Int("top"), First: ArgList[string](c, "first"), What: c.Str("by")}
	addShares(&d, ws, ma.shareKey(c.Str("by"), ws), chosen)
	o.Moments = ma.moments(c)
	if o.YLabel == "" && c.Has("cpu") {
		o.YLabel = fmt.Sprintf("share of CPU %d", c.Int("cpu"))
	}
	return plots.Shares(d, o)
}

// shareKey returns what a task is called in a figure of shares.
func (ma *machine) shareKey(by string, ws []metrics.ShareWindow) func(pid int32) string {
	switch by {
	case "comm":
		return ma.comm
	case "group":
		return ma.past.groupOf
	}
	seen := map[int32]bool{}
	var pids []int32
	for _, w := range ws {
		for _, r := range w.Rows {
			if r.PID > 0 && !seen[r.PID] {
				seen[r.PID] = true
				pids = append(pids, r.PID)
			}
		}
	}
	name := taskNames(pids, ma.comm)
	return func(pid int32) string { return name[pid] }
}

// addShares makes series out of the rows of windows, in the order in which they
// first occur. Those without a chosen task are plain; nil chooses all.
func addShares(d *plots.ShareData, ws []metrics.ShareWindow, key func(pid int32) string, chosen metrics.Tasks) {
	n := len(ws)
	d.Idle = make([]float64, n)
	index := map[string]int{}
	of := map[int32]int{}
	for k, w := range ws {
		d.Times = append(d.Times, int64(w.Start))
		for _, r := range w.Rows {
			switch {
			case r.PID == 0:
				d.Idle[k] += r.Percent
				continue
			case r.PID < 0:
				if d.Unknown == nil {
					d.Unknown = make([]float64, n)
				}
				d.Unknown[k] += r.Percent
				continue
			}
			i, known := of[r.PID]
			if !known {
				name := key(r.PID)
				if i, known = index[name]; !known {
					i = len(d.Series)
					index[name] = i
					d.Series = append(d.Series, plots.ShareSeries{Name: name, Values: make([]float64, n), Plain: true})
				}
				of[r.PID] = i
				if chosen == nil || chosen(r.PID) {
					d.Series[i].Plain = false
				}
			}
			d.Series[i].Values[k] += r.Percent
		}
	}
	if n > 0 {
		d.Times = append(d.Times, int64(ws[n-1].End))
	}
}
