package bench

import "time"

// Cases returns the suite, in the order of its results.
func Cases() []Case {
	const ms, sec = time.Millisecond, time.Second
	var out []Case
	// The steps below are of some 10,000 switches. What a run costs at its end
	// grows with the CPUs, so that machines of many take longer stretches.
	add := func(c Case) {
		switch {
		case c.CPUs <= 64:
			c.Step /= 10
		case c.CPUs <= 256:
			c.Step /= 4
		}
		out = append(out, c)
	}

	for i, n := range []int{4, 64, 256, 1024} {
		step := 80 * sec / time.Duration(n)
		add(Case{
			Name: "hogs/4perCPU", CPUs: n, Tasks: 4 * n, Warm: 10 * step, Step: step, build: hogs(n, 4),
			Doc:  "4 endless tasks bound to each CPU, mixed nice values, a quarter in a task group",
			Goal: Goal{NsPerSwitch: []float64{200, 250, 275, 300}[i]},
		})
	}
	add(Case{
		Name: "hogs/1perCPU", CPUs: 1024, Tasks: 1024, Warm: sec, Step: 10 * sec, build: hogs(1024, 1),
		Doc: "1 endless task bound to each CPU: nothing ever happens", Goal: Goal{NoEvents: true},
	})
	add(Case{
		Name: "idle", CPUs: 1024, Warm: sec, Step: 10 * sec, build: idle,
		Doc: "no task at all", Goal: Goal{NoEvents: true},
	})
	for _, n := range []int{100, 1000, 10_000, 100_000} {
		add(Case{
			Name: "hogs/deep", CPUs: 4, Tasks: n, Warm: 100 * sec, Step: 20 * sec, build: hogs(4, n/4),
			Doc: "the same endless tasks on 4 CPUs: long run queues",
		})
	}
	for _, p := range []struct {
		cpus, tasks int
		step        time.Duration
		sim         float64
	}{
		{4, 8, 25 * sec, 3421},
		{4, 400, 8 * sec, 2078},
		{64, 128, 1500 * ms, 181},
		{64, 1000, 500 * ms, 124},
		{256, 512, 400 * ms, 30},
	} {
		add(Case{
			Name: "hogs/hz1000", CPUs: p.cpus, Tasks: p.tasks, Warm: 5 * p.step, Step: p.step, HZ: 1000,
			Doc:   "equal endless tasks bound to the CPUs in turn, at 1000 Hz: the jobs on which LinSched was timed",
			build: equalHogs(p.cpus, p.tasks), Goal: Goal{SimPerCPU: p.sim},
		})
	}
	for i, n := range []int{4, 64, 256, 1024} {
		step := 20 * ms / time.Duration(n)
		add(Case{
			Name: "pipe", CPUs: n, Tasks: 2 * n, Warm: 10 * step, Step: step, build: pipe(n),
			Doc:  "a pair bound to each CPU, whose tasks wake each other after 2 us, all CPUs in phase",
			Goal: Goal{NsPerSwitch: []float64{200, 250, 275, 300}[i]},
		})
	}
	for _, c := range []Case{
		{Name: "reasons/hogs", CPUs: 4, Tasks: 16, Warm: 200 * sec, Step: 20 * sec, build: hogs(4, 4), Doc: "hogs/4perCPU"},
		{Name: "reasons/pipe", CPUs: 4, Tasks: 8, Warm: 50 * ms, Step: 5 * ms, build: pipe(4), Doc: "pipe"},
	} {
		c.Reasons = true
		c.Doc += " with reasons on, and the last records kept"
		add(c)
	}
	const periodicDoc = "tasks with periods of 10 to 100 ms, 80 % load, placed at each wakeup"
	for _, p := range []struct {
		name        string
		cpus, tasks int
		warm, step  time.Duration
		ns          float64
	}{
		{"periodic/160", 4, 160, 10 * sec, 1500 * ms, 250},
		{"periodic/2560", 64, 2560, sec, 80 * ms, 300},
		{"periodic/1e4", 256, 10_000, 500 * ms, 20 * ms, 400},
		{"periodic/1e5", 1024, 100_000, 200 * ms, 4 * ms, 900},
	} {
		add(Case{
			Name: p.name, CPUs: p.cpus, Tasks: p.tasks, Warm: p.warm, Step: p.step,
			Doc: periodicDoc, build: periodic(p.cpus, p.tasks, nil), Goal: Goal{NsPerSwitch: p.ns},
		})
	}
	add(Case{
		Name: "forkstorm", CPUs: 64, Tasks: 64, Warm: 1600 * ms, Step: 80 * ms, build: forkstorm(64),
		Doc: "fork, run for 1 ms, exit, in waves of 1,024; the first 100,000 are the warm-up",
	})
	add(Case{
		Name: "cgroup-deep", CPUs: 256, Tasks: 10_000, Warm: 500 * ms, Step: 20 * ms,
		Doc:   "periodic/1e4 in a tree of 1,000 task groups, four levels deep",
		build: periodic(256, 10_000, groupTree(1000)),
	})
	add(Case{
		Name: "ticks-all", CPUs: 256, Tasks: 10_000, Warm: 500 * ms, Step: 20 * ms, HZ: 1000, AllTicks: true,
		Doc: "periodic/1e4 at 1000 Hz with every tick simulated", build: periodic(256, 10_000, nil),
	})
	for jobs := 1; jobs <= 2; jobs++ {
		add(Case{
			Name: []string{"sweep/j1", "sweep/j2"}[jobs-1], CPUs: 16, Tasks: 640, Sims: 64, Jobs: jobs,
			Doc:  []string{"64 small periodic machines, one after the other", "the same, two at a time"}[jobs-1],
			Warm: 500 * ms, build: periodic(16, 640, nil),
		})
	}
	return out
}
