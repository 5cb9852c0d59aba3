package bindings

import (
	"fmt"
	"strings"

	"schedrepl/engine"
)

// bootWords applies the words of a kernel command line. A word that the model
// knows nothing of is an error, as it would silently mean nothing.
func bootWords(line string, cfg *engine.Config) error {
	for word := range strings.FieldsSeq(line) {
		name, value, hasValue := strings.Cut(word, "=")
		switch name {
		case "noautogroup":
			if hasValue {
				return fmt.Errorf("boot: noautogroup takes no value: write noautogroup")
			}
			cfg.NoAutogroup = true
		case "skew_tick":
			if value != "0" && value != "1" {
				return fmt.Errorf("boot: %s: write skew_tick=1 or skew_tick=0", word)
			}
			cfg.SkewTick = value == "1"
		case "preempt":
			p, err := engine.ParsePreempt(value)
			if err != nil {
				return fmt.Errorf("boot: %w", err)
			}
			cfg.Preempt = p
		case "maxcpus", "nr_cpus", "possible_cpus":
			return fmt.Errorf("boot: %s: choose the number of CPUs by the topology, as topo.smp(2)", word)
		case "nosmt":
			return fmt.Errorf("boot: %s: choose a topology with one thread in each core, as topo.parse(\"4c1t\")", word)
		default:
			return fmt.Errorf("boot: the word %s is not modelled%s; there are noautogroup, skew_tick=1, preempt=none|voluntary|full",
				quoteShort(word), didYouMean(name, []string{"noautogroup", "skew_tick", "preempt"}))
		}
	}
	return nil
}
