package cgroup

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"schedrepl/engine/cpumask"
)

// model is what random operations should lead to, kept in the plainest way:
// per process its directory by path, per thread what it asked for.
type model struct {
	dirs  map[string]*modelDir
	procs map[int32]string
	asked map[int32]cpumask.Set
}

type modelDir struct {
	cpus     cpumask.Set
	cpu, set bool
}

func parentPath(p string) string {
	if i := strings.LastIndexByte(p, '/'); i > 0 {
		return p[:i]
	}
	return "/"
}

// owner returns the directory whose task group holds the tasks of p.
func (m *model) owner(p string) string {
	for p != "/" && !m.dirs[parentPath(p)].cpu {
		p = parentPath(p)
	}
	return p
}

func (m *model) effective(p string, all cpumask.Set) cpumask.Set {
	if p == "/" {
		return all
	}
	e := m.effective(parentPath(p), all)
	if own := e.And(m.dirs[p].cpus); m.dirs[parentPath(p)].set && !own.Empty() {
		return own
	}
	return e
}

// TestModel does random operations and checks after each that every thread is
// in the task group and has the mask that follow from the files, and that a
// refused operation changed nothing.
func TestModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, tree := newFake(6)
		all := cpumask.All(6)
		m := &model{dirs: map[string]*modelDir{"/": {}}, procs: map[int32]string{}, asked: map[int32]cpumask.Set{}}
		next := int32(2)
		paths := []string{"/", "/a", "/b", "/a/c", "/a/d", "/a/c/e"}
		somePath := rapid.SampledFrom(paths)
		pid := func(label string) int32 {
			var pids []int32
			for p := range f.tasks {
				pids = append(pids, p)
			}
			if len(pids) == 0 {
				return 0
			}
			slices.Sort(pids)
			return rapid.SampledFrom(pids).Draw(t, label)
		}
		try := func(err error, done func()) {
			if err == nil {
				done()
			} else if calls := f.take(); len(calls) > 0 {
				t.Fatalf("refused with %v, but %q was done", err, calls)
			}
			f.take()
		}
		// Begin with a tree in use, or most operations would be refused.
		for _, p := range paths[1:] {
			try(tree.Mkdir(p), func() { m.dirs[p] = &modelDir{} })
		}
		try(tree.Write("/cgroup.subtree_control", "+cpu +cpuset"), func() { m.dirs["/"].cpu, m.dirs["/"].set = true, true })
		for ; next < 5; next++ {
			m.procs[next] = "/"
			f.fork(tree, next, next, 0)
		}
		t.Repeat(map[string]func(*rapid.T){
			"mkdir": func(t *rapid.T) {
				p := somePath.Draw(t, "path")
				try(tree.Mkdir(p), func() { m.dirs[p] = &modelDir{} })
			},
			"rmdir": func(t *rapid.T) {
				p := somePath.Draw(t, "path")
				try(tree.Rmdir(p), func() { delete(m.dirs, p) })
			},
			"control": func(t *rapid.T) {
				p := somePath.Draw(t, "path")
				words := rapid.SliceOfN(rapid.SampledFrom([]string{"+cpu", "-cpu", "+cpuset", "-cpuset", "+io"}), 1, 3).Draw(t, "words")
				try(tree.Write(p+"/cgroup.subtree_control", strings.Join(words, " ")), func() {
					d := m.dirs[p]
					for _, w := range words {
						switch w[1:] {
						case "cpu":
							d.cpu = w[0] == '+'
						case "cpuset":
							d.set = w[0] == '+'
						}
					}
					for q, c := range m.dirs {
						if q != "/" && parentPath(q) == p && !d.set {
							c.cpus = nil
						}
					}
				})
			},
			"cpus": func(t *rapid.T) {
				p := somePath.Draw(t, "path")
				text := rapid.SampledFrom([]string{"", "0", "1-2", "0-5", "3-5", "2,4", "6", "x"}).Draw(t, "cpus")
				try(tree.Write(p+"/cpuset.cpus", text), func() { m.dirs[p].cpus = cpumask.MustParse(text) })
			},
			"move": func(t *rapid.T) {
				p, x := somePath.Draw(t, "path"), pid("pid")
				try(tree.Write(p+"/cgroup.procs", fmt.Sprint(x)), func() { m.procs[f.tasks[x].tgid] = p })
			},
			"fork": func(t *rapid.T) {
				parent, tgid := pid("parent"), next
				if parent != 0 && rapid.Bool().Draw(t, "thread") {
					tgid = f.tasks[parent].tgid
				} else if parent != 0 {
					m.procs[tgid] = m.procs[f.tasks[parent].tgid]
				} else {
					m.procs[tgid] = "/"
				}
				m.asked[next] = m.asked[parent]
				f.fork(tree, next, tgid, parent)
				next++
			},
			"exit": func(t *rapid.T) {
				if x := pid("pid"); x != 0 {
					f.exit(tree, x)
				}
			},
			"affinity": func(t *rapid.T) {
				x := pid("pid")
				if x == 0 {
					return
				}
				cpus := rapid.SampledFrom([]cpumask.Set{nil, cpumask.Of(0), cpumask.Of(1, 3), cpumask.All(6)}).Draw(t, "cpus")
				try(tree.SetAffinity(x, f.tasks[x].tgid, cpus), func() { m.asked[x] = cpus })
			},
			"": func(t *rapid.T) {
				for pid, task := range f.tasks {
					p := m.procs[task.tgid]
					if got := tree.PathOf(task.tgid); got != p {
						t.Fatalf("process %d is in %s, want %s", task.tgid, got, p)
					}
					if got := f.groups[task.group].name; got != m.owner(p) {
						t.Fatalf("task %d in %s has group %s, want %s", pid, p, got, m.owner(p))
					}
					want, e := m.asked[pid], m.effective(p, all)
					switch both := want.And(e); {
					case e.Equal(all):
					case want == nil || both.Empty():
						want = e
					default:
						want = both
					}
					if !same(task.cpus, want) {
						t.Fatalf("task %d in %s uses %s, want %s", pid, p, maskText(task.cpus), maskText(want))
					}
				}
				for _, p := range paths {
					d := m.dirs[p]
					g, ok := tree.GroupOf(p)
					if ok != (d != nil) {
						t.Fatalf("%s exists: %v", p, ok)
					}
					if ok && !tree.dirs[tree.find(p)].effective.Equal(m.effective(p, all)) {
						t.Fatalf("%s has CPUs %s, want %s", p, tree.dirs[tree.find(p)].effective, m.effective(p, all))
					}
					if ok && (f.groups[g].name != m.owner(p) || !f.groups[g].live) {
						t.Fatalf("%s has group %v, want that of %s", p, f.groups[g], m.owner(p))
					}
				}
				live := 0
				for _, g := range f.groups {
					if g.live {
						live++
					}
				}
				owners := 1
				for p := range m.dirs {
					if p != "/" && m.owner(p) == p {
						owners++
					}
				}
				if live != owners {
					t.Fatalf("%d task groups live for %d directories that have one", live, owners)
				}
			},
		})
	})
}

