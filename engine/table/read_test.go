package table

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// genPinned draws a table whose last row settles the kind of each column, so that
// a reader that goes by the cells finds it.
var genPinned = rapid.Custom(func(t *rapid.T) *Table {
	tab := genTable.Draw(t, "table")
	if rapid.Bool().Draw(t, "any text") {
		tab.Append(nil, rapid.Float64().Draw(t, "share"), nil, rapid.String().Draw(t, "comm"), nil)
	}
	if err := tab.Append(int64(-7), 0.5, time.Duration(-1), " text, \"\r\n", true); err != nil {
		t.Fatal(err)
	}
	return tab
})

// mapped returns the table with other cells.
func mapped(t *Table, f func(v any) any) *Table {
	out := MustNew(t.Title(), t.Columns()...)
	for _, row := range rowsOf(t) {
		for i := range row {
			row[i] = f(row[i])
		}
		if err := out.Append(row...); err != nil {
			panic(err)
		}
	}
	return out
}

func validText(v any) any {
	if s, ok := v.(string); ok {
		return strings.ToValidUTF8(s, "\ufffd")
	}
	return v
}

// What was written comes back, in each of the formats.
func TestReadRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tab := genPinned.Draw(t, "table")
		var b bytes.Buffer
		if err := tab.WriteCSV(&b); err != nil {
			t.Fatal(err)
		}
		got, err := ReadCSV("t", b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		sameTable(t, got, tab)

		b.Reset()
		if err := tab.WriteJSON(&b); err != nil {
			t.Fatal(err)
		}
		if got, err = ReadJSON("t", b.Bytes()); err != nil {
			t.Fatal(err)
		}
		sameTable(t, got, mapped(tab, func(v any) any {
			if f, ok := v.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
				return nil
			}
			if s, ok := v.(string); ok { // each byte by itself
				var out strings.Builder
				for _, r := range s {
					out.WriteRune(r)
				}
				return out.String()
			}
			return v
		}))

		b.Reset()
		if err := tab.WriteParquet(&b, ParquetOptions{}); err != nil {
			t.Fatal(err)
		}
		if got, err = ReadParquet("other", b.Bytes()); err != nil {
			t.Fatal(err)
		}
		sameTable(t, got, mapped(tab, validText))
		if got.Title() != "t" {
			t.Fatalf("the title is %q", got.Title())
		}
	})
}

func TestReadCSVForeign(t *testing.T) {
	const text = "\ufeff,name,latency_ns,share_pct,speed_MB_per_s,nr_switches_per_s,on,empty,note,wait,wait_ns,_ns\n" +
		"0,a,1500,12.5,3,7,True,,\"\",1,2,3\n" +
		"\n" +
		"1,\"b\nc\",,+1e3,inf,8,FALSE,,,1,2,3\r\n" +
		"2,007,-9223372036854775808,NaN,-Inf,9,true,,\"x\"\"y\",1,2,3"
	tab, err := ReadCSV("f", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := MustNew("f", Column{Name: "index", Kind: Int}, Column{Name: "name", Kind: String}, Column{Name: "latency", Kind: Duration},
		Column{Name: "share", Kind: Float, Unit: "%"}, Column{Name: "speed", Kind: Float, Unit: "MB/s"}, Column{Name: "nr_switches_per_s", Kind: Int},
		Column{Name: "on", Kind: Bool}, Column{Name: "empty", Kind: Float}, Column{Name: "note", Kind: String},
		Column{Name: "wait", Kind: Int}, Column{Name: "wait_ns", Kind: Duration}, Column{Name: "_ns", Kind: Int})
	want.Append(0, "a", time.Duration(1500), 12.5, 3, 7, true, nil, "", 1, time.Duration(2), 3)
	want.Append(1, "b\nc", nil, 1000, math.Inf(1), 8, false, nil, nil, 1, time.Duration(2), 3)
	want.Append(2, "007", time.Duration(math.MinInt64), math.NaN(), math.Inf(-1), 9, true, nil, `x"y`, 1, time.Duration(2), 3)
	sameTable(t, tab, want)
}

func TestReadErrors(t *testing.T) {
	for _, c := range []struct{ format, text, want string }{
		{"csv", "", "there is no header"},
		{"csv", "\n\n", "there is no header"},
		{"csv", "a,b\n1,2\n3\n", "row 1 (line 3): the number of fields is 1, and that of columns 2"},
		{"csv", "a,b\n\"x\ny\",2\n3\n", "row 1 (line 4): the number of fields is 1, and that of columns 2"},
		{"csv", "a\n\"x\n", "row 0: line 2: a quote is opened in field 1 and never closed"},
		{"csv", "a,b\n1,\"x\" y\n", "row 0: line 2: field 2 goes on after its closing quote"},
		{"csv", "a,b\n1,x\"y\n", "row 0: line 2: there is a quote inside field 2"},
		{"csv", "a,a\n1,2\n", `two columns are named "a"`},
		{"csv", "a;b\n1;2\n", `the header "a;b" has no comma`},
		{"json", "", "row 0: the text ends too early"},
		{"json", "[]", "there are no columns"},
		{"json", "[{}]", "there are no columns"},
		{"json", "[1]", "row 0 is a number: want an object"},
		{"json", `[{"a": 1}, {"a": [1]}]`, `row 1, column "a" is an array: want a number, string, true, false or null`},
		{"json", `[{"a": 1}, {"a": {}}]`, `row 1, column "a" is an object`},
		{"json", `[{"a": 1}, {"a": "x"}]`, `row 1, column "a": a string after cells of kind int: want one kind`},
		{"json", `[{"a": 1, "a": 2}]`, `row 0 has column "a" twice`},
		{"json", `[{"a": 1}`, "row 1: the text ends too early"},
		{"json", `[{"a": 1}] x`, "there is more after the array of rows"},
		{"json", `[{"a": 1e999}]`, `row 0, column "a": the number 1e999 does not fit`},
		{"csv", "a,b\n\n\n3\n", "row 0 (line 4): the number of fields is 1"},
		{"csv", "\xff\xfea\x00", "the text is in UTF-16: save it in UTF-8"},
		{"parquet", "PAR1xxxx", "it is no Parquet file, or a damaged one: "},
		{"parquet", "", "it is no Parquet file, or a damaged one: "},
	} {
		var err error
		switch c.format {
		case "csv":
			_, err = ReadCSV("t", []byte(c.text))
		case "json":
			_, err = ReadJSON("t", []byte(c.text))
		case "parquet":
			_, err = ReadParquet("t", []byte(c.text))
		}
		if err == nil || !strings.HasPrefix(err.Error(), c.format+": ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %q: got %v, want %s", c.format, c.text, err, c.want)
		}
	}
}

