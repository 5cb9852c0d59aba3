package table

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// What Go's own readers make of a file is what was in the table.
func TestExportRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tab := MustNew("t", five...)
		for range rapid.IntRange(0, 8).Draw(t, "rows") {
			row := genRow.Draw(t, "row")
			if row[3] != nil {
				// encoding/csv turns CRLF inside a field into LF, so leave CR out.
				row[3] = strings.ReplaceAll(rapid.String().Draw(t, "comm"), "\r", "")
			}
			if rapid.Bool().Draw(t, "any float") {
				row[1] = rapid.Float64().Draw(t, "share")
			}
			tab.Append(row...)
		}
		var b bytes.Buffer
		if err := tab.WriteCSV(&b); err != nil {
			t.Fatal(err)
		}
		records, err := csv.NewReader(&b).ReadAll()
		if err != nil || len(records) != tab.NumRows()+1 {
			t.Fatalf("%d records, %v", len(records), err)
		}
		if got := strings.Join(records[0], " "); got != "pid share_pct wait_ns comm bound" {
			t.Fatalf("header %s", got)
		}
		for i, row := range rowsOf(tab) {
			for k, v := range row {
				field := records[i+1][k]
				ok := false
				switch v := v.(type) {
				case nil:
					ok = field == ""
				case float64:
					f, err := strconv.ParseFloat(field, 64)
					ok = err == nil && (f == v || math.IsNaN(f) && math.IsNaN(v))
				case time.Duration:
					ok = field == strconv.FormatInt(int64(v), 10)
				default:
					ok = field == fmt.Sprint(v)
				}
				if !ok {
					t.Fatalf("row %d column %d: %v written as %q", i, k, v, field)
				}
			}
		}

		b.Reset()
		if err := tab.WriteJSON(&b); err != nil {
			t.Fatal(err)
		}
		var objects []struct {
			Pid   *int64   `json:"pid"`
			Share *float64 `json:"share_pct"`
			Wait  *int64   `json:"wait_ns"`
			Comm  *string  `json:"comm"`
			Bound *bool    `json:"bound"`
		}
		d := json.NewDecoder(&b)
		d.DisallowUnknownFields()
		if err := d.Decode(&objects); err != nil || len(objects) != tab.NumRows() {
			t.Fatalf("%d objects, %v", len(objects), err)
		}
		for i, row := range rowsOf(tab) {
			o := objects[i]
			f, isFloat := row[1].(float64)
			if isFloat && (math.IsNaN(f) || math.IsInf(f, 0)) {
				row[1] = nil
			}
			if row[2] != nil {
				row[2] = int64(row[2].(time.Duration))
			}
			if s, ok := row[3].(string); ok {
				row[3] = strings.ToValidUTF8(s, "\ufffd")
			}
			same(t, i, row[0], o.Pid)
			same(t, i, row[1], o.Share)
			same(t, i, row[2], o.Wait)
			same(t, i, row[3], o.Comm)
			same(t, i, row[4], o.Bound)
		}
	})
}

// same compares a cell with a decoded pointer, nil for null.
func same[T comparable](t *rapid.T, row int, cell any, got *T) {
	if cell == nil && got == nil {
		return
	}
	if cell == nil || got == nil || cell.(T) != *got {
		t.Fatalf("row %d: cell %v came back as %v", row, cell, got)
	}
}

func TestCSVQuoting(t *testing.T) {
	tab := MustNew("t", Column{Name: "a,b", Kind: String})
	for _, v := range []any{"plain", "", nil, `a"b`, "x,y", "l1\nl2", "l1\r\nl2", " pad "} {
		tab.Append(v)
	}
	var b bytes.Buffer
	if err := tab.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	// The one column keeps its missing cell from being an empty line.
	want := "\"a,b\"\r\nplain\r\n\"\"\r\n\"\"\r\n\"a\"\"b\"\r\n\"x,y\"\r\n\"l1\nl2\"\r\n\"l1\r\nl2\"\r\n\" pad \"\r\n"
	if b.String() != want {
		t.Errorf("got  %q\nwant %q", b.String(), want)
	}
	two := MustNew("t", Column{Name: "a", Kind: String}, Column{Name: "b", Kind: String})
	two.Append("", nil)
	two.Append(nil, "")
	b.Reset()
	two.WriteCSV(&b)
	if want := "a,b\r\n\"\",\r\n,\"\"\r\n"; b.String() != want {
		t.Errorf("got  %q\nwant %q", b.String(), want)
	}
}

// JSON is for files, not for web pages: operators in names stay readable.
func TestJSONNotHTML(t *testing.T) {
	tab := MustNew("t", Column{Name: "a<b", Kind: String})
	tab.Append("x & y > z")
	var b bytes.Buffer
	if err := tab.WriteJSON(&b); err != nil || b.String() != "[\n{\"a<b\":\"x & y > z\"}\n]\n" {
		t.Errorf("got %q, %v", b.String(), err)
	}
}

func TestEmptyExports(t *testing.T) {
	tab := MustNew("t", five...)
	var b bytes.Buffer
	tab.WriteCSV(&b)
	tab.WriteJSON(&b)
	if want := "pid,share_pct,wait_ns,comm,bound\r\n[]\n"; b.String() != want {
		t.Errorf("got %q", b.String())
	}
}
