package table

// narrowest is how far a column of text is cut before whole columns are left
// out, in terminal columns.
const narrowest = 16

// fit brings columns into lines of at most limit terminal columns, if limit is
// above 0. It cuts cells of text to one common width, as wide as there is room
// for; if that is not enough it keeps columns from both ends, puts an ellipsis
// in the place of the others, and returns the names of those.
func fit(cols []textColumn, limit int) (kept []textColumn, hidden []string) {
	if limit <= 0 || lineWidth(cols) <= limit {
		return cols, nil
	}
	widest := 0
	for _, c := range cols {
		if c.isText {
			widest = max(widest, c.width)
		}
	}
	try := make([]textColumn, len(cols))
	for cell := widest; cell >= narrowest; cell-- {
		for i, c := range cols {
			try[i].width = c.widthAt(cell)
		}
		if lineWidth(try) <= limit || cell == narrowest {
			for i := range cols {
				cols[i].narrow(cell)
			}
			break
		}
	}
	if lineWidth(cols) <= limit {
		return cols, nil
	}
	return elide(cols, limit)
}

// elide leaves out columns of the middle. The first column always stays, cut if
// need be; then those stay that fit, taken in turn from the end and the front.
func elide(cols []textColumn, limit int) (kept []textColumn, hidden []string) {
	room := limit
	if len(cols) > 1 {
		room -= len(gap) + 1 // for the ellipsis
	}
	front, back := 1, len(cols) // cols[front:back] are left out
	cols[0].cut(max(room, 1))
	room -= cols[0].width
	for fromBack := true; front < back; fromBack = !fromBack {
		next := front
		if fromBack {
			next = back - 1
		}
		if room -= cols[next].width + len(gap); room < 0 {
			break
		}
		if fromBack {
			back--
		} else {
			front++
		}
	}
	if front == back {
		return cols, nil
	}
	dots := textColumn{header: "…", cells: make([]string, len(cols[0].cells)), width: 1}
	for k := range dots.cells {
		dots.cells[k] = "…"
	}
	for _, c := range cols[front:back] {
		hidden = append(hidden, c.name)
	}
	kept = append(kept, cols[:front]...)
	if limit >= cols[0].width+len(gap)+1 {
		kept = append(kept, dots)
	}
	return append(kept, cols[back:]...), hidden
}

// lineWidth returns the width of a line of the columns.
func lineWidth(cols []textColumn) int {
	n := -len(gap)
	for _, c := range cols {
		n += c.width + len(gap)
	}
	return n
}

// widthAt returns the width of a column once its cells of text are cut to limit;
// a header is not cut.
func (c *textColumn) widthAt(limit int) int {
	if !c.isText {
		return c.width
	}
	return min(c.width, max(limit, textWidth(c.header)))
}

// narrow cuts the cells of a column of text.
func (c *textColumn) narrow(limit int) {
	if w := c.widthAt(limit); w < c.width {
		c.cut(w)
	}
}

// cut cuts header and cells to a width.
func (c *textColumn) cut(limit int) {
	c.header = clip(c.header, limit)
	c.width = textWidth(c.header)
	for k := range c.cells {
		c.cells[k] = clip(c.cells[k], limit)
		c.width = max(c.width, textWidth(c.cells[k]))
	}
}
