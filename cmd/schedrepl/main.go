// Command schedrepl runs experiments on a simulated Linux scheduler.
//
// The program itself is thin: a bindings.Session runs the scripts, and the
// commands here give it files, flags and a place for its output. All that a
// command sees of the world outside stands in one process struct, so that
// tests run commands without a process of their own.
package main

import "os"

func main() { os.Exit(newProcess().run(os.Args[1:])) }
