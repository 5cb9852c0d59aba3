package bindings

import (
	"fmt"
	"io/fs"
	"strings"
)

// Stubs is a Python stub of all that a script can use, for editors that read
// such: each function with its types, defaults and description, and each type
// as a class with a name that begins with an underscore, which tells it from the
// names of the language. The functions of the standard library lib
// (nil has none) are there as if they had been loaded.
//
// The types are what a type checker can know: where the type of a result
// depends on the values, it is Any or a union.
func (r *Registry) Stubs(lib fs.FS) (string, error) {
	files, err := libFiles(lib)
	if err != nil {
		return "", err
	}
	s := &stub{reg: r}
	s.put("%s", stubHead)
	for _, t := range r.sortedTopics(true) {
		s.class(t)
	}
	for _, t := range r.sortedTopics(false) {
		s.module(t)
	}
	for _, b := range r.topLevel() {
		if t := r.topics[b.Name]; t == nil || !t.Type {
			s.builtin(b, "", false)
		}
	}
	for _, f := range files {
		s.put("\n# load(\"%s%s\", ...)\n", stdPrefix, f.name)
		for i := range f.funcs {
			s.libFunc(&f.funcs[i])
		}
	}
	return s.w.String(), s.err
}

// stubHead opens the stub. What it imports is not visible in scripts: a stub
// passes on only names that are imported as themselves.
const stubHead = `"""What a script of schedrepl can use, for editors. Made by

    go run ./cmd/schedrepl doc --stubs > bindings/stubs/__builtins__.pyi

The names of classes that begin with an underscore are types that a script meets
but cannot name.
"""

from typing import Any, Callable, Iterable, Iterator, Literal, NoReturn, Sequence, TypeVar, overload

_T = TypeVar("_T")
_Q = TypeVar("_Q", bound=_Quantity)

def load(module: str, *names: str, **renamed: str) -> None:
    """Takes names from another script: load("@stdlib//desktop.star", "make_j").

    It is a statement of the language, which stands at the top level.
    """

def fail(*args: Any, sep: str = " ") -> NoReturn:
    """Stops the script with an error."""

def type(x: Any, /) -> str:
    """The name of a value's type, as a string: "int", "duration", "task"."""

class _Quantity:
    """A number with a unit."""

    def __add__(self: _Q, other: _Q, /) -> _Q: ...
    def __radd__(self: _Q, other: _Q, /) -> _Q: ...
    def __sub__(self: _Q, other: _Q, /) -> _Q: ...
    def __mul__(self: _Q, factor: float, /) -> _Q: ...
    def __rmul__(self: _Q, factor: float, /) -> _Q: ...
    @overload
    def __truediv__(self: _Q, other: _Q, /) -> float: ...
    @overload
    def __truediv__(self: _Q, divisor: float, /) -> _Q: ...
    @overload
    def __floordiv__(self: _Q, other: _Q, /) -> int: ...
    @overload
    def __floordiv__(self: _Q, divisor: float, /) -> _Q: ...
    def __mod__(self: _Q, other: _Q, /) -> _Q: ...
    def __neg__(self: _Q) -> _Q: ...
    def __pos__(self: _Q) -> _Q: ...
    def __lt__(self: _Q, other: _Q, /) -> bool: ...
    def __le__(self: _Q, other: _Q, /) -> bool: ...
    def __gt__(self: _Q, other: _Q, /) -> bool: ...
    def __ge__(self: _Q, other: _Q, /) -> bool: ...

class _Step:
    """A step of a program."""

class _Struct:
    """A record: its fields are read with a dot."""

    def __getattr__(self, name: str, /) -> Any: ...
`

// stubBases are the classes that a class of the stub is made of.
var stubBases = map[string]string{"duration": "_Quantity", "size": "_Quantity"}

