package table

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// fits is the condition of a join on boxed cells.
func fits(a, b any) bool {
	return a != nil && b != nil && a == b // NaN is not equal to NaN
}

// Join against nested loops.
func TestJoinModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		left, right := genTable.Draw(t, "left"), genTable.Draw(t, "right")
		var on []string
		for _, c := range five {
			if rapid.IntRange(0, 2).Draw(t, "key") == 0 {
				on = append(on, c.Name)
			}
		}
		if len(on) == 0 {
			on = []string{"comm"}
		}
		how := rapid.SampledFrom([]string{"inner", "left", "outer"}).Draw(t, "how")
		got, err := left.Join(right, JoinOptions{On: on, How: how})
		if err != nil {
			t.Fatal(err)
		}
		isKey := map[int]bool{}
		for i, c := range five {
			for _, k := range on {
				isKey[i] = isKey[i] || k == c.Name
			}
		}
		cols := append([]Column{}, five...)
		for i, c := range five {
			if !isKey[i] {
				c.Name += "_right"
				cols = append(cols, c)
			}
		}
		want := MustNew("t", cols...)
		add := func(l, r []any) {
			row := make([]any, len(five))
			copy(row, l)
			for i := range five {
				if l == nil && isKey[i] {
					row[i] = r[i]
				}
			}
			for i := range five {
				if !isKey[i] && r == nil {
					row = append(row, nil)
				} else if !isKey[i] {
					row = append(row, r[i])
				}
			}
			if err := want.Append(row...); err != nil {
				t.Fatal(err)
			}
		}
		rights := rowsOf(right)
		met := make([]bool, len(rights))
		for _, l := range rowsOf(left) {
			found := false
			for k, r := range rights {
				ok := true
				for i := range five {
					ok = ok && (!isKey[i] || fits(l[i], r[i]))
				}
				if ok {
					found, met[k] = true, true
					add(l, r)
				}
			}
			if !found && how != "inner" {
				add(l, nil)
			}
		}
		for k, r := range rights {
			if !met[k] && how == "outer" {
				add(nil, r)
			}
		}
		sameTable(t, got, want)
	})
}

func TestJoinErrors(t *testing.T) {
	tab := MustNew("a", five...)
	for range 300 {
		tab.Append(1, 1.0, time.Second, "make", true)
	}
	col := func(c Column) *Table { return MustNew("b", c, Column{Name: "x", Kind: Int}) }
	for _, c := range []struct {
		other *Table
		opts  JoinOptions
		want  string
	}{
		{tab, JoinOptions{}, `join table "a": no columns to join on`},
		{tab, JoinOptions{On: []string{"pid"}, How: "right"}, `how "right": want inner, left or outer`},
		{tab, JoinOptions{On: []string{"tid"}}, `no column "tid"`},
		{col(Column{Name: "p", Kind: Int}), JoinOptions{On: []string{"pid"}}, `the other table ("b"): no column "pid": the columns are p, x`},
		{col(Column{Name: "pid", Kind: String}), JoinOptions{On: []string{"pid"}}, `column "pid" holds cells of kind int here and of kind string in the other table`},
		{col(Column{Name: "share", Kind: Float, Unit: "MB/s"}), JoinOptions{On: []string{"share"}}, `column "share" has the unit "%" here and "MB/s" in the other table`},
		{col(Column{Name: "share", Kind: Float}), JoinOptions{On: []string{"share"}}, `has the unit "%" here and none in the other`},
		{tab, JoinOptions{On: []string{"pid"}, MaxRows: 80_000}, `90000 rows would become of 300 and 300, more than 80000: the same keys are in both tables many times`},
		{col(Column{Name: "pid", Kind: Int}), JoinOptions{On: []string{"pid", "pid"}}, `named twice`},
	} {
		if _, err := tab.Join(c.other, c.opts); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: got %v, want %s", c.opts, err, c.want)
		}
	}
	if out, err := tab.Join(tab, JoinOptions{On: []string{"pid"}}); err != nil || out.NumRows() != 90_000 {
		t.Error(err)
	}
}

