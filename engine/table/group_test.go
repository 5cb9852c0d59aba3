package table

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// genTable draws a table of five with up to 40 rows.
var genTable = rapid.Custom(func(t *rapid.T) *Table {
	tab := MustNew("t", five...)
	for range rapid.IntRange(0, 40).Draw(t, "rows") {
		if err := tab.Append(genRow.Draw(t, "row")...); err != nil {
			t.Fatal(err)
		}
	}
	return tab
})

// keyText is equal for cells that belong to one group.
func keyText(v any) string {
	if f, ok := v.(float64); ok && f == 0 {
		v = 0.0 // also of -0
	}
	return fmt.Sprintf("%T %v", v, v)
}

// sameCell compares boxed cells, NaN being equal to NaN.
func sameCell(a, b any) bool {
	fa, ok1 := a.(float64)
	fb, ok2 := b.(float64)
	if ok1 && ok2 {
		return fa == fb || math.IsNaN(fa) && math.IsNaN(fb)
	}
	return a == b
}

// sameTable fails unless the tables have equal columns and cells.
func sameTable(t interface {
	Helper()
	Fatalf(string, ...any)
}, got, want *Table) {
	t.Helper()
	if !slices.Equal(got.Columns(), want.Columns()) {
		t.Fatalf("columns %v, want %v", got.Columns(), want.Columns())
	}
	g, w := rowsOf(got), rowsOf(want)
	if len(g) != len(w) {
		t.Fatalf("%d rows, want %d", len(g), len(w))
	}
	for i := range w {
		if !slices.EqualFunc(g[i], w[i], sameCell) {
			t.Fatalf("row %d is %v, want %v", i, g[i], w[i])
		}
	}
}

// modelFold is a fold of boxed values, worked out in big numbers.
func modelFold(fn string, cells []any) any {
	var vs []any
	for _, v := range cells {
		if v != nil {
			vs = append(vs, v)
		}
	}
	switch fn {
	case "count":
		return int64(len(vs))
	case "missing":
		return int64(len(cells) - len(vs))
	case "distinct":
		seen := map[string]bool{}
		for _, v := range vs {
			seen[keyText(v)] = true
		}
		return int64(len(seen))
	}
	if len(vs) == 0 {
		return nil
	}
	switch fn {
	case "first":
		return vs[0]
	case "last":
		return vs[len(vs)-1]
	case "min", "max":
		best := vs[0]
		for _, v := range vs {
			if f, ok := v.(float64); ok && math.IsNaN(f) {
				return v
			}
			if fn == "min" && less(v, best, false) || fn == "max" && less(best, v, false) {
				best = v
			}
		}
		return best
	}
	// mean and median of ints and durations
	sum, ns := new(big.Rat), []*big.Rat{}
	for _, v := range vs {
		var x *big.Rat
		switch v := v.(type) {
		case int64:
			x = new(big.Rat).SetInt64(v)
		case time.Duration:
			x = new(big.Rat).SetInt64(int64(v))
		}
		sum.Add(sum, x)
		ns = append(ns, x)
	}
	slices.SortFunc(ns, (*big.Rat).Cmp)
	n := len(ns)
	r := sum.Quo(sum, big.NewRat(int64(n), 1))
	if fn == "median" {
		r = new(big.Rat).Add(ns[(n-1)/2], ns[n/2])
		r.Quo(r, big.NewRat(2, 1))
	}
	if _, ok := vs[0].(int64); ok {
		f, _ := r.Float64()
		return f
	}
	// Rounded half away from zero, as FloatString does.
	whole, _ := new(big.Int).SetString(r.FloatString(0), 10)
	return time.Duration(whole.Int64())
}

