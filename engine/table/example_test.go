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
