package plots

import "testing"

// TestFirst: tasks that are named come first, in the order named, however
// little time they have.
func TestFirst(t *testing.T) {
	lane := func(hero, rest int64) []Lane {
		return []Lane{{Name: "cpu0", Segments: []Segment{
			{Start: 0, End: rest, Task: 1, Name: "rest"},
			{Start: rest, End: rest + hero, Task: 2, Name: "hero"},
			{Start: rest + hero, End: 2*rest + hero, Task: 3, Name: "more"},
		}}}
	}
	for _, hero := range []int64{1, 1000} {
		lanes := lane(hero, 100)
		rank, legend := rankTasks(lanes, 0, float64(200+hero), 2, []string{"absent", "hero"}, "tasks")
		if rank[2] != 0 || legend[0].name != "hero" {
			t.Errorf("hero with %d ns has place %d, the legend begins with %q", hero, rank[2], legend[0].name)
		}
	}
	if rank, _ := rankTasks(lane(1, 100), 0, 201, 2, nil, "tasks"); rank[2] == 0 {
		t.Error("without First the task with least time comes first")
	}
}