// FuzzWrite writes any text to any file: there is no panic, a refusal is an
// Error and changes nothing, and what was accepted can be read.
func FuzzWrite(f *testing.F) {
	names := []string{"cgroup.procs", "cgroup.threads", "cgroup.subtree_control", "cgroup.type", "cpu.weight", "cpu.weight.nice", "cpuset.cpus"}
	for i := range names {
		for _, text := range []string{"", "0", "-1", "2\n", "+cpu -cpuset", "0-3:2/4,5", "99999999999999999999", "+", "0x", "\x00"} {
			f.Add(i, text)
		}
	}
	f.Fuzz(func(t *testing.T, i int, text string) {
		m, tree := newFake(4)
		for _, err := range []error{tree.Mkdir("/a"), tree.Mkdir("/b"), tree.Write("/cgroup.subtree_control", "+cpu +cpuset")} {
			if err != nil {
				t.Fatal(err)
			}
		}
		m.fork(tree, 2, 2, 0)
		before := dump(tree)
		m.take()
		name := names[(i%len(names)+len(names))%len(names)]
		if err := tree.Write("/a/"+name, text); err != nil {
			if !isErrno(err, "EINVAL") && !isErrno(err, "ERANGE") && !isErrno(err, "ESRCH") && !isErrno(err, "EOPNOTSUPP") && !isErrno(err, "EBUSY") {
				t.Errorf("%s: %T %v", name, err, err)
			}
			if after := dump(tree); after != before || len(m.take()) > 0 {
				t.Errorf("%s: refused with %v, but changed", name, err)
			}
		}
		dump(tree)
		if _, err := tree.Read("/" + text); err == nil && tree.fileOf(root, text) == nil && !strings.Contains(text, "/") {
			t.Errorf("read %q", text)
		}
	})
}
