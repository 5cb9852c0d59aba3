package bindings

import (
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"schedrepl/plots"
)

// figureValue is a finished figure as a script holds it. It is immutable.
type figureValue struct {
	Object
	F     *plots.Figure
	kind  string
	title string
}

// newFigure wraps what a function of package plots returned.
func newFigure(c *Call, f *plots.Figure, err error) (starlark.Value, error) {
	if err != nil {
		return nil, plotError(c, err)
	}
	if s := f.Missing(); s != "" && c.Session != nil {
		c.Session.Note("%s: the font of figures has no %s: each is drawn as its code point, as %s", c.b.Name, s, strings.Trim(strconv.QuoteToASCII(string([]rune(s)[:1])), `"`))
	}
	return wrapFigure(f, strings.TrimPrefix(c.b.Name, "plot."), c.Str("title")), nil
}

func wrapFigure(f *plots.Figure, kind, title string) *figureValue {
	v := &figureValue{F: f, kind: kind, title: title}
	v.Init("figure", v)
	return v
}

// String tells what the figure is; it shows no picture.
func (v *figureValue) String() string {
	w, h := v.F.Size()
	title := ""
	if v.title != "" {
		title = fmt.Sprintf(" %q", v.title)
	}
	return fmt.Sprintf("<figure: %s%s, %.2f x %.2f inches>", v.kind, title, w, h)
}

// WriteImage writes the figure as one of plots.Formats: a front end that shows
// values asks for this method.
func (v *figureValue) WriteImage(w io.Writer, format string) error { return v.F.Write(w, format) }

// save writes the figure, and with data the numbers that it draws beside it:
// x.csv for x.png, and x-a.csv, x-b.csv ... for the panels of a grid.
func (v *figureValue) save(s *Session, name string, data bool) error {
	format := strings.ToLower(strings.TrimPrefix(path.Ext(name), "."))
	if !contains(plots.Formats(), format) {
		return fmt.Errorf("name must end in .%s, not %s", strings.Join(plots.Formats(), ", ."), quoteShort(name))
	}
	if err := s.Save("figure", name, func(w io.Writer) error { return v.F.Write(w, format) }); err != nil || !data {
		return err
	}
	stem := strings.TrimSuffix(name, path.Ext(name))
	for i, p := range v.F.Panels() {
		if err := s.Save("table", fmt.Sprintf("%s-%c.csv", stem, 'a'+i), p.Data().WriteCSV); err != nil {
			return err
		}
	}
	if t := v.F.Data(); t != nil {
		return s.Save("table", stem+".csv", t.WriteCSV)
	}
	return nil
}

// optionWords are the options of package plots as scripts know them.
var optionWords = strings.NewReplacer(
	"LogX=false or ZeroLine=false", "log = False or zero = False", "LogY=false or ZeroLine=false", "log = False or zero = False",
	"Beside=false", "beside = False", "Fit=false", "fit = False", "use OrientLevel", "write orient = \"level\"", "option Bins", "bins",
	"use LogX=false, or Clip=true to leave it left of the axis", "write log = False, or clip = True to leave it left of the axis",
	"LogX=false", "log = False", "LogY=false", "log = False", "Clip=true", "clip = True",
	"LogColour=false", "log = False", "option XRange", "xrange", "option YRange", "yrange", "option LogX", "log", "option LogY", "log", "option LogColour", "log",
	"lower Width, Height or DPI", "lower width, height or dpi", "or a larger Size", "or a larger size", "NaN", "None",
	"option Width", "width", "option Height", "height", "option DPI", "dpi", "option TopTasks", "tasks", "option First", "first",
)

