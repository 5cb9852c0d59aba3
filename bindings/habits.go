package bindings

import (
	"regexp"
	"strings"
	"sync"
)

// A habit is something that Python programmers write and Starlark does not
// have. Both patterns must match; an empty one always does.
type habit struct {
	msg  string // A regular expression over the message of the parser.
	line string // A regular expression over the source line, with the texts of its strings blanked out.
	hint string // What to write instead.
}

// syntaxHabits are tried in order.
var syntaxHabits = []habit{
	{`got string literal`, `\b[fF][rR]?["']|\b[rR][fF]["']`, `Starlark has no f-strings: write fmt("{:.1f} ms", x) or "{} ms".format(x)`},
	{`got string literal`, `\bprint\s+["']`, `print is a function: write print("...")`},
	{`got string literal`, `["']\s*["']`, `strings beside each other are not joined: put a + between them`},
	{`got string literal`, `\b[uU]["']`, `strings need no u before them: every string is Unicode`},
	{`got (try|except|finally)\b`, ``, `Starlark has no exceptions: test before you act; for refusals of the kernel, m.try_write(path, text) returns the errno name; in tests write assert.fails(fn, "pattern")`},
	{`got raise\b`, ``, `Starlark has no exceptions: write fail("message") to stop the script, check(cond, "message") to note a failure and go on`},
	{`got class\b`, ``, `Starlark has no classes: write struct(a = 1, b = 2) for a record, and functions that take it`},
	{`got (import|from)\b`, ``, `Starlark has no imports: write load("@stdlib//desktop.star", "make_j") or load("./helpers.star", "name"); math, json and stats are there without it`},
	{`got '\*\*'`, ``, `Starlark has no ** operator: write math.pow(x, y), or 1 << n for a power of two`},
	{`got is\b`, ``, `Starlark has no "is": write == or !=, as in x == None`},
	{`got (global|nonlocal)\b`, ``, `a function cannot assign to a variable outside of it: return the new value, or keep it in a dict, state = {"n": 0}, and write state["n"] += 1`},
	{`got with\b`, ``, `Starlark has no "with": scripts open no files; saving is x.save("name")`},
	{`got (yield|async|await)\b`, ``, `Starlark has no generators or coroutines: collect the values in a list and return it`},
	{`got del\b`, ``, `Starlark has no "del": write d.pop("key") or list.pop(index)`},
	{`got (as)\b`, ``, `Starlark has no "as": a load statement renames with load("f.star", mine = "theirs")`},
	{`got for\b`, `\(`, `Starlark has no generator expressions: put brackets around it, as in sum([x for x in list])`},
	{`got else\b`, `^\s*else\s*:`, `a loop has no else branch in Starlark, and an else must stand below its if`},
	{`does not associate`, ``, `comparisons do not chain in Starlark: write a < b and b < c`},
	{``, `^\s*assert\s+[^.(\s]`, `assert is a module, not a statement: write assert.true(cond, "message") in tests, check(cond, "message") in experiments`},
	{``, `:=`, `Starlark has no := operator: assign on a line of its own`},
	{`got '->'|got '-'|got '>'`, `\bdef\b.*->`, `Starlark has no type annotations: write def f(a, b):`},
	{`got ':'`, `\bdef\s+\w+\s*\(`, `Starlark has no type annotations: write def f(a, b):`},
	{`got ':', want newline`, `^\s*\w+\s*:`, `Starlark has no type annotations: write x = 5`},
	{`got ','`, `\{`, `Starlark has no set braces: write set([1, 2])`},
	{`got '}'`, `\{`, `Starlark has no set braces: write set([1, 2])`},
	{`got identifier`, `\b[0-9]+_[0-9]`, `numbers have no underscores in Starlark: write 1000000 or 1 * ms`},
	{`got identifier`, `\b[0-9][0-9.]*\s*(ns|us|ms|sec|s|KiB|MiB|GiB)\b`, `a number and its unit need a * between them: write 5 * ms`},
	{`got identifier`, `^\s*match\b`, `Starlark has no match statement: write if and elif`},
	{`got (identifier|int literal|float literal)`, `^\s*print\s`, `print is a function: write print(x)`},
	{`character '@'`, ``, `Starlark has no decorators: call the function, f = decorate(f)`},
	{`character '!'`, ``, `write "not x" and "x != y"`},
	{`character '\?'`, ``, `write "a if condition else b"`},
	{`got '&'`, `&&`, `write "and"`},
	{`got '\|'`, `\|\|`, `write "or"`},
	{`got '>'`, `<>`, `write !=`},
	{`got '\*'`, `^[^(]*,\s*\*`, `Starlark has no starred assignment: write a, rest = list[0], list[1:]`},
	{`without else clause`, ``, `write "a if condition else b": the else part is needed`},
	{`got '=', want ':'`, ``, `write == to compare`},
	{`primary expression`, `\+\+|--`, `Starlark has no ++ and --: write x += 1`},
	{`got '=', want newline`, `=.*[^=!<>]=[^=]`, `Starlark assigns one value at a time: write a = x and b = x on two lines`},
	{`got '\.'`, `\.\.\.`, `write pass for an empty block`},
	{`got newline, want ':'`, ``, `a line that opens a block needs a : at its end`},
	{`want indent`, ``, `the block after a : must be indented`},
	{`got indent`, ``, `the line is indented, but the line before does not open a block`},
}

