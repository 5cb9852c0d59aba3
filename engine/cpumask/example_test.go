package cpumask_test

import (
	"fmt"

	"schedrepl/engine/cpumask"
)

func ExampleParse() {
	s, err := cpumask.Parse("0-7:2/4,12\n")
	fmt.Println(s, s.Count(), err)
	fmt.Println(s.And(cpumask.Range(4, 15)))
	_, err = cpumask.Parse("0-3,7-5")
	fmt.Println(err)
	// Output:
	// 0-1,4-5,12 5 <nil>
	// 4-5,12
	// parse cpu list "0-3,7-5": "7-5": range ends before it starts; write 5-7
}
