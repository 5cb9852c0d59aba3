package repl

import "testing"

func TestStateOf(t *testing.T) {
	for _, c := range []struct {
		text string
		want state
	}{
		{"", whole},
		{"x = 1", whole},
		{"# a comment", whole},
		{"f(", open},
		{"f(1,\n  2", open},
		{"f(1,\n  2)", whole},
		{"f(1,\n\n", open},
		{"x = [\n1]", whole},
		{"x = {1: ", open},
		{")", whole},
		{"f(\")\"", open},
		{"f(')')", whole},
		{"f(1) # (", whole},
		{"\"\"\"text", open},
		{"\"\"\"text\n\nmore", open},
		{"\"\"\"text\nmore\"\"\"", whole},
		{"'''a\"\"\"", open},
		{"r'''a\\''' # '", open},
		{"'abc", whole}, // A mistake, which running it tells.
		{"\"a\\\"b(\"", whole},
		{"x = 1 + \\", open},
		{"x = 1 + \\\n  2", whole},
		{"def f():", inBlock},
		{"def f():  # why", inBlock},
		{"def f():\n", inBlock},
		{"def f():\n\n", whole},
		{"def f():\n    return 1", inBlock},
		{"def f():\n    return 1\n", whole},
		{"def f():\n    \"\"\"Doc.\n\n    More.", open},
		{"def f():\n    \"\"\"Doc.\n\nMore.\"\"\"", inBlock},
		{"def f():\n    g(1,\n)", inBlock},
		{"def f():\n    return 1\nx = 2", whole},
		{"def f():\n# comment", inBlock},
		{"if x:\n    y\nelse:", inBlock},
		{"if x:\n    y\nelse:\n    z", inBlock},
		{"if x: y", whole},
		{"for i in range(3): print(i)", whole},
		{"while True: pass", whole},
		{"{1: 2}", whole},
		{"x[1:]", whole},
		{"x[1:", open},
		{"lambda: 1", whole},
		{"f(lambda x:", open},
		{"x = 'it''s:'", whole},
		{"名 = '漢字('", whole},
	} {
		if got := stateOf(c.text); got != c.want {
			t.Errorf("%q: state %d, want %d", c.text, got, c.want)
		}
	}
}

func TestNextIndent(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"def f():", "    "},
		{"def f():\n    if x:", "        "},
		{"def f():\n    x = 1", "    "},
		{"def f():\n    return 1", ""},
		{"def f():\n        pass", "    "},
		{"f(1,\n  2,", "  "},
		{"def f():\n    \"\"\"Doc.", ""},
		{"def f():\n\tx = 1", "\t"},
		{"x = 1", ""},
	} {
		if got := nextIndent(c.text); got != c.want {
			t.Errorf("%q: indent %q, want %q", c.text, got, c.want)
		}
	}
}