// GroupBy and the folds against a model of boxed values and big numbers.
func TestGroupByModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tab := genTable.Draw(t, "table")
		var keys []string
		for _, c := range five {
			if rapid.IntRange(0, 2).Draw(t, "key") == 0 {
				keys = append(keys, c.Name)
			}
		}
		g, err := tab.GroupBy(keys...)
		if err != nil {
			t.Fatal(err)
		}
		var order []string
		groups := map[string][]int{}
		for i := range tab.NumRows() {
			text := ""
			for _, k := range keys {
				v, _ := tab.Value(i, k)
				text += keyText(v) + "|"
			}
			if groups[text] == nil {
				order = append(order, text)
			}
			groups[text] = append(groups[text], i)
		}
		if len(keys) == 0 && tab.NumRows() == 0 {
			order = []string{""}
		}
		if g.Len() != len(order) {
			t.Fatalf("%d groups, want %d: %q", g.Len(), len(order), order)
		}
		for i, text := range order {
			if got := slices.Collect(g.Rows(i)); !slices.Equal(got, groups[text]) {
				t.Fatalf("group %d has the rows %v, want %v", i, got, groups[text])
			}
			if g.Table(i).NumRows() != len(groups[text]) {
				t.Fatalf("the table of group %d has %d rows", i, g.Table(i).NumRows())
			}
		}
		var as []Aggregate
		for _, c := range five {
			for _, fn := range []string{"count", "missing", "distinct", "first", "last", "min", "max"} {
				as = append(as, Aggregate{c.Name + "_" + fn, c.Name, fn})
			}
			if c.Kind == Int || c.Kind == Duration {
				as = append(as, Aggregate{c.Name + "_mean", c.Name, "mean"}, Aggregate{c.Name + "_median", c.Name, "median"})
			}
		}
		as = append(as, Aggregate{"rows", "", "count"})
		out, err := g.Aggregate(as...)
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range order {
			for _, a := range as {
				got, err := out.Value(i, a.Name)
				if err != nil {
					t.Fatal(err)
				}
				want := any(int64(len(groups[text])))
				if a.Column != "" {
					var cells []any
					for _, r := range groups[text] {
						v, _ := tab.Value(r, a.Column)
						cells = append(cells, v)
					}
					want = modelFold(a.Fn, cells)
				}
				if d, ok := want.(time.Duration); ok && a.Fn == "median" {
					// Halves of a difference beyond 2^53 are rounded.
					if e := got.(time.Duration); math.Abs(float64(d)-float64(e)) > 4096 {
						t.Fatalf("%s of group %q is %v, want %v", a.Name, text, got, want)
					}
					continue
				}
				if !sameCell(got, want) {
					t.Fatalf("%s of group %q is %v, want %v", a.Name, text, got, want)
				}
			}
		}
	})
}

func TestAggregateValues(t *testing.T) {
	tab := MustNew("t", Column{Name: "k", Kind: String}, Column{Name: "share", Kind: Float, Unit: "%", Digits: 2},
		Column{Name: "wait", Kind: Duration, Unit: "ms"}, Column{Name: "n", Kind: Int}, Column{Name: "ok", Kind: Bool})
	const ms = time.Millisecond
	for _, r := range [][]any{
		{"a", 1e16, 1 * ms, 3, true}, {"a", 1.0, 2 * ms, 4, false}, {"a", -1e16, 9 * ms, nil, true},
		{nil, 2.5, nil, 7, nil}, {"b", math.NaN(), 4 * ms, 5, nil}, {"b", 1.0, 5 * ms, 6, true},
	} {
		if err := tab.Append(r...); err != nil {
			t.Fatal(err)
		}
	}
	g, err := tab.GroupBy("k")
	if err != nil {
		t.Fatal(err)
	}
	out, err := g.Aggregate(
		Aggregate{"rows", "", "count"}, Aggregate{"n", "n", "count"}, Aggregate{"sum", "share", "sum"}, Aggregate{"std", "wait", "std"},
		Aggregate{"p90", "wait", "p90"}, Aggregate{"total", "wait", "sum"}, Aggregate{"mean", "n", "mean"}, Aggregate{"top", "share", "max"},
		Aggregate{"yes", "ok", "sum"}, Aggregate{"part", "ok", "mean"}, Aggregate{"nstd", "n", "std"}, Aggregate{"p100", "n", "p100"})
	if err != nil {
		t.Fatal(err)
	}
	want := MustNew("t", Column{Name: "k", Kind: String}, Column{Name: "rows", Kind: Int}, Column{Name: "n", Kind: Int},
		Column{Name: "sum", Kind: Float, Unit: "%", Digits: 2}, Column{Name: "std", Kind: Duration, Unit: "ms"}, Column{Name: "p90", Kind: Duration, Unit: "ms"},
		Column{Name: "total", Kind: Duration, Unit: "ms"}, Column{Name: "mean", Kind: Float}, Column{Name: "top", Kind: Float, Unit: "%", Digits: 2},
		Column{Name: "yes", Kind: Int}, Column{Name: "part", Kind: Float}, Column{Name: "nstd", Kind: Float}, Column{Name: "p100", Kind: Float})
	for _, r := range [][]any{
		{"a", 3, 2, 1.0, 4358899 * time.Nanosecond, 7600 * time.Microsecond, 12 * ms, 3.5, 1e16, 2, 2.0 / 3, math.Sqrt(0.5), 4.0},
		{nil, 1, 1, 2.5, nil, nil, time.Duration(0), 7.0, 2.5, 0, nil, nil, 7.0},
		{"b", 2, 2, math.NaN(), 707107 * time.Nanosecond, 4900 * time.Microsecond, 9 * ms, 5.5, math.NaN(), 1, 1.0, math.Sqrt(0.5), 6.0},
	} {
		if err := want.Append(r...); err != nil {
			t.Fatal(err)
		}
	}
	sameTable(t, out, want)
}

