package main

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"sort"
	"strings"
	"testing"
)

// arrows is the shape of the project: for each package, every import inside
// the module that is allowed. A package that is not here fails the test, so
// that a new one finds its place in this list first.
var arrows = map[string]string{
	"engine/event":      "",
	"engine/cpumask":    "",
	"engine/tree":       "",
	"engine/rng":        "",
	"engine/kernel":     "",
	"engine/cost":       "",
	"engine/stats":      "",
	"engine/table":      "",
	"engine/topology":   "cpumask",
	"engine/trace":      "event",
	"engine/sched":      "event cpumask topology trace kernel cost",
	"engine/sched/stop": "sched event trace",
	"engine/sched/fair": "sched event cpumask topology trace kernel cost tree",
	"engine/sched/idle": "sched event trace",
	"engine/workload":   "event rng",
	"engine/cgroup":     "sched cpumask kernel",
	"engine/procfs":     "sched cgroup topology trace cpumask kernel event",
	"engine": "event cpumask tree rng kernel cost topology trace sched sched/stop " +
		"sched/fair sched/idle workload cgroup procfs",
	"engine/metrics":  "trace event stats table",
	"engine/bench":    "engine kernel cost cpumask topology sched workload event trace",
	"engine/validate": "engine metrics stats table topology kernel cost workload event trace sched cpumask",
	"plots":           "trace metrics stats table event topology",
	"stdlib":          "",
	"bindings": "event cpumask rng kernel cost stats table topology trace sched cgroup procfs " +
		"workload engine metrics plots stdlib",
	"cmd/schedrepl":               "bindings engine/validate engine/event engine/bench stdlib plots cmd/schedrepl/internal/repl",
	"cmd/schedrepl/internal/repl": "bindings",
}

// outside is which packages may import a module that is not ours.
var outside = map[string]string{
	"github.com/spf13/cobra":           "cmd/schedrepl",
	"github.com/spf13/pflag":           "cmd/schedrepl",
	"golang.org/x/term":                "cmd/schedrepl cmd/schedrepl/internal/repl",
	"github.com/chzyer/readline":       "cmd/schedrepl/internal/repl",
	"github.com/parquet-go/parquet-go": "engine/table",
	"go.starlark.net":                  "bindings",
	"gonum.org/v1/plot":                "plots",
	"gonum.org/v1/gonum":               "engine/stats engine/workload plots",
	"codeberg.org/go-fonts":            "plots",
	"golang.org/x/image/font":          "plots",
}

// banned are what nothing below engine/ may import: it has no files, no
// network, no locks and no clock.
var banned = []string{"os", "net", "log", "sync", "context", "crypto/rand", "math/rand"}

const module = "schedrepl/"

type listed struct {
	ImportPath string
	Imports    []string
}

func list(t *testing.T) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", "./...")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var pkgs []listed
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var p listed
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
	return pkgs
}

// TestArrows holds the imports between packages to the list above.
func TestArrows(t *testing.T) {
	for _, p := range list(t) {
		for _, fault := range faults(p) {
			t.Error(fault)
		}
	}
}

// faults returns what is wrong with the imports of one package.
func faults(p listed) []string {
	name := strings.TrimPrefix(p.ImportPath, module)
	words, known := arrows[name]
	if !known {
		return []string{name + " has no place in the list of packages"}
	}
	allowed := map[string]bool{}
	for _, w := range strings.Fields(words) {
		allowed[w] = true
		allowed["engine/"+w] = true
	}
	var out []string
	for _, imp := range p.Imports {
		if ours, ok := strings.CutPrefix(imp, module); ok {
			if !allowed[ours] {
				out = append(out, name+" may not import "+ours)
			}
			continue
		}
		if strings.HasPrefix(name, "engine") {
			for _, b := range banned {
				if imp == b || strings.HasPrefix(imp, b+"/") && imp != "math/rand/v2" {
					out = append(out, name+" may not import "+imp)
				}
			}
		}
		if strings.Contains(strings.Split(imp, "/")[0], ".") && !mayUse(name, imp) {
			out = append(out, name+" may not use the module of "+imp)
		}
	}
	sort.Strings(out)
	return out
}

func mayUse(pkg, imp string) bool {
	for mod, pkgs := range outside {
		if imp == mod || strings.HasPrefix(imp, mod+"/") {
			for _, p := range strings.Fields(pkgs) {
				if p == pkg {
					return true
				}
			}
		}
	}
	return false
}

// TestArrowsCanFail feeds the rule imports that it must refuse.
func TestArrowsCanFail(t *testing.T) {
	for _, bad := range []listed{
		{"schedrepl/engine/event", []string{"schedrepl/engine/trace"}},
		{"schedrepl/engine/sched/fair", []string{"schedrepl/engine/sched/stop"}},
		{"schedrepl/engine/trace", []string{"os"}},
		{"schedrepl/engine/trace", []string{"time", "net/http"}},
		{"schedrepl/engine", []string{"go.starlark.net/starlark"}},
		{"schedrepl/engine/new", nil},
	} {
		if len(faults(bad)) == 0 {
			t.Errorf("%s importing %v was let through", bad.ImportPath, bad.Imports)
		}
	}
}
