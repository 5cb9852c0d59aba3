package bindings

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"go.starlark.net/starlark"

	"schedrepl/engine/cgroup"
)

// fileText is what a script writes to a file: a string, or a number in digits.
func fileText(v starlark.Value) (string, error) {
	switch v := v.(type) {
	case starlark.String:
		return string(v), nil
	case starlark.Int:
		return v.String(), nil
	}
	return "", fmt.Errorf("text must be a string or an int, not %s", describe(v))
}

// errnoOf is the name of the errno of a file operation that was refused, empty
// for another error.
func errnoOf(err error) string {
	var e *cgroup.Error
	if errors.As(err, &e) {
		return e.Errno
	}
	return ""
}

func fileTable() Table {
	pathParam := Param{Name: "path", Type: "string", Doc: "The whole path, as \"/proc/sys/kernel/sched_autogroup_enabled\"."}
	textParam := Param{Name: "text", Type: "string | int", Doc: "What is written."}
	// Reading changes nothing in the machine; the others do.
	reader := func(name, result, doc, example string, read func(ma *machine, path string) (starlark.Value, error)) Builtin {
		return Builtin{
			Recv: "machine", Name: name, Params: []Param{pathParam}, Result: result, Doc: doc, Example: example,
			Impl: func(c *Call) (starlark.Value, error) {
				ma := c.Recv.(*machine)
				if err := ma.usable(); err != nil {
					return nil, err
				}
				return read(ma, c.Str("path"))
			},
		}
	}
	method := func(name, result, doc, example string, params []Param, do func(c *Call, ma *machine, path string) (starlark.Value, error)) Builtin {
		return Builtin{
			Recv: "machine", Name: name, Params: params, Result: result, Doc: doc, Example: example,
			Impl: func(c *Call) (starlark.Value, error) {
				ma := c.Recv.(*machine)
				var out starlark.Value
				err := ma.act(c, func() (err error) {
					out, err = do(c, ma, c.Str("path"))
					return err
				})
				return out, err
			},
		}
	}
	write := func(c *Call, ma *machine, path string) error {
		text, err := fileText(c.Value("text"))
		if err != nil {
			return err
		}
		return ma.m.WriteFile(path, text)
	}
	return Table{Builtins: []Builtin{
		reader("read", "string", "Reads one of the kernel's files: /proc, /sys, and the control groups below /sys/fs/cgroup.",
			"print(m.read(\"/proc/%d/comm\" % hog.pid).strip())  # hog",
			func(ma *machine, path string) (starlark.Value, error) {
				text, err := ma.m.ReadFile(path)
				return starlark.String(text), err
			}),
		method("write", "", "Writes to one of the kernel's files. What Linux refuses fails with its errno, and nothing has changed then.",
			"m.write(\"/proc/sys/kernel/sched_autogroup_enabled\", \"0\")", []Param{pathParam, textParam},
			func(c *Call, ma *machine, path string) (starlark.Value, error) { return nil, write(c, ma, path) }),
		method("try_write", "string", "Writes to a file, and returns the name of the errno where Linux refuses that, else None.",
			"print(m.try_write(\"/proc/sys/kernel/sched_autogroup_enabled\", \"2\"))  # EINVAL", []Param{pathParam, textParam},
			func(c *Call, ma *machine, path string) (starlark.Value, error) {
				err := write(c, ma, path)
				if errno := errnoOf(err); errno != "" {
					return starlark.String(errno), nil
				}
				return starlark.None, err
			}),
		reader("ls", "list of string", "Lists a directory.",
			"m.mkdir(\"/sys/fs/cgroup/build\")\nprint(\"build\" in m.ls(\"/sys/fs/cgroup\"))  # True",
			func(ma *machine, path string) (starlark.Value, error) {
				names, err := ma.m.ListDir(path)
				return stringList(names), err
			}),
		method("mkdir", "", "Makes a control group. m.cgroup also enables the controllers on the way down.",
			"m.mkdir(\"/sys/fs/cgroup/build\")", []Param{pathParam},
			func(_ *Call, ma *machine, path string) (starlark.Value, error) { return nil, ma.m.Mkdir(path) }),
		method("rmdir", "", "Removes a control group that has neither processes nor children.",
			"m.mkdir(\"/sys/fs/cgroup/build\")\nm.rmdir(\"/sys/fs/cgroup/build\")", []Param{pathParam},
			func(_ *Call, ma *machine, path string) (starlark.Value, error) { return nil, ma.m.Rmdir(path) }),
	}}
}

