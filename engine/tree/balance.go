package tree

// Insert puts id into t with the given key and value, after any items of equal
// key, so that equal keys come out in the order of insertion. It panics if id is
// in a tree already.
func (a *Arena) Insert(t *Tree, id int32, key, val int64) {
	ns := a.nodes
	x := id + 1
	if ns[x].state != absent {
		a.mustBe(false, id, "insert")
	}
	if t.root == 0 {
		if t.n < listMost {
			t.n++
			a.listInsert(t, x, key, val)
			return
		}
		a.plant(t)
	}
	t.n++
	// On the way down every subtree that will hold x learns of its value.
	p := t.root
	var goLeft bool
	leftmost, rightmost := true, true
	for {
		nd := &ns[p]
		if val-nd.min < 0 {
			nd.min = val
		}
		goLeft = key-nd.key < 0
		next := nd.right
		if goLeft {
			next = nd.left
			rightmost = false
		} else {
			leftmost = false
		}
		if next == 0 {
			break
		}
		p = next
	}
	ns[x] = node{key: key, val: val, min: val, parent: p, state: red}
	if goLeft {
		ns[p].left = x
	} else {
		ns[p].right = x
	}
	if leftmost {
		t.first = x
	}
	if rightmost {
		t.last = x
	}
	if ns[p].state == red {
		a.fixInsert(t, x)
	}
}

// fixInsert restores the rule that a red node has no red child, broken between
// x, which is red, and its parent, and nowhere else.
func (a *Arena) fixInsert(t *Tree, x int32) {
	ns := a.nodes
	for {
		p := ns[x].parent
		if p == 0 {
			ns[x].state = black // The root: one more black on every path.
			return
		}
		if ns[p].state != red {
			return
		}
		g := ns[p].parent // There is one: a red node is no root.
		onLeft := ns[g].left == p
		u := ns[g].left
		if onLeft {
			u = ns[g].right
		}
		if ns[u].state == red {
			// Push the grandparent's black down and go on from there.
			ns[p].state, ns[u].state, ns[g].state = black, black, red
			x = g
			continue
		}
		if onLeft {
			if ns[p].right == x {
				a.rotateLeft(t, p)
				p = x
			}
			a.rotateRight(t, g)
		} else {
			if ns[p].left == x {
				a.rotateRight(t, p)
				p = x
			}
			a.rotateLeft(t, g)
		}
		ns[p].state, ns[g].state = black, red
		return
	}
}

// Remove takes id out of t. It panics if id is in no tree; to name a tree that
// id is not in is a fault that it does not notice.
func (a *Arena) Remove(t *Tree, id int32) {
	ns := a.nodes
	x := id + 1
	if ns[x].state == absent {
		a.mustBe(true, id, "remove")
	}
	t.n--
	if t.root == 0 {
		a.listRemove(t, x)
		return
	}
	a.treeRemove(t, id)
	if t.n <= listAgain {
		a.fell(t)
	}
}

// treeRemove is Remove from a red-black tree of two items or more.
func (a *Arena) treeRemove(t *Tree, id int32) {
	ns := a.nodes
	x := id + 1
	if t.first == x {
		t.first = a.Next(id) + 1
	}
	if t.last == x {
		t.last = a.Prev(id) + 1
	}
	nd := ns[x]
	ns[x].state = absent

	// c, possibly none, moves up to be a child of p, on whose side a node of the
	// colour lost is missing then. s takes the place of x if x has two children.
	var c, p int32
	lost := nd.state
	if nd.left == 0 || nd.right == 0 {
		c, p = nd.left|nd.right, nd.parent
		a.replace(t, p, x, c)
		ns[c].parent = p // The sentinel's parent may hold anything.
		a.pull(p)
	} else {
		// The successor has no left child; it takes the place and colour of x.
		s := nd.right
		for ns[s].left != 0 {
			s = ns[s].left
		}
		lost = ns[s].state
		c, p = ns[s].right, ns[s].parent
		if p == x {
			p = s
		} else {
			ns[p].left = c
			ns[c].parent = p
			ns[s].right = nd.right
			ns[nd.right].parent = s
		}
		ns[s].left = nd.left
		ns[nd.left].parent = s
		ns[s].parent = nd.parent
		ns[s].state = nd.state
		a.replace(t, nd.parent, x, s)
		// Below s the value of s went away, at s and above it that of x did: two
		// changes, each of which may fade out on its own way up.
		ns[s].min = nd.min
		if p != s {
			a.pull(p)
		}
		a.pull(s)
	}
	if lost == black {
		a.fixRemove(t, c, p)
	}
}

