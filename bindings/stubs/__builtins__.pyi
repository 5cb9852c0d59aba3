"""What a script of schedrepl can use, for editors. Made by

    go run ./cmd/schedrepl doc --stubs > bindings/stubs/__builtins__.pyi

The names of classes that begin with an underscore are types that a script meets
but cannot name.
"""

from typing import Any, Callable, Iterable, Iterator, Literal, NoReturn, Sequence, TypeVar, overload

_T = TypeVar("_T")
_Q = TypeVar("_Q", bound=_Quantity)

def load(module: str, *names: str, **renamed: str) -> None:
    """Takes names from another script: load("@stdlib//desktop.star", "make_j").

    It is a statement of the language, which stands at the top level.
    """

def fail(*args: Any, sep: str = " ") -> NoReturn:
    """Stops the script with an error."""

def type(x: Any, /) -> str:
    """The name of a value's type, as a string: "int", "duration", "task"."""

class _Quantity:
    """A number with a unit."""

    def __add__(self: _Q, other: _Q, /) -> _Q: ...
    def __radd__(self: _Q, other: _Q, /) -> _Q: ...
    def __sub__(self: _Q, other: _Q, /) -> _Q: ...
    def __mul__(self: _Q, factor: float, /) -> _Q: ...
    def __rmul__(self: _Q, factor: float, /) -> _Q: ...
    @overload
    def __truediv__(self: _Q, other: _Q, /) -> float: ...
    @overload
    def __truediv__(self: _Q, divisor: float, /) -> _Q: ...
    @overload
    def __floordiv__(self: _Q, other: _Q, /) -> int: ...
    @overload
    def __floordiv__(self: _Q, divisor: float, /) -> _Q: ...
    def __mod__(self: _Q, other: _Q, /) -> _Q: ...
    def __neg__(self: _Q) -> _Q: ...
    def __pos__(self: _Q) -> _Q: ...
    def __lt__(self: _Q, other: _Q, /) -> bool: ...
    def __le__(self: _Q, other: _Q, /) -> bool: ...
    def __gt__(self: _Q, other: _Q, /) -> bool: ...
    def __ge__(self: _Q, other: _Q, /) -> bool: ...

class _Step:
    """A step of a program."""

class _Struct:
    """A record: its fields are read with a dot."""

    def __getattr__(self, name: str, /) -> Any: ...

class _Cgroup:
    """A control group of a machine. Its keys are the files in it: g["cpu.weight"] = 300 writes one, g["cpu.stat"] reads one without the newline at its end."""

    def attach(self, tasks: _Task | Iterable[_Task]) -> None:
        """Moves the processes of tasks into the group, as writing to its cgroup.procs does.

        Args:
          tasks: A task, or a list of tasks.

        Example:
          g.attach(hog)
          print(hog.cgroup)  # /build
        """

    def child(self, name: str) -> _Cgroup:
        """Returns a control group below this one, which is made if it is not there.

        Args:
          name: The name; or a path below the group.

        Example:
          print(g.child("jobs").path)  # /build/jobs
        """

    @property
    def path(self) -> str:
        """The path from the mount."""

    def __getitem__(self, file: str, /) -> str: ...
    def __setitem__(self, file: str, text: str | int, /) -> None: ...
    def __contains__(self, file: str, /) -> bool: ...

class _CostTable:
    """A time for each mechanism of the kernel. Each cost runs on the CPU that executes the code, and delays what the task does next."""

    @property
    def exec(self) -> _Duration:
        """Scheduler's part of execve."""

    @property
    def exit(self) -> _Duration:
        """Scheduler's part of exit."""

    @property
    def fork(self) -> _Duration:
        """Scheduler's part of fork."""

    @property
    def group_new(self) -> _Duration:
        """Making a task group."""

    @property
    def group_new_cpu(self) -> _Duration:
        """Added per CPU."""

    @property
    def ipi(self) -> _Duration:
        """Delay of a reschedule interrupt to another CPU."""

    @property
    def ipi_entry(self) -> _Duration:
        """Taking a reschedule interrupt."""

    @property
    def move_base(self) -> _Duration:
        """Group move."""

    @property
    def move_level(self) -> _Duration:
        """Added per level of the old and the new group."""

    @property
    def move_same(self) -> _Duration:
        """Group move that returns early."""

    @property
    def name(self) -> str:
        """The name of the preset, or "custom" once a cost was changed."""

    @property
    def shares_cpu(self) -> _Duration:
        """Setting a group's weight, per CPU and level."""

    @property
    def switch(self) -> _Duration:
        """Context switch to another address space."""

    @property
    def switch_thread(self) -> _Duration:
        """Context switch between threads of one process."""

    @property
    def syscall(self) -> _Duration:
        """Any other system call of a program."""

    def table(self) -> _Table:
        """Lists all costs with their times and what they are for.

        Example:
          print(c.table())
        """

    @property
    def tick(self) -> _Duration:
        """Timer tick of a busy CPU."""

    @property
    def timer(self) -> _Duration:
        """Interrupt of a timer that wakes a task."""

    @property
    def wakeup(self) -> _Duration:
        """Waking a task."""

    @property
    def wakeup_level(self) -> _Duration:
        """Added per level of task groups above the task."""

class _Counters:
    """Counts of events by the names that perf stat has for them: c["sched:sched_switch"]. It can be gone through like a dict."""

    def items(self) -> list[Any]:
        """Pairs of name and count.

        Example:
          print(c.items()[0])
        """

    def table(self) -> _Table:
        """The counts as a table.

        Example:
          print(c.table())
        """

    def __getitem__(self, event: str, /) -> int: ...
    def __contains__(self, event: str, /) -> bool: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[str]: ...

class _Distribution:
    """How long a step takes, or how often it is repeated, when it varies."""

    @property
    def mean(self) -> _Duration | float:
        """The expected value: a duration, or a number for counts."""

class _Duration(_Quantity):
    """A span of simulated time, exact to the nanosecond. Write it as a number times a unit (5 * ms) or, in an argument, as a string ("5ms", "1.5s", "30sec"). Durations add, subtract and compare; they are multiplied and divided by bare numbers, and one divided by another is a bare number. They print in their natural unit. A result beyond 292 years is an error."""

    @property
    def ms(self) -> float:
        """The duration as a bare number of milliseconds."""

    @property
    def ns(self) -> int:
        """The duration as a bare number of nanoseconds."""

    @property
    def sec(self) -> float:
        """The duration as a bare number of seconds."""

    @property
    def us(self) -> float:
        """The duration as a bare number of microseconds."""

class _Event:
    """Something that happened on a machine, as a callback of m.on is told of it. It has the fields of the Linux tracepoint of that name, the time ts and the CPU cpu; where the model knows the rule behind a decision, reason and pick name it."""

    @property
    def child_comm(self) -> str:
        """The name of the new task. Of sched_process_fork."""

    @property
    def child_pid(self) -> int:
        """Its process id. Of sched_process_fork."""

    @property
    def comm(self) -> str:
        """The name of the task. Of sched_wakeup, sched_wakeup_new, sched_migrate_task, sched_process_exec, sched_process_exit."""

    @property
    def cpu(self) -> int:
        """The CPU on which it happened. Of every event."""

    @property
    def dest_cpu(self) -> int:
        """The CPU that it goes to. Of sched_migrate_task."""

    @property
    def filename(self) -> str:
        """The name of the program. Of sched_process_exec."""

    @property
    def next_comm(self) -> str:
        """The name of the task that comes. Of sched_switch."""

    @property
    def next_pid(self) -> int:
        """Its process id; 0 is the idle task. Of sched_switch."""

    @property
    def next_prio(self) -> int:
        """Its priority in the kernel's scale. Of sched_switch."""

    @property
    def next_vruntime(self) -> _Duration:
        """Its virtual run time, 0 for the idle task. Of sched_switch."""

    @property
    def old_pid(self) -> int:
        """Its process id before, which is the same. Of sched_process_exec."""

    @property
    def orig_cpu(self) -> int:
        """The CPU that the task leaves. Of sched_migrate_task."""

    @property
    def parent_comm(self) -> str:
        """The name of the task that forks. Of sched_process_fork."""

    @property
    def parent_pid(self) -> int:
        """Its process id; 0 for a task that the script started. Of sched_process_fork."""

    @property
    def pick(self) -> str:
        """The rule by which the model chose the task or CPU. Of sched_switch, sched_wakeup, sched_wakeup_new, sched_migrate_task."""

    @property
    def pid(self) -> int:
        """The process id of the task. Of sched_wakeup, sched_wakeup_new, sched_migrate_task, sched_process_exec, sched_process_exit."""

    @property
    def prev_comm(self) -> str:
        """The name of the task that leaves the CPU. Of sched_switch."""

    @property
    def prev_pid(self) -> int:
        """Its process id; 0 is the idle task. Of sched_switch."""

    @property
    def prev_prio(self) -> int:
        """Its priority in the kernel's scale. Of sched_switch."""

    @property
    def prev_state(self) -> str:
        """The state in which it leaves: R while it could run on, S asleep, T stopped, X gone. Of sched_switch."""

    @property
    def prev_vruntime(self) -> _Duration:
        """Its virtual run time, 0 for the idle task. Of sched_switch."""

    @property
    def prio(self) -> int:
        """The priority of the task in the kernel's scale: 120 is nice 0. Of sched_wakeup, sched_wakeup_new, sched_migrate_task, sched_process_exit."""

    @property
    def reason(self) -> str:
        """The rule of the model that decided. Of sched_switch, sched_wakeup, sched_wakeup_new."""

    @property
    def target_cpu(self) -> int:
        """The CPU on whose queue the task is put. Of sched_wakeup, sched_wakeup_new."""

    @property
    def ts(self) -> _Duration:
        """When it happened, as time since boot. Of every event."""

    @property
    def vruntime(self) -> _Duration:
        """The virtual run time with which the task is put on the queue. Of sched_wakeup, sched_wakeup_new."""

class _Figure:
    """A finished figure. A notebook shows it, and save writes it to a file."""

    @property
    def data(self) -> _Table:
        """The numbers drawn, as a table with a row for each: what one needs to draw the figure anew. A grid has none of its own: each of its panels has."""

    @property
    def panels(self) -> list[_Figure]:
        """The figures of a grid, in order, and an empty list for any other figure."""

    def save(self, name: str, *, data: bool = False) -> None:
        """Saves the figure. A CSV of its numbers has the units in the names of the columns, and times in ns.

        Args:
          name: The name of the file, below the output directory. It ends in .png, .svg or .pdf.
          data: Save the numbers drawn as a CSV beside the figure, as waits.csv beside waits.png; those of a grid go to a file for each panel, as waits-a.csv.

        Example:
          f.save("waits.png", data = True)
          f.save("waits.svg")
        """

    @property
    def size(self) -> tuple[Any, Any]:
        """The outer width and height in inches."""

class _Groups:
    """The rows of a table in groups of equal keys, as t.group_by makes them. len(g) is the number of groups, and for key, rows in g goes through them: key is the value of the column, or a tuple of values for several columns, and rows is a table."""

    def aggregate(self, **columns: Any) -> _Table:
        """Makes one row of each group: the key, and new columns out of the group's values. The folds are "count" (the number of values; of the rows, where no column is named), "missing" (the number of missing cells), "distinct" (the number of different values), "sum" (the sum of numbers, exact for ints and durations; of bools how many are true), "mean" (the arithmetic mean of numbers, rounded to ns for durations; of bools the share that is true), "std" (the standard deviation of a sample, with divisor n-1; of fewer than two values a missing cell), "min" (the least value; strings are compared by bytes), "max" (the largest value), "median" (the middle value, or the mean of the middle two; the same as p50), "first" (the first value), "last" (the last value), and percentiles as "p99" or "p99.9". Missing values are left out of all but missing; where there are no others, count, distinct and sum are 0 and the rest is missing. NaN makes NaN of a sum, mean, std, min, max or percentile. Results keep the unit of their column, and durations stay durations.

        Args:
          **columns: The new columns by their names. Each is a fold of the column of that name, as wait = "mean"; a pair of another column and a fold, as worst = ("wait", "max"); or "count" for the number of rows. In the place of a fold may stand a function of the list of values, with the unit of what it returns in a third place, if it has one.

        Example:
          a = t.group_by("comm").aggregate(n = "count", wait = "mean", worst = ("wait", "max"), lost = ("wait", "missing"))
          print(a[0].n, a[0].wait, a[0].worst, a[0].lost)  # 3 5ms 6ms 1
          a = t.group_by("comm").aggregate(spread = ("wait", lambda waits: max(waits) - min(waits)))
          print(a["spread"])  # [2ms, 0s]
        """

    def __getitem__(self, i: int, /) -> tuple[Any, _Table]: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[tuple[Any, _Table]]: ...

class _Handle:
    """A callback that is armed, as m.at, m.every and m.on return it."""

    def cancel(self) -> None:
        """Takes the callback back. It does nothing if that has happened, or if its time has passed.

        Example:
          seen = []
          h = m.every(10 * ms, lambda m: seen.append(m.now))
          m.run(15 * ms)
          h.cancel()
          m.run(1 * sec)
          print(len(seen))  # 1
        """

class _Histogram:
    """A measure that was taken any number of times, counted in some KiB of memory. Each octave (from one power of two to the next) has 32 buckets, so that percentiles and shares are good to 3.1 % of the value; number, sum, mean, least and largest value are exact, the standard deviation all but. Zero and negative values count too. Histograms of one unit are added, h + g, as are samples to one; what is added does not depend on how it was divided. For more values than memory holds, run in pieces and add up: h += m.histogram("waits", since = last, until = m.now). Samples keep 20 bytes and more for each value."""

    @property
    def bytes(self) -> int:
        """About how much memory it takes."""

    def cdf(self) -> _Table:
        """The distribution: the upper end of each bucket that holds values, with the share of values up to there.

        Example:
          print(h.cdf()[-1].share)  # 100.0
        """

    def describe(self) -> _Table:
        """The usual numbers in a table of one row: n, mean, std, min, percentiles, max.

        Example:
          print(h.describe()[0].n)  # 4
        """

    def hist(self, octave: int = 2) -> _Table:
        """The buckets that hold values, from the least up, with the number and share of values.

        Args:
          octave: How many buckets an octave is shown in: 1, 2, 4, 8, 16 or 32.

        Example:
          print(h.hist(1)["count"])  # [1, 1, 1, 1]
        """

    @property
    def max(self) -> _Duration | float:
        """The largest value, exactly."""

    @property
    def mean(self) -> _Duration | float:
        """The arithmetic mean, exactly. It is an error if nothing was counted, as for the other measures."""

    @property
    def median(self) -> _Duration | float:
        """The middle value, to 3.1 %."""

    @property
    def min(self) -> _Duration | float:
        """The least value, exactly."""

    @property
    def n(self) -> int:
        """How many values were counted."""

    @property
    def name(self) -> str:
        """What was measured."""

    def p(self, q: float) -> _Duration | float:
        """The value that q percent of the values do not exceed, to 3.1 %; 0 and 100 are exact.

        Args:
          q: Which percentile, from 0 to 100: 50 is the median. In percent.

        Example:
          print(h.p(0), h.p(100))  # 1ms 10ms
        """

    def share_above(self, x: Any) -> float:
        """The share of the values that are x or more, in percent; x counts as any value within 3.1 % of it.

        Args:
          x: The threshold: a duration for times, else a number.

        Example:
          print(h.share_above(5 * ms))  # 25.0
        """

    @property
    def std(self) -> _Duration | float:
        """The standard deviation of the values (divisor n - 1), of which there must be two at least."""

    @property
    def sum(self) -> _Duration | float:
        """All values added up, exactly for durations up to 292 years; 0 of none."""

    @property
    def unit(self) -> str:
        """The unit; times are kept in "ns" and given as durations."""

    def __add__(self, other: _Histogram | _Samples, /) -> _Histogram: ...
    def __radd__(self, other: _Samples, /) -> _Histogram: ...

