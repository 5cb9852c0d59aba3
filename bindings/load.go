package bindings

import (
	"errors"
	"strings"

	"go.starlark.net/starlark"
)

// A module is a file that was loaded. Its values are frozen, so that all who
// load it share it.
type module struct {
	globals starlark.StringDict
	err     error
}

// A loadChain is the way by which load statements led to a file.
type loadChain struct {
	up *loadChain
	at place
}

// cycle is the way from a file back to itself: "a.star -> b.star -> a.star";
// empty if the chain does not hold the file.
func (c *loadChain) cycle(at place) string {
	names := []string{at.display}
	for ; c != nil; c = c.up {
		names = append([]string{c.at.display}, names...)
		if c.at.key() == at.key() {
			return strings.Join(names, " -> ")
		}
	}
	return ""
}

// load is what a load statement calls. A file is run once in a session.
func (s *Session) load(thread *starlark.Thread, name string) (starlark.StringDict, error) {
	st := stateOf(thread)
	at, err := s.resolve(st.at, name)
	if err != nil {
		return nil, err
	}
	chain := st.loads
	if chain == nil {
		chain = &loadChain{at: st.at}
	}
	if c := chain.cycle(at); c != "" {
		return nil, errors.New("the files load each other in a circle: " + c)
	}
	if m := s.sources.modules[at.key()]; m != nil {
		return m.globals, m.err
	}
	data, err := s.readPlace(at)
	if err != nil {
		return nil, err
	}
	s.sources.setHash(at.name, data)
	s.sources.setText(at.display, string(data))
	m := &module{}
	m.globals, m.err = s.runModule(st, at, chain, string(data))
	if s.sources.modules == nil {
		s.sources.modules = map[string]*module{}
	}
	if m.err == nil {
		s.sources.modules[at.key()] = m
	}
	return m.globals, m.err
}

// runModule runs a loaded file on a thread of its own, at the cost of the
// thread that loads it.
func (s *Session) runModule(st *threadState, at place, chain *loadChain, src string) (starlark.StringDict, error) {
	thread, sub := s.newThread(at)
	sub.loads = &loadChain{up: chain, at: at}
	if sub.budget > 0 {
		sub.budget = 1
		if used := st.thread.ExecutionSteps(); st.budget > used {
			sub.budget = st.budget - used
		}
		sub.nextLook(thread)
	}
	defer func() {
		s.endThread(thread)
		st.charge(thread.ExecutionSteps())
	}()
	globals, err := s.execSource(thread, at.display, src)
	if err != nil {
		return nil, s.explain(err, sub)
	}
	return globals, nil
}