// fixRemove restores the count of black nodes on the paths through c, a child of
// p or none, which is one short there and right elsewhere.
func (a *Arena) fixRemove(t *Tree, c, p int32) {
	ns := a.nodes
	for p != 0 && ns[c].state != red {
		// The sibling exists, for its side has at least one black more.
		if ns[p].left == c {
			w := ns[p].right
			if ns[w].state == red {
				ns[w].state, ns[p].state = black, red
				a.rotateLeft(t, p)
				w = ns[p].right
			}
			near, far := ns[w].left, ns[w].right
			if ns[near].state != red && ns[far].state != red {
				ns[w].state = red
				c, p = p, ns[p].parent
				continue
			}
			if ns[far].state != red {
				a.rotateRight(t, w)
				w, far = near, w
			}
			ns[w].state, ns[p].state, ns[far].state = ns[p].state, black, black
			a.rotateLeft(t, p)
			return
		}
		w := ns[p].left
		if ns[w].state == red {
			ns[w].state, ns[p].state = black, red
			a.rotateRight(t, p)
			w = ns[p].left
		}
		near, far := ns[w].right, ns[w].left
		if ns[near].state != red && ns[far].state != red {
			ns[w].state = red
			c, p = p, ns[p].parent
			continue
		}
		if ns[far].state != red {
			a.rotateLeft(t, w)
			w, far = near, w
		}
		ns[w].state, ns[p].state, ns[far].state = ns[p].state, black, black
		a.rotateRight(t, p)
		return
	}
	if c != 0 {
		ns[c].state = black
	}
}

// rotateLeft lifts the right child of x above x. The key order stays, and so
// does the minimum of the subtree as a whole.
func (a *Arena) rotateLeft(t *Tree, x int32) {
	ns := a.nodes
	y := ns[x].right
	m := ns[y].left
	ns[x].right = m
	ns[m].parent = x
	a.replace(t, ns[x].parent, x, y)
	ns[y].parent = ns[x].parent
	ns[y].left = x
	ns[x].parent = y
	ns[y].min = ns[x].min
	ns[x].min = a.subtreeMin(x)
}

// rotateRight lifts the left child of x above x.
func (a *Arena) rotateRight(t *Tree, x int32) {
	ns := a.nodes
	y := ns[x].left
	m := ns[y].right
	ns[x].left = m
	ns[m].parent = x
	a.replace(t, ns[x].parent, x, y)
	ns[y].parent = ns[x].parent
	ns[y].right = x
	ns[x].parent = y
	ns[y].min = ns[x].min
	ns[x].min = a.subtreeMin(x)
}

// replace lets p, or the root if p is none, point to y where it pointed to x.
func (a *Arena) replace(t *Tree, p, x, y int32) {
	switch {
	case p == 0:
		t.root = y
	case a.nodes[p].left == x:
		a.nodes[p].left = y
	default:
		a.nodes[p].right = y
	}
}

// subtreeMin computes the minimum of x from its value and its children's minima.
func (a *Arena) subtreeMin(x int32) int64 {
	ns := a.nodes
	nd := &ns[x]
	m := nd.val
	if l := nd.left; l != 0 && ns[l].min-m < 0 {
		m = ns[l].min
	}
	if r := nd.right; r != 0 && ns[r].min-m < 0 {
		m = ns[r].min
	}
	return m
}

// pull brings the minima up to date from x, where a value went away, towards the
// root. It stops at the first node that does not notice: nothing above it does.
func (a *Arena) pull(x int32) {
	ns := a.nodes
	for x != 0 {
		m := a.subtreeMin(x)
		if m == ns[x].min {
			return
		}
		ns[x].min = m
		x = ns[x].parent
	}
}