class _Machine:
    """One simulated machine: its CPUs, its kernel, and the tasks on it. It stands still until run is called; everything between two runs happens at one moment. Two machines never share anything. A machine that was made at the top level of a file is frozen when the file has ended."""

    def at(self, time: _Duration | str, fn: Callable[..., Any]) -> _Handle:
        """Calls a function at a moment.

        Args:
          time: The moment, as time since boot.
          fn: A function of the machine. It may do anything but run the machine.

        Example:
          m.at(5 * ms, lambda m: hog.setpriority(10))
          m.run(10 * ms)
          print(hog.nice)  # 10
        """

    def blame(self, tasks: _Task | Iterable[_Task] | str | _Cgroup | None = None, *, since: str | _Duration | None = None, until: str | _Duration | None = None) -> _Table:
        """Splits the time that tasks waited by what began the wait and by who ran meanwhile.

        Args:
          tasks: A task, a list of tasks, a pattern of names such as "cc1*", or a control group, which stands for all that is or was in it and below it; None for all tasks.
          since: Where to begin: a mark, or a time since boot; None for the boot.
          until: Where to end: a mark, or a time since boot; None for now.

        Example:
          web.sched_setaffinity("0")
          m.run(1 * sec)
          print(m.blame(hog))
        """

    def cgroup(self, path: str) -> _Cgroup:
        """Returns a control group. It is made if it is not there, with those on the way, and the cpu and cpuset controllers are enabled for it.

        Args:
          path: The path from the mount, as "/build".

        Example:
          g = m.cgroup("/build")
          g["cpu.weight"] = 300
          print(g["cpu.weight"])  # 300
        """

    def check_invariants(self) -> None:
        """Checks what must always hold: run queues, trees and trace agree, and no time is lost. It finds bugs of the simulator, not of scripts, and ends the program with code 4 if there is one.

        Example:
          m.run(1 * sec)
          m.check_invariants()
        """

    def counters(self, tasks: _Task | Iterable[_Task] | str | _Cgroup | None = None, *, since: str | _Duration | None = None, until: str | _Duration | None = None) -> _Counters:
        """Counts events by the names that perf stat has for them.

        Args:
          tasks: A task, a list of tasks, a pattern of names such as "cc1*", or a control group, which stands for all that is or was in it and below it; None for all tasks.
          since: Where to begin: a mark, or a time since boot; None for the boot.
          until: Where to end: a mark, or a time since boot; None for now.

        Example:
          m.run(1 * sec)
          c = m.counters(web)
          print(c["sched:sched_wakeup_new"])  # 1
        """

    def cpus(self, *, since: str | _Duration | None = None, until: str | _Duration | None = None) -> _Table:
        """Tells for each CPU how long it was busy, counts its switches and the tasks that came and left, and shows what runs and waits there now.

        Args:
          since: Where to begin: a mark, or a time since boot; None for the boot.
          until: Where to end: a mark, or a time since boot; None for now.

        Example:
          m.run(1 * sec)
          print(m.cpus())
        """

    @property
    def digest(self) -> str:
        """A short text of all that has happened: two runs with equal digests took the same decisions at the same times."""

    @property
    def events(self) -> int:
        """How many events of the simulation the machine has handled, a measure of the work that a run was."""

    def every(self, period: _Duration | str, fn: Callable[..., Any]) -> _Handle:
        """Calls a function again and again.

        Args:
          period: The time between two calls; the first comes one period from now.
          fn: A function of the machine. It may do anything but run the machine.

        Example:
          seen = []
          m.every(10 * ms, lambda m: seen.append(m.now))
          m.run(35 * ms)
          print(seen)  # [10ms, 20ms, 30ms]
        """

    def find(self, comm: str) -> list[_Task]:
        """Returns the tasks that live and have a name, in the order of their process ids.

        Args:
          comm: The name; * stands for any text, ? for one character.

        Example:
          print([t.comm for t in m.find(comm = "h*")])  # ["hog"]
        """

    def groups(self, *, since: str | _Duration | None = None, until: str | _Duration | None = None) -> _Table:
        """Tells for each task group, of control groups and autogroups, its shares, the tasks that are scheduled in it now, and the CPU time in the window of those and of the tasks that exited in it.

        Args:
          since: Where to begin: a mark, or a time since boot; None for the boot.
          until: Where to end: a mark, or a time since boot; None for now.

        Example:
          m.cgroup("/build").attach(hog)
          m.run(1 * sec)
          print(m.groups())
        """

    def histogram(self, of: Literal["waits", "latency", "slices", "response"], tasks: _Task | Iterable[_Task] | str | _Cgroup | None = None, *, span: str = "", since: str | _Duration | None = None, until: str | _Duration | None = None) -> _Histogram:
        """Measures what m.waits, m.latency, m.slices or m.response measure, and counts it without keeping the samples. With a machine that keeps its last records only, a run of any length is measured in pieces: h += m.histogram("waits", since = last, until = m.now) after each m.run. What happens at the moment until belongs to the next piece, so give it, lest that counts twice.

        Args:
          of: The measure, by the name of the method that gives its samples.
          tasks: A task, a list of tasks, a pattern of names such as "cc1*", or a control group, which stands for all that is or was in it and below it; None for all tasks.
          span: The name of the span, for "response".
          since: Where to begin: a mark, or a time since boot; None for the boot.
          until: Where to end: a mark, or a time since boot; None for now.

        Example:
          m.run(500 * ms)
          h = m.histogram("waits", hog, until = m.now)
          m.run(500 * ms)
          h += m.histogram("waits", hog, since = 500 * ms)
          print(h.n == m.waits(hog).n)  # True
        """

    def interrupts(self, gap: _Duration | str | _Distribution, cost: _Duration | str | _Distribution, cpus: str | int | Iterable[int] | None = None, name: str = "irq") -> None:
        """Lets CPUs take interrupts from now on: devices, the network, other timers.

        Args:
          gap: The time between two interrupts of a CPU.
          cost: How long the CPU is taken from the task that runs.
          cpus: The CPUs that take them, each at its own moments; None for all.
          name: The name of the random stream.

        Example:
          m.interrupts(dist.exponential(1 * ms), 5 * us, cpus = "0-1")
          m.run(1 * sec)
        """

    @property
    def kernel(self) -> str:
        """The kernel profile that the machine runs, with the patches put on it."""

    def kthread(self, comm: str, program: _Program | _Step | Iterable[Any], cpu: int | None = None, nice: int = 0) -> _Task:
        """Starts a kernel thread: it belongs to no session, and no autogroup takes it.

        Args:
          comm: The name, as "kworker/3:1".
          program: What the thread does.
          cpu: The CPU that it is bound to; None for all.
          nice: The nice value, -20 to 19.

        Example:
          w = m.kthread("kworker/3:1", work.loop([work.run(15 * us), work.sleep(15 * ms)]), cpu = 3)
          print(w.allowed)  # 3
        """

    def latency(self, tasks: _Task | Iterable[_Task] | str | _Cgroup | None = None, *, since: str | _Duration | None = None, until: str | _Duration | None = None) -> _Samples:
        """Measures, for each wakeup, the time until the task was switched in. What the switch itself costs comes after it; a span (work.begin, work.end) has it.

        Args:
          tasks: A task, a list of tasks, a pattern of names such as "cc1*", or a control group, which stands for all that is or was in it and below it; None for all tasks.
          since: Where to begin: a mark, or a time since boot; None for the boot.
          until: Where to end: a mark, or a time since boot; None for now.

        Example:
          m.run(1 * sec)
          print(m.latency(web).max < 50 * ms)  # True
        """

    def ls(self, path: str) -> list[str]:
        """Lists a directory.

        Args:
          path: The whole path, as "/proc/sys/kernel/sched_autogroup_enabled".

        Example:
          m.mkdir("/sys/fs/cgroup/build")
          print("build" in m.ls("/sys/fs/cgroup"))  # True
        """

    def mark(self, name: str) -> None:
        """Names the present moment, for the since and until of measures.

        Args:
          name: The name; it must be new, and not read as a time.

        Example:
          m.run(1 * sec)
          m.mark("warm")
          m.run(1 * sec)
          print(m.slices(hog, since = "warm").unit)  # ns
        """

    def migration_matrix(self, tasks: _Task | Iterable[_Task] | str | _Cgroup | None = None, *, since: str | _Duration | None = None, until: str | _Duration | None = None) -> _Table:
        """Counts the moves of tasks by the CPU that they left, a row each, and the one that they went to, a column each.

        Args:
          tasks: A task, a list of tasks, a pattern of names such as "cc1*", or a control group, which stands for all that is or was in it and below it; None for all tasks.
          since: Where to begin: a mark, or a time since boot; None for the boot.
          until: Where to end: a mark, or a time since boot; None for now.

        Example:
          m.at(10 * ms, lambda m: hog.sched_setaffinity("3"))
          m.run(1 * sec)
          print(m.migration_matrix())
        """

    def migrations(self, tasks: _Task | Iterable[_Task] | str | _Cgroup | None = None, *, since: str | _Duration | None = None, until: str | _Duration | None = None) -> _Table:
        """Lists the moves of tasks to other CPUs.

        Args:
          tasks: A task, a list of tasks, a pattern of names such as "cc1*", or a control group, which stands for all that is or was in it and below it; None for all tasks.
          since: Where to begin: a mark, or a time since boot; None for the boot.
          until: Where to end: a mark, or a time since boot; None for now.

        Example:
          m.at(10 * ms, lambda m: hog.sched_setaffinity("3"))
          m.run(1 * sec)
          print(m.migrations())
        """

    def mkdir(self, path: str) -> None:
        """Makes a control group. m.cgroup also enables the controllers on the way down.

        Args:
          path: The whole path, as "/proc/sys/kernel/sched_autogroup_enabled".

        Example:
          m.mkdir("/sys/fs/cgroup/build")
        """

    @property
    def ncpu(self) -> int:
        """The number of CPUs."""

    @property
    def now(self) -> _Duration:
        """The time since the machine booted."""

    def on(self, event: str, fn: Callable[..., Any], where: dict[Any, Any] = {}) -> _Handle:
        """Calls a function for each event of a kind from now on. It is called at the end of the moment in which the event happened, so that no decision changes while it is taken.

        Args:
          event: The name of a tracepoint: sched_switch, sched_wakeup, sched_wakeup_new, sched_migrate_task, sched_process_fork, sched_process_exec, sched_process_exit.
          fn: A function of the machine and the event. It may do anything but run the machine.
          where: The values that fields of the event must have for the call; a string may be a pattern, as "cc1*", and a task stands for its pid.

        Example:
          woken = []
          m.on("sched_wakeup", lambda m, ev: woken.append(ev.comm), where = {"comm": "web"})
          m.run(25 * ms)
          print(woken)  # ["web", "web"]
        """

    def pending(self, tasks: _Task | Iterable[_Task] | str | _Cgroup | None = None, *, since: str | _Duration | None = None, until: str | _Duration | None = None) -> _Samples:
        """Measures the waits that have not ended at the end of the window, up to there: a task that starves shows here.

        Args:
          tasks: A task, a list of tasks, a pattern of names such as "cc1*", or a control group, which stands for all that is or was in it and below it; None for all tasks.
          since: Where to begin: a mark, or a time since boot; None for the boot.
          until: Where to end: a mark, or a time since boot; None for now.

        Example:
          m.run(1 * sec)
          print(m.pending(hog).n)  # 0
        """

    def perturbation_rows(self, task: _Task, threshold: _Duration | str = 5 * ms, interval: _Duration | str = 1 * sec, *, since: str | _Duration | None = None, until: str | _Duration | None = None) -> _Table:
        """Tells the perturbations of a task as a program prints them that measures its own: a row for each second.

        Args:
          task: A task that never sleeps.
          threshold: Perturbations longer than this are counted apart.
          interval: How long a row is.
          since: Where to begin: a mark, or a time since boot; None for the boot.
          until: Where to end: a mark, or a time since boot; None for now.

        Example:
          m.run(3 * sec)
          print(m.perturbation_rows(hog, threshold = 5 * ms))
        """

    def perturbations(self, task: _Task, *, since: str | _Duration | None = None, until: str | _Duration | None = None) -> _Samples:
        """Measures the gaps that a program finds which reads the cycle counter in a loop: every stretch in which the task could have run and did not, be it for other tasks, ticks, interrupts or the kernel's own work.

        Args:
          task: A task that never sleeps.
          since: Where to begin: a mark, or a time since boot; None for the boot.
          until: Where to end: a mark, or a time since boot; None for now.

        Example:
          m.run(1 * sec)
          print(m.perturbations(hog).n > 200)  # True
        """

    def read(self, path: str) -> str:
        """Reads one of the kernel's files: /proc, /sys, and the control groups below /sys/fs/cgroup.

        Args:
          path: The whole path, as "/proc/sys/kernel/sched_autogroup_enabled".

        Example:
          print(m.read("/proc/%d/comm" % hog.pid).strip())  # hog
        """

    def response(self, span: str, tasks: _Task | Iterable[_Task] | str | _Cgroup | None = None, *, since: str | _Duration | None = None, until: str | _Duration | None = None) -> _Samples:
        """Measures the spans that tasks have begun and ended with work.begin and work.end.

        Args:
          span: The name of the span.
          tasks: A task, a list of tasks, a pattern of names such as "cc1*", or a control group, which stands for all that is or was in it and below it; None for all tasks.
          since: Where to begin: a mark, or a time since boot; None for the boot.
          until: Where to end: a mark, or a time since boot; None for now.

        Example:
          m.spawn("srv", work.loop([work.sleep(9 * ms), work.begin("req"), work.run(1 * ms), work.end("req")]))
          m.run(1 * sec)
          print(m.response("req").min >= 1 * ms)  # True
        """

    def rmdir(self, path: str) -> None:
        """Removes a control group that has neither processes nor children.

        Args:
          path: The whole path, as "/proc/sys/kernel/sched_autogroup_enabled".

        Example:
          m.mkdir("/sys/fs/cgroup/build")
          m.rmdir("/sys/fs/cgroup/build")
        """

    def run(self, duration: _Duration | str) -> None:
        """Runs the machine for a while. A callback may not call it.

        Args:
          duration: How long.

        Example:
          m.run(30 * ms)
          m.run("20ms")
          print(m.now)  # 50ms
        """

    def run_until(self, fn: Callable[..., Any], limit: _Duration | str) -> bool:
        """Runs the machine until something has come true, and returns whether it has. The machine stops at the moment at which it came true, or at the limit.

        Args:
          fn: A function of the machine that tells whether to stop; it is asked now and after every moment at which something happens.
          limit: How long to run at most.

        Example:
          done = m.spawn("cc1", [work.run(25 * ms)])
          print(m.run_until(lambda m: done.exited, limit = 10 * sec))  # True
        """

    @property
    def seed(self) -> int:
        """The seed from which the machine's random streams grow."""

    def semaphore(self, n: int = 0) -> _Semaphore:
        """Makes a semaphore, for the sem_wait and sem_post steps of tasks of this machine.

        Args:
          n: The count to begin with.

        Example:
          s = m.semaphore()
          m.spawn("waker", [work.run(1 * ms), work.sem_post(s)])
          m.spawn("sleeper", [work.sem_wait(s), work.run(1 * ms)])
        """

    def shares(self, tasks: _Task | Iterable[_Task] | str | _Cgroup | None = None, cpu: int | None = None, *, by: Literal["task", "comm", "group"] = "task", since: str | _Duration | None = None, until: str | _Duration | None = None) -> _Table:
        """Tells how much CPU time each task had, the idle time included where all tasks are asked for.

        Args:
          tasks: A task, a list of tasks, a pattern of names such as "cc1*", or a control group, which stands for all that is or was in it and below it; None for all tasks.
          cpu: One CPU; None for all.
          by: What a row is: a task, all tasks with one name, or all in one task group.
          since: Where to begin: a mark, or a time since boot; None for the boot.
          until: Where to end: a mark, or a time since boot; None for now.

        Example:
          m.run(1 * sec)
          print(m.shares(cpu = 0))
          print(m.shares("w*", by = "comm"))
        """

    def shares_over_time(self, tasks: _Task | Iterable[_Task] | str | _Cgroup | None = None, *, window: _Duration | str | None = None, cpu: int | None = None, by: Literal["task", "comm", "group"] = "task", since: str | _Duration | None = None, until: str | _Duration | None = None) -> _Table:
        """Tells how much CPU time each task had in each of many windows of time, the idle time included where all tasks are asked for: the rows of a window then add up to 100 %. Tasks that had none in a window have no row there. plot.shares draws it.

        Args:
          tasks: A task, a list of tasks, a pattern of names such as "cc1*", or a control group, which stands for all that is or was in it and below it; None for all tasks.
          window: How long a window is; the last one may be shorter. None cuts the time into 50 to 100 windows of a round length.
          cpu: One CPU; None for all.
          by: What a row is: a task, all tasks with one name, or all in one task group.
          since: Where to begin: a mark, or a time since boot; None for the boot.
          until: Where to end: a mark, or a time since boot; None for now.

        Example:
          m.run(100 * ms)
          print(m.shares_over_time(window = 25 * ms))
          print(m.shares_over_time("w*", window = 50 * ms, by = "comm"))
        """

    def slices(self, tasks: _Task | Iterable[_Task] | str | _Cgroup | None = None, *, since: str | _Duration | None = None, until: str | _Duration | None = None) -> _Samples:
        """Measures every stretch in which a task ran, from switch to switch.

        Args:
          tasks: A task, a list of tasks, a pattern of names such as "cc1*", or a control group, which stands for all that is or was in it and below it; None for all tasks.
          since: Where to begin: a mark, or a time since boot; None for the boot.
          until: Where to end: a mark, or a time since boot; None for now.

        Example:
          m.run(1 * sec)
          print(round(m.slices("w*").p(50), 1 * ms))  # 2ms
        """

    def spawn(self, comm: str, program: _Program | _Step | Iterable[Any], nice: int = 0, cpus: str | int | Iterable[int] | None = None, cgroup: str | _Cgroup | None = None, parent: _Task | None = None, policy: str = "OTHER", at: _Duration | str | None = None) -> _Task:
        """Starts a task, and returns it. A task without a parent is forked on CPU 0. One that starts later has no process id until then.

        Args:
          comm: The name of the task, at most 15 bytes.
          program: What the task does. At the end of its program it exits.
          nice: The nice value, -20 to 19.
          cpus: The CPUs that the task may use; None for all.
          cgroup: The control group, by its path or handle; None for that of the parent.
          parent: The task that forks it, whose session it joins; None for the machine itself.
          policy: The scheduling policy: OTHER, BATCH or IDLE.
          at: When the task starts, as time since boot; None for now.

        Example:
          cc = m.spawn("cc1", [work.run(30 * ms)], nice = 5, cpus = "0-1")
          m.run(10 * ms)
          print(cc.comm, cc.nice, cc.allowed)  # cc1 5 0-1
        """

    @property
    def state(self) -> dict[Any, Any]:
        """A dict of the script's own, for counting in callbacks."""

    def switches(self, tasks: _Task | Iterable[_Task] | str | _Cgroup | None = None, *, since: str | _Duration | None = None, until: str | _Duration | None = None) -> _Table:
        """Counts the context switches by why they happened, the state of the task that left, and the rule that chose the next.

        Args:
          tasks: A task, a list of tasks, a pattern of names such as "cc1*", or a control group, which stands for all that is or was in it and below it; None for all tasks.
          since: Where to begin: a mark, or a time since boot; None for the boot.
          until: Where to end: a mark, or a time since boot; None for now.

        Example:
          web.sched_setaffinity("0")
          m.run(1 * sec)
          print(m.switches(hog))
        """

    def task(self, pid: int) -> _Task:
        """Returns the task with a process id, also one that has exited.

        Args:
          pid: The process id.

        Example:
          print(m.task(hog.pid).comm)  # hog
        """

    def tasks(self, tasks: _Task | Iterable[_Task] | str | _Cgroup | None = None, *, since: str | _Duration | None = None, until: str | _Duration | None = None) -> _Table:
        """Tells for each task how long it ran, waited and slept, and counts its switches, wakeups and moves. Tasks that have exited are there too.

        Args:
          tasks: A task, a list of tasks, a pattern of names such as "cc1*", or a control group, which stands for all that is or was in it and below it; None for all tasks.
          since: Where to begin: a mark, or a time since boot; None for the boot.
          until: Where to end: a mark, or a time since boot; None for now.

        Example:
          m.run(1 * sec)
          print(m.tasks())
        """

    def timeline(self, *, since: str | _Duration | None = None, until: str | _Duration | None = None) -> _Table:
        """Lists what each CPU ran, from when to when; pid 0 is idle.

        Args:
          since: Where to begin: a mark, or a time since boot; None for the boot.
          until: Where to end: a mark, or a time since boot; None for now.

        Example:
          m.run(30 * ms)
          print(m.timeline(since = 10 * ms).head(3))
        """

    def try_write(self, path: str, text: str | int) -> str:
        """Writes to a file, and returns the name of the errno where Linux refuses that, else None.

        Args:
          path: The whole path, as "/proc/sys/kernel/sched_autogroup_enabled".
          text: What is written.

        Example:
          print(m.try_write("/proc/sys/kernel/sched_autogroup_enabled", "2"))  # EINVAL
        """

    def waits(self, tasks: _Task | Iterable[_Task] | str | _Cgroup | None = None, *, since: str | _Duration | None = None, until: str | _Duration | None = None) -> _Samples:
        """Measures every stretch in which a task could run but was kept off the CPU. Those that have not ended are counted by pending.

        Args:
          tasks: A task, a list of tasks, a pattern of names such as "cc1*", or a control group, which stands for all that is or was in it and below it; None for all tasks.
          since: Where to begin: a mark, or a time since boot; None for the boot.
          until: Where to end: a mark, or a time since boot; None for now.

        Example:
          m.run(1 * sec)
          print(m.waits([hog, web]).n > 0)  # True
        """

    def waits_by_cause(self, tasks: _Task | Iterable[_Task] | str | _Cgroup | None = None, *, since: str | _Duration | None = None, until: str | _Duration | None = None) -> _Table:
        """Adds up the waits of tasks by the decision that began them.

        Args:
          tasks: A task, a list of tasks, a pattern of names such as "cc1*", or a control group, which stands for all that is or was in it and below it; None for all tasks.
          since: Where to begin: a mark, or a time since boot; None for the boot.
          until: Where to end: a mark, or a time since boot; None for now.

        Example:
          web.sched_setaffinity("0")
          m.run(1 * sec)
          print(m.waits_by_cause(hog))
        """

    def write(self, path: str, text: str | int) -> None:
        """Writes to one of the kernel's files. What Linux refuses fails with its errno, and nothing has changed then.

        Args:
          path: The whole path, as "/proc/sys/kernel/sched_autogroup_enabled".
          text: What is written.

        Example:
          m.write("/proc/sys/kernel/sched_autogroup_enabled", "0")
        """