// stubOperators are what a type can do besides its members.
var stubOperators = map[string][]string{
	"cgroup": {
		"def __getitem__(self, file: str, /) -> str: ...",
		"def __setitem__(self, file: str, text: str | int, /) -> None: ...",
		"def __contains__(self, file: str, /) -> bool: ...",
	},
	"counters": {
		"def __getitem__(self, event: str, /) -> int: ...",
		"def __contains__(self, event: str, /) -> bool: ...",
		"def __len__(self) -> int: ...",
		"def __iter__(self) -> Iterator[str]: ...",
	},
	"groups": {
		"def __getitem__(self, i: int, /) -> tuple[Any, _Table]: ...",
		"def __len__(self) -> int: ...",
		"def __iter__(self) -> Iterator[tuple[Any, _Table]]: ...",
	},
	"histogram": {
		"def __add__(self, other: _Histogram | _Samples, /) -> _Histogram: ...",
		"def __radd__(self, other: _Samples, /) -> _Histogram: ...",
	},
	"samples": {
		"def __getitem__(self, i: int, /) -> Any: ...",
		"def __len__(self) -> int: ...",
		"def __iter__(self) -> Iterator[Any]: ...",
	},
	"table": {
		"@overload",
		"def __getitem__(self, column: str, /) -> list[Any]: ...",
		"@overload",
		"def __getitem__(self, row: int, /) -> Any: ...",
		"def __add__(self, other: _Table, /) -> _Table: ...",
		"def __len__(self) -> int: ...",
		"def __iter__(self) -> Iterator[Any]: ...",
	},
}

// stubKinds are the types of parameters and results that are not a type of the
// registry, as Python writes them. Where a parameter takes more than a result
// can be, stubArgs says so.
var stubKinds = map[string]string{
	"any": "Any", "None": "None", "bool": "bool", "string": "str", "int": "int", "float": "float",
	"callable": "Callable[..., Any]", "dict": "dict[Any, Any]", "iterable": "Iterable[Any]",
	"range": "Sequence[int]", "step": "_Step", "struct": "_Struct", "tuple of two": "tuple[Any, Any]",
}

var stubArgs = map[string]string{
	"duration": "_Duration | str", "size": "_Size | str", "costs": "_CostTable", "topology": "_Topology | str",
	"cpus": "str | int | Iterable[int]", "moment": "str | _Duration",
	"tasks":   "_Task | Iterable[_Task] | str | _Cgroup",
	"program": "_Program | _Step | Iterable[Any]", "steps": "_Step | Iterable[Any]",
}

// stubSame are functions whose result has the type of an argument.
var stubSame = map[string]string{"param": "default", "abs": "x", "round": "x"}

// pythonWords are the words of Python that Starlark leaves to names.
var pythonWords = []string{
	"assert", "async", "await", "class", "del", "except", "finally", "from", "global", "import", "is",
	"nonlocal", "raise", "try", "with", "yield",
}

type stub struct {
	reg *Registry
	w   strings.Builder
	err error // The first type that has no Python.
}

func (s *stub) put(format string, args ...any) { fmt.Fprintf(&s.w, format, args...) }

// className is the name of a type's class: "cost_table" is _CostTable.
func className(typ string) string {
	out := "_"
	for part := range strings.SplitSeq(typ, "_") {
		out += strings.ToUpper(part[:1]) + part[1:]
	}
	return out
}

// class writes a type. One that is made by its name, as machine, has that name
// besides.
func (s *stub) class(t *Topic) {
	name := className(t.Name)
	maker := s.reg.names[t.Name]
	base := stubBases[t.Name]
	if base != "" {
		base = "(" + base + ")"
	}
	s.put("\nclass %s%s:\n%s", name, base, docstring("    ", t.Doc))
	for _, b := range s.reg.entries(t) {
		s.builtin(b, "    ", true)
	}
	if ops := stubOperators[t.Name]; len(ops) > 0 {
		s.put("\n")
		for _, op := range ops {
			s.put("    %s\n", op)
		}
	}
	if maker != nil {
		s.builtin(maker, "", false)
	}
}

// module writes a module as the one value of a class.
func (s *stub) module(t *Topic) {
	name := className(t.Name) + "Module"
	s.put("\nclass %s:\n%s", name, docstring("    ", t.Doc))
	for _, b := range s.reg.entries(t) {
		s.builtin(b, "    ", true)
	}
	if contains(pythonWords, t.Name) {
		s.put("\n# %s is a keyword of Python: %s cannot be declared.\n", t.Name, t.Name)
		return
	}
	s.put("\n%s: %s\n%s", t.Name, name, docstring("", t.Doc))
}

