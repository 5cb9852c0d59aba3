package bindings

import (
	"strings"

	"go.starlark.net/starlark"

	"schedrepl/engine/kernel"
	"schedrepl/engine/table"
)

// kernelTable describes the kernels and patches that a machine can have.
func kernelTable() Table {
	list := func(name, doc, example string, maxCell int, make func() *table.Table) Builtin {
		return Builtin{
			Name: name, Result: "table", Doc: doc, Example: example,
			Impl: func(*Call) (starlark.Value, error) {
				t := newTable(make())
				t.maxCell = maxCell
				return t, nil
			},
		}
	}
	return Table{Builtins: []Builtin{
		list("kernels", "Lists the kernel profiles: their versions, what is particular to them, the patches that they have built in, and the scheduler features that they have switched on. "+
			"A version without a profile takes that of the nearest older one.",
			"print(kernels()[0].version)  # 2.6.36", 100, kernelList),
		list("patches", "Lists the named changes that patches = [...] puts on a kernel, with the versions that have them built in: from since, up to until.",
			"print(patches().where(lambda p: p.name == \"autogroup\")[0].since)  # 2.6.38", -1, patchList),
	}}
}

func kernelList() *table.Table {
	t := table.MustNew("kernels",
		table.Column{Name: "version", Kind: table.String},
		table.Column{Name: "patches", Kind: table.String},
		table.Column{Name: "doc", Kind: table.String},
		table.Column{Name: "features", Kind: table.String})
	for _, p := range kernel.Profiles() {
		var patches, features []string
		for _, q := range kernel.Patches() {
			if p.BuiltIn(q.Name) {
				patches = append(patches, q.Name)
			}
		}
		for _, f := range p.Features.Strings() {
			if !strings.HasPrefix(f, "NO_") {
				features = append(features, f)
			}
		}
		mustAppend(t, p.Version, strings.Join(patches, " "), p.Doc, strings.Join(features, " "))
	}
	return t
}

func patchList() *table.Table {
	t := table.MustNew("patches",
		table.Column{Name: "name", Kind: table.String},
		table.Column{Name: "since", Kind: table.String},
		table.Column{Name: "until", Kind: table.String},
		table.Column{Name: "doc", Kind: table.String})
	version := func(v string) any {
		if v == "" {
			return nil
		}
		return v
	}
	for _, p := range kernel.Patches() {
		mustAppend(t, p.Name, version(p.Since), version(p.Until), p.Doc)
	}
	return t
}