def machine(topology: _Topology | str, kernel: str = "3.3", boot: str = "", hz: int = 250, preempt: Literal["none", "voluntary", "full"] = "voluntary", features: Iterable[str] = [], patches: Iterable[str] = [], tunables: dict[Any, Any] = {}, cgroup: Literal["v2"] = "v2", costs: _CostTable = costs.default, seed: int | None = None, *, ticks: Literal["skip", "all"] = "skip", records: int | None = None, reasons: bool = True) -> _Machine:
    """Makes a machine. It has no tasks, and the time is 0. The random streams grow from the seed by name, so that machines with equal seeds draw equal numbers for equal tasks.

    Args:
      topology: The CPUs: topo.smp(4), topo.parse("2n4l16c2t").
      kernel: The version of Linux to follow. One without a profile takes the nearest older one and says so.
      boot: Words of the kernel command line: noautogroup, skew_tick=1, preempt=none.
      hz: The rate of the timer tick (CONFIG_HZ), 24 to 10000. In ticks per second.
      preempt: Where a request to reschedule takes effect while a task is inside the kernel.
      features: Scheduler features to switch, as in sched_features: "NEXT_BUDDY", "NO_LAST_BUDDY".
      patches: Named changes to put on the profile; with NO_ before the name one is taken off.
      tunables: Scheduler tunables by their sysctl or debugfs name, as {"sched_latency_ns": 6000000} or {"sched_latency": 6 * ms}.
      cgroup: The version of the control groups below /sys/fs/cgroup.
      costs: What things cost in time.
      seed: What the random streams grow from; None takes the session's seed.
      ticks: Whether ticks that cannot matter are simulated: the trace is the same, all takes longer.
      records: How many of the newest trace records to keep for measures; None keeps 32 million.
      reasons: Record each request to reschedule, with the rule and the numbers that it compared. Without, the schedule is the same and a run is up to a tenth faster; the digest is another.

    Example:
      m = machine(topo.smp(4), kernel = "2.6.36", patches = ["autogroup"], boot = "skew_tick=1")
      m.run(10 * ms)
      print(m.now)  # 10ms
    """

class _Paired:
    """Two variants compared over the same seeds, as stats.paired makes it. It prints its conclusion in words. Differences are b less a, and percentages are of the mean of a."""

    @property
    def correlation(self) -> float | None:
        """The correlation of the pairs, from -1 to 1: how much of what a seed does it does to both. None if one side does not vary."""

    @property
    def detectable(self) -> _Duration | float:
        """The least difference that so many pairs of this spread show with probability power (noncentral t distribution, the observed spread taken for the true one)."""

    @property
    def detectable_percent(self) -> float | None:
        """The same in percent of the mean of a; None if that is 0."""

    @property
    def difference(self) -> _Duration | float:
        """The mean of b less that of a."""

    @property
    def gain(self) -> float | None:
        """How many times more seeds an unpaired comparison takes for an interval as narrow: the variances of a and of b, over that of the differences. Below 1 the pairing has cost something. None if all differences are equal."""

    @property
    def interval(self) -> tuple[Any, Any]:
        """The interval of the difference, as (lo, hi)."""

    @property
    def mean_a(self) -> _Duration | float:
        """The mean of a."""

    @property
    def mean_b(self) -> _Duration | float:
        """The mean of b."""

    @property
    def n(self) -> int:
        """The number of pairs."""

    @property
    def p(self) -> float | None:
        """The probability of so large a difference, either way, if there is none in truth; by Student's t. None if all differences are equal and not 0: there is no spread to measure them by."""

    @property
    def percent(self) -> float | None:
        """The difference in percent of the mean of a; None if that is 0."""

    @property
    def percent_interval(self) -> tuple[Any, Any] | None:
        """The interval of that, as (lo, hi); None where the mean of a may as well be 0."""

    @property
    def significant(self) -> bool:
        """Whether a difference was seen: its interval excludes 0."""

    def table(self) -> _Table:
        """The comparison as a table: the means, the difference with its intervals and p, and what would have been found.

        Example:
          print(p.table()[2].value)  # -3.6ms
        """

    @property
    def wilcoxon_p(self) -> float | None:
        """The same by Wilcoxon's signed ranks: exact up to 50 pairs, ties included, and the normal approximation beyond. Pairs without a difference are left out."""

class _Program:
    """What a task does: steps, compiled once. A program may be shared by any number of tasks. Wherever a program is wanted, a step or a list of steps will do."""

    @property
    def listing(self) -> str:
        """The compiled code, one numbered instruction a line."""

    @property
    def timeless(self) -> list[str]:
        """The paths of loops in which no step can take time or block. A task that comes into one never leaves the instant, unless system calls cost time."""

class _Samples:
    """A measure that was taken many times, with its unit: latencies, waits, slices, responses. Values that are times are durations. Samples are a sequence: len(s), s[0], and for x in s work as for a list."""

    def above(self, x: Any) -> _Samples:
        """The samples that are longer than a threshold.

        Args:
          x: The threshold: a duration for times, else a number.

        Example:
          print(s.above(2 * ms).n)  # 2
        """

    @property
    def at(self) -> list[_Duration]:
        """The moments since boot at which the samples were taken, where that is known, else an empty list."""

    def cdf(self) -> _Table:
        """The empirical distribution: each value that occurs, with the share of samples that do not exceed it. See plot.cdf for a figure.

        Example:
          print(s.cdf()[-1].share)  # 100.0
        """

    def describe(self) -> _Table:
        """The usual numbers in a table of one row: n, mean, std, min, percentiles, max.

        Example:
          print(s.describe())
        """

    def hist(self, bins: int = 20, *, log: bool = False) -> _Table:
        """Counts the samples in bins between the least and the largest. A bin holds its lower edge, and the last one its upper edge too.

        Args:
          bins: How many bins.
          log: The bins grow by a constant factor, not by a constant width.

        Example:
          print(s.hist(bins = 3)["count"])  # [3, 0, 1]
        """

    def histogram(self) -> _Histogram:
        """Counts the samples in bounded memory, so that those of many runs can be added up and forgotten.

        Example:
          print(s.histogram().mean)  # 4ms
        """

    def interval(self, level: float = 0.95) -> tuple[Any, Any]:
        """A confidence interval of the mean, as (lo, hi). It is found by redrawing the samples 2,000 times, from a stream of the session's seed, and for more than 10,000 samples by Student's t. It takes the samples for independent of each other, which waits in a row seldom are: over several seeds, repeat and stats.interval are safer.

        Args:
          level: How sure the interval is to hold the true mean.

        Example:
          lo, hi = s.interval()
          print(lo < s.mean and s.mean < hi)  # True
        """

    @property
    def max(self) -> _Duration | float:
        """The largest value."""

    @property
    def mean(self) -> _Duration | float:
        """The arithmetic mean. It is an error if there are no samples, as for the other measures."""

    @property
    def median(self) -> _Duration | float:
        """The middle value; of an even number of samples the mean of the middle two."""

    @property
    def min(self) -> _Duration | float:
        """The least value."""

    @property
    def n(self) -> int:
        """The number of samples."""

    @property
    def name(self) -> str:
        """What was measured."""

    def p(self, q: float) -> _Duration | float:
        """The value that q percent of the samples do not exceed, between two of them in proportion.

        Args:
          q: Which percentile, from 0 to 100: 50 is the median. In percent.

        Example:
          print(s.p(50), s.p(100))  # 2.5ms 10ms
        """

    def sparkline(self, width: int = 20, *, dist: bool = False) -> str:
        """A line of characters that shows how the samples went, in the order in which they were taken: the higher, the longer. Where there are more samples than characters, each shows the largest of its share. The bottom is 0, or the least sample if that is negative. It is empty for no samples.

        Args:
          width: How many characters at most. In columns.
          dist: Draw how the samples are spread from the least to the largest, not how they went.

        Example:
          print(stats.samples([1 * ms, 2 * ms, 4 * ms, 8 * ms]).sparkline())  # ▂▃▅█
        """

    @property
    def std(self) -> _Duration | float:
        """The standard deviation of the samples, of which there must be two at least."""

    @property
    def sum(self) -> _Duration | float:
        """All values added up; 0 of none."""

    def table(self) -> _Table:
        """The samples one by one: when each ended and whose it is, where that is known, and its value.

        Example:
          s.table().save("waits.csv")
        """

    def text_hist(self, bins: int = 10, *, width: int = 60, log: bool | None = None) -> str:
        """A histogram as text: a line for each bin, with its edges, a bar and the count. A prompt shows one for samples. See hist for the numbers and plot.cdf for a figure.

        Args:
          bins: How many bins.
          width: How wide it may be, labels and counts included. In columns.
          log: The bins grow by a constant factor, not by a constant width. None decides by the samples: True where a few are far above the others.

        Example:
          s = stats.samples([1 * ms, 2 * ms, 2 * ms, 5 * ms])
          print(s.text_hist(bins = 1, width = 24))  # 1ms - 5ms │███████████ 4
        """

    @property
    def unit(self) -> str:
        """The unit; times are kept in "ns" and given as durations."""

    @property
    def values(self) -> list[_Duration] | list[float]:
        """The values in the order in which they were taken."""

    def vs(self, other: _Samples, *, level: float = 0.95) -> _Versus:
        """Compares the distribution of other samples with that of these; differences are the other less this. Both must have one unit and two values. The interval of the means is Welch's, those of medians and 99th percentiles (from 100 values on) are found by redrawing 2,000 times. Mann-Whitney's p is exact for small samples, and else a normal approximation with corrections for ties and continuity; Kolmogorov-Smirnov's is exact where the product of the sizes is below 10,000, and else that of the limit, which errs on the safe side with ties. All of them take values for independent of each other, and the waits of one run are not: a long one comes with others. The text says so, and estimates by batch means how much the samples are worth. To compare variants, prefer repeat and stats.paired.

        Args:
          other: The samples to compare these with.
          level: How sure the intervals are to hold the true value.

        Example:
          t = stats.samples([4 * ms, 6 * ms, 8 * ms, 20 * ms])
          print(s.vs(t).difference)  # 5.5ms
        """

    def __getitem__(self, i: int, /) -> Any: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...

class _Semaphore:
    """A counting semaphore of one machine. Tasks wait for it with work.sem_wait and post it with work.sem_post."""

    @property
    def machine(self) -> _Machine:
        """The machine that the semaphore belongs to."""

    def post(self) -> None:
        """Adds one to the count, or wakes the first task that waits. The call comes from outside, as an interrupt does.

        Example:
          s.post()
          m.run(10 * ms)
          print(t.exited)  # True
        """

class _Size(_Quantity):
    """An amount of memory, exact to the byte. Write it as a number times a unit (64 * KiB) or, in an argument, as a string ("64KiB"). Sizes calculate as durations do."""

    @property
    def GiB(self) -> float:
        """The size as a bare number of GiB."""

    @property
    def KiB(self) -> float:
        """The size as a bare number of KiB."""

    @property
    def MiB(self) -> float:
        """The size as a bare number of MiB."""

    @property
    def bytes(self) -> int:
        """The size as a bare number of bytes."""

class _StopRule:
    """When enough seeds have been run, as stats.until makes it for repeat."""

    def enough(self, values: Any) -> _Struct:
        """Asks the rule of some values: done tells whether to stop, met whether the mean is known well enough, and more how many more values that is likely to take (0 if done).

        Args:
          values: The values so far: samples, a column, or a list of numbers or durations.

        Example:
          print(rule.enough([9 * ms, 10 * ms, 11 * ms]))  # struct(done = False, met = False, more = 15)
        """

    @property
    def least(self) -> int:
        """The number of values before which it never stops."""

    @property
    def level(self) -> float:
        """How sure the interval is to hold the true mean."""

    @property
    def most(self) -> int:
        """The number of values at which it always stops."""

    @property
    def of(self) -> str:
        """The field whose mean counts; empty for the only one."""

