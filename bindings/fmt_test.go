package bindings

import (
	"strings"
	"testing"

	"go.starlark.net/starlark"
)

// pythonFormats holds formats, arguments as expressions, and what Python 3.11's
// str.format makes of them.
var pythonFormats = []struct{ format, args, want string }{
	{`{}`, `5`, `5`},
	{`{:>8}`, `"make"`, `    make`},
	{`{:<8}|`, `"make"`, `make    |`},
	{`{:^8}|`, `"make"`, `  make  |`},
	{`{:*^9}`, `"make"`, `**make***`},
	{`{:8}|`, `5`, `       5|`},
	{`{:8}|`, `"a"`, `a       |`},
	{`{:.1f}`, `12.07`, `12.1`},
	{`{:.0f}`, `2.5`, `2`},
	{`{:f}`, `1.0`, `1.000000`},
	{`{:,}`, `1234567`, `1,234,567`},
	{`{:_}`, `1234567`, `1_234_567`},
	{`{:,.2f}`, `1234567.891`, `1,234,567.89`},
	{`{:+}`, `5`, `+5`},
	{`{:+}`, `-5`, `-5`},
	{`{: }`, `5`, ` 5`},
	{`{:05}`, `42`, `00042`},
	{`{:05}`, `-42`, `-0042`},
	{`{:+06.1f}`, `3.14159`, `+003.1`},
	{`{:x}`, `255`, `ff`},
	{`{:#x}`, `255`, `0xff`},
	{`{:#X}`, `255`, `0XFF`},
	{`{:b}`, `10`, `1010`},
	{`{:#b}`, `-10`, `-0b1010`},
	{`{:o}`, `8`, `10`},
	{`{:#o}`, `8`, `0o10`},
	{`{:c}`, `65`, `A`},
	{`{:e}`, `12345.678`, `1.234568e+04`},
	{`{:.2e}`, `0.00012345`, `1.23e-04`},
	{`{:E}`, `12345.678`, `1.234568E+04`},
	{`{:g}`, `0.0001`, `0.0001`},
	{`{:g}`, `1e-05`, `1e-05`},
	{`{:g}`, `1234567.0`, `1.23457e+06`},
	{`{:g}`, `100000.0`, `100000`},
	{`{:.3g}`, `1234.5`, `1.23e+03`},
	{`{:.3}`, `1234.5`, `1.23e+03`},
	{`{:.3}`, `0.5`, `0.5`},
	{`{:G}`, `1e-10`, `1E-10`},
	{`{:#.3g}`, `1.0`, `1.00`},
	{`{:%}`, `0.125`, `12.500000%`},
	{`{:.1%}`, `0.125`, `12.5%`},
	{`{:.0%}`, `1.0`, `100%`},
	{`{:10.2%}|`, `0.5`, `    50.00%|`},
	{`{:.3}`, `"abcdef"`, `abc`},
	{`{:5.1}|`, `"abc"`, `a    |`},
	{`{:!<6}`, `"ab"`, `ab!!!!`},
	{`{:=+8}`, `42`, `+     42`},
	{`{:0=8}`, `-42`, `-0000042`},
	{`{:0<8}`, `42`, `42000000`},
	{`{:f}`, `float("inf")`, `inf`},
	{`{:F}`, `float("-inf")`, `-INF`},
	{`{:.1f}`, `float("nan")`, `nan`},
	{`{:08.1f}`, `-1.25`, `-00001.2`},
	{`{:010,}`, `1234567`, `01,234,567`},
	{`{:012,.1f}`, `1234.56`, `00,001,234.6`},
	{`{:x}`, `1180591620717411303424`, `400000000000000000`},
	{`{:,}`, `-1180591620717411303424`, `-1,180,591,620,717,411,303,424`},
	{`{:d}`, `5`, `5`},
	{`{:s}`, `"x"`, `x`},
	{`{!s:>4}`, `5`, `   5`},
	{`{:e}`, `5`, `5.000000e+00`},
	{`{:.2f}`, `5`, `5.00`},
	{`{:%}`, `1`, `100.000000%`},
	{`{:g}`, `5`, `5`},
	{`{:_x}`, `4294901760`, `ffff_0000`},
	{`{:_b}`, `1000`, `11_1110_1000`},
	{`{:>{}}`, `"a", 5`, `    a`},
	{`{:{}.{}f}`, `3.14159, 8, 2`, `    3.14`},
	{`{0}{0}`, `5`, `55`},
	{`{1} {0}`, `"a", "b"`, `b a`},
	{`{{}}`, ``, `{}`},
	{`{{{}}}`, `5`, `{5}`},
	{`{:é>5}`, `"a"`, `ééééa`},
	{`{:>5}`, `"漢字"`, `   漢字`},
	{`{:05}`, `"ab"`, `ab000`},
	{`{:0.2f}`, `1.005`, `1.00`},
	{`{:.2f}`, `0.125`, `0.12`},
	{`{:.0e}`, `15000.0`, `2e+04`},
	{`{:-}`, `5`, `5`},
	{`{:<}`, `5`, `5`},
	{`{:g}`, `0.0`, `0`},
	{`{:e}`, `0.0`, `0.000000e+00`},
	{`{:.0f}`, `0.5`, `0`},
	{`{:,}`, `0`, `0`},
	{`{:,}`, `999`, `999`},
	{`{:,}`, `1000`, `1,000`},
	{`{:,}`, `123.456`, `123.456`},
	{`{:.10g}`, `0.1`, `0.1`},
	{`{:.17g}`, `0.1`, `0.10000000000000001`},
	{`{:6.2f}|`, `-0.001`, ` -0.00|`},
	{`{:n}`, `5`, `5`},
}

