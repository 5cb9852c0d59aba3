package cgroup_test

import (
	"fmt"

	"schedrepl/engine/cgroup"
	"schedrepl/engine/cpumask"
	"schedrepl/engine/sched"
)

// printer is a machine that says what it is told.
type printer struct{ groups int }

func (p *printer) NewGroup(parent sched.GroupID, name string) (sched.GroupID, error) {
	p.groups++
	fmt.Printf("  group %d is %s, in group %d\n", p.groups, name, parent)
	return sched.GroupID(p.groups), nil
}

func (p *printer) FreeGroup(g sched.GroupID) error { return nil }

func (p *printer) SetShares(g sched.GroupID, shares int64) error {
	fmt.Printf("  group %d gets %d shares\n", g, shares)
	return nil
}

func (p *printer) Attach(pid int32, g sched.GroupID) error {
	fmt.Printf("  task %d goes to group %d\n", pid, g)
	return nil
}

func (p *printer) SetAffinity(pid int32, cpus cpumask.Set) error {
	fmt.Printf("  task %d may use %s\n", pid, cpus)
	return nil
}

func (p *printer) Runtime(int32) int64 { return 0 }

// What a user writes to the files, and what the machine is told.
func Example() {
	tree := cgroup.New(&printer{}, 4)
	tree.Fork(cgroup.Forked{PID: 2, TGID: 2})
	write := func(path, text string) {
		fmt.Printf("echo %s > %s\n", text, path)
		if err := tree.Write(path, text); err != nil {
			fmt.Println("  " + err.Error())
		}
	}
	if err := tree.Mkdir("/sys/fs/cgroup/web"); err != nil {
		fmt.Println(err)
	}
	write("/sys/fs/cgroup/web/cgroup.procs", "2")
	write("/sys/fs/cgroup/cgroup.subtree_control", "+cpu +cpuset")
	write("/sys/fs/cgroup/web/cpu.weight", "300")
	write("/sys/fs/cgroup/web/cpu.weight", "0")
	write("/sys/fs/cgroup/web/cpuset.cpus", "0-1")
	write("/sys/fs/cgroup/web/cpuset.cpus", "0-9")
	// Output:
	// echo 2 > /sys/fs/cgroup/web/cgroup.procs
	// echo +cpu +cpuset > /sys/fs/cgroup/cgroup.subtree_control
	//   group 1 is /web, in group 0
	//   task 2 goes to group 1
	// echo 300 > /sys/fs/cgroup/web/cpu.weight
	//   group 1 gets 3072 shares
	// echo 0 > /sys/fs/cgroup/web/cpu.weight
	//   ERANGE: /sys/fs/cgroup/web/cpu.weight: "0" is outside 1 to 10000
	// echo 0-1 > /sys/fs/cgroup/web/cpuset.cpus
	//   task 2 may use 0-1
	// echo 0-9 > /sys/fs/cgroup/web/cpuset.cpus
	//   EINVAL: /sys/fs/cgroup/web/cpuset.cpus: "0-9": CPU 9 does not exist (machine has 0-3)
}
