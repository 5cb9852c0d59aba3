package tree

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// check walks t and panics with the broken rule: links, key order, colours,
// equal black height, augmented minimum, cached ends and count.
func check(a *Arena, t *Tree) error {
	if a.nodes == nil {
		return nil
	}
	if s := a.nodes[0]; s.state != absent || s.left != 0 || s.right != 0 {
		return fmt.Errorf("the sentinel was written: %+v", s)
	}
	n := 0
	var err error
	fail := func(format string, args ...any) {
		if err == nil {
			err = fmt.Errorf(format, args...)
		}
	}
	var walk func(x, parent int32) (height int, min int64)
	walk = func(x, parent int32) (int, int64) {
		if x == 0 {
			return 0, math.MaxInt64
		}
		n++
		nd := a.nodes[x]
		if nd.parent != parent {
			fail("parent of %d is %d, not %d", x-1, nd.parent-1, parent-1)
			return 0, 0
		}
		if nd.state == absent {
			fail("%d is linked but absent", x-1)
		}
		if nd.state == red && (parent == 0 || a.nodes[parent].state == red) {
			fail("red %d has a red parent or is the root", x-1)
		}
		lh, lm := walk(nd.left, x)
		rh, rm := walk(nd.right, x)
		if lh != rh {
			fail("black heights %d and %d below %d", lh, rh, x-1)
		}
		m := nd.val
		if nd.left != 0 && lm-m < 0 {
			m = lm
		}
		if nd.right != 0 && rm-m < 0 {
			m = rm
		}
		if m != nd.min {
			fail("minimum of %d is %d, not %d", x-1, nd.min, m)
		}
		if nd.state == black {
			lh++
		}
		return lh, m
	}
	if t.root == 0 {
		before := int32(0)
		for x := t.first; x != 0; x = a.nodes[x].right {
			n++
			if nd := a.nodes[x]; nd.left != before || nd.state != listed {
				fail("%d in a list: %+v, behind %d", x-1, nd, before-1)
			}
			before = x
		}
		if t.last != before || n > listMost {
			fail("a list of %d items whose last is %d, not %d", n, t.last-1, before-1)
		}
	}
	walk(t.root, 0)
	if n != t.Len() || t.Empty() != (n == 0) {
		fail("Len is %d with %d nodes", t.Len(), n)
	}
	return err
}

type item struct {
	id       int32
	key, val int64
}

// compare holds every answer of the tree against the sorted slice.
func compare(t *rapid.T, a *Arena, tr *Tree, want []item, bound int64) {
	if err := check(a, tr); err != nil {
		t.Fatal(err)
	}
	first, last, within := int32(-1), int32(-1), int32(-1)
	if len(want) > 0 {
		first, last = want[0].id, want[len(want)-1].id
	}
	var least int64
	for i, it := range want {
		if i == 0 || it.val-least < 0 {
			least = it.val
		}
		if within < 0 && it.val-bound <= 0 {
			within = it.id
		}
	}
	if g := a.First(tr); g != first {
		t.Fatalf("First = %d, want %d", g, first)
	}
	if g := a.Last(tr); g != last {
		t.Fatalf("Last = %d, want %d", g, last)
	}
	if g, ok := a.MinVal(tr); ok != (len(want) > 0) || g != least {
		t.Fatalf("MinVal = %d, %v, want %d", g, ok, least)
	}
	if g := a.FirstWithin(tr, bound); g != within {
		t.Fatalf("FirstWithin(%d) = %d, want %d of %v", bound, g, within, want)
	}
	id := first
	for i, it := range want {
		if id != it.id || a.Key(id) != it.key || a.Val(id) != it.val || !a.Contains(id) {
			t.Fatalf("item %d is %d, want %+v", i, id, it)
		}
		id = a.Next(id)
	}
	if len(want) > 0 && id != -1 {
		t.Fatalf("Next after the last is %d", id)
	}
	id = last
	for _, it := range slices.Backward(want) {
		if id != it.id {
			t.Fatalf("backwards: %d, want %d", id, it.id)
		}
		id = a.Prev(id)
	}
	if len(want) > 0 && id != -1 {
		t.Fatalf("Prev before the first is %d", id)
	}
}

// TestModel runs random operations on two trees of one arena beside two slices.
// Keys are few, so that equal ones are common, and lie on both sides of the wrap.
func TestModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := rapid.SampledFrom([]int64{0, -1 << 40, math.MaxInt64 - 5, math.MinInt64 + 5}).Draw(t, "base")
		small := rapid.Int64Range(-12, 12)
		ids := rapid.Int32Range(0, rapid.SampledFrom([]int32{6, 40, 80}).Draw(t, "size"))
		a := &Arena{}
		trees := [2]Tree{}
		models := [2][]item{}
		where := map[int32]int{}
		steps := rapid.IntRange(1, 200).Draw(t, "steps")
		for range steps {
			id := ids.Draw(t, "id")
			a.Grow(int(id) + 1)
			k, in := where[id]
			switch {
			case in:
				a.Remove(&trees[k], id)
				models[k] = slices.DeleteFunc(models[k], func(it item) bool { return it.id == id })
				delete(where, id)
			case rapid.IntRange(0, 15).Draw(t, "clone") == 0:
				// Go on with a copy and spoil the old one.
				old, oldTrees := a, trees
				a = a.Clone()
				for i := range oldTrees {
					for !oldTrees[i].Empty() {
						old.Remove(&oldTrees[i], old.First(&oldTrees[i]))
					}
				}
			default:
				k = rapid.IntRange(0, 1).Draw(t, "tree")
				it := item{id, base + small.Draw(t, "key"), base + small.Draw(t, "val")}
				a.Insert(&trees[k], it.id, it.key, it.val)
				at := 0
				for at < len(models[k]) && it.key-models[k][at].key >= 0 {
					at++
				}
				models[k] = slices.Insert(models[k], at, it)
				where[id] = k
			}
			bound := base + small.Draw(t, "bound")
			for k := range trees {
				compare(t, a, &trees[k], models[k], bound)
			}
		}
	})
}

