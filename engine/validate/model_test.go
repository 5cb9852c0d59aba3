package validate

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// drawScenario draws a set-up of one CPU: nested groups, tasks of all policies
// of the fair class whose programs run, sleep, yield, wake each other and fork,
// controls, and now and then other tunables and features. Lengths are such that
// many events fall on one instant.
func drawScenario(t *rapid.T) *scenario {
	g := &drawing{T: t}
	s := &g.s
	s.Name, s.Source = "drawn", exactSource
	s.HZ = rapid.SampledFrom([]int64{1000, 1000, 1000, 1000, 250, 100}).Draw(t, "hz")
	s.Topology.CPUs = make([]struct {
		CPU int `json:"cpu"`
	}, 1)
	s.Launch.At = rapid.SampledFrom([]int64{0, 3_000_000, 10_250_000, 10_333_333}).Draw(t, "launch")
	s.End = s.Launch.At + g.number("ms", 5, 60)*1_000_000
	g.features()
	for i := range g.number("groups", 0, 4) {
		gr := group{Name: string(rune('A' + i)), Parent: "/"}
		if i > 0 && g.chance("nested", 50) {
			gr.Parent = s.Groups[g.number("parent", 0, i-1)].Name
		}
		if g.chance("shares", 60) {
			v := rapid.SampledFrom([]int64{0, 2, 100, 512, 700, 1024, 1500, 2048, 300_000}).Draw(t, "shares")
			gr.Shares = &v
		}
		s.Groups = append(s.Groups, gr)
	}
	n := g.number("tasks", 1, 8)
	if g.chance("crowd", 25) {
		n += 7
	}
	for i := range n {
		s.Tasks = append(s.Tasks, task{Name: fmt.Sprintf("t%d", i)})
	}
	for i := range g.number("templates", 0, 2) {
		s.Tasks = append(s.Tasks, task{Name: fmt.Sprintf("kid%d", i), Template: true, ExitAtEnd: true})
	}
	for i := range s.Tasks {
		g.task(&s.Tasks[i])
	}
	if len(s.Groups) > 0 && g.chance("together", 25) {
		together := s.Groups[g.number("which", 0, int64(len(s.Groups)-1))].Name
		for i := range s.Tasks {
			if g.chance("there", 80) {
				s.Tasks[i].Group = together
			}
		}
	}
	for range g.number("controls", 0, 10) {
		g.control()
	}
	if err := s.check(); err != nil {
		t.Fatalf("drawn set-up: %v", err)
	}
	return s
}

// drawing is a set-up that is being drawn.
type drawing struct {
	*rapid.T
	s scenario
}

func (g *drawing) number(what string, lo, hi int64) int64 {
	return rapid.Int64Range(lo, hi).Draw(g.T, what)
}

func (g *drawing) chance(what string, percent int64) bool { return g.number(what, 0, 99) < percent }

func (g *drawing) features() {
	g.s.Tunables = map[string]json.RawMessage{}
	for _, f := range []string{"GENTLE_FAIR_SLEEPERS", "START_DEBIT", "LAST_BUDDY"} {
		if g.chance(f, 15) {
			g.s.FeaturesOff = append(g.s.FeaturesOff, f)
		}
	}
	if g.chance("NEXT_BUDDY", 25) {
		g.s.FeaturesOn = append(g.s.FeaturesOn, "NEXT_BUDDY")
	}
	if g.chance("child first", 20) {
		g.s.Tunables["child_runs_first"] = json.RawMessage("1")
	}
	if g.chance("tunables", 25) {
		g.s.Tunables["sched_latency_ns"] = json.RawMessage(rapid.SampledFrom([]string{"3000000", "12000000", "24000000"}).Draw(g.T, "latency"))
		g.s.Tunables["min_granularity_ns"] = json.RawMessage(rapid.SampledFrom([]string{"750000", "700000", "3000000"}).Draw(g.T, "min"))
		g.s.Tunables["wakeup_granularity_ns"] = json.RawMessage(rapid.SampledFrom([]string{"0", "500000", "5000000"}).Draw(g.T, "wake"))
	}
}

func (g *drawing) group() string {
	i := g.number("group", -1, int64(len(g.s.Groups)-1))
	if i < 0 {
		return "/"
	}
	return g.s.Groups[i].Name
}

func (g *drawing) policy() string {
	return rapid.SampledFrom([]string{"NORMAL", "NORMAL", "NORMAL", "BATCH", "IDLE"}).Draw(g.T, "policy")
}

func (g *drawing) nice() int {
	return rapid.SampledFrom([]int{0, 0, 0, 0, -20, -5, 1, 5, 10, 19}).Draw(g.T, "nice")
}

