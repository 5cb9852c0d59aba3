//go:build foreign

package table

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestForeign reads our Parquet files with Apache Arrow's reader, which shares no
// code with the library that wrote them, and compares what it finds with
// WriteCSV. The reader is a program in testdata/foreign, a module of its own; the
// first run fetches and builds it, which takes a minute.
func TestForeign(t *testing.T) {
	dir := t.TempDir()
	reader := filepath.Join(dir, "foreign")
	build := exec.Command("go", "build", "-o", reader, ".")
	build.Dir = filepath.Join("testdata", "foreign")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, tab := range parquetCases(t) {
		t.Run(name, func(t *testing.T) {
			var data, csv bytes.Buffer
			const manifest = `{"seed": 1, "script": "ä.star"}`
			if err := tab.WriteParquet(&data, ParquetOptions{Manifest: []byte(manifest)}); err != nil {
				t.Fatal(err)
			}
			if err := tab.WriteCSV(&csv); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(dir, name+".parquet")
			if err := os.WriteFile(file, data.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(reader, file)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, stderr.Bytes())
			}
			_, rest, _ := strings.Cut(string(out), "# columns\n")
			columns, rest, _ := strings.Cut(rest, "# metadata\n")
			metadata, cells, _ := strings.Cut(rest, "\n# cells\n")
			if cells != csv.String() {
				t.Errorf("the cells differ: %s", firstDifference(cells, csv.String()))
			}
			meta := map[string]string{}
			if err := json.Unmarshal([]byte(metadata), &meta); err != nil {
				t.Fatal(err)
			}
			if meta["schedrepl.manifest"] != manifest || meta["schedrepl.title"] != tab.Title() || meta["schedrepl.columns"] == "" {
				t.Errorf("the metadata are %v", meta)
			}
			lines := strings.Split(strings.TrimSuffix(columns, "\n"), "\n")
			for i, c := range tab.Columns() {
				types := [...]string{
					Int:      ": INT64, Int(bitWidth=64, isSigned=true), optional true",
					Duration: ": INT64, Int(bitWidth=64, isSigned=true), optional true",
					Float:    ": DOUBLE, None, optional true",
					Bool:     ": BOOLEAN, None, optional true",
					String:   ": BYTE_ARRAY, String, optional true",
				}
				if want := c.ExportName() + types[c.Kind]; !strings.HasPrefix(lines[i], want) {
					t.Errorf("column %s, want %s", lines[i], want)
				}
				if c.Kind == String && tab.NumRows() > 0 && !strings.Contains(lines[i], "RLE_DICTIONARY") {
					t.Errorf("column %s is not dictionary-encoded", lines[i])
				}
				if tab.NumRows() > 0 && !strings.HasSuffix(lines[i], "ZSTD") {
					t.Errorf("column %s is not compressed with zstd", lines[i])
				}
			}
		})
	}
}

// firstDifference shows where two texts part.
func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\r\n"), strings.Split(want, "\r\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return "got " + g[i] + "\nwant " + w[i]
		}
	}
	return "one is longer"
}
