package cgroup

import (
	"errors"
	"strconv"
	"strings"
)

// ParseInt reads a whole number as control files do: blanks around it are
// passed over; "0x" begins a hexadecimal and "0" an octal number. errno is
// "EINVAL" for a text that is no number, "ERANGE" for one that does not fit
// 64 bits, else empty (lib/kstrtox.c).
func ParseInt(text string) (v int64, errno string) {
	digits := strings.TrimSpace(text)
	neg := false
	if rest, ok := strings.CutPrefix(digits, "-"); ok {
		digits, neg = rest, true
	} else {
		digits = strings.TrimPrefix(digits, "+")
	}
	base := 10
	switch {
	case len(digits) > 2 && (digits[:2] == "0x" || digits[:2] == "0X"):
		digits, base = digits[2:], 16
	case len(digits) > 1 && digits[0] == '0':
		digits, base = digits[1:], 8
	}
	if digits == "" || digits[0] == '-' || digits[0] == '+' {
		return 0, "EINVAL"
	}
	if neg {
		digits = "-" + digits
	}
	v, err := strconv.ParseInt(digits, base, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, "ERANGE"
	case err != nil:
		return 0, "EINVAL"
	}
	return v, ""
}

// number reads what was written to path, which must lie between lo and hi:
// EINVAL for what is no number, ERANGE outside.
func number(path, text string, lo, hi int64) (int64, *Error) {
	v, errno := ParseInt(text)
	if errno == "EINVAL" {
		return 0, Errorf(errno, path, "%s is not a whole number; write one from %d to %d", quote(text), lo, hi)
	}
	if errno != "" || v < lo || v > hi {
		return 0, Errorf("ERANGE", path, "%s is outside %d to %d", quote(strings.TrimSpace(text)), lo, hi)
	}
	return v, nil
}