class _Table:
    """Rows under named columns, which know their units. len(t) is the number of rows, t[0] is a row with a field for each column, t["wait"] is a column as a list, and for row in t goes through the rows. A missing value is None. A table does not change: sort, where and the others make new ones."""

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""

    def concat(self, *others: _Table) -> _Table:
        """The rows of several tables, one after the other; a + b does the same for two. Columns must have the same kinds and units; ints beside floats become floats, and a column without any value fits all.

        Args:
          *others: Tables with the same columns, in any order.

        Example:
          print(len(t.concat(t, t)), len(t + t))  # 9 6
        """

    def describe(self, column: str | None = None) -> _Table:
        """What the columns are like: how many values, missing and different ones there are, and for numbers mean, std, min, quartiles and max.

        Args:
          column: A column, for values; None for an overview of all columns, whose numbers are texts with their units.

        Example:
          overview = t.describe()
          print(t.describe("wait")[0].mean)  # 220ms
        """

    def drop(self, *columns: str) -> _Table:
        """The table without some columns.

        Args:
          *columns: The columns that go.

        Example:
          print(t.drop("share").columns)  # ["comm", "wait"]
        """

    def group_by(self, *columns: str) -> _Groups:
        """Puts rows with equal values in some columns into groups, for aggregate or a loop. Groups stand in the order in which they first appear: sort the table before, or the result after, for another one. A missing value is a key of its own.

        Args:
          *columns: The columns whose values make the key; none for one group of all rows.

        Example:
          print(t.group_by("comm").aggregate(n = "count", wait = "mean", worst = ("wait", "max")))
        """

    def head(self, n: int = 10) -> _Table:
        """The first rows.

        Args:
          n: How many rows.

        Example:
          print(len(t.head(2)))  # 2
        """

    def histogram(self, name: str = "", by: str | Iterable[str] = "") -> _Histogram | dict[Any, Any]:
        """The sum of the histograms that the runs of repeat returned, of all rows of this table together; samples that they returned are counted. Rows are chosen as for t.samples. A histogram takes some KiB however much it has counted, so that runs may measure what samples have no room for.

        Args:
          name: The field that the runs returned; it may be left out where only one holds samples or histograms.
          by: A column, or several: the result is then a dict of histograms. Its keys are the texts of a column, and for other values "column=value".

        Example:
          def run(seed, slow):
              return {"wait": stats.histogram([seed * ms, seed * 2 * ms])}
          
          r = repeat(run, seeds = 3, vary = {"slow": [False, True]})
          print(r.histogram("wait").n)  # 12
          print(r.histogram("wait", by = "slow")["slow=True"].max)  # 6ms
        """

    def html(self, rows: int = 20) -> str:
        """The table as an HTML element, with the title as caption.

        Args:
          rows: How many rows to show at most; the middle ones are left out. -1 shows all.

        Example:
          print(t.html().startswith("<table"))  # True
        """

    def join(self, other: _Table, on: str | Iterable[str], how: Literal["inner", "left", "outer"] = "inner", *, suffix: str = "_right") -> _Table:
        """Puts rows of two tables with equal keys beside each other; where several fit, all pairs are made. Missing values and NaN fit nothing. Rows stand in the order of this table, and rows of the other without a partner come last. More than 10 million rows are refused.

        Args:
          other: The table whose columns come beside.
          on: The columns, in both tables, whose values must be equal. They have one kind and one unit.
          how: Which rows stay that find no partner: none, those of this table, or those of both.
          suffix: What is put behind the name of a column of the other table that this one has too.

        Example:
          limits = table("limits", ["comm", "most"], [("make", 20 * ms), ("cc1", 5 * ms)])
          j = t.join(limits, "comm", how = "left")
          print(j.columns, j["most"])  # ["comm", "share", "wait", "most"] [20ms, None, None]
        """

    def pivot(self, rows: str | Iterable[str], columns: str, values: str, fn: str | Callable[..., Any] | None = None) -> _Table:
        """Spreads a column over many: a row for each value of one, a column for each value of another. A cell without a value is missing, and cells keep their unit. unpivot undoes it.

        Args:
          rows: The columns whose values make the rows.
          columns: The column whose values become columns, in the order in which they first appear.
          values: The column whose values fill the cells.
          fn: A fold, as in aggregate, that makes one value of many; without it, two values for a cell are an error.

        Example:
          runs = table("runs", ["policy", "cpus", "wait"], [("cfs", 2, 9 * ms), ("eevdf", 2, 7 * ms), ("cfs", 4, 5 * ms), ("cfs", 4, 3 * ms)])
          p = runs.pivot("policy", "cpus", "wait", "mean")
          print(p.columns, p["4"])  # ["policy", "2", "4"] [4ms, None]
        """

    def rename(self, names: dict[Any, Any] = {}, **more: str) -> _Table:
        """The table with other names for some columns.

        Args:
          names: New names by the old ones.
          **more: The same as keywords: wait = "delay".

        Example:
          print(t.rename({"wait": "delay"}).columns)  # ["comm", "share", "delay"]
        """

    def samples(self, name: str = "", by: str | Iterable[str] = "") -> _Samples | dict[Any, Any]:
        """The samples that the runs of repeat returned, of all rows of this table together, in the order of the rows. where, sort, head and slices choose whose; the columns seed and those of varied arguments tell them apart and must be there. The moments and tasks of the samples are not kept, and no more than 10 million samples in all: the field that has most is then dropped, and asking for it is an error.

        Args:
          name: The field that the runs returned; it may be left out where only one holds samples or histograms.
          by: A column, or several: the result is then a dict of samples, as plot.cdf takes it. Its keys are the texts of a column, and for other values "column=value".

        Example:
          def run(seed, slow):
              return {"wait": stats.samples([seed * ms, seed * 2 * ms])}
          
          r = repeat(run, seeds = 3, vary = {"slow": [False, True]})
          print(r.samples("wait").n)  # 12
          print(r.samples("wait", by = "slow")["slow=True"].values)  # [1ms, 2ms, 2ms, 4ms, 3ms, 6ms]
        """

    def save(self, name: str) -> None:
        """Saves the table. In CSV, JSON and Parquet durations are whole nanoseconds, and the names of columns carry the units. A Parquet file also keeps the title, the exact units, and what made it: script, parameters, seed, kernels and version.

        Args:
          name: The name of the file, below the output directory. It ends in .csv, .json, .parquet, .html or .txt.

        Example:
          t.save("waits.csv")
          t.save("tables/waits.parquet")
        """

    def select(self, *names: str) -> _Table:
        """A table of some of the columns.

        Args:
          *names: The columns to keep, in their new order; a list of them will do too.

        Example:
          print(t.select("wait", "comm").columns)  # ["wait", "comm"]
        """

    def sort(self, *columns: str, desc: bool | Iterable[bool] = False) -> _Table:
        """The rows in the order of some columns. Equal rows stay in the order they had, and missing values come last.

        Args:
          *columns: The columns whose values give the order: rows that are equal in the first are in the order of the second, and so on.
          desc: The largest comes first; a list says so for each column.

        Example:
          print(t.sort("wait", desc = True)["comm"])  # ["hog", "make", "bash"]
          t.sort("share", "comm", desc = [True, False])
        """

    def tail(self, n: int = 10) -> _Table:
        """The last rows.

        Args:
          n: How many rows.

        Example:
          print(t.tail(1)["comm"])  # ["bash"]
        """

    def text(self, rows: int = -1, width: int = -1) -> str:
        """The table as text, without the limits that print has: 20 rows, 40 characters a cell.

        Args:
          rows: How many rows to show at most; the middle ones are left out. -1 shows all.
          width: How many characters of a text to show at most; -1 shows all.

        Example:
          print(t.text(rows = 2))
        """

    @property
    def title(self) -> str:
        """The title."""

    def unique(self, *columns: str) -> _Table:
        """The first row of each combination of values.

        Args:
          *columns: The columns that count; all, if none is named.

        Example:
          print(len((t + t).unique()), len(t.unique("comm")))  # 3 3
        """

    @property
    def units(self) -> dict[Any, Any]:
        """The unit of each column by its name; empty where there is none. Durations have theirs with them, and the unit here is the one that they are printed in."""

    def unpivot(self, *columns: str, names: str = "name", values: str = "value", drop_missing: bool = False) -> _Table:
        """Stacks columns: each row becomes one for each of them, beside the other columns. It undoes pivot, but that the names are strings.

        Args:
          *columns: The columns to stack, of one kind and unit.
          names: The name of the new column with the names of the stacked ones.
          values: The name of the new column with their values.
          drop_missing: Leave out rows without a value.

        Example:
          wide = table("shares", ["comm", ("cpu0", "%"), ("cpu1", "%")], [("make", 40.0, 60.0)])
          print(wide.unpivot("cpu0", "cpu1", names = "cpu", values = "share")[1])  # struct(comm = "make", cpu = "cpu1", share = 60.0)
        """

    def where(self, fn: Callable[..., Any] | dict[Any, Any] | None = None, **values: Any) -> _Table:
        """The rows that meet all conditions: equal values by keywords, which is fast, and a function for the rest.

        Args:
          fn: A function of a row that tells whether to keep it, or a dict of columns and values, for names that are no keywords.
          **values: A column each, with the value that it must have or a list of such values. None is a missing value, a string may be a pattern, as "cc1*", and a task stands for its pid.

        Example:
          print(t.where(comm = ["make", "hog"])["wait"])  # [40ms, 400ms]
          print(t.where(lambda row: row.share > 5)["comm"])  # ["make", "hog"]
        """

    def with_column(self, name: str, values: Any, unit: str = "") -> _Table:
        """The table with one more column.

        Args:
          name: The name of the new column, or of one that is replaced.
          values: A function of a row, a list with a value for each row, or one value for all.
          unit: The unit of numbers, as "%". Durations have theirs; for them it is the one to print them in.

        Example:
          print(t.with_column("ratio", lambda row: row.share / 100)["ratio"][0])  # 0.909
        """

    @overload
    def __getitem__(self, column: str, /) -> list[Any]: ...
    @overload
    def __getitem__(self, row: int, /) -> Any: ...
    def __add__(self, other: _Table, /) -> _Table: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...

def table(title: str, columns: Iterable[Any] | None = None, rows: Iterable[Any] = []) -> _Table:
    """Makes a table. The values of a column are all ints, all numbers, all durations, all strings or all bools; None is a missing value. Columns of durations keep their unit, and other numbers get theirs by a pair.

    Args:
      title: What the table is about.
      columns: The columns: a name, or a pair of name and unit, as ("share", "%"). For a column of durations the unit ns, us, ms or s is the one to print them in, and may be left out. None takes the fields of the first row.
      rows: The rows: lists or tuples with a value for each column, or dicts or structs with a field for each.

    Example:
      t = table("shares", ["config", ("share", "%"), ("worst", "ms")], [
          ("without", 90.9, 82700 * us),
          ("with", 50.0, 16100 * us),
      ])
      print(t[1].share)  # 50.0
      print(table("seen", rows = [{"n": 1, "wait": 2 * ms}])[0].wait)  # 2ms
    """

class _Task:
    """A task of a machine. Its methods are system calls that it makes, or that are made on it; its attributes read what it is at the moment. Of a task that has exited only pid, comm and exited are left."""

    @property
    def allowed(self) -> str:
        """The CPUs that the task may use, as in cpuset.cpus."""

    @property
    def autogroup(self) -> str:
        """The autogroup of the task's session, as /proc/PID/autogroup names it; None where there is none."""

    @property
    def cgroup(self) -> str:
        """The path of the control group."""

    @property
    def children(self) -> list[_Task]:
        """The processes that the task's process has forked and that live."""

    @property
    def comm(self) -> str:
        """The name."""

    @property
    def cpu(self) -> int:
        """The CPU on whose queue the task is, or was last."""

    def execve(self, comm: str) -> None:
        """Gives the task the name of another program. What it does goes on.

        Args:
          comm: The name, at most 15 bytes.

        Example:
          t.execve("as")
          print(t.comm)  # as
        """

    def exit(self) -> None:
        """Lets the task exit, whatever its program still had to do. It acts when the task is next on a CPU.

        Example:
          t.exit()
          m.run(1 * sec)
          print(t.exited)  # True
        """

    @property
    def exited(self) -> bool:
        """Whether the task has exited."""

    def fork(self, program: _Program | _Step | Iterable[Any], comm: str | None = None) -> _Task:
        """Makes a child process, which inherits session, control group, policy, nice value and CPUs, and returns it.

        Args:
          program: What the child does.
          comm: The child's name; None for the parent's.

        Example:
          c = t.fork([work.run(5 * ms)], comm = "cc1")
          print(c.comm, c.ppid == t.pid)  # cc1 True
        """

    def kill(self, signal: str | int = "TERM") -> None:
        """Sends a signal. STOP and KILL act when the task is next on a CPU; CONT lets a stopped task go on.

        Args:
          signal: KILL, TERM, CONT or STOP, with or without SIG, or the number.

        Example:
          t.kill("STOP")
          m.run(1 * sec)
          print(t.state)  # T
        """

    @property
    def machine(self) -> _Machine:
        """The machine that the task belongs to."""

    @property
    def nice(self) -> int:
        """The nice value."""

    @property
    def nivcsw(self) -> int:
        """Involuntary context switches: the task was put off the CPU."""

    @property
    def nr_migrations(self) -> int:
        """How often the task has moved to another CPU."""

    @property
    def nvcsw(self) -> int:
        """Voluntary context switches: the task went to sleep or waited."""

    @property
    def pid(self) -> int:
        """The process id; that of a thread, as gettid returns it."""

    @property
    def policy(self) -> str:
        """The scheduling policy, without SCHED_."""

    @property
    def ppid(self) -> int:
        """The process id of the parent; 1 for a task that the script started, and when the parent is gone."""

    @property
    def run_delay(self) -> _Duration:
        """How long the task has waited for a CPU while it could run, up to the end of the last such wait."""

    def sched_setaffinity(self, cpus: str | int | Iterable[int]) -> None:
        """Sets the CPUs that the task may use. CPUs that do not exist are passed over; EINVAL if no other is left.

        Args:
          cpus: The CPUs, as "0-3", 2 or [0, 2].

        Example:
          t.sched_setaffinity("2-3")
          print(t.allowed)  # 2-3
        """

    def sched_setscheduler(self, policy: str) -> None:
        """Sets the scheduling policy.

        Args:
          policy: The policy: OTHER, BATCH or IDLE.

        Example:
          t.sched_setscheduler("BATCH")
          print(t.policy)  # BATCH
        """

    def setpriority(self, nice: int) -> None:
        """Sets the nice value. As on Linux a value beyond the ends becomes the end.

        Args:
          nice: The nice value, -20 to 19.

        Example:
          t.setpriority(-5)
          print(t.nice)  # -5
        """

    def setsid(self) -> int:
        """Makes the task's process the leader of a new session, with an autogroup where the kernel has that, and returns the session's id. It fails with EPERM for a process that leads one already.

        Example:
          print(t.setsid() == t.pid)  # True
        """

    @property
    def sid(self) -> int:
        """The session, by the process id of its leader."""

    @property
    def state(self) -> str:
        """The state, as ps shows it: R runs or could run, S sleeps, T was stopped."""

    @property
    def sum_exec_runtime(self) -> _Duration:
        """The CPU time so far."""

    @property
    def tgid(self) -> int:
        """The process id of the process, which its threads share."""

    @property
    def vruntime(self) -> _Duration:
        """The virtual run time, as last accounted."""

class _Topology:
    """Which CPUs a machine has and what they share. Where one is wanted, a text such as "2n4l16c2t" will do."""

    def cpus(self) -> _Table:
        """Tells for each CPU its core, last-level cache, node, socket, and place among the threads of the core.

        Example:
          print(t.cpus().head(2))
        """

    @property
    def ncore(self) -> int:
        """The number of physical cores."""

    @property
    def ncpu(self) -> int:
        """The number of CPUs."""

    @property
    def nllc(self) -> int:
        """The number of last-level caches."""

    @property
    def nnode(self) -> int:
        """The number of NUMA nodes."""

    @property
    def nsocket(self) -> int:
        """The number of sockets."""

class _Versus:
    """Two samples compared without pairs, as a.vs(b) makes it. It prints its conclusion in words. Differences are b less a."""

    @property
    def difference(self) -> _Duration | float:
        """The mean of b less that of a."""

    @property
    def distance(self) -> float | None:
        """The largest distance of the two empirical distributions, from 0 to 1: Kolmogorov and Smirnov's D."""

    @property
    def distance_p(self) -> float | None:
        """The probability of so large a distance if both come from one distribution."""

    @property
    def effective_n(self) -> tuple[Any, Any]:
        """How many independent values the samples are worth for their means, of a and b: an estimate by batch means, which takes 100 values at least and is None for fewer, and knows no dependence that reaches further than the square root of their number."""

    @property
    def interval(self) -> tuple[Any, Any] | None:
        """The interval of that, as (lo, hi), by Welch's test."""

    @property
    def median_difference(self) -> _Duration | float:
        """The median of b less that of a."""

    @property
    def median_interval(self) -> tuple[Any, Any] | None:
        """The interval of that, as (lo, hi), by redrawing."""

    @property
    def n(self) -> tuple[Any, Any]:
        """The numbers of values, of a and b."""

    @property
    def p(self) -> float | None:
        """The probability of means so far apart if there is no difference in truth, by Welch's test. None if neither side varies and they differ."""

    @property
    def p99_difference(self) -> _Duration | float:
        """The 99th percentile of b less that of a."""

    @property
    def p99_interval(self) -> tuple[Any, Any] | None:
        """The interval of that, as (lo, hi), by redrawing; None below 100 values."""

    @property
    def rank_p(self) -> float | None:
        """The probability of a superiority so far from 0.5, either way, if there is no difference in truth, by Mann and Whitney."""

    @property
    def superiority(self) -> float | None:
        """The probability that a value of b is above one of a, equal ones counted half: 0.5 if neither tends to be."""

    def table(self) -> _Table:
        """The comparison as a table: mean, median and 99th percentile of both, the differences with their intervals, and p by test.

        Example:
          print(v.table()[0].difference)  # 4.6ms
        """

class _AssertModule:
    """Functions for tests: each stops the script with an error if its claim does not hold. In an experiment use check, which notes the failure and goes on."""

    def contains(self, x: Any, y: Any, message: Any = "") -> None:
        """Fails unless y is in x.

        Args:
          x: A list, dict, set or string.
          y: What should be in it.
          message: What the failure should say besides.

        Example:
          assert.contains(["make", "cc1"], "cc1")
        """

    def eq(self, x: Any, y: Any, message: Any = "") -> None:
        """Fails unless x == y.

        Args:
          x: The value that was found.
          y: The value to compare it with.
          message: What the failure should say besides.

        Example:
          assert.eq(1500 * us, 1.5 * ms)
        """

    def fail(self, message: Any) -> None:
        """Fails.

        Args:
          message: What went wrong.

        Example:
          if 1 * ms > 1 * sec:
              assert.fail("time is out of joint")
        """

    def fails(self, fn: Callable[..., Any], pattern: str = "") -> None:
        """Calls fn and fails unless that fails with a message that matches.

        Args:
          fn: A function without parameters.
          pattern: A regular expression (RE2) that must match in the message.

        Example:
          assert.fails(lambda: 1 * ms + 1, "carries a unit")
        """

    def le(self, x: Any, y: Any, message: Any = "") -> None:
        """Fails unless x <= y.

        Args:
          x: The value that was found.
          y: The value to compare it with.
          message: What the failure should say besides.

        Example:
          assert.le(1 * ms, 1000 * us)
        """

    def lt(self, x: Any, y: Any, message: Any = "") -> None:
        """Fails unless x < y.

        Args:
          x: The value that was found.
          y: The value to compare it with.
          message: What the failure should say besides.

        Example:
          assert.lt(1 * ms, 1 * sec)
        """

    def ne(self, x: Any, y: Any, message: Any = "") -> None:
        """Fails unless x != y.

        Args:
          x: The value that was found.
          y: The value to compare it with.
          message: What the failure should say besides.

        Example:
          assert.ne(1 * ms, 1)
        """

    def near(self, x: Any, y: Any, within: Any, message: Any = "") -> None:
        """Fails unless x and y differ by no more than within.

        Args:
          x: The value that was found.
          y: The value to compare it with.
          within: The difference that is allowed, of the type of x - y.
          message: What the failure should say besides.

        Example:
          assert.near(12.1 * ms, 12 * ms, within = 200 * us)
        """

    def true(self, cond: Any, message: Any = "") -> None:
        """Fails unless cond is true.

        Args:
          cond: What should be true.
          message: What the failure should say besides.

        Example:
          assert.true(5 * ms, "a duration other than 0 is true")
        """

# assert is a keyword of Python: assert cannot be declared.

class _CostsModule:
    """What the kernel's own work costs in simulated time. A machine takes one table of costs when it is made."""

    def custom(self, base: _CostTable = costs.default, **costs: Any) -> _CostTable:
        """Makes a table of costs out of another one.

        Args:
          base: The table to begin with.
          **costs: A duration for each cost that is to change, by name: switch, switch_thread, tick, timer, wakeup, wakeup_level, ipi, ipi_entry, fork, exec, exit, move_same, move_base, move_level, group_new, group_new_cpu, shares_cpu, syscall.

        Example:
          c = costs.custom(switch = 3 * us, tick = "800ns")
          print(c.switch, c.tick, c.fork == costs.default.fork)  # 3us 800ns True
        """

    default: _CostTable
    """A mid-range x86 server of the years around 2015 to 2020. The context switches are published figures, the others estimates.

    Example:
      print(costs.default.fork)  # 2us
    """

    none: _CostTable
    """The pure model: nothing costs time.

    Example:
      print(costs.none.fork)  # 0s
    """

    recorder: _CostTable
    """The ideal machine on which the reference schedules of the 3.3 scheduler were recorded: no costs, but a reschedule of another CPU takes 1 ns.

    Example:
      print(costs.recorder.fork)  # 0s
    """

costs: _CostsModule
"""What the kernel's own work costs in simulated time. A machine takes one table of costs when it is made."""

