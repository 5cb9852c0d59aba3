package plots

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"gonum.org/v1/plot/cmpimg"
)

var update = flag.Bool("update", false, "write the golden images anew")

// TestGolden draws each sample and compares it with its golden image. The
// images were drawn on amd64; elsewhere the last bit of a coordinate may
// differ, so there the figures are only drawn.
func TestGolden(t *testing.T) {
	for _, s := range samples() {
		t.Run(s.name, func(t *testing.T) {
			f, err := s.make()
			if err != nil {
				t.Fatal(err)
			}
			var buf bytes.Buffer
			if err := f.Write(&buf, "png"); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata", s.name+".png")
			if *update {
				if err := os.WriteFile(file, buf.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if runtime.GOARCH != "amd64" {
				return
			}
			if bytes.Equal(buf.Bytes(), want) {
				return // most often, and cheaper than to compare the pixels
			}
			ok, err := cmpimg.EqualApprox("png", buf.Bytes(), want, 0.1)
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				bad := filepath.Join(t.ArtifactDir(), s.name+".png")
				if err := os.WriteFile(bad, buf.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
				t.Errorf("the figure differs from %s; the new one is %s. If it is right, run go test -update; go test -artifacts keeps it", file, bad)
			}
		})
	}
}
