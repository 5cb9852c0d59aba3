package bindings

import (
	"go.starlark.net/lib/json"
	"go.starlark.net/lib/math"
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// moduleTable describes what comes from the library of Starlark itself.
func moduleTable() Table {
	t := Table{
		Topics: []Topic{
			{Name: "math", Doc: "Functions on bare numbers, as in Python's math. Durations and sizes go in as d.ms or s.bytes."},
			{Name: "json", Doc: "Text in JSON to values and back. Durations and sizes become strings such as \"5ms\"."},
		},
		Builtins: []Builtin{
			{
				Name: "struct", Result: "struct",
				Params:  []Param{{Name: "**kwargs", Type: "any", Doc: "The fields."}},
				Doc:     "Makes a record with the given fields, which are read with a dot.",
				Example: "p = struct(name = \"web\", delay = 5 * ms)\nprint(p.name, p.delay)  # web 5ms",
				Value:   starlark.NewBuiltin("struct", starlarkstruct.Make),
			},
			{
				Name: "json.encode", Result: "string",
				Params:  []Param{{Name: "x", Type: "any", Doc: "None, a bool, number, string, duration, list, dict or struct."}},
				Doc:     "Writes a value as JSON, with the keys of dicts sorted.",
				Example: "print(json.encode({\"delay\": 5 * ms, \"n\": 3}))  # {\"delay\":\"5ms\",\"n\":3}",
				Value:   json.Module.Members["encode"],
			},
			{
				Name: "json.encode_indent", Result: "string",
				Params: []Param{
					{Name: "x", Type: "any", Doc: "The value."},
					{Name: "prefix", Type: "string", Default: `""`, KwOnly: true, Doc: "What each line begins with."},
					{Name: "indent", Type: "string", Default: `"\t"`, KwOnly: true, Doc: "What each level is indented by."},
				},
				Doc:     "Writes a value as JSON on indented lines.",
				Example: "print(json.encode_indent([1, 2], indent = \"  \"))",
				Value:   json.Module.Members["encode_indent"],
			},
			{
				Name: "json.decode", Result: "any",
				Params: []Param{
					{Name: "x", Type: "string", Doc: "The text."},
					{Name: "default", Type: "any", Optional: true, Doc: "What to return for text that is not JSON; without it that is an error."},
				},
				Doc:     "Reads a value from JSON.",
				Example: "print(json.decode('{\"n\": [1, 2.5]}')[\"n\"])  # [1, 2.5]",
				Value:   json.Module.Members["decode"],
			},
			{
				Name: "json.indent", Result: "string",
				Params: []Param{
					{Name: "str", Type: "string", Doc: "Text in JSON."},
					{Name: "prefix", Type: "string", Default: `""`, KwOnly: true, Doc: "What each line begins with."},
					{Name: "indent", Type: "string", Default: `"\t"`, KwOnly: true, Doc: "What each level is indented by."},
				},
				Doc:     "Puts JSON on indented lines.",
				Example: "print(json.indent('[]'))  # []",
				Value:   json.Module.Members["indent"],
			},
		},
	}
	for _, f := range mathFuncs {
		b := Builtin{Name: "math." + f.name, Result: f.result, Doc: f.doc, Value: math.Module.Members[f.name]}
		if b.Result == "" {
			b.Result = "float"
		}
		call := "math." + f.name
		if f.x != "" {
			b.Params = []Param{{Name: "x", Type: "float", Doc: f.x}}
			if f.y != "" {
				b.Params = append(b.Params, Param{Name: "y", Type: "float", Doc: f.y})
				if f.name == "log" {
					b.Params[1] = Param{Name: "base", Type: "float", Default: "math.e", Doc: f.y}
				}
			}
			call += f.args
		}
		b.Example = "print(" + call + ")  # " + f.shows
		t.Builtins = append(t.Builtins, b)
	}
	return t
}

// mathFuncs are the members of math: what the arguments are, what the function
// does, and a call with what it shows.
var mathFuncs = []struct{ name, x, y, result, doc, args, shows string }{
	{"e", "", "", "", "The base of natural logarithms.", "", "2.718281828459045"},
	{"pi", "", "", "", "The circumference of a circle with diameter 1.", "", "3.141592653589793"},
	{"ceil", "The number.", "", "int", "The least int that is not below x.", "(2.1)", "3"},
	{"floor", "The number.", "", "int", "The greatest int that is not above x.", "(2.9)", "2"},
	{"round", "The number.", "", "", "The nearest whole number, and a half away from zero; see round for a number of digits.", "(2.5)", "3.0"},
	{"fabs", "The number.", "", "", "The value without its sign.", "(-2.5)", "2.5"},
	{"copysign", "The value.", "The sign.", "", "The value of x with the sign of y.", "(2.0, -1.0)", "-2.0"},
	{"mod", "The dividend.", "The divisor.", "", "The remainder of x / y, with the sign of x.", "(7.5, 2)", "1.5"},
	{"remainder", "The dividend.", "The divisor.", "", "The difference of x and the nearest multiple of y.", "(7, 4)", "-1.0"},
	{"pow", "The base.", "The exponent.", "", "The power x to the y.", "(2, 10)", "1024.0"},
	{"exp", "The exponent.", "", "", "The power e to the x.", "(0)", "1.0"},
	{"sqrt", "The number.", "", "", "The square root.", "(2.25)", "1.5"},
	{"log", "The number.", "The base.", "", "The logarithm, natural by default.", "(8, 2)", "3.0"},
	{"gamma", "The number.", "", "", "The gamma function.", "(5)", "24.0"},
	{"hypot", "One side.", "The other side.", "", "The long side of a right triangle.", "(3, 4)", "5.0"},
	{"degrees", "Radians.", "", "", "Degrees of an angle in radians.", "(math.pi)", "180.0"},
	{"radians", "Degrees.", "", "", "Radians of an angle in degrees.", "(180)", "3.141592653589793"},
	{"sin", "Radians.", "", "", "The sine.", "(0)", "0.0"},
	{"cos", "Radians.", "", "", "The cosine.", "(0)", "1.0"},
	{"tan", "Radians.", "", "", "The tangent.", "(0)", "0.0"},
	{"asin", "The sine.", "", "", "The angle in radians that has the sine x.", "(0)", "0.0"},
	{"acos", "The cosine.", "", "", "The angle in radians that has the cosine x.", "(1)", "0.0"},
	{"atan", "The tangent.", "", "", "The angle in radians that has the tangent x.", "(0)", "0.0"},
	{"atan2", "The y coordinate.", "The x coordinate.", "", "The angle in radians of a point, first argument up and second to the right.", "(0, 1)", "0.0"},
	{"sinh", "The number.", "", "", "The hyperbolic sine.", "(0)", "0.0"},
	{"cosh", "The number.", "", "", "The hyperbolic cosine.", "(0)", "1.0"},
	{"tanh", "The number.", "", "", "The hyperbolic tangent.", "(0)", "0.0"},
	{"asinh", "The number.", "", "", "The inverse of the hyperbolic sine.", "(0)", "0.0"},
	{"acosh", "The number.", "", "", "The inverse of the hyperbolic cosine.", "(1)", "0.0"},
	{"atanh", "The number.", "", "", "The inverse of the hyperbolic tangent.", "(0)", "0.0"},
}
