package bindings

import "strings"

// Signature is the call as the reference shows it: "run(duration)",
// "spawn(comm, program, nice=0, *, at=None)". An attribute has no brackets.
func (b *Builtin) Signature() string {
	name := b.Name
	if b.Recv != "" {
		name = b.Recv + "." + name
	}
	if b.Attr || b.Const != "" || b.Impl == nil && len(b.Params) == 0 && b.Value != nil && !isCallable(b.Value) {
		return name
	}
	return name + "(" + strings.Join(b.arguments(), ", ") + ")"
}

// arguments are the parameters as a signature shows them, with a star before
// those that are given by name only.
func (b *Builtin) arguments() []string {
	var out []string
	star := false
	for _, p := range b.Params {
		if strings.HasPrefix(p.Name, "*") {
			star = true
		}
		if p.KwOnly && !star {
			star = true
			out = append(out, "*")
		}
		s := p.Name
		switch {
		case p.Default != "":
			s += "=" + p.Default
		case p.Optional:
			s += "=..."
		}
		out = append(out, s)
	}
	return out
}