class _DistModule:
    """Distributions for the steps of a program. Parameters with a unit make a distribution of times, bare numbers one of counts. Each task draws from a stream of its own, so that one more task does not move the draws of another."""

    def bimodal(self, p: float, a: _Duration | str | int, b: _Duration | str | int) -> _Distribution:
        """One of two values: a with probability p, else b.

        Args:
          p: The probability of a.
          a: One value.
          b: The other value.

        Example:
          print(dist.bimodal(0.75, 1 * ms, 5 * ms).mean)  # 2ms
        """

    def constant(self, value: _Duration | str | int) -> _Distribution:
        """Always the same value.

        Args:
          value: The value.

        Example:
          print(dist.constant(5 * ms))  # constant(5ms)
        """

    def empirical(self, values: Any) -> _Distribution:
        """Each of the given values with the same probability, as they were measured.

        Args:
          values: Samples, or a list of durations or counts.

        Example:
          print(dist.empirical([1 * ms, 1 * ms, 7 * ms]).mean)  # 3ms
        """

    def exponential(self, mean: _Duration | str | int) -> _Distribution:
        """The gaps of a Poisson process.

        Args:
          mean: The mean.

        Example:
          print(dist.exponential(10 * ms))  # exponential(10ms)
        """

    def lognormal(self, median: _Duration | str | int, sigma: float) -> _Distribution:
        """Values whose logarithm is normal. Half of them lie below median, and 16% above median * exp(sigma).

        Args:
          median: The median.
          sigma: The standard deviation of the natural logarithm.

        Example:
          print(dist.lognormal(5 * ms, 0.5))  # lognormal(5ms, 0.5)
        """

    def normal(self, mean: _Duration | str | int, std: _Duration | str | int) -> _Distribution:
        """The normal distribution, truncated at 0: what comes out negative is drawn again. Where std is not small against mean this raises the mean.

        Args:
          mean: The mean before the truncation.
          std: The standard deviation before the truncation.

        Example:
          print(dist.normal(5 * ms, 1 * ms))  # normal(5ms, 1ms)
        """

    def pareto(self, xm: _Duration | str | int, alpha: float) -> _Distribution:
        """Values from xm upwards with a heavy tail: one above x has the probability (xm / x) to the alpha. With alpha of 1 or less there is no finite mean.

        Args:
          xm: The least value.
          alpha: How fast the tail falls.

        Example:
          print(dist.pareto(1 * ms, 2).mean)  # 2ms
        """

    def uniform(self, lo: _Duration | str | int, hi: _Duration | str | int) -> _Distribution:
        """Every value from lo to hi with the same probability; of counts both ends are included.

        Args:
          lo: The least value.
          hi: The largest value.

        Example:
          print(dist.uniform(1 * ms, 3 * ms).mean)  # 2ms
        """

dist: _DistModule
"""Distributions for the steps of a program. Parameters with a unit make a distribution of times, bare numbers one of counts. Each task draws from a stream of its own, so that one more task does not move the draws of another."""

class _JsonModule:
    """Text in JSON to values and back. Durations and sizes become strings such as "5ms"."""

    def decode(self, x: str, default: Any = ...) -> Any:
        """Reads a value from JSON.

        Args:
          x: The text.
          default: What to return for text that is not JSON; without it that is an error.

        Example:
          print(json.decode('{"n": [1, 2.5]}')["n"])  # [1, 2.5]
        """

    def encode(self, x: Any) -> str:
        """Writes a value as JSON, with the keys of dicts sorted.

        Args:
          x: None, a bool, number, string, duration, list, dict or struct.

        Example:
          print(json.encode({"delay": 5 * ms, "n": 3}))  # {"delay":"5ms","n":3}
        """

    def encode_indent(self, x: Any, *, prefix: str = "", indent: str = "\t") -> str:
        """Writes a value as JSON on indented lines.

        Args:
          x: The value.
          prefix: What each line begins with.
          indent: What each level is indented by.

        Example:
          print(json.encode_indent([1, 2], indent = "  "))
        """

    def indent(self, str: str, *, prefix: str = "", indent: str = "\t") -> str:
        """Puts JSON on indented lines.

        Args:
          str: Text in JSON.
          prefix: What each line begins with.
          indent: What each level is indented by.

        Example:
          print(json.indent('[]'))  # []
        """

json: _JsonModule
"""Text in JSON to values and back. Durations and sizes become strings such as "5ms"."""

class _MathModule:
    """Functions on bare numbers, as in Python's math. Durations and sizes go in as d.ms or s.bytes."""

    def acos(self, x: float) -> float:
        """The angle in radians that has the cosine x.

        Args:
          x: The cosine.

        Example:
          print(math.acos(1))  # 0.0
        """

    def acosh(self, x: float) -> float:
        """The inverse of the hyperbolic cosine.

        Args:
          x: The number.

        Example:
          print(math.acosh(1))  # 0.0
        """

    def asin(self, x: float) -> float:
        """The angle in radians that has the sine x.

        Args:
          x: The sine.

        Example:
          print(math.asin(0))  # 0.0
        """

    def asinh(self, x: float) -> float:
        """The inverse of the hyperbolic sine.

        Args:
          x: The number.

        Example:
          print(math.asinh(0))  # 0.0
        """

    def atan(self, x: float) -> float:
        """The angle in radians that has the tangent x.

        Args:
          x: The tangent.

        Example:
          print(math.atan(0))  # 0.0
        """

    def atan2(self, x: float, y: float) -> float:
        """The angle in radians of a point, first argument up and second to the right.

        Args:
          x: The y coordinate.
          y: The x coordinate.

        Example:
          print(math.atan2(0, 1))  # 0.0
        """

    def atanh(self, x: float) -> float:
        """The inverse of the hyperbolic tangent.

        Args:
          x: The number.

        Example:
          print(math.atanh(0))  # 0.0
        """

    def ceil(self, x: float) -> int:
        """The least int that is not below x.

        Args:
          x: The number.

        Example:
          print(math.ceil(2.1))  # 3
        """

    def copysign(self, x: float, y: float) -> float:
        """The value of x with the sign of y.

        Args:
          x: The value.
          y: The sign.

        Example:
          print(math.copysign(2.0, -1.0))  # -2.0
        """

    def cos(self, x: float) -> float:
        """The cosine.

        Args:
          x: Radians.

        Example:
          print(math.cos(0))  # 1.0
        """

    def cosh(self, x: float) -> float:
        """The hyperbolic cosine.

        Args:
          x: The number.

        Example:
          print(math.cosh(0))  # 1.0
        """

    def degrees(self, x: float) -> float:
        """Degrees of an angle in radians.

        Args:
          x: Radians.

        Example:
          print(math.degrees(math.pi))  # 180.0
        """

    e: float
    """The base of natural logarithms.

    Example:
      print(math.e)  # 2.718281828459045
    """

    def exp(self, x: float) -> float:
        """The power e to the x.

        Args:
          x: The exponent.

        Example:
          print(math.exp(0))  # 1.0
        """

    def fabs(self, x: float) -> float:
        """The value without its sign.

        Args:
          x: The number.

        Example:
          print(math.fabs(-2.5))  # 2.5
        """

    def floor(self, x: float) -> int:
        """The greatest int that is not above x.

        Args:
          x: The number.

        Example:
          print(math.floor(2.9))  # 2
        """

    def gamma(self, x: float) -> float:
        """The gamma function.

        Args:
          x: The number.

        Example:
          print(math.gamma(5))  # 24.0
        """

    def hypot(self, x: float, y: float) -> float:
        """The long side of a right triangle.

        Args:
          x: One side.
          y: The other side.

        Example:
          print(math.hypot(3, 4))  # 5.0
        """

    def log(self, x: float, base: float = math.e) -> float:
        """The logarithm, natural by default.

        Args:
          x: The number.
          base: The base.

        Example:
          print(math.log(8, 2))  # 3.0
        """

    def mod(self, x: float, y: float) -> float:
        """The remainder of x / y, with the sign of x.

        Args:
          x: The dividend.
          y: The divisor.

        Example:
          print(math.mod(7.5, 2))  # 1.5
        """

    pi: float
    """The circumference of a circle with diameter 1.

    Example:
      print(math.pi)  # 3.141592653589793
    """

    def pow(self, x: float, y: float) -> float:
        """The power x to the y.

        Args:
          x: The base.
          y: The exponent.

        Example:
          print(math.pow(2, 10))  # 1024.0
        """

    def radians(self, x: float) -> float:
        """Radians of an angle in degrees.

        Args:
          x: Degrees.

        Example:
          print(math.radians(180))  # 3.141592653589793
        """

    def remainder(self, x: float, y: float) -> float:
        """The difference of x and the nearest multiple of y.

        Args:
          x: The dividend.
          y: The divisor.

        Example:
          print(math.remainder(7, 4))  # -1.0
        """

    def round(self, x: float) -> float:
        """The nearest whole number, and a half away from zero; see round for a number of digits.

        Args:
          x: The number.

        Example:
          print(math.round(2.5))  # 3.0
        """

    def sin(self, x: float) -> float:
        """The sine.

        Args:
          x: Radians.

        Example:
          print(math.sin(0))  # 0.0
        """

    def sinh(self, x: float) -> float:
        """The hyperbolic sine.

        Args:
          x: The number.

        Example:
          print(math.sinh(0))  # 0.0
        """

    def sqrt(self, x: float) -> float:
        """The square root.

        Args:
          x: The number.

        Example:
          print(math.sqrt(2.25))  # 1.5
        """

    def tan(self, x: float) -> float:
        """The tangent.

        Args:
          x: Radians.

        Example:
          print(math.tan(0))  # 0.0
        """

    def tanh(self, x: float) -> float:
        """The hyperbolic tangent.

        Args:
          x: The number.

        Example:
          print(math.tanh(0))  # 0.0
        """

math: _MathModule
"""Functions on bare numbers, as in Python's math. Durations and sizes go in as d.ms or s.bytes."""

