package bindings

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.starlark.net/starlark"
)

// A spec is what stands after the colon of a replacement field, after
// Python's Format Specification Mini-Language.
type spec struct {
	fill  string // One character; a space by default.
	align byte   // < > ^ = or 0
	sign  byte   // + - space or 0
	alt   bool   // #: write 0x, 0o, 0b.
	width int
	group byte // , or _ or 0
	prec  int  // -1 if not given
	typ   string
}

var specPattern = regexp.MustCompile(`^(?:(.)?([<>^=]))?([-+ ])?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?(.*)$`)

func parseSpec(text string) (spec, error) {
	p := spec{fill: " ", prec: -1}
	m := specPattern.FindStringSubmatch(text)
	if m == nil {
		return p, fmt.Errorf("the spec %s cannot be read", quoteShort(text))
	}
	first := func(s string) byte {
		if s == "" {
			return 0
		}
		return s[0]
	}
	if m[1] != "" {
		p.fill = m[1]
	}
	p.align, p.sign, p.alt, p.group, p.typ = first(m[2]), first(m[3]), m[4] != "", first(m[7]), m[9]
	if m[5] != "" && p.align == 0 {
		p.fill, p.align = "0", '='
	}
	for _, n := range []struct {
		text string
		to   *int
		what string
	}{{m[6], &p.width, "width"}, {m[8], &p.prec, "precision"}} {
		if n.text == "" {
			continue
		}
		v, err := strconv.Atoi(n.text)
		if err != nil || v > maxFormat {
			return p, fmt.Errorf("the %s %s is beyond %d", n.what, n.text, maxFormat)
		}
		*n.to = v
	}
	return p, nil
}

// value formats one value.
func (p spec) value(v starlark.Value) (string, error) {
	switch v := v.(type) {
	case starlark.Int:
		if strings.Contains("eEfFgG%", p.typ) && p.typ != "" {
			f := v.Float()
			return p.float(float64(f))
		}
		return p.integer(v)
	case starlark.Float:
		return p.float(float64(v))
	case Duration:
		return p.duration(v)
	}
	if p.typ != "" && p.typ != "s" {
		if len(p.typ) == 1 && strings.Contains("bcdoxXeEfFgGn%", p.typ) {
			return "", fmt.Errorf("the type %s formats numbers, and the value is %s", p.typ, describe(v))
		}
		return "", p.unknownType(v.Type())
	}
	if p.sign != 0 || p.group != 0 || p.alt {
		return "", fmt.Errorf("sign, # and comma format numbers, and the value is %s", describe(v))
	}
	if p.align == '=' {
		if p.fill != "0" {
			return "", fmt.Errorf("the alignment = formats numbers, and the value is %s", describe(v))
		}
		p.align = '<'
	}
	text := textOf(v)
	if p.prec >= 0 && utf8.RuneCountInString(text) > p.prec {
		text = string([]rune(text)[:p.prec])
	}
	return p.pad("", text, '<'), nil
}

func (p spec) unknownType(typ string) error {
	return fmt.Errorf("the type %s is unknown for %s", quoteShort(p.typ), typ)
}

// integer formats an int of any size.
func (p spec) integer(v starlark.Int) (string, error) {
	if p.prec >= 0 {
		return "", errors.New("an int has no precision: write {:.2f}")
	}
	n := v.BigInt()
	base, prefix, every := 10, "", 3
	switch p.typ {
	case "", "d", "n":
	case "b":
		base, prefix, every = 2, "0b", 4
	case "o":
		base, prefix, every = 8, "0o", 4
	case "x", "X":
		base, prefix, every = 16, "0"+p.typ, 4
	case "c":
		if !n.IsInt64() || n.Sign() < 0 || n.Int64() > utf8.MaxRune {
			return "", fmt.Errorf("%v is not the number of a character", v)
		}
		return p.pad("", string(rune(n.Int64())), '<'), nil
	default:
		return "", p.unknownType("int")
	}
	if p.group == ',' && base != 10 {
		return "", fmt.Errorf("a comma does not go with type %s: write _", p.typ)
	}
	digits := new(big.Int).Abs(n).Text(base)
	if p.typ == "X" {
		digits = strings.ToUpper(digits)
	}
	if !p.alt {
		prefix = ""
	}
	return p.number(n.Sign() < 0, prefix, digits, "", every), nil
}

