package bindings

import (
	"strings"
	"testing"
	"testing/fstest"

	"schedrepl/stdlib"
)

// Each script of the standard library and each function in it that a script can
// load says what it is, and what each parameter means.
func TestLibraryIsDocumented(t *testing.T) {
	files, err := libFiles(stdlib.FS)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("the standard library is empty")
	}
	for _, f := range files {
		if f.doc == "" {
			t.Errorf("%s has no docstring", f.name)
		}
		for _, fn := range f.funcs {
			if fn.doc == "" {
				t.Errorf("%s: %s has no docstring", f.name, fn.name)
			}
			for _, p := range fn.params {
				if name := strings.TrimLeft(p.name, "*"); name != "" && !strings.Contains(fn.doc, "\n  "+name+": ") {
					t.Errorf("%s: the docstring of %s does not say what %s is, in a line \"  %s: ...\"", f.name, fn.name, name, name)
				}
			}
		}
	}
}

func TestLibFiles(t *testing.T) {
	lib := fstest.MapFS{
		"a.star": {Data: []byte("\"\"\"About a.\"\"\"\n\nX = 1\n\ndef _hidden():\n    pass\n\n" +
			"def f(a, b = \"ä,é\", *, c = [\n    1,\n    2,\n], **more):\n    \"\"\"Does f.\n\n    Kinds:\n      \"x\": one\n        line.\n      \"y\": two.\n\n    Returns:\n      Nothing.\n    \"\"\"\n" +
			"def bare():\n    return 1\n")},
		"a_test.star": {Data: []byte("def test_a():\n    pass\n")},
	}
	files, err := libFiles(lib)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 1 || files[0].doc != "About a." || len(files[0].funcs) != 2 {
		t.Fatalf("the files are %+v", files)
	}
	f := files[0].funcs[0]
	if got, want := f.signature(), "f(a, b=\"ä,é\", *, c=[ 1, 2, ], **more)"; got != want {
		t.Errorf("the signature is %s, want %s", got, want)
	}
	if got, want := docMarkdown(f.doc), "Does f.\n\n**Kinds:**\n\n* `\"x\"`: one\n  line.\n* `\"y\"`: two.\n\n**Returns:**\n\nNothing."; got != want {
		t.Errorf("the docstring as Markdown is\n%s\nwant\n%s", got, want)
	}
	if files[0].funcs[1].doc != "" {
		t.Error("a function without a docstring has one")
	}
	lib["b.star"] = &fstest.MapFile{Data: []byte("def f(:\n")}
	if _, err := libFiles(lib); err == nil || !strings.Contains(err.Error(), "@stdlib//b.star:1") {
		t.Errorf("the error of a file with a mistake is %v", err)
	}
}
