"""Schedule jobs on machines, step after step, so that all is done by a deadline.

Any schedule within the deadline is accepted. Where the limit is tight, no earlier end is possible: that was proved while generating.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.solutions import Checks, Derivation, Solution, Step

Pairs = tuple[tuple[str, str], ...]
JOB, MACHINE = Step("Job {job}: {steps:words}"), Step("Machine {machine:int} does one thing at a time: {uses}")
LAST = Step("The last step ends in minute {end:int}, and {most:int} is allowed")
Jobs = tuple[tuple[tuple[int, int], ...], ...]  # steps of each job: machine, minutes
Starts = tuple[tuple[int, ...], ...]
LETTERS = "abcdefghijklmnop"
ANSWER = Mapping("one line `step: minute` for each step, such as A1: 0", max_items=80)
CONCEPT = "On the machine that could be done first, decide which of the waiting steps goes next; cut off what cannot end in time."


class Use(NamedTuple):
    """A machine works on a step of a job."""

    start: int
    end: int
    step: str


class Knobs(Config):
    jobs: int = knob(3, easy=2, hard=5, doc="jobs")
    machines: int = knob(3, easy=2, hard=4, doc="machines, and steps of each job")
    routes: str = knob("own", easy="same", hard="own", order=("same", "own"), doc="whether all jobs use the machines in the same order")
    limit: str = knob(
        "near",
        easy="simple",
        hard="tight",
        order=("simple", "near", "tight"),
        doc="the deadline: what doing the jobs as they come needs, a little more than the earliest end, or the earliest end",
    )


class Data(TaskData):
    jobs: Jobs
    most: int
    earliest: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, opposite=False)


def _sample_task(rng: Rng, knobs: Knobs, opposite: bool) -> Task[Data]:
    machines = list(range(1, knobs.machines + 1))
    while True:
        same = rng.shuffled(machines)
        routes = [same if knobs.routes == "same" else rng.shuffled(machines) for _ in range(knobs.jobs)]
        if opposite:
            routes = [same[:: 1 if rng.chance(0.5) else -1] for _ in range(knobs.jobs)]
        jobs = tuple(tuple((machine, rng.integer(2, 30)) for machine in route) for route in routes)
        earliest = _earliest(jobs, 4000)
        if earliest:
            break
    most = {"simple": _makespan(jobs, _greedy_starts(jobs)), "near": earliest + max(1, earliest // 12), "tight": earliest}[knobs.limit]
    data = Data(jobs=jobs, most=most, earliest=earliest)
    return Task(_render_prompt(data), data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Jobs that all pass the machines in one order, some of them in the opposite direction."""
    return _sample_task(rng, knobs, opposite=True)


def solve(task: Task[Data]) -> Pairs:
    return _to_pairs(next(_schedules(task.data.jobs, task.data.most, [10**9], False)))


def verify(task: Task[Data], answer: Pairs) -> Score:
    data, given = task.data, dict(answer)
    if set(given) != {f"{LETTERS[job]}{step}" for job, steps in enumerate(data.jobs) for step in range(1, len(steps) + 1)}:
        return Score.wrong("exactly the steps of the jobs must each get a start")
    busy: dict[int, list[tuple[int, int]]] = {}
    for job, steps in enumerate(data.jobs):
        free = 0
        for step, (machine, minutes) in enumerate(steps, 1):
            word = given[f"{LETTERS[job]}{step}"]
            if not (word.isascii() and word.isdigit() and len(word) < 6):
                return Score.wrong("a start is a whole number of minutes")
            start = int(word)
            if start < free:
                return Score.wrong(f"step {step} of job {LETTERS[job].upper()} starts before the step before it has ended")
            free = start + minutes
            busy.setdefault(machine, []).append((start, free))
        if free > data.most:
            return Score.wrong(f"job {LETTERS[job].upper()} ends after minute {data.most}")
    for machine, times in busy.items():
        times.sort()
        if any(end > start for (_, end), (start, _) in pairwise(times)):
            return Score.wrong(f"machine {machine} works on two jobs at once")
    return Score.exact(True)