// float formats a float, or an int as one.
func (p spec) float(f float64) (string, error) {
	neg := math.Signbit(f) && !math.IsNaN(f)
	abs := math.Abs(f)
	prec := p.prec
	if prec < 0 {
		prec = 6
	}
	var s string
	switch p.typ {
	case "f", "F":
		s = strconv.FormatFloat(abs, 'f', prec, 64)
	case "e", "E":
		s = strconv.FormatFloat(abs, 'e', prec, 64)
	case "%":
		s = strconv.FormatFloat(abs*100, 'f', prec, 64) + "%"
	case "g", "G", "n":
		s = general(abs, max(prec, 1), p.alt)
	case "":
		if p.prec < 0 {
			s = starlark.Float(abs).String()
		} else {
			s = general(abs, max(prec, 1), p.alt)
		}
	case "d", "x", "X", "b", "o", "c":
		return "", fmt.Errorf("the type %s formats ints, and the value is a float: write int(x), or {:.0f}", p.typ)
	default:
		return "", p.unknownType("float")
	}
	if math.IsInf(f, 0) || math.IsNaN(f) {
		s = strings.ToLower(strings.TrimPrefix(s, "+"))
		if p.fill == "0" && p.align == '=' {
			p.fill = " "
		}
	}
	if p.typ == "E" || p.typ == "G" || p.typ == "F" {
		s = strings.ToUpper(s)
	}
	end := strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(s)
	}
	return p.number(neg, "", s[:end], s[end:], 3), nil
}

// general formats as Python's g does: prec significant digits, with an
// exponent where the number is very small or large, and without trailing
// zeros unless keep is set.
func general(f float64, prec int, keep bool) string {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	e := strconv.FormatFloat(f, 'e', prec-1, 64)
	mant, expText, _ := strings.Cut(e, "e")
	exp, _ := strconv.Atoi(expText)
	s, tail := mant, "e"+expText
	if exp >= -4 && exp < prec {
		s, tail = strconv.FormatFloat(f, 'f', prec-1-exp, 64), ""
	}
	if !keep && strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s + tail
}

// duration formats a duration in a unit: {:.1ms}. Without a unit it prints the
// natural one, {:.1}, and {:>10} pads the exact text.
func (p spec) duration(d Duration) (string, error) {
	unit, name := d.naturalUnit(), p.typ
	switch {
	case p.typ == "" || p.typ == "s":
		// "s" is Python's type of strings, and formats the text.
		if p.prec < 0 {
			s := d.String()
			s, neg := strings.CutPrefix(s, "-")
			return p.number(neg, "", "", s, 0), nil
		}
		name = d.String()
		name = strings.TrimLeft(name, "-0123456789.")
	default:
		u, ok := durationUnit(p.typ)
		if !ok {
			if len(p.typ) == 1 && strings.Contains("bcdoxXeEfFgGn%", p.typ) {
				return "", fmt.Errorf("the value is the duration %v: write {:.1ms}, or pass d.ms", d)
			}
			return "", p.unknownType("duration")
		}
		unit = u
	}
	prec := p.prec
	var num string
	if prec < 0 {
		num = strconv.FormatFloat(float64(magnitude(int64(d)))/float64(unit), 'f', -1, 64)
	} else {
		r := new(big.Rat).SetFrac(new(big.Int).SetUint64(magnitude(int64(d))), big.NewInt(unit))
		num = r.FloatString(prec)
	}
	whole, frac, _ := strings.Cut(num, ".")
	if frac != "" {
		frac = "." + frac
	}
	return p.number(d < 0, "", whole, frac+name, 3), nil
}

// number puts sign, digit groups and padding to the parts of a number.
func (p spec) number(neg bool, prefix, digits, tail string, every int) string {
	sign := ""
	switch {
	case neg:
		sign = "-"
	case p.sign == '+' || p.sign == ' ':
		sign = string(p.sign)
	}
	if p.group != 0 && digits != "" {
		if p.fill == "0" && p.align == '=' {
			// Python groups the padding zeros too.
			room := p.width - len(sign) - len(prefix) - len(tail)
			for len(digits)+(len(digits)-1)/every < room {
				digits = "0" + digits
			}
		}
		digits = grouped(digits, p.group, every)
	}
	return p.pad(sign+prefix, digits+tail, '>')
}

// grouped puts sep between groups of digits, counted from the right.
func grouped(digits string, sep byte, every int) string {
	b := &strings.Builder{}
	for i := range len(digits) {
		if i > 0 && (len(digits)-i)%every == 0 {
			b.WriteByte(sep)
		}
		b.WriteByte(digits[i])
	}
	return b.String()
}

// pad brings sign and text to the width. The default alignment is that of the
// value's type.
func (p spec) pad(sign, text string, align byte) string {
	n := p.width - utf8.RuneCountInString(sign) - utf8.RuneCountInString(text)
	if p.align != 0 {
		align = p.align
	}
	if n <= 0 {
		return sign + text
	}
	switch align {
	case '<':
		return sign + text + strings.Repeat(p.fill, n)
	case '^':
		return strings.Repeat(p.fill, n/2) + sign + text + strings.Repeat(p.fill, n-n/2)
	case '=':
		return sign + strings.Repeat(p.fill, n) + text
	}
	return strings.Repeat(p.fill, n) + sign + text
}
