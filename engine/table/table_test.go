package table

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// five is a column of each kind.
var five = []Column{
	{Name: "pid", Kind: Int},
	{Name: "share", Unit: "%", Kind: Float},
	{Name: "wait", Kind: Duration},
	{Name: "comm", Kind: String},
	{Name: "bound", Kind: Bool},
}

func TestNewErrors(t *testing.T) {
	for _, c := range []struct {
		cols []Column
		want string
	}{
		{nil, "no columns"},
		{[]Column{{Kind: Int}}, "has no name"},
		{[]Column{{Name: "a"}}, "kind 0"},
		{[]Column{{Name: "a", Kind: 9}}, "kind 9"},
		{[]Column{{Name: "a", Kind: Int}, {Name: "a", Kind: Bool}}, `two columns are named "a"`},
		{[]Column{{Name: "w", Kind: Duration}, {Name: "w_ns", Kind: Int}}, `"w" and "w_ns" would both be written as "w_ns"`},
		{[]Column{{Name: "a", Kind: Duration, Unit: "min"}}, `unit "min" of a duration`},
		{[]Column{{Name: "a", Kind: String, Unit: "ms"}}, "only numbers have a unit"},
		{[]Column{{Name: "a", Kind: Int, Digits: 2}}, "2 digits for kind int"},
		{[]Column{{Name: "a", Kind: Float, Digits: 99}}, "99 digits"},
	} {
		if _, err := New("t", c.cols...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("New(%v): %v; want %q", c.cols, err, c.want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("MustNew of no columns did not panic")
		}
	}()
	MustNew("t")
}

func TestExportName(t *testing.T) {
	for _, c := range []struct {
		col  Column
		want string
	}{
		{Column{Name: "wait", Kind: Duration}, "wait_ns"},
		{Column{Name: "wait", Kind: Duration, Unit: "ms"}, "wait_ns"},
		{Column{Name: "ts_ns", Kind: Duration}, "ts_ns"},
		{Column{Name: "share", Kind: Float, Unit: "%"}, "share_pct"},
		{Column{Name: "rate", Kind: Float, Unit: "1/s"}, "rate_1_per_s"},
		{Column{Name: "speed", Kind: Float, Unit: "MB/s"}, "speed_MB_per_s"},
		{Column{Name: "t", Kind: Float, Unit: "µs"}, "t_us"},
		{Column{Name: "load", Kind: Float, Unit: "of 1024"}, "load_of_1024"},
		{Column{Name: "n", Kind: Int}, "n"},
		{Column{Name: "n", Kind: Int, Unit: "?"}, "n"},
	} {
		if got := c.col.ExportName(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.col, got, c.want)
		}
	}
}

func TestAppendKinds(t *testing.T) {
	type named int64
	const big = int64(1)<<53 + 1
	for _, c := range []struct {
		col  string
		give any
		want any // nil: refused
	}{
		{"pid", 5, int64(5)}, {"pid", int8(-5), int64(-5)}, {"pid", uint64(7), int64(7)}, {"pid", uint32(1 << 31), int64(1 << 31)},
		{"pid", uint64(1 << 63), nil}, {"pid", 1.0, nil}, {"pid", time.Second, nil}, {"pid", named(1), nil}, {"pid", "1", nil}, {"pid", true, nil},
		{"share", 1.5, 1.5}, {"share", float32(0.5), 0.5}, {"share", 3, 3.0}, {"share", big, nil}, {"share", int64(math.MaxInt64), nil},
		{"share", int64(math.MinInt64), -math.Exp2(63)}, {"share", time.Second, nil}, {"share", "1", nil},
		{"wait", time.Second, time.Second}, {"wait", 5, nil}, {"wait", int64(5), nil}, {"wait", 0.5, nil}, {"wait", "5ms", nil},
		{"comm", "make", "make"}, {"comm", []byte("x"), nil}, {"comm", 1, nil},
		{"bound", true, true}, {"bound", false, false}, {"bound", 1, nil},
	} {
		tab := MustNew("t", five...)
		row := make([]any, len(five))
		i := slices.IndexFunc(five, func(f Column) bool { return f.Name == c.col })
		row[i] = c.give
		err := tab.Append(row...)
		if c.want == nil {
			if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("column %q: got %T", c.col, c.give)) {
				t.Errorf("%v into %s: error %v", c.give, c.col, err)
			}
			if tab.NumRows() != 0 || tab.cols[0].len() != 0 {
				t.Errorf("%v into %s: refused, yet %d rows", c.give, c.col, tab.NumRows())
			}
			continue
		}
		got, verr := tab.Value(0, c.col)
		if err != nil || verr != nil || got != c.want {
			t.Errorf("%v into %s: got %v (%v, %v), want %v", c.give, c.col, got, err, verr, c.want)
		}
	}
	tab := MustNew("waits", five...)
	err := tab.Append(1, 2.0, 5, "x", true)
	if want := `append to table "waits": row 0, column "wait": got int 5, want a duration with its unit, such as 5 * ms`; err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %v", err, want)
	}
	if err := tab.Append(1, 2.0); err == nil || !strings.Contains(err.Error(), "2 values for 5 columns") {
		t.Errorf("short row: %v", err)
	}
}

