// Command schedrepl runs experiments on a simulated Linux scheduler.
package main

func main() {}
