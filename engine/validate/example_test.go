package validate_test

import (
	"fmt"
	"io/fs"
	"os"
	"path"

	"schedrepl/engine/validate"
)

func ExampleCompareExact() {
	captures := os.DirFS("testdata/captures")
	dirs, err := fs.Glob(captures, "*/scenario.json")
	if err != nil {
		fmt.Println(err)
	}
	differ := 0
	for _, name := range dirs {
		e, err := validate.CompareExact(captures, path.Dir(name))
		if err != nil {
			fmt.Println(err)
		} else if !e.Equal {
			differ++
			fmt.Println(e)
		}
	}
	fmt.Println(differ, "captures differ")
	// Output:
	// 0 captures differ
}
