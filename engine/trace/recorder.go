package trace

// Recorder is the sink that every machine has: it folds each record into a
// digest and, if it has a log, keeps it.
type Recorder struct {
	Digest Digest
	Log    *Log
}

// Record takes r.
func (c *Recorder) Record(r *Record) {
	c.Digest.Record(r)
	if c.Log != nil {
		c.Log.Record(r)
	}
}
