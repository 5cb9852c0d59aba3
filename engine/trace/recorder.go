package trace

// Recorder is the sink that every machine has: it keeps records in a log and
// folds them into a digest, a chunk at a time, for in bulk that costs least.
type Recorder struct {
	digest Digest
	log    Log
	keeps  bool
	folded int // records of the log's last chunk that are in the digest
}

// NewRecorder returns a recorder that keeps limit records: 0 for the default of
// a Log, negative for none.
func NewRecorder(limit int) *Recorder {
	if limit < 0 {
		// One chunk, which is used again and again.
		return &Recorder{log: Log{Limit: 1}}
	}
	return &Recorder{log: Log{Limit: limit}, keeps: true}
}

// Record takes r.
func (c *Recorder) Record(r *Record) {
	l := &c.log
	if len(l.last) == cap(l.last) {
		c.fold()
		c.folded = 0
		l.turn()
	}
	l.last = append(l.last, *r)
	l.n++
	l.total++
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

// Log returns the records kept, nil if none are.
func (c *Recorder) Log() *Log {
	if !c.keeps {
		return nil
	}
	return &c.log
}