// Pivot and Unpivot undo each other, where each pair of key and name is there
// once.
func TestPivotRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tab := MustNew("t", Column{Name: "k", Kind: Int}, Column{Name: "comm", Kind: String}, Column{Name: "name", Kind: String}, Column{Name: "value", Kind: Float, Unit: "%"})
		seen := map[string]bool{}
		for range rapid.IntRange(1, 30).Draw(t, "rows") {
			k, comm := rapid.IntRange(0, 3).Draw(t, "k"), rapid.SampledFrom([]string{"a", "b"}).Draw(t, "comm")
			name := rapid.SampledFrom([]string{"x", "y", "z", "w"}).Draw(t, "name")
			if key := fmt.Sprint(k, comm, name); !seen[key] {
				seen[key] = true
				tab.Append(k, comm, name, rapid.Float64().Draw(t, "v"))
			}
		}
		p, err := tab.Pivot([]string{"k", "comm"}, "name", "value", "")
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, c := range p.Columns()[2:] {
			if c.Unit != "%" || c.Kind != Float {
				t.Fatalf("column %+v", c)
			}
			names = append(names, c.Name)
		}
		back, err := p.Unpivot(UnpivotOptions{Columns: names, DropMissing: true})
		if err != nil {
			t.Fatal(err)
		}
		order := []SortKey{{Column: "k"}, {Column: "comm"}, {Column: "name"}}
		a, err := back.SortBy(order...)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := tab.SortBy(order...)
		sameTable(t, a, b)
		all, err := p.Unpivot(UnpivotOptions{Columns: names, Names: "n", Values: "v"})
		if err != nil || all.NumRows() != p.NumRows()*len(names) {
			t.Fatal(all, err)
		}
	})
}