class _PlotModule:
    """Figures for papers and slides. Values that are times are drawn in the unit that suits their axis. No figure relies on colour alone. The same data gives the same file, to the byte."""

    def bar(self, categories: Iterable[str], series: Any, *, intervals: Any = None, unit: str = "", xlabel: str = "", ylabel: str = "", log: bool = False, values: bool = False, yrange: Iterable[Any] | None = None, legend: Literal["below", "right", "none"] = "below", title: str = "", size: Literal["column", "double", "slide"] = "column", width: float = 0, height: float = 0, dpi: int = 0) -> _Figure:
        """Bars in groups, one group for each category and in it one bar for each series.

        Args:
          categories: The names of the groups.
          series: A list with a number or duration for each category, or a dict of such lists by name. None is a missing bar.
          intervals: Pairs (lo, hi) for each category, drawn as whiskers: a list, or a dict by the names of the series. A pair may be None.
          unit: The unit of bare numbers, as "%".
          xlabel: The name of the x axis, without unit: the unit is added.
          ylabel: The name of the y axis, without unit.
          log: The axis of the values is logarithmic.
          values: Write the value at the end of each bar.
          yrange: The ends of the y axis, as a pair of durations or numbers; None fits it to the data.
          legend: Where the legend stands.
          title: What stands above the figure.
          size: The width and the type: a column of a paper with two columns (3.35 inches), both columns (7 inches), or a slide.
          width: The outer width; 0 takes that of the size. In inches.
          height: The outer height; 0 suits the content. In inches.
          dpi: The resolution of a PNG; 0 is 200, or 150 for a slide. In dots per inch.

        Example:
          plot.bar(["without", "with"], {"make": [90.9, 50.0], "hog": [9.1, 50.0]}, unit = "%", ylabel = "CPU time",
              intervals = {"hog": [(8.2, 9.9), (49.5, 50.4)]}, title = "shares").save("shares.png")
        """

    def box(self, series: Any, *, xlabel: str = "", ylabel: str = "", log: bool = False, orient: Literal["auto", "upright", "level"] = "auto", yrange: Iterable[Any] | None = None, legend: Literal["below", "right", "none"] = "below", title: str = "", size: Literal["column", "double", "slide"] = "column", width: float = 0, height: float = 0, dpi: int = 0) -> _Figure:
        """A box from quartile to quartile for each set of samples, a bar at the median, whiskers to the farthest samples within one and a half lengths of the box, and rings for those beyond. Of many beyond, evenly many are drawn, and a remark says so. The number of samples stands under each name; less than five are drawn one by one.

        Args:
          series: Samples, or a list of numbers or durations; or a dict of these by name.
          xlabel: The name of the x axis, without unit: the unit is added.
          ylabel: The name of the y axis, without unit.
          log: The axis of the values is logarithmic.
          orient: Which way the values run; auto lets them stand if the names fit below.
          yrange: The ends of the y axis, as a pair of durations or numbers; None fits it to the data.
          legend: Where the legend stands.
          title: What stands above the figure.
          size: The width and the type: a column of a paper with two columns (3.35 inches), both columns (7 inches), or a slide.
          width: The outer width; 0 takes that of the size. In inches.
          height: The outer height; 0 suits the content. In inches.
          dpi: The resolution of a PNG; 0 is 200, or 150 for a slide. In dots per inch.

        Example:
          plot.box({"without": [40 * ms, 44 * ms, 52 * ms, 60 * ms, 190 * ms], "with": [12 * ms, 12 * ms, 13 * ms, 16 * ms, 20 * ms]}, log = True).save("box.png")
        """

    def ccdf(self, series: Any, *, xlabel: str = "", ylabel: str = "", log: bool = False, clip: bool = False, xrange: Iterable[Any] | None = None, yrange: Iterable[Any] | None = None, legend: Literal["below", "right", "none"] = "below", title: str = "", size: Literal["column", "double", "slide"] = "column", width: float = 0, height: float = 0, dpi: int = 0) -> _Figure:
        """The share of the samples above each value, on a logarithmic axis, which shows the tail: the line ends where no sample is above.

        Args:
          series: Samples, or a list of numbers or durations; or a dict of these by name.
          xlabel: The name of the x axis, without unit: the unit is added.
          ylabel: The name of the y axis, without unit.
          log: The x axis is logarithmic too.
          clip: On a logarithmic x axis, let values of 0 count though they have no place on it.
          xrange: The ends of the x axis, as a pair of durations or numbers; None fits it to the data.
          yrange: The ends of the y axis, as a pair of durations or numbers; None fits it to the data.
          legend: Where the legend stands.
          title: What stands above the figure.
          size: The width and the type: a column of a paper with two columns (3.35 inches), both columns (7 inches), or a slide.
          width: The outer width; 0 takes that of the size. In inches.
          height: The outer height; 0 suits the content. In inches.
          dpi: The resolution of a PNG; 0 is 200, or 150 for a slide. In dots per inch.

        Example:
          plot.ccdf({"without": [40 * ms, 44 * ms, 52 * ms], "with": [12 * ms, 12 * ms, 16 * ms]}, log = True).save("tail.png")
        """

    def cdf(self, series: Any, *, xlabel: str = "", ylabel: str = "", log: bool = False, ccdf: bool = False, clip: bool = False, xrange: Iterable[Any] | None = None, yrange: Iterable[Any] | None = None, legend: Literal["below", "right", "none"] = "below", title: str = "", size: Literal["column", "double", "slide"] = "column", width: float = 0, height: float = 0, dpi: int = 0) -> _Figure:
        """The share of the samples at or below each value, as a curve for each set of samples.

        Args:
          series: Samples, or a list of numbers or durations; or a dict of these by name.
          xlabel: The name of the x axis, without unit: the unit is added.
          ylabel: The name of the y axis, without unit.
          log: The x axis is logarithmic.
          ccdf: Draw the share above each value, on a logarithmic axis too: as plot.ccdf does.
          clip: On a logarithmic axis, let values of 0 count though they have no place on it.
          xrange: The ends of the x axis, as a pair of durations or numbers; None fits it to the data.
          yrange: The ends of the y axis, as a pair of durations or numbers; None fits it to the data.
          legend: Where the legend stands.
          title: What stands above the figure.
          size: The width and the type: a column of a paper with two columns (3.35 inches), both columns (7 inches), or a slide.
          width: The outer width; 0 takes that of the size. In inches.
          height: The outer height; 0 suits the content. In inches.
          dpi: The resolution of a PNG; 0 is 200, or 150 for a slide. In dots per inch.

        Example:
          plot.cdf({"without": [40 * ms, 44 * ms, 52 * ms], "with": [12 * ms, 12 * ms, 16 * ms]}, title = "time off the CPU").save("off.png")
        """

    def grid(self, figures: Iterable[_Figure], cols: int = 2, *, title: str = "", size: Literal["column", "double", "slide"] = "double", width: float = 0, height: float = 0, dpi: int = 0) -> _Figure:
        """Several figures in one, row by row. They get letters, their axes are aligned, and a legend that all share is drawn once.

        Args:
          figures: The figures.
          cols: How many stand beside each other.
          title: What stands above the figure.
          size: The width and the type: a column of a paper with two columns (3.35 inches), both columns (7 inches), or a slide.
          width: The outer width; 0 takes that of the size. In inches.
          height: The outer height; 0 suits the content. In inches.
          dpi: The resolution of a PNG; 0 is 200, or 150 for a slide. In dots per inch.

        Example:
          a = plot.cdf([1 * ms, 2 * ms])
          b = plot.bar(["x", "y"], [1, 2])
          plot.grid([a, b]).save("both.png")
        """

    def heat(self, matrix: Iterable[Any], *, rows: Iterable[str] = [], cols: Iterable[str] = [], name: str = "", unit: str = "", max: Any = None, xlabel: str = "", ylabel: str = "", log: bool = False, values: bool = False, title: str = "", size: Literal["column", "double", "slide"] = "column", width: float = 0, height: float = 0, dpi: int = 0) -> _Figure:
        """A matrix of numbers as coloured cells, light for low and dark for high, the first row at the top.

        Args:
          matrix: The rows, each a list of numbers or durations of one length. None is a cell without a value.
          rows: The names of the rows; numbers from 0 by default.
          cols: The names of the columns; numbers from 0 by default.
          name: What the numbers are; it stands beside the colours.
          unit: The unit of bare numbers.
          max: The number of the darkest colour; None takes the largest. Figures with one max can be compared.
          xlabel: The name of the x axis, without unit: the unit is added.
          ylabel: The name of the y axis, without unit.
          log: The scale of the colours is logarithmic; cells of 0 stay blank.
          values: Write the values into the cells, where there is room.
          title: What stands above the figure.
          size: The width and the type: a column of a paper with two columns (3.35 inches), both columns (7 inches), or a slide.
          width: The outer width; 0 takes that of the size. In inches.
          height: The outer height; 0 suits the content. In inches.
          dpi: The resolution of a PNG; 0 is 200, or 150 for a slide. In dots per inch.

        Example:
          plot.heat([[0, 4], [7, 0]], rows = ["0", "1"], cols = ["0", "1"], name = "moves", values = True).save("heat.png")
        """

    def hist(self, series: Any, *, bins: int = 0, xlabel: str = "", ylabel: str = "", log: bool = False, logy: bool = False, share: bool = False, beside: bool = False, clip: bool = False, xrange: Iterable[Any] | None = None, yrange: Iterable[Any] | None = None, legend: Literal["below", "right", "none"] = "below", title: str = "", size: Literal["column", "double", "slide"] = "column", width: float = 0, height: float = 0, dpi: int = 0) -> _Figure:
        """How many samples lie in each bin: bars for one set of samples, outlines over one another for several. The bins are of a round width by default, and the same for all.

        Args:
          series: Samples, or a list of numbers or durations, or what was counted already: a histogram, or a table of bins as the hist method of samples makes it; or a dict of these by name.
          bins: How many bins of one width, at most 500; 0 chooses a round width. What was counted already has its own.
          xlabel: The name of the x axis, without unit: the unit is added.
          ylabel: The name of the y axis, without unit.
          log: The axis of the values is logarithmic, and the bins grow by a constant factor.
          logy: The axis of the counts is logarithmic.
          share: Draw which share of its samples lies in each bin, so that sets of different size compare.
          beside: Draw several sets as bars side by side; best with few bins.
          clip: On a logarithmic axis, let values of 0 count though they have no place on it.
          xrange: The ends of the x axis, as a pair of durations or numbers; None fits it to the data.
          yrange: The ends of the y axis, as a pair of durations or numbers; None fits it to the data.
          legend: Where the legend stands.
          title: What stands above the figure.
          size: The width and the type: a column of a paper with two columns (3.35 inches), both columns (7 inches), or a slide.
          width: The outer width; 0 takes that of the size. In inches.
          height: The outer height; 0 suits the content. In inches.
          dpi: The resolution of a PNG; 0 is 200, or 150 for a slide. In dots per inch.

        Example:
          plot.hist({"without": [40 * ms, 44 * ms, 52 * ms], "with": [12 * ms, 12 * ms, 16 * ms]}, bins = 8, share = True).save("hist.png")
          plot.hist(stats.samples([1 * ms, 2 * ms, 2 * ms]).hist(bins = 2))
        """

    def intervals(self, estimates: Any, *, unit: str = "", xlabel: str = "", ylabel: str = "", zero: bool = False, values: bool = False, log: bool = False, yrange: Iterable[Any] | None = None, legend: Literal["below", "right", "none"] = "below", title: str = "", size: Literal["column", "double", "slide"] = "column", width: float = 0, height: float = 0, dpi: int = 0) -> _Figure:
        """Estimates with what is known of them: a row for each, with a mark at the value and a bar from lo to hi. The axis need not begin at zero.

        Args:
          estimates: A dict by name of (value, lo, hi) or of comparisons as stats.paired makes them, whose differences are drawn, in percent with unit = "%"; or of such dicts by the name of a series; or a table of four columns: name, value, lo and hi. None in the place of a triple is an estimate that is missing.
          unit: The unit of bare numbers, as "%".
          xlabel: The name of the x axis, without unit: the unit is added.
          ylabel: The name of the y axis, without unit.
          zero: Draw a line at zero, where two variants do not differ.
          values: Write the numbers at the right.
          log: The axis of the values is logarithmic.
          yrange: The ends of the y axis, as a pair of durations or numbers; None fits it to the data.
          legend: Where the legend stands.
          title: What stands above the figure.
          size: The width and the type: a column of a paper with two columns (3.35 inches), both columns (7 inches), or a slide.
          width: The outer width; 0 takes that of the size. In inches.
          height: The outer height; 0 suits the content. In inches.
          dpi: The resolution of a PNG; 0 is 200, or 150 for a slide. In dots per inch.

        Example:
          plot.intervals({"mean wait": (-12.1, -14.6, -9.2), "p99 wait": (4.0, -21.0, 29.0)}, unit = "%", ylabel = "change", zero = True, values = True).save("change.png")
        """

    def line(self, lines: Any, *, xunit: str = "", yunit: str = "", xlabel: str = "", ylabel: str = "", logx: bool = False, logy: bool = False, step: bool = False, xrange: Iterable[Any] | None = None, yrange: Iterable[Any] | None = None, legend: Literal["below", "right", "none"] = "below", title: str = "", size: Literal["column", "double", "slide"] = "column", width: float = 0, height: float = 0, dpi: int = 0) -> _Figure:
        """Lines through points, with a band around them if they have one.

        Args:
          lines: A list of points (x, y) or (x, y, lo, hi), or a table of two or four columns; or a dict of these by name. None for y is a gap.
          xunit: The unit of x where it is a bare number.
          yunit: The unit of y where it is a bare number.
          xlabel: The name of the x axis, without unit: the unit is added.
          ylabel: The name of the y axis, without unit.
          logx: The x axis is logarithmic.
          logy: The y axis is logarithmic.
          step: A line keeps its value until the next x.
          xrange: The ends of the x axis, as a pair of durations or numbers; None fits it to the data.
          yrange: The ends of the y axis, as a pair of durations or numbers; None fits it to the data.
          legend: Where the legend stands.
          title: What stands above the figure.
          size: The width and the type: a column of a paper with two columns (3.35 inches), both columns (7 inches), or a slide.
          width: The outer width; 0 takes that of the size. In inches.
          height: The outer height; 0 suits the content. In inches.
          dpi: The resolution of a PNG; 0 is 200, or 150 for a slide. In dots per inch.

        Example:
          plot.line({"slice": [(1, 4 * ms), (2, 3 * ms), (4, 3 * ms), (8, 2 * ms)]}, xlabel = "tasks", ylabel = "slice").save("slice.png")
        """

    def migrations(self, source: Any, *, since: Any = None, until: Any = None, log: bool = False, block: int = 0, max: Any = None, diagonal: bool = False, title: str = "", size: Literal["column", "double", "slide"] = "column", width: float = 0, height: float = 0, dpi: int = 0) -> _Figure:
        """How often tasks moved from each CPU (row) to each other (column). Never is blank. More than 64 CPUs are put into blocks, whose moves are added up; the axes tell the size of a block.

        Args:
          source: A machine; or the counts, as a matrix.
          since: Where to begin: a mark of the machine, or a duration since boot; None is the start.
          until: Where to end; None is now.
          log: The scale of the colours is logarithmic.
          block: How many CPUs a row and a column stand for; 0 is as few as leave 64 rows.
          max: The number of the darkest colour; None takes the largest. Figures with one max can be compared.
          diagonal: Mark the cells from a CPU to itself, which no move can fill.
          title: What stands above the figure.
          size: The width and the type: a column of a paper with two columns (3.35 inches), both columns (7 inches), or a slide.
          width: The outer width; 0 takes that of the size. In inches.
          height: The outer height; 0 suits the content. In inches.
          dpi: The resolution of a PNG; 0 is 200, or 150 for a slide. In dots per inch.

        Example:
          plot.migrations([[0, 3], [1, 0]]).save("moves.png")
          plot.grid([plot.migrations(counts, max = 9, title = name) for name, counts in [("before", [[0, 9], [5, 0]]), ("after", [[0, 2], [1, 0]])]]).save("both.png")
        """

    def paired(self, variants: Any, *, xlabel: str = "", ylabel: str = "", log: bool = False, yrange: Iterable[Any] | None = None, legend: Literal["below", "right", "none"] = "below", title: str = "", size: Literal["column", "double", "slide"] = "column", width: float = 0, height: float = 0, dpi: int = 0) -> _Figure:
        """The same number of two or more variants for each of many seeds: a line a seed, solid where the number rose from the first to the last and dashed where it fell, and a bold line at the medians. It shows what two separate distributions hide.

        Args:
          variants: A dict of samples or lists by the name of the variant, all in the order of the seeds.
          xlabel: The name of the x axis, without unit: the unit is added.
          ylabel: The name of the y axis, without unit.
          log: The axis of the values is logarithmic.
          yrange: The ends of the y axis, as a pair of durations or numbers; None fits it to the data.
          legend: Where the legend stands.
          title: What stands above the figure.
          size: The width and the type: a column of a paper with two columns (3.35 inches), both columns (7 inches), or a slide.
          width: The outer width; 0 takes that of the size. In inches.
          height: The outer height; 0 suits the content. In inches.
          dpi: The resolution of a PNG; 0 is 200, or 150 for a slide. In dots per inch.

        Example:
          plot.paired({"without": [40 * ms, 44 * ms, 52 * ms], "with": [12 * ms, 12 * ms, 16 * ms]}, ylabel = "wait").save("seeds.png")
        """

    def runqueues(self, source: Any, *, since: Any = None, until: Any = None, cpus: str | int | Iterable[int] | None = None, form: Literal["auto", "lines", "heat"] = "auto", show: Literal["mean", "largest"] = "mean", max: float | None = None, marks: bool = False, xlabel: str = "", ylabel: str = "", legend: Literal["below", "right", "none"] = "below", title: str = "", size: Literal["column", "double", "slide"] = "double", width: float = 0, height: float = 0, dpi: int = 0) -> _Figure:
        """How many tasks are on each run queue over time: those that wait and the one that runs, as Linux counts nr_running. As lines, each CPU has a row, with the mean of each pixel column as an area and the largest number in it as a line. As a heat map, CPUs share rows if there are many.

        Args:
          source: A machine; or steps by name, each a list of (time, number), where a number holds until the next time and None is unknown. The last holds until until, which such a source needs.
          since: Where to begin: a mark of the machine, or a duration since boot; None is the start.
          until: Where to end; None is now.
          cpus: The CPUs to show, as "0-3" or a list; None shows all.
          form: How to draw: auto draws lines for up to 8 CPUs and a heat map for more.
          show: What a cell of a heat map is.
          max: The number at the upper end of each row, or of the darkest colour; None takes the largest. Figures with one max can be compared.
          marks: Draw the marks of the machine that lie in view as dashed lines, with their names above, as far as there is room.
          xlabel: The name of the x axis, without unit: the unit is added.
          ylabel: The name of the y axis, without unit.
          legend: Where the legend stands.
          title: What stands above the figure.
          size: The width and the type: a column of a paper with two columns (3.35 inches), both columns (7 inches), or a slide.
          width: The outer width; 0 takes that of the size. In inches.
          height: The outer height; 0 suits the content. In inches.
          dpi: The resolution of a PNG; 0 is 200, or 150 for a slide. In dots per inch.

        Example:
          m = machine(topo.smp(2))
          for name in ["web", "make", "hog"]:
              m.spawn(name, work.loop([work.run(3 * ms), work.sleep(2 * ms)]))
          m.run(20 * ms)
          m.mark("warm")
          m.run(40 * ms)
          plot.runqueues(m, since = "warm").save("queues.png")
        """

    def scatter(self, points: Any, *, xunit: str = "", yunit: str = "", xlabel: str = "", ylabel: str = "", logx: bool = False, logy: bool = False, fit: bool = False, xrange: Iterable[Any] | None = None, yrange: Iterable[Any] | None = None, legend: Literal["below", "right", "none"] = "below", title: str = "", size: Literal["column", "double", "slide"] = "column", width: float = 0, height: float = 0, dpi: int = 0) -> _Figure:
        """Points, in a shape and colour for each set. Where a set has more than 1,500, the ground is tinted the darker the more points lie there, and some of them are drawn.

        Args:
          points: A list of points (x, y) in any order, or a table of two columns; or a dict of these by name. None for y leaves the point out.
          xunit: The unit of x where it is a bare number.
          yunit: The unit of y where it is a bare number.
          xlabel: The name of the x axis, without unit: the unit is added.
          ylabel: The name of the y axis, without unit.
          logx: The x axis is logarithmic.
          logy: The y axis is logarithmic.
          fit: Draw a line of least squares through each set, straight on the axes as drawn, and tell its r².
          xrange: The ends of the x axis, as a pair of durations or numbers; None fits it to the data.
          yrange: The ends of the y axis, as a pair of durations or numbers; None fits it to the data.
          legend: Where the legend stands.
          title: What stands above the figure.
          size: The width and the type: a column of a paper with two columns (3.35 inches), both columns (7 inches), or a slide.
          width: The outer width; 0 takes that of the size. In inches.
          height: The outer height; 0 suits the content. In inches.
          dpi: The resolution of a PNG; 0 is 200, or 150 for a slide. In dots per inch.

        Example:
          plot.scatter({"idle": [(1, 4 * ms), (2, 3 * ms), (4, 6 * ms)], "busy": [(1, 9 * ms), (3, 14 * ms)]}, xlabel = "tasks", ylabel = "latency", fit = True).save("load.png")
        """

    def shares(self, source: Any, *, since: Any = None, until: Any = None, window: _Duration | str | None = None, by: Literal["task", "comm", "group"] = "task", cpu: int | None = None, tasks: _Task | Iterable[_Task] | str | _Cgroup | None = None, top: int = 0, first: Iterable[str] = [], lines: bool = False, marks: bool = False, xlabel: str = "", ylabel: str = "", legend: Literal["below", "right", "none"] = "below", title: str = "", size: Literal["column", "double", "slide"] = "column", width: float = 0, height: float = 0, dpi: int = 0) -> _Figure:
        """Who had the CPU time, in windows that follow each other: areas stacked to 100 %, those with most time at the bottom, the others as one grey area, and idle time as the blank above.

        Args:
          source: A machine.
          since: Where to begin: a mark of the machine, or a duration since boot; None is the start.
          until: Where to end; None is now.
          window: How long a window is; the last one may be shorter. None cuts the time into 50 to 100 windows of a round length.
          by: What an area is: a task, all tasks with one name, or all in one task group.
          cpu: One CPU; None for all.
          tasks: The tasks that may have a colour: a task, a list, a pattern of names or a control group; the others are part of the grey area. None takes all.
          top: How many have a colour, at most 14. 0 is 7.
          first: Names of tasks to colour before all others, in this order, whatever their time.
          lines: Draw lines instead of areas, without idle time.
          marks: Draw the marks of the machine that lie in view as dashed lines, with their names above, as far as there is room.
          xlabel: The name of the x axis, without unit: the unit is added.
          ylabel: The name of the y axis, without unit.
          legend: Where the legend stands.
          title: What stands above the figure.
          size: The width and the type: a column of a paper with two columns (3.35 inches), both columns (7 inches), or a slide.
          width: The outer width; 0 takes that of the size. In inches.
          height: The outer height; 0 suits the content. In inches.
          dpi: The resolution of a PNG; 0 is 200, or 150 for a slide. In dots per inch.

        Example:
          m = machine(topo.smp(2))
          for name in ["web", "make", "hog"]:
              m.spawn(name, work.loop([work.run(3 * ms), work.sleep(2 * ms)]))
          m.run(20 * ms)
          m.mark("warm")
          m.run(40 * ms)
          plot.shares(m, window = 10 * ms, marks = True).save("shares.png")
        """

    def timeline(self, source: Any, *, by: Literal["cpu", "task"] = "cpu", since: Any = None, until: Any = None, cpus: str | int | Iterable[int] | None = None, only: _Task | Iterable[_Task] | str | _Cgroup | None = None, rows: int = 24, first: Iterable[str] = [], tasks: int = 0, marks: bool = False, xlabel: str = "", ylabel: str = "", xrange: Iterable[Any] | None = None, legend: Literal["below", "right", "none"] = "below", title: str = "", size: Literal["column", "double", "slide"] = "double", width: float = 0, height: float = 0, dpi: int = 0) -> _Figure:
        """Who ran when. By CPU, a row for each CPU, a colour with a hatch for each of the tasks with most time, and blank for idle; many CPUs share rows. By task, a row for each task: in the colour of a CPU where it ran, pale and hatched where it waited for one, a line where it slept. Time whose records are no longer kept is grey and crossed out.

        Args:
          source: A machine; or rows by name, each a list of (task, start, end).
          by: What a row is.
          since: Where to begin: a mark of the machine, or a duration since boot; None is the start.
          until: Where to end; None is now.
          cpus: The CPUs to show, as "0-3" or a list; None shows all.
          only: By task, those to show: a task, a list, a pattern of names or a control group; None shows all.
          rows: By task, how many tasks to show at most: those that ran and waited most. The label of the axis tells of how many.
          first: Names of tasks to colour before all others, in this order, whatever their time.
          tasks: How many tasks have a colour, or by task how many CPUs, at most 14; the others are grey. 0 is 7.
          marks: Draw the marks of the machine that lie in view as dashed lines, with their names above, as far as there is room.
          xlabel: The name of the x axis, without unit: the unit is added.
          ylabel: The name of the y axis, without unit.
          xrange: The ends of the x axis, as a pair of durations or numbers; None fits it to the data.
          legend: Where the legend stands.
          title: What stands above the figure.
          size: The width and the type: a column of a paper with two columns (3.35 inches), both columns (7 inches), or a slide.
          width: The outer width; 0 takes that of the size. In inches.
          height: The outer height; 0 suits the content. In inches.
          dpi: The resolution of a PNG; 0 is 200, or 150 for a slide. In dots per inch.

        Example:
          plot.timeline({"CPU 0": [("web", 0 * ms, 3 * ms), ("make", 3 * ms, 9 * ms)], "CPU 1": [("make", 1 * ms, 3 * ms)]}).save("who.png")
          m = machine(topo.smp(2))
          for name in ["web", "make", "hog"]:
              m.spawn(name, work.loop([work.run(3 * ms), work.sleep(2 * ms)]))
          m.run(20 * ms)
          m.mark("warm")
          m.run(40 * ms)
          plot.timeline(m, by = "task", since = 10 * ms, marks = True).save("waits.png")
        """

    def violin(self, series: Any, *, xlabel: str = "", ylabel: str = "", log: bool = False, orient: Literal["auto", "upright", "level"] = "auto", yrange: Iterable[Any] | None = None, title: str = "", size: Literal["column", "double", "slide"] = "column", width: float = 0, height: float = 0, dpi: int = 0) -> _Figure:
        """A shape for each set of samples, as wide as they are dense, with a thin box from quartile to quartile and a bar at the median. It shows what a box hides: two peaks, or a gap. All shapes have one width; with log, they show the density per factor.

        Args:
          series: Samples, or a list of numbers or durations; or a dict of these by name.
          xlabel: The name of the x axis, without unit: the unit is added.
          ylabel: The name of the y axis, without unit.
          log: The axis of the values is logarithmic.
          orient: Which way the values run; auto lets them stand if the names fit below.
          yrange: The ends of the y axis, as a pair of durations or numbers; None fits it to the data.
          title: What stands above the figure.
          size: The width and the type: a column of a paper with two columns (3.35 inches), both columns (7 inches), or a slide.
          width: The outer width; 0 takes that of the size. In inches.
          height: The outer height; 0 suits the content. In inches.
          dpi: The resolution of a PNG; 0 is 200, or 150 for a slide. In dots per inch.

        Example:
          plot.violin({"without": [40 * ms, 44 * ms, 52 * ms, 60 * ms, 90 * ms], "with": [12 * ms, 12 * ms, 13 * ms, 16 * ms, 20 * ms]}, log = True).save("violin.png")
        """

