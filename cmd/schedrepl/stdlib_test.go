package main

import (
	"testing"

	"schedrepl/stdlib"
)

// TestStdlib runs the tests of the standard library, which are scripts.
func TestStdlib(t *testing.T) {
	p, out, errs, _ := fakeProcess()
	p.stdlib = stdlib.FS
	if code := p.run([]string{"test", "../../stdlib"}); code != 0 {
		t.Errorf("code %d\n%s%s", code, out, errs)
	}
}
