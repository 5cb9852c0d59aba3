package table

// bitmap is a set of row numbers; it is empty until the first is set.
type bitmap []uint64

func (b bitmap) has(i int) bool {
	w := i >> 6
	return w < len(b) && b[w]>>(i&63)&1 != 0
}

func (b *bitmap) set(i int) {
	for len(*b) <= i>>6 {
		*b = append(*b, 0)
	}
	(*b)[i>>6] |= 1 << (i & 63)
}

// clear removes a member.
func (b bitmap) clear(i int) {
	if w := i >> 6; w < len(b) {
		b[w] &^= 1 << (i & 63)
	}
}

// head returns a copy of the members below n.
func (b bitmap) head(n int) bitmap {
	words := min(len(b), (n+63)>>6)
	if words == 0 {
		return nil
	}
	h := append(bitmap(nil), b[:words]...)
	if n&63 != 0 && words == (n+63)>>6 {
		h[words-1] &= 1<<(n&63) - 1
	}
	return h
}
