package bindings

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"schedrepl/engine/table"
)

// A saved Parquet file tells what made it, is the same in every run, and can be
// read again.
func TestParquetTellsItsRun(t *testing.T) {
	const src = `
load("testdata/tables/helper.star", "rows")
n = param("n", 3, help = "rows")
t = table("waits", ["comm", ("share", "%"), ("wait", "ms")], rows(n))
t.save("waits.parquet")
t.save("waits.html")
`
	var files [2][]byte
	for k := range files {
		out := t.TempDir()
		s := newTestSession(t, Options{OutDir: out, Seed: 7, Version: "v1"})
		if err := s.Exec("waits.star", src); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(filepath.Join(out, "waits.parquet"))
		if err != nil {
			t.Fatal(err)
		}
		files[k] = data
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("two runs wrote different bytes")
	}
	f, err := parquet.OpenFile(bytes.NewReader(files[0]), int64(len(files[0])))
	if err != nil {
		t.Fatal(err)
	}
	text, _ := f.Lookup("schedrepl.manifest")
	var m struct {
		Script  struct{ Name, SHA256 string }
		Loads   []struct{ Name, SHA256 string }
		Params  []struct{ Name, Type, Value string }
		Seed    uint64
		Version string
	}
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	if m.Script.Name != "waits.star" || len(m.Script.SHA256) != 64 || m.Seed != 7 || m.Version != "v1" ||
		len(m.Loads) != 1 || m.Loads[0].Name != "testdata/tables/helper.star" || len(m.Params) != 1 || m.Params[0].Value != "3" {
		t.Errorf("the manifest is %s", text)
	}

	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "w.parquet"), files[0], 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "main.star"), []byte(`
t = read_table("w.parquet")
assert.eq((t.title, t.columns, t.units["wait"], t.units["share"]), ("waits", ["comm", "share", "wait"], "ms", "%"))
assert.eq(t[2], struct(comm = "task2", share = 2.0, wait = 2 * ms))
assert.eq(t[0].wait, None)
`), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := newTestSession(t, Options{}).ExecFile(filepath.Join(dir, "main.star")); err != nil {
		t.Error(err)
	}
}

// largeTable is a table of a million rows in the hands of a session.
func largeTable(t testing.TB) *tableValue {
	const n = 1_000_000
	comm, cpu, wait := make([]string, n), make([]int64, n), make([]time.Duration, n)
	for i := range n {
		comm[i], cpu[i], wait[i] = []string{"make", "cc1", "hog"}[i%3], int64(i%64), time.Duration(i)
	}
	tab := table.MustNew("large", table.Column{Name: "comm", Kind: table.String}, table.Column{Name: "cpu", Kind: table.Int},
		table.Column{Name: "wait", Kind: table.Duration}, table.Column{Name: "more", Kind: table.Duration})
	if err := tab.AppendColumns(comm, cpu, wait, wait); err != nil {
		t.Fatal(err)
	}
	return newTable(tab)
}

// A function that goes through many rows can be stopped, be it one of Starlark or
// a built-in.
func TestWhereIsInterrupted(t *testing.T) {
	for _, src := range []string{
		"t.where(lambda row: row.wait > 5 * ms and len(t.where(comm = 'cc1')) > 0)",
		"t.where(lambda row: [t.where(bool) for i in range(9)])",
		"t.group_by('wait').aggregate(x = ('cpu', lambda xs: xs[0] + len(t.sort('cpu'))))",
	} {
		s := newTestSession(t, Options{})
		if _, err := s.Cell("a", "1"); err != nil {
			t.Fatal(err)
		}
		s.globals["t"] = largeTable(t)
		done := make(chan error, 1)
		go func() {
			_, err := s.Cell("b", src)
			done <- err
		}()
		time.Sleep(50 * time.Millisecond)
		s.Interrupt("stop")
		select {
		case err := <-done:
			var e *Error
			if !errors.As(err, &e) || e.Category != Interrupted {
				t.Errorf("%s: the error is %v", src, err)
			}
		case <-time.After(30 * time.Second):
			t.Fatalf("%s goes on", src)
		}
	}
}

// A notebook gets a table as HTML.
func TestTableHTML(t *testing.T) {
	s := newTestSession(t, Options{})
	v, err := s.Cell("a", `table("a < b", ["x"], [(1,), ("<b>",)][:1])`)
	if err != nil {
		t.Fatal(err)
	}
	b := &strings.Builder{}
	if err := v.(*tableValue).WriteHTML(b); err != nil || !strings.Contains(b.String(), "<caption>a &lt; b</caption>") {
		t.Errorf("%v\n%s", err, b)
	}
}

func BenchmarkWhere(b *testing.B) {
	for _, c := range []struct{ name, src string }{
		{"equal", "t.where(comm = 'make', cpu = [0, 1])"},
		{"lambda", "t.where(lambda row: row.wait > limit)"},
		{"mixed", "t.where(lambda row: row.wait > limit, comm = 'make')"},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := newTestSession(b, Options{})
			if _, err := s.Cell("a", "limit = 5 * us"); err != nil {
				b.Fatal(err)
			}
			s.globals["t"] = largeTable(b)
			for b.Loop() {
				if _, err := s.Cell("b", c.src); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