// runtimeHabits are tried in order over the message of a failed evaluation and
// the line where it failed.
var runtimeHabits = []habit{
	{`referenced before assignment`, ``, `a function that assigns to a name has a variable of its own by that name. To change a variable outside of it, return the new value, or keep it in a dict, state = {"n": 0}, and write state["n"] += 1`},
	{`format spec features not supported`, ``, `write fmt("{:.2f}", x): it formats as Python does`},
	{`^unknown conversion %`, ``, `the % operator knows no width and precision: write fmt("{:.2f}", x)`},
	{`^string value is not iterable`, ``, `write s.elems() for the characters of a string`},
	{`cannot (append|insert|remove|clear|extend|delete|pop|assign|insert into) .*during iteration`, ``, `change a copy: for x in list(xs): ...`},
	{`frozen`, ``, `what a finished file or a default argument holds cannot change any more: make a copy, list(x) or dict(x), or keep counts in m.state`},
	{`^unknown binary op: (int|float) \+ string|^unknown binary op: string \+ (int|float|duration)`, ``, `write str(x) to join a value to a string, or fmt("{} {}", a, b)`},
	{`^list has no \.sum `, ``, `write sum(list)`},
	{`^list has no \.(sort|reverse) `, ``, `write sorted(list) or sorted(list, reverse = True): they make a new list`},
	{`^dict has no \.(iteritems|iterkeys|itervalues|has_key) `, ``, `write d.items(), d.keys(), d.values(), or "key in d"`},
	{`^dict has no \.`, ``, `write d["key"] for an entry; struct(key = 1) makes a record with .key`},
	{`^(duration|size) (<|<=|>|>=) (int|float) not|^(int|float) (<|<=|>|>=) (duration|size) not`, ``, `give the number a unit, as in t < 5 * ms, or compare t.ms with it`},
	{`^unknown binary op: duration \* string|^unknown binary op: string \* duration`, ``, `a string with a unit is a duration only as an argument: write 5 * ms here`},
	{`^unknown binary op: string [-/<] `, ``, `a string such as "5ms" is a duration only as an argument: write 5 * ms to calculate`},
}