// controlGroup is a control group of a machine, by its path. Its keys are the
// files in it.
type controlGroup struct {
	Object
	ma   *machine
	path string // "/build"
}

var _ starlark.HasSetKey = (*controlGroup)(nil)

func newControlGroup(ma *machine, path string) *controlGroup {
	g := &controlGroup{ma: ma, path: path}
	g.Init("cgroup", g)
	return g
}

// String shows the path.
func (g *controlGroup) String() string { return "<cgroup: " + g.path + ">" }

// Freeze freezes the machine, which the group is a part of.
func (g *controlGroup) Freeze() { g.ma.Freeze() }

// file is the whole path of a file of the group.
func (g *controlGroup) file(name string) string { return path.Join(cgroup.Mount, g.path, name) }

// Get reads the file of a name, without the newline at its end. A file that is
// not there is an error, and no missing key.
func (g *controlGroup) Get(k starlark.Value) (starlark.Value, bool, error) {
	name, ok := starlark.AsString(k)
	if !ok {
		return nil, false, fmt.Errorf("a cgroup has files, as g[\"cpu.weight\"], and no %s", describe(k))
	}
	text, err := g.ma.m.ReadFile(g.file(name))
	if err != nil {
		return nil, false, err
	}
	return starlark.String(strings.TrimSuffix(text, "\n")), true, nil
}

// SetKey writes to the file of a name.
func (g *controlGroup) SetKey(k, v starlark.Value) error {
	name, ok := starlark.AsString(k)
	if !ok {
		return fmt.Errorf("a cgroup has files, as g[\"cpu.weight\"], and no %s", describe(k))
	}
	text, err := fileText(v)
	if err != nil {
		return err
	}
	return g.ma.actOn(nil, func() error { return g.ma.m.WriteFile(g.file(name), text) })
}

// cgroupPath brings the path of a control group into the form "/build".
func cgroupPath(p string) (string, error) {
	if rest, ok := strings.CutPrefix(p, cgroup.Mount); ok && (rest == "" || rest[0] == '/') {
		p = "/" + rest
	}
	if !strings.HasPrefix(p, "/") {
		return "", fmt.Errorf("a path of control groups begins with /, as \"/%s\", not %s", strings.TrimPrefix(p, "./"), quoteShort(p))
	}
	return path.Clean(p), nil
}

// makeCgroup makes a control group with what is missing on the way, and enables
// the controllers for it.
func (ma *machine) makeCgroup(p string) error {
	at := "/"
	for part := range strings.SplitSeq(strings.Trim(p, "/"), "/") {
		if part == "" {
			continue
		}
		control := path.Join(cgroup.Mount, at, "cgroup.subtree_control")
		on, err := ma.m.ReadFile(control)
		if err != nil {
			return err
		}
		if on != "cpuset cpu\n" {
			if err := ma.m.WriteFile(control, "+cpu +cpuset"); err != nil {
				return err
			}
		}
		at = path.Join(at, part)
		if err := ma.m.Mkdir(path.Join(cgroup.Mount, at)); err != nil && errnoOf(err) != "EEXIST" {
			return err
		}
		if _, err := ma.m.ListDir(path.Join(cgroup.Mount, at)); err != nil {
			return err
		}
	}
	return nil
}