// name draws a task, or a template.
func (g *drawing) name(template bool) string {
	var names []string
	for i := range g.s.Tasks {
		if g.s.Tasks[i].Template == template {
			names = append(names, g.s.Tasks[i].Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return rapid.SampledFrom(names).Draw(g.T, "name")
}

func (g *drawing) length() int64 {
	if g.chance("odd", 20) {
		return g.number("ns", 10_000, 9_000_000)
	}
	return rapid.SampledFrom([]int64{100_000, 250_000, 500_000, 750_000, 1_000_000, 2_000_000, 2_750_000, 4_000_000, 7_000_000}).Draw(g.T, "length")
}

func (g *drawing) task(t *task) {
	t.Nice, t.Policy, t.Group = g.nice(), g.policy(), g.group()
	step := func(format string, args ...any) {
		t.Program = append(t.Program, json.RawMessage(fmt.Sprintf(format, args...)))
	}
	if !t.Template && g.chance("hog", 35) {
		step(`{"run_ns":"forever"}`)
		return
	}
	step(`{"run_ns":%d}`, g.length())
	for range g.number("steps", 0, 4) {
		switch g.number("step", 0, 9) {
		case 0, 1:
			step(`{"run_ns":%d}`, g.length())
		case 2, 3, 4:
			step(`{"sleep_ns":%d}`, g.length())
		case 5:
			step(`{"sleep_until_next_period_ns":%d}`, g.length())
		case 6:
			step(`{"yield":true}`)
		case 7:
			step(`{"wake":%q}`, g.name(false))
		case 8:
			step(`{"block":true}`)
		case 9:
			if kid := g.name(true); kid != "" {
				step(`{"fork":%q}`, kid)
			}
		}
	}
	if !t.Template {
		loop := int(g.number("loop", 0, int64(len(t.Program)-1)))
		if loop > 0 && !takesTime(t.Program[loop:]) {
			loop = 0
		}
		t.LoopTo = &loop
	}
}

// takesTime reports whether steps contain one that always lets time pass.
func takesTime(steps []json.RawMessage) bool {
	for _, st := range steps {
		if strings.HasPrefix(string(st), `{"run`) || strings.HasPrefix(string(st), `{"sleep_ns`) {
			return true
		}
	}
	return false
}

func (g *drawing) control() {
	s := &g.s
	span := s.End - s.Launch.At
	c := control{At: s.Launch.At + g.number("at", 0, span), Target: g.name(false)}
	if g.chance("aligned", 60) {
		c.At = min(s.End, (c.At/250_000+1)*250_000)
	}
	switch g.number("action", 0, 5) {
	case 0, 1:
		c.Action, c.Value = "set_nice", json.RawMessage(fmt.Sprint(g.nice()))
	case 2:
		c.Action, c.Value = "set_policy", json.RawMessage(fmt.Sprintf(`{"policy":%q}`, g.policy()))
	case 3:
		c.Action, c.Value = "set_affinity", json.RawMessage("[0]")
	case 4:
		if len(s.Groups) > 0 {
			c.Action, c.Target = "set_group_shares", rapid.SampledFrom(s.Groups).Draw(g.T, "target").Name
			c.Value = json.RawMessage(rapid.SampledFrom([]string{"2", "100", "256", "1024", "3000"}).Draw(g.T, "value"))
			break
		}
		fallthrough
	default:
		c.Action, c.Value = "move_to_group", json.RawMessage(fmt.Sprintf("%q", g.group()))
	}
	s.Controls = append(s.Controls, c)
}

// text writes a set-up for a failure message.
func (s *scenario) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "HZ %d, launch %d, end %d, on %v off %v, tunables %s\n", s.HZ, s.Launch.At, s.End, s.FeaturesOn, s.FeaturesOff, s.Tunables)
	for i := range s.Groups {
		g := &s.Groups[i]
		fmt.Fprintf(&b, "group %s below %s", g.Name, g.Parent)
		if g.Shares != nil {
			fmt.Fprintf(&b, " shares %d", *g.Shares)
		}
		b.WriteString("\n")
	}
	for i := range s.Tasks {
		t := &s.Tasks[i]
		fmt.Fprintf(&b, "task %s nice %d %s in %s: %s", t.Name, t.Nice, t.Policy, t.Group, t.Program)
		if t.LoopTo != nil {
			fmt.Fprintf(&b, " loop to %d", *t.LoopTo)
		}
		b.WriteString("\n")
	}
	for i := range s.Controls {
		c := &s.Controls[i]
		fmt.Fprintf(&b, "at %d %s %s %s\n", c.At, c.Action, c.Target, c.Value)
	}
	return b.String()
}

// The engine and the second model agree on every line of drawn set-ups, ticks
// skipped or not, and the machine's invariants hold at the end.
func TestModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScenario(t)
		want := newOracle(s).run()
		for _, allTicks := range []bool{true, false} {
			got, h, err := s.trace(allTicks)
			if err != nil {
				t.Fatalf("%v\n%s", err, s.text())
			}
			if i := firstDifference(got, want); i < max(len(got), len(want)) {
				t.Fatalf("all ticks %v: line %d of %d:\nbefore %s\noracle %s\nengine %s\n%s", allTicks, i+1, len(want),
					strings.Join(want[max(0, i-6):i], "\n       "), at(want, i), at(got, i), s.text())
			}
			if err := h.m.Check(); err != nil {
				t.Fatalf("%v\n%s", err, s.text())
			}
		}
	})
}