func TestPivotFoldsAndNames(t *testing.T) {
	tab := MustNew("t", Column{Name: "k", Kind: String}, Column{Name: "by", Kind: Duration}, Column{Name: "v", Kind: Int})
	for _, r := range [][]any{{"a", 1500 * time.Microsecond, 1}, {"a", 1500 * time.Microsecond, 2}, {"b", nil, 5}, {"b", -2 * time.Second, 6}, {nil, time.Duration(0), nil}} {
		tab.Append(r...)
	}
	p, err := tab.Pivot([]string{"k"}, "by", "v", "sum")
	if err != nil {
		t.Fatal(err)
	}
	want := MustNew("t", Column{Name: "k", Kind: String}, Column{Name: "1.5ms", Kind: Int}, Column{Name: "missing", Kind: Int}, Column{Name: "-2s", Kind: Int}, Column{Name: "0s", Kind: Int})
	want.Append("a", 3, nil, nil, nil)
	want.Append("b", nil, 5, 6, nil)
	want.Append(nil, nil, nil, nil, 0)
	sameTable(t, p, want)

	many := MustNew("t", Column{Name: "k", Kind: Int}, Column{Name: "by", Kind: Int}, Column{Name: "v", Kind: Int})
	for i := range maxPivot + 1 {
		many.Append(0, i, 0)
	}
	clash := MustNew("t", Column{Name: "k", Kind: String}, Column{Name: "by", Kind: String}, Column{Name: "v", Kind: Int})
	clash.Append("a", "k", 1)
	for _, c := range []struct {
		tab      *Table
		rows     []string
		cols, fn string
		want     string
	}{
		{tab, nil, "by", "", "no columns for the rows"},
		{tab, []string{"k"}, "by", "", `rows 0 and 1 are both for k "a" and by 1.5ms: give a fold such as mean`},
		{tab, []string{"k"}, "k", "", `column "k" is named twice`},
		{tab, []string{"k"}, "b", "", `no column "b"`},
		{tab, []string{"k"}, "by", "avg", `there is no fold "avg"`},
		{many, []string{"k"}, "by", "", `column "by" has 4097 different values`},
		{clash, []string{"k"}, "by", "", `two columns are named "k"`},
	} {
		if _, err := c.tab.Pivot(c.rows, c.cols, "v", c.fn); err == nil || !strings.Contains(err.Error(), c.want) || strings.Count(err.Error(), "table ") != 1 {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	if _, err := tab.Unpivot(UnpivotOptions{Columns: []string{"k", "by"}}); err == nil || !strings.Contains(err.Error(), `columns "k" and "by" do not fit each other`) {
		t.Error(err)
	}
}

func TestConcatAndEdits(t *testing.T) {
	a := MustNew("a", Column{Name: "k", Kind: String}, Column{Name: "v", Kind: Int}, Column{Name: "w", Kind: Float})
	a.Append("x", 1, nil)
	b := MustNew("b", Column{Name: "w", Kind: String}, Column{Name: "v", Kind: Float}, Column{Name: "k", Kind: String})
	b.Append("text", 2.5, "y")
	got, err := a.Concat(b, a.Head(0))
	if err != nil {
		t.Fatal(err)
	}
	want := MustNew("a", Column{Name: "k", Kind: String}, Column{Name: "v", Kind: Float}, Column{Name: "w", Kind: String})
	want.Append("x", 1.0, nil)
	want.Append("y", 2.5, "text")
	sameTable(t, got, want)
	if a.NumRows() != 1 || a.Columns()[1].Kind != Int {
		t.Error("Concat changed its first table")
	}

	if _, err := got.Concat(b); err != nil {
		t.Error(err)
	}
	unit := MustNew("u", Column{Name: "k", Kind: String}, Column{Name: "v", Kind: Int, Unit: "%"}, Column{Name: "w", Kind: Float})
	unit.Append("x", 1, 1)
	if _, err := a.Concat(unit); err == nil || !strings.Contains(err.Error(), `column "v" has the unit none here and "%" in the other table`) {
		t.Error(err)
	}
	if _, err := a.Concat(MustNew("c", Column{Name: "k", Kind: String})); err == nil || !strings.Contains(err.Error(), "its columns are k, v, w and those of table 1, \"c\", are k: want the same") {
		t.Error(err)
	}

	swapped, err := a.Rename([2]string{"k", "v"}, [2]string{"v", "k"})
	if err != nil || swapped.names() != "v, k, w" || a.names() != "k, v, w" {
		t.Error(swapped.names(), err)
	}
	if _, err := a.Rename([2]string{"k", "v"}); err == nil {
		t.Error("two columns of one name")
	}
	if d, err := a.Drop("k", "w"); err != nil || d.names() != "v" {
		t.Error(err)
	}
	if _, err := a.Drop("k", "w", "v"); err == nil || !strings.Contains(err.Error(), "no column would be left") {
		t.Error(err)
	}
	with, err := a.With(Column{Name: "v", Kind: Duration}, []any{time.Second})
	if err != nil || with.Columns()[1].Kind != Duration || a.Columns()[1].Kind != Int {
		t.Error(err)
	}
	if _, err := a.With(Column{Name: "z", Kind: Int}, nil); err == nil || !strings.Contains(err.Error(), `column "z" has 0 values for 1 rows`) {
		t.Error(err)
	}
	u := MustNew("u", Column{Name: "f", Kind: Float})
	for _, f := range []any{0.0, math.Copysign(0, -1), math.NaN(), nil, math.NaN(), nil, 1} {
		u.Append(f)
	}
	if d, err := u.Unique(); err != nil || d.NumRows() != 4 {
		t.Error(d.NumRows(), err)
	}
	if tail := u.Tail(2); tail.NumRows() != 2 || tail.cols[0].floats[1] != 1 || !tail.cols[0].missing.has(0) {
		t.Error("tail")
	}
	if u.Tail(-1).NumRows() != 0 || u.Tail(99).NumRows() != 7 {
		t.Error("tail of odd numbers")
	}
}

// Matching against a comparison of boxed cells.
func TestMatchingModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tab := genTable.Draw(t, "table")
		var ms []Match
		for k, c := range five {
			if rapid.Bool().Draw(t, "use") {
				m := Match{Column: c.Name}
				for range rapid.SampledFrom([]int{0, 1, 2, 12}).Draw(t, "n") {
					m.Values = append(m.Values, genRow.Draw(t, "row")[k])
				}
				if c.Name == "comm" && rapid.Bool().Draw(t, "text") {
					m.Text = func(s string) bool { return s == "B" }
				}
				ms = append(ms, m)
			}
		}
		got, err := tab.Matching(ms...)
		if err != nil {
			t.Fatal(err)
		}
		want := tab.Where(func(i int) bool {
			for _, m := range ms {
				v, _ := tab.Value(i, m.Column)
				ok := m.Text != nil && v == "B"
				for _, x := range m.Values {
					ok = ok || v == x
				}
				if !ok {
					return false
				}
			}
			return true
		})
		sameTable(t, got, want)
	})
	tab := MustNew("t", five...)
	if _, err := tab.Matching(Match{Column: "wait", Values: []any{5}}); err == nil || !strings.Contains(err.Error(), `filter table "t": column "wait": got int 5, want a duration with its unit`) {
		t.Error(err)
	}
}

// SortBy against sorting by one key after the other.
func TestSortBySeveral(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tab := genTable.Draw(t, "table")
		keys := []SortKey{{"comm", rapid.Bool().Draw(t, "d1")}, {"share", rapid.Bool().Draw(t, "d2")}, {"pid", rapid.Bool().Draw(t, "d3")}}
		got, err := tab.SortBy(keys...)
		if err != nil {
			t.Fatal(err)
		}
		rows := rowsOf(got)
		place := []int{3, 1, 0}
		for i := 1; i < len(rows); i++ {
			for k, key := range keys {
				a, b := rows[i-1][place[k]], rows[i][place[k]]
				if less(b, a, key.Desc) {
					t.Fatalf("row %v comes before %v", rows[i-1], rows[i])
				}
				if less(a, b, key.Desc) {
					break
				}
			}
		}
	})
}
