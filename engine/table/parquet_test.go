package table

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
)

// parquetCases are tables with all that is awkward in a file.
func parquetCases(t *testing.T) map[string]*Table {
	odd := MustNew("odd", Column{Name: "wait, \"quoted\"", Kind: Duration}, Column{Name: "a.b", Kind: Int}, Column{Name: "f", Kind: Float, Unit: "MB/s", Digits: 3},
		Column{Name: "s", Kind: String}, Column{Name: "b", Kind: Bool}, Column{Name: "Zä", Kind: Int, Unit: "%"}, Column{Name: "none", Kind: String})
	for _, row := range [][]any{
		{time.Duration(math.MinInt64), math.MaxInt64, math.NaN(), "", true, 1, nil},
		{time.Duration(-5), math.MinInt64, math.Inf(-1), "a,\"b\"\r\n", false, 2, nil},
		{nil, nil, nil, nil, nil, nil, nil},
		{time.Duration(math.MaxInt64), 0, math.Copysign(0, -1), "統計 🐧", true, 3, nil},
		{time.Duration(0), -1, 1e-300, strings.Repeat("long ", 500), nil, nil, nil},
	} {
		if err := odd.Append(row...); err != nil {
			t.Fatal(err)
		}
	}
	one := MustNew("", Column{Name: "only", Kind: Bool})
	one.Append(nil)
	one.Append(true)
	large := million().Head(140_000) // two row groups
	return map[string]*Table{"odd": odd, "empty": odd.Head(0), "one": one, "large": large, "mixed": mapped(mixed(t), validText)}
}

// A file read back is the same table, whatever it holds.
func TestParquetSame(t *testing.T) {
	for name, tab := range parquetCases(t) {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := tab.WriteParquet(&b, ParquetOptions{Manifest: []byte(`{"seed": 1}`)}); err != nil {
				t.Fatal(err)
			}
			got, err := ReadParquet("x", b.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			sameTable(t, got, tab)
			f, err := parquet.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
			if err != nil {
				t.Fatal(err)
			}
			if m, _ := f.Lookup("schedrepl.manifest"); m != `{"seed": 1}` {
				t.Errorf("the manifest is %q", m)
			}
			if title, _ := f.Lookup("schedrepl.title"); title != tab.Title() {
				t.Errorf("the title is %q", title)
			}
			var names []string
			for _, field := range f.Schema().Fields() {
				names = append(names, field.Name())
			}
			var want []string
			for _, c := range tab.Columns() {
				want = append(want, c.ExportName())
			}
			if fmt.Sprint(names) != fmt.Sprint(want) {
				t.Errorf("the columns are %q, want %q", names, want)
			}
		})
	}
}

// Two processes write the same bytes. The test runs itself as the second.
func TestParquetSameBytes(t *testing.T) {
	const env = "SCHEDREPL_PARQUET_HASH"
	var b bytes.Buffer
	cases := parquetCases(t)
	for _, name := range []string{"odd", "empty", "one", "large", "mixed"} {
		if err := cases[name].WriteParquet(&b, ParquetOptions{Manifest: []byte("{}")}); err != nil {
			t.Fatal(err)
		}
	}
	sum := sha256.Sum256(b.Bytes())
	hash := hex.EncodeToString(sum[:])
	if os.Getenv(env) != "" {
		fmt.Println("hash", hash)
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestParquetSameBytes$", "-test.count=1")
	cmd.Env = append(os.Environ(), env+"=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !strings.Contains(string(out), "hash "+hash) {
		t.Errorf("another process wrote other bytes: %s, want %s", out, hash)
	}
}

// Files of other programs: required columns, small and unsigned numbers, times,
// decimals; and what is refused.
func TestReadParquetOthers(t *testing.T) {
	type row struct {
		Small  int32     `parquet:"small"`
		Byte   uint8     `parquet:"byte"`
		Big    uint64    `parquet:"big"`
		F      float32   `parquet:"f"`
		At     time.Time `parquet:"at,timestamp(microsecond)"`
		Price  int64     `parquet:"price,decimal(2:18)"`
		Name   *string   `parquet:"name,optional"`
		WaitNs int64     `parquet:"wait_ns"`
	}
	hi := "hi"
	write := func(rows any, w *bytes.Buffer) {
		var err error
		switch rows := rows.(type) {
		case []row:
			err = parquet.Write(w, rows)
		case []struct{ L []int64 }:
			err = parquet.Write(w, rows)
		case []struct{ ID [16]byte }:
			err = parquet.Write(w, rows)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	write([]row{{-3, 250, 1 << 62, 0.5, time.UnixMicro(1500), 1234, &hi, 7}, {4, 0, 5, 1, time.UnixMicro(-1), -5, nil, -7}}, &b)
	got, err := ReadParquet("other", b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	want := MustNew("other", Column{Name: "small", Kind: Int}, Column{Name: "byte", Kind: Int}, Column{Name: "big", Kind: Int}, Column{Name: "f", Kind: Float},
		Column{Name: "at", Kind: Duration}, Column{Name: "price", Kind: Float}, Column{Name: "name", Kind: String}, Column{Name: "wait", Kind: Duration})
	want.Append(-3, 250, int64(1)<<62, 0.5, 1500*time.Microsecond, 12.34, "hi", time.Duration(7))
	want.Append(4, 0, 5, 1.0, -time.Microsecond, -0.05, nil, time.Duration(-7))
	sameTable(t, got, want)

	for _, c := range []struct {
		rows any
		want string
	}{
		{[]row{{Big: 1 << 63}}, `parquet: column "big": row 0: the value 9223372036854775808 does not fit in 63 bits`},
		{[]struct{ L []int64 }{{[]int64{1, 2}}}, `parquet: column "L" is nested or repeated: want one value a row`},
		{[]struct{ ID [16]byte }{{}}, `parquet: column "ID" has the type`},
	} {
		b.Reset()
		write(c.rows, &b)
		if _, err := ReadParquet("x", b.Bytes()); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}