// TestListAndTree lets a collection grow from a list into a tree and shrink
// again, from either end and from the middle, as often as the two can turn.
func TestListAndTree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.Int64Range(0, rapid.SampledFrom([]int64{0, 3, 1000}).Draw(t, "keys"))
		var a Arena
		var tr Tree
		var model []item
		free := int32(0)
		for _, size := range []int{listMost, listMost + 1, listAgain + 1, listAgain, 3 * listMost, 0, listMost + 2, 1} {
			for len(model) < size {
				it := item{free, key.Draw(t, "key"), key.Draw(t, "val")}
				free++
				a.Grow(int(free))
				a.Insert(&tr, it.id, it.key, it.val)
				at := 0
				for at < len(model) && it.key >= model[at].key {
					at++
				}
				model = slices.Insert(model, at, it)
				compare(t, &a, &tr, model, key.Draw(t, "bound"))
			}
			for len(model) > size {
				at := rapid.SampledFrom([]int{0, len(model) / 2, len(model) - 1}).Draw(t, "at")
				a.Remove(&tr, model[at].id)
				model = slices.Delete(model, at, at+1)
				compare(t, &a, &tr, model, key.Draw(t, "bound"))
			}
			if list := tr.root == 0; size > listMost && list || size <= listAgain && !list {
				t.Fatalf("%d items, and a list: %v", size, list)
			}
		}
	})
}

func TestEmpty(t *testing.T) {
	a, tr := &Arena{}, &Tree{}
	if a.First(tr) != -1 || a.Last(tr) != -1 || a.FirstWithin(tr, math.MaxInt64) != -1 {
		t.Error("an empty tree has items")
	}
	if _, ok := a.MinVal(tr); ok {
		t.Error("an empty tree has a minimum")
	}
	a.Grow(3)
	if a.Contains(2) {
		t.Error("a new id is in a tree")
	}
}

func TestMisuse(t *testing.T) {
	for name, f := range map[string]func(a *Arena, tr *Tree){
		"insert twice":  func(a *Arena, tr *Tree) { a.Insert(tr, 1, 0, 0); a.Insert(tr, 1, 5, 0) },
		"remove absent": func(a *Arena, tr *Tree) { a.Insert(tr, 1, 0, 0); a.Remove(tr, 0) },
		"beyond Grow":   func(a *Arena, tr *Tree) { a.Insert(tr, 2, 0, 0) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			a := &Arena{}
			a.Grow(2)
			f(a, &Tree{})
		})
	}
}

func TestNoAllocation(t *testing.T) {
	a, tr := filled(100)
	if n := testing.AllocsPerRun(100, func() { cycle(a, tr) }); n != 0 {
		t.Errorf("%v allocations in a remove and insert", n)
	}
}

// filled returns a tree of n items with ids 0 to n-1 and spread keys.
func filled(n int) (*Arena, *Tree) {
	a, tr := &Arena{}, &Tree{}
	a.Grow(n)
	for i := range n {
		k := int64(i) * 0x9e3779b9 % 1000003
		a.Insert(tr, int32(i), k, k^0x5555)
	}
	return a, tr
}

var turn uint64

// cycle removes the first item and inserts it further on, as a run queue does.
func cycle(a *Arena, tr *Tree) {
	id := a.First(tr)
	key := a.Key(id)
	a.Remove(tr, id)
	turn = turn*6364136223846793005 + 1442695040888963407
	key += int64(turn>>44) + 1000
	a.Insert(tr, id, key, key-int64(turn>>40&0xfff))
}

func BenchmarkRemoveFirstInsert(b *testing.B) {
	for _, n := range []int{4, 64, 1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			a, tr := filled(n)
			for b.Loop() {
				cycle(a, tr)
			}
		})
	}
}

func BenchmarkFirstWithinRemoveInsert(b *testing.B) {
	for _, n := range []int{4, 64, 1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			a, tr := filled(n)
			for b.Loop() {
				least, _ := a.MinVal(tr)
				id := a.FirstWithin(tr, least+2000)
				key := a.Key(id)
				a.Remove(tr, id)
				turn = turn*6364136223846793005 + 1442695040888963407
				key += int64(turn>>44) + 1000
				a.Insert(tr, id, key, key-int64(turn>>40&0xfff))
			}
		})
	}
}
