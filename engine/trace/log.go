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

	last  []Record   // the chunk being filled
	full  [][]Record // the chunks before it, oldest first
	first int        // how many of them are forgotten
	n     int        // records kept
	total int64
	start event.Time
}

// Record appends a copy of r.
func (l *Log) Record(r *Record) {
	if len(l.last) == cap(l.last) {
		l.turn()
	}
	l.last = append(l.last, *r)
	l.n++
	l.total++
}

// turn begins a new chunk: the memory of the oldest one when the limit is
// reached, which is then forgotten.
func (l *Log) turn() {
	if l.last != nil {
		l.full = append(l.full, l.last)
	}
	limit := l.Limit
	if limit <= 0 {
		limit = DefaultLimit
	}
	if l.n < limit || l.first == len(l.full) {
		l.last = make([]Record, 0, chunkRecords)
		return
	}
	old := l.full[l.first]
	l.full[l.first] = nil
	if l.first++; l.first > len(l.full)/2 {
		l.full = append(l.full[:0], l.full[l.first:]...)
		l.first = 0
	}
	l.n -= len(old)
	l.start = old[len(old)-1].Time
	l.last = old[:0]
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
	for _, c := range l.full[l.first:] {
		for i := range c {
			if !f(&c[i]) {
				return
			}
		}
	}
	for i := range l.last {
		if !f(&l.last[i]) {
			return
		}
	}
}

// Clone returns an independent copy.
func (l *Log) Clone() *Log {
	c := *l
	c.full, c.first = nil, 0
	for _, old := range l.full[l.first:] {
		c.full = append(c.full, append(make([]Record, 0, chunkRecords), old...))
	}
	c.last = append(make([]Record, 0, chunkRecords), l.last...)
	return &c
}
