package table

import (
	"math"
	"strings"
	"testing"
	"time"
)

func TestWithUnit(t *testing.T) {
	tab := MustNew("t", Column{Name: "wait_us", Kind: Float}, Column{Name: "n", Kind: Int}, Column{Name: "d", Kind: Duration}, Column{Name: "s", Kind: String})
	tab.Append(1.5, 3, time.Second, "x")
	tab.Append(nil, math.MaxInt64, nil, nil)
	got, err := tab.WithUnit("wait_us", "us")
	if err != nil {
		t.Fatal(err)
	}
	if got, err = got.WithUnit("n", "MB/s"); err != nil {
		t.Fatal(err)
	}
	if got, err = got.WithUnit("d", "ms"); err != nil {
		t.Fatal(err)
	}
	want := MustNew("t", Column{Name: "wait", Kind: Duration, Unit: "us"}, Column{Name: "n", Kind: Int, Unit: "MB/s"}, Column{Name: "d", Kind: Duration, Unit: "ms"}, Column{Name: "s", Kind: String})
	want.Append(1500*time.Nanosecond, 3, time.Second, "x")
	want.Append(nil, math.MaxInt64, nil, nil)
	sameTable(t, got, want)
	for _, c := range [][3]string{
		{"x", "%", `no column "x"`},
		{"s", "%", `column "s" holds cells of kind string: only numbers have a unit`},
		{"d", "%", `column "d" holds durations, which have the unit ns, us, ms or s, not "%"`},
		{"n", "us", `column "n", row 1: 9223372036854775807 us do not fit`},
	} {
		if _, err := tab.WithUnit(c[0], c[1]); err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%v: got %v", c, err)
		}
	}
	nan := MustNew("t", Column{Name: "f", Kind: Float})
	nan.Append(math.NaN())
	if _, err := nan.WithUnit("f", "ms"); err == nil || !strings.Contains(err.Error(), "row 0: NaN ms is no duration") {
		t.Error(err)
	}
}
