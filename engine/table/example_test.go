package table_test

import (
	"bytes"
	"fmt"
	"time"

	"schedrepl/engine/table"
)

func Example() {
	t := table.MustNew("waits by task",
		table.Column{Name: "comm", Kind: table.String},
		table.Column{Name: "pid", Kind: table.Int},
		table.Column{Name: "wait", Kind: table.Duration},
		table.Column{Name: "share", Unit: "%", Kind: table.Float})
	for _, row := range [][]any{
		{"make", 1201, 20340 * time.Microsecond, 51.2},
		{"cc1", 1202, 1500 * time.Microsecond, 40.0},
		{"pert", 1187, 87 * time.Millisecond, 8.8},
	} {
		if err := t.Append(row...); err != nil {
			panic(err)
		}
	}
	longest, err := t.Sort("wait", true)
	if err != nil {
		panic(err)
	}
	var b bytes.Buffer
	if err := longest.WriteText(&b, table.TextOptions{}); err != nil {
		panic(err)
	}
	if err := longest.Head(1).WriteJSON(&b); err != nil {
		panic(err)
	}
	fmt.Print(b.String())
	fmt.Println(t.Append("sh", 1300, 5, 0.0))
	// Output:
	// waits by task
	// comm   pid  wait (ms)  share (%)
	// ────  ────  ─────────  ─────────
	// pert  1187      87.00        8.8
	// make  1201      20.34       51.2
	// cc1   1202       1.50       40.0
	// [
	// {"comm":"pert","pid":1187,"wait_ns":87000000,"share_pct":8.8}
	// ]
	// append to table "waits by task": row 3, column "wait": got int 5, want a duration with its unit, such as 5 * ms
}

// Runs of two policies: folded by policy, put beside the cost of each, and spread
// over columns.
func Example_groups() {
	runs := table.MustNew("runs",
		table.Column{Name: "policy", Kind: table.String},
		table.Column{Name: "cpus", Kind: table.Int},
		table.Column{Name: "wait", Kind: table.Duration})
	price := table.MustNew("price",
		table.Column{Name: "policy", Kind: table.String},
		table.Column{Name: "load", Unit: "%", Kind: table.Float})
	for _, row := range [][]any{
		{"cfs", 2, 9 * time.Millisecond}, {"cfs", 4, 5 * time.Millisecond}, {"cfs", 4, 3 * time.Millisecond},
		{"eevdf", 2, 6 * time.Millisecond}, {"eevdf", 4, nil},
	} {
		if err := runs.Append(row...); err != nil {
			panic(err)
		}
	}
	if err := price.Append("eevdf", 1.5); err != nil {
		panic(err)
	}
	check := func(t *table.Table, err error) *table.Table {
		if err != nil {
			panic(err)
		}
		return t
	}
	groups, err := runs.GroupBy("policy")
	if err != nil {
		panic(err)
	}
	byPolicy := check(groups.Aggregate(
		table.Aggregate{Name: "runs", Fn: "count"},
		table.Aggregate{Name: "wait", Column: "wait", Fn: "mean"},
		table.Aggregate{Name: "p90", Column: "wait", Fn: "p90"}))
	var b bytes.Buffer
	for _, t := range []*table.Table{
		check(byPolicy.Join(price, table.JoinOptions{On: []string{"policy"}, How: "left"})),
		check(runs.Pivot([]string{"policy"}, "cpus", "wait", "mean")),
	} {
		if err := t.WriteText(&b, table.TextOptions{}); err != nil {
			panic(err)
		}
	}
	fmt.Print(b.String())
	_, err = runs.Join(price, table.JoinOptions{On: []string{"cpus"}})
	fmt.Println(err)
	// Output:
	// runs
	// policy  runs  wait (ms)  p90 (ms)  load (%)
	// ──────  ────  ─────────  ────────  ────────
	// cfs        3      5.667       8.2         -
	// eevdf      2      6.000       6.0       1.5
	// runs
	// policy  2 (ms)  4 (ms)
	// ──────  ──────  ──────
	// cfs          9       4
	// eevdf        6       -
	// join table "runs": the other table ("price"): no column "cpus": the columns are policy, load
}