func cgroupTable() Table {
	child := func(c *Call, path string) (starlark.Value, error) {
		ma := ownerOf(c.Recv)
		p, err := cgroupPath(path)
		if err != nil {
			return nil, err
		}
		if err := ma.act(c, func() error { return ma.makeCgroup(p) }); err != nil {
			return nil, err
		}
		return newControlGroup(ma, p), nil
	}
	return Table{
		Topics: []Topic{{
			Name: "cgroup", Type: true,
			Doc: "A control group of a machine. Its keys are the files in it: g[\"cpu.weight\"] = 300 writes one, " +
				"g[\"cpu.stat\"] reads one without the newline at its end.",
			Setup: "m = machine(topo.smp(4))\nhog = m.spawn(\"hog\", work.loop([work.run(1 * sec)]))\ng = m.cgroup(\"/build\")",
		}},
		Kinds: []Kind{kindOf[*controlGroup]("cgroup", "a control group, as m.cgroup returns it")},
		Builtins: []Builtin{{
			Recv: "machine", Name: "cgroup", Result: "cgroup",
			Params:  []Param{{Name: "path", Type: "string", Doc: "The path from the mount, as \"/build\"."}},
			Doc:     "Returns a control group. It is made if it is not there, with those on the way, and the cpu and cpuset controllers are enabled for it.",
			Example: "g = m.cgroup(\"/build\")\ng[\"cpu.weight\"] = 300\nprint(g[\"cpu.weight\"])  # 300",
			Impl:    func(c *Call) (starlark.Value, error) { return child(c, c.Str("path")) },
		}, {
			Recv: "cgroup", Name: "path", Attr: true, Result: "string",
			Doc:     "The path from the mount.",
			Example: "print(g.path)  # /build",
			Impl:    func(c *Call) (starlark.Value, error) { return starlark.String(c.Recv.(*controlGroup).path), nil },
		}, {
			Recv: "cgroup", Name: "child", Result: "cgroup",
			Params:  []Param{{Name: "name", Type: "string", Doc: "The name; or a path below the group."}},
			Doc:     "Returns a control group below this one, which is made if it is not there.",
			Example: "print(g.child(\"jobs\").path)  # /build/jobs",
			Impl: func(c *Call) (starlark.Value, error) {
				name := strings.Trim(c.Str("name"), "/")
				if name == "" || contains(strings.Split(name, "/"), "..") {
					return nil, fmt.Errorf("name must name a group below this one, not %s", quoteShort(c.Str("name")))
				}
				return child(c, path.Join(c.Recv.(*controlGroup).path, name))
			},
		}, {
			Recv: "cgroup", Name: "attach",
			Params:  []Param{{Name: "tasks", Type: "task | list of task", Doc: "A task, or a list of tasks."}},
			Doc:     "Moves the processes of tasks into the group, as writing to its cgroup.procs does.",
			Example: "g.attach(hog)\nprint(hog.cgroup)  # /build",
			Impl:    attachImpl,
		}},
	}
}

// ownerOf is the machine that a receiver is or belongs to.
func ownerOf(v starlark.Value) *machine {
	switch v := v.(type) {
	case *controlGroup:
		return v.ma
	case *task:
		return v.ma
	}
	return v.(*machine)
}

func attachImpl(c *Call) (starlark.Value, error) {
	g := c.Recv.(*controlGroup)
	tasks := ArgList[*task](c, "tasks")
	if t := Arg[*task](c, "tasks"); t != nil {
		tasks = append(tasks, t)
	}
	for _, t := range tasks {
		if err := g.ma.owns(t); err != nil {
			return nil, err
		}
		if _, err := t.live(); err != nil {
			return nil, err
		}
	}
	return nil, g.ma.act(c, func() error {
		for _, t := range tasks {
			if err := g.ma.m.WriteFile(g.file("cgroup.procs"), fmt.Sprint(t.pid)); err != nil {
				return err
			}
		}
		return nil
	})
}