// plotError words an error of package plots for scripts, without the kind of
// figure that it begins with: the call names it.
func plotError(c *Call, err error) error {
	text := err.Error()
	for _, p := range c.b.Params {
		if p.Name == "logx" || p.Name == "logy" {
			option := "Log" + strings.ToUpper(p.Name[3:]) + "=false"
			text = strings.ReplaceAll(text, option, p.Name+" = False")
		}
	}
	kind := strings.TrimPrefix(c.b.Name, "plot.")
	if kind == "ccdf" {
		kind = "cdf"
	}
	text = strings.TrimPrefix(text, kind+": ")
	// What has no name needs none.
	for _, what := range []string{"series ", "variant ", ""} {
		if rest, ok := strings.CutPrefix(text, what+`""`); ok && strings.HasPrefix(rest, " ") {
			text = "the " + what + strings.TrimLeft(rest, " ")
		} else if ok {
			text = strings.TrimLeft(rest, ":, ")
		}
	}
	return &namedError{optionWords.Replace(text), err}
}

// optionParams are the parameters that all figures have.
func optionParams(size string, more ...Param) []Param {
	return append(more,
		Param{Name: "title", Type: "string", Default: `""`, KwOnly: true, Doc: "What stands above the figure."},
		Param{Name: "size", Type: "string", Default: `"` + size + `"`, KwOnly: true, Choices: []string{"column", "double", "slide"}, Doc: "The width and the type: a column of a paper with two columns (3.35 inches), both columns (7 inches), or a slide."},
		Param{Name: "width", Type: "float", Default: "0", Unit: "inches", KwOnly: true, Doc: "The outer width; 0 takes that of the size."},
		Param{Name: "height", Type: "float", Default: "0", Unit: "inches", KwOnly: true, Doc: "The outer height; 0 suits the content."},
		Param{Name: "dpi", Type: "int", Default: "0", Unit: "dots per inch", KwOnly: true, Doc: "The resolution of a PNG; 0 is 200, or 150 for a slide."},
	)
}

// axisParams are the parameters of figures with axes.
func axisParams() []Param {
	return []Param{
		{Name: "xlabel", Type: "string", Default: `""`, KwOnly: true, Doc: "The name of the x axis, without unit: the unit is added."},
		{Name: "ylabel", Type: "string", Default: `""`, KwOnly: true, Doc: "The name of the y axis, without unit."},
	}
}

func legendParam() Param {
	return Param{Name: "legend", Type: "string", Default: `"below"`, KwOnly: true, Choices: []string{"below", "right", "none"}, Doc: "Where the legend stands."}
}

func rangeParam(axis string) Param {
	return Param{Name: axis + "range", Type: "list of any", Default: "None", KwOnly: true, Doc: "The ends of the " + axis + " axis, as a pair of durations or numbers; None fits it to the data."}
}

// options reads the parameters that the function has.
func options(c *Call) (plots.Options, error) {
	has := func(name string) bool {
		for _, p := range c.b.Params {
			if p.Name == name {
				return true
			}
		}
		return false
	}
	text := func(name string) string {
		if !has(name) {
			return ""
		}
		return c.Str(name)
	}
	o := plots.Options{
		Title: c.Str("title"), XLabel: text("xlabel"), YLabel: text("ylabel"),
		Width: c.Float("width"), Height: c.Float("height"), DPI: c.Int("dpi"),
		Size: map[string]plots.Size{"column": plots.Column, "double": plots.Double, "slide": plots.Slide}[c.Str("size")],
		Legend: map[string]plots.Place{
			"": plots.LegendBelow, "below": plots.LegendBelow, "right": plots.LegendRight, "none": plots.LegendNone,
		}[text("legend")],
	}
	for i, to := range []*[2]float64{&o.XRange, &o.YRange} {
		name := []string{"xrange", "yrange"}[i]
		if !has(name) || !c.Has(name) {
			continue
		}
		xs, unit, err := numbersOf(c.Value(name))
		if err == nil && len(xs) != 2 {
			err = errors.New("must be a pair, as (0 * ms, 50 * ms)")
		}
		if err == nil && unit != "" && name == "yrange" && contains([]string{"plot.cdf", "plot.ccdf", "plot.hist"}, c.b.Name) {
			err = errors.New("must be bare numbers: the y axis counts samples; xrange is for the values")
		}
		if err != nil {
			return o, fmt.Errorf("%s %w", name, err)
		}
		copy(to[:], xs)
	}
	return o, nil
}