func TestAppendColumns(t *testing.T) {
	tab := MustNew("t", five...)
	tab.Append(nil, nil, nil, nil, nil)
	pids := []int64{1, 2}
	err := tab.AppendColumns(pids, []float64{0.5, 1}, []time.Duration{3, 4}, []string{"a", "b"}, []bool{true, false})
	pids[0] = 99
	if err != nil || tab.NumRows() != 3 {
		t.Fatalf("%d rows, %v", tab.NumRows(), err)
	}
	if got := rowsOf(tab); fmt.Sprint(got) != "[[<nil> <nil> <nil> <nil> <nil>] [1 0.5 3ns a true] [2 1 4ns b false]]" {
		t.Errorf("rows %v", got)
	}
	for _, bad := range [][]any{
		{[]int64{1}},
		{[]int64{1}, []float64{1}, []int64{1}, []string{""}, []bool{true}},
		{[]int64{1}, []float64{1, 2}, []time.Duration{1}, []string{""}, []bool{true}},
		{[]int64{1}, []float64{1}, []time.Duration{1}, []string{""}, nil},
	} {
		if err := tab.AppendColumns(bad...); err == nil || tab.NumRows() != 3 || tab.cols[0].len() != 3 {
			t.Errorf("%v accepted: %v", bad, err)
		}
	}
}

func TestLookupErrors(t *testing.T) {
	tab := MustNew("t", five...)
	if _, err := tab.Value(0, "pid"); err == nil || !strings.Contains(err.Error(), "no row 0: the table is empty") {
		t.Error(err)
	}
	tab.Append(1, 1, nil, "a", true)
	for _, row := range []int{-1, 1} {
		if _, err := tab.Value(row, "pid"); err == nil || !strings.Contains(err.Error(), "the rows are 0 to 0") {
			t.Error(row, err)
		}
	}
	const want = `table "t": no column "pdi": the columns are pid, share, wait, comm, bound`
	_, e1 := tab.Value(0, "pdi")
	_, e2 := tab.Col("pdi")
	_, e3 := tab.Sort("pdi", false)
	_, e4 := tab.Select("pid", "pdi")
	for _, err := range []error{e1, e2, e3, e4} {
		if err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("got %v", err)
		}
	}
	if _, err := tab.Select(); err == nil {
		t.Error("Select of nothing: no error")
	}
	if _, err := tab.Select("pid", "pid"); err == nil {
		t.Error("Select of a column twice: no error")
	}
}

func TestCells(t *testing.T) {
	tab := MustNew("t", five...)
	tab.Append(1, 0.5, 3*time.Nanosecond, "a", true)
	tab.Append(nil, nil, nil, nil, nil)
	pid, _ := tab.Col("pid")
	share, _ := tab.Col("share")
	wait, _ := tab.Col("wait")
	comm, _ := tab.Col("comm")
	bound, _ := tab.Col("bound")
	if pid.Int(0) != 1 || share.Float(0) != 0.5 || wait.Duration(0) != 3 || wait.Int(0) != 3 || comm.Str(0) != "a" || !bound.Bool(0) {
		t.Error("typed cells differ")
	}
	if pid.Len() != 2 || pid.Missing(0) || !pid.Missing(1) || pid.Int(1) != 0 || pid.Value(1) != nil || share.Column() != five[1] {
		t.Error("missing cells differ")
	}
	tab.Append(7, 7, nil, "", false)
	if pid.Len() != 2 {
		t.Error("a view grew")
	}
	for _, c := range []Cells{pid, share, wait} {
		if xs, err := c.Numbers(); err != nil || len(xs) != 1 {
			t.Errorf("%s: %v, %v", c.Column().Name, xs, err)
		}
	}
	if _, err := comm.Numbers(); err == nil {
		t.Error("numbers of a string column")
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("a string read as an int did not panic")
			}
		}()
		comm.Int(0)
	}()
}

// rowsOf returns all cells, boxed.
func rowsOf(t *Table) [][]any {
	rows := make([][]any, t.NumRows())
	for i := range rows {
		for _, c := range t.Columns() {
			v, err := t.Value(i, c.Name)
			if err != nil {
				panic(err)
			}
			rows[i] = append(rows[i], v)
		}
	}
	return rows
}

