package bindings

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// testSuffix ends the names of the files that hold tests.
const testSuffix = "_test.star"

// A TestResult is what came of one test function.
type TestResult struct {
	File   string
	Name   string        // The function; empty if the file itself has failed.
	Err    error         // Nil for a test that passed, else an *Error.
	Output string        // What the test printed.
	Time   time.Duration // By the wall clock.
}

// RunTests runs the tests in a file, or in all files of a directory tree that
// end in _test.star, in order of their names. A test is a function on the top
// level of a file whose name begins with test_; it takes no parameters and
// runs in a session of its own, made with the given options. It fails with an
// error or a failed check, and assert functions are errors.
//
// started, if not nil, is handed each session before it runs, so that the
// caller can interrupt it; an interrupted test is the last one. report, if not
// nil, is called after each test. The error tells that the tests could not be
// run at all; failed tests stand in the results.
func RunTests(o Options, path string, started func(*Session), report func(TestResult)) ([]TestResult, error) {
	files, err := testFiles(path)
	if err != nil {
		return nil, &Error{Category: UsageError, Msg: err.Error()}
	}
	var out []TestResult
	for _, file := range files {
		results := runTestFile(o, file, started, report)
		out = append(out, results...)
		if n := len(results); n > 0 && ExitCodeOf(results[n-1].Err) == int(Interrupted) {
			break
		}
	}
	return out, nil
}

// testFiles lists the test files at or below a path, sorted.
func testFiles(path string) ([]string, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("tests %s: %v", path, plainCause(err))
	}
	if !st.IsDir() {
		return []string{path}, nil
	}
	var files []string
	err = filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !d.IsDir() && strings.HasSuffix(p, testSuffix) {
			files = append(files, p)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("tests %s: %v", path, plainCause(err))
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("tests %s: there is no file that ends in %s", path, testSuffix)
	}
	slices.Sort(files)
	return files, nil
}

// runTestFile runs the tests of one file.
func runTestFile(o Options, file string, started func(*Session), report func(TestResult)) []TestResult {
	var out []TestResult
	add := func(r TestResult) {
		out = append(out, r)
		if report != nil {
			report(r)
		}
	}
	src, err := readScript(file)
	if err != nil {
		add(TestResult{File: file, Err: &Error{Category: UsageError, Msg: err.Error()}})
		return out
	}
	names := testNames(file, src)
	if len(names) == 0 {
		// Run it all the same: an error in it tells why there are none.
		names = []string{""}
	}
	for _, name := range names {
		r := runTest(o, file, src, name, started)
		if name == "" && r.Err == nil {
			r.Err = &Error{Category: ScriptError, Msg: file + ": there is no function whose name begins with test_"}
		}
		add(r)
		if code := ExitCodeOf(r.Err); code == int(Interrupted) {
			break
		}
	}
	return out
}

// testNames lists the test functions of a file, in order.
func testNames(file, src string) []string {
	f, err := fileOptions().Parse(file, src, 0)
	if err != nil {
		return nil
	}
	var names []string
	for _, st := range f.Stmts {
		if d, ok := st.(*syntax.DefStmt); ok && strings.HasPrefix(d.Name.Name, "test_") && !contains(names, d.Name.Name) {
			names = append(names, d.Name.Name)
		}
	}
	return names
}

// runTest runs a file and then one of its functions, in a session of its own.
func runTest(o Options, file, src, name string, started func(*Session)) (r TestResult) {
	r = TestResult{File: file, Name: name}
	out := &bytes.Buffer{}
	o.Stdout, o.Stderr = out, out
	begin := time.Now()
	defer func() {
		r.Output = out.String()
		r.Time = time.Since(begin)
	}()
	s, err := NewSession(o)
	if err == nil {
		err = s.sources.setRoot(filepath.Dir(file))
	}
	if err != nil {
		r.Err = err
		return r
	}
	if started != nil {
		started(s)
	}
	globals, err := s.execMain(file, src)
	if err == nil && name != "" {
		err = s.callTest(globals[name], name)
	}
	if err == nil {
		err = s.params.finish(s)
	}
	if err == nil {
		err = s.checks.finish()
	}
	r.Err = err
	return r
}

// callTest calls a test function, if it is one.
func (s *Session) callTest(fn starlark.Value, name string) error {
	f, ok := fn.(*starlark.Function)
	if !ok {
		return &Error{Category: ScriptError, Msg: name + " is not a function any more"}
	}
	if n := f.NumParams(); n > 0 {
		return &Error{Category: ScriptError, Msg: fmt.Sprintf("%s takes %s: a test takes none", name, plural(n, "parameter"))}
	}
	_, err := s.Call(f)
	return err
}
