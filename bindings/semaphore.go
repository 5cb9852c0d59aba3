package bindings

import (
	"go.starlark.net/starlark"
)

func semaphoreTable() Table {
	return Table{
		Topics: []Topic{{
			Name: "semaphore", Type: true,
			Doc:   "A counting semaphore of one machine. Tasks wait for it with work.sem_wait and post it with work.sem_post.",
			Setup: "m = machine(topo.smp(1))\ns = m.semaphore()\nt = m.spawn(\"sleeper\", [work.sem_wait(s), work.run(1 * ms)])\nm.run(1 * ms)",
		}},
		Builtins: []Builtin{{
			Recv: "semaphore", Name: "post",
			Doc:     "Adds one to the count, or wakes the first task that waits. The call comes from outside, as an interrupt does.",
			Example: "s.post()\nm.run(10 * ms)\nprint(t.exited)  # True",
			Impl: func(c *Call) (starlark.Value, error) {
				s := c.Recv.(*semaphore)
				ma := s.owner.(*machine)
				return nil, ma.act(c, func() error {
					ma.m.PostSem(s.Obj)
					return nil
				})
			},
		}, {
			Recv: "semaphore", Name: "machine", Attr: true, Result: "machine",
			Doc:     "The machine that the semaphore belongs to.",
			Example: "print(s.machine == m)  # True",
			Impl:    func(c *Call) (starlark.Value, error) { return c.Recv.(*semaphore).owner.(*machine), nil },
		}},
	}
}