func evalFmt(t testing.TB, expr string) (string, error) {
	t.Helper()
	v, err := starlark.EvalOptions(fileOptions(), &starlark.Thread{}, "test", expr, registry().env)
	if err != nil {
		return "", err
	}
	return string(v.(starlark.String)), nil
}

func TestFmtIsPython(t *testing.T) {
	for _, test := range pythonFormats {
		expr := "fmt(" + starlark.String(test.format).String() + ", " + test.args + ")"
		if got, err := evalFmt(t, expr); err != nil || got != test.want {
			t.Errorf("%s = %q, %v; want %q", expr, got, err, test.want)
		}
	}
}

// Durations, names, attributes and indexes, and what is wrong with a format.
func TestFmt(t *testing.T) {
	for _, test := range []struct{ expr, want, wantErr string }{
		{expr: `fmt("{} {}", 12070 * us, "x")`, want: "12.07ms x"},
		{expr: `fmt("{:>9}|{:<9}|{:+}", 5 * ms, 5 * ms, 5 * ms)`, want: "      5ms|5ms      |+5ms"},
		{expr: `fmt("{:.1ms} {:.3sec} {:us}", 12070 * us, 12070 * us, 12070 * us)`, want: "12.1ms 0.012sec 12070us"},
		{expr: `fmt("{:.1} {:.0} {:.2}", 12070 * us, 1700 * ms, -1234567 * us)`, want: "12.1ms 2s -1.23s"},
		{expr: `fmt("{:,us} {:08.2ms}", 1 * sec, -1500 * us)`, want: "1,000,000us -01.50ms"},
		{expr: `fmt("{d.ms:.2f} {l[1]} {m[k]} {s.x}", d = 1500 * us, l = [1, 2], m = {"k": 3}, s = struct(x = 4))`, want: "1.50 2 3 4"},
		{expr: `fmt("{0.ms} {0.us}", 1 * ms)`, want: "1.0 1000.0"},
		{expr: `fmt("{:>{w}}", 5, w = 4)`, want: "   5"},
		{expr: `fmt("{} {!r} {}", True, None, [1, "a"])`, want: `True None [1, "a"]`},
		{expr: `fmt("{!r:>6}", "x")`, want: `   "x"`},
		{expr: `fmt("{:>6}|{:6}", True, None)`, want: "  True|None  "},
		{expr: `fmt("{:.1f}", 5 * ms)`, wantErr: "in {:.1f}: the value is the duration 5ms: write {:.1ms}, or pass d.ms"},
		{expr: `fmt("{:q}", 5 * ms)`, wantErr: `unknown for duration`},
		{expr: `fmt("{:d}", 1.5)`, wantErr: "the type d formats ints, and the value is a float: write int(x), or {:.0f}"},
		{expr: `fmt("{:.2f}", "x")`, wantErr: `the type f formats numbers, and the value is string "x"`},
		{expr: `fmt("{:.2d}", 5)`, wantErr: "an int has no precision"},
		{expr: `fmt("{:99999999999999999999}", 5)`, wantErr: "the width 99999999999999999999 is beyond 10000"},
		{expr: `fmt("{:.99999f}", 5)`, wantErr: "the precision 99999 is beyond 10000"},
		{expr: `fmt("{")`, wantErr: "has no }"},
		{expr: `fmt("}")`, wantErr: "a single }"},
		{expr: `fmt("{} {}", 1)`, wantErr: "wants a value for field 1, but there are 1"},
		{expr: `fmt("{} {0}", 1)`, wantErr: "mixes"},
		{expr: `fmt("{name}", nam = 1)`, wantErr: "the field {name} needs an argument name = ... (did you mean nam?)"},
		{expr: `fmt("{0.sc}", 1 * ms)`, wantErr: "duration has no .sc (did you mean sec?)"},
		{expr: `fmt("{0[5]}", [1])`, wantErr: "index 5 is out of range: there are 1 elements"},
		{expr: `fmt("{0[x]}", {"y": 1})`, wantErr: `there is no key "x"`},
		{expr: `fmt("{!z}", 1)`, wantErr: "must be !r or !s"},
		{expr: `fmt("{:{:{}}}", 1, 2, 3)`, wantErr: "nested too deeply"},
	} {
		got, err := evalFmt(t, test.expr)
		switch {
		case test.wantErr == "" && (err != nil || got != test.want):
			t.Errorf("%s = %q, %v; want %q", test.expr, got, err, test.want)
		case test.wantErr != "" && (err == nil || !strings.Contains(err.Error(), test.wantErr)):
			t.Errorf("%s = %q, %v; want the error %q", test.expr, got, err, test.wantErr)
		}
	}
}

// No format makes fmt panic.
func FuzzFmt(f *testing.F) {
	for _, test := range pythonFormats {
		f.Add(test.format)
	}
	for _, s := range []string{"{0[", "{0.}", "{:{}", "{!}", "{:.{}f}", "{:\xff>5}", "{[]}", "{.}", "{0[0]0}", "{:0=,.3e}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, format string) {
		for _, v := range []starlark.Value{
			starlark.MakeInt(-5), starlark.Float(1.5), starlark.String("é"), Duration(-1500), Size(1 << 20),
			starlark.None, starlark.NewList([]starlark.Value{starlark.MakeInt(1)}),
		} {
			fm := &formatter{args: starlark.Tuple{v, starlark.MakeInt(3), starlark.MakeInt(4)}}
			_, _ = fm.format(format, 0)
		}
	})
}