plot: _PlotModule
"""Figures for papers and slides. Values that are times are drawn in the unit that suits their axis. No figure relies on colour alone. The same data gives the same file, to the byte."""

class _StatsModule:
    """Statistics of samples, of columns, and of lists of numbers or durations. What goes in as durations comes out as durations. Too few values are an error."""

    def bootstrap(self, values: Any, fn: Literal["mean", "median", "p90", "p95", "p99", "std", "max", "min"] = "mean", level: float = 0.95, n: int = 2000, *, method: Literal["percentile", "bca"] = "percentile") -> tuple[Any, Any]:
        """A confidence interval of a statistic by redrawing the values with replacement, as (lo, hi). The draws come from a stream that grows from the session's seed and the name of the statistic, so that the same values give the same interval. By simulation, 95 % intervals of the mean of 30 values hold the truth in 94 % of the cases for normal values and in 87 % for log-normal ones of sigma 1; with "bca" in 93 and 88 %.

        Args:
          values: Samples, a column of a table, or a list of numbers or durations.
          fn: The statistic.
          level: How sure the interval is to hold the true value.
          n: How often to redraw the values.
          method: The plain percentiles of the draws, or those with Efron's corrections for bias and skewness, which suit smooth statistics such as mean and std.

        Example:
          lo, hi = stats.bootstrap([9 * ms, 10 * ms, 11 * ms, 30 * ms], "median")
          print(lo <= 10.5 * ms and 10.5 * ms <= hi)  # True
        """

    def correlation(self, a: Any, b: Any, *, method: Literal["pearson", "spearman"] = "pearson", level: float = 0.95) -> _Struct:
        """Tells how two measures go together, from -1 to 1. It gives a struct of r, interval (by Fisher's transformation; for ranks with the variance of Bonett and Wright; None below four pairs), p (of r being 0, by Student's t) and n. It is an error if one side does not vary.

        Args:
          a: One side of the pairs: samples, a column, or a list of numbers or durations.
          b: The other; it may have another unit.
          method: How close the pairs lie to a straight line, or (by ranks) to any rising one.
          level: How sure the interval is to hold the true value.

        Example:
          r = stats.correlation([1, 2, 3, 4, 5], [2 * ms, 3 * ms, 5 * ms, 4 * ms, 6 * ms])
          print(r.r, round(r.p, 4))  # 0.9 0.0374
        """

    def effective_n(self, values: Any) -> float | None:
        """How many independent values a series is worth for its mean, by batch means: consecutive values are put into batches of the square root of their number, and the spread of the batches' means is compared with what it would be without dependence. It is None for fewer than 100 values, good to some 20 % for 2,500, and too large where the dependence reaches further than a batch.

        Args:
          values: Samples, a column, or a list of numbers or durations, in the order in which they were taken.

        Example:
          print(stats.effective_n([1, 1, 2, 2] * 100))  # 400.0
        """

    def histogram(self, values: Any = [], *, name: str = "", unit: str = "") -> _Histogram:
        """Counts values in bounded memory: see the type histogram. Without values it is an empty one to add to. For a table of few values in bins of equal width, see the hist of samples.

        Args:
          values: Samples, a column, or a list of numbers or durations.
          name: What they measure; samples have a name.
          unit: The unit of bare numbers, as "MB/s"; durations have theirs.

        Example:
          print(stats.histogram([3 * ms, 1 * ms, 2 * ms], name = "lag"))  # lag: n 3, mean 2ms, median 2.015ms, p99 2.98ms, max 3ms
        """

    def interval(self, values: Any, level: float = 0.95) -> tuple[Any, Any]:
        """A confidence interval of the mean by Student's t, as (lo, hi). It is meant for one value for each of several seeds, and needs two at least.

        Args:
          values: Samples, a column of a table, or a list of numbers or durations.
          level: How sure the interval is to hold the true value.

        Example:
          lo, hi = stats.interval([9 * ms, 10 * ms, 11 * ms])
          print(round(lo, 1), round(hi, 1))  # 7.5ms 12.5ms
        """

    def ks(self, a: Any, b: Any) -> _Struct:
        """Tests whether two independent samples come from one distribution, by the largest distance of their empirical distributions (Kolmogorov and Smirnov). It gives a struct of d (from 0 to 1), at (a value where it is that large), p, ties, and exact. p is exact, ties included, where the product of the sizes is below 10,000; else it is that of Kolmogorov's limit, which with ties is too large, on the safe side.

        Args:
          a: One sample: samples, a column, or a list of numbers or durations.
          b: The other, in the same unit.

        Example:
          r = stats.ks([1 * ms, 2 * ms, 3 * ms, 4 * ms], [3 * ms, 5 * ms, 6 * ms, 7 * ms])
          print(r.d, r.at, round(r.p, 4))  # 0.75 4ms 0.1429
        """

    def mann_whitney(self, a: Any, b: Any) -> _Struct:
        """Tests whether the values of one of two independent samples tend to be larger (Mann and Whitney; also Wilcoxon's rank sum test). It gives a struct of u (pairs in which a is the larger, equal ones halved; R calls it W), p, superiority (u as a share of all pairs), ties, and exact. p is exact if both sides have fewer than 50 values and none are equal, or some are and both have 40 together at most; else it is the normal approximation with corrections for ties and continuity.

        Args:
          a: One sample: samples, a column, or a list of numbers or durations.
          b: The other, in the same unit.

        Example:
          r = stats.mann_whitney([0.8, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46], [1.15, 0.88, 0.9, 0.74, 1.21])
          print(r.u, round(r.p, 4), r.exact)  # 35.0 0.2544 True
        """

    def mde(self, values: Any = None, *, std: Any = None, n: int | None = None, level: float = 0.95, power: float = 0.8) -> _Duration | float:
        """The least effect that a two-sided t-test of n values finds with probability power: of differences of pairs, how small a difference can be seen. It is an estimate, by the noncentral t distribution with n - 1 degrees of freedom, and takes the spread that is given for the true one. n must be 2 or more.

        Args:
          values: Values so far, as the differences of pairs: samples, a column, or a list of numbers or durations.
          std: Their standard deviation, in the place of values: a duration or a number.
          n: How many values; None takes the number of values given.
          level: How sure the test is to see no effect where there is none.
          power: How sure it is to see the effect.

        Example:
          print(round(stats.mde(std = 2 * ms, n = 30), 2))  # 1.06ms
        """

    def mean(self, values: Any) -> _Duration | float:
        """The arithmetic mean.

        Args:
          values: Samples, a column of a table, or a list of numbers or durations.

        Example:
          print(stats.mean([1 * ms, 2 * ms, 6 * ms]))  # 3ms
        """

    def median(self, values: Any) -> _Duration | float:
        """The middle value; of an even number of values the mean of the middle two.

        Args:
          values: Samples, a column of a table, or a list of numbers or durations.

        Example:
          print(stats.median([1, 9, 2, 3]))  # 2.5
        """

    def needed(self, effect: Any, values: Any = None, *, std: Any = None, level: float = 0.95, power: float = 0.8) -> int:
        """How many values, such as differences of pairs, a two-sided t-test takes to find an effect with probability power: the inverse of stats.mde. An effect that takes more than a thousand million is an error.

        Args:
          effect: The effect to see: a duration or a number above 0, in the unit of the spread.
          values: Values so far, as the differences of pairs: samples, a column, or a list of numbers or durations.
          std: Their standard deviation, in the place of values: a duration or a number.
          level: How sure the test is to see no effect where there is none.
          power: How sure it is to see the effect.

        Example:
          print(stats.needed(1 * ms, std = 2 * ms))  # 34
        """

    def paired(self, a: Any, b: Any = None, of: str = "", *, by: str = "", level: float = 0.95, power: float = 0.8, method: Literal["t", "percentile", "bca"] = "t", draws: int = 2000, names: Iterable[str] | None = None) -> _Paired:
        """Compares two variants that ran with the same seeds, pair by pair: what a seed does to both goes away in the difference, so that a few seeds show what hundreds of unpaired ones would not. Tables of repeat are paired by their column seed, and seeds that only one of them has are an error, as are two lists of different lengths and values of different units. It takes two pairs at least. The interval of the difference and p are Student's t of the differences, n - 1 degrees of freedom; wilcoxon_p is that of Wilcoxon's signed ranks, which outliers cannot sway. The interval of the relative difference is Fieller's for a ratio of two means, which excludes 0 exactly if the other one does. By simulation, 95 % intervals of 30 pairs hold the truth in 95 % of the cases for normal values and in 93 % for log-normal ones.

        Args:
          a: The base: a column, list or samples with a value for each seed, or a table of repeat.
          b: The other variant, of the same sort and for the same seeds; None where a table a holds both, see by.
          of: The column to compare, of tables; it may be left out where there is only one.
          by: The column with two values that tells the variants apart, where one table holds both, as after repeat(..., vary = ...). The value that comes first is a.
          level: How sure the intervals are to hold the true value; a difference counts as seen if its interval excludes 0.
          power: The probability with which the detectable difference is found.
          method: How the intervals are found: by Student's t, or by redrawing the pairs (bootstrap), plain or with Efron's corrections.
          draws: How often a bootstrap redraws the pairs.
          names: What a and b are called in the text; None takes the titles of tables, or "a" and "b".

        Example:
          a = [21 * ms, 25 * ms, 19 * ms, 30 * ms, 24 * ms]
          b = [18 * ms, 21 * ms, 17 * ms, 25 * ms, 20 * ms]
          print(stats.paired(a, b))  # b is 3.6ms (2.184ms to 5.016ms) lower than a: -15.1 % (-17.5 to -11.6 %), 5 pairs, p = 0.0021 (by ranks p = 0.062)
        """

    def quantile(self, values: Any, q: float) -> _Duration | float:
        """The value that the fraction q of the values does not exceed, between two of them in proportion (Hyndman and Fan's type 7).

        Args:
          values: Samples, a column of a table, or a list of numbers or durations.
          q: A fraction from 0 to 1; 0.5 is the median. (The p of samples takes percent.)

        Example:
          print(stats.quantile([1 * ms, 2 * ms, 3 * ms], 0.75))  # 2.5ms
        """

    def quantile_interval(self, values: Any, q: float, level: float = 0.95) -> tuple[Any, Any]:
        """An interval of a quantile that holds for any distribution, as (lo, hi): both are values of the sample, and how many of them lie below the quantile is binomial. Where the sample is too small, the error says how many values it takes: 6 for the median at 0.95, 368 for the 99th percentile. The values must be independent of each other.

        Args:
          values: Samples, a column of a table, or a list of numbers or durations.
          q: A fraction between 0 and 1; 0.5 is the median.
          level: How sure the interval is at least to hold the true quantile.

        Example:
          print(stats.quantile_interval([x * ms for x in range(1, 21)], 0.5))  # (6ms, 15ms)
        """

    def regression(self, x: Any, y: Any, *, level: float = 0.95) -> _Struct:
        """Fits the line y = intercept + slope * x by least squares. It gives a struct of slope, slope_interval, intercept, intercept_interval, r2 (the share of the variance of y that the line explains), p (of the slope being 0), residual (the standard deviation around the line) and n. What has the unit of y is a duration if y are. The slope is a duration where only y are durations, y for each second where only x are, and else a bare number. The intervals are by Student's t with n - 2 degrees of freedom, and None for two points. The x must vary.

        Args:
          x: What is varied: a column, samples, or a list of numbers or durations.
          y: What is measured; it may have another unit.
          level: How sure the interval is to hold the true value.

        Example:
          r = stats.regression([1, 2, 4, 8], [3 * ms, 4 * ms, 7 * ms, 11 * ms])
          print(r.slope, r.intercept, round(r.r2, 3))  # 1.156522ms 1.913043ms 0.992
        """

    def samples(self, values: Any, *, name: str = "", unit: str = "") -> _Samples:
        """Makes samples of values that the script has collected.

        Args:
          values: Numbers or durations.
          name: What they measure.
          unit: The unit of bare numbers, as "MB/s"; durations have theirs.

        Example:
          print(stats.samples([3 * ms, 1 * ms, 2 * ms], name = "lag"))  # lag: n 3, mean 2ms, median 2ms, p99 2.98ms, max 3ms
        """

    def std(self, values: Any) -> _Duration | float:
        """The standard deviation of a sample (divisor n - 1).

        Args:
          values: Samples, a column of a table, or a list of numbers or durations.

        Example:
          print(stats.std([1, 2, 3]))  # 1.0
        """

    def ttest(self, a: Any, b: Any, *, level: float = 0.95) -> _Struct:
        """Compares the means of two independent samples by Welch's t-test, which does not take their spreads for equal. It gives a struct of difference (b less a), interval, t, df and p; t, df and p are None if neither side varies and they differ. Each side needs two values. For values with the same seeds, stats.paired sees much smaller differences.

        Args:
          a: One sample: samples, a column, or a list of numbers or durations.
          b: The other, in the same unit.
          level: How sure the interval is to hold the true value.

        Example:
          r = stats.ttest([1, 2, 3, 4], [3, 5, 6, 8, 9])
          print(r.difference, round(r.p, 4))  # 3.7 0.0236
        """

    def until(self, relative: float | None = None, absolute: Any = None, level: float = 0.95, least: int = 10, most: int = 1000, of: str = "") -> _StopRule:
        """Says when repeat has run enough seeds: as soon as the interval of the mean by Student's t reaches no further than wanted to either side. To look before deciding whether to go on stops sooner where the spread happens to look small, so the interval must have been narrow enough for the last 6 values in a row. By simulation, 95 % intervals then hold the true mean in 94 to 95 % of the cases for normal values, and in 86 to 89 % for log-normal ones of sigma 0.8. It is an error to give neither relative nor absolute.

        Args:
          relative: How close the mean is to be known, either way, as a fraction of it: 0.02 is 2 %.
          absolute: The same as a duration, or as a number for values that are bare numbers. Of two, either is enough.
          level: How sure the interval is to hold the true mean.
          least: Never stop before as many values.
          most: Always stop then.
          of: The field whose mean counts, where the function returns several.

        Example:
          print(stats.until(relative = 0.02))  # until the mean is known to 2 % either way at 95 %, 10 to 1000 values
        """

    def wilcoxon(self, a: Any, b: Any) -> _Struct:
        """Tests by signed ranks whether the differences of pairs lie evenly around 0 (Wilcoxon). a and b have one value for each seed, in the same order. It gives a struct of v (the ranks of the pairs in which a is the larger, added up), p, zeros (pairs without a difference, which are left out), ties, and exact. p is exact, ties included, up to 50 pairs; else it is the normal approximation with corrections for ties and continuity.

        Args:
          a: One side of the pairs: samples, a column, or a list of numbers or durations.
          b: The other, in the same unit.

        Example:
          r = stats.wilcoxon([1.83, 0.5, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.3], [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29])
          print(r.v, r.p)  # 40.0 0.0390625
        """

stats: _StatsModule
"""Statistics of samples, of columns, and of lists of numbers or durations. What goes in as durations comes out as durations. Too few values are an error."""

class _TopoModule:
    """The layout of a machine: CPUs, SMT siblings, last-level caches, NUMA nodes and sockets."""

    def grid(self, *, sockets: int = 1, numa: int = 1, llcs: int = 1, cores: int, threads: int = 1) -> _Topology:
        """Makes a regular machine. CPUs are numbered from the outside in, and the threads of a core are neighbours.

        Args:
          sockets: Sockets of the machine.
          numa: NUMA nodes in each socket; 0 is a machine without NUMA, of one node that spans all sockets.
          llcs: Last-level caches in each node, or in each socket without NUMA.
          cores: Cores on each cache.
          threads: SMT threads of each core.

        Example:
          t = topo.grid(sockets = 2, cores = 8, threads = 2)
          print(t, t.ncpu)  # 2n1l8c2t 32
        """

    def parse(self, text: str) -> _Topology:
        """Reads a layout from text. "2n4l16c2t" is two NUMA nodes of four last-level caches of 16 cores of two threads, 256 CPUs.

        Args:
          text: Counts, each with the first letter of what it counts, from the outside in: sockets, nodes, last-level caches, cores, threads. Each count is per parent; s, n, l and t may be left out.

        Example:
          print(topo.parse("2n4l16c2t").ncpu)  # 256
        """

    def smp(self, n: int) -> _Topology:
        """Makes equal CPUs: one core each, one last-level cache, one node, no SMT.

        Args:
          n: The number of CPUs.

        Example:
          print(topo.smp(4))  # 1n1l4c1t
        """

topo: _TopoModule
"""The layout of a machine: CPUs, SMT siblings, last-level caches, NUMA nodes and sockets."""

