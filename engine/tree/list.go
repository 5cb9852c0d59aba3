package tree

// A tree of few items is a list in key order: to walk a handful of items costs
// less than to keep a tree balanced. Beyond listMost it is built into a balanced
// tree, and once it has shrunk to listAgain it becomes a list again; the
// distance between the two keeps a tree from turning back and forth.
const (
	listMost  = 16
	listAgain = 8
)

// listInsert is Insert into a list. It looks for the place from the far end,
// for what was put back last belongs there as a rule.
func (a *Arena) listInsert(t *Tree, x int32, key, val int64) {
	ns := a.nodes
	p := t.last
	for p != 0 && key-ns[p].key < 0 {
		p = ns[p].left
	}
	nd := &ns[x]
	nd.key, nd.val, nd.state, nd.left = key, val, listed, p
	next := t.first
	if p != 0 {
		next = ns[p].right
		ns[p].right = x
	} else {
		t.first = x
	}
	nd.right = next
	if next != 0 {
		ns[next].left = x
	} else {
		t.last = x
	}
}

// listRemove is Remove from a list.
func (a *Arena) listRemove(t *Tree, x int32) {
	ns := a.nodes
	nd := &ns[x]
	nd.state = absent
	if nd.left != 0 {
		ns[nd.left].right = nd.right
	} else {
		t.first = nd.right
	}
	if nd.right != 0 {
		ns[nd.right].left = nd.left
	} else {
		t.last = nd.left
	}
}

// listMin is MinVal of a list that is not empty.
func (a *Arena) listMin(t *Tree) int64 {
	least := a.nodes[t.first].val
	for x := a.nodes[t.first].right; x != 0; x = a.nodes[x].right {
		if v := a.nodes[x].val; v-least < 0 {
			least = v
		}
	}
	return least
}

// listWithin is FirstWithin of a list.
func (a *Arena) listWithin(t *Tree, bound int64) int32 {
	x := t.first
	for x != 0 && a.nodes[x].val-bound > 0 {
		x = a.nodes[x].right
	}
	return x - 1
}

// plant makes a balanced tree of a list.
func (a *Arena) plant(t *Tree) {
	depth := 0 // of the last level, which alone is red if it is not full
	for n := t.n; n > 1; n >>= 1 {
		depth++
	}
	next := t.first
	t.root = a.grow(&next, t.n, 0, depth, t.n&(t.n+1) != 0)
}

// grow makes a subtree of the next n items of a list and returns its root, whose
// parent is p. The items of the level that is depth below are red if so asked.
func (a *Arena) grow(next *int32, n, p int32, depth int, last bool) int32 {
	if n == 0 {
		return 0
	}
	left := a.grow(next, n/2, 0, depth-1, last)
	x := *next
	*next = a.nodes[x].right
	right := a.grow(next, n-n/2-1, x, depth-1, last)
	nd := &a.nodes[x]
	nd.left, nd.right, nd.parent, nd.state = left, right, p, black
	if left != 0 {
		a.nodes[left].parent = x
	}
	if depth == 0 && last {
		nd.state = red
	}
	nd.min = nd.val
	nd.min = a.subtreeMin(x)
	return x
}

// fell makes a list of a tree of listAgain items or fewer.
func (a *Arena) fell(t *Tree) {
	var order [listAgain]int32
	n := 0
	for x := t.first; x != 0; x = a.Next(x-1) + 1 {
		order[n] = x
		n++
	}
	t.root = 0
	before := int32(0)
	for i, x := range order[:n] {
		nd := &a.nodes[x]
		nd.left, nd.right, nd.state = before, 0, listed
		if i > 0 {
			a.nodes[before].right = x
		}
		before = x
	}
}
