package validate

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
)

// exactSource is what the source field of an exact capture begins with.
const exactSource = "LinSched, Linux 3.3"

// maxScenario is the largest scenario.json that is read, in bytes.
const maxScenario = 16 << 20

// scenario is the set-up of an exact capture (scenario.json). Times are ns
// since boot, lengths are ns. Keys of the file that are not here describe what
// the others say already, or what the kernel made of it.
type scenario struct {
	Name   string `json:"name"`
	Source string `json:"source"`
	HZ     int64  `json:"HZ"`
	Tick   struct {
		Period *int64 `json:"period_ns"`
		HRTick bool   `json:"hrtick"`
	} `json:"tick"`
	Tunables    map[string]json.RawMessage `json:"tunables"`
	FeaturesOn  []string                   `json:"features_on"`
	FeaturesOff []string                   `json:"features_off"`
	Topology    struct {
		Name string `json:"name"`
		CPUs []struct {
			CPU int `json:"cpu"`
		} `json:"cpus"`
	} `json:"topology"`
	Launch struct {
		At  int64 `json:"t_ns"`
		CPU int   `json:"cpu"`
	} `json:"launch"`
	End      int64     `json:"end_ns"`
	Groups   []group   `json:"groups"`
	Tasks    []task    `json:"tasks"`
	Controls []control `json:"controls"`

	// tunables are those that the model has, by its own names.
	tunables map[string]int64
}

// group is a task group; null shares are the default.
type group struct {
	Name   string `json:"name"`
	Parent string `json:"parent"`
	Shares *int64 `json:"shares"`
	Quota  *int64 `json:"cfs_quota_us"`
}

// task is a task that is forked at the launch, or a template that tasks fork
// from. A template is only a program: its children inherit all else.
type task struct {
	Name      string            `json:"name"`
	Nice      int               `json:"nice"`
	Policy    string            `json:"policy"`
	Group     string            `json:"group"`
	StartCPUs []int             `json:"start_cpus"`
	Allowed   []int             `json:"allowed_cpus"`
	Program   []json.RawMessage `json:"program"`
	LoopTo    *int              `json:"loop_to_index"`
	ExitAtEnd bool              `json:"exit_at_end"`
	Template  bool              `json:"template_for_fork"`

	steps []step // the program, understood
}

// control is a change from outside at an instant.
type control struct {
	At     int64           `json:"t_ns"`
	CPU    int             `json:"cpu"`
	Action string          `json:"action"`
	Target string          `json:"target"`
	Value  json.RawMessage `json:"value"`

	do change // what it does, understood
}

// readScenario reads and checks dir/scenario.json. An error names the file and
// what in it is wrong.
func readScenario(fsys fs.FS, dir string) (*scenario, error) {
	name := path.Join(dir, "scenario.json")
	data, err := readLimited(fsys, name, maxScenario)
	if err != nil {
		return nil, fmt.Errorf("%s: cannot read the set-up: %w", name, err)
	}
	s, err := parseScenario(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

// parseScenario reads and checks a set-up.
func parseScenario(data []byte) (*scenario, error) {
	s := &scenario{}
	if err := json.Unmarshal(data, s); err != nil {
		return nil, jsonError(data, err)
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	return s, nil
}

// readLimited reads a file of at most limit bytes.
func readLimited(fsys fs.FS, name string, limit int64) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, plainPathError(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	switch {
	case err != nil:
		return nil, plainPathError(err)
	case int64(len(data)) > limit:
		return nil, fmt.Errorf("it has more than %d bytes; a set-up is a few thousand", limit)
	}
	return data, nil
}

// plainPathError drops the path from an error whose context names it.
func plainPathError(err error) error {
	var pe *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("there is no such file")
	case errors.As(err, &pe):
		return pe.Err
	}
	return err
}

// jsonError says where in a file a JSON error lies, and what belongs there.
func jsonError(data []byte, err error) error {
	var syntax *json.SyntaxError
	var typ *json.UnmarshalTypeError
	switch {
	case len(data) == 0:
		return errors.New("damaged: the file is empty; a JSON object is expected")
	case errors.As(err, &syntax) && syntax.Offset >= int64(len(data)):
		return fmt.Errorf("damaged: line %d: it ends in the middle of its JSON object; it was cut off", lineAt(data, syntax.Offset))
	case errors.As(err, &syntax):
		return fmt.Errorf("damaged: line %d: no JSON: %w", lineAt(data, syntax.Offset), err)
	case errors.As(err, &typ):
		field := typ.Field
		if field == "" {
			field = "the file"
		}
		return fmt.Errorf("line %d: %s is a %s; it must be %s", lineAt(data, typ.Offset), field, typ.Value, kindWord(typ.Type.String()))
	}
	return fmt.Errorf("damaged: %w", err)
}

// lineAt returns the line of a byte of data, from 1.
func lineAt(data []byte, at int64) int {
	return 1 + strings.Count(string(data[:min(max(at, 0), int64(len(data)))]), "\n")
}

// kindWord says in JSON's words what a Go type is written as.
func kindWord(t string) string {
	t = strings.TrimPrefix(t, "*")
	switch {
	case t == "int" || t == "int64":
		return "a whole number"
	case t == "string":
		return "a string"
	case t == "bool":
		return "true or false"
	case strings.HasPrefix(t, "[]"):
		return "a list"
	}
	return "an object"
}

// parseTunables takes the tunables that the model has from the file's. They
// are values in force: nothing is scaled by the number of CPUs any more.
func parseTunables(raw map[string]json.RawMessage) (map[string]int64, error) {
	own := map[string]int64{}
	for _, name := range [...]struct{ file, own string }{
		{"sched_latency_ns", "latency"}, {"min_granularity_ns", "min_granularity"},
		{"wakeup_granularity_ns", "wakeup_granularity"}, {"migration_cost_ns", "migration_cost"},
		{"shares_window_ns", "shares_window"}, {"child_runs_first", "child_runs_first"},
	} {
		text, ok := raw[name.file]
		if !ok {
			continue
		}
		var v *int64
		if err := json.Unmarshal(text, &v); err != nil || v == nil {
			return nil, fmt.Errorf("tunables: %s: %s is not a whole number", name.file, clip(text))
		}
		own[name.own] = *v
	}
	return own, nil
}

// clip returns JSON text for an error message, cut if it is long.
func clip(raw json.RawMessage) string {
	const limit = 60
	text := strings.Join(strings.Fields(string(raw)), " ")
	switch {
	case text == "":
		return "nothing"
	case len(text) > limit:
		return strings.ToValidUTF8(text[:limit], "?") + "..."
	}
	return text
}