// absentNames are names that Python programmers expect and Starlark lacks.
var absentNames = map[string]string{
	"true": "write True", "false": "write False",
	"null": "write None", "nil": "write None",
	"isinstance": `write type(x) == "int"`,
	"issubclass": `write type(x) == "int"`,
	"open":       `scripts open no files: load("./x.star", ...) reads code, x.save("name") writes`,
	"input":      `write param("name", default): the command line sets it with -p name=value`,
	"random":     "there is no random module: draw from dist, whose streams grow from the seed of the run",
	"time":       "there is no wall clock: m.now is the time of the machine",
	"datetime":   "there is no wall clock: m.now is the time of the machine",
	"pow":        "write math.pow(x, y)",
	"divmod":     "write x // y and x % y",
	"map":        "write [f(x) for x in list]",
	"filter":     "write [x for x in list if condition]",
	"reduce":     "write a loop",
	"iter":       "write a for loop",
	"next":       "write list[0], or a for loop",
	"object":     "Starlark has no classes: write struct(a = 1)",
	"super":      "Starlark has no classes: write struct(a = 1)",
	"property":   "Starlark has no classes: write struct(a = 1)",
	"namedtuple": "write struct(a = 1)",
	"exec":       `write load("./x.star", "name")`,
	"eval":       "Starlark evaluates no text",
	"exit":       `write fail("message") to stop the script with an error`,
	"quit":       `write fail("message") to stop the script with an error`,
	"os":         "scripts see no operating system but the simulated one: m.read, m.write, m.ls",
	"sys":        `write param("name", default) for arguments of the command line`,
	"np":         "there is no numpy: see the modules stats and math",
	"numpy":      "there is no numpy: see the modules stats and math",
	"pd":         "there is no pandas: see table",
	"plt":        "there is no matplotlib: see plot",
	"format":     `write fmt("{:.1f}", x)`,
	"frozenset":  "write set([1, 2])",
	"Exception":  `write fail("message")`,
	"s":          "the unit of seconds is sec: write 5 * sec",
	"second":     "the unit of seconds is sec: write 5 * sec",
	"seconds":    "the unit of seconds is sec: write 5 * sec",
	"KB":         "write 64 * KiB", "MB": "write 64 * MiB", "GB": "write 64 * GiB",
}

// compiledHabits are the patterns of both tables, compiled on first use.
var compiledHabits struct {
	once            sync.Once
	syntax, runtime [][2]*regexp.Regexp
}

func findHabit(runtime bool, msg, line string) string {
	compiledHabits.once.Do(func() {
		compile := func(table []habit) (out [][2]*regexp.Regexp) {
			for _, h := range table {
				out = append(out, [2]*regexp.Regexp{regexp.MustCompile(h.msg), regexp.MustCompile(h.line)})
			}
			return out
		}
		compiledHabits.syntax, compiledHabits.runtime = compile(syntaxHabits), compile(runtimeHabits)
	})
	table, res := syntaxHabits, compiledHabits.syntax
	if runtime {
		table, res = runtimeHabits, compiledHabits.runtime
	}
	line = blankStrings(line)
	for i, re := range res {
		if re[0].MatchString(msg) && re[1].MatchString(line) {
			return table[i].hint
		}
	}
	return ""
}

// blankStrings replaces the text inside of string literals by spaces and cuts
// a comment, so that patterns see code only. It looks at one line.
func blankStrings(line string) string {
	out := []byte(line)
	var quote byte
	for i := 0; i < len(out); i++ {
		switch c := out[i]; {
		case quote == 0 && c == '#':
			return string(out[:i])
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case quote != 0 && c == '\\' && i+1 < len(out):
			out[i], out[i+1] = ' ', ' '
			i++
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			out[i] = ' '
		}
	}
	return string(out)
}

// parserWords turns the parser's message into the user's words.
func parserWords(msg string) string {
	msg = strings.ReplaceAll(msg, "want primary expression", "want an expression")
	msg = strings.ReplaceAll(msg, "got newline", "the line ends")
	return strings.ReplaceAll(msg, "got end of file", "the text ends")
}
