package plots

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A State says what a segment of a timeline is. The zero value is that a task
// ran.
type State uint8

// The states of a segment.
const (
	Ran     State = iota // in the colour of its Task
	Waiting              // a task could run and was kept off the CPU
	Asleep               // a task was blocked; a thin line
	Unknown              // nothing was recorded
	numStates
)

// stateNames are the states as they stand in the data of a figure.
var stateNames = [numStates]string{Ran: "running", Waiting: "waiting", Asleep: "asleep", Unknown: "unknown"}

// A look is a number of the legend of a timeline: the tasks from 0 on, then
// "other", then the states that are no task.
const (
	waitLook = maxTopTasks + 1 + iota
	unknownLook
	sleepLook
	numLooks
)

// looks are where the states have their place among the looks; Ran has none.
var looks = [numStates]int{Waiting: waitLook, Asleep: sleepLook, Unknown: unknownLook}

// Swatches of the states. They follow those of legend.go.
const (
	waitSwatch = swatch(100 + iota)
	sleepSwatch
	unknownSwatch
	idleSwatch
	momentSwatch
	meanSwatch
	mostSwatch
	restLineSwatch
)

// Colours of the states.
var (
	waitFill = color.RGBA{0xf7, 0xc8, 0xae, 0xff} // pale vermillion
	meanFill = color.RGBA{0x9c, 0xc8, 0xe4, 0xff} // pale blue
)

// waitRect fills r with the look of waiting, and its hatch if there is room.
func (th theme) waitRect(c draw.Canvas, r vg.Rectangle) {
	fillRect(c, waitFill, r)
	strokeAll(c, solid(okabeVermillion, th.thin), hatchLines(fallingHatch, r, th.hatch))
}

// unknownRect fills r with the look of what was not recorded.
func (th theme) unknownRect(c draw.Canvas, r vg.Rectangle) {
	fillRect(c, missGrey, r)
	strokeAll(c, solid(restGrey, th.thin), hatchLines(crossHatch, r, th.hatch))
}

// sleepLine is how a stretch of sleep is drawn.
func (th theme) sleepLine() draw.LineStyle { return solid(restGrey, 1.6*th.thin) }

// momentLine is how a moment of the machine is drawn, on a white line.
func (th theme) momentLine() draw.LineStyle {
	return draw.LineStyle{Color: ink, Width: th.thin, Dashes: []vg.Length{3 * th.thin, 2.5 * th.thin}}
}

// stateSwatch draws the swatches of figures over time.
func (th theme) stateSwatch(c draw.Canvas, s swatch, r vg.Rectangle) {
	mid := (r.Min.Y + r.Max.Y) / 2
	switch s {
	case waitSwatch:
		th.waitRect(c, r)
		th.edge(c, r)
	case sleepSwatch:
		c.StrokeLine2(th.sleepLine(), r.Min.X, mid, r.Max.X, mid)
	case unknownSwatch:
		th.unknownRect(c, r)
		th.edge(c, r)
	case idleSwatch:
		th.edge(c, r)
	case momentSwatch:
		x := (r.Min.X + r.Max.X) / 2
		c.StrokeLine2(th.momentLine(), x, r.Min.Y, x, r.Max.Y)
	case meanSwatch:
		fillRect(c, meanFill, r)
	case restLineSwatch:
		c.StrokeLine2(solid(restGrey, th.line), r.Min.X, mid, r.Max.X, mid)
	case mostSwatch:
		c.StrokeLine2(solid(okabeBlue, th.line), r.Min.X, mid, r.Max.X, mid)
	}
}
