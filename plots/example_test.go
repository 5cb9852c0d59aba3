package plots_test

import (
	"bytes"
	"fmt"

	"schedrepl/plots"
)

// A distribution of latencies, with its axis in the unit that suits it.
func ExampleCDF() {
	f, err := plots.CDF([]plots.Series{
		{Name: "EEVDF", Values: []float64{12e3, 15e3, 31e3, 90e3}, Unit: "ns"},
		{Name: "CFS", Values: []float64{18e3, 22e3, 64e3, 210e3}, Unit: "ns"},
	}, plots.Options{Title: "Wakeup latency", XLabel: "latency", LogX: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	var png bytes.Buffer
	if err := f.Write(&png, "png"); err != nil {
		fmt.Println(err)
		return
	}
	w, h := f.Size()
	fmt.Printf("%.2f x %.2f inches, %t\n", w, h, png.Len() > 0)
	// Output: 3.35 x 2.49 inches, true
}

// Who ran on two CPUs. Tasks 1 and 2 keep their look across the lanes.
func ExampleTimeline() {
	f, err := plots.Timeline([]plots.Lane{
		{Name: "cpu0", Segments: []plots.Segment{
			{Start: 0, End: 3e6, Task: 1, Name: "web"},
			{Start: 3e6, End: 4e6, Task: 2, Name: "batch"},
		}},
		{Name: "cpu1", Segments: []plots.Segment{{Start: 1e6, End: 4e6, Task: 2}},
			Marks: []plots.Mark{{At: 1e6, Kind: "migration"}}},
	}, plots.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	var svg bytes.Buffer
	fmt.Println(f.Write(&svg, "svg"), bytes.Contains(svg.Bytes(), []byte(">time (ms)<")))
	// Output: <nil> true
}

// A value that cannot be drawn is an error that says what would be right.
func ExampleCDF_error() {
	_, err := plots.CDF([]plots.Series{{Name: "lag", Values: []float64{3, -1}}}, plots.Options{LogX: true})
	fmt.Println(err)
	// Output: cdf: series "lag": value 1 is -1, which a logarithmic axis cannot show: use LogX=false, or Clip=true to leave it left of the axis
}

// Two figures side by side.
func ExampleGrid() {
	a, err := plots.Bar(plots.BarData{
		Categories: []string{"web", "batch"},
		Series:     []plots.BarSeries{{Values: []float64{61, 39}, Lo: []float64{59, 37}, Hi: []float64{63, 41}}},
		Unit:       "%",
	}, plots.Options{Title: "share", YLabel: "CPU time"})
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := plots.Heat(plots.Matrix{
		Values: [][]float64{{0, 4}, {7, 0}},
		Rows:   []string{"0", "1"}, Cols: []string{"0", "1"}, Name: "migrations",
	}, plots.Options{Title: "moves", XLabel: "to CPU", YLabel: "from CPU", ValueLabels: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = plots.Grid([]*plots.Figure{a, b}, 2, plots.Options{Size: plots.Double})
	fmt.Println(err)
	// Output: <nil>
}
