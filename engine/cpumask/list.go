package cpumask

import (
	"fmt"
	"strconv"
	"strings"
)

// String writes s as a cpulist: ascending numbers and ranges of two or more CPUs,
// joined by commas, as Linux prints them ("0-3,8,10-11"). The empty set is "".
func (s Set) String() string {
	var b []byte
	for lo := s.First(); lo >= 0; {
		hi := lo
		for s.Has(hi + 1) {
			hi++
		}
		if len(b) > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(lo), 10)
		if hi > lo {
			b = append(b, '-')
			b = strconv.AppendInt(b, int64(hi), 10)
		}
		lo = s.Next(hi)
	}
	return string(b)
}

// Parse reads a cpulist, the format of cpuset.cpus, taskset -c and isolcpus
// (Linux Documentation/admin-guide/kernel-parameters.rst, "cpu lists"):
//
//	list  = [ part { "," part } ]
//	part  = cpu | cpu "-" cpu | cpu "-" cpu ":" used "/" group
//
// A part "0-31:2/4" takes the first 2 CPUs of each 4, counted from the start of
// the range: 0,1,4,5,8,9 and so on to 31. Blanks and newlines around parts and
// empty parts between commas are passed over, so what a shell writes with a
// trailing newline is read; an empty text is the empty set. Parts may overlap
// and come in any order. An error names the part and says what is allowed.
func Parse(text string) (Set, error) {
	var s Set
	for part := range strings.SplitSeq(text, ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		if err := s.addPart(part); err != nil {
			return nil, fmt.Errorf("parse cpu list %s: %q: %w", quote(text), part, err)
		}
	}
	return s, nil
}

// MustParse is Parse for texts in the program itself: it panics on an error.
func MustParse(text string) Set {
	s, err := Parse(text)
	if err != nil {
		panic("sched: " + err.Error())
	}
	return s
}

// quote keeps an error to a line when the text of a control file is long.
func quote(text string) string {
	const most = 60
	if len(text) > most {
		return strconv.Quote(text[:most]) + "..."
	}
	return strconv.Quote(text)
}

// addPart adds the CPUs of one part between commas.
func (s *Set) addPart(part string) error {
	span, groups, grouped := strings.Cut(part, ":")
	first, last, isRange := strings.Cut(span, "-")
	lo, err := parseCPU(first)
	if err != nil {
		return err
	}
	hi := lo
	if isRange {
		if hi, err = parseCPU(last); err != nil {
			return err
		}
		if hi < lo {
			return fmt.Errorf("range ends before it starts; write %d-%d", hi, lo)
		}
	}
	used, group := 1, 1
	if grouped {
		if !isRange {
			return fmt.Errorf("a group needs a range before the colon, like %d-%d:%s", lo, lo+31, groups)
		}
		if used, group, err = parseGroup(groups); err != nil {
			return err
		}
	}
	for at := lo; at <= hi; at += group {
		*s = s.Or(Range(at, min(at+used-1, hi)))
		if group > hi-at { // Also where at+group would overflow.
			break
		}
	}
	return nil
}

// parseCPU reads one CPU number.
func parseCPU(text string) (int, error) {
	n, err := parseNumber(text)
	if err != nil {
		return 0, err
	}
	if n >= MaxCPUs {
		return 0, fmt.Errorf("%s", noSuchCPU(n))
	}
	return n, nil
}

// parseGroup reads the "2/4" of a grouped range.
func parseGroup(text string) (used, group int, err error) {
	a, b, ok := strings.Cut(text, "/")
	if !ok {
		return 0, 0, fmt.Errorf("group %q has no slash; write used/group, like 2/4", text)
	}
	if used, err = parseNumber(a); err != nil {
		return 0, 0, err
	}
	if group, err = parseNumber(b); err != nil {
		return 0, 0, err
	}
	if used < 1 || used > group {
		return 0, 0, fmt.Errorf("group %q takes %d of each %d; take at least 1 and at most %d", text, used, group, max(group, 1))
	}
	return used, group, nil
}

// parseNumber reads digits and nothing else: a sign or blanks inside are errors.
func parseNumber(text string) (int, error) {
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, fmt.Errorf("%q is no number; write a list like 0-3,8", text)
		}
	}
	if text == "" {
		return 0, fmt.Errorf("a number is missing; write a list like 0-3,8")
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return 0, fmt.Errorf("number %s is too large; CPUs are 0 to %d", text, MaxCPUs-1)
	}
	return int(n), nil
}

func noSuchCPU(cpu int) string {
	return fmt.Sprintf("no CPU %d; CPUs are 0 to %d", cpu, MaxCPUs-1)
}
