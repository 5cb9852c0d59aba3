package validate

import (
	"strings"
	"testing"
	"testing/fstest"
)

// FuzzScenario: no text makes the reader of set-ups panic; one that it accepts
// can be built, or is refused with an error.
func FuzzScenario(f *testing.F) {
	for _, text := range []string{
		good, "", "{}", "[]", "null", good[:len(good)/3],
		strings.Replace(good, `"forever"`, `"never"`, 1),
		strings.Replace(good, `{"sleep_ns": 1000000}`, `{"fork": "kid"}`, 1),
		strings.Replace(good, `{"sleep_ns": 1000000}`, `{"wake": "h"}, {"block": true}, {"yield": true}`, 1),
		strings.Replace(good, `"set_nice", "target": "s", "value": -5`, `"set_policy", "target": "s", "value": {"policy": "IDLE"}`, 1),
		strings.Replace(good, `"set_nice", "target": "s", "value": -5`, `"set_affinity", "target": "s", "value": [0]`, 1),
		strings.Replace(good, `"loop_to_index": 0`, `"loop_to_index": -1`, 1),
		strings.Replace(good, `"groups": [`, `"groups": [{"name": "A", "parent": "A"}, `, 1),
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := readScenario(fstest.MapFS{"c/scenario.json": {Data: data}}, "c")
		if err != nil {
			if s != nil || !strings.HasPrefix(err.Error(), "c/scenario.json: ") {
				t.Errorf("error %q with set-up %v", err, s)
			}
			return
		}
		if len(s.Tasks) > 100 || len(s.Groups) > 100 {
			return
		}
		s.End = s.Launch.At // the launch, and what follows in that instant
		h, err := s.build(false, func(string) {})
		if err != nil || s.Launch.At > 1e9 {
			return
		}
		if err := h.run(nil); err != nil && err.Error() == "" {
			t.Error("an error without text")
		}
	})
}

// FuzzTrace: no bytes make the reader of traces panic, and the lines that it
// accepts are understood again one by one.
func FuzzTrace(f *testing.F) {
	text := goodTrace(f)
	f.Add(zipped(text), false)
	f.Add(zipped(text)[:60], false)
	for _, text := range []string{
		text, "", "\n", "\r\n", "1", "1 2 3", "5 0 fork x", "5 0 switch a R b 1 2\n4 0 fork x", "5 1 fork x", "99999999999999999999 0 fork x",
		"5 0 setgroup a b\n5 0 setaffinity a f\n5 0 throttle A\n", "5 0 wakeup a 0 -9223372036854775808",
	} {
		f.Add([]byte(text), true)
	}
	lim := limits{lines: 1000, bytes: 100_000, cpus: 1, end: 15_000_000}
	f.Fuzz(func(t *testing.T, data []byte, zip bool) {
		if zip {
			data = zipped(string(data))
		}
		r, err := readTrace(fstest.MapFS{"trace.txt.gz": {Data: data}}, "trace.txt.gz", lim)
		if err != nil {
			if r != nil || !strings.HasPrefix(err.Error(), "trace.txt.gz: ") {
				t.Errorf("error %q with a trace", err)
			}
			return
		}
		if len(r.lines) == 0 || len(r.lines) != len(r.no) || len(r.lines) > lim.lines {
			t.Errorf("%d lines with %d numbers", len(r.lines), len(r.no))
		}
		last := int64(0)
		for _, line := range r.lines {
			ev, err := parseLine(line)
			if err != nil || ev.at < last || ev.at > lim.end || ev.cpu != 0 {
				t.Errorf("line %q: %+v, %v", line, ev, err)
			}
			last = ev.at
		}
		r.follow(len(r.lines))
	})
}
