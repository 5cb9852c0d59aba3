// Package tree keeps items ordered by a 64-bit key, with the minimum of a second
// value known for every subtree.
//
// Many trees live in one Arena, whose nodes are named by dense ids (task or
// entity numbers): an item is in at most one tree at a time, nothing is
// allocated to insert it, and it is removed by its id alone. The second value
// makes one question cheap that a plain ordered tree can only answer by a scan:
// which is the first item in key order whose value is within a bound. With the
// virtual deadline as key and the vruntime as value that is the pick of EEVDF
// (Stoica and Abdel-Wahab 1995, and Linux from 6.6); with the vruntime as key
// and the value unused it is the queue of CFS.
//
// Keys and values are compared by their signed difference, as virtual times are:
// a is before b if int64(a-b) < 0. That is an order as long as all keys of a tree
// lie within 2^63 of each other, even across the wrap of the counter.
package tree

import "fmt"

// node is an item of a small tree, which is a list, or of a large one, which is
// red-black. Links are ids plus one, so that 0 is none: node 0 of the arena is a
// sentinel that counts as black and is in no tree.
type node struct {
	key    int64
	val    int64
	min    int64 // Minimum of val in the subtree rooted here; of no meaning in a list.
	left   int32 // In a list the item before; right is then the one behind.
	right  int32
	parent int32
	state  int32
}

// The states of a node: absent, its colour, or listed. The sentinel stays absent.
const (
	absent int32 = iota // In no tree.
	black
	red
	listed // In a tree that is a list at present.
)

// Tree is one ordered collection in an Arena. The zero value is empty. A Tree is
// a plain value: a copy of it stands for the same collection in a Clone of its
// arena. It must always be used with the arena that holds its items, and never
// in two copies with one arena.
type Tree struct {
	root  int32 // Id plus one; 0 while the items are a list.
	first int32 // Id plus one; 0 if the tree is empty, as with the next.
	last  int32
	n     int32
}

// Len returns the number of items.
func (t *Tree) Len() int { return int(t.n) }

// Empty reports whether the tree has no items.
func (t *Tree) Empty() bool { return t.n == 0 }

// Arena holds the nodes of many trees. The zero value has room for no ids.
// It is not safe for concurrent use.
type Arena struct {
	nodes []node // Node of id i at i+1; the sentinel at 0.
}

// Grow makes the ids 0 to n-1 valid; none is in a tree at first. It never
// forgets one, and growing step by step costs amortised constant time an id.
func (a *Arena) Grow(n int) {
	if n+1 <= len(a.nodes) {
		return
	}
	if n+1 > cap(a.nodes) {
		size := max(n+1, cap(a.nodes)+cap(a.nodes)/8, 16)
		a.nodes = append(make([]node, 0, size), a.nodes...)
	}
	a.nodes = a.nodes[:n+1]
}

// Clone returns a deep copy. A Tree value of the old arena, copied, is the same
// collection in the new one.
func (a *Arena) Clone() *Arena {
	return &Arena{nodes: append([]node(nil), a.nodes...)}
}

// Contains reports whether id is in a tree of the arena, whichever that is.
func (a *Arena) Contains(id int32) bool { return a.nodes[id+1].state != absent }

// Key returns the key with which id was inserted.
func (a *Arena) Key(id int32) int64 { return a.nodes[id+1].key }

// Val returns the value with which id was inserted.
func (a *Arena) Val(id int32) int64 { return a.nodes[id+1].val }

// First returns the first item in key order, -1 if the tree is empty. O(1).
func (a *Arena) First(t *Tree) int32 { return t.first - 1 }

// Last returns the last item in key order, -1 if the tree is empty. O(1).
func (a *Arena) Last(t *Tree) int32 { return t.last - 1 }

// Next returns the item after id in the tree that id is in, -1 after the last.
func (a *Arena) Next(id int32) int32 {
	ns := a.nodes
	x := id + 1
	if ns[x].state == listed {
		return ns[x].right - 1
	}
	if r := ns[x].right; r != 0 {
		for ns[r].left != 0 {
			r = ns[r].left
		}
		return r - 1
	}
	p := ns[x].parent
	for p != 0 && ns[p].right == x {
		x, p = p, ns[p].parent
	}
	return p - 1
}

// Prev returns the item before id in the tree that id is in, -1 before the first.
func (a *Arena) Prev(id int32) int32 {
	ns := a.nodes
	x := id + 1
	if ns[x].state == listed {
		return ns[x].left - 1
	}
	if l := ns[x].left; l != 0 {
		for ns[l].right != 0 {
			l = ns[l].right
		}
		return l - 1
	}
	p := ns[x].parent
	for p != 0 && ns[p].left == x {
		x, p = p, ns[p].parent
	}
	return p - 1
}

// MinVal returns the least value in the tree, and false if the tree is empty. Its
// cost does not grow with the tree.
func (a *Arena) MinVal(t *Tree) (int64, bool) {
	switch {
	case t.n == 0:
		return 0, false
	case t.root == 0:
		return a.listMin(t), true
	}
	return a.nodes[t.root].min, true
}

// FirstWithin returns the first item in key order whose value is at most bound,
// -1 if there is none. It walks one path: O(log n).
func (a *Arena) FirstWithin(t *Tree, bound int64) int32 {
	ns := a.nodes
	x := t.root
	if x == 0 {
		return a.listWithin(t, bound)
	}
	if ns[x].min-bound > 0 {
		return -1
	}
	// Here and at each turn the subtree of x holds an item within the bound.
	for {
		nd := &ns[x]
		if l := nd.left; l != 0 && ns[l].min-bound <= 0 {
			x = l
			continue
		}
		if nd.val-bound <= 0 {
			return x - 1
		}
		x = nd.right
	}
}

// mustBe panics unless id is in a tree, or is in none, as an operation needs.
func (a *Arena) mustBe(in bool, id int32, op string) {
	if (a.nodes[id+1].state != absent) != in {
		where := "already in a tree"
		if in {
			where = "in no tree"
		}
		panic(fmt.Sprintf("sched: tree: %s of item %d, which is %s", op, id, where))
	}
}
