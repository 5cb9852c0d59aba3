package trace

import "schedrepl/engine/event"

// chunkRecords is how many records one chunk of a Log holds: 64 KiB of them.
const chunkRecords = 64 << 10 / 40

// DefaultLimit is how many records a Log keeps by default: about 1.2 GB.
const DefaultLimit = 32 << 20

// Log keeps records in memory, in order. Beyond its limit it forgets whole
// chunks, oldest first, and Start tells from when on it is complete. The zero
// value keeps DefaultLimit records.
type Log struct {
	// Limit is the largest number of records to keep, 0 for DefaultLimit.
	Limit int

	chunks [][]Record
	first  int // index of the oldest chunk that is kept
	n      int // records kept
	total  int64
	start  event.Time
}

// Record appends a copy of r.
func (l *Log) Record(r *Record) {
	last := len(l.chunks) - 1
	if last < l.first || len(l.chunks[last]) == chunkRecords {
		l.grow()
		last = len(l.chunks) - 1
	}
	l.chunks[last] = append(l.chunks[last], *r)
	l.n++
	l.total++
}

// grow adds an empty chunk, taking the oldest one when the limit is reached.
func (l *Log) grow() {
	limit := l.Limit
	if limit <= 0 {
		limit = DefaultLimit
	}
	if l.n >= limit && l.first < len(l.chunks) {
		old := l.chunks[l.first]
		l.chunks[l.first] = nil
		l.first++
		l.n -= len(old)
		l.start = old[len(old)-1].Time
		l.chunks = append(l.chunks, old[:0])
		if l.first > 1024 && l.first > len(l.chunks)/2 {
			l.chunks = append([][]Record(nil), l.chunks[l.first:]...)
			l.first = 0
		}
		return
	}
	l.chunks = append(l.chunks, make([]Record, 0, chunkRecords))
}

// Len returns how many records are kept.
func (l *Log) Len() int { return l.n }

// Total returns how many records were ever taken.
func (l *Log) Total() int64 { return l.total }

// Start returns the moment after which no record is missing: 0 unless the
// limit was reached.
func (l *Log) Start() event.Time { return l.start }

// Each calls f for each record kept, oldest first, until f returns false.
func (l *Log) Each(f func(r *Record) bool) {
	for _, c := range l.chunks[l.first:] {
		for i := range c {
			if !f(&c[i]) {
				return
			}
		}
	}
}

// Clone returns an independent copy.
func (l *Log) Clone() *Log {
	c := *l
	c.chunks = make([][]Record, 0, len(l.chunks)-l.first)
	for _, old := range l.chunks[l.first:] {
		c.chunks = append(c.chunks, append(make([]Record, 0, chunkRecords), old...))
	}
	c.first = 0
	return &c
}