class _WorkModule:
    """The steps of programs, which say what tasks do. A program is a list of steps; steps and lists nest. A length may be a duration or a distribution, which is drawn anew each time."""

    def begin(self, name: str, *, at_release: bool = False) -> _Step:
        """Opens a span under a name; to begin one that is open starts it anew. A forked child inherits its parent's open spans, and may end them.

        Args:
          name: Name of the span, by which m.response finds it.
          at_release: The span begins when the timer of the task's last timer or sleep step was to expire, not now, so that the delay of the wakeup counts.

        Example:
          print(work.begin("request", at_release = True))  # begin("request", at_release = True)
        """

    def call(self, fn: Callable[..., Any]) -> _Step:
        """Calls a function of the script each time, for what values and distributions cannot say. It returns the next steps, which run before the program goes on, or None for none. It must not run or clone the machine.

        Args:
          fn: A function fn(m, t) of machine and task.

        Example:
          def more(m, t):
              return work.run(1 * ms) if m.now < 1 * sec else work.exit()
          
          print(work.loop(work.call(more)))  # loop(1 step)
        """

    def choose(self, options: Iterable[Any]) -> _Step:
        """Goes one of several ways, each with a probability in proportion to its weight.

        Args:
          options: Pairs (weight, steps). The steps of a pair may be an empty list: do nothing.

        Example:
          print(work.choose([(9, work.run(1 * ms)), (1, [work.run(20 * ms), work.yield_()])]))  # choose([(9, run(1ms)), (1, [run(20ms), yield_()])])
        """

    def end(self, name: str) -> _Step:
        """Closes a span; its length is one sample of m.response(name).

        Args:
          name: The name that work.begin gave.

        Example:
          print(work.end("request"))  # end("request")
        """

    def exit(self, code: int = 0) -> _Step:
        """Ends the task. A program that reaches its end exits with code 0.

        Args:
          code: The exit code, from 0 to 255.

        Example:
          print(work.exit(code = 1))  # exit(1)
        """

    def fork(self, program: _Program | _Step | Iterable[Any], *, comm: str = "", thread: bool = False, count: int | _Distribution = 1) -> _Step:
        """Makes a child, which runs a program of its own and exits at its end.

        Args:
          program: What the child does.
          comm: The child's name; empty keeps the parent's.
          thread: The child is a thread of the same process, not a process.
          count: How many children to make, one after the other.

        Example:
          job = [work.run(50 * ms), work.exit()]
          print(work.fork(job, comm = "cc1", count = 10))  # fork(<program: 2 steps>, comm = "cc1", count = 10)
        """

    def loop(self, steps: _Step | Iterable[Any]) -> _Step:
        """Repeats its steps for ever.

        Args:
          steps: A step, or a list of steps; lists may be nested.

        Example:
          print(work.loop([work.run(2 * ms), work.sleep(10 * ms)]))  # loop(2 steps)
        """

    def nice(self, n: int) -> _Step:
        """Sets the task's own nice value.

        Args:
          n: The new nice value, from -20 (most CPU time) to 19 (least).

        Example:
          print(work.nice(19))  # nice(19)
        """

    def program(self, steps: _Program | _Step | Iterable[Any]) -> _Program:
        """Compiles steps, and says at once what is wrong with them. It is seldom needed, for whatever takes a program compiles a list of steps itself.

        Args:
          steps: The steps; lists may be nested, and a program among them stands for its steps.

        Example:
          p = work.program([work.run(2 * ms), work.exit()])
          print(p)  # <program: 2 steps>
        """

    def repeat(self, n: int | _Distribution, steps: _Step | Iterable[Any]) -> _Step:
        """Repeats its steps a number of times; 0 skips them.

        Args:
          n: How often; a distribution is drawn each time that the task comes here.
          steps: A step, or a list of steps; lists may be nested.

        Example:
          print(work.repeat(dist.uniform(1, 5), [work.run(1 * ms), work.yield_()]))  # repeat(uniform(1, 5), 2 steps)
        """

    def run(self, duration: _Duration | str | _Distribution, *, kernel: bool = False, cond_resched: _Duration | str | None = None) -> _Step:
        """Uses the CPU for a while. What preemption takes away is run later.

        Args:
          duration: CPU time, without what the kernel's own work costs.
          kernel: The time is spent inside a system call, where the preemption model of the machine decides about preemption.
          cond_resched: Time between two calls of cond_resched() inside the kernel; None for no such call.

        Example:
          print(work.run(2 * ms))  # run(2ms)
          print(work.run(dist.exponential(2 * ms), kernel = True, cond_resched = 1 * ms))  # run(exponential(2ms), kernel = True, cond_resched = 1ms)
        """

    def run_forever(self) -> _Step:
        """Uses the CPU and never stops.

        Example:
          print(work.run_forever())  # run_forever()
        """

    def sem_post(self, sem: _Semaphore) -> _Step:
        """Wakes the first waiter of a semaphore, or adds one to its count.

        Args:
          sem: A semaphore of the machine that will run the task.

        Example:
          def consumer(sem):
              return work.loop([work.sem_post(sem), work.run(1 * ms)])
        """

    def sem_wait(self, sem: _Semaphore) -> _Step:
        """Takes one from a semaphore, or blocks until a post hands it one. Waiters are served in the order of their arrival.

        Args:
          sem: A semaphore of the machine that will run the task.

        Example:
          def consumer(sem):
              return work.loop([work.sem_wait(sem), work.run(1 * ms)])
        """

    def setsid(self) -> _Step:
        """Makes the task the leader of a new session, as setsid(2) does. One that leads a session already gets EPERM and goes on.

        Example:
          print(work.setsid())  # setsid()
        """

    def sleep(self, duration: _Duration | str | _Distribution) -> _Step:
        """Sleeps for a while from now on, as nanosleep does.

        Args:
          duration: Time until the timer expires.

        Example:
          print(work.sleep(dist.uniform(1 * ms, 5 * ms)))  # sleep(uniform(1ms, 5ms))
        """

    def timer(self, period: _Duration | str) -> _Step:
        """Waits for the next release of the task's periodic timer. The first release lies one period after the task's first step. A release that has passed does not wait and counts as missed, so that lost periods are caught up.

        Args:
          period: Time between two releases.

        Example:
          print(work.loop([work.timer(10 * ms), work.run(1 * ms)]))  # loop(2 steps)
        """

    def wait(self) -> _Step:
        """Waits for one child to exit; without children it goes on at once.

        Example:
          print(work.wait())  # wait()
        """

    def wait_all(self) -> _Step:
        """Waits for all children to exit.

        Example:
          print(work.wait_all())  # wait_all()
        """

    def yield_(self) -> _Step:
        """Calls sched_yield. The name ends in an underscore because yield is a reserved word.

        Example:
          print(work.yield_())  # yield_()
        """

work: _WorkModule
"""The steps of programs, which say what tasks do. A program is a list of steps; steps and lists nest. A length may be a duration or a distribution, which is drawn anew each time."""

GiB: _Size
"""1GiB of memory, 1073741824 bytes. Multiply a number with it to get a size.

Example:
  print(64 * GiB)  # 64GiB
"""

KiB: _Size
"""1KiB of memory, 1024 bytes. Multiply a number with it to get a size.

Example:
  print(64 * KiB)  # 64KiB
"""

MiB: _Size
"""1MiB of memory, 1048576 bytes. Multiply a number with it to get a size.

Example:
  print(64 * MiB)  # 64MiB
"""

def abs(x: _T) -> _T:
    """Takes the sign away.

    Args:
      x: A number, duration or size.

    Example:
      print(abs(1 * ms - 3 * ms))  # 2ms
    """

def check(cond: Any, message: Any = "") -> bool:
    """Notes whether a claim of the experiment holds, and returns it. A failure is printed and counted, and the run goes on; at its end the program exits with code 3.

    Args:
      cond: What should be true.
      message: What the check says, in words.

    Example:
      check(2 * ms < 1 * sec, "milliseconds are short")
    """

def fmt(format: str, *args: Any, **kwargs: Any) -> str:
    """Formats values as Python's str.format does. A spec is [[fill]align][sign][#][0][width][,][.precision][type], with align one of < > ^ =, and type one of d b o x X c e E f F g G % s. A duration takes a unit for its type: {:.1ms} prints 12.1ms. Width and precision may be fields themselves, as in {:{}.{}f}.

    Args:
      format: Text with replacement fields in braces: {}, {0}, {name}, {d.ms}, {list[0]}, each with an optional !r and a :spec. {{ and }} are braces.
      *args: The values for {} and {0}.
      **kwargs: The values for {name}.

    Example:
      print(fmt("{:>8} {:.1f} {:,}", "make", (12070 * us).ms, 1234567))  #     make 12.1 1,234,567
      print(fmt("{:.1ms} {:>6.1%}", 12070 * us, 0.125))  # 12.1ms  12.5%
    """

def help(x: Any = ...) -> None:
    """Prints what the reference says about a name, or the docstring of a function of a script.

    Args:
      x: A function, method, module, value or name; without it help lists all names.

    Example:
      help(fmt)
      help(5 * ms)
      help("math.sqrt")
    """

def kernels() -> _Table:
    """Lists the kernel profiles: their versions, what is particular to them, the patches that they have built in, and the scheduler features that they have switched on. A version without a profile takes that of the nearest older one.

    Example:
      print(kernels()[0].version)  # 2.6.36
    """

ms: _Duration
"""One millisecond. Multiply a number with it to get a duration.

Example:
  print(5 * ms)  # 5ms
"""

ns: _Duration
"""One nanosecond. Multiply a number with it to get a duration.

Example:
  print(5 * ns)  # 5ns
"""

def param(name: str, default: _T, help: str = "", choices: Iterable[Any] | None = None) -> _T:
    """Declares a parameter of the experiment and returns its value. The command line sets it with -p name=value, a sweep or a notebook cell by its name. A -p that no script declares is an error, so that a misspelt one is noticed.

    Args:
      name: Name of the parameter; letters, digits and underscores.
      default: The value without -p. Its type is the type of the parameter: bool, int, float, string, duration, size, or a list of one of these.
      help: What the parameter means, for the user of the script.
      choices: The values that are allowed; None allows all.

    Example:
      delay = param("delay", 5 * ms, help = "pause between two requests")
      print(delay)  # 5ms
    """

def patches() -> _Table:
    """Lists the named changes that patches = [...] puts on a kernel, with the versions that have them built in: from since, up to until.

    Example:
      print(patches().where(lambda p: p.name == "autogroup")[0].since)  # 2.6.38
    """

def print(*args: Any, sep: str = " ", end: str = "\n") -> None:
    """Prints values to the output of the run.

    Args:
      *args: The values to print.
      sep: What stands between them.
      end: What stands after the last.

    Example:
      print("slice", 3 * ms)  # slice 3ms
    """

def range(*args: int) -> Sequence[int]:
    """The whole numbers from start, 0 by default, up to and without stop, step apart, 1 by default; at most 20000000 of them.

    Args:
      *args: The stop; or start and stop; or start, stop and step.

    Example:
      print(list(range(3)), list(range(10, 4, -2)))  # [0, 1, 2] [10, 8, 6]
    """

def read_table(path: str, units: dict[Any, Any] = {}) -> _Table:
    """Reads a table that save or another program wrote. Columns are ints, floats, bools or strings, whichever all their values fit, and empty fields are missing values. Units are read from names that save has made: wait_ns is a column wait of durations, share_pct one of %.

    Args:
      path: A file in the script's directory tree, relative to the script. It ends in .csv, .json, .parquet.
      units: Units by column, for files that do not tell: {"latency": "us"} makes durations of numbers that count microseconds, {"share": "%"} names the unit of others.

    Example:
      t = read_table("testdata/tables/waits.csv", units = {"latency": "us"})
      print(t.columns)  # ["comm", "wait", "share", "latency"]
      print(t[0].wait, t[0].latency)  # 40ms 1.5us
    """

def repeat(fn: Callable[..., Any], seeds: int | Iterable[int] | None = None, args: dict[Any, Any] = {}, *, vary: dict[Any, Any] = {}, until: _StopRule | None = None, jobs: int = 0) -> _Table:
    """Runs a function for many seeds, on all CPUs, and gives a table of what it returns: a row for each run, with a column for each varied argument, a column seed, and one for each field, or a column value. The fields of a dict or struct in another make columns such as a_b. Samples make the columns x_n, x_mean, x_p50, x_p99 and x_max, and the table's samples("x") has them all; a histogram makes the same columns, and histogram("x") adds up those of all runs. While the function runs, its seed is that of the session, so that machine() takes it by default. What it uses from outside is frozen, and must not be a machine. It saves no files. 

    Variants run with the same seeds, and random streams have names: a task draws from the stream of its name and of its number among the tasks that were spawned with that name, the n-th task that it forks from one below that, and interrupts from that of their name and CPU. What one draws is therefore the same in all variants of a seed, whatever else they add or leave out, and stats.paired compares such runs with far fewer seeds than two means would need. 

    What the runs print and check appears in the order of the seeds, with all variants of a seed after each other, whichever was ready first. If no result depends on the seed, a note says so: then one seed tells as much as all, and p and intervals over them tell nothing. With until, the rule is asked after each seed, of each variant; when it holds for all of them no more seeds are run, so that all have the same. An error is that of the first run that failed, in that order.

    Args:
      fn: A function fn(seed, ...) on the top level of a file, which makes a machine, runs it and returns a number, a duration, samples, a histogram, or a dict or struct of these.
      seeds: How many seeds, from 1 on, or a list of them; None is 30, and with until as many as that takes.
      args: Further arguments of the function, by name.
      vary: Arguments that take several values, as {"hz": [100, 250]}: the function runs for each combination. Values that a table cannot hold, or that need a better name, stand in a dict by name, as {"machine": {"small": topo.smp(2), "large": topo.smp(64)}}.
      until: When to stop before all seeds are done, as stats.until(relative = 0.02).
      jobs: How many runs go on at once; 0 is one for each CPU. Nothing that comes out depends on it. At least 0.

    Example:
      def experiment(seed, busy):
          return {"busy": busy, "wait": (seed % 3) * 1 * ms}
      
      t = repeat(experiment, seeds = 3, args = {"busy": 0.5})
      print(t["wait"])  # [1ms, 2ms, 0s]
      print(stats.interval(t["wait"])[1] > 1 * ms)  # True
      t = repeat(experiment, seeds = 2, vary = {"busy": [0.5, 0.9]})
      print(t["busy"], t["seed"])  # [0.5, 0.5, 0.9, 0.9] [1, 2, 1, 2]
    """

def round(x: _T, digits: int | _Duration | str | _Size | str = ...) -> _T:
    """Rounds to the nearest value, and a half to the even digit. Without digits a float becomes an int.

    Args:
      x: A number, duration or size.
      digits: Digits after the point. For a duration they count in the unit that it prints in, or are a duration to round to a multiple of.

    Example:
      print(round(2.675, 1))  # 2.7
      print(round(12071 * us, 1))  # 12.1ms
      print(round(12071 * us, 5 * ms))  # 10ms
    """

sec: _Duration
"""One second. Multiply a number with it to get a duration.

Example:
  print(5 * sec)  # 5s
"""

def show(*values: Any) -> None:
    """Shows values as the front end can: a notebook shows tables as HTML and plots as images, a batch run prints their text.

    Args:
      *values: The values to show: tables, plots, samples, or anything else.

    Example:
      show(1.5 * ms)  # 1.5ms
    """

def struct(**kwargs: Any) -> _Struct:
    """Makes a record with the given fields, which are read with a dot.

    Args:
      **kwargs: The fields.

    Example:
      p = struct(name = "web", delay = 5 * ms)
      print(p.name, p.delay)  # web 5ms
    """

def sum(values: Iterable[Any], start: Any = None) -> Any:
    """Adds values up.

    Args:
      values: Numbers, durations or sizes, all of one sort.
      start: What to begin with, and the sum of no values; None begins with the first value, and gives 0 for none.

    Example:
      print(sum([1 * ms, 500 * us]))  # 1.5ms
      print(sum([], 0 * ms))  # 0s
    """

us: _Duration
"""One microsecond. Multiply a number with it to get a duration.

Example:
  print(5 * us)  # 5us
"""

# load("@stdlib//desktop.star", ...)

def make_j(jobs: Any, run: Any = dist.exponential(250 * ms), sleeping: Any = 0.0, forks: Any = 2) -> Any:
    """The program of `make -j JOBS`: keeps JOBS children running, for ever.

    Imitates: the shape of a parallel build. The parent starts `jobs` children
    and a new one whenever one exits, so that the number of jobs is constant.
    Each job is a compiler driver (`gcc`) that makes its passes one after the
    other, each a process of its own (`cc1`); a pass waits for its input, then
    computes.
    Leaves out: dependencies, a linker at the end, memory, and the disk (but
    for the sleeping share).
    Checked against: how a hog beside it is perturbed, as published with the
    autogroup patch (see the gallery). The shares and the median stretch off the
    CPU hardly depend on how a job is built; the worst stretch does.

    Args:
      jobs: how many jobs run at a time, at least 1.
      run: CPU time of one compiler pass, a duration or a distribution.
        Source files differ much in size, hence the exponential law.
      sleeping: share of a pass's life that it sleeps waiting for the disk, 0 to
        below 1; the default is bound by the CPU alone.
      forks: compiler passes per job, at least 1.

    Returns:
      A program for m.spawn.
    """

def pert() -> Any:
    """The program of a hog that looks at the cycle counter all the time.

    Imitates: a loop that reads the time-stamp counter and takes any jump of it
    for a perturbation. It makes no system call, so that its slices end at
    ticks. What it would see is asked of the machine: `m.perturbations(task)`
    counts every interruption, ticks and other interrupts included, and
    `m.waits(task)` only the stretches in which another task had the CPU.

    Returns:
      A program for m.spawn.
    """

def hogs(m: Any, n: Any, comm: Any = "hog", nice: Any = 0, cpus: Any = None, cgroup: Any = None) -> Any:
    """Starts n tasks that never sleep.

    Args:
      m: the machine.
      n: how many.
      comm: their name.
      nice: their nice value.
      cpus: the CPUs that they may use, as "0-3"; None for all.
      cgroup: their cgroup, a path or a handle; None for the root.

    Returns:
      The list of tasks.
    """

def periodic(period: Any, run: Any) -> Any:
    """The program of a task that works each period: a video player, a control loop.

    The releases lie on an absolute grid from its first step on; if the work of
    a period is late the next release is not moved, and a release in the past
    starts at once. Each period is a span named "period": `m.response("period")`
    gives the time from release to the end of the work.

    Args:
      period: time between two releases.
      run: CPU time of one period, a duration or a distribution.

    Returns:
      A program for m.spawn.
    """

# load("@stdlib//latency.star", ...)

def wakeup_latency(period: Any, kind: Any = "sleeper", run: Any = 20 * us) -> Any:
    """The program of a timer task that measures its own wakeup latency.

    Each expiry is a span named "expiry": `m.response("expiry")` gives the time
    from the moment for which the timer was set to the first instruction that
    answers it.

    Kinds:
      "sleeper": one thread that sleeps until the next expiry and answers it
        itself, as with clock_nanosleep. It wakes with the credit of a sleeper.
      "thread": a helper thread sleeps until the expiry and makes a thread that
        answers it, as timer_create with SIGEV_THREAD does in the C library. The
        new thread is placed as a new-born, a slice behind.

    Args:
      period: time between two expiries.
      kind: "sleeper" or "thread".
      run: CPU time that answering takes.

    Returns:
      A program for m.spawn.
    """
