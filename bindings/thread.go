package bindings

import (
	"fmt"

	"go.starlark.net/starlark"
)

const (
	// stepChunk is the number of Starlark steps between two looks at the
	// limits. A call takes some steps, so the depth grows by a few thousand
	// calls at most between two looks.
	stepChunk = 10_000

	// maxDepth limits the depth of calls. A deeper recursion would end in an
	// overflow of the Go stack, which nothing can catch; ten times as much
	// still fits.
	maxDepth = 10_000
)

// threadState is what a session knows of one of its threads.
type threadState struct {
	at     place            // The file that the thread runs, for load.
	budget uint64           // Steps that the thread may take; 0 is no limit.
	stop   error            // Why the session stopped the thread.
	loads  *loadChain       // The files whose loading led to this thread.
	thread *starlark.Thread // The thread itself.
}

// stateKey is the thread-local under which a thread keeps its state.
const stateKey = "state"

func stateOf(thread *starlark.Thread) *threadState {
	st, _ := thread.Local(stateKey).(*threadState)
	return st
}

// newThread makes a thread that obeys the limits of the session. Whoever
// starts one ends it with endThread.
func (s *Session) newThread(at place) (*starlark.Thread, *threadState) {
	st := &threadState{at: at}
	t := &starlark.Thread{
		Name:  at.display,
		Print: func(_ *starlark.Thread, msg string) { fmt.Fprintln(s.opts.Stdout, msg) },
		Load:  s.load,
	}
	st.thread = t
	t.SetLocal(sessionKey, s)
	t.SetLocal(stateKey, st)
	if max := s.opts.MaxSteps; max > 0 {
		st.budget = 1
		if max > s.used {
			st.budget = max - s.used
		}
	}
	t.OnMaxSteps = func(t *starlark.Thread) { s.checkLimits(t, st) }
	st.nextLook(t)

	for p := s; p != nil; p = p.parent {
		p.addThread(t)
	}
	if err := s.Poll(); err != nil {
		t.Cancel(err.Error())
	}
	return t, st
}

// addThread notes a thread that Interrupt cancels: one of the session, or of
// one that was forked from it.
func (s *Session) addThread(t *starlark.Thread) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.threads == nil {
		s.threads = map[*starlark.Thread]bool{}
	}
	s.threads[t] = true
}

func (s *Session) dropThread(t *starlark.Thread) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.threads, t)
}

func (s *Session) endThread(t *starlark.Thread) {
	for p := s; p != nil; p = p.parent {
		p.dropThread(t)
	}
	s.used += t.ExecutionSteps()
}

// root is the session that front ends know and interrupt.
func (s *Session) root() *Session {
	for s.parent != nil {
		s = s.parent
	}
	return s
}

// nextLook sets the step at which checkLimits looks again.
func (st *threadState) nextLook(t *starlark.Thread) {
	next := t.ExecutionSteps() + stepChunk
	if st.budget > 0 {
		next = min(next, st.budget)
	}
	t.SetMaxExecutionSteps(next)
}

// checkLimits stops a thread that has run too long or too deep.
func (s *Session) checkLimits(t *starlark.Thread, st *threadState) {
	switch {
	case st.budget > 0 && t.ExecutionSteps() >= st.budget:
		st.stop = fmt.Errorf("the script took more than %d steps: raise --max-steps, or look for a loop without an end", s.opts.MaxSteps)
	case t.CallStackDepth() > maxDepth:
		st.stop = fmt.Errorf("the recursion is more than %d calls deep: look for a function that calls itself without an end", maxDepth)
	default:
		st.nextLook(t)
		return
	}
	t.SetMaxExecutionSteps(1<<64 - 1)
	t.Cancel(st.stop.Error())
}

// charge takes the steps of a thread that ran on behalf of another from the
// other's budget.
func (st *threadState) charge(steps uint64) {
	if st.budget == 0 {
		return
	}
	if st.budget > steps {
		st.budget -= steps
	} else {
		st.budget = 1
	}
	st.nextLook(st.thread)
}

// spent tells whether the budget is used up, and then stops the thread.
func (s *Session) spent(st *threadState) error {
	if st.budget > 0 && st.thread.ExecutionSteps() >= st.budget {
		s.checkLimits(st.thread, st)
	}
	return st.stop
}

// left is how many steps the thread may still take; 0 is no limit.
func (st *threadState) left() uint64 {
	if st.budget == 0 {
		return 0
	}
	if used := st.thread.ExecutionSteps(); st.budget > used {
		return st.budget - used
	}
	return 1
}
