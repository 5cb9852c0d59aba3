// Package bindings gives the simulator to Starlark scripts.
//
// Every name that a script can use stands once in a table: its parameters with
// type, default and unit, what it returns, what it means, and an example that
// runs as a test. Calls are unpacked by that table, and the built-in help, the
// completion lists and the reference pages are printed from it.
//
// A Session runs scripts. Batch runs, script tests, an interactive prompt and
// a notebook are thin faces of one Session: it holds the parameters, the seed,
// the files that were loaded and written, the checks that failed, and it turns
// whatever goes wrong into one kind of Error with an exit code.
package bindings