// builtin writes a function, method, attribute or constant.
func (s *stub) builtin(b *Builtin, indent string, self bool) {
	name := b.Name[strings.LastIndex(b.Name, ".")+1:]
	doc := b.Doc
	for i := range b.Params {
		if i == 0 {
			doc += "\n\nArgs:"
		}
		p := &b.Params[i]
		doc += fmt.Sprintf("\n  %s: %s", p.Name, p.Doc)
		if p.Unit != "" {
			doc += " In " + p.Unit + "."
		}
		if p.Min != "" {
			doc += " At least " + p.Min + "."
		}
	}
	if b.Example != "" && !b.Attr {
		doc += "\n\nExample:\n" + indented("  ", b.Example)
	}
	result := "None"
	if b.Result != "" {
		result = s.python(b, b.Result, false)
	}
	if b.Attr {
		s.put("\n%s@property\n%sdef %s(self) -> %s:\n%s", indent, indent, name, result, docstring(indent+"    ", doc))
		return
	}
	if !b.isFunc() {
		s.put("\n%s%s: %s\n%s", indent, name, result, docstring(indent, doc))
		return
	}
	var params []string
	if self {
		params = append(params, "self")
	}
	star := false
	for i := range b.Params {
		p := &b.Params[i]
		if strings.HasPrefix(p.Name, "*") {
			star = true
		} else if p.KwOnly && !star {
			star = true
			params = append(params, "*")
		}
		text := p.Name + ": " + s.paramType(b, p)
		switch {
		case p.Default != "":
			text += " = " + p.Default
		case p.Optional:
			text += " = ..."
		}
		params = append(params, text)
	}
	if stubSame[b.Name] != "" && b.Recv == "" {
		result = "_T"
	}
	s.put("\n%sdef %s(%s) -> %s:\n%s", indent, name, strings.Join(params, ", "), result, docstring(indent+"    ", doc))
}

// paramType is the Python type of a parameter.
func (s *stub) paramType(b *Builtin, p *Param) string {
	if b.Recv == "" && stubSame[b.Name] == p.Name {
		return "_T"
	}
	if len(p.Choices) > 0 {
		var all []string
		for _, c := range p.Choices {
			all = append(all, fmt.Sprintf("%q", c))
		}
		text := "Literal[" + strings.Join(all, ", ") + "]"
		if rest, ok := strings.CutPrefix(p.Type, "string | "); ok {
			return text + " | " + s.python(b, rest, true)
		} else if p.Type == "string" {
			return text
		}
	}
	text := s.python(b, p.Type, true)
	if p.Default == "None" && !strings.Contains(text, "None") && text != "Any" {
		text += " | None"
	}
	return text
}

// python is a type of the registry in Python, for a parameter or a result.
func (s *stub) python(b *Builtin, typ string, param bool) string {
	var out []string
	for part := range strings.SplitSeq(typ, " | ") {
		name, list := strings.CutPrefix(part, "list of ")
		text := stubKinds[name]
		if param && stubArgs[name] != "" {
			text = stubArgs[name]
		}
		if t := s.reg.topics[name]; text == "" && t != nil && t.Type {
			text = className(name)
		}
		if text == "" && s.err == nil {
			s.err = fmt.Errorf("%s: type %q has no form in Python (see stubKinds)", b.FullName(), name)
		}
		switch {
		case list && param:
			text = "Iterable[" + text + "]"
		case list:
			text = "list[" + text + "]"
		}
		if !contains(out, text) {
			out = append(out, text)
		}
	}
	if contains(out, "Any") {
		return "Any"
	}
	return strings.Join(out, " | ")
}

// libFunc writes a function of the standard library; its types are not known.
func (s *stub) libFunc(f *libFunc) {
	var params []string
	for _, p := range f.params {
		switch {
		case p.name == "*":
			params = append(params, p.name)
		case p.def != "":
			params = append(params, p.name+": Any = "+p.def)
		default:
			params = append(params, p.name+": Any")
		}
	}
	s.put("\ndef %s(%s) -> Any:\n%s", f.name, strings.Join(params, ", "), docstring("    ", f.doc))
}

// docstring is text as a docstring on lines of its own.
func docstring(indent, text string) string {
	w := &strings.Builder{}
	text = strings.ReplaceAll(strings.ReplaceAll(text, `\`, `\\`), `"""`, `\"\"\"`)
	for i, line := range strings.Split(text, "\n") {
		switch {
		case i == 0:
			w.WriteString(indent + `"""` + line)
		case line == "":
			w.WriteString("\n")
		default:
			w.WriteString("\n" + indent + line)
		}
	}
	if strings.Contains(text, "\n") {
		w.WriteString("\n" + indent + "\"\"\"\n")
	} else if strings.HasSuffix(text, `"`) {
		w.WriteString(" \"\"\"\n")
	} else {
		w.WriteString("\"\"\"\n")
	}
	return w.String()
}

// indented puts an indent before each line.
func indented(indent, text string) string {
	return indent + strings.ReplaceAll(text, "\n", "\n"+indent)
}
