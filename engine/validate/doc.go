// Package validate holds the model against schedules recorded elsewhere: it
// sets up the machine that a capture describes, runs it, and compares.
//
// An exact capture is a folder with a set-up (scenario.json) and a trace
// (trace.txt.gz) that real scheduler code made on an ideal machine: a clock of
// 1 ns, nothing costs time. CompareExact reproduces it line by line, times and
// virtual times included.
package validate
