// Package repl is the interactive prompt of schedrepl: line editing, entries of
// several lines, % commands, interrupts, history, and how values are shown.
//
// A REPL reads an entry by a LineEditor, runs it as a cell of a
// bindings.Session, and shows the value. The terminal is in its usual state
// while code runs, so that Ctrl-C is a signal then; only while a line is edited
// is it raw. All that the prompt sees of the world outside comes in by Config.
package repl