func TestReadJSONLines(t *testing.T) {
	tab, err := ReadJSON("t", []byte("{\"a\": 1}\n{\"b\": true, \"a\": 2.5}\n{}\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := MustNew("t", Column{Name: "a", Kind: Float}, Column{Name: "b", Kind: Bool})
	want.Append(1, nil)
	want.Append(2.5, true)
	want.Append(nil, nil)
	sameTable(t, tab, want)
}

// Any bytes are read or refused; what is read can be written.
func TestReadersNeverPanic(t *testing.T) {
	var whole bytes.Buffer
	if err := mixed(t).WriteParquet(&whole, ParquetOptions{}); err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		data := []byte(rapid.StringMatching(`[a-b01.,"{}:\[\]\n -]{0,40}`).Draw(t, "text"))
		if tab, err := ReadCSV("t", data); err == nil {
			if err := tab.WriteCSV(io.Discard); err != nil {
				t.Fatal(err)
			}
		}
		ReadJSON("t", data)
		hurt := bytes.Clone(whole.Bytes())
		for range rapid.IntRange(1, 3).Draw(t, "n") {
			hurt[rapid.IntRange(0, len(hurt)-1).Draw(t, "at")] ^= rapid.Byte().Draw(t, "xor")
		}
		ReadParquet("t", hurt)
	})
}

// What WriteHTML writes is well-formed XML, shows each cell, and nothing of a
// cell is taken for markup.
func TestHTML(t *testing.T) {
	var b bytes.Buffer
	if err := mixed(t).WriteHTML(&b, HTMLOptions{}); err != nil {
		t.Fatal(err)
	}
	golden(t, "mixed.html", b.Bytes())
	b.Reset()
	long := MustNew("<b>&\"long'", Column{Name: "n<1", Kind: Int}, Column{Name: "s", Kind: String})
	for i := range 100 {
		long.Append(i, "</td><script>")
	}
	if err := long.WriteHTML(&b, HTMLOptions{MaxRows: 4, Page: true}); err != nil {
		t.Fatal(err)
	}
	golden(t, "long.html", b.Bytes())

	rapid.Check(t, func(t *rapid.T) {
		tab := genPinned.Draw(t, "table")
		b.Reset()
		if err := tab.WriteHTML(&b, HTMLOptions{MaxRows: -1, Page: rapid.Bool().Draw(t, "page")}); err != nil {
			t.Fatal(err)
		}
		d := xml.NewDecoder(&b)
		d.Strict = true
		rows, cells := 0, 0
		for {
			tok, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if e, ok := tok.(xml.StartElement); ok {
				switch e.Name.Local {
				case "tr":
					rows++
				case "td":
					cells++
				}
			}
		}
		if rows != tab.NumRows()+1 || cells != tab.NumRows()*len(five) {
			t.Fatalf("%d rows and %d cells of %d", rows, cells, tab.NumRows())
		}
	})
}

// The fast lexer gives the tokens that the decoder of the standard library gives.
func TestJSONLexer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var value any
		switch rapid.IntRange(0, 2).Draw(t, "kind") {
		case 0:
			value = rapid.SliceOf(rapid.MapOf(rapid.String(), rapid.Float64Range(-1e9, 1e9))).Draw(t, "v")
		case 1:
			value = rapid.SliceOf(rapid.MapOf(rapid.StringMatching("[a-c\"\\\\é]*"), rapid.Int64())).Draw(t, "v")
		default:
			value = []any{true, false, nil, rapid.String().Draw(t, "s"), []any{}, map[string]any{"a": []any{1, "x"}}}
		}
		text, err := json.MarshalIndent(value, " ", rapid.SampledFrom([]string{"", "\t"}).Draw(t, "indent"))
		if err != nil {
			t.Fatal(err)
		}
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		l := &jsonLexer{text: string(text)}
		for {
			want, wantErr := d.Token()
			got, gotErr := l.Token()
			if got != want || gotErr != wantErr {
				t.Fatalf("%s: token %v, %v; want %v, %v", text, got, gotErr, want, wantErr)
			}
			if wantErr == io.EOF {
				return
			}
			if l.More() != d.More() {
				t.Fatalf("%s: after %v More is %v", text, got, l.More())
			}
		}
	})
}
