package trace

// Recorder is the sink that every machine has: it keeps records in a log and
// folds them into a digest, a chunk at a time, for in bulk that costs least.
type Recorder struct {
	digest Digest
	log    Log
	keeps  bool
	folded int // records of the log's last chunk that are in the digest
}

// smallChunk is how many records a log has room for that keeps none: few enough
// to stay in the nearest cache.
const smallChunk = 8 << 10 / 40

// NewRecorder returns a recorder that keeps limit records: 0 for the default of
// a Log, negative for none.
func NewRecorder(limit int) *Recorder {
	if limit < 0 {
		// One chunk, which is used again and again.
		return &Recorder{log: Log{Limit: 1, last: make([]Record, 0, smallChunk)}}
	}
	return &Recorder{log: Log{Limit: limit}, keeps: true}
}

// Next returns the next record of the log, zeroed, for the caller to fill in
// before anything else is asked of the recorder. A record that was made aside
// would have to be copied, which takes longer than to make it.
func (c *Recorder) Next() *Record {
	l := &c.log
	n := len(l.last)
	if n == cap(l.last) {
		c.turn()
		n = 0
	}
	l.last = l.last[:n+1]
	l.n++
	l.total++
	r := &l.last[n]
	*r = Record{}
	return r
}

// turn begins a new chunk of the log.
func (c *Recorder) turn() {
	c.fold()
	c.folded = 0
	c.log.turn()
}

// fold brings the digest up to date.
func (c *Recorder) fold() {
	for i := c.folded; i < len(c.log.last); i++ {
		c.digest.Record(&c.log.last[i])
	}
	c.folded = len(c.log.last)
}

// Digest returns the text of the digest of all records so far.
func (c *Recorder) Digest() string {
	c.fold()
	return c.digest.String()
}

// Total returns how many records were ever made.
func (c *Recorder) Total() int64 { return c.log.total }

// Log returns the records kept, nil if none are.
func (c *Recorder) Log() *Log {
	if !c.keeps {
		return nil
	}
	return &c.log
}