def mistakes(task: Task[Data], right: Pairs) -> list[Pairs]:
    # Each job as if it were alone, all jobs one after the other, everything a minute early, one step left out, all at once.
    alone, after, clock = [], [], 0
    for job, steps in enumerate(task.data.jobs):
        own = 0
        for step, (_, minutes) in enumerate(steps, 1):
            alone.append((f"{LETTERS[job]}{step}", str(own)))
            after.append((f"{LETTERS[job]}{step}", str(clock)))
            own, clock = own + minutes, clock + minutes
    early = tuple((name, str(max(0, int(start) - 1))) for name, start in right)
    return [tuple(alone), tuple(after), early, right[1:], tuple((name, "0") for name, _ in right)]


def cost(task: Task[Data]) -> float:
    data = task.data
    steps = sum(map(len, data.jobs))
    spare = data.most - data.earliest
    same = len({tuple(machine for machine, _ in job) for job in data.jobs}) == 1
    return steps**2 * (1 if spare > data.earliest // 12 + 1 else 2 if spare else 3) * (1 if same else 1.5)


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    starts = next(_schedules(data.jobs, data.most, [10**9], False))
    uses: dict[int, list[Use]] = {}
    for job, times in enumerate(starts):
        yield JOB(job=LETTERS[job].upper(), steps=_time(data.jobs[job], times))
        for machine, use in _uses_of(data, job, times):
            uses.setdefault(machine, []).append(use)
    for machine in sorted(uses):
        yield MACHINE(machine=machine, uses=_shown_uses(uses[machine]))
    yield LAST(end=_makespan(data.jobs, starts), most=data.most)


def checks(task: Task[Data]) -> Checks:
    data = task.data
    uses: dict[int, list[Use]] = {}
    done, machines = list[str](), list[int]()

    def job_runs(job: str, steps: tuple[str, ...]) -> bool:
        number = len(done)
        times = [int(step.partition(" from ")[2].partition(" to ")[0]) for step in steps]
        ends = [start + minutes for start, (_, minutes) in zip(times, data.jobs[number], strict=True)]
        if any(start < free for start, free in zip(times, [0, *ends], strict=False)) or ends[-1] > data.most:
            return False
        if job != LETTERS[number].upper() or steps != tuple(_time(data.jobs[number], times)):
            return False
        done.append(job)
        for machine, use in _uses_of(data, number, times):
            uses.setdefault(machine, []).append(use)
        return True

    def machine_runs(machine: int, uses_shown: str) -> bool:
        disjoint = all(first.end <= second.start for first, second in pairwise(sorted(uses[machine])))
        if not disjoint or len(done) != len(data.jobs) or uses_shown != _shown_uses(uses[machine]):
            return False
        machines.append(machine)
        return True

    def last(end: int, most: int) -> bool:
        return machines == sorted(uses) and (end, most) == (max(use.end for used in uses.values() for use in used), data.most)

    return {JOB: job_runs, MACHINE: lambda machine, uses: machine_runs(machine, uses), LAST: last}


def _time(job: Sequence[tuple[int, int]], starts: Sequence[int]) -> list[str]:
    """The steps of a job with their times."""
    steps = enumerate(zip(starts, job, strict=True), 1)
    return [f"step {number} on machine {machine} from {start} to {start + minutes}" for number, (start, (machine, minutes)) in steps]


def _uses_of(data: Data, job: int, starts: Sequence[int]) -> Iterator[tuple[int, Use]]:
    """Which machines a job uses, and when."""
    for number, (start, (machine, minutes)) in enumerate(zip(starts, data.jobs[job], strict=True), 1):
        yield machine, Use(start, start + minutes, f"{LETTERS[job].upper()}{number}")


def _shown_uses(uses: Sequence[Use]) -> str:
    return ", ".join(f"{use.step} {use.start}-{use.end}" for use in sorted(uses))


def _render_prompt(data: Data) -> str:
    lines = []
    for letter, steps in zip(LETTERS.upper(), data.jobs, strict=False):
        lines.append(f"Job {letter}: " + ", ".join(f"{letter}{i} on machine {m} for {t} minutes" for i, (m, t) in enumerate(steps, 1)))
    listing = "\n".join(lines)
    return (
        f"Jobs are made of steps, each done on one machine:\n{listing}\n\nThe steps of a job are done in the order listed, each after the one before it has "
        "ended. A machine works on one step at a time and does not interrupt it; it can begin the next step in the minute in which one ends. Work starts at "
        f"minute 0. Find a schedule in which everything has ended by minute {data.most}, and give the minute in which each step starts."
    )


def _to_pairs(starts: Starts) -> Pairs:
    return tuple(sorted((f"{LETTERS[job]}{step}", str(start)) for job, times in enumerate(starts) for step, start in enumerate(times, 1)))


def _makespan(jobs: Jobs, starts: Starts) -> int:
    return max(times[-1] + steps[-1][1] for times, steps in zip(starts, jobs, strict=True))


def _greedy_starts(jobs: Jobs) -> Starts:
    """Always the first job with the fewest steps done, as soon as it can."""
    machines: dict[int, int] = {}
    ready, starts = [0] * len(jobs), [list[int]() for _ in jobs]
    for step in range(len(jobs[0])):
        for job, steps in enumerate(jobs):
            machine, minutes = steps[step]
            start = max(ready[job], machines.get(machine, 0))
            starts[job].append(start)
            ready[job] = machines[machine] = start + minutes
    return tuple(map(tuple, starts))


def _schedules(jobs: Jobs, most: int, budget: list[int], turned: bool) -> Iterator[Starts]:
    """Every schedule within the deadline in which nothing could start sooner without delaying something; `budget` counts positions."""
    count, machines = len(jobs), max(machine for steps in jobs for machine, _ in steps) + 1
    rest = [[sum(minutes for _, minutes in steps[i:]) for i in range(len(steps) + 1)] for steps in jobs]
    load = [sum(minutes for steps in jobs for other, minutes in steps if other == machine) for machine in range(machines)]
    stack: list[tuple[Starts, tuple[int, ...], tuple[int, ...], tuple[int, ...]]] = [
        (((),) * count, (0,) * count, (0,) * machines, tuple(load))
    ]
    while stack:
        starts, ready, free, work_left = stack.pop()
        budget[0] -= 1
        if budget[0] < 0:
            return
        waiting = [job for job in range(count) if len(starts[job]) < len(jobs[job])]
        if not waiting:
            yield starts
            continue
        begins = {job: max(ready[job], free[jobs[job][len(starts[job])][0]]) for job in waiting}
        # Some step must start on the machine that could be done first, before it could be done.
        first = min(waiting, key=lambda job: (begins[job] + jobs[job][len(starts[job])][1], job))
        machine, minutes = jobs[first][len(starts[first])]
        end = begins[first] + minutes
        rivals = [job for job in waiting if jobs[job][len(starts[job])][0] == machine and begins[job] < end]
        choices = []
        for job in rivals:
            begin, minutes = begins[job], jobs[job][len(starts[job])][1]
            now = begin + minutes
            if now + rest[job][len(starts[job]) + 1] > most or now + work_left[machine] - minutes > most:
                continue
            after = (*ready[:job], now, *ready[job + 1 :])
            if any(max(after[i], now if i != job and i in rivals else 0) + rest[i][len(starts[i])] > most for i in waiting if i != job):
                continue
            placed = (*starts[:job], (*starts[job], begin), *starts[job + 1 :])
            frees = (*free[:machine], now, *free[machine + 1 :])
            lefts = (*work_left[:machine], work_left[machine] - minutes, *work_left[machine + 1 :])
            choices.append((rest[job][len(starts[job])], job, (placed, after, frees, lefts)))
        stack += [position for *_, position in sorted(choices, key=lambda choice: (choice[0], choice[1]), reverse=turned)]


def _earliest(jobs: Jobs, positions: int) -> int:
    """The earliest end, proved by a search that finds nothing earlier; 0 if that takes too much work."""
    budget = [positions]
    best = _makespan(jobs, _greedy_starts(jobs))
    while True:
        schedule = next(_schedules(jobs, best - 1, budget, False), None)
        if budget[0] < 0:
            return 0
        if schedule is None:
            return best
        best = _makespan(jobs, schedule)


def solutions(task: Task[Data]) -> Iterator[Pairs]:
    yield from (_to_pairs(starts) for starts in _schedules(task.data.jobs, task.data.most, [20_000], True))


SOLUTION = Solution(derive, "The starts are\n{answer}", checks)
environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=SOLUTION,
    shift=shift,
    answers="many",
    solutions=solutions,
    concept=CONCEPT,
)