// genRow draws a row for five, a quarter of the cells missing.
var genRow = rapid.Custom(func(t *rapid.T) []any {
	row := []any{
		int64(rapid.IntRange(-3, 3).Draw(t, "pid")),
		rapid.SampledFrom([]float64{math.Inf(-1), -1, math.Copysign(0, -1), 0, 2, math.Inf(1), math.NaN()}).Draw(t, "share"),
		time.Duration(rapid.Int64().Draw(t, "wait")),
		rapid.SampledFrom([]string{"", "a", "B", "ä", "\xff"}).Draw(t, "comm"),
		rapid.Bool().Draw(t, "bound"),
	}
	for i := range row {
		if rapid.IntRange(0, 3).Draw(t, "missing") == 0 {
			row[i] = nil
		}
	}
	return row
})

// less is the order Sort documents, on boxed cells.
func less(a, b any, desc bool) bool {
	class := func(v any) int {
		if v == nil {
			return 2
		}
		if f, ok := v.(float64); ok && math.IsNaN(f) {
			return 1
		}
		return 0
	}
	if class(a) != class(b) || class(a) > 0 {
		return class(a) < class(b)
	}
	if desc {
		a, b = b, a
	}
	switch a := a.(type) {
	case int64:
		return a < b.(int64)
	case float64:
		return a < b.(float64)
	case time.Duration:
		return a < b.(time.Duration)
	case string:
		return a < b.(string)
	default:
		return !a.(bool) && b.(bool)
	}
}

// A table behaves as a slice of rows, through any chain of operations, and no
// operation changes a table that it was not called on.
func TestModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type pair struct {
			tab  *Table
			cols []string
			rows [][]any
		}
		names := []string{"pid", "share", "wait", "comm", "bound"}
		all := []pair{{MustNew("t", five...), names, nil}}
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			p := &all[rapid.IntRange(0, len(all)-1).Draw(t, "table")]
			next := pair{cols: p.cols}
			switch rapid.SampledFrom([]string{"append", "append", "append", "head", "where", "sort", "select"}).Draw(t, "op") {
			case "append":
				for range rapid.SampledFrom([]int{1, 3, 70}).Draw(t, "n") {
					full := genRow.Draw(t, "row")
					var row []any
					for _, c := range p.cols {
						row = append(row, full[slices.Index(names, c)])
					}
					if err := p.tab.Append(row...); err != nil {
						t.Fatal(err)
					}
					p.rows = append(slices.Clip(p.rows), row)
				}
				continue
			case "head":
				n := rapid.IntRange(-1, 80).Draw(t, "n")
				next.tab = p.tab.Head(n)
				next.rows = p.rows[:min(max(n, 0), len(p.rows))]
			case "where":
				m := rapid.IntRange(1, 3).Draw(t, "m")
				next.tab = p.tab.Where(func(i int) bool { return i%m == 0 })
				for i, r := range p.rows {
					if i%m == 0 {
						next.rows = append(next.rows, r)
					}
				}
			case "sort":
				k := rapid.IntRange(0, len(p.cols)-1).Draw(t, "col")
				desc := rapid.Bool().Draw(t, "desc")
				var err error
				if next.tab, err = p.tab.Sort(p.cols[k], desc); err != nil {
					t.Fatal(err)
				}
				next.rows = slices.Clone(p.rows)
				for i := range next.rows { // insertion sort: stable by nature
					for j := i; j > 0 && less(next.rows[j][k], next.rows[j-1][k], desc); j-- {
						next.rows[j], next.rows[j-1] = next.rows[j-1], next.rows[j]
					}
				}
			case "select":
				perm := rapid.Permutation(p.cols).Draw(t, "cols")
				next.cols = perm[:rapid.IntRange(1, len(perm)).Draw(t, "n")]
				var err error
				if next.tab, err = p.tab.Select(next.cols...); err != nil {
					t.Fatal(err)
				}
				for _, r := range p.rows {
					var row []any
					for _, c := range next.cols {
						row = append(row, r[slices.Index(p.cols, c)])
					}
					next.rows = append(next.rows, row)
				}
			}
			all = append(all, next)
		}
		for i, p := range all {
			// Printed, so that NaN equals NaN; %#v tells -0 from 0 and nil from "".
			got, want := fmt.Sprintf("%#v", rowsOf(p.tab)), fmt.Sprintf("%#v", p.rows)
			if len(p.rows) != p.tab.NumRows() || len(p.rows) > 0 && got != want {
				t.Fatalf("table %d:\ngot  %s\nwant %s", i, got, want)
			}
		}
	})
}

func BenchmarkAppend(b *testing.B) {
	tab := MustNew("t", five...)
	b.ReportAllocs()
	for i := range b.N {
		tab.Append(i, 0.5, time.Duration(i), "make", true)
	}
}

func BenchmarkSortMillion(b *testing.B) {
	tab := MustNew("t", five...)
	for i := range 1_000_000 {
		tab.Append(i, 0.5, time.Duration(i*7919%1_000_003), "make", true)
	}
	b.ReportAllocs()
	for b.Loop() {
		tab.Sort("wait", true)
	}
}