func TestAggregateErrors(t *testing.T) {
	tab := MustNew("t", five...)
	tab.Append(math.MaxInt64, 1.0, time.Second, "make", true)
	tab.Append(1, 1.0, time.Second, "make", true)
	for _, c := range []struct {
		a    Aggregate
		want string
	}{
		{Aggregate{"x", "", "mean"}, `aggregate table "t": column "x": mean of no column: only the count of rows needs none`},
		{Aggregate{"x", "wait", "avg"}, `there is no fold "avg": want count, missing, distinct, sum, mean, std, min, max, median, first, last, or a percentile as p99`},
		{Aggregate{"x", "wait", "p101"}, `there is no fold "p101"`},
		{Aggregate{"x", "wait", "p"}, `there is no fold "p"`},
		{Aggregate{"x", "wait", "p1e1"}, `there is no fold "p1e1"`},
		{Aggregate{"x", "wiat", "mean"}, `no column "wiat"`},
		{Aggregate{"x", "comm", "mean"}, `mean of column "comm", whose cells are of kind string: want an int, float or duration column`},
		{Aggregate{"x", "bound", "p50"}, `whose cells are of kind bool`},
		{Aggregate{"x", "pid", "sum"}, `the sum of column "pid" in the group comm "make" does not fit in 64 bits`},
		{Aggregate{"comm", "pid", "min"}, `two columns are named "comm"`},
	} {
		g, err := tab.GroupBy("comm")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := g.Aggregate(c.a); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: got %v, want %s", c.a, err, c.want)
		}
	}
	if _, err := tab.GroupBy("pid", "pid"); err == nil || err.Error() != `group table "t": column "pid" is named twice` {
		t.Error(err)
	}
	if g, _ := tab.GroupBy("pid"); g != nil {
		if _, err := g.Aggregate(); err == nil {
			t.Error("an aggregate of nothing was made")
		}
	}
}

// Sums of floats lose nothing to the order or size of the terms that a plain sum
// would lose, and pass on what is no number.
func TestFloatSums(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		xs        []float64
		sum, mean float64
	}{
		{[]float64{1, 1e100, 1, -1e100}, 2, 0.5},
		{[]float64{inf, 1}, inf, inf},
		{[]float64{inf, -inf}, nan, nan},
		{[]float64{1, nan}, nan, nan},
		{[]float64{math.MaxFloat64, math.MaxFloat64}, inf, math.MaxFloat64},
	} {
		if got := sumFloats(c.xs); !sameCell(got, c.sum) {
			t.Errorf("sum of %v is %v, want %v", c.xs, got, c.sum)
		}
		if got := meanFloats(c.xs); !sameCell(got, c.mean) {
			t.Errorf("mean of %v is %v, want %v", c.xs, got, c.mean)
		}
	}
	if got := stdInts([]int64{1e18 + 1, 1e18 + 3}); got != math.Sqrt2 {
		t.Errorf("the std of two large ints is %v", got)
	}
	if got := stdInts([]int64{math.MinInt64, math.MaxInt64}); math.Abs(got/(math.Sqrt2*(1<<63))-1) > 1e-15 {
		t.Errorf("the std of the extremes is %v", got)
	}
	if got := sumInts([]int64{math.MinInt64, math.MinInt64}).div(2); got != math.MinInt64 {
		t.Errorf("the mean of two least ints is %d", got)
	}
	if got := between(math.MinInt64, math.MaxInt64, 0.5); got < -4096 || got > 4096 {
		t.Errorf("halfway is %d", got)
	}
}

func TestDescribe(t *testing.T) {
	golden(t, "describe.txt", []byte(render(t, mixed(t).Describe(), TextOptions{})+render(t, mixed(t).Head(0).Describe(), TextOptions{})))
	one, err := mixed(t).DescribeColumn("wait")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "describe_wait.txt", []byte(render(t, one, TextOptions{})))
	if _, err := mixed(t).DescribeColumn("w"); err == nil {
		t.Error("no error")
	}
}