// figureEntry is the entry of a function that makes a figure.
func figureEntry(name, doc, example string, params []Param, impl func(*Call, plots.Options) (*plots.Figure, error)) Builtin {
	return Builtin{
		Name: "plot." + name, Params: params, Result: "figure", Doc: doc, Example: example,
		Impl: func(c *Call) (starlark.Value, error) {
			o, err := options(c)
			if err != nil {
				return nil, err
			}
			f, err := impl(c, o)
			return newFigure(c, f, err)
		},
	}
}

func plotTable() Table {
	return Table{
		Topics: []Topic{
			{Name: "plot", Doc: "Figures for papers and slides. " +
				"Values that are times are drawn in the unit that suits their axis. No figure relies on colour alone. The same data gives the same file, to the byte."},
			{
				Name: "figure", Type: true, Doc: "A finished figure. A notebook shows it, and save writes it to a file.",
				Setup: "f = plot.cdf([1 * ms, 2 * ms, 5 * ms], title = \"waits\")",
			},
		},
		Kinds: []Kind{kindOf[*figureValue]("figure", "a figure, as plot.cdf(...) makes it")},
		Builtins: append(figureFunctions(),
			Builtin{
				Recv: "figure", Name: "save",
				Params: []Param{
					{Name: "name", Type: "string", Doc: "The name of the file, below the output directory. It ends in .png, .svg or .pdf."},
					{Name: "data", Type: "bool", Default: "False", KwOnly: true, Doc: "Save the numbers drawn as a CSV beside the figure, as waits.csv beside waits.png; those of a grid go to a file for each panel, as waits-a.csv."},
				},
				Doc:     "Saves the figure. A CSV of its numbers has the units in the names of the columns, and times in ns.",
				Example: "f.save(\"waits.png\", data = True)\nf.save(\"waits.svg\")",
				Impl: func(c *Call) (starlark.Value, error) {
					return nil, c.Recv.(*figureValue).save(c.Session, c.Str("name"), c.Bool("data"))
				},
			},
			Builtin{
				Recv: "figure", Name: "data", Attr: true, Result: "table",
				Doc:     "The numbers drawn, as a table with a row for each: what one needs to draw the figure anew. A grid has none of its own: each of its panels has.",
				Example: "print(f.data[\"value\"])  # [1ms, 2ms, 5ms]",
				Impl: func(c *Call) (starlark.Value, error) {
					t := c.Recv.(*figureValue).F.Data()
					if t == nil {
						return nil, errors.New("data: a grid has no numbers of its own: take those of a panel, as fig.panels[0].data")
					}
					return newTable(t), nil
				},
			},
			Builtin{
				Recv: "figure", Name: "panels", Attr: true, Result: "list of figure",
				Doc:     "The figures of a grid, in order, and an empty list for any other figure.",
				Example: "print(plot.grid([f, f]).panels[1].data.head(1))",
				Impl: func(c *Call) (starlark.Value, error) {
					var out []starlark.Value
					for _, p := range c.Recv.(*figureValue).F.Panels() {
						out = append(out, wrapFigure(p, p.Kind(), p.Title()))
					}
					return starlark.NewList(out), nil
				},
			},
			Builtin{
				Recv: "figure", Name: "size", Attr: true, Result: "tuple of two",
				Doc:     "The outer width and height in inches.",
				Example: "print(fmt(\"{:.2f}\", f.size[0]))  # 3.35",
				Impl: func(c *Call) (starlark.Value, error) {
					w, h := c.Recv.(*figureValue).F.Size()
					return starlark.Tuple{starlark.Float(w), starlark.Float(h)}, nil
				},
			},
		),
	}
}
