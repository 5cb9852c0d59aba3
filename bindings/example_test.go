package bindings_test

import (
	"fmt"
	"os"

	"schedrepl/bindings"
)

// A session runs a script with a parameter set from outside. What goes wrong
// comes back as one error, which knows the exit code.
func ExampleSession() {
	s, err := bindings.NewSession(bindings.Options{
		Stdout: os.Stdout,
		Params: map[string]string{"delay": "250us"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	err = s.Exec("hello.star", `
delay = param("delay", 5 * ms)
print(fmt("{:.2f} ms", delay.ms))
round(5, delay)
`)
	fmt.Println(err)
	fmt.Println("exit code", bindings.ExitCodeOf(err))
	// Output:
	// 0.25 ms
	// Traceback (most recent call last):
	//   hello.star:4:6: in <toplevel>
	//     round(5, delay)
	// error: round: digits must be an int for a bare number, not duration 250us
	// exit code 1
}

// Cells share what they define, and the value of the last expression comes
// back.
func ExampleSession_Cell() {
	s, err := bindings.NewSession(bindings.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := s.Cell("In[1]", "slice = 3 * ms"); err != nil {
		fmt.Println(err)
	}
	v, err := s.Cell("In[2]", "1 * sec // slice")
	fmt.Println(v, err)
	// Output: 333 <nil>
}
