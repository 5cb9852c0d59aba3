package repl

import (
	"os"
	"strings"
	"testing"

	"schedrepl/bindings"
)

func TestCompletion(t *testing.T) {
	b := newBench(t)
	if err := os.MkdirAll("dir/sub", 0o777); err != nil {
		t.Fatal(err)
	}
	b.file("script.star", "")
	b.file("schema.txt", "")
	b.file(".hidden.star", "")
	b.file("dir/x.star", "")
	b.run("delay = 5 * ms", "rec = struct(first = delay, second = 2)")
	for _, c := range []struct {
		typed  []string
		before string
		from   int
		want   string
	}{
		{nil, "del", 0, "delay"},
		{nil, "?del", 1, "delay"},
		{nil, "delay?", 6, ""},
		{nil, "'漢字' + del", len("'漢字' + "), "delay"},
		{nil, "rec.", 4, "first second"},
		{[]string{"param('x',"}, "  defa", 2, "default="},
		{nil, "%", 1, "run time who reset load save history seed out help quit"},
		{nil, "%re", 1, "reset"},
		{nil, "%run s", 5, "script.star"},
		{nil, "%run ", 5, "dir/ script.star"},
		{nil, "%run dir/", 5, "dir/sub/ dir/x.star"},
		{nil, "%run .", 5, ".hidden.star"},
		{nil, "%out ", 5, "dir/"},
		{nil, "%seed ", 6, ""},
		{nil, "%time del", 6, "delay"},
		{nil, "%help del", 6, "delay"},
		{nil, "%nothing x", 10, ""},
	} {
		b.r.typed = c.typed
		from, list := b.r.Complete(c.before)
		var got []string
		for _, x := range list {
			got = append(got, x.Text)
		}
		if from != c.from || strings.Join(got, " ") != c.want {
			t.Errorf("%q: from %d %v, want from %d %s", c.before, from, got, c.from, c.want)
		}
	}
}

func TestCandidateList(t *testing.T) {
	var many, few []bindings.Candidate
	for _, name := range strings.Fields(strings.Repeat("alpha beta gamma 漢字 ", 100)) {
		many = append(many, bindings.Candidate{Text: name, Doc: "a doc"})
	}
	few = []bindings.Candidate{{Text: "run", Doc: "Runs the machine for a while, and a little longer than that."}, {Text: "now"}}
	if got := candidateList(few, 30, 24); got != "run  Runs the machine for a …\nnow\n" {
		t.Errorf("few: %q", got)
	}
	for _, h := range []int{2, 10, 24} {
		for _, w := range []int{1, 10, 80} {
			got := candidateList(many, w, h)
			if n := strings.Count(got, "\n"); n > max(3, h-4) || !strings.Contains(got, "more; type more letters") {
				t.Errorf("%d by %d: %d lines\n%s", w, h, n, got)
			}
		}
	}
}
