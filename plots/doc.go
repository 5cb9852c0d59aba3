// Package plots draws the figures of an experiment: distributions (CDF, Hist,
// Box, Violin), comparisons (Bar, Intervals, Paired, Scatter, Line), a machine
// over time (Timeline, TaskTimeline, RunQueues, Shares, Migrations), heat maps,
// and grids of these. Each figure is made by one function from plain Go values
// and an Options struct, and is written as PNG, SVG or PDF to an io.Writer.
//
// Figures are meant for print. The zero Options give a single-column figure
// (3.35 inches wide) in 8 point sans serif type. No figure relies on colour
// alone: lines carry a dash pattern and a marker beside their colour, bars and
// timeline segments carry a hatch, and the cells of a small heat map carry
// their value. The legend has its own strip and never covers data.
//
// Values whose unit is a time ("ns", "us", "ms" or "s") are drawn in the
// natural unit of their axis: an axis that spans 3,000,000 ns is labelled in
// ms.
//
// A figure is a value that does not change once made; it may be written many
// times and from several goroutines. The same figure gives the same bytes in
// every run and every process of one build on one processor architecture. On
// another architecture the last bit of a coordinate may differ.
//
// Each figure can give the numbers that it draws as a table, with their units:
// see [Figure.Data]. A new kind sets Figure.data; see tidy.
//
// The fonts have no Chinese, Japanese, Korean or Arabic letters and no emoji:
// these are drawn as their code points, and [Figure.Missing] tells which.
//
// Input that cannot be drawn honestly is an error that names the figure, the
// series and the value: no data at all, NaN or an infinity where a number is
// needed, a value at or below zero on a logarithmic axis.
package plots
